"""Roles that never have a choice at the same time: in random play one choice does for all of them.

Where roles take turns, the choice of moves is most of a step's circuit, once for each role. Whose
turn it is tells a clock (`ggp.ground.clock`), which runs through its settings whatever is played;
or a few fluents, one for each role, of which it is plain from the form of the rules that no two
hold after a legal move where no two held before it (`ggp.ground.exclusion`), or from their values
that just one does. The rules are evaluated under each setting, with all else unknown: a role that
has at most one move that may be legal has nothing to choose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.circuits.lowering import Lowering
from ggp.ground import (
    MAX_TURN,
    Clock,
    Exclusion,
    Net,
    candidates,
    find_clocks,
    independent,
    names_roles,
)
from ggp.limits import look
from ggp.machine.choice import choose
from ggp.machine.coding import Rows
from ggp.rules import signature

MAX_FLUENTS = 62
"""Fluents that tell whose turn it is, so that a setting is a number of 64 bits."""

MAX_HANDED = 20
"""Sets of fluents that may be the turn and are no clock, of which the first are tried."""

MAX_GATES = 200_000
"""Gates that are made under all settings of one clock, or of some fluents."""


_ONE = np.uint64(1)


class Choice(NamedTuple):
    """A choice as a part of a circuit: a literal for each of `Net.legal` that it is made; whether
    some role has none; and that it is made by the role whose turn it is."""

    moves: list[int]
    stuck: int
    made: list[int]


@dataclass(frozen=True)
class Sharing:
    """Who has a choice by which fluents of a `mask` hold, wherever that is one of the `settings`:
    then it is so after every legal move as well.

    `turns`: for each setting (as bits of the fluents that hold) the role that may have a choice, or
    None. `acting`, `waiting`: for each role its moves (indices into `Net.legal`, ascending) that
    may be legal in its turns, and in those of others, of which there is at most one in a setting.
    """

    mask: int
    settings: tuple[int, ...]
    turns: tuple[int | None, ...]
    acting: tuple[tuple[int, ...], ...]
    waiting: tuple[frozenset[int], ...]

    @property
    def most(self) -> int:
        """The most moves that a role chooses from."""
        return max(map(len, self.acting))

    @cached_property
    def _fluents(self) -> list[int]:
        return [i for i in range(self.mask.bit_length()) if self.mask >> i & 1]

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        settings = (
            sum((setting >> f & 1) << i for i, f in enumerate(self._fluents))
            for setting in self.settings
        )
        return np.array(sorted(settings), dtype=np.int64)

    @cached_property
    def _places(self) -> list[tuple[int, np.uint64, np.uint64]]:
        return [(f >> 6, np.uint64(f & 63), np.uint64(i)) for i, f in enumerate(self._fluents)]

    def hold(self, plain: Rows) -> bool:
        """Whether there is one of the settings in all of some states, as there is in every state of
        play. They are rows with a bit for each fluent."""
        numbers = np.zeros(len(plain), dtype=np.int64)
        for word, place, digit in self._places:
            numbers |= ((plain[:, word] >> place & _ONE) << digit).view(np.int64)
        places = np.searchsorted(self._numbers[:-1], numbers)
        return bool((self._numbers[places] == numbers).all())

    def holds(self, builder: Builder, fluents: Sequence[int]) -> int:
        """The same of one state, from a literal for each of its fluents."""
        return builder.disj_all(
            builder.conj_all(fluents[f] ^ (not setting >> f & 1) for f in self._fluents)
            for setting in self.settings
        )

    def in_turn(self, builder: Builder, fluents: Sequence[int], role: int) -> int:
        """Whether it is a role's turn, from a literal for each fluent of a state of play."""
        by_turn = list(zip(self.settings, self.turns, strict=True))
        others = [setting for setting, turn in by_turn if turn != role]
        found: dict[tuple[int, ...], None] = {}
        for setting, turn in by_turn:
            if turn == role:
                signs = [fluents[f] ^ (not setting >> f & 1) for f in self._fluents]
                # Mostly one fluent tells, and the same one in several settings.
                telling = (
                    sign
                    for f, sign in zip(self._fluents, signs, strict=True)
                    if all((setting ^ other) >> f & 1 for other in others)
                )
                one = next(telling, None)
                found[tuple(signs) if one is None else (one,)] = None
        return builder.disj_all(builder.conj_all(signs) for signs in found)

    def in_turns(self, builder: Builder, fluents: Sequence[int], moves: Sequence[int]) -> list[int]:
        """Literals for each of `Net.legal`, of moves that are legal or some of them: they hold in
        the turns of their roles alone, where a role has a choice."""
        found = list(moves)
        for role, (acting, waiting) in enumerate(zip(self.acting, self.waiting, strict=True)):
            turn = self.in_turn(builder, fluents, role)
            for move in waiting.intersection(acting):
                found[move] = builder.conj(moves[move], turn)
        return found

    def choose(
        self,
        builder: Builder,
        fluents: Sequence[int],
        legal: Sequence[int],
        random: Sequence[int],
        options: Sequence[int],
        active: int = TRUE,
    ) -> Choice:
        """One move of each role of a state of play.

        `fluents`, `legal`: what holds of the state; `random`: `random_bits(self.most)` literals.
        The role whose turn it is takes the move that `choice.choose` would take for it, of the
        `options`: its legal moves or some of them, see `in_turns`; none where `active` is false.
        """
        moves, made = [FALSE] * len(legal), [FALSE] * len(legal)
        slots: list[list[int]] = [[] for _ in range(self.most)]
        for acting in self.acting:
            for slot, move in zip(slots, acting, strict=False):
                slot.append(options[move])
        chosen, is_able = choose(builder, list(map(builder.disj_all, slots)), random, active)
        stuck = FALSE
        turns = [self.in_turn(builder, fluents, role) for role in range(len(self.acting))]
        for turn, acting, waiting in zip(turns, self.acting, self.waiting, strict=True):
            for own, move in zip(chosen, acting, strict=False):
                told = builder.disj(own, turn ^ 1) if move in waiting else own
                moves[move] = builder.conj(legal[move], told)
                made[move] = builder.conj(moves[move], turn) if move in waiting else moves[move]
            for move in waiting.difference(acting):
                moves[move] = legal[move]
            rests = builder.disj_all(legal[move] for move in waiting)
            stuck = builder.disj(stuck, builder.mux(turn, is_able, rests) ^ 1)
        return Choice(moves, stuck, made)


