"""Impartial games solved piece by piece, as positions fall apart."""

from __future__ import annotations

import random
import re
from types import SimpleNamespace

import pytest

import ggp
from ggp.analysis.boards.boards import Boards
from ggp.bits import bits_of
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.errors import LimitReached
from ggp.limits import Budget, Limits
from ggp.solver import GameSolution, SummandSolution
from ggp.solver.pieces.program import PieceProgram
from ggp.solver.pieces.store import PieceStore
from ggp.solver.splitting import Splitter, Summand, summands
from tests.analysis.test_octal import BEFORE, NEXT, ONE, row
from tests.conftest import GAMES, nightly


def random_row(seed: int) -> str:
    """A game of a few tokens: each move needs some of them on or off, takes one, and turns others
    of smaller number, or puts them on or off. So play ends: the numeral falls. Who cannot move
    loses."""
    rng = random.Random(seed)
    count = rng.randint(4, 9)
    rules = []
    for m in range(rng.randint(3, 14)):
        taken = rng.randrange(count)
        others = [n for n in range(max(0, taken - 3), taken) if rng.random() < 0.5]
        needed = [n for n in range(max(0, taken - 2), min(count, taken + 2)) if n != taken]
        needed = [n for n in needed if rng.random() < 0.4]
        conditions = " ".join(
            f"(true (on {n}))" if rng.random() < 0.6 else f"(not (true (on {n})))" for n in needed
        )
        # Some token is there at the start and can be taken.
        conditions = conditions if m else ""
        rules.append(f"(<= (may {m}) (true (on {taken})) {conditions})")
        rules.append(f"(turns {m} {taken})")
        rules += [f"({rng.choice(('turns', 'clears', 'lays'))} {m} {n})" for n in others]
    start = " ".join(f"(init (on {n}))" for n in range(count) if rng.random() < 0.8 or n > 1)
    return f"""(role p) (role q) (init (control p)) {start} {" ".join(rules)}
        {" ".join(f"(token {n})" for n in range(count))}
        (<= (next (control p)) (true (control q))) (<= (next (control q)) (true (control p)))
        (<= (legal ?r (go ?m)) (true (control ?r)) (may ?m))
        (<= (legal p noop) (true (control q))) (<= (legal q noop) (true (control p)))
        (<= (turned ?n) (does ?r (go ?m)) (turns ?m ?n))
        (<= (cleared ?n) (does ?r (go ?m)) (clears ?m ?n))
        (<= (next (on ?n)) (true (on ?n)) (not (turned ?n)) (not (cleared ?n)))
        (<= (next (on ?n)) (token ?n) (not (true (on ?n))) (turned ?n))
        (<= (next (on ?n)) (does ?r (go ?m)) (lays ?m ?n))
        (<= some (may ?m)) (<= terminal (not some))
        (<= (goal ?r 0) (true (control ?r)))
        (<= (goal ?r 100) (role ?r) (not (true (control ?r))))"""


def by_summands(game: ggp.Game, role: int = 0) -> SummandSolution:
    boards = Boards(game.net, game.marker, 10)
    return SummandSolution(game, Splitter(boards, [role]), [], lambda: None, 0.0)  # type: ignore[arg-type,return-value]


def check(game: ggp.Game) -> int:
    """Nim-values of all positions by summands and by complete search; how many pieces it took."""
    space = game.space()
    whole = GameSolution(game, space)
    whole.use_nim_values()
    for role in (0, 1):
        parts = by_summands(game, role)
        for place in range(len(space)):
            state = ggp.State(game, space.state(place))
            assert parts.nim_value(state) == whole.nim_value(state), (str(state), role)
    return parts.positions


@pytest.mark.parametrize("seed", [*range(30), *nightly(range(30, 80))])
def test_random_rows_of_tokens(seed) -> None:
    check(ggp.parse(random_row(seed)))


