"""`ggp replay`: step through a record of a match, with a verdict on each move."""

from __future__ import annotations

from pathlib import Path

import click

from ggp.cli.common import Name, Number, format_option, load_game, out, print_json, say
from ggp.cli.drawing import drawn
from ggp.errors import InputError
from ggp.game import Game, parse
from ggp.match.records import Record, read_record, states_of
from ggp.play.verdicts import Judge, Verdict
from ggp.text import plain


@click.command()
@click.argument("record", type=Name(path_type=Path))
@click.option(
    "--game",
    "sheet",
    type=Name(path_type=Path),
    help="The rules, where the record does not have them.",
)
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Set a parameter.")
@click.option(
    "--time",
    "seconds",
    type=Number(min=0, min_open=True),
    default=2.0,
    show_default=True,
    help="Seconds to solve the game, and then for each position that is searched.",
)
@click.option("--step", type=click.IntRange(min=0), help="Show just the position after this step.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of search.")
@format_option
def replay(
    record: Path,
    sheet: Path | None,
    settings: tuple[str, ...],
    seconds: float,
    step: int | None,
    seed: int,
    form: str,
) -> int:
    """Step through a record that `ggp match` or ggp-base wrote, with a verdict on each move.

    Where what is left of the game is solved the verdict is exact: `!` the only best move of
    several, `?` a move that gives away goals, `??` one that gives away 50 or more; of one
    role alone the best moves are those of shortest ways to the best goal. Elsewhere it is a guess
    by search, and says so. Nothing is said of moves that several roles choose at
    once, nor where roles do not see all.

    \b
    Example: ggp replay match.json --time 1

    JSON: game, roles, players, goals, goals_in_record, steps (moves, errors, verdicts, state).
    """
    if settings and sheet is None:
        raise click.UsageError("--set is for a sheet: say which by --game")
    if step is not None and form == "json":
        raise click.UsageError("--step shows one position as text; JSON has them all")
    found = read_record(record)
    game = _game(found, sheet, settings)
    states = states_of(found, game)
    if step is not None and step >= len(states):
        raise InputError(f"--step {step}: there are {len(states) - 1} steps")
    if step is not None:
        say(drawn(states[step], states[step - 1] if step else None))
        return 0
    judge = Judge(game, seconds, seed)
    steps = []
    if form != "json":
        out.print(drawn(states[0]))
    for number, given in enumerate(found.moves):
        joint = tuple(str(game.term(move)) for move in given)
        verdicts = judge.verdicts(states[number], joint, states[-1])
        errors = found.errors[number] if number < len(found.errors) else ()
        steps.append((joint, errors, verdicts))
        if form != "json":
            say(plain(_line(game, number + 1, joint, errors, verdicts)))
            out.print(drawn(states[number + 1], states[number]))
    goals = states[-1].goals if states[-1].terminal else None
    if form == "json":
        data = {
            "game": found.game or game.name,
            "roles": list(game.roles),
            "players": list(found.players),
            "goals": goals,
            "goals_in_record": None if found.goals is None else list(found.goals),
            "steps": [
                {
                    "moves": list(joint),
                    "errors": list(errors),
                    "verdicts": {role: v.as_dict() for role, v in verdicts.items()},
                    "state": list(map(str, states[i + 1].facts)),
                }
                for i, (joint, errors, verdicts) in enumerate(steps)
            ],
        }
        print_json("replay", data)
    elif goals:
        say(plain(", ".join(f"{role} {goal}" for role, goal in goals.items())))
        told, own = found.goals, [goals[player] for player in game.players]
        if told is not None and len(told) == len(game.roles):
            # Chance gets nothing that counts.
            told = tuple(told[role] for role in game.player_indices)
        if told is not None and list(told) != own:
            say(plain(f"the record has other goals: {', '.join(map(str, told))}"))
    elif goals is None:
        say("not finished")
        if found.goals is not None:
            say("the record has goals, but its moves come to no end")
    return 0


def _game(record: Record, sheet: Path | None, settings: tuple[str, ...]) -> Game:
    if sheet is not None:
        return load_game(sheet, settings, strict_case=False)
    if not record.rulesheet:
        raise InputError("the record does not have the rules: say which they are by --game")
    # By its name the rules may seem to be in another syntax than that of records.
    return parse(record.rulesheet, "the record", strict_case=record.strict_case)


def _line(
    game: Game,
    number: int,
    joint: tuple[str, ...],
    errors: tuple[str, ...],
    verdicts: dict[str, Verdict],
) -> str:
    told = []
    for i, (role, move) in enumerate(zip(game.roles, joint, strict=True)):
        error = f" [{' '.join(errors[i].split())}]" if i < len(errors) and errors[i] else ""
        verdict = verdicts.get(role)
        told.append(f"{role}: {move}{verdict.mark if verdict else ''}{error}")
    why = "; ".join(v.why for v in verdicts.values() if v.why)
    return f"{number}. {'   '.join(told)}{f'   ({why})' if why else ''}"
