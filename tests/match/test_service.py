"""The answering half by order of events: what it answers when the others speak late, or never.

Clocks that must not run out are a million seconds long, those that must are short; no test asks how
long anything took.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from ggp.match import PlayerService, PlayerSettings, RefusedMessage, parse_message
from ggp.match.course import LOST, MOST_LOST, Turn
from ggp.match.messages import Start
from ggp.match.page import Shown, page
from ggp.match.referee import Admitted, Allowed, MatchRules, Refused, Unsure, Wrong
from ggp.match.worker import Begin, Loaded, Pace, Prepared, Think, Thought, Trouble, TurnReport
from ggp.play import Insight

LONG, SHORT = 1_000_000, 0.05


class Scripted:
    """A process that says what its script has for an order; `None` in it is the process' end."""

    def __init__(self, heard: Callable[[Any], None], script: Callable[[Any], list[Any]]) -> None:
        self.heard, self.script = heard, script
        self.orders: list[Any] = []
        self.alive, self.closed = True, False

    def send(self, order: Any) -> None:
        self.orders.append(order)
        for word in self.script(order):
            self.say(word)

    def say(self, word: Any) -> None:
        if not self.closed:
            self.alive = self.alive and word is not None
            self.heard(word)

    def close(self) -> None:
        self.alive, self.closed = False, True


def judge(order: Any) -> list[Any]:
    """A referee to whom `left` and `right` are legal, and nothing else."""
    if isinstance(order, MatchRules):
        return [Admitted(0, percepts=False)]
    illegal = [m for joint in order.history for m in joint if m not in ("left", "right")]
    if illegal:
        return [Wrong(order.number, f"{illegal[0]} is not legal")]
    return [Allowed(order.number, "left")]


def solver(order: Any) -> list[Any]:
    """A thinking half that knows `right` at once."""
    if isinstance(order, Begin):
        return [Prepared(solved=True)]
    return [Thought(order.turn.number, "right", True, "solved")]


def by_number(order: Any) -> list[Any]:
    """A referee to whom `wait` is legal, and `moveN` after N turns; it looks at other readings."""
    if isinstance(order, MatchRules):
        return [Admitted(0, percepts=False)]
    for turn in (order, *order.readings()):
        own = [joint[0] for joint in turn.history]
        if all(move in ("wait", f"move{n}") for n, move in enumerate(own)):
            return [Allowed(order.number, "wait", None if turn is order else turn)]
    return [Wrong(order.number, f"{order.history[-1][0]} is not legal")]


def saying(move: str) -> Callable[[Any], list[Any]]:
    """A thinking half that says the same move at once, always."""

    def said(order: Any) -> list[Any]:
        if isinstance(order, Begin):
            return [Prepared(solved=True)]
        return [Thought(order.turn.number, move, True, "solved")]

    return said


def prepared_only(order: Any) -> list[Any]:
    return [Prepared(solved=False)] if isinstance(order, Begin) else []


def silent(order: Any) -> list[Any]:
    return []


class Player:
    """A service with scripted processes; `thinkers` and `referees` are those it has started."""

    def __init__(self, think=solver, judge=judge, matches=1) -> None:
        self.thinkers: list[Scripted] = []
        self.referees: list[Scripted] = []

        def started(kept: list[Scripted], script: Any) -> Callable[..., Any]:
            def start(heard: Any, memory: int) -> Scripted:
                kept.append(Scripted(heard, script))
                return kept[-1]

            return start

        self.service = PlayerService(
            PlayerSettings(margin=0, matches=matches),
            thinking=started(self.thinkers, think),
            judging=started(self.referees, judge),
        )

    async def say(self, text: str) -> str:
        return await self.service.reply(parse_message(text), time.monotonic())

    async def start(self, clock: float = LONG, play: float = LONG) -> str:
        return await self.say(f"(START m me ((role me)) {clock} {play})")


def run(scene: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(scene(), 300))


