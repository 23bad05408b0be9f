"""Who wins a game: by survival, which needs no sides."""

from __future__ import annotations

from ggp.theory.loopy.simplify import together
from ggp.theory.loopy.survival import Survival
from ggp.theory.loopy.value import ZERO, Value, form_of, sides_of

OUTCOMES = {
    "LL": "L",
    "LR": "N",
    "RL": "P",
    "RR": "R",
    "DD": "D",
    "LD": "N^",
    "DL": "P^",
    "DR": "Nv",
    "RD": "Pv",
}
"""By who wins, or D, if Left begins and if Right begins."""


def outcome(value: Value) -> str:
    """One of the nine outcomes."""
    left, right = _survivals(value)
    return OUTCOMES["".join(_winner(left[n], right[n]) for n in (0, 1))]


def outcome_with_draws_to(value: Value, player: str) -> str:
    """One of the four outcomes without draws."""
    left, right = _survivals(value)
    wins = left if player == "L" else [not survives for survives in right]
    return OUTCOMES["".join("L" if win else "R" for win in wins)]


def _winner(left_survives: bool, right_survives: bool) -> str:
    if left_survives and right_survives:
        return "D"
    return "L" if left_survives else "R"


def _survivals(value: Value) -> tuple[list[bool], list[bool]]:
    """Whether Left survives if Left begins and if Right does; whether Right does."""
    if value.short is not None:
        left = [not value.short <= 0, value.short >= 0]
        return left, [not survives for survives in left]
    high, low = (value.form, value.form) if value.form else sides_of(value)
    both, zero, start = together(form_of(ZERO), high)
    survival = Survival(both, [(zero, start)])
    left = [survival.holds(zero, start, first) for first in (True, False)]
    both, zero, start = together(form_of(ZERO), low)
    survival = Survival(both, [(start, zero)])
    return left, [survival.holds(start, zero, first) for first in (False, True)]
