"""A page cannot make a widget do what is not legal, nor a sheet a page show what is not text."""

from __future__ import annotations

import re
import sys
from importlib.resources import files
from xml.etree import ElementTree

import pytest

import ggp
from ggp.errors import InputError, UnknownName
from tests.show.widget.pages import SVG, Page

EVIL = "<script>alert`1`</script><img/src=x/onerror=alert`2`>&quot'\x1b]0x\x07\u202e"


@pytest.fixture
def page() -> Page:
    return Page(ggp.games.load("tic-tac-toe").widget())


@pytest.mark.parametrize(
    "message",
    [
        None, [], "move", 7, {}, {"do": None}, {"do": []}, {"do": {}}, {"do": "__class__"},
        {"do": "_look"}, {"do": "move"}, {"do": "move", "move": -1}, {"do": "move", "move": 9},
        {"do": "move", "move": True}, {"do": "move", "move": 0.0}, {"do": "move", "move": "0"},
        {"do": "move", "move": 10**400}, {"do": "move", "move": [0]},
        {"do": "move", "move": "(mark 1 1)"}, {"do": "click"}, {"do": "click", "board": 0},
        {"do": "click", "board": 1, "place": 0}, {"do": "click", "board": -1, "place": 0},
        {"do": "click", "board": 0, "place": 9}, {"do": "click", "board": 0, "place": -1},
        {"do": "click", "board": False, "place": 0}, {"do": "click", "board": None, "place": {}},
    ],
    ids=str,
)  # fmt: skip
def test_bad_messages_do_nothing_and_are_told_of(page: Page, message: object) -> None:
    before, turn = page.widget.state, page.view["turn"]
    page.say({**message, "turn": turn} if isinstance(message, dict) else message)
    assert "nothing was done" in page.view["said"]
    assert (page.widget.state, page.view["turn"]) == (before, turn)
    page.ask("move", move=0)
    assert not page.view["said"]


@pytest.mark.parametrize("turn", [None, 0, 2, True, 1.0, "1", [1]], ids=repr)
def test_messages_about_another_moment_do_nothing(page: Page, turn: object) -> None:
    page.say({"do": "move", "move": 0, "turn": turn})
    assert "nothing was done" in page.view["said"]
    assert page.widget.history == []


def test_a_page_that_asks_twice_for_the_machine_gets_one_move() -> None:
    page = Page(ggp.games.load("tic-tac-toe").widget(seats=["oplayer"], seconds=0))
    turn = page.view["turn"]
    for _ in range(2):
        page.say({"do": "go", "turn": turn})
    assert len(page.widget.history) == 1
    page.ask("go")
    assert len(page.widget.history) == 1


def test_a_page_cannot_set_what_is_shown(page: Page) -> None:
    view, picture = page.view, page.widget.picture
    state = {"view": {"status": EVIL}, "picture": EVIL, "_esm": EVIL}
    page.post({"method": "update", "state": state, "buffer_paths": []})
    assert (page.view, page.widget.picture) == (view, picture)
    assert EVIL not in page.widget._esm


def test_every_answer_is_seen_to_be_one(page: Page) -> None:
    page.ask("undo")
    before = page.view
    page.ask("undo")
    assert page.view != before


def test_names_of_a_sheet_are_text() -> None:
    name = EVIL
    sheet = f"""
    (role {name}) (role b)
    (init (cell 1 {name})) (init (cell 2 {name})) (init (cell 3 blank)) (init (loose {name} z))
    (<= (legal {name} (put ?c {name})) (true (cell ?c ?x)))
    (legal b noop)
    (<= (next (cell ?c blank)) (does {name} (put ?c ?x)))
    (<= (next (cell ?c ?x)) (true (cell ?c ?x)) (does {name} (put ?d ?y)) (distinct ?c ?d))
    (<= terminal (true (cell 1 blank)) (true (cell 2 blank)))
    (goal {name} 100) (goal b 0)
    """
    page = Page(ggp.parse(sheet).widget())
    page.choose(page.texts[0])
    tags = {element.tag for element in ElementTree.fromstring(page.widget.picture).iter()}
    drawn = {"svg", "title", "desc", "rect", "g", "text", "polygon", "line", "circle"}
    assert tags <= {SVG + tag for tag in drawn}
    shown = [page.view["status"], page.view["last"], page.view["said"], *page.texts]
    assert all(text.isprintable() for text in shown)
    html = page.widget._repr_mimebundle_()[0]["text/html"]
    assert "<script" not in html


def test_the_script_makes_no_markup_and_loads_nothing() -> None:
    script = files("ggp.show.widget").joinpath("widget.js").read_text(encoding="utf-8")
    style = files("ggp.show.widget").joinpath("widget.css").read_text(encoding="utf-8")
    forbidden = r"(inner|outer)HTML|insertAdjacent|document\.write|eval|Function\(|import[ (]|fetch"
    assert "textContent" in script
    assert not re.search(forbidden, script)
    assert not re.search(r"https?:|//\w|@import|url\(", script.replace("// ", "") + style)


def test_a_widget_is_a_picture_where_there_are_none(page: Page) -> None:
    data, _ = page.widget._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"].startswith('<p><img alt="xplayer to move')
    assert repr(page.widget).endswith("xplayer to move>")


def test_without_the_extra_it_is_named(monkeypatch) -> None:
    monkeypatch.delitem(sys.modules, "ggp.show.widget.page", raising=False)
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(InputError, match=re.escape("ggp[notebook]")):
        ggp.games.load("tic-tac-toe").widget()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"seats": ["nobody"]}, UnknownName),
        ({"seats": "xplayer"}, TypeError),
        ({"seconds": -1}, InputError),
        ({"seconds": float("nan")}, InputError),
        ({"state": "(cell 1 1 b)"}, TypeError),
    ],
    ids=str,
)
def test_what_makes_no_widget_is_refused(options: dict, error: type[Exception]) -> None:
    with pytest.raises(error):
        ggp.games.load("tic-tac-toe").widget(**options)


def test_nobody_plays_chance() -> None:
    sheet = "(role a) (role random) (init s) (legal a x) (legal random y) (next s) (goal a 0)"
    with pytest.raises(UnknownName, match="by chance"):
        ggp.parse(sheet + "(<= terminal (true s))").widget(seats=["random"])
