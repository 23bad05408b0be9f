"""Play of sums by the temperatures of their parts, and who wins a sum.

Hotstrat and thermostrat: Berlekamp, Conway and Guy, Winning Ways, chapter 6. Sentestrat: E.
Berlekamp, The economist's view of combinatorial games, in: Games of No Chance (1996).

The bounds are of the number that play comes to, if it goes on until all parts are numbers, against
every play of the other. Σm are the means of the parts together, and t is the highest of their
temperatures; they are told for Left, and Right has their mirror image.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from ggp.theory.short.game import ShortGame
from ggp.theory.short.outcomes import mover_wins, simplified
from ggp.theory.short.thermograph import Thermograph


class Choice(NamedTuple):
    """A move: in which `part` of the sum, what it leaves there, and the ambient temperature."""

    part: int
    option: ShortGame
    ambient: Fraction


def sum_outcome(parts: Sequence[ShortGame]) -> str:
    """The outcome of a sum, as `ShortGame.outcome`, found without its canonical form.

    Raises `GameLimit` within `limited`: each position of the sum that is searched is a step.

    >>> switches = [ShortGame.switch(3**n) for n in range(12)]
    >>> sum_outcome(switches), sum_outcome([*switches, ShortGame.integer(200_000)])
    ('N', 'L')
    """
    first, second = (wins_sum(parts, left) for left in (True, False))
    return {(True, True): "N", (True, False): "L", (False, True): "R"}.get((first, second), "P")


def wins_sum(parts: Sequence[ShortGame], left: bool) -> bool:
    """Whether the player to move, Left or Right, wins a sum. Raises `GameLimit` as `sum_outcome`.

    >>> wins_sum([ShortGame.switch(2), ShortGame.switch(1), ShortGame.integer(-1)], left=True)
    False
    """
    return mover_wins(simplified(g._id for g in parts), left)


def hottest(parts: Sequence[ShortGame]) -> Fraction:
    """The highest temperature of some games; −1 of none."""
    return max((g.temperature for g in parts), default=Fraction(-1))


def hotstrat(parts: Sequence[ShortGame], left: bool) -> Choice | None:
    """The best move at its temperature in the hottest part; None where the player has no move.

    No bound is known here.

    >>> hotstrat([ShortGame.switch(1), ShortGame.parse("{5|-3}")], left=False)
    Choice(part=1, option=ShortGame.parse('-3'), ambient=Fraction(4, 1))
    """
    found = [i for i, g in enumerate(parts) if _options(g, left)]
    if not found:
        return None
    part = max(found, key=lambda i: parts[i].temperature)
    t = parts[part].temperature
    return Choice(part, _best(parts[part], left, t), t)


def sentestrat(
    parts: Sequence[ShortGame], left: bool, ambient: Fraction, last: int | None = None
) -> Choice | None:
    """An answer in the part where the other has just moved (`last`), if that is hotter than the
    ambient temperature; else the hottest part, to whose temperature the ambient one sinks.

    `ambient`: of the choice before, and of the first choice the highest temperature before either
    moved. None where the player has no move. Who begins comes to Σm at the least, the second player
    to Σm − t: each time the ambient temperature sinks, the other is ahead by no more than that.

    >>> sentestrat([ShortGame.parse("{9|1}"), ShortGame.switch(5)], True, Fraction(2), last=0)
    Choice(part=0, option=ShortGame.parse('9'), ambient=Fraction(2, 1))
    """
    if last is not None and parts[last].temperature > ambient and _options(parts[last], left):
        return Choice(last, _best(parts[last], left, ambient), ambient)
    found = hotstrat(parts, left)
    if found is None:
        return None
    ambient = min(ambient, found.ambient)
    return Choice(found.part, _best(parts[found.part], left, ambient), ambient)


def thermostrat(parts: Sequence[ShortGame], left: bool) -> Choice | None:
    """The best move at the ambient temperature in the part whose thermograph is widest there.

    That is the least temperature at which all right walls and the greatest width make the most
    (for Left). None where the player has no move. Who begins comes to Σm at the least, the second
    player to Σm − t.

    >>> thermostrat([ShortGame.switch(1), ShortGame.parse("{5|-3}")], left=True).part
    1
    """
    if all(g.is_number for g in parts):
        return hotstrat(parts, left)
    walls = [(g.thermograph.left, g.thermograph.right) for g in parts]
    tried = {max(t, Fraction(0)) for pair in walls for wall in pair for t, _ in wall}
    graphs = [g.thermograph for g in parts]
    ambient = max(sorted(tried), key=lambda t: _compound(graphs, left, t))
    hot = [i for i, g in enumerate(parts) if not g.is_number]
    part = max(hot, key=lambda i: (_width(graphs[i], ambient), parts[i].temperature))
    return Choice(part, _best(parts[part], left, ambient), ambient)


def _compound(graphs: Sequence[Thermograph], left: bool, t: Fraction) -> Fraction:
    """What the player who begins is sure of at a temperature, signed so that more is better."""
    second = sum((g.right_wall(t) if left else -g.left_wall(t) for g in graphs), Fraction(0))
    return second + max(_width(g, t) for g in graphs)


def _width(graph: Thermograph, t: Fraction) -> Fraction:
    return graph.left_wall(t) - graph.right_wall(t)


def _options(game: ShortGame, left: bool) -> tuple[ShortGame, ...]:
    return game.left if left else game.right


def _best(game: ShortGame, left: bool, t: Fraction) -> ShortGame:
    """The option of a player that is worth most at a temperature, where the other moves next."""
    if left:
        return max(game.left, key=lambda option: option.thermograph.right_wall(t))
    return min(game.right, key=lambda option: option.thermograph.left_wall(t))
