"""Tables of solved positions read back: what they say of a state."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ggp.analysis.heaps.heap import HOLE
from ggp.errors import GgpError, InputError, UnknownName
from ggp.game import State
from ggp.kif import Term, read_terms
from ggp.solver.columns import NUMBERED, polars_or_error, pyarrow_or_error
from ggp.solver.layers.reading import LayerTable, PositionTable, facts_of
from ggp.solver.tables import NUMBER, SUFFIXES


class Tablebase(PositionTable):
    """A table of solved positions that was read: `columns` by name, all of one length.

    `tablebase(FILE)` reads one; `len()` says how many positions there are.
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]]) -> None:
        names = list(columns)
        missing = [n for n in (NUMBER, "turn", "result", "best") if n not in columns]
        if missing or names[0] != NUMBER:
            what = (
                f"there is no column {missing[0]}" if missing else f"{NUMBER} does not come first"
            )
            raise InputError(f"no table of positions: {what}")
        self.columns = dict(columns)
        self._of_state = [
            _Reader.of(name, columns[name]) for name in names[1 : names.index("turn")]
        ]
        self._place: dict[tuple[Any, ...], int] | None = None
        self._meaning: dict[str, tuple[int, Any]] = {}

    def __len__(self) -> int:
        return len(self.columns[NUMBER])

    def __repr__(self) -> str:
        return f"<Tablebase: {len(self):,} positions, {len(self._of_state)} columns of state>"

    def polars(self) -> Any:  # noqa: ANN401 - polars is imported when it is asked for
        """The table as a `polars.DataFrame`; raises `InputError` where polars is not installed."""
        return polars_or_error().DataFrame(self.columns)

    def facts(self, place: int) -> frozenset[str]:
        """The facts of the position in a row."""
        found = (column.fact(self.columns[column.name][place]) for column in self._of_state)
        return frozenset(fact for fact in found if fact is not None)

    def row(self, place: int) -> dict[str, Any]:
        """What a row says of its position: turn, goals, result, distance, best, and so on.

        `goals` by player (None where best play never ends), `best` as a tuple of moves.
        """
        names = list(self.columns)
        rest = names[names.index("turn") :]
        row = {n: self.columns[n][place] for n in rest if not n.startswith("goal ")}
        goals = {n[5:]: self.columns[n][place] for n in rest if n.startswith("goal ")}
        row["goals"] = None if None in goals.values() else goals
        row["best"] = tuple(str(row["best"]).split("; ")) if row["best"] else ()
        return row

    def __getitem__(self, position: State | Iterable[Term | str]) -> dict[str, Any]:
        """What the table says of a state, or of a list of facts; see `row`.

        Raises `UnknownName` for a position that is not in the table.
        """
        wanted = frozenset(facts_of(position.facts if isinstance(position, State) else position))
        place = self._find(wanted)
        if place is None:
            raise UnknownName(f"no position of the table: {' '.join(sorted(wanted))}")
        return self.row(place)

    def _find(self, facts: frozenset[str]) -> int | None:
        """The row of a position, by the values that its facts are in the columns."""
        if self._place is None:
            listed = [self.columns[column.name] for column in self._of_state]
            self._place = {row: i for i, row in enumerate(zip(*listed, strict=True))}
            for i, (column, values) in enumerate(zip(self._of_state, listed, strict=True)):
                known = {value: column.fact(value) for value in set(values)}
                self._meaning.update({f: (i, v) for v, f in known.items() if f is not None})
        if not facts <= self._meaning.keys():
            return None
        # Where nothing of a column holds it has what it has in a row without it.
        wanted = [column.nothing for column in self._of_state]
        held = [self._meaning[fact] for fact in facts]
        if len({i for i, _ in held}) < len(held):
            return None  # two facts of which no position has both
        for i, value in held:
            wanted[i] = value
        return self._place.get(tuple(wanted))


