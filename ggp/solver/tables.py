"""Tables of solved positions: written as columns for other programs, and read back.

A column for each proved group of fluents (`(heap 1 ?)` holds what stands in the place of `?`, or
nothing where none of the group holds), and one for each other fluent (1 or 0); then whose turn it
is, the scores under best play, the result, the distance to the end, and best moves. The names of
the columns say what fluents they stand for, so that a state can be looked up again.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.errors import InputError, UnknownName
from ggp.game import Game, State
from ggp.ground import Group
from ggp.kif import Term, read_terms
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.solver.counts import DRAW, NOBODY, UNKNOWN, Enumerated, enumerated, turns, winners
from ggp.solver.graph import ENDS, OPEN
from ggp.whole import replaced

HOLE = Term("?")
"""In the name of a column: where the fluents of its group differ."""

SUFFIXES = (".csv", ".parquet")
"""What files of tables are called."""

FORMAT = "ggp-tablebase/1"
"""The version of the columns; in the metadata of a Parquet file."""

NUMBER = "position"
"""The first column, by which files are known as well."""

RESERVED = (NUMBER, "turn", "result", "distance", "nim_value", "best")
"""Names of columns of their own; a fluent of such a name gets a number."""

CHUNK = 1 << 16
"""Positions whose columns are made together."""

_NUMBERED = re.compile(r" #\d+$")
"""What tells columns of one name apart."""

ENDLESS = "endless"
"""The result where best play never ends."""


@dataclass(frozen=True)
class Column:
    """The fluents of one column: `fluents` (indices) with the `texts` that tell them apart.

    `name` has a hole for each argument in which they differ. A fluent by itself has the text `1`.
    """

    name: str
    fluents: tuple[int, ...]
    texts: tuple[str, ...]

    def values(self, held: NDArray[np.bool_]) -> NDArray[Any]:
        """The text for each state, given which fluents hold there (n, fluents)."""
        own = held[:, list(self.fluents)]
        if len(self.fluents) == 1:
            return own[:, 0].astype(np.int8)
        texts = np.array([*self.texts, None], dtype=object)
        return np.asarray(texts[np.where(own.any(axis=1), own.argmax(axis=1), len(self.texts))])


def columns(game: Game, held: NDArray[np.bool_]) -> list[Column]:
    """The columns of some states: proved groups of which in each no more than one fluent holds,
    and the other fluents; named by what they have in common."""
    fluents = game.net.fluents
    groups = [g for g in game.groups if (held[:, list(g.fluents)].sum(axis=1) <= 1).all()]
    inside = {f for group in groups for f in group.fluents}
    single = [Group((f,), exact=False) for f in range(len(fluents)) if f not in inside]
    found = [_column(g.fluents, [fluents[f] for f in g.fluents]) for g in [*groups, *single]]
    return sorted(found, key=lambda column: column.fluents)


def _column(fluents: Sequence[int], terms: Sequence[Term]) -> Column:
    first = terms[0]
    if len(terms) == 1:
        return Column(str(first), tuple(fluents), ("1",))
    if any((t.name, t.arity) != (first.name, first.arity) for t in terms):
        return Column(str(HOLE), tuple(fluents), tuple(map(str, terms)))
    places = [i for i in range(first.arity) if len({t.args[i] for t in terms}) > 1]
    pattern = Term(first.name, tuple(HOLE if i in places else a for i, a in enumerate(first.args)))
    texts = (" ".join(str(t.args[i]) for i in places) for t in terms)
    return Column(str(pattern), tuple(fluents), tuple(texts))


def write_table(
    file: Path,
    game: Game,
    starts: Sequence[State] = (),
    *,
    misere: bool = False,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> int:
    """Write every position that play from `starts` comes to, solved, and say how many there are.

    As Parquet (needs pyarrow, the extra `ggp[table]`) or CSV, by the file's suffix. Nothing is left
    behind where it cannot be finished. Raises `InputError` for another suffix or without pyarrow,
    `LimitReached` where the budget is spent, and what solving raises.
    """
    make = _writer(file)
    budget = budget or Budget(game.limits)
    with game.within(budget):
        table = _Table(enumerated(game, starts, misere, budget, progress))
        try:
            with replaced(file) as place:
                make(place, table, budget)
        except OSError as error:
            raise InputError(f"{file}: {error.strerror or error}", file=file) from error
    return len(table)


class _Table:
    """The columns of an enumeration, some positions at a time."""

    def __init__(self, found: Enumerated) -> None:
        self.game = found.positions.game
        self._texts: dict[tuple[int, int], str] = {}
        self.space, self.part = found.solution.first_part
        self.nim_values = found.nim_values
        self.turn = turns(found.positions, found.solution)
        self.winner = winners(found.solution)
        held = self._held(0, len(self.space))
        self.columns = columns(self.game, held)
        players = self.game.players
        self.names = [
            NUMBER,
            *self._distinct(),
            "turn",
            *(f"goal {player}" for player in players),
            "result",
            "distance",
            *(["nim_value"] if self.nim_values is not None else []),
            "best",
        ]

    def __len__(self) -> int:
        return len(self.space)

    def _held(self, start: int, stop: int) -> NDArray[np.bool_]:
        return self.space.machine.coding.held(self.space.rows[start:stop])

    def _distinct(self) -> list[str]:
        """The names of the columns of fluents; those that are alike get a number."""
        found: list[str] = []
        for column in self.columns:
            if column.name in RESERVED:
                found.append(f"{column.name} #1")
                continue
            count = sum(_NUMBERED.sub("", name) == column.name for name in found)
            found.append(f"{column.name} #{count + 1}" if count else column.name)
        return found

    def parts(self, budget: Budget) -> Iterator[list[Sequence[Any]]]:
        """The values of all columns, position by position in the order of discovery."""
        for start in range(0, len(self), CHUNK):
            budget.check(f"{start:,} of {len(self):,} positions written")
            yield self._part(start, min(start + CHUNK, len(self)))

    def _part(self, start: int, stop: int) -> list[Sequence[Any]]:
        values, players = self.part.values, [*self.game.players, None]
        held = self._held(start, stop)
        status = values.status[start:stop]
        payoff = values.payoff[start:stop]
        turn = self.turn[start:stop]
        ended = status == ENDS
        rank = values.rank[start:stop].max(axis=1)
        known = ended & (rank >= 0)
        made: list[Sequence[Any]] = [list(range(start, stop))]
        made += [column.values(held).tolist() for column in self.columns]
        made.append([players[i] for i in turn.tolist()])
        for i in range(payoff.shape[1]):
            made.append(_or_none(payoff[:, i].tolist(), ended))
        made.append(self._results(start, stop))
        made.append(_or_none(rank.tolist(), known))
        if self.nim_values is not None:
            made.append(self.nim_values[start:stop].tolist())
        made.append(self._best(start, stop))
        return made

    def _results(self, start: int, stop: int) -> list[str | None]:
        names = {DRAW: "draw", NOBODY: None, UNKNOWN: "depends"}
        names.update(enumerate(self.game.players))
        status = self.part.values.status[start:stop].tolist()
        found = []
        for winner, how in zip(self.winner[start:stop].tolist(), status, strict=True):
            found.append(names[winner] if how == ENDS else None if how == OPEN else ENDLESS)
        return found

    def _best(self, start: int, stop: int) -> list[str]:
        """The best moves of each position, sorted by their text, with `; ` between them."""
        space, part, game = self.space, self.part, self.game
        edges = part.all_best_edges(start, stop)
        source = part.graph.source[edges]
        roles = np.array(game.player_indices)[part.graph.mover[source]]
        made = space.joint[part.edge[edges], roles]
        found: list[set[str]] = [set() for _ in range(start, stop)]
        for place, role, move in zip(source.tolist(), roles.tolist(), made.tolist(), strict=True):
            found[place - start].add(self._text(role, move))
        return ["; ".join(sorted(moves)) for moves in found]

    def _text(self, role: int, move: int) -> str:
        if (role, move) not in self._texts:
            self._texts[role, move] = str(self.game.evaluator.move(role, move))
        return self._texts[role, move]


def _or_none(values: list[Any], known: NDArray[np.bool_]) -> list[Any]:
    return [v if k else None for v, k in zip(values, known.tolist(), strict=True)]


def require_format(file: Path) -> None:
    """Raise `InputError`, as `write_table` would, for a file that no table can be written to."""
    _writer(file)


def _writer(file: Path) -> Any:  # noqa: ANN401 - one of two functions of the same shape
    if file.suffix == ".csv":
        return _write_csv
    if file.suffix == ".parquet":
        _pyarrow()
        return _write_parquet
    raise InputError(f"{file}: a table is written as {' or '.join(SUFFIXES)}", file=file)


def _pyarrow() -> Any:  # noqa: ANN401 - a module that says nothing of its types
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError("Parquet needs pyarrow: pip install 'ggp[table]'") from None
    return pyarrow


def _write_csv(file: Path, table: _Table, budget: Budget) -> None:
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(table.names)
        for part in table.parts(budget):
            writer.writerows(zip(*part, strict=True))


def _write_parquet(file: Path, table: _Table, budget: Budget) -> None:
    arrow = _pyarrow()
    kinds = [arrow.int64()]
    kinds += [arrow.int8() if len(c.fluents) == 1 else arrow.string() for c in table.columns]
    kinds += [arrow.string(), *[arrow.float64()] * len(table.game.players), arrow.string()]
    kinds += [arrow.int32(), *([arrow.int16()] if "nim_value" in table.names else [])]
    kinds.append(arrow.string())
    notes = {
        "ggp": json.dumps(
            {
                "format": FORMAT,
                "game": table.game.name,
                "sha256": table.game.rules.digest,
                "roles": list(table.game.roles),
            }
        )
    }
    schema = arrow.schema(list(zip(table.names, kinds, strict=True)), metadata=notes)
    with arrow.parquet.ParquetWriter(file, schema) as out:
        for part in table.parts(budget):
            arrays = [arrow.array(v, type=k) for v, k in zip(part, kinds, strict=True)]
            out.write_table(arrow.table(arrays, schema=schema))


class Tablebase:
    """A table of solved positions that was read: `columns` by name, all of one length.

    `tablebase(FILE)` reads one; `len()` says how many positions there are.
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]]) -> None:
        missing = [n for n in (NUMBER, "turn", "result", "best") if n not in columns]
        if missing:
            raise InputError(f"no table of positions: there is no column {missing[0]}")
        self.columns = dict(columns)
        names = list(self.columns)
        self._of_state = names[1 : names.index("turn")]
        self._place: dict[tuple[Any, ...], int] | None = None
        self._meaning: dict[str, tuple[int, Any]] = {}

    def __len__(self) -> int:
        return len(self.columns[NUMBER])

    def __repr__(self) -> str:
        return f"<Tablebase: {len(self):,} positions, {len(self._of_state)} columns of state>"

    def facts(self, place: int) -> frozenset[str]:
        """The facts of the position in a row."""
        return frozenset(
            fact
            for name in self._of_state
            if (fact := _fact(name, self.columns[name][place])) is not None
        )

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
        facts = position.facts if isinstance(position, State) else position
        wanted = frozenset(str(_term(fact)) for fact in facts)
        place = self._find(wanted)
        if place is None:
            raise UnknownName(f"no position of the table: {' '.join(sorted(wanted))}")
        return self.row(place)

    def _find(self, facts: frozenset[str]) -> int | None:
        """The row of a position, by the values that its facts are in the columns."""
        if self._place is None:
            listed = [self.columns[name] for name in self._of_state]
            self._place = {row: i for i, row in enumerate(zip(*listed, strict=True))}
            for i, (name, values) in enumerate(zip(self._of_state, listed, strict=True)):
                for value in set(values):
                    fact = _fact(name, value)
                    if fact is not None:
                        self._meaning[fact] = i, value
        if not facts <= self._meaning.keys():
            return None
        # Where nothing of a column holds it has what it has in a row without it.
        wanted = [_nothing(name, self.columns[name]) for name in self._of_state]
        held = [self._meaning[fact] for fact in facts]
        if len({i for i, _ in held}) < len(held):
            return None  # two facts of which no position has both
        for i, value in held:
            wanted[i] = value
        return self._place.get(tuple(wanted))


