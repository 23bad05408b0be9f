"""What is wrong with a state, as literals of a circuit of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from ggp.analysis.outcomes import goals_of_form
from ggp.circuits.circuit import Builder
from ggp.circuits.lowering import Lowering
from ggp.ground import Net


@dataclass(frozen=True)
class CircuitView:
    """What holds in a state: literals of the circuit; for each role its moves, and its goal values
    with their literals."""

    builder: Builder
    terminal: int
    legal: list[list[int]]
    goals: list[list[tuple[int, int]]]

    @staticmethod
    def of(net: Net, builder: Builder, fluents: Sequence[int]) -> CircuitView:
        """The rules of the state in which the fluents are these literals."""
        asked = [net.terminal, *net.legal, *(x for known in net.goals for _, x in known)]
        terminal, *rest = Lowering(net, builder, fluents).literals(asked)
        bounds = zip(net.move_offset, net.moves, strict=True)
        legal = [rest[offset : offset + len(moves)] for offset, moves in bounds]
        goals = iter(rest[len(net.legal) :])
        listed = [[(value, next(goals)) for value, _ in known] for known in net.goals]
        return CircuitView(builder, terminal, legal, listed)

    @property
    def able(self) -> list[int]:
        """For each role that it has a legal move."""
        return [self.builder.disj_all(own) for own in self.legal]

    def choices(self, chance: int | None) -> list[int]:
        """For each role but chance that it has more than one legal move."""
        own = (moves for role, moves in enumerate(self.legal) if role != chance)
        return [self.builder.at_least_two(moves) for moves in own]


def faults(view: CircuitView, roles: Iterable[int]) -> list[int]:
    """Literals each of which is a fault: a role without a move, or one of `roles` without just one
    goal at the end."""
    builder = view.builder
    found = [builder.conj(view.terminal ^ 1, x ^ 1) for x in view.able]
    for role in roles:
        literals = [x for _, x in view.goals[role]]
        wrong = [builder.disj_all(literals) ^ 1]
        wrong += [builder.conj(a, b) for a, b in combinations(literals, 2)]
        found += [builder.conj(view.terminal, x) for x in wrong]
    return found


def form_faults(
    view: CircuitView, turns: Sequence[int], goals: Sequence[tuple[int, ...]], *, loses: bool
) -> list[int]:
    """Literals each of which is a state that does not fit normal play, where who cannot move
    `loses`, or misère play. `turns`: for each of two roles that it is to move; `goals`: its goal
    values of the rules, ascending."""
    builder = view.builder
    found = [builder.conj(view.terminal ^ 1, x ^ 1) for x in view.able]
    for role, (turn, able) in enumerate(zip(turns, view.able, strict=True)):
        over = builder.conj(turn, view.terminal)
        found.append(builder.conj(over, able))
        wanted = goals_of_form(goals, role, loses=loses)
        if wanted is None:
            found.append(over)
            continue
        for other, known in enumerate(view.goals):
            found += [builder.conj(over, x ^ (value == wanted[other])) for value, x in known]
            if wanted[other] not in [value for value, _ in known]:
                found.append(over)
    return found
