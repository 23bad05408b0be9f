"""A game at the terminal: a person against the machine, or against another person."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from rich.text import Text

from ggp.cli.drawing import drawn
from ggp.errors import IllegalMove, LimitReached
from ggp.game import Game, State
from ggp.kif import Term
from ggp.play import SearchPlayer
from ggp.text import plain

MAX_FORCED = 10_000
"""Plies without any choice after which a game counts as endless."""

HELP = """\
a number or a move   play it (the beginning of a move will do where it is unique)
undo                 take back your last move
hint                 what the machine would play
facts                the position as facts
moves                the legal moves again
help, quit"""


@dataclass
class Session:
    """One sitting: `humans` are the roles at the keyboard, the machine plays the others.

    `ask` reads a line (raising `EOFError` at the end), `tell` prints.
    """

    game: Game
    humans: frozenset[str]
    seconds: float
    ask: Callable[[str], str]
    tell: Callable[[Text | str], None]
    state: State
    history: list[tuple[State, dict[str, Term]]] = field(default_factory=list)
    _players: dict[str, SearchPlayer] = field(default_factory=dict)

    def run(self) -> bool:
        """Play until the end (True) or until the person leaves (False)."""
        forced = 0
        while not self.state.terminal:
            if forced > MAX_FORCED:
                raise LimitReached(
                    "plies", MAX_FORCED, "nobody has a choice, and play does not end"
                )
            forced = 0 if any(len(self.state.legal(r)) > 1 for r in self.game.roles) else forced + 1
            joint: dict[str, Term] = {}
            for role in self.game.roles:
                move = self._choose(role)
                if move is None:
                    return False
                if isinstance(move, State):
                    break
                joint[role] = move
            else:
                self._make(joint)
        self.tell(drawn(self.state))
        scores = ", ".join(f"{role} {goal}" for role, goal in self.state.goals.items())
        self.tell(Text(plain(f"The game is over: {scores}"), "bold"))
        return True

    def _make(self, joint: dict[str, Term]) -> None:
        for role, move in joint.items():
            if role not in self.humans and len(self.state.legal(role)) > 1:
                self.tell(Text(plain(f"{role} plays {move}"), "bold cyan"))
        self.history.append((self.state, joint))
        self.state = self.state.play(joint)

    def _choose(self, role: str) -> Term | State | None:
        """A move, or a state to go back to, or None to leave."""
        legal = self.state.require_legal(role)
        if len(legal) == 1:
            return legal[0]
        if role not in self.humans:
            return self._machine(role)
        self.tell("")
        self.tell(drawn(self.state))
        self._list(legal)
        while True:
            try:
                line = self.ask(f"{role}> ").strip()
            except EOFError:
                return None
            answer = self._command(line, role, legal)
            if answer == "quit":
                return None
            if isinstance(answer, (Term, State)):
                return answer

    def _list(self, legal: Iterable[Term]) -> None:
        entries = [f"{i}: {move}" for i, move in enumerate(legal, 1)]
        width = max(map(len, entries)) + 2
        columns = max(1, 96 // width)
        for start in range(0, len(entries), columns):
            line = "".join(entry.ljust(width) for entry in entries[start : start + columns])
            self.tell(plain(line.rstrip()))

    def _command(self, line: str, role: str, legal: tuple[Term, ...]) -> Term | State | str:
        """What a line asks for: a move, a state after undo, or a word that was dealt with."""
        if line in ("quit", "exit", "q"):
            return "quit"
        if line == "undo":
            return self._undo()
        if line == "hint":
            self.tell(plain(f"{self._machine(role)}"))
        elif line == "facts":
            self.tell(plain(" ".join(map(str, self.state.facts))))
        elif line == "moves":
            self._list(legal)
        elif line in ("help", "?", ""):
            self.tell(HELP)
        else:
            try:
                return self._move(line, legal)
            except IllegalMove as error:
                self.tell(Text(plain(error), "red"))
        return ""

    def _move(self, line: str, legal: tuple[Term, ...]) -> Term:
        """The legal move that a number or the beginning of its text names."""
        if (
            line.isdecimal()
            and len(line) < 9
            and 1 <= int(line) <= len(legal)
            and Term(line) not in legal
        ):
            return legal[int(line) - 1]
        wanted = line.lower().strip("() ")
        exact = [m for m in legal if str(m).lower().strip("()") == wanted]
        found = exact or [m for m in legal if str(m).lower().strip("()").startswith(wanted)]
        if len(found) == 1:
            return found[0]
        if found:
            raise IllegalMove(f"{line} could be {', '.join(map(str, found[:6]))}")
        raise IllegalMove(f"{line} is not legal here (help lists what can be typed)")

    def _undo(self) -> State | str:
        """Go back to before the last choice of a person."""
        for place in reversed(range(len(self.history))):
            state, _ = self.history[place]
            if any(len(state.legal(role)) > 1 for role in self.humans):
                del self.history[place:]
                self.state = state
                return state
        self.tell("nothing to undo")
        return ""

    def _machine(self, role: str) -> Term:
        """The machine's move."""
        player = self._players.get(role)
        if player is None:
            player = self._players[role] = SearchPlayer(self.game, role)
            player.prepare(self.seconds)
        *_, last = player.suggestions(self.state, self.seconds)
        return last.move
