"""What is proved of all states of small games, against each state in turn."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis import proofs as module_of_proofs
from ggp.analysis.invariants.bounds import Bound
from ggp.analysis.plays import plays
from ggp.analysis.plays.plays import faulty, random_plays
from ggp.analysis.proofs import Proofs, _survives_flips
from ggp.analysis.questions.question import Question
from ggp.analysis.states import whole as module
from ggp.analysis.states.faults import form_faults
from ggp.analysis.states.moves import (
    MAX_SETTINGS,
    JointMoves,
    choices,
    literals_of_moves,
    somebodys_turn,
    turn_of,
)
from ggp.analysis.states.whole import Whole
from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.errors import BudgetSpent
from ggp.ground import Group, Marker, Turns
from ggp.limits import Budget, Limits
from tests.analysis.test_claims_table import made, searched
from tests.analysis.test_moves import FIRE
from tests.analysis.test_summands import held
from tests.analysis.test_turn_claims import handed

WORK = 5.0


def whole_of(game: ggp.Game, *groups: Group, turns: Turns | None = None, well: bool = True):
    return Whole(game.net, groups, turns, starts_well=well)


def index(game: ggp.Game, text: str) -> int:
    return [str(fluent) for fluent in game.net.fluents].index(text)


# -- whose turn it is ------------------------------------------------------------------------------

THREE = """(role p) (role q) (role r) (init (a)) (init (n 0)) (s 0 1) (s 1 2) (s 2 3)
    (<= pturn (true (a)) (not (true (b)))) (<= qturn (true (b)) (not (true (a))))
    (<= rturn (true (a)) (true (b)))
    (<= (legal p x) pturn) (<= (legal p y) pturn) (<= (legal q x) qturn) (<= (legal q y) qturn)
    (<= (legal r x) rturn) (<= (legal r y) rturn)
    (<= (legal p wait) (true (b))) (<= (legal q wait) (true (a))) (<= (legal r wait) pturn)
    (<= (legal r wait) qturn)
    (<= (next (b)) pturn) (<= (next (a)) qturn) (<= (next (b)) qturn) (<= (next (a)) rturn)
    (<= (next (n ?y)) (true (n ?x)) (s ?x ?y)) (<= terminal (true (n 3)))
    (<= (goal ?r 50) (role ?r))"""
"""Two fluents tell whose turn it is of three; that none holds never comes up."""


def settings(game: ggp.Game) -> Turns:
    a, b = 1 << index(game, "a"), 1 << index(game, "b")
    return Turns(((a, 0), (b, 1), (a | b, 2)), alternating=True)


def test_that_it_is_somebodys_turn_is_known_of_every_state() -> None:
    """Where nobody has it, neither p nor q has a move: without induction it takes the turns."""
    game = ggp.parse(THREE)
    told = whole_of(game, turns=settings(game), well=False)
    assert told.is_playable((0, 1, 2), WORK)
    assert not whole_of(game, well=False).is_playable((0, 1, 2), WORK)
    # By induction it needs no turns.
    assert whole_of(game, well=True).is_playable((0, 1, 2), WORK)


def test_a_literal_tells_whose_turn_it_is() -> None:
    """In each state; the setting in which two fluents hold is no other's."""
    game = ggp.parse(THREE)
    net, turns = game.net, settings(game)
    builder = Builder()
    inputs = builder.inputs(len(net.fluents))
    somebody = somebodys_turn(builder, net, turns, inputs)
    marks = [f for f in range(len(inputs)) if turns.mask >> f & 1]
    for values in product((False, True), repeat=len(marks)):
        holds = {x >> 1: False for x in inputs}
        holds |= {inputs[f] >> 1: value for f, value in zip(marks, values, strict=True)}
        state = sum(value << f for f, value in zip(marks, values, strict=True))
        for role in range(3):
            literal = turn_of(builder, net, turns, role, inputs)
            assert held(builder, literal, holds) == (turns.role(state) == role)
        assert held(builder, somebody, holds) == (turns.role(state) is not None)


