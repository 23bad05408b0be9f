"""Sheets made at random of games in which cells are taken, and moves need cells that are free."""

from __future__ import annotations

import random


def filling_game(seed: int) -> str:
    """Two players by turns make moves that need some cells free, or others taken, and take some.

    Who cannot move loses, or wins, or points are counted; a move may give points, let the same
    player move again, or free a cell, and then play ends after so many moves.
    """
    rng = random.Random(seed)
    cells = range(rng.randint(3, 6))
    is_dotting = rng.random() < 0.4
    ends = (
        "points"
        if is_dotting and rng.random() < 0.7
        else rng.choice(["last wins", "last wins", "first stuck loses", "points", "points", "cell"])
    )
    frees, again = rng.random() < 0.15, rng.random() < 0.15
    most = 9
    lines = ["(role left) (role right) (init (turn left)) (init (points 0))"]
    lines += [f"(init (free {c}))" for c in cells if rng.random() < 0.95]
    lines += [f"(succ {n} {n + 1})" for n in range(most + 1)]
    if frees:
        lines.append("(init (step 0)) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))")
    takes, gives = [], []
    for player, other in (("left", "right"), ("right", "left")):
        # Who dots takes any free cell, and mostly no more than that.
        dots = is_dotting and player == "right"
        for number in cells if dots else range(rng.randint(2, 6)):
            move = f"(m{number} {player})"
            needed = [number] if dots else rng.sample(cells, rng.randint(1, 2))
            body = [f"(true (free {c}))" for c in needed]
            for c in cells:
                if c not in needed and rng.random() < (0.02 if dots else 0.1):
                    body.append(rng.choice([f"(not (true (free {c})))", f"(true (free {c}))"]))
            lines.append(f"(<= (can {player} {move}) {' '.join(body)})")
            taken = set(needed if rng.random() < 0.8 else needed[:1])
            taken |= {c for c in cells if rng.random() < (0.02 if dots else 0.1)}
            takes += [f"(takes {move} {c})" for c in taken]
            if rng.random() < (0.05 if dots else 0.5):
                gives.append(f"(gives {move})")
            if frees and rng.random() < 0.5:
                lines.append(f"(<= (next (free {rng.choice(cells)})) (does {player} {move}))")
            if again and rng.random() < 0.5:
                cell = f"(true (free {rng.choice(cells)}))"
                lines += [
                    f"(<= (next (turn {player})) (does {player} {move}) {cell})",
                    f"(<= (next (turn {other})) (does {player} {move}) (not {cell}))",
                ]
            else:
                lines.append(f"(<= (next (turn {other})) (does {player} {move}))")
        lines.append(f"(<= (legal {player} ?m) (true (turn {player})) (can {player} ?m))")
        lines.append(f"(<= (legal {player} noop) (true (turn {other})))")
        lines.append(f"(<= (able {player}) (can {player} ?m))")
    lines += takes or ["(takes nothing none)"]
    lines += gives or ["(gives nothing)"]
    lines += [
        "(<= (taken ?c) (does ?p ?m) (takes ?m ?c))",
        "(<= (next (free ?c)) (true (free ?c)) (not (taken ?c)))",
        "(<= given (does ?p ?m) (gives ?m))" if ends == "points" or rng.random() < 0.2 else "",
        "(<= (next (points ?n)) (true (points ?m)) given (succ ?m ?n))",
        "(<= (next (points ?n)) (true (points ?n)) (not given))",
        "(<= terminal (true (turn ?p)) (not (able ?p)))",
    ]
    if "given" not in " ".join(lines[-6:-4]):
        lines.append("(<= given (true (turn nobody)))")
    if frees:
        lines.append(f"(<= terminal (true (step {most})))")
    if rng.random() < 0.2:
        lines.append("(<= terminal (not (able left)))")
    if ends in ("last wins", "first stuck loses"):
        loser, winner = (100, 0) if ends == "last wins" and rng.random() < 0.3 else (0, 100)
        if ends == "first stuck loses":
            lines += [
                f"(<= (goal left {winner}) (able left)) (<= (goal left {loser}) (not (able left)))"
                f"(<= (goal right {loser}) (able left))"
                f"(<= (goal right {winner}) (not (able left)))",
            ]
        else:
            lines += [
                f"(<= (goal ?p {loser}) (true (turn ?p)))",
                f"(<= (goal ?p {winner}) (role ?p) (not (true (turn ?p))))",
            ]
    else:
        half = rng.choice([1, 1, 2])
        more = rng.choice(["(true (free 0))", f"(true (points {half}))"])
        if ends == "points":
            lines.append("(less 0 1) (<= (less ?a ?c) (succ ?b ?c) (less ?a ?b))")
            lines += [f"(<= (less {n} {n + 1}))" for n in range(1, most + 1)]
            more = f"(true (points ?n)) (less {half} ?n)"
        lines.append(f"(<= many {more})")
        first, second = (100, 0) if rng.random() < 0.7 else (0, 100)
        lines += [
            f"(<= (goal left {first}) many) (<= (goal left {second}) (not many))",
            f"(<= (goal right {second}) many) (<= (goal right {first}) (not many))",
        ]
    return "\n".join(lines)
