"""Strategies as pictures: every position and move is there, and nothing of a sheet is markup."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import pytest

import ggp
from ggp.errors import LimitReached
from ggp.show import strategy_text
from ggp.show.board.colours import PAPER
from ggp.show.strategy_svg import MAX_POSITIONS
from tests.conftest import GAMES
from tests.show.test_witnesses import HOSTILE

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


def picture(sheet, role=None, **settings):
    game = ggp.load(GAMES / sheet, **settings)
    strategy = game.solve().strategy(role or game.roles[0])
    return strategy, ElementTree.fromstring(strategy_text(strategy, ".svg"))


def boxes_of(root):
    """The groups of positions: each has a box with round corners."""
    return [g for g in root.iter(f"{SVG}g") if any(r.get("rx") for r in g.findall(f"{SVG}rect"))]


def test_each_position_is_drawn_as_its_board() -> None:
    """Domineering: a disc for each place, hollow where it is free; twelve in each position."""
    strategy, root = picture("domineering/domineering-3x4.kif")
    free = [sum("free" in str(fact) for fact in state.facts) for state in strategy.edges]
    boxes = boxes_of(root)
    discs = [list(box.iter(f"{SVG}circle")) for box in boxes]
    assert {len(own) for own in discs} == {12}
    assert [sum(disc.get("fill") == PAPER for disc in own) for own in discs] == free
    grounds = [next(box.iter(f"{SVG}path")).get("d") for box in boxes]
    assert {ground.count("M") for ground in grounds} == {12}
    assert all("free at" in box.find(f"{SVG}title").text for box in boxes)


def test_there_is_one_legend_for_all_positions() -> None:
    _, root = picture("colouring/colouring.kif.jinja", "rebecca")
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert words.count("blue") == words.count("red") == words.count("rebecca moves") == 1
    assert words.count("blue 4/4") == 8  # what no board shows is told where positions differ


def test_piles_are_stacks_with_their_numbers() -> None:
    _, root = picture("nim/rows.kif.jinja", rows=2)
    shown = [[text.text for text in box.iter(f"{SVG}text")] for box in boxes_of(root)]
    assert sorted(shown) == [["0", "0"], ["0", "1"], ["1", "0"], ["1", "1"], ["1", "3"]]


def test_a_game_without_boards_is_told_in_facts(monkeypatch) -> None:
    monkeypatch.setattr("ggp.show.strategy_svg.scenes_of", lambda states: {})
    strategy, root = picture("nim/rows.kif.jinja", rows=2)
    words = [text.text for text in root.iter(f"{SVG}text")]
    assert sum("(row 1 " in word for word in words) == strategy.positions


def test_boards_with_too_many_places_are_told_in_facts(monkeypatch) -> None:
    monkeypatch.setattr("ggp.show.strategy_svg.MAX_PLACES", 100)
    _, root = picture("domineering/domineering-3x4.kif")
    assert not list(root.iter(f"{SVG}circle"))


def test_no_part_has_a_name_that_another_picture_on_a_page_has() -> None:
    """Beside those of its title and description, which are made of what they say."""
    names = []
    for sheet in ("domineering/domineering-3x4.kif", "kayles/kayles-7.kif"):
        _, root = picture(sheet)
        own = [e.get("id") for e in root.iter() if e.get("id")]
        assert root.get("aria-labelledby").split() == own
        names += own
    assert len(set(names)) == 4


def test_a_large_picture_is_made_smaller(monkeypatch) -> None:
    monkeypatch.setattr("ggp.show.strategy_svg.MAX_PIXELS", 100)
    _, root = picture("domineering/domineering-3x4.kif")
    assert max(int(root.get("width")), int(root.get("height"))) == 100


Span = tuple[int, int, int, int]


def overlap(one: Span, other: Span) -> bool:
    """Whether two rectangles (left, top, right, bottom) have something in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize(
    "sheet", ["domineering/domineering-3x4.kif", "tic-tac-toe/tic-tac-toe.kif"]
)
def test_names_of_moves_lie_neither_on_each_other_nor_on_boards(sheet) -> None:
    _, root = picture(sheet)
    numbers = {"x", "y", "width", "height"}
    boxes = [
        {key: int(own.get(key)) for key in numbers}
        for own in root.iter(f"{SVG}rect")
        if own.get("rx")
    ]
    spans = [(b["x"], b["y"], b["x"] + b["width"], b["y"] + b["height"]) for b in boxes]
    for text in root.iter(f"{SVG}text"):
        if text.text.startswith("(") and text.get("fill"):
            x, y, half = int(text.get("x")), int(text.get("y")), len(text.text) * 3
            spans.append((x - half, y - 11, x + half, y + 3))
    assert len(spans) > len(boxes) > 10
    for i, own in enumerate(spans):
        assert not any(overlap(own, other) for other in spans[:i])


def test_a_position_lies_near_those_that_moves_join_it_with() -> None:
    _, root = picture("tic-tac-toe/tic-tac-toe.kif")
    lines = [
        [int(own.get(f"{c}{i}")) for c in "xy" for i in "12"] for own in root.iter(f"{SVG}line")
    ]
    assert all(abs(x1 - x2) <= 5 * abs(y1 - y2) for x1, x2, y1, y2 in lines)


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


def test_names_of_a_sheet_on_boards_are_no_markup() -> None:
    game = ggp.parse(HOSTILE, name="<script>")
    made = strategy_text(game.solve().strategy("<script>"), ".svg")
    root = ElementTree.fromstring(made)
    assert next(root.iter(f"{SVG}circle"), None) is not None
    assert {e.tag.removeprefix(SVG) for e in root.iter()} <= set(
        ["svg", "title", "desc", "rect", "g", "line", "path", "text", "circle", "polygon"]
    )
    assert "<script>" not in made


def test_a_picture_has_a_limit() -> None:
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=4, rows=3, line=3)
    strategy = game.solve().strategy("yellow")
    assert strategy.positions > MAX_POSITIONS
    with pytest.raises(LimitReached, match="too many for a picture"):
        strategy_text(strategy, ".svg")
