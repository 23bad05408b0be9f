"""Random faults put into the sheets of `games/`: the share that `ggp check --deep` notices.

    python -m benchmarks.sheet_mutants [COUNT] [--seed N] [--jobs N] [--list]

Each mutant is one sheet with one fault: a literal, a rule or a frame axiom dropped, one occurrence
of a name misspelt, two arguments swapped, a parenthesis lost or doubled. It is noticed if a
diagnostic is reported that the sheet does not have without it. Mutants that change nothing are
counted apart: random plays of both sheets side by side show no difference in facts, moves, ends or
goals.
`--list` prints those that were not noticed.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import ggp
from ggp.errors import GgpError
from ggp.kif import Atom, Expr, List, Source, read_kif, read_sheet, write
from ggp.lint import check_source
from ggp.pool import spread

GAMES = Path(__file__).resolve().parent.parent / "games"
SETTINGS = {
    "clobber": {"rows": 2, "columns": 3},
    "connect-four": {"columns": 4, "rows": 3},
    "turtles": {"n": 5},
}
"""Parameters with which large games are small."""

LEFT_OUT = ("clobber-4x4", "clobber-4x4-misere", "fox-and-geese", "turtles-13")
"""Large sheets that have a small brother among the templates, or take long."""

PLAYS, PLIES = 30, 60


@dataclass(frozen=True)
class Mutant:
    """A sheet with a fault; `kind` and `what` say which."""

    sheet: str
    original: str
    kind: str
    what: str
    text: str


@dataclass(frozen=True)
class Judged:
    """A mutant: whether it changes anything, and what was newly reported."""

    mutant: Mutant
    changes: bool
    noticed: tuple[str, ...]


Path_ = tuple[int, ...]


def _lists(expr: Expr, path: Path_ = ()) -> Iterator[tuple[Path_, List]]:
    if isinstance(expr, List):
        yield path, expr
        for i, item in enumerate(expr.items):
            yield from _lists(item, (*path, i))


def _atoms(expr: Expr, path: Path_ = ()) -> Iterator[tuple[Path_, Atom]]:
    if isinstance(expr, Atom):
        yield path, expr
    else:
        for i, item in enumerate(expr.items):
            yield from _atoms(item, (*path, i))


def _replaced(expr: Expr, path: Path_, new: Expr | None) -> Expr:
    """`expr` with the part at `path` replaced, or dropped."""
    assert isinstance(expr, List)
    first, *rest = path
    items = list(expr.items)
    if rest:
        items[first] = _replaced(items[first], tuple(rest), new)
    elif new is None:
        del items[first]
    else:
        items[first] = new
    return List(tuple(items))


def _is_rule(form: Expr) -> bool:
    return isinstance(form, List) and str(form.items[0]) == "<=" and len(form.items) > 2


def drop_literal(forms: list[Expr], rng: random.Random) -> tuple[list[Expr], str] | None:
    """A rule without one of its literals."""
    at = rng.choice([i for i, form in enumerate(forms) if _is_rule(form)])
    form = forms[at]
    assert isinstance(form, List)
    place = rng.randrange(2, len(form.items))
    what = f"{form.items[place]} of {form.items[1]}"
    return [*forms[:at], _replaced(form, (place,), None), *forms[at + 1 :]], what


def drop_rule(forms: list[Expr], rng: random.Random) -> tuple[list[Expr], str] | None:
    """The sheet without one of its rules."""
    at = rng.choice([i for i, form in enumerate(forms) if _is_rule(form)])
    return [*forms[:at], *forms[at + 1 :]], str(forms[at])


def drop_frame(forms: list[Expr], rng: random.Random) -> tuple[list[Expr], str] | None:
    """The sheet without a rule that keeps a fluent as it is."""
    frames = [i for i, form in enumerate(forms) if _is_frame(form)]
    if not frames:
        return None
    at = rng.choice(frames)
    return [*forms[:at], *forms[at + 1 :]], str(forms[at])


def _is_frame(form: Expr) -> bool:
    """Whether a rule keeps a fluent as it is."""
    if not _is_rule(form):
        return False
    assert isinstance(form, List)
    head = form.items[1]
    if not (isinstance(head, List) and str(head.items[0]) == "next"):
        return False
    return any(str(item) == f"(true {head.items[1]})" for item in form.items[2:])


def misspell(forms: list[Expr], rng: random.Random) -> tuple[list[Expr], str] | None:
    """One name with a letter too many, in one place."""
    at = rng.randrange(len(forms))
    found = [(p, a) for p, a in _atoms(forms[at]) if a.text != "<=" and p]
    if not found:
        return None
    path, atom = rng.choice(found)
    name = atom.text + rng.choice("xyz")
    where = _replaced(forms[at], path, Atom(name))
    return [*forms[:at], where, *forms[at + 1 :]], f"{name} in {where}"


def swap(forms: list[Expr], rng: random.Random) -> tuple[list[Expr], str] | None:
    """Two arguments of one term changed round."""
    at = rng.randrange(len(forms))
    found = [
        (path, part)
        for path, part in _lists(forms[at])
        if len(part.items) > 2 and path and str(part.items[0]) not in ("<=", "or", "distinct")
    ] or [((), forms[at])] * (not _is_rule(forms[at]))
    found = [(p, part) for p, part in found if isinstance(part, List) and len(part.items) > 2]
    if not found:
        return None
    path, part = rng.choice(found)
    i, j = rng.sample(range(1, len(part.items)), 2)
    items = list(part.items)
    items[i], items[j] = items[j], items[i]
    new = List(tuple(items))
    where = _replaced(forms[at], path, new) if path else new
    return [*forms[:at], where, *forms[at + 1 :]], f"{new} for {part}"


KINDS: dict[str, Callable[[list[Expr], random.Random], tuple[list[Expr], str] | None]] = {
    "literal dropped": drop_literal,
    "rule dropped": drop_rule,
    "frame axiom dropped": drop_frame,
    "name misspelt": misspell,
    "arguments swapped": swap,
}


def unbalance(text: str, rng: random.Random) -> tuple[str, str]:
    """The text with one parenthesis lost or doubled."""
    at = rng.choice([i for i, c in enumerate(text) if c in "()"])
    line = text.count("\n", 0, at) + 1
    if rng.random() < 0.5:
        return text[:at] + text[at + 1 :], f"{text[at]} lost in line {line}"
    return text[:at] + text[at] + text[at:], f"{text[at]} doubled in line {line}"


def mutants(count: int, seed: int) -> Iterator[Mutant]:
    """Mutants of all kinds in turn, of sheets at random, each different from its sheet."""
    rng = random.Random(seed)
    sheets = {}
    for file in sorted(GAMES.rglob("*.kif*")):
        name = file.name.split(".")[0]
        if name not in LEFT_OUT:
            source = read_sheet(file, SETTINGS.get(name, {}))
            sheets[name] = write(read_kif(source))
    kinds = [*KINDS, "parenthesis"]
    made = 0
    while made < count:
        kind = kinds[made % len(kinds)]
        name = rng.choice(sorted(sheets))
        text = sheets[name]
        if kind == "parenthesis":
            new, what = unbalance(text, rng)
        else:
            changed = KINDS[kind](list(read_kif(Source(name, text))), rng)
            if changed is None:
                continue
            new, what = write(changed[0]), changed[1]
        if new != text:
            made += 1
            yield Mutant(name, text, kind, what, new)


def reported(text: str) -> Counter[str]:
    """What is reported of a text, without places."""
    checked = check_source(Source("<sheet>", text), deep=True)
    return Counter(d.name for d in checked.diagnostics if d.is_by_default)


def is_same(one: str, other: str, seed: int) -> bool:
    """Whether random plays of two sheets show no difference."""
    try:
        first, second = ggp.parse(one), ggp.parse(other)
        if first.roles != second.roles:
            return False
        rng = random.Random(seed)
        return all(_same_play(first, second, rng) for _ in range(PLAYS))
    except GgpError:
        return False


def _same_play(first: ggp.Game, second: ggp.Game, rng: random.Random) -> bool:
    a, b = first.initial, second.initial
    for _ in range(PLIES):
        if a.facts != b.facts or a.terminal != b.terminal:
            return False
        if a.terminal:
            return a.goals == b.goals
        legal = [a.legal(role) for role in first.roles]
        if legal != [b.legal(role) for role in second.roles]:
            return False
        joint = {role: rng.choice(own) for role, own in zip(first.roles, legal, strict=True)}
        a, b = a.play(joint), b.play(joint)
    return True


def judge(seed: int, mutant: Mutant) -> Judged:
    """What is newly reported of a mutant, and, if nothing is, whether it changes anything."""
    known = reported(mutant.original)
    new = reported(mutant.text) - known
    changes = bool(new) or not is_same(mutant.original, mutant.text, seed)
    return Judged(mutant, changes, tuple(sorted(new)))


def main() -> None:
    """Judge mutants, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--list", action="store_true", dest="listed")
    options = parser.parse_args()
    chosen = list(mutants(options.count, options.seed))
    judged: list[Judged] = []
    for number, one in spread(partial(judge, options.seed), chosen, options.jobs):
        if one is None:
            raise SystemExit(f"the process that judged mutant {number} is gone")
        judged.append(one)
    print("| fault | mutants | change nothing | noticed | share |\n|---|---|---|---|---|")
    for kind in (*KINDS, "parenthesis", "all"):
        own = [j for j in judged if kind in (j.mutant.kind, "all")]
        changing = [j for j in own if j.changes]
        seen = sum(bool(j.noticed) for j in changing)
        share = f"{100 * seen / len(changing):.0f} %" if changing else ""
        print(f"| {kind} | {len(own)} | {len(own) - len(changing)} | {seen} | {share} |")
    for one in judged if options.listed else ():
        if one.changes and not one.noticed:
            print(f"{one.mutant.sheet}: {one.mutant.kind}: {one.mutant.what}")


if __name__ == "__main__":
    main()
