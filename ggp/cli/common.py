"""What all verbs share: options, loading a game, and printing."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console, RenderableType
from rich.text import Text

from ggp.errors import GgpError, InputError, KifSyntaxError, LimitReached, exit_code
from ggp.kif import Source, Term, find_source, parameters, read_terms, sheet_from
from ggp.limits import DEFAULT, Budget, Limits
from ggp.text import plain, shortened

if TYPE_CHECKING:
    from ggp.game import Game, State
    from ggp.rules import RuleSet

Command = TypeVar("Command", bound=Callable[..., Any])


INTERNAL = 70
"""The exit code of a fault of the program itself."""

MAX_MESSAGE = 2_000
"""Characters of an error that are shown."""

GROUND = 0.8
"""The part of `--time` that grounding may take at the most."""


class Output(Console):
    """A console whose reader may go away, which is the reader's business and no error."""

    def on_broken_pipe(self) -> None:
        """Let the command end quietly."""
        raise BrokenPipeError


out = Output(highlight=False, soft_wrap=True)
err = Output(stderr=True, highlight=False, soft_wrap=True)


class Name(click.Path):
    """The name of a file or folder; the empty one, which a variable that is not set leaves, is
    none: it would be the folder that one is in."""

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:  # noqa: ANN401
        """The name as a path, if that is asked for."""
        if not value:
            self.fail("the name is empty.", param, ctx)
        return super().convert(value, param, ctx)


class Number(click.FloatRange):
    """A number within bounds; `nan`, which passes all of them, is none."""

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """The number that a text is."""
        found = float(super().convert(value, param, ctx))
        if isnan(found):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return found


def game_options(command: Command) -> Command:
    """The file, its parameters, and the output format."""
    file = click.argument("file", type=Name(path_type=Path))
    return sheet_options(format_option(file(command)))


def address_options(port: int) -> Callable[[Command], Command]:
    """Where a server listens, by default at this port of this machine."""
    where = click.option(
        "--port",
        type=click.IntRange(0, 65535),
        default=port,
        show_default=True,
        help="Port to listen on; 0 lets the system choose.",
    )
    host = click.option(
        "--host", default="127.0.0.1", show_default=True, help="Address to listen on."
    )
    return lambda command: host(where(command))


def sheet_options(command: Command) -> Command:
    """How rule sheets are read."""
    for decorate in (
        click.option("--strict-case", is_flag=True, help="Keep upper and lower case apart."),
        click.option(
            "--set",
            "settings",
            multiple=True,
            metavar="NAME=VALUE",
            help="Set a parameter of a template (*.kif.jinja); may be repeated.",
        ),
    ):
        command = decorate(command)
    return command


def format_option(command: Command) -> Command:
    """The choice between text and JSON."""
    choice = click.Choice(["text", "json"])
    return click.option("--format", "form", type=choice, default="text", help="Output format.")(
        command
    )


def limit_options(command: Command) -> Command:
    """Bounds on a search."""
    for decorate in (
        click.option(
            "--memory",
            type=click.IntRange(min=1),
            metavar="MB",
            help=f"Memory of the process in MB (default {DEFAULT.memory >> 20}).",
        ),
        click.option(
            "--positions",
            type=click.IntRange(min=1),
            help=f"Most positions to enumerate (default {DEFAULT.positions:,}, "
            f"in packed layers {DEFAULT.packed_positions:,}).",
        ),
        click.option(
            "--time",
            "seconds",
            type=Number(min=0),
            help=f"Most seconds to search (default {DEFAULT.seconds:g}).",
        ),
    ):
        command = decorate(command)
    return command


def limits_from(
    seconds: float | None,
    positions: int | None,
    memory: int | None,
    ground_seconds: float | None = None,
) -> Limits:
    """The limits that the options ask for; of `seconds` grounding may take a share, if no
    `ground_seconds` are given."""
    limits = DEFAULT
    if seconds is not None:
        ground = min(DEFAULT.ground_seconds, GROUND * seconds)
        limits = replace(limits, seconds=seconds, ground_seconds=ground)
    if positions is not None:
        limits = replace(limits, positions=positions, packed_positions=positions)
    if ground_seconds is not None:
        limits = replace(limits, ground_seconds=ground_seconds)
    if memory is not None:
        limits = replace(limits, memory=memory << 20)
    return limits


def read_settings(settings: tuple[str, ...]) -> dict[str, str]:
    """The parameters given as NAME=VALUE; raises `InputError` for anything else."""
    values = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise InputError(f"--set {setting}: expected NAME=VALUE")
        values[name.strip()] = value.strip()
    return values


def load_game(
    file: Path,
    settings: tuple[str, ...],
    strict_case: bool,
    limits: Limits = DEFAULT,
    budget: Budget | None = None,
) -> Game:
    """The game that the options name; `budget` is the account of the command, if it has one."""
    budget = budget or Budget(limits)
    rules = load_rules(file, settings, strict_case, limits, budget)
    return game_of(rules, limits, budget)


def load_rules(
    file: Path, settings: tuple[str, ...], strict_case: bool, limits: Limits, budget: Budget
) -> RuleSet:
    """The rules of the game that the options name."""
    with budget.in_force():
        source, _ = find_source(file, limits)
        return _rules(source, read_settings(settings), strict_case, limits, file)


