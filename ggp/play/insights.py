"""What is told of a state to those who watch: from a solution, a search, or a way to the end."""

from __future__ import annotations

from contextlib import suppress

from ggp.errors import GgpError
from ggp.game import State
from ggp.kif import Term
from ggp.play.player import Insight
from ggp.play.search.by_states import StateSearch
from ggp.play.search.reports import MoveReport, provided, reports
from ggp.play.search.search import TreeSearch
from ggp.play.search.tree import NOBODY
from ggp.play.worth import joint_moves, worth
from ggp.solver import SimultaneousSolution, Solution
from ggp.solver.alone.beams import LineSearch

SHOWN = 10
"""Moves that are told of, and joint moves of a line."""

ASKING = 0.2
"""Seconds for each question about a solution."""


def of_solution(solution: Solution[State, Term], state: State, role: str) -> Insight:
    """What is told of a state of a solved game."""
    why = f"solved: {solution.method}"
    solution.limit(ASKING)
    moves: list[tuple[str, float]] = []
    value = None
    told = ""
    with suppress(GgpError):
        found = solution.value(state)
        value = None if found is None or role not in found else float(found[role])
        mover = None if isinstance(solution, SimultaneousSolution) else solution.mover(state)
        if mover in state.game.players:
            told = "" if mover == role else mover
            best = solution.best(state)
            others = (move for move in state.legal(mover) if move not in best)
            for move in [*best, *others][:SHOWN]:
                there = worth(solution, state, role, move, mover)
                if there is not None:
                    moves.append((str(move), there))
    moves.sort(key=lambda told: -told[1])
    return Insight(why, value, moves=tuple(moves), line=_best_line(solution, state), mover=told)


def _best_line(solution: Solution[State, Term], state: State) -> tuple[tuple[str, ...], ...]:
    """How best play goes on, as far as it is known and nothing is drawn."""
    line: list[tuple[str, ...]] = []
    with suppress(GgpError):
        while len(line) < SHOWN and not state.terminal:
            mover = solution.mover(state)
            if mover not in state.game.players:
                break
            joint, *drawn = joint_moves(state, mover, solution.progress(state))
            if drawn:
                break
            line.append(tuple(str(joint[role]) for role in state.game.roles))
            state = state.play(joint)
    return tuple(line)


def how_solved(solution: Solution[State, Term], state: State, role: str) -> str:
    """What is said of a role's move by a solution, in a few words."""
    is_mixed = isinstance(solution, SimultaneousSolution) and len(solution.mixed(state)[role]) > 1
    return "drawn by lot, as best play has it" if is_mixed else "solved"


def of_states(search: StateSearch, role: int) -> Insight:
    """What a search without a net tells of the state that it is about."""
    _, value = search.best()
    name = search.game.evaluator.move
    moves = tuple(
        (str(name(role, move)), round(worth, 1)) for move, worth in search.tried()[:SHOWN]
    )
    why = f"{search.visits:,} descents, no net"
    if search.is_settled:
        why = f"searched to the end{search.provided}"
    return Insight(why, round(value, 1), search.visits, moves)


def of_way(lines: LineSearch, state: State) -> Insight:
    """What is told of a state from which a way to the end is known."""
    way = lines.way(state)
    assert way is not None
    name = state.game.evaluator.move
    steps = tuple((str(name(0, move)),) for move in lines.line(state, SHOWN))
    return Insight(f"a way to {way.goal} is known", float(way.goal), line=steps)


def of_search(search: TreeSearch) -> Insight:
    """What is told of the state that a search was last asked about."""
    best = search.best()
    if best is None:
        return Insight("too many joint moves for a tree")
    name = search.game.evaluator.move
    mover = int(search.tree.mover[search.root])
    if mover == NOBODY:
        mover = search.role
    known = reports(search.tree, search.root, search.role, mover)
    chosen = best.move if mover == search.role else None
    most = sorted(known, key=lambda r: (r.move != chosen, -r.tried, r.move))[:SHOWN]
    moves = tuple((str(name(mover, r.move)), round(r.value, 1)) for r in most)
    line = tuple(tuple(map(str, joint)) for joint in search.line(SHOWN))
    why = sure(search, best) if search.is_settled else "search"
    told = "" if mover == search.role else search.game.roles[mover]
    return Insight(why, round(best.value, 1), search.visits, moves, line, told)


def sure(search: TreeSearch, best: MoveReport) -> str:
    """What is known for sure, in a few words."""
    told = provided(by_belief=search.is_by_belief, gaps=search.has_gaps)
    return f"{'' if search.has_gaps else 'sure of '}{best.low:g}{told}"
