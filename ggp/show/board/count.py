"""What is counted as a piece on a board."""

from __future__ import annotations

from ggp.game import Game
from ggp.rules import signature
from ggp.show.board.families import pick
from ggp.show.board.layout import plan_of


def drawn_pieces(game: Game) -> int:
    """The fluents, as bits, that put something on a place of a board where it is drawn; all but
    those that tell whose turn it is where the game has no board."""
    layers = {
        layer.family.relation: layer
        for board in plan_of(game).layout.boards
        for layer in board.layers
    }
    told = game.turns.mask if game.turns else 0
    found = 0
    for number, fluent in enumerate(game.net.fluents):
        layer = layers.get(signature(fluent))
        is_blank = layer is not None and pick(fluent.args, layer.content) == layer.blank
        if not told >> number & 1 and not is_blank and (layer is not None or not layers):
            found |= 1 << number
    return found
