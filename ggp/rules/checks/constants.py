"""Constants that are probably misspelt or misplaced: broken chains, odd names, odd arguments."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from ggp.kif import Term
from ggp.rules import keywords as kw
from ggp.rules.nearest import Slips
from ggp.rules.rule import Rule, Signature, signature
from ggp.rules.sheet import Sheet

SHORTEST, LEAST = 3, 4
"""Pairs of a chain, or uses of a function, from which on one that is turned round, or an odd one
out, stands out."""

WIDEST = 12
"""Arguments of functions that are looked at for two that changed places."""

Pair = tuple[Term, Term]


def chains(sheet: Sheet) -> None:
    """Report the one pair that keeps a table of pairs from being a chain."""
    tables: dict[Signature, list[Rule]] = defaultdict(list)
    made_by_rules = {signature(rule.head) for rule in sheet.rules if not rule.is_fact}
    for rule in sheet.rules:
        relation = signature(rule.head)
        if relation[1] == 2 and relation not in made_by_rules and relation[0] not in kw.KEYWORDS:
            tables[relation].append(rule)
    for facts in tables.values():
        pairs = {_pair(rule): rule for rule in facts}
        if _is_chain(pairs) or len(pairs) < SHORTEST or _turned(sheet, pairs):
            continue
        if len(pairs) >= LEAST:
            _torn(sheet, pairs)


def _pair(rule: Rule) -> Pair:
    return rule.head.args[0], rule.head.args[1]


def _is_chain(pairs: Iterable[Pair]) -> bool:
    """Whether pairs form one path."""
    after = dict(pairs)
    before = {second: first for first, second in pairs}
    starts = [first for first in after if first not in before]
    if len(starts) != 1 or not len(after) == len(before) == len(set(pairs)):
        return False
    place, steps = starts[0], 0
    while place in after:
        place, steps = after[place], steps + 1
    return steps == len(after)


def _turned(sheet: Sheet, pairs: dict[Pair, Rule]) -> bool:
    """Report a pair that makes a chain when it is turned round."""
    firsts, seconds = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    doubled = [name for name, count in firsts.items() if count > 1]
    reached = [name for name, count in seconds.items() if count > 1]
    # A pair that is turned round leaves one name with two after it, or before it, at the most.
    if len(doubled) > 1 or len(reached) > 1 or max(*firsts.values(), *seconds.values()) > 2:
        return False
    for pair, rule in pairs.items():
        first, second = pair
        if first not in doubled and second not in reached:
            continue
        if _is_chain([*(p for p in pairs if p != pair), (second, first)]):
            meant = Term(rule.head.name, (second, first))
            message = f"{rule.head} breaks the chain that the other facts make"
            fix = sheet.fix(f"write {meant}", (rule.span, str(meant)))
            hint = f"did you mean {meant}?"
            sheet.report.add("broken-chain", message, rule.span, hint=hint, fix=fix)
            return True
    return False


def _torn(sheet: Sheet, pairs: dict[Pair, Rule]) -> None:
    """Report a name that makes a chain of two where it is the misspelt end of the other one."""
    firsts, seconds = {a for a, _ in pairs}, {b for _, b in pairs}
    starts, ends = firsts - seconds, seconds - firsts
    if len(starts) != 2 or len(ends) != 2:
        return
    for end in ends:
        for start in starts:
            joined = [(end if a == start else a, b) for a, b in pairs]
            if not _alike(end, start) or not _is_chain(joined):
                continue
            one, other = (start, end) if len(start.name) > len(end.name) else (end, start)
            rule = next(rule for pair, rule in pairs.items() if one in pair)
            place = sheet.place(rule, one, [rule.head.name])
            message = f"{one} breaks the chain that the facts of {rule.head.name} make"
            fix = sheet.fix(f"write {other}", (place, str(other)))
            hint = f"did you mean {other}?"
            sheet.report.add("broken-chain", message, place, hint=hint, fix=fix)
            return


def _alike(one: Term, other: Term) -> bool:
    """Whether one name is the other with a letter more or less."""
    short, long = sorted((one.name, other.name), key=len)
    begins, ends = long.startswith(short), long.endswith(short)
    odd = long[-1:] if begins else long[:1]
    return len(long) == len(short) + 1 and (begins or ends) and not odd.isdigit()


def odd_names(sheet: Sheet) -> None:
    """Report names that stand once in the sheet and look like one that stands more often, or that
    are no number where all others are."""
    uses = list(_uses(sheet))
    count = _all_names(sheet)
    slips = Slips(n for n, times in count.items() if times > 1 and n not in kw.KEYWORDS)
    known: dict[tuple[Signature, int], set[str]] = defaultdict(set)
    for _, term in uses:
        for i, arg in enumerate(term.args):
            if not arg.is_variable:
                known[signature(term), i].add(arg.name)
    words = {column: sum(not n.isdigit() for n in names) for column, names in known.items()}
    for rule, term in uses:
        for i, arg in enumerate(term.args):
            if arg.is_variable or arg.args or count[arg.name] != 1 or arg.name in kw.KEYWORDS:
                continue
            column = known[signature(term), i]
            is_alone = words[signature(term), i] == 1 and len(column) > 1
            like = _number(arg.name) if is_alone else None
            if like and len(column) == 2 and not count[like]:
                like = None
            like = like or slips.of(arg.name) or _letter(arg.name, column, count)
            if like and not _reported(sheet, rule, arg):
                place = sheet.place(rule, arg, [term.name])
                message = f"{arg} stands here only; did you mean {like}?"
                fix = sheet.fix(f"write {like}", (place, like))
                sheet.report.add("odd-name", message, place, fix=fix)


def _number(name: str) -> str | None:
    """The number that a name with a letter too many was meant to be."""
    digits = "".join(letter for letter in name if letter.isdigit())
    is_odd = len(digits) == len(name) - 1 and not name.startswith(("-", "+"))
    return digits if digits and is_odd else None


def _letter(name: str, column: Iterable[str], count: Counter[str]) -> str | None:
    """The name of one letter that one of two was meant to be: all others there are of one."""
    others = [other for other in column if other != name]
    if len(name) != 2 or not others or any(len(other) > 1 for other in others):
        return None
    known = [letter for letter in name if letter in others]
    if not known and len(others) > 1:
        known = [letter for letter in name if letter in count]
    # `ne` is made of `n` and `e`.
    is_slip = len(known) == 1 and known[0].isalpha() and count[known[0]] > 1
    return known[0] if is_slip else None


def _all_names(sheet: Sheet) -> Counter[str]:
    """How often each name stands in the rules, whatever it stands for."""
    count: Counter[str] = Counter()
    for rule in sheet.rules:
        count.update(rule.head.symbols())
        for atom in (*rule.positive, *rule.negative):
            count.update(atom.symbols())
        for side in (side for pairs in rule.distinct for pair in pairs for side in pair):
            count.update(side.symbols())
    return count


def odd_arguments(sheet: Sheet) -> None:
    """Report two constants that stand in each other's place: what they are elsewhere says so."""
    columns = _Domains()
    uses = [use for use in _uses(sheet) if len(use[1].args) <= WIDEST]
    for _, term in uses:
        for i, arg in enumerate(term.args):
            if not arg.is_variable:
                columns[signature(term), i][str(arg)] += 1
    for rule, term in uses:
        found = _swapped(term, columns) if len(term.args) > 1 else None
        if found and not _reported(sheet, rule, term.args[found[0]]):
            args = list(term.args)
            i, j = found
            args[i], args[j] = args[j], args[i]
            meant = Term(term.name, tuple(args))
            place = sheet.place(rule, term)
            message = f"{term}: {term.args[i]} stands in that place nowhere else"
            fix = sheet.fix(f"write {meant}", (place, str(meant)))
            hint = f"did you mean {meant}?"
            sheet.report.add("odd-arguments", message, place, hint=hint, fix=fix)


