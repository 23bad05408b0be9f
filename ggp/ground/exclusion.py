"""Fluents that exclude each other in the next state, read off the form of their rules.

On a board each fluent of a square holds because a piece came from some square or because it stayed.
A solver that is asked about two of them has the whole of the game before it; that two ways to hold
are never one is mostly plain from the two: another move of the same role, fluents of one group
before it, or moves of two roles of which each is legal only where the other is not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from math import inf

from ggp.bits import bits_of
from ggp.ground.mapping import are_mapped
from ggp.ground.net import FALSE, TRUE, Net
from ggp.ground.ways import Kinds, Literals, Moves, Way
from ggp.limits import look
from ggp.work import GATES, count_work, work_done

MOST = 64
"""Literals that are kept of all that one implies."""

FEW = 4
"""Alternatives of a gate, up to which each is a way of its own."""

MANY = 16
"""Ways that one body has, from which on alternatives are not told apart any more."""

WAYS = 4_096
"""Ways of fluents or of a gate, up to which they are compared."""

COMPARED = 16_384
"""Pairs of sets of moves, up to which the ways of one group, or of two gates, are compared."""

PATIENCE = 0.5
"""Work for comparing the fluents of one group."""

FRUITLESS = 1.5
"""Work of comparing what is not plain, after which no more is compared."""

ALONE = -1
"""The number of what is no gate."""

Fluents = tuple[int, ...]
"""Indices of fluents, ascending."""


class Exclusion:
    """What is plain about the next state of a net.

    `of_fluent`: for a fluent the groups that it is in, of which those in `keep` hold before a move.
    """

    def __init__(
        self,
        net: Net,
        of_fluent: Mapping[int, Collection[Fluents]],
        keep: Collection[Fluents],
    ) -> None:
        self.net = net
        self.of_fluent = of_fluent
        self.keep = keep
        self._inputs = range(net.first_move, net.first_gate)
        self._roles = [
            (1 << offset + len(moves)) - (1 << offset)
            for offset, moves in zip(net.move_offset, net.moves, strict=True)
        ]
        self._looping = {node for start, stop in net.recursive for node in range(start, stop)}
        self._implied: dict[int, Literals] = {}
        self._made: dict[int, int | None] = {}
        self._common: dict[int, Literals] = {}
        self._kinds: dict[int, Kinds] = {}
        self._fruitless, self._until = 0.0, inf
        self._usuals: dict[int, Literals] = {}
        self._turns: dict[tuple[Literals, Literals], frozenset[Fluents] | None] = {}
        self._gates: dict[tuple[int, int], frozenset[Fluents] | None] = {}

    def rests_on(self, fluents: Fluents) -> frozenset[Fluents] | None:
        """The groups on which rests that two of these fluents never hold after one legal move.

        None where that is not plain.
        """
        after = [x for x in (self.net.next[i] for i in fluents) if x != FALSE]
        ways = sum(len(self.net.bodies(abs(x))) for x in after)
        if ways > WAYS:
            is_plain = fluents in self.keep and are_mapped(self.net, fluents)
            return frozenset([fluents]) if is_plain else None
        if self._fruitless > FRUITLESS:
            return None
        before = work_done()
        self._until = before + PATIENCE
        kinds = Kinds(self._roles)
        for place, x in enumerate(after):
            for way in self._ways(x):
                kinds.add(place, way)
        found = self._compare(kinds, kinds, opening=True)
        if found is None:
            self._fruitless += work_done() - before
        return found

    def _compare(
        self, kinds: Kinds, others: Kinds, *, opening: bool = False
    ) -> frozenset[Fluents] | None:
        """The groups on which rests that ways of different things are never both there.

        `opening`: where that is not plain otherwise, alternatives of gates are told apart.
        """
        used: set[Fluents] = set()
        compared = 0
        alone = self._alone(kinds.moves, others.moves)
        if alone is not None:
            used |= alone
        for i, moves in enumerate(kinds.ways):
            if opening:
                look("groups of fluents")
            near = self._near(moves, others, alone)
            if near is None:
                near = list(others.ways)[i if kinds is others else 0 :]
            count_work(GATES * len(near))
            for made in near:
                compared += 1
                apart = self._never_made(moves, made, alone) if moves != made else None
                if apart is None:
                    apart = self._never_hold(kinds.ways[moves], others.ways[made])
                if apart is None and opening:
                    apart = self._opened(moves, kinds, made, others)
                if apart is None or compared > COMPARED or work_done() > self._until:
                    return None
                used |= apart
        return frozenset(used)

    def _near(
        self, moves: Moves, others: Kinds, alone: frozenset[Fluents] | None
    ) -> list[Moves] | None:
        """All of the others but those about other moves of the role that makes one of few moves.

        None where none is known to make one of few. `alone`: the groups on which rests that one
        role makes them all; then those about moves of other roles are left out as well.
        """
        role, made = others.anchor(moves)
        if role is None:
            return None
        near = dict.fromkeys(others.of_many)
        for i in bits_of(made):
            near.update(dict.fromkeys(others.of_move.get(i, ())))
        for other, kinds in enumerate(others.of_role):
            if other != role and alone is None:
                near.update(dict.fromkeys(kinds))
        return list(near)

    def _never_hold(
        self, ways: Iterable[tuple[int, Literals]], others: Collection[tuple[int, Literals]]
    ) -> frozenset[Fluents] | None:
        used: frozenset[Fluents] = frozenset()
        for one, literals in ways:
            look("groups of fluents")
            for other, more in others:
                if one != other:
                    count_work(GATES)
                    apart = self._contradict(literals, more)
                    if apart is None or work_done() > self._until:
                        return None
                    used |= apart
        return used

    def _opened(
        self, moves: Moves, kinds: Kinds, made: Moves, others: Kinds
    ) -> frozenset[Fluents] | None:
        """The groups on which rests that ways of two sets of moves are never both there.

        That a piece stays is mostly one gate, that one of all moves is made that leave it alone.
        """
        used: frozenset[Fluents] = frozenset()
        for one, literals in kinds.ways[moves]:
            for other, more in others.ways[made]:
                if one != other:
                    apart = self._without_gate(Way(literals, moves), more)
                    if apart is None:
                        apart = self._without_gate(Way(more, made), literals)
                    if apart is None:
                        return None
                    used |= apart
        return used

    def _without_gate(self, way: Way, literals: Literals) -> frozenset[Fluents] | None:
        """The groups on which rests that one of the `literals`, a gate, is false in this way."""
        alone = Kinds(self._roles)
        alone.add(ALONE, way)
        for x in sorted(literals):
            if self._is_of_moves(x):
                apart = self._compare(alone, self._kinds_of(x))
                if apart is not None:
                    return apart
        return None

    def _contradict(self, literals: Literals, others: Literals) -> frozenset[Fluents] | None:
        """The groups on which rests that the literals never all hold."""
        if any(-x in others for x in literals):
            return frozenset()
        first, of_fluent = self.net.first_fluent, self.of_fluent
        for x in sorted(literals):
            for group in of_fluent.get(x - first, ()):
                theirs = (of_fluent.get(y - first, ()) for y in others if y != x)
                # A group may have thousands of fluents: it is looked up last.
                if any(group in groups for groups in theirs) and group in self.keep:
                    return frozenset([group])
        for x in sorted(literals):
            for y in sorted(others):
                if x != y and self._is_of_moves(x) and self._is_of_moves(y):
                    apart = self._gates_apart(min(x, y), max(x, y))
                    if apart is not None:
                        return apart
        return None

    def _is_of_moves(self, literal: int) -> bool:
        """Whether it is a gate of which each of not too many alternatives is about a move."""
        bodies = self.net.bodies(literal) if literal > 0 else ()
        return FEW < len(bodies) <= WAYS and any(
            self._moves_of(abs(x)) is not None for x in bodies[0]
        )

    def _gates_apart(self, one: int, other: int) -> frozenset[Fluents] | None:
        """The groups on which rests that two gates never both hold after one legal joint move."""
        pair = one, other
        known = self._gates.get(pair)
        if pair not in self._gates or (known and not known.issubset(self.keep)):
            self._gates[pair] = None  # what rests on itself is not plain
            self._gates[pair] = self._compare(self._kinds_of(one), self._kinds_of(other))
        return self._gates[pair]

    def _kinds_of(self, gate: int) -> Kinds:
        if gate not in self._kinds:
            kinds = Kinds(self._roles)
            for way in self._ways(gate):
                kinds.add(gate, way)
            self._kinds[gate] = kinds
        return self._kinds[gate]

    def _never_made(
        self, sets: Moves, others: Moves, alone: frozenset[Fluents] | None
    ) -> frozenset[Fluents] | None:
        """The groups on which rests that no joint move makes one of each of these sets."""
        for made in sets:
            for more in others:
                apart = self._apart(made, more, alone)
                if apart is not None:
                    return apart
        return None

    def _alone(self, made: int, more: int) -> frozenset[Fluents] | None:
        """The groups on which rests that no two roles make one of these moves each."""
        used: frozenset[Fluents] = frozenset()
        for role in self._roles:
            for other in self._roles:
                own, theirs = made & role, more & other
                if role != other and own and theirs:
                    count_work(GATES)
                    apart = self._by_turn(role, own, other, theirs)
                    if apart is None:
                        apart = self._contradict(self._implied_by(own), self._implied_by(theirs))
                    if apart is None:
                        return None
                    used |= apart
        return used

    def _by_turn(self, role: int, own: int, other: int, theirs: int) -> frozenset[Fluents] | None:
        """The same by what most moves of the two roles have in common, which is soon told."""
        pair = (
            self._implied_by(own) & self._usual(role),
            self._implied_by(theirs) & self._usual(other),
        )
        known = self._turns.get(pair)
        if pair not in self._turns or (known and not known.issubset(self.keep)):
            known = self._turns[pair] = self._contradict(*pair)
        return known

    def _usual(self, role: int) -> Literals:
        """Literals that are implied by at least half of a role's moves."""
        if role not in self._usuals:
            counts = Counter(
                x for i in bits_of(role) for x in self._implications(self.net.legal[i])
            )
            least = role.bit_count() / 2
            self._usuals[role] = frozenset(x for x, n in counts.items() if n >= least)
        return self._usuals[role]

    def _apart(
        self, made: int, more: int, alone: frozenset[Fluents] | None
    ) -> frozenset[Fluents] | None:
        """`alone`: the groups on which rests that one role makes them all, where that is plain."""
        if made & more:
            return None
        return self._alone(made, more) if alone is None else alone

    def _implied_by(self, moves: int) -> Literals:
        """Literals that hold wherever one of a role's `moves` is legal."""
        if moves not in self._common:
            found: Literals | None = None
            for i in bits_of(moves):
                count_work(GATES)
                own = self._implications(self.net.legal[i])
                found = own if found is None else found & own
                if not found:
                    break
            self._common[moves] = found or frozenset()
        return self._common[moves]

    def _ways(self, literal: int) -> list[Way]:
        """All ways in which a literal of the next state can hold."""
        bodies = self.net.bodies(literal) if literal > 0 else ()
        return [way for body in bodies or [(literal,)] for way in self._ways_of(body)]

    def _ways_of(self, body: Iterable[int]) -> list[Way]:
        """All ways in which all of these literals hold: few alternatives are told apart."""
        found, ways = [], 1
        open_ = [(list(body), frozenset[int](), frozenset[int](), set[int]())]
        while open_:
            todo, literals, moves, seen = open_.pop()
            while todo:
                x = todo.pop()
                if x in seen:
                    continue
                seen.add(x)
                count_work(GATES)
                made = self._moves_of(abs(x))
                # Alternatives of a gate of a loop may lead back to it.
                bodies = self.net.bodies(x) if x > 0 and x not in self._looping else ()
                if made is not None and x > 0:
                    moves |= {made}
                elif made is not None:
                    moves |= {role & ~made for role in self._roles if role & made}
                elif len(bodies) == 1:
                    todo += bodies[0]
                elif 1 < len(bodies) <= FEW and ways + len(bodies) <= MANY:
                    ways += len(bodies) - 1
                    open_ += [([*todo, *own], literals, moves, {*seen}) for own in bodies[1:]]
                    todo += bodies[0]
                else:
                    literals |= self._implications(x)
            for made in moves:
                if any(role & made == made for role in self._roles):
                    literals |= self._implied_by(made)
            if FALSE not in literals and not any(-x in literals for x in literals):
                found.append(Way(literals, tuple(sorted(moves))))
        return found

    def _moves_of(self, node: int) -> int | None:
        """The moves of which one is made exactly where `node` holds, if it says no more."""
        if node in self._inputs:
            return 1 << node - self.net.first_move
        if node < self.net.first_gate:
            return None
        if node not in self._made:
            self._made[node] = None  # what rests on itself says more
            found: int | None = 0
            for body in self.net.bodies(node):
                count_work(GATES)
                own = self._moves_of(body[0]) if len(body) == 1 and body[0] > 0 else None
                found = None if own is None or found is None else found | own
                if found is None:
                    break
            self._made[node] = found
        return self._made[node]

    def _implications(self, literal: int) -> Literals:
        """Some literals of fluents and gates that hold where `literal` does, and it itself.

        A move that is made is legal.
        """
        node = abs(literal)
        if literal in self._inputs:
            return self._implications(self.net.legal[literal - self.net.first_move])
        if literal == TRUE or node in self._inputs:
            return frozenset()
        if node < self.net.first_gate:
            return frozenset([literal])
        if literal not in self._implied:
            self._implied[literal] = frozenset([literal])  # for what rests on itself
            bodies = self.net.bodies(node)
            if literal < 0:
                sets = [self._implications(-body[0]) for body in bodies if len(body) == 1]
                found = frozenset[int]().union(*sets)
            else:
                sets = [self._implied_by_all(body) for body in bodies]
                found = frozenset.intersection(*sets) if sets else frozenset([FALSE])
            count_work(GATES * (1 + len(bodies)))
            self._implied[literal] = _some(found, literal)
        return self._implied[literal]

    def _implied_by_all(self, body: Iterable[int]) -> Literals:
        return frozenset[int]().union(*(self._implications(x) for x in body))


def _some(literals: Literals, one: int) -> Literals:
    """At most so many of the literals, `one` among them."""
    if len(literals) > MOST:
        literals = frozenset(sorted(literals, key=abs)[:MOST])
    return literals | {one}
