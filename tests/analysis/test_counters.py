"""Step counters: one value follows another whatever is played, and none comes up twice."""

from __future__ import annotations

from itertools import combinations

import pytest

import ggp
from ggp.analysis.invariants.counters import Counter, _is_closed, counted, counters

ON = "(<= (next (step ?n)) (true (step ?m)) (s ?m ?n))"
AGAIN = "(<= (next (step 0)) (true (step 3)))"
STAY = "(<= (next (step 3)) (true (step 3)))"


def game(step: str = ON, terminal: str = "(true (step 3))", more: str = "") -> ggp.Game:
    """Steps 0 to 3, and a place that is where the robot last chose."""
    return ggp.parse(f"""(role robot) (init (step 0)) (init (at a)) (s 0 1) (s 1 2) (s 2 3)
        (legal robot stay) (legal robot go)
        (<= (next (at a)) (does robot stay)) (<= (next (at b)) (does robot go))
        {step} {more} (<= terminal {terminal}) (goal robot 100)""")


def found(made: ggp.Game) -> list[tuple[str, dict[str, int], int]]:
    """The pattern, how often each value is followed by another, and the steps."""
    net = made.net
    assert all(set(c.weights) <= set(c.fluents) for c in counters(net))
    return [
        (c.pattern, {str(net.fluents[f]): c.weights.get(f, 0) for f in c.fluents},
         c.as_json()["steps"])
        for c in counters(net)
    ]  # fmt: skip


def steps(last: int) -> list[tuple[str, dict[str, int], int]]:
    return [("(step ?)", {f"(step {n})": last - n for n in range(last + 1)}, last)]


@pytest.mark.parametrize(
    ("step", "terminal", "expected"),
    [
        (ON, "(true (step 3))", steps(3)),
        # What comes after the end never comes up.
        (ON, "(true (step 2))", steps(2)),
        (ON, "(true (step 1))", steps(1)),
        # After the last value there is none.
        (ON, "(true (at b))", []),
        # It comes round again, but after the end of play; or perhaps before.
        (ON + AGAIN, "(true (step 3))", steps(3)),
        (ON + AGAIN, "(true (at b))", []),
        (ON + AGAIN, "(true (step 3)) (true (at b))", []),
        (ON + AGAIN, "(or (true (step 3)) (true (at b)))", steps(3)),
        # One that stays where it is.
        (ON + STAY, "(true (step 3))", steps(3)),
        (ON + STAY, "(true (at b))", []),
        # The next value hangs on the move, on another fluent, or on how many values hold.
        ("(<= (next (step ?n)) (true (step ?m)) (s ?m ?n) (does robot go))", "(true (step 3))", []),
        (ON.replace("(s ?m ?n)", "(s ?m ?n) (true (at a))"), "(true (step 3))", []),
        (ON + "(<= (next (step 3)) (true (step 0)))", "(true (step 3))", []),
    ],
)
def test_counters(step, terminal, expected) -> None:
    assert found(game(step, terminal)) == expected


@pytest.mark.parametrize("choice", ["(does robot {})", "(true (at {}))"])
def test_what_goes_on_in_two_ways_is_no_counter(choice) -> None:
    """From 0 to 1 or to 2, by the move or by another fluent: it never comes round, but not by
    itself."""
    ways = zip(("go", "stay") if "robot" in choice else "ba", (1, 2), strict=True)
    step = "".join(f"(<= (next (step {n})) (true (step 0)) {choice.format(x)})" for x, n in ways)
    made = game(step + "".join(f"(<= (next (step 3)) (true (step {n})))" for n in (1, 2)))
    assert found(made) == []


def test_it_may_go_by_itself_in_any_order() -> None:
    """From 0 to 2 to 1 to 3."""
    step = "(go 0 2) (go 2 1) (go 1 3) (<= (next (step ?n)) (true (step ?m)) (go ?m ?n))"
    weights = {"(step 0)": 3, "(step 1)": 1, "(step 2)": 2, "(step 3)": 0}
    assert found(game(step)) == [("(step ?)", weights, 3)]


