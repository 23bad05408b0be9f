"""Tables over many starts: as text, as rows for other programs, and as pictures."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ggp.errors import InputError
from ggp.show.pictures import Alt, Picture, literal, require_pictures
from ggp.solver.columns import polars_or_error
from ggp.solver.sweep import Axis, Cell
from ggp.text import number, plain
from ggp.theory.sequences import Form, closed_forms

MAX_PICTURE = 2_000
"""Values of each axis of a picture."""

DENSE, TENTH = 24, 10
"""Values across from which on answers of one letter stand side by side, with every tenth named."""

WHAT = ("outcome", "nim_value", "result", "goals", "best")
"""What a table can show of each start."""


def shown(cell: Cell, what: str) -> str:
    """One thing that is known of a start, as text; empty where it has no sense."""
    value: Any = getattr(cell, what)
    if value is None:
        return ""
    if what == "goals":
        return " ".join(number(goal) for goal in value.values())
    if what == "best":
        return "; ".join(value)
    return str(value)


def grid_text(cells: Sequence[Cell], axes: Sequence[Axis], what: str) -> str:
    """The last axis across, the one before it down, one grid for each combination of the others;
    draws are `=`."""
    if len(axes) == 1:
        return _lines([[axes[0].name, what]] + [[c.at[0], _short(c, what)] for c in cells])
    down, across = axes[-2:]
    size = len(down.values) * len(across.values)
    is_dense = all(len(_short(cell, what)) == 1 for cell in cells)
    parts = []
    for start in range(0, len(cells), size):
        block = cells[start : start + size]
        if len(axes) > 2:
            fixed = zip(axes[:-2], block[0].at, strict=False)
            parts.append(", ".join(f"{axis.name} = {value}" for axis, value in fixed))
        rows = [["", *across.values]]
        for i, value in enumerate(down.values):
            own = block[i * len(across.values) : (i + 1) * len(across.values)]
            rows.append([value, *(_short(cell, what) for cell in own)])
        parts.append(_dense(rows) if is_dense and len(across.values) > DENSE else _lines(rows))
    head = f"{down.name} down, {across.name} across: {what.replace('_', '-')}"
    return "\n".join([plain(head), *parts])


def _dense(rows: Sequence[Sequence[str]]) -> str:
    """Answers of one letter each side by side, with every tenth value above them."""
    margin = max(len(row[0]) for row in rows) + 1
    head = " " * margin
    for i, value in enumerate(rows[0][1:]):
        if i % TENTH == 0:
            head = head.ljust(margin + i) + value
    lines = [head, *(f"{row[0]:>{margin - 1}} {''.join(row[1:])}" for row in rows[1:])]
    return "\n".join(map(plain, lines))


def _short(cell: Cell, what: str) -> str:
    text = shown(cell, what)
    return "=" if text == "draw" else text or "."


def _lines(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = (
        " ".join(f"{plain(text):>{width}}" for text, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def grid_csv(cells: Sequence[Cell], axes: Sequence[Axis], players: Sequence[str]) -> str:
    """A line for each start: the value of each axis, and all that is known."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_names(axes, players))
    writer.writerows(_rows(cells, players))
    return out.getvalue()


def grid_frame(cells: Sequence[Cell], axes: Sequence[Axis], players: Sequence[str]) -> Any:  # noqa: ANN401
    """The table of `grid_csv` as a `polars.DataFrame`; an axis of integers is a column of integers,
    and one with the name of another column gets a number.

    Raises `InputError` where polars is not installed.
    """
    polars = polars_or_error()
    axis_kinds = [polars.Int64 if _are_integers(axis.values) else polars.String for axis in axes]
    kinds = [*axis_kinds, polars.String, polars.String, *[polars.Float64] * len(players)]
    kinds += [polars.Int64, polars.String]
    columns = list(zip(*_rows(cells, players), strict=True)) or [()] * len(kinds)
    for place, kind in enumerate(axis_kinds):
        if kind == polars.Int64:
            columns[place] = tuple(map(int, columns[place]))
    names = _names(axes, players)
    own = names[len(axes) :]
    names = [f"{axis.name} #1" if axis.name in own else axis.name for axis in axes] + own
    series = zip(names, columns, kinds, strict=True)
    return polars.DataFrame([polars.Series(name, held, kind) for name, held, kind in series])