def test_some_matches_at_once() -> None:
    """Each has processes of its own; beyond their number a START is `busy`."""

    async def scene() -> None:
        player = Player(matches=2)
        assert await player.start() == "ready"
        assert "available" in await player.say("(INFO)")
        assert await player.say(f"(START n me ((role me)) {LONG} {LONG})") == "ready"
        assert await player.say("(INFO)") == "busy"
        assert await player.say(f"(START o me ((role me)) 1 {LONG})") == "busy"
        for name in "mn":
            assert await player.say(f"(PLAY {name} NIL)") == "right"
        assert await player.say("(PLAY o NIL)") == "busy"
        assert "In match m" in player.service.page()
        assert "In match n" in player.service.page()
        assert "Free" not in player.service.page()
        assert await player.say("(STOP m (right left))") == "done"
        assert [t.closed for t in player.thinkers] == [True, False]
        assert "available" in await player.say("(INFO)")
        assert await player.say("(PLAY n (right left))") == "right"
        assert await player.say(f"(START o me ((role me)) {LONG} {LONG})") == "ready"
        # One of the same name is the same match, until turns were played in it: then it is anew.
        assert await player.say(f"(START o me ((role you)) 1 {LONG})") == "busy"
        before = player.service._matches["n"]
        assert await player.say(f"(START n me ((role me)) {LONG} {LONG})") == "ready"
        assert before.over
        assert player.service._matches["n"].asked is None
        player.service.close()
        assert all(t.closed for t in player.thinkers + player.referees)

    run(scene)


def test_a_full_player_gives_up_the_match_that_is_silent_longest() -> None:
    async def scene() -> None:
        player = Player(matches=2)
        assert await player.say("(START a me ((role me)) 0.01 0.01)") == "ready"
        assert await player.start() == "ready"
        match = player.service._matches["a"]
        match.heard -= 1_000
        assert await player.say(f"(START b me ((role me)) {LONG} {LONG})") == "ready"
        assert match.over
        assert await player.say("(PLAY a NIL)") == "busy"
        assert await player.say("(PLAY m NIL)") == "right"

    run(scene)


def test_a_final_thought_is_answered_at_once() -> None:
    async def scene() -> None:
        player = Player()
        assert await player.start() == "ready"
        assert await player.say("(PLAY m NIL)") == "right"
        assert await player.say("(PLAY m (right left))") == "right"
        assert await player.say("(STOP m (right left))") == "done"
        assert "available" in await player.say("(INFO)")
        assert player.thinkers[0].closed
        assert player.referees[0].closed

    run(scene)


def test_a_cold_thinking_half_does_not_cost_the_move() -> None:
    """It has not even begun when the clocks run out: the referee's legal move is answered."""

    async def scene() -> None:
        player = Player(think=silent)
        assert await player.start(SHORT, SHORT) == "ready"
        assert await player.say("(PLAY m NIL)") == "left"

    run(scene)


def test_the_best_thought_so_far_is_answered_when_the_clock_runs_out() -> None:
    async def scene() -> None:
        player = Player(think=prepared_only)
        await player.start(LONG, SHORT)
        play = asyncio.create_task(player.say("(PLAY m NIL)"))
        await asyncio.sleep(0)
        player.thinkers[0].say(Thought(1, "right", False, "average"))
        assert await play == "right"

    run(scene)


def test_nothing_of_an_earlier_turn_is_answered() -> None:
    async def scene() -> None:
        player = Player(think=prepared_only)
        await player.start(LONG, SHORT)
        assert await player.say("(PLAY m NIL)") == "left"
        play = asyncio.create_task(player.say("(PLAY m (left right))"))
        await asyncio.sleep(0)
        player.thinkers[0].say(Thought(1, "right", True, "late"))
        assert await play == "left"

    run(scene)


@pytest.mark.parametrize("later", [False, True])
def test_the_first_move_is_known_with_the_rules(later) -> None:
    """The referee, busy with what later turns need, has not yet looked at the first."""
    first = Admitted(0, percepts=False, first="left")

    def busy(order: Any) -> list[Any]:
        return [first] if isinstance(order, MatchRules) and not later else []

    async def scene() -> None:
        player = Player(think=silent, judge=busy)
        await player.start(SHORT, SHORT)
        asked = asyncio.create_task(player.say("(PLAY m NIL)"))
        await asyncio.sleep(0)
        if later:
            player.referees[0].say(first)
        assert await asked == "left"
        assert await player.say("(PLAY m (left left))") == "nil", "of later turns it is none"

    run(scene)


def test_neither_of_both_halves_having_a_move_is_nil() -> None:
    async def scene() -> None:
        player = Player(think=silent, judge=silent)
        assert await player.start(SHORT, SHORT) == "ready"
        assert await player.say("(PLAY m NIL)") == "nil"

    run(scene)


