"""Nim-values and genera of positions of impartial games, worked out from the rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ggp.errors import NotSolvable
from ggp.game import Game, State
from ggp.ground import Marker
from ggp.limits import look
from ggp.theory import Genus, ImpartialGame

MAX_BOARDS = 20_000
"""Boards that are made."""

NORMAL, MISERE = "normal", "misère"


@dataclass(frozen=True)
class Impartial:
    """What a board is worth in an impartial game of a `form` (normal or misère play; None where
    play is over already), and where moves lead: with each move the genus of its board."""

    form: str | None
    genus: Genus
    is_tame: bool
    moves: tuple[tuple[str, Genus], ...]

    @property
    def outcome(self) -> str:
        """`N` if the player to move wins, else `P`."""
        is_misere = self.form == MISERE
        return self.genus.misere_outcome if is_misere else self.genus.outcome


def impartial(state: State) -> Impartial:
    """What a position is worth. Raises `NotSolvable` where the game is not impartial on some board
    that play leads to, `GameLimit` where there are too many; looks at the accounts in force."""
    game, marker = state.game, state.game.marker
    if marker is None or len(game.roles) != 2 or not marker.alternating:
        raise NotSolvable("nothing tells whose turn it is, by turns, that could be given to either")
    boards = _Boards(game, marker)
    rule = ImpartialGame(boards.options, max_sums=MAX_BOARDS)
    own = marker.board(state.bits)
    try:
        genus = rule.genus(own)
    except ValueError as error:
        raise NotSolvable("a board comes up again") from error
    listed = () if state.terminal else boards.moves(own, _mover(state, marker))
    moves = tuple((move, rule.genus(after)) for move, after in listed)
    return Impartial(boards.form, genus, rule.is_tame(own), moves)


def _mover(state: State, marker: Marker) -> int:
    return marker.role(state.bits) or 0


class _Boards:
    """The options of boards, the same for both roles."""

    def __init__(self, game: Game, marker: Marker) -> None:
        self._game, self._marker = game, marker
        self.form: str | None = None

    def options(self, board: int) -> Iterable[tuple[int, ...]]:
        """The boards that a move leads to, each by itself."""
        look("boards of an impartial game")
        first, second = ({after for _, after in self.moves(board, role)} for role in (0, 1))
        if first != second:
            raise NotSolvable("the roles have different moves on some board")
        return [(after,) for after in first]

    def moves(self, board: int, role: int) -> list[tuple[str, int]]:
        """The moves of a role with the boards that they lead to."""
        state = State(self._game, self._marker.place(board, role))
        if state.terminal:
            self._note(state, role)
            return []
        own, other = self._game.roles[role], self._game.roles[1 - role]
        quiet = state.require_legal(other)
        if len(quiet) > 1:
            raise NotSolvable("both roles have a choice at once")
        found = []
        for move in state.require_legal(own):
            after = state.play({own: move, other: quiet[0]}).bits
            if self._marker.role(after) == role:
                raise NotSolvable("a move after which the same role is to move")
            found.append((str(move), self._marker.board(after)))
        return found

    def _note(self, state: State, role: int) -> None:
        """Learn from an end of play who wins it."""
        own, other = (state.goals[self._game.roles[r]] for r in (role, 1 - role))
        form = NORMAL if own < other else MISERE
        if own == other or self.form not in (None, form):
            raise NotSolvable("not always the same one of both wins who cannot move, or can")
        self.form = form
