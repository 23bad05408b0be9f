"""Values of positions from rule sheets, against tables computed independently."""

from __future__ import annotations

import json
import random

import pytest

import ggp
from ggp.errors import LimitReached
from ggp.solver.valued import (
    BoardValues,
    ComesAgain,
    EndedBoard,
    LoopyValue,
    NoValue,
    PieceValues,
    SomeBoards,
    values,
)
from ggp.theory import LoopyGame, NotStopperSided, ShortGame
from tests.conftest import GAMES, nightly, shared


def cases(family: str, longest: int) -> dict[str, str]:
    """Positions of a family with their values, from the reference table."""
    with open(shared("truth", "values.json"), encoding="utf-8") as file:
        listed = json.load(file)["cases"]
    found = {c["position"]: c["value"] for c in listed if c["family"] == family}
    return {position: value for position, value in found.items() if len(position) <= longest}


def both_ways(game: ggp.Game, state: ggp.State | None = None) -> ShortGame:
    """The value by pieces, which must be that of all boards enumerated."""
    by_boards = values(game, state, every=True)
    assert isinstance(by_boards, BoardValues)
    found = values(game, state)
    assert found.whole == by_boards.whole
    return found.whole


@pytest.mark.parametrize(
    ("sheet", "settings", "value"),
    [
        ("kayles/kayles-7.kif", {}, "*2"),
        ("domineering/domineering-3x4.kif", {}, "3/2"),
        ("domineering/domineering.kif.jinja", {"rows": 2, "columns": 2}, "+-1"),
        ("domineering/domineering.kif.jinja", {"rows": 3, "columns": 2}, "{1/2|-2}"),
        ("hackenbush/stalks.kif.jinja", {"stalks": ["LRL"]}, "3/4"),
        ("hackenbush/stalks.kif.jinja", {"stalks": ["LR", "LR", "R"]}, "0"),
        ("hackenbush/stalks.kif.jinja", {"stalks": ["GGG", "GL"]}, "*3+^*"),
        ("clobber/clobber.kif.jinja", {"rows": 1, "columns": 2}, "*"),
        ("col/col.kif.jinja", {"rows": 1, "columns": 2}, "0"),
        ("snort/snort.kif.jinja", {"rows": 1, "columns": 2}, "+-1"),
        ("nim/rows.kif.jinja", {"rows": 2}, "*2"),
    ],
)
def test_values_of_small_positions(sheet, settings, value) -> None:
    """Winning Ways, chapters 1, 2, 5 and 6: small positions of each game."""
    game = ggp.load(GAMES / sheet, **settings)
    expected = ShortGame.parse(value)
    assert both_ways(game) == expected


def strip(sheet: str, position: str, letters: dict[str, str], ends: str) -> ShortGame:
    """The value of a strip of animals, set up on a longer strip with one of either kind."""
    board = ends[0] + "_" * (len(position) - 2) + ends[1]
    game = ggp.load(GAMES / sheet, board=board)
    facts = [f"(cell {i} {letters[c]})" for i, c in enumerate(position.lower(), 1)]
    return values(game, game.state([*facts, "(control left)"])).whole


@pytest.mark.parametrize(
    ("family", "sheet", "kinds", "ends", "longest"),
    [
        ("toads-and-frogs", "toads-and-frogs/toads-and-frogs.kif.jinja", ("toad", "frog"), "TF", 6),
        pytest.param(
            "toads-and-frogs", "toads-and-frogs/toads-and-frogs.kif.jinja", ("toad", "frog"), "TF",
            7, marks=pytest.mark.slow,
        ),
        ("elephants-and-rhinos", "elephants-and-rhinos/elephants-and-rhinos.kif.jinja",
         ("elephant", "rhino"), "ER", 8),
    ],
)  # fmt: skip
def test_strips(family, sheet, kinds, ends, longest) -> None:
    """The reference table of values."""
    letters = dict(zip("tf.", (*kinds, "empty"), strict=True))
    known = {p: v for p, v in cases(family, longest).items() if len(p) > 3}
    assert len(known) > 2
    for position, value in known.items():
        assert str(strip(sheet, position, letters, ends)) == value, position


