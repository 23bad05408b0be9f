"""Sittings as records of matches, and back."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from ggp.errors import GgpError, InputError, LimitReached
from ggp.game import Game, parse
from ggp.kif import Expr, List, Term, read
from ggp.machine import Progress
from ggp.match.records import Record, read_record, states_of
from ggp.play.sitting.levels import Level
from ggp.play.sitting.sitting import Sitting

PERSON, MACHINE, CHANCE = "human", "mcts", "chance"
"""Who plays a role, as records name them."""


def record_of(sitting: Sitting) -> Record:
    """All that was played so far, with the rules."""
    game = sitting.game
    goals = sitting.goals()
    states = [step.before for step in sitting.history] + [sitting.state]
    return Record(
        match=sitting.match,
        game=game.name,
        rulesheet=rulesheet(game, sitting),
        roles=game.roles,
        players=tuple(_player(sitting, role) for role in game.roles),
        start_clock=0,
        play_clock=sitting.level.seconds,
        start=sitting.began,
        token=sitting.token,
        strict_case=game.rules.symbols.strict_case,
        presented=tuple({} for _ in game.roles),
        moves=[tuple(str(step.joint[role]) for role in game.roles) for step in sitting.history],
        errors=[("",) * len(game.roles) for _ in sitting.history],
        states=[tuple(map(str, state.facts)) for state in states],
        times=[sitting.began, *(step.time for step in sitting.history)],
        # Chance needs no goal.
        goals=None if goals is None else tuple(goals.get(role, 0) for role in game.roles),
    )


def rulesheet(game: Game, sitting: Sitting) -> str:
    """The rules as a record has them: those of a game that begins where the sitting began."""
    rules = read(game.rules.source)
    if sitting.start == game.initial:
        return "\n".join(map(str, rules))
    kept = [str(rule) for rule in rules if _name(_head(rule)) != "init"]
    return "\n".join([*kept, *(str(Term("init", (fact,))) for fact in sitting.start.facts)])


def save(sitting: Sitting, file: Path) -> None:
    """Write the record: the file is there whole, or as it was before.

    Raises `InputError` where that cannot be done, and where the file is something else.
    """
    require_record(file)
    record_of(sitting).write(file)


def require_record(file: Path) -> None:
    """Raise `InputError` for what is there and is no record: it would be lost."""
    try:
        if file.is_dir():
            raise InputError(f"{file}: is a directory")
        if file.exists() and (not file.is_file() or file.stat().st_size):
            read_record(file)
    except InputError as error:
        raise InputError(f"{file}: not replaced, as it is no record ({error})") from None
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or error}") from None


def resumed(
    file: Path,
    people: Collection[str] | None,
    level: Level,
    game: Game | None = None,
    heed: Progress | None = None,
) -> Sitting:
    """The sitting that a record is of.

    `people`: the roles of persons, by default those that the record says, or else the first.
    `game`: a game that is known already, which is used if the record has no rules or the same.
    Raises `InputError` where that cannot be read or played, `LimitReached` where it is too large.
    """
    try:
        record = read_record(file)
        game = _game(record, game)
        states = states_of(record, game)
        if people is None:
            people = _people(record, game)
        sitting = Sitting(game, people, level, states[0], heed)
        sitting.replayed(record.moves, states)
    except LimitReached:
        raise
    except GgpError as error:
        told = str(error).splitlines()[0]
        raise InputError(told if told.startswith(str(file)) else f"{file}: {told}") from None
    sitting.began = record.start or sitting.began
    sitting.match, sitting.token = record.match or sitting.match, record.token or sitting.token
    return sitting


def _game(record: Record, known: Game | None) -> Game:
    """The game of a record: the one that is known, if it is that."""
    if known is not None:
        own = "\n".join(map(str, read(known.rules.source)))
        if record.rulesheet in ("", own):
            return known
    if not record.rulesheet:
        raise InputError("the record does not have the rules: give their file as well")
    game = parse(record.rulesheet, "the record", strict_case=record.strict_case)
    game.rules.require_valid()
    return game


def _people(record: Record, game: Game) -> Collection[str]:
    if len(record.players) != len(game.roles):
        return game.players[:1]
    pairs = zip(game.roles, record.players, strict=True)
    return [role for role, player in pairs if player == PERSON] or game.players[:1]


def _player(sitting: Sitting, role: str) -> str:
    if role in sitting.people:
        return PERSON
    return CHANCE if role not in sitting.game.players else MACHINE


def _head(rule: Expr) -> Expr:
    is_rule = isinstance(rule, List) and len(rule.items) > 1 and _name(rule) == "<="
    return rule.items[1] if isinstance(rule, List) and is_rule else rule


def _name(expr: Expr) -> str:
    is_list = isinstance(expr, List) and bool(expr.items)
    return str(expr.items[0] if isinstance(expr, List) and is_list else expr).lower()
