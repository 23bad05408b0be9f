"""Values of positions as pairs of what is told and how, and in texts that are short enough."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.show.outcomes import LOOPY
from ggp.solver.valued import (
    AnyBoards,
    BoardValues,
    EndedBoard,
    LoopyValue,
    PieceValues,
    SomeBoards,
    ValuedMove,
)
from ggp.text import shortened
from ggp.theory import GameLimit, ShortGame

Found = BoardValues | PieceValues | EndedBoard
Atlas = BoardValues | AnyBoards | SomeBoards | EndedBoard

MOST = 200
"""Characters of a value in a table."""

Rows = list[tuple[str, str]]


def written(game: ShortGame, *, unicode: bool = False) -> str | None:
    """The text of a game, None where it is longer than any that is written."""
    try:
        return game.text(unicode=unicode)
    except GameLimit:
        return None


def short(game: ShortGame, *, unicode: bool = False) -> str:
    """The text of a game for a terminal or a table."""
    return shortened(
        written(game, unicode=unicode) or "(a form of more than a million characters)", MOST
    )


def turns_told(found: Found) -> dict[str, list[str]]:
    """For each role the fluents that tell that it is its turn, of all that tell whose it is."""
    game = found.game
    marker = found.marker if isinstance(found, EndedBoard) else game.marker
    assert marker is not None
    evaluator = game.evaluator
    return {
        role: list(map(str, evaluator.facts(bits)))
        for role, bits in zip(game.roles, marker.bits, strict=True)
    }


def sensible(listed: Sequence[ValuedMove], role: str) -> list[str]:
    """The moves of a role that are neither dominated nor reversible."""
    return sorted(move.move for move in listed if move.role == role and move.sensible)


def counted(found: Atlas) -> list[tuple[ShortGame, int]]:
    """The values with how many boards have each, the most frequent first."""
    counts = found.by_value().items()
    return sorted(counts, key=lambda pair: (-pair[1], pair[0].birthday, short(pair[0])))


def game_rows(
    game: ShortGame, names: tuple[str, str] = ("Left", "Right"), *, unicode: bool = False
) -> Rows:
    """What is told of a game by itself, its players being called so."""
    left, right = names
    who = {"L": left, "R": right, "N": "the player to move", "P": "the player who moves second"}
    rows = [
        ("value", short(game, unicode=unicode)),
        ("outcome", f"{game.outcome}: {who[game.outcome]} wins"),
        ("mean", str(game.mean)),
        ("temperature", str(game.temperature)),
        ("stops", f"{game.left_stop} (left), {game.right_stop} (right)"),
        ("birthday", f"{game.birthday:,}"),
        ("reduced", short(game.reduced, unicode=unicode)),
    ]
    if game.atomic_weight is not None:
        rows.append(("atomic weight", short(game.atomic_weight, unicode=unicode)))
    return rows


def value_rows(found: Found, listed: Sequence[ValuedMove], *, unicode: bool = False) -> Rows:
    """What is told of a position, with its moves."""
    left, right = found.game.roles
    rows = game_rows(found.whole, (left, right), unicode=unicode)
    for name, role in (("left", left), ("right", right)):
        moves = sensible(listed, role)
        rows.append((f"best, {name}", f"{role}: {', '.join(moves) or 'no move'}"))
    told = (
        f"{' '.join(facts) or 'nothing'} for {role}" for role, facts in turns_told(found).items()
    )
    rows.append(("turn told by", ", ".join(told)))
    rows.append(("worked out", f"{found.count:,} {found.unit[: None if found.count > 1 else -1]}"))
    return rows


def loopy_rows(loopy: LoopyValue) -> Rows:
    """What is told of a position as a loopy game."""
    rows = [("as a loopy game", loopy.text), ("outcome", loopy.outcome and LOOPY[loopy.outcome])]
    if loopy.sides and loopy.sides[0] != loopy.sides[1]:
        rows += [("draws to Left", str(loopy.sides[0])), ("draws to Right", str(loopy.sides[1]))]
    rows += [("no sides", loopy.why), ("worked out", f"{loopy.boards.count:,} boards")]
    return [(name, what) for name, what in rows if what]