def test_boards_of_domineering() -> None:
    """The reference table of values: boards with squares that are taken."""
    known = cases("domineering", 12)
    assert len(known) > 20
    games: dict[tuple[int, int], ggp.Game] = {}
    for position, value in known.items():
        rows = position.split("|")
        size = len(rows), len(rows[0])
        if size[0] * size[1] < 4 or 1 in size:
            continue
        sheet = GAMES / "domineering" / "domineering.kif.jinja"
        if size not in games:
            games[size] = ggp.load(sheet, rows=size[0], columns=size[1])
        facts = [
            f"(cell {x} {y} {'free' if square == '.' else 'taken'})"
            for y, row in enumerate(rows, 1)
            for x, square in enumerate(row, 1)
        ]
        state = games[size].state([*facts, "(control updown)"])
        assert str(values(games[size], state).whole) == value, position


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), (3, 3)])
def test_snort_on_grids(rows, columns) -> None:
    """The reference table of values."""
    game = ggp.load(GAMES / "snort" / "snort.kif.jinja", rows=rows, columns=columns)
    assert str(values(game).whole) == cases("snort-grid", 3)[f"{rows}x{columns}"]


def test_col_on_grids() -> None:
    """The reference table of values."""
    for position, value in cases("col-grid", 3).items():
        rows, columns = map(int, position.split("x"))
        game = ggp.load(GAMES / "col" / "col.kif.jinja", rows=rows, columns=columns)
        assert str(values(game).whole) == value


def test_moves_are_valued_and_the_sensible_ones_told_apart() -> None:
    game = ggp.load(GAMES / "kayles" / "kayles-7.kif")
    for every in (False, True):
        found = values(game, every=every)
        winning = {m.move for m in found.moves() if m.role == "left" and m.value == 0}
        assert winning == {"(single 4)", "(double 2)", "(double 5)"}
        sensible = {m.move for m in found.moves() if m.role == "left" and m.sensible}
        assert winning <= sensible


def test_a_position_of_ones_own() -> None:
    game = ggp.load(GAMES / "hackenbush" / "stalks.kif.jinja", stalks=["LRL", "RL"])
    state = game.state(["(height 1 2)", "(height 2 0)", "(control left)"])
    assert both_ways(game, state) == ShortGame.parse("1/2")


@pytest.mark.parametrize(
    ("sheet", "settings", "why"),
    [
        ("tic-tac-toe", {}, "condition 4"),
        ("clobber/clobber", {"rows": 2, "columns": 3, "misere": True}, "condition 4"),
        ("rock-paper-scissors", {}, "condition 1"),
        ("lights-out-3x3", {}, "condition 1"),
        ("last-match", {}, "condition 1"),
    ],
)
def test_games_without_values_say_which_condition_fails(sheet, settings, why) -> None:
    with pytest.raises(NoValue, match=why):
        values(ggp.games.load(sheet, **settings))


PASSING = """(role left) (role right) (init (control left)) (init (heap 2)) (succ 0 1) (succ 1 2)
(<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?m)) (succ ?n ?m))
(<= (legal ?p wait) (true (control ?p)) (true (heap ?m)) (distinct ?m 0))
(<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))
(<= (next (heap ?n)) (does ?p (take ?n)))
(<= (next (heap ?n)) (true (heap ?n)) (does ?p wait))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= terminal (true (heap 0)))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (true (control ?q)) (distinct ?p ?q))
"""


def test_a_pass_is_refused() -> None:
    with pytest.raises(NoValue, match="condition 2"):
        values(ggp.parse(PASSING))


def test_boards_are_counted_by_value() -> None:
    game = ggp.load(GAMES / "domineering" / "domineering.kif.jinja", rows=2, columns=2)
    found = values(game, every=True)
    counted = {str(value): count for value, count in found.by_value().items()}
    assert counted == {"+-1": 1, "1": 2, "-1": 2, "0": 1}
    assert found.count == 6


