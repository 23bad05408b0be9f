"""Whose turn it is in a state that somebody wrote down, and whether play may come to it."""

from __future__ import annotations

from ggp.errors import InputError
from ggp.game import State
from ggp.ground import Turns

FORCED = 100
"""Moves that nobody has a choice in, up to which it is looked who has the next one."""


def require_turn(state: State, what: str, *, always: bool = False) -> None:
    """Raise `InputError` where play is stuck (or `always`) and the facts do not tell whose turn it
    is; `what` is what they were given by."""
    may_go_on = state.terminal or all(state.legal_indices())
    turns = state.game.turns if always or not may_go_on else None
    if turns and turns.role(state.bits) is None:
        raise _not_told(state, turns, what)


def require_turn_or_end(state: State, what: str) -> None:
    """Raise `InputError` where the facts do not tell whose turn it is, unless play is over with the
    same goals whosever it is. A state in which one role alone has a choice tells it, or comes to
    one that does so by itself, also where such facts stand beside each other in no play."""
    require_turn(state, what)
    marker = state.game.marker
    if marker and marker.role(state.bits) is None and not _comes_to_a_choice(state):
        board = state.bits & ~marker.mask
        told = [State(state.game, board | bits) for bits, _ in marker.settings]
        held = [state.game.evaluator.goals(one.position) for one in told if one.terminal]
        if len(held) < len(told) or any(goals != held[0] for goals in held):
            raise _not_told(state, marker, what)


def _comes_to_a_choice(state: State) -> bool:
    """Whether one role alone has a choice, after moves that nobody has."""
    seen: set[State] = set()
    while not state.terminal and state not in seen and len(seen) < FORCED:
        seen.add(state)
        legal = state.legal_indices()
        *others, most = sorted(map(len, legal))
        if others[0] == 0 or others[-1] > 1:
            return False
        if most > 1:
            return True
        state = state.after([number for [number] in legal])
    return False


def _not_told(state: State, turns: Turns, what: str) -> InputError:
    game, names = state.game, state.game.net.fluents
    settings = {role: bits for bits, role in reversed(turns.settings)}
    told = " or ".join(
        " ".join(str(names[i]) for i in range(len(names)) if bits >> i & 1)
        or f"none of these for {game.roles[role]}"
        for role, bits in sorted(settings.items())
    )
    return InputError(f"{what}: the facts do not tell whose turn it is: expected {told}")


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
