"""How long it takes to find how games are drawn, and to draw a position: processor time.

    python benchmarks/boards.py GAME.kif …

For each sheet: seconds for the plan (beyond reading the rules, and tables of static relations),
places, milliseconds for a position as text and as a picture; at the end how many pass a second.
Positions of a grid of 500 places come first.
"""

from __future__ import annotations

import random
import sys
from time import process_time

import ggp
from ggp.errors import GgpError
from ggp.game import Game
from ggp.kif import read_sheet
from ggp.rules import read_rules
from ggp.show.board import plan_of, scene_of, scene_svg, scene_text

AFTER = 12
"""Random steps to the position that is drawn."""

GRID = """(role white) (role black) (init (control white))
{rows} {columns} (<= (init (cell ?x ?y b)) (row ?x) (column ?y))
(<= (legal ?p (mark ?x ?y)) (true (control ?p)) (true (cell ?x ?y b)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (cell ?x ?y ?p)) (does ?p (mark ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (does ?p (mark ?u ?v)) (distinct ?x ?u))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (does ?p (mark ?u ?v)) (distinct ?y ?v))
(<= (next (control black)) (true (control white)))
(<= (next (control white)) (true (control black)))
(<= open (true (cell ?x ?y b))) (<= terminal (not open)) (goal white 50) (goal black 50)"""


def main(files: list[str]) -> None:
    """Measure a grid of 500 places, then some sheets."""
    rows = " ".join(f"(row {i})" for i in range(1, 21))
    columns = " ".join(f"(column {i})" for i in range(1, 26))
    grid = ggp.parse(GRID.format(rows=rows, columns=columns), "500 places")
    print(f"{'sheet':<40} {'plan, s':>8} {'places':>7} {'text, ms':>9} {'svg, ms':>8}")
    plans = [measure(grid)]
    for file in files:
        rules = read_rules(read_sheet(file, {}))
        plans.append(measure(Game(rules, grounded=False)))
    late = sum(plan > 1 for plan in plans)
    print(
        f"{len(plans)} sheets, {late} plans of more than a second, the longest {max(plans):.2f} s"
    )


def measure(game: Game) -> float:
    """One line of the table; the seconds for the plan."""
    name = game.name.rpartition("/")[2]
    _ = game.initial.facts
    began = process_time()
    try:
        plan = plan_of(game)
    except GgpError as error:
        print(f"{name:<40} {error}")
        return process_time() - began
    planned = process_time() - began
    choose, before, state = random.Random(1).choice, None, game.initial
    for _ in range(AFTER):
        if state.terminal:
            break
        before, state = state, state.after([choose(own) for own in state.legal_indices()])
    times = []
    for draw in (scene_text, scene_svg):
        began = process_time()
        draw(scene_of(state, before))
        times.append(1_000 * (process_time() - began))
    places = sum(len(board.keys) for board in plan.layout.boards)
    print(f"{name:<40} {planned:>8.2f} {places:>7,} {times[0]:>9.1f} {times[1]:>8.1f}")
    return planned


if __name__ == "__main__":
    main(sys.argv[1:])