def test_a_thinking_half_that_dies_is_replaced_and_the_move_is_legal() -> None:
    async def scene() -> None:
        def dies(order: Any) -> list[Any]:
            return [Prepared(solved=False)] if isinstance(order, Begin) else [None]

        player = Player(think=dies)
        await player.start()
        assert await player.say("(PLAY m NIL)") == "left"
        assert await player.say("(PLAY m (left right))") == "left"
        assert len(player.thinkers) == 2
        begin, think = player.thinkers[1].orders
        assert isinstance(begin, Begin)
        assert think.turn.history == (("left", "right"),)

    run(scene)


def grounds(order: Any) -> list[Any]:
    """A thinking half that is long about grounding; one that does not ground knows `right`."""
    if isinstance(order, Begin):
        return [] if order.grounded else [Loaded(ground=False)]
    return [Thought(order.turn.number, "right", False, "some descents")]


def thought_of(process: Scripted) -> list[Think]:
    return [order for order in process.orders if isinstance(order, Think)]


def test_rules_that_are_long_to_ground_are_thought_about_as_they_are_until_they_are() -> None:
    async def scene() -> None:
        player = Player(think=grounds)
        assert await player.start(SHORT, SHORT) == "ready"
        thinker, stand_in = player.thinkers
        assert [o.grounded for o in thinker.orders + stand_in.orders] == [True, False]
        assert await player.say("(PLAY m NIL)") == "right"
        assert (thought_of(thinker), len(thought_of(stand_in))) == ([], 1)
        thinker.say(Loaded(ground=True))
        assert not stand_in.closed, "circuits are not made yet"
        thinker.say(Prepared(solved=False))
        assert (stand_in.closed, thinker.closed) == (True, False)
        assert thought_of(thinker) == [], "the turn was answered"
        assert await player.say("(PLAY m (right left))") == "right"
        assert thought_of(thinker)[0].turn.history == (("right", "left"),)
        assert not thought_of(thinker)[0].known
        player.service.close()
        assert len(player.thinkers) == 2

    run(scene)


@pytest.mark.parametrize("known", [True, False])
def test_who_is_prepared_takes_over_the_turn_that_is_thought_about(known: bool) -> None:
    """What was thought of it stays, unless something better comes."""

    async def scene() -> None:
        def slow(order: Any) -> list[Any]:
            return grounds(order) if known or isinstance(order, Begin) else []

        player = Player(think=slow)
        await player.start(SHORT)
        play = asyncio.create_task(player.say("(PLAY m NIL)"))
        await asyncio.sleep(0)
        thinker, stand_in = player.thinkers
        thinker.script = solver
        thinker.say(Prepared(solved=True))
        assert await play == "right"
        assert stand_in.closed
        (think,) = thought_of(thinker)
        assert (think.known, think.turn.number) == (known, 1)
        assert 0 < think.seconds <= LONG

    run(scene)


@pytest.mark.parametrize(
    ("descents", "seconds", "pace", "relieved"),
    [
        # More a second than the stand-in, as far as it has told.
        (None, 0, 0.1, True), (None, 0, 0, False), (40, 2, 20, False), (40, 2, 20.5, True),
        # In a moment nothing is seen.
        (40, 0.1, 1, True),
    ],
)  # fmt: skip
def test_who_searches_faster_takes_over_before_machine_code_is_there(
    descents: int | None, seconds: float, pace: float, relieved: bool
) -> None:
    async def scene() -> None:
        player = Player(think=grounds)
        await player.start(SHORT, SHORT)
        thinker, stand_in = player.thinkers
        if descents is not None:
            assert await player.say("(PLAY m NIL)") == "right"
            insight = Insight("some", descents=descents)
            stand_in.say(TurnReport(1, "board", insight, "right", seconds, 1))
        thinker.say(Loaded(ground=True))
        thinker.say(Pace(pace))
        assert stand_in.closed is relieved
        thinker.say(Prepared(solved=False))
        assert stand_in.closed

    run(scene)


@pytest.mark.parametrize("word", [Loaded(ground=False), Trouble(0, "MemoryError"), None])
def test_where_there_will_be_no_ground_form_the_other_goes_on(word: Any) -> None:
    async def scene() -> None:
        player = Player(think=grounds)
        await player.start(SHORT, SHORT)
        thinker, stand_in = player.thinkers
        thinker.say(word)
        assert not stand_in.closed
        assert not thinker.alive
        assert await player.say("(PLAY m NIL)") == "right"
        stand_in.say(Thought(1, "left", True, "of a turn that is over"))
        # It is the thinking half now: if it dies it is replaced.
        stand_in.say(None)
        assert await player.say("(PLAY m (right left))") == "right"
        assert [o.grounded for o in player.thinkers[2].orders[:1]] == [False]
        await player.say("(STOP m (right right))")
        assert [t.closed for t in player.thinkers[2:]] == [True]

    run(scene)


