"""A table of all positions of a game, written in parts and read by other programs.

    python examples/tablebase.py

Connect four on 4 x 4: solved in packed layers, written as Parquet (`ggp solve --table FOLDER` does
the same, with `--cluster` on many machines), looked up without being loaded, counted with polars.
Needs the extras ggp[table] and ggp[exchange].
"""

import tempfile
from pathlib import Path

import polars

import ggp
from ggp.limits import Budget

game = ggp.games.load("connect-four/connect-four", columns=4, rows=4)
solution = game.solve(method="layers")
with tempfile.TemporaryDirectory() as folder:
    place = Path(folder) / "table"
    count = solution.write_table(place, Budget())
    table = ggp.tablebase(place)
    row = table[game.initial]
    print(
        f"{count:,} positions up to symmetry; the first one: {row['result']}, best {row['best'][0]}"
    )
    frame = polars.scan_parquet(place / "*.parquet")
    counts = frame.group_by("result").len().sort("len", descending=True).collect()
    for result, positions in counts.iter_rows():
        print(f"{result}: {positions:,}")
