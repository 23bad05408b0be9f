"""Traces: recorded plays with states, legal moves and goals, to hold an engine against another.

A trace is a file of JSON lines: a header with the roles; one line a step with `state` (canonical
KIF, sorted), `legal` (role → sorted moves), `move` (one for each role), `terminal` and `goals`; and
a closing line. Plays longer than `MAX_STEPS` are cut and marked `truncated`.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ggp.errors import InputError
from ggp.game import Game, State

MAX_STEPS = 40


@dataclass(frozen=True)
class Disagreement:
    """The first place where a game and a trace differ."""

    playout: int
    step: int
    what: str
    expected: Any
    found: Any

    def __str__(self) -> str:
        where = f"playout {self.playout}, step {self.step}"
        return f"{where}: {self.what}: expected {self.expected}, found {self.found}"


def read_trace(path: str | Path) -> Iterator[dict[str, Any]]:
    """The records of a trace file, plain or gzipped; raises `InputError` where it is unreadable."""
    try:
        opener = gzip.open if str(path).endswith(".gz") else open
        with opener(path, "rt", encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise InputError(f"{path}: a record is no object")
                yield record
    except (OSError, EOFError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error


def replay(game: Game, records: Iterator[dict[str, Any]]) -> tuple[int, Disagreement | None]:
    """Follow a trace; returns the number of steps that agree, and the first that does not.

    A step's state must be the one that the moves before it lead to. Legal moves, end and goals are
    compared wherever the trace gives them.
    """
    agreed = 0
    state = game.initial
    for record in records:
        if record.get("type") == "header" and record["roles"] != list(game.roles):
            return 0, Disagreement(0, 0, "roles", record["roles"], list(game.roles))
        if record.get("type") != "step":
            continue
        if record["step"] == 0:
            state = game.initial
        for what, expected, found in _compare(state, record):
            if expected != found:
                return agreed, Disagreement(
                    record["playout"], record["step"], what, *_differences(expected, found)
                )
        agreed += 1
        if record.get("move"):
            state = state.play(dict(zip(game.roles, record["move"], strict=True)))
    return agreed, None


def _compare(state: State, record: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """What the trace says of a step, and what the state says."""
    yield "state", record["state"], [str(fact) for fact in state.facts]
    yield "terminal", record["terminal"], state.terminal
    for role, moves in (record.get("legal") or {}).items():
        yield f"legal moves of {role}", moves, [str(move) for move in state.legal(role)]
    sets = record.get("goalSets")
    if sets is None and record.get("goals") is not None:
        sets = {role: [str(value)] for role, value in record["goals"].items()}
    for role, values in (sets or {}).items():
        yield f"goals of {role}", values, _goal_sets(state)[role]


def _goal_sets(state: State) -> dict[str, list[str]]:
    """The goal values that hold for each role, as text, sorted."""
    held = state.game.evaluator.goals(state.position)
    return {
        role: sorted(map(str, values)) for role, values in zip(state.game.roles, held, strict=True)
    }


def _differences(expected: Any, found: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Two long lists cut down to what only one of them has."""
    if isinstance(expected, list) and isinstance(found, list):
        return (
            [x for x in expected if x not in found][:8],
            [x for x in found if x not in expected][:8],
        )
    return expected, found


def record_traces(game: Game, playouts: int, seed: int) -> Iterator[dict[str, Any]]:
    """A trace of random plays of `game`, reproducible for a seed."""
    yield {
        "type": "header",
        "game": Path(game.name).name.split(".")[0],
        "roles": list(game.roles),
        "engine": "ggp",
        "seed": seed,
        "maxSteps": MAX_STEPS,
    }
    choose = random.Random(seed).choice
    steps = ends = 0
    for playout in range(playouts):
        state = game.initial
        for step in range(MAX_STEPS + 1):
            record: dict[str, Any] = {"type": "step", "playout": playout, "step": step}
            record["state"] = [str(fact) for fact in state.facts]
            record["terminal"] = state.terminal
            steps += 1
            if state.terminal:
                ends += 1
                yield {**record, "legal": None, "move": None, **_ending(state)}
                break
            legal = {role: [str(m) for m in state.require_legal(role)] for role in game.roles}
            record["legal"] = legal
            if step == MAX_STEPS:
                yield {**record, "move": None, **_ending(state), "truncated": True}
                break
            move = [choose(legal[role]) for role in game.roles]
            yield {**record, "move": move, "goals": None}
            state = state.play(dict(zip(game.roles, move, strict=True)))
    yield {"type": "end", "status": "ok", "playouts": playouts, "steps": steps, "terminals": ends}


def _ending(state: State) -> dict[str, Any]:
    """The goals of a play's last state: the values, where there is one for each role, and all."""
    sets = _goal_sets(state)
    single = all(len(values) == 1 for values in sets.values())
    goals = {role: int(values[0]) for role, values in sets.items()} if single else None
    return {"goals": goals if state.terminal else None, "goalSets": sets}
