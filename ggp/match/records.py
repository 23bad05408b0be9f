"""Records of matches, in the JSON that ggp-base's server writes and its tools read."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ggp.errors import IllegalMove, InputError, KifSyntaxError, LimitReached, UnknownName
from ggp.game import Game, State
from ggp.kif import Expr, List, Source, read, read_bytes
from ggp.text import shortened
from ggp.whole import replaced

MAX_RECORD = 64 << 20
"""Bytes of a record that is read."""


@dataclass
class Record:
    """A match from its start to where it is: by roles in their order.

    `moves` are texts in canonical KIF, of a record that was read as it has them; `errors` for each
    joint move what was wrong with each player's answer (`TO`, `CE`, `IL …`, or nothing), `states`
    the facts before each joint move and at the end, `times` when each state was reached, in seconds
    since 1970, `start` likewise.
    `presented`: what each player said of itself before. `goals` are there once the match is over.
    `rulesheet` is the text of the rules.
    """

    match: str
    game: str
    rulesheet: str
    roles: tuple[str, ...]
    players: tuple[str, ...]
    start_clock: float
    play_clock: float
    start: float
    token: str
    scrambled: bool = False
    strict_case: bool = False
    preview_clock: float | None = None
    presented: tuple[Mapping[str, str], ...] = ()
    moves: list[tuple[str, ...]] = field(default_factory=list)
    errors: list[tuple[str, ...]] = field(default_factory=list)
    states: list[tuple[str, ...]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    goals: tuple[int, ...] | None = None
    aborted: bool = False

    def as_dict(self) -> dict[str, Any]:
        """As ggp-base names things; times in milliseconds. What it does not know is added under
        names of its own."""
        found = {
            "matchId": self.match,
            "randomToken": self.token,
            "startTime": round(self.start * 1000),
            "gameMetaURL": "",
            "isCompleted": self.goals is not None,
            "isAborted": self.aborted,
            "states": [f"( {' '.join(map(_spaced, facts))} )" for facts in self.states],
            "moves": [list(map(_spaced, joint)) for joint in self.moves],
            "stateTimes": [round(time * 1000) for time in self.times],
            "errors": [list(errors) for errors in self.errors],
            "previewClock": -1 if self.preview_clock is None else _whole(self.preview_clock),
            "startClock": _whole(self.start_clock),
            "playClock": _whole(self.play_clock),
            "playerNamesFromHost": list(self.players),
            "playersPresented": [dict(said) for said in self.presented],
            "isPlayerHuman": [player == "human" for player in self.players],
            "scrambled": self.scrambled,
            "gameName": self.game,
            "gameRoleNames": list(self.roles),
            "gameRulesheet": self.rulesheet,
            "gameStrictCase": self.strict_case,
        }
        return found | ({} if self.goals is None else {"goalValues": list(self.goals)})

    def write(self, file: Path) -> None:
        """Write the record as it is now: the file is there whole, or as it was before.

        Raises `InputError` where that cannot be done.
        """
        try:
            self._write(file)
        except OSError as error:
            raise InputError(f"{file}: {error.strerror}") from None

    def _write(self, file: Path) -> None:
        with replaced(file) as part:
            part.write_text(json.dumps(self.as_dict(), indent=1) + "\n", "utf-8")


def _spaced(text: str) -> str:
    return text.replace("(", "( ").replace(")", " )")


def _whole(clock: float) -> float | int:
    return int(clock) if clock == int(clock) else clock


def read_record(file: str | Path) -> Record:
    """The record in a file, ours or ggp-base's; raises `InputError` for anything else."""
    return record_of(read_bytes(file, MAX_RECORD), file)