def _names(axes: Sequence[Axis], players: Sequence[str]) -> list[str]:
    goals = [f"goal {player}" for player in players]
    return [*(axis.name for axis in axes), "outcome", "result", *goals, "nim_value", "best"]


def _rows(cells: Sequence[Cell], players: Sequence[str]) -> Iterator[list[Any]]:
    for cell in cells:
        own = [None if cell.goals is None else cell.goals[p] for p in players]
        values = [cell.outcome, cell.result, *own, cell.nim_value, shown(cell, "best")]
        yield [*cell.at, *values]


def sequences(cells: Sequence[Cell], axes: Sequence[Axis]) -> dict[str, tuple[int, list[int]]]:
    """Sequences of integers in a table, each with the index of its first term, if there are any.

    Over one axis of integers: the nim-values. Over two: for each value n of the first that has
    P-positions the least and the largest value a(n), b(n) of the second with which it is one; not
    where these lie at an edge of the table that others may lie beyond (a lower edge of 0 or 1 is
    taken to be where sizes begin). Where these are one, and both axes mean the same, also the
    pairs p(k), q(k) of values with which it is a P-position, the smaller one first, in order.
    """
    if not axes or any(not _is_run(axis.values) for axis in axes):
        return {}
    first = int(axes[0].values[0])
    if len(axes) == 1:
        values = [cell.nim_value for cell in cells]
        known = [value for value in values if value is not None]
        return {"nim-value": (first, known)} if len(known) == len(values) else {}
    if len(axes) > 2:
        return {}
    least, largest = [], []
    across = len(axes[1].values)
    for start in range(0, len(cells), across):
        own = [int(c.at[1]) for c in cells[start : start + across] if c.outcome == "P"]
        if not own:
            break
        least.append(min(own))
        largest.append(max(own))
    # Where the table ends it is not known how far the P-positions reach. Sizes begin at 0 or 1.
    begin, end = int(axes[1].values[0]), int(axes[1].values[-1])
    known_least = max((i + 1 for i, a in enumerate(least) if a == begin > 1), default=0)
    known_largest = next((i for i, b in enumerate(largest) if b == end), len(largest))
    found = {"a(n)": (first + known_least, least[known_least:])}
    found["b(n)"] = first, largest[:known_largest]
    found |= _pairs(cells, axes)
    return {name: pair for name, pair in found.items() if pair[1]}


def _pairs(cells: Sequence[Cell], axes: Sequence[Axis]) -> dict[str, tuple[int, list[int]]]:
    """The P-positions of two like axes as pairs p(k) <= q(k), where each value is in one at the
    most; as far as there is one for each value that is in none before. From 0, if that is with
    itself, and else counted from 1."""
    run = list(map(int, axes[0].values))
    if axes[0].values != axes[1].values or run[0] not in (0, 1):
        return {}
    places = [(int(cell.at[0]), int(cell.at[1])) for cell in cells if cell.outcome == "P"]
    partner = dict(places)
    if len(partner) < len(places) or any(partner.get(y) != x for x, y in places):
        return {}
    if all(x == y for x, y in places):
        return {}  # a(n) says as much
    smaller: list[int] = []
    for x in run:
        if x not in partner:
            break
        if partner[x] >= x:
            smaller.append(x)
    first = 0 if smaller[:1] == [0] == [partner.get(0)] else 1
    return {"p(k)": (first, smaller), "q(k)": (first, [partner[x] for x in smaller])}


def band(cells: Sequence[Cell], axes: Sequence[Axis]) -> str | None:
    """That the P-positions of a table over two axes are a band without holes, if it is so."""
    found = sequences(cells, axes)
    if not {"a(n)", "b(n)"} <= found.keys():
        return None
    (first, least), (begin, largest) = found["a(n)"], found["b(n)"]
    across, unknown = len(axes[1].values), first - begin
    if unknown >= len(largest):
        return None
    for row, (low, high) in enumerate(zip(least, largest[unknown:], strict=False), start=unknown):
        own = cells[row * across : (row + 1) * across]
        if {int(c.at[1]) for c in own if c.outcome == "P"} != {*range(low, high + 1)}:
            return None
    last = begin + len(largest) - 1
    names = f"{axes[1].name} is from a(n) to b(n), n being {axes[0].name}"
    return f"who is to move loses exactly where {names} (n from {first} to {last})"


