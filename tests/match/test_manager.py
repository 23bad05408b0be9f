"""The game manager: messages, clocks and replacement as PROTOCOL tables of two real servers say."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import replace

import pytest

import ggp
from ggp.errors import GgpError, GoalError, InputError, LimitReached, NoLegalMove
from ggp.kif import Source, read
from ggp.match.asking import Address
from ggp.match.dialects import Words, answered, presented, start_message, turn_message, written
from ggp.match.manager import MatchSettings, run_match
from ggp.match.records import read_record, states_of
from ggp.play import PLAYERS, FirstPlayer, Player, RandomPlayer
from tests.conftest import GAMES
from tests.match.manager import Script, ScriptedPlayer, send
from tests.match.serving import served

TIC_TAC_TOE = GAMES / "tic-tac-toe" / "tic-tac-toe.kif"

LAST_MATCH = GAMES / "three-players" / "last-match.kif"

BOTH_AT_ONCE = """
(role a) (role b) (init start) (hand 1) (hand 2) (hand 3)
(<= (legal ?r (show ?x)) (role ?r) (hand ?x))
(<= (next (shown ?r ?x)) (does ?r (show ?x)))
(<= terminal (true (shown a ?x)))
(<= same (true (shown a ?x)) (true (shown b ?x)))
(<= (goal a 100) same) (<= (goal a 0) (not same)) (<= (goal b 0) same) (<= (goal b 100) (not same))
"""

CLOCKS = MatchSettings(start_clock=60, play_clock=60, seed=1, pause=0)


def remote(player: ScriptedPlayer) -> tuple[str, Address]:
    return "remote", Address(*player.address)


def expr(text: str):
    return read(Source("<test>", text))[0]


def test_messages_of_both_servers() -> None:
    """As recorded on the wire: spaces, case, NIL, and a blank at the end of moves."""
    rules = read(Source("<test>", "(role a) (<= (next (cell ?m ?n x)) (does a (mark ?m ?n)))"))
    base = start_message("ggp-base", "m1", expr("a"), rules, (5.0, 3.0))
    assert base == (
        "( START m1 a (( role a ) ( <= ( next ( cell ?m ?n x ) ) ( does a ( mark ?m ?n ) ) )) 5 3)"
    )
    dresden = start_message("dresden", "dm1", expr("a"), rules, (8.0, 4.0))
    assert (
        dresden == "(START dm1 A ((ROLE A) (<= (NEXT (CELL ?M ?N X)) (DOES A (MARK ?M ?N)))) 8 4)"
    )
    moves = [expr("(mark 1 3)"), expr("noop")]
    assert turn_message("ggp-base", "PLAY", "m1", None) == "( PLAY m1 NIL )"
    assert turn_message("ggp-base", "PLAY", "m1", moves) == "( PLAY m1 (( mark 1 3 ) noop ) )"
    assert turn_message("dresden", "PLAY", "dm1", None) == "(PLAY dm1 NIL)"
    assert turn_message("dresden", "STOP", "dm1", moves) == "(STOP dm1 ((MARK 1 3) NOOP))"


@pytest.mark.parametrize(
    ("text", "base", "dresden"),
    [
        ("( Mark 1 1 )", "(Mark 1 1)", "(Mark 1 1)"),
        ("noop", "noop", "noop"),
        ("(Mark 1 1) junk (x", "(Mark 1 1)", None),
        ("noop (x", "noop", None),
        ("", None, None),
        ("(mark 1", None, None),
        ("((((", None, None),
    ],
)
def test_the_move_that_a_reply_states(text, base, dresden) -> None:
    for dialect, wanted in (("ggp-base", base), ("dresden", dresden)):
        found = answered(text, dialect)
        assert (None if found is None else str(found)) == wanted


def test_scrambled_names_are_those_of_another_sheet_of_the_same_game() -> None:
    rules = read(Source("<test>", TIC_TAC_TOE.read_text()))
    words = Words(rules, random.Random(1))
    told = [words.there(rule) for rule in rules]
    text = "\n".join(map(str, told))
    assert "mark" not in text
    assert "xplayer" not in text
    assert "(goal" in text
    assert " 100)" in text
    game = ggp.parse(text)
    assert len(game.initial.legal(game.roles[0])) == 9


def test_players_of_our_own_meet() -> None:
    game = ggp.load(TIC_TAC_TOE)
    seen = []
    players = [("first", FirstPlayer), ("random", RandomPlayer)]
    record = run_match(game, players, CLOCKS, lambda record, state: seen.append(state))
    assert record.goals is not None
    assert sum(record.goals) == 100
    assert record.players == ("first", "random")
    assert not any(error for errors in record.errors for error in errors)
    assert [s.facts for s in seen] == [s.facts for s in states_of(record, game)]
    assert seen[-1].goals == dict(zip(game.roles, record.goals, strict=True))
    assert len(record.states) == len(record.times) == len(record.moves) + 1


@pytest.mark.parametrize("dialect", ["ggp-base", "dresden"])
@pytest.mark.parametrize("scramble", [False, True])
def test_a_served_player_plays(dialect, scramble) -> None:
    game = ggp.load(TIC_TAC_TOE)
    settings = MatchSettings(300, 300, dialect, scramble, seed=2, pause=0)
    with served() as (host, port):
        players = [("we", Address(host, port)), ("random", RandomPlayer)]
        record = run_match(game, players, settings)
    assert record.goals is not None
    assert record.goals[0] >= 50
    assert not any(error for errors in record.errors for error in errors)


@pytest.mark.parametrize("dialect", ["ggp-base", "dresden"])
def test_bad_answers_are_replaced(dialect) -> None:
    """Illegal, unparsable, other case, late, closed without a reply: PROTOCOL's table, and
    docs/semantics.md 21: what replaced them is in the record."""
    game = ggp.load(TIC_TAC_TOE)
    late = Script("(mark 1 1)", delay=20.0)
    replies = [Script("(fly 1)"), Script("(MARK 3 3)"), late, Script(None), Script("nonsense (")]
    with ScriptedPlayer(*(x for reply in replies for x in (reply, Script("noop")))) as player:
        settings = MatchSettings(2, 2, dialect, seed=1, pause=0)
        record = run_match(game, [remote(player), ("first", FirstPlayer)], settings)
    errors = [errors[0] for errors in record.errors]
    assert errors[0] == "IL (fly 1)"
    first = record.moves[0][0]
    if dialect == "dresden":
        # The first legal move in the order of texts, and any case of letters.
        assert first == "(mark 1 1)"
        assert (record.moves[2][0], errors[2]) == ("(mark 3 3)", "")
    else:
        assert first in {str(m) for m in game.initial.legal("xplayer")}
        assert errors[2] == "IL (MARK 3 3)"
    assert errors[4] == "TO"
    if len(errors) > 6:
        assert errors[6] == "CE"
    verbs = [message.split()[0].strip("(") or message.split()[1] for message in player.messages]
    begun = ["START"] if dialect == "dresden" else ["INFO", "START"]
    assert verbs[: len(begun)] == begun
    assert verbs[-1] == "STOP"
    assert set(verbs[len(begun) : -1]) == {"PLAY"}


def test_a_player_that_is_not_there() -> None:
    game = ggp.load(TIC_TAC_TOE)
    players = [("gone", Address("127.0.0.1", 1)), ("first", FirstPlayer)]
    record = run_match(game, players, CLOCKS)
    assert record.goals is not None
    assert all(errors[0] == "CE" for errors in record.errors)


class Cheat(Player):
    def choose(self, state: ggp.State, seconds: float) -> ggp.Term:
        return self.game.term("(mark 1 1)")


class Speaker(Player):
    def choose(self, state: ggp.State, seconds: float) -> ggp.Term:
        return str(state.legal(self.role)[-1])  # type: ignore[return-value]


def test_a_player_may_say_its_move_as_text() -> None:
    record = run_match(
        ggp.load(TIC_TAC_TOE), [("speaker", Speaker), ("first", FirstPlayer)], CLOCKS
    )
    assert record.goals is not None
    assert not any(any(errors) for errors in record.errors)


def test_an_illegal_move_of_our_own_is_replaced() -> None:
    game = ggp.load(TIC_TAC_TOE)
    record = run_match(game, [("cheat", Cheat), ("first", FirstPlayer)], CLOCKS)
    assert record.errors[0] == ("", "")
    assert record.errors[1][0] == "IL (mark 1 1)"
    assert record.errors[2][0] == "IL (mark 1 1)"


def test_a_match_that_is_too_long_is_called_off() -> None:
    game = ggp.load(TIC_TAC_TOE)
    with ScriptedPlayer(Script("noop")) as player:
        players = [("first", FirstPlayer), remote(player)]
        with pytest.raises(LimitReached, match="moves"):
            run_match(game, players, MatchSettings(60, 60, most_moves=2))
        assert player.messages[-1].split()[1] == "ABORT"


@pytest.mark.parametrize(
    ("rules", "error"),
    [
        (
            "(role a) (legal a x) (<= (next done) (does a x)) (<= terminal (true done))"
            "(<= (goal a 1) (true never)) (<= (next never) (true never))",
            GoalError,
        ),
        (
            "(role a) (<= (legal a x) (not (true done))) (<= (next done) (does a x)) (goal a 1)"
            "(<= terminal (true never)) (<= (next never) (true never))",
            NoLegalMove,
        ),
    ],
)
def test_faults_of_the_rules_are_told(rules, error) -> None:
    with pytest.raises(error):
        run_match(ggp.parse(rules), [("first", FirstPlayer)], CLOCKS)


@pytest.mark.parametrize(
    ("dialect", "first", "pauses"),
    [
        ("dresden", Address("127.0.0.1", 1), True),
        ("dresden", FirstPlayer, False),
        ("ggp-base", Address("127.0.0.1", 1), False),
    ],
)
def test_dresden_waits_before_each_play_of_players_elsewhere(
    monkeypatch, dialect, first, pauses
) -> None:
    """Nobody answers at the address; each of his moves is replaced."""
    slept, sleep = [], asyncio.sleep

    async def sleeping(seconds: float) -> None:
        slept.append(seconds)
        await sleep(0)

    monkeypatch.setattr(asyncio, "sleep", sleeping)
    settings = replace(CLOCKS, dialect=dialect, pause=12.5)
    record = run_match(ggp.load(TIC_TAC_TOE), [("x", first), ("o", FirstPlayer)], settings)
    assert slept.count(12.5) == pauses * len(record.moves)


def test_wrong_numbers_and_addresses() -> None:
    game = ggp.load(TIC_TAC_TOE)
    with pytest.raises(InputError, match="2 players"):
        run_match(game, [("first", FirstPlayer)], CLOCKS)
    for text in (
        "ftp://x:1",
        "http://",
        "http://a:99999",
        "http://u@h:1",
        "http://h:1?x",
        "http://h:1/player",
    ):
        with pytest.raises(InputError):
            Address.of(text)
    assert Address.of("http://[::1]:80") == Address("::1", 80)
    assert Address.of("http://h:1/") == Address("h", 1)
    assert str(Address.of("localhost:7")) == "http://localhost:7"
    with pytest.raises(InputError):
        MatchSettings(start_clock=0)


def test_a_record_is_read_back(tmp_path) -> None:
    """Keys and spelling as of ggp-base's `Match`: moves and states with blanks, times in ms."""
    game = ggp.load(TIC_TAC_TOE)
    record = run_match(game, [("first", FirstPlayer), ("random", RandomPlayer)], CLOCKS)
    file = tmp_path / "match.json"
    record.write(file)
    data = json.loads(file.read_text())
    assert data["moves"][0] == ["( mark 1 1 )", "noop"]
    assert data["states"][0].startswith("( ( cell 1 1 b ) ")
    assert data["isCompleted"] is True
    assert data["goalValues"] == list(record.goals or ())
    assert data["stateTimes"][0] >= data["startTime"]
    again = read_record(file)
    states = states_of(again, ggp.parse(again.rulesheet))
    assert states[-1].terminal
    assert again.goals == record.goals
    assert again.players == record.players


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"moves": 1}', '{"moves": [[1]]}', "[" * 100_000, "\x00"]
)
def test_no_record(tmp_path, text) -> None:
    file = tmp_path / "match.json"
    file.write_text(text)
    with pytest.raises(InputError):
        read_record(file)


