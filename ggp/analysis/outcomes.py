"""Kinds of outcome, from the goals at the ends of play."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ggp.game import Game

STUCK = "the game is not over although a role, and so the role to move, can make no move"
"""Why a game is of no form."""

LEFT_OVER = "the game is over although the role to move has a legal move"
"""The same."""


def goals_of_the_rules(game: Game) -> list[tuple[int, ...]]:
    """For each role the goal values, ascending, that the rules name for it.

    The one meaning of a role's "best" and "worst" goal. A value counts if a rule's head gives it to
    that role by name, whether it can ever have it or not; or if an instance of a rule does with
    fluents that can come up, as far as grounding tells. `(goal ?p 100)` with a body that nothing of
    a role satisfies gives that role nothing.
    """
    found = [{value for value, _ in known} for known in game.net.goals]
    for rule in game.rules.rules:
        if rule.head.name == "goal" and str(rule.head.args[1]).isdigit():
            for role, own in zip(game.net.roles, found, strict=True):
                if rule.head.args[0] == role:
                    own.add(int(str(rule.head.args[1])))
    return [tuple(sorted(own)) for own in found]


def goals_of_form(
    of_rules: Sequence[tuple[int, ...]], mover: int, *, loses: bool
) -> tuple[int, ...] | None:
    """The goals of two roles at an end of normal play with `mover` to move: its worst of the rules,
    and the other's best; of misère play, unless it `loses`, the other way round.

    None where that is neither a loss nor a win: a role has the same goal whatever happens, and it
    is not on the right side of the other's.
    """
    wanted = [
        (values or (0,))[0 if (role == mover) == loses else -1]
        for role, values in enumerate(of_rules)
    ]
    own, other = wanted[mover], wanted[1 - mover]
    is_open = all(len(values) > 1 for values in of_rules)
    return tuple(wanted) if is_open or (own < other if loses else own > other) else None


def players_goals(game: Game) -> list[tuple[int, ...]]:
    """The same for all roles but that of chance."""
    values = goals_of_the_rules(game)
    return [own for role, own in enumerate(values) if role != game.chance]


def kind_of(goals: Collection[tuple[int, ...]], of_rules: Sequence[tuple[int, ...]]) -> str:
    """`win-lose`, `win-lose-draw` or `scored`; each of `goals` has one value for each player.

    `of_rules`: for each player the values of the rules, ascending. With several players one has 100
    and all others 0, or the same with the best and the worst goal of the rules, if these are the
    same for all players; or (a draw) all have the same, and just one such draw occurs. One player
    wins with 100 and loses with 0. More ends make no simpler kind.
    """
    drawn = set()
    for row in goals:
        if not is_decided(row, of_rules):
            if len(row) < 2 or len(set(row)) > 1:
                return "scored"
            drawn.add(row)
    return ("win-lose", "win-lose-draw", "scored")[min(2, len(drawn))]


def is_decided(row: tuple[int, ...], of_rules: Sequence[tuple[int, ...]]) -> bool:
    """Whether an end of play has one winner, and all other players lose."""
    if len(row) == 1:
        return row[0] in (0, 100)
    ranges = {(values[0], values[-1]) for values in of_rules if values}
    worst, best = ranges.pop() if len(ranges) == 1 else (0, 100)
    return any(
        low < high and row.count(high) == 1 and row.count(low) == len(row) - 1
        for low, high in ((worst, best), (0, 100))
    )
