"""The machine's answers one state after the other, by the reference engine.

Slow, and nothing of circuits in it: what the fast engines are held against.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ggp.ground import Net
from ggp.machine.engine.by_definition import ByDefinition
from ggp.machine.engine.frames import CLOCK, LANES, LEFT, LONG, PLIES, STUCK, WORDS, Tally, Words
from ggp.machine.foresight import has_aims
from ggp.machine.playouts.playouts import Favour
from ggp.machine.sharing import Sharing
from ggp.machine.step import widths


class Reference:
    """Answers about single states, and the playouts that the fast engines play."""

    def __init__(self, net: Net) -> None:
        self.net = net
        self.by_definition = ByDefinition(net)

    def outputs(self, state: int) -> list[bool]:
        """Legal moves, end, and goals, as the outputs of the circuit that looks at a state."""
        net = self.net
        legal = {i for own in self.by_definition.legal(state) for i in own}
        held = self.by_definition.goals(state)
        return [
            *(i in legal for i in range(len(net.legal))),
            self.by_definition.terminal(state),
            *(v in held[r] for r, known in enumerate(net.goals) for v, _ in known),
        ]

    def percepts(self, state: int, joint: Sequence[int]) -> list[bool]:
        """Which percepts a joint move gives, as the outputs of the circuit for them."""
        seen = self.by_definition.percepts(state, joint)
        return [p in seen[r] for r, known in enumerate(self.net.sees) for p, _ in known]

    def play(
        self,
        starts: Words,
        seed: Sequence[int],
        tally: Tally,
        until: Callable[[], float],
        sharing: Sharing | None = None,
        foresight: bool = False,
        favour: Favour | None = None,
    ) -> None:
        """What `playouts.Player.play` does: see `playing.play` for the order of things."""
        counters = tally.counters
        bits = widths(self.net, sharing)
        begin = [int.from_bytes(row.tobytes(), "little") for row in starts.astype("<u8")]
        playing = dict(enumerate(begin))
        since = dict.fromkeys(playing, 0)
        words = _words(seed)
        guides: list[_Guide] = []
        if sharing and foresight:
            guides.append(_Foresight(self, sharing))
        if sharing and favour:
            favour.made.append(np.zeros_like(favour.lanes))
            guides.append(_Favour(self, sharing, favour))

        def goes_on(lane: int) -> bool:
            return self._goes_on(lane, playing, drawn, tally, since, guides)

        while playing and time.monotonic() < until():
            drawn = [(_numbers([next(words) for _ in range(n)]), n) for n in bits]
            # Of roles that share a choice all but one have one move, whatever is drawn.
            drawn *= len(self.net.roles) if sharing else 1
            counters[CLOCK] += 1
            counters[PLIES] += len(playing)
            for w in range(WORDS):
                gone = [
                    lane
                    for lane in range(64 * w, 64 * w + 64)
                    if lane in playing and not goes_on(lane)
                ]
                again = gone[: int(counters[LEFT])]
                counters[LEFT] -= len(again)
                for lane in gone:
                    del playing[lane]
                for lane in again:
                    playing[lane], since[lane] = begin[lane], int(counters[CLOCK])

    def _goes_on(
        self,
        lane: int,
        playing: dict[int, int],
        drawn: Sequence[tuple[Sequence[int], int]],
        tally: Tally,
        since: dict[int, int],
        guides: Sequence[_Guide],
    ) -> bool:
        """Make one move in a lane; False where the playout has come to some end."""
        legal = self.by_definition.legal(playing[lane])
        if not all(legal):
            tally.counters[STUCK] += 1
            return False
        for guide in guides:
            guide.narrow(playing[lane], legal, lane)
        joint = [
            own[numbers[lane] * len(own) >> width]
            for own, (numbers, width) in zip(legal, drawn, strict=True)
        ]
        for guide in guides:
            guide.see(playing[lane], joint, lane)
        state = playing[lane] = self.by_definition.next(playing[lane], joint)
        length = int(tally.counters[CLOCK]) - since[lane]
        if self.by_definition.terminal(state):
            goals = self.outputs(state)[len(self.net.legal) + 1 :]
            for i, holds in enumerate(goals):
                tally.values[i] += holds
                if len(tally.reached):
                    tally.reached[i, lane >> 6] |= np.uint64(holds) << np.uint64(lane & 63)
            tally.lengths[length] += 1
            return False
        if length >= len(tally.lengths) - 1:
            tally.counters[LONG] += 1
            return False
        return True


@dataclass(frozen=True)
class _Guide:
    """What the role whose turn it is goes by in random play."""

    reference: Reference
    sharing: Sharing

    def narrow(self, state: int, legal: list[list[int]], lane: int) -> None:
        """Leave the role whose turn it is just those of its legal moves that it chooses from."""

    def see(self, state: int, joint: Sequence[int], lane: int) -> None:
        """Look at the moves that are made in a state."""

    def _turn(self, state: int) -> int | None:
        """The role that may have a choice."""
        return self.sharing.turns[self.sharing.settings.index(state & self.sharing.mask)]

    def _role(self, state: int) -> int | None:
        """The same, if it has a goal."""
        role = self._turn(state)
        return role if role is not None and has_aims(self.reference.net, role) else None


@dataclass(frozen=True)
class _Favour(_Guide):
    """Moves that are favoured, see `ggp.machine.playouts.playouts.Favour`."""

    favour: Favour

    def narrow(self, state: int, legal: list[list[int]], lane: int) -> None:
        """Leave the role what it favours of these moves, all if it is nothing."""
        role = self._role(state)
        if role is not None:
            word, bit = lane >> 6, lane & 63
            lanes = self.favour.lanes
            liked = [move for move in legal[role] if int(lanes[move, word]) >> bit & 1]
            legal[role] = liked or legal[role]

    def see(self, state: int, joint: Sequence[int], lane: int) -> None:
        """Note the move of the role whose turn it is."""
        role = self._turn(state)
        if role is not None:
            made = self.favour.made[-1]
            made[joint[role], lane >> 6] |= np.uint64(1) << np.uint64(lane & 63)


@dataclass(frozen=True)
class _Foresight(_Guide):
    """Moves of roles that look ahead, by what `ggp.machine.foresight` says of them."""

    def narrow(self, state: int, legal: list[list[int]], lane: int) -> None:
        """Leave the role what wins at once, else what does not let another win, else all."""
        role = self._role(state)
        if role is not None:
            after = [(move, self._after(state, legal, role, move)) for move in legal[role]]
            decisive = [move for move, s in after if self._has_won(role, s)]
            safe = decisive or [move for move, s in after if not self._loses(role, s)]
            legal[role] = safe or legal[role]

    def _after(self, state: int, legal: list[list[int]], role: int, move: int) -> int:
        others = [own[0] for other, own in enumerate(legal) if other != role and own]
        return self.reference.by_definition.next(state, [move, *others])

    def _has_won(self, role: int, state: int) -> bool:
        asked, best = self.reference.by_definition, self.reference.net.goals[role][-1][0]
        return asked.terminal(state) and best in asked.goals(state)[role]

    def _loses(self, role: int, state: int) -> bool:
        """Whether play is not over, and another role whose turn it is has a decisive move."""
        asked, other = self.reference.by_definition, self._role(state)
        if other in (None, role) or asked.terminal(state):
            return False
        legal = asked.legal(state)
        if not all(legal):
            return False
        after = (self._after(state, legal, other, move) for move in legal[other])
        return any(self._has_won(other, s) for s in after)


def _words(seed: Sequence[int]) -> Iterator[Words]:
    """Rows of random words: xoroshiro128++, one generator for each word of a row."""
    state = np.random.SeedSequence(seed).generate_state(2 * WORDS, np.uint64).reshape(2, WORDS)
    a, b = state[0].astype(np.uint64), state[1].astype(np.uint64)
    while True:
        yield _rotated(a + b, 17) + a
        b = b ^ a
        a, b = _rotated(a, 49) ^ b ^ (b << np.uint64(21)), _rotated(b, 28)


def _rotated(words: Words, by: int) -> Words:
    return np.asarray((words << np.uint64(by)) | (words >> np.uint64(64 - by)))


def _numbers(rows: Sequence[Words]) -> list[int]:
    """For each lane the number whose digits, the lowest first, are its bits in the rows."""
    numbers = [0] * LANES
    for i, row in enumerate(rows):
        bits = np.unpackbits(row.astype("<u8").view(np.uint8), bitorder="little")
        for lane in np.flatnonzero(bits):
            numbers[lane] |= 1 << i
    return numbers