@pytest.mark.parametrize(("count", "is_told"), [(MAX_SETTINGS, True), (MAX_SETTINGS + 1, False)])
def test_too_many_settings_are_not_told(count, is_told) -> None:
    numbers = " ".join(f"(s {n} {n + 1})" for n in range(count - 1))
    game = ggp.parse(f"""(role p) (init (n 0)) {numbers} (legal p go) (goal p 0)
        (<= (next (n ?y)) (true (n ?x)) (s ?x ?y)) (<= terminal (true (n {count - 1})))""")
    turns = Turns(tuple((1 << f, 0) for f in range(len(game.net.fluents))), alternating=True)
    assert len(turns.settings) == count
    builder = Builder()
    inputs = builder.inputs(count)
    assert (somebodys_turn(builder, game.net, turns, inputs) != TRUE) == is_told
    assert somebodys_turn(builder, game.net, None, inputs) == TRUE


def test_who_hands_the_turn_on_to_whom(monkeypatch) -> None:
    """p to q to r to p, whatever is played."""
    game = handed("paq pbq qar qbr rap rbp")
    proofs = Positions(game, Budget()).proofs
    marker, whole = game.marker, proofs.whole
    assert whole.hands_on(marker, {0: 1, 1: 2, 2: 0}, WORK)
    assert whole.hands_on(marker, {1: 2}, WORK)
    for wrong in ({0: 2}, {0: 0}, {0: 1, 1: 2, 2: 1}, {0: 1, 1: 0}):
        assert not whole.hands_on(marker, wrong, WORK)
    for most, is_asked in ((whole.net.literals, True), (whole.net.literals - 1, False)):
        monkeypatch.setattr(module, "MAX_STEP", most)
        assert whole.hands_on(marker, {0: 1}, WORK) == is_asked


def choosers(first: str, second: str) -> ggp.Game:
    """Who has two moves at 0, and at 1; the last number is the end, where all have."""
    both = {"p": first, "q": second}
    extra = [f"(<= (legal {r} b) (true (n {n})))" for r, own in both.items() for n in own]
    return ggp.parse(f"""(role p) (role q) (init (n 0)) (s 0 1) (s 1 2) {" ".join(extra)}
        (legal p a) (legal q a) (<= (next (n ?y)) (true (n ?x)) (s ?x ?y))
        (<= terminal (true (n 2))) (goal p 50) (goal q 50)""")


@pytest.mark.parametrize(
    ("first", "second", "is_one"),
    [("0", "1", True), ("01", "", True), ("0", "0", False), ("01", "1", False), ("02", "12", True)],
)
def test_never_two_roles_have_a_choice_at_once(first, second, is_one) -> None:
    game = choosers(first, second)
    [group] = [Group(tuple(range(len(game.net.fluents))), exact=True)]
    assert whole_of(game, group).has_one_chooser(WORK, None) == is_one
    # What chance can choose is no choice.
    assert whole_of(game, group).has_one_chooser(WORK, 1)


# -- goals and forms -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(1, 16, 2))
def test_possible_goals_and_forms_of_graphs(seed) -> None:
    """No goals at an end are left out, and no form is proved that is another."""
    graph = made(seed)
    game = ggp.parse(graph.text)
    proofs = Positions(game, Budget()).proofs
    whole = proofs.whole
    listed = [tuple(value for value, _ in known) for known in game.net.goals]
    facts = searched(graph, listed)
    if facts.is_playable and facts.rows:
        found = whole.possible_goals((0, 1), WORK)
        assert facts.rows <= found
        assert {own[:1] for own in facts.rows} <= whole.possible_goals((0,), WORK)
    if game.turns is not None:
        for name in ("normal", "misère"):
            is_so = whole.has_form(game.turns, listed, WORK, loses=name == "normal")
            assert not is_so or facts.form == name


STEPS = """(role p) (role q) (init (n 0)) (s 0 1) (s 1 2) (s 2 3) (s 3 4) (legal p a) (legal q a)
    (legal p b) (<= (next (n ?y)) (true (n ?x)) (s ?x ?y))
    (<= terminal (true (n 3))) (<= terminal (true (n 4))) (<= (goal p 10) (true (n 3)))
    (<= (goal q 20) (true (n 3))) (<= (goal p 30) (true (n 4))) (<= (goal q 40) (true (n 4)))"""
"""Play ends at 3, so that it never comes to 4."""


