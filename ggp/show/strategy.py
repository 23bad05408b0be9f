"""Strategies as files: a graph (DOT), a picture (SVG), plain data (JSON), or rules (KIF)."""

from __future__ import annotations

import json

from ggp.errors import InputError
from ggp.game import State
from ggp.kif import Term
from ggp.show.strategy_svg import strategy_svg
from ggp.solver import Solution, Strategy
from ggp.solver.strategy import Subtree

SUFFIXES, PLAYS = (".dot", ".svg", ".json", ".kif"), (".dot", ".svg", ".json")
"""What files of strategies are called, and those of graphs of plays."""


def player_of(solution: Solution[State, Term], state: State, role: str | None = None) -> str:
    """Whose strategy: the role that was named, else the winner, else the player to move."""
    result = solution.result(state)
    found = (role, result, solution.to_move(state))
    return next((one for one in found if one in solution.players), solution.players[0])


def promise_text(promise: float | None, *, may_be_endless: bool) -> str:
    """What a strategy makes sure of."""
    if promise is None:
        return "no end in reach"
    return f"at least {promise:g}" + (", or no end" if may_be_endless else "")


def strategy_text(strategy: Subtree[State, Term], suffix: str) -> str:
    """The strategy, or graph of plays, in the format that a file name's suffix asks for.

    Raises `InputError` for a suffix other than `.dot`, `.svg`, `.json` and, of a strategy, `.kif`,
    and for a picture of too many positions.
    """
    if suffix == ".svg":
        return strategy_svg(strategy)
    if suffix == ".dot":
        return _dot(strategy)
    if suffix == ".json":
        return _json(strategy)
    if suffix == ".kif" and isinstance(strategy, Strategy):
        return _kif(strategy)
    raise InputError(f"a strategy is written as one of {', '.join(SUFFIXES)}, not {suffix}")


def _quoted(text: str) -> str:
    """A DOT string: quotes and backslashes escaped."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _dot(strategy: Subtree[State, Term]) -> str:
    number = {state: i for i, state in enumerate(strategy.edges)}
    what = "strategy" if isinstance(strategy, Strategy) else "plays"
    lines = [f"digraph {what} {{", "  node [shape=box fontname=monospace];"]
    for state, i in number.items():
        label = "\n".join(map(str, state.facts))
        own = state in strategy.choice
        style = ' style=filled fillcolor="lightblue"' if own else ""
        lines.append(f"  n{i} [label={_quoted(label)}{style}];")
        for move, after in strategy.edges[state]:
            lines.append(f"  n{i} -> n{number[after]} [label={_quoted(str(move))}];")
    return "\n".join([*lines, "}"]) + "\n"


def _json(strategy: Subtree[State, Term]) -> str:
    number = {state: i for i, state in enumerate(strategy.edges)}
    positions = [
        {
            "facts": [str(fact) for fact in state.facts],
            "moves": [
                {"move": str(move), "to": number[after]} for move, after in strategy.edges[state]
            ],
            "chosen": state in strategy.choice,
        }
        for state in number
    ]
    data = {
        "player": strategy.player,
        "promise": strategy.promise,
        "may_be_endless": strategy.may_be_endless,
        "positions": positions,
    }
    return json.dumps(data, indent=1) + "\n"


def _kif(strategy: Strategy[State, Term]) -> str:
    """One fact for each position in which the player is to move, the state as a list of facts."""
    lines = [f"; strategy of {strategy.player}: (choose move facts...)"]
    for state, move in strategy.choice.items():
        facts = " ".join(map(str, state.facts))
        lines.append(f"(choose {move} {facts})")
    return "\n".join(lines) + "\n"
