"""Seats at a manager's table: what is asked of players and what is made of their answers.

Bytes and clocks are those of PROTOCOL's tables of ggp-base's game server and Dresden's controller.
"""

from __future__ import annotations

import asyncio
import socket
from types import SimpleNamespace

import pytest

import ggp
from ggp.errors import GoalError, InputError, LimitReached
from ggp.kif import read
from ggp.match import seats
from ggp.match.asking import Address, Reply
from ggp.match.dialects import Words
from ggp.match.manager import run_match
from ggp.match.seats import MadeMove, MatchSettings, OwnSeat, RemoteSeat, Situation
from ggp.play import FirstPlayer, PerfectPlayer, Player

RACE = """
(role a) (role b) (init (at 0)) (init open)
(<= (legal ?r (Step 1)) (role ?r)) (<= (legal ?r stay) (role ?r))
(<= (next (at 1)) (does a (Step 1))) (<= (next (at 0)) (does a stay))
(<= terminal (true (at 1))) (goal a 100) (goal b 0)
"""

HIDDEN = """
(role random) (role a) (init (stage 1)) (cup 1) (cup 2) (cup 3)
(<= (legal random (put ?x)) (cup ?x) (true (stage 1))) (<= (legal random wait) (true (stage 2)))
(<= (legal a wait) (true (stage 1))) (<= (legal a (lift ?x)) (true (stage 2)) (true (pea ?x)))
(<= (next (pea ?x)) (does random (put ?x))) (<= (next (stage 2)) (true (stage 1)))
(<= (next (stage 3)) (true (stage 2))) (<= (sees a (smell ?x)) (does random (put ?x)))
(<= terminal (true (stage 3))) (goal a 0) (goal random 0)
"""


@pytest.mark.parametrize("clock", ["start_clock", "play_clock", "preview_clock"])
@pytest.mark.parametrize(
    ("seconds", "good"), [(0, False), (-1, False), (0.5, True), (1e6, True), (1e6 + 1, False)]
)
def test_clocks_are_more_than_0_and_at_most_a_million_seconds(clock, seconds, good) -> None:
    if good:
        assert getattr(MatchSettings(**{clock: seconds}), clock) == seconds
    else:
        with pytest.raises(InputError, match="more than 0 and at most a million seconds"):
            MatchSettings(**{clock: seconds})


@pytest.mark.parametrize("most", [0, -1])
def test_a_match_has_room_for_a_move(most) -> None:
    assert MatchSettings(most_moves=1).most_moves == 1
    with pytest.raises(InputError, match="at least one move"):
        MatchSettings(most_moves=most)


def test_only_ggp_base_sends_preview() -> None:
    assert MatchSettings(dialect="dresden").preview_clock is None
    assert MatchSettings(dialect="ggp-base", preview_clock=1).preview_clock == 1
    with pytest.raises(InputError, match="dresden sends no PREVIEW"):
        MatchSettings(dialect="dresden", preview_clock=1)


# Players over HTTP


@pytest.fixture
def wire(monkeypatch):
    """What seats ask, and `reply`, which they get: nothing is sent."""
    found = SimpleNamespace(asked=[], reply=Reply("ready"))

    async def ask(address, message, sender, name, seconds, *, is_dresden) -> Reply:
        assert is_dresden == (sender == "Gamecontroller")
        found.asked.append((message, sender, name, seconds))
        return found.reply

    monkeypatch.setattr(seats, "ask", ask)
    return found


AT_H = Address("h", 7)


def remote(game: ggp.Game, role: int, dialect="ggp-base", address=AT_H, **options) -> RemoteSeat:
    rules = read(game.rules.source)
    settings = MatchSettings(8, 4, dialect, **options)
    return RemoteSeat(address, game, role, rules, Words(rules, None), "m1", settings)


def here(game: ggp.Game, *moves: str, turn: int = 1, seen: tuple = ()) -> Situation:
    """The first state, after moves that are said to have been made."""
    last = tuple(map(game.term, moves)) or None
    return Situation(game.initial, turn, last, tuple(map(game.term, seen)))


BASE, DRESDEN = ("GAMESERVER", "h"), ("Gamecontroller", "h")


