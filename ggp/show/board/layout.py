"""The layout of a game, found from its rules and some plays, whatever its names are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from weakref import WeakKeyDictionary

from ggp.deduce import Prover
from ggp.errors import GgpError, InputError
from ggp.game import Game
from ggp.rules import Rule, Signature
from ggp.show.board.changes import blank_of, changes, named
from ggp.show.board.clicks import Clicks, clicks_of, touched
from ggp.show.board.domains import Domains
from ggp.show.board.families import Family, families_of
from ggp.show.board.links import Links
from ggp.show.board.model import Board, Cells, Layout
from ggp.show.board.neighbours import shaped
from ggp.show.board.orders import Orders, orders_of
from ggp.show.board.orientation import turned
from ggp.show.board.override import (
    Override,
    blanked,
    held,
    marked,
    naming,
    override_of,
)
from ggp.show.board.pieces import Content, Mark, marks, owners
from ggp.show.board.placing import Draft, placed
from ggp.show.board.ranks import TermRanks
from ggp.show.board.samples import Samples, listed, sample
from ggp.show.board.slices import few, nested
from ggp.show.board.slips import require_apart, require_shown
from ggp.show.board.words import name_of

_kept: WeakKeyDictionary[Game, DrawingPlan] = WeakKeyDictionary()


@dataclass(frozen=True)
class DrawingPlan:
    """All that is needed to draw the states of a game: the layout, for each board what is drawn
    for its contents, which places moves name, and what is told beside the sheet.

    `later` keeps what is drawn for contents that no sampled play has, from when one is first met.
    """

    layout: Layout
    marks: tuple[Mapping[Content, Mark], ...]
    clicks: Clicks
    later: tuple[dict[Content, Mark], ...]
    told: Override = field(default_factory=Override)

    def name(self, name: object) -> str:
        """A role or a relation as it is to be called."""
        return self.told.names.get(str(name)) or name_of(name)


def plan_of(game: Game) -> DrawingPlan:
    """The plan of a game, found when it is first asked for.

    Raises what evaluating the rules raises where a limit is passed.
    """
    if game not in _kept:
        _kept[game] = _plan(game)
    return _kept[game]


def require_override(game: Game) -> None:
    """Raise `InputError` for a file beside the sheet that means nothing: who draws states only as
    far as that can be done would leave it out without a word."""
    if override_of(game.rules.source) == Override():
        return
    try:
        plan_of(game)
    except InputError:
        raise
    except GgpError:
        # The rules go wrong in some plays, or take too long: that is another matter.
        pass


def _plan(game: Game) -> DrawingPlan:
    own = game.evaluator
    prover = own if isinstance(own, Prover) else Prover(game.rules, game.limits)
    samples = sample(prover, TermRanks(game.rules.rules, game.roles))
    orders, links = orders_of(game.rules, prover), Links(game.rules.rules)
    families = families_of(samples, listed(prover), Domains(game.rules.rules), links.uses)
    roles = game.roles
    turn = _turn(families, samples, roles)
    rest = [f for f in families if not turn or f.relation != turn[0] or f.size > 1]
    found = placed(rest, orders, links)
    boards = [_board(draft, orders, game.rules.rules) for draft in found.boards]
    piles = sorted(found.piles, key=lambda piles: orders.first(piles.layer.family.relation))
    clicks = clicks_of([*boards, *(own.ground for own in piles)], samples)
    told = override_of(game.rules.source)
    with naming(game.rules.source):
        require_shown(told, boards, {*roles, *(family.relation[0] for family in families)})
        drawn = [_held(own, i, clicks, samples, roles, links, told) for i, own in enumerate(boards)]
        for board, marks_of_board in drawn:
            require_apart(marks_of_board, board.layers, told)
        rules, ranks = game.rules.rules, samples.ranks
        shapes = [held(shaped(own, rules, orders, ranks), told.of(own)) for own, _ in drawn]
    by_relation = {family.relation: family for family in families}
    layout = Layout(
        roles,
        by_relation,
        tuple(shapes),
        tuple(piles),
        tuple(sorted(found.values, key=lambda value: orders.first(value.family.relation))),
        turn,
    )
    later: tuple[dict[Content, Mark], ...] = tuple({} for _ in boards)
    return DrawingPlan(layout, tuple(own for _, own in drawn), clicks, later, told)


def _turn(
    families: Sequence[Family], samples: Samples, roles: Sequence[str]
) -> tuple[Signature, int] | None:
    """The family, and its argument, that always is the role that has a choice."""
    movers = {state: samples.mover(state) for state in samples.legal}
    known = {state: roles[mover] for state, mover in movers.items() if mover is not None}
    for family in families:
        if family.most != 1 or not known or len(roles) == 1 < family.size:
            continue
        for at in range(family.size):
            told = {state: [str(row[at]) for row in family.rows[state]] for state in known}
            if all(told[state] == [role] for state, role in known.items()):
                return family.relation, at
    return None


def _board(draft: Draft, orders: Orders, rules: Sequence[Rule]) -> Board:
    axes = tuple(map(orders.ordered, draft.axes))
    keys, layers = frozenset(draft.keys), tuple(draft.layers)
    if draft.size == 1:
        return Board(layers, axes, keys)
    if draft.size == 2:
        return Board(layers, axes, keys, column=1, row=0)
    if draft.size == 3:
        slices = few(draft)
        both = (axis for axis in range(3) if axis != slices)
        row, column = sorted(both, key=lambda axis: len(axes[axis]))
        return Board(layers, axes, keys, column=column, row=row, slices=(slices,))
    down, across, row, column = nested(layers[0], rules)
    return Board(layers, axes, keys, column=column, row=row, slices=(down, across))


def _held(
    board: Board,
    number: int,
    clicks: Clicks,
    samples: Samples,
    roles: Sequence[str],
    links: Links,
    told: Override,
) -> tuple[Board, dict[Content, Mark]]:
    """A board with its blank contents known, the right way up; and what is drawn for the others."""
    moved = touched(number, board.layers, clicks, samples)
    made = [changes(number, layer, samples, clicks) for layer in board.layers]
    owned = owners(board.layers, made, roles, moved)
    things = [named(layer, samples, links) for layer in board.layers]
    for at, content in {*owned, *((at, content) for at, content, _ in moved)}:
        things[at].add(content)
    layers = tuple(
        blanked(
            replace(layer, blank=blank_of(layer, made[at], things[at], samples.ranks)),
            told.of(board),
        )
        for at, layer in enumerate(board.layers)
    )
    board = replace(board, layers=layers)
    shown = {c: role for c, role in owned.items() if c[1] != layers[c[0]].blank}
    states = [_cells(board, state) for state in range(len(samples.states))]
    return turned(board, states, shown), marked(marks(layers, shown), layers, told)


def _cells(board: Board, state: int) -> list[Cells]:
    return [layer.cells(layer.family.rows[state]) for layer in board.layers]
