"""Tables of packed layers read back: of each file no more than what is asked for."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.errors import GgpError, InputError, UnknownName
from ggp.game import State
from ggp.kif import Term, read_terms
from ggp.machine import Coding, Field, Rows
from ggp.solver.columns import polars_or_error, pyarrow_or_error
from ggp.solver.gdl import GdlTree
from ggp.solver.layers.division import Division
from ggp.solver.layers.images import Images
from ggp.solver.layers.keys import mixed
from ggp.solver.layers.ranks import Ranks
from ggp.solver.layers.tablebase import DISTANCE, FILES, FORMAT, MOVES, Notes, file_name

HELD = 64
"""Row groups whose positions are kept in memory, of some megabytes each."""

MAX_NOTES = 1 << 26
"""Characters of a file's notes."""


class PositionTable(ABC):
    """A table that is asked for positions: states, or lists of facts."""

    # Python would count through what can be indexed.
    __iter__ = None

    @abstractmethod
    def __getitem__(self, position: State | Iterable[Term | str]) -> dict[str, Any]:
        """What the table says of a position; raises `UnknownName` for one that is not in it."""

    def __contains__(self, position: State | Iterable[Term | str]) -> bool:
        """Whether a position is in the table."""
        try:
            self[position]
        except UnknownName:
            return False
        return True


