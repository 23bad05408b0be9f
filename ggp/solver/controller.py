"""Strategies as rules: for each move a guard over the groups of the state.

A rule says that a move is right wherever its guard holds; among the positions from which the player
keeps the promise, at least one rule's guard holds in each. Guards are products of sets of values,
made as wide as no other position forbids (expansion and irredundant covers as in two-level
minimisation with many-valued variables: Rudell and Sangiovanni-Vincentelli, IEEE TCAD 6, 1987).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.errors import LimitReached, NotSolvable, UnknownName
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.solver.columns import Column, states_as_columns
from ggp.solver.counts import enumerated
from ggp.solver.enumerated import GameSolution
from ggp.solver.strategy import Strategy, extract, verify
from ggp.text import numbers_first

MAX_POSITIONS = 200_000
"""Positions that rules are made for."""

MAX_TRIED = 8
"""Moves of one position for which a guard is sought."""

CHUNK = 1 << 14


@dataclass(frozen=True)
class Condition:
    """One of `fluents` holds; or, where None is among the `values`, none of `others`, which are the
    rest of their column. `name`, `values` and `rest` say the same for people; a column of one
    fluent (`is_single`) has the values `1` and None."""

    name: str
    values: tuple[str | None, ...]
    rest: tuple[str | None, ...]
    fluents: tuple[str, ...]
    others: tuple[str, ...]
    is_single: bool = False

    def holds(self, facts: frozenset[str]) -> bool:
        """Whether a state with these facts is meant."""
        if None in self.values:
            return not any(fact in facts for fact in self.others)
        return any(fact in facts for fact in self.fluents)

    def __str__(self) -> str:
        if self.is_single:
            return f"not {self.name}" if None in self.values else self.name
        if len(self.values) == 1:
            return f"{self.name} = {_text(self.values[0])}"
        if len(self.rest) == 1:
            return f"{self.name} is not {_text(self.rest[0])}"
        if len(self.rest) < len(self.values):
            return f"{self.name} not in {_listed(self.rest)}"
        return f"{self.name} in {_listed(self.values)}"


def _text(value: str | None) -> str:
    return "nothing" if value is None else value


def _listed(values: Sequence[str | None]) -> str:
    """A set of values, numbers in their order."""
    texts = sorted(map(_text, values), key=numbers_first)
    return "{" + ", ".join(texts) + "}"


@dataclass(frozen=True)
class ControllerRule:
    """`move` is right where all conditions hold."""

    move: Term
    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        return f"{self.move} when {' and '.join(map(str, self.conditions)) or 'to move'}"


@dataclass(frozen=True, eq=False)
class Controller:
    """Rules of one player that keep `promise` (a score at the least, None: no end in reach).

    From every position of legal play in which they are to move and can be sure of so much (of an
    end as well, unless play `may_be_endless`), of which there are `positions`: those are among
    them in which nobody has a choice and nothing tells whose turn it is. `verified` by play against
    every reply from the first position.
    """

    game: Game
    player: str
    promise: float | None
    may_be_endless: bool
    rules: tuple[ControllerRule, ...]
    positions: int
    verified: bool

    def move(self, position: State) -> Term | None:
        """The move of the first rule that holds; None where none does."""
        facts = frozenset(map(str, position.facts))
        for rule in self.rules:
            if all(condition.holds(facts) for condition in rule.conditions):
                return rule.move
        return None

    def as_json(self) -> dict[str, Any]:
        """The rules as plain data."""
        return {
            "player": self.player,
            "promise": self.promise,
            "may_be_endless": self.may_be_endless,
            "positions": self.positions,
            "verified": self.verified,
            "rules": [
                {
                    "move": str(rule.move),
                    "text": str(rule),
                    "when": [
                        {
                            "one_of": list(condition.fluents),
                            "or_none_of": list(condition.others)
                            if None in condition.values
                            else None,
                        }
                        for condition in rule.conditions
                    ],
                }
                for rule in self.rules
            ],
        }

    def text(self) -> str:
        """The rules for people, a line each."""
        return "\n".join(map(str, self.rules)) + "\n"

    def python(self) -> str:
        """A module with a function from facts (a set of texts) to a move."""
        rules = [
            (
                str(rule.move),
                [
                    (False, list(c.others)) if None in c.values else (True, list(c.fluents))
                    for c in rule.conditions
                ],
            )
            for rule in self.rules
        ]
        listed = "".join(f"    {rule!a},\n" for rule in rules)
        return (
            f'"""Moves of one player of a game, each right where its conditions hold."""\n\n'
            f"PLAYER = {self.player!a}\n"
            f"RULES = [\n{listed}]\n"
            '"""A move, and conditions: whether one of these facts is to hold, or none."""\n\n\n'
            "def move(facts):\n"
            '    """The move in a state of which these are all facts; None where no rule tells.\n\n'
            "    Facts are texts, as '(heap 3)', or what has such a text.\n"
            '    """\n'
            "    facts = {str(fact) for fact in facts}\n"
            "    for answer, conditions in RULES:\n"
            "        if all(any(f in facts for f in these) == wanted"
            " for wanted, these in conditions):\n"
            "            return answer\n"
            "    return None\n"
        )

    def rules_text(self) -> str:
        """Rules of GDL for the relation `plays`: what the player does in a state.

        Where the game's rules have a word `plays`, it is `plays_`, and so on.
        """
        lines, name = [], "plays"
        while name in self.game.rules.names:
            name += "_"
        for rule in self.rules:
            body = []
            for condition in rule.conditions:
                if None in condition.values:
                    body += [f"(not (true {fact}))" for fact in condition.others]
                elif len(condition.fluents) == 1:
                    body.append(f"(true {condition.fluents[0]})")
                else:
                    options = " ".join(f"(true {fact})" for fact in condition.fluents)
                    body.append(f"(or {options})")
            head = f"({name} {self.player} {rule.move})"
            lines.append(f"(<= {head} {' '.join(body)})" if body else head)
        return "\n".join(lines) + "\n"

    def file(self, suffix: str) -> str:
        """What a file of this suffix holds: one of `SUFFIXES`."""
        if suffix == ".json":
            return json.dumps(self.as_json(), indent=1) + "\n"
        made = {".txt": self.text, ".py": self.python, ".kif": self.rules_text}
        return made[suffix]()