def test_goals_that_no_move_leads_to_are_not_possible(monkeypatch) -> None:
    """Where the first state has no fault; for one question for each choice of goals."""
    game = ggp.parse(STEPS)
    group = Group(tuple(range(len(game.net.fluents))), exact=True)
    whole = whole_of(game, group)
    assert whole.possible_goals((0, 1), WORK) == {(10, 20)}
    assert whole.possible_goals((1,), WORK) == {(20,)}
    assert whole.possible_goals((1, 0), WORK) == {(20, 10)}
    # Not by induction there may be 4, but of one state, never 10 and 40.
    alone = whole_of(game, group, well=False)
    assert alone.possible_goals((0, 1), WORK) == {(10, 20), (30, 40)}
    for most, is_asked in ((4, True), (3, False)):
        monkeypatch.setattr(module, "MAX_GOALS", most)
        assert (whole.possible_goals((0, 1), WORK) is not None) == is_asked
    monkeypatch.setattr(module, "MAX_GOALS", 400)
    for most, found in ((game.net.literals, {(10,)}), (game.net.literals - 1, {(10,), (30,)})):
        monkeypatch.setattr(module, "MAX_STEP", most)
        assert whole.possible_goals((0,), WORK) == found


LATE = (
    STEPS.replace("(legal p a)", "(<= (legal p a) (not (true (n 4))))")
    .replace("(<= terminal (true (n 4)))", "")
    .replace("(legal p b)", "")
)
"""p is stuck at 4, to which play does not come."""


def test_faults_that_no_move_leads_to(monkeypatch) -> None:
    """By induction from the first state, if the rules are not too large; not else."""
    game = ggp.parse(LATE)
    group = Group(tuple(range(len(game.net.fluents))), exact=True)
    assert whole_of(game, group).is_playable((0, 1), WORK)
    assert whole_of(game, group).is_playable((), WORK)
    assert not whole_of(game, group, well=False).is_playable((0, 1), WORK)
    assert not whole_of(game, group).is_playable((0, 1), 0.0)
    for most, is_asked in ((game.net.literals, True), (game.net.literals - 1, False)):
        monkeypatch.setattr(module, "MAX_AFTER", most)
        assert whole_of(game, group).is_playable((0, 1), WORK) == is_asked


def test_a_fault_of_the_goals_is_one_for_those_that_are_asked_about() -> None:
    game = ggp.parse(STEPS + "(<= (goal q 50) (true (n 3)))")
    group = Group(tuple(range(len(game.net.fluents))), exact=True)
    whole = whole_of(game, group)
    assert whole.is_playable((0,), WORK)
    assert not whole.is_playable((1,), WORK)
    assert not whole.is_playable((0, 1), WORK)


def test_a_legal_joint_move_is_one_before_the_end() -> None:
    """Each move that is made is legal, and what comes after is what the rules say."""
    game = ggp.parse(STEPS + "(<= (legal q b) (true (n 1)))")
    net = game.net
    count = len(net.fluents)
    whole = whole_of(game)
    places = dict(enumerate([*whole.step.fluents, *whole.step.moves]))
    # What follows is the same after the end, where there is no legal joint move.
    ways = [(whole.joint_move(), whole.step.fluents, whole.step.moves, True)]
    for with_ends in (True, False):
        other = JointMoves(net, (), None, with_ends=with_ends)
        ways.append((other.circuits, other._fluents, other._moves, with_ends))
    assert len(places) == count + len(net.legal)
    for circuits, fluents, moves, with_ends in ways:
        [side] = circuits.sides
        [option] = side.options
        after = option.after(circuits.inputs)
        for n, p, q in product(range(count), (0, 1), (0, 1)):
            state = game.state([net.fluents[n]])
            made_ = [net.move_offset[0] + p, net.move_offset[1] + q]
            holds = {x >> 1: f == n for f, x in enumerate(fluents)}
            holds |= {x >> 1: m in made_ for m, x in enumerate(moves)}
            joint = [net.moves[0][p], net.moves[1][q]]
            is_legal = all(m in state.legal(r) for r, m in zip(game.roles, joint, strict=True))
            is_open = not (with_ends and state.terminal)
            assert held(circuits.builder, option.legal, holds) == (is_legal and is_open)
            if is_legal and not state.terminal:
                bits = state.play(dict(zip(game.roles, map(str, joint), strict=True))).bits
                for f in range(count):
                    literal = after.get(f, circuits.inputs[f])
                    assert held(circuits.builder, literal, holds) == bool(bits >> f & 1)


