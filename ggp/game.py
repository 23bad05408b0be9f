"""Games and their states: the two objects that a user holds."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ggp.deduce import Prover
from ggp.errors import BudgetSpent, LimitReached, UnknownName
from ggp.ground import Group, Marker, Net, Turns, find_groups, find_marker, find_turns, ground
from ggp.kif import Source, Term, read_sheet, read_term
from ggp.limits import DEFAULT, Budget, Limits
from ggp.machine import (
    LARGE,
    ByDefinition,
    Evaluator,
    Machine,
    Playouts,
    Progress,
    SingleStates,
    Space,
    chosen_engine,
    explore,
)
from ggp.rules import RuleSet, read_rules
from ggp.rules.standing import Standing
from ggp.showing import shown_choices, states_of_play
from ggp.state import JointMove, State

if TYPE_CHECKING:
    from ggp.analysis import Findings
    from ggp.show.widget.page import GameWidget
    from ggp.solver import Solution

__all__ = ["Game", "JointMove", "State", "load", "parse"]

GROUND_LIMITS = ("ground_rules", "ground_seconds", "memory")
"""The limits of grounding; a game that passes one is played unground."""


class Game:
    """A game made from a rule sheet; build one with `load` or `parse`.

    `name` is the name of the source, `rules` its rule set. `evaluator` answers questions about
    single states: from the ground form of the rules, or where grounding passes the limits, from
    the rules themselves (`evaluator.engine` says which: `reference`, `interpreter` or `llvm`, or
    `unground`). With `grounded` false grounding is not tried.
    """

    def __init__(
        self,
        rules: RuleSet,
        limits: Limits = DEFAULT,
        *,
        grounded: bool = True,
        also: Collection[Term] = (),
    ) -> None:
        self.name = rules.source.name
        self.rules = rules
        self.limits = limits
        self.too_large: LimitReached | None = None
        self.unfinished: BudgetSpent | None = None
        self._net: Net | None = None
        self._space: Space | None = None
        if grounded:
            self._ground(also)
        else:
            self.too_large = LimitReached("ground_rules", 0, "grounding was not asked for")
        self.evaluator = self._evaluator()

    def _ground(self, also: Collection[Term]) -> None:
        try:
            self._net = ground(self.rules, self.limits, also)
        except LimitReached as error:
            if error.limit not in GROUND_LIMITS:
                raise
            self.too_large = error

    def _evaluator(self) -> Evaluator[Any]:
        if self._net is None:
            return Prover(self.rules, self.limits)
        choice = chosen_engine()
        large = choice == "auto" and self._net.literals > LARGE
        if large or choice in ("interpreter", "llvm"):
            return SingleStates(self.machine)
        return ByDefinition(self._net)

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
        return f"<Game {self.name}: {', '.join(self.roles)}>"

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[Any, ...]]:
        source = self.rules.source
        text = source.name, source.text, source.notes, source.syntax
        case = self.rules.symbols.strict_case
        return _game, (text, case, self.limits, self._net, self.too_large)

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
    def player_indices(self) -> tuple[int, ...]:
        """The positions of `players` among the roles."""
        return tuple(i for i in range(len(self.roles)) if i != self.chance)

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
        if not isinstance(text, (str, Term)):
            kind = type(text).__name__
            raise TypeError(f"facts, moves and roles are terms or their text, not of type {kind}")
        if isinstance(text, Term) and self.is_ground and text in self.net.fluent_index:
            return text
        return self.rules.symbols.fold(read_term(text) if isinstance(text, str) else text)

    def role_index(self, role: Term | str) -> int:
        """The position of a role; raises `UnknownName` where there is no such role."""
        place = self._place_of_role.get(role)
        if place is None:
            place = self._place_of_role.get(name := str(self.term(role)))
        if place is None:
            raise UnknownName(f"no role {name} (there are: {', '.join(self.roles)})")
        return place

    @cached_property
    def _place_of_role(self) -> dict[Term | str, int]:
        return {role: place for place, role in enumerate(self.roles)}

    def state(self, facts: Iterable[Term | str]) -> State:
        """The state in which exactly `facts` hold, reachable or not.

        Raises `UnknownName` for a fact that is no fluent of the game, and `TypeError` for a single
        text.
        """
        if isinstance(facts, (str, Term)):
            raise TypeError('a state is made of a list of facts: state(["(cell 1 x)", "(step 3)"])')
        try:
            return State(self, self.evaluator.position(map(self.term, facts)))
        except UnknownName as error:
            raise UnknownName(f"{error} of {self.name}") from None

    def covering(self, states: Iterable[Iterable[Term | str]]) -> Game:
        """This game with a ground form in which some states (lists of facts) can be played as well.

        It begins as this one does. Raises `UnknownName` for a fact that no `init` or `next` of the
        rules could give, or that names what the rules do not: nothing could be said of it.
        """
        named = dict.fromkeys(fact for facts in states for fact in facts)
        wanted = dict.fromkeys(map(self.term, named))
        if not self.is_ground or wanted.keys() <= set(self.net.fluents):
            return self
        known, standing = self.rules.names, Standing(self.rules)
        for fact in wanted:
            unknown = sorted({*fact.symbols()} - known)
            if unknown or not self.rules.has_fluent(fact):
                why = f": {self.name} says nothing of {unknown[0]}" if unknown else ""
                raise UnknownName(f"{fact} is no fluent{why or f' of {self.name}'}")
            if fact not in self.net.fluent_index and (term := standing.misplaced(fact)):
                raise UnknownName(f"{fact} is no fluent of {self.name}: {term} cannot stand there")
        return Game(self.rules, self.limits, also=sorted(wanted))

    @cached_property
    def marker(self) -> Marker | None:
        """The fluents that tell whose turn it is, proved from the ground rules; None if there are
        none, or no ground rules; see also `within`."""
        try:
            marker = find_marker(self.net) if self.is_ground else None
            return marker if marker and self._shows(marker) else None
        except BudgetSpent as error:
            self.unfinished = error
            return None

    @cached_property
    def choices(self) -> dict[int, tuple[tuple[str, ...], ...]]:
        """For settings of what tells whose turn it is a play (joint moves) to a state with that
        setting in which the role has a choice, or else a move that does something to the board."""
        return {}

    def _shows(self, turns: Turns) -> bool:
        found, is_shown = shown_choices(self.net, self.initial, turns)
        self.choices.update(found)
        return is_shown

    @cached_property
    def turns(self) -> Turns | None:
        """What tells whose turn it is: the marker, or else a clock that tells other things, too."""
        if self.marker or not self.is_ground:
            return self.marker
        try:
            turns = find_turns(self.net)
            return turns if turns and self._shows(turns) else None
        except BudgetSpent as error:
            self.unfinished = error
            return None

    @contextmanager
    def within(self, budget: Budget) -> Iterator[None]:
        """Work that an account bounds: it is in force while this lasts.

        If it runs out before it is found whose turn it is, nothing tells for the rest of the work
        (`unfinished` says why), and it is looked for again afterwards.
        """
        try:
            with budget.in_force():
                yield
        finally:
            if self.unfinished:
                self.unfinished = None
                for name in ("marker", "turns"):
                    self.__dict__.pop(name, None)

    @cached_property
    def beyond_base(self) -> tuple[str, ...]:
        """Fluents and moves of the net that `base` and `input` of the rules do not list, where they
        are given: a hint and no proof, as the net may hold more than play can reach."""
        prover = Prover(self.rules, self.limits)
        return self.net.beyond(prover.domain("base", 1), prover.domain("input", 2))

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Disjoint sets of fluents of which at most or exactly one holds in every state."""
        met = states_of_play(Prover(self.rules, self.limits))
        return find_groups(self.net, samples=set(map(self.evaluator.position, met)))

    @cached_property
    def machine(self) -> Machine:
        """Evaluates many states at once."""
        return Machine(self.net)

    @cached_property
    def packed_machine(self) -> Machine:
        """Evaluates many states at once; the fluents of a proved group are one number."""
        return Machine(self.net, self.groups)

    def space(self, budget: Budget | None = None, progress: Progress | None = None) -> Space:
        """All positions that can be reached from the initial state, enumerated once.

        Raises `LimitReached` where `budget` (by default the game's limits) is spent.
        """
        if self._space is None:
            budget = budget or Budget(self.limits)
            self._space = explore(self.machine, [self.initial.bits], budget, progress=progress)
        return self._space

    @property
    def is_enumerated(self) -> bool:
        """Whether all positions are known already."""
        return self._space is not None

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

    def playouts(
        self, count: int, seed: int = 0, *, start: State | None = None, threads: int = 1
    ) -> Playouts:
        """What `count` plays come to in which every role moves uniformly at random.

        From `start`, by default the initial state. Equal arguments, equal results. Raises
        `LimitReached` where the game has no ground form (`random_playout` needs none), and
        `UnknownName` for a state of another game.
        """
        state = self.initial if start is None else start
        if not isinstance(state, State):
            raise TypeError(f"plays start from a State, not from {type(state).__name__}")
        own = state if state.game is self else self.state(state.facts)
        return self.machine.playouts(own, count, seed, threads=threads)

    def analyse(self, **options: Any) -> Findings:  # noqa: ANN401
        """What kind of game this is; see `ggp.analyse`."""
        from ggp.analysis import analyse

        return analyse(self, **options)

    def solve(self, **options: Any) -> Solution[State, Term]:  # noqa: ANN401
        """The solution of this game; see `ggp.solve`."""
        from ggp.solver import solve

        return solve(self, **options)

    def widget(
        self,
        state: State | None = None,
        *,
        seats: Collection[str] | None = None,
        seconds: float = 2.0,
    ) -> GameWidget:
        """A widget for notebooks: the board to click on, the moves, undo, hints.

        It begins in `state`, by default the initial one. People play the roles `seats`, by default
        all; the machine plays the others, and thinks about each move and each hint for about
        `seconds`, at first as long again. Raises `InputError` where the extra `ggp[notebook]` is
        missing, `seconds` is no length of time or the file beside the sheet means nothing,
        `UnknownName` for roles that there are not and for a state that is none of this game, and
        `TypeError` for what is no state and no list of roles.
        """
        from ggp.show.widget import widget

        return widget(self, state, seats, seconds)


def _game(
    source: tuple[Any, ...],
    strict_case: bool,
    limits: Limits,
    net: Net | None,
    too_large: LimitReached | None,
) -> Game:
    """A game from what it is pickled as: its rules, how they are read, and its ground form, which
    says what the bits of states mean."""
    rules = read_rules(Source(*source), strict_case=strict_case, limits=limits)
    game = Game(rules, limits, grounded=False)
    game._net, game.too_large = net, too_large
    game.evaluator = game._evaluator()
    return game


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
