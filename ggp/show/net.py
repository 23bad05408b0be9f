"""A game's ground form in figures."""

from __future__ import annotations

from typing import Any

from ggp.game import Game
from ggp.ground import kind, state_bits
from ggp.machine.passes import passes


def net_figures(game: Game) -> dict[str, Any]:
    """Sizes of the net and its circuits, its groups, the bits of a state, and the turn marker.

    Of a game without a net only the engine and the limit that grounding passed.
    """
    if game.too_large:
        return {"engine": game.evaluator.engine, "why": str(game.too_large)}
    net = game.net
    return {
        "engine": game.evaluator.engine,
        "fluents": len(net.fluents),
        "moves": sum(map(len, net.moves)),
        "gates": len(net.gates),
        "literals": net.literals,
        "recursive_blocks": sum(block.recursive for block in net.blocks),
        "ground_rules": net.ground_rules,
        "groups": [
            {
                "size": len(group.fluents),
                "exact": group.exact,
                "kind": kind(net, group),
                "of": str(net.fluents[group.fluents[0]]),
            }
            for group in game.groups
        ],
        "state_bits": state_bits(net, game.groups),
        "beyond_base": list(game.beyond_base),
        "marker": _marker(game),
        "circuit": passes(net, game.groups),
    }


def _marker(game: Game) -> dict[str, Any] | None:
    if game.marker is None:
        return None
    fluents = game.net.fluents
    shown = {
        role: [str(f) for i, f in enumerate(fluents) if bits >> i & 1]
        for role, bits in zip(game.roles, game.marker.bits, strict=True)
    }
    return {"fluents": shown, "alternating": game.marker.alternating}