@pytest.mark.parametrize("word", [Trouble(1, "LimitReached"), None])
def test_a_stand_in_that_fails_leaves_the_referees_move(word: Any) -> None:
    """And the thinking half is waited for as before."""

    async def scene() -> None:
        def fails(order: Any) -> list[Any]:
            return [] if isinstance(order, Begin) else [word]

        player = Player(think=fails)
        await player.start(SHORT, SHORT)
        assert await player.say("(PLAY m NIL)") == "left"
        player.thinkers[0].script = solver
        player.thinkers[0].say(Prepared(solved=True))
        assert await player.say("(PLAY m (left left))") == "right"
        assert len(player.thinkers) == 2

    run(scene)


@pytest.mark.parametrize("word", [Loaded(ground=True), Loaded(ground=False), None])
def test_nobody_stands_in_for_who_has_loaded_the_rules_or_is_gone(word: Any) -> None:
    async def scene() -> None:
        player = Player(think=lambda order: [word] if isinstance(order, Begin) else [])
        await player.start(SHORT, SHORT)
        assert len(player.thinkers) == 1

    run(scene)


def test_the_thinking_half_waits_for_the_referees_first_word() -> None:
    """On a busy machine it took the time in which the first legal move is found; but half of the
    start clock is enough."""

    async def scene() -> None:
        player = Player(judge=silent)
        start = asyncio.create_task(player.start())
        await asyncio.sleep(0)
        assert player.thinkers == []
        player.referees[0].say(Admitted(0, percepts=False, first="left"))
        assert len(player.thinkers) == 1
        player.referees[0].say(Allowed(0, "left"))
        assert len(player.thinkers) == 1
        assert await start == "ready"
        player = Player(judge=silent)
        assert await player.start(SHORT, SHORT) == "ready"
        assert len(player.thinkers) == 1
        # Who is asked before that begins at once, and has a stand-in.
        player = Player(judge=silent, think=grounds)
        start = asyncio.create_task(player.start(LONG, SHORT))
        await asyncio.sleep(0)
        assert await player.say("(PLAY m NIL)") == "right"
        assert [o.grounded for t in player.thinkers for o in t.orders[:1]] == [True, False]
        player.service.close()
        await start
        player = Player(judge=lambda order: [Refused("no such role")])
        with pytest.raises(RefusedMessage):
            await player.start()
        assert player.thinkers == []

    run(scene)


def test_rules_that_neither_half_can_load_are_refused() -> None:
    """They were `ready`, and every move `nil`."""

    async def scene() -> None:
        for think, judged in (
            ([Trouble(0, "limit reached")], [Unsure(0, "limit reached: branches")]),
            ([Loaded(ground=False), Prepared(solved=False)], [Unsure(0, "limit reached")]),
            ([Trouble(0, "limit reached")], [Admitted(0, percepts=False)]),
        ):
            player = Player(think=lambda order, t=think: t, judge=lambda order, j=judged: j)
            if isinstance(think[0], Trouble) and isinstance(judged[0], Unsure):
                with pytest.raises(RefusedMessage, match="branches"):
                    await player.start()
                assert "available" in await player.say("(INFO)")
            else:
                assert await player.start() == "ready"

    run(scene)


def test_a_referee_that_dies_is_replaced_some_times() -> None:
    """The new one is told the rules and the whole history."""

    async def scene() -> None:
        player = Player(think=prepared_only)
        await player.start(LONG, SHORT)
        for number in range(5):
            player.referees[-1].say(None)
            moves = " ".join(["(left left)"] * min(number, 1) or ["NIL"])
            assert await player.say(f"(PLAY m {moves})") == ("left" if number < 3 else "nil")
        assert len(player.referees) == 4
        assert isinstance(player.referees[1].orders[0], MatchRules)
        assert player.referees[3].orders[1].history == (("left", "left"),) * 2

    run(scene)


def test_trouble_while_thinking_leaves_the_referees_move() -> None:
    async def scene() -> None:
        def troubled(order: Any) -> list[Any]:
            turn = 0 if isinstance(order, Begin) else order.turn.number
            return [Trouble(turn, "MemoryError")]

        player = Player(think=troubled)
        assert await player.start() == "ready"
        assert await player.say("(PLAY m NIL)") == "left"

    run(scene)


