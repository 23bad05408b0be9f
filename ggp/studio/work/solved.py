"""What is told of a solution, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from ggp.analysis import Heap
from ggp.errors import GgpError, InputError
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget, Limits
from ggp.play.worth import joint_moves, worth
from ggp.show.findings import heap_rows
from ggp.show.html import image
from ggp.show.moves import move_text
from ggp.show.pictures import Picture
from ggp.show.plots import heaps_plot, statistics_plot
from ggp.show.progress import Told
from ggp.show.statistics import statistics_rows
from ggp.show.strategy import promise_text
from ggp.show.strategy_svg import MAX_POSITIONS, strategy_svg
from ggp.solver import (
    GameSolution,
    NimSolution,
    Solution,
    statistics,
    verify,
)
from ggp.solver.sentences import sentences
from ggp.studio.jobs import Heed, Say
from ggp.studio.tasks import Order
from ggp.studio.work.fragments import fragment
from ggp.studio.work.places import NamedPosition
from ggp.text import number, plain

MORE, EXPLAINING = 30.0, 15.0
"""Seconds at the most for each thing that is told of a solution; for sentences."""

MOST_MOVES = 400
"""Moves of which values are told."""

ASKING = 0.5
"""Seconds for the value of one move, where it has to be searched for."""


@dataclass
class Asking:
    """What a page asks about, read; and whom its results are told to."""

    order: Order
    say: Say
    heed: Heed
    limits: Limits
    place: NamedPosition
    misere: bool

    @property
    def game(self) -> Game:
        """The game."""
        return self.place.game

    @property
    def state(self) -> State:
        """The position."""
        return self.place.state

    def show(self, slot: str, name: str, **values: Any) -> None:  # noqa: ANN401
        """Show a part of the page."""
        self.say({"slot": slot, "html": fragment(name, **values)})

    def more(self, most: float = MORE) -> Budget:
        """An account for one thing that is told of a solution."""
        return Budget(replace(self.limits, seconds=min(most, self.limits.seconds)))

    def watch(self, what: str) -> Callable[[int, int], None]:
        """What is told of positions found and done."""
        told = Told(what)
        return lambda found, done: self.heed(told(found, done))


def show_moves(asking: Asking, solution: Solution[State, Term], data: dict[str, Any]) -> None:
    """The moves of the role to move, the best first, each with its value."""
    state, role = asking.state, solution.mover(asking.state)
    if role is None or data.get("mixed") or not data["best"]:
        return
    asking.heed("the values of moves")
    best = set(data["best"])
    legal = sorted(state.legal(role), key=lambda move: str(move) not in best)
    rows = list(_moves(asking, solution, role, legal[:MOST_MOVES], best))
    if len({row["value"] for row in rows}) == 1 and len(legal) == len(rows):
        # Where all are alike, none is advice.
        rows = [{**row, "best": False} for row in rows]
    has_nim = any(row["nim"] is not None for row in rows)
    more = len(legal) - len(rows)
    asking.show("moves", "moves", role=role, rows=rows, has_nim=has_nim, more=more)


def _moves(
    asking: Asking,
    solution: Solution[State, Term],
    role: str,
    moves: Sequence[Term],
    best: set[str],
) -> Iterator[dict[str, Any]]:
    state, budget = asking.state, asking.more()
    is_nim = isinstance(solution, NimSolution | GameSolution)
    solution.limit(ASKING)
    for move in moves:
        joints = joint_moves(state, role, move)
        value = nim = None
        with suppress(GgpError), asking.game.within(budget):
            value = worth(solution, state, role, move)
            if is_nim and len(joints) == 1:
                nim = solution.nim_value(state.play(joints[0]))  # type: ignore[attr-defined]
        joint = [joints[0][other] for other in asking.game.roles]
        yield {
            "move": move_text(move, 200),
            "value": "not known" if value is None else number(value),
            "nim": nim,
            "best": str(move) in best,
            "hash": asking.place.hash(joint) if len(joints) == 1 else "",
        }


def show_mixed(asking: Asking, data: dict[str, Any]) -> None:
    """Best strategies where several roles move at once: moves by lot."""
    rows = [
        (player, move, chance)
        for player, own in data.get("mixed", {}).items()
        for move, chance in list(own.items())[:MOST_MOVES]
    ]
    if rows and not data["best"]:
        goals = data["goals"] or {}
        near = [(player, f"≈ {goal:.12g}") for player, goal in goals.items()]
        values = list(data["exact"].items()) if "exact" in data else near
        asking.show("moves", "mixed", rows=rows, values=values)


def _plot(picture: Callable[[], Picture]) -> Markup | None:
    """A picture where there is something to draw with."""
    try:
        found = picture()
        return image(found.data(".svg"), found.alt.description)
    except InputError:
        return None


def show_heaps(asking: Asking, heaps: Sequence[Heap]) -> None:
    """What is taken from heaps, and their nim-values by size."""
    named = [(heap.pattern, heap.game) for heap in heaps if heap.game is not None]
    name = plain(asking.game.name)
    plot = _plot(lambda: heaps_plot(named, name)) if named else None
    pictures = [plot] if plot else []
    asking.show("heaps", "heaps", rows=heap_rows(tuple(heaps)), pictures=pictures)


def told_how(asking: Asking, solution: Solution[State, Term], player: str) -> dict[str, Any]:
    """How to play in words, or that nothing was found, or not in time."""
    asking.heed("how to play, in a sentence")
    nothing: dict[str, Any] = {"told": [], "is_two": len(solution.players) == 2, "why": ""}
    budget = asking.more(EXPLAINING)
    try:
        with asking.game.within(budget):
            found = sentences(solution, player, asking.state, budget)
    except GgpError as error:
        return {**nothing, "why": str(error)}
    return {**nothing, "told": [plain(one.text) for one in found]}


def graph_of(asking: Asking, solution: Solution[State, Term], player: str) -> dict[str, Any]:
    """The graph of a strategy, or how many positions it would have."""
    asking.heed("the strategy")
    nothing: dict[str, Any] = {"svg": None, "count": 0, "most": MAX_POSITIONS, "why": ""}
    try:
        with asking.game.within(asking.more()):
            strategy = solution.strategy(player, asking.state)
            found = {
                **nothing,
                "count": strategy.positions,
                "promise": promise_text(strategy.promise, may_be_endless=strategy.may_be_endless),
            }
            if strategy.positions > MAX_POSITIONS:
                return found
            checked = verify(strategy)
            if not checked.ok:
                return {**nothing, "why": f"it does not keep its promise: {checked.why}"}
            return {**found, "svg": Markup(strategy_svg(strategy))}
    except (GgpError, ValueError) as error:
        return {**nothing, "why": str(error)}


def show_statistics(asking: Asking) -> None:
    """Counts of all positions."""
    try:
        data = statistics(
            asking.game,
            [asking.state],
            misere=asking.misere,
            budget=asking.more(),
            progress=asking.watch("counting"),
        ).as_json()
    except GgpError as error:
        asking.show("statistics", "statistics", rows=(), plot=None, why=str(error))
        return
    plot = _plot(lambda: statistics_plot(data, plain(asking.game.name)))
    asking.show("statistics", "statistics", rows=statistics_rows(data), plot=plot, why="")
