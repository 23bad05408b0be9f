"""Parts of the board that have nothing to do with each other."""

from __future__ import annotations

from ggp.analysis.boards.sums import components, pattern
from ggp.analysis.evidence import Evidence
from ggp.analysis.finding import Finding
from ggp.analysis.proofs import Proofs

MAX_SUPPORT = 2_000_000
"""Changes of all moves together up to which a game is split into summands."""


def prove(proofs: Proofs) -> Finding | None:
    """The summands of the game, if there are several.

    Of games of normal or misère form, which end exactly where the player to move has no move.
    """
    boards = proofs.boards
    if boards is None or boards.size > MAX_SUPPORT:
        return None
    found = components(boards, (part.fluents for part in proofs.split))
    if len(found) < 2:
        return None
    value = [pattern(proofs.game.net, fluents) for fluents in found]
    why = f"each move touches, and depends on, one of {len(found)} parts of the board alone"
    return Finding("sum", value, "proved", Evidence(why))