def test_a_referee_that_is_gone_or_unsure_delays_nothing() -> None:
    async def scene() -> None:
        for judged in (lambda order: [None], lambda order: [Unsure(0, "rules too large")]):
            player = Player(judge=judged)
            assert await player.start() == "ready"
            assert await player.say("(PLAY m NIL)") == "right"

    run(scene)


def test_a_repeated_play_is_the_same_question() -> None:
    """Asked twice before the answer: one turn, one thought, two equal answers."""

    async def scene() -> None:
        player = Player(think=prepared_only)
        await player.start()
        plays = [asyncio.create_task(player.say("(PLAY m NIL)")) for _ in range(3)]
        await asyncio.sleep(0)
        player.thinkers[0].say(Thought(1, "right", True, "solved"))
        assert await asyncio.gather(*plays) == ["right"] * 3
        assert sum(isinstance(order, Think) for order in player.thinkers[0].orders) == 1
        assert await player.say("(PLAY m NIL)") == "right"
        assert sum(isinstance(order, Think) for order in player.thinkers[0].orders) == 1

    run(scene)


def test_the_same_moves_again_are_the_next_turn_where_ours_is_among_them() -> None:
    async def scene() -> None:
        player = Player()
        await player.start()
        assert await player.say("(PLAY m NIL)") == "right"
        for _ in range(3):
            assert await player.say("(PLAY m (right left))") == "right"
        turns = [order.turn for order in player.thinkers[0].orders if isinstance(order, Think)]
        assert [len(turn.history) for turn in turns] == [0, 1, 2, 3]
        # Not our answer: the message was sent again.
        assert await player.say("(PLAY m (left left))") == "right"
        assert await player.say("(PLAY m (left left))") == "right"
        last = player.thinkers[0].orders[-1].turn
        assert len(last.history) == 4

    run(scene)


def test_a_turn_with_a_number_is_repeated_by_its_number() -> None:
    """GDL-II as the Dresden controller sends it: the same percepts twice are two turns."""

    async def scene() -> None:
        def percepts(order: Any) -> list[Any]:
            return [Admitted(0, percepts=True)] if isinstance(order, MatchRules) else []

        player = Player(judge=percepts)
        await player.start()
        for turn in (0, 1, 1, 2):
            assert await player.say(f"(PLAY m {turn} right (seen))") == "right"
        with pytest.raises(RefusedMessage, match="turn 1 is over"):
            await player.say("(PLAY m 1 right (seen))")
        with pytest.raises(RefusedMessage, match="turn 2 is over"):
            await player.say("(PLAY m 2 right (other))")
        for turn in (10, "x", "9" * 5_000, 11):
            assert await player.say(f"(PLAY m {turn} right (seen))") == "right"
        assert sum(isinstance(order, Think) for order in player.thinkers[0].orders) == 7

    run(scene)


def test_turns_whose_messages_were_lost_count_all_the_same() -> None:
    """By their numbers: of what we were not told the first is seen after the move that we made."""

    async def scene() -> None:
        def percepts(order: Any) -> list[Any]:
            return [Admitted(0, percepts=True)] if isinstance(order, MatchRules) else []

        player = Player(judge=percepts)
        await player.start()
        for turn in (1, 2, 5):
            assert await player.say(f"(PLAY m {turn} left (seen))") == "right"
        turn = player.thinkers[0].orders[-1].turn
        assert turn.history == (("seen",), ("seen",), LOST, LOST, ("seen",))
        assert turn.own == ("left", "left", "right", "", "left")
        assert turn.answered == {2}
        # So many cannot have been lost.
        assert await player.say(f"(PLAY m {6 + MOST_LOST} left (seen))") == "right"
        assert len(player.thinkers[0].orders[-1].turn.history) == 6

    run(scene)


def test_the_first_message_that_comes_may_be_of_a_later_turn() -> None:
    """Turns are numbered from 1, or from 0, which a later turn may tell."""

    async def scene() -> None:
        def percepts(order: Any) -> list[Any]:
            return [Admitted(0, percepts=True)] if isinstance(order, MatchRules) else []

        for first, own, history, late in (
            ("1 NIL", (), (), False),
            ("1 left", ("left",), (("seen",),), False),  # it was of the turn 0
            ("2 left", ("left",), (("seen",),), True),
            ("4 left", ("", "", "left"), (LOST, LOST, ("seen",)), True),
        ):
            player = Player(judge=percepts)
            await player.start()
            seen = "NIL" if not history else "(seen)"
            assert await player.say(f"(PLAY m {first} {seen})") == "right"
            turn = player.thinkers[0].orders[-1].turn
            assert (turn.own, turn.history, turn.late) == (own, history, late)

    run(scene)


