"""The view of values: positions as games, and games in notation."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs

import pytest

import ggp
from ggp.errors import GgpError, InputError, LimitReached
from ggp.studio.library import SheetText
from ggp.studio.work import valuing
from ggp.studio.work.line import read, states_along
from tests.cli.test_value import CIRCLE
from tests.studio.working import said, shipped, text_of

DOMINEERING = shipped("domineering/domineering", rows="2", columns="3")

RULES = shipped("kayles/kayles")


def notated(text: str) -> str:
    """What is said of a game in notation."""
    return said("notation", RULES, text=text)["notation"]


def test_a_value_with_its_moves_and_boards() -> None:
    found = said("value", DOMINEERING)
    told = text_of(found["value"])
    # Two rows of three squares: Winning Ways, chapter 5.
    whole = ggp.theory.ShortGame.parse("{1/2|-2}")
    shown = re.findall(r"<strong>(.*?)</strong>", found["value"])[0]
    assert ggp.theory.ShortGame.parse(unescape(shown)) in (whole, -whole)
    assert "temperature 5/4" in told
    assert "<svg" in found["value"]
    assert "sensible" in found["moves"]
    assert "boards that moves of either player lead to" in found["atlas"]
    assert "impartial" not in found


def test_links_lead_to_positions_of_either_role() -> None:
    found = said("value", DOMINEERING)
    game = ggp.load("games/domineering/domineering.kif.jinja", rows=2, columns=3)
    hashes = [parse_qs(unescape(h)) for h in re.findall(r'data-hash="([^"]*)"', found["moves"])]
    assert len(hashes) == 7  # three upright ones, four that lie
    for parts in hashes:
        facts = parts.get("from", [""])[0]
        start = game.state(ggp.kif.read_terms(facts)) if facts else game.initial
        moves, states = states_along(start, read(parts["line"][0]))
        assert (len(moves), len(states)) == (1, 2)
    assert sum("from" in parts for parts in hashes) in (3, 4)


def test_a_position_of_facts() -> None:
    # Four skittles in a row are worth *1 (Guy and Smith 1956).
    row = [f"(skittle {n} {'up' if n < 5 else 'down'})" for n in range(1, 8)]
    found = said("value", RULES, **{"from": " ".join(["(control right)", *row])})
    assert re.findall(r"<strong>(.*?)</strong>", found["value"])[0] == "*"
    with pytest.raises(GgpError):
        said("value", RULES, **{"from": "(nothing here)"})


def test_facts_are_to_tell_whose_turn_it_is() -> None:
    facts = "(row 1 0) (row 2 1) (row 3 0)"
    for task in ("value", "solve"):
        with pytest.raises(InputError, match="do not tell whose turn it is"):
            said(task, shipped("nim/rows"), **{"from": facts})


def test_nim_values_and_genera_of_impartial_games() -> None:
    told = text_of(said("value", RULES)["impartial"])
    assert told.startswith("Impartial form normal play nim-value 2 genus 2^{20}")
    assert "(single 4) wins 0^{02}" in told
    # A heap of 21 by 1, 2 or 3 under misère play: 21 is 1 modulo 4.
    misere = said("value", shipped("subtraction/sg-123-21-misere"))
    assert text_of(misere["value"]).startswith("No value: condition 4")
    assert "misère play nim-value 1 genus 1^{031}, tame" in text_of(misere["impartial"])
    assert "P: the player who moves second wins" in text_of(misere["impartial"])


def test_games_without_values_say_why_in_the_words_of_the_verb() -> None:
    told = said("value", shipped("tic-tac-toe/tic-tac-toe"))
    assert set(told) == {"value"}
    assert text_of(told["value"]).startswith(
        "No value: condition 4: an end of play at which the player to move has not lost"
    )


def test_a_limit_is_said(monkeypatch) -> None:
    def values(*given, **asked):
        raise LimitReached("time", 20.0, "7 positions so far")

    monkeypatch.setattr(valuing, "values", values)
    told = said("value", RULES)
    assert text_of(told["value"]).startswith("No value: limit reached: time = 20 (7 positions")


def test_boards_that_come_again_are_loopy_games() -> None:
    found = said("value", SheetText("circle.kif", CIRCLE))
    assert text_of(found["value"]).startswith("No value: condition 5")
    told = text_of(found["loopy"])
    assert "as a loopy game dud" in told
    assert "draws to Left on draws to Right off" in told


@pytest.mark.parametrize(
    ("text", "form", "more"),
    [
        ("{1|-1}", "+-1", "temperature 1"),
        ("*2 + *3", "*", "birthday 1"),
        ("^ + v", "0", "outcome P"),
        ("{2||1|0} + ^", "{2^|{1^|^}}", "mean 5/4"),
        ("{0|pass}", "over", "a stopper"),
        ("on + off", "dud", "draws to Left on draws to Right off"),
    ],
)
def test_games_in_notation(text, form, more) -> None:
    html = notated(text)
    assert unescape(re.findall(r"<strong>(.*?)</strong>", html)[0]) == form
    assert more in text_of(html)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "{1|", "1/3", "<script>", "x" * 2_001, 7, None, ["{1|2}"], "{" * 1_000,
    ],
)  # fmt: skip
def test_what_is_no_game_is_refused(text) -> None:
    with pytest.raises((InputError, GgpError)):
        said("notation", RULES, text=text)


@pytest.mark.slow
def test_what_takes_too_much_is_refused() -> None:
    # 2^30 positions, were they made.
    text = " + ".join(f"+-{3**n}" for n in range(30))
    with pytest.raises(GgpError, match="limit"):
        said("notation", RULES, text=text)


@pytest.mark.parametrize(
    "asked", [{"seconds": -1}, {"seconds": {}}, {"from": ["x"]}, {"line": "1.x"}, {"line": "5000"}]
)
def test_what_pages_ask_may_be_anything(asked) -> None:
    with pytest.raises(GgpError):
        said("value", DOMINEERING, **asked)


def test_names_of_a_sheet_are_text() -> None:
    evil = "<img/src=x/onerror=alert`1`>"
    text = CIRCLE.replace("left", evil).replace("right", "<script>alert`1`</script>")
    found = said("value", SheetText("evil.kif", text))
    sums = "(role a) (role <script>) (init (control a)) (init (free 1)) (init (free 2))\n"
    sums += f"""
(<= (legal ?p ({evil} ?n)) (true (control ?p)) (true (free ?n)))
(<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))
(<= (next (free ?m)) (true (free ?m)) (does ?p ({evil} ?n)) (distinct ?m ?n))
(<= (next (control a)) (true (control <script>)))
(<= (next (control <script>)) (true (control a)))
(<= open (true (free ?n)))
(<= terminal (not open))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (true (control ?q)) (distinct ?p ?q))
"""
    more = said("value", SheetText("evil.kif", sums))
    assert {"value", "moves", "impartial", "atlas"} <= set(more)
    for html in (*found.values(), *more.values()):
        assert "<script" not in html
        assert "<img/" not in html
    assert "&lt;img/src" in more["moves"]
