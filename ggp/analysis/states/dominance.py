"""Positions that are at least as good as others, by the moves that each player may make in them.

Of two positions of which the rest that counts is alike, that one should be at least as good for a
player in which he may make more moves, and his opponent fewer. Where that holds is proved by the
rules: whatever a player does in the worse position can be done in the better one, and what the
opponent does in the better one he can do in the worse one, so that one stays no worse than the
other; and play ends no worse in it. That is an alternating simulation (Alur, Henzinger, Kupferman,
Vardi, "Alternating refinement relations", CONCUR 1998), of which use is made as in planning
(Torralba and Hoffmann, "Simulation-based admissible dominance pruning", IJCAI 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ggp.analysis.boards.boards import Boards, Option, Side
from ggp.analysis.questions.sat import CircuitSolver, TooHard
from ggp.circuits.circuit import FALSE
from ggp.circuits.substitution import Substitution, Supports
from ggp.errors import LimitReached
from ggp.ground import Group
from ggp.limits import look
from ggp.work import GATES, count_work, work_done

MAX_MOVES = 1_000
"""Moves of both players by which positions are compared."""

MAX_SUPPORT = 400_000_000
"""Gates of the boards times their fluents: bits that say what hangs on what."""

SHARE = 4
"""This part of the fluents is to be such as positions may differ in: of fewer little is alike."""

QUESTION = 1e-4
"""Work for a question, and for a thousand propagations of the solver."""


@dataclass(frozen=True)
class StateOrder:
    """Which of two positions of legal play is at least as good for the first player.

    Both alike in the fluents `equal`, by which is known whose turn it is: that one in which all
    `more` moves of the first player can be made, if it were his turn, that can be in the other, and
    none of the `fewer` moves of the second that cannot be in the other. Indices of `Net.legal`;
    positions that are alike in all three are of the same value.
    """

    equal: tuple[int, ...]
    more: tuple[int, ...]
    fewer: tuple[int, ...]


def find_order(
    boards: Boards,
    groups: Callable[[], Iterable[Group]],
    players: Sequence[int],
    paid: int,
    work: float,
) -> StateOrder | None:
    """The order that is proved first of three: by the moves of the first player alone, of the
    second alone, of both; None where none is, or not within so much work.

    `players`: the roles of both; `paid`: whose goals the first player wants. `groups`: such as hold
    in all positions of legal play, asked for where they are needed. For games whose play ends, in
    turn, the second player wanting the first to have less.
    """
    until = work_done() + work
    sides = [boards.sides[player] for player in players]
    counted = sum(len(side.options) for side in sides)
    # What others have built since does not count: an answer hangs on no history.
    gates = 1 + max((x for side in boards.sides for o in side.options for x in _told(o)), default=0)
    if counted > MAX_MOVES or gates // 2 * len(boards.inputs) > MAX_SUPPORT:
        return None
    count_work(GATES * gates)
    comparing = _Comparing(boards, sides, paid, until)
    if not comparing.leaves_much:
        return None
    comparing.use(groups())
    if not comparing.leaves_much:
        return None
    for by_first, by_second in ((True, False), (False, True), (True, True)):
        try:
            holds = comparing.holds(is_by=(by_first, by_second))
        except TooHard:
            continue
        except LimitReached as error:
            if error.limit != "work":
                raise
            return None
        if holds:
            marked = [i for i in range(len(boards.net.fluents)) if boards.marker.mask >> i & 1]
            more, fewer = (
                tuple(option.move for option in side.options) if is_by else ()
                for side, is_by in zip(sides, (by_first, by_second), strict=True)
            )
            return StateOrder((*marked, *comparing.equal), more, fewer)
    return None


def _told(option: Option) -> Iterator[int]:
    """The literals of what a move needs and does."""
    yield option.rule
    yield option.again
    yield from option.own.values()
    yield from option.frame.changes.values()


class _Comparing:
    """Two boards, the better one and the worse one, and what is to be shown of them.

    Literals are functions of the better board; `_worse` makes them such of the worse one.
    """

    def __init__(
        self,
        boards: Boards,
        sides: Sequence[Side],
        paid: int,
        until: float,
    ) -> None:
        self._builder = builder = boards.builder
        self._inputs, self._sides = boards.inputs, sides
        self._groups: list[Group] = []
        self._goals = [side.goals[paid] for side in sides]
        self._until = until
        nodes = {literal >> 1: f for f, literal in boards.inputs.items()}
        self._supports = Supports(builder, nodes)
        self.equal = self._counting()
        others = {f: builder.input() for f in boards.inputs if f not in self.equal}
        self._worse = Substitution(builder, self._supports, others)
        self._afters: dict[int, Substitution] = {}
        self._fulls: dict[int, int] = {}
        self._sure_known: dict[tuple[int, bool], int] = {}

    def use(self, groups: Iterable[Group]) -> None:
        """Assume that these hold on both boards."""
        self._groups = [g for g in groups if all(f in self._inputs for f in g.fluents)]

    @property
    def leaves_much(self) -> bool:
        """Whether the positions may differ in many fluents that no exact group tells by others."""
        free = self._inputs.keys() - set(self.equal)
        for group in self._groups:
            inside = free.intersection(group.fluents)
            if group.exact and len(inside) == 1:
                free -= inside
        return len(free) * SHARE >= len(self._inputs)

    def _options(self) -> Iterator[Option]:
        for side in self._sides:
            yield from side.options

    def _counting(self) -> tuple[int, ...]:
        """The fluents that goals and the turn hang on, at once and by moves that are made."""
        found = 0
        for goals in self._goals:
            for _, literal in goals:
                found |= self._supports(literal)
        hanging: dict[int, int] = {}
        frames = {}
        for option in self._options():
            found |= self._supports(option.again)
            frames[option.frame.name] = option.frame.changes
            for f, literal in option.own.items():
                hanging[f] = hanging.get(f, 0) | self._supports(literal)
        for changes in frames.values():
            for f, literal in changes.items():
                hanging[f] = hanging.get(f, 0) | self._supports(literal)
        before = -1
        while found != before:
            before = found
            for f, support in hanging.items():
                if found >> f & 1:
                    found |= support
        return tuple(f for f in self._inputs if found >> f & 1)

    def holds(self, is_by: tuple[bool, bool]) -> bool:
        """Whether the order by the moves of some players is proved; raises `TooHard`, and
        `LimitReached` where the work is spent."""
        solver = CircuitSolver(self._builder, self._spend)
        try:
            self._assume(solver, is_by)
            return self._proved(solver, is_by)
        finally:
            solver.close()

    def _assume(self, solver: CircuitSolver, is_by: tuple[bool, bool]) -> None:
        for group in self._groups:
            own = [self._inputs[f] for f in group.fluents]
            for literals in (own, [self._worse(x) for x in own]):
                told = [solver.literal(x) for x in literals]
                solver.at_most_one(told)
                if group.exact:
                    solver.require(*told)
        for better, worse in self._kept(is_by, None, None):
            solver.require(-solver.literal(worse), solver.literal(better))

    def _kept(
        self, is_by: tuple[bool, bool], better: Option | None, worse: Option | None
    ) -> Iterator[tuple[int, int]]:
        """Pairs of literals of which the first is to hold where the second does, for one board to
        be no worse than the other after these moves on them, or as they are."""
        for number, (side, counts) in enumerate(zip(self._sides, is_by, strict=True)):
            count_work(GATES * len(side.options))
            for option in side.options if counts else ():
                here = self._after(better, option.rule)
                there = self._worse(self._after(worse, option.rule))
                yield (here, there) if number == 0 else (there, here)

    def _broken(self, pairs: Iterable[tuple[int, int]]) -> int:
        """Where one of some pairs is not as it is to be."""
        builder = self._builder
        return builder.disj_all(builder.conj(here ^ 1, there) for here, there in pairs)

    def _after(self, option: Option | None, literal: int) -> int:
        """A function of the board after a move on it."""
        if option is None:
            return literal
        if option.move not in self._afters:
            changes = option.after(self._inputs)
            self._afters[option.move] = Substitution(self._builder, self._supports, changes)
        return self._afters[option.move](literal)

    def _full(self, option: Option) -> int:
        """That of each exact group that a move changes some fluent holds afterwards, as is so in
        positions of play."""
        if option.move not in self._fulls:
            changed = option.after(self._inputs)
            self._fulls[option.move] = self._builder.conj_all(
                self._builder.disj_all(changed.get(f, self._inputs[f]) for f in group.fluents)
                for group in self._groups
                if group.exact and any(f in changed for f in group.fluents)
            )
        return self._fulls[option.move]

    def _proved(self, solver: CircuitSolver, is_by: tuple[bool, bool]) -> bool:
        never = _Never(solver)
        return all(self._moves_keep(never, is_by, number) for number in (0, 1)) and all(
            self._ends_keep(never, number) for number in (0, 1)
        )

    def _moves_keep(self, never: _Never, is_by: tuple[bool, bool], number: int) -> bool:
        """Whether one board stays no worse when a player moves: the first on the worse one, or the
        second on the better one, and then, on the other, the same player."""
        side = self._sides[number]
        going = [side.terminal ^ 1, self._worse(side.terminal) ^ 1]
        is_passing = False
        for option in side.options:
            self._look()
            rule, there = option.rule, self._worse(option.rule)
            full = self._full(option)
            broken = self._broken(self._kept(is_by, option, option))
            if not never([*going, rule, there, full, self._worse(full), broken]):
                return False
            if is_by[number]:
                continue
            # The move may be one that is not there on the other board.
            case = [*going, rule ^ 1, there, self._worse(full)]
            if number == 1:
                case = [*going, rule, there ^ 1, full]
            if never(case):
                continue
            is_passing = True
            pair = (None, option) if number == 0 else (option, None)
            if not never([*case, self._broken(self._kept(is_by, *pair))]):
                return False
        return not is_passing or self._any_move_keeps(never, is_by, number)

    def _any_move_keeps(self, never: _Never, is_by: tuple[bool, bool], number: int) -> bool:
        """Whether each move of a player is as bad for his opponent as none, and he has some; what
        counts is left as it is, and the turn goes to the opponent."""
        side = self._sides[number]
        if not never([side.terminal ^ 1, side.can_move ^ 1]):
            return False
        for option in side.options:
            self._look()
            if option.again != FALSE or option.after(self._inputs).keys() & set(self.equal):
                return False
            # Both boards are one here.
            pairs = []
            for own, (other, counts) in enumerate(zip(self._sides, is_by, strict=True)):
                for move in other.options if counts else ():
                    after = self._after(option, move.rule)
                    # The first player's move makes the board no worse, the second's no better.
                    grows = (own == 0) == (number == 0)
                    pairs.append((after, move.rule) if grows else (move.rule, after))
            case = [side.terminal ^ 1, option.rule, self._full(option)]
            if not never([*case, self._broken(pairs)]):
                return False
        return True

    def _ends_keep(self, never: _Never, number: int) -> bool:
        """Whether play that ends on one board or on both ends no worse on the better one."""
        terminal, goals = self._sides[number].terminal, self._goals[number]
        over = self._worse(terminal)
        values = [value for value, _ in goals]
        for value, literal in goals:
            # Goals are told by what is equal.
            if value != min(values):
                sure = self._sure(never, value, at_least=True)
                if not never([terminal ^ 1, over, literal, sure ^ 1]):
                    return False
            if value != max(values):
                sure = self._worse(self._sure(never, value, at_least=False))
                if not never([terminal, over ^ 1, literal, sure ^ 1]):
                    return False
        return True

    def _sure(self, never: _Never, value: int, *, at_least: bool) -> int:
        """Boards from which the first player gets so much at least, or at the most, whatever is
        done: such that no move leads out of them; FALSE for none."""
        key = value, at_least
        if key not in self._sure_known:
            self._sure_known[key] = self._find_sure(never, value, at_least=at_least)
        return self._sure_known[key]

    def _find_sure(self, never: _Never, value: int, *, at_least: bool) -> int:
        builder = self._builder
        # An end has one goal: none that is worse will do, where none may be told before the end.
        bound = builder.conj_all(
            x ^ 1
            for goals in self._goals
            for v, x in goals
            if (v < value if at_least else v > value)
        )
        # All such boards, or those on which one player can do no more.
        loser = self._sides[1 if at_least else 0]
        stuck = builder.conj_all(option.rule ^ 1 for option in loser.options)
        for boards in (bound, builder.conj(bound, stuck)):
            if self._is_closed(never, boards):
                return boards
        return FALSE

    def _is_closed(self, never: _Never, boards: int) -> bool:
        for side in self._sides:
            for option in side.options:
                self._look()
                after = self._after(option, boards)
                case = [boards, side.terminal ^ 1, option.rule, self._full(option)]
                if not never([*case, after ^ 1]):
                    return False
        return True

    def _look(self) -> None:
        look("an order of positions")
        if work_done() > self._until:
            raise LimitReached("work", self._until, "an order of positions")

    def _spend(self, amount: int) -> None:
        count_work(QUESTION * amount)
        self._look()


class _Never:
    """Whether some literals never hold together."""

    def __init__(self, solver: CircuitSolver) -> None:
        self._solver = solver

    def __call__(self, literals: Sequence[int]) -> bool:
        if FALSE in literals:
            return True
        return not self._solver.is_possible([self._solver.literal(x) for x in literals])
