"""Runs of a player's moves: as text, as rows for other programs, and as a picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ggp.errors import InputError
from ggp.kif import Term
from ggp.show.pictures import Alt, Picture, literal, require_pictures
from ggp.solver.runs import Runs
from ggp.text import number, numbers_first, plain

LISTED = 10
"""Moves that a text lists of each number, where they lie on no board."""

MAX_SIDE = 100
"""Places along a side of a board."""

Board = tuple[list[str], list[str], dict[tuple[str, str], int]]
"""The names of rows and columns, and how often a move is made at each place."""


def runs_text(found: Runs) -> str:
    """For each number of a move how often which move is made; on a board, where they lie on one."""
    kept = "no end in reach" if found.promise is None else f"at least {number(found.promise)}"
    endless = " or play without end" if found.may_be_endless and found.promise is not None else ""
    lines = [f"Moves by which {found.player} keeps {kept}{endless}"]
    places = _places(found)
    for k, counts in enumerate(found.counts, 1):
        total = sum(counts.values())
        lines.append(f"move {k} (plays: {total:,}, different moves: {len(counts):,})")
        if not total:
            continue
        if places:
            lines += _board_lines(_board(counts, places, found))
        else:
            shown = list(counts.items())[:LISTED]
            width = max(len(str(move)) for move, _ in shown)
            lines += [
                f"  {move!s:<{width}} {count:>{len(f'{total:,}')},} {count / total:>4.0%}"
                for move, count in shown
            ]
            if len(counts) > LISTED:
                lines.append(f"  and {len(counts) - LISTED:,} more")
    return "\n".join(map(plain, lines))


def runs_csv(found: Runs) -> str:
    """A line for each number of a move and each move: in how many plays it is made."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["number", "move", "plays"])
    for k, counts in enumerate(found.counts, 1):
        writer.writerows([k, str(move), count] for move, count in counts.items())
    return out.getvalue()


def draw_runs(file: Path, found: Runs, title: str) -> None:
    """A picture: for each number of a move the board, the darker the more often it is made there.

    Raises `InputError` without matplotlib, and where moves lie on no board.
    """
    require_pictures()
    places = _places(found)
    if not places:
        raise InputError(
            f"{file}: moves with one or two arguments that differ can be drawn, "
            f"up to {MAX_SIDE} of each"
        )
    count = len(found.counts)
    plays = [
        f"move {k}: {sum(counts.values()):,} plays" for k, counts in enumerate(found.counts, 1)
    ]
    alt = Alt(f"{title}: {found.player}", "; ".join(plays))
    size = (3.2 * count + 0.6, 3.6)
    Picture(lambda figure: _paint(figure, found, places, plays, alt.title), size, alt).save(file)


def _paint(
    figure: Any,  # noqa: ANN401 - of a library without types
    found: Runs,
    places: list[int],
    plays: list[str],
    title: str,
) -> None:
    for k, counts in enumerate(found.counts):
        rows, columns, held = _board(counts, places, found)
        axes = figure.add_subplot(1, len(plays), k + 1)
        values = [[held.get((row, column), 0) for column in columns] for row in rows]
        # Plays may be more than a picture's numbers hold.
        most = max(max(map(max, values)), 1)
        shares = [[value / most for value in row] for row in values]
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
        axes.set_xticks(range(len(columns)), [literal(name) for name in columns], fontsize=7)
        axes.set_yticks(range(len(rows)), [literal(name) for name in rows], fontsize=7)
        axes.set_title(plays[k], fontsize=9)
    figure.suptitle(literal(title), fontsize=10)


def _places(found: Runs) -> list[int] | None:
    """The arguments of moves that say where on a board they are made: of moves of one name, one or
    two that differ, with `MAX_SIDE` values each at the most."""
    moves = [move for counts in found.counts for move in counts]
    names = {(move.name, len(move.args)) for move in moves}
    if len(names) != 1:
        return None
    [(_, arity)] = names
    values = [{move.args[i] for move in moves} for i in range(arity)]
    differ = [i for i, own in enumerate(values) if len(own) > 1]
    is_board = len(differ) in (1, 2) and max(map(len, values)) <= MAX_SIDE
    return differ if is_board else None


def _board(counts: Mapping[Term, int], differ: list[int], found: Runs) -> Board:
    every = [move for own in found.counts for move in own]
    names = [sorted({str(move.args[i]) for move in every}, key=numbers_first) for i in differ]
    held: dict[tuple[str, str], int] = {}
    for move, count in counts.items():
        at = [str(move.args[i]) for i in differ]
        key = (at[0], at[1]) if len(at) == 2 else ("", at[0])
        held[key] = held.get(key, 0) + count
    return (names[0], names[1], held) if len(names) == 2 else ([""], names[0], held)


def _board_lines(board: Board) -> list[str]:
    rows, columns, held = board
    cells = [[f"{held[r, c]:,}" if (r, c) in held else "." for c in columns] for r in rows]
    table = [["", *columns], *([row, *line] for row, line in zip(rows, cells, strict=True))]
    widths = [max(len(line[i]) for line in table) for i in range(len(columns) + 1)]
    return [
        "  "
        + " ".join(f"{text:>{width}}" for text, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    ]
