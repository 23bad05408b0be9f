"""One state as it is drawn: what lies where, whose turn it is, where moves go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ggp.errors import GoalError
from ggp.game import State
from ggp.kif import Term
from ggp.rules import Signature, signature
from ggp.show.board.clicks import differing
from ggp.show.board.families import Row, pick
from ggp.show.board.layout import DrawingPlan, plan_of
from ggp.show.board.model import Board, BoardValue, Piles
from ggp.show.board.orders import is_numeral
from ggp.show.board.override import marked
from ggp.show.board.pieces import MAX_LATER, Mark, later_mark
from ggp.show.board.words import name_of
from ggp.text import plain, shortened

Rows = Mapping[Signature, Sequence[Row]]
"""Arguments of fluents by their relations."""

MAX_FACTS, MAX_FACT, MAX_TERM = 200, 400, 200
"""Facts that are listed, and characters of one."""


@dataclass(frozen=True)
class DrawnBoard:
    """A board of a scene: its number, the name of the relation that it is made of, the marks on its
    places, and places that the last move changed."""

    number: int
    board: Board
    title: str
    cells: Mapping[Row, tuple[Mark, ...]]
    changed: frozenset[Row]


@dataclass(frozen=True)
class Pile:
    """A number of things at a place; `height` is how many there are below it, `most` at most.

    `ground` and `place`: the numbers by which clicks name it.
    """

    name: str
    count: str
    height: int
    most: int
    ground: int = -1
    place: int = -1


@dataclass(frozen=True)
class Move:
    """A legal move of a role, and the places to click for it, one after the other: each all places
    of one board that will do, or of piles, which have the numbers that follow those of boards."""

    role: int
    text: Term
    clicks: tuple[tuple[int, frozenset[Row]], ...]


@dataclass(frozen=True)
class Scene:
    """What is drawn of a state.

    `turn`: the number of the role whose turn it is, None where it is not one role's. `goals`: of
    an end each role's name and goal, if it has one each. `values`:
    names and values; `facts`: what is in no drawing, shortened. `grounds`: where clicks may be.
    """

    roles: tuple[str, ...]
    turn: int | None
    terminal: bool
    boards: tuple[DrawnBoard, ...]
    piles: tuple[tuple[str, tuple[Pile, ...]], ...]
    values: tuple[tuple[str, str], ...]
    facts: tuple[str, ...]
    omitted: int
    moves: tuple[Move, ...] = ()
    goals: tuple[tuple[str, int], ...] = ()
    grounds: tuple[Board, ...] = ()

    @property
    def over(self) -> str:
        """How the game ended, in words; empty where it goes on."""
        told = ", ".join(f"{role} {goal}" for role, goal in self.goals)
        return (f"over: {told}" if told else "over") if self.terminal else ""


def scene_of(state: State, before: State | None = None, *, moves: bool = False) -> Scene:
    """What is drawn of a state; `before`: the state before the last move, whose changes are shown.
    With `moves` its legal moves and their places are in it, too."""
    plan = plan_of(state.game)
    layout = plan.layout
    rows = layout.rows(state.facts)
    earlier = layout.rows(before.facts) if before else None
    boards = tuple(_drawn(board, plan, i, rows, earlier) for i, board in enumerate(layout.boards))
    told = _told(plan, rows)
    facts = [str(fact) for fact in state.facts if _is_loose(plan, fact, told)]
    return Scene(
        tuple(map(plan.name, layout.roles)),
        _turn(state, told),
        state.terminal,
        boards,
        tuple(
            (plan.name(piles.layer.family.relation[0]), _piles(piles, rows, len(layout.boards) + i))
            for i, piles in enumerate(layout.piles)
        ),
        tuple((plan.name(v.family.relation[0]), _value(v, rows)) for v in layout.values),
        tuple(plain(shortened(fact, MAX_FACT)) for fact in facts[:MAX_FACTS]),
        max(0, len(facts) - MAX_FACTS),
        tuple(_moves(plan, state)) if moves else (),
        _goals(plan, state) if state.terminal else (),
        layout.grounds,
    )


def _goals(plan: DrawingPlan, state: State) -> tuple[tuple[str, int], ...]:
    """Who ends with what, where the rules say so."""
    try:
        return tuple((plan.name(role), goal) for role, goal in state.goals.items())
    except GoalError:
        return ()


def _drawn(
    board: Board, plan: DrawingPlan, number: int, rows: Rows, earlier: Rows | None
) -> DrawnBoard:
    own = board.cells(rows)
    cells: dict[Row, tuple[Mark, ...]] = {}
    for at, layer in enumerate(own):
        for key, contents in ((k, c) for k, c in layer.items() if k in board.keys):
            marks = tuple(_mark(plan, number, at, content) for content in sorted(contents))
            cells[key] = (*cells.get(key, ()), *marks)
    changed = set() if earlier is None else differing(board.cells(earlier), own)
    title = plan.name(board.layers[0].family.relation[0])
    return DrawnBoard(number, board, title, cells, board.keys & changed)


def _mark(plan: DrawingPlan, board: int, at: int, content: Row) -> Mark:
    known, later = plan.marks[board], plan.later[board]
    found = known.get((at, content)) or later.get((at, content))
    if found is None:
        layers = plan.layout.boards[board].layers
        own = later_mark(layers[at], content, known.values(), later.values())
        found = marked({(at, content): own}, layers, plan.told)[at, content]
        if len(later) < MAX_LATER:
            later[at, content] = found
    return found


def _piles(piles: Piles, rows: Rows, ground: int) -> tuple[Pile, ...]:
    cells = piles.layer.cells(rows.get(piles.layer.family.relation, ()))
    rank = {count: i for i, count in enumerate(piles.counts)}
    found = []
    for key in piles.keys:
        for (count,) in cells.get(key, ()):
            number = int(count.name) if is_numeral(count) else rank.get(count, 0)
            most = max(len(rank) - 1, number)
            place = piles.ground.numbers[key]
            found.append(Pile(name_of(key[0]), name_of(count), number, most, ground, place))
    return tuple(found)


def _value(value: BoardValue, rows: Rows) -> str:
    own = rows.get(value.family.relation, ())
    text = ", ".join(" ".join(name_of(part, MAX_TERM) for part in row) for row in own) or "–"
    if value.track and len(own) == 1 and own[0][0] in value.track:
        text += f"/{name_of(value.track[-1])}"
    return text


def _is_loose(plan: DrawingPlan, fact: Term, told: int | None) -> bool:
    """Whether nothing else shows a fact: not even its place may be there, in a state by hand."""
    layout = plan.layout
    relation = signature(fact)
    family = layout.families.get(relation)
    if family is None or not family.fits(fact) or relation not in layout.shown:
        return True
    places = layout.places.get(relation)
    if places is None:
        return relation not in layout.single and told is None
    argument, keys = places
    return pick(family.row(fact), argument) not in keys


def _turn(state: State, told: int | None) -> int | None:
    if told is not None:
        return told
    if state.terminal:
        return None
    free = [i for i, own in enumerate(state.legal_indices()) if len(own) > 1]
    return free[0] if len(free) == 1 else None


def _told(plan: DrawingPlan, rows: Rows) -> int | None:
    """The one role that the facts say it is whose turn it is."""
    if plan.layout.turn is None:
        return None
    relation, at = plan.layout.turn
    told = {str(row[at]) for row in rows.get(relation, ())}
    roles = plan.layout.roles
    return roles.index(told.pop()) if len(told) == 1 and told <= set(roles) else None


def _named(key: Sequence[Term | None], places: frozenset[Row]) -> frozenset[Row]:
    """The places that a move names, of which it may leave parts open."""
    whole = tuple(name for name in key if name is not None)
    if len(whole) == len(key):
        return places & {whole}
    return frozenset(
        own for own in places if all(b in (None, a) for a, b in zip(own, key, strict=True))
    )


def _moves(plan: DrawingPlan, state: State) -> Sequence[Move]:
    found = []
    for role, name in enumerate(state.game.roles):
        if state.terminal:
            break
        for move in state.legal(name):
            clicks = []
            for click in plan.clicks.get(signature(move), ()):
                keys = plan.layout.grounds[click.board].keys
                clicks.append((click.board, _named(click.key(move), keys)))
            found.append(Move(role, move, tuple(clicks)))
    return found
