"""Whose turn it is in a state that somebody wrote down, and whether play may come to it."""

from __future__ import annotations

from ggp.errors import InputError
from ggp.game import State


def require_turn(state: State, what: str, *, always: bool = False) -> None:
    """Raise `InputError` where play is stuck (or `always`) and the facts do not tell whose turn it
    is; `what` is what they were given by."""
    game = state.game
    may_go_on = state.terminal or all(state.legal_indices())
    turns = game.turns if always or not may_go_on else None
    if not turns or turns.role(state.bits) is not None:
        return
    settings = {role: bits for bits, role in reversed(turns.settings)}
    names = game.net.fluents
    told = " or ".join(
        " ".join(str(names[i]) for i in range(len(names)) if bits >> i & 1)
        or f"none of these for {game.roles[role]}"
        for role, bits in sorted(settings.items())
    )
    raise InputError(f"{what}: the facts do not tell whose turn it is: expected {told}")


def broken_group(state: State) -> list[str]:
    """The facts of a group that is proved for all play and does not hold in a state: just one of
    them is true in play, or at most one, and here another number. Empty where there is none."""
    names = state.game.net.fluents
    for field in state.game.packed_machine.coding.fields:
        held = sum(state.bits >> fluent & 1 for fluent, _ in field.codes)
        is_exact = field.codes[0][1] == 0
        if held > 1 or (is_exact and not held):
            return [str(names[fluent]) for fluent, _ in field.codes]
    return []
