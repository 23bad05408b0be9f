"""Claims about goals and ends, from what is possible alone: which proofs are tried, and when."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import ggp
from ggp.analysis import Positions
from ggp.analysis.claims import form as form_claim
from ggp.analysis.claims import goals, playable, winnable, zero_sum
from ggp.analysis.claims.length import length_bound
from ggp.analysis.evidence import Ranking
from ggp.ground import Group
from ggp.limits import Budget


def game(*values: tuple[int, ...], chance: int | None = None) -> SimpleNamespace:
    """Roles with goals of the rules."""
    count = len(values)
    net = SimpleNamespace(goals=[[(v, 0) for v in own] for own in values], roles="pqr"[:count])
    return SimpleNamespace(
        net=net,
        rules=SimpleNamespace(rules=()),
        roles="pqr"[:count],
        chance=chance,
        player_indices=[r for r in range(count) if r != chance],
    )


WON = (0, 100)


@pytest.mark.parametrize(
    ("own", "possible", "who"),
    [
        (game(WON, WON), [{(100, 0), (0, 100)}], None),
        (game(WON, WON), [{(100, 0)}], ("q", 100)),
        (game(WON, WON), [{(0, 100)}], ("p", 100)),
        (game(WON, WON), [{(0, 0), (0, 100)}], ("p", 100)),
        (game(WON, WON), [{(0, 0)}], ("p", 100)),
        (game((0, 50), WON), [{(50, 0), (0, 100)}], None),
        (game((50,), WON), [{(50, 0)}], ("q", 100)),
        # A role without goals has no best one.
        (game((), WON), [{(0, 100)}], None),
        # The second set is known to be smaller.
        (game(WON, WON), [{(100, 0), (0, 100)}, {(100, 0)}], ("q", 100)),
        (game(WON, WON), [], None),
        # Chance has no place in a row.
        (game((0,), WON, WON, chance=0), [{(100, 0)}], ("r", 100)),
        (game(WON, (0,), WON, chance=1), [{(100, 0)}], ("r", 100)),
        (game(WON, (0,), WON, chance=1), [{(0, 100)}], ("p", 100)),
    ],
)
def test_who_never_has_the_best_goal_of_the_rules(monkeypatch, own, possible, who) -> None:
    monkeypatch.setattr(winnable, "possible_goals", lambda *_: iter(possible))
    found = winnable.prove(SimpleNamespace(game=own), False)
    assert (found is not None) == (who is not None)
    if found:
        role, best = who
        assert (found.value, found.certainty) == (False, "proved")
        assert found.evidence.why == f"at no end has {role} the best goal of the rules, {best}"
        assert found.evidence.goals in [tuple(sorted(rows)) for rows in possible]


@pytest.mark.parametrize(
    ("possible", "total"),
    [
        ([{(100, 0), (0, 100), (50, 50)}], 100),
        ([{(100, 0)}], 100),
        ([{(30, 30)}, {(0, 0)}], 60),
        ([{(100, 0), (0, 0)}], None),
        ([{(100, 0), (0, 0)}, {(0, 0)}], 0),
        ([], None),
    ],
)
def test_one_sum_of_all_goals_that_are_possible(monkeypatch, possible, total) -> None:
    monkeypatch.setattr(zero_sum, "possible_goals", lambda *_: iter(possible))
    found = zero_sum.prove(SimpleNamespace(), False)
    assert (found is not None) == (total is not None)
    if found:
        assert (found.value, found.certainty) == (True, "proved")
        assert found.evidence.why == f"the goals sum to {total} at every end"


A, B = {(1, 2)}, {(3, 4)}


@pytest.mark.parametrize(
    ("cheap", "ended", "is_playable", "own", "sums", "found"),
    [
        (False, True, True, A, B, [A, B]),
        (True, True, True, A, B, []),
        (False, False, True, A, B, []),
        (False, True, False, A, B, []),
        (False, True, True, A, None, [A]),
        (False, True, True, None, B, []),
        (False, True, True, set(), B, []),
        (False, True, True, A, set(), [A]),
    ],
)
def test_goals_that_are_possible_by_themselves_and_with_sums(
    monkeypatch, cheap, ended, is_playable, own, sums, found
) -> None:
    """Of playable games of which some play ended; none of them is asked for twice."""
    monkeypatch.setattr(playable, "prove", lambda *_, cheap: object() if is_playable else None)
    asked = []

    def knows(rows):
        def possible(roles, work):
            asked.append(rows)
            assert (roles, work) == ([0, 1], 7.0)
            return rows

        return SimpleNamespace(possible_goals=possible)

    proofs = SimpleNamespace(
        samples=SimpleNamespace(met_an_end=ended),
        whole=knows(own),
        whole_with_sums=None if sums is None else knows(sums),
        game=SimpleNamespace(player_indices=[0, 1]),
        work=7.0,
        memo={},
    )
    for _ in range(2):
        assert list(goals.possible_goals(proofs, cheap)) == found
    assert len(asked) == len({id(rows) for rows in asked})
    proofs.whole, proofs.memo = None, {}
    assert list(goals.possible_goals(proofs, cheap)) == []


class Tried:
    """Proofs that say one after the other what is tried, and succeed at one of them."""

    work, memo = 7.0, None

    def __init__(self, success: str, sides: int | None, fault=None, sums=True) -> None:
        self.tried: list[str] = []
        self.success, self.known, self.memo = success, {"plain"}, {}
        self.boards = None if sides is None else SimpleNamespace(sides=[None] * sides)
        self.samples = SimpleNamespace(fault=fault)
        self.game = SimpleNamespace(player_indices=[0, 1])
        self.whole = SimpleNamespace(is_playable=self._asked)
        self.has_sums = sums

    def _asked(self, roles, work) -> bool:
        assert (roles, work) == ([0, 1], 7.0)
        return self.success in self.known

    def _try(self, name: str) -> bool:
        self.tried.append(name)
        self.known.add(name)
        return True

    @property
    def bounded(self) -> bool:
        return self._try("bounds")

    @property
    def excluded(self) -> bool:
        return self._try("excluded")

    @property
    def bounded_at_last(self) -> bool:
        return self._try("at last")

    @property
    def whole_with_sums(self):
        if not self.has_sums:
            return None
        self._try("sums")
        return self.whole


@pytest.mark.parametrize(
    ("success", "sides", "tried"),
    [
        ("plain", 2, []),
        ("bounds", None, ["bounds"]),
        ("sums", None, ["bounds", "sums"]),
        ("bounds", 1, ["bounds"]),
        # Of two players sums come first.
        ("sums", 2, ["sums"]),
        ("bounds", 2, ["sums", "bounds"]),
        ("excluded", None, ["bounds", "sums", "excluded"]),
        ("at last", None, ["bounds", "sums", "excluded", "at last"]),
        ("none", None, ["bounds", "sums", "excluded", "at last"]),
    ],
)
def test_that_all_can_move_is_tried_in_some_order(success, sides, tried) -> None:
    proofs = Tried(success, sides)
    found = playable.prove(proofs, cheap=False)
    assert (found is not None) == (success != "none")
    assert proofs.tried == tried
    if found:
        assert (found.value, found.certainty) == (True, "proved")
    early = Tried(success, sides)
    assert (playable.prove_early(early) is not None) == (success == "plain")
    assert early.tried == []
    assert playable.prove(Tried(success, sides), cheap=True) is None


def test_what_takes_longest_is_not_tried_where_a_fault_was_met() -> None:
    fault = (SimpleNamespace(stuck=None), "witness")
    proofs = Tried("excluded", None, fault)
    found = playable.prove(proofs, cheap=False)
    assert proofs.tried == ["bounds", "sums"]
    assert (found.value, found.evidence.states) == (False, ("witness",))
    assert playable.prove(Tried("bounds", None, fault), cheap=False).value is True
    without = Tried("sums", None, fault, sums=False)
    assert playable.prove(without, cheap=False).value is False
    nothing = Tried("plain", None)
    nothing.whole = None
    assert playable.prove(nothing, cheap=False) is None
    assert not playable.is_never_stuck_at_once(nothing)


@pytest.mark.parametrize(
    ("weights", "groups", "initial", "strict", "passes", "bound"),
    [
        # A counter from 3 to 0; without a group all of its fluents may go.
        ({"a": 3, "b": 1}, [((0, 1), True)], [0], None, False, 2),
        ({"a": 3, "b": 1}, [((0, 1), False)], [0], None, False, 3),
        ({"a": 3, "b": 1}, [], [0], None, False, 3),
        ({"a": 3, "b": -1}, [], [0], None, False, 4),
        ({"a": 3, "b": -1}, [((0, 1), False)], [0], None, False, 4),
        ({"a": 3, "b": -1, "c": -2}, [((1, 2), False)], [0], None, False, 5),
        ({"a": 3, "b": -1, "c": -2}, [], [0], None, False, 6),
        ({"a": 3, "b": 1, "c": 2}, [((0, 1), True)], [0, 2], None, False, 4),
        ({"b": 1}, [], [0], None, False, 0),
        # With each move of one of two roles; and where not both pass.
        ({"a": 3}, [], [0], ("p",), False, 8),
        ({"a": 3}, [], [0], ("p", "q"), False, 3),
        ({"a": 3}, [], [0], ("p", "q"), True, 7),
    ],
)
def test_no_play_is_longer_than_a_sum_can_fall(
    weights, groups, initial, strict, passes, bound
) -> None:
    net = SimpleNamespace(fluents=["a", "b", "c"], initial=initial)
    own = SimpleNamespace(net=net, roles=("p", "q"))
    found = length_bound(own, [Group(*g) for g in groups], Ranking("", weights, strict, passes))
    assert (found.value, found.certainty) == (bound, "proved")


ONE_BY_ONE = """(role a) (role b) (init (heap 3)) (init (control a))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?m)) (succ ?n ?m))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (heap ?n)) (does ?p (take ?n)))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= terminal (true (heap 0)))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal a 100) (true (control b)){}) (<= (goal b 100) (true (control a)))"""


@pytest.mark.parametrize(("more", "form"), [("", "normal"), (" (true (colour red))", None)])
def test_a_goal_that_no_end_has_is_no_form_of_play(more, form) -> None:
    """The rules name 100 for `a`, but no end has it: then `a` has no goal where `b` cannot move."""
    proofs = Positions(ggp.parse(ONE_BY_ONE.format(more)), Budget()).proofs
    found = form_claim.prove(proofs, cheap=False)
    assert (found and found.value) == form
    # By all states of play as well.
    proofs.boards = None
    found = form_claim.prove(proofs, cheap=False)
    assert (found and found.value) == form
