"""Small random games as KIF text, the same for the same seed, and other names for their symbols.

Every sheet is valid and playable: a role that waits has one move, the other has one or more until
play is over, and every end gives each role exactly one goal. Apart from that nothing is promised:
play may go round in circles, turns may be kept, choices may be made at the same time.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Sequence
from itertools import pairwise

from tests.oracle.gdl import KEYWORDS, Oracle, goal_value, is_variable, signature

ROLES = (
    ("left", "right"), ("white", "black"), ("north", "south"), ("odd", "even"), ("ann", "bob"),
)  # fmt: skip
WORDS = {
    "marker": ("control", "turn", "to-move", "active", "whose"),
    "wait": ("noop", "wait", "idle", "nothing"),
    "option": ("option", "can", "able"),
    "open": ("open", "alive", "going"),
    "chain": ("succ", "plus1", "follows", "before"),
    "heap": ("heap", "pile", "stack", "row"),
    "move": ("move", "reduce", "play", "set"),
    "touched": ("touched", "changed", "hit"),
    "cell": ("cell", "square", "field"),
    "beside": ("beside", "next-to", "adj"),
    "again": ("again", "keeps", "bonus"),
    "step": ("step", "clock", "count"),
    "tick": ("tick", "later", "then"),
    "at": ("at", "token", "position"),
    "arrow": ("arrow", "edge", "road"),
}


class Sheet:
    """Collects rules; knows the roles, the marker and the names in use."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.used: set[str] = set()
        self.roles = list(rng.choice(ROLES))
        rng.shuffle(self.roles)
        self.used.update(self.roles)
        self.inline = rng.random() < 0.5  # whether options are written as legal moves at once
        self.option_name, self.open = self.name("option"), self.name("open")
        self.again: list[str] = []  # moves that keep the turn
        self.passing = ""  # who may pass: "stuck" roles, or "always"; "endless": play goes on then
        self.numbers = rng.random() < 0.7
        style = rng.choice(("role",) * 6 + ("side", "bare"))
        marker = self.name("marker")
        if style == "role":
            self.marks = {role: f"({marker} {role})" for role in self.roles}
            self.marks["?p"], self.marks["?q"] = f"({marker} ?p)", f"({marker} ?q)"
        else:
            names = [self.name(side) for side in ("first", "second")]
            marks = [f"({marker} {name})" if style == "side" else name for name in names]
            self.marks = dict(zip(self.roles, marks, strict=True))
            self.mover = self.name("mover")

    def name(self, word: str) -> str:
        """Return a new name for something."""
        name = self.rng.choice(WORDS.get(word, (word,)))
        number = 2
        while name in self.used:
            name, number = f"{name.rstrip(string.digits)}{number}", number + 1
        self.used.add(name)
        return name

    def sizes(self, last: int, word: str) -> list[str]:
        """Return names for the numbers from 0: digits, or words."""
        if self.numbers:
            return [str(n) for n in range(last + 1)]
        return [self.name(f"{word}{string.ascii_lowercase[n]}") for n in range(last + 1)]

    def rule(self, head: str, *body: str) -> None:
        """Add a rule, or a fact."""
        if body:
            parts = list(body)
            self.rng.shuffle(parts)
            self.lines.append(f"(<= {head} {' '.join(parts)})")
        else:
            self.lines.append(head)

    def chain(self, names: Sequence[str], word: str) -> Callable[[str, str], str]:
        """Add the facts of a chain, arguments in either order; return its atom for (low, high)."""
        relation, upward = self.name(word), self.rng.random() < 0.6

        def atom(low: str, high: str) -> str:
            return f"({relation} {low} {high})" if upward else f"({relation} {high} {low})"

        for low, high in pairwise(names):
            self.rule(atom(low, high))
        return atom

    def marked(self, role: str) -> str:
        """Return the literal that says that a role, or the variable ?p or ?q, is to move."""
        return f"(true {self.marks[role]})" if role in self.marks else f"({self.mover} {role})"

    def option(self, role: str, move: str, *body: str) -> None:
        """Add a move that a role (or ?p) has where the body holds."""
        if self.inline:
            self.rule(f"(legal {role} {move})", self.marked(role), *body)
        else:
            extra = ("(role ?p)",) if role == "?p" and "?p" not in " ".join(body) else ()
            self.rule(f"({self.option_name} {role} {move})", *body, *extra)

    def alternate(self) -> None:
        """Add the marker, what is legal, and whether the role to move can."""
        first, second = self.roles
        starter = first if self.rng.random() < 0.8 else second
        self.rule(f"(init {self.marks[starter]})")
        if "?p" not in self.marks:
            for role in self.roles:
                self.rule(f"({self.mover} {role})", f"(true {self.marks[role]})")
        again = self.name("again") if self.again else ""
        for move in self.again:
            self.rule(again, f"(does ?p {move})")
        for role, other in ((first, second), (second, first)):
            mine, other_mark = f"(true {self.marks[role]})", self.marks[other]
            if again:
                self.rule(f"(next {other_mark})", mine, f"(not {again})")
                self.rule(f"(next {self.marks[role]})", mine, again)
            else:
                self.rule(f"(next {other_mark})", mine)
        wait = self.name("wait")
        if self.rng.random() < 0.5:
            self.rule(f"(legal ?p {wait})", "(role ?p)", self.marked("?q"), "(distinct ?p ?q)")
        else:
            for role, other in ((first, second), (second, first)):
                self.rule(f"(legal {role} {wait})", f"(true {self.marks[other]})")
        if self.passing:
            able, skip = self.name("has-moves"), self.name("pass")
            self.rule(f"({able} ?p)", f"({self.option_name} ?p ?m)")
            self.rule("(legal ?p ?m)", self.marked("?p"), f"({self.option_name} ?p ?m)")
            only = () if self.passing == "always" else (f"(not ({able} ?p))",)
            self.rule(f"(legal ?p {skip})", "(role ?p)", self.marked("?p"), *only)
            going = "(role ?p)" if self.passing == "endless" else f"({able} ?p)"
            self.rule(self.open, going)
        elif self.inline:
            self.rule(self.open, self.marked("?p"), "(legal ?p ?m)")
        else:
            self.rule("(legal ?p ?m)", self.marked("?p"), f"({self.option_name} ?p ?m)")
            self.rule(self.open, self.marked("?p"), f"({self.option_name} ?p ?m)")

    def won(self, winner_moves: bool, *when: str) -> None:
        """Add the goals of a game that the role to move, or the other, has won."""
        high, low = self.rng.choice((("100", "0"),) * 5 + (("75", "25"),))
        mine, theirs = (high, low) if winner_moves else (low, high)
        self.rule(f"(goal ?p {mine})", self.marked("?p"), *when)
        self.rule(f"(goal ?p {theirs})", "(role ?p)", self.marked("?q"), "(distinct ?p ?q)", *when)

    def end(self, *early: str) -> None:
        """End play where the role to move cannot, or at a draw where one of the literals holds."""
        self.rule("terminal", f"(not {self.open})")
        misere = self.rng.random() < 0.4
        if not early:
            self.won(misere)
            return
        self.won(misere, f"(not {self.open})")
        for literal in early:
            self.rule("terminal", literal)
        self.rule("(goal ?p 50)", "(role ?p)", self.open)

    def counter(self, limit: int) -> str:
        """Add a step counter; return the literal that holds at its end."""
        step = self.name("step")
        names = [str(n) for n in range(limit + 1)] if self.numbers else self.sizes(limit, step)
        atom = self.chain(names, "tick")
        self.rule(f"(init ({step} {names[0]}))")
        self.rule(f"(next ({step} ?y))", f"(true ({step} ?x))", atom("?x", "?y"))
        return f"(true ({step} {names[-1]}))"

    def text(self) -> str:
        """Return the sheet, its rules in any order."""
        self.rng.shuffle(self.lines)
        return "\n".join([*(f"(role {role})" for role in self.roles), *self.lines, ""])


