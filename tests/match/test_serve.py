"""The player on the wire: PROTOCOL.md's messages and docs/semantics.md 18-20 and 22, both servers.

Nothing here hangs on how fast a machine is: games that are solved are answered at once, so that
their clocks may be long, and what happens when a clock runs out is told in `test_service.py`.
"""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import get_args
from urllib.request import urlopen

import pytest

from ggp.match import PlayerSettings
from ggp.match.server import MAX_PIPELINED
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
    options = {"startclock": 300, "playclock": 300, "pause": 0.05, **options}
    return Match(f"m.{server}", rules, rules.text, players=players, server=server, **options)


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("scramble", [False, True])
def test_sg_125_is_won_by_the_first_player(address, server, scramble) -> None:
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


def test_a_game_that_cannot_be_solved_is_answered_when_the_clock_runs_out(address) -> None:
    sheet = GAMES / "connect-four" / "connect-four.kif.jinja"
    rules = GameRules(sheet, columns=7, rows=6)
    players = {rules.roles[0]: address}
    record = play(Match("c4", rules, rules.text, 3, 3, players, "ggp-base", abort_after=1))
    assert record.faults == []


@pytest.mark.parametrize("verb", ["INFO", "info", "Info", "PING"])
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


ONE_MOVE = "(role a) (init (n z)) (legal a go) (<= (next (n y)) (does a go)) " + (
    "(<= terminal (true (n y))) (goal a 100)"
)
TWO_MOVES = ONE_MOVE + " (legal a stay)"


def test_one_match_at_a_time(address) -> None:
    start = f"( START {{}} a ({ONE_MOVE}) 300 300)"
    assert send(*address, start.format("x")).body == "ready"
    assert send(*address, start.format("y")).body == "busy"
    assert send(*address, "( INFO )").body == "busy"
    assert send(*address, start.format("x")).body == "ready", "the same START once more"
    assert send(*address, "( ABORT x )").body == "aborted"
    assert "available" in send(*address, "( INFO )").body


def test_an_abandoned_match_is_replaced() -> None:
    """A manager whose sheet turned out faulty goes away without STOP."""
    start = f"( START {{}} a ({ONE_MOVE}) 0 0)"
    with served(PlayerSettings(silence=0.2)) as where:
        assert send(*where, start.format("one")).body == "ready"
        time.sleep(0.3)
        assert send(*where, start.format("two")).body == "ready"


@pytest.mark.parametrize(
    ("role", "rules", "why"),
    [
        ("b", ONE_MOVE, "no role b"),
        ("a", "(role a)", "no rule or fact for 'legal'"),
        ("a", ONE_MOVE + " (<= (legal a ?x) (not (true ?x)))", "error"),
        ("a", ONE_MOVE + " (", "message"),
    ],
)
def test_a_start_that_cannot_be_played_is_refused(address, role, rules, why) -> None:
    reply = send(*address, f"( START x {role} ({rules}) 300 300)")
    assert reply.status_line.startswith("HTTP/1.0 400")
    assert why in reply.body
    assert "available" in send(*address, "( INFO )").body


def test_a_wrong_play_is_refused_and_a_repeated_one_gets_the_same_answer(address) -> None:
    assert send(*address, f"( START w a ({TWO_MOVES}) 300 300)").body == "ready"
    first = send(*address, "( PLAY w NIL )").body
    assert first == send(*address, "( PLAY w NIL )").body == "go"
    for wrong in ("( leap )", "( go go )", "( (go ?x) )", f"( {'go ' * 500})"):
        assert send(*address, f"( PLAY w {wrong} )").status_line.startswith("HTTP/1.0 400")
    stay = send(*address, "( PLAY w ( stay ) )").body
    assert stay in ("go", "stay")
    assert send(*address, "( STOP w ( go ) )").body == "done"


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
    start = f"( START bad a ({rules} (goal a 1) (<= terminal (true (n x)))) 1 300)"
    assert send(*address, start).body == "ready"
    assert send(*address, "( PLAY bad NIL )").body == "go"
    assert send(*address, "( STOP bad NIL )").body == "done"
    record = play(match(SG_125, "ggp-base", {"left": address}))
    assert record.faults == []
    assert record.goals["left"] == 100


def test_many_idle_connections_do_not_block_an_answer(address) -> None:
    idle = [socket.create_connection(address) for _ in range(20)]
    try:
        assert "available" in send(*address, "( INFO )").body
    finally:
        for connection in idle:
            connection.close()


