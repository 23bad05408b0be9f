"""What is known of a game: that it is short or a stopper, or its sides, or only a form.

Sums, negatives and the order are those of loopy games in general: G ≥ H if, whatever X is, Left
does at least as well in G + X as in H + X. For G with the sides s & t (s with draws counted for
Left, t for Right) and H with s′ & t′ that is s ≥ s′ and t ≥ t′ (Siegel 2013, chapter VI).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ggp.theory.loopy.graph import Graph, GraphDraft, is_stopper, negative, total
from ggp.theory.loopy.simplify import NotStopperSided, at_most, canonical, offside, onside
from ggp.theory.short import ShortGame


class Value(NamedTuple):
    """A game: `short`, or a form, or sides, or both.

    Of a stopper the form is the simplest one, and each of its sides. Without sides there is a
    form, and a reason.
    """

    short: ShortGame | None = None
    form: Graph | None = None
    sides: tuple[Graph, Graph] | None = None
    reason: str = ""

    @property
    def is_stopper(self) -> bool:
        """Whether it equals a stopper, which then is its form."""
        return self.short is not None or (self.sides is not None and self.sides[0] == self.sides[1])


KEPT = 1_000
"""Up to so many positions the form of a sum is kept if its sides are known."""

ZERO = Value(ShortGame.integer(0))


def of_graph(graph: Graph) -> Value:
    """The value of a game graph, which is its form unless it equals a stopper."""
    if is_stopper(graph):
        return of_stopper(canonical(graph))
    return _of_sides(graph, graph, graph)


def of_stopper(graph: Graph) -> Value:
    """The value of a stopper in simplest form."""
    short = graph.values[0]
    return Value(form=graph, sides=(graph, graph)) if short is None else Value(short)


def of_sides(first: Value, second: Value) -> Value:
    """The value with two given sides. Raises ValueError unless they are stoppers, s ≥ t."""
    if not (first.is_stopper and second.is_stopper):
        raise ValueError("the sides of a game are stoppers")
    if first == second:
        return first
    sides = sides_of(first)[0], sides_of(second)[0]
    if not at_most(*sides[::-1]):
        raise ValueError("a game's onside is at least its offside")
    return Value(sides=sides)


def _of_sides(high: Graph, low: Graph, form: Graph | None) -> Value:
    """The value of a form, whose onside is that of one game and whose offside that of another."""
    try:
        sides = onside(high), offside(low)
    except NotStopperSided as error:
        if form is None:
            raise
        return Value(form=form, reason=str(error))
    return of_stopper(sides[0]) if sides[0] == sides[1] else Value(form=form, sides=sides)


def form_of(value: Value) -> Graph:
    """A game graph of this value. Raises ValueError if only its sides are known."""
    if value.short is not None:
        draft = GraphDraft()
        return draft.settled(draft.short(value.short))
    if value.form is None:
        raise ValueError("a game that is known by its sides has no options")
    return value.form


def sides_of(value: Value) -> tuple[Graph, Graph]:
    """Onside and offside, in simplest form. Raises `NotStopperSided`."""
    if value.short is not None:
        return form_of(value), form_of(value)
    if value.sides is None:
        raise NotStopperSided(value.reason)
    return value.sides


def negate(value: Value) -> Value:
    """−G: the players change their places, and so do the sides."""
    if value.short is not None:
        return Value(-value.short)
    form = value.form and negative(value.form)
    if value.sides is None:
        return Value(form=form, reason=value.reason)
    if value.is_stopper and form is not None:
        return of_stopper(form)
    high, low = value.sides
    return Value(form=form, sides=(negative(low), negative(high)))


def add(g: Value, h: Value) -> Value:
    """G + H. Raises `NotStopperSided` if only the sides of one are known, and not of the sum.

    The sides of a sum are those of the sum of the sides; its form is kept while it is small.
    """
    if g.short is not None and h.short is not None:
        return Value(g.short + h.short)
    if g.short == 0 or h.short == 0:
        return h if g.short == 0 else g
    forms = [form_of(value) for value in (g, h) if value.short is not None or value.form]
    if not (_sided(g) and _sided(h)) or (g.is_stopper and h.is_stopper):
        if len(forms) < 2:
            raise NotStopperSided(g.reason or h.reason)
        return of_graph(total(*forms))
    kept = len(forms) == 2 and len(forms[0].left) * len(forms[1].left) <= KEPT
    (high, low), (other_high, other_low) = sides_of(g), sides_of(h)
    form = total(*forms) if kept else None
    return _of_sides(total(high, other_high), total(low, other_low), form)


def _sided(value: Value) -> bool:
    return value.short is not None or value.sides is not None


def multiple(count: int, value: Value) -> Value:
    """The sum of `count` copies of a game, or of its negative."""
    if count < 0:
        count, value = -count, negate(value)
    result = ZERO
    while count:
        if count % 2:
            result = add(result, value)
        count //= 2
        if count:
            value = add(value, value)
    return result


def leq(g: Value, h: Value) -> bool:
    """G ≤ H. Raises `NotStopperSided` if the sides of one are not known."""
    if g.short is not None and h.short is not None:
        return g.short <= h.short
    (high, low), (other_high, other_low) = sides_of(g), sides_of(h)
    if g.is_stopper and h.is_stopper:
        return at_most(high, other_high)
    return at_most(high, other_high) and at_most(low, other_low)


def equal(g: Value, h: Value) -> bool:
    """G = H. Raises `NotStopperSided` if the sides of one are not known, and their forms differ."""
    if g.short is not None and h.short is not None:
        return g.short == h.short
    if g.form is not None and g.form == h.form:
        return True
    if g.is_stopper != h.is_stopper and _sided(g) and _sided(h):
        return False
    return sides_of(g) == sides_of(h)


def made(left: list[Value], right: list[Value]) -> Value:
    """The game { left | right }. Raises ValueError if an option is known by its sides only."""
    mine = [value.short for value in left if value.short is not None]
    yours = [value.short for value in right if value.short is not None]
    if len(mine) == len(left) and len(yours) == len(right):
        return Value(ShortGame(mine, yours))
    draft = GraphDraft()
    place = draft.add()
    draft.left[place] = [entered(draft, value) for value in left]
    draft.right[place] = [entered(draft, value) for value in right]
    return of_graph(draft.settled(place))


def entered(draft: GraphDraft, value: Value) -> int:
    """The place of a game in a graph that is being built."""
    return draft.graph(form_of(value)) if value.short is None else draft.short(value.short)


def tiny(value: Value) -> Value:
    """{ 0 || 0 | −G }."""
    return made([ZERO], [made([ZERO], [negate(value)])])


_SHAPES: Mapping[str, tuple[str, str]] = {
    "on": ("a|", ""),
    "over": ("0|a", ""),
    "upon": ("a|*", ""),
    "dud": ("a|a", ""),
    "tis": ("b|", "|a"),
}
_NEGATIVES = {"off": "on", "under": "over", "tisn": "tis", "downon": "upon"}


@cache
def constant(name: str) -> Value:
    """The game of a name: on, off, over, under, upon, downon (−upon), dud, tis, tisn, or power
    (↑^on) and downpower.

    Raises KeyError for any other.
    """
    if name == "power":
        return made([ZERO], [add(constant("downon"), Value(ShortGame.nimber(1)))])
    if name == "downpower":
        return negate(constant("power"))
    if name in _NEGATIVES:
        return negate(constant(_NEGATIVES[name]))
    draft = GraphDraft()
    places = {"a": draft.add(), "b": draft.add()}
    for letter, shape in zip("ab", _SHAPES[name], strict=True):
        for side, options in zip((draft.left, draft.right), shape.split("|"), strict=False):
            side[places[letter]] = [
                places[o] if o in places else draft.short(ShortGame.parse(o)) for o in options
            ]
    return of_graph(draft.settled(places["a"]))