class _Domains(defaultdict[tuple[Signature, int], Counter[str]]):
    """What stands how often in each column of functions and relations."""

    def __init__(self) -> None:
        super().__init__(Counter)
        self._shared: dict[tuple[Signature, int, int], int] = {}
        self._numbers: dict[tuple[Signature, int], int] = {}

    def are_apart(self, own: Signature, i: int, j: int, here: str, there: str) -> bool:
        """Whether two columns have nothing in common but perhaps what stands in them here."""
        if (own, i, j) not in self._shared:
            self._shared[own, i, j] = len(self[own, i].keys() & self[own, j].keys())
        common = self._shared[own, i, j] - (here in self[own, j]) - (there in self[own, i])
        return common == 0 and len(self[own, i]) > 1

    def is_odd(self, own: Signature, i: int, here: str) -> bool:
        """Whether all else that stands in a column are numbers and this is none, or vice versa."""
        names = self[own, i]
        if (own, i) not in self._numbers:
            self._numbers[own, i] = sum(name.isdigit() for name in names)
        odd = self._numbers[own, i] if here.isdigit() else len(names) - self._numbers[own, i]
        return odd == 1 < len(names) and sum(names.values()) >= LEAST

    def is_key(self, own: Signature, i: int, j: int, here: str, there: str) -> bool:
        """Whether all else that stands in column `i` stands there once, and in column `j` twice or
        more often: a name for each row, and words for what it is like."""
        names = [n for name, n in self[own, i].items() if name != here]
        words = [n for name, n in self[own, j].items() if name != there]
        return len(names) >= LEAST and max(names) == 1 and min(words, default=1) > 1

    def are_kinds(self, own: Signature, i: int, j: int, here: str, there: str) -> bool:
        """Whether one column has numbers only, and the other none, but for what stands in them
        here."""
        names = {name.isdigit() for name in self[own, i] if name != here}
        words = {name.isdigit() for name in self[own, j] if name != there}
        is_apart = names == {there.isdigit()} and words == {here.isdigit()} and names != words
        return is_apart and sum(self[own, i].values()) >= LEAST - 1


