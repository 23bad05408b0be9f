"""A sitting line by line: for pipes, plain terminals, and people who like it so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.text import Text

from ggp.cli.playing import wording
from ggp.cli.playing.saving import record_of, resumed, save
from ggp.cli.playing.typed import containing, named
from ggp.errors import GgpError, InputError
from ggp.kif import Term
from ggp.machine import Progress
from ggp.play.sitting.levels import level_of
from ggp.play.sitting.sitting import Sitting, idle
from ggp.show.moves import result_text
from ggp.text import plain, shortened

HELP = """\
a number or a move   play it (the beginning of a move will do where it is unique)
undo                 take back your last move
hint                 what the machine would play, and what every move is worth
level L              how the machine plays: easy, medium, strong, or seconds for a move
save FILE            write the record so far (ggp replay reads it)
load FILE            go on with a record
facts                the position as facts
moves                the legal moves again; with some text, those that have it
board                the position again
help, quit"""

SHORT = 12
"""Lines of moves before a choice; `moves` shows all."""

MAX_LISTED = 20_000
"""Moves that are listed at the most."""

MAX_HINTS = 12
"""Moves whose worth is told."""

MAX_SAID = 200_000
"""Characters of facts that are told."""


class Dialogue:
    """Talks about one sitting after another. `ask` reads a line (raising `EOFError` at the end),
    `tell` prints; `file` is where the record is written after each move, if that is asked for."""

    def __init__(
        self,
        sitting: Sitting,
        ask: Callable[[str], str],
        tell: Callable[[Text], None],
        *,
        width: int = 96,
        is_ascii: bool = False,
        file: Path | None = None,
        asks_at_end: bool = False,
        heed: Progress | None = None,
    ) -> None:
        self.sitting, self._ask, self._tell = sitting, ask, tell
        self._width, self._ascii = width, is_ascii
        self._every = self._file = file
        self._asks_at_end, self._heed = asks_at_end, heed
        self._told = len(sitting.history)
        self._is_left = False

    def run(self) -> bool:
        """Play until the end (True) or until the person leaves (False).

        Raises what evaluating the rules raises.
        """
        self._say(wording.seats_text(self.sitting))
        while not self._is_left:
            role = self.sitting.waits_for()
            self._tell_steps()
            if role is None:
                self._show()
                self._say(result_text(self.sitting.state), "bold")
                if not self._asks_at_end:
                    return True
                self._listen("over", ())
            elif role in self.sitting.people:
                self._show()
                legal = self.sitting.state.legal(role)
                self._list(list(enumerate(legal, 1)), SHORT)
                self._listen(role, legal)
            else:
                if not self.sitting.people:
                    self._show()
                self.sitting.choose(role, self.sitting.think(role))
                self._keep()
        return self.sitting.state.terminal

    def _listen(self, role: str, legal: tuple[Term, ...]) -> None:
        """Ask until the sitting has changed, or is left."""
        self._say()
        while True:
            try:
                line = self._ask(f"{plain(shortened(role, 40))}> ").strip()
            except EOFError:
                self._is_left = True
                return
            try:
                if self._heard(line, role, legal):
                    return
            except GgpError as error:
                self._say(str(error).splitlines()[0], "red")

    def _heard(self, line: str, role: str, legal: tuple[Term, ...]) -> bool:
        """Do what a line asks for; whether the sitting has changed, or is left."""
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        if line in ("quit", "exit", "q") or (not line and not legal):
            self._is_left = True
            return True
        if line == "undo":
            return self._undo()
        if word == "load" and _is_file(line, legal):
            return self._load(rest)
        if word in ("save", "level") and _is_file(line, legal):
            self._save(rest) if word == "save" else self._set_level(rest)
        elif line in ("help", "?", ""):
            self._say(HELP)
        elif line == "facts":
            self._say(shortened(" ".join(map(str, self.sitting.state.facts)), MAX_SAID))
        elif line == "board":
            self._show()
        elif word == "moves" and _is_file(line, legal):
            found = containing(rest, legal)[:MAX_LISTED]
            self._list(found)
            if not found:
                self._say(f"no legal move has {rest!r}" if rest else "no legal move", "dim")
        elif not legal:
            self._say("the game is over: undo, save FILE, load FILE or quit", "red")
        elif line == "hint":
            self._say(Text("\n").join(wording.advice_text(self.sitting.advice(role), MAX_HINTS)))
        else:
            self.sitting.choose(role, named(line, legal))
            self._keep()
            return True
        return False

    def _undo(self) -> bool:
        done = self.sitting.undo()
        if not done:
            self._say("nothing to undo")
        self._told = len(self.sitting.history)
        if done:
            self._keep()
        return done

    def _load(self, name: str) -> bool:
        file = self._named(name)
        before = self.sitting
        found = resumed(file, None, before.level, before.game, self._heed)
        self.sitting, self._file, self._told = found, file, len(found.history)
        self._asks_at_end = self._asks_at_end or found.state.terminal
        self._say(wording.seats_text(found))
        return True

    def _save(self, name: str) -> None:
        file = self._named(name)
        save(self.sitting, file)
        self._file = file
        self._say(f"saved to {file}")

    def _named(self, name: str) -> Path:
        """The file of a name, or the one that was named last."""
        if name:
            return Path(name).expanduser()
        if self._file is None:
            raise InputError("which file? (save FILE, load FILE)")
        return self._file

    def _set_level(self, text: str) -> None:
        if text:
            self.sitting.level = level_of(text)
        self._say(f"level: {self.sitting.level}")

    def _keep(self) -> None:
        """Write the record, if that is asked for."""
        if self._every is None:
            return
        try:
            record_of(self.sitting).write(self._every)
        except GgpError as error:
            self._say(f"not saved: {error}", "red")

    def _tell_steps(self) -> None:
        """Say what others did since that was last told."""
        sitting, is_each = self.sitting, len(self.sitting.people) != 1
        waits = idle(sitting.history)
        for step in sitting.history[self._told :]:
            for line in wording.step_text(sitting, step, waits, all_roles=is_each):
                self._say(line)
        self._told = len(sitting.history)

    def _show(self) -> None:
        self._say()
        self._say(wording.board_text(self.sitting, self._width, self._ascii))

    def _list(self, moves: list[tuple[int, Term]], most: int | None = None) -> None:
        lines = wording.list_text(moves, self._width)
        for line in lines[:most]:
            self._say(line)
        if most is not None and len(lines) > most:
            self._say(f"{len(moves):,} moves in all: 'moves' lists them, 'moves TEXT' some", "dim")

    def _say(self, what: Text | str = "", style: str = "") -> None:
        text = Text(plain(what), style) if isinstance(what, str) else what
        self._tell(wording.simpler(text) if self._ascii else text)


def _is_file(line: str, legal: tuple[Term, ...]) -> bool:
    """Whether a line that begins with a word of ours is no move of the game."""
    return not any(str(move).strip("()").lower() == line.strip("()").lower() for move in legal)
