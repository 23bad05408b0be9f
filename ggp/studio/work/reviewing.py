"""A record of a match, step by step, with a verdict on each move."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ggp.errors import GgpError, InputError
from ggp.game import Game, State
from ggp.kif import Source, Term, read
from ggp.limits import Budget
from ggp.match.records import Record, record_of, states_of
from ggp.play.verdicts import Judge, Verdict
from ggp.rules import read_rules
from ggp.show.widget import telling
from ggp.studio.jobs import Heed, Say
from ggp.studio.library import SheetText
from ggp.studio.tasks import Order
from ggp.studio.work.line import MAX_STEPS
from ggp.studio.work.matching import number
from ggp.studio.work.sheets import LIMITS, game_of, source_of
from ggp.studio.work.steps import (
    Drawer,
    MadeStep,
    ending,
    require_few_roles,
    seated,
    start_data,
    step_data,
)

MAX_RECORD = 6_000_000
"""Characters of a record."""

LEAST_SECONDS, MOST_SECONDS = 0.05, 30.0
"""To solve the game, and then for each position that is searched."""


def review(order: Order, say: Say, heed: Heed) -> None:
    """Say the steps of a record, and then what its moves were worth.

    `record`: its JSON, `seconds`: to solve the game, and for each position that is searched;
    `known`: whether the page has the steps already. A record with rules of its own is played by
    these, any other by those of the sheet.
    """
    seconds = number(order.asked, "seconds", 1.0, LEAST_SECONDS, MOST_SECONDS)
    record = _record(order.asked)
    heed("reading the rules")
    game, whose = _game(record, order.sheet)
    states = _states(record, require_few_roles(game), whose)
    moves = [[game.term(move) for move in joint] for joint in record.moves]
    if order.asked.get("known") is not True:
        rules = json.dumps(record.rulesheet) if whose == "own" and not record.strict_case else ""
        players = seated(game, record)
        say({"kind": "match", "players": players, "whose": whose, "rules": rules})
        _say_steps(record, moves, states, say, heed)
        say(ending(states[-1]))
    heed("solving the game")
    _judge(Judge(game, seconds), moves, states, say, heed)


def _record(asked: Mapping[str, Any]) -> Record:
    text = asked.get("record")
    if not isinstance(text, str):
        raise InputError("a record is a text")
    if len(text) > MAX_RECORD:
        raise InputError(f"a record has {MAX_RECORD:,} characters at the most here")
    record = record_of(text, "the record")
    if len(record.moves) > MAX_STEPS:
        raise InputError(f"a record has {MAX_STEPS:,} steps at the most here")
    return record


def _game(record: Record, sheet: SheetText) -> tuple[Game, str]:
    """The game of a record; and whose rules it is: its `own`, the `same` that are in it and on the
    page, or those of the `sheet`."""
    if not record.rulesheet:
        return game_of(sheet), "sheet"
    # By the name of the game the rules may seem to be in another syntax than that of records.
    source = Source("the record", record.rulesheet)
    if not record.strict_case and _is_same(source, sheet):
        return game_of(sheet), "same"
    with Budget(LIMITS).in_force():
        rules = read_rules(source, strict_case=record.strict_case, limits=LIMITS)
        return Game(rules, LIMITS), "own"


def _is_same(source: Source, sheet: SheetText) -> bool:
    """Whether two texts are the same rules in the same order."""
    try:
        return list(map(str, read(source))) == list(map(str, read(source_of(sheet))))
    except GgpError:
        return False


def _states(record: Record, game: Game, whose: str) -> list[State]:
    try:
        return states_of(record, game)
    except GgpError as error:
        if whose != "sheet":
            raise
        raise InputError(
            f"{telling.line(error)} (the record has no rules of its own: those of this page were"
            " taken)"
        ) from None


def _say_steps(
    record: Record,
    moves: Sequence[Sequence[Term]],
    states: Sequence[State],
    say: Say,
    heed: Heed,
) -> None:
    drawer = Drawer()
    say(start_data(states[0], drawer))
    for i, joint in enumerate(moves):
        heed(f"drawing step {i + 1} of {len(moves)}")
        errors = record.errors[i] if i < len(record.errors) else ()
        say(step_data(i + 1, MadeStep(states[i], joint, states[i + 1], errors), drawer))


def _judge(
    judge: Judge,
    moves: Sequence[Sequence[Term]],
    states: Sequence[State],
    say: Say,
    heed: Heed,
) -> None:
    found: list[Verdict] = []
    for i, joint in enumerate(moves):
        heed(f"judging step {i + 1} of {len(moves)}")
        verdicts = judge.verdicts(states[i], list(map(str, joint)), states[-1])
        if verdicts:
            found += verdicts.values()
            told = [_told(verdicts.get(role)) for role in judge.game.roles]
            say({"kind": "verdict", "step": i + 1, "verdicts": told})
    say({"kind": "judged", "text": _summary(found, judge.game, states)})


def _told(verdict: Verdict | None) -> dict[str, str]:
    """The mark of a verdict and what it says, empty where there is none."""
    if verdict is None:
        why = ""
    elif verdict.why:
        why = telling.line(verdict.why)
    elif verdict.mark:
        why = "the only best move"
    else:
        why = "nothing is better" if verdict.exact else "search finds nothing much better"
    return {"mark": verdict.mark if verdict else "", "why": why}


def _summary(verdicts: Sequence[Verdict], game: Game, states: Sequence[State]) -> str:
    if not verdicts:
        return _why_none(game, states)
    exact = sum(verdict.exact for verdict in verdicts)
    bad = sum("?" in verdict.mark for verdict in verdicts)
    how = "exact" if exact == len(verdicts) else f"{exact} exact, the others by search"
    return f"{len(verdicts)} choices judged ({how}): {bad} gave something away"


def _why_none(game: Game, states: Sequence[State]) -> str:
    if game.has_percepts:
        return "no verdicts: the rules hide things from players"
    return "nobody had a choice" if len(states) > 1 else "the record has no moves"
