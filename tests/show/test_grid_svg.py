"""Tables as pictures: each answer by a letter and a ground, what is not known left open."""

from __future__ import annotations

from itertools import product
from xml.etree import ElementTree

import pytest

from ggp.show.grid_svg import grid_svg
from ggp.solver.sweep import Axis, Cell

SVG = "{http://www.w3.org/2000/svg}"


def cell(outcome: str | None = None, nim: int | None = None, goals=None) -> Cell:
    return Cell((), outcome, None, goals, nim, ())


def axis(name: str, count: int, first: int = 0) -> Axis:
    return Axis(name, tuple(str(n) for n in range(first, first + count)))


def drawn(cells: dict, axes: list[Axis], what: str) -> ElementTree.Element:
    return ElementTree.fromstring(grid_svg(cells, axes, what, "a table"))


def texts(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def boxes(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    found = root.iter(f"{SVG}rect")
    return {box.attrib["data-at"]: box for box in found if "data-at" in box.attrib}


def test_the_first_axis_goes_up_and_what_is_not_known_is_open() -> None:
    axes = [axis("a", 2), axis("b", 3)]
    cells = {("0", "0"): cell("P"), ("0", "1"): cell("N"), ("1", "2"): cell("draw")}
    root = drawn(cells, axes, "outcome")
    found = boxes(root)
    assert float(found["1 0"].attrib["y"]) < float(found["0 0"].attrib["y"])
    assert float(found["0 1"].attrib["x"]) > float(found["0 0"].attrib["x"])
    assert "stroke-dasharray" in found["1 1"].attrib
    assert "stroke-dasharray" not in found["1 2"].attrib
    assert sorted(texts(root)[:3]) == ["=", "N", "P"]
    titles = {at: box[0].text for at, box in found.items()}
    assert titles["0 0"] == "a = 0, b = 0: P: the player who moves second wins"
    assert titles["1 0"] == "a = 1, b = 0: not known"


def test_answers_differ_in_lightness_too() -> None:
    axes = [axis("n", 4)]
    nim = {(str(n),): cell(nim=n) for n in range(4)}
    fills = [box.attrib["fill"] for box in boxes(drawn(nim, axes, "nim_value")).values()]
    assert sorted(set(fills), reverse=True) == fills
    goals = {("0",): cell(goals={"x": 100, "y": 0}), ("1",): cell(goals={"x": 0, "y": 100})}
    told = texts(drawn(goals, axes, "goals"))
    assert {"A: 0 100", "B: 100 0"} <= set(told)


@pytest.mark.parametrize(("count", "first"), [(1, 0), (12, 3), (100, 1), (200, 0)])
def test_everything_lies_within_the_picture(count, first) -> None:
    axes = [axis("upward", count, first), axis("across", count, first)]
    values = product(axes[0].values, axes[1].values)
    root = drawn({at: cell("N") for at in values}, axes, "outcome")
    wide, high = float(root.attrib["width"]), float(root.attrib["height"])
    for box in boxes(root).values():
        assert float(box.attrib["x"]) + float(box.attrib["width"]) <= wide
        assert float(box.attrib["y"]) + float(box.attrib["height"]) <= high
    legend = [text for text in root.iter(f"{SVG}text") if "wins" in (text.text or "")]
    assert float(legend[0].attrib["x"]) + 7.3 * len(legend[0].text or "") <= wide


def test_round_numbers_are_named() -> None:
    axes = [axis("n", 100, 1)]
    root = drawn({(str(n),): cell("N") for n in range(1, 101)}, axes, "outcome")
    named = [int(text) for text in texts(root) if text.isdigit()]
    assert named == list(range(named[0], 101, named[0]))


def test_names_are_text() -> None:
    evil = "<script>alert(1)</script>"
    svg = grid_svg({(evil,): cell("N")}, [Axis(evil, (evil,))], "outcome", evil)
    assert "<script" not in svg
