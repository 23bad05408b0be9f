"""What findings rest on as plain data, what a witness makes of a value, and orders of turns."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations

import pytest

from ggp.analysis.claims.order import out_of_order
from ggp.analysis.evidence import (
    MAX_LOOP,
    Counterexample,
    Enumeration,
    Evidence,
    Goals,
    Ranking,
    Stopped,
    Witness,
    loop_through,
)
from ggp.analysis.finding import Finding, shown
from ggp.analysis.findings import ORDER, Findings
from ggp.errors import LimitReached


@pytest.mark.parametrize("roles", ["p", "pq", "pqr", "pqrs"])
def test_turns_are_in_order_if_some_circle_of_all_roles_has_all_steps(roles) -> None:
    """Whatever was met of them; of four roles no more than four steps."""
    count = len(roles)
    circles = [
        {*pairwise((0, *others)), (others[-1] if others else 0, 0)}
        for others in permutations(range(1, count))
    ]
    every = [(a, b) for a in range(count) for b in range(count)]
    for size in range(min(4, len(every)) + 1 if count > 2 else len(every) + 1):
        for steps in combinations(every, size):
            fault = out_of_order(steps, roles)
            fits = any(circle >= set(steps) for circle in circles if count > 1)
            assert (fault is None) == (fits or not steps), steps
            if fault is not None:
                require_fault(*fault, steps, roles)


def require_fault(why: str, shown_by, steps, roles) -> None:
    """The steps that show a fault are some that were met, and what is told of them is so."""
    assert set(shown_by) <= set(steps)
    named = [[roles[r] for r in step] for step in shown_by]
    if why.endswith("twice running"):
        [(a, b)] = named
        assert a == b
        assert why == f"{a} is to move twice running"
    elif why.startswith("after"):
        (a, b), (c, d) = named
        assert a == c
        assert why == f"after {a}'s turn comes {b}'s, and {d}'s at another time"
    elif why.startswith("it is"):
        (a, b), (c, d) = named
        assert b == d
        assert a != c
        assert why == f"it is {b}'s turn after {a} and after {c}"
    else:
        circle = [a for a, _ in named]
        assert len(circle) < len(roles)
        assert [b for _, b in named] == [*circle[1:], circle[0]]
        assert why == f"the turn goes round {', '.join(circle)} only"


PLAYED, GIVEN = Witness(("(a)",), (("x", "y"),)), Witness(("(b)",), None)


@pytest.mark.parametrize(
    ("value", "states", "certainty"),
    [
        (False, (PLAYED,), "refuted"),
        ("other", (PLAYED,), "refuted"),
        ([], (PLAYED,), "refuted"),
        (False, (GIVEN,), "refuted"),
        (True, (PLAYED,), "proved"),
        (True, (GIVEN,), "exhaustive"),
        (True, (PLAYED, GIVEN), "exhaustive"),
        ("scored", (PLAYED, PLAYED), "proved"),
        ("simultaneous", (PLAYED,), "proved"),
        # A list with something in it, and nothing, are no "no".
        ([1], (PLAYED,), "proved"),
        (None, (PLAYED,), "proved"),
    ],
)
def test_a_no_is_refuted_and_a_yes_is_proved_by_what_was_played(value, states, certainty) -> None:
    """But for states that no play leads to, which enumeration found."""
    evidence = Counterexample("so", states)
    assert shown("name", value, evidence) == Finding("name", value, certainty, evidence)


@pytest.mark.parametrize(
    ("moves", "kept"),
    [(1, 2), (2, 3), (MAX_LOOP - 1, MAX_LOOP), (MAX_LOOP, MAX_LOOP + 1),
     (MAX_LOOP + 1, MAX_LOOP + 1), (3 * MAX_LOOP, MAX_LOOP + 1)],
)  # fmt: skip
def test_a_loop_is_shown_with_its_first_states_and_the_last(moves, kept) -> None:
    states = [Witness((f"(at {n})",), ()) for n in range(moves + 1)]
    found = loop_through(states)
    assert len(found.states) == kept
    assert found.states[: kept - 1] == tuple(states[: kept - 1])
    assert found.states[-1] == states[-1]
    many = "move" if moves == 1 else "moves"
    assert found.why == f"the first of these states is the last again, {moves} {many} later"


@pytest.mark.parametrize(
    ("evidence", "data"),
    [
        (Evidence("so"), {"kind": "rules", "why": "so"}),
        (
            Ranking("so", {"(a)": 1}),
            {"kind": "ranking", "why": "so", "weights": {"(a)": 1}, "strict": None},
        ),
        (
            Ranking("so", {}, ("p", "q"), passes=True),
            {"kind": "ranking", "why": "so", "weights": {}, "strict": ["p", "q"], "passes": True},
        ),
        (Goals("so", ((0, 100),)), {"kind": "goals", "why": "so", "goals": [[0, 100]]}),
        (
            Enumeration("so", 7),
            {"kind": "enumeration", "why": "so", "positions": 7, "scope": "legal play"},
        ),
        (
            Enumeration("so", 7, "all", (GIVEN,)),
            {
                "kind": "enumeration", "why": "so", "positions": 7, "scope": "all",
                "states": [{"facts": ["(b)"], "path": None, "note": ""}],
            },
        ),
        (
            Counterexample("so", (PLAYED,), "x"),
            {
                "kind": "witness", "why": "so", "move": "x",
                "states": [{"facts": ["(a)"], "path": [["x", "y"]], "note": ""}],
            },
        ),
    ],
)  # fmt: skip
def test_evidence_as_plain_data(evidence, data) -> None:
    assert evidence.as_json() == data
    finding = Finding("name", 3, "proved", evidence)
    wanted = {"property": "name", "value": 3, "certainty": "proved", "evidence": data}
    assert finding.as_json() == wanted


def test_what_stopped_a_search_is_told() -> None:
    error = LimitReached("positions", 5, "enumeration")
    for before, start in (("", "step: "), ("no proof", "no proof; step: ")):
        found = Stopped.by(error, "step", before)
        assert (found.limit, found.bound, found.step) == ("positions", 5, "step")
        assert found.why == f"{start}{error}"
        assert found.as_json() == {
            "kind": "limit", "why": found.why, "limit": "positions", "bound": 5, "step": "step",
        }  # fmt: skip


def test_findings_are_found_by_name() -> None:
    items = (
        Finding("players", 2, "proved", Evidence("")),
        Finding("form", None, "unknown", Evidence("")),
    )
    found = Findings("game", ("p", "q"), items, made={"groups": [1]})
    assert list(found) == list(items)
    assert found["form"] is items[1]
    assert ("players" in found, "form" in found, "cyclic" in found) == (True, True, False)
    assert [found.value(name) for name in ("players", "form", "cyclic")] == [2, None, None]
    with pytest.raises(KeyError):
        found["cyclic"]
    assert repr(found) == "<Findings of game: players: 2>"
    # What is given out is a copy.
    found.certificate()["groups"].append(2)
    assert found.certificate() == {"groups": [1]}
    assert len(set(ORDER)) == len(ORDER)
