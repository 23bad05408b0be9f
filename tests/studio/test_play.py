"""Tables: games in progress, of which each is a process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.studio.conftest import Running

TIC = "shipped/tic-tac-toe/tic-tac-toe"
NIM = "shipped/nim/rows"


def moved(studio: Running, shown: dict[str, Any], text: str) -> dict[str, Any]:
    number = next(move["id"] for move in shown["view"]["moves"] if move["text"] == text)
    return studio.tell(shown, "move", move=number)


def test_a_game_is_played_to_its_end_by_clicks(studio: Running) -> None:
    shown = studio.table(TIC)
    for place in (0, 3, 1, 4, 2):
        shown = studio.tell(shown, "click", board=0, place=place)
    assert shown["over"]
    assert shown["view"]["status"] == "The game is over: xplayer 100, oplayer 0"
    assert [step["text"] for step in shown["line"]] == [
        "(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)", "(mark 1 3)"
    ]  # fmt: skip


def test_an_address_leads_back_to_the_position(studio: Running) -> None:
    shown = studio.table(TIC)
    for place in (4, 0, 8):
        shown = studio.tell(shown, "click", board=0, place=place)
    again = studio.table(TIC, line=shown["path"])
    assert again["picture"] == shown["picture"]
    assert again["line"] == shown["line"]


def test_other_lines_are_kept_beside_the_one_that_is_shown(studio: Running) -> None:
    shown = studio.table(TIC)
    shown = moved(studio, shown, "(mark 1 1)")
    first = shown["path"]
    shown = moved(studio, shown, "(mark 1 2)")
    shown = studio.tell(shown, "visit", path="")
    assert [step["passed"] for step in shown["line"]] == [False, False]
    shown = moved(studio, shown, "(mark 2 2)")
    assert [step["text"] for step in shown["line"]] == ["(mark 2 2)"]
    assert [other["text"] for other in shown["line"][0]["others"]] == ["(mark 1 1)"]
    shown = studio.tell(shown, "visit", path=first)
    assert [step["text"] for step in shown["line"]] == ["(mark 1 1)", "(mark 1 2)"]
    assert [step["passed"] for step in shown["line"]] == [True, False]


def test_the_machine_moves_where_it_was_seated(studio: Running) -> None:
    shown = studio.table(TIC, seats={"oplayer": "perfect"}, seconds=0.1)
    shown = moved(studio, shown, "(mark 1 1)")
    assert shown["view"]["waits"]
    shown = studio.tell(shown, "go")
    # Every other answer to a corner loses.
    assert shown["line"][1]["text"] == "(mark 2 2)"


def test_who_steps_back_sees_the_position_before_the_machine_goes_on(studio: Running) -> None:
    shown = studio.table(TIC, seats={"oplayer": "first"})
    shown = studio.tell(moved(studio, shown, "(mark 1 1)"), "go")
    shown = studio.tell(shown, "visit", path=shown["line"][0]["path"])
    assert (shown["view"]["waits"], shown["view"]["paused"]) == (True, True)
    assert [step["passed"] for step in shown["line"]] == [True, False]
    shown = studio.tell(shown, "go")
    assert [step["passed"] for step in shown["line"]] == [True, True]
    assert not shown["view"]["paused"]


def test_values_of_all_moves_lie_on_their_places(studio: Running) -> None:
    shown = studio.table(TIC)
    for place in (0, 4):
        shown = studio.tell(shown, "click", board=0, place=place)
    shown = studio.tell(shown, "seats", seats={}, seconds=20)
    shown = studio.tell(shown, "hint")
    values = {place: worth for _, place, worth, _ in shown["view"]["worths"]}
    assert set(values) == {1, 2, 3, 5, 6, 7, 8}
    assert values[8] == "= 50"


def test_a_template_is_played_with_the_values_of_its_parameters(studio: Running) -> None:
    shown = studio.table(NIM, values={"rows": "2"})
    assert len(shown["view"]["moves"]) == 4  # 1 of the first row; 1, 2 or 3 of the second
    reply = studio.ask("/api/tables", {"game": NIM, "values": {"rows": "x"}})
    assert reply.status == 400
    faulty = studio.ask(f"/play/{NIM}?rows=x")
    assert 'name="rows" value="x"' in faulty.body  # to be mended where it was written
    assert "parameter rows" in reply.data["error"]
    assert studio.ask(f"/play/{NIM}?rows=x").status == 400
    assert studio.ask(f"/play/{NIM}?cows=2").status == 404


def test_a_table_begins_with_any_facts(studio: Running) -> None:
    facts = " ".join(f"(cell {r} {c} b)" for r in (1, 2, 3) for c in (1, 2, 3) if (r, c) != (2, 2))
    shown = studio.table(TIC, start=f"{facts} (cell 2 2 o) (control oplayer)")
    assert shown["view"]["status"] == "oplayer to move"
    assert len(shown["view"]["moves"]) == 8


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        ({"line": "999"}, "no such move"),
        ({"line": "1.x"}, "no line"),
        ({"line": "0.0.0.0.0.0.0.0.0.0"}, "after the end"),
        ({"start": "(cell"}, "cannot read the facts"),
        ({"start": "x" * 300_000}, "start"),
        ({"seats": {"nobody": "easy"}}, "nobody"),
        ({"seats": {"xplayer": "queen"}}, "queen"),
        ({"seats": 7}, "seats"),
        ({"seconds": "now"}, "seconds"),
        ({"seconds": -1}, "seconds"),
        ({"seconds": 1e300}, "seconds"),
        ({"line": 3}, "line"),
        ({"game": "shipped/none"}, "no game"),
        ({"game": 7}, "game"),
        ({"text": "(role"}, "1:1"),
    ],
)
def test_what_cannot_be_set_up_is_told(studio: Running, opening: dict[str, Any], said: str) -> None:
    reply = studio.ask("/api/tables", {"game": TIC, **opening})
    assert reply.status in (400, 404)
    assert said in reply.data["error"]


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"do": "visit"},
        {"do": "visit", "path": "7.7.7.7.7.7"},
        {"do": "seats", "seats": {"xplayer": []}, "seconds": 1},
        {"do": "seats", "seats": {}, "seconds": "x"},
        {"do": "click", "board": 9, "place": 9},
        {"do": "move", "move": -1},
        {"do": "__init__"},
        {"do": ["go"]},
    ],
)
def test_a_message_that_means_nothing_changes_nothing(
    studio: Running, message: dict[str, Any]
) -> None:
    shown = studio.table(TIC)
    after = studio.ask(
        f"/api/tables/{shown['table']}", {"turn": shown["view"]["turn"], **message}
    ).data
    assert after["path"] == ""
    assert after["view"]["moves"] == shown["view"]["moves"]
    assert after["view"]["said"]


def test_a_table_that_is_gone_is_told_by_404(studio: Running) -> None:
    assert studio.ask("/api/tables/none", {"do": "go", "turn": 1}).status == 404


def test_twenty_tables_at_once(studio: Running) -> None:
    def play(number: int) -> str:
        shown = studio.table(TIC)
        for place in (number % 9, (number + 1) % 9):
            shown = studio.tell(shown, "click", board=0, place=place)
        return " ".join(step["text"] for step in shown["line"])

    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(play, range(20)))
    names = [f"(mark {r} {c})" for r in (1, 2, 3) for c in (1, 2, 3)]
    assert found == [f"{names[n % 9]} {names[(n + 1) % 9]}" for n in range(20)]
