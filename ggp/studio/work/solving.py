"""The solution of a game, as a page shows it: who wins, by which moves, how, and of how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ggp.analysis import Heap
from ggp.errors import GgpError, InputError, LimitReached
from ggp.game import State
from ggp.kif import Term
from ggp.limits import Budget
from ggp.show.outcomes import SHORT
from ggp.show.solution import NO_SOLUTION, heaps_text, solution_json, solution_text
from ggp.show.strategy import player_of
from ggp.solver import (
    Solution,
    solve,
)
from ggp.solver.any_heap import any_heaps
from ggp.solver.methods import METHODS
from ggp.studio.jobs import Heed, Say
from ggp.studio.tasks import Order
from ggp.studio.work.analysing import limits_of
from ggp.studio.work.places import is_checked, place_of, text_of
from ggp.studio.work.sheets import game_of
from ggp.studio.work.solved import (
    Asking,
    graph_of,
    show_heaps,
    show_mixed,
    show_moves,
    show_statistics,
    told_how,
)

SECONDS = 20.0
"""For solving, where a page asks for no other time."""

MOST_HEAPS, MOST_SIZE = 40, 10**15
"""Heaps of a sum whose sizes are asked for, and how large one may be."""


def _asking(order: Order, say: Say, heed: Heed) -> tuple[Asking, Budget]:
    """What is asked, and the account for solving; raises `InputError` for what makes no sense."""
    asked = order.asked
    limits = limits_of(asked, SECONDS)
    budget = Budget(limits)
    heed("reading the rules")
    place = place_of(game_of(order.sheet, limits), asked, budget)
    misere = is_checked(asked, "misere")
    if misere and len(place.game.players) != 2:
        raise InputError("misère play needs a game of two roles")
    return Asking(order, say, heed, limits, place, misere), budget


def solve_sheet(order: Order, say: Say, heed: Heed) -> None:
    """Solve a position, and tell of it one thing after the other."""
    asking, budget = _asking(order, say, heed)
    method = _method(order)
    solution, data = _solved(asking, method, budget)
    asking.show("verdict", "verdict", **_verdict(data))
    if solution is None:
        return
    show_moves(asking, solution, data)
    show_mixed(asking, data)
    heaps: Sequence[Heap] = getattr(solution, "heaps", ())
    if heaps:
        show_heaps(asking, heaps)
    if asking.state.terminal:
        return
    player = player_of(solution, asking.state)
    hidden = _hidden(asking)
    asking.show("how", "how", roles=solution.players, player=player, hidden=hidden)
    if heaps and asking.state == asking.game.initial:
        sizes = " ".join(str(heap.size) for heap in heaps)
        asking.show("any-heaps", "any-heaps", hidden=hidden, sizes=sizes)
    asking.show("graph", "graph", player=player, **graph_of(asking, solution, player))
    show_statistics(asking)
    # Last, as it may take long.
    asking.show("sentences", "sentences", player=player, **told_how(asking, solution, player))


def _hidden(asking: Asking) -> dict[str, str]:
    """What forms for more are to ask about: the same."""
    found = {name: text_of(asking.order.asked, name) for name in ("method", "from", "line")}
    found |= {"seconds": f"{asking.limits.seconds:g}", "misere": "on" * asking.misere}
    return {name: text for name, text in found.items() if text}


def _method(order: Order) -> str | None:
    method = text_of(order.asked, "method")
    if method and method not in METHODS:
        raise InputError(f"there is no such method (there are: {', '.join(METHODS)})")
    return method or None


def _solved(
    asking: Asking, method: str | None, budget: Budget
) -> tuple[Solution[State, Term] | None, dict[str, Any]]:
    """The solution and what it says of the position, or why there is none."""
    try:
        solution = solve(
            asking.game,
            starts=[asking.state],
            method=method,
            misere=asking.misere,
            budget=budget,
            progress=asking.watch("solving"),
        )
        with budget.in_force():
            return solution, solution_json(solution, asking.state)
    except GgpError as error:
        hint = "; more seconds or another method may do" * isinstance(error, LimitReached)
        return None, {**NO_SOLUTION, "why_not": f"{error}{hint}"}


def _verdict(data: dict[str, Any]) -> dict[str, Any]:
    first, *lines = solution_text(data).plain.splitlines()
    rows = [("outcome", SHORT.get(data["outcome"] or "", data["outcome"]))]
    rows += [("to move", data.get("to_move")), ("why that way", data["reason"])]
    rows += [("engine", data["engine"])]
    return {"first": first, "lines": lines, "rows": [row for row in rows if row[1]]}


def strategy(order: Order, say: Say, heed: Heed) -> None:
    """How one role is to play; `role` says which."""
    asking, budget = _asking(order, say, heed)
    role = text_of(order.asked, "role")
    if role not in asking.game.players:
        raise InputError("there is no such role")
    method = _method(order)
    solution, data = _solved(asking, method, budget)
    if solution is None:
        raise InputError(f"not solved: {data['why_not']}")
    graph = graph_of(asking, solution, role)
    asking.show("other-graph", "graph", player=role, **graph)
    told = told_how(asking, solution, role)
    asking.show("other-sentences", "sentences", player=role, **told)


def heaps(order: Order, say: Say, heed: Heed) -> None:
    """Heaps of other sizes, by what is proved of every size; `sizes` are numbers with spaces."""
    sizes = _sizes(text_of(order.asked, "sizes"))
    asking, budget = _asking(order, say, heed)
    heed("proving it for every size")
    with asking.game.within(budget):
        found = any_heaps(asking.game, budget, misere=asking.misere).of(sizes)
        first, *lines = heaps_text(found.as_json()).plain.splitlines()
    asking.show("sum", "verdict", first=first, lines=lines, rows=())


def _sizes(text: str) -> list[int]:
    words = text.replace(",", " ").split()
    if not 0 < len(words) <= MOST_HEAPS or not all(w.isascii() and w.isdigit() for w in words):
        raise InputError(f"sizes: expected up to {MOST_HEAPS} numbers, such as 10 11 12")
    found = [int(word) if len(word) < 17 else MOST_SIZE + 1 for word in words]
    if max(found) > MOST_SIZE:
        raise InputError(f"a heap has {MOST_SIZE:,} at the most")
    return found