@pytest.mark.parametrize("text", [FIRE, STEPS, THREE])
def test_literals_of_moves_are_counted_as_often_as_they_are_made(text) -> None:
    """A loop of so many gates is made so many times."""
    net = ggp.parse(text).net
    for with_ends in (True, False):
        wanted = [*net.next, *net.legal, *([net.terminal] if with_ends else [])]
        count = 0
        for node in net.cone(wanted):
            if node >= net.first_gate:
                loop = [stop - start for start, stop in net.recursive if start <= node < stop]
                for body in net.bodies(node):
                    for _ in range(loop[0] if loop else 1):
                        count += len(body)
        assert literals_of_moves(net, with_ends=with_ends) == count


def test_each_role_makes_just_one_move() -> None:
    net = ggp.parse(STEPS).net
    first, second = choices(net)
    count = len(net.fluents)
    assert (first.fluents, second.fluents) == ((count, count + 1), (count + 2,))
    assert first.exact
    assert second.exact


def test_where_a_role_has_the_same_goal_always_no_end_fits_a_form() -> None:
    """50 each: neither has lost; every end with its turn is a fault, and so is one with a move."""
    game = ggp.parse(STEPS)
    whole = whole_of(game)
    turns = whole.builder.inputs(2)
    for loses in (True, False):
        found = form_faults(whole.now, turns, [(50,), (50,)], loses=loses)
        over = [whole.builder.conj(turn, whole.now.terminal) for turn in turns]
        assert set(over) <= set(found)


# -- what proofs rest on ---------------------------------------------------------------------------


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("marks", [("01", "10"), ("001", "010"), ("011", "101"), ("000", "001")])
def test_a_group_survives_flips_if_it_holds_with_every_setting(exact, marks) -> None:
    """Of states that keep a group, with the turn given to any role, all keep it as well: if none of
    its fluents are the marker's, or all are and each setting keeps it."""
    width = 4
    marker = Marker.of(tuple(int(own, 2) for own in marks), alternating=True)
    for chosen in range(1, 1 << width):
        group = Group(tuple(f for f in range(width) if chosen >> f & 1), exact=exact)
        inside = {bool(marker.mask >> f & 1) for f in group.fluents}
        counts = [sum(bits >> f & 1 for f in group.fluents) for bits in marker.bits]
        keeps = all(n == 1 or (n == 0 and not exact) for n in counts)
        assert _survives_flips(group, marker) == (inside == {False} or (inside == {True} and keeps))


def test_flips_of_a_group_in_a_game_keep_it() -> None:
    """In which exactly one of two fluents marks each role."""
    game = handed("paq pbq qap qbp")
    marker = game.marker
    both = tuple(f for f in range(len(game.net.fluents)) if marker.mask >> f & 1)
    assert _survives_flips(Group(both, exact=True), marker)
    assert _survives_flips(Group(both, exact=False), marker)
    assert not _survives_flips(Group(both[:1], exact=True), marker)
    assert _survives_flips(Group(both[:1], exact=False), marker)
    other = next(f for f in range(len(game.net.fluents)) if f not in both)
    assert not _survives_flips(Group((*both, other), exact=True), marker)


def test_the_turn_is_a_group_where_one_fluent_tells_it() -> None:
    game = handed("paq pbq qap qbp")
    proofs = Positions(game, Budget()).proofs
    [group] = proofs._turn_group
    assert group.exact
    assert {str(game.net.fluents[f]) for f in group.fluents} == {"(control p)", "(control q)"}
    assert group in proofs.assumed
    # By two fluents at once, or by none, it is told otherwise.
    three = settings(ggp.parse(THREE))
    for turns in (three, Turns(((1, 0), (0, 1)), alternating=True), None):
        assert Proofs(SimpleNamespace(turns=turns), None, None)._turn_group == []
    one = Turns(((4, 0), (1, 1)), alternating=True)
    own = Proofs(SimpleNamespace(turns=one), None, None)._turn_group
    assert own == [Group((0, 2), exact=True)]


def proofs_of(text: str, seconds: float = 60.0) -> Proofs:
    return Positions(ggp.parse(text), Budget(Limits(seconds=seconds))).proofs


@pytest.mark.parametrize(("seconds", "building"), [(60.0, 20.0), (3.0, 1.0), (3_000.0, 30.0)])
def test_work_is_shared_out(seconds, building) -> None:
    """A third of the account at most for what is built; less where enumeration settles all."""
    proofs = proofs_of(STEPS, seconds)
    assert proofs.work == module_of_proofs.WORK
    assert proofs._building == building
    with proofs.sparing():
        assert proofs.work == module_of_proofs.SHARE * module_of_proofs.WORK
    assert proofs.work == module_of_proofs.WORK