def test_connections_that_say_nothing_make_room_for_those_that_do(address, monkeypatch) -> None:
    monkeypatch.setattr("ggp.match.server.MAX_CONNECTIONS", 5)
    idle = [socket.create_connection(address) for _ in range(12)]
    try:
        assert "available" in send(*address, "( INFO )").body
    finally:
        for connection in idle:
            connection.close()


def test_requests_in_one_piece_are_answered_in_order(address) -> None:
    post = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n( INFO )"
    get = b"GET /(%20ABORT+nobody%20) HTTP/1.1\r\nHost: x\r\n\r\n"
    chunked = (
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"4\r\n( PI\r\n4\r\nNG )\r\n0\r\n\r\n"
    )
    reply = raw(*address, [post + get + chunked + post], timeout=60)
    first, *others = reply.body.split("HTTP/1.0 200 OK")
    bodies = [first, *(other.partition("\r\n\r\n")[2] for other in others)]
    info = "( ( name ggp ) ( status available ) )"
    assert bodies == [info, "busy", info, info]


@pytest.mark.parametrize("sent", [1, 2, MAX_PIPELINED - 1, MAX_PIPELINED, MAX_PIPELINED + 3])
def test_so_many_requests_in_one_piece_are_answered(address, sent) -> None:
    post = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\n( INFO )"
    reply = raw(*address, [post * sent], timeout=60)
    assert reply.closed
    assert reply.data.count(b"HTTP/1.0 200 OK") == min(sent, MAX_PIPELINED)
    # The last one alone says that nothing follows.
    *others, last = reply.data.split(b"HTTP/1.0 200 OK")[1:]
    assert all(b"Connection: keep-alive\r\n" in other for other in others)
    assert b"Connection: close\r\n" in last


@pytest.mark.parametrize(
    "head",
    [
        b"POST / HTTP/1.0\r\n" + b"A: b\r\n" * 350_000,
        b"POST / HTTP/1.0\r\nA: " + b"b" * 2_000_000,
        b"GET /" + b"(" * 3_000_000,
    ],
)
def test_headers_of_megabytes_are_refused(address, head) -> None:
    raw(*address, [head], timeout=60, half_close=True)
    assert "available" in send(*address, "( INFO )").body