@pytest.mark.parametrize(
    ("legal", "effect"),
    [
        ("(<= (may ?x) (true (on ?x)) (s ?x ?y) (true (on ?y)))", ONE + NEXT),
        ("(<= (may ?x) (true (on ?x)))", ONE + NEXT + BEFORE),
        ("(<= (may ?x) (true (on ?x)))", ONE),
    ],
)
def test_rows_have_one_piece_for_each_length(legal, effect) -> None:
    """Runs of one length are one piece, wherever they are and whatever their tokens are called."""
    assert check(ggp.parse(row(9, legal, effect))) <= 9


@pytest.mark.parametrize(
    ("sheet", "settings"),
    [
        ("kayles/kayles-7.kif", {}),
        ("turtles/turtles.kif.jinja", {"n": 7}),
        ("subtraction/sg-357.kif", {}),
        ("nim/rows.kif.jinja", {"rows": 4}),
    ],
)
def test_games_of_the_library(sheet, settings) -> None:
    check(ggp.load(GAMES / sheet, **settings))


def test_kayles_far_too_long_to_enumerate() -> None:
    """Winning Ways, chapter 4: but for a few short rows the nim-values have period 12."""
    game = ggp.load(GAMES / "kayles" / "kayles.kif.jinja", n=54)
    solution = game.solve(method="summands")
    assert isinstance(solution, SummandSolution)
    assert solution.method == "Sprague-Grundy theory on summands"
    assert (solution.nim_value(game.initial), solution.positions) == (7, 54)
    assert solution.outcome(game.initial) == "N"
    best = set(map(str, solution.best(game.initial)))
    assert best
    for move in best:
        after = game.initial.play(move)
        assert solution.nim_value(after) == 0
        assert solution.outcome(after) == "P"
    # Nothing was proved of states in which nobody is to move: that is searched.
    assert solution.nim_value(game.state(["(skittle 1 up)"])) is None


def test_limits_end_the_work_and_lose_nothing() -> None:
    game = ggp.load(GAMES / "kayles" / "kayles.kif.jinja", n=30)
    parts = by_summands(game)
    with pytest.raises(LimitReached):
        parts.pieces.of_board(game.initial.bits, Budget(Limits(positions=10)))
    assert parts.positions > 10
    assert parts.nim_value(game.initial) == 7
    with pytest.raises(LimitReached):
        ggp.load(GAMES / "kayles" / "kayles.kif.jinja", n=30).solve(positions=10, method="summands")


@pytest.mark.parametrize("seed", [*range(15), *nightly(range(15, 40))])
def test_the_compiled_loops_split_as_the_definition_says(seed) -> None:
    """`Splitter.pieces`; equal pieces in equal places have one name."""
    game = ggp.parse(random_row(seed))
    splitter = Splitter(Boards(game.net, game.marker, 10), [0])
    store, names = PieceStore(PieceProgram(splitter)), {}
    rng, most = random.Random(seed), 0
    for _ in range(100):
        board = rng.getrandbits(len(game.net.fluents))
        parts = splitter.pieces(board)
        found = store.pieces(board)
        assert len(found) == len(parts)
        most = max(most, len(found))
        for part, name in zip(parts, found, strict=True):
            reads = 0
            for i in bits_of(part.options):
                reads |= splitter.options[i].reads
            assert names.setdefault((part.options, board & reads), name) == name
    assert most > 0


@pytest.mark.parametrize("seed", [*range(15), *nightly(range(15, 40))])
def test_names_do_not_hang_on_how_things_are_called(seed) -> None:
    """Tokens and moves called otherwise, and rules in another order: as many pieces."""
    text = random_row(seed)
    rng = random.Random(seed)
    called = rng.sample(range(100, 200), 20)
    renamed = re.sub(r"\d+", lambda n: str(called[int(n[0])]), text.replace(" 100)", " best)"))
    renamed = renamed.replace(" best)", " 100)").replace(f"(goal ?r {called[0]})", "(goal ?r 0)")
    counts = []
    for one in (text, renamed):
        parts = by_summands(ggp.parse(one))
        assert parts.nim_value(parts.game.initial) is not None
        counts.append(parts.positions)
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("roles", "wanted"), [(None, {0, 1}), ([0], {0}), ((1,), {1}), ([0, 1], {0, 1}), ([], set())]
)
def test_positions_are_split_with_the_moves_of_some_roles(roles, wanted) -> None:
    game = ggp.parse(row(5, "(<= (may ?x) (true (on ?x)))", ONE + NEXT))
    splitter = Splitter(Boards(game.net, game.marker, 10), roles)
    board = game.marker.board(game.initial.bits)
    assert set(splitter.sides) == wanted
    assert {option.move[0] for option in splitter.options} == wanted
    made = [move for move, _ in splitter.made(board)]
    assert {role for role, _ in made} == wanted
    assert len(made) == 5 * len(wanted)
    parts = splitter.pieces(board)
    assert len(parts) == min(1, len(wanted))
    assert {role for part in parts for role, _ in splitter.moves(part)} == wanted


