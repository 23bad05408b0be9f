"""What the compiled loops over pieces run on: the options of a splitter as arrays."""

from __future__ import annotations

import numpy as np

from ggp.machine.engine.frames import Int32s, Words
from ggp.solver.pieces.frames import PieceRules, Scratch
from ggp.solver.splitting import Splitter

WORD = 64


class PieceProgram:
    """The options of a splitter for the loops: `rules`, and `scratch` to work in.

    `pieces`: into how many parts a board can fall; `longest`: the length of all that is written of
    them.
    """

    def __init__(self, splitter: Splitter) -> None:
        options, net = splitter.options, splitter.boards.net
        fluents, first, second = len(net.fluents), splitter.first, splitter.second
        literals = [x for o in options for x in (o.rule, o.again, *o.changes.values())]
        cone = splitter.circuit.cone(literals)
        gates = sorted(node for node in cone if first[node] != second[node])
        node_of = {splitter.boards.inputs[f] >> 1: 1 + f for f in splitter.boards.inputs}
        node_of |= {0: 0}
        node_of |= {node: 1 + fluents + i for i, node in enumerate(gates)}

        def numbered(values: list[int]) -> Int32s:
            return np.array([2 * node_of[x >> 1] + (x & 1) for x in values], dtype=np.int32)

        changes = [sorted(o.changes.items()) for o in options]
        lengths = [len(own) for own in changes]
        words = -(-fluents // WORD)
        sides = {role: i for i, role in enumerate(splitter.sides)}
        self.words = words
        self.option_words = -(-len(options) // WORD)
        self.rules = PieceRules(
            fluents,
            numbered([first[node] for node in gates]),
            numbered([second[node] for node in gates]),
            np.array([first[node] > second[node] for node in gates], dtype=np.uint8),
            numbered([o.rule for o in options]),
            numbered([o.again for o in options]),
            np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int32),
            np.array([f for own in changes for f, _ in own], dtype=np.int32),
            numbered([x for own in changes for _, x in own]),
            np.array([as_words(o.reads, words) for o in options]).reshape(-1, words),
            np.array([sides[o.move[0]] for o in options], dtype=np.int32),
        )
        count, changed = len(options), sum(lengths)
        nodes = 1 + fluents + len(gates)
        vertices = fluents + len(gates) + count
        self.pieces = min(count, fluents) + 1
        self.longest = fluents + 3 * len(gates) + 4 * count + 2 * changed

        def ints(size: int) -> Int32s:
            return np.zeros(size, dtype=np.int32)

        self.scratch = Scratch(
            values=np.ones(nodes, dtype=np.uint8),
            needed=ints(len(gates)),
            marks=np.zeros(nodes, dtype=np.uint8),
            parent=ints(nodes + count),
            resolved=ints(nodes),
            options=ints(count),
            live=ints(count),
            board=np.zeros(fluents, dtype=np.uint8),
            opened=np.zeros(fluents, dtype=np.uint8),
            piece_of=ints(fluents),
            sizes=ints(fluents),
            colours=np.zeros(vertices, dtype=np.uint64),
            following=np.zeros(vertices, dtype=np.uint64),
            kinds=ints(vertices),
            low=ints(vertices),
            high=ints(vertices),
            hyper=np.zeros((changed, 3), dtype=np.int32),
            first_hyper=ints(vertices),
            order=ints(vertices),
            place=ints(vertices),
            text=ints(self.longest + 2),
            rows=np.zeros((self.pieces, self.option_words + words), dtype=np.uint64),
        )


def as_words(bits: int, words: int) -> Words:
    """A set of bits as words."""
    return np.frombuffer(bits.to_bytes(8 * words, "little"), dtype="<u8").astype(np.uint64)
