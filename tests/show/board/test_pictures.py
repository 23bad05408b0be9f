"""Boards as SVG and HTML: well-formed, inert whatever a sheet's names are, and said in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

import ggp
from ggp.show.board import described, plan_of, scene_of, scene_svg
from ggp.show.board.colours import FILLS, ink
from ggp.show.board.html import PageEntry, scene_html, scenes_page
from tests.show.board.sheets import NAMES, game
from tests.show.board.test_text import HOSTILE

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text: str) -> ElementTree.Element:
    """The root of a picture, if it is one by itself."""
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert not [own for own in root.iter() if own.tag in (f"{SVG}script", f"{SVG}image")]
    assert not [key for own in root.iter() for key in own.attrib if key.lower().startswith("on")]
    assert "href" not in text
    return root


@pytest.mark.parametrize("name", NAMES)
def test_every_place_is_in_the_picture(name: str) -> None:
    sheet = game(name)
    scene = scene_of(sheet.initial)
    root = drawn(scene_svg(scene))
    places = [own for own in root.iter(f"{SVG}g") if own.get("class") == "place"]
    assert len(places) == sum(len(board.board.keys) for board in scene.boards)
    piles = [own for own in root.iter(f"{SVG}g") if own.get("class") == "place pile"]
    assert len(piles) == sum(len(own) for _, own in scene.piles)
    assert root.find(f"{SVG}desc").text == described(scene)


def corners(own: ElementTree.Element, across: float, down: float) -> Iterator[tuple[float, float]]:
    """The corners of all places below an element, which lies at a point."""
    moved = re.match(r"translate\(([\d.]+) ([\d.]+)\)", own.get("transform", ""))
    if moved:
        across, down = across + float(moved[1]), down + float(moved[2])
    if own.tag == f"{SVG}polygon":
        for point in own.get("points").split():
            x, y = map(float, point.split(","))
            yield across + x, down + y
    for inner in own:
        yield from corners(inner, across, down)


@pytest.mark.parametrize("name", NAMES)
def test_all_lies_within_the_picture(name: str) -> None:
    root = drawn(scene_svg(scene_of(game(name).initial)))
    wide, high = float(root.get("width")), float(root.get("height"))
    assert root.get("viewBox") == f"0 0 {wide:g} {high:g}"
    assert all(0 <= x <= wide and 0 <= y <= high for x, y in corners(root, 0, 0))


def test_words_say_what_lies_where() -> None:
    state = game("tic-tac-toe/tic-tac-toe.kif").initial.play("(mark 2 3)").play("(mark 1 1)")
    assert described(scene_of(state)) == "cell: o at 1 1; x at 2 3"


@pytest.mark.parametrize("kind", HOSTILE)
def test_names_are_inert_in_pictures_and_pages(kind: str) -> None:
    name = HOSTILE[kind]
    sheet = ggp.parse(
        f"""(role {name}) (row {name}) (row a) (row b) (init (on {name} {name} {name}x))
        (<= (init (on ?x ?y none)) (row ?x) (row ?y) (distinct ?x {name})) (init ({name} 1))
        (<= (legal {name} (put ?x ?y)) (row ?x) (row ?y)) (<= (next (on ?x ?y {name}x))
        (does {name} (put ?x ?y))) (<= (next (on ?x ?y ?c)) (true (on ?x ?y ?c)))
        (<= terminal (true (on b b {name}x))) (goal {name} 100)"""
    )
    for state, _ in sheet.random_playout(seed=1):
        scene = scene_of(state)
        root = drawn(scene_svg(scene, label=name))
        texts = "".join(own.text or "" for own in root.iter())
        assert all(c.isprintable() or c == "\n" for c in texts)
        page = scenes_page(name, [PageEntry(name, (scene_html(scene, label=name),), error=name)])
        assert "<script" not in page
        assert not [c for c in page if not (c.isprintable() or c == "\n")]


def test_names_of_a_megabyte_are_cut() -> None:
    name = "n" * 100_000
    sheet = ggp.parse(
        f"""(role {name}) (init (on 1 1 {name})) (init (on 1 2 b)) (init (on 2 1 b))
        (init (on 2 2 b)) (legal {name} {name}) (<= (next (on ?x ?y b)) (true (on ?x ?y b)))
        (<= terminal (not (true (on 1 1 {name})))) (goal {name} 0)"""
    )
    assert len(scene_svg(scene_of(sheet.initial))) < 20_000
    assert len(scene_html(scene_of(sheet.initial))) < 20_000


def test_owners_differ_without_colours() -> None:
    """Of two roles side by side one is light and one is dark; of four the shapes differ, too."""

    def light(colour: str) -> float:
        red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for one, other in zip(FILLS[::2], FILLS[1::2], strict=True):
        assert light(one) - light(other) > 0.3
    assert ink(0) != ink(1)


def test_a_notebook_shows_states() -> None:
    state = game("clobber/clobber-4x4.kif").initial
    drawn(state._repr_svg_())
    assert "to move" in state._repr_html_()


def test_a_plan_is_found_once() -> None:
    sheet = game("clobber/clobber-4x4.kif")
    assert plan_of(sheet) is plan_of(sheet)


def test_the_last_move_is_marked() -> None:
    state = game("tic-tac-toe/tic-tac-toe.kif").initial
    after = state.play("(mark 2 3)")
    root = drawn(scene_svg(scene_of(after, state)))
    fresh = [own for own in root.iter(f"{SVG}polygon") if own.get("stroke-width") == "2"]
    assert len(fresh) == 1


def test_a_legend_says_how_many_marks_it_leaves_out() -> None:
    kinds = [f"kind{number}" for number in range(30)]
    facts = " ".join(f"(init (on p{i} {kind}))" for i, kind in enumerate(kinds))
    sheet = ggp.parse(
        f"""(role a) {facts} (<= (legal a (swap ?x ?y)) (true (on ?x ?m)) (true (on ?y ?n)))
        (<= (next (on ?x ?n)) (does a (swap ?x ?y)) (true (on ?y ?n)))
        (<= (next (on ?y ?n)) (does a (swap ?x ?y)) (true (on ?x ?n)))
        (<= (next (on ?z ?n)) (does a (swap ?x ?y)) (true (on ?z ?n)) (distinct ?z ?x)
            (distinct ?z ?y))
        (<= terminal (true (on p0 kind1))) (goal a 0)"""
    )
    told = [own.text for own in drawn(scene_svg(scene_of(sheet.initial))).iter(f"{SVG}text")]
    assert sum(text in kinds for text in told) == 24
    assert "and 6 more" in told


@pytest.mark.parametrize(
    ("name", "move"),
    [
        ("tic-tac-toe/tic-tac-toe.kif", "(mark 1 1)"),
        ("kayles/kayles-7.kif", "(double 3)"),
    ],
)
def test_nothing_is_drawn_over_the_outline_of_a_changed_place(name: str, move: str) -> None:
    start = game(name).initial
    scene = scene_of(start.play(move), start)
    root = drawn(scene_svg(scene))
    places = [own for own in root.iter(f"{SVG}g") if own.get("class") == "place"]
    changed = [own.find(f"{SVG}polygon").get("stroke-width") == "2" for own in places]
    assert changed == sorted(changed)
    assert sum(changed) == sum(len(board.changed) for board in scene.boards) > 0


def test_a_page_of_one_sheet_names_it_once() -> None:
    figure = scene_html(scene_of(game("tic-tac-toe/tic-tac-toe.kif").initial))
    one = PageEntry("one.kif", (figure,))
    assert scenes_page("one.kif", [one]).count(">one.kif<") == 2  # in the head, and above all
    assert scenes_page("Boards", [one, PageEntry("other.kif")]).count(">one.kif<") == 1
