"""`ggp convert`: write a rule sheet in another syntax."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from ggp.cli.common import SCHEMA, Name, err, game_options, read_settings
from ggp.cli.files import require_distinct, require_writable, write_whole
from ggp.errors import InputError
from ggp.kif import Syntax, is_template, read_sheet
from ggp.rules import translate
from ggp.text import plain


@click.command()
@game_options
@click.option(
    "--to", type=click.Choice(["kif", "hrf", "asp"]), required=True, help="The syntax to write."
)
@click.option("--output", type=Name(path_type=Path), help="Write to this file.")
@click.option(
    "--horizon",
    type=click.IntRange(min=0, max=1_000_000),
    default=10,
    show_default=True,
    help="With --to asp, the most moves of a play.",
)
def convert(
    file: Path,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    to: Syntax,
    output: Path | None,
    horizon: int,
) -> int:
    """Write a rule sheet as KIF, as infix GDL (HRF), or as an answer-set program for clingo.

    The file's name says what it is written in: *.kif, *.hrf, templates *.kif.jinja, and *.lp for
    answer-set programs that this command wrote. Comments are lost. Only a program needs rules
    without errors.

    \b
    Example: ggp convert games/kayles/kayles-7.kif --to hrf

    JSON: file, from, to, text.
    """
    if output is not None:
        require_writable(output)
    source = read_sheet(file, read_settings(settings))
    if output is not None and (to != source.syntax or is_template(file)):
        # The file's name would say that it is written in another way than it is.
        require_distinct(file, output)
    for note in source.notes:
        err.print(f"ggp: {plain(f'{file}: {note}')}", markup=False, style="yellow")
    text = translate(source, to, horizon=horizon, strict_case=strict_case)
    if form == "json":
        answer = {"schema": f"ggp-convert/{SCHEMA}", "file": source.name, "from": source.syntax}
        answer |= {"to": to, "text": text}
        text = json.dumps(answer, indent=2) + "\n"
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{file}: a symbol holds half a character, which no file can") from None
    if output is not None:
        write_whole(output, data)
    else:
        click.echo(plain(text) if sys.stdout and sys.stdout.isatty() else data, nl=False)
    return 0
