"""What notebooks show of results: complete, inert, and soon."""

from __future__ import annotations

import base64
import re
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import ggp
from ggp.analysis import Counterexample, Finding
from ggp.analysis.evidence import Evidence, Witness
from ggp.errors import LimitReached
from ggp.limits import Budget, Limits, account
from ggp.show import notebook
from ggp.show.html import MOST_ROWS, inert, table
from ggp.theory import Genus, LoopyGame, ShortGame
from ggp.theory.short import notation
from tests.conftest import GAMES

KAYLES = GAMES / "kayles" / "kayles-7.kif"
ALLOWED = {"p", "strong", "br", "sup", "table", "thead", "tbody", "tr", "th", "td", "img", "span"}
EVIL = "<script>alert(1)</script><img/src=x/onerror=alert(2)>$\\frac12$&quot;'\"\x1b]0;x\x07\u202e"


class Page(HTMLParser):
    """The elements of a page, its text, and its pictures."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict]] = []
        self.text, self.runs = "", [""]
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs) -> None:
        self.elements.append((tag, dict(attrs)))
        self.runs.append("")

    def handle_endtag(self, tag) -> None:
        self.runs.append("")

    def handle_data(self, data) -> None:
        self.text += data
        self.runs[-1] += data

    @property
    def pictures(self) -> list[ElementTree.Element]:
        sources = [attrs["src"] for tag, attrs in self.elements if tag == "img"]
        start = "data:image/svg+xml;base64,"
        assert all(source.startswith(start) for source in sources)
        return [ElementTree.fromstring(base64.b64decode(s.removeprefix(start))) for s in sources]


def page(value: object) -> Page:
    """The page of a value, if there is nothing in it that acts."""
    found = Page(value._repr_html_())
    for tag, attrs in found.elements:
        assert tag in ALLOWED
        assert attrs.keys() <= {"alt", "src", "style", "scope"}
        assert attrs.get("style") in (None, "text-align:left", "max-width:100%")
        assert tag != "img" or attrs["alt"]
    for run in found.runs:
        assert run in ("$", "\\") or not set(run) & {"$", "\\"}
    assert all(c.isprintable() or c == "\n" for c in found.text)
    for picture in found.pictures:
        assert not [e for e in picture.iter() if e.tag.endswith(("script", "foreignObject"))]
    return found


@pytest.fixture(scope="module")
def kayles():
    return ggp.load(KAYLES)


def test_findings(kayles) -> None:
    text = page(kayles.analyse()).text
    for part in ("who move in turn: normal play, impartial", "octal code", "0.77", "exhaustive"):
        assert part in text


def test_a_finding_with_its_witness() -> None:
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    text = page(game.analyse(only=["form"])["form"]).text
    for part in ("form", "other", "refuted", "the game is over although", "(mark 1 1) / noop"):
        assert part in text


def test_a_witness_is_drawn() -> None:
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    found = game.analyse(only=["winnable", "zero_sum"])
    shown = page(found["winnable"])
    assert len(shown.pictures) == 2
    words = [attrs["alt"] for tag, attrs in shown.elements if tag == "img"]
    assert words[0].startswith("xplayer has 100. after 5 moves: (mark 1 1), (mark 1 2)")
    assert words[0].endswith("cell: x at 1 1, 2 1, 3 1; o at 1 2, 1 3")
    assert not page(found["zero_sum"]).pictures


def test_a_witness_that_cannot_be_drawn_is_told(monkeypatch) -> None:
    found = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif").analyse(only="form")["form"]
    monkeypatch.setattr("ggp.show.scenes.SECONDS", 0.0)
    shown = page(found)
    assert not shown.pictures
    assert "(mark 1 1) / noop" in shown.text


def test_heaps_have_a_table() -> None:
    text = page(ggp.load(GAMES / "subtraction" / "sg-12-15.kif").analyse()).text
    assert "(heap 1 ?)" in text
    assert "0 1 2 0 1 2 0 1" in text


def test_solutions(kayles) -> None:
    text = page(kayles.solve()).text
    assert "left, the player to move, wins under best play." in text
    assert "nim-value: 2" in text


def test_a_small_strategy_is_drawn(kayles) -> None:
    strategy = kayles.solve().strategy("left")
    (picture,) = page(strategy).pictures
    boxes = [e for e in picture.iter() if e.get("rx")]
    assert len(boxes) == strategy.positions <= notebook.MOST_DRAWN


def test_a_large_strategy_is_told_at_its_root() -> None:
    game = ggp.load(GAMES / "tic-tac-toe" / "tic-tac-toe.kif")
    found = page(game.solve().strategy("oplayer"))
    assert not found.pictures
    assert "Strategy of oplayer: at least 50" in found.text
    assert "(mark 2 2) (answered)" in found.text


class Countdown:
    """Take 1 or 2; who takes the last wins. Its positions are no states."""

    players = (EVIL, "b")

    def mover(self, position):
        return self.players[position[1]]

    def moves(self, position):
        count, turn = position
        return [(f"{EVIL}{k}", (count - k, 1 - turn)) for k in (1, 2) if k <= count]

    def result(self, position):
        if position[0]:
            return None
        return {self.players[position[1]]: 0, self.players[1 - position[1]]: 100}


def test_any_tree() -> None:
    solution = ggp.solve(Countdown(), starts=[(4, 0)])
    assert "backward induction" in page(solution).text
    strategy = solution.strategy(EVIL, (4, 0))
    found = page(strategy)
    assert "at (4, 0)" in found.text
    assert "(chosen)" in found.text


def test_random_plays_and_counts(kayles) -> None:
    pytest.importorskip("matplotlib")
    for value, told in (
        (kayles.playouts(100), "moves of a play"),
        (ggp.statistics(kayles), "won by left"),
    ):
        found = page(value)
        assert told in found.text
        assert len(found.pictures) == 1


def test_without_matplotlib_there_are_tables(kayles, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    found = page(kayles.playouts(100))
    assert "moves of a play" in found.text
    assert not found.pictures


def test_values() -> None:
    game = ShortGame([2], [ShortGame([1], [-3])])
    found = page(game)
    assert "{2|{1|-3}}" in found.text
    (picture,) = found.pictures
    assert picture.get("role") == "img"
    assert page(game.thermograph).pictures[0].get("aria-labelledby")
    assert "↑" in page(ShortGame.up()).text
    assert not page(ShortGame.integer(3)).pictures
    assert "onside" in page(LoopyGame.parse("tis")).text
    assert "over" in page(LoopyGame.parse("over")).text
    assert page(Genus(4, (1, 4, 6))).text.strip() == "genus 4146, wild"


def test_forms_that_are_too_long_are_not_written(monkeypatch) -> None:
    monkeypatch.setattr(notation, "MOST_CHARACTERS", 10)
    text = page(ShortGame.parse("{12345|{-1234567|-12345678}}")).text
    assert "more than a million characters" in text
    assert "temperature" in text


SHEET = """(role |) (role b) (init (f |)) (init s) (<= (legal | |) (true s)) (legal b n)
(<= (legal | other) (true s)) (<= (next over) (does | |)) (next x) (<= terminal (not (true s)))
(<= (goal | 100) (true over)) (<= (goal | 0) (not (true over))) (goal b 50)"""


@pytest.mark.parametrize(
    "name", ["<script>alert</script>", "$x^2$", "\\[x\\]", "&amp\"onload='x'", "w" * 100_000]
)
def test_names_of_a_sheet_are_text(name) -> None:
    game = ggp.parse(SHEET.replace("|", name), name=EVIL)
    solution = game.solve()
    results = [game.analyse(), *game.analyse(), solution, solution.strategy(name)]
    for value in [*results, game.playouts(10), ggp.statistics(game)]:
        found = page(value)
        assert len(found.text) < 50_000
        assert len(value._repr_html_()) < 300_000
    shown = page(solution).text
    assert (name if len(name) < 100 else "www…www") in shown


def test_evidence_may_be_anything() -> None:
    state = Witness((EVIL * 10_000,), ((EVIL,),), EVIL)
    for evidence in (Evidence(EVIL), Counterexample(EVIL, (state,) * 50)):
        found = page(Finding(EVIL, EVIL, "refuted", evidence))
        assert "<script>alert(1)</script>" in found.text
        assert len(found.text) < 20_000


def test_text_is_inert() -> None:
    assert inert("<b>") == "&lt;b&gt;"
    assert inert("a\nb") == "a b"
    assert inert("$1$") == "<span>$</span>1<span>$</span>"
    assert len(inert("x" * 10**6)) == 400


def test_tables_end() -> None:
    shown = table([(i,) for i in range(1_000)])
    assert shown.count("<tr>") == MOST_ROWS
    assert f"and {1_000 - MOST_ROWS} more" in shown


def test_what_takes_long_is_not_waited_for(kayles, monkeypatch) -> None:
    solution = kayles.solve()

    def endless(state):
        while True:
            ggp.limits.look("endless")

    monkeypatch.setattr(notebook, "SECONDS", 0.05)
    monkeypatch.setattr(solution, "value", endless)
    text = page(solution).text
    assert "The initial position is not shown" in text
    assert "Sprague-Grundy" in text


def test_later_work_ends_with_the_account_in_force(kayles) -> None:
    """Of a position that a solution has not met it is not waited for longer than is asked for."""
    with Budget(Limits(seconds=0.5)).in_force():
        assert account(Limits(seconds=600)).limits.seconds <= 0.5
    assert account(Limits(seconds=600)).limits.seconds == 600


def test_what_cannot_be_shown_says_so(monkeypatch) -> None:
    def fail(value):
        raise LimitReached("memory", 1, "<b>")

    monkeypatch.setattr(notebook, "_shown", fail)
    text = page(ShortGame.up()).text
    assert "ShortGame" in text
    assert "<b>" in text


def test_results_alone_import_nothing_that_shows() -> None:
    import subprocess

    code = "import sys, ggp.theory; print('ggp.show' in sys.modules, 'jinja2' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_each_result_is_shown_by_a_page_of_its_own() -> None:
    """Two pictures of one page do not share names."""
    pages = [ShortGame.switch(n)._repr_html_() for n in (1, 2)]
    assert pages[0] != pages[1]
    assert all(len(re.findall("<img ", shown)) == 1 for shown in pages)
