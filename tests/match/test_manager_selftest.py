"""The game manager that other tests rely on does what the two servers do, byte by byte."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import pytest

from tests.match.manager import (
    Address,
    Match,
    Record,
    Script,
    ScriptedPlayer,
    Server,
    Wire,
    body_of,
    play,
    raw,
    send,
)

SHEET = """(role Left) (role Right) ; take 1 or 2 of a heap of 5, the last one wins
(init (heap 5)) (<= (legal ?r (Take 1)) (true (control ?r))) (legal ?r Noop)"""
SERVERS: tuple[Server, ...] = get_args(Server)
CLOCK = 0.1  # seconds; the servers add 1 s to it on PLAY


class Heap:
    """The toy engine: a state is (heap, number of joint moves so far)."""

    def __init__(self, *roles: str) -> None:
        self.roles = list(roles) or ["Left", "Right"]

    def initial(self) -> tuple[int, int]:
        return 5, 0

    def legal(self, state: tuple[int, int], role: str) -> list[str]:
        heap, turn = state
        mine = self.roles[turn % 2] == role
        return [f"(Take {n})" for n in (1, 2) if n <= heap] if mine else ["Noop"]

    def next(self, state: tuple[int, int], moves: dict[str, str]) -> tuple[int, int]:
        heap, turn = state
        return heap - int(moves[self.roles[turn % 2]].strip("()").split()[1]), turn + 1

    def terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 0

    def goals(self, state: tuple[int, int]) -> Mapping[str, int]:
        return {role: 100 * (state[1] % 2 == 1 - n) for n, role in enumerate(self.roles)}


def game(server: Server, players: Mapping[str, Address], **options: Any) -> Match:
    options = {"rules": Heap(), "startclock": 5, "playclock": CLOCK, "pause": 0, **options}
    return Match("m1", text=SHEET, server=server, players=players, **options)


def first_play(server: Server, *plays: Script, **options: Any) -> tuple[str, str | None]:
    """The move used for Left in the first step and the error noted."""
    with ScriptedPlayer(*plays) as player:
        record = play(game(server, {"Left": player.address}, abort_after=1, **options))
    return record.steps[0].moves["Left"], record.steps[0].answers["Left"].error


TABLE: Sequence[tuple[str, Script, str | None, str | None]] = [
    # reply, error with ggp-base, error with Dresden; None: the move (Take 2) counts
    ("blanks", Script("( Take 2 )"), None, None),
    ("compact", Script("(Take 2)"), None, None),
    ("other case", Script("(take 2)"), "IL (take 2)", None),
    ("nil", Script("nil"), "IL nil", "IL nil"),
    ("illegal", Script("(Take 3)"), "IL (Take 3)", "IL (Take 3)"),
    ("unfinished", Script("(Take 2"), "IL (Take 2", "IL (Take 2"),
    ("empty", Script(""), "IL", "IL"),
    ("junk", Script("(Take 2) junk (x"), None, "IL (Take 2) junk (x"),
    ("junk without fault", Script("(Take 2) junk"), None, "IL (Take 2) junk"),
    ("no length", Script("(Take 2)", content_length=False), None, None),
    ("HTTP 500", Script("(Take 2)", status="500 Error"), None, None),
    ("clock + 0.5 s", Script("(Take 2)", delay=CLOCK + 0.5), None, None),
    ("clock + 1.5 s", Script("(Take 2)", delay=CLOCK + 1.5), "TO", "TO"),
    ("no reply", Script(None), "CE", "CE"),
    ("kept open", Script("(Take 2)", hold=CLOCK + 1.5), None, "TO"),
    ("two reads of 0.8 s", Script("(Take 2)", delay=0.8, drip=0.8), None, "TO"),
]


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("row", TABLE, ids=[row[0] for row in TABLE])
def test_replies(row: tuple[str, Script, str | None, str | None], server: Server) -> None:
    _, reply, ggp_base, dresden = row
    error = ggp_base if server == "ggp-base" else dresden
    move, found = first_play(server, reply)
    assert found == error
    if error is None:
        assert move == "(Take 2)"
    elif server == "dresden":
        assert move == "(Take 1)", "the first legal move"


def test_ggp_base_replaces_at_random_but_repeatably() -> None:
    moves = [first_play("ggp-base", Script("nil"), seed=seed)[0] for seed in range(12)]
    assert set(moves) == {"(Take 1)", "(Take 2)"}
    assert moves == [first_play("ggp-base", Script("nil"), seed=seed)[0] for seed in range(12)]


def whole_match(server: Server, **options: Any) -> tuple[Record, list[ScriptedPlayer]]:
    """Left and Right take 1 in turn, five times."""
    wire = Wire(game(server, {}, **options))
    take, wait = Script(wire.term("(Take 1)")), Script(wire.term("Noop"))
    with ScriptedPlayer(*[take, wait] * 3) as left, ScriptedPlayer(*[wait, take] * 3) as right:
        players = {"Left": left.address, "Right": right.address}
        return play(game(server, players, **options)), [left, right]


MESSAGES: Mapping[Server, Sequence[str]] = {
    "ggp-base": [
        "( START m1 Right (( role Left ) ( role Right ) ( init ( heap 5 ) ) "
        "( <= ( legal ?r ( Take 1 ) ) ( true ( control ?r ) ) ) ( legal ?r Noop ) ) 5 0.1)",
        "( PLAY m1 NIL )",
        "( PLAY m1 (( Take 1 ) Noop ) )",
        "( STOP m1 (( Take 1 ) Noop ) )",
    ],
    "dresden": [
        "(START m1 RIGHT ((ROLE LEFT) (ROLE RIGHT) (INIT (HEAP 5)) "
        "(<= (LEGAL ?R (TAKE 1)) (TRUE (CONTROL ?R))) (LEGAL ?R NOOP)) 5 0.1)",
        "(PLAY m1 NIL)",
        "(PLAY m1 ((TAKE 1) NOOP))",
        "(STOP m1 ((TAKE 1) NOOP))",
    ],
}
HEADERS: Mapping[Server, str] = {
    "ggp-base": "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER"
    "\r\nReceiver: Ann\r\nContent-Type: text/acl\r\nContent-Length: 15\r\n\r\n",
    "dresden": "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\n"
    "Receiver: 127.0.0.1\r\nContent-type: text/acl\r\nContent-length: 13\r\n\r\n",
}


@pytest.mark.parametrize("server", SERVERS)
def test_every_byte_of_a_match(server: Server) -> None:
    record, (_, right) = whole_match(server, names={"Right": "Ann"})
    assert record.faults == []
    assert [step.moves["Right"] for step in record.steps] == ["Noop", "(Take 1)"] * 2 + ["Noop"]
    assert record.goals == {"Left": 100, "Right": 0}
    assert record.stop["Right"].text == "done"
    messages = right.messages
    assert [*messages[:3], messages[-1]] == MESSAGES[server]
    assert right.requests[1].decode() == HEADERS[server] + messages[1]


@pytest.mark.parametrize("server", SERVERS)
def test_scrambling_renames_all_but_keywords_and_numbers(server: Server) -> None:
    record, (left, right) = whole_match(server, scramble=True, seed=3)
    assert record.faults == []
    sent = set(re.findall(r"[^\s()]+", " ".join(left.messages + right.messages).lower()))
    assert not sent & {"left", "right", "heap", "take", "noop", "control", "?r"}
    assert sent >= {"role", "init", "legal", "true", "<=", "1", "5"}
    assert len(sent) == len(set(re.findall(r"[^\s()]+", " ".join(MESSAGES[server]).lower())))


@pytest.mark.parametrize(("server", "error"), [("ggp-base", "TO"), ("dresden", None)])
def test_start_clock_is_exact_with_ggp_base_only(server: Server, error: str | None) -> None:
    with ScriptedPlayer(Script("(Take 1)"), START=Script("ready", delay=0.5)) as player:
        record = play(game(server, {"Left": player.address}, startclock=0.2, abort_after=0))
    assert record.start["Left"].error == error
    assert record.faults == ([(0, "Left", "TO")] if error else [])


@pytest.mark.parametrize("server", SERVERS)
def test_refused_connection_is_a_connection_error(server: Server) -> None:
    with ScriptedPlayer() as gone:
        pass
    record = play(game(server, {"Left": gone.address}))
    assert {error for _, _, error in record.faults} == {"CE"}
    assert sum(record.goals.values()) == 100


def test_preview_abort_and_the_role_random() -> None:
    with ScriptedPlayer(Script("Noop")) as player:
        players = {"random": player.address, "Right": player.address}
        options = {"rules": Heap("random", "Right"), "preview": 2, "abort_after": 1}
        record = play(game("ggp-base", players, **options))
    assert [*record.start, *record.steps[0].answers, *record.abort] == ["Right"] * 3
    assert player.messages[0].endswith("( legal ?r Noop ) ) 2 )")
    assert player.messages[0].startswith("( PREVIEW (( role Left ) ")
    assert player.messages[-1] == "( ABORT m1 )"


def test_dresden_pauses_before_each_play() -> None:
    begun = time.monotonic()
    play(game("dresden", {}, pause=0.1, abort_after=3))
    assert time.monotonic() - begun > 0.3


def test_faulty_sheet_ends_without_stop() -> None:
    class NoGoal(Heap):
        def goals(self, state: tuple[int, int]) -> Mapping[str, int]:
            raise ValueError("no goal")

    with ScriptedPlayer(Script("nil")) as player, pytest.raises(ValueError, match="no goal"):
        play(game("ggp-base", {"Left": player.address}, rules=NoGoal()))
    assert not any("STOP" in message for message in player.messages)


READINGS = [  # header, what ggp-base reads of eight characters on two lines
    ("content-LENGTH: 4", "noop"),
    ("X: no length", "noop and"),
    ("Content-Length: 12", "noop\r\n and\uffff\uffff"),
]


@pytest.mark.parametrize(("head", "body"), READINGS)
def test_ggp_base_heeds_content_length_and_dresden_does_not(head: str, body: str) -> None:
    data = f"HTTP/1.0 404 No\r\n{head}\r\n\r\nnoop\r\n and".encode()
    assert body_of(data, "ggp-base", closed=True) == body
    assert body_of(data, "dresden", closed=True) == "noop\r\n and"
    assert body_of(data, "dresden", closed=False) is None


def test_single_messages() -> None:
    with ScriptedPlayer(INFO=Script("busy", hold=0.5)) as player:
        host, port = player.address
        kept = send(host, port, "( INFO )", timeout=0.2)
        assert (kept.status_line, kept.body, kept.closed) == ("HTTP/1.0 200 OK", "busy", False)
        assert kept.headers == {"content-type": "text/acl", "content-length": "4"}
        assert send(host, port, "( STOP x NIL )", pieces=4, pause=0.01).body == "done"
        assert send(host, port, "(STOP)", content_length=False, half_close=True).closed
        assert send(host, port, "( STOP x NIL )", method="GET", style="dresden").body == "done"
        assert send(host, port, "(HUH)", host_header="me:1", content_length=3).data == b""
        assert raw(host, port, [b"GET /%28STOP%29 HTTP/1.0\r\n", b"\r\n"]).seconds < 0.5
    assert player.messages[1] == "( STOP x NIL )"
    assert b"Content-Length" not in player.requests[2]
    assert player.requests[3].startswith(b"GET /%28+STOP+x+NIL+%29 HTTP/1.0\r\nAccept")
    assert b"Host: me:1\r\n" in player.requests[4]
    assert b"Content-Length: 3\r\n\r\n(HUH)" in player.requests[4]
