"""Impartial and all small: by proof, by random play and by enumeration, against the definition."""

from __future__ import annotations

import itertools

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.claims import all_small, impartial
from ggp.limits import Budget

TURN = """(role p) (role q) (init (control p))
    (<= (next (control q)) (true (control p))) (<= (next (control p)) (true (control q)))
    (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
    (<= open (true (control ?r)) (may ?r ?m)) (<= terminal (not open))
    (<= (goal ?r 0) (true (control ?r))) (<= (goal ?r 100) (role ?r) (not (true (control ?r))))"""


def tokens(rules: str) -> ggp.Game:
    """Tokens on 1, 2 and 3, and none on 4; who may make a move, and what it takes away and puts."""
    places = "".join(f"(init (on {n}))" for n in "123")
    return ggp.parse(f"""{TURN} {places} {rules} (s 1 2) (s 2 3) (s 3 4)
        (<= (legal ?r ?m) (true (control ?r)) (may ?r ?m))
        (<= (gone ?n) (does ?r ?m) (takes ?m ?n)) (<= (next (on ?n)) (does ?r ?m) (puts ?m ?n))
        (<= (next (on ?n)) (true (on ?n)) (not (gone ?n))) (puts none 4)""")


def hit(role: str, condition: str = "", name: str = "hit") -> str:
    """A player may take a token from each place that has one."""
    return f"""(<= (may {role} ({name} ?n)) (true (on ?n)) {condition})
        (<= (takes ({name} ?n) ?n) (s ?m ?n)) (takes ({name} 1) 1)"""


def jump(role: str, condition: str = "") -> str:
    """A player may move a token one place on, where there may be one already."""
    return f"""(<= (may {role} (jump ?n)) (true (on ?n)) (s ?n ?m) {condition})
        (<= (takes (jump ?n) ?n) (s ?n ?m)) (<= (puts (jump ?n) ?m) (s ?n ?m))"""


# The first has two names for a move.
SAME = hit("p") + hit("q")
TWO_NAMES = hit("p", name="shoot") + hit("p") + hit("q")
# The same two ways: where a token is on 1 by one move, elsewhere by another.
SPLIT = (
    hit("p", "(true (on 1))", "near") + hit("p", "(not (true (on 1)))", "far") + hit("q")
)  # fmt: skip
# Who has a move less.
LESS_P = hit("p", "(distinct ?n 1)") + hit("q")
LESS_Q = hit("p") + hit("q", "(distinct ?n 1)")
OTHERS = hit("p") + jump("q") + hit("q", "(not (true (on 1))) (not (true (on 2)))", "end")
OTHERS += "(<= (may q (end 4)) (true (on 4)))"
# A token fewer on 4, where there is none; and where there may be one.
FEWER = (
    jump("p")
    + jump("q")
    + """(takes sweep 1) (takes sweep 4) (takes drop 1)
    (<= (may p sweep) (true (on 1)) {0}) (<= (may q drop) (true (on 1)) {0})"""
)
ALIKE = FEWER.format("(not (true (on 4)))")
UNLIKE = FEWER.format("")
# The same things to do, one of them on fewer boards.
SELDOM = hit("p", "(not (true (on 3)))", "late") + jump("p") + hit("q") + jump("q")
SELDOM_Q = hit("q", "(not (true (on 3)))", "late") + jump("q") + hit("p") + jump("p")


def sides_of(game: ggp.Game, board: int) -> list[dict[str, int]]:
    """What each player can move to on a board, by move."""
    found = []
    for role, name in enumerate(game.roles):
        state = game.state(game.evaluator.facts(game.marker.place(board, role)))
        moves = [] if state.terminal else map(str, state.legal(name))
        found.append({move: game.marker.board(state.play(move).bits) for move in moves})
    return found


def boards_of(game: ggp.Game) -> dict[int, list[dict[str, int]]]:
    """Each board that either player's moves lead to, with what each can move to."""
    todo, found = {game.marker.board(game.initial.bits)}, {}
    while todo:
        board = todo.pop()
        found[board] = sides_of(game, board)
        todo |= {after for side in found[board] for after in side.values()} - found.keys()
    return found


SHEETS = {
    "same": (SAME, True, True), "two names": (TWO_NAMES, True, True),
    "split": (SPLIT, True, True), "less p": (LESS_P, False, False),
    "less q": (LESS_Q, False, False), "alike": (ALIKE, True, True),
    "others": (OTHERS, False, True), "none": (hit("p"), False, False),
    "jump": (jump("p") + jump("q"), True, True), "unlike": (UNLIKE, False, True),
    "seldom": (SELDOM, False, True), "moreover": (SELDOM_Q, False, True),
}  # fmt: skip


@pytest.mark.parametrize("name", SHEETS)
def test_by_definition(name) -> None:
    text, is_impartial, is_small = SHEETS[name]
    found = boards_of(tokens(text)).values()
    assert all(set(p.values()) == set(q.values()) for p, q in found) == is_impartial
    assert all(bool(p) == bool(q) for p, q in found) == is_small


