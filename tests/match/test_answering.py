"""The answering half in small: times, what is taken in from both other halves, what is logged."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest

from ggp.match import PlayerSettings, RefusedMessage, service
from ggp.match.course import Turn
from ggp.match.log import MatchLog, MatchLogs
from ggp.match.messages import Play, Start
from ggp.match.referee import Admitted, Allowed, MatchRules, Refused, Unsure, Wrong
from ggp.match.underway import Asked, MatchUnderway, News
from ggp.match.worker import Begin, Prepared, Think, Thought, Trouble, TurnReport
from ggp.play import Insight
from tests.match.test_service import LONG, SHORT, Player, judge, prepared_only, silent


@pytest.mark.parametrize(
    ("margin", "clock", "seconds"),
    [
        # A sixth is kept back, at least 0.1 and at most 1 second.
        (None, 3, 2.5), (None, 0.6, 0.5), (None, 0.3, 0.2), (None, 6, 5), (None, 12, 11),
        (None, 0.1, 0), (None, 0.05, 0), (None, 0, 0),
        (0, 5, 5), (2, 5, 3), (5, 5, 0), (7, 5, 0), (0.5, 1.5, 1),
    ],
)  # fmt: skip
def test_the_time_to_think(margin, clock, seconds) -> None:
    assert PlayerSettings(margin=margin).thinking_time(clock) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("margin", "clock", "seconds"),
    [(None, 1, 0.6), (None, 0.5, 0.25), (None, 3, 2.5), (None, 60, 59), (0.1, 1, 0.9), (2, 1, 0)],
)
def test_more_is_kept_back_of_a_short_start_clock(margin, clock, seconds) -> None:
    """START is answered by the clock, a move up to a second after it: 1.14 s of 1 were met."""
    assert PlayerSettings(margin=margin).preparing_time(clock) == pytest.approx(seconds)


OPEN = SimpleNamespace(done=lambda: False)
"""A reply that is not yet given."""


def asked(number: int = 3, **known) -> Asked:
    """A PLAY of which something is known."""
    return Asked(Play("m", None), Turn(number, (), ()), (), (), **{"reply": OPEN} | known)


@pytest.mark.parametrize(
    ("wrong", "left", "several"),
    [
        ("", "c", False),
        ("c", "b", False),
        ("b", "c", False),
        ("bc", "a", True),
        ("abc", None, True),
    ],
)  # fmt: skip
def test_what_cannot_be_is_taken_back_as_far_as_it_cannot_be(wrong, left, several) -> None:
    found, plays = match(), {}
    for number, name in enumerate("abc"):
        turn = Turn(number, (*found.history, (name,)), (*found.own, ""))
        plays[name] = Asked(Play("m", (name,)), turn, found.history, found.own, reply=OPEN)
        found.take(plays[name])
    for name in wrong:
        plays[name].wrong = "no"
    assert found.take_back() is several
    assert found.asked is plays.get(left)
    kept = left or ""
    assert found.history == tuple((name,) for name in "abc" if name <= kept)


@pytest.mark.parametrize(
    ("known", "move", "settled"),
    [
        ({}, None, False),
        ({"thought": "t"}, "t", False),
        ({"allowed": "a"}, "a", False),
        ({"thought": "t", "allowed": "a"}, "t", False),
        ({"thought": "t", "final": True}, "t", True),
        ({"wrong": "no"}, None, True),
        ({"unsure": True}, None, False),
        ({"allowed": "a", "unsure": True}, "a", False),
        # Nothing more comes from the thinking half: whatever the referee has will do.
        ({"troubled": True}, None, False),
        ({"troubled": True, "allowed": "a"}, "a", True),
        ({"troubled": True, "thought": "t"}, "t", True),
        ({"troubled": True, "unsure": True}, None, True),
    ],
)
def test_a_turn_is_settled_when_nothing_better_will_come(known, move, settled) -> None:
    found = asked(**known)
    assert (found.move, found.settled) == (move, settled)


class Told(News):
    """Whether there was news."""

    told = False

    def set(self) -> None:
        self.told = True
        super().set()


def match(of: Asked | None = None) -> MatchUnderway:
    found = MatchUnderway(Start("m", "me", "", 20, 7), 100.0, MatchLog(io.StringIO()))
    found.news = Told()
    found.asked = of
    return found


def logged(of: MatchUnderway) -> list[dict]:
    return [json.loads(line) for line in of.log._file.getvalue().splitlines()]


@pytest.mark.parametrize(("of", "at"), [(None, 100 + 20 + 3), (asked(), 100 + 7 + 3)])
def test_a_match_is_abandoned_after_its_clock_and_silence(of, at) -> None:
    """The start clock until the first PLAY, the play clock from then on."""
    found = match(of)
    assert found.abandoned_at(3) == at
    assert [found.is_abandoned(now, 3) for now in (at - 1, at, at + 0.1)] == [False, False, True]


TOLD = TurnReport(
    3, "board", Insight("won", 99.5, 7, (("x", 1.5),), (("x", "y"),)), "x", 1.23456, 4_096
)


@pytest.mark.parametrize(
    ("word", "changed"),
    [
        (Thought(3, "x", False, "why"), {"thought": "x"}),
        (Thought(3, "x", True, "why"), {"thought": "x", "final": True}),
        (Thought(2, "x", True, "why"), {}),
        (Thought(4, "x", True, "why"), {}),
        (Prepared(solved=True), {"prepared": True}),
        (Prepared(solved=False), {"prepared": True}),
        (Trouble(3, "why"), {"prepared": True, "troubled": True}),
        (Trouble(2, "why"), {"prepared": True}),
        (Trouble(4, "why"), {"prepared": True}),
        (None, {"prepared": True, "troubled": True}),
    ],
)
def test_what_the_thinking_half_says(word, changed) -> None:
    """Words about other turns than the third change nothing of it."""
    found = match(asked())
    found.hear_thought(word)
    after = asked(**{name: value for name, value in changed.items() if name != "prepared"})
    assert found.asked == after
    assert (found.prepared, found.judged) == ("prepared" in changed, False)
    assert found.news.told


@pytest.mark.parametrize(
    ("word", "changed"),
    [
        (Allowed(3, "x"), {"allowed": "x"}),
        (Allowed(2, "x"), {}),
        (Wrong(3, "why"), {"wrong": "why"}),
        (Wrong(4, "why"), {}),
        (Unsure(3, "why"), {"unsure": True}),
        (Unsure(0, "why"), {}),
        (None, {"unsure": True}),
        (Refused("why"), {}),
        (Admitted(1, percepts=True), {}),
    ],
)
def test_what_the_referee_says(word, changed) -> None:
    found = match(asked())
    found.hear_referee(word)
    assert found.asked == asked(**changed)
    assert (found.prepared, found.judged) == (False, True)
    assert found.refused == ("why" if isinstance(word, Refused) else None)
    assert found.admitted == (word if isinstance(word, Admitted) else None)
    assert found.news.told


@pytest.mark.parametrize("word", [Thought(0, "x", True, "why"), Trouble(0, "why"), None, TOLD])
def test_before_the_first_turn_there_is_none_to_think_of(word) -> None:
    found = match()
    found.hear_thought(word)
    found.hear_referee(None if word is None else Unsure(0, "why"))
    found.hear_referee(Allowed(0, "x"))
    assert found.asked is None
    assert found.judged


def test_what_was_thought_is_kept_for_those_who_watch_and_logged() -> None:
    found = match(asked())
    found.hear_thought(TOLD)
    assert found.told is TOLD
    assert found.asked == asked()
    assert not found.prepared
    # The next turn was waiting, so that its position was not drawn.
    found.hear_thought(replace(TOLD, position=""))
    assert found.told is TOLD
    line, again = logged(found)
    assert line.pop("time") > 0
    assert again.pop("time") > 0
    assert again == line
    assert line == {
        "event": "thought", "turn": 3, "move": "x", "seconds": 1.235, "memory": 4096,
        "why": "won", "value": 99.5, "descents": 7, "moves": [["x", 1.5]], "line": [["x", "y"]],
        "mover": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("word", "event", "data"),
    [
        (Prepared(solved=True), "ready", {"solved": True}),
        (Prepared(solved=False), "ready", {"solved": False}),
        (Trouble(1, "too much"), "trouble", {"why": "too much"}),
        (None, "trouble", {"why": "the process is gone"}),
    ],
)
def test_lines_of_the_log(word, event, data) -> None:
    found = match()
    found.hear_thought(word)
    (line,) = logged(found)
    assert line.pop("time") > 0
    assert line == {"event": event} | data


@pytest.mark.parametrize(
    ("word", "told"),
    [
        (Prepared(solved=True), "ready: solved"),
        (Prepared(solved=False), "ready: not solved"),
        (Thought(3, "(x\x1b 1)", True, "won"), "turn 3: (x· 1) (won)"),
        (Trouble(3, "why"), "thinking failed: why"),
        (None, "thinking failed: the process is gone"),
    ],
)
def test_what_whoever_runs_a_player_reads(word, told, caplog) -> None:
    caplog.set_level(logging.INFO)
    match(asked()).hear_thought(word)
    assert caplog.messages == [told]


@pytest.mark.parametrize(
    ("word", "told"),
    [
        (Unsure(1, "deep"), ["the referee is unsure: deep"]),
        (None, ["the referee is unsure: it is gone"]),
        (Allowed(1, "x"), []),
    ],
)
def test_what_is_told_of_the_referee(word, told, caplog) -> None:
    match().hear_referee(word)
    assert caplog.messages == told


def test_a_match_that_is_closed_is_over_and_its_log_ends() -> None:
    found, kept = match(), io.StringIO()
    found.log = MatchLog(kept)
    kept.close = lambda: None  # what is in it can still be read
    found.close()
    assert found.over
    assert found.news.told
    assert (found.thinker, found.referee) == (None, None)
    assert [json.loads(line)["event"] for line in kept.getvalue().splitlines()] == ["end"]
    found.log.write("late")
    assert kept.getvalue().count("\n") == 1


def run(scene) -> None:
    asyncio.run(asyncio.wait_for(scene(), 60))


async def soon() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


@pytest.mark.parametrize("first", ["referee", "thinker"])
def test_start_is_ready_when_both_halves_are(first, monkeypatch) -> None:
    monkeypatch.setattr(service, "FIRST", 0.0)

    async def scene() -> None:
        player = Player(think=silent, judge=silent)
        start = asyncio.create_task(player.start())
        await soon()
        words = [
            (player.referees[0], Admitted(0, percepts=False)),
            (player.thinkers[0], Prepared(solved=False)),
        ]
        for process, word in words if first == "referee" else words[::-1]:
            assert not start.done()
            process.say(word)
            await soon()
        assert await start == "ready"

    run(scene)


def test_refused_rules_are_no_match() -> None:
    async def scene() -> None:
        player = Player(think=silent, judge=lambda order: [Refused("no roles")])
        with pytest.raises(RefusedMessage, match="match m cannot be played: no roles"):
            await player.start()
        assert not player.service.busy
        assert player.thinkers == []
        assert player.referees[0].closed

    run(scene)


def thoughts(player: Player) -> list[Turn]:
    return [o.turn for t in player.thinkers for o in t.orders if isinstance(o, Think)]


def test_orders_have_the_time_that_is_left() -> None:
    """Of a million seconds; nothing of a clock that was over before the message was looked at."""

    async def scene() -> None:
        player = Player()
        await player.start()
        await player.say("(PLAY m NIL)")
        begin, think = player.thinkers[0].orders
        assert (begin.rules, begin.role) == ("(role me)", "me")
        assert 0 < begin.seconds <= LONG
        assert 0 < think.seconds <= LONG
        assert player.referees[0].orders == [MatchRules("(role me)", "me", False), Turn(1, (), ())]
        late = Player()
        start = Start("m", "me", "", 5, 5)
        await late.service.reply(start, time.monotonic() - 1_000)
        await late.service.reply(Play("m", None), time.monotonic() - 1_000)
        begin, think = late.thinkers[0].orders
        assert begin.seconds == think.seconds == 0

    run(scene)


def test_settings_reach_the_thinking_half() -> None:
    async def scene() -> None:
        player = Player()
        player.service.settings = PlayerSettings(threads=3, memory=1 << 20, strict_case=True)
        await player.start()
        begin = player.thinkers[0].orders[0]
        assert isinstance(begin, Begin)
        assert (begin.strict_case, begin.threads, begin.memory) == (True, 3, 1 << 20)
        assert player.referees[0].orders[0].strict_case

    run(scene)


@pytest.mark.parametrize(
    ("plays", "histories", "owns"),
    [
        (["NIL"], [()], [()]),
        (["NIL", "(right left)"], [(), (("right", "left"),)], [(), ("right",)]),
        # A match that we came late to: what we did before is not known.
        (["(left left)"], [(("left", "left"),)], [("",)]),
        # Of a turn nothing was reported.
        (
            ["(right left)", "NIL"],
            [(("right", "left"),), (("right", "left"), ())],
            [("",), ("", "right")],
        ),
        (["0 NIL NIL", "1 (up 1) (x)"], [(), (("x",),)], [(), ("(up 1)",)]),
        (["0 NIL NIL", "1 NIL (x)"], [(), (("x",),)], [(), ("right",)]),
    ],
)
def test_the_history_that_a_play_tells_of(plays, histories, owns) -> None:
    async def scene() -> None:
        player = Player(judge=silent)
        start = asyncio.create_task(player.start())
        await soon()
        player.referees[0].say(Admitted(0, percepts=False))
        await start
        for play in plays:
            assert await player.say(f"(PLAY m {play})") == "right"
        assert [turn.history for turn in thoughts(player)] == histories
        assert [turn.own for turn in thoughts(player)] == owns
        assert [turn.number for turn in thoughts(player)] == list(range(1, len(plays) + 1))
        assert player.service._matches["m"].turns == len(plays)

    run(scene)


def test_a_turn_that_was_answered_with_nil_is_one_whose_move_is_not_known() -> None:
    """The manager has made another move for us."""

    async def scene() -> None:
        player = Player(think=prepared_only, judge=silent)
        start = asyncio.create_task(player.start(LONG, SHORT))
        await soon()
        player.referees[0].say(Unsure(0, "deep"))
        await start
        assert await player.say("(PLAY m NIL)") == "nil"
        assert await player.say("(PLAY m (left left))") == "nil"
        assert [turn.own for turn in thoughts(player)] == [(), ("",)]

    run(scene)


@pytest.mark.parametrize(
    ("admitted", "play", "is_next"),
    [
        (Admitted(0, percepts=False), "(right left)", True),
        (Admitted(0, percepts=False), "(RIGHT left)", True),
        (Admitted(0, percepts=False), "(left right)", False),
        (Admitted(1, percepts=False), "(left right)", True),
        (Admitted(1, percepts=False), "(right left)", False),
        (Admitted(1, percepts=False), "(right)", False),
        (Admitted(0, percepts=False), "NIL", False),
        # Percepts do not show our move; without a number the same ones are those of the next turn.
        (Admitted(0, percepts=True), "(x)", True),
        (Admitted(0, percepts=True), "5 right (x)", False),
        # Not even that there is a game is known: only the first turn has no moves.
        (Unsure(0, "deep"), "NIL", False),
        (Unsure(0, "deep"), "(right left)", True),
        (Unsure(0, "deep"), "5 right (x)", False),
    ],
)
def test_the_same_message_again_is_the_next_turn_if_our_answer_is_in_it(
    admitted, play, is_next
) -> None:
    """The answer to each is `right`."""

    async def scene() -> None:
        player = Player(judge=lambda order: [admitted] if isinstance(order, MatchRules) else [])
        await player.start()
        for _ in range(2):
            assert await player.say(f"(PLAY m {play})") == "right"
        assert len(thoughts(player)) == 1 + is_next

    run(scene)


def test_who_repeats_moves_that_cannot_be_is_refused_as_well() -> None:
    """Three at once; two of them had `nil` (found by an examiner)."""

    async def scene() -> None:
        player = Player(think=prepared_only, judge=silent)
        start = asyncio.create_task(player.start())
        await soon()
        player.referees[0].say(Admitted(0, percepts=False))
        await start
        plays = [asyncio.create_task(player.say("(PLAY m (fly))")) for _ in range(3)]
        await soon()
        player.referees[0].say(Wrong(1, "nobody flies"))
        for found in await asyncio.gather(*plays, return_exceptions=True):
            assert isinstance(found, RefusedMessage)
            assert "these moves cannot be: nobody flies" in str(found)

    run(scene)


def test_without_a_referee_the_thinking_half_alone_answers(monkeypatch) -> None:
    monkeypatch.setattr(service, "REVIVALS", 0)

    async def scene() -> None:
        player = Player(think=prepared_only)
        await player.start()
        player.referees[0].say(None)
        play = asyncio.create_task(player.say("(PLAY m NIL)"))
        await soon()
        assert not play.done()
        player.thinkers[0].say(Trouble(1, "MemoryError"))
        assert await play == "nil"

    run(scene)


def test_a_match_that_took_the_place_of_another_outlives_it() -> None:
    async def scene() -> None:
        player = Player()
        await player.start()
        service = player.service
        old = service._matches["m"]
        old.heard -= 3 * LONG
        assert await player.say(f"(START m me ((role you)) {LONG} {LONG})") == "ready"
        assert old.over
        new = service._matches["m"]
        service._end(old)
        assert service._matches == {"m": new}
        service.close()
        assert service._matches == {}
        assert new.over

    run(scene)


def test_the_log_of_a_match_from_start_to_end(tmp_path) -> None:
    async def scene() -> None:
        player = Player(judge=judge)
        player.service._logs = MatchLogs(tmp_path)
        await player.start()
        await player.say("(PLAY m NIL)")
        await player.say("(PLAY m (right left))")
        await player.say("(ABORT m)")

    run(scene)
    (file,) = tmp_path.iterdir()
    start, ready, first, second, end = map(json.loads, file.read_text().splitlines())
    times = [line.pop("time") for line in (start, ready, first, second, end)]
    assert times == sorted(times)
    assert start == {
        "event": "start", "match": "m", "role": "me", "start_clock": LONG, "play_clock": LONG,
    }  # fmt: skip
    assert (ready, end) == ({"event": "ready", "solved": True}, {"event": "end"})
    for line, turn, moves in ((first, 1, None), (second, 2, ["right", "left"])):
        assert line.pop("seconds") >= 0
        assert line == {"event": "answer", "turn": turn, "moves": moves, "reply": "right"}


@pytest.mark.parametrize(("matches", "busy"), [(1, True), (2, False), (3, False)])
def test_a_player_is_busy_with_as_many_matches_as_it_may_play(matches, busy) -> None:
    async def scene() -> None:
        player = Player(matches=matches)
        assert not player.service.busy
        await player.start()
        assert player.service.busy is busy
        said = "busy" if busy else "( ( name ggp ) ( status available ) )"
        assert await player.say("(INFO)") == said
        assert await player.say("(PREVIEW () 1)") == "ready"
        assert await player.say("(STOP other NIL)") == "busy"
        assert await player.say("(ABORT m)") == "aborted"
        assert not player.service.busy

    run(scene)


def test_where_no_move_is_known_a_late_one_is_waited_for(monkeypatch) -> None:
    """Managers allow a second beyond the clock, and `nil` is replaced by any move."""
    monkeypatch.setattr("ggp.match.service.LATE", float(LONG))

    async def scene() -> None:
        player = Player(think=prepared_only, judge=silent)
        starting = asyncio.create_task(player.start(play=0))
        await soon()
        player.referees[0].say(Admitted(0, percepts=False))
        assert await starting == "ready"
        play = asyncio.create_task(player.say("(PLAY m NIL)"))
        await soon()
        assert not play.done()
        player.referees[0].say(Allowed(1, "(move)"))
        assert await play == "(move)"

    run(scene)