SUFFIXES = (".txt", ".json", ".py", ".kif")
"""What files of controllers are called."""


def controller(
    game: Game,
    player: str,
    start: State | None = None,
    *,
    misere: bool = False,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> Controller:
    """Rules by which a player keeps the value of `start` (by default the initial state).

    The value that they can be sure of, whatever the others do. By enumeration of all positions, of
    no more than `MAX_POSITIONS` in which the player is to move and has that value. Raises
    `LimitReached`; `NotSolvable` where chance decides; `UnknownName` for a player that is none.
    """
    if player not in game.players:
        raise UnknownName(f"no player {player} (there are: {', '.join(game.players)})")
    budget = budget or Budget(game.limits)
    root = start or game.initial
    with game.within(budget):
        solution = enumerated(game, [root], misere, budget, progress)
        if solution.has_chance:
            raise NotSolvable("with chance a value is a mean, which no strategy makes sure of")
        promise = solution.secured(root, player)
        cover = _Cover(solution, player, root, budget)
        rules = cover.rules()
    found = Controller(game, player, *promise, rules, len(cover.places), False)

    def pick(position: State) -> Term:
        # Where no rule tells, the verification says that no legal move was chosen.
        return found.move(position) or Term("none")

    strategy: Strategy[State, Term] = extract(solution.tree(), player, root, pick, promise)
    checked = verify(strategy)
    if not checked.ok:
        raise AssertionError(f"the rules do not keep their promise: {checked.why}")
    return replace(found, verified=True)


class _Cover:
    """Positions as rows of values, and which moves are right in each."""

    def __init__(self, solution: GameSolution, player: str, root: State, budget: Budget) -> None:
        self._budget = budget
        game, role = solution.game, solution.players.index(player)
        space, part = solution.first_part
        place = space.position(root.bits)
        assert place is not None
        alone, index = part.against_all(place, role)
        values, mover = alone.values, alone.graph.mover
        promise, may_be_endless = alone.secured(place, index)
        if promise is None and len(game.players) == 1:
            raise NotSolvable("no end of play can be reached: no move is better than another")
        own = mover == index
        if game.turns is None:
            # Where all are forced, and nothing tells whose turn it is, each makes their only move.
            own |= ~space.terminal & (space.legal_counts <= 1).all(axis=1)
        if promise is not None or len(game.players) > 1:
            own &= values.payoff[:, index] >= values.payoff[place, index]
        if not may_be_endless:
            own &= values.rank[:, index] >= 0
        self.places: NDArray[np.int64] = np.flatnonzero(own)
        if len(self.places) > MAX_POSITIONS:
            raise LimitReached("positions", MAX_POSITIONS, "that rules are made for")
        edges = alone.all_best_edges(0, len(space))
        source, target = part.graph.source[edges], part.graph.target[edges]
        kept = own[source]
        rank = values.rank[:, index]
        # Each move brings the end nearer that can be forced, or play might go round for ever.
        nearer = (rank[target] < rank[source]) & (rank[target] >= 0)
        nearer &= values.forced[target, index] == values.forced[source, index]
        kept &= nearer | (rank[source] < 0)
        edges, source = edges[kept], source[kept]
        numbers = space.joint[part.edge[edges], game.player_indices[role]]
        listed, column = np.unique(numbers, return_inverse=True)
        self._moves = [game.evaluator.move(game.player_indices[role], int(n)) for n in listed]
        self._right = np.zeros((len(self.places), len(listed)), dtype=np.bool_)
        self._right[np.searchsorted(self.places, source), column] = True
        held = np.concatenate(
            [
                game.machine.coding.held(space.rows[start : start + CHUNK])
                for start in range(0, len(space), CHUNK)
            ]
        )
        found = states_as_columns(game, held)
        coded = [_numbers(column, held[self.places]) for column in found]
        varied = [i for i, values_ in enumerate(coded) if len(values_) and np.ptp(values_)]
        self._columns = [found[i] for i in varied]
        self._names = [str(fluent) for fluent in game.net.fluents]
        self._values = (
            np.stack([coded[i] for i in varied], axis=1)
            if varied
            else np.zeros((len(self.places), 0), dtype=np.int16)
        )
        self._known = [np.unique(self._values[:, i]) for i in range(len(varied))]

    def rules(self) -> tuple[ControllerRule, ...]:
        """Rules of which one holds in each of the positions."""
        covered = np.zeros(len(self.places), dtype=np.int64)
        chosen: list[tuple[int, list[NDArray[np.bool_]], NDArray[np.bool_]]] = []
        while len(left := np.flatnonzero(covered == 0)):
            self._budget.check(f"{len(left):,} positions without a rule")
            seed = int(left[0])
            best: tuple[int, int, list[NDArray[np.bool_]], NDArray[np.bool_]] | None = None
            for move in np.flatnonzero(self._right[seed])[:MAX_TRIED].tolist():
                for order in (1, -1):
                    sets = self._widened(seed, move, order)
                    inside = self._inside(sets)
                    gain = int((inside & (covered == 0)).sum())
                    if best is None or gain > best[0]:
                        best = (gain, move, sets, inside)
            assert best is not None
            _, move, sets, inside = best
            covered += inside
            chosen.append((move, sets, inside))
        kept = []
        for move, sets, inside in reversed(chosen):
            if (covered[inside] > 1).all():
                covered -= inside
            else:
                kept.append(self._rule(move, sets))
        return tuple(sorted(kept, key=lambda rule: (len(rule.conditions), str(rule))))

    def _widened(self, seed: int, move: int, order: int) -> list[NDArray[np.bool_]]:
        """For each column the values that a guard allows: that of one position, and all that bring
        in none where the move is not right; whole columns first."""
        wrong = self._values[~self._right[:, move]]
        here = self._values[seed]
        out = wrong != here
        blocked = out.sum(axis=1)
        count = len(self._columns)
        allowed = [np.array([value == here[i] for value in known]) for i, known in
                   enumerate(self._known)]  # fmt: skip
        for is_whole in (True, False):
            for i in range(count)[::order]:
                only = (blocked == 1) & out[:, i]
                forbidden = np.isin(self._known[i], wrong[only, i])
                if is_whole and forbidden.any():
                    continue
                allowed[i] = ~forbidden
                inside = np.isin(wrong[:, i], self._known[i][~forbidden])
                blocked -= out[:, i] & inside
                out[:, i] &= ~inside
        return allowed

    def _inside(self, sets: Sequence[NDArray[np.bool_]]) -> NDArray[np.bool_]:
        inside = np.ones(len(self.places), dtype=np.bool_)
        for i, allowed in enumerate(sets):
            if not allowed.all():
                inside &= np.isin(self._values[:, i], self._known[i][allowed])
        return inside

    def _rule(self, move: int, sets: Sequence[NDArray[np.bool_]]) -> ControllerRule:
        conditions = [
            self._condition(column, known, allowed)
            for column, known, allowed in zip(self._columns, self._known, sets, strict=True)
            if not allowed.all()
        ]
        return ControllerRule(self._moves[move], tuple(conditions))

    def _condition(
        self, column: Column, known: NDArray[np.int16], allowed: NDArray[np.bool_]
    ) -> Condition:
        inside, outside = known[allowed].tolist(), known[~allowed].tolist()
        texts: list[str | None] = [*column.texts, None]

        def fluents(values: Sequence[int]) -> tuple[str, ...]:
            return tuple(self._names[column.fluents[v]] for v in values if v < len(column.fluents))

        return Condition(
            column.name,
            tuple(texts[v] for v in inside),
            tuple(texts[v] for v in outside),
            fluents(inside),
            fluents(outside),
            len(column.fluents) == 1,
        )


def _numbers(column: Column, held: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Which fluent of a column holds in each state, its length where none does."""
    own = held[:, list(column.fluents)]
    found = np.where(own.any(axis=1), own.argmax(axis=1), len(column.fluents))
    return np.asarray(found.astype(np.int16))