def _swapped(term: Term, columns: _Domains) -> tuple[int, int] | None:
    """Two arguments of which each is in its place here only, and one elsewhere in the other's."""
    own = signature(term)
    constant = [i for i, arg in enumerate(term.args) if not arg.is_variable and not arg.args]
    for i in constant:
        for j in constant:
            here, there = str(term.args[i]), str(term.args[j])
            if i == j or here == there or not columns[own, j][here]:
                continue
            uses, place = columns[own, j][here], (own, i, j, here, there)
            alone = columns[own, i][here] == 1 and columns[own, j][there] == 1
            kinds = (
                (uses > 2 and (there in columns[own, i] or here.isdigit() != there.isdigit()))
                or (uses > 1 and columns.is_key(*place))
                or columns.are_kinds(*place)
            )
            if alone and kinds and columns.are_apart(*place):
                return i, j
    return next(((i, j) for i in constant for j in _open(term, i, columns)), None)


def _open(term: Term, i: int, columns: _Domains) -> Iterator[int]:
    """The variables of a term whose place the constant in place `i` has everywhere else, where all
    others in its place are numbers and it is none, or the other way round."""
    own, here = signature(term), str(term.args[i])
    if columns[own, i][here] == 1 and columns.is_odd(own, i, here):
        for j, arg in enumerate(term.args):
            is_there = arg.is_variable and columns[own, j][here] > 1
            if is_there and columns.are_apart(own, i, j, here, arg.name):
                yield j


def _uses(sheet: Sheet) -> Iterator[tuple[Rule, Term]]:
    """Every relation and function with arguments, with the rule it stands in."""
    seen = set()
    for rule in sheet.rules:
        inequalities = (side for pairs in rule.distinct for pair in pairs for side in pair)
        todo = [rule.head, *rule.positive, *rule.negative, *inequalities]
        while todo:
            term = todo.pop()
            todo.extend(term.args)
            if term.args and (rule.span.start, term) not in seen:
                seen.add((rule.span.start, term))
                yield rule, term


def _reported(sheet: Sheet, rule: Rule, arg: Term) -> bool:
    """Whether something was said of a term there already."""
    return sheet.report.has(sheet.place(rule, arg))