def _are_integers(values: Sequence[str]) -> bool:
    return all(v.removeprefix("-").isdecimal() and v.isascii() for v in values)


def _is_run(values: Sequence[str]) -> bool:
    """Whether these are integers that follow each other."""
    if not _are_integers(values):
        return False
    numbers = list(map(int, values))
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def conjectures(cells: Sequence[Cell], axes: Sequence[Axis]) -> dict[str, list[Form]]:
    """Closed forms that fit the sequences of a table."""
    return {
        name: forms
        for name, (first, terms) in sequences(cells, axes).items()
        if (forms := closed_forms(terms, first, name))
    }


def draw_grid(
    file: Path, cells: Sequence[Cell], axes: Sequence[Axis], what: str, title: str
) -> None:
    """A picture of a table over two axes (or one): P-positions dark, or nim-values by colour.

    Raises `InputError` without matplotlib, and for tables that cannot be drawn.
    """
    require_pictures()
    if len(axes) > 2 or max(len(axis.values) for axis in axes) > MAX_PICTURE:
        why = f"a picture is of one or two axes of up to {MAX_PICTURE:,} values"
        raise InputError(f"{file}: {why}")
    size = (7.0, 7.0 if len(axes) > 1 else 2.0)
    name = f"{title}: {what.replace('_', '-')}"
    Picture(
        lambda figure: _paint(figure, cells, axes, what, name), size, _alt(cells, what, name)
    ).save(file)


def _alt(cells: Sequence[Cell], what: str, name: str) -> Alt:
    """How many starts have which answer."""
    kinds, values = _colours(cells, what)
    counts = Counter(values)
    told = ", ".join(f"{kind or 'none'}: {counts[i]:,}" for i, kind in enumerate(kinds))
    return Alt(name, f"{len(cells):,} starts; {told}")


def _paint(
    figure: Any,  # noqa: ANN401 - of a library without types
    cells: Sequence[Cell],
    axes: Sequence[Axis],
    what: str,
    name: str,
) -> None:
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    across = axes[-1]
    down = axes[-2] if len(axes) > 1 else None
    width = len(across.values)
    kinds, values = _colours(cells, what)
    rows = [values[i : i + width] for i in range(0, len(values), width)]
    axes_ = figure.add_subplot()
    if what == "nim_value":
        palette = colormaps["viridis"].resampled(max(2, len(kinds)))
    else:
        palette = ListedColormap([_COLOUR.get(kind, "#bbbbbb") for kind in kinds])
    edge = max(1, len(kinds)) - 0.5
    image = axes_.imshow(
        rows, cmap=palette, vmin=-0.5, vmax=edge, origin="lower", interpolation="nearest",
        aspect="equal" if down else "auto",
    )  # fmt: skip
    _ticks(axes_.set_xticks, across.values)
    axes_.set_xlabel(literal(across.name))
    if down:
        _ticks(axes_.set_yticks, down.values)
        axes_.set_ylabel(literal(down.name))
    else:
        axes_.set_yticks([])
    axes_.set_title(literal(name), fontsize=10)
    bar = figure.colorbar(image, ticks=range(len(kinds)), shrink=0.8)
    bar.ax.set_yticklabels([literal(kind or "none") for kind in kinds])


_COLOUR = {"P": "#222222", "N": "#eeeeee", "draw": "#8fb3d9", "": "#ffffff"}


def _colours(cells: Sequence[Cell], what: str) -> tuple[list[str], list[int]]:
    texts = [shown(cell, what) for cell in cells]
    is_number = what == "nim_value"
    kinds = sorted(set(texts), key=lambda t: (int(t) if is_number and t else -1, t))
    place = {kind: i for i, kind in enumerate(kinds)}
    return kinds, [place[text] for text in texts]


def _ticks(put: Any, values: Sequence[str]) -> None:  # noqa: ANN401
    step = -(-len(values) // 11)
    places = range(0, len(values), step)
    put(list(places), [literal(values[i]) for i in places])