def test_an_account_that_is_spent_proves_nothing_more() -> None:
    proofs = proofs_of(STEPS, 0.0)
    with pytest.raises(BudgetSpent):
        _ = proofs.work
    with pytest.raises(BudgetSpent):
        _ = proofs._building


@pytest.mark.parametrize(
    ("text", "starts_well"),
    [
        (STEPS, True),
        # Over at once; a fault somewhere, of a role without a move or of goals at the end.
        (STEPS + "(<= terminal (true (n 0)))", False),
        (STEPS.replace("(legal q a)", "(<= (legal q a) (true (n 0)))"), False),
        (STEPS + "(<= (goal q 50) (true (n 3)))", False),
        (STEPS + "(<= (goal q 50) (true (n 4)))", True),
        (STEPS.replace("(<= (goal p 10) (true (n 3)))", ""), False),
    ],
)
def test_induction_begins_where_no_fault_was_met(text, starts_well) -> None:
    assert proofs_of(text).whole.starts_well == starts_well


def test_the_rules_of_one_state_are_made_if_they_are_not_too_large(monkeypatch) -> None:
    literals = ggp.parse(STEPS).net.literals
    for most, is_made in ((literals, True), (literals - 1, False)):
        monkeypatch.setattr(module_of_proofs, "MAX_LITERALS", most)
        proofs = proofs_of(STEPS)
        assert (proofs.whole is not None) == is_made
        if not is_made:
            assert not proofs.excluded
            assert not proofs.all_excluded
            assert not proofs.bounded
            assert not proofs.bounded_at_last
            assert proofs.whole_with_sums is None
            assert proofs.assumed_bounds == proofs.assumed_sums == proofs.assumed_excluded == []


def test_what_no_board_satisfies() -> None:
    """Cheaply only what is false by itself; with the solver what contradicts, or breaks a group."""
    game = handed("paq pbq qap qbp")
    proofs = Positions(game, Budget()).proofs
    inputs = proofs.boards.inputs
    first = next(iter(inputs.values()))
    for cheap in (True, False):
        assert proofs.is_impossible([first, FALSE], cheap=cheap)
        assert not proofs.is_impossible([first], cheap=cheap)
    assert not proofs.is_impossible([first, first ^ 1], cheap=True)
    assert proofs.is_impossible([first, first ^ 1])
    [left] = [
        g
        for g in proofs.groups
        if {str(game.net.fluents[f]) for f in g.fluents} >= {"(left 1)", "(left 2)"}
    ]
    own = [inputs[f] for f in left.fluents]
    assert proofs.is_impossible(own[:2])
    assert proofs.is_impossible([x ^ 1 for x in own]) == left.exact
    assert not proofs.is_impossible([own[0], own[1] ^ 1])
    # Fluents that mark a role are in no part of the board.
    marks = {f for f in range(len(game.net.fluents)) if game.marker.mask >> f & 1}
    assert marks.isdisjoint(f for part in proofs.split for f in part.fluents)


def test_counters_are_among_what_proofs_rest_on() -> None:
    game = ggp.parse(STEPS)
    proofs = Positions(game, Budget()).proofs
    [counter] = proofs.counters
    assert Group(counter.fluents, exact=True) in proofs.assumed
    assert proofs.assumed_bounds == proofs.assumed_sums == proofs.assumed_excluded == []
    assert len(set(proofs.assumed)) == len(proofs.assumed)


@pytest.mark.parametrize("seed", range(0, 24, 3))
def test_all_that_proofs_rest_on_holds_in_every_state(seed) -> None:
    """Groups, bounds and sums, after all has been asked."""
    game = ggp.parse(made(seed).text)
    positions = Positions(game, Budget())
    proofs = positions.proofs
    for _ in (proofs.bounded, proofs.constant_sums, proofs.excluded, proofs.boards):
        pass
    space = positions.reachable
    for place in range(len(space)):
        state = space.state(place)
        for group in proofs.assumed:
            count = sum(state >> f & 1 for f in group.fluents)
            assert count == 1 or (count == 0 and not group.exact), group
        for bound in proofs.assumed_bounds:
            assert sum(w for f, w in bound.weights if state >> f & 1) <= bound.most
        for one in proofs.constant_sums.found:
            listed = dict(one.weights)
            assert sum(w for f, w in listed.items() if state >> f & 1) == one.value