def _term(fact: Term | str) -> Term:
    if isinstance(fact, Term):
        return fact
    terms = read_terms(fact, "a fact")
    if len(terms) != 1:
        raise UnknownName(f"{fact!r} is not one fact")
    return terms[0]


def _nothing(name: str, values: Sequence[Any]) -> Any:  # noqa: ANN401
    """What stands in the column of this name where none of its fluents holds."""
    return None if _is_group(name) else next((v for v in values if not int(v)), None)


def _is_group(name: str) -> bool:
    """Whether a column is of several fluents, so that its name has holes."""
    [pattern] = read_terms(_NUMBERED.sub("", name), "a column")
    return HOLE in (pattern, *pattern.args)


def _fact(name: str, value: Any) -> str | None:  # noqa: ANN401
    """The fact that a value stands for in the column of this name."""
    name = _NUMBERED.sub("", name)
    if value is None or value == "":
        return None
    if name == str(HOLE):
        return str(value)
    if not _is_group(name):
        return name if int(value) else None
    [pattern] = read_terms(name, "a column")
    parts = iter(read_terms(str(value), "a column"))
    return str(Term(pattern.name, tuple(next(parts) if a == HOLE else a for a in pattern.args)))


def tablebase(file: str | Path) -> Tablebase:
    """The table of positions in a file that `ggp solve --table` wrote.

    Raises `InputError` where it cannot be read or is no such table.
    """
    file = Path(file)
    if file.suffix == ".parquet":
        arrow = _pyarrow()
        try:
            return Tablebase(arrow.parquet.read_table(file).to_pydict())
        except (OSError, arrow.ArrowException) as error:
            raise InputError(f"{file}: {error}", file=file) from None
    if file.suffix != ".csv":
        raise InputError(f"{file}: a table is read from {' or '.join(SUFFIXES)}", file=file)
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: {error}", file=file) from None
    return Tablebase(_read_csv(text, file))


def _read_csv(text: str, file: Path) -> dict[str, list[Any]]:
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
