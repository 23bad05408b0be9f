"""`ShortGame`: the value of a short partisan game."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, ClassVar, NoReturn

from ggp.displayed import Displayed
from ggp.theory.short import notation, parsing, reductions, sums, table
from ggp.theory.short import thermograph as graphs
from ggp.theory.short.canonical import canonical
from ggp.theory.short.meter import GameLimit
from ggp.theory.short.order import leq
from ggp.theory.short.thermograph import Thermograph


class ShortGame(Displayed):
    """The value of a short game under normal play: finite, without cycles, Left against Right.

    Games are equal if their values are, whatever their options were; a game is kept in canonical
    form, once. Integers and dyadic `Fraction`s stand for games wherever one is expected.

    >>> half = ShortGame([0], [1])
    >>> half + half == 1, half == Fraction(1, 2)
    (True, True)
    >>> ShortGame.parse("{3|{2|0}} + ^*")
    ShortGame.parse('{3^*|{2^*|^*}}')
    """

    __slots__ = ("_id",)
    _id: int
    _all: ClassVar[dict[int, ShortGame]] = {}

    def __new__(
        cls,
        left: Iterable[ShortGame | int | Fraction] = (),
        right: Iterable[ShortGame | int | Fraction] = (),
    ) -> ShortGame:
        """The game { left | right }."""
        return cls._of(canonical([_id(g) for g in left], [_id(g) for g in right]))

    @classmethod
    def _of(cls, place: int) -> ShortGame:
        found = cls._all.get(place)
        if found is None:
            made = object.__new__(cls)
            object.__setattr__(made, "_id", place)
            found = cls._all.setdefault(place, made)
        return found

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("games are immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("games are immutable")

    # Constructors.

    @classmethod
    def integer(cls, n: int) -> ShortGame:
        """n moves of Left, or −n of Right."""
        return cls._of(table.number_up_star(int(n)))

    @classmethod
    def number(cls, x: int | Fraction) -> ShortGame:
        """A dyadic rational. Raises ValueError for any other number.

        >>> ShortGame.number(Fraction(-3, 4)).right
        (ShortGame.parse('-1/2'),)
        """
        return cls._of(table.number_up_star(table.dyadic(x)))

    @classmethod
    def nimber(cls, n: int) -> ShortGame:
        """∗n: a heap of n in Nim. Raises ValueError below zero."""
        if n < 0:
            raise ValueError(f"there is no nimber {n}")
        return cls._of(table.number_up_star(0, 0, n))

    @classmethod
    def up(cls, n: int = 1, nimber: int = 0) -> ShortGame:
        """n·↑ + ∗nimber; downs if n is negative.

        >>> ShortGame.up(1) == ShortGame([0], [ShortGame.nimber(1)])
        True
        """
        return cls.nimber(nimber) + cls._of(table.number_up_star(0, n))

    @classmethod
    def switch(cls, x: ShortGame | int | Fraction, *more: ShortGame | int | Fraction) -> ShortGame:
        """±x: Left can move to x, Right to −x; or to any of several."""
        left = [_id(g) for g in (x, *more)]
        return cls._of(canonical(left, [sums.negate(g) for g in left]))

    @classmethod
    def tiny(cls, x: ShortGame | int | Fraction) -> ShortGame:
        """⧾x = { 0 || 0 | −x }."""
        return cls._of(parsing.tiny(_id(x)))

    @classmethod
    def miny(cls, x: ShortGame | int | Fraction) -> ShortGame:
        """⧿x = { x | 0 || 0 }, the negative of tiny."""
        return -cls.tiny(x)

    @classmethod
    def parse(cls, text: str) -> ShortGame:
        """The game that a text says: braces, number-up-stars, sums, multiples, ±, tiny and miny.

        Raises `NotationError`, which says where.

        >>> ShortGame.parse("{2||1|0} - 3.^ + 1/2*")
        ShortGame.parse('{5/2v3*|{3/2v3*|1/2v3*}}')
        >>> ShortGame.parse("{0|1")
        Traceback (most recent call last):
        ggp.theory.short.parsing.NotationError: 1:5: the text ends within a game
        """
        return cls._of(parsing.parse(text))

    # Options and text.

    @property
    def left(self) -> tuple[ShortGame, ...]:
        """Left's canonical options: number-up-stars by their parts, then by birthday and text."""
        return tuple(map(self._of, notation.told(table.left_options(self._id))))

    @property
    def right(self) -> tuple[ShortGame, ...]:
        """Right's canonical options, in the order of `left`."""
        return tuple(map(self._of, notation.told(table.right_options(self._id))))

    def text(self, *, unicode: bool = False) -> str:
        """The canonical form in CGSuite's notation, ASCII unless `unicode`.

        Raises `GameLimit` past a million characters.

        >>> game = ShortGame.parse("^^* + +-1")
        >>> game.text(), game.text(unicode=True)
        ('{1^^*|-1^^*}', '{1⇑∗|-1⇑∗}')
        """
        return notation.text(self._id, unicode)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        try:
            return f"ShortGame.parse({str(self)!r})"
        except GameLimit:
            return f"<ShortGame of birthday {self.birthday}>"

    def __hash__(self) -> int:
        parts = table.NUMBER_UP_STAR[self._id]
        return hash(parts[0]) if parts and parts[1:] == (0, 0) else hash(("ShortGame", self._id))

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (_nodes(self._id),)

    # Order.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ShortGame | int | Fraction):
            return NotImplemented
        try:
            return self._id == _id(other)
        except ValueError:
            return False

    def __le__(self, other: ShortGame | int | Fraction) -> bool:
        if not isinstance(other, ShortGame | int | Fraction):
            return NotImplemented
        return leq(self._id, _id(other))

    def __ge__(self, other: ShortGame | int | Fraction) -> bool:
        if not isinstance(other, ShortGame | int | Fraction):
            return NotImplemented
        return leq(_id(other), self._id)

    def __lt__(self, other: ShortGame | int | Fraction) -> bool:
        if not isinstance(other, ShortGame | int | Fraction):
            return NotImplemented
        return self._id != _id(other) and leq(self._id, _id(other))

    def __gt__(self, other: ShortGame | int | Fraction) -> bool:
        if not isinstance(other, ShortGame | int | Fraction):
            return NotImplemented
        return self._id != _id(other) and leq(_id(other), self._id)

    def confused_with(self, other: ShortGame | int | Fraction) -> bool:
        """Whether neither is ≤ the other: who moves first in the difference wins."""
        place = _id(other)
        return not leq(self._id, place) and not leq(place, self._id)

    # Sums.

    def __add__(self, other: ShortGame | int | Fraction) -> ShortGame:
        if not isinstance(other, ShortGame | int | Fraction):
            return NotImplemented
        return self._of(sums.add(self._id, _id(other)))

    __radd__ = __add__

    def __sub__(self, other: ShortGame | int | Fraction) -> ShortGame:
        if not isinstance(other, ShortGame | int | Fraction):
            return NotImplemented
        return self._of(sums.subtract(self._id, _id(other)))

    def __rsub__(self, other: int | Fraction) -> ShortGame:
        if not isinstance(other, int | Fraction):
            return NotImplemented
        return self._of(sums.subtract(_id(other), self._id))

    def __neg__(self) -> ShortGame:
        return self._of(sums.negate(self._id))

    def __pos__(self) -> ShortGame:
        return self

    def __mul__(self, count: int) -> ShortGame:
        if not isinstance(count, int):
            return NotImplemented
        return self._of(sums.multiple(count, self._id))

    __rmul__ = __mul__

    def ordinal_sum(self, other: ShortGame | int | Fraction) -> ShortGame:
        """G : H, where a move in G ends H. G is taken in its canonical form.

        >>> ShortGame.integer(1).ordinal_sum(-1)
        ShortGame.parse('1/2')
        """
        return self._of(sums.ordinal_sum(self._id, _id(other)))

    # What holds of a game.

    @property
    def outcome(self) -> str:
        """Who wins: "L" Left, "R" Right, "N" the next player to move, "P" the previous one."""
        if self._id == table.ZERO:
            return "P"
        if leq(table.ZERO, self._id):
            return "L"
        return "R" if leq(self._id, table.ZERO) else "N"

    @property
    def birthday(self) -> int:
        """The depth of the canonical form's tree."""
        return table.BIRTHDAY[self._id]

    @property
    def is_all_small(self) -> bool:
        """Whether in every follower either both players can move or neither (a dicot)."""
        return table.ALL_SMALL[self._id]

    @property
    def is_number(self) -> bool:
        """Whether the value is a number."""
        return table.is_number(self._id)

    @property
    def number_up_star(self) -> tuple[Fraction, int, int] | None:
        """Number, ups and nimber of which the game is the sum, or None.

        >>> ShortGame.parse("{0|^}").number_up_star
        (Fraction(0, 1), 2, 1)
        """
        parts = table.NUMBER_UP_STAR[self._id]
        return parts and (Fraction(parts[0]), parts[1], parts[2])

    @property
    def left_stop(self) -> Fraction:
        """The number that play comes to if Left begins and both stop at numbers."""
        return Fraction(table.LEFT_STOP[self._id])

    @property
    def right_stop(self) -> Fraction:
        """The number that play comes to if Right begins."""
        return Fraction(table.RIGHT_STOP[self._id])

    @property
    def mean(self) -> Fraction:
        """The value of many copies, by copy."""
        return graphs.mean(self._id)

    @property
    def temperature(self) -> Fraction:
        """How much a move is worth; −1 for integers, −1/2ᵏ for other numbers."""
        return graphs.temperature(self._id)

    @property
    def thermograph(self) -> Thermograph:
        """The stops at every temperature.

        >>> ShortGame.parse("{2|-1}").thermograph.left_wall(Fraction(1, 2))
        Fraction(3, 2)
        """
        return graphs.thermograph(self._id)

    def cool(self, t: int | Fraction) -> ShortGame:
        """The game cooled by t: each move costs t. Raises ValueError if t is negative or no dyadic
        rational.

        >>> ShortGame.parse("{2|-1}").cool(1), ShortGame.parse("{2|-1}").cool(2)
        (ShortGame.parse('{1|0}'), ShortGame.parse('1/2'))
        """
        cost = table.dyadic(t)
        if cost < 0:
            raise ValueError(f"a game is cooled by 0 or more, not by {t}")
        return self._of(graphs.cooled(self._id, cost))

    def freeze(self) -> ShortGame:
        """The game cooled by its temperature, if that is positive: its mean plus an infinitesimal.

        >>> ShortGame.parse("{2|-1}").freeze()
        ShortGame.parse('1/2*')
        """
        return self.cool(max(Fraction(0), self.temperature))

    def heat(self, t: int | Fraction) -> ShortGame:
        """The game heated by t: each move gains t, numbers stay. Raises ValueError if t is no
        dyadic rational.

        >>> ShortGame.nimber(1).heat(3)
        ShortGame.parse('+-3')
        """
        return self._of(graphs.heated(self._id, table.dyadic(t)))

    @property
    def reduced(self) -> ShortGame:
        """The reduced canonical form: the simplest game infinitesimally close.

        >>> ShortGame.parse("{1*|{0,*|-1^}}").reduced
        ShortGame.parse('{1|{0|-1}}')
        """
        return self._of(reductions.reduced(self._id))

    @property
    def atomic_weight(self) -> ShortGame | None:
        """The atomic weight of an all-small game: how many ups it is like. None for any other.

        >>> ShortGame.parse("{^^|v}").atomic_weight, ShortGame.parse("1^").atomic_weight
        (ShortGame.parse('1/2'), None)
        """
        weight = reductions.atomic_weight(self._id)
        return None if weight is None else self._of(weight)

    @property
    def left_incentives(self) -> tuple[ShortGame, ...]:
        """What each canonical move of Left gains him."""
        return tuple(option - self for option in self.left)

    @property
    def right_incentives(self) -> tuple[ShortGame, ...]:
        """What each canonical move of Right gains her."""
        return tuple(self - option for option in self.right)


