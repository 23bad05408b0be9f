"""What a diagnostic means: the text of `ggp check --explain` and of `docs/diagnostics.md`."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.rules import Entry, catalogue
from ggp.rules.catalogue import sound

_CHAPTERS = {
    "GDL1": "The text",
    "GDL2": "Words",
    "GDL3": "The rules of GDL",
    "GDL4": "What was probably not meant",
    "GDL6": "Play (`--deep`)",
}

_INTRODUCTION = """# Diagnostics of `ggp check`

Errors forbid making a game of a sheet (those of play: playing it to the end). Warnings are about
what is allowed and rarely meant, or what other systems read in another way. Notes are remarks. This
page is made from what `ggp check --explain CODE` prints, by `python -m tests.diagnostics_page`.

Examples are forms that are added to this sheet, or sheets of their own where that is said; a test
holds that each bad example gives just its diagnostic, and each good one none.
"""


def explanation(entry: Entry) -> str:
    """One kind of fault in Markdown: what it is, why it matters, a bad and a good example."""
    parts = [f"### {entry.code} `{entry.name}` ({entry.severity}): {entry.title}", entry.why]
    if not entry.by_default:
        parts.append(f"Reported where it is asked for: `--select {entry.name}`.")
    whole = " (a sheet of its own)" if entry.is_whole else ""
    if entry.bad:
        parts += [f"Bad{whole}:", _code(entry.bad)]
        parts += ["Good:", _code(entry.good)] if entry.good else ["Good: leave it out."]
    return "\n\n".join(parts) + "\n"


def explanations(entries: Iterable[Entry]) -> str:
    """Several kinds of faults in Markdown."""
    return "\n".join(map(explanation, entries))


def page() -> str:
    """The page of all kinds of faults, in Markdown."""
    parts = [_INTRODUCTION, _code(sound().strip()) + "\n"]
    for prefix, title in _CHAPTERS.items():
        own = [entry for entry in catalogue() if entry.code.startswith(prefix)]
        rows = [f"| {e.code} | `{e.name}` | {e.severity} | {e.title} |" for e in own]
        table = ["| code | name | severity | meaning |", "|---|---|---|---|", *rows]
        parts += [f"## {title}\n", "\n".join(table) + "\n", explanations(own)]
    return "\n".join(parts)


def _code(text: str) -> str:
    return f"```\n{text}\n```"
