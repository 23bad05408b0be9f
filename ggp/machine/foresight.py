"""Which moves a role makes in random play that looks a move or two ahead, as a part of the circuit.

A move is *decisive* if play is over after it and its role has its highest goal, and *safe* if play
is over after it or no other role whose turn it then is has a decisive move. In its turn a role
chooses among its decisive moves if it has any, else among its safe ones, else among all that are
legal (decisive and anti-decisive moves: Teytaud and Teytaud, "On the huge benefit of decisive moves
in Monte-Carlo Tree Search algorithms", CIG 2010).

For every move the rules are evaluated once more with that move made. What it does not touch is
there already, and as play is not over yet, all that by itself would end it is known to be false: so
that mostly a few gates are left of each move.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ggp.circuits.circuit import FALSE, TRUE, Builder
from ggp.circuits.lowering import LOOK, Lowering
from ggp.circuits.variants import Variants
from ggp.ground import Net
from ggp.limits import look
from ggp.machine.sharing import Sharing

MAX_ASKED = 600_000
"""Gates that are asked for, most of which are there already: a second or two."""

MAX_LITERALS = 200_000
"""Literals of the rules that say what follows a move, who may move then, and when play is over."""

NATURE = "random"
"""The role that has no goal of its own (Thielscher, "A general game description language for
incomplete information games", AAAI 2010)."""


class _TooLargeError(Exception):
    """It would take more gates than allowed."""


def has_aims(net: Net, role: int) -> bool:
    """Whether a role chooses its moves for a goal; one that is spelled as nature is in a sheet of
    other case is taken for that, and never looks ahead."""
    return bool(net.goals[role]) and str(net.roles[role]).lower() != NATURE


def preferred(
    net: Net,
    sharing: Sharing,
    builder: Builder,
    fluents: Sequence[int],
    legal: Sequence[int],
    most: int,
) -> list[int] | None:
    """What a role in its turn chooses from: a literal for each of `Net.legal`, which says nothing
    where the role has no choice.

    `fluents`, `legal`: what holds of a state of play that is not terminal. None where no move is
    ever decisive, where it takes more than `most` new gates to tell, or where the rules that tell
    are recursive.
    """
    rules = _Rules(net, sharing, most)
    account = _Account(builder, most)
    moves = list(legal)
    try:
        own = rules.in_turn(builder, fluents, legal)
        wins = rules.decisive(account, fluents, own)
        if not any(wins.values()):
            return None
        safe = rules.safe(account, fluents, own)
    except _TooLargeError:
        return None
    for acting in sharing.acting:
        choices = [m for m in acting if m in own]
        may_win = builder.disj_all(wins[m] for m in choices)
        is_safe = builder.disj_all(safe[m] for m in choices)
        for m in choices:
            careful = builder.disj(safe[m], builder.conj(is_safe ^ 1, own[m]))
            moves[m] = builder.disj(wins[m], builder.conj(may_win ^ 1, careful))
    return moves


def winners(
    net: Net, sharing: Sharing, builder: Builder, fluents: Sequence[int], most: int
) -> tuple[list[int], list[int]] | None:
    """For each role whether it is its turn and it has a decisive move after which no other goal of
    it holds, and for each whether it would have one in its turn; of any state that is not terminal,
    also of one that no play comes to. The rest as `preferred`.

    The latter is what the fluents that tell whose turn it is leave true when they are changed: in
    most games what a role threatens, and a proof of nothing.
    """
    rules = _Rules(net, sharing, most)
    own: dict[int, int] = {}
    for role, acting in enumerate(sharing.acting):
        if acting and has_aims(net, role):
            state = _in_turn(sharing, role, fluents)
            literals = Lowering(net, builder, state).literals(net.legal[m] for m in acting)
            own |= zip(acting, literals, strict=True)
    try:
        wins = rules.decisive(_Account(builder, most), fluents, own, one_goal=True)
    except _TooLargeError:
        return None
    holds = sharing.holds(builder, fluents)
    able = [_any(builder, [wins[m] for m in acting if m in wins]) for acting in sharing.acting]
    turns = [sharing.in_turn(builder, fluents, role) for role in range(len(able))]
    found = [builder.conj_all([holds, turn, x]) for turn, x in zip(turns, able, strict=True)]
    return (found, able) if any(found) else None


class _Account:
    """How many gates a builder may still get."""

    def __init__(self, builder: Builder, most: int) -> None:
        self.builder = builder
        self._size = len(builder) + most
        self._asked = builder.asked + MAX_ASKED

    def look(self) -> None:
        """Look at the limits of all work, and at this one."""
        look("moves that win at once")
        if len(self.builder) > self._size or self.builder.asked > self._asked:
            raise _TooLargeError


class _Rules:
    """The rules as gates of their own: what says that play is over as trees of small depth, so that
    what changes at one place leaves most of it as it is."""

    def __init__(self, net: Net, sharing: Sharing, most: int) -> None:
        self.net, self.sharing, self.most = net, sharing, most
        self.builder = builder = Builder()
        self.account = _Account(builder, MAX_LITERALS)
        self.fluents = builder.inputs(len(net.fluents))
        self.moves = builder.inputs(len(net.legal))
        self.lowering = Lowering(net, builder, self.fluents, self.moves)
        inputs = [*self.fluents, *self.moves]
        self._values = {1: TRUE, **dict(enumerate(inputs, start=net.first_fluent))}
        self._recursive = {n for start, stop in net.recursive for n in range(start, stop)}

    def in_turn(
        self, builder: Builder, fluents: Sequence[int], legal: Sequence[int]
    ) -> dict[int, int]:
        """For each move that a role with aims may choose in its turn: that it may do so now."""
        found = {}
        for role, acting in enumerate(self.sharing.acting):
            if acting and has_aims(self.net, role):
                turn = self.sharing.in_turn(builder, fluents, role)
                waiting = self.sharing.waiting[role]
                for m in acting:
                    found[m] = builder.conj(legal[m], turn) if m in waiting else legal[m]
        return found

    def decisive(
        self,
        account: _Account,
        fluents: Sequence[int],
        own: dict[int, int],
        *,
        one_goal: bool = False,
    ) -> dict[int, int]:
        """Which of some moves are decisive, in a state of play that is not terminal, the others
        having moves as well; `own`: that they are a choice of the role whose turn it is. With
        `one_goal` no other goal of it is to hold."""
        net, builder, found = self.net, account.builder, {}
        for role, acting in enumerate(self.sharing.acting):
            if not acting or not has_aims(net, role):
                continue
            *less, best = [literal for _, literal in net.goals[role]]
            others = less if one_goal else []
            self.require([net.terminal, best, *others])
            end, goal = self.tree(net.terminal), self.tree(best)
            goal = _all(self.builder, [goal, *(self.tree(x) ^ 1 for x in others)])
            false = _false(self.builder, end)
            wanted = [goal] if _implies(self.builder, goal, false) else [goal, end]
            after = _After(self, account, role, fluents, wanted, false=false)
            for m in acting:
                able = builder.conj(own[m], after.able)
                found[m] = builder.conj(able, builder.conj_all(after(m)))
        return found

    def safe(
        self, account: _Account, fluents: Sequence[int], own: dict[int, int]
    ) -> dict[int, int]:
        """Which of them are safe."""
        net, source = self.net, self.builder
        self.require(net.legal)
        legal = list(map(self.tree, net.legal))
        choices = self.in_turn(source, self.fluents, legal)
        theirs = self.decisive(_Account(source, self.most), self.fluents, choices)
        end, found = self.tree(net.terminal), {}
        for role, acting in enumerate(self.sharing.acting):
            if not acting or not has_aims(net, role):
                continue
            threats = []
            for other, moves in enumerate(self.sharing.acting):
                if other != role and moves and has_aims(net, other):
                    turn = self.sharing.in_turn(source, self.fluents, other)
                    threat = source.conj(_any(source, [theirs[m] for m in moves]), end ^ 1)
                    wanted = [source.conj(threat, turn)]
                    threats.append(_After(self, account, role, fluents, wanted, only_if=turn))
            for m in acting:
                loses = _any(account.builder, [x for after in threats for x in after(m)])
                found[m] = account.builder.conj(own[m], loses ^ 1)
        return found

    def require(self, literals: Iterable[int]) -> None:
        """Refuse functions of the net that are recursive or large."""
        cone = self.net.cone(literals)
        size = sum(len(body) for node in cone for body in self.net.bodies(node))
        if self._recursive & cone or size > MAX_LITERALS:
            raise _TooLargeError

    def tree(self, literal: int) -> int:
        """A function of the net as trees."""
        values = self._values
        for i, node in enumerate(sorted(n for n in self.net.cone([literal]) if n not in values)):
            if i % LOOK == 0:
                self.account.look()
            bodies = ([self._of(x) for x in body] for body in self.net.bodies(node))
            values[node] = _any(self.builder, [_all(self.builder, body) for body in bodies])
        return self._of(literal)

    def _of(self, literal: int) -> int:
        return self._values[abs(literal)] ^ (literal < 0)


class _After:
    """What some functions of a state are after each move of a role in its turn.

    `able`: whether all others have a move. `fluents`: what holds before it; `wanted`: functions of
    `rules.builder`, all of them false where `only_if` is. `false`: what is known not to hold before
    it, if the functions after a move are to be told from those before it; without that they are
    told from those after nobody's move.
    """

    def __init__(
        self,
        rules: _Rules,
        account: _Account,
        role: int,
        fluents: Sequence[int],
        wanted: Sequence[int],
        *,
        false: frozenset[int] | None = None,
        only_if: int = TRUE,
    ) -> None:
        net, source, sharing = rules.net, rules.builder, rules.sharing
        cone = source.circuit([], wanted).cone(wanted)
        reached = [f for f, x in enumerate(rules.fluents) if x >> 1 in cone]
        others = [m for r, own in enumerate(sharing.waiting) if r != role for m in own]
        following, resting = [net.next[f] for f in reached], [net.legal[m] for m in others]
        rules.require([*following, *resting])
        follows = rules.lowering.literals(following)
        rests = rules.lowering.literals(resting)

        known = {x >> 1: x & 1 for x in false or ()}
        state = {x >> 1: FALSE for x in rules.moves}
        state |= _by_input(rules.fluents, _in_turn(sharing, role, fluents))
        made = Variants(source, account.builder, rests, state, known, account.look)
        state |= _by_input([rules.moves[m] for m in others], map(made, rests))
        self._moved = Variants(source, account.builder, follows, state, known, account.look)
        inputs = [rules.fluents[f] for f in reached]
        still = _by_input(inputs, map(self._moved, follows))
        self._before = state if false is not None else state | still
        self._still = {i: x for i, x in still.items() if x != self._before[i]}
        self._ended = Variants(source, account.builder, wanted, self._before, known, account.look)
        # A function of its own: of many moves it says that the others need not be made.
        self._only_if = only_if
        self._allowed = Variants(source, account.builder, [only_if], self._before, {}, account.look)
        self._users: dict[int, list[tuple[int, int]]] = {}
        for i, x in zip(inputs, follows, strict=True):
            self._users.setdefault(x >> 1, []).append((i >> 1, x & 1))
        self._rules, self._account, self._wanted = rules, account, wanted

        self.able = account.builder.conj_all(
            _any(account.builder, [made(x) for x, m in zip(rests, others, strict=True) if m in own])
            for r, own in enumerate(sharing.waiting)
            if r != role
        )

    def __call__(self, move: int) -> list[int]:
        """The functions after a move, by its index in `Net.legal`."""
        self._account.look()
        after = dict(self._still)
        for node, x in self._moved.changed({self._rules.moves[move] >> 1: TRUE}).items():
            after |= {i: x ^ sign for i, sign in self._users.get(node, ())}
        changes = {i: x for i, x in after.items() if x != self._before[i]}
        if self._allowed(self._only_if, self._allowed.changed(changes)) == FALSE:
            return [FALSE] * len(self._wanted)
        ended = self._ended.changed(changes)
        return [self._ended(x, ended) for x in self._wanted]


def _in_turn(sharing: Sharing, role: int, fluents: Sequence[int]) -> list[int]:
    """The state, with the fluents that tell whose turn it is as they are in the role's turns,
    where that is always the same."""
    settings = [s for s, turn in zip(sharing.settings, sharing.turns, strict=True) if turn == role]
    state = list(fluents)
    for f in range(sharing.mask.bit_length()):
        held = {setting >> f & 1 for setting in settings}
        if sharing.mask >> f & 1 and len(held) == 1:
            state[f] = TRUE if held.pop() else FALSE
    return state


def _by_input(inputs: Iterable[int], literals: Iterable[int]) -> dict[int, int]:
    return {i >> 1: x for i, x in zip(inputs, literals, strict=True)}


def _all(builder: Builder, literals: Sequence[int]) -> int:
    """The conjunction, as a tree in the order that is given."""
    if len(literals) < 2:
        return literals[0] if literals else TRUE
    half = len(literals) // 2
    return builder.conj(_all(builder, literals[:half]), _all(builder, literals[half:]))


def _any(builder: Builder, literals: Sequence[int]) -> int:
    """The disjunction likewise."""
    return _all(builder, [x ^ 1 for x in literals]) ^ 1


def _false(builder: Builder, literal: int) -> frozenset[int]:
    """The functions that are plainly false where one is, as they imply it."""
    found, todo = {literal}, [literal]
    while todo:
        x = todo.pop()
        a, b = builder.first[x >> 1], builder.second[x >> 1]
        if x & 1 and a < b:
            new = {a ^ 1, b ^ 1} - found
            found |= new
            todo += new
    return frozenset(found)


def _implies(builder: Builder, literal: int, implying: frozenset[int]) -> bool:
    """Whether it is plain from the form of a function that it implies what all of some do."""
    found = set(implying)
    for node in sorted(builder.circuit([], [literal]).cone([literal])):
        a, b = builder.first[node], builder.second[node]
        if a < b:
            if a in found or b in found:
                found.add(2 * node)
            if a ^ 1 in found and b ^ 1 in found:
                found.add(2 * node + 1)
    return literal in found