def test_short_messages_are_read_while_long_ones_wait(address) -> None:
    """Eight posts of two megabytes of parentheses silenced the player for minutes once."""
    body = b"(" * 1_000_000 + b")" * 999_000
    post = b"POST / HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    clients = [
        threading.Thread(target=raw, args=(*address, [post]), kwargs={"timeout": 120})
        for _ in range(8)
    ]
    for client in clients:
        client.start()
    assert "available" in send(*address, "( INFO )").body
    start = f"( START x a ({ONE_MOVE} {'; long' * 3000}\n) 300 300)"
    assert send(*address, start).body == "ready"
    assert send(*address, "( PLAY x NIL )").body == "go"
    assert send(*address, "( STOP x ( go ) )").body == "done"
    for client in clients:
        client.join()


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGTERM, 0), (signal.SIGINT, 130)])
def test_a_signal_ends_the_player_whatever_it_does(sent, code) -> None:
    command = [sys.executable, "-m", "ggp", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        while "listens on" not in line:
            assert line, "it ended before it listened"
            line = process.stderr.readline()
        where = ("127.0.0.1", int(line.rpartition(":")[2]))
        idle = [socket.create_connection(where) for _ in range(20)]
        hostile = socket.create_connection(where)
        hostile.sendall(b"POST / HTTP/1.0\r\n\r\n" + b"(" * 1_900_000)
        start = f"( START x a ({TWO_MOVES} (<= (next (n ?x)) (true (n ?x)))) 300 300)"

        def wait() -> None:
            # The player may be gone before it could be connected to.
            with suppress(OSError):
                send(*where, start)

        waiting = threading.Thread(target=wait)
        waiting.start()
        process.send_signal(sent)
        assert process.wait(60) == code
        assert "Traceback" not in process.stderr.read()
        waiting.join()
        for connection in (*idle, hostile):
            connection.close()


def test_a_browser_sees_what_the_player_thinks(tmp_path) -> None:
    """One page; what strangers write is text in it, and nothing may be loaded or run."""
    sheet = TIC_TAC_TOE.read_text(encoding="utf-8")
    with served(PlayerSettings(log=tmp_path / "logs")) as address:
        page = fetched(address)
        assert "Free: it waits" in page
        name = "<script>alert</script>"
        send(*address, f"(START {name} xplayer ({sheet}) 300 300)", timeout=300)
        reply = send(*address, f"(PLAY {name} NIL)", timeout=300)
        assert reply
        for _ in range(3_000):
            page = fetched(address)
            if "Move: " in page:
                break
            time.sleep(0.1)
        assert "In match &lt;script&gt;alert&lt;/script&gt; as xplayer" in page
        assert "<script>" not in page
        assert "1  · · ·" in page
        assert "solved: " in page
        assert '<tr><td>(mark 1 1)</td><td class="value">50</td></tr>' in page
        assert "Expected: 1. (mark" in page
        send(*address, f"(STOP {name} ((mark 1 1) noop))", timeout=300)
        assert "Move: " not in fetched(address)
    (log,) = (tmp_path / "logs").iterdir()
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert [line["event"] for line in lines if line["event"] != "thought"] == [
        "start", "rules", "ready", "answer", "end",
    ]  # fmt: skip
    assert lines[0]["match"] == name
    (thought,) = (line for line in lines if line["event"] == "thought")
    assert thought["value"] == 50
    assert thought["memory"] > 0


def test_two_matches_at_once(tmp_path) -> None:
    """Each with a log of its own; the moves of one do not touch the other."""
    sheet = TIC_TAC_TOE.read_text(encoding="utf-8")
    settings = PlayerSettings(matches=2, log=tmp_path)
    with served(settings) as address:
        for name in ("m1", "m2"):
            message = f"(START {name} xplayer ({sheet}) 300 300)"
            assert send(*address, message, timeout=300).body == "ready"
            if name == "m1":
                assert "There is room for 1 of 2 matches more." in fetched(address)
        wrong = send(*address, "(PLAY m1 ((mark 9 9) noop))", timeout=300)
        assert "cannot be" in wrong.body
        for name in ("m1", "m2"):
            assert "mark" in send(*address, f"(PLAY {name} NIL)", timeout=300).body
        assert send(*address, "(STOP m1 ((mark 1 1) noop))", timeout=300).body == "done"
        moved = send(*address, "(PLAY m2 NIL)", timeout=300).body
        assert "mark" in moved
        assert send(*address, "(STOP m2 ((mark 1 1) noop))", timeout=300).body == "done"
    logs = sorted(tmp_path.iterdir())
    assert len(logs) == 2
    for name, log in zip(("m1", "m2"), logs, strict=True):
        lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        assert lines[0]["match"] == name
        assert lines[-1]["event"] == "end"
        refused = [line for line in lines if line["event"] == "refused"]
        assert [line["moves"] for line in refused] == [["(mark 9 9)", "noop"]] * (name == "m1")
        assert not any(line.get("reply") == "nil" for line in lines)


def test_little_memory_is_enough_for_a_small_game() -> None:
    """It is counted on top of what is loaded; grounding reserved addresses for more than all."""
    sheet = TIC_TAC_TOE.read_text(encoding="utf-8")
    with served(PlayerSettings(memory=256 << 20)) as address:
        message = f"(START m xplayer ({sheet}) 300 300)"
        assert send(*address, message, timeout=300).body == "ready"
        assert "mark" in send(*address, "(PLAY m NIL)", timeout=100).body


def fetched(address: tuple[str, int]) -> str:
    """The page at the root, as a browser gets it."""
    with urlopen(f"http://{address[0]}:{address[1]}/", timeout=10) as reply:
        assert reply.headers["Content-Type"] == "text/html; charset=utf-8"
        assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
        return reply.read().decode()


@pytest.mark.slow
def test_a_new_match_outwaits_one_that_was_never_ended() -> None:
    """A manager that gave a match up sends no STOP (faulty rules); the next START is not `busy`.

    But it is where the old match goes on.
    """
    with served(PlayerSettings(silence=1.0)) as address:
        for old, new in (("m1", "m2"), ("m3", "m4")):
            assert send(*address, f"( START {old} a ({ONE_MOVE}) 300 1 )").body == "ready"
            assert send(*address, f"( PLAY {old} NIL )").body == "go"
            answers: list[str] = []

            def start(name: str = new, answers: list[str] = answers) -> None:
                message = f"( START {name} a ({ONE_MOVE}) 600 1 )"
                answers.append(send(*address, message, timeout=300).body)

            waiting = threading.Thread(target=start)
            waiting.start()
            if old == "m3":
                assert send(*address, f"( PLAY {old} NIL )").body == "go"
            waiting.join()
            assert answers in ([["ready"]] if old == "m1" else [["busy"], ["ready"]])
            for name in (old, new):
                assert send(*address, f"( STOP {name} (go) )").body in ("done", "busy")