class LayerTable(PositionTable):
    """The table of positions in a folder that `ggp solve --table FOLDER` wrote.

    `tablebase(FOLDER)` opens one; `len()` says how many positions there are. `notes`: of what game
    it is, and how positions are packed. Positions are known up to the symmetries noted there.
    """

    def __init__(self, folder: Path) -> None:
        self._arrow = pyarrow_or_error()
        self.folder = folder
        try:
            names = sorted(p.name for p in folder.iterdir() if FILES.fullmatch(p.name))
        except OSError as error:
            raise InputError(f"{folder}: {error.strerror or error}", file=folder) from None
        if not names:
            raise InputError(f"{folder}: no table of positions", file=folder)
        count = int(FILES.fullmatch(names[0])[1])  # type: ignore[index]  # it matched above
        missing = [n for i in range(count) if (n := file_name(i, count)) not in names]
        if missing or len(names) != count:
            what = f"{missing[0]} is missing" if missing else "files of several tables"
            raise InputError(f"{folder}: {what}", file=folder)
        self._parts = [_File(self._arrow, folder / name) for name in names]
        self.notes = self._parts[0].notes
        for number, part in enumerate(self._parts):
            if {**part.notes, "part": 0} != {**self.notes, "part": 0, "parts": count} or (
                part.notes["part"] != number
            ):
                raise InputError(f"{part.path}: of another table", file=part.path)
        try:
            self._read_notes(count)
        except (KeyError, TypeError, ValueError, OverflowError, IndexError):
            raise _no_table(folder) from None
        for part in self._parts:
            part.require_kinds(self._coding.words, self._players, self._may_go_on)
        self._held: OrderedDict[tuple[int, int], _Group] = OrderedDict()

    def _read_notes(self, count: int) -> None:
        notes = self.notes
        fields = [
            Field(int(first), int(width), tuple((int(n), int(code)) for n, code in codes))
            for first, width, codes in notes["fields"]
        ]
        self._coding = Coding.of_fields(fields, len(notes["fluents"]))
        weights = {int(n): int(weight) for n, weight in notes["weights"]}
        size = range(len(notes["fluents"]))
        permutations = [[int(n) for n in p] for p in notes["symmetries"]]
        if not weights.keys() <= {*size} or any(sorted(p) != list(size) for p in permutations):
            raise ValueError("weights or symmetries of other fluents")
        self._ranks = Ranks(self._coding, weights)
        self._images = Images(self._coding, permutations)
        self._division = Division(count.bit_length() - 1)
        if self._division.parts != count or self._images.order != 1 + len(permutations):
            raise ValueError("parts or symmetries that there are not")
        if not isinstance(notes["rules"], str):
            raise ValueError("no fingerprint of rules")
        self._fluent = {str(fact): n for n, fact in enumerate(notes["fluents"])}
        if len(self._fluent) < len(notes["fluents"]):
            raise ValueError("a fluent twice")
        self._players = tuple(map(str, notes["players"]))
        self._misere = bool(notes["misere"])
        self._may_go_on = MOVES in notes
        total = notes["total"]
        self._total = None if total is None else int(total)

    def __len__(self) -> int:
        return sum(part.rows for part in self._parts)

    def __reduce__(self) -> tuple[type[LayerTable], tuple[Path]]:
        return LayerTable, (self.folder.absolute(),)

    def polars(self) -> Any:  # noqa: ANN401
        """All columns as a `LazyFrame` of polars, which reads what is asked of it.

        Raises `InputError` without polars.
        """
        return polars_or_error().scan_parquet([part.path for part in self._parts])

    def __repr__(self) -> str:
        return f"<LayerTable of {self.notes['game']}: {len(self):,} positions>"

    def __getitem__(self, position: State | Iterable[Term | str]) -> dict[str, Any]:
        """What the table says of a state, or of a list of facts: turn, goals, result, and the
        `distance` to the end where play ends and positions are in one file.

        And of a state, which knows its game, `best`: all best moves, sorted. Where play may not end
        there is `moves` as well, in which somebody can force what they get (None: nobody can, or it
        is a draw), and goals are None where best play does not end. Raises `UnknownName` for a
        position that is not in the table, or of another game.
        """
        if not isinstance(position, State):
            return self._row(facts_of(position))
        game = position.game
        if (game.rules.fingerprint, game.players) != (self.notes["rules"], self._players):
            raise UnknownName(f"the table is of {self.notes['game']}, and not of these rules")
        row = self._row(list(map(str, position.facts)))
        # As in the tables of one file: of who is not known to be to move there are none.
        return {**row, "best": self._best(position) if row["turn"] else ()}

    def _best(self, state: State) -> tuple[str, ...]:
        if state.terminal:
            return ()
        tree = GdlTree(state.game, misere=self._misere)
        mover = tree.mover(state)
        rows = {
            str(move): self._row(list(map(str, after.facts)))
            for move, after in tree.moves(state).items()
        }
        worth = {move: self._worth(row, mover) for move, row in rows.items()}
        best = max(worth.values())
        good = [move for move, goal in worth.items() if goal == best]
        name = MOVES if self._may_go_on else DISTANCE
        if len(self._players) == 1 and name in rows[good[0]]:
            # The shortest ways; where no end is in reach there is none.
            far = {move: rows[move][name] for move in good if rows[move][name] is not None}
            good = [move for move in far if far[move] == min(far.values())]
        return tuple(sorted(good))

    def _worth(self, row: dict[str, Any], player: str) -> float:
        """What a position is worth, play without end being a draw of two, and nothing for one."""
        if row["goals"] is not None:
            return float(row["goals"][player])
        return -1.0 if self._total is None else self._total / 2

    def _row(self, facts: list[str]) -> dict[str, Any]:
        found = self._find(facts)
        if found is None:
            raise UnknownName(f"no position of the table: {' '.join(sorted(facts))}")
        group, place = found
        goals = {player: goal[place].as_py() for player, goal in group.goals.items()}
        row = {
            "turn": group.turn[place].as_py(),
            "goals": None if None in goals.values() else goals,
            "result": group.result[place].as_py(),
        }
        for name, told in ((MOVES, group.moves), (DISTANCE, group.distance)):
            if told is not None:
                row[name] = told[place].as_py()
        return row

    def _find(self, facts: list[str]) -> tuple[_Group, int] | None:
        fluents = [self._fluent.get(fact) for fact in facts]
        held = np.zeros((1, len(self._fluent)), dtype=np.bool_)
        for fluent in fluents:
            if fluent is None:
                return None
            held[0, fluent] = True
        try:
            row = self._coding.pack(held)
        except ValueError:
            return None
        row = self._images(row)
        rank = int(self._ranks(row)[0])
        key = mixed(row)
        number = int(self._division.of(key)[0])
        for group in self._parts[number].groups(rank, int(key[0, 0])):
            read = self._group(number, group)
            place = read.place(rank, key[0])
            if place is not None:
                return read, place
        return None

    def _group(self, number: int, group: int) -> _Group:
        held = self._held
        if (number, group) not in held:
            part = self._parts[number]
            held[number, group] = part.read(
                group, self._coding.words, self._players, self._may_go_on
            )
            if len(held) > HELD:
                held.popitem(last=False)
        held.move_to_end((number, group))
        return held[number, group]


@dataclass(frozen=True)
class _Group:
    """The positions of a row group, in the order of their ranks and keys."""

    ranks: NDArray[np.int32]
    keys: Rows
    goals: dict[str, Any]
    turn: Any
    result: Any
    moves: Any = None
    distance: Any = None

    def place(self, rank: int, key: NDArray[np.uint64]) -> int | None:
        """Where a key stands, if it does."""
        first, last = np.searchsorted(self.ranks, [rank, rank + 1]).tolist()
        own = self.keys[first:last, 0]
        low = first + int(np.searchsorted(own, key[0]))
        high = first + int(np.searchsorted(own, key[0], side="right"))
        same = np.flatnonzero((self.keys[low:high] == key).all(axis=1))
        return low + int(same[0]) if len(same) else None