def _id(game: ShortGame | int | Fraction) -> int:
    if isinstance(game, ShortGame):
        return game._id
    if isinstance(game, int | Fraction):
        return table.number_up_star(table.dyadic(game))
    raise TypeError(f"{type(game).__name__} is no game")


_Node = table.NumberUpStar | tuple[tuple[int, ...], tuple[int, ...]]


def _nodes(game: int) -> tuple[_Node, ...]:
    """The followers of a game, options first, each by the places of its options: for pickles."""
    places: dict[int, int] = {}
    nodes: list[_Node] = []

    def enter(g: int) -> int:
        parts = table.NUMBER_UP_STAR[g]
        if parts:
            nodes.append(parts)
        else:
            left, right = table.left_options(g), table.right_options(g)
            nodes.append((tuple(places[o] for o in left), tuple(places[o] for o in right)))
        return len(nodes) - 1

    table.unroll(game, places, table.hot_options, enter)
    return tuple(nodes)


def _rebuilt(nodes: tuple[_Node, ...]) -> ShortGame:
    """The game of `_nodes`."""
    games: list[int] = []
    for node in nodes:
        if len(node) == 3:
            games.append(table.number_up_star(*node))
        else:
            left, right = node
            games.append(canonical([games[i] for i in left], [games[i] for i in right]))
    return ShortGame._of(games[-1])
