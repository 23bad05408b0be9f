"""Step counters: groups that go on by themselves with every joint move, and who reads them.

A counter is a group whose next value depends on nothing but itself, and never comes round again
before play ends. With it no state comes up twice, whatever the rest of the rules are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from ggp.analysis.boards.boards import Circuits, Frame, Option, Side
from ggp.analysis.boards.parts import BoardPart, PartSimulation, falling, split
from ggp.analysis.boards.sums import pattern
from ggp.analysis.evidence import Evidence
from ggp.analysis.finding import Finding
from ggp.bits import bits_of
from ggp.circuits.circuit import FALSE, Builder
from ggp.circuits.lowering import Lowering
from ggp.ground import Group, Net, candidates


@dataclass(frozen=True)
class Counter:
    """`fluents` count up by `weights`, which fall; `readers`: what else of the rules depends on
    them, of `board` (the next value of other fluents), `legal`, `terminal`, `goal` and `sees`."""

    pattern: str
    fluents: tuple[int, ...]
    weights: dict[int, int]
    readers: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The counter as plain data."""
        values = [0, *self.weights.values()]
        steps = max(values) - min(values)
        return {"counter": self.pattern, "steps": steps, "read_by": list(self.readers)}


def counters(net: Net) -> list[Counter]:
    """The step counters of a game that holds one of each counter's fluents at the start."""
    found, alone = [], _Autonomous(net)
    for group in candidates(net):
        inside = {net.first_fluent + i for i in group.fluents}
        if group.exact and _is_closed(net, inside):
            counter = alone.falls(group)
            if counter is not None:
                met, weights = counter
                readers = _readers(net, inside)
                name = pattern(net, group.fluents)
                found.append(Counter(name, met.fluents, weights, readers))
    return found


def _is_closed(net: Net, inside: set[int]) -> bool:
    """Whether the next values of some fluents (nodes of the net) depend on nothing but these."""
    todo = [abs(net.next[node - net.first_fluent]) for node in inside]
    seen = set(todo)
    while todo:
        node = todo.pop()
        if node < net.first_gate:
            if node > 1 and node not in inside:
                return False
            continue
        for below in {abs(x) for body in net.bodies(node) for x in body} - seen:
            seen.add(below)
            todo.append(below)
    return True


def counted(found: Iterable[Counter]) -> Finding:
    """The finding about the step counters of a game."""
    listed = [counter.as_json() for counter in found]
    texts = [f"{c['counter']} is read by {' and '.join(c['read_by']) or 'nothing'}" for c in listed]
    return Finding("step_counters", listed, "proved", Evidence("; ".join(texts)))


class _Autonomous:
    """What becomes of fluents whose next values depend on nothing else, with any joint move."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self._builder = Builder()
        self._fluents = self._builder.inputs(len(net.fluents))
        self._lowering = Lowering(net, self._builder, self._fluents)

    def parts(self, listed: tuple[int, ...]) -> PartSimulation:
        """Some of them, while play goes on."""
        net, fluents = self.net, self._fluents
        after = self._lowering.literals([net.next[i] for i in listed])
        inside = {net.first_fluent + i for i in listed}
        # An end that does not hang on the counter does not keep it from coming round.
        ends = not inside.isdisjoint(net.cone([net.terminal]))
        terminal = self._lowering.literals([net.terminal])[0] if ends else FALSE
        own = {f: x for f, x in zip(listed, after, strict=True) if x != fluents[f]}
        option = Option(0, terminal ^ 1, terminal ^ 1, Frame(0, {}), own, FALSE)
        side = Side(terminal, (), (option,), terminal ^ 1)
        return PartSimulation(
            Circuits(net, self._builder, {f: fluents[f] for f in listed}, (side,))
        )

    def falls(self, group: Group) -> tuple[Group, dict[int, int]] | None:
        """The fluents of a group that play comes to, and weights of them that fall with every joint
        move; or None."""
        parts = self.parts(group.fluents)
        met = _met(parts, group, self.net.initial)
        if met != group:
            parts = self.parts(met.fluents)
        known = split(parts, [met])
        weights = falling(parts, known, (0,)) if known else None
        return None if weights is None else (met, weights)


def _met(parts: PartSimulation, group: Group, initial: Collection[int]) -> Group:
    """The fluents of a group that play comes to from the one at the start: numbers after the last
    one of play may have no successor."""
    after: dict[int, set[int]] = {}
    for step in parts.steps(BoardPart(group.fluents, exact=False)):
        for values, n in step.pairs:
            for before in bits_of(values):
                after.setdefault(before, set()).add(n)
    todo = [n for n, f in enumerate(group.fluents) if f in initial]
    met = set(todo)
    while todo:
        new = after.get(todo.pop(), set()) - met
        met |= new
        todo += new
    return Group(tuple(f for n, f in enumerate(group.fluents) if n in met), exact=True)


def _readers(net: Net, inside: set[int]) -> tuple[str, ...]:
    own = {node - net.first_fluent for node in inside}
    literals = {
        "board": [x for i, x in enumerate(net.next) if i not in own],
        "legal": net.legal,
        "terminal": [net.terminal],
        "goal": [x for known in net.goals for _, x in known],
        "sees": [x for known in net.sees for _, x in known],
    }
    return tuple(name for name, xs in literals.items() if not inside.isdisjoint(net.cone(xs)))