def test_limits_end_the_work() -> None:
    from ggp.limits import Budget, Limits

    game = ggp.load(GAMES / "clobber" / "clobber-4x4.kif")
    with pytest.raises(LimitReached):
        values(game, every=True, budget=Budget(Limits(positions=1_000)))


def test_pieces_are_used_where_the_conditions_are_proved() -> None:
    for sheet in ("kayles/kayles-7.kif", "domineering/domineering-3x4.kif"):
        assert isinstance(values(ggp.load(GAMES / sheet)), PieceValues)


def tug(token: str, start: str = "left") -> str:
    """A token on places 1 to 3; Left pushes it up, Right down from place 2 alone; each push uses a
    coin. `token`: how it goes on."""
    return f"""(role left) (role right) (init (token 2)) (init (coin 1)) (init (coin 2))
(init (control {start})) (succ 1 2) (succ 2 3) {token}
(<= (legal left (push ?n)) (true (control left)) (true (token ?x)) (succ ?x ?y) (true (coin ?n)))
(<= (legal right (push ?n)) (true (control right)) (true (token 2)) (true (coin ?n)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (paid ?n) (does ?p (push ?n))) (<= (next (coin ?n)) (true (coin ?n)) (not (paid ?n)))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= can (legal ?p (push ?n))) (<= terminal (not can))
(<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (role ?p) (not (true (control ?p))))"""


BY_TURN = """(<= (next (token ?y)) (true (control left)) (true (token ?x)) (succ ?x ?y))
(<= (next (token ?x)) (true (control right)) (true (token ?y)) (succ ?x ?y))"""

BY_MOVE = """(<= (next (token ?y)) (does left (push ?n)) (true (token ?x)) (succ ?x ?y))
(<= (next (token ?x)) (does right (push ?n)) (true (token ?y)) (succ ?x ?y))"""


@pytest.mark.parametrize("text", [tug(BY_TURN), tug(BY_TURN, "right"), tug(BY_MOVE)])
def test_what_the_turn_pushes_is_no_part_of_it(text) -> None:
    """Brute force by an independent program: 1/2, however the rules are written, whoever begins."""
    assert values(ggp.parse(text)).whole == ShortGame.parse("1/2")


TAKING = """(role left) (role right) (init (cell 1 e)) (init (cell 2 e)) (init (cell 3 e))
(init (control left)) (<= (legal ?p (take ?c)) (true (control ?p)) (true (cell ?c e)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (cell ?c x)) (does ?p (take ?c))) (<= (touched ?c) (does ?p (take ?c)))
(<= (next (cell ?c ?s)) (true (cell ?c ?s)) (not (touched ?c)))
(<= open (true (cell ?c e))) (<= terminal (not open))
(<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (role ?p) (not (true (control ?p))))"""

HANDED = [
    """(<= (next (control right)) (does left (take ?c)))
       (<= (next (control left)) (does right (take ?c)))""",
    "(<= (next (control ?p)) (does ?p noop))",
    """(<= (next (control ?q)) (role ?q) (does ?p ?m) (distinct ?m noop) (distinct ?p ?q))""",
]


@pytest.mark.parametrize("turns", HANDED)
def test_the_turn_may_be_handed_on_by_the_move(turns) -> None:
    """Three coins, of which one is taken at a time."""
    game = ggp.parse(f"{TAKING} {turns}")
    assert game.analyse().value("turns") == "alternating"
    assert both_ways(game) == ShortGame.nimber(1)


@pytest.mark.parametrize(("stalks", "value"), [(["RR"], -2), (["LL"], 2), (["R", "LLL"], 2)])
def test_the_role_that_begins_need_not_have_a_move(stalks, value) -> None:
    """Winning Ways, chapter 1: a stalk of one colour is a number of moves."""
    game = ggp.load(GAMES / "hackenbush" / "stalks.kif.jinja", stalks=stalks)
    assert both_ways(game) == value