@pytest.mark.parametrize(
    ("weights", "first", "expected"),
    [
        ({2: 1, 0: -3, 1: 0}, {0, 1}, (((0, -3), (2, 1)), -3)),
        ({0: 2, 1: 5}, {1, 0}, (((0, 2), (1, 5)), 7)),
        ({4: -1}, set(), (((4, -1),), 0)),
        ({}, {1}, ((), 0)),
    ],
)
def test_a_bound_is_what_the_sum_is_at_first(weights, first, expected) -> None:
    """Without fluents that weigh nothing, in order."""
    bound = Bound.of(weights, first)
    assert (bound.weights, bound.most) == expected


# -- questions -------------------------------------------------------------------------------------


def boards(question: Question, inputs: list[int], atom: int) -> set[tuple[bool, ...]]:
    """All boards on which an atom holds, one by one."""
    found = set()
    for values in product((False, True), repeat=len(inputs)):
        literals = [x ^ (not v) for x, v in zip(inputs, values, strict=True)]
        atoms = [question.atom(x) for x in literals]
        if question.ask([atom, *atoms], WORK).holds is not None:
            found.add(values)
    return found


@pytest.mark.parametrize("weights", [(1, 2, 3), (1, -2, 0), (-1, -1, 2), (0, 0, 0), (-3, 1, 1)])
def test_sums_are_what_they_are_on_each_board(weights) -> None:
    builder = Builder()
    inputs = list(builder.inputs(3))
    question = Question(builder, dict(enumerate(inputs)), ())
    terms = list(zip(inputs, weights, strict=True))
    every = list(product((False, True), repeat=3))
    sums = {v: sum(w for w, holds in zip(weights, v, strict=True) if holds) for v in every}
    for bound in range(-5, 8):
        equal, least = question.equals(terms, bound), question.at_least(terms, bound)
        assert boards(question, inputs, equal) == {v for v in every if sums[v] == bound}
        assert boards(question, inputs, least) == {v for v in every if sums[v] >= bound}
        case = (inputs[0], bound, terms, inputs)
        heavy = [v for v in every if v[0] and sums[v] >= bound]
        shown = list(question.heavy([case], WORK))
        assert [i for i, _ in shown] == ([0] if heavy else [])
        assert all(tuple(holds) in heavy for _, holds in shown)


@pytest.mark.parametrize("exact", [True, False])
def test_one_is_required(exact) -> None:
    """Of a group that is told at first, and of one that is told later."""
    builder = Builder()
    inputs = list(builder.inputs(3))
    early = Question(builder, dict(enumerate(inputs)), [Group((0, 2), exact=exact)])
    late = Question(builder, dict(enumerate(inputs)), ())
    late.require_one([inputs[0], inputs[2]], exact=exact)
    every = product((False, True), repeat=3)
    wanted = {v for v in every if v[0] + v[2] == 1 or (v[0] + v[2] == 0 and not exact)}
    for question in (early, late):
        some = question.some([question.atom(inputs[1]), question.atom(inputs[1] ^ 1)])
        assert boards(question, inputs, some) == wanted
        assert boards(question, inputs, question.some([question.atom(inputs[0])])) == {
            v for v in wanted if v[0]
        }


# -- random plays ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 9])
def test_random_plays_are_plays_of_the_game(seed) -> None:
    """Each state is met once, comes of the move that is told, and is what the rules say."""
    graph = made(seed)
    game = ggp.parse(graph.text)
    made_ = random_plays(game, 1_000)
    states = game.machine.states(made_.rows)
    assert len(set(states)) == len(made_) == searched(graph, [(0,), (0,)]).states
    assert (states[0], made_.before[0], made_.joint[0].tolist()) == (
        game.initial.bits,
        -1,
        [-1, -1],
    )
    wrong = faulty(made_, (0, 1))
    for i, bits in enumerate(states):
        state = game.initial
        for joint in made_.path(i):
            state = state.after(joint.tolist())
        assert state.bits == bits
        assert bool(made_.terminal[i]) == state.terminal
        moves = [len(own) for own in state.legal_indices()] if not state.terminal else None
        assert moves is None or made_.counts[i].tolist() == moves
        at = next(int(str(f.args[0])) for f in state.facts if f.name == "at")
        mover = next(int(str(f.args[0])[1]) for f in state.facts if f.name == "control")
        bad = any(len(own) != 1 for own in graph.goals((at, mover)))
        assert bool(wrong[i]) == (bad if state.terminal else 0 in (moves or ()))
    if made_.loop:
        rows = [states[place] for place, _ in made_.loop]
        after = [game.state(game.evaluator.facts(rows[i])).after(joint.tolist()).bits
                 for i, (_, joint) in enumerate(made_.loop)]  # fmt: skip
        assert after == [*rows[1:], rows[0]]


