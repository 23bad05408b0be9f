"""What legal joint moves do, apart from goals, and where that is too large from the end of play.

Rules whose ends or goals are large are in reach so: moves after the end of play are more moves, and
never fewer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from ggp.analysis.boards.boards import Circuits, Frame, Option, Side
from ggp.analysis.questions.question import Question
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.circuits.lowering import Lowering
from ggp.ground import Group, Net, Turns

MAX_MOVES = 500_000
"""Literals of rules that are made circuits here."""

MAX_SETTINGS = 64
"""Of what tells whose turn it is, up to which proofs rest on that it has one of them."""


class JointMoves:
    """Legal joint moves as a circuit, on states in which `groups` hold and it is somebody's turn by
    `turns`."""

    def __init__(
        self, net: Net, groups: Iterable[Group], turns: Turns | None, *, with_ends: bool
    ) -> None:
        self.builder = Builder()
        self._fluents = self.builder.inputs(len(net.fluents))
        self._moves = self.builder.inputs(len(net.legal))
        lowering = Lowering(net, self.builder, self._fluents, self._moves, is_unrolled=True)
        ends = [net.terminal] if with_ends else []
        found = lowering.literals([*net.next, *net.legal, *ends])
        self._next, legal = found[: len(net.next)], found[len(net.next) :]
        self._net, self._groups = net, groups
        self._somebodys_turn = somebodys_turn(self.builder, net, turns, self._fluents)
        conj = self.builder.conj
        pairs = zip(self._moves, legal[: len(self._moves)], strict=True)
        made = [conj(move, is_legal ^ 1) ^ 1 for move, is_legal in pairs]
        self._legal = self.builder.conj_all([*made, *(x ^ 1 for x in legal[len(self._moves) :])])

    @cached_property
    def question(self) -> Question:
        """Questions about states and joint moves, of which each role makes just one."""
        inputs = dict(enumerate([*self._fluents, *self._moves]))
        question = Question(self.builder, inputs, [*self._groups, *choices(self._net)])
        if self._somebodys_turn != TRUE:
            question.require(self._somebodys_turn)
        return question

    @property
    def circuits(self) -> Circuits:
        """All that they can do, as the one option of one side."""
        now = dict(enumerate(self._fluents))
        own = {f: x for f, x in enumerate(self._next) if x != now[f]}
        option = Option(0, self._legal, self._legal, Frame(0, {}), own, FALSE)
        side = Side(FALSE, (), (option,), self._legal)
        return Circuits(self._net, self.builder, now, (side,))


def choices(net: Net) -> list[Group]:
    """That each role makes just one move, by places after those of the fluents."""
    count = len(net.fluents)
    return [
        Group(tuple(range(count + offset, count + offset + len(moves))), exact=True)
        for offset, moves in zip(net.move_offset, net.moves, strict=True)
    ]


def turn_of(builder: Builder, net: Net, turns: Turns, role: int, fluents: Sequence[int]) -> int:
    """A literal of the states in which it is the turn of a role."""
    own = [bits for bits, other in turns.settings if other == role]
    marks = [i for i in range(len(net.fluents)) if turns.mask >> i & 1]
    return builder.disj_all(
        builder.conj_all(fluents[i] ^ (not bits >> i & 1) for i in marks) for bits in own
    )


def somebodys_turn(builder: Builder, net: Net, turns: Turns | None, fluents: Sequence[int]) -> int:
    """A literal that what tells whose turn it is has one of its settings; in every state of play it
    has."""
    if turns is None or len(turns.settings) > MAX_SETTINGS:
        return TRUE
    roles = range(len(net.roles))
    return builder.disj_all(turn_of(builder, net, turns, role, fluents) for role in roles)


def literals_of_moves(net: Net, *, with_ends: bool) -> int:
    """The literals of the rules that say what joint moves are legal, and what they do; of those
    that rest on themselves as often as they are made."""
    wanted = [*net.next, *net.legal, *([net.terminal] if with_ends else [])]
    times = {node: stop - start for start, stop in net.recursive for node in range(start, stop)}
    gates = (node for node in net.cone(wanted) if node >= net.first_gate)
    return sum(times.get(node, 1) * len(body) for node in gates for body in net.bodies(node))