def test_a_choice_of_the_waiting_role_that_never_arises_does_not_count() -> None:
    """When both coins are Left's play is over, and Right could say something besides."""
    turns = """(<= (next (control left)) (true (control right)))
        (<= (next (control right)) (true (control left)))
        (<= (legal right shout) (true (control left)) (true (cell 1 x)) (true (cell 2 x))
            (true (cell 3 x)))"""
    assert values(ggp.parse(f"{TAKING} {turns}")).whole == ShortGame.nimber(1)


CIRCLE = """(role left) (role right) (init (at a)) (init (control left))
(step a b) (step b c) (step c b)
(<= (legal ?p (go ?y)) (true (control ?p)) (true (at ?x)) (step ?x ?y))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (at ?y)) (does ?p (go ?y)))
(<= (next (control left)) (true (control right))) (<= (next (control right)) (true (control left)))
(<= can (legal ?p (go ?y))) (<= terminal (not can))
(<= (goal ?p 0) (true (control ?p))) (<= (goal ?p 100) (role ?p) (not (true (control ?p))))"""


def test_the_board_that_comes_up_again_does() -> None:
    with pytest.raises(NoValue, match="condition 5") as caught:
        values(ggp.parse(CIRCLE))
    assert "(at a)" not in caught.value.facts


def walk(steps: dict[str, list[tuple[str, str]]]) -> str:
    """A token on a graph, of which each side has its own arrows; it is at a first."""
    listed = "".join(f"(step {p} {x} {y})" for p, own in steps.items() for x, y in own)
    rules = CIRCLE.replace("(step a b) (step b c) (step c b)", listed)
    return rules.replace("(step ?x ?y)", "(step ?p ?x ?y)")


@pytest.mark.parametrize(
    ("steps", "value"),
    [
        ({"left": [("a", "b"), ("b", "a")], "right": [("a", "b"), ("b", "a")]}, "dud"),
        ({"left": [("a", "b"), ("b", "a")], "right": []}, "on"),
        ({"left": [], "right": [("a", "b"), ("b", "a")]}, "off"),
        ({"left": [("a", "0"), ("b", "0")], "right": [("a", "b"), ("b", "a")]}, "over"),
    ],
)
def test_boards_that_come_up_again_are_loopy_games(steps, value) -> None:
    """Conway, Loopy games (1978): on, off, over and dud."""
    with pytest.raises(ComesAgain) as caught:
        values(ggp.parse(walk(steps)))
    assert LoopyValue(caught.value.boards).text == value


@pytest.mark.parametrize("seed", [*range(12), *nightly(range(12, 25))])
def test_loopy_games_are_those_of_the_graph(seed) -> None:
    rng = random.Random(seed)
    nodes = "abcdef"[: rng.randint(3, 6)]
    pairs = [(x, y) for x in nodes for y in nodes if x != y and rng.random() < 0.3]
    steps = {p: [pair for pair in pairs if rng.random() < 0.6] for p in ("left", "right")}
    for own in steps.values():
        own.append(("a", "b"))  # without any move nothing tells whose turn it is
    graph = {x: tuple([y for z, y in steps[p] if z == x] for p in ("left", "right")) for x in nodes}
    try:
        game = ggp.parse(walk(steps))
        found = values(game).whole
    except ComesAgain as error:
        loopy = LoopyValue(error.boards)
        try:
            wanted = LoopyGame(graph, "a")
            assert loopy.sides == (wanted.onside, wanted.offside)
            assert loopy.outcome == wanted.outcome
        except NotStopperSided:
            assert loopy.sides is None
            assert loopy.why
    else:
        assert LoopyGame(graph, "a") == found


def test_who_has_one_goal_cannot_lose() -> None:
    text = (
        TAKING.split("(<= (goal")[0]
        + """(goal right 50)
        (<= (goal left 0) (true (control left))) (<= (goal left 100) (true (control right)))
        (<= (next (control left)) (true (control right)))
        (<= (next (control right)) (true (control left)))"""
    )
    with pytest.raises(NoValue, match="condition 4: right has the same goal"):
        values(ggp.parse(text))