@dataclass(frozen=True)
class _Reader:
    """What the values of a column of fluents stand for: `pattern` is the fact with its holes, and
    `nothing` what stands there where none of the fluents holds."""

    name: str
    pattern: Term
    nothing: Any

    @classmethod
    def of(cls, name: str, values: Sequence[Any]) -> _Reader:
        """The reader of a column; raises `InputError` where it is none of fluents."""
        try:
            [pattern] = read_terms(NUMBERED.sub("", name), "a column")
            found = cls(name, pattern, None)
            if not found.is_group:
                found = cls(name, pattern, next((v for v in values if not int(v)), None))
            for value in set(values):
                found.fact(value)
        except (GgpError, ValueError, TypeError):
            raise InputError(f"no table of positions: column {name[:60]} cannot be read") from None
        return found

    @property
    def is_group(self) -> bool:
        """Whether the column is of several fluents, so that its name has holes."""
        return HOLE in (self.pattern, *self.pattern.args)

    def fact(self, value: Any) -> str | None:  # noqa: ANN401
        """The fact that a value stands for; None where none of the fluents holds."""
        if value is None:
            return None
        if not self.is_group:
            return str(self.pattern) if int(value) else None
        parts = read_terms(str(value), "a column")
        if self.pattern == HOLE:
            [fact] = parts
            return str(fact)
        holes = [i for i, arg in enumerate(self.pattern.args) if arg == HOLE]
        filled = dict(zip(holes, parts, strict=True))
        args = (filled.get(i, arg) for i, arg in enumerate(self.pattern.args))
        return str(Term(self.pattern.name, tuple(args)))


def tablebase(file: str | Path) -> Tablebase | LayerTable:
    """The table of positions in a file, or a folder of files, that `ggp solve --table` wrote.

    A folder's are read as far as they are asked for. Raises `InputError` where it cannot be read or
    is no such table.
    """
    file = Path(file)
    if file.is_dir():
        return LayerTable(file)
    if not file.exists():
        raise InputError(f"{file}: no such file or folder", file=file)
    if file.suffix == ".parquet":
        return Tablebase(_read_parquet(file))
    if file.suffix != ".csv":
        raise InputError(
            f"{file}: a table is read from {', '.join(SUFFIXES)} or a folder", file=file
        )
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: {error}", file=file) from None
    return Tablebase(_read_csv(text, file))


def _read_parquet(file: Path) -> dict[str, list[Any]]:
    arrow = pyarrow_or_error()
    try:
        table = arrow.parquet.read_table(file, page_checksum_verification=True)
        columns: dict[str, list[Any]] = table.to_pydict()
        notes = (table.schema.metadata or {}).get(b"ggp")
        # Other programs that write the table anew leave the notes out.
        told = json.loads(notes).get("columns") if notes else None
        missing = told and told.items() - {f.name: str(f.type) for f in table.schema}.items()
    except (OSError, ValueError, AttributeError, TypeError, arrow.ArrowException) as error:
        raise InputError(f"{file}: {error}", file=file) from None
    if missing:
        raise InputError(f"{file}: columns that it says it has are not there", file=file)
    return columns


def _read_csv(text: str, file: Path) -> dict[str, list[Any]]:
    if not text.endswith(("\n", "\r")):
        raise InputError(f"{file}: the last line has no end: the file was cut off", file=file)
    rows = csv.reader(io.StringIO(text, newline=""))
    try:
        names = next(rows, [])
        listed = list(rows)
    except csv.Error as error:
        raise InputError(f"{file}: {error}", file=file) from None
    if len(set(names)) < len(names) or any(len(row) != len(names) for row in listed):
        raise InputError(
            f"{file}: rows of different lengths, or two columns of one name", file=file
        )
    found: dict[str, list[Any]] = {}
    for i, name in enumerate(names):
        read = _number if name.startswith("goal ") or name in _NUMBERS else str
        try:
            found[name] = [read(row[i]) if row[i] else None for row in listed]
        except ValueError as error:
            raise InputError(f"{file}: column {name}: {error}", file=file) from None
    return found


_NUMBERS = (NUMBER, "distance", "nim_value")


def _number(text: str) -> float:
    value = float(text)
    return int(value) if value.is_integer() else value
