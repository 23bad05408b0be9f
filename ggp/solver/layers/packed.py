"""What solutions by many packed positions have in common: where these are kept."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from ggp.errors import InputError, NotSolvable
from ggp.game import Game
from ggp.limits import Budget, memory_in_use
from ggp.machine import Progress
from ggp.solver.gdl import GdlSolution
from ggp.solver.layers.images import Images
from ggp.solver.layers.plan import Elsewhere
from ggp.solver.layers.shelf import MANIFEST, InFolder, InMemory, Shelf

TAKEN = 14
"""Bytes for a position and each word of it, of the keys, values, and what is sorted meanwhile
(measured: 34,888,367 positions of one word need 440 to 500 million)."""


def usable_cores() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


@dataclass(frozen=True)
class Keeping:
    """How far-reaching work is done: with so many `threads`, and where positions are kept.

    `checkpoint`: a folder that a run which was ended goes on from. `spill`: a folder for files of
    this run alone, in place of memory. `elsewhere`: other processes, which solve the game in files
    that they keep in either of the two, or else in a folder for files of this run; on other
    machines than this one, in a checkpoint that all share. `is_table`: all positions are asked for,
    packed, to be written as a table. `told`: what hears, before such work starts, what is planned.
    """

    threads: int = field(default_factory=usable_cores)
    checkpoint: Path | None = None
    spill: Path | None = None
    elsewhere: Elsewhere | None = None
    is_table: bool = False
    told: Callable[[str], None] | None = field(default=None, compare=False)

    @property
    def begun_by(self) -> str | None:
        """The method by which a checkpoint was begun; None where there is none to go on from."""
        if not self.checkpoint or not (self.checkpoint / MANIFEST).exists():
            return None
        with suppress(OSError, ValueError, RecursionError):
            told = json.loads((self.checkpoint / MANIFEST).read_text("utf-8"))
            if isinstance(told, dict) and told.get("method") == "passes":
                return "passes"
        return "layers"

    @property
    def in_files(self) -> bool:
        """Whether positions are kept in files, or written to one."""
        return bool(self.checkpoint or self.spill or self.elsewhere or self.is_table)

    def __post_init__(self) -> None:
        if self.threads < 1:
            raise InputError("there is at least one thread")
        if self.checkpoint and self.spill:
            raise InputError("a checkpoint keeps all positions in files: no need to spill them")


def planned(words: int, keeping: Keeping, memory: int) -> str:
    """What is planned for positions of so many words each, of `memory` bytes in all.

    >>> planned(2, Keeping(2), 1)
    'planned: 2 threads, positions of 16 bytes and a value each in memory, of which 0 of 0 MB are \
free: room for about 0'
    """
    free = max(0, memory - memory_in_use())
    threads = f"{keeping.threads} thread{'s' if keeping.threads > 1 else ''}"
    each = f"planned: {threads}, positions of {8 * words} bytes and a value each"
    megabytes = f"{free >> 20:,} of {memory >> 20:,} MB"
    folder = keeping.checkpoint or keeping.spill
    if folder:
        return f"{each} in files in {folder}; {megabytes} are free for what is worked on"
    room = free // (TAKEN * words)
    return f"{each} in memory, of which {megabytes} are free: room for about {room:,}"


def at_most_packed(budget: Budget, at_most: int | None) -> Budget:
    """The account with no more than so many packed positions, if that is less."""
    if at_most is None:
        return budget
    few = min(at_most, budget.limits.packed_positions)
    return Budget(replace(budget.limits, packed_positions=few), budget.started)


def require_apt(game: Game, method: str = "layers") -> None:
    """Raise `NotSolvable` for a game that is none for layers at first sight."""
    if game.chance is not None or len(game.players) > 2:
        raise NotSolvable(f"{method}: for one role, or two opposed ones, without chance")
    if game.has_percepts:
        raise NotSolvable(f"{method}: for roles that see all, and the rules say what they see")


class PackedSolution(GdlSolution):
    """A game in turn, of one role or two opposed ones, solved by all positions of it, packed."""

    engine = "numpy"
    way: ClassVar[dict[str, str]] = {}
    """What tells files of one way to solve from those of another."""

    def __init__(
        self, game: Game, misere: bool, keeping: Keeping | None, progress: Progress | None
    ) -> None:
        super().__init__(game, misere=misere)
        require_apt(game, self.way.get("method", "layers"))
        self._misere = misere
        self._keeping = keeping or Keeping()
        self._progress = progress

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_progress": None, "_keeping": replace(self._keeping, told=None)}

    def _announce(self, budget: Budget) -> None:
        """Say where positions go and how many there is room for."""
        if self._keeping.told and not self._keeping.elsewhere:
            words = self.game.packed_machine.coding.words
            self._keeping.told(planned(words, self._keeping, budget.limits.memory))

    def _about(self, roots: Sequence[int], images: Images | None) -> dict[str, Any]:
        """What files of positions belong to."""
        coding = self.game.packed_machine.coding
        return {
            **self.way,
            "sha256": self.game.rules.digest,
            "misere": self._misere,
            "starts": [sorted(map(str, self.game.evaluator.facts(root))) for root in roots],
            "fluents": list(map(str, self.game.net.fluents)),
            "fields": [[f.first, f.width, *map(list, f.codes)] for f in coding.fields],
            "symmetries": images.permutations if images else [],
        }

    def _shelf(self, roots: Sequence[int], images: Images | None) -> Shelf:
        """Where the positions go; if they are elsewhere, what these go by."""
        keeping = self._keeping
        if keeping.checkpoint:
            about = self._about(roots, images)
            parts = {"parts": keeping.elsewhere.parts} if keeping.elsewhere else {}
            return InFolder(keeping.checkpoint, {**about, **parts})
        if keeping.spill and not keeping.elsewhere:
            return InFolder(self._temporary(), {})
        return InMemory()

    def _temporary(self) -> Path:
        """A folder that is removed with this solution, as are those made for it, if empty."""
        place, new = self._keeping.spill, list[Path]()
        try:
            if place:
                new = [p for p in (place, *place.parents) if not p.exists()]
                place.mkdir(parents=True, exist_ok=True)
            made = tempfile.mkdtemp(prefix="ggp-", dir=place)
        except OSError as error:
            raise InputError(f"{os.fspath(place or '')}: {error.strerror}") from None
        weakref.finalize(self, _remove, made, new)
        return Path(made)


def _remove(folder: str, empty: Sequence[Path]) -> None:
    """Remove a folder, and then such as are empty."""
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        for path in empty:
            path.rmdir()
