"""A match that is watched while it is played, by the players that come with the package."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from ggp.errors import GgpError, InputError, LimitReached, UnknownName
from ggp.game import Game, State
from ggp.match.manager import Making, MatchSettings, own_player, run_match
from ggp.match.records import Record
from ggp.play import PLAYERS, SearchPlayer
from ggp.show.board.words import name_of
from ggp.show.widget import telling
from ggp.studio.jobs import Heed, Say
from ggp.studio.tasks import Order
from ggp.studio.work.sheets import game_of
from ggp.studio.work.steps import (
    Drawer,
    MadeStep,
    ending,
    require_few_roles,
    seated,
    start_data,
    step_data,
)
from ggp.text import number as shown

LEAST_CLOCK, MOST_PLAY, MOST_START = 0.05, 60.0, 120.0
"""Seconds: of both clocks at the least, for a move and before the first one at the most."""

MOST_MOVES, MOST_SEED = 1_000, 1 << 48
"""Joint moves of a match that is watched; seeds."""

MEMORY = 1 << 30
"""Bytes for the trees of all players that search."""

MAX_STATES = 16 << 20
"""Characters of the states that are put into a record."""


def number(asked: Mapping[str, Any], name: str, default: float, low: float, high: float) -> float:
    """A number that a page asks for; raises `InputError` for anything else, and out of bounds."""
    found = asked.get(name, default)
    if type(found) not in (int, float) or not (low <= found <= high and math.isfinite(found)):
        raise InputError(f"{name.replace('_', ' ')}: a number from {shown(low)} to {shown(high)}")
    return float(found)


def whole(asked: Mapping[str, Any], name: str, default: int, low: int, high: int) -> int:
    """The same for a whole number."""
    found = number(asked, name, default, low, high)
    if found != int(found):
        raise InputError(f"{name}: a whole number")
    return int(found)


def seats(order: Order, say: Say, heed: Heed) -> None:
    """Say which roles there are to be given to players, and which players there are."""
    game = require_few_roles(game_of(order.sheet))
    roles = [name_of(role) for role in game.players]
    say({"kind": "seats", "roles": roles, "players": list(PLAYERS)})


def watch(order: Order, say: Say, heed: Heed) -> None:
    """Play a match and say each step as it is made.

    `players`: names in the order of the roles but that of chance; `play_clock`, `start_clock`,
    `moves`, `seed`. Parts have `record`, JSON of what they add to the record: a page puts it
    together, so that there is one whenever the match is stopped.
    """
    settings = _settings(order.asked)
    names = _names(order.asked)
    heed("reading the rules")
    game = require_few_roles(game_of(order.sheet))
    players = [(name, _player(name, settings.seed, MEMORY // len(names))) for name in names]
    watcher = _Watcher(say, heed)
    why = ""
    try:
        run_match(game, players, settings, watcher.told)
    except LimitReached as error:
        why = f"{error.value:g} moves at the most" if error.limit == "moves" else str(error)
    except GgpError as error:
        why = str(error)
    watcher.end(telling.line(why))


def _settings(asked: Mapping[str, Any]) -> MatchSettings:
    seed = None if asked.get("seed") is None else whole(asked, "seed", 0, 0, MOST_SEED)
    return MatchSettings(
        number(asked, "start_clock", 2.0, LEAST_CLOCK, MOST_START),
        number(asked, "play_clock", 1.0, LEAST_CLOCK, MOST_PLAY),
        most_moves=whole(asked, "moves", 200, 1, MOST_MOVES),
        seed=seed,
    )


def _names(asked: Mapping[str, Any]) -> list[str]:
    found = asked.get("players")
    if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
        raise InputError("players are a list of names")
    return found


def _player(name: str, seed: int | None, memory: int) -> Making:
    """A player that comes with the package: no other program is called from here."""
    if name not in PLAYERS:
        raise UnknownName(f"there is no player {name_of(name)} (there are: {', '.join(PLAYERS)})")
    kind = PLAYERS[name]
    if issubclass(kind, SearchPlayer):
        return own_player(partial(kind, memory=memory), seed)
    return own_player(kind, seed)


class _Watcher:
    """Says of a match what is new."""

    def __init__(self, say: Say, heed: Heed) -> None:
        self._say, self._heed = say, heed
        self._drawer, self._room = Drawer(), MAX_STATES
        self._last: State | None = None
        self._record: Record | None = None
        self._began = time.monotonic()

    def told(self, record: Record, state: State) -> None:
        """Called by the manager with each state that the match comes to."""
        if record.aborted:
            return
        seconds = time.monotonic() - self._began
        self._record = record
        if self._last is None:
            self._begin(record, state.game)
            data = start_data(state, self._drawer)
        else:
            joint = [state.game.term(move) for move in record.moves[-1]]
            made = MadeStep(self._last, joint, state, record.errors[-1])
            data = step_data(len(record.moves), made, self._drawer) | {"seconds": seconds}
        self._say(data | {"record": self._added(record)})
        self._last, self._began = state, time.monotonic()
        self._heed("the match goes on" if record.moves else "the players prepare")

    def end(self, why: str) -> None:
        """Say how it ended; `why` it was called off, if it was."""
        record, state = self._record, self._last
        if record is None or state is None:
            raise InputError(why)
        keys = ("isCompleted", "isAborted", "goalValues")
        own = {key: value for key, value in _bare(record).items() if key in keys}
        result = {"kind": "end", "result": f"The match was called off: {why}"}
        self._say((result if why else ending(state)) | {"record": json.dumps(own)})

    def _begin(self, record: Record, game: Game) -> None:
        header = json.dumps(_bare(record) | {"gameRulesheet": record.rulesheet})
        self._say({"kind": "match", "players": seated(game, record), "record": header})

    def _added(self, record: Record) -> str:
        """What the last step adds to lists of the record; states only while there is room."""
        last = replace(
            record,
            moves=record.moves[-1:],
            errors=record.errors[-1:],
            states=record.states[-1:],
            times=record.times[-1:],
        )
        names = ("moves", "errors", "states", "stateTimes")
        found = {key: value for key, value in last.as_dict().items() if key in names}
        self._room -= sum(map(len, found["states"]))
        return json.dumps(found if self._room >= 0 else found | {"states": []})


def _bare(record: Record) -> dict[str, Any]:
    """A record without what it has of each step, and without the rules."""
    return replace(record, rulesheet="", moves=[], errors=[], states=[], times=[]).as_dict()
