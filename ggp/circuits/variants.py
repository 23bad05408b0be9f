"""Functions that are wanted many times, each time with other values of a few inputs."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping

from ggp.circuits.circuit import FALSE, Builder
from ggp.circuits.lowering import LOOK


class Variants:
    """Functions of a circuit under some values of its inputs, and how they change where a few of
    these do.

    Functions and nodes are those of `source`, values are literals of `builder`. `inputs`: a value
    for each input, by its node. `known`: values that nodes are known to have, whatever they are
    made of, as long as nothing changes that they are made of. `heed` is called now and then, and
    ends all by raising.
    """

    def __init__(
        self,
        source: Builder,
        builder: Builder,
        functions: Iterable[int],
        inputs: Mapping[int, int],
        known: Mapping[int, int],
        heed: Callable[[], None],
    ) -> None:
        self._source, self._builder, self._heed = source, builder, heed
        self._base = {0: FALSE, **inputs}
        self._users: dict[int, list[int]] = {}
        cone = source.circuit([], functions).cone(functions)
        for i, node in enumerate(sorted(cone)):
            if i % LOOK == 0:
                heed()
            first, second = source.first[node], source.second[node]
            if first == second:
                continue
            for operand in (first, second):
                self._users.setdefault(operand >> 1, []).append(node)
            value = known.get(node)
            self._base[node] = self._gate(node, {}) if value is None else value

    def __call__(self, function: int, changed: Mapping[int, int] | None = None) -> int:
        """The value of a function, from what `changed` gave."""
        node = function >> 1
        value = changed.get(node) if changed else None
        return (self._base[node] if value is None else value) ^ (function & 1)

    def changed(self, inputs: Mapping[int, int]) -> dict[int, int]:
        """The nodes that have other values where some inputs have: those inputs, and what follows
        from them."""
        found = dict(inputs)
        todo = sorted({user for node in inputs for user in self._users.get(node, ())})
        asked = set(todo)
        while todo:
            node = heapq.heappop(todo)
            if len(asked) % LOOK == 0:
                self._heed()
            value = self._gate(node, found)
            if value == self._base[node]:
                continue
            found[node] = value
            for user in self._users.get(node, ()):
                if user not in asked:
                    asked.add(user)
                    heapq.heappush(todo, user)
        return found

    def _gate(self, node: int, changed: Mapping[int, int]) -> int:
        a, b = self._source.first[node], self._source.second[node]
        x, y = self(a, changed), self(b, changed)
        return self._builder.conj(x, y) if a < b else self._builder.xor(x, y)
