"""`ggp verify`: check a certificate of `ggp analyse` anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.text import Text

from ggp.checker import MAX_CHARACTERS, Certificate, Checked, check_certificate, read_certificate
from ggp.cli.common import Name, Number, format_option, limits_from, print_json, read_settings, say
from ggp.errors import InputError
from ggp.kif import read_bytes, read_sheet
from ggp.limits import Budget, Limits
from ggp.rules import read_rules
from ggp.text import plain


@click.command()
@format_option
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="Of the sheet.")
@click.option("--strict-case", is_flag=True, help="Read the sheet with case kept apart.")
@click.option(
    "--time",
    "seconds",
    type=Number(min=0),
    help="Most seconds to check (default 600).",
)
@click.argument("certificate", type=Name(path_type=Path))
@click.argument("sheet", type=Name(path_type=Path), required=False)
def verify(
    certificate: Path,
    sheet: Path | None,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    seconds: float | None,
) -> int:
    """Check what a certificate claims, from the rules in it, with encodings of its own.

    With SHEET, check as well that the certificate is about the rules of that sheet, read in the
    same way. Without it, the digest says which rules it is about.

    \b
    Example: ggp analyse games/kayles/kayles-7.kif --certificate kayles.json
             ggp verify kayles.json games/kayles/kayles-7.kif

    JSON: game, rules (sha256, syntax, strict_case, sheet, is_of_sheet: null without a sheet),
    claims (property, value, holds, why). Exit codes: 0 every claim holds, 1 one does not, or the
    certificate is about other rules, 3 time ran out before the answer.
    """
    limits = limits_from(seconds, None, None)
    budget = Budget(limits)
    text = _text_of(certificate)
    try:
        read = read_certificate(text, limits)
    except InputError as error:
        raise InputError(f"{certificate}: {error}", file=certificate) from None
    is_of_sheet = None
    if sheet is not None:
        is_of_sheet = _digest(sheet, settings, strict_case, limits) == read.rules.digest
    elif settings or strict_case:
        raise InputError("--set and --strict-case say how a sheet is read, and there is none")
    checked = (
        [] if is_of_sheet is False else check_certificate(read, limits.seconds - budget.seconds)
    )
    if form == "json":
        rules = {
            "sha256": read.rules.digest,
            "syntax": read.shape.sheet.syntax,
            "strict_case": read.shape.sheet.strict_case,
            "sheet": None if sheet is None else str(sheet),
            "is_of_sheet": is_of_sheet,
        }
        claims = [claim.as_json() for claim in checked]
        print_json("verify", {"game": read.name, "rules": rules, "claims": claims})
    else:
        _show(read, checked, sheet, is_of_sheet)
    if is_of_sheet is False or any(not claim.holds and claim.is_known for claim in checked):
        return 1
    return 0 if all(claim.is_known for claim in checked) else 3


def _text_of(certificate: Path) -> str:
    try:
        return read_bytes(certificate, MAX_CHARACTERS + 1).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{certificate}: {error}", file=certificate) from None


def _digest(sheet: Path, settings: tuple[str, ...], strict_case: bool, limits: Limits) -> str:
    source = read_sheet(str(sheet), read_settings(settings), limits)
    return read_rules(source, strict_case=strict_case, limits=limits).digest


def _show(
    read: Certificate, checked: list[Checked], sheet: Path | None, is_of_sheet: bool | None
) -> None:
    say(Text(plain(read.name), "bold"))
    case = "case kept apart" if read.shape.sheet.strict_case else "case folded"
    rules = f"rules {read.rules.digest[:16]}…, {read.shape.sheet.syntax}, {case}"
    if sheet is None:
        say(plain(f"{rules}: as they stand in the certificate, compared with no sheet"))
    elif is_of_sheet:
        say(plain(f"{rules}: those of {sheet}"))
    else:
        say(plain(f"{rules}: not those of {sheet}, or not read in the same way"))
        return
    for claim in checked:
        say(_line(claim))
    if not checked:
        say("no claims")


def _line(claim: Checked) -> Text:
    line = Text(f"{plain(claim.property).replace('_', ' '):<18} ")
    value: Any = claim.value
    if isinstance(value, bool):
        value = "yes" if value else "no"
    line.append(f"{plain(str(value)):<15} ", "bold")
    word = "holds" if claim.holds else "fails" if claim.is_known else "unknown"
    line.append(f"{word:<9}", "green" if claim.holds else "red")
    line.append(plain(claim.why), "dim")
    return line