@pytest.mark.parametrize(
    ("dialect", "moves", "asked"),
    [
        ("ggp-base", (), ("( PLAY m1 NIL )", *BASE, 5)),
        ("ggp-base", ("(step 1)", "stay"), ("( PLAY m1 (( Step 1 ) stay ) )", *BASE, 5)),
        ("dresden", (), ("(PLAY m1 NIL)", *DRESDEN, 5)),
        ("dresden", ("(step 1)", "stay"), ("(PLAY m1 ((STEP 1) STAY))", *DRESDEN, 5)),
    ],
)
def test_play_has_the_clock_and_a_second(wire, dialect, moves, asked) -> None:
    game = ggp.parse(RACE)
    wire.reply = Reply("stay")
    made = asyncio.run(remote(game, 1, dialect).move(here(game, *moves)))
    assert made == MadeMove(game.term("stay"))
    assert wire.asked == [asked]


@pytest.mark.parametrize(
    ("dialect", "wanted"),
    [
        ("ggp-base", [("( STOP m1 (( Step 1 ) stay ) )", *BASE, 4), ("( ABORT m1 )", *BASE, 1)]),
        ("dresden", [("(STOP m1 ((STEP 1) STAY))", *DRESDEN, 5)]),
    ],
)
def test_stop_has_the_clock_and_abort_is_of_ggp_base(wire, dialect, wanted) -> None:
    game = ggp.parse(RACE)
    seat = remote(game, 0, dialect)
    asyncio.run(seat.stop(here(game, "(step 1)", "stay")))
    asyncio.run(seat.abort())
    assert wire.asked == wanted


@pytest.mark.parametrize(
    ("dialect", "role", "begins", "ends", "seconds"),
    [
        ("ggp-base", 0, "( START m1 a (( role a ) ", " ( goal b 0 )) 8 4)", 8),
        ("ggp-base", 1, "( START m1 b (( role a ) ", " ( goal b 0 )) 8 4)", 8),
        ("dresden", 1, "(START m1 B ((ROLE A) ", " (GOAL B 0)) 8 4)", 9),
    ],
)
def test_start_tells_the_role_and_dresden_adds_a_second(
    wire, dialect, role, begins, ends, seconds
) -> None:
    assert asyncio.run(remote(ggp.parse(RACE), role, dialect).start()) == ""
    ((message, _, _, clock),) = wire.asked
    assert message.startswith(begins)
    assert message.endswith(ends)
    assert clock == seconds


def test_what_is_wrong_with_the_answer_to_start_is_told(wire) -> None:
    wire.reply = Reply(None, "TO")
    assert asyncio.run(remote(ggp.parse(RACE), 0).start()) == "TO"


@pytest.mark.parametrize(
    ("answer", "told"), [("busy", 1), (" BUSY\n", 1), ("ready", 0), ("", 0), ("busybody", 0)]
)
def test_a_player_that_is_busy_is_told_of(wire, caplog, answer, told) -> None:
    """The match goes on: whoever is busy now may play later."""
    wire.reply = Reply(answer)
    seat = remote(ggp.parse(RACE), 0)
    assert asyncio.run(seat.start()) == ""
    assert len(caplog.messages) == told
    assert all(message.startswith(f"{seat.name} is busy") for message in caplog.messages)