def find_sharing(net: Net) -> Sharing | None:
    """What tells that no two roles ever have a choice at once, with a circuit to gain by that.

    None where nothing does, or just one role ever has a choice. No solver is asked, and what is
    found holds after every legal move from a state in which it holds.
    """
    if len(net.roles) < 2:
        return None
    depends = independent(net)
    for clock in find_clocks(net, depends):
        sharing = _under(net, *_with_constants(net, clock, depends))
        if sharing:
            return sharing
    for fluents in _handed_on(net):
        nodes = tuple(1 << f for f in fluents)
        sharing = _under(net, sum(nodes), (*nodes, 0))
        if sharing and _is_kept(net, fluents):
            return sharing
        if sharing and len(net.initial.intersection(fluents)) == 1 and _goes_round(net, fluents):
            return _under(net, sum(nodes), nodes)
    return None


def _handed_on(net: Net) -> list[tuple[int, ...]]:
    """Fluents of one relation that name all roles, of which at most one holds at first; those of
    relations with few fluents, as whose piece is on a square is no turn."""
    sizes = Counter(map(signature, net.fluents))
    found = [
        group.fluents
        for group in candidates(net)
        if len(group.fluents) <= MAX_TURN and names_roles(net, group.fluents)
    ]
    found.sort(key=lambda fluents: (sizes[signature(net.fluents[fluents[0]])], fluents))
    return found[:MAX_HANDED]