def require_shown(game: ggp.Game, claim, finding) -> None:
    """The board is one on which what is said of the two players is so."""
    evidence = finding.evidence
    [witness] = evidence.states
    if witness.path is not None:
        state = game.initial
        for joint in witness.path:
            state = state.play(dict(zip(game.roles, joint, strict=True)))
        assert tuple(map(str, state.facts)) == witness.facts
    bits = game.state([game.term(fact) for fact in witness.facts]).bits
    sides = sides_of(game, game.marker.board(bits))
    if claim is all_small:
        mover = 0 if sides[0] else 1
        assert not sides[1 - mover]
        wanted = f"{game.roles[mover]} can move and {game.roles[1 - mover]} cannot"
    else:
        [mover] = [r for r in (0, 1) if f"gives {game.roles[r]} a board" in evidence.why]
        assert sides[mover][evidence.move] not in sides[1 - mover].values()
        wanted = f"gives {game.roles[mover]} a board that {game.roles[1 - mover]} cannot move to"
    assert evidence.why.endswith(wanted)


@pytest.mark.parametrize(("name", "claim"), [*itertools.product(SHEETS, (impartial, all_small))])
def test_each_way_says_what_the_definition_says(name, claim) -> None:
    text, *expected = SHEETS[name]
    value = expected[0 if claim is impartial else 1]
    game = tokens(text)
    positions = Positions(game, Budget())
    found = claim.prove(positions.proofs, False)
    shown = claim.refute(positions.samples)
    counted = claim.enumerated(positions)
    assert (counted.value, counted.certainty) == (value, "exhaustive" if value else "refuted")
    if value:
        assert (found.value, found.certainty, shown) == (True, "proved", None)
        assert f"all {len(boards_of(game))} boards" in counted.evidence.why
    else:
        assert found is None
        assert claim.prove(positions.proofs, True) is None
        for finding in (shown, counted):
            assert (finding.value, finding.certainty) == (False, "refuted")
            require_shown(game, claim, finding)


@pytest.mark.parametrize(
    ("name", "claim", "is_cheap"),
    [
        ("same", impartial, True), ("two names", impartial, True),
        ("same", all_small, True), ("two names", all_small, True),
        ("others", all_small, False),
    ],
)  # fmt: skip
def test_the_same_functions_need_no_solver(name, claim, is_cheap) -> None:
    """On every board; but no solver, no proof where they are other functions."""
    positions = Positions(tokens(SHEETS[name][0]), Budget())
    assert (claim.prove(positions.proofs, True) is not None) == is_cheap


@pytest.mark.parametrize(("name", "is_found"), [("less p", True), ("same", False)])
@pytest.mark.parametrize(("chunk", "gates", "most"), [(1, 10**6, 99), (3, 10**6, 99), (2, 1, 0)])
def test_boards_are_looked_at_part_by_part(monkeypatch, name, is_found, chunk, gates, most) -> None:
    monkeypatch.setattr(all_small, "CHUNK", chunk)
    monkeypatch.setattr(all_small, "MAX_GATES", gates)
    game = tokens(SHEETS[name][0])
    finding = all_small.refute(Positions(game, Budget()).samples)
    assert (finding is not None) == (is_found and most > 0)
    if finding:
        require_shown(game, all_small, finding)


def test_no_more_boards_are_looked_at_than_gates_allow(monkeypatch) -> None:
    """Each with either player to move."""
    game = tokens(SHEETS["less p"][0])
    samples = Positions(game, Budget()).samples
    [witness] = all_small.refute(samples).evidence.states
    places = range(len(samples.plays))
    [place] = [i for i in places if samples.facts(samples.plays.rows[[i]]) == witness.facts]
    assert place > 2
    monkeypatch.setattr(all_small, "CHUNK", 1)
    for most in (place, place + 1):
        monkeypatch.setattr(all_small, "MAX_GATES", 2 * game.net.size * most)
        assert (all_small.refute(samples) is not None) == (most > place)


def test_who_is_stuck_cannot_move() -> None:
    """On the second board only q has a move, and play is not over with p to move."""
    game = ggp.parse("""(role p) (role q) (init (control p)) (init (at 0)) (may p a 0) (may p b 0)
        (may q a 0) (may q b 0) (may q a 1) (may q b 1) (s 0 1) (s 1 2)
        (<= (next (control q)) (true (control p))) (<= (next (control p)) (true (control q)))
        (<= (legal ?r ?m) (true (control ?r)) (true (at ?n)) (may ?r ?m ?n))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (next (at ?n)) (true (at ?m)) (s ?m ?n)) (<= (next (last ?m)) (does ?r ?m))
        (<= terminal (true (at 2))) (<= (goal ?r 50) (role ?r))""")
    positions = Positions(game, Budget())
    for finding in (all_small.refute(positions.samples), all_small.enumerated(positions)):
        assert finding.value is False
        assert finding.evidence.why == "on this board q can move and p cannot"


@pytest.mark.parametrize(("most", "is_proved"), [(8, False), (9, True)])
def test_no_more_pairs_of_moves_are_compared_than_a_limit(monkeypatch, most, is_proved) -> None:
    """Three things that p can do, each by two moves, and three that q can."""
    positions = Positions(tokens(SPLIT), Budget())
    monkeypatch.setattr(impartial, "MAX_PAIRS", most)
    assert (impartial.prove(positions.proofs, False) is not None) == is_proved


def test_there_is_no_proof_without_a_marker() -> None:
    game = ggp.parse("""(role p) (role q) (init (at 0)) (<= (legal ?r a) (role ?r))
        (<= (legal ?r b) (role ?r)) (<= (next (at 1)) (does p a)) (<= terminal (true (at 1)))
        (<= (goal ?r 50) (role ?r))""")
    positions = Positions(game, Budget())
    assert impartial.prove(positions.proofs, False) is None
    assert all_small.prove(positions.proofs, False) is None
