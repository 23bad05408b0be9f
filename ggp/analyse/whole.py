"""Claims about every state of play of any game, whoever moves: that roles can move, and the goals.

The rules of one state are one circuit over all fluents; questions about it are asked under the
groups that legal play keeps.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product

from ggp.analyse.question import Question
from ggp.errors import LimitReached
from ggp.ground import Group, Net
from ggp.machine.circuit import FALSE, Builder
from ggp.machine.lowering import Lowering

MAX_LITERALS = 1_000_000
"""Of nets that are made circuits here."""

MAX_GOALS = 400
"""Ways to give each role one of its goals up to which each is asked about."""


class Whole:
    """The rules of one state as a circuit, with `groups` that hold in every state of legal play."""

    def __init__(self, net: Net, groups: Iterable[Group]) -> None:
        self.net = net
        self.builder = Builder()
        fluents = self.builder.inputs(len(net.fluents))
        lowering = Lowering(net, self.builder, fluents)
        self.terminal, *rest = lowering.literals(
            [net.terminal, *net.legal, *(x for known in net.goals for _, x in known)]
        )
        self.legal, goals = rest[: len(net.legal)], iter(rest[len(net.legal) :])
        self.goals = [[(value, next(goals)) for value, _ in known] for known in net.goals]
        self._question = Question(self.builder, dict(enumerate(fluents)), groups)

    def _is_impossible(self, literals: list[int], seconds: float) -> bool:
        if FALSE in literals:
            return True
        try:
            return self._question.is_impossible(literals, seconds)
        except LimitReached:
            return False

    def is_playable(self, roles: Iterable[int], seconds: float) -> bool:
        """Whether it is proved that every role can always move, and that each of `roles` has just
        one goal at every end."""
        going = self.terminal ^ 1
        for offset, moves in zip(self.net.move_offset, self.net.moves, strict=True):
            stuck = self.builder.disj_all(self.legal[offset : offset + len(moves)]) ^ 1
            if not self._is_impossible([going, stuck], seconds):
                return False
        for role in roles:
            literals = [x for _, x in self.goals[role]]
            none = self.builder.disj_all(literals) ^ 1
            faults = [none, *(self.builder.conj(a, b) for a, b in combinations(literals, 2))]
            if not all(self._is_impossible([self.terminal, x], seconds) for x in faults):
                return False
        return True

    def possible_goals(self, roles: list[int], seconds: float) -> set[tuple[int, ...]] | None:
        """Goals of `roles` that are not proved to be impossible at the end of play.

        None where there are too many to ask about each.
        """
        count = 1
        for role in roles:
            count *= len(self.goals[role])
        if count > MAX_GOALS:
            return None
        found = set()
        for given in product(*(self.goals[role] for role in roles)):
            literals = [x for _, x in given]
            if not self._is_impossible([self.terminal, *literals], seconds):
                found.add(tuple(value for value, _ in given))
        return found

    def has_one_chooser(self, seconds: float, chance: int | None) -> bool:
        """Whether it is proved that never two roles have a choice at once."""
        net, builder = self.net, self.builder
        choices = []
        for role, (offset, moves) in enumerate(zip(net.move_offset, net.moves, strict=True)):
            if role != chance:
                choices.append(_at_least_two(builder, self.legal[offset : offset + len(moves)]))
        return all(
            self._is_impossible([self.terminal ^ 1, a, b], seconds)
            for a, b in combinations(choices, 2)
        )


def _at_least_two(builder: Builder, literals: list[int]) -> int:
    one, two = FALSE, FALSE
    for x in literals:
        two = builder.disj(two, builder.conj(one, x))
        one = builder.disj(one, x)
    return two