# --------------------------------------------------------------------------------------------------
# Kinds of games
# --------------------------------------------------------------------------------------------------


def subtraction_set(rng: random.Random) -> list[int]:
    """Return a few numbers that may be taken at once."""
    return sorted(rng.sample(range(1, 5), rng.randint(1, 3)))


def heaps(sheet: Sheet, counted: bool, extra: bool) -> None:
    """Heaps on a chain: a move takes a number out of a set from one heap."""
    rng = sheet.rng
    count = rng.choice((1, 1, 2, 2, 3))
    sizes = [rng.randint(1, {1: 12, 2: 7, 3: 5}[count]) for _ in range(count)]
    floor = rng.choice((0, 0, 0, 1, 2))
    same_heaps, same_players = rng.random() < 0.6, rng.random() < 0.7
    shared = subtraction_set(rng)
    sets: dict[tuple[str, int], list[int]] = {}
    for number in range(count):
        for role in sheet.roles:
            if same_players and role != sheet.roles[0]:
                sets[role, number] = sets[sheet.roles[0], number]
            elif same_heaps and number:
                sets[role, number] = sets[role, 0]
            elif same_heaps and same_players:
                sets[role, number] = shared
            else:
                sets[role, number] = subtraction_set(rng)
    biggest = max([*sizes, *(k for taken in sets.values() for k in taken)])
    numbers = sheet.sizes(biggest + rng.choice((0, 0, 1)), "n")
    atom = sheet.chain(numbers, "chain")

    heap_name, move, touched = sheet.name("heap"), sheet.name("move"), sheet.name("touched")
    shape = rng.choice(("heap-size", "size-heap", "own"))
    take = rng.random() < 0.4
    ids = [sheet.name(f"h{string.ascii_lowercase[n]}") for n in range(count)]

    def fluent(heap: str, size: str) -> str:
        if shape == "own":
            return f"({heap_name}-{heap} {size})"
        return (
            f"({heap_name} {heap} {size})"
            if shape == "heap-size"
            else (f"({heap_name} {size} {heap})")
        )

    def path(k: int) -> list[str]:
        """The literals that say that ?n is ?m less k."""
        names = ["?n", *(f"?v{n}" for n in range(1, k)), "?m"]
        return [atom(low, high) for low, high in pairwise(names)]

    less = sheet.name("less") if take or rng.random() < 0.3 else ""
    if less:
        for k in sorted({k for taken in sets.values() for k in taken}):
            sheet.rule(f"({less} ?m {numbers[k]} ?n)", *path(k))
    sparse = [f"(distinct ?n {number})" for number in numbers[:floor]]

    generic = shape != "own" and same_heaps and rng.random() < 0.7
    for heap in ["?h"] if generic else ids:
        index = 0 if generic else ids.index(heap)
        for role in ["?p"] if same_players and rng.random() < 0.8 else sheet.roles:
            for k in sets[sheet.roles[0] if role == "?p" else role, index]:
                body = [f"({less} ?m {numbers[k]} ?n)"] if less else path(k)
                name = f"({move} {heap} {numbers[k] if take else '?n'})"
                sheet.option(role, name, f"(true {fluent(heap, '?m')})", *body, *sparse)
    for heap, size in zip(ids, sizes, strict=True):
        sheet.rule(f"(init {fluent(heap, numbers[size])})")
    for heap in ids if shape == "own" else ["?h"]:
        done = f"(does ?p ({move} {heap} {'?k' if take else '?n'}))"
        old = f"(true {fluent(heap, '?m')})"
        if take:
            sheet.rule(f"(next {fluent(heap, '?n')})", done, old, f"({less} ?m ?k ?n)")
        else:
            sheet.rule(f"(next {fluent(heap, '?n')})", done)
        if shape != "own" and rng.random() < 0.5:
            other = f"(does ?p ({move} ?g ?x))"
            sheet.rule(f"(next {fluent('?h', '?m')})", old, other, "(distinct ?g ?h)")
        else:
            sheet.rule(f"({touched} {heap})", f"(does ?p ({move} {heap} ?x))")
            sheet.rule(f"(next {fluent(heap, '?m')})", old, f"(not ({touched} {heap}))")
    if extra:
        sheet.again.append(
            f"({move} {rng.choice(ids)} ?x)"
            if rng.random() < 0.5
            else f"({move} ?h {rng.choice(numbers[1:])})"
        )
    sheet.alternate()
    early = [sheet.counter(rng.randint(2, 6))] if counted else []
    if rng.random() < 0.15:
        early.append(f"(true {fluent(rng.choice(ids), numbers[floor])})")
    sheet.end(*early)


