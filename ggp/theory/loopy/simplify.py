"""Simplest forms of stoppers, and the stoppers that a game is equal to from one side.

Stoppers: Siegel, Combinatorial Game Theory (2013), chapter VI. G ≤ H is decided by survival, which
asks for an answer to each single move; so an option may go if another is as good, and one that is
reversed may be replaced by what follows, at all positions at once. A play in the new graph is one
in the old with replies put in, so it still stops. Two equal stoppers without dominated and
reversible options have the same tree of play.

Sides: with draws counted for Left, the same is tried by what is known of the order ≤⁺. What comes
out is taken only if it is a stopper, and proved to be ≤⁺ and ≥⁺ the game.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from ggp.theory.loopy.graph import Graph, GraphDraft, Side, is_stopper, negative, settled
from ggp.theory.loopy.survival import Survival

MOST_ROUNDS = 2
"""By position. In a stopper each round puts another reply into a play, of which none is longer."""

Order = Callable[[int, int], bool]


class NotStopperSided(ValueError):
    """No stopper was found that a game equals if draws are counted for one of the players."""


def canonical(stopper: Graph) -> Graph:
    """The simplest form of a stopper: equal stoppers have equal graphs."""
    return _simplified(stopper, _order(stopper, returns=False))


def onside(game: Graph) -> Graph:
    """The stopper, in simplest form, that a game equals with draws counted for Left.

    Raises `NotStopperSided`, with the reason, if none is found.
    """
    if is_stopper(game):
        return canonical(game)
    found = _simplified(game, _order(game, returns=True))
    if is_stopper(found):
        found = canonical(found)
        if _equal_onside(game, found):
            return found
    raise NotStopperSided(
        "no stopper was found, and proved, to be what the game equals if draws are counted for one "
        "player: its dominated and reversible options gone, it may be played in turns for ever"
    )


def _equal_onside(game: Graph, stopper: Graph) -> bool:
    """Whether a game is proved to equal a stopper with draws counted for Left."""
    both, g, s = together(game, stopper)
    at_least = Survival(both, [(s, g)]).holds(s, g)
    return at_least and Survival(both, [(g, s)], returns=True).holds(g, s)


def offside(game: Graph) -> Graph:
    """As `onside`, with draws counted for Right."""
    return negative(onside(negative(game)))


def at_most(g: Graph, h: Graph) -> bool:
    """Whether G ≤ H, of stoppers."""
    both, first, second = together(g, h)
    return Survival(both, [(first, second)]).holds(first, second)


def _reversed(order: Order) -> Order:
    return lambda g, h: order(h, g)


def together(g: Graph, h: Graph) -> tuple[Graph, int, int]:
    """One graph that holds both, and where they start in it."""
    draft = GraphDraft()
    first, second = draft.graph(g), draft.graph(h)
    left, right = (tuple(map(tuple, side)) for side in (draft.left, draft.right))
    return Graph(left, right, g.values + h.values), first, second


def _order(graph: Graph, returns: bool) -> Order:
    """What is known of ≤ between the positions of a graph."""
    values = graph.values
    pairs = (
        (g, h)
        for g, h in product(range(len(values)), repeat=2)
        if values[g] is None or values[h] is None
    )
    survival = Survival(graph, pairs, returns)

    def order(g: int, h: int) -> bool:
        mine, yours = values[g], values[h]
        if mine is not None and yours is not None:
            return mine <= yours
        return g == h or survival.holds(g, h)

    return order


def _simplified(graph: Graph, order: Order) -> Graph:
    """The graph without dominated and, as far as may be, without reversible options.

    Endless reversing is counted for Left: of a stopper there is none.
    """
    reverse = _reversed(order)
    left, right = list(graph.left), list(graph.right)
    loopy = [place for place, value in enumerate(graph.values) if value is None]
    for _ in range(MOST_ROUNDS * len(graph.left)):
        before = [*left], [*right]
        for place in loopy:
            options = _bypassed(place, *before, order, endless=True)
            left[place] = _undominated(options, order)
            options = _bypassed(place, *before[::-1], reverse, endless=False)
            right[place] = _undominated(options, reverse)
        if before == (left, right):
            break
    return settled(left, right, 0)


def _undominated(options: list[int], order: Order) -> Side:
    """The greatest options, one of each value."""
    kept: list[int] = []
    for option in options:
        if not any(order(option, other) for other in kept):
            kept = [other for other in kept if not order(other, option)] + [option]
    return tuple(sorted(kept))


def _bypassed(
    place: int, mine: list[Side], yours: list[Side], order: Order, endless: bool
) -> list[int]:
    """One's options of a position, reversible ones replaced by those behind the reply.

    `order` is as the player wishes: better is greater. Where replies lead to the same option again
    and again, the options stay if `endless` play is good for the player, and go if it is not.
    """
    replies: dict[int, list[int]] = {}
    todo = list(mine[place])
    for option in todo:
        if option not in replies:
            replies[option] = [reply for reply in yours[option] if order(reply, place)]
            todo += [behind for reply in replies[option] for behind in mine[reply]]
    through = _through(replies, mine) if endless else {o: r[0] for o, r in replies.items() if r}
    found, todo = [], list(dict.fromkeys(mine[place]))
    seen = set(todo)
    for option in todo:
        if option not in through:
            found.append(option)
            continue
        behind_it = [o for o in mine[through[option]] if o not in seen]
        todo += behind_it
        seen.update(behind_it)
    return found


def _through(replies: dict[int, list[int]], mine: list[Side]) -> dict[int, int]:
    """Through which reply each option is bypassed, so that this comes to an end."""
    ends = {option for option in replies if not replies[option]}
    through: dict[int, int] = {}
    changed = True
    while changed:
        changed = False
        for option, several in replies.items():
            if option in ends:
                continue
            for reply in several:
                if ends.issuperset(mine[reply]):
                    through[option] = reply
                    ends.add(option)
                    changed = True
                    break
    return through