@pytest.mark.parametrize("wrong", ["(up left)", "(left left) ", "((left ?x))"])
def test_moves_that_cannot_be_are_refused_and_the_match_goes_on(wrong) -> None:
    async def scene() -> None:
        def strict(order: Any) -> list[Any]:
            if isinstance(order, Turn) and order.history and order.history[-1][0] != "right":
                return [Wrong(order.number, "illegal")]
            return judge(order)

        player = Player(judge=strict, think=prepared_only)
        await player.start()
        first = asyncio.create_task(player.say("(PLAY m NIL)"))
        await asyncio.sleep(0)
        player.thinkers[0].say(Thought(1, "right", True, "solved"))
        assert await first == "right"
        with pytest.raises(RefusedMessage):
            await player.say(f"(PLAY m {wrong.strip()})")
        right = asyncio.create_task(player.say("(PLAY m (right left))"))
        await asyncio.sleep(0)
        order = player.thinkers[0].orders[-1]
        assert order.turn.history == (("right", "left"),)
        # What the thinking half still says of the refused turn is no trouble of this one.
        player.thinkers[0].say(Trouble(2, "illegal"))
        await asyncio.sleep(0.01)
        assert not right.done()
        player.thinkers[0].say(Thought(order.turn.number, "left", True, "solved"))
        assert await right == "left"

    run(scene)


def test_a_wrong_play_does_not_end_the_wait_of_a_right_one() -> None:
    async def scene() -> None:
        player = Player(think=prepared_only)
        await player.start()
        first = asyncio.create_task(player.say("(PLAY m NIL)"))
        await asyncio.sleep(0)
        for wrong in ("(PLAY m (up left))", "(PLAY m (up left))", "(PLAY m (left down))"):
            with pytest.raises(RefusedMessage, match=r"cannot be: (up|down) is not legal"):
                await player.say(wrong)
        assert not first.done()
        assert len(player.thinkers[0].orders) == 2
        player.thinkers[0].say(Thought(1, "right", True, "found"))
        assert await first == "right"
        second = asyncio.create_task(player.say("(PLAY m (right left))"))
        await asyncio.sleep(0)
        assert player.thinkers[0].orders[-1].turn.history == (("right", "left"),)
        assert await player.say("(STOP m (right left))") == "done"
        await second

    run(scene)


def test_a_right_play_waits_until_a_wrong_one_before_it_is_refused() -> None:
    """Its moves are no later turn than the wrong ones."""

    def slow(order: Any) -> list[Any]:
        return [] if isinstance(order, Turn) and "up" in str(order.history) else judge(order)

    async def scene() -> None:
        player = Player(judge=slow, think=prepared_only)
        await player.start()
        first = asyncio.create_task(player.say("(PLAY m NIL)"))
        await asyncio.sleep(0)
        player.thinkers[0].say(Thought(1, "right", True, "found"))
        assert await first == "right"
        wrong = asyncio.create_task(player.say("(PLAY m (up left))"))
        await asyncio.sleep(0)
        right = asyncio.create_task(player.say("(PLAY m (right left))"))
        await asyncio.sleep(0)
        player.referees[0].say(Wrong(player.referees[0].orders[-1].number, "up is not legal"))
        with pytest.raises(RefusedMessage, match="up is not legal"):
            await wrong
        while player.thinkers[0].orders[-1].turn.history != (("right", "left"),):
            await asyncio.sleep(0)
        number = player.thinkers[0].orders[-1].turn.number
        player.thinkers[0].say(Thought(number, "left", True, "found"))
        assert await right == "left"

    run(scene)


def late(order: Any) -> list[Any]:
    """A referee that says nothing of turns until it is made to."""
    return judge(order) if isinstance(order, MatchRules) else []


