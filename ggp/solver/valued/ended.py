"""Boards on which neither role has a move, in games in which nobody ever has a choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ggp.analysis.outcomes import goals_of_form, goals_of_the_rules
from ggp.game import Game, State
from ggp.ground import Marker
from ggp.ground.clock import find_clocks
from ggp.solver.valued.moves import LEFT, RIGHT, ValuedMove
from ggp.theory import ShortGame


class EndedBoard:
    """The value of a board where play is over for either role, and of no other: 0.

    As `BoardValues`, of one board. Where play is over at the start no choice shows whose turn it
    is, and goals do: `marker` is what tells it.
    """

    unit = "boards"
    count = 1
    whole = ShortGame([], [])

    def __init__(self, game: Game, marker: Marker, board: int) -> None:
        self.game, self.marker = game, marker
        self._facts = tuple(map(str, game.evaluator.facts(board)))

    def moves(self) -> list[ValuedMove]:
        """None."""
        return []

    def listed(self) -> Iterator[tuple[tuple[str, ...], ShortGame]]:
        """The facts of the board, and its value."""
        yield self._facts, self.whole

    def unvalued(self) -> Iterator[tuple[tuple[str, ...], list[str], list[str]]]:
        """None."""
        yield from ()

    def by_value(self) -> Counter[ShortGame]:
        """How many boards have each value."""
        return Counter([self.whole])


def ended(game: Game, state: State) -> EndedBoard | None:
    """The board of a state in which play is over, if the conditions hold there with either role to
    move: a clock of the rules goes on with every move, and whoever it is that has the turn by it,
    one role and the other in turn, has lost."""
    if not state.terminal or game.marker is not None:
        return None
    rules = goals_of_the_rules(game)

    def has_lost(bits: int, role: int) -> bool:
        """Whether play is over, and lost for a role, in a state."""
        here = State(game, bits)
        wanted = goals_of_form(rules, role, loses=True)
        goals = game.evaluator.goals(bits)
        return here.terminal and wanted is not None and goals == [[goal] for goal in wanted]

    for clock in find_clocks(game.net):
        settings, board = clock.settings, state.bits & ~clock.mask
        if not clock.is_circle or len(settings) % 2 or state.bits & clock.mask not in settings:
            continue
        for first in (LEFT, RIGHT):
            roles = [(first + place) % 2 for place in range(len(settings))]
            if all(has_lost(board | s, r) for s, r in zip(settings, roles, strict=True)):
                own = (settings[roles.index(LEFT)], settings[roles.index(RIGHT)])
                return EndedBoard(game, Marker.of(own, alternating=True), board)
    return None
