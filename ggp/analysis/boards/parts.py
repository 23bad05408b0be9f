"""Parts of the board, one value beside the other, and how moves lead from value to value.

A part is a group of fluents, or a fluent by itself. Its values are simulated side by side, one in
each bit of a word, while every other fluent may be either (ternary simulation: Bryant, IEEE TCAD
1987): what comes out is right for every board, whatever it costs in precision. A group of which
each move leaves one fluent is proved so, part by part, with no solver. Parts whose values never
come round again prove that play ends.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf

from ggp.analysis.boards.boards import Circuits, Option
from ggp.bits import bits_of
from ggp.errors import LimitReached
from ggp.graphs import strongly_connected_components
from ggp.ground import Group
from ggp.limits import look
from ggp.work import GATES, count_work, work_done

WIDE = 1000
"""Values of a part that cost as much again as one operation on them."""


@dataclass(frozen=True)
class BoardPart:
    """Fluents of which at most one holds; with `exact` just one. Values are places in `fluents`;
    where none holds, the value is their number."""

    fluents: tuple[int, ...]
    exact: bool

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.fluents) + (not self.exact)


@dataclass(frozen=True)
class PartStep:
    """What one move does to one part.

    `option`: the side and the place of the move there. `legal`: the values (as bits) with which it
    may be legal, `always` those with which it is, whatever the rest of the board. `kept`: the
    values that it may leave; `pairs`: other values (as bits), each with one that they may become.
    `is_one`: at most one fluent holds afterwards (just one, if the part is exact).
    """

    option: tuple[int, int]
    legal: int
    always: int
    kept: int
    pairs: tuple[tuple[int, int], ...]
    is_one: bool


class PartSimulation:
    """Simulates the circuits of `boards`; `check` is called now and then, and may raise."""

    def __init__(self, boards: Circuits, work: float = inf) -> None:
        self.boards = boards
        self._work, self._until = work, work_done() + work
        self.options: list[tuple[tuple[int, int], Option]] = [
            ((role, i), option)
            for role, side in enumerate(boards.sides)
            for i, option in enumerate(side.options)
        ]
        self._owners: dict[int, list[int]] = {}
        self._framed: dict[int, list[int]] = {}
        self._frames = {}
        wanted = set()
        for place, (_, option) in enumerate(self.options):
            wanted.add(option.rule)
            wanted.update(option.own.values())
            for f in option.own:
                self._owners.setdefault(f, []).append(place)
            self._framed.setdefault(option.frame.name, []).append(place)
            self._frames[option.frame.name] = option.frame
        for frame in self._frames.values():
            wanted.update(frame.changes.values())
        # That play goes on hangs on everything, and all legal moves on that: it is looked at once,
        # not again for every move.
        wanted.update(side.terminal for side in boards.sides)
        self._frames_of: dict[int, list[int]] = {}
        for frame in self._frames.values():
            for f in frame.changes:
                self._frames_of.setdefault(f, []).append(frame.name)
        self._readers = _readers(boards, wanted)

    def steps(self, part: BoardPart) -> list[PartStep]:
        """What moves do to a part: a step for each move that may change it."""
        look("parts of the board")
        if work_done() > self._until:
            raise LimitReached("work", self._work, "parts of the board")
        values = self._simulate(part)
        place_of = {f: n for n, f in enumerate(part.fluents)}
        frames = {name for f in part.fluents for name in self._frames_of.get(f, ())}
        common = {
            name: {
                n: self._value(values, part, self._frames[name].changes[f])
                for f, n in place_of.items()
                if f in self._frames[name].changes
            }
            for name in frames
        }
        # Of a large frame most fluents go: only those that may hold afterwards matter below.
        holding = {name: {n: v for n, v in own.items() if v[0]} for name, own in common.items()}
        own_of: dict[int, list[int]] = {}
        for f in part.fluents:
            for place in self._owners.get(f, ()):
                own_of.setdefault(place, []).append(f)
        touching = dict.fromkeys(own_of)
        for name in frames:
            touching.update(dict.fromkeys(self._framed[name]))
        masks = {name: sum(1 << n for n in own) for name, own in common.items()}
        steps = []
        for place in touching:
            key, option = self.options[place]
            can, cannot = self._value(values, part, option.rule)
            if option.legal != option.rule:
                over, going = self._value(values, part, self.boards.sides[key[0]].terminal)
                can, cannot = can & going, cannot | over
            name = option.frame.name
            after = dict(holding.get(name, {}))
            changed = masks.get(name, 0)
            for f in own_of.get(place, ()):
                n, literal = place_of[f], option.own[f]
                if literal == self.boards.inputs[f]:
                    # It stays, where the frame would have it change.
                    changed &= ~(1 << n)
                    after.pop(n, None)
                    continue
                changed |= 1 << n
                after[n] = self._value(values, part, literal)
            if not changed:
                continue
            steps.append(_step(part, key, can, can & ~cannot, changed, after))
        count_work(GATES * len(touching))
        return steps

    def may_change(self, fluent: int) -> bool:
        """Whether some move may change a fluent."""
        return fluent in self._owners or fluent in self._frames_of

    def _simulate(self, part: BoardPart) -> dict[int, tuple[int, int]]:
        """For each node that the part decides at least in part: values with which it can be true,
        and with which it can be false."""
        first, second = self.boards.builder.first, self.boards.builder.second
        full = (1 << part.size) - 1
        known: dict[int, tuple[int, int]] = {0: (0, full)}
        todo = []
        for n, f in enumerate(part.fluents):
            node = self.boards.inputs[f] >> 1
            known[node] = (1 << n, full ^ 1 << n)
            todo.append(node)
        readers = self._readers
        reached: set[int] = set()
        while todo:
            above = [r for r in readers.get(todo.pop(), ()) if r not in reached]
            reached.update(above)
            todo += above
        unknown = (full, full)
        for node in sorted(reached):
            a, b = first[node], second[node]
            p, not_p = known.get(a >> 1, unknown)
            q, not_q = known.get(b >> 1, unknown)
            if a & 1:
                p, not_p = not_p, p
            if b & 1:
                q, not_q = not_q, q
            if a < b:
                value = p & q, not_p | not_q
            else:
                value = (p & not_q) | (not_p & q), (p & q) | (not_p & not_q)
            if value != unknown:
                known[node] = value
        count_work(GATES * len(reached) * (1 + part.size / WIDE))
        return known

    @staticmethod
    def _value(known: dict[int, tuple[int, int]], part: BoardPart, literal: int) -> tuple[int, int]:
        full = (1 << part.size) - 1
        can, cannot = known.get(literal >> 1, (full, full))
        return (cannot, can) if literal & 1 else (can, cannot)


def _step(
    part: BoardPart,
    key: tuple[int, int],
    legal: int,
    always: int,
    changed: int,
    after: Mapping[int, tuple[int, int]],
) -> PartStep:
    """`changed`: the fluents (by place, as bits) that change. `after`: for each of those that can
    hold afterwards the values with which it can, and with which it can fail to."""
    kept = legal & ((1 << len(part.fluents)) - 1) & ~changed
    pairs = []
    seen, twice, missing = kept, 0, legal & ~kept
    for n, (can, cannot) in after.items():
        can &= legal
        if can:
            pairs.append((can, n))
            twice |= seen & can
            seen |= can
            missing &= cannot
    is_one = not twice
    if missing and part.exact:
        is_one = False
    elif missing:
        pairs.append((missing, len(part.fluents)))
    return PartStep(key, legal, always, kept, tuple(pairs), is_one)


def _readers(boards: Circuits, wanted: Iterable[int]) -> dict[int, list[int]]:
    """For each node the gates that read it, of those that `wanted` depend on."""
    first, second = boards.builder.first, boards.builder.second
    readers: dict[int, list[int]] = {}
    todo = list({x >> 1 for x in wanted})
    found = set(todo)
    while todo:
        node = todo.pop()
        if first[node] == second[node]:
            continue
        for below in (first[node] >> 1, second[node] >> 1):
            readers.setdefault(below, []).append(node)
            if below not in found:
                found.add(below)
                todo.append(below)
    return readers


Split = Mapping[BoardPart, Sequence[PartStep]]
"""Disjoint parts, each with what moves do to it."""


def split(parts: PartSimulation, candidates: Iterable[Group]) -> dict[BoardPart, list[PartStep]]:
    """Disjoint candidates that every move keeps, on every board; with what moves do to them.

    Of candidates that share fluents the larger is tried first.
    """
    proved: dict[BoardPart, list[PartStep]] = {}
    taken: set[int] = set()
    for group in sorted(candidates, key=lambda g: (not g.exact, -len(g.fluents), g.fluents)):
        if taken.isdisjoint(group.fluents):
            part = BoardPart(group.fluents, group.exact)
            steps = parts.steps(part)
            if all(step.is_one for step in steps):
                proved[part] = steps
                taken.update(part.fluents)
    return proved


def falling(parts: PartSimulation, known: Split, roles: Collection[int]) -> dict[int, int] | None:
    """Weights of fluents whose sum no move raises, and every move of `roles` lowers.

    Each part for itself ranks its values; None where some move lowers none of the ranks. Fluents
    in no part of `known` are parts by themselves.
    """
    left = {key for key, _ in parts.options if key[0] in roles}
    weights: dict[int, int] = {}
    for part, steps in _all(parts, known):
        rank = ranks(part, steps)
        least = 0 if part.exact else rank[-1]
        weights.update({f: n - least for f, n in zip(part.fluents, rank, strict=False)})
        lower = _lower_sets(rank)
        for step in steps:
            if not step.kept and not any(values & ~lower[n] for values, n in step.pairs):
                left.discard(step.option)
    return None if left else {f: weight for f, weight in weights.items() if weight}


def always_change(parts: PartSimulation, known: Split) -> bool:
    """Whether every move changes the board, whatever it is: some part for certain."""
    left = {key for key, _ in parts.options}
    for _, steps in _all(parts, known):
        for step in steps:
            if not step.kept and not any(values >> n & 1 for values, n in step.pairs):
                left.discard(step.option)
    return not left


def _all(parts: PartSimulation, known: Split) -> Iterator[tuple[BoardPart, Sequence[PartStep]]]:
    """The parts of `known`, and each fluent in none of them as a part by itself."""
    yield from known.items()
    inside = {f for part in known for f in part.fluents}
    for f in parts.boards.inputs:
        if f not in inside:
            part = BoardPart((f,), exact=False)
            yield part, parts.steps(part)


def _lower_sets(rank: Sequence[int]) -> list[int]:
    """For each value those (as bits) of higher rank."""
    found = [0] * len(rank)
    above = 0
    for _, members in groupby(sorted(range(len(rank)), key=lambda n: -rank[n]), lambda n: rank[n]):
        level = list(members)
        for n in level:
            found[n] = above
        above |= sum(1 << n for n in level)
    return found


def ranks(part: BoardPart, steps: Iterable[PartStep]) -> list[int]:
    """A number for each value of a part that no move raises.

    Values that lead to each other have the same number, others fall: the longest way down in the
    graph of strongly connected components.
    """
    into: dict[int, int] = {}
    for step in steps:
        for values, n in step.pairs:
            into[n] = into.get(n, 0) | values
    after: dict[int, list[int]] = {}
    for n, values in into.items():
        for before in bits_of(values & ~(1 << n)):
            after.setdefault(before, []).append(n)
    rank = [0] * part.size
    component: dict[int, int] = {}
    for number, members in enumerate(strongly_connected_components(range(part.size), after)):
        component.update(dict.fromkeys(members, number))
        below = [rank[m] + 1 for n in members for m in after.get(n, ()) if component[m] != number]
        for n in members:
            rank[n] = max(below, default=0)
    return rank
