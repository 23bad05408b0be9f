"""What is claimed of one token on small graphs, way by way, against a search that shares nothing.

Two players move in turn along arcs that both may take, or one of them. There is nothing that these
graphs may not have: circles, places where who is to move is stuck, ends with moves left, ends
without goals or with two.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import SimpleNamespace

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.claims import (
    cyclic,
    form,
    length,
    outcome_kind,
    passes,
    playable,
    terminating,
    winnable,
    zero_sum,
)
from ggp.analysis.outcomes import LEFT_OVER, STUCK, goals_of_form, goals_of_the_rules, kind_of
from ggp.limits import Budget
from tests.analysis.test_counterexamples import heap

Place = tuple[int, int]
"""Where the token is, and who is to move."""


@pytest.fixture(autouse=True)
def short_plays(monkeypatch) -> None:
    """Enough for graphs as small as these."""
    monkeypatch.setattr("ggp.analysis.plays.plays.MAX_PLIES", 40)


@dataclass(frozen=True)
class Graph:
    """`arcs`: who may move from where to where. `pays`: goals of roles by end and mover."""

    arcs: frozenset[tuple[int, int, int]]
    ends: frozenset[int]
    pays: frozenset[tuple[int, int, int, int]]

    @property
    def text(self) -> str:
        lines = ["(role r0) (role r1) (init (control r0)) (init (at 0))"]
        lines += [f"(arc r{r} {a} {b})" for r, a, b in sorted(self.arcs)]
        lines += [f"(over {n})" for n in sorted(self.ends)]
        lines += [f"(pays r{r} {n} r{m} {v})" for r, n, m, v in sorted(self.pays)]
        return "\n".join([
            *lines,
            "(<= (next (control r0)) (true (control r1)))",
            "(<= (next (control r1)) (true (control r0)))",
            "(<= (legal ?r (to ?y)) (true (control ?r)) (true (at ?x)) (arc ?r ?x ?y))",
            "(<= (legal ?r wait) (role ?r) (not (true (control ?r))))",
            "(<= (next (at ?y)) (does ?r (to ?y)))",
            "(<= terminal (true (at ?x)) (over ?x))",
            "(<= (goal ?r ?v) (true (at ?x)) (true (control ?m)) (pays ?r ?x ?m ?v))",
        ])  # fmt: skip

    def after(self, place: Place) -> list[Place]:
        at, mover = place
        if at in self.ends:
            return []
        return sorted({(b, 1 - mover) for r, a, b in self.arcs if (r, a) == (mover, at)})

    def reached(self, *starts: Place) -> dict[Place, int]:
        """The fewest moves to each place from these."""
        found = dict.fromkeys(starts, 0)
        todo = list(starts)
        for place in todo:
            for new in self.after(place):
                if new not in found:
                    found[new] = found[place] + 1
                    todo.append(new)
        return found

    def goals(self, place: Place) -> list[list[int]]:
        at, mover = place
        return [sorted(v for r, n, m, v in self.pays if (r, n, m) == (role, at, mover))
                for role in (0, 1)]  # fmt: skip


@dataclass(frozen=True)
class Facts:
    """What the search says of a graph; None where an end without one goal for each is in the
    way, or there is no end."""

    states: int
    is_cyclic: bool
    is_terminating: bool
    is_playable: bool
    rows: frozenset[tuple[int, int]] | None
    shortest: int | None
    longest: int | None
    won: tuple[bool | None, ...]
    form: str | None


def searched(graph: Graph, of_rules: list[tuple[int, ...]]) -> Facts:
    found = graph.reached((0, 0))
    ends = [place for place in found if place[0] in graph.ends]
    stuck = [place for place in found if not graph.after(place) and place not in ends]
    goals = {end: graph.goals(end) for end in ends}
    is_whole = all(len(own) == 1 for known in goals.values() for own in known)
    is_cyclic = any(place in graph.reached(*graph.after(place)) for place in found)

    @cache
    def longest(place: Place) -> int:
        if place in ends:
            return 0
        return max([-1, *(1 + n for n in map(longest, graph.after(place)) if n >= 0)])

    best = [max(own, default=None) for own in of_rules]
    rows = {end: (known[0][0], known[1][0]) for end, known in goals.items()
            if all(len(own) == 1 for own in known)}  # fmt: skip
    left = [end for end in ends if any((r, a) == (end[1], end[0]) for r, a, _ in graph.arcs)]
    is_of = {
        name: all(row == goals_of_form(of_rules, end[1], loses=name == "normal")
                  for end, row in rows.items())
        for name in ("normal", "misère")
    }  # fmt: skip
    name = next((name for name in is_of if is_of[name]), "other")
    return Facts(
        len(found),
        is_cyclic,
        all(any(after in ends for after in graph.reached(place)) for place in found),
        not stuck and is_whole,
        frozenset(rows.values()) if is_whole and ends else None,
        min((found[end] for end in ends), default=None),
        None if is_cyclic or not ends else longest((0, 0)),
        tuple(won_by([goals[end][role] for end in ends], best[role]) for role in (0, 1)),
        "other" if stuck or not ends or left else name if is_whole or name == "other" else None,
    )


def won_by(ends: list[list[int]], best: int | None) -> bool | None:
    """Whether a role has its best goal at some end, and no other; None if at best others as well
    at one where it has several."""
    if [best] in ends:
        return True
    return None if any(len(own) > 1 for own in ends) else False


def passing(graph: Graph) -> bool:
    """Whether the token stays where it is, on some board that arises if turns are given away."""
    todo, found = [(0, 0), (0, 1)], set()
    while todo:
        place = todo.pop()
        if place not in found:
            found.add(place)
            todo += [(at, role) for at, _ in graph.after(place) for role in (0, 1)]
    return any(after[0] == place[0] for place in found for after in graph.after(place))


def made(seed: int) -> Graph:
    """Of a few places; the later ones are ends. Every third is acyclic, every second is playable
    but for what the other has at places it is never to move at."""
    rng = random.Random(seed)
    count, last = rng.randint(3, 6), rng.randint(1, 3)
    inner, ends = range(count - last), range(count - last, count)
    arcs = set()
    for a in inner:
        for b in range(a + 1 if seed % 3 == 0 else 0, count):
            share = 0.9 if b == a + 1 else 0.35
            if a != b or rng.random() < 0.3:
                arcs |= {(r, a, b) for r in (0, 1) if rng.random() < share}
    if seed % 2:
        arcs |= {(r, a, rng.choice(ends)) for r in (0, 1) for a in inner}
    style = rng.choice(("normal", "misère", "draw", "scored", "won", "zero"))
    pays = set()
    for n in ends:
        for m in (0, 1):
            loser = m if style == "normal" else 1 - m
            own = {0: (0, 100), 1: (100, 0)}[loser]
            own = (50, 50) if style == "draw" and rng.random() < 0.5 else own
            own = (rng.choice((10, 40)), 60) if style == "scored" else own
            own = (own[0], 100 - own[0]) if style == "zero" else own
            own = rng.choice(((30, 70), (70, 30))) if style == "won" else own
            pays |= {(r, n, m, own[r]) for r in (0, 1)}
    if seed % 2 == 0 and rng.random() < 0.5:
        pays.discard(rng.choice(sorted(pays)))
    if seed % 2 == 0 and rng.random() < 0.4:
        r, n, m, _ = rng.choice(sorted(pays))
        pays.add((r, n, m, 25))
    if seed % 4 == 0 and rng.random() < 0.5:
        arcs.add((rng.randint(0, 1), rng.choice(ends), 0))
    return Graph(frozenset(arcs), frozenset(ends), frozenset(pays))


def require_replayed(game: ggp.Game, finding) -> list[ggp.State]:
    """Each state that a finding shows is what comes of the moves that lead to it."""
    states = []
    for witness in getattr(finding.evidence, "states", ()):
        if witness.path is None:
            continue
        state = game.initial
        for joint in witness.path:
            state = state.play(dict(zip(game.roles, joint, strict=True)))
        assert tuple(map(str, state.facts)) == witness.facts
        states.append(state)
    return states


def told(finding) -> tuple[object, str] | None:
    return None if finding is None else (finding.value, finding.certainty)


def check(graph: Graph) -> ggp.Game:
    game = ggp.parse(graph.text)
    positions = Positions(game, Budget())
    facts = searched(graph, goals_of_the_rules(game))
    of_rules = goals_of_the_rules(game)
    rows = facts.rows
    sums = None if rows is None else len({sum(row) for row in rows}) == 1
    expected = {
        cyclic: facts.is_cyclic,
        terminating: facts.is_terminating,
        playable: facts.is_playable,
        outcome_kind: None if rows is None else kind_of(rows, of_rules),
        zero_sum: sums,
        winnable: False if False in facts.won else None if None in facts.won else True,
    }
    if game.turns is not None:
        expected[form] = facts.form
    if game.marker is not None:
        expected[passes] = passing(graph)
    for claim, value in expected.items():
        counted = claim.enumerated(positions)
        assert counted.value == value, claim.__name__
        early = getattr(claim, "prove_early", lambda proofs: None)(positions.proofs)
        ways = [claim.prove(positions.proofs, True), claim.prove(positions.proofs, False)]
        for finding in (early, *ways, claim.refute(positions.samples)):
            # One that is no answer to enumeration is none to a proof.
            assert finding is None or finding.value == value, (claim.__name__, finding)
            if finding is not None:
                require_shown(graph, game, finding)
        require_shown(graph, game, counted)
        require_nearest(graph, counted)
        # Random play comes by every place of a graph as small as these.
        is_met = (claim, value) in ((playable, False), (zero_sum, False), (winnable, True))
        if is_met or (claim is form and value == "other" and facts.shortest is not None):
            assert told(claim.refute(positions.samples)) == told(counted)
        if (claim, value) in ((playable, True), (cyclic, True)):
            assert [claim.prove(positions.proofs, False), claim.refute(positions.samples)] != [
                None,
                None,
            ]
    for find, value in (
        (length.reachable_states, facts.states),
        (length.shortest_play, facts.shortest),
        (length.longest_play, facts.longest),
    ):
        assert told(find(positions)) == (value, "exhaustive")
    return game


def place_of(state: ggp.State) -> Place:
    found = {fact.name: str(fact.args[0]) for fact in state.facts}
    return int(found["at"]), int(found["control"][1])


def require_shown(graph: Graph, game: ggp.Game, finding) -> None:
    """What a finding shows is so in the states that it names, and it says so."""
    evidence, name = finding.evidence, finding.property
    shown = [place_of(state) for state in require_replayed(game, finding)]
    of_rules = goals_of_the_rules(game)
    found = graph.reached((0, 0))
    ends = [place for place in found if place[0] in graph.ends]
    goals = [graph.goals(place) for place in shown]
    if name == "cyclic" and finding.value:
        assert shown[0] == shown[-1]
        assert all(b in graph.after(a) for a, b in pairwise(shown))
        moves = len(shown) - 1
        assert evidence.why.endswith(f" {moves} move{'s' if moves > 1 else ''} later")
    elif name == "zero_sum" and finding.value is not None:
        sums = {sum(own[0] for own in graph.goals(end)) for end in ends
                if all(len(own) == 1 for own in graph.goals(end))}  # fmt: skip
        if finding.value:
            assert evidence.why == f"the goals sum to {sums.pop()} at every end"
        else:
            a, b = (sum(own[0] for own in known) for known in goals)
            assert (a, b) == (min(sums), max(sums))
            assert evidence.why == f"the goals sum to {a} at one end and to {b} at another"
    elif name == "outcome_kind" and finding.certainty == "exhaustive" and finding.value:
        rows = sorted({tuple(own[0] for own in graph.goals(end)) for end in ends})
        listed = ", ".join(f"{a}/{b}" for a, b in rows)
        assert evidence.why == f"goals at the end: {listed}"
    elif name == "outcome_kind" and finding.certainty == "proved" and shown:
        rows = [tuple(own[0] for own in known) for known in goals]
        assert kind_of(rows, of_rules) == "scored"
        assert evidence.why == "goals at ends: " + ", ".join(f"{a}/{b}" for a, b in rows)
    elif name == "winnable" and finding.value:
        for role, (best, known) in enumerate(zip(of_rules, goals, strict=True)):
            assert known[role] == [best[-1]]
            assert evidence.states[role].note == f"r{role} has {best[-1]}"
        assert all(place in ends for place in shown)
    elif name == "winnable" and finding.certainty == "exhaustive":
        role, best = next((r, own[-1:]) for r, own in enumerate(of_rules)
                          if not any(graph.goals(end)[r] == list(own[-1:]) for end in ends)
                          or not own)  # fmt: skip
        assert evidence.why == f"r{role} never reaches {best[0] if best else 'a goal'}"
    elif name == "terminating" and finding.value is False:
        [place] = shown
        assert not any(after in ends for after in graph.reached(place))
    elif name == "playable" and finding.value is False:
        [place] = shown
        role, what = evidence.why.split(" ", 1)
        count = len(graph.goals(place)[int(role[1])])
        if place not in ends:
            assert what == "has no legal move although the game is not over"
            assert int(role[1]) == place[1]
            assert not graph.after(place)
        else:
            many = "no" if count == 0 else "more than one"
            assert what == f"has {many} goal value at the end"
            assert count != 1
    elif name == "passes" and finding.value:
        move, role = evidence.move, evidence.why.removeprefix(f"{evidence.move} of ").split()[0]
        at = next(int(fact[4:-1]) for fact in evidence.states[0].facts if fact.startswith("(at"))
        assert move == f"(to {at})"
        assert (int(role[1]), at, at) in graph.arcs
    elif name == "form" and finding.value == "other" and len(shown) == 2:
        told = [f"the role to move has not {what}" for what in ("lost", "won")]
        assert [state.note for state in evidence.states] == told
        for place, known, loses in zip(shown, goals, (True, False), strict=True):
            row = tuple(own[0] for own in known)
            assert place in ends
            assert row != goals_of_form(of_rules, place[1], loses=loses)
    elif name == "form" and finding.value == "other" and shown:
        [(at, mover)] = shown
        is_left = any((r, a) == (mover, at) for r, a, _ in graph.arcs)
        assert is_left == ((at, mover) in ends)
        assert evidence.why == (LEFT_OVER if is_left else STUCK)


def require_nearest(graph: Graph, finding) -> None:
    """Enumeration shows where it is soonest seen."""
    found = graph.reached((0, 0))
    ends = [place for place in found if place[0] in graph.ends]
    states = getattr(finding.evidence, "states", ())
    paths = [len(state.path) for state in states if state.path is not None]
    if finding.property == "terminating" and not finding.value:
        lost = [p for p in found if not any(after in ends for after in graph.reached(p))]
        assert paths == [min(found[p] for p in lost)]
    elif finding.property == "winnable" and finding.value:
        best = [max(v for r, _, _, v in graph.pays if r == role) for role in (0, 1)]
        for role, length_of in enumerate(paths):
            won = [found[end] for end in ends if graph.goals(end)[role] == [best[role]]]
            assert length_of == min(won)


@pytest.mark.parametrize("first", range(0, 30, 3))
def test_on_graphs_each_way_says_what_is_so(first) -> None:
    for seed in range(first, first + 3):
        check(made(seed))


@pytest.mark.parametrize(
    ("arcs", "ends", "value", "shown"),
    [
        # Worst and best goals that are not the same for both; draws, one and two of them.
        ("01 02 03", {1: (10, 60), 2: (60, 20), 3: (40, 40)}, "scored", (1,)),
        ("01 02", {1: (50, 50), 2: (50, 50)}, "win-lose-draw", ()),
        ("01 02", {1: (50, 50), 2: (40, 40)}, "scored", (2, 1)),
        ("01 02", {1: (100, 0), 2: (40, 40)}, "win-lose-draw", ()),
        ("01 02", {1: (100, 0), 2: (0, 100)}, "win-lose", ()),
        ("01 02 03", {1: (100, 0), 2: (60, 20), 3: (20, 60)}, "scored", (3,)),
        ("01 02 03", {1: (20, 60), 2: (60, 20), 3: (40, 40)}, "win-lose-draw", ()),
    ],
)
def test_one_or_two_ends_show_that_outcomes_are_scored(arcs, ends, value, shown) -> None:
    """The one whose goals alone are scored; else two draws."""
    listed = frozenset((r, int(a), int(b)) for a, b in arcs.split() for r in (0, 1))
    pays = {(r, n, m, own[r]) for n, own in ends.items() for r in (0, 1) for m in (0, 1)}
    game = check(Graph(listed, frozenset(ends), frozenset(pays)))
    positions = Positions(game, Budget())
    assert outcome_kind.enumerated(positions).value == value
    proved = outcome_kind.prove(positions.proofs, False)
    assert proved is None or proved.value == value
    found = outcome_kind.refute(positions.samples)
    assert (found is not None) == (value == "scored")
    if found:
        places = [place_of(state)[0] for state in require_replayed(game, found)]
        assert places == list(shown)


def test_no_more_than_eight_rows_of_goals_are_listed() -> None:
    for count, more in ((8, ("", "")), (10, (" and others", " and 2 more"))):
        arcs = frozenset((r, 0, n) for n in range(1, count + 1) for r in (0, 1))
        pays = frozenset((r, n, m, 10 + n + 40 * r) for n in range(1, count + 1)
                         for r in (0, 1) for m in (0, 1))  # fmt: skip
        game = ggp.parse(Graph(arcs, frozenset(range(1, count + 1)), pays).text)
        positions = Positions(game, Budget())
        listed = ", ".join(f"{10 + n}/{50 + n}" for n in range(1, 9))
        proved, counted = more
        finding = outcome_kind.prove(positions.proofs, False)
        assert finding.evidence.why == f"goals at the end are among {listed}{proved}"
        assert finding.evidence.goals == tuple((10 + n, 50 + n) for n in range(1, count + 1))
        finding = outcome_kind.enumerated(positions)
        assert finding.evidence.why == f"goals at the end: {listed}{counted}"


def along(arcs: str, ends: dict[int, tuple[int, int]]) -> Graph:
    """`01` for both, `p01` and `q01` for one; goals at ends whoever is to move."""
    listed = {(r, int(way[-2]), int(way[-1])) for way in arcs.split()
              for r in ((0, 1) if len(way) == 2 else ("pq".index(way[0]),))}  # fmt: skip
    pays = {(r, n, m, own[r]) for n, own in ends.items() for r in (0, 1) for m in (0, 1)}
    return Graph(frozenset(listed), frozenset(ends), frozenset(pays))


WON = (100, 0)


@pytest.mark.parametrize(
    ("arcs", "is_terminating", "is_cyclic", "is_playable"),
    [
        ("03", True, False, True),
        ("01 13", True, False, True),
        # Round for ever in a trap; round, but always with a way out.
        ("01 03 12 21", False, True, True),
        ("01 12 20 23", True, True, True),
        ("00 03", True, True, True),
        ("00", False, True, True),
        # A way out for one of them only, who is to move there, or never.
        ("p01 q12 p20 p03", False, False, False),
        ("01 10 p13", False, True, True),
        ("01 10 q13", True, True, True),
        ("01 02 12 21 p23 q13", False, True, True),
        ("01 02 12 21 p23 p13", True, True, True),
        # Stuck.
        ("01 03", False, False, False),
        ("03 01 p13", False, False, False),
        ("03 01 q13", True, False, True),
        ("01 10 02", False, True, False),
    ],
)
def test_traps_and_ways_out(arcs, is_terminating, is_cyclic, is_playable) -> None:
    graph = along(arcs, {3: WON})
    facts = searched(graph, [(100,), (0,)])
    told = (is_terminating, is_cyclic, is_playable)
    assert (facts.is_terminating, facts.is_cyclic, facts.is_playable) == told
    positions = Positions(check(graph), Budget())
    found = [claim.enumerated(positions).value for claim in (terminating, cyclic, playable)]
    assert tuple(found) == told
    if is_cyclic:
        assert terminating.prove(positions.proofs, False) is None
        assert terminating.prove_early(positions.proofs) is None


@pytest.mark.parametrize(("most", "is_found"), [(0, False), (2, True)])
def test_passes_are_looked_for_where_all_moves_were(monkeypatch, most, is_found) -> None:
    """A state at a time, until there are more moves than a limit; at first there is no pass."""
    monkeypatch.setattr("ggp.analysis.claims.options.FEW", 1)
    monkeypatch.setattr("ggp.analysis.claims.options.MAX_OPTIONS", most)
    game = ggp.parse(along("01 11 13", {3: WON}).text)
    finding = passes.refute(Positions(game, Budget()).samples)
    assert (finding is not None) == is_found
    if finding:
        assert (finding.value, finding.evidence.move) == (True, "(to 1)")


@pytest.mark.parametrize("name", ["normal", "misère"])
def test_a_pure_form_is_proved(name) -> None:
    """Of a token that runs off a graph: cheaply, where the end is that there is no move."""
    arcs = along("01 02 12", {}).arcs
    pays = {(r, 2, m, 100 * ((r == m) == (name == "misère"))) for r in (0, 1) for m in (0, 1)}
    graph = Graph(arcs, frozenset({2}), frozenset(pays))
    positions = Positions(check(graph), Budget())
    assert told(form.prove(positions.proofs, False)) == (name, "proved")
    assert form.prove(positions.proofs, True) is None
    text = heap(4, [1], 4)
    if name == "misère":
        text = text.replace("(goal ?p 0)", "(goal ?p x)").replace("(goal ?p 100)", "(goal ?p 0)")
        text = text.replace("(goal ?p x)", "(goal ?p 100)")
    positions = Positions(ggp.parse(text), Budget())
    assert told(form.prove(positions.proofs, True)) == (name, "proved")
    # With a draw where who moves is stuck it has no form.
    drawn = frozenset((r, 2, m, 50) for r in (0, 1) for m in (0, 1))
    positions = Positions(check(Graph(arcs, frozenset({2}), drawn)), Budget())
    assert form.prove(positions.proofs, False) is None
    assert form.refute(positions.samples).value == "other"


@pytest.mark.parametrize("met", [False, True])
@pytest.mark.parametrize("proved", ["never", "at once", "with a solver"])
def test_some_play_ends_where_one_was_met_or_none_goes_on_for_ever(
    met, proved, monkeypatch
) -> None:
    """A form is claimed of games of which some play ends; cheap is what needs no plays."""

    def prove(proofs: object, cheap: bool) -> object:
        return (proved == "at once" or (proved == "with a solver" and not cheap)) or None

    monkeypatch.setattr(form.cyclic, "prove", prove)
    proofs = SimpleNamespace(samples=SimpleNamespace(met_an_end=met))
    assert form._ends(proofs, cheap=True) == (proved == "at once")
    assert form._ends(proofs, cheap=False) == (met or proved != "never")


def test_where_no_role_has_a_goal_there_is_no_form() -> None:
    graph = Graph(along("01 02 12", {}).arcs, frozenset({2}), frozenset({(0, 9, 0, 100)}))
    positions = Positions(check(graph), Budget())
    assert form.prove(positions.proofs, False) is None
    assert form.enumerated(positions).value is None
    assert winnable.enumerated(positions).value is False


def test_a_draw_that_may_be_and_never_is_leaves_the_kind_open_to_proofs() -> None:
    """From 0 q could go on to a draw, but it is never its turn there."""
    graph = along("p01 p02 q04 43", {1: WON, 2: (0, 100), 3: (50, 50)})
    positions = Positions(check(graph), Budget())
    possible = positions.proofs.whole.possible_goals((0, 1), 5.0)
    assert possible == {WON, (0, 100), (50, 50)}
    assert positions.samples.goals == {WON, (0, 100)}
    assert outcome_kind.prove(positions.proofs, False) is None
    assert outcome_kind.enumerated(positions).value == "win-lose"
