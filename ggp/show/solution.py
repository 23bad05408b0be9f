"""A solution as plain data and as text."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rich.text import Text

from ggp.analysis import Findings
from ggp.errors import GgpError, LimitReached
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.solver import (
    GameSolution,
    NimSolution,
    SimultaneousSolution,
    Solution,
    may_go_by_theory,
    solve,
)
from ggp.text import fraction, number, plain

NO_SOLUTION: dict[str, Any] = {
    "outcome": None,
    "result": None,
    "goals": None,
    "best": [],
    "unique": None,
    "method": None,
    "reason": None,
    "positions": 0,
    "seconds": 0.0,
    "engine": None,
    "certainty": None,
}
"""The shape of a solution that could not be had; `why_not` says the reason."""


MIXED, CHANCE = 12, 20
"""Moves of a mixed strategy that are named, and signs of a fraction that is shown as such."""

SHOWN, MOST = 60, 10_000
"""Moves of a way to the best goal that are shown, and that are told at all."""


def solution_json(solution: Solution[Any, Any], state: Any) -> dict[str, Any]:  # noqa: ANN401
    """The answer for one state, or position of any tree, as `ggp solve --format json` has it."""
    goals = solution.value(state)
    told = solution.told_by(state)
    data = {
        **NO_SOLUTION,
        "outcome": solution.outcome(state),
        "result": solution.result(state),
        "goals": goals,
        "best": [],
        "to_move": solution.to_move(state),
        "over": state.terminal if isinstance(state, State) else solution.mover(state) is None,
        "unique": solution.unique(state),
        "method": told.method,
        "reason": told.reason,
        "positions": told.positions,
        "seconds": round(solution.seconds + (told.seconds if told is not solution else 0), 3),
        "engine": told.engine,
        "certainty": told.certainty,
    }
    if data["to_move"] is not None:
        try:
            data["best"] = [str(move) for move in solution.best(state)]
        except LimitReached as error:
            data["best_unknown"] = str(error)
    if told.may_go_round and data["outcome"] == "N" and len(data["best"]) > 1:
        data["soonest"] = str(solution.progress(state))
    if len(solution.players) == 1 and goals and isinstance(state, State):
        data["way"] = [str(move) for move in _way(solution, state)]
    if solution.has_chance:
        data["expected"] = True
    if isinstance(solution, SimultaneousSolution):
        if goals is not None:
            bounds = solution.bounds(state)
            if all(low == high for low, high in bounds.values()):
                data["exact"] = {player: fraction(low) for player, (low, _) in bounds.items()}
            else:
                data["bounds"] = {
                    player: [fraction(low), fraction(high)]
                    for player, (low, high) in bounds.items()
                }
                data["apart"] = max(float(high - low) for low, high in bounds.values())
        data["mixed"] = {
            player: {str(move): fraction(p) for move, p in own.items()}
            for player, own in solution.mixed(state).items()
        }
    if isinstance(solution, NimSolution | GameSolution):
        data["nim_value"] = solution.nim_value(state)
    return data


def _way(solution: Solution[State, Term], state: State) -> list[Term]:
    """The moves of a role alone to the best end; none where chance has a part, or more moves than
    are told."""
    moves: list[Term] = []
    while not state.terminal:
        if len(state.game.roles) > 1 or len(moves) == MOST:
            return []
        moves.append(solution.progress(state))
        state = state.play(moves[-1])
    return moves


def solved_json(
    game: Game, findings: Findings, budget: Budget, progress: Progress | None
) -> tuple[dict[str, Any], bool]:
    """The solution of a game of which this was found, as data (`why_not`, where there is none), in
    the time that is left; and whether a limit stood in the way."""
    counted = findings["reachable_states"]
    if counted.certainty == "unknown" and not may_go_by_theory(findings):
        return {**NO_SOLUTION, "why_not": counted.evidence.why}, True
    try:
        solution = solve(game, budget=budget, findings=findings, progress=progress)
        return solution_json(solution, game.initial), False
    except GgpError as error:
        return {**NO_SOLUTION, "why_not": str(error)}, isinstance(error, LimitReached)


def solution_text(data: dict[str, Any]) -> Text:
    """The verdict in words."""
    text = Text()
    if data["method"] is None:
        return text.append(plain(verdict(data)), "yellow")
    text.append(plain(verdict(data)), "bold")
    if data["unique"] is False and not data["over"]:
        text.append(" One way:")
    if data["goals"] and not data["over"]:
        goals = ", ".join(f"{role} {number(goal)}" for role, goal in data["goals"].items())
        near = f" (proved to within {data['apart']:.1g})" if data.get("apart") else ""
        text.append(plain(f"\n  goals under best play: {goals}{near}"))
    if data["best"] and data["to_move"]:
        shown = " ".join(data["best"][:12])
        more = f" and {len(data['best']) - 12} more" if len(data["best"]) > 12 else ""
        what = "winning moves" if data["outcome"] == "N" else "best moves"
        text.append(plain(f"\n  {what} of {data['to_move']}: {shown}{more}"))
    if data.get("soonest"):
        others = "others may take longer, or for ever where play can go round"
        text.append(plain(f"\n  the soonest win: {data['soonest']} ({others})"))
    if data.get("best_unknown") and not data.get("way"):
        text.append(plain(f"\n  best moves: not known ({data['best_unknown']})"))
    if data.get("way"):
        way = data["way"]
        more = f" and {len(way) - SHOWN} more" if len(way) > SHOWN else ""
        count = f"{len(way)} move{'s' * (len(way) > 1)}"
        text.append(plain(f"\n  a way there, {count}: {' '.join(way[:SHOWN])}{more}"))
    for player, moves in data.get("mixed", {}).items() if not data["best"] else ():
        listed = [f"{move} {_chance(p)}" if p != "1" else move for move, p in moves.items()]
        more = f" and {len(listed) - MIXED} more" if len(listed) > MIXED else ""
        text.append(plain(f"\n  best strategy of {player}: {', '.join(listed[:MIXED])}{more}"))
    if data.get("nim_value") is not None:
        text.append(f"\n  nim-value: {data['nim_value']}")
    seconds = f"{data['seconds']:.2f} s"
    text.append(f"\n  by {data['method']}, {data['positions']:,} positions, {seconds}", "dim")
    return text


def _chance(text: str) -> str:
    """A probability as it is shown: as a decimal where it is a long fraction."""
    return text if len(text) <= CHANCE or "/" not in text else f"≈ {float(Fraction(text)):.6g}"


def verdict(data: dict[str, Any]) -> str:
    """Who wins, in a sentence; of a game that could not be solved why not."""
    if data["method"] is None:
        return f"Not solved: {data.get('why_not', '')}"
    if data.get("over") and data["goals"]:
        goals = ", ".join(f"{role} {number(goal)}" for role, goal in data["goals"].items())
        return f"Play is over in this state: {goals}."
    if data["goals"] is None:
        if data.get("expected"):
            return "Best play may never end: no goals can be expected of it."
        single = data["result"] is None
        if single:
            return "No end of play can be reached."
        # Some best moves may end play, with the goals of a draw.
        return "A draw under best play, which need not end."
    if data["result"] == "draw":
        return "A draw under best play."
    if not data["unique"]:
        return "Best play depends on a player to whom several moves are equally good."
    if data.get("expected"):
        goals = ", ".join(f"{role} {number(goal)}" for role, goal in data["goals"].items())
        return f"Best play can expect these goals on average: {goals}."
    if data["result"] is None:
        (goal,) = data["goals"].values()
        return f"The best goal that can be reached is {number(goal)}."
    first = {"N": ", the player to move,", "P": ", the player who is not to move,"}
    return f"{data['result']}{first.get(data['outcome'] or '', '')} wins under best play."


FEW_RUNS = 4
"""Winning moves on rows of tokens that are said."""


def heaps_text(data: dict[str, Any]) -> Text:
    """A sum of heaps of any size, solved (`HeapSum.as_json`), in words."""
    mover = data["to_move"]
    what = "wins" if data["outcome"] == "N" else "loses"
    said = f"{mover}, the player to move, {what} under best play."
    if data["outcome"] == "draw":
        said = "A draw under best play."
    if not data["best"]:
        goals = ", ".join(f"{role} {goal}" for role, goal in data["goals"].items())
        said = f"{mover}, the player to move, has no move: {goals}."
    text = Text(plain(said), "bold")
    for heap in data["heaps"]:
        period = "" if heap["period"] is None else f"; period {heap['period']}"
        if heap["preperiod"]:
            period += f" after {heap['preperiod']} sizes"
        value = "" if heap["nim_value"] is None else f" nim-value {heap['nim_value']}"
        value += f" genus {heap['genus']}" if heap["genus"] else ""
        floor = f" down to {heap['floor']}" if heap["floor"] else ""
        amounts = ", ".join(map(str, heap["subtraction_set"]))
        if heap.get("least_amount"):
            amounts = f"{heap['least_amount']} or more"
        what = f"take {amounts}{floor}"
        if "octal_code" in data:
            what = f"octal code {data['octal_code']}"
        size = f"= {heap['size']:,}"
        if heap["reading"]:
            size = f"of size {heap['size']:,} (which is {heap['reading']})"
        text.append(plain(f"\n  {heap['heap']} {size}:{value} ({what}{period})"))
    quotient = data["quotient"]
    if data["nim_value"] is not None:
        text.append(f"\n  nim-value: {data['nim_value']}")
    if data["genus"]:
        text.append(f"\n  genus: {data['genus']}")
    if data["outcome"] != "P" and data["best"]:
        kind = "winning" if data["outcome"] == "N" else "best"
        most = FEW_RUNS if "octal_code" in data else MIXED
        shown = [_taken(move) for move in data["best"][:most]]
        more = f" and {len(data['best']) - most} more" if len(data["best"]) > most else ""
        text.append(plain(f"\n  {kind} moves: take {', '.join(shown)}{more}"))
    how = "nim-values" if data["nim_value"] is not None else "genera"
    if quotient:
        how = f"a misère quotient (order {quotient['order']}, {quotient['lost']} of them lost)"
    what = (
        "runs of tokens, proved for every length"
        if "octal_code" in data
        else "heaps, proved for every size"
    )
    if data["listed"]:
        what += f", if {', '.join(data['listed'])} lists all sizes of a longer chain as of this"
    text.append(plain(f"\n  by {how} of {what}"), "dim")
    return text


def _taken(move: dict[str, Any]) -> str:
    """What is taken from a heap, or from a run of tokens."""
    if "leaves" not in move:
        return f"{move['take']} from {move['heap']}"
    left = " and ".join(f"{size:,}" for size in move["leaves"]) or "nothing"
    return f"{move['take']} from {move['from']:,} (leaving {left})"