HIDDEN = """
(role random) (role a) (init (stage hide)) (cup 1) (cup 2) (cup 3)
(<= (legal random (put ?x)) (cup ?x) (true (stage hide)))
(<= (legal random wait) (true (stage guess)))
(<= (legal a wait) (true (stage hide)))
(<= (legal a (lift ?x)) (cup ?x) (true (stage guess)))
(<= (next (pea ?x)) (does random (put ?x))) (<= (next (pea ?x)) (true (pea ?x)))
(<= (next (stage guess)) (true (stage hide))) (<= (next (stage over)) (true (stage guess)))
(<= (next won) (does a (lift ?x)) (true (pea ?x)))
(<= (sees a (smell ?x)) (does random (put ?x)))
(<= terminal (true (stage over)))
(<= (goal a 100) (true won)) (<= (goal a 0) (not (true won))) (goal random 0)
"""


def test_percepts_are_told_and_not_moves() -> None:
    """GDL-II: the number of the turn, the own move, what was seen (docs/semantics.md 16)."""
    game = ggp.parse(HIDDEN)
    with ScriptedPlayer(Script("WAIT"), Script("(LIFT 1)")) as player:
        record = run_match(
            game, [remote(player)], MatchSettings(60, 60, "dresden", seed=3, pause=0)
        )
    put = record.moves[0][0].strip("()").split()[1]
    assert player.messages[2].split(" ", 2)[2] == f"2 WAIT ((SMELL {put})))"
    assert record.players == ("chance", f"http://127.0.0.1:{player.address[1]}")
    record = run_match(game, [("mcts", PLAYERS["mcts"])], MatchSettings(2, 1, seed=1))
    assert record.goals == (0, 100)


