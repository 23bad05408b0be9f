"""Faults of play as diagnostics at the rules they come from, with a play that shows each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ggp.analysis import Finding
from ggp.analysis.evidence import Counterexample, Goals, Witness
from ggp.analysis.outcomes import goals_of_the_rules
from ggp.deduce import Prover
from ggp.errors import LimitReached
from ggp.game import Game
from ggp.kif import Span, Term
from ggp.lint.met import Met
from ggp.lint.places import Places
from ggp.lint.vanishing import Broken
from ggp.machine import NO_GOAL
from ggp.rules.catalogue import entry
from ggp.rules.diagnostics import MAX_RELATED, Diagnostic, Related
from ggp.state import State


@dataclass
class Faults:
    """Faults of play as diagnostics at the rules they come from."""

    game: Game
    states: Met
    places: Places
    found: list[Diagnostic]

    def say(
        self,
        name: str,
        message: str,
        span: Span,
        related: Related = (),
        witness: Witness | None = None,
        hint: str = "",
    ) -> None:
        """Record a fault with the play that shows it."""
        known = entry(name)
        self.found.append(
            Diagnostic(
                known.code,
                name,
                known.severity,
                message,
                span,
                hint,
                related[:MAX_RELATED],
                play=witness.path if witness else None,
                facts=witness.facts if witness else (),
            )
        )

    def _first(self, faulty: Iterable[bool]) -> int | None:
        places = np.flatnonzero(np.asarray(faulty))
        return int(places[0]) if len(places) else None

    def stuck(self) -> None:
        """A state, not the end, in which a role has no legal move."""
        states = self.states
        by_state: dict[int, list[str]] = {}
        for i, role in enumerate(self.game.roles):
            place = self._first(~states.terminal & (states.counts[:, i] == 0))
            if place is not None:
                by_state.setdefault(place, []).append(role)
        for place, roles in by_state.items():
            span, related = self.places.of_role("legal", roles[0])
            message = f"{_have(roles)} no legal move although the game is not over"
            hint = "add a move such as noop, or end the game there"
            self.say("stuck", message, span, related, states.witness(place), hint)

    def goals(self) -> None:
        """An end without one goal value for each role; roles of one end together."""
        ends = self.states.terminal[:, None]
        none, many = self.states.goals == NO_GOAL, self.states.goals < NO_GOAL
        self._goals("no-goal-value", ends & none, "no goal value at an end of play")
        self._goals("two-goal-values", ends & many, "more than one goal value at an end of play")

    def _goals(self, name: str, faulty: NDArray[np.bool_], what: str) -> None:
        by_state: dict[int, list[str]] = {}
        for i in self.game.player_indices:
            place = self._first(faulty[:, i])
            if place is not None:
                by_state.setdefault(place, []).append(self.game.roles[i])
        for place, roles in by_state.items():
            span, related = self.places.of_role("goal", roles[0])
            message = f"{_have(roles)} {what}"
            self.say(name, message, span, related, self.states.witness(place))

    def at_once(self) -> None:
        """Play that is over before it begins."""
        if self.states.terminal[0]:
            span, related = self.places.heads(lambda rule: rule.head.name == "terminal")
            message = "the first state is an end of play already"
            self.say("ends-at-once", message, span, related, self.states.witness(0))

    def idle_roles(self) -> None:
        """A role that never has a choice."""
        if len(self.states) == 1 or any(d.name == "stuck" for d in self.found):
            return
        idle = [
            self.game.roles[i]
            for i in self.game.player_indices
            if (self.states.counts[:, i] <= 1).all()
        ]
        if idle:
            span, related = self.places.of_role("legal", idle[0])
            never = f"{' and '.join(idle)} never {'have' if len(idle) > 1 else 'has'}"
            message = f"{never} a choice of moves: in {self.states.scope}"
            self.say("no-choice", message, span, related)

    def broken(self, one: Broken) -> None:
        """A place that is empty, or has two fluents."""
        game, states, net = self.game, self.states, self.game.net
        where = one.board.place(net, one.place)
        witness = states.witness(one.state)
        place = np.array(one.board.on(one.place))
        now = game.machine.coding.held(states.rows[[one.state]])[0]
        had = self._held_before(witness)
        move = witness.path[-1] if witness.path else ()
        moves = [(role, game.term(m)) for role, m in zip(game.roles, move, strict=False)]
        made = f" after {' '.join(move)}" if move else ""
        if one.count == 0:
            gone = [net.fluents[int(i)] for i in place if had[i]]
            fluent = gone[0] if gone else net.fluents[int(place[0])]
            span, related = self.places.keeping(fluent, moves)
            lost = int(
                ((np.add.reduceat(now[one.board.columns].astype(int), one.board.starts)) == 0).sum()
            )
            more = f", nor of {lost - 1} other places" if lost > 1 else ""
            message = f"{fluent} vanishes{made}: nothing is left of {where}{more}"
            hint = f"no rule for next keeps {fluent} then: a frame axiom is missing, or too narrow"
            name = "empty-place" if one.board.is_board else "fluent-goes"
            self.say(name, message, span, related, witness, hint)
        else:
            both = [net.fluents[int(i)] for i in place if now[i]]
            old = next((f for f, i in zip(both, place[now[place]], strict=True) if had[i]), both[0])
            span, related = self.places.keeping(old, moves)
            message = f"{' and '.join(map(str, both))} hold at once{made}"
            hint = "a rule for next keeps what another one replaces"
            self.say("full-place", message, span, related, witness, hint)

    def _held_before(self, witness: Witness) -> NDArray[np.bool_]:
        """Which fluents held before the last move of a play."""
        machine, state = self.game.machine, self._after((witness.path or ())[:-1])
        return np.asarray(machine.coding.held(machine.rows([state.bits]))[0])

    def _after(self, path: Iterable[tuple[str, ...]]) -> State:
        """The state that joint moves lead to from the start."""
        state = self.game.initial
        for joint in path:
            state = state.play(dict(zip(self.game.roles, joint, strict=True)))
        return state

    def undeclared(self) -> None:
        """Fluents and moves that occur and that `base` and `input` leave out."""
        prover = Prover(self.game.rules, self.game.limits)
        with suppress(LimitReached):
            self._undeclared_fluents(set(prover.domain("base", 1)))
            self._undeclared_moves(set(prover.domain("input", 2)))

    def _undeclared_fluents(self, base: set[tuple[Term, ...]]) -> None:
        fluents = self.game.net.fluents
        missing = [i for i, f in enumerate(fluents) if base and (f,) not in base]
        for start, held in self.states.held() if missing else ():
            bad = np.argwhere(held[:, missing])
            if len(bad):
                state, column = map(int, bad[0])
                fluent = fluents[missing[column]]
                span, related = self.places.heads(lambda rule: rule.head.name == "base")
                witness = self.states.witness(start + state)
                message = f"{fluent} comes up, and 'base' does not list it"
                self.say("base-misses", message, span, related, witness)
                return

    def _undeclared_moves(self, inputs: set[tuple[Term, ...]]) -> None:
        net = self.game.net
        offset = 0
        for role, own in zip(net.roles, net.moves, strict=True):
            missing = [i for i, m in enumerate(own, offset) if inputs and (role, m) not in inputs]
            offset += len(own)
            for state in range(0, len(self.states) if missing else 0, 4_096):
                going = ~self.states.terminal[state : state + 4_096]
                rows = self.states.rows[state : state + 4_096][going]
                view = self.game.machine.view(rows)
                met_moves = sorted(set(view.legal.tolist()) & set(missing))
                if met_moves:
                    move = own[met_moves[0] - offset + len(own)]
                    span, related = self.places.heads(lambda rule: rule.head.name == "input")
                    message = f"{role} may do {move}, and 'input' does not list it"
                    self.say("input-misses", message, span, related)
                    return

    def unplayable(self, finding: Finding) -> None:
        """A fault of play that the states looked at do not show."""
        if any(d.name in ("stuck", "no-goal-value", "two-goal-values") for d in self.found):
            return
        witness = _witness(finding)
        if witness is None:
            return
        name = self._fault_at(witness)
        head = "legal" if name == "stuck" else "goal"
        span, related = self.places.heads(lambda rule: rule.head.name == head)
        self.say(name, finding.evidence.why, span, related, witness)

    def _fault_at(self, witness: Witness) -> str:
        """What is wrong with a state in which somebody cannot move, or has not one goal value."""
        machine, state = self.game.machine, self._after(witness.path or ())
        view = machine.view(machine.rows([state.bits]))
        if not view.terminal[0]:
            return "stuck"
        players = list(self.game.player_indices)
        return "no-goal-value" if (view.goals[0, players] == NO_GOAL).any() else "two-goal-values"

    def endless(self, finding: Finding) -> None:
        """A state from which no play ends."""
        span, related = self.places.heads(_is("terminal"))
        message = "there is a state from which no play comes to an end"
        self.say("endless", message, span, related, _witness(finding))

    def cyclic(self, finding: Finding) -> None:
        """A play that comes back to where it was."""
        span, related = self.places.heads(_is("terminal"))
        message = "a play can come back to a state, and go on for ever"
        self.say("cyclic", message, span, related, _witness(finding))

    def unwinnable(self, finding: Finding) -> None:
        """A player who never reaches the best goal of the rules."""
        values = goals_of_the_rules(self.game)
        for role in self.game.player_indices:
            name, own = self.game.roles[role], values[role]
            if own and self._never_reaches(role, max(own), finding):
                best = Term(str(max(own)))
                span, related = self.places.heads(
                    lambda rule, best=best, name=name: (
                        rule.head.name == "goal"  # type: ignore[misc]
                        and rule.head.args[1] == best
                        and (rule.head.args[0].is_variable or str(rule.head.args[0]) == name)
                    )
                )
                self.say("unwinnable", finding.evidence.why, span, related, _witness(finding))
                return

    def _never_reaches(self, role: int, goal: int, finding: Finding) -> bool:
        """Whether a finding of unwinnable play is about a role and a goal."""
        if isinstance(finding.evidence, Goals):
            place = list(self.game.player_indices).index(role)
            return all(row[place] < goal for row in finding.evidence.goals)
        space = self.game.space()
        return not (space.goals[space.terminal, role] == goal).any()


def _have(roles: Sequence[str]) -> str:
    """Roles as the subject of a sentence about what they have."""
    return " and ".join(roles) + (" have" if len(roles) > 1 else " has")


def _is(name: str) -> Callable[[object], bool]:
    return lambda rule: rule.head.name == name  # type: ignore[attr-defined]


def _witness(finding: Finding) -> Witness | None:
    evidence = finding.evidence
    if isinstance(evidence, Counterexample) and evidence.states:
        return evidence.states[0]
    return None