Rewrite = tuple[tuple[str, ...], tuple[str, ...]]


def patterns(rng: random.Random, mine: str, theirs: str, empty: str) -> list[Rewrite]:
    """Return what a player may rewrite on the row, read from left to right."""
    kind = rng.choice(("toads", "clobber", "kayles", "domineering", "fill", "random", "random"))
    if kind == "toads":
        return [((mine, empty), (empty, mine)), ((mine, theirs, empty), (empty, theirs, mine))]
    if kind == "clobber":
        return [((mine, theirs), (empty, mine)), ((theirs, mine), (mine, empty))]
    if kind == "kayles":
        return [((mine,), (empty,)), ((mine, mine), (empty, empty))]
    if kind == "domineering":
        return [((empty, empty), (mine, mine))]
    if kind == "fill":
        return [((empty,), (mine,)), ((mine, theirs), (mine, mine))][: rng.randint(1, 2)]
    found: list[Rewrite] = []
    while len(found) < rng.randint(1, 3):
        length = rng.choice((1, 2, 2, 3))
        old, new = (tuple(rng.choices((mine, theirs, empty), k=length)) for _ in range(2))
        if old != new:
            found.append((old, new))
    return found


def rows(sheet: Sheet, counted: bool, extra: bool) -> None:
    """Colours on a row: a move rewrites a pattern, as in Toads and Frogs, Clobber or Kayles."""
    rng = sheet.rng
    length = rng.randint(3, 4 if counted else 6)
    mine, theirs, empty = (sheet.name(name) for name in ("stone", "coin", "blank"))
    cell, touched = sheet.name("cell"), sheet.name("touched")
    places = [str(n) for n in range(1, length + 1)]
    beside = sheet.chain(places, "beside")
    if rng.random() < 0.15:
        sheet.rule(beside(places[-1], places[0]))
    for place in places:
        sheet.rule(f"(init ({cell} {place} {rng.choice((mine, theirs, empty))}))")

    first = patterns(rng, mine, theirs, empty)
    style = rng.choice(("same", "mirror", "swap", "mirror swap", "other"))
    second = patterns(rng, theirs, mine, empty) if style == "other" else first
    if "swap" in style:
        swap = {mine: theirs, theirs: mine, empty: empty}
        second = [
            (tuple(map(swap.__getitem__, a)), tuple(map(swap.__getitem__, b))) for a, b in second
        ]
    if "mirror" in style:
        second = [(a[::-1], b[::-1]) for a, b in second]

    written: dict[Rewrite, str] = {}
    moves: list[str] = []
    for role, rewrites in zip(sheet.roles, (first, second), strict=True):
        if second == first and role != sheet.roles[0]:
            continue
        for old, new in dict.fromkeys(rewrites):
            variables = ["?x", "?y", "?z"][: len(old)]
            links = [beside(a, b) for a, b in pairwise(variables)]
            known = (old, new) in written and rng.random() < 0.7
            name = written[old, new] if known else sheet.name("shift")
            body = [f"(true ({cell} {v} {c}))" for v, c in zip(variables, old, strict=True)]
            sheet.option("?p" if second == first else role, f"({name} ?x)", *links, *body)
            if known:
                continue
            written[old, new] = name
            moves.append(name)
            for variable, colour in zip(variables, new, strict=True):
                up_to = links[: variables.index(variable)]
                sheet.rule(f"(next ({cell} {variable} {colour}))", f"(does ?p ({name} ?x))", *up_to)
                sheet.rule(f"({touched} {variable})", f"(does ?p ({name} ?x))", *up_to)
    sheet.rule(f"(next ({cell} ?x ?c))", f"(true ({cell} ?x ?c))", f"(not ({touched} ?x))")
    if extra:
        sheet.again.append(f"({rng.choice(moves)} ?x)")
    sheet.alternate()
    sheet.end(*([sheet.counter(rng.randint(2, 6))] if counted else []))