@pytest.mark.parametrize("name", [name for name in PLAYERS if name != "perfect"])
@pytest.mark.parametrize("sheet", [LAST_MATCH.read_text(), BOTH_AT_ONCE])
def test_all_players_play_games_of_every_kind(name, sheet) -> None:
    game = ggp.parse(sheet)
    clocks = MatchSettings(0.4, 0.2, seed=1)
    record = run_match(game, [(name, PLAYERS[name])] * len(game.players), clocks)
    assert record.goals is not None
    # On a slow machine an answer may be late.
    assert {error for errors in record.errors for error in errors} <= {"", "TO"}


def test_the_perfect_player_is_perfect() -> None:
    game = ggp.load(TIC_TAC_TOE)
    for seed in range(3):
        own = [("perfect", PLAYERS["perfect"]), ("random", lambda g, r: RandomPlayer(g, r, seed=4))]
        for players in (own, own[::-1]):
            record = run_match(game, players, MatchSettings(300, 300, seed=seed))
            assert record.goals is not None
            assert record.goals[players.index(own[0])] >= 50
    with pytest.raises(GgpError):
        PLAYERS["perfect"](ggp.parse(HIDDEN), "a").prepare(1)


def test_own_spelling_is_kept() -> None:
    assert written(expr("(Mark 1 1)"), "ggp-base") == "( Mark 1 1 )"