class _File:
    """The file of one part."""

    def __init__(self, arrow: Any, path: Path) -> None:  # noqa: ANN401
        self.path, self._arrow = path, arrow
        try:
            self._file = arrow.parquet.ParquetFile(
                path, memory_map=True, page_checksum_verification=True
            )
            text = (self._file.schema_arrow.metadata or {})[b"ggp"]
            if len(text) > MAX_NOTES:
                raise ValueError("too long")
            self.notes: Notes = json.loads(text)
            if self.notes["format"] != FORMAT or not isinstance(self.notes["part"], int):
                raise ValueError("another format")
            self.rows = int(self._file.metadata.num_rows)
        except OSError as error:
            raise InputError(f"{path}: {error}", file=path) from None
        except (KeyError, TypeError, ValueError, RecursionError, arrow.ArrowException):
            raise _no_table(path) from None

    @cached_property
    def _bounds(self) -> NDArray[np.uint64]:
        """For each row group the least and greatest rank and first word of keys, moved up so that
        none is negative."""
        about = self._file.metadata
        places = {about.schema.column(i).path: i for i in range(about.num_columns)}
        found = []
        for number in range(about.num_row_groups):
            group = about.row_group(number)
            ranks = group.column(places["rank"]).statistics
            keys = group.column(places["key_0"]).statistics
            found.append([ranks.min + _UP, ranks.max + _UP, keys.min, keys.max])
        return np.array(found, dtype=np.uint64).reshape(-1, 4)

    def groups(self, rank: int, key: int) -> list[int]:
        """The row groups in which a position can be."""
        try:
            low, high, first, last = self._bounds.T
        except (KeyError, AttributeError, TypeError, ValueError, OverflowError):
            raise _no_table(self.path) from None
        wanted, word = np.uint64(rank + _UP), np.uint64(key)
        return np.flatnonzero(
            (low <= wanted) & (wanted <= high) & (first <= word) & (word <= last)
        ).tolist()

    def read(self, group: int, words: int, players: tuple[str, ...], may_go_on: bool) -> _Group:
        """A row group."""
        has_distance = DISTANCE in self.notes
        goals = [f"goal {player}" for player in players]
        full = ["rank", *(f"key_{k}" for k in range(words)), *([] if may_go_on else goals)]
        more = ["turn", "result", *([*goals, MOVES] if may_go_on else [])]
        more += [DISTANCE] if has_distance else []
        try:
            table = self._file.read_row_group(group, columns=full + more)
            if any(table[name].null_count for name in full):
                raise ValueError("columns with something missing")
            return _Group(
                table["rank"].to_numpy(),
                np.stack([table[f"key_{k}"].to_numpy() for k in range(words)], axis=1),
                {player: table[f"goal {player}"] for player in players},
                table["turn"],
                table["result"],
                table[MOVES] if may_go_on else None,
                table[DISTANCE] if has_distance else None,
            )
        except (OSError, KeyError, ValueError, self._arrow.ArrowException):
            raise _no_table(self.path) from None

    def require_kinds(self, words: int, players: Sequence[str], may_go_on: bool) -> None:
        """Raise `InputError` where columns that are looked at have other types."""
        arrow = self._arrow
        text = arrow.dictionary(arrow.int32(), arrow.string())
        wanted = {"rank": arrow.int32(), "turn": text, "result": text}
        wanted |= {f"key_{k}": arrow.uint64() for k in range(words)}
        wanted |= {f"goal {player}": arrow.int16() for player in players}
        wanted |= {MOVES: arrow.int32()} if may_go_on else {}
        wanted |= {DISTANCE: arrow.int32()} if DISTANCE in self.notes else {}
        schema = self._file.schema_arrow
        kinds = {name: schema.field(name).type for name in schema.names if name in wanted}
        if kinds != wanted:
            raise _no_table(self.path)


_UP = 1 << 32


def _no_table(path: Path) -> InputError:
    return InputError(f"{path}: no table of positions, or one that was altered", file=path)


def facts_of(position: Iterable[Term | str]) -> list[str]:
    """The texts of a list of facts; raises `TypeError` for what is none, `UnknownName` for texts
    that are no facts."""
    if not isinstance(position, Iterable) or isinstance(position, str | Term):
        raise TypeError("a position is a State, or a list of facts")
    return [str(_term(fact)) for fact in position]


def _term(fact: Term | str) -> Term:
    if isinstance(fact, Term):
        return fact
    if not isinstance(fact, str):
        raise TypeError("a fact is a Term, or a text")
    try:
        [term] = read_terms(fact, "a fact")
    except (GgpError, ValueError):
        raise UnknownName(f"{fact!r} is not one fact") from None
    return term