def test_a_waiting_role_without_a_move_is_called_so() -> None:
    waiting = "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))"
    assert waiting in TAKING
    text = TAKING.replace(waiting, "(<= (legal right noop) (true (control left)))")
    text += """(<= (next (control left)) (true (control right)))
        (<= (next (control right)) (true (control left)))"""
    with pytest.raises(NoValue, match="condition 1: the player who is not to move has no move"):
        values(ggp.parse(text))


CELLS = """(role left) (role right) (init (cell a x)) (init (cell b b)) (init (cell c o))
(init (control left)) (mark left x) (mark right o)
(<= (legal ?p (clear ?c)) (true (control ?p)) (mark ?p ?m) (true (cell ?c ?m)))
(<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))
(<= (next (cell ?c b)) (does ?p (clear ?c)))
(<= (next (cell ?c ?m)) (true (cell ?c ?m)) (not (cleared ?c)))
(<= (cleared ?c) (does ?p (clear ?c)))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= can (legal ?p (clear ?c))) (<= terminal (not can))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (not (true (control ?p))))"""


@pytest.mark.parametrize(
    ("facts", "value"),
    [
        (["(cell a x)", "(cell b x)", "(cell c x)"], 3),
        (["(cell a o)", "(cell b b)", "(cell c o)"], -2),
        (["(cell a x)", "(cell b o)", "(cell c b)"], 0),
    ],
)
def test_states_beyond_the_ground_rules(facts, value) -> None:
    """Each x is a move of Left's, each o one of Right's; play comes to none of these boards."""
    game = ggp.parse(CELLS)
    facts = [*facts, "(control left)"]
    larger = game.covering([facts])
    for given in (game, larger):
        assert values(given, larger.state(facts)).whole == value


LEFT_ALONE = "(<= (legal left (m p)) (true (control left)) (true p))"
MISERE = """(role left) (role right) (init p) (init q) (init (control left))
(<= (legal ?p (m q)) (true (control ?p)) (true q))
(<= (legal left (m p)) (true (control left)) (true p))
(<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))
(<= (next p) (true p)) (<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left))) (<= terminal (true p))
(<= (goal ?p 100) (true (control ?p)))
(<= (goal ?p 0) (role ?p) (true (control ?q)) (distinct ?p ?q))"""


@pytest.mark.parametrize("legal", ["(true q)", "(true r)", "(distinct ?p ?p)"])
def test_who_cannot_move_wins_where_play_is_misere_and_over(legal) -> None:
    """The turn is not given to the other role for the sake of the goals."""
    rules = MISERE.replace("(true (control ?p)) (true q)", f"(true (control ?p)) {legal}")
    with pytest.raises(NoValue):
        values(ggp.parse(rules))
    with pytest.raises(NoValue):
        values(
            ggp.parse(rules.replace("(<= (legal left (m p)) (true (control left)) (true p))", ""))
        )


def test_who_cannot_move_loses_where_play_is_over() -> None:
    """The same with goals of normal play, and where the waiting role may have two moves."""
    lost = MISERE.replace("(goal ?p 100)", "(goal ?p 50)").replace("(goal ?p 0)", "(goal ?p 100)")
    lost = lost.replace("(goal ?p 50)", "(goal ?p 0)")
    stuck = lost.replace("(true (control ?p)) (true q)", "(true (control ?p)) (true r)")
    stuck = stuck.replace(LEFT_ALONE, "")
    assert values(ggp.parse(stuck)).whole == 0
    two = stuck + "(<= (legal right shout) (true (control left)))"
    with pytest.raises(NoValue):
        values(ggp.parse(two))


def test_a_board_on_which_play_is_over_is_counted_by_its_pieces() -> None:
    game = ggp.load(GAMES / "toads-and-frogs" / "toads-and-frogs.kif.jinja", board="TF")
    found = values(game)
    assert isinstance(found, EndedBoard)
    every = found.bits(0)
    assert every.bit_count() == 2
    few, all_ = SomeBoards(found, (every, 1)), SomeBoards(found, (every, 2))
    assert (few.count, list(few.listed()), few.by_value()) == (0, [], {})
    assert (all_.count, [value for _, value in all_.listed()]) == (1, [ShortGame.integer(0)])
