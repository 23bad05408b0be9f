"""Strategies as pictures: every position and move is there, and nothing of a sheet is markup."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest

import ggp
from ggp.errors import InputError
from ggp.show import strategy_text
from ggp.show.strategy_svg import MAX_POSITIONS
from tests.conftest import GAMES

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("sheet", "settings"),
    [
        ("nim/rows.kif.jinja", {"rows": 2}),
        ("bisimulation/two-cycle-and-three-cycle.kif", {}),
        ("subtraction/sg-123-21.kif", {}),
    ],
)
def test_each_position_is_a_box_and_each_move_a_line(sheet, settings) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    strategy = game.solve().strategy(game.roles[0])
    root = ElementTree.fromstring(strategy_text(strategy, ".svg"))
    boxes = [r for r in root.iter(f"{SVG}rect") if r.get("rx")]
    lines = list(root.iter(f"{SVG}line"))
    assert len(boxes) == strategy.positions
    assert len(lines) == sum(map(len, strategy.edges.values()))
    shaded = [r for r in boxes if r.get("fill") == "#cfe6f5"]
    assert len(shaded) == len(strategy.choice)
    spans = sorted(
        (int(b.get("y")), int(b.get("x")), int(b.get("x")) + int(b.get("width"))) for b in boxes
    )
    for (y1, _, right), (y2, left, _) in pairwise(spans):
        assert y1 < y2 or right < left  # boxes of one row lie apart
    width = int(root.get("width"))
    assert all(left >= 0 and right <= width for _, left, right in spans)


def test_names_of_a_sheet_are_no_markup() -> None:
    text = """(role <b>) (init &amp"s) (init s) (<= (legal <b> <script>) (true s))
    (<= (legal <b> other) (true s)) (<= (next over) (does <b> <script>)) (next x)
    (<= terminal (not (true s))) (<= (goal <b> 100) (true over)) (<= (goal <b> 0) (not (true over)))
    """
    game = ggp.parse(text)
    made = strategy_text(game.solve().strategy("<b>"), ".svg")
    assert "<script>" not in made
    assert "&lt;script&gt;" in made
    ElementTree.fromstring(made)


def test_a_picture_has_a_limit() -> None:
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=3, line=3)
    strategy = game.solve().strategy("yellow")
    assert strategy.positions > MAX_POSITIONS
    with pytest.raises(InputError, match="too many for a picture"):
        strategy_text(strategy, ".svg")
