"""`ggp games`: the rule sheets that come with the package."""

from __future__ import annotations

import click
from rich.text import Text

from ggp.cli.common import format_option, print_json, say
from ggp.games import path, shipped_games
from ggp.kif import read_source
from ggp.text import plain


@click.command()
@format_option
@click.argument("name", required=False)
def games(form: str, name: str | None) -> int:
    """List the games that come with ggp, or print the rules of one.

    Every verb takes such a name where there is no file of that name. Folder and ending may be left
    out where that is clear.

    \b
    Example: ggp games nim/rows > my-rows.kif.jinja

    JSON: games (list of name, title, file, parameters), or of one game name, file, text.
    """
    if name is not None:
        file = path(name)
        text = read_source(file).text
        if form == "json":
            print_json("games", {"name": name, "file": str(file), "text": text})
        else:
            click.echo(text, nl=False)
        return 0
    found = shipped_games()
    if form == "json":
        print_json("games", {"games": [game.as_json() for game in found]})
        return 0
    width = max((len(game.name) for game in found), default=0)
    for game in found:
        line = Text(f"{plain(game.name):<{width}}  ", "bold").append(plain(game.title), "not bold")
        if game.parameters:
            settings = ", ".join(f"{key}={value}" for key, value in game.parameters.items())
            line.append(plain(f"  [{settings}]"), "not bold dim")
        say(line)
    return 0