def test_chance_needs_no_goal() -> None:
    game = ggp.parse(HIDDEN.replace("(goal random 0)", ""))
    record = run_match(game, [("random", RandomPlayer)], CLOCKS)
    assert record.goals is not None
    assert record.goals[0] == 0


MIXED = """
(ROLE a) (ROLE b) (INIT (control A)) (<= (LEGAL ?r Mark) (TRUE (Control ?r)))
(<= (legal ?r noop) (role ?r) (NOT (true (control ?r))))
(<= (next (control b)) (true (control a))) (<= (NEXT done) (does B MARK))
(<= terminal (true Done)) (<= (goal a 100) (true done)) (<= (goal b 0) (true DONE))
"""


def test_scrambling_folds_case_as_the_sheet_is_read() -> None:
    rules = read(Source("<test>", MIXED))
    words = Words(rules, random.Random(1))
    told = "\n".join(str(words.there(rule)) for rule in rules)
    game = ggp.parse(told)
    state = game.initial
    for _ in range(2):
        state = state.after([own[0] for own in state.legal_indices()])
    assert state.terminal
    assert len(game.roles) == 2
    # Where case counts, other spellings are other symbols.
    strict = Words(rules, random.Random(1), strict_case=True)
    assert strict.there(expr("Mark")) != strict.there(expr("mark"))


def test_a_reply_of_several_lines_is_told_in_one() -> None:
    game = ggp.load(TIC_TAC_TOE)
    with ScriptedPlayer(Script("zzz\nxplayer (evil): 100")) as player:
        record = run_match(game, [remote(player), ("first", FirstPlayer)], CLOCKS)
    assert record.errors[0][0] == "IL zzz xplayer (evil): 100"