def record_of(text: str | bytes, file: str | Path) -> Record:
    """The record that a text is, which is from `file`; raises `InputError` for anything else."""
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{file}: not JSON: {error}") from None
    except ValueError:
        raise InputError(f"{file}: a number has too many digits") from None
    if not isinstance(data, dict):
        raise InputError(f"{file}: a record is one object")
    moves = _texts(file, data, "moves")
    width = max(map(len, moves), default=0)
    players = _names(data.get("playerNamesFromHost"))
    roles = _names(data.get("gameRoleNames"))
    goals = data.get("goalValues")
    if goals is not None and not (isinstance(goals, list) and all(map(_is_whole, goals))):
        raise InputError(f"{file}: no match record: goalValues are whole numbers")
    return Record(
        match=str(data.get("matchId", "")),
        game=str(data.get("gameName", "")),
        rulesheet=sheet if isinstance(sheet := data.get("gameRulesheet"), str) else "",
        roles=roles,
        players=players or tuple("?" for _ in range(width)),
        start_clock=_number(data.get("startClock")),
        play_clock=_number(data.get("playClock")),
        start=_number(data.get("startTime")) / 1000,
        token=str(data.get("randomToken", "")),
        scrambled=data.get("scrambled") is True,
        strict_case=data.get("gameStrictCase") is True,
        moves=moves,
        errors=_texts(file, data, "errors") if "errors" in data else [],
        states=_facts(file, data["states"]) if "states" in data else [],
        goals=None if goals is None else tuple(map(int, goals)),
        aborted=data.get("isAborted") is True,
    )


def _texts(file: str | Path, data: Mapping[str, Any], name: str) -> list[tuple[str, ...]]:
    """A list of lists of texts."""
    found = data.get(name)
    if not isinstance(found, list) or not all(
        isinstance(row, list) and all(isinstance(text, str) for text in row) for row in found
    ):
        raise InputError(f"{file}: no match record: {name} are lists of texts")
    return [tuple(row) for row in found]


def _facts(file: str | Path, found: object) -> list[tuple[str, ...]]:
    """States as records have them, each a list of facts."""
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise InputError(f"{file}: no match record: states are texts")
    states = []
    for text in found:
        try:
            exprs = read(Source("<state>", text))
        except (KifSyntaxError, LimitReached) as error:
            raise InputError(f"{file}: no match record: a state: {error}") from None
        if len(exprs) != 1 or not isinstance(exprs[0], List):
            raise InputError(f"{file}: no match record: a state is one list of facts")
        states.append(tuple(str(_bare(fact)) for fact in exprs[0].items))
    return states


def _bare(fact: Expr) -> Expr:
    """A fact without `true` around it."""
    is_wrapped = isinstance(fact, List) and len(fact.items) == 2 and str(fact.items[0]) == "true"
    return fact.items[1] if isinstance(fact, List) and is_wrapped else fact


def _names(found: object) -> tuple[str, ...]:
    return tuple(map(str, found)) if isinstance(found, list) else ()


def _is_whole(found: object) -> bool:
    """Whether something is a whole number, which some write with a point."""
    number = _number(found)
    return not isinstance(found, bool) and number == found and number.is_integer()


def _number(found: object) -> float:
    """A number that can be one, else 0."""
    try:
        number = float(found) if isinstance(found, (int, float)) else 0.0
    except OverflowError:
        return 0.0
    return number if math.isfinite(number) else 0.0


def _role_of(game: Game, name: str) -> str | None:
    """The role that a record names."""
    try:
        return game.roles[game.role_index(name)]
    except (KifSyntaxError, UnknownName):
        return None


def states_of(record: Record, game: Game) -> list[State]:
    """The states that the moves of a record lead to, the first one included.

    Raises `IllegalMove` with the number of the step for a move that cannot be made, `InputError`
    where moves are missing, or where the record has other roles or another state.
    """
    if record.roles and [_role_of(game, role) for role in record.roles] != list(game.roles):
        told = shortened(" ".join(record.roles))
        raise InputError(f"the record has the roles {told}: these are not its rules")
    states = [game.initial]
    for number, joint in enumerate(record.moves, start=1):
        if len(joint) != len(game.roles):
            raise InputError(f"step {number}: {len(joint)} moves for {len(game.roles)} roles")
        try:
            states.append(states[-1].play(dict(zip(game.roles, joint, strict=True))))
        except IllegalMove as error:
            raise IllegalMove(f"step {number}: {error}") from None
    if len(record.states) > len(states):
        raise InputError(f"{len(record.states)} states, and moves to {len(states)} of them")
    for number, (facts, state) in enumerate(zip(record.states, states, strict=False)):
        if {game.term(fact) for fact in facts} != set(state.facts):
            where = f"after step {number}" if number else "at first"
            raise InputError(f"{where} the record has another state: these are not its rules")
    return states