def graphs(sheet: Sheet, counted: bool, extra: bool) -> None:
    """Tokens on small directed graphs, with arrows for both players or for one."""
    rng = sheet.rng
    at, go, arrow = sheet.name("at"), sheet.name("go"), sheet.name("arrow")
    count, cyclic, shared = rng.choice((1, 1, 2)), rng.random() < 0.5, rng.random() < 0.4
    size = rng.randint(3, 8 if count == 1 else 5)
    tokens = [sheet.name(f"t{string.ascii_lowercase[n]}") for n in range(count)]
    nodes = [sheet.name(f"v{n}") for n in range(size)]
    owner = "" if shared else " ?p"
    for token in tokens:
        sheet.rule(f"(init ({at} {token} {nodes[0]}))")
        for role in [""] if shared else [f" {role}" for role in sheet.roles]:
            pairs = [
                (a, b) for a in range(size) for b in range(size) if a < b or (cyclic and a > b)
            ]
            edges = {(0, rng.randint(1, size - 1))}
            edges.update(rng.sample(pairs, min(len(pairs), rng.randint(1, size + 1))))
            for a, b in sorted(edges):
                sheet.rule(f"({arrow} {token}{role} {nodes[a]} {nodes[b]})")
    sheet.option("?p", f"({go} ?t ?y)", f"(true ({at} ?t ?x))", f"({arrow} ?t{owner} ?x ?y)")
    sheet.rule(f"(next ({at} ?t ?y))", f"(does ?p ({go} ?t ?y))")
    sheet.rule(
        f"(next ({at} ?s ?x))",
        f"(true ({at} ?s ?x))",
        f"(does ?p ({go} ?t ?y))",
        "(distinct ?s ?t)",
    )
    if extra:
        sheet.again.append(f"({go} ?t {rng.choice(nodes[1:])})")
    sheet.alternate()
    early = [sheet.counter(rng.randint(3, 8))] if counted else []
    if count == 2 or rng.random() < 0.6:
        sheet.end(*early)
        return
    # The node where play ends says what it is worth.
    worth = sheet.name("worth")
    values = rng.choice(((0, 100), (0, 50, 100), (0, 30, 50, 70, 100)))
    fixed_sum = rng.random() < 0.8
    for node in nodes:
        first = rng.choice(values)
        second = 100 - first if fixed_sum else rng.choice(values)
        if len(values) < 4 and not counted:
            for role, value in zip(sheet.roles, (first, second), strict=True):
                sheet.rule(f"(goal {role} {value})", f"(true ({at} {tokens[0]} {node}))")
        else:
            sheet.rule(f"({worth} {sheet.roles[0]} {node} {first})")
            sheet.rule(f"({worth} {sheet.roles[1]} {node} {second})")
    if len(values) >= 4 or counted:
        sheet.rule("(goal ?p ?v)", f"(true ({at} {tokens[0]} ?x))", f"({worth} ?p ?x ?v)")
    for node in rng.sample(nodes[1:], rng.randint(0, 2)):
        sheet.rule("terminal", f"(true ({at} {tokens[0]} {node}))")
    sheet.rule("terminal", f"(not {sheet.open})")
    for literal in early:
        sheet.rule("terminal", literal)