@pytest.mark.parametrize(("left", "is_played"), [(0.5, True), (0.0, False), (-1.0, False)])
def test_plays_are_made_while_there_is_time(monkeypatch, left, is_played) -> None:
    monkeypatch.setattr(plays, "time_left", lambda: left)
    game = ggp.parse(STEPS)
    assert len(random_plays(game, 100)) == (4 if is_played else 1)


def test_no_more_plays_are_made_than_states_are_wanted(monkeypatch) -> None:
    """A play is one step of all lanes at a time; what is evaluated is counted."""
    game = ggp.parse(STEPS)
    assert [len(random_plays(game, most)) for most in (1, 2, 3, 9)] == [1, 2, 3, 4]
    for most, met in ((0, 1), (1, 2), (plays.LANES, 2), (plays.LANES + 1, 3)):
        monkeypatch.setattr(plays, "MAX_EVALUATED", most)
        assert len(random_plays(game, 100)) == met


def test_rounds_of_plays_go_on_while_they_meet_new_states(monkeypatch) -> None:
    """Of 600 ends after one move a round meets no more than it has plays; one that meets none is
    the last, of as many in a row as may be so."""
    numbers = " ".join(f"(n {i})" for i in range(600))
    game = ggp.parse(f"""(role p) (init s) {numbers} (<= (legal p (to ?i)) (n ?i))
        (<= (next (at ?i)) (does p (to ?i))) (<= terminal (not (true s))) (goal p 50)""")
    monkeypatch.setattr(plays, "FRUITLESS", 1)
    assert len(random_plays(game, 10_000)) > 1 + 2 * plays.LANES


@pytest.mark.parametrize("fruitless", [1, 2, 5])
def test_so_many_rounds_in_a_row_may_meet_nothing_new(monkeypatch, fruitless) -> None:
    """The first round meets both ends, the others nothing."""
    rounds, made_ = [], plays._Walks
    monkeypatch.setattr(plays, "_Walks", lambda roles: rounds.append(roles) or made_(roles))
    monkeypatch.setattr(plays, "FRUITLESS", fruitless)
    game = ggp.parse("""(role p) (init s) (legal p a) (legal p b) (<= (next x) (does p a))
        (<= (next y) (does p b)) (<= terminal (not (true s))) (goal p 50)""")
    assert len(random_plays(game, 10_000)) == 3
    assert len(rounds) == 1 + fruitless


TURNING = """(role p) (role q) (init (at 1)) (s 1 2) (s 2 3) (s 3 {last}) (legal p go) {legal}
(<= (next (at ?y)) (true (at ?x)) (s ?x ?y)) (<= terminal (true (at 4))) (goal p 50) (goal q 50)"""


@pytest.mark.parametrize(
    ("last", "legal", "met", "length"),
    [
        (1, "(legal q go)", 3, 3),
        (2, "(legal q go)", 3, 2),
        (3, "(legal q go)", 3, 1),
        (4, "(legal q go)", 4, 0),
        # At 2 the second role cannot move, and no play goes on.
        (1, "(<= (legal q go) (not (true (at 2))))", 2, 0),
    ],
)
def test_plays_that_come_back_to_a_state(last, legal, met, length) -> None:
    """The states and moves since then; and a play from the first state back to it."""
    game = ggp.parse(TURNING.format(last=last, legal=legal))
    found = random_plays(game, 100)
    assert len(found) == met
    places = [place for place, _ in found.loop]
    assert places == list(range(met - length, met))
    rng = np.random.default_rng(1)
    back = plays.way_back(game.machine, found.rows[:1], 8, 10, rng)
    assert (back is not None) == (length == 3)
    assert back is None or len(back) == 3
    assert plays.way_back(game.machine, found.rows[:1], 8, 2, rng) is None