@pytest.mark.parametrize(
    ("more", "readers"),
    [
        ("", ("terminal",)),
        ("(<= (next (lit ?n)) (true (step ?n)))", ("board", "terminal")),
        ("(<= (legal robot (say ?n)) (true (step ?n)))", ("legal", "terminal")),
        ("(<= (goal robot 50) (true (step 1)))", ("terminal", "goal")),
        ("(<= (sees robot ?n) (true (step ?n)))", ("terminal", "sees")),
        (
            "(<= (next (lit ?n)) (true (step ?n))) (<= (sees robot ?n) (true (lit ?n)))",
            ("board", "terminal"),
        ),
        (
            "(<= (next (at ?n)) (true (step ?n))) (<= (sees robot ?n) (true (step ?n)))",
            ("board", "terminal", "sees"),
        ),
        # Through a rule of its own.
        (
            "(<= late (true (step 2))) (<= (legal robot run) late)"
            "(<= (next (at c)) (does robot run) (not late))",
            ("board", "legal", "terminal"),
        ),
    ],
)
def test_readers_of_a_counter(more, readers) -> None:
    [counter] = counters(game(more=more).net)
    assert counter.readers == readers
    shown = counter.as_json()
    assert shown == {"counter": "(step ?)", "steps": 3, "read_by": list(readers)}


@pytest.mark.parametrize(
    ("weights", "length"),
    [({0: 2, 1: 1}, 2), ({0: -1, 2: -2}, 2), ({0: 1, 1: -1}, 2), ({}, 0)],
)
def test_steps_of_a_counter_are_from_its_largest_weight_to_its_least(weights, length) -> None:
    """A fluent without a weight weighs 0."""
    counter = Counter("(step ?)", (0, 1, 2), weights, ())
    assert counter.as_json()["steps"] == length
    assert counted([counter]).evidence.why == "(step ?) is read by nothing"


def test_what_is_told_of_counters() -> None:
    both = game(
        more="(init (day 0)) (<= (next (day ?n)) (true (day ?m)) (s ?m ?n))"
        "(<= (goal robot 50) (true (day 1)))",
        terminal="(or (true (step 2)) (true (day 1)))",
    )
    finding = counted(counters(both.net))
    assert (finding.property, finding.certainty) == ("step_counters", "proved")
    assert [(c["counter"], c["steps"], c["read_by"]) for c in finding.value] == [
        ("(day ?)", 1, ["terminal", "goal"]),
        ("(step ?)", 2, ["terminal"]),
    ]
    told = "(day ?) is read by terminal and goal; (step ?) is read by terminal"
    assert finding.evidence.why == told
    assert counted([]).value == []


@pytest.mark.parametrize("name", ["aa", "stop", "zz", "(at a)", "(at b)"])
@pytest.mark.parametrize("sign", ["{}", "(not {})"])
def test_what_hangs_on_any_other_fluent_is_no_counter(name, sign) -> None:
    """Whichever comes first among all fluents."""
    more = "".join(
        f"(init {f}) (<= (next {f}) (true {f}) (does robot go))" for f in ("aa", "stop", "zz")
    )
    on = ON.replace("(s ?m ?n)", f"(s ?m ?n) {sign.format(f'(true {name})')}")
    made = game(on, more=more)
    assert name in [str(fluent) for fluent in made.net.fluents]
    assert found(made) == []
    assert found(game(ON, more=more)) == steps(3)


def test_of_two_counters_each_hangs_on_itself_alone() -> None:
    """One that goes on only where the other is at 0 is none."""
    other = "(init (day 0)) (<= (next (day ?n)) (true (day ?m)) (s ?m ?n) {})"
    both = [pattern for pattern, _, _ in found(game(more=other.format("")))]
    assert both == ["(step ?)"], "the day may stay at its end"
    ends = "(or (true (step 3)) (true (day 2)))"
    assert len(found(game(terminal=ends, more=other.format("")))) == 2
    assert found(game(terminal=ends, more=other.format("(true (step 0))"))) == [
        one for one in found(game(terminal=ends, more=other.format(""))) if one[0] == "(step ?)"
    ]


def test_a_closed_set_of_fluents_looks_at_no_other_fluent_and_no_move() -> None:
    """Every set of up to two fluents; some look at the one that comes first, which is no other."""
    more = "(init aa) (<= (next aa) (true aa)) (<= (next bb) (true aa)) (<= (next cc) (true bb))"
    net = game(ON, more=more).net
    net = game(ON, more=f"{more} (<= (next dd) (true {net.fluents[0]}))").net
    looked_at_first = 0
    count = len(net.fluents)
    for own in [(f,) for f in range(count)] + list(combinations(range(count), 2)):
        inside = {net.first_fluent + f for f in own}
        below = {n for n in net.cone([net.next[f] for f in own]) if 1 < n < net.first_gate}
        assert _is_closed(net, inside) == (below <= inside), own
        looked_at_first += below == {net.first_fluent}
    assert looked_at_first
