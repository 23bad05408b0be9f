"""Counts drawn: positions by ply, what plays end with, nim-values by size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ggp.machine import Playouts
from ggp.show.axes import MOST_BARS, bars, integers, lines, logarithmic, named_bars, whole
from ggp.show.pictures import EDGE, GREYS, HATCHES, LINES, Alt, Picture, literal
from ggp.theory import NimHeap, SubtractionGame

MOST_ROLES = 4
"""Roles whose goals are drawn."""

MOST_TICKS = 10
"""Goals that are written below an axis."""

MOST_GAMES = 4
"""Kinds of heaps that are drawn."""

LEAST_SIZES, MOST_SIZES = 20, 200
"""Sizes of a heap that are drawn."""

Row = Mapping[str, int]


def perft_plot(rows: Sequence[Row], title: str) -> Picture:
    """Positions, joint moves and ends of play for each ply, and how many moves a position has.

    `rows` as `ggp show --perft --format json` has them, at least one.
    """
    plies = [row["ply"] for row in rows]
    names = {"positions": "positions", "moves": "moves", "ends of play": "terminal"}
    series = {name: [row[key] for row in rows] for name, key in names.items()}
    open_ = [row["positions"] - row["terminal"] for row in rows]
    branching = [m / n if n else None for m, n in zip(series["moves"], open_, strict=True)]

    def draw(figure: Any) -> None:  # noqa: ANN401 - of a library without types
        figure.suptitle(literal(title, 80), fontsize=10)
        counts, moves = figure.subplots(1, 2, width_ratios=(3, 2))
        lines(counts, plies, series)
        counts.set_xlabel("ply")
        logarithmic(counts, max(map(max, series.values())))
        lines(moves, plies, {"moves of a position": branching})
        moves.set_xlabel("ply")
        moves.set_ylim(bottom=0)
        moves.set_ylabel("moves of a position on average")

    told = "; ".join(f"{name} {_spaced(own)}" for name, own in series.items())
    about = f"By ply from {plies[0]} to {plies[-1]}, logarithmic: {told}"
    return Picture(draw, (8, 4), Alt(f"{title}: plies", about))


def _spaced(numbers: Sequence[int]) -> str:
    return " ".join(f"{n:,}" for n in numbers)


def statistics_plot(data: Mapping[str, Any], title: str = "") -> Picture:
    """All positions of a solved game by ply, by who wins, and by nim-value where there are any.

    `data` as `Statistics.as_json` gives it.
    """
    name = _titled(title, f"{data['positions']:,} positions")
    results = {str(who): count for who, count in data["results"].items()}
    panels = {"ply": dict(enumerate(data["plies"]))}
    if data["nim_values"]:
        panels["nim-value"] = {int(value): count for value, count in data["nim_values"].items()}

    def draw(figure: Any) -> None:  # noqa: ANN401
        figure.suptitle(literal(name, 80), fontsize=10)
        axes = figure.subplots(1, len(panels) + bool(results), squeeze=False)[0]
        for place, (across, counts) in zip(axes, panels.items(), strict=False):
            bars(place, counts, across, "positions")
        if results:
            named_bars(axes[-1], results)

    told = [f"by {across}: {_listed(counts)}" for across, counts in panels.items()]
    told += [f"by who wins: {_listed(results)}"] if results else []
    alt = Alt(name, "Positions " + "; ".join(told))
    return Picture(draw, (3.6 * (len(panels) + bool(results)), 3.6), alt)


def _titled(title: str, what: str) -> str:
    return f"{title}: {what}" if title else what


def _listed(counts: Mapping[Any, int]) -> str:
    shown = list(counts.items())[:MOST_BARS]
    more = f" and {len(counts) - MOST_BARS:,} more" if len(counts) > MOST_BARS else ""
    return ", ".join(f"{key} {count:,}" for key, count in shown) + more


def playouts_plot(found: Playouts, title: str = "") -> Picture:
    """How long random plays were, and which goals they ended with."""
    name = _titled(title, f"{found.finished:,} random plays")
    lengths = {n: int(count) for n, count in enumerate(found.lengths) if count}
    roles = list(found.goals)[:MOST_ROLES]
    values = sorted({goal for role in roles for goal in found.goals[role]})

    def draw(figure: Any) -> None:  # noqa: ANN401
        figure.suptitle(literal(name, 80), fontsize=10)
        left, right = figure.subplots(1, 2)
        bars(left, lengths, "moves", "plays")
        for k, role in enumerate(roles):
            counts = [float(found.goals[role].get(goal, 0)) for goal in values]
            places = [i + (k - (len(roles) - 1) / 2) * 0.8 / len(roles) for i in range(len(values))]
            right.bar(
                places, counts, width=0.8 / len(roles), label=_label(role), color=GREYS[k],
                hatch=HATCHES[k], edgecolor=EDGE,
            )  # fmt: skip
        ticks = range(0, len(values), -(-len(values) // MOST_TICKS) or 1)
        right.set_xticks(ticks, [str(values[i]) for i in ticks])
        right.set_xlabel("goal")
        whole(right)
        if roles:
            right.legend(fontsize=8)

    goals = "; ".join(f"goals of {literal(r)}: {_listed(found.goals[r])}" for r in roles)
    alt = Alt(name, f"Moves of a play: {_listed(lengths)}; {goals}")
    return Picture(draw, (8, 3.6), alt)


def _label(role: str) -> str:
    """A name in a legend, which leaves out what begins with an underscore."""
    return f" {literal(role, 16)}"


def heaps_plot(heaps: Sequence[tuple[str, SubtractionGame | NimHeap]], title: str) -> Picture:
    """The nim-value of each size of heaps (names and games), from the floor; those alike once.

    As far as shows that it repeats, and `MOST_SIZES` at the most.
    """
    alike: dict[tuple[object, ...], tuple[list[str], SubtractionGame | NimHeap]] = {}
    for name, game in heaps:
        key = (game.least,) if isinstance(game, NimHeap) else game.subtraction_set
        names, _ = alike.setdefault((type(game), key, game.floor), ([], game))
        names.append(literal(name, 20))
    shown = list(alike.values())[:MOST_GAMES]
    values = [game.nim_values(_last(game)) for _, game in shown]

    def draw(figure: Any) -> None:  # noqa: ANN401
        figure.suptitle(literal(title, 80), fontsize=10)
        rows = figure.subplots(len(shown), 1, squeeze=False)[:, 0]
        for axes, (names, game), own in zip(rows, shown, values, strict=True):
            sizes = range(game.floor, game.floor + len(own))
            axes.vlines(sizes, 0, own, color=GREYS[1], linewidth=0.8)
            axes.plot(sizes, own, linestyle="", marker="o", markersize=4, color=EDGE)
            axes.set_title(f"{_named(names)}: {_taken(game)}", fontsize=8)
            axes.set_xlabel("size", fontsize=8)
            if isinstance(game, SubtractionGame):
                start = game.floor + game.preperiod
                for k in range(2):
                    axes.axvline(start + k * game.period - 0.5, color=EDGE, linestyle=LINES[1])
                axes.set_xlabel("size (between dashed lines: the first period)", fontsize=8)
            axes.set_ylabel("nim-value", fontsize=8)
            integers(axes.xaxis)
            integers(axes.yaxis)

    told = [
        f"{_named(names)}, {_taken(game)}: {' '.join(map(str, own))}"
        for (names, game), own in zip(shown, values, strict=True)
    ]
    alt = Alt(title, "Nim-values by size from the floor. " + "; ".join(told))
    return Picture(draw, (8, 0.6 + 2.2 * len(shown)), alt)


def _last(game: SubtractionGame | NimHeap) -> int:
    """The largest size that is drawn."""
    if isinstance(game, NimHeap):
        return game.floor + LEAST_SIZES * game.least
    return game.floor + min(MOST_SIZES, max(LEAST_SIZES, game.preperiod + 3 * game.period))


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - 2:,} more" if len(names) > 2 else ""
    return ", ".join(names[:2]) + more


def _taken(game: SubtractionGame | NimHeap) -> str:
    if isinstance(game, NimHeap):
        return f"take {game.least} or more"
    return literal(f"take {', '.join(map(str, game.subtraction_set))}; period {game.period:,}")
