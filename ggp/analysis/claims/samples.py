"""Witnesses from random play: what a few hundred positions show to be false is false."""

from __future__ import annotations

import time
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ggp.analysis.claims.order import out_of_order
from ggp.analysis.evidence import Counterexample, Evidence, Witness, loop_through
from ggp.analysis.finding import Finding, shown
from ggp.analysis.heaps.heap import heap_candidates
from ggp.analysis.outcomes import (
    LEFT_OVER,
    STUCK,
    goals_of_form,
    goals_of_the_rules,
    is_decided,
    kind_of,
    players_goals,
)
from ggp.analysis.plays.plays import way_back
from ggp.analysis.plays.sampled import Sampled, marked_roles
from ggp.limits import Budget
from ggp.machine import NO_GOAL, Rows, joint_moves

CHUNK = 2_000
"""States that are looked at at once."""

WALKS, WALK = 512, 6
"""Short plays from a state that look for a way back to it, and their moves."""

FEW = 60
"""States all of whose moves are looked at at once."""

Options = dict[int, str]
"""Boards that a player can move to, each with a move that leads there."""


class Samples(Sampled):
    """What random legal play shows; each finding None where it shows nothing."""

    def cyclic(self) -> Finding | None:
        """A state that came up twice in a play, if one did."""
        loop = self.plays.loop or self._way_back()
        if not loop:
            return None
        place, machine = loop[0][0], self.game.machine
        path, row = self._path(place), self.plays.rows[[place]]
        witnesses = [self._witness(place)]
        for _, moves in loop:
            row = machine.next(row, moves[None])
            path = (*path, self._joint(moves))
            witnesses.append(Witness(self._facts(row), path))
        return shown("cyclic", True, loop_through(witnesses))

    def _way_back(self) -> list[tuple[int, NDArray[np.int32]]]:
        """A loop of a few moves that begins in some state that was met, if one is found."""
        machine, until = self.game.machine, self._until
        rng = np.random.default_rng(2)
        for place in self._few:
            if time.monotonic() > until:
                break
            start = self.plays.rows[[place]]
            found = way_back(machine, start, WALKS, WALK, rng)
            if found is not None:
                return [(place, found[0]), *((-1, moves) for moves in found[1:])]
        return []

    def playable(self) -> Finding | None:
        """A state in which a role cannot move, or an end without one goal for each, if met."""
        view, roles = self.plays, self.game.roles
        going = ~view.terminal[:, None]
        faults = (
            (going & (view.counts == 0), "has no legal move although the game is not over"),
            (~going & (view.goals == NO_GOAL), "has no goal value at the end"),
            (~going & (view.goals < NO_GOAL), "has more than one goal value at the end"),
        )
        for number, (faulty, what) in enumerate(faults):
            asked = range(len(roles)) if number == 0 else self._players
            for role in asked:
                for i in np.flatnonzero(faulty[:, role])[:1].tolist():
                    evidence = Counterexample(f"{roles[role]} {what}", (self._witness(i),))
                    return shown("playable", False, evidence)
        return None

    def zero_sum(self) -> Finding | None:
        """Two ends at which the goals have other sums, if they were met."""
        goals = self.plays.goals[:, self._players]
        ends = np.flatnonzero(self.plays.terminal & (goals > NO_GOAL).all(axis=1))
        sums = goals[ends].sum(axis=1)
        if not len(ends) or not np.ptp(sums):
            return None
        why = f"the goals sum to {sums.min()} at one end and to {sums.max()} at another"
        two = (int(ends[sums.argmin()]), int(ends[sums.argmax()]))
        return shown("zero_sum", False, Counterexample(why, tuple(map(self._witness, two))))

    def outcome_kind(self) -> Finding | None:
        """Ends whose goals are of no simpler kind than `scored`, if they were met.

        More ends make no simpler kind of it.
        """
        goals = self.plays.goals[:, self._players]
        ends = np.flatnonzero(self.plays.terminal & (goals > NO_GOAL).all(axis=1))
        if not len(ends):
            return None
        rows, first = np.unique(goals[ends], axis=0, return_index=True)
        different = [tuple(row) for row in rows.tolist()]
        if kind_of(different, players_goals(self.game)) != "scored" or self.playable():
            return None
        chosen = _telling(different, players_goals(self.game))
        listed = ", ".join("/".join(map(str, different[i])) for i in chosen)
        why = f"goals at ends: {listed}"
        witnesses = tuple(self._witness(int(ends[first[i]])) for i in chosen)
        return shown("outcome_kind", "scored", Counterexample(why, witnesses))

    def winnable(self) -> Finding | None:
        """For each player an end at which they have their best goal of the rules, if all were
        met."""
        witnesses, values = [], goals_of_the_rules(self.game)
        for role in self._players:
            best = max(values[role], default=NO_GOAL - 1)
            won = np.flatnonzero(self.plays.terminal & (self.plays.goals[:, role] == best))
            if not values[role] or not len(won):
                return None
            note = f"{self.game.roles[role]} has {best}"
            witnesses.append(self._witness(int(won[0]), note))
        why = "each player reaches the best goal of the rules at some end"
        return shown("winnable", True, Counterexample(why, tuple(witnesses)))

    def terminating(self) -> Finding | None:
        """A state in which play is stuck, if one was met."""
        view = self.plays
        stuck = ~view.terminal & (view.counts == 0).any(axis=1)
        for i in np.flatnonzero(stuck)[:1].tolist():
            why = "from this state no play ends: a role has no legal move"
            evidence = Counterexample(why, (self._witness(i),))
            return shown("terminating", False, evidence)
        return None

    def simultaneous(self) -> Finding | None:
        """A state in which more than one role has a choice, if one was met."""
        choice = (self.plays.counts[:, self._players] > 1) & ~self.plays.terminal[:, None]
        for i in np.flatnonzero(choice.sum(axis=1) > 1)[:1].tolist():
            evidence = Counterexample("more than one role has a choice", (self._witness(i),))
            return shown("turns", "simultaneous", evidence)
        return None

    def extra_turn(self) -> Finding | None:
        """A role that is to move twice running, or turns that go in no one circle, if they did.

        By the marker; else by choices, where never two roles have one at once.
        """
        if self.game.turns:
            return self._out_of_order()
        choice = (self.plays.counts > 1) & ~self.plays.terminal[:, None]
        choice[:, [i for i in range(choice.shape[1]) if i not in self._players]] = False
        before = self.plays.before
        again = choice & choice[before] & (before >= 0)[:, None]
        for i, role in zip(*map(np.ndarray.tolist, np.nonzero(again)), strict=True):
            why = f"{self.game.roles[role]} is to move twice running"
            return shown("turns", "with extra turns", Counterexample(why, self._step_to(i)))
        return None

    def _out_of_order(self) -> Finding | None:
        before, roles = self.plays.before, self.game.roles
        came = np.flatnonzero(before >= 0)
        mover = self._marked
        pairs = mover[before[came]].astype(np.int64) * len(roles) + mover[came]
        seen, first = np.unique(pairs, return_index=True)
        steps = [divmod(int(pair), len(roles)) for pair in seen]
        fault = out_of_order(steps, roles)
        if fault is None:
            return None
        states: list[Witness] = []
        for step in fault[1]:
            states += self._step_to(int(came[first[steps.index(step)]]))
        return shown("turns", "with extra turns", Counterexample(fault[0], tuple(states)))

    @property
    def following(self) -> dict[int, int]:
        """The role that has the turn after each one's, as far as that was met; by the marker."""
        mover, came = self._marked, np.flatnonzero(self.plays.before >= 0)
        pairs = zip(mover[self.plays.before[came]].tolist(), mover[came].tolist(), strict=True)
        return dict(pairs)

    @cached_property
    def _marked(self) -> NDArray[np.int16]:
        """The role whose turn it is in each state."""
        assert self.game.turns is not None
        return marked_roles(self.game, self.game.turns, self.plays.rows)

    def _step_to(self, i: int) -> tuple[Witness, Witness]:
        """The state before one that was met, and that one, after the move between them."""
        first = self._witness(int(self.plays.before[i]))
        path = (*(first.path or ()), self._joint(self.plays.joint[i]))
        return first, Witness(self._facts(self.plays.rows[[i]]), path)

    def heaps(self) -> Finding | None:
        """A fluent that changed and that no heap on any chain can account for, if one was met."""
        states, net = self._states, self.game.net
        candidates = heap_candidates(net)
        if not candidates:
            why = "no fluents, one of them true at the start, differ by a place on a chain"
            return Finding("heaps", [], "proved", Evidence(why))
        explained = self._marker.mask
        for members in candidates:
            mask = sum(1 << f for f in members)
            if all((state & mask).bit_count() == 1 for state in states):
                explained |= mask
        for place, state in zip(self._few, states, strict=True):
            changed = (state ^ states[0]) & ~explained
            if changed:
                text = net.fluents[changed.bit_length() - 1]
                why = f"{text} has changed, which is in no heap"
                return shown("heaps", [], Counterexample(why, (self._witness(place),)))
        return None

    def impartial(self) -> Finding | None:
        """A board on which one player has an option that the other has not, if one was met."""
        roles = self.game.roles
        for i, pair in enumerate(self._options):
            for role in (0, 1):
                for option in pair[role].keys() - pair[1 - role].keys():
                    move = pair[role][option]
                    why = (
                        f"{move} gives {roles[role]} a board that {roles[1 - role]} cannot move to"
                    )
                    evidence = Counterexample(why, (self._witness(self._few[i]),), move)
                    return shown("impartial", False, evidence)
        return None

    def passes(self) -> Finding | None:
        """A move of the role to move that leaves the board as it is, if one was met."""
        if self.game.marker is None:
            return None
        for i, (state, pair) in enumerate(zip(self._states, self._options, strict=False)):
            board, role = self._marker.board(state), self._marker.role(state)
            if role is not None:
                move = pair[role].get(board)
                if move is not None:
                    why = f"{move} of {self.game.roles[role]} leaves the board as it is"
                    evidence = Counterexample(why, (self._witness(self._few[i]),), move)
                    return shown("passes", True, evidence)
        return None

    def all_small(self) -> Finding | None:
        """A board on which one player can move and the other cannot, if one was met."""
        until = self._until
        for start in range(0, len(self.plays), CHUNK):
            if time.monotonic() > until:
                break
            states = self.game.machine.states(self.plays.rows[start : start + CHUNK])
            able = [self._can_move(self._placed(states, role)) for role in (0, 1)]
            for i in np.flatnonzero(able[0] != able[1])[:1].tolist():
                role = 0 if able[0][i] else 1
                roles = self.game.roles
                why = f"on this board {roles[role]} can move and {roles[1 - role]} cannot"
                evidence = Counterexample(why, (self._witness(start + i),))
                return shown("all_small", False, evidence)
        return None

    def form(self) -> Finding | None:
        """Two ends that are of no one form, an end at which moves are left, or a state in which
        play is stuck, if they were met."""
        view = self.plays
        for i in np.flatnonzero(~view.terminal & (view.counts == 0).any(axis=1))[:1].tolist():
            return shown("form", "other", Counterexample(STUCK, (self._witness(i),)))
        of_rules = goals_of_the_rules(self.game)
        lost: list[Witness] = []
        won: list[Witness] = []
        for i in np.flatnonzero(view.terminal).tolist():
            mover = int(self._marked[i])
            goals = view.goals[i].tolist()
            if mover < 0:
                continue
            if view.counts[i, mover]:
                return shown("form", "other", Counterexample(LEFT_OVER, (self._witness(i),)))
            if min(goals) <= NO_GOAL:
                continue
            if not lost and tuple(goals) != goals_of_form(of_rules, mover, loses=True):
                lost.append(self._witness(i, "the role to move has not lost"))
            if not won and tuple(goals) != goals_of_form(of_rules, mover, loses=False):
                won.append(self._witness(i, "the role to move has not won"))
        if not lost or not won:
            return None
        why = "who is to move at the end has neither always lost nor always won"
        return shown("form", "other", Counterexample(why, (lost[0], won[0])))

    def _can_move(self, rows: Rows) -> np.ndarray:
        view = self._view(rows)
        return np.asarray(~view.terminal & (view.counts > 0).all(axis=1))

    @cached_property
    def _options(self) -> list[tuple[Options, Options]]:
        """For each state (of `_few`, as many as time allows) what either player can move to."""
        until = self._until
        found: list[tuple[Options, Options]] = []
        for start in range(0, len(self._states), FEW):
            if time.monotonic() > until:
                break
            states = self._states[start : start + FEW]
            first, second = (self._options_of(states, role) for role in (0, 1))
            found += zip(first, second, strict=True)
        return found

    def _options_of(self, states: list[int], role: int) -> list[Options]:
        game, marker, machine = self.game, self._marker, self.game.machine
        rows = self._placed(states, role)
        found: list[Options] = [{} for _ in states]
        for lanes, joint in joint_moves(machine, self._view(rows), Budget(game.limits)):
            after = machine.states(machine.next(rows, joint, lanes))
            for lane, moves, state in zip(lanes.tolist(), joint.tolist(), after, strict=True):
                move = str(game.evaluator.move(role, moves[role]))
                found[lane].setdefault(marker.board(state), move)
        return found


def _telling(goals: list[tuple[int, ...]], of_rules: list[tuple[int, ...]]) -> list[int]:
    """One or two of these goals (by place) that make the outcomes scored, as all of them do."""
    places = range(len(goals))
    alone = [i for i in places if kind_of([goals[i]], of_rules) == "scored"][:1]
    return alone or [i for i in places if not is_decided(goals[i], of_rules)][:2]