def at_once(sheet: Sheet, counted: bool, extra: bool) -> None:
    """Both roles choose at the same time; a table says where the pair of choices leads."""
    del extra
    rng = sheet.rng
    at, lead, able = sheet.name("at"), sheet.name("leads"), sheet.name("able")
    size = rng.randint(3, 6)
    nodes = [sheet.name(f"v{n}") for n in range(size)]
    actions = [sheet.name(name) for name in ("rock", "scissors", "paper")]
    cyclic = rng.random() < 0.4
    last = size - rng.randint(1, 2)  # from here on play is over
    sheet.rule(f"(init ({at} {nodes[0]}))")
    for number in range(last):
        choices = [rng.sample(actions, rng.randint(1, 3)) for _ in range(2)]
        if number == 0:
            choices = [rng.sample(actions, rng.randint(2, 3)) for _ in range(2)]
        for role, chosen in zip(sheet.roles, choices, strict=True):
            for action in chosen:
                sheet.rule(f"({able} {role} {nodes[number]} {action})")
        for a in choices[0]:
            for b in choices[1]:
                to = rng.randrange(size) if cyclic else rng.randint(number + 1, size - 1)
                sheet.rule(f"({lead} {nodes[number]} {a} {b} {nodes[to]})")
    sheet.rule("(legal ?p ?a)", f"(true ({at} ?x))", f"({able} ?p ?x ?a)")
    first, second = sheet.roles
    sheet.rule(
        f"(next ({at} ?y))", f"(true ({at} ?x))", f"(does {first} ?a)", f"(does {second} ?b)",
        f"({lead} ?x ?a ?b ?y)",
    )  # fmt: skip
    for node in nodes:
        value = rng.choice((0, 50, 100))
        sheet.rule(f"(goal {first} {value})", f"(true ({at} {node}))")
        sheet.rule(f"(goal {second} {100 - value})", f"(true ({at} {node}))")
    sheet.rule("terminal", "(or " + " ".join(f"(true ({at} {n}))" for n in nodes[last:]) + ")")
    if counted:
        sheet.rule("terminal", sheet.counter(rng.randint(2, 6)))


