"""Games for packed layers that are small enough to be counted by hand."""

from __future__ import annotations

import ggp

HEAPS = """(role a) (role b) (init (heap 1 2)) (init (heap 2 2)) (init (control a))
(less 0 1) (less 0 2) (less 1 2)
(<= (legal ?p (to ?h ?m)) (true (control ?p)) (true (heap ?h ?n)) (less ?m ?n))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (heap ?h ?m)) (does ?p (to ?h ?m)))
(<= (next (heap ?h ?n)) (true (heap ?h ?n)) (does ?p (to ?g ?m)) (distinct ?g ?h))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= terminal (true (heap 1 0)) (true (heap 2 0)))
(<= (goal ?p {lost}) (true (control ?p)))
(<= (goal a {won}) (true (control b))) (<= (goal b {won}) (true (control a)))"""
"""Two heaps of two, from one of which each takes by turns: lost where they are the same."""


def heaps(lost: int = 0, won: int = 100) -> ggp.Game:
    return ggp.parse(HEAPS.format(lost=lost, won=won), "heaps")


def states_of(game: ggp.Game) -> list[ggp.State]:
    space = game.space()
    return [ggp.State(game, space.state(place)) for place in range(len(space))]


def parts_of(state: ggp.State) -> tuple[list[int], str]:
    """The sizes of the heaps, and whose turn it is."""
    facts = sorted(map(str, state.facts))
    sizes = [int(fact[-2]) for fact in facts if "heap" in fact]
    return sizes, facts[0][9]


ALONE = """(role a) (init (at 2)) (succ 0 1) (succ 1 2) (<= terminal (true (at 0)))
(<= (legal a go) (true (at ?n))) (<= (legal a stop) (true (at ?n)))
(<= (next (at ?m)) (true (at ?n)) (succ ?m ?n) (does a go))
(<= (next (at 0)) (does a stop)) (<= (next mark) (true (at 1)) (does a go))
(<= (goal a 30) (true mark)) (<= (goal a 5) (not (true mark)))"""
"""Who goes twice comes by the mark; who stops does not."""
