"""What is said of a sitting, on a screen or line by line."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.text import Text

from ggp.errors import GgpError
from ggp.kif import Term
from ggp.play.advice import Advice
from ggp.play.sitting.sitting import Sitting, SittingStep, choices, forced
from ggp.show.board import scene_of, scene_text
from ggp.show.board.celltext import colour
from ggp.show.board.words import name_of
from ggp.show.moves import move_text, worth_text
from ggp.text import plain, shortened

MAX_POSITION = 20_000
"""Characters of a position that is told as facts, as it cannot be drawn."""

ONLY = ", the only move"
"""What is said of a move that nobody chose."""

SIMPLER = str.maketrans({"·": ".", "…": "~", "–": "-", "●": "o", "≈": "~"})
"""What stands for signs of our own in ASCII alone."""


def simpler(text: Text) -> Text:
    """A text in ASCII alone, column for column as far as that can be."""
    found = Text.styled("".join(c if c.isascii() else "?" for c in text.plain.translate(SIMPLER)))
    found.style = text.style
    found.spans = list(text.spans)
    return found


def role_text(sitting: Sitting, role: str) -> Text:
    """A role in its colour."""
    return Text(name_of(role), f"bold {colour(sitting.game.roles.index(role))}")


def board_text(sitting: Sitting, width: int, is_ascii: bool) -> Text:
    """The state with the last move marked."""
    try:
        return scene_text(scene_of(sitting.state, sitting.before), width, ascii=is_ascii)
    except GgpError:
        # No plan of a board: the rules go wrong in some plays, or take too long.
        return facts_text(sitting)


def facts_text(sitting: Sitting) -> Text:
    """The state without a plan of a board."""
    return Text(plain(shortened(" ".join(map(str, sitting.state.facts)), MAX_POSITION)))


def seats_text(sitting: Sitting) -> Text:
    """Who plays what."""
    parts = [
        Text.assemble(role_text(sitting, role), f": {_seat(sitting, role)}")
        for role in sitting.game.roles
    ]
    found = Text(", ").join(parts)
    if sitting.game.has_percepts:
        found.append("\nThe rules hide things from players; here all is shown, to the machine too.")
    return found


def _seat(sitting: Sitting, role: str) -> str:
    if role in sitting.people:
        return "you"
    return "chance" if role not in sitting.game.players else f"the machine ({sitting.level})"


def step_text(
    sitting: Sitting, step: SittingStep, waits: Collection[tuple[str, Term]], *, all_roles: bool
) -> list[Text]:
    """What others than people did in a step, with `all_roles` everybody who had a choice; and what
    nobody chose, but for what is only a wait."""
    only = [
        Text.assemble(role_text(sitting, role), f" plays {move_text(move)}{ONLY}")
        for role, move in forced(step, waits).items()
    ]
    return only + [
        Text.assemble(role_text(sitting, role), f" plays {move_text(move)}")
        for role, move in choices(step).items()
        if all_roles or role not in sitting.people
    ]


def list_text(moves: Sequence[tuple[int, Term]], width: int) -> list[str]:
    """Moves with their numbers, in columns."""
    entries = [f"{i}: {move_text(move)}" for i, move in moves]
    wide = max(map(len, entries), default=0) + 2
    columns = max(1, width // wide)
    rows = (entries[start : start + columns] for start in range(0, len(entries), columns))
    return ["".join(entry.ljust(wide) for entry in row).rstrip() for row in rows]


def advice_text(advice: Advice, most: int) -> list[Text]:
    """The move to make, and what the best moves are worth."""
    lines = [Text.assemble(f"best: {move_text(advice.best)}", (f"  ({plain(advice.why)})", "dim"))]
    for own in advice.moves[:most]:
        mark = "*" if own.move == advice.best else " "
        lines.append(Text(f" {mark} {worth_text(own):8} {move_text(own.move)}"))
    if len(advice.moves) > most:
        lines.append(Text(f"   and {len(advice.moves) - most:,} more", "dim"))
    if advice.moves:
        kinds = {own.exact for own in advice.moves if own.value is not None}
        told = {True: "= is exact", False: "≈ is an estimate"}
        lines.append(Text("   " + ", ".join(told[kind] for kind in sorted(kinds)), "dim"))
    return lines
