"""`LoopyGame`: a game in which positions may come back."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from typing import Any, NoReturn, Union

from ggp.displayed import Displayed
from ggp.theory.loopy import notation, parsing
from ggp.theory.loopy import value as values
from ggp.theory.loopy.graph import Graph, GraphDraft, follower
from ggp.theory.loopy.outcomes import outcome, outcome_with_draws_to
from ggp.theory.loopy.value import Value
from ggp.theory.short import GameLimit, ShortGame

Options = Iterable[Hashable]


class LoopyGame(Displayed):
    """A game under normal play with finitely many positions, which may come back: play that never
    ends is a draw.

    Made of a graph, that is of a mapping from each position to Left's and Right's options, and of
    the position to start from. What is no position of the graph may be a `LoopyGame`, a
    `ShortGame`, an integer or a dyadic `Fraction`.

    A game that equals a stopper (in which no play in turns goes on for ever) is kept in simplest
    form. Games are equal if their onsides and offsides are.

    >>> over = LoopyGame({"over": ([0], ["over"])}, "over")
    >>> over > 0, over < Fraction(1, 1024), over + over == over
    (True, True, True)
    >>> over - over
    LoopyGame.parse('over & under')
    """

    __slots__ = ("_value",)
    _value: Value

    def __new__(
        cls, graph: Mapping[Hashable, tuple[Options, Options]], start: Hashable
    ) -> LoopyGame:
        """The game of a graph. Raises KeyError for what is neither a position nor a game."""
        if start not in graph:
            raise KeyError(f"{start!r} is no position of the graph")
        draft = GraphDraft()
        places = {position: draft.add() for position in graph}
        for position, sides in graph.items():
            for side, options in zip((draft.left, draft.right), sides, strict=True):
                for option in options:
                    here = places.get(option)
                    if here is None:
                        here = values.entered(draft, _option(option))
                    side[places[position]].append(here)
        return cls._of(values.of_graph(draft.settled(places[start])))

    @classmethod
    def _of(cls, value: Value) -> LoopyGame:
        made = object.__new__(cls)
        object.__setattr__(made, "_value", value)
        return made

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("games are immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("games are immutable")

    # Constructors.

    @classmethod
    def parse(cls, text: str) -> LoopyGame:
        """The game that a text says, in the notation of CGSuite. Raises `NotationError`.

        Besides what `ShortGame.parse` reads there are on, off, over, under, upon, dud, tis, tisn,
        `pass` for the game whose option it is, names before braces, and `s & t`.

        >>> LoopyGame.parse("{0|pass}"), LoopyGame.parse("a{0|a}"), LoopyGame.parse("on + off")
        (LoopyGame.parse('over'), LoopyGame.parse('over'), LoopyGame.parse('dud'))
        """
        return cls._of(parsing.parse(text))

    @classmethod
    def short(cls, game: ShortGame | int | Fraction) -> LoopyGame:
        """A short game as a loopy one, which is equal to it."""
        return cls._of(_value(game))

    @classmethod
    def sided(
        cls, onside: LoopyGame | ShortGame | int, offside: LoopyGame | ShortGame | int
    ) -> LoopyGame:
        """s & t: a game by its sides, with no options. Raises ValueError unless these are
        stoppers, the onside at least the offside.

        >>> LoopyGame.sided(1, 0) == LoopyGame.parse("tis")
        True
        """
        return cls._of(values.of_sides(_value(onside), _value(offside)))

    # What kind of game it is.

    @property
    def is_stopper(self) -> bool:
        """Whether it equals a stopper: no play in turns goes on for ever, from any position."""
        return self._value.is_stopper

    @property
    def is_stopper_sided(self) -> bool:
        """Whether its sides are known."""
        return self._value.is_stopper or self._value.sides is not None

    @property
    def short_game(self) -> ShortGame | None:
        """The short game that it equals, if it does."""
        return self._value.short

    @property
    def onside(self) -> LoopyGame:
        """The stopper that it equals if draws are counted for Left. Raises `NotStopperSided`.

        >>> LoopyGame.parse("tis").onside, LoopyGame.parse("tis").offside
        (LoopyGame.parse('1'), LoopyGame.parse('0'))
        """
        if self._value.is_stopper:
            return self
        return self._of(values.of_stopper(values.sides_of(self._value)[0]))

    @property
    def offside(self) -> LoopyGame:
        """The stopper that it equals if draws are counted for Right. Raises `NotStopperSided`."""
        if self._value.is_stopper:
            return self
        return self._of(values.of_stopper(values.sides_of(self._value)[1]))

    @property
    def degree(self) -> LoopyGame:
        """The degree of loopiness: the onside of G − G, 0 for short games. Raises
        `NotStopperSided`.

        >>> LoopyGame.parse("3/2under").degree, LoopyGame.parse("upon").degree
        (LoopyGame.parse('over'), LoopyGame.parse('^<on>'))
        """
        return (self - self).onside

    # Options and text.

    @property
    def left(self) -> tuple[LoopyGame, ...]:
        """Left's options: of a stopper the canonical ones, else those of a form. Raises ValueError
        if only the sides of the game are known."""
        return self._options(0)

    @property
    def right(self) -> tuple[LoopyGame, ...]:
        """Right's options, as `left`."""
        return self._options(1)

    def _options(self, side: int) -> tuple[LoopyGame, ...]:
        if self._value.short is not None:
            short = self._value.short
            return tuple(self.short(game) for game in (short.left, short.right)[side])
        form = values.form_of(self._value)
        return tuple(self._follower(form, place) for place in form.sides(0)[side])

    def _follower(self, form: Graph, place: int) -> LoopyGame:
        short = form.values[place]
        if short is not None:
            return self.short(short)
        graph = follower(form, place)
        known = self._value.is_stopper
        return self._of(values.of_stopper(graph) if known else values.of_graph(graph))

    def text(self, *, unicode: bool = False) -> str:
        """The game in CGSuite's notation, ASCII unless `unicode`: its simplest form, its sides,
        or some form. Raises `GameLimit` past a million characters.

        >>> LoopyGame.parse("1/2 + upon + *").text(unicode=True)
        '1/2↑[on]∗'
        """
        return notation.text(self._value, unicode)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        try:
            return f"LoopyGame.parse({str(self)!r})"
        except GameLimit:
            return "<LoopyGame>"

    # Outcomes.

    @property
    def outcome(self) -> str:
        """Who wins: "L" Left, "R" Right, "N" the next player, "P" the previous one, "D" nobody;
        "N^" or "P^" if instead of Right's win there is a draw, "Nv" or "Pv" if instead of Left's.

        >>> [LoopyGame.parse(text).outcome for text in ("over", "dud", "tis", "{0|dud,*}")]
        ['L', 'D', 'P^', 'N^']
        """
        return outcome(self._value)

    def outcome_with_draws_to(self, player: str) -> str:
        """Who wins, "L", "R", "N" or "P", if draws are won by Left ("L") or Right ("R")."""
        if player not in ("L", "R"):
            raise ValueError(f"draws are won by L or R, not by {player!r}")
        return outcome_with_draws_to(self._value, player)

    # Order.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LoopyGame | ShortGame | int | Fraction):
            return NotImplemented
        try:
            value = _value(other)
        except ValueError:
            return False
        return values.equal(self._value, value)

    def __hash__(self) -> int:
        if self._value.short is not None:
            return hash(self._value.short)
        return hash(("LoopyGame", self._value.sides or self._value.form))

    def __reduce__(self) -> tuple[Any, ...]:
        return LoopyGame._of, (self._value,)

    def __le__(self, other: Game) -> bool:
        if not isinstance(other, LoopyGame | ShortGame | int | Fraction):
            return NotImplemented
        return values.leq(self._value, _value(other))

    def __ge__(self, other: Game) -> bool:
        if not isinstance(other, LoopyGame | ShortGame | int | Fraction):
            return NotImplemented
        return values.leq(_value(other), self._value)

    def __lt__(self, other: Game) -> bool:
        if not isinstance(other, LoopyGame | ShortGame | int | Fraction):
            return NotImplemented
        return self <= other and not self >= other

    def __gt__(self, other: Game) -> bool:
        if not isinstance(other, LoopyGame | ShortGame | int | Fraction):
            return NotImplemented
        return self >= other and not self <= other

    def confused_with(self, other: Game) -> bool:
        """Whether neither is ≤ the other. Raises `NotStopperSided`, as the comparisons do."""
        return not self <= other and not self >= other

    # Sums.

    def __add__(self, other: Game) -> LoopyGame:
        if not isinstance(other, LoopyGame | ShortGame | int | Fraction):
            return NotImplemented
        return self._of(values.add(self._value, _value(other)))

    __radd__ = __add__

    def __sub__(self, other: Game) -> LoopyGame:
        if not isinstance(other, LoopyGame | ShortGame | int | Fraction):
            return NotImplemented
        return self._of(values.add(self._value, values.negate(_value(other))))

    def __rsub__(self, other: Game) -> LoopyGame:
        return -self + other

    def __neg__(self) -> LoopyGame:
        return self._of(values.negate(self._value))

    def __pos__(self) -> LoopyGame:
        return self

    def __mul__(self, count: int) -> LoopyGame:
        if not isinstance(count, int):
            return NotImplemented
        return self._of(values.multiple(count, self._value))

    __rmul__ = __mul__


Game = Union[LoopyGame, ShortGame, int, Fraction]  # noqa: UP007 - it is used before it is known


def _value(game: Game) -> Value:
    if isinstance(game, LoopyGame):
        return game._value
    if isinstance(game, int):
        return Value(ShortGame.integer(game))
    if isinstance(game, Fraction):
        return Value(ShortGame.number(game))
    if isinstance(game, ShortGame):
        return Value(game)
    raise TypeError(f"{type(game).__name__} is no game")


def _option(option: object) -> Value:
    if isinstance(option, LoopyGame | ShortGame | int | Fraction):
        return _value(option)
    raise KeyError(f"{option!r} is neither a position of the graph nor a game")
