"""The format of facts files: the keys of an instance, the shape of their values, what they say.

`docs/facts.schema.json` is `schema()`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ggp.facts.shapes import Shape

_COUNT = {"type": "integer", "minimum": 0}
_BOOL = {"type": "boolean"}
_TEXT = {"type": "string"}
_TERM = {"type": "string", "format": "kif"}


def _listed(items: Shape, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"type": "array", "items": items, **more}


def _one_of(*words: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(words)}


HEAP: dict[str, Shape] = {
    "fluent": _TEXT,
    "size": _COUNT,
    "subtraction_set": _listed({"type": "integer", "minimum": 1}),
    "floor": _COUNT,
    "scope": _one_of("table", "any size"),
    "nim_values": _listed(_COUNT),
    "period": _COUNT,
    "preperiod": _COUNT,
}
"""What is said of a heap; `fluent` with `?` for the size tells which one."""

_RULES: dict[str, tuple[Shape, str]] = {
    "roles": (_listed(_TEXT, minItems=1), "The roles, in the order of the sheet."),
    "perft": (
        _listed(_COUNT, minItems=1),
        "Distinct positions after 0, 1, 2 … moves, for as many plies as are listed.",
    ),
}
"""Facts that are read off the rules, or counted."""

_PROPERTIES: dict[str, tuple[Shape, str]] = {
    "players": (_COUNT, "How many roles there are, but for chance."),
    "deterministic": (_BOOL, "Whether chance has no part."),
    "turns": (
        _one_of("single-player", "alternating", "with extra turns", "simultaneous"),
        "Who moves when.",
    ),
    "form": (
        _one_of("normal", "misère", "other"),
        "Whether who has no move left loses (normal) or wins (misère).",
    ),
    "impartial": (_BOOL, "Whether both roles always have the same moves."),
    "all_small": (_BOOL, "Whether in every position both roles can move, or neither can."),
    "passes": (_BOOL, "Whether a move may leave the board as it is."),
    "sum": (_listed(_TEXT), "Parts of the board that no move has two of."),
    "octal_code": (_TEXT, "The code of the octal game that the rows of tokens follow."),
    "playable": (_BOOL, "Whether every role has a move in every state that is not an end."),
    "terminating": (_BOOL, "Whether an end can be reached from every state."),
    "cyclic": (_BOOL, "Whether play can come to the same state again."),
    "length_bound": (_COUNT, "Moves that no play exceeds, as proved by weights."),
    "shortest_play": (_COUNT, "Moves of the shortest play."),
    "longest_play": (_COUNT, "Moves of the longest play, where play is not cyclic."),
    "reachable_states": (_COUNT, "States that play can come to, the first one included."),
    "outcome_kind": (_one_of("win-lose", "win-lose-draw", "scored"), "What ends of play are."),
    "zero_sum": (_BOOL, "Whether the goals have the same sum at all ends."),
    "winnable": (_BOOL, "Whether each player can reach the best goal of the rules at some end."),
    "roles_exchangeable": (_BOOL, "Whether a symmetry exchanges the roles."),
    "symmetries": (_COUNT, "Permutations of fluents and moves that keep the rules."),
    "step_counters": (_listed({"type": "object"}), "Counters that advance with each move."),
    "successor_chains": (_listed({"type": "object"}), "Relations that are one chain."),
    "arithmetic": (_listed({"type": "object"}), "Relations that are tables of arithmetic."),
}
"""Facts that are findings: `ggp.analysis` has a property of the same name."""

_HEAPS: dict[str, tuple[Shape, str]] = {
    "heaps": (
        _listed(
            {
                "type": "object",
                "properties": HEAP,
                "required": ["fluent"],
                "additionalProperties": False,
            }
        ),
        "All heaps that the game is a sum of; of each what is to be checked.",
    ),
}

_SOLUTION: dict[str, tuple[Shape, str]] = {
    "goals": (
        {"type": "object", "additionalProperties": {"type": "number"}},
        "The goal of each role under best play.",
    ),
    "outcome": (
        _one_of("N", "P", "draw"),
        "Whether the player to move (N) or the other (P) wins, or neither does.",
    ),
    "best": (_listed(_TERM), "All best moves at the start, in KIF, in any order."),
    "nim_value": (_COUNT, "The nim-value of the start."),
    "shortest_solution": (_COUNT, "Moves of a shortest way to the best goal of a single player."),
}
"""Facts for which the game is solved."""

_THEORY: dict[str, tuple[Shape, str]] = {
    "value": (
        _TEXT,
        "The value of the start as a short game, in CGSuite's notation; the first role is Left.",
    ),
}
"""Facts of the theory of combinatorial games."""

_GROUPS = (_RULES, _PROPERTIES, _HEAPS, _SOLUTION, _THEORY)

FACTS: Mapping[str, Shape] = {name: row[0] for group in _GROUPS for name, row in group.items()}
"""All facts with the shape of their values."""

PROPERTIES, SOLUTION = frozenset(_PROPERTIES), frozenset(_SOLUTION)

_SET = {
    "type": "object",
    "additionalProperties": {"type": ["boolean", "number", "string", "array"]},
    "description": "The parameters of the template; those that are left out keep their defaults.",
}
_SOURCES = {
    "type": "object",
    "properties": {name: _TEXT for name in FACTS},
    "additionalProperties": False,
    "description": "Where each fact is from.",
}

INSTANCE: Shape = {
    "type": "object",
    "properties": {
        "set": _SET,
        **{n: {**row[0], "description": row[1]} for group in _GROUPS for n, row in group.items()},
        "sources": _SOURCES,
    },
    "additionalProperties": False,
}

FILE: Shape = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "description": "What to call the game."},
        "instance": _listed(INSTANCE, minItems=1),
    },
    "required": ["instance"],
    "additionalProperties": False,
}


def schema() -> dict[str, Any]:
    """The format as a JSON Schema, of the data that a TOML reader gives."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Facts about a rule sheet, beside it as NAME.toml",
        "description": "The page facts.md says how each is checked, by `ggp test`.",
        **FILE,
    }
