"""Positions that are compared by moves: the better one is no worse, by the values of all."""

from __future__ import annotations

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.states.dominance import StateOrder, find_order
from ggp.ground import Group
from ggp.limits import Budget
from ggp.solver import GameSolution
from tests.analysis.filling import filling_game
from tests.conftest import GAMES, nightly

MOST = 400


def order_of(game: ggp.Game, *, misere: bool = False) -> StateOrder | None:
    """The order that is found."""
    proofs = Positions(game, Budget(game.limits)).proofs
    if proofs.boards is None:
        return None
    paid = game.player_indices[1 if misere else 0]
    return find_order(proofs.boards, lambda: proofs.groups, game.player_indices, paid, 10.0)


def traits(game: ggp.Game, order: StateOrder, bits: int) -> tuple[int, frozenset, frozenset]:
    """Of a position what is to be equal, and the moves that count of each player, by definition."""
    net, marker = game.net, game.marker
    found = []
    for role, moves in zip(game.player_indices, (order.more, order.fewer), strict=True):
        state = ggp.State(game, bits & ~marker.mask | marker.bits[role])
        counted = {str(net.moves[role][m - net.move_offset[role]]) for m in moves}
        found.append(frozenset(map(str, state.legal(game.roles[role]))) & counted)
    return sum(bits & 1 << i for i in order.equal), *found