def test_a_play_that_is_not_judged_does_not_take_the_place_of_one_that_waits() -> None:
    async def scene() -> None:
        player = Player(think=prepared_only, judge=late)
        await player.start(LONG, 4 * SHORT)
        first = asyncio.create_task(player.say("(PLAY m NIL)"))
        await asyncio.sleep(0)
        wrong = asyncio.create_task(player.say("(PLAY m (up left))"))
        await asyncio.sleep(0)
        player.referees[0].say(Allowed(1, "left"))
        await asyncio.sleep(0)
        assert not wrong.done()
        player.thinkers[0].say(Thought(1, "right", False, "so far"))
        assert await first == "right"
        # It is looked at as any other then; what is found out later is taken back.
        assert await wrong == "nil"
        match = player.service._matches["m"]
        assert match.history == (("up", "left"),)
        player.referees[0].say(Wrong(match.asked.turn.number, "up is not legal"))
        assert (match.history, match.asked.turn.number) == ((), 1)
        right = asyncio.create_task(player.say("(PLAY m (right left))"))
        await asyncio.sleep(0)
        number = player.thinkers[0].orders[-1].turn.number
        player.thinkers[0].say(Thought(number, "left", True, "found"))
        assert await right == "left"
        assert match.history == (("right", "left"),)

    run(scene)


def test_a_right_play_after_an_answered_wrong_one_is_the_turn_after_the_last_right_one() -> None:
    """The referee comes to both only when the right one is asked about."""

    async def scene() -> None:
        player = Player(think=prepared_only, judge=late)
        await player.start(LONG, SHORT)
        for text in ("(PLAY m NIL)", "(PLAY m (up left))"):
            assert await player.say(text) == "nil"
        match = player.service._matches["m"]
        match.start = Start("m", "me", match.start.rules, LONG, LONG)
        right = asyncio.create_task(player.say("(PLAY m (right left))"))
        await asyncio.sleep(0)
        referee = player.referees[0]
        for order in referee.orders[1:]:
            for word in judge(order):
                referee.say(word)
        referee.script = judge
        while player.thinkers[0].orders[-1].turn.history != (("right", "left"),):
            await asyncio.sleep(0)
        number = player.thinkers[0].orders[-1].turn.number
        player.thinkers[0].say(Thought(number, "left", True, "found"))
        assert await right == "left"
        assert match.history == (("right", "left"),)

    run(scene)


def test_a_play_of_a_match_that_ended_is_none_of_the_next_of_its_name() -> None:
    async def scene() -> None:
        player = Player(think=prepared_only, judge=late)
        await player.start()
        plays = [asyncio.create_task(player.say("(PLAY m NIL)"))]
        await asyncio.sleep(0)
        plays += [asyncio.create_task(player.say("(PLAY m (left left))"))]
        await asyncio.sleep(0)
        assert await player.say("(STOP m NIL)") == "done"
        assert await player.start() == "ready"
        assert await plays[1] == "busy"
        assert player.service._matches["m"].asked is None

    run(scene)


@pytest.mark.parametrize(("later", "turns"), [(LONG - 1, 1), (LONG + 1, 2)])
def test_once_the_clock_has_run_out_the_same_moves_are_the_next_turn(later, turns) -> None:
    """Ours was replaced, by the same one twice: until then it may be the same message again."""

    async def scene() -> None:
        player, now = Player(), time.monotonic()
        await player.start()
        await player.say("(PLAY m NIL)")
        message = parse_message("(PLAY m (left left))")
        assert await player.service.reply(message, now) == "right"
        assert await player.service.reply(message, now + later) == "right"
        assert len(player.thinkers[0].orders[-1].turn.history) == turns

    run(scene)


@pytest.mark.parametrize(("repeats", "turns"), [(0, 0), (1, 0), (1, 1), (3, 1), (3, 3)])
def test_a_turn_that_was_taken_for_a_message_that_came_again(repeats, turns) -> None:
    """Our move was replaced twice by the same one: a later turn tells, which may then be legal."""

    def found(order: Any) -> list[Any]:
        if isinstance(order, Begin):
            return [Prepared(solved=True)]
        return [Thought(order.turn.number, f"move{len(order.turn.history)}", True, "solved")]

    async def scene() -> None:
        player = Player(think=found, judge=by_number)
        await player.start()
        assert await player.say("(PLAY m NIL)") == "move0"
        for _ in range(1 + repeats):
            assert await player.say("(PLAY m (wait x))") == "move1"
        number = 1 + turns
        assert await player.say(f"(PLAY m (move{number} x))") == f"move{number + 1}"
        for _ in range(2):
            with pytest.raises(RefusedMessage, match="move9 is not legal"):
                await player.say("(PLAY m (move9 x))")
        assert await player.say(f"(PLAY m (move{number + 1} x))") == f"move{number + 2}"

    run(scene)