def passing(sheet: Sheet, counted: bool, extra: bool) -> None:
    """Another kind, in which roles pass where they can do nothing else, or whenever they like."""
    sheet.inline = False
    sheet.passing = sheet.rng.choice(("stuck",) * 4 + ("always", "endless"))
    sheet.rng.choice((heaps, rows, graphs))(sheet, counted, extra)


Kind = Callable[[Sheet, bool, bool], None]

KINDS: dict[str, tuple[int, Kind]] = {
    "heaps": (8, heaps),
    "rows": (8, rows),
    "graphs": (5, graphs),
    "at once": (2, at_once),
    "passing": (0, passing),
}
"""The kinds of games, each with its weight; of weight 0 those that are made only if named."""


def random_game(seed: int, kind: str | None = None) -> str:
    """Return a small random game for two players, of any kind or the one named."""
    rng = random.Random(f"game {seed}")
    while True:
        chosen = kind or rng.choices(list(KINDS), [weight for weight, _ in KINDS.values()])[0]
        sheet = Sheet(rng)
        KINDS[chosen][1](sheet, rng.random() < 0.15, rng.random() < 0.15)
        text = sheet.text()
        oracle = Oracle(text)
        if not oracle.terminal(oracle.initial):
            return text


# --------------------------------------------------------------------------------------------------
# Other names
# --------------------------------------------------------------------------------------------------

_SYMBOL = re.compile(r";[^\n]*|#\|.*?\|#|[^\s();]+", re.DOTALL)


def kept(text: str) -> set[str]:
    """Return the symbols that must keep their names: goal values."""
    oracle = Oracle(text)
    values: set[str] = set()
    for rule in oracle.rules:
        if signature(rule.head) == ("goal", 2):
            if is_variable(rule.head[2]):
                # Any number may become a goal value.
                return {word for word in _SYMBOL.findall(text) if word.isdecimal()}
            values.add(str(goal_value(rule.head[2])))
    return values


def scramble(text: str, seed: int) -> tuple[str, dict[str, str]]:
    """Give every symbol a new name, but for keywords, variables and goal values.

    The mapping covers all symbols that are no keywords, from their first spelling to the new name;
    those that keep their names map to themselves.
    """
    rng = random.Random(f"names {seed}")
    fixed = kept(text)
    names: dict[str, str] = {}  # by the folded spelling
    mapping: dict[str, str] = {}
    taken = {word.lower() for word in _SYMBOL.findall(text)} | KEYWORDS

    def rename(match: re.Match[str]) -> str:
        word = match.group()
        folded = word.lower()
        if word[0] in ";?" or word.startswith("#|") or folded in KEYWORDS:
            return word
        if folded not in names:
            new = word
            while word not in fixed and new.lower() in taken:
                length = rng.randint(3, 7)
                new = rng.choice(string.ascii_lowercase) + "".join(
                    rng.choices(string.ascii_lowercase + string.digits, k=length)
                )
            taken.add(new.lower())
            names[folded] = mapping[word] = new
        return names[folded]

    return _SYMBOL.sub(rename, text), mapping
