"""Packed layers as Parquet files, one for each part, that are looked up without being loaded.

The positions of each file stand in the order of their ranks and keys, so that of a file no more is
read than the row group that a position falls into (`reading`). For other programs there are columns
that can be read: what holds, whose turn it is, goals, the result.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ggp.errors import InputError, NotSolvable
from ggp.limits import Budget
from ggp.machine import Field, Rows
from ggp.solver.columns import Column, column_of, distinct_names, pyarrow_or_error
from ggp.solver.layers.division import Division, Traffic
from ggp.solver.layers.induction import Near
from ggp.solver.layers.keys import unmixed
from ggp.solver.layers.leading import Leading
from ggp.solver.layers.moving import Looking, Moving
from ggp.solver.layers.turning import Turning
from ggp.whole import replaced

FORMAT = "ggp-tablebase/2"
"""The version of the columns and of the notes."""

FILES = re.compile(r"part-\d{5}-of-(\d{5})\.parquet")
"""What files of a table are called."""

HALF = ".ggp-"
"""What the names of files begin with that were not finished."""

GROUP = 1 << 16
"""Positions of a row group."""

MOVES = "moves"
"""The column, and what the notes have, of tables of games whose play may not end."""

DISTANCE, BEST = "distance", "best"
"""Columns, and what the notes have, of tables of one part: of what moves lead to all is known."""

Notes = dict[str, Any]
"""What is written of the table in each file: the game, how positions are packed, scores."""


@runtime_checkable
class Far(Protocol):
    """Layers that are elsewhere, and are written from there."""

    @property
    def traffic(self) -> Traffic:
        """What was sent between the parts."""

    def write(self, folder: Path, notes: Notes) -> int:
        """Write a file for each part; how many positions there are."""


def file_name(number: int, parts: int) -> str:
    """What the file of a part is called."""
    return f"part-{number:05d}-of-{parts:05d}.parquet"


def require_place(folder: Path, notes: Notes | None = None, *, rules: str | None = None) -> None:
    """Raise `InputError` for what is no folder, and cannot be made one, or has other files than
    those of a table: given its notes of this very table, or the fingerprint of rules of a table of
    these. They are written anew."""
    known = _without_parts(notes or {})
    try:
        for path in folder.iterdir():
            if path.name.startswith(HALF):
                continue
            is_own = FILES.fullmatch(path.name) is not None
            if is_own and (notes or rules):
                told = _notes(path) or {}
                is_own = told.get("rules") == rules if rules else told == known
            if not is_own:
                raise InputError(f"{folder}: not empty: a table is written to a folder of its own")
    except FileNotFoundError:
        try:
            folder.mkdir()
            folder.rmdir()
        except OSError as error:
            raise InputError(f"{folder}: {error.strerror or error}") from None
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror or error}") from None


def _without_parts(notes: Notes) -> Notes:
    """Notes but for what is another in tables of several parts."""
    own = ("part", "parts", DISTANCE, BEST)
    return {name: value for name, value in notes.items() if name not in own}


def _notes(path: Path) -> Notes | None:
    """The notes of a file but for its part, see `_without_parts`; None of what cannot be read."""
    arrow = pyarrow_or_error()
    try:
        told = json.loads(arrow.parquet.read_schema(path).metadata[b"ggp"])
        return _without_parts(told)
    except (OSError, KeyError, TypeError, ValueError, AttributeError, arrow.ArrowException):
        return None


def notes_of(
    moving: Looking,
    weights: Mapping[int, int],
    scores: Sequence[int],
    total: int | None,
    swapped: bool,
) -> Notes:
    """The notes on a game that is solved, whose positions have ranks by weights of fluents."""
    game, coding = moving.game, moving.machine.coding
    return {
        "format": FORMAT,
        "game": game.name,
        "rules": game.rules.fingerprint,
        "roles": list(game.roles),
        "players": list(game.players),
        "misere": swapped,
        "fluents": list(map(str, game.net.fluents)),
        "fields": [[f.first, f.width, list(map(list, f.codes))] for f in coding.fields],
        "weights": sorted(weights.items()),
        "symmetries": [list(p) for p in moving.images.permutations] if moving.images else [],
        "scores": list(scores),
        "total": total,
    }


def write_part(
    folder: Path,
    layers: Mapping[int, Near],
    moving: Moving,
    division: Division,
    number: int,
    notes: Notes,
    budget: Budget,
) -> int:
    """Write the file of one part, whole or not at all; how many positions there are.

    Raises `InputError` where it cannot be written, or without pyarrow.
    """
    arrow = pyarrow_or_error()
    path = folder / file_name(number, division.parts)
    told = {**notes, "part": number, "parts": division.parts}
    shape = Shape(arrow, moving, notes)
    leading = None
    if BEST in notes:
        scores, total = notes["scores"], notes["total"]
        leading = Leading(arrow, moving, layers, scores, total, budget, folder)
    groups = (
        shape.arrays(ranks, division.whole(keys, number), codes, more=more)
        for ranks, keys, codes, *more in _groups(layers, leading)
    )
    return write_groups(path, shape.fields, groups, told, budget)


def write_groups(
    path: Path,
    fields: Sequence[tuple[str, Any]],
    groups: Iterable[Sequence[Any]],
    notes: Notes,
    budget: Budget,
) -> int:
    """Write row groups, each given by its columns, to a file, whole or not at all; how many rows
    there are. Raises `InputError`, `LimitReached`."""
    arrow = pyarrow_or_error()
    schema = arrow.schema(list(fields), metadata={"ggp": json.dumps(notes)})
    count = 0
    try:
        # On another machine the folder may not be there yet.
        path.parent.mkdir(parents=True, exist_ok=True)
        with replaced(path) as place, _writer(arrow, place, schema) as out:
            for arrays in groups:
                budget.check(f"{count:,} positions written")
                table = arrow.table(arrays, schema=schema)
                out.write_table(table, row_group_size=GROUP)
                count += len(table)
    except OSError as error:
        raise InputError(f"{os.fspath(path)}: {error.strerror or error}") from None
    return count


def _writer(arrow: Any, place: Path, schema: Any) -> Any:  # noqa: ANN401
    """With sums of its pages, so that what was damaged is not answered from."""
    return arrow.parquet.ParquetWriter(place, schema, write_page_checksum=True)


def _groups(layers: Mapping[int, Near], leading: Leading | None) -> Iterator[tuple[Any, ...]]:
    """Ranks, keys and codes in the order of ranks and keys, and distances and best moves if they
    are told, a row group at a time."""
    waiting: list[tuple[Any, ...]] = []
    held = 0
    for rank in sorted(layers):
        layer = layers[rank].sorted()
        start = 0
        while start < len(layer):
            stop = min(len(layer), start + GROUP - held)
            ranks = np.full(stop - start, rank, dtype=np.int32)
            keys, codes = layer.keys[start:stop], layer.values[start:stop]
            more = leading(rank, keys, codes) if leading else ()
            waiting.append((ranks, keys, codes, *more))
            held += stop - start
            start = stop
            if held == GROUP:
                yield _joined(waiting)
                waiting, held = [], 0
    if held:
        yield _joined(waiting)


def _joined(waiting: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    ranks, keys, codes, *more = zip(*waiting, strict=True)
    arrays = map(np.concatenate, (ranks, keys, codes))
    if not more:
        return tuple(arrays)
    distances, best = more
    return (*arrays, np.concatenate(distances), pyarrow_or_error().concat_arrays(best))


@dataclass(frozen=True)
class _State:
    """A column of what holds: the bits of a field, and what its codes stand for."""

    field: Field
    column: Column

    @property
    def is_single(self) -> bool:
        """Whether it is of one fluent."""
        return len(self.field.codes) == 1


class Shape:
    """The columns of a table."""

    def __init__(self, arrow: Any, moving: Looking, notes: Notes) -> None:  # noqa: ANN401
        self._arrow, self._moving = arrow, moving
        game = moving.game
        self._players = game.players
        self._scores = np.array(notes["scores"] or [0], dtype=np.int64)
        self._total = notes["total"]
        terms = game.net.fluents
        states = [
            _State(f, column_of([n for n, _ in f.codes], [terms[n] for n, _ in f.codes]))
            for f in moving.machine.coding.fields
        ]
        self._states = sorted(states, key=lambda state: state.column.fluents)
        try:
            self._turning: Turning | None = Turning(game)
        except NotSolvable:
            self._turning = None
        keys = [f"key_{k}" for k in range(moving.machine.coding.words)]
        text = arrow.dictionary(arrow.int32(), arrow.string())
        names = distinct_names(
            [state.column.name for state in self._states],
            (
                *("rank", *keys, "turn", "result", MOVES, DISTANCE, BEST),
                *(f"goal {p}" for p in self._players),
            ),
        )
        self.fields = [
            ("rank", arrow.int32()),
            *((key, arrow.uint64()) for key in keys),
            *(
                (name, arrow.int8() if state.is_single else text)
                for name, state in zip(names, self._states, strict=True)
            ),
            ("turn", text),
            *((f"goal {player}", arrow.int16()) for player in self._players),
            ("result", text),
            *([(MOVES, arrow.int32())] if MOVES in notes else []),
            *([(DISTANCE, arrow.int32())] if DISTANCE in notes else []),
            *([(BEST, arrow.string())] if BEST in notes else []),
        ]

    def arrays(
        self,
        ranks: NDArray[np.int32],
        keys: Rows,
        codes: NDArray[np.uint8],
        is_endless: NDArray[np.bool_] | None = None,
        moves: NDArray[np.int32] | None = None,
        more: Sequence[Any] = (),
    ) -> list[Any]:
        """The columns of some positions, whose keys are as they are among all.

        Where best play may not end: whether it does, and in how many moves somebody can force what
        they get (-1: nobody can). `more`: the last columns.
        """
        arrow, rows = self._arrow, unmixed(keys)
        made = [arrow.array(ranks), *(arrow.array(keys[:, k]) for k in range(keys.shape[1]))]
        made += [self._state(state, rows) for state in self._states]
        _, looked = self._moving.look(rows)
        turn = np.full(len(rows), -1, dtype=np.int8)
        if self._turning:
            turn = self._turning(rows, looked.mover)
        made.append(self._texts(turn, self._players))
        first = self._scores[codes]
        goals = [first] if self._total is None else [first, self._total - first]
        made += [arrow.array(goal.astype(np.int16), mask=is_endless) for goal in goals]
        result = np.full(len(rows), -1)
        if len(goals) == 2:
            result = np.where(goals[0] == goals[1], 2, (goals[1] > goals[0]).astype(np.int64))
        if is_endless is not None:
            result[is_endless] = len(goals) + 1
        made.append(self._texts(result, (*self._players, "draw", "endless")))
        if moves is not None:
            made.append(arrow.array(moves, mask=moves < 0))
        return [*made, *map(arrow.array, more)]

    def _state(self, state: _State, rows: Rows) -> Any:  # noqa: ANN401
        own = field_of(state.field, rows)
        if state.is_single:
            return self._arrow.array((own == state.field.codes[0][1]).astype(np.int8))
        number = np.full(1 << state.field.width, -1, dtype=np.int32)
        for i, (_, code) in enumerate(state.field.codes):
            number[code] = i
        return self._texts(number[own], state.column.texts)

    def _texts(self, numbers: NDArray[Any], texts: Sequence[str]) -> Any:  # noqa: ANN401
        """Texts by number, none for negative ones."""
        arrow = self._arrow
        places = arrow.array(numbers.astype(np.int32), mask=numbers < 0)
        return arrow.DictionaryArray.from_arrays(places, arrow.array(list(texts), arrow.string()))


def field_of(field: Field, rows: Rows) -> NDArray[np.int64]:
    """The number that a field holds in each row."""
    if not field.width:
        return np.zeros(len(rows), dtype=np.int64)
    word, shift = field.first >> 6, field.first & 63
    found = rows[:, word] >> np.uint64(shift)
    if shift + field.width > 64:
        found = found | rows[:, word + 1] << np.uint64(64 - shift)
    return (found & np.uint64((1 << field.width) - 1)).astype(np.int64)
