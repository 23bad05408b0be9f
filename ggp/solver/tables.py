"""Tables of solved positions, written as columns for other programs; `lookup` reads them back.

A column for each proved group of fluents (`(heap 1 ?)` holds what stands in the place of `?`, or
nothing where none of the group holds), and one for each other fluent (1 or 0); then whose turn it
is, the scores under best play, the result, the distance to the end, and best moves. The names of
the columns say what fluents they stand for, so that a state can be looked up again.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.errors import InputError
from ggp.game import Game, State
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.solver.at_once import AtOnceTable
from ggp.solver.columns import distinct_names, polars_or_error, pyarrow_or_error, states_as_columns
from ggp.solver.counts import DRAW, NOBODY, UNKNOWN, solved, turns, winners
from ggp.solver.enumerated import GameSolution
from ggp.solver.graph import ENDS, OPEN
from ggp.solver.lengths import lengths
from ggp.whole import replaced

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

ENDLESS = "endless"
"""The result where best play never ends."""


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
        table = _table(game, starts, misere, budget, progress)
        try:
            with replaced(file) as place:
                make(place, table, budget)
        except OSError as error:
            raise InputError(f"{file}: {error.strerror or error}", file=file) from error
    return len(table)


def frame(solution: GameSolution, budget: Budget | None = None) -> Any:  # noqa: ANN401 - a frame
    """The frame of `GameSolution.polars`, which says what it takes and raises."""
    polars = polars_or_error()
    table = _Table(solution)
    kinds = [polars.Int64]
    kinds += [polars.Int8 if len(c.fluents) == 1 else polars.String for c in table.columns]
    kinds += [polars.String, *[polars.Float64] * len(table.game.players), polars.String]
    nim = polars.Int16 if _are_small(table.nim_values) else polars.Int32
    kinds += [polars.Int32, *([nim] if table.nim_values is not None else [])]
    schema = dict(zip(table.names, [*kinds, polars.String], strict=True))
    parts = table.parts(budget or Budget(table.game.limits))
    made = [polars.DataFrame(dict(zip(schema, p, strict=True)), schema=schema) for p in parts]
    return polars.concat(made)


def _table(
    game: Game,
    starts: Sequence[State],
    misere: bool,
    budget: Budget,
    progress: Progress | None,
) -> _Table | AtOnceTable:
    found = solved(game, starts, misere, budget, progress)
    if isinstance(found, GameSolution):
        return _Table(found)
    return AtOnceTable(found, NUMBER, RESERVED)


class _Table:
    """The columns of an enumeration, some positions at a time."""

    def __init__(self, solution: GameSolution) -> None:
        self.game, self.nim_values = solution.game, solution.nim_values
        self._texts: dict[tuple[int, int], str] = {}
        self.space, self.part = solution.first_part
        self.turn, self.winner = turns(solution), winners(solution)
        graph, self._lengths = self.part.graph, None
        if graph.payoff.shape[1] == 2 and graph.is_zero_sum and not graph.has_chance:
            self._lengths = lengths(graph, self.part.values)
        held = self._held(0, len(self.space))
        self.columns = states_as_columns(self.game, held)
        players = self.game.players
        self.names = [
            NUMBER,
            *distinct_names([column.name for column in self.columns], RESERVED),
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
        rank = self._moves_left(start, stop)
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
        best = self._best(start, stop)
        # Where nobody has a choice, and nothing tells whose turn it is, there is nothing to choose.
        made.append([moves if t >= 0 else "" for moves, t in zip(best, turn.tolist(), strict=True)])
        return made

    def _moves_left(self, start: int, stop: int) -> NDArray[np.int32]:
        """The moves to the end, -1 where they are not known: those of best play where somebody
        wins, or the greater of what either needs to force an end at least as good."""
        needed, winner = self.part.values.rank[start:stop], self.winner[start:stop]
        if self._lengths is not None:
            return np.where(winner >= 0, self._lengths[start:stop], needed.max(axis=1))
        own = needed[np.arange(len(needed)), np.clip(winner, 0, needed.shape[1] - 1)]
        return np.where(winner >= 0, own, needed.max(axis=1))

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
        pyarrow_or_error()
        return _write_parquet
    raise InputError(f"{file}: a table is written as {' or '.join(SUFFIXES)}", file=file)


def _write_csv(file: Path, table: _Table | AtOnceTable, budget: Budget) -> None:
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(table.names)
        for part in table.parts(budget):
            writer.writerows(zip(*part, strict=True))


def _are_small(nim_values: NDArray[np.int32] | None) -> bool:
    """Whether sixteen bits are enough for each."""
    return nim_values is None or not len(nim_values) or bool(nim_values.max() < 1 << 15)


def _write_parquet(file: Path, table: _Table | AtOnceTable, budget: Budget) -> None:
    arrow = pyarrow_or_error()
    kinds = [arrow.int64()]
    kinds += [arrow.int8() if len(c.fluents) == 1 else arrow.string() for c in table.columns]
    kinds += [arrow.string(), *[arrow.float64()] * len(table.game.players), arrow.string()]
    nim = arrow.int16() if _are_small(table.nim_values) else arrow.int32()
    kinds += [arrow.int32(), *([nim] if "nim_value" in table.names else [])]
    kinds.append(arrow.string())
    notes = {
        "ggp": json.dumps(
            {
                "format": FORMAT,
                "game": table.game.name,
                "sha256": table.game.rules.digest,
                "roles": list(table.game.roles),
                "columns": dict(zip(table.names, map(str, kinds), strict=True)),
            }
        )
    }
    schema = arrow.schema(list(zip(table.names, kinds, strict=True)), metadata=notes)
    # Sums of its pages: what was damaged is not answered from.
    with arrow.parquet.ParquetWriter(file, schema, write_page_checksum=True) as out:
        for part in table.parts(budget):
            arrays = [arrow.array(v, type=k) for v, k in zip(part, kinds, strict=True)]
            out.write_table(arrow.table(arrays, schema=schema))
