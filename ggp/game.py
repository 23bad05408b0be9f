"""Games and their states: the two objects that a user holds."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ggp.deduce import Prover
from ggp.errors import (
    GoalError,
    IllegalMove,
    KifSyntaxError,
    LimitReached,
    NoLegalMove,
    UnknownName,
)
from ggp.ground import Group, Marker, Net, find_groups, find_marker, ground
from ggp.kif import Source, Term, read_sheet, read_term
from ggp.limits import DEFAULT, Budget, Limits
from ggp.machine import BulkEngine, Evaluator, Interpreter, Progress, Space, explore
from ggp.rules import RuleSet, read_rules

if TYPE_CHECKING:
    from ggp.analyse import Findings
    from ggp.solve import Solution

GROUND_LIMITS = ("ground_rules", "ground_seconds", "memory")
"""The limits of grounding; a game that passes one is played unground."""

MAX_SAMPLES = 500
"""States of random plays that candidates for groups are tried on."""

JointMove = Mapping[str, Term | str]
"""One move for each role, by the role's name."""


class Game:
    """A game made from a rule sheet; build one with `load` or `parse`.

    `name` is the name of the source, `rules` its rule set. `evaluator` answers questions about
    single states: from the ground form of the rules, or where grounding passes the limits, from
    the rules themselves (`evaluator.engine` says which: `interpreter` or `unground`). `net` is the
    ground form, if it is there already.
    """

    def __init__(self, rules: RuleSet, limits: Limits = DEFAULT, *, net: Net | None = None) -> None:
        self.name = rules.source.name
        self.rules = rules
        self.limits = limits
        self.too_large: LimitReached | None = None
        self._net = net
        self._space: Space | None = None
        self.evaluator: Evaluator[Any] = self._evaluator()

    def _evaluator(self) -> Evaluator[Any]:
        try:
            self._net = self._net or ground(self.rules, self.limits)
        except LimitReached as error:
            if error.limit not in GROUND_LIMITS:
                raise
            self.too_large = error
            return Prover(self.rules, self.limits)
        return Interpreter(self._net)

    @property
    def net(self) -> Net:
        """The ground form; raises `LimitReached` where grounding did, see `too_large`."""
        if self._net is None:
            assert self.too_large is not None
            raise LimitReached(self.too_large.limit, self.too_large.value, "while grounding")
        return self._net

    @property
    def is_ground(self) -> bool:
        """Whether the ground form is there; all that enumerates positions or proves needs it."""
        return self._net is not None

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """The roles in the order of their facts."""
        return tuple(map(str, self.evaluator.roles))

    @cached_property
    def chance(self) -> int | None:
        """The position of the role `random`, which chooses uniformly by chance (GDL-II)."""
        found = (
            i for i, role in enumerate(self.roles) if role == self.rules.symbols.lookup("random")
        )
        return next(found, None)

    @cached_property
    def players(self) -> tuple[str, ...]:
        """The roles that choose by themselves: all but `random`."""
        return tuple(role for i, role in enumerate(self.roles) if i != self.chance)

    @cached_property
    def has_percepts(self) -> bool:
        """Whether the rules say what roles see (`sees`, GDL-II); else everybody sees all moves."""
        return any(rule.head.name == "sees" for rule in self.rules.rules)

    @cached_property
    def initial(self) -> State:
        """The state in which play begins."""
        return State(self, self.evaluator.initial)

    def term(self, text: Term | str) -> Term:
        """A term of this game, symbols in the sheet's spelling; `text` may be KIF."""
        return self.rules.symbols.fold(read_term(text) if isinstance(text, str) else text)

    def role_index(self, role: Term | str) -> int:
        """The position of a role; raises `UnknownName` where there is no such role."""
        name = str(self.term(role) if isinstance(role, str) else role)
        if name not in self.roles:
            raise UnknownName(f"no role {name!r} (there are: {', '.join(self.roles)})")
        return self.roles.index(name)

    def state(self, facts: Iterable[Term | str]) -> State:
        """The state in which exactly `facts` hold, reachable or not.

        Raises `UnknownName` for a fact that is no fluent of the game.
        """
        try:
            return State(self, self.evaluator.position(map(self.term, facts)))
        except UnknownName as error:
            raise UnknownName(f"{error} of {self.name}") from None

    @cached_property
    def marker(self) -> Marker | None:
        """The fluents that tell whose turn it is, proved from the ground rules; None if there are
        none, or no ground rules."""
        return find_marker(self.net) if self.is_ground else None

    @cached_property
    def beyond_base(self) -> tuple[str, ...]:
        """Fluents and moves of the net that `base` and `input` of the rules do not list.

        Where these relations are given they ought to bound what can occur; nothing here relies on
        it. The net may hold more than play can reach, so that this is a hint and no proof.
        """
        prover = Prover(self.rules, self.limits)
        base, inputs = set(prover.domain("base", 1)), set(prover.domain("input", 2))
        fluents = [str(f) for f in self.net.fluents if base and (f,) not in base]
        moves = [
            f"{role} {move}"
            for role, own in zip(self.net.roles, self.net.moves, strict=True)
            for move in own
            if inputs and (role, move) not in inputs
        ]
        return (*fluents, *moves)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Disjoint sets of fluents of which at most or exactly one holds in every state."""
        return find_groups(self.net, samples=self._samples(seconds=1.0))

    def _samples(self, seconds: float) -> set[int]:
        """States of random plays, as many as `seconds` allow, as bits of the net's fluents.

        Played from the rules: on large nets that is far quicker than the interpreter.
        """
        until = time.monotonic() + seconds
        prover, interpret = Prover(self.rules, self.limits), self.evaluator.position
        choose = random.Random(1).choice
        found = {prover.initial}
        state = prover.initial
        while time.monotonic() < until and len(found) < MAX_SAMPLES:
            legal = [] if prover.terminal(state) else prover.legal(state)
            if not legal or not all(legal):
                if len(found) == 1:
                    break
                state = prover.initial
                continue
            state = prover.next(state, [choose(own) for own in legal])
            found.add(state)
        return {interpret(prover.facts(state)) for state in found}

    @cached_property
    def engine(self) -> BulkEngine:
        """Evaluates many states at once."""
        return BulkEngine(self.net)

    def space(self, budget: Budget | None = None, progress: Progress | None = None) -> Space:
        """All positions that can be reached from the initial state, enumerated once.

        Raises `LimitReached` where `budget` (by default the game's limits) is spent.
        """
        if self._space is None:
            budget = budget or Budget(self.limits)
            self._space = explore(self.engine, [self.initial.bits], budget, progress=progress)
        return self._space

    def random_playout(
        self, seed: int | None = None, *, max_plies: int = 100_000
    ) -> list[tuple[State, dict[str, Term]]]:
        """A play in which every role moves uniformly at random.

        Pairs of a state and the joint move made there; the last state is terminal and its move is
        empty. Raises `NoLegalMove` where the rules leave a role without a move, `LimitReached`
        where the play does not end within `max_plies`.
        """
        choose = random.Random(seed).choice
        play: list[tuple[State, dict[str, Term]]] = []
        state = self.initial
        while not state.terminal:
            if len(play) >= max_plies:
                raise LimitReached("plies", max_plies, "a random play that does not end")
            joint = {role: choose(state.require_legal(role)) for role in self.roles}
            play.append((state, joint))
            state = state.play(joint)
        return [*play, (state, {})]

    def analyse(self, **options: Any) -> Findings:  # noqa: ANN401
        """What kind of game this is; see `ggp.analyse.analyse`."""
        from ggp.analyse import analyse

        return analyse(self, **options)

    def solve(self, **options: Any) -> Solution[State, Term]:  # noqa: ANN401
        """The solution of this game; see `ggp.solve.solve`."""
        from ggp.solve import solve

        return solve(self, **options)


class State:
    """One state of a game: immutable, hashable, equal to every state with the same facts.

    `position` is what the game's evaluator knows the state by.
    """

    __slots__ = ("_facts", "_game", "_hash", "_legal", "_terminal", "position")

    def __init__(self, game: Game, position: Any) -> None:  # noqa: ANN401 - the evaluator's own
        self._game = game
        self.position = position
        self._facts: tuple[Term, ...] | None = None
        self._hash: int | None = None
        self._legal: list[list[int]] | None = None
        self._terminal: bool | None = None

    @property
    def game(self) -> Game:
        """The game that this is a state of."""
        return self._game

    @property
    def bits(self) -> int:
        """The state as a number: bit `i` is set if fluent `i` of the net holds.

        Raises `LimitReached` where the game has no ground form.
        """
        bits: int = self.position if self._game.net else 0
        return bits

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self._game is other._game:
            return bool(self.position == other.position)
        return self.facts == other.facts

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(self.facts)
        return self._hash

    def __repr__(self) -> str:
        return f"<State {' '.join(map(str, self.facts))}>"

    @property
    def facts(self) -> tuple[Term, ...]:
        """The fluents that hold, sorted by their text."""
        if self._facts is None:
            self._facts = self._game.evaluator.facts(self.position)
        return self._facts

    def legal_indices(self) -> list[list[int]]:
        """For each role the numbers that the evaluator knows its legal moves by."""
        if self._legal is None:
            self._legal = self._game.evaluator.legal(self.position)
        return self._legal

    def legal(self, role: Term | str) -> tuple[Term, ...]:
        """The legal moves of a role, sorted by their text."""
        index = self._game.role_index(role)
        move = self._game.evaluator.move
        return tuple(move(index, number) for number in self.legal_indices()[index])

    def require_legal(self, role: str) -> tuple[Term, ...]:
        """The legal moves of a role; raises `NoLegalMove` where it has none."""
        moves = self.legal(role)
        if not moves:
            raise NoLegalMove(f"{role} has no legal move in {self!r}")
        return moves

    @property
    def terminal(self) -> bool:
        """Whether the game is over."""
        if self._terminal is None:
            self._terminal = self._game.evaluator.terminal(self.position)
        return self._terminal

    @property
    def goals(self) -> dict[str, int]:
        """The goal value of each role; the role `random` may have none, and is then left out.

        Raises `GoalError` where a role does not have exactly one.
        """
        held = self._game.evaluator.goals(self.position)
        values = dict(zip(self._game.roles, held, strict=True))
        if self._game.chance is not None and not held[self._game.chance]:
            del values[self._game.roles[self._game.chance]]
        for role, found in values.items():
            if len(found) != 1:
                what = " and ".join(map(str, found)) or "no value"
                raise GoalError(f"{role} has goal {what} in {self!r}")
        return {role: found[0] for role, found in values.items()}

    @property
    def control(self) -> str | None:
        """The role with a real choice: every other role has exactly one legal move.

        Where all have one, or none has any, it is the role that the game's proved turn marker
        points to; None where no role is singled out (simultaneous moves, for one).
        """
        counts = [len(moves) for moves in self.legal_indices()]
        roles = self._game.roles
        free = [
            role
            for i, role in enumerate(roles)
            if all(n == 1 for j, n in enumerate(counts) if j != i)
        ]
        if len(free) == 1:
            return free[0]
        if (free or not any(counts)) and self._game.marker:
            index = self._game.marker.role(self.bits)
            return None if index is None else roles[index]
        return None

    def play(self, move: JointMove | Term | str) -> State:
        """The state after a move of each role.

        A single move stands for a joint one where every other role has exactly one legal move.
        Raises `IllegalMove` for any move that is not legal here, and in a terminal state.
        """
        return self.after(self._chosen(move))

    def after(self, joint: Sequence[int]) -> State:
        """The state after a joint move given by the numbers of `legal_indices`, unchecked."""
        return State(self._game, self._game.evaluator.next(self.position, joint))

    def percepts(self, move: JointMove | Term | str) -> dict[str, tuple[Term, ...]]:
        """What each role sees of a move: the instances of `(sees role percept)`, sorted by text.

        GDL-II (Thielscher 2010). Rules without `sees` hide nothing, and give no percepts. Takes
        and raises what `play` does.
        """
        seen = self._game.evaluator.percepts(self.position, self._chosen(move))
        return dict(zip(self._game.roles, seen, strict=True))

    def _chosen(self, move: JointMove | Term | str) -> list[int]:
        if self.terminal:
            raise IllegalMove("the game is over: no move is possible")
        return self._joint(move) if isinstance(move, Mapping) else self._single(move)

    def _index(self, role: int, move: Term | str) -> int:
        """The net's index of a legal move of a role."""
        name = self._game.roles[role]
        try:
            term = self._game.term(move)
        except KifSyntaxError as error:
            raise IllegalMove(f"not a move: {error}") from None
        # Legal moves first: without a net they get their numbers when they are first met.
        legal = self.legal_indices()[role]
        index = self._game.evaluator.number(role, term)
        if index is None or index not in legal:
            is_unknown = index is None and self._game.is_ground
            reason = "no move of this game" if is_unknown else "not legal here"
            raise IllegalMove(f"{term} is {reason} for {name}")
        return index

    def _joint(self, moves: JointMove) -> list[int]:
        """The net's indices of a joint move; a role left out must have exactly one legal move."""
        given = {self._game.role_index(role): move for role, move in moves.items()}
        legal = self.legal_indices()
        missing = [
            r for i, r in enumerate(self._game.roles) if i not in given and len(legal[i]) != 1
        ]
        if missing:
            raise IllegalMove(f"no move given for {', '.join(missing)}")
        return [self._index(i, given[i]) if i in given else own[0] for i, own in enumerate(legal)]

    def _single(self, move: Term | str) -> list[int]:
        legal = self.legal_indices()
        control = self.control
        if control is None:
            forced = [i for i in range(len(legal)) if self._others_forced(i)]
        else:
            forced = [self._game.roles.index(control)]
        errors = []
        for i in forced:
            try:
                chosen = self._index(i, move)
            except IllegalMove as error:
                errors.append(str(error))
            else:
                return [chosen if j == i else own[0] for j, own in enumerate(legal)]
        if errors:
            raise IllegalMove(errors[0])
        raise IllegalMove(f"{move}: more than one role has a choice; give one move for each role")

    def _others_forced(self, role: int) -> bool:
        return all(len(own) == 1 for j, own in enumerate(self.legal_indices()) if j != role)


def parse(
    text: str, name: str = "<text>", *, strict_case: bool = False, limits: Limits = DEFAULT
) -> Game:
    """The game whose rules are `text`: KIF, or infix GDL where `name` ends in `.hrf`.

    Raises `KifSyntaxError` or `RulesError` with the place of the fault, `LimitReached` where the
    rules are too large.
    """
    return Game(read_rules(Source(name, text), strict_case=strict_case, limits=limits), limits)


def load(
    path: str | Path,
    /,
    *,
    strict_case: bool = False,
    limits: Limits = DEFAULT,
    **parameters: Any,  # noqa: ANN401
) -> Game:
    """The game in the file at `path`: a sheet (`*.kif`, `*.hrf`) or a template (`*.kif.jinja`).

    Keyword arguments set a template's parameters: `load("rows.kif.jinja", rows=5)`. Raises
    `InputError` where there is no readable file, and whatever `parse` raises.
    """
    source = read_sheet(os.fspath(path), parameters, limits)
    return Game(read_rules(source, strict_case=strict_case, limits=limits), limits)
