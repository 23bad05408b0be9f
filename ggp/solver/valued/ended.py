"""Boards on which neither role has a move, in games in which nobody ever has a choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ggp.analysis.outcomes import goals_of_form, goals_of_the_rules
from ggp.game import Game, State
from ggp.ground import Marker
from ggp.ground.clock import find_clocks
from ggp.solver.valued.moves import LEFT, RIGHT, ValuedMove
from ggp.theory import ShortGame


class EndedBoard:
    """The value of a board where play is over for either role, and of no other: 0.

    As `BoardValues`, of one board. Where play is over at the start no choice shows whose turn it
    is: `marker` is what tells it, by who cannot move.
    """

    unit = "boards"
    count = 1
    whole = ShortGame([], [])

    def __init__(self, game: Game, marker: Marker, board: int) -> None:
        self.game, self.marker, self._board = game, marker, board

    def moves(self) -> list[ValuedMove]:
        """None."""
        return []

    def bits(self, _: int) -> int:
        """The fluents of the board as bits, but for those that tell whose turn it is."""
        return self._board

    def listed(
        self, boards: Iterable[int] | None = None
    ) -> Iterator[tuple[tuple[str, ...], ShortGame]]:
        """The facts of the board, and its value: of all boards, or of some."""
        for _ in range(1) if boards is None else boards:
            yield tuple(map(str, self.game.evaluator.facts(self._board))), self.whole

    def unvalued(
        self, _: Iterable[int] | None = None
    ) -> Iterator[tuple[tuple[str, ...], list[str], list[str]]]:
        """None."""
        yield from ()

    def by_value(self) -> Counter[ShortGame]:
        """How many boards have each value."""
        return Counter([self.whole])


def ended(game: Game, state: State) -> EndedBoard | None:
    """The board of a state in which play is over, if the conditions hold there with either role to
    move: a clock of the rules goes on with every move, and by it one role and the other in turn
    cannot move while the other has one move, as who waits has, and has lost."""
    if not state.terminal or game.marker is not None:
        return None
    rules = goals_of_the_rules(game)

    def has_lost(bits: int, role: int) -> bool:
        """Whether a role is to move in a state, where it has no move and the other one that says
        nothing, and play is over and lost for it."""
        here = State(game, bits)
        wanted = goals_of_form(rules, role, loses=True)
        goals, moves = game.evaluator.goals(bits), here.legal_indices()
        is_stuck = not moves[role] and len(moves[1 - role]) == 1
        is_lost = wanted is not None and goals == [[goal] for goal in wanted]
        return here.terminal and is_stuck and is_lost

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
