"""`ggp play`: play against the machine in the terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.text import Text

from ggp.cli.common import err, game_options, load_game, out, print_json, role_name, state_from
from ggp.cli.session import Session
from ggp.text import plain


@click.command()
@game_options
@click.option(
    "--role",
    "roles",
    multiple=True,
    help="Role to play yourself; may be repeated (default: the first role).",
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(min=0),
    default=5.0,
    show_default=True,
    help="Seconds that the machine thinks for a move.",
)
@click.option("--from", "start", metavar="FACTS", help="Start from this state.")
def play(
    file: Path,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    roles: tuple[str, ...],
    seconds: float,
    start: str | None,
) -> int:
    """Play against the machine, which plays perfectly where the game can be solved in time.

    Type a move, its number, or the beginning of it; also undo, hint, facts, moves, help, quit.

    \b
    Example: ggp play games/tic-tac-toe/tic-tac-toe.kif --role oplayer

    JSON: moves (one list for each step, in the order of the roles), goals (null if unfinished);
    the dialogue then goes to standard error.
    """
    game = load_game(file, settings, strict_case)
    console = err if form == "json" else out

    def tell(text: Text | str) -> None:
        console.print(Text(text) if isinstance(text, str) else text)

    def ask(prompt: str) -> str:
        console.print(Text(plain(prompt)), end="")
        if sys.stdin is None or sys.stdout is None:
            raise EOFError
        return input()

    humans = frozenset(role_name(game, role) for role in roles) or frozenset(game.roles[:1])
    state = state_from(game, start)
    session = Session(state.game, humans, seconds, ask, tell, state)
    finished = session.run()
    if form == "json":
        moves = [[str(joint[role]) for role in game.roles] for _, joint in session.history]
        goals = session.state.goals if finished else None
        print_json("play", {"game": game.name, "moves": moves, "goals": goals})
    return 0
