"""The view of solutions: what its work says of games that are known."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs

import pytest

import ggp
from ggp.errors import GgpError, InputError, LimitReached
from ggp.solver.methods import METHODS
from ggp.studio import pages
from ggp.studio.library import GalleryEntry, SheetText
from ggp.studio.work import solving
from ggp.studio.work.line import read as path_of
from ggp.studio.work.line import states_along
from tests.solver.test_chance import HIDDEN, LOTTERY
from tests.studio.working import said, shipped, text_of

EVIL = "<script>alert(1)</script>"

HOSTILE = """
(role <script>alert`1`</script>)
(role b)
(init (at 0 <img/src=x/onerror=alert`1`>))
(<= (legal <script>alert`1`</script> (go <b>"x"</b> ?n)) (true (at 0 ?n)))
(legal <script>alert`1`</script> $\\\\)
(legal b noop)
(<= (next (at 1 ?n)) (true (at 0 ?n)))
(<= terminal (true (at 1 ?n)))
(goal b 0)
(goal <script>alert`1`</script> 100)
"""


def test_nim_is_solved_with_moves_sentences_strategy_counts_and_heaps() -> None:
    found = said("solve", shipped("nim/rows"))
    told = {slot: text_of(html) for slot, html in found.items()}
    assert told["verdict"].startswith("left, the player to move, wins under best play.")
    assert "nim-value: 7" in told["verdict"]  # 1 xor 3 xor 5
    assert "(take 3 3) best 100 0 play this" in told["moves"]
    assert "of every heap its size" in told["sentences"]
    assert "the strategy of left: 20 positions, at least 100" in told["graph"]
    assert "<svg" in found["graph"]
    assert "positions 88" in told["statistics"]
    assert "0 1 2 3 4 5 –" in told["heaps"]
    assert 'value="1 3 5"' in found["any-heaps"]


def test_links_lead_to_the_position_after_the_move() -> None:
    found = said("solve", shipped("nim/rows"))
    [best] = re.findall(r'best</strong>.*?data-hash="([^"]*)"', found["moves"])
    line = parse_qs(unescape(best))["line"][0]
    start = ggp.load("games/nim/rows.kif.jinja").initial
    [[move, _]], states = states_along(start, path_of(line))
    assert str(move) == "(take 3 3)"
    assert "(row 3 2)" in map(str, states[-1].facts)


def test_a_position_is_named_as_play_names_it() -> None:
    facts = "(row 1 1) (row 2 1) (row 3 0) (control right)"
    found = said("solve", shipped("nim/rows"), **{"from": facts})
    assert text_of(found["verdict"]).startswith("left, the player who is not to move, wins")
    hashes = re.findall(r'data-hash="([^"]*)"', found["moves"])
    assert parse_qs(unescape(hashes[0]))["from"] == [facts]
    on = said("solve", shipped("nim/rows"), **{"from": facts, "line": "0"})
    assert text_of(on["verdict"]).startswith("left, the player to move, wins")


def test_misere_play_and_methods_are_options() -> None:
    sheet = shipped("nim/rows", heaps="[1, 1]")
    assert "not to move, wins" in text_of(said("solve", sheet)["verdict"])
    other = said("solve", sheet, misere="on", method="positions")
    assert "player to move, wins" in text_of(other["verdict"])
    assert "it was asked for" in text_of(other["verdict"])
    heap = said("solve", shipped("subtraction/sg-123-21-misere"), method="heaps")
    assert "misère quotient of heaps" in text_of(heap["verdict"])
    assert "any-heaps" in heap


def test_what_stood_in_the_way_is_said(monkeypatch) -> None:
    told = said("solve", shipped("tic-tac-toe/tic-tac-toe"), method="heaps")
    assert text_of(told["verdict"]).startswith("Not solved: heaps: no proof")
    assert set(told) == {"verdict"}

    def solve(*given, **asked):
        raise LimitReached("time", 20.0)

    monkeypatch.setattr(solving, "solve", solve)
    late = said("solve", shipped("nim/rows"))
    assert "limit reached: time = 20" in text_of(late["verdict"])
    assert "more seconds or another method may do" in text_of(late["verdict"])


def test_a_strategy_of_the_other_role_and_one_that_is_too_large() -> None:
    found = said("strategy", shipped("tic-tac-toe/tic-tac-toe"), role="oplayer")
    assert "at least 50" in text_of(found["other-graph"])
    large = said("solve", shipped("subtraction/sg-125"))
    assert "618 positions; 400 are drawn at the most" in text_of(large["graph"])
    assert "<svg" not in large["graph"]


def test_heaps_of_any_size() -> None:
    found = said("heaps", shipped("subtraction/sg-125"), sizes="1000000000000 1 2")
    # 10^12 mod 3 is 1; 1 xor 1 xor 2 is 2.
    assert "nim-value: 2" in text_of(found["sum"])
    for sizes in ("", "1 x", "9" * 40, "1 " * 50, 7):
        with pytest.raises(InputError):
            said("heaps", shipped("subtraction/sg-125"), sizes=sizes)


def test_simultaneous_moves_by_lot() -> None:
    found = said("solve", shipped("simultaneous/rock-paper-scissors"))
    assert "left (show paper) 1/3" in text_of(found["moves"])


def test_where_chance_has_a_part_no_move_leads_to_one_position() -> None:
    found = said("solve", SheetText("lottery.kif", LOTTERY))
    assert "risky best 65 chance decides what follows" in text_of(found["moves"])
    assert "no strategy makes sure of" in text_of(found["graph"])
    hidden = said("solve", SheetText("hidden.kif", HIDDEN))
    assert "No strategy of guesser is drawn" in text_of(hidden["graph"])


def test_play_that_is_over() -> None:
    facts = "(row 1 0) (row 2 0) (row 3 0) (control left)"
    found = said("solve", shipped("nim/rows"), **{"from": facts})
    assert text_of(found["verdict"]).startswith("Play is over in this state: left 0, right 100.")
    assert not {"moves", "graph", "statistics"} & set(found)


@pytest.mark.parametrize(
    "asked",
    [
        {"seconds": 1e9},
        {"seconds": 10**400},
        {"seconds": "nan"},
        {"seconds": []},
        {"method": "magic"},
        {"method": 7},
        {"from": 7},
        {"from": "(row 1"},
        {"from": "(nothing here)"},
        {"from": "x" * 300_000},
        {"line": "9999"},
        {"line": "-1"},
        {"line": {}},
    ],
)
def test_what_pages_ask_may_be_anything(asked) -> None:
    with pytest.raises(GgpError):
        said("solve", shipped("nim/rows"), **asked)


def test_roles_are_the_ones_of_the_game() -> None:
    with pytest.raises(InputError, match="no such role"):
        said("strategy", shipped("nim/rows"), role=EVIL)


def test_names_of_a_sheet_are_text() -> None:
    found = said("solve", SheetText("hostile.kif", HOSTILE))
    assert {"verdict", "moves", "how", "graph", "sentences", "statistics"} <= set(found)
    for html in found.values():
        assert "<script" not in html
        assert not re.search(r"<(b>|img/)", html)
    assert "&lt;script&gt;" in found["moves"]


def test_the_page_offers_the_methods_that_there_are() -> None:
    entry = GalleryEntry("shipped/x", "shipped", "x", "")
    html = pages.page(
        "solve", entry=entry, values={}, view="solve", file="x", is_saved=False
    ).body.decode()
    offered = re.findall(r"<option>([^<]*)</option>", html)
    assert offered == list(METHODS)
