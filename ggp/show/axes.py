"""Axes of pictures: lines and bars that are told apart without colour, and whole numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ggp.show.pictures import EDGE, GREYS, HATCHES, LINES, MARKERS, literal
from ggp.text import number

MOST_BARS = 40
"""Bars beside each other; more numbers are counted in runs of the same width."""

MOST_NAMES = 8
"""Names beside each other."""


def lines(axes: Any, across: Sequence[int], series: Mapping[str, Sequence[float | None]]) -> None:  # noqa: ANN401
    """Lines that differ in stroke and mark; nothing is drawn for zero, which has no logarithm."""
    for k, (name, values) in enumerate(series.items()):
        shown = [float(value or "nan") for value in values]
        axes.plot(
            across, shown, linestyle=LINES[k], marker=MARKERS[k], color=EDGE, label=name,
            markerfacecolor=GREYS[k], markevery=max(1, len(across) // 20), markersize=5,
        )  # fmt: skip
    integers(axes.xaxis)
    if len(series) > 1:
        axes.legend(fontsize=8)


def logarithmic(axes: Any, most: int) -> None:  # noqa: ANN401
    """Counts up to `most` upward, ten times as many at each tick."""
    axes.set_yscale("log", subs=[2, 5])
    if most < 1000:
        axes.yaxis.get_major_locator().set_params(subs=(1, 2, 5))
    axes.yaxis.set_major_formatter(
        lambda value, _: number(value) if value < 1e9 else f"{value:.0e}"
    )
    axes.yaxis.set_minor_formatter(lambda *_: "")


def named_bars(axes: Any, counts: Mapping[str, int]) -> None:  # noqa: ANN401
    """A bar for each of the first names, and one for all others."""
    shown = dict(list(counts.items())[:MOST_NAMES])
    if len(counts) > MOST_NAMES:
        shown["(others)"] = sum(counts.values()) - sum(shown.values())
    for k, count in enumerate(shown.values()):
        axes.bar(k, float(count), color=GREYS[k % 4], hatch=HATCHES[k % 4], edgecolor=EDGE)
    axes.set_xticks(range(len(shown)), [literal(name, 12) for name in shown], fontsize=8)
    axes.set_xlabel("who wins")
    whole(axes)


def bars(axes: Any, counts: Mapping[int, int], across: str, up: str) -> None:  # noqa: ANN401
    """A histogram of whole numbers."""
    width, found = _grouped(counts)
    places = [start + (width - 1) / 2 for start in found]
    axes.bar(
        places, list(map(float, found.values())), width=width * 0.9, color=GREYS[1], edgecolor=EDGE
    )
    axes.set_xlabel(across if width == 1 else f"{across} (by {width})")
    axes.set_ylabel(up)
    integers(axes.xaxis)
    whole(axes)


def _grouped(counts: Mapping[int, int]) -> tuple[int, dict[int, int]]:
    """The width of runs of numbers that are counted together, and the count of each run."""
    low, high = min(counts, default=0), max(counts, default=0)
    width = -(-(high - low + 1) // MOST_BARS)
    found: dict[int, int] = {}
    for value, count in counts.items():
        start = low + (value - low) // width * width
        found[start] = found.get(start, 0) + count
    return width, found


def integers(axis: Any) -> None:  # noqa: ANN401
    """Ticks at integers alone."""
    axis.get_major_locator().set_params(integer=True, min_n_ticks=1)


def whole(axes: Any) -> None:  # noqa: ANN401
    """Whole numbers upward, written out."""
    integers(axes.yaxis)
    axes.yaxis.set_major_formatter(lambda value, _: number(value))