def game_of(rules: RuleSet, limits: Limits, budget: Budget) -> Game:
    """The game with some rules; `budget` is the account of the command."""
    from ggp.game import Game

    with budget.in_force():
        return Game(rules, limits)


def game_from(
    source: Source,
    settings: Mapping[str, str],
    strict_case: bool = False,
    limits: Limits = DEFAULT,
    *,
    called: Path | None = None,
) -> Game:
    """The game of a file that was read before, maybe elsewhere, as `find_source` reads it."""
    # Imported here: who only checks rules does without.
    from ggp.game import Game

    return Game(_rules(source, settings, strict_case, limits, called), limits)


def _rules(
    source: Source,
    settings: Mapping[str, str],
    strict_case: bool,
    limits: Limits,
    called: Path | None,
) -> RuleSet:
    from ggp.rules import read_rules

    sheet = sheet_from(source, settings, limits, called=called)
    return read_rules(sheet, strict_case=strict_case, limits=limits)


def facts_from(text: str, option: str = "--from") -> list[Term]:
    """The facts that an option lists; raises `InputError` where they cannot be read."""
    try:
        return list(read_terms(text, option))
    except KifSyntaxError as error:
        raise InputError(f"cannot read the facts: {str(error).splitlines()[0]}") from None


def state_from(
    game: Game, text: str | None, option: str = "--from", *, turn: bool = False
) -> State:
    """The state whose facts are `text`, or the initial one; of a game with more ground rules where
    play does not come to such a state (its attribute `game`).

    Raises `InputError` where the facts do not tell whose turn it is, unless play is over whosever
    it is and the `turn` need not be told.
    """
    if text is None:
        return game.initial
    facts = facts_from(text, option)
    game = game.covering([facts])
    state = game.state(facts)
    # Imported here: what only checks texts does without.
    from ggp.show.turns import require_turn, require_turn_or_end

    if turn:
        require_turn(state, option, always=True)
    else:
        require_turn_or_end(state, option)
    return state


def note_unreachable(state: State) -> None:
    """Say beside the answer where a state that was written down has too many facts, or too few, for
    play to come to it, if that is proved soon."""
    from ggp.show.turns import broken_group

    with suppress(LimitReached):
        if state.game.is_ground and (broken := broken_group(state)):
            names = plain(shortened(" ".join(broken), 300))
            told = f"note: no play comes to this position: of these only one holds: {names}"
            err.print(Text(told), highlight=False)


def role_name(game: Game, role: str) -> str:
    """A role given as an option in the sheet's spelling."""
    try:
        return game.roles[game.role_index(role)]
    except KifSyntaxError:
        raise InputError(f"--role {role}: no role has such a name") from None


def template_parameters(file: Path) -> dict[str, Any]:
    """Names and defaults of a template's parameters; empty for a plain sheet."""
    source, is_template = find_source(file)
    return parameters(source) if is_template else {}


SCHEMA = 1
"""The version of what is printed as JSON: raised when a key goes or changes its meaning."""


ANSWERED = "ggp.answered"
"""Where the context of a command tells that it has printed JSON."""


def print_json(kind: str, data: dict[str, Any], *, indent: int | None = 2) -> None:
    """One JSON object on standard output, of the kind that `docs/output.schema.json` describes."""
    if context := click.get_current_context(silent=True):
        context.meta[ANSWERED] = True
    click.echo(json.dumps({"schema": f"ggp-{kind}/{SCHEMA}", **data}, indent=indent))


def error_json(error: Exception) -> dict[str, Any]:
    """An error as plain data: one of ours, wrong use, or a fault of the program itself."""
    place: dict[str, Any] = {"file": None, "line": None, "column": None}
    if isinstance(error, GgpError):
        place = {key: getattr(error, key) for key in place}
        # Of errors that only one module knows, what they are to others.
        known = (own for own in type(error).__mro__ if own.__module__ == GgpError.__module__)
        kind, message, code = next(known).__name__, str(error), exit_code(error)
    elif isinstance(error, click.ClickException):
        kind, message, code = "UsageError", error.format_message(), error.exit_code
    else:
        kind, message, code = "InternalError", f"{type(error).__name__}: {error}", INTERNAL
    return {"kind": kind, "message": message, **place, "exit_code": code}


def tell(error: Exception) -> int:
    """Print an error in one line, and say what exit code it stands for."""
    return tell_data(error_json(error))


FAULTS_OF_PLAY = ("NoLegalMove", "GoalError")
"""Errors that are faults of the rules, and show in some position of play."""


def tell_data(data: Mapping[str, Any]) -> int:
    """The same of an error that `error_json` made plain data."""
    told = data["message"]
    if data["kind"] in FAULTS_OF_PLAY:
        told = f"{told}; ggp check --deep looks for a play that leads to such a position"
    if data["exit_code"] == INTERNAL:
        told = f"internal error: {told} (--debug shows where)".replace("\n", " ")
    err.print(f"ggp: {plain(shortened(told, MAX_MESSAGE))}", markup=False, style="red")
    return int(data["exit_code"])


def say(what: RenderableType = "") -> None:
    """Print to standard output; strings are never read as markup."""
    out.print(Text(what) if isinstance(what, str) else what)


def hint_once() -> Callable[[str], None]:
    """What says, beside the answer, the first thing that it is told."""
    texts: list[str] = []

    def tell(text: str) -> None:
        if not texts:
            err.print(plain(text), style="dim", markup=False, highlight=False, soft_wrap=True)
        texts.append(text)

    return tell