def fluents_of(game: ggp.Game, *tokens: int) -> tuple[int, ...]:
    names = [str(fluent) for fluent in game.net.fluents]
    return tuple(sorted(names.index(f"(on {n})") for n in tokens))


def test_what_an_option_reads_is_what_it_depends_on_and_changes() -> None:
    """Of a row of which a token that is there is taken with the one after it."""
    game = ggp.parse(row(5, "(<= (may ?x) (true (on ?x)))", ONE + NEXT))
    for option in Splitter(Boards(game.net, game.marker, 10)).options:
        role, index = option.move
        move = game.evaluator.move(role, index - game.net.move_offset[role])
        token = int(str(move.args[0]))
        own = fluents_of(game, *range(token, min(token, 4) + 2)[:2])
        assert tuple(bits_of(option.reads)) == own
        assert tuple(sorted(option.changes)) == own


@pytest.mark.parametrize("seed", range(5))
def test_options_that_are_made_lead_where_the_rules_say(seed) -> None:
    game = ggp.parse(random_row(seed))
    splitter = Splitter(Boards(game.net, game.marker, 10))
    for state, _ in game.random_playout(seed=seed):
        if state.terminal:
            break
        board = game.marker.board(state.bits)
        mover = game.marker.role(state.bits)
        idle = next(own[0] for role, own in enumerate(state.legal_indices()) if role != mover)
        found = {move: after for (role, move), after in splitter.made(board) if role == mover}
        for move in state.legal_indices()[mover]:
            after = state.after([move, idle] if mover == 0 else [idle, move])
            assert found.pop(move) == game.marker.board(after.bits)
        assert not found


def test_parts_and_their_moves_are_told_in_order() -> None:
    """Each token by itself, and nothing of those that are gone."""
    game = ggp.parse(row(5, "(<= (may ?x) (true (on ?x)))", ONE))
    boards = Boards(game.net, game.marker, 10)
    for tokens in ([1, 2, 3, 4, 5], [2, 5], []):
        board = sum(1 << f for f in fluents_of(game, *tokens))
        found = summands(boards, board)
        assert sorted(part.fluents for part in found) == sorted(fluents_of(game, n) for n in tokens)
        for part in found:
            assert [role for role, _ in part.moves] == [0, 1]
            assert [index for _, index in part.moves] == sorted(i for _, i in part.moves)


def test_what_is_exclusive_of_something_open_is_open() -> None:
    """3 may be taken where just one of 1 and 2 is there, and of these 2 may be taken."""
    builder = Builder()
    one, two, three = builder.inputs(3)
    odd = builder.xor(one, two)
    options = [
        SimpleNamespace(move=n, rule=rule, again=TRUE, after=lambda _, f=n: {f: FALSE})
        for n, rule in ((2, two), (3, builder.conj(three, odd)))
    ]
    sides = (SimpleNamespace(options=options),)
    boards = SimpleNamespace(builder=builder, inputs={1: one, 2: two, 3: three}, sides=sides)
    for tokens, wanted in (
        ((1, 2, 3), [Summand((2, 3), ((0, 2), (0, 3)))]),
        ((2, 3), [Summand((2, 3), ((0, 2), (0, 3)))]),
        ((1, 3), [Summand((3,), ((0, 3),))]),
        ((3,), []),
        ((1, 2), [Summand((2,), ((0, 2),))]),
        ((1,), []),
    ):
        assert summands(boards, sum(1 << f for f in tokens)) == wanted  # type: ignore[arg-type]