def test_what_came_again_is_told_by_a_later_turn_too() -> None:
    """Also where a turn that is possible both ways came between, and the other way round: a message
    with our own answer seemed to be the next turn, and was the same once more."""

    async def scene() -> None:
        player = Player(think=saying("wait"), judge=by_number)
        await player.start()
        for moves in ("NIL", "(move0 x)", "(move0 x)", "(wait y)"):
            assert await player.say(f"(PLAY m {moves})") == "wait"
        match = player.service._matches["m"]
        assert len(match.history) == 2
        with pytest.raises(RefusedMessage):
            await player.say("(PLAY m (move9 x))")
        assert await player.say("(PLAY m (move2 x))") == "wait", "once more it was the same"
        assert await player.say("(PLAY m (wait x))") == "wait"
        assert await player.say("(PLAY m (wait x))") == "wait"
        assert len(match.history) == 5
        assert await player.say("(PLAY m (move4 x))") == "wait"
        assert [own for own, _ in match.history] == ["move0", "wait", "move2", "wait", "move4"]
        assert match.doubts == ()

    run(scene)


def test_a_manager_whose_messages_were_turns_sends_each_once() -> None:
    """From then on the same message is the next turn, until one turns out to be the same again."""

    async def scene() -> None:
        player = Player(think=saying("rest"), judge=by_number)
        await player.start()
        for moves in ("NIL", "(wait x)", "(wait x)"):
            await player.say(f"(PLAY m {moves})")
        match = player.service._matches["m"]
        assert len(match.history) == 1
        await player.say("(PLAY m (move2 x))")
        assert len(match.history) == 3
        for _ in range(3):
            await player.say("(PLAY m (wait x))")
        assert len(match.history) == 6
        await player.say("(PLAY m (move4 x))")
        assert [own for own, _ in match.history] == ["wait", "wait", "move2", "wait", "move4"]
        for _ in range(3):
            await player.say("(PLAY m (wait x))")
        assert len(match.history) == 6, "it sends messages again"

    run(scene)


@pytest.mark.parametrize("repeats", [1, 2])
def test_a_message_that_came_again_is_none_where_no_turn_tells_so(repeats) -> None:
    """What cannot be is refused, whatever came again, and the match goes on where it stood."""

    async def scene() -> None:
        player = Player()
        await player.start()
        await player.say("(PLAY m NIL)")
        for _ in range(1 + repeats):
            assert await player.say("(PLAY m (left left))") == "right"
        with pytest.raises(RefusedMessage, match="up is not legal"):
            await player.say("(PLAY m (up left))")
        match = player.service._matches["m"]
        assert match.history == (("left", "left"),)
        assert await player.say("(PLAY m (right left))") == "right"
        assert match.history == (("left", "left"), ("right", "left"))

    run(scene)


def test_a_later_play_or_stop_ends_the_wait() -> None:
    async def scene() -> None:
        player = Player(think=prepared_only)
        await player.start()
        first = asyncio.create_task(player.say("(PLAY m NIL)"))
        await asyncio.sleep(0)
        second = asyncio.create_task(player.say("(PLAY m (left right))"))
        assert await first == "left"
        assert await player.say("(STOP m (left right))") == "done"
        assert await second == "left"

    run(scene)


def test_a_start_replaces_a_match_only_after_its_clock_and_silence() -> None:
    async def scene() -> None:
        player = Player()
        start = "(START {} me ((role me)) 5 5)"
        now = time.monotonic()
        assert await player.service.reply(parse_message(start.format("a")), now) == "ready"
        assert await player.service.reply(parse_message(start.format("b")), now + 1) == "busy"
        assert await player.service.reply(parse_message(start.format("b")), now + 11) == "ready"
        assert player.thinkers[0].closed
        assert await player.say("(PLAY a NIL)") == "busy"
        assert await player.say("(PLAY b NIL)") == "right"

    run(scene)


def test_the_page_tells_goals_to_the_hundredth() -> None:
    insight = Insight(
        "searched", 66.17893613778388, 0, (("left", 50.0), ("right", 66.17893613778388))
    )
    told = TurnReport(1, "(at s)", insight, "right", 0.5, 1_000_000)
    shown = page("me", [Shown("m", "a", 1, told)], 1)
    assert "66.18 expected" in shown
    assert '<td class="value">50</td>' in shown
    assert '<td class="value">66.18</td>' in shown