def test_where_nobody_listens_that_is_told(caplog) -> None:
    """A match then goes on with moves that are chosen in that player's place."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    seat = remote(ggp.parse(RACE), 0, address=Address("127.0.0.1", port))
    assert asyncio.run(seat.start()) == "CE"
    assert caplog.messages == [f"nobody listens at http://127.0.0.1:{port}: Connection refused"]


def test_info_and_preview_are_of_ggp_base(wire) -> None:
    game = ggp.parse(RACE)
    wire.reply = Reply("((name X) (status busy))")
    seat = remote(game, 0, preview_clock=2.5)
    assert asyncio.run(seat.greet()) == {"name": "X", "status": "busy"}
    asyncio.run(seat.preview())
    assert wire.asked[0] == ("( INFO )", *BASE, 2)
    assert wire.asked[1][0].startswith("( PREVIEW (( role a ) ")
    assert wire.asked[1][3] == 2.5
    wire.reply = Reply(None, "CE")
    assert asyncio.run(seat.greet()) == {}
    del wire.asked[:]
    asyncio.run(remote(game, 0).preview())
    assert asyncio.run(remote(game, 0, "dresden").greet()) == {}
    assert wire.asked == []


@pytest.mark.parametrize(
    ("reply", "base", "dresden"),
    [
        (Reply("(Step 1)"), "(step 1)", "(step 1)"),
        (Reply("( Step  1 )"), "(step 1)", "(step 1)"),
        (Reply("(step 1)"), "IL (step 1)", "(step 1)"),
        (Reply("(STEP 1)"), "IL (STEP 1)", "(step 1)"),
        (Reply("stay junk (x"), "stay", "IL stay junk (x"),
        (Reply("( stay )"), "stay", "stay"),
        (Reply("nil"), "IL nil", "IL nil"),
        (Reply("(step\n 2)"), "IL (step 2)", "IL (step 2)"),
        (Reply("((("), "IL (((", "IL ((("),
        (Reply(""), "IL an empty reply", "IL an empty reply"),
        (Reply("x" * 300), f"IL {'x' * 200}", f"IL {'x' * 200}"),
        (Reply(None, "TO"), "TO", "TO"),
        (Reply(None, "CE"), "CE", "CE"),
    ],
)
def test_replies_to_play(wire, reply, base, dresden) -> None:
    """Legal moves by their text: the case of letters counts for ggp-base only."""
    game = ggp.parse(RACE)
    wire.reply = reply
    for dialect, wanted in (("ggp-base", base), ("dresden", dresden)):
        made = asyncio.run(remote(game, 0, dialect).move(here(game)))
        is_error = wanted[:2] in ("IL", "TO", "CE")
        expected = MadeMove(None, wanted) if is_error else MadeMove(game.term(wanted))
        assert made == expected


@pytest.mark.parametrize(
    ("which", "turn", "moves", "seen", "text"),
    [
        ("PLAY", 1, (), (), "(PLAY m1 1 NIL NIL)"),
        ("PLAY", 2, ("(put 2)", "wait"), ("(smell 2)",), "(PLAY m1 2 WAIT ((SMELL 2)))"),
        ("PLAY", 2, ("(put 2)", "wait"), (), "(PLAY m1 2 WAIT ())"),
        ("STOP", 3, ("wait", "(lift 3)"), ("(smell 3)",), "(STOP m1 3 (LIFT 3) ((SMELL 3)))"),
    ],
)
def test_where_roles_see_percepts_they_get_no_moves(wire, which, turn, moves, seen, text) -> None:
    """The turn, the role's own move and what it saw (GDL-II as the Dresden controller says it)."""
    game = ggp.parse(HIDDEN)
    seat = remote(game, 1, "dresden")
    situation = here(game, *moves, turn=turn, seen=seen)
    if which == "STOP":
        asyncio.run(seat.stop(situation))
    else:
        asyncio.run(seat.move(situation))
    assert wire.asked[0][0] == text


def test_players_over_http_are_known_by_their_address() -> None:
    seat = remote(ggp.parse(RACE), 0)
    assert (seat.name, seat.is_own) == ("http://h:7", False)


# Players of our own


class Told(Player):
    """Answers what it is told to, and keeps what it is asked."""

    answer: str | Exception = "stay"

    def prepare(self, seconds):
        self.prepared = seconds
        if isinstance(self.answer, Exception):
            raise self.answer
        return True

    def choose(self, state, seconds):
        self.asked = state, seconds
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.game.term(self.answer)


class Untimed(Told):
    is_timed = False


def own(text: str = RACE, kind=Told, answer="stay", **settings) -> tuple[OwnSeat, Told]:
    game = ggp.parse(text)
    player = kind(game, "a")
    player.answer = answer
    return OwnSeat(player, "it", MatchSettings(20, 10, seed=1, **settings)), player


