"""The player on the wire: PROTOCOL.md's messages and SEMANTICS.md 18-20 and 22, both servers."""

from __future__ import annotations

import socket
import threading
import time
from typing import get_args

import pytest

from ggp.kif import read_sheet
from ggp.match import Settings
from tests.conftest import GAMES
from tests.match.manager import Address, Match, Server, play, raw, send
from tests.match.serving import GameRules, served

TIC_TAC_TOE = GAMES / "tic-tac-toe" / "tic-tac-toe.kif"
SG_125 = GAMES / "subtraction" / "sg-125.kif"
SERVERS = get_args(Server)


@pytest.fixture(scope="module")
def address():
    with served() as where:
        yield where


def match(path, server: Server, players: dict[str, Address], **options) -> Match:
    rules = GameRules(path)
    options = {"startclock": 3, "playclock": 1, "pause": 0.05, **options}
    return Match(f"m.{server}", rules, rules.text, players=players, server=server, **options)


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("scramble", [False, True])
def test_sg_125_is_won_by_the_first_player_with_one_second_clocks(
    address, server, scramble
) -> None:
    record = play(match(SG_125, server, {"left": address}, scramble=scramble, seed=3))
    assert record.faults == []
    assert record.goals == {"left": 100, "right": 0}


@pytest.mark.parametrize("server", SERVERS)
def test_a_match_among_junk_messages_is_played_as_well(address, server) -> None:
    stop = threading.Event()

    def pester() -> None:
        while not stop.wait(0.05):
            raw(*address, [b"POST / HTTP/1.0\r\n\r\n(PLAY nobody NIL"], timeout=1, half_close=True)
            send(*address, "( ABORT other )")
            send(*address, "( START half a match")
            send(*address, "( INFO )")

    thread = threading.Thread(target=pester)
    thread.start()
    try:
        record = play(match(SG_125, server, {"left": address}))
    finally:
        stop.set()
        thread.join()
    assert record.faults == []
    assert record.goals == {"left": 100, "right": 0}


@pytest.mark.parametrize("server", SERVERS)
def test_tic_tac_toe_is_never_lost(address, server) -> None:
    record = play(match(TIC_TAC_TOE, server, {"oplayer": address}, seed=5))
    assert record.faults == []
    assert record.goals["oplayer"] >= 50
    assert all(answer.text for answer in record.start.values())


def test_two_of_us_draw_tic_tac_toe(address) -> None:
    with served() as other:
        record = play(match(TIC_TAC_TOE, "ggp-base", {"xplayer": address, "oplayer": other}))
    assert record.faults == []
    assert record.goals == {"xplayer": 50, "oplayer": 50}


def test_no_answer_is_late_though_the_game_cannot_be_solved(address, tmp_path) -> None:
    sheet = tmp_path / "connect-four.kif"
    source = read_sheet(
        GAMES / "connect-four" / "connect-four.kif.jinja", {"columns": 7, "rows": 6}
    )
    sheet.write_text(source.text, encoding="utf-8")
    record = play(match(sheet, "ggp-base", {GameRules(sheet).roles[0]: address}))
    assert record.faults == []
    answers = [answer for step in record.steps for answer in step.answers.values()]
    assert max(answer.seconds for answer in answers) < 1.0


@pytest.mark.parametrize("verb", ["INFO", "info", "Info"])
@pytest.mark.parametrize("method", ["POST", "GET"])
def test_info_in_any_case_by_post_and_get(address, verb, method) -> None:
    reply = send(*address, f"( {verb} )", method=method)
    assert reply.body == "( ( name ggp ) ( status available ) )"
    assert reply.closed
    assert reply.status_line.startswith("HTTP/1.0 200")
    assert reply.headers["content-type"] == "text/acl"
    assert sum(name.startswith("access-control-") for name in reply.headers) == 4


@pytest.mark.parametrize("content_length", [True, False, 5, 500])
@pytest.mark.parametrize("host_header", [True, False])
@pytest.mark.parametrize("pieces", [1, 3])
def test_with_and_without_length_and_host(address, content_length, host_header, pieces) -> None:
    if content_length == 500:
        reply = send(*address, "( INFO )", content_length=500, half_close=True, pieces=pieces)
    else:
        reply = send(
            *address,
            "( INFO )",
            content_length=content_length,
            host_header=host_header,
            pieces=pieces,
        )
    assert "available" in reply.body
    assert reply.closed


@pytest.mark.parametrize("body", ["( PLAY x NIL )", "( STOP x NIL )", "( ABORT x )"])
def test_an_unknown_match_gets_busy(address, body) -> None:
    assert send(*address, body).body == "busy"


def test_preview_gets_ready(address) -> None:
    assert send(*address, "( PREVIEW ((role a)) 2 )").body == "ready"


def test_one_match_at_a_time(address) -> None:
    start = "( START {} xplayer ((role xplayer) (role oplayer)) 5 5)"
    assert send(*address, start.format("a")).body == "ready"
    assert send(*address, start.format("b")).body == "busy"
    assert send(*address, "( INFO )").body == "busy"
    assert send(*address, "( ABORT a )").body == "aborted"
    assert "available" in send(*address, "( INFO )").body


def test_an_abandoned_match_is_replaced() -> None:
    """A manager whose sheet turned out faulty goes away without STOP."""
    start = "( START {} a ((role a)) 0 0)"
    with served(Settings(silence=0.2)) as where:
        assert send(*where, start.format("one")).body == "ready"
        time.sleep(0.3)
        assert send(*where, start.format("two")).body == "ready"


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"\r\n\r\n",
        b"GET",
        b"\x00\xff\xfe" * 50,
        b"POST / HTTP/1.0\r\n\r\n((((",
        b"POST / HTTP/1.0\r\nContent-Length: -4\r\n\r\nx",
        b"PUT / HTTP/1.0\r\n\r\n",
        b"GET /" + b"(" * 5000 + b" HTTP/1.0\r\n\r\n",
        b"POST / HTTP/1.0\r\n\r\n)",
        b"POST / HTTP/1.0\r\n\r\n(START a b)",
        b"POST / HTTP/1.0\r\n\r\n(START a b c d e)",
        b"POST / HTTP/1.0\r\n\r\n(START a b (c) -1 nan)",
        b"POST / HTTP/1.0\r\n\r\n(PLAY)",
    ],
)
def test_junk_gets_an_error_and_the_player_lives_on(address, junk) -> None:
    raw(*address, [junk], timeout=3, half_close=True)
    assert "available" in send(*address, "( INFO )").body


def test_rules_that_cannot_be_grounded_are_played_and_do_not_hurt_the_next_match(address) -> None:
    rules = "(role a) (init (n z)) (<= (next (n (s ?x))) (true (n ?x))) (legal a go)"
    start = f"( START bad a ({rules} (goal a 1) (<= terminal (true (n x)))) 1 1)"
    assert send(*address, start).body == "ready"
    asked = time.monotonic()
    assert send(*address, "( PLAY bad NIL )").body == "go"
    assert time.monotonic() - asked < 1.0
    assert send(*address, "( STOP bad NIL )").body == "done"
    record = play(match(SG_125, "ggp-base", {"left": address}, startclock=5))
    assert record.faults == []
    assert record.goals["left"] == 100


def test_many_idle_connections_do_not_block_an_answer(address) -> None:
    idle = [socket.create_connection(address) for _ in range(20)]
    try:
        assert "available" in send(*address, "( INFO )").body
    finally:
        for connection in idle:
            connection.close()
