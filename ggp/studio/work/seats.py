"""Who sits where at a table: people, and the machine at its levels or as one of its players."""

from __future__ import annotations

from collections.abc import Mapping

from ggp.errors import InputError, UnknownName
from ggp.game import Game, State
from ggp.kif import Term
from ggp.play import PLAYERS, Player
from ggp.play.sitting.levels import DESCENTS, level_of, strong
from ggp.play.sitting.sitting import Sitting
from ggp.studio.work.orders import MOST_SECONDS

PERSON = "person"

STRONG = "strong"

SEATS = (PERSON, *DESCENTS, STRONG, *PLAYERS)
"""Whom a seat may be given to."""


class SeatedSitting(Sitting):
    """A sitting in which the machine plays each role in a way of its own."""

    def __init__(
        self, game: Game, seats: Mapping[str, str], seconds: float, start: State | None
    ) -> None:
        super().__init__(game, (), strong(seconds), start)
        self._players: dict[tuple[str, str], Player] = {}
        self.seats: dict[str, str] = {}
        self.seat(seats, seconds)

    def seat(self, seats: Mapping[str, str], seconds: float) -> None:
        """Give seats to others, with so many seconds for a move; a role that is not named is a
        person's."""
        if not 0 <= seconds <= MOST_SECONDS:
            raise InputError(f"the machine thinks for 0 to {MOST_SECONDS:g} seconds")
        unknown = sorted({*seats} - {*self.game.players})
        if unknown:
            raise UnknownName(f"nobody can be given the seat of {unknown[0]}")
        odd = next((who for who in seats.values() if who not in SEATS), None)
        if odd is not None:
            raise UnknownName(f"there is no player {odd} (there are: {', '.join(SEATS)})")
        self.seats = {role: seats.get(role, PERSON) for role in self.game.players}
        self.people = frozenset(role for role, who in self.seats.items() if who == PERSON)
        self.level = strong(seconds)
        self.pending.clear()

    def think(self, role: str) -> Term:
        """The move of whoever sits there."""
        who = self.seats.get(role, STRONG)
        if who in DESCENTS:
            return self.machine.choose(self.state, role, level_of(who))
        legal = self.state.require_legal(role)
        if who in (STRONG, PERSON) or len(legal) == 1:
            return self.machine.choose(self.state, role, self.level)
        if (role, who) not in self._players:
            self._players[role, who] = PLAYERS[who](self.game, role)
        return self._players[role, who].choose(self.state, self.level.seconds)