@pytest.mark.parametrize(
    "field",
    [
        f'"startClock": 1{"0" * 400}',
        '"goalValues": null',
        '"gameRoleNames": 5',
        '"playerNamesFromHost": true',
        '"startTime": {}',
    ],
)
def test_odd_fields_of_a_record(tmp_path, field) -> None:
    file = tmp_path / "match.json"
    file.write_text(f'{{"moves": [["noop", "noop"]], {field}}}')
    record = read_record(file)
    assert record.moves == [("noop", "noop")]


def test_players_present_themselves_and_see_the_rules_before() -> None:
    game = ggp.load(TIC_TAC_TOE)
    settings = MatchSettings(300, 300, seed=1, pause=0, preview_clock=60)
    greeted = []
    with served() as address:
        players = [("it", Address(*address)), ("first", FirstPlayer)]
        record = run_match(game, players, settings, greeted=lambda record: greeted.append(record))
    assert greeted == [record]
    assert record.presented == ({"name": "ggp", "status": "available"}, {})
    assert record.as_dict()["previewClock"] == 60
    assert record.as_dict()["playersPresented"][0]["name"] == "ggp"


def test_preview_and_info_as_they_are_sent() -> None:
    """As in ggp-base's `RequestBuilder`; a player that knows neither is met all the same."""
    game = ggp.load(TIC_TAC_TOE)
    with ScriptedPlayer(Script("nil")) as player:
        settings = MatchSettings(60, 60, seed=1, most_moves=1, preview_clock=2.5)
        with pytest.raises(LimitReached):
            run_match(game, [remote(player), ("first", FirstPlayer)], settings)
        info, preview, start, *_ = player.messages
    assert info == "( INFO )"
    assert preview.startswith("( PREVIEW (( role xplayer ) ( role oplayer ) ")
    assert preview.endswith(" )) 2.5 )")
    assert start.startswith("( START ")
    with pytest.raises(InputError, match="PREVIEW"):
        MatchSettings(dialect="dresden", preview_clock=1)
    with pytest.raises(InputError, match="clocks"):
        MatchSettings(preview_clock=0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("( ( name X ) ( status available ) )", {"name": "X", "status": "available"}),
        ("busy", {"status": "busy"}),
        ("((name) x (species alien b))", {"species": "alien b"}),
        ("((((", {}),
        ("", {}),
    ],
)
def test_what_players_say_of_themselves(text, said) -> None:
    assert presented(text) == said


def test_players_hear_of_the_end_though_nobody_can_be_told() -> None:
    """What is told of the match may fail (a disk that is full): ABORT is sent all the same."""

    def told(record, state) -> None:
        if record.moves:
            raise InputError("no room")

    with served() as address:
        game = ggp.load(TIC_TAC_TOE)
        players = [("it", Address(*address)), ("first", FirstPlayer)]
        with pytest.raises(InputError):
            run_match(game, players, CLOCKS, told)
        assert "available" in send(*address, "(INFO)", timeout=60).body


def test_a_record_of_a_match_that_was_called_off_says_so() -> None:
    told = []
    with pytest.raises(LimitReached):
        run_match(
            ggp.load(TIC_TAC_TOE),
            [("first", FirstPlayer), ("random", RandomPlayer)],
            MatchSettings(60, 60, most_moves=3),
            lambda record, state: told.append((record.aborted, len(record.moves))),
        )
    assert told[-1] == (True, 3)
    assert told[:-1] == [(False, moves) for moves in range(4)]


def test_each_match_has_a_name_of_64_random_bits() -> None:
    game = ggp.load(TIC_TAC_TOE)
    players = [("first", FirstPlayer), ("second", FirstPlayer)]
    names = [run_match(game, players, CLOCKS).match for _ in range(2)]
    assert names[0] != names[1]
    assert [len(bytes.fromhex(name)) for name in names] == [8, 8]


def test_who_was_late_for_the_start_alone_is_told_so() -> None:
    """It was told as an error of the first move, which was there in time."""

    class Unready(FirstPlayer):
        def prepare(self, seconds: float) -> None:
            raise ZeroDivisionError("of it")

    game = ggp.load(TIC_TAC_TOE)
    record = run_match(game, [("late", Unready), ("first", FirstPlayer)], CLOCKS)
    assert record.errors[0] == ("CE ZeroDivisionError: of it (to START)", "")
    assert not any(map(any, record.errors[1:]))