def _is_kept(net: Net, fluents: tuple[int, ...]) -> bool:
    """Whether it is plain that no two of the fluents hold after a legal move, by nothing but that
    no two held before it."""
    exclusion = Exclusion(net, {f: [fluents] for f in fluents}, [fluents])
    return exclusion.rests_on(fluents) is not None


def _goes_round(net: Net, fluents: tuple[int, ...]) -> bool:
    """Whether just one of the fluents holds after a legal move where just one held before it, by
    what comes next of each: whoever has but one move that may be legal makes it, as where the turn
    goes to who did nothing."""
    gates = sum(node >= net.first_gate for node in net.cone(net.next[f] for f in fluents))
    if (len(fluents) + 1) * gates > MAX_GATES:
        return False
    mask = sum(1 << f for f in fluents)
    for setting in (1 << f for f in fluents):
        look("whose turn it is")
        builder = Builder()
        state = _known(net, builder, mask, setting)
        legal = Lowering(net, builder, state).literals(net.legal)
        own = [[m for m in range(a, b) if legal[m] != FALSE] for a, b in pairwise(_bounds(net))]
        if not all(own):
            continue  # Nobody moves on from there.
        moves = [FALSE] * len(legal)
        for possible in own:
            for m in possible:
                moves[m] = TRUE if len(possible) == 1 else builder.input()
        following = Lowering(net, builder, state, moves).literals(net.next[f] for f in fluents)
        if builder.at_least_two(following) != FALSE or builder.disj_all(following) != TRUE:
            return False
    return True


def _with_constants(
    net: Net, clock: Clock, depends: Mapping[int, frozenset[int]]
) -> tuple[int, tuple[int, ...]]:
    """The mask and the settings of a clock with the fluents that it depends on as well, which never
    change in play."""
    own = {f for f in depends if clock.mask >> f & 1}
    todo = list(own)
    while todo:
        new = depends[todo.pop()] - own
        own |= new
        todo += new
    constant = sum(1 << f for f in own & net.initial) & ~clock.mask
    return sum(1 << f for f in own), tuple(setting | constant for setting in clock.settings)


def _under(net: Net, mask: int, settings: tuple[int, ...]) -> Sharing | None:
    """Who has a choice under each setting of some fluents, if it is at most one role."""
    gates = sum(node >= net.first_gate for node in net.cone(net.legal))
    if mask.bit_count() > MAX_FLUENTS or len(settings) * gates > MAX_GATES:
        return None
    turns: list[int | None] = []
    acting: list[set[int]] = [set() for _ in net.roles]
    waiting: list[set[int]] = [set() for _ in net.roles]
    for setting in settings:
        look("whose turn it is")
        possible = _possible(net, mask, setting)
        own = [[m for m in range(a, b) if possible[m]] for a, b in pairwise(_bounds(net))]
        free = [role for role, moves in enumerate(own) if len(moves) > 1]
        if len(free) > 1:
            return None
        turns += free or [None]
        for role, moves in enumerate(own):
            (acting if role in free else waiting)[role].update(moves)
    if len({*turns} - {None}) < 2:
        return None
    return Sharing(
        mask,
        settings,
        tuple(turns),
        tuple(tuple(sorted(own)) for own in acting),
        tuple(frozenset(own) for own in waiting),
    )


def _bounds(net: Net) -> list[int]:
    return [*net.move_offset, len(net.legal)]


def _possible(net: Net, mask: int, setting: int) -> list[bool]:
    """For each move whether it may be legal where some fluents are known and all else is not."""
    builder = Builder()
    fluents = _known(net, builder, mask, setting)
    return [legal != FALSE for legal in Lowering(net, builder, fluents).literals(net.legal)]


def _known(net: Net, builder: Builder, mask: int, setting: int) -> list[int]:
    """A state of which some fluents are known and all else is not."""
    return [
        (FALSE, TRUE)[setting >> f & 1] if mask >> f & 1 else builder.input()
        for f in range(len(net.fluents))
    ]
