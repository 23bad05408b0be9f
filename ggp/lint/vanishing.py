"""Fluents that vanish: places of a board on which suddenly nothing stands, or two things.

The fluents of one relation that differ in one argument only are a place and what can be on it
(`(cell 1 1 ?)`). Where at first each place of a relation has exactly one of them, that is most
probably meant to last: the classic fault is a frame axiom that is missing or too narrow.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.ground import Net
from ggp.lint.met import Met
from ggp.rules import Signature, signature

MAX_ARGUMENTS = 6


@dataclass(frozen=True, eq=False)
class PlaceRelation:
    """Places of one relation: `varying` is the argument that says what is on a place.

    `columns` are fluents by index, sorted by place; those of place `i` begin at `starts[i]`.
    """

    relation: Signature
    varying: int
    columns: NDArray[np.int64]
    starts: NDArray[np.int64]

    @property
    def is_board(self) -> bool:
        """Whether there are several places, with something else to be on one of them."""
        return 1 < len(self.starts) < len(self.columns)

    def place(self, net: Net, i: int) -> str:
        """A place as text, `?` for what is on it."""
        fluent = net.fluents[int(self.columns[self.starts[i]])]
        args = ("?" if j == self.varying else str(arg) for j, arg in enumerate(fluent.args))
        return f"({' '.join([fluent.name, *args])})"

    def on(self, i: int) -> NDArray[np.int64]:
        """The fluents of a place."""
        return np.asarray(np.split(self.columns, self.starts[1:])[i])


@dataclass(frozen=True, eq=False)
class Broken:
    """A state, reached from the state `before`, in which a place has none or two fluents."""

    board: PlaceRelation
    place: int
    state: int
    count: int


def boards(net: Net) -> list[PlaceRelation]:
    """The relations with an argument such that at first each place has exactly one fluent."""
    families: dict[Signature, list[int]] = defaultdict(list)
    for i, fluent in enumerate(net.fluents):
        families[signature(fluent)].append(i)
    found = []
    for relation, members in families.items():
        for varying in range(relation[1]) if relation[1] <= MAX_ARGUMENTS else ():
            if _is_coordinate(net, members, varying):
                continue
            places: dict[object, list[int]] = defaultdict(list)
            for i in members:
                args = net.fluents[i].args
                places[args[:varying], args[varying + 1 :]].append(i)
            one_each = all(len(net.initial.intersection(p)) == 1 for p in places.values())
            # A relation of one argument whose fluents all hold at first is a set.
            if one_each and (relation[1] > 1 or any(len(p) > 1 for p in places.values())):
                columns = np.array([i for place in places.values() for i in place])
                sizes = [len(place) for place in places.values()]
                starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
                found.append(PlaceRelation(relation, varying, columns, starts))
    return found


def _is_coordinate(net: Net, members: list[int], varying: int) -> bool:
    """Whether an argument that is not the last one has values that others have as well: then it
    rather says where something is."""
    arity = len(net.fluents[members[0]].args)
    if varying == arity - 1:
        return False
    values = {net.fluents[i].args[varying] for i in members}
    others = {net.fluents[i].args[j] for i in members for j in range(arity) if j != varying}
    return not values.isdisjoint(others)


def broken(states: Met) -> list[Broken]:
    """For each relation the first state with an empty place, and with one that has two fluents.

    Nothing of a relation that can be read so that all its places are kept: where registers differ
    at first each value is one register's, too.
    """
    found: dict[tuple[int, bool], Broken] = {}
    all_boards = boards(states.game.net)
    for start, held in states.held() if all_boards else ():
        ends = states.terminal[start : start + len(held), None]
        for number, board in enumerate(all_boards):
            counts = np.add.reduceat(held[:, board.columns].astype(np.int32), board.starts, axis=1)
            for is_empty, faulty in ((True, counts == 0), (False, counts > 1)):
                if (number, is_empty) in found:
                    continue
                # A single fluent may go when play ends.
                bad = np.argwhere(faulty if board.is_board else faulty & ~ends)
                if len(bad):
                    i, place = map(int, bad[0])
                    count = int(counts[i, place])
                    found[number, is_empty] = Broken(board, place, start + i, count)
    failed = {number for number, _ in found}
    kept = {board.relation for n, board in enumerate(all_boards) if n not in failed}
    return _one_of_each(one for one in found.values() if one.board.relation not in kept)


def _one_of_each(found: Iterable[Broken]) -> list[Broken]:
    """Of what is broken in one relation in one way, one: a place of a board if there is one."""
    by_relation: dict[tuple[Signature, bool], Broken] = {}
    for one in sorted(found, key=lambda one: (not one.board.is_board, -one.board.varying)):
        by_relation.setdefault((one.board.relation, one.count == 0), one)
    return list(by_relation.values())