def check_order(game: ggp.Game, order: StateOrder, *, misere: bool = False) -> int:
    """Each two positions of legal play, or many; how often one is better by more than is equal."""
    space = game.space()
    whole = GameSolution(game, space, misere=misere)
    first = game.players[0]
    known = []
    for place in range(0, len(space), 1 + len(space) // MOST):
        bits = space.state(place)
        value = whole.value(ggp.State(game, bits))[first]
        known.append((*traits(game, order, bits), value, bits))
    some = 0
    for equal, more, fewer, value, bits in known:
        for other_equal, other_more, other_fewer, least, other in known:
            if equal == other_equal and more >= other_more and fewer <= other_fewer:
                assert value >= least, (bits, other)
                some += (more, fewer) != (other_more, other_fewer)
    return some


@pytest.mark.parametrize(
    ("sheet", "settings", "whose"),
    [
        ("colouring/colouring.kif.jinja", {"n": 4}, (True, False)),
        ("domineering/domineering.kif.jinja", {"rows": 3, "columns": 3}, (True, True)),
        ("col/col.kif.jinja", {"rows": 2, "columns": 3}, (True, True)),
        ("snort/snort.kif.jinja", {"rows": 2, "columns": 3}, (True, True)),
    ],
)
def test_more_moves_and_fewer_of_the_other_are_no_worse(sheet, settings, whose) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    order = order_of(game)
    assert (bool(order.more), bool(order.fewer)) == whose
    assert check_order(game, order)


@pytest.mark.parametrize(
    ("sheet", "settings"),
    [("nim/rows.kif.jinja", {"rows": 3}), ("kayles/kayles-7.kif", {})],
)
def test_where_both_have_the_same_moves_positions_of_the_same_moves_are_one(
    sheet, settings
) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    assert check_order(game, order_of(game)) == 0


@pytest.mark.parametrize(
    "sheet",
    [
        "clobber/clobber.kif.jinja", "tic-tac-toe/tic-tac-toe.kif",
        "connect-four/connect-four.kif.jinja", "toads-and-frogs/toads-and-frogs.kif.jinja",
        "breakthrough/breakthrough.kif.jinja",
    ],
)  # fmt: skip
def test_moves_alone_say_little_in_other_games(sheet) -> None:
    """A piece that moves away opens places, or lines count that moves do not tell."""
    assert order_of(ggp.load(GAMES / sheet)) is None


def test_where_positions_may_differ_in_little_nothing_is_said() -> None:
    """Tic-tac-toe by a lamp, which goes out with the first move: goals hang on all the rest."""
    text = (GAMES / "tic-tac-toe" / "tic-tac-toe.kif").read_text(encoding="utf-8")
    lamp = "(init (lamp on)) (<= (next (lamp off)) (true (lamp ?x)))"
    assert order_of(ggp.parse(text + lamp)) is None


def test_misere_play_is_another_game() -> None:
    """Who wants to be the first who cannot move has no use for more moves."""
    game = ggp.load(GAMES / "domineering" / "domineering.kif.jinja", rows=3, columns=3)
    assert order_of(game) is not None
    assert order_of(game, misere=True) is None


@pytest.mark.parametrize("seeds", [range(20), *nightly([range(20, 400)])])
def test_games_made_at_random(seeds) -> None:
    found = compared = missed = 0
    for seed in seeds:
        game = ggp.parse(filling_game(seed))
        for misere in (False, True):
            order = order_of(game, misere=misere)
            if order is None:
                missed += 1
                continue
            found += 1
            compared += check_order(game, order, misere=misere)
    assert found > len(seeds) // 8
    assert missed > len(seeds) // 8
    assert compared > len(seeds)


TURNS = "(<= (next (turn ?p)) (true (turn ?q)) (other ?p ?q))"
PASSES = "(<= (legal right pass) (true (turn right)) (not (able right)))"


def taking(moves: str, turns: str = TURNS, passes: str = PASSES) -> ggp.Game:
    """Left wants a point; play ends with it, or when he cannot move.

    A line for each move: who, name, cells that must be free (or, with -, must not), cells that are
    taken, and `point` where the move gives one.
    """
    lines = [
        "(role left) (role right) (init (turn left)) (other left right) (other right left)",
        "(<= (legal ?p ?m) (true (turn ?p)) (can ?p ?m))",
        "(<= (legal ?p noop) (true (turn ?q)) (other ?p ?q))",
        "(<= (able ?p) (can ?p ?m)) (<= terminal (true point))",
        "(<= terminal (true (turn left)) (not (able left)))",
        "(<= (taken ?c) (does ?p ?m) (takes ?m ?c))",
        "(<= (next (free ?c)) (true (free ?c)) (not (taken ?c)))",
        "(<= (next point) (true point)) (<= (next point) (does ?p ?m) (scores ?m))",
        "(<= (goal left 100) (true point)) (<= (goal left 0) (not (true point)))",
        "(<= (goal right 0) (true point)) (<= (goal right 100) (not (true point)))",
        "(takes nothing none) (scores nothing)",
        turns,
        passes,
    ]
    cells = set()
    for line in moves.splitlines():
        who, name, needed, taken, *point = (part.strip() for part in line.split("|"))
        cells |= {*needed.split(), *taken.split()}
        needs = " ".join(f"(true (free {c}))" for c in needed.split() if c[0] != "-")
        needs += " ".join(f"(not (true (free {c[1:]})))" for c in needed.split() if c[0] == "-")
        lines.append(f"(<= (can {who} {name}) {needs})")
        lines += [f"(takes {name} {c})" for c in taken.split()]
        lines += [f"(scores {name})"] if point == ["point"] else []
    lines += [f"(init (free {c}))" for c in sorted(cells) if c[0] != "-"]
    return ggp.parse("\n".join(lines))


DOTS = """\
left | goes | c | c
left | wins | d e | d e | point
right | c | c | c
right | d | d | d
right | e | e | e"""

# Of both ways in which left can begin the second takes c as well, and no move of left tells.
MISLEADING = {
    # Without c right cannot kill what left wins by.
    "a move that is missing does more than others": """\
left | keeps | a | a
left | spoils | a | a c
left | wins | d | d | point
right | kills | c | c d
right | e | e | e
right | f | f | f""",
    # Without c right has to take e, which opens left's move.
    "a move that has to be made helps": """\
left | keeps | a | a
left | spoils | a | a c
left | wins | -e | | point
right | c | c | c
right | e | e | e""",
    # Without c right has to give the point.
    "a move that has to be made gives a point": """\
left | keeps | a | a
left | spoils | a | a c
right | c | c | c
right | e | e | e | point""",
}


def by_left_alone(game: ggp.Game) -> StateOrder:
    """The order by the moves of left alone, whether it holds or not."""
    net = game.net
    equal = [
        i for i, f in enumerate(net.fluents) if str(f) in {"point", "(turn left)", "(turn right)"}
    ]
    own = net.move_offset[0]
    moves = [own + i for i, m in enumerate(net.moves[0]) if str(m) != "noop"]
    return StateOrder(tuple(equal), tuple(moves), ())


def check_misleading(game: ggp.Game) -> None:
    """By left's moves alone positions would be compared wrongly, and are not."""
    with pytest.raises(AssertionError):
        check_order(game, by_left_alone(game))
    order = order_of(game)
    if order:
        assert order.fewer or len(order.equal) > len(by_left_alone(game).equal)
        check_order(game, order)


def test_moves_of_one_player_are_enough_where_the_other_only_takes() -> None:
    game = taking(DOTS)
    order = order_of(game)
    assert order.more
    assert not order.fewer
    assert check_order(game, order)


@pytest.mark.parametrize("moves", MISLEADING.values(), ids=MISLEADING)
def test_where_moves_of_one_player_mislead_they_are_not_enough(moves) -> None:
    check_misleading(taking(moves))


BEGINS = """\
left | keeps | a | a
left | spoils | a | a c
right | y | y | y
"""


@pytest.mark.parametrize(
    ("moves", "turns"),
    [
        # While c is free left's move to g takes d with it, which left wins by.
        (
            "left|goes|g|g\nleft|drops|d|d\nleft|wins|d -g|d|point",
            TURNS + "(<= (taken d) (does left goes) (true (free c)))",
        ),
        # While c is free right comes to his move that saves him, before left wins.
        (
            "left|goes|g|g\nleft|drops|d|d\nleft|wins|d -g|d|point\nright|saves|d -g|d",
            """(<= again (does left goes) (not (true (free c)))) (<= (next (turn left)) again)
            (<= (next (turn ?p)) (true (turn ?q)) (other ?p ?q) (not again))""",
        ),
        # While c is free there is no point in it.
        (
            "left|tries|d|d",
            TURNS + "(<= (next point) (does left tries) (not (true (free c))))",
        ),
    ],
    ids=["board", "turn", "goal"],
)
def test_what_a_move_does_may_hang_on_what_no_move_tells(moves, turns) -> None:
    check_misleading(taking(BEGINS + moves, turns))


def test_where_a_player_may_be_without_a_move_his_moves_count() -> None:
    """As far as the rules tell, right may have no move while play goes on."""
    assert not order_of(taking(DOTS)).fewer
    assert order_of(taking(DOTS, passes="")).fewer


def test_groups_are_asked_for_only_where_much_is_left_open() -> None:
    """To prove them takes seconds for large rules, and goals hang on all of most boards."""
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja")
    boards = Positions(game, Budget(game.limits)).proofs.boards
    assert boards is not None

    def unneeded() -> list[Group]:
        raise AssertionError("asked")

    assert find_order(boards, unneeded, game.player_indices, 0, 10.0) is None
