"""Bodies that can never hold, and variables that are probably misspelt."""

from __future__ import annotations

from collections import Counter
from difflib import SequenceMatcher

from ggp.kif import Span, Term
from ggp.rules.rule import Rule
from ggp.rules.sheet import Sheet

MOST = 40
"""Variables of a rule that are compared with one another."""

LIKENESS, SHORTEST = 0.8, 5
"""Of two variables that are probably meant to be one; characters, the `?` among them."""


def bodies(sheet: Sheet) -> None:
    """Report clauses whose body contradicts itself, and rules that stand twice."""
    # An `or` without parts is reported as such: it leaves no rule at all.
    limited = {form.start for form in sheet.broken}
    for clause in sheet.clauses:
        if clause.span.start in sheet.live or clause.span.start in limited:
            continue
        message = f"the body of this rule for {clause.head} can never hold"
        sheet.report.add("never-holds", message, clause.span)
    for rule in sheet.rules:
        both = set(rule.positive) & set(rule.negative)
        if both:
            atom = min(both)
            message = f"both {atom} and (not {atom}): this can never hold"
            place = sheet.place(rule, atom, ["not"])
            related = ((sheet.place(rule, atom), "it has to hold here"),)
            sheet.report.add("never-holds", message, place, related=related)
    _twice(sheet)


def _twice(sheet: Sheet) -> None:
    """Report clauses all of whose cases stand in others, maybe with variables of other names: those
    of an `or` may overlap."""
    where: dict[object, dict[int, Rule]] = {}
    cases: dict[int, list[object]] = {}
    for rule in sheet.rules:
        key = _named_alike(rule)
        where.setdefault(key, {}).setdefault(rule.span.start, rule)
        cases.setdefault(rule.span.start, []).append(key)
    # Of those that stand for each other the last is left out.
    for start, keys in sorted(cases.items(), reverse=True):
        rule = where[keys[0]][start]
        if any(len(where[key]) == 1 for key in keys) or rule.head.name == "role":
            continue
        other = next(where[keys[0]][s] for s in sorted(where[keys[0]]) if s != start)
        first = " first" if other.span.start < start else ""
        related = ((other.span, f"it stands here{first}"),)
        message = f"this {'fact' if rule.is_fact else 'rule'} stands twice"
        fix = sheet.dropped(rule.span)
        sheet.report.add(
            "duplicate", message, rule.span, related=related, fix=fix, cause=str(start)
        )
        for key in keys:
            where[key].pop(start, None)


def _named_alike(rule: Rule) -> object:
    """A rule with variables numbered as they come: in the head, then in the atoms of the body by
    what these are without them. The same for no two rules that differ in more than names: nothing
    in a sheet is named as these numbers are."""

    def bare(term: Term) -> str:
        return str(term.substitute(dict.fromkeys(term.variables(), Term("a variable"))))

    numbers: dict[str, Term] = {}
    pairs = [term for pairs in rule.distinct for pair in pairs for term in pair]
    for atom in (rule.head, *sorted((*rule.positive, *rule.negative), key=bare), *pairs):
        todo = [atom]
        while todo:
            term = todo.pop(0)
            todo[:0] = term.args
            if term.is_variable:
                numbers.setdefault(term.name, Term(f"variable {len(numbers)}"))

    def named(term: Term) -> Term:
        return term.substitute(numbers)

    positive, negative = (frozenset(map(named, own)) for own in (rule.positive, rule.negative))
    distinct = frozenset(tuple((named(a), named(b)) for a, b in own) for own in rule.distinct)
    return named(rule.head), positive, negative, distinct


def variables(sheet: Sheet) -> None:
    """Report variables that occur once in a clause, and those that look like another one there."""
    for rule in {rule.span.start: rule for rule in sheet.rules}.values():
        places: dict[str, Span] = {}
        counts: Counter[str] = Counter()
        for term, span, _ in sheet.occurrences(rule):
            if term.is_variable:
                counts[term.name] += 1
                places.setdefault(term.name, span)
        once = [name for name, count in counts.items() if count == 1]
        taken: set[str] = set()
        for name in once:
            if name.startswith("?any-"):
                continue
            others = [other for other in counts if other != name and other not in taken]
            like = _like(name, others) if len(others) < MOST else None
            if like and not _is_unsafe(rule, name):
                taken.add(name)
                message = f"variable {name} occurs once in this rule; did you mean {like}?"
                fix = sheet.fix(f"write {like}", (places[name], like))
                sheet.report.add("misspelt-variable", message, places[name], fix=fix)
            elif not _is_unsafe(rule, name):
                message = f"variable {name} occurs once in this rule"
                sheet.report.add("single-variable", message, places[name])


def _is_unsafe(rule: Rule, name: str) -> bool:
    """Whether nothing binds the variable, which is reported anyway."""
    return all(name not in atom.variables() for atom in rule.positive)


def _like(name: str, others: list[str]) -> str | None:
    """Another variable that differs in a letter or two within a longer name."""
    if len(name) < SHORTEST:
        return None
    for other in others:
        if name[1:] in other or other[1:] in name:
            continue
        if len(other) < SHORTEST or _stem(name) == _stem(other):
            continue
        if _differ_at_an_end(name, other):
            continue
        if SequenceMatcher(None, name.lower(), other.lower()).ratio() >= LIKENESS:
            return other
    return None


def _differ_at_an_end(name: str, other: str) -> bool:
    """Whether two names are the same but for their first or last letter: `?fromx` and `?fromy` are
    two, `?player` and `?plaver` are one."""
    return name[1:-1] == other[1:-1] or name[2:] == other[2:]


def _stem(name: str) -> str:
    return name.rstrip("0123456789'_")
