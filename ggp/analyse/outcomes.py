"""Kinds of outcome, from the goals at the ends of play."""

from __future__ import annotations

from collections.abc import Collection

from ggp.game import Game


def best_goals(game: Game) -> list[int | None]:
    """For each role the best goal that its rules name, whether some state has it or not; None for
    a role without goals."""
    best = [max((value for value, _ in known), default=None) for known in game.net.goals]
    for rule in game.rules.rules:
        if rule.head.name == "goal" and str(rule.head.args[1]).isdigit():
            value, whose = int(str(rule.head.args[1])), rule.head.args[0]
            for i, role in enumerate(game.roles):
                if whose.is_variable or str(whose) == role:
                    best[i] = max(value, best[i] or 0)
    return best


def kind_of(goals: Collection[tuple[int, ...]]) -> str:
    """`win-lose`, `win-lose-draw` or `scored`; each of `goals` has one value for each player.

    With several players one has the best goal and all others the worst, or (a draw) all have the
    same; just one such draw may occur. One player wins with 100 and loses with 0.
    """
    everything = [goal for row in goals for goal in row]
    low, high = min(everything, default=0), max(everything, default=0)
    several = any(len(row) > 1 for row in goals)

    def is_decided(row: tuple[int, ...]) -> bool:
        if not several:
            return row[0] in (0, 100)
        return row.count(high) == 1 and all(goal in (low, high) for goal in row)

    level = {row for row in goals if several and len(set(row)) == 1}
    if all(is_decided(row) for row in goals):
        return "win-lose"
    if len(level) == 1 and all(is_decided(row) or row in level for row in goals):
        return "win-lose-draw"
    return "scored"
