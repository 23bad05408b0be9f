"""A game as a graph, its solution as a frame, and what is conjectured of it as a formula.

python examples/exchange.py

Needs the extra ggp[exchange].
"""

import networkx
import polars

import ggp.games
from ggp.show.grid import conjectures, grid_frame
from ggp.solver.sweep import fact_axis, sweep

if __name__ == "__main__":
    game = ggp.games.load("nim/rows")
    graph = game.space().networkx()
    print(graph, "longest play:", networkx.dag_longest_path_length(graph))

    frame = game.solve(method="positions").polars()
    print(frame.group_by("turn", "result").len().sort("turn", "result"))

    heap = ggp.games.load("subtraction/sg-123-21")
    axes = [fact_axis("heap=0..21")]
    cells, method = sweep(heap, axes)
    lost = grid_frame(cells, axes, heap.players).filter(polars.col("outcome") == "P")
    print("lost by who is to move:", lost[axes[0].name].to_list(), "by", method)
    for name, forms in conjectures(cells, axes).items():
        for form in forms:
            print(f"{name}: {form}\n  {form.sympy()}")