def test_players_of_our_own_have_95_of_100_of_each_clock() -> None:
    seat, player = own()
    assert asyncio.run(seat.start()) == ""
    assert player.prepared == 19
    assert asyncio.run(seat.move(here(player.game))) == MadeMove(player.game.term("stay"))
    assert player.asked == (player.game.initial, 9.5)
    assert (seat.name, seat.is_own) == ("it", True)
    assert asyncio.run(seat.greet()) == {}


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("(step 1)", ""),
        ("(at 0)", "IL (at 0)"),
        (InputError("no idea"), "CE no idea"),
        (LimitReached("time", 1), "CE limit reached: time = 1"),
    ],
)
def test_answers_of_our_own_players(answer, error) -> None:
    seat, player = own(answer=answer)
    move = None if error else player.game.term(answer)
    assert asyncio.run(seat.move(here(player.game))) == MadeMove(move, error)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (LimitReached("time", 1), "limit reached: time = 1"),
        (GoalError("b has no goal value"), "b has no goal value"),
    ],
)
def test_a_player_of_our_own_that_cannot_prepare_says_why(error, said, caplog) -> None:
    seat, _ = own(answer=error)
    assert asyncio.run(seat.start()) == f"CE {said}"
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("kind", "late", "made"),
    [
        (Told, 0, "stay"), (Told, 10.9, "stay"), (Told, 11.1, "TO"),
        (Untimed, 10.9, "stay"), (Untimed, 11.1, "stay"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dialect", ["ggp-base", "dresden"])
def test_an_answer_is_late_a_second_after_the_clock(monkeypatch, kind, late, made, dialect) -> None:
    """Of a player that is timed; the clock is ten seconds."""
    seat, player = own(kind=kind, dialect=dialect)
    times = iter([100.0, 100.0 + late])
    monkeypatch.setattr(seats, "time", SimpleNamespace(monotonic=lambda: next(times)))
    wanted = MadeMove(None, "TO") if made == "TO" else MadeMove(player.game.term(made))
    assert asyncio.run(seat.move(here(player.game))) == wanted


@pytest.mark.parametrize("cup", [1, 2, 3])
def test_a_player_of_our_own_knows_what_it_saw(cup) -> None:
    """Where it does not see the state it is asked for a move in one that agrees with its percepts:
    only the cup with the pea may be lifted."""
    game = ggp.parse(HIDDEN)
    seat = OwnSeat(FirstPlayer(game, "a"), "it", MatchSettings(20, 10, seed=1))
    assert asyncio.run(seat.move(here(game))) == MadeMove(game.term("wait"))
    after = game.initial.play({"random": f"(put {cup})", "a": "wait"})
    last = (game.term(f"(put {cup})"), game.term("wait"))
    situation = Situation(after, 2, last, (game.term(f"(smell {cup})"),))
    assert asyncio.run(seat.move(situation)) == MadeMove(game.term(f"(lift {cup})"))


def test_a_player_of_our_own_knows_nothing_but_what_it_saw() -> None:
    """Told of the second cup it lifts that, though the pea is under the first."""
    game = ggp.parse(HIDDEN)
    seat = OwnSeat(FirstPlayer(game, "a"), "it", MatchSettings(20, 10, seed=1))
    after = game.initial.play({"random": "(put 1)", "a": "wait"})
    last = (game.term("(put 1)"), game.term("wait"))
    situation = Situation(after, 2, last, (game.term("(smell 2)"),))
    assert asyncio.run(seat.move(situation)) == MadeMove(None, "IL (lift 2)")


def test_where_moves_are_told_a_player_of_our_own_sees_the_state() -> None:
    seat, player = own()
    after = player.game.initial.play({"a": "stay", "b": "stay"})
    assert after != player.game.initial
    asyncio.run(seat.move(Situation(after, 2, None, ())))
    assert player.asked[0] == after


class Broken(FirstPlayer):
    """A program that fails."""

    def prepare(self, seconds):
        raise ZeroDivisionError("of\nnothing")

    def choose(self, state, seconds):
        raise ValueError("boom")


def test_a_program_of_our_own_that_fails_is_told_as_an_error_and_the_match_goes_on() -> None:
    game = ggp.parse(RACE)
    found = run_match(
        game, [("mine", Broken), ("first", FirstPlayer)], MatchSettings(most_moves=3, seed=1)
    )
    assert found.goals == (100, 0)
    assert found.errors[0] == (
        "CE ValueError: boom; CE ZeroDivisionError: of nothing (to START)",
        "",
    )
    seat = OwnSeat(Broken(game, "a"), "mine", MatchSettings())
    assert asyncio.run(seat.move(Situation(game.initial, 1, None, ()))) == MadeMove(
        None, "CE ValueError: boom"
    )


def test_a_player_that_cannot_play_such_games_is_wrong_use() -> None:
    seat = OwnSeat(PerfectPlayer(ggp.parse(HIDDEN), "a"), "perfect", MatchSettings())
    with pytest.raises(InputError, match="perfect cannot play this: the rules say what roles see"):
        asyncio.run(seat.start())


def test_ctrl_c_while_a_player_of_our_own_thinks_ends_the_match() -> None:
    """And is not an exception of its thread, which is printed where the loop has ended by then."""

    class Ended(FirstPlayer):
        def prepare(self, seconds):
            raise KeyboardInterrupt

    game = ggp.parse(RACE)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(OwnSeat(Ended(game, "a"), "it", MatchSettings()).start())
    told = []
    with pytest.raises(KeyboardInterrupt):
        run_match(
            game, [("it", Ended), ("first", FirstPlayer)], MatchSettings(),
            told=lambda record, state: told.append(record.aborted),
        )  # fmt: skip
    assert told[-1]
