"""`ggp verify`: check a certificate of `ggp analyse` anew."""

from __future__ import annotations

from pathlib import Path

import click
from rich.text import Text

from ggp.checker import MAX_CHARACTERS, check_certificate, read_certificate
from ggp.cli.common import format_option, limits_from, print_json, say
from ggp.errors import InputError
from ggp.text import plain


@click.command()
@format_option
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(min=0),
    help="Most seconds to check (default 600).",
)
@click.argument("certificate", type=click.Path(path_type=Path))
def verify(certificate: Path, form: str, seconds: float | None) -> int:
    """Check what a certificate claims, from the rules in it, with encodings of its own.

    \b
    Example: ggp analyse games/kayles/kayles-7.kif --certificate kayles.json
             ggp verify kayles.json

    JSON: game, claims (property, value, holds, why). Exit codes: 0 every claim holds, 1 one does
    not, 3 time ran out before the answer.
    """
    limits = limits_from(seconds, None, None)
    try:
        with certificate.open("rb") as file:
            data = file.read(MAX_CHARACTERS + 1)
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{certificate}: {getattr(error, 'strerror', None) or error}") from None
    read = read_certificate(text, limits)
    checked = check_certificate(read, limits.seconds)
    if form == "json":
        print_json({"game": read.name, "claims": [claim.as_json() for claim in checked]})
    else:
        say(Text(plain(read.name), "bold"))
        for claim in checked:
            line = Text(f"{plain(claim.property).replace('_', ' '):<18} ")
            is_flag = isinstance(claim.value, bool)
            value = ("yes" if claim.value else "no") if is_flag else str(claim.value)
            line.append(f"{plain(value):<15} ", "bold")
            word = "holds" if claim.holds else "fails" if claim.is_known else "unknown"
            line.append(f"{word:<9}", "green" if claim.holds else "red")
            line.append(plain(claim.why), "dim")
            say(line)
        if not checked:
            say("no claims")
    if any(not claim.holds and claim.is_known for claim in checked):
        return 1
    return 0 if all(claim.is_known for claim in checked) else 3
