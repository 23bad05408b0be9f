"""What a person reads first: some sentences about a game, each of them exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ggp.analysis import Findings

MAX_ROLES = 4
"""Roles that are named."""

_TURNS = {
    "alternating": "move in turn",
    "with extra turns": "move one at a time, in no fixed order",
    "simultaneous": "move at the same time",
}

_ENDS = {
    "win-lose": "each end is a win or a loss",
    "win-lose-draw": "each end is a win, a loss or a draw",
    "scored": "the end is scored",
}


def summary(findings: Findings) -> list[str]:
    """Sentences about a game from its findings, and what is open; without the solution."""
    lines = [_kind(findings), _course(findings), _faults(findings)]
    open_ = [f.property.replace("_", " ") for f in findings if f.certainty == "unknown"]
    if open_:
        lines.append(f"Not settled: {', '.join(open_)}.")
    return [line for line in lines if line]


def _kind(findings: Findings) -> str:
    """Who plays, and what kind of game it is."""
    value = findings.value
    chance = None if value("deterministic") else _chance(findings.roles)
    players = [role for role in findings.roles if role != chance]
    shown = players if len(players) <= MAX_ROLES else players[: MAX_ROLES - 1]
    names = _listed([*shown, f"{len(players) - len(shown)} more"] if shown != players else shown)
    if len(players) == 1:
        text = f"A game for {names}"
    elif len(players) == 0:
        text = "A game of chance alone"
    else:
        text = f"A game of {names}"
        text += f", who {_TURNS[value('turns')]}" if value("turns") in _TURNS else ""
    if players and value("deterministic") is False:
        text += "; chance has a part"
    kinds = [f"{value('form')} play"] if value("form") in ("normal", "misère") else []
    kinds += ["impartial"] if value("impartial") else []
    if value("impartial") is False:
        kinds.append("partisan")
    if value("heaps"):
        kinds.append(
            f"a sum of {len(value('heaps'))} heaps" if len(value("heaps")) > 1 else "a heap"
        )
    elif value("sum"):
        kinds.append(f"a sum of {len(value('sum'))} parts")
    return text + (f": {', '.join(kinds)}." if kinds else ".")


def _chance(roles: Sequence[str]) -> str | None:
    """The role that chance plays: `random`, if need be in another case."""
    return (
        "random" if "random" in roles else next((r for r in roles if r.lower() == "random"), None)
    )


def _course(findings: Findings) -> str:
    """How long play lasts, how many positions there are, and how it can end."""
    value = findings.value
    parts = []
    shortest, longest, bound = map(value, ("shortest_play", "longest_play", "length_bound"))
    if shortest is not None and longest is not None:
        length = f"{longest:,}" if shortest == longest else f"{shortest:,} to {longest:,}"
        parts.append(f"it ends after {length} move{'s' * (longest != 1)}")
    elif value("cyclic"):
        parts.append("positions can come up again")
    elif bound is not None:
        parts.append(f"it lasts {bound:,} moves at the most")
    if value("reachable_states") is not None:
        count = value("reachable_states")
        parts.append(
            f"there {'is' if count == 1 else 'are'} {count:,} position{'s' * (count != 1)}"
        )
    if value("outcome_kind") in _ENDS:
        kind = _ENDS[value("outcome_kind")]
        parts.append(kind + (", zero-sum" if value("zero_sum") and "scored" in kind else ""))
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _faults(findings: Findings) -> str:
    """What would be a fault of most games."""
    value, faults = findings.value, []
    if value("playable") is False:
        faults.append("it is not playable as the rules stand")
    if value("terminating") is False:
        faults.append("play can come to where no end is in reach")
    if value("winnable") is False:
        faults.append("not every player can reach their best goal")
    return f"But {', and '.join(faults)}." if faults else ""


def _listed(names: Sequence[Any]) -> str:
    *first, last = map(str, names) if names else ("",)
    return f"{', '.join(first)} and {last}" if first else last
