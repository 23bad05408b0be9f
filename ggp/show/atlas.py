"""How many boards have which value, drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ggp.show.pictures import Alt, Picture, literal
from ggp.theory import ShortGame

MOST_BARS = 40
"""Values that are drawn; the rest are counted together."""

MOST_CHARACTERS = 28
"""Of a value beside its bar."""

_LOOK = {"L": ("#2f6fb0", ""), "R": ("#c0504d", "//"), "N": ("#bbbbbb", ".."), "P": ("#333333", "")}
"""By outcome: colours that differ in grey, and hatches."""

_WORDS = {"L": "left wins", "R": "right wins", "N": "who moves first wins", "P": "who moves second"}


def draw_atlas(file: Path, counted: Sequence[tuple[ShortGame, int]], title: str) -> None:
    """The picture in a file. Raises `InputError` without matplotlib."""
    atlas_plot(counted, title).save(file)


def atlas_plot(counted: Sequence[tuple[ShortGame, int]], title: str) -> Picture:
    """Bars for the most frequent values, by outcome, and how many boards have which birthday."""
    total = sum(count for _, count in counted)
    told = f"{title}: {total:,} boards, {len(counted):,} values"
    listed = "; ".join(f"{_name(value)} {count:,}" for value, count in counted[:MOST_BARS])
    rows = len(counted[:MOST_BARS]) + (len(counted) > MOST_BARS)
    alt = Alt(told, f"Boards of each value: {listed}")
    return Picture(lambda figure: _paint(figure, counted, told), (8, 1.8 + 0.2 * rows), alt)


def _name(value: ShortGame) -> str:
    return literal(str(value), MOST_CHARACTERS)


def _paint(figure: Any, counted: Sequence[tuple[ShortGame, int]], told: str) -> None:  # noqa: ANN401
    from matplotlib.patches import Patch

    shown, rest = counted[:MOST_BARS], counted[MOST_BARS:]
    names = [_name(value) for value, _ in shown]
    counts = [count for _, count in shown]
    outcomes = [value.outcome for value, _ in shown]
    if rest:
        names.append(f"{len(rest):,} other values")
        counts.append(sum(count for _, count in rest))
        outcomes.append("")
    bars, days = figure.subplots(1, 2, width_ratios=(3, 1))
    drawn = bars.barh(range(len(names)), counts)
    for bar, outcome in zip(drawn, outcomes, strict=True):
        colour, hatch = _LOOK.get(outcome, ("#ffffff", ""))
        bar.set(facecolor=colour, hatch=hatch, edgecolor="#000000", linewidth=0.5)
    bars.bar_label(drawn, [f"{count:,}" for count in counts], padding=2, fontsize=7)
    bars.set_yticks(range(len(names)), names, fontsize=7)
    bars.margins(x=0.15, y=0.01)
    bars.invert_yaxis()
    bars.set_xlabel("boards")
    used = [outcome for outcome in _LOOK if outcome in outcomes]
    patches = [
        Patch(facecolor=_LOOK[o][0], hatch=_LOOK[o][1], edgecolor="#000000", label=_WORDS[o])
        for o in used
    ]
    bars.legend(handles=patches, fontsize=7, loc="center right")
    births = Counter[int]()
    for value, count in counted:
        births[value.birthday] += count
    days.bar(list(births), list(births.values()), color="#888888", edgecolor="#000000")
    days.set_xlabel("birthday")
    days.xaxis.get_major_locator().set_params(integer=True)
    figure.suptitle(literal(told, 200), fontsize=9)
