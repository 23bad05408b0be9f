"""Witnesses from random play: what a few hundred positions show to be false is false."""

from __future__ import annotations

import time
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ggp.analyse.evidence import Counterexample, Evidence, Witness, loop_through
from ggp.analyse.finding import Finding
from ggp.analyse.heaps import heap_choices
from ggp.analyse.outcomes import best_goals, kind_of
from ggp.analyse.plays import way_back
from ggp.analyse.sampled import Sampled
from ggp.limits import Budget
from ggp.machine import NO_GOAL, Rows, joint_moves

CHUNK = 2_000
"""States that are looked at at once."""

WALKS, WALK = 512, 6
"""Short plays from a state that look for a way back to it, and their moves."""

FEW = 60
"""States all of whose moves are looked at at once."""

Options = dict[tuple[int, bool], str]
"""Boards that a player can move to, each with whether the player is to move once more, and a move
that leads there."""


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
        return Finding("cyclic", True, "refuted", loop_through(witnesses))

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
                    return Finding("playable", False, "refuted", evidence)
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
        return Finding(
            "zero_sum", False, "refuted", Counterexample(why, tuple(map(self._witness, two)))
        )

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
        if kind_of(different) != "scored" or self.playable():
            return None
        chosen = _telling(different)
        shown = ", ".join("/".join(map(str, different[i])) for i in chosen)
        why = f"goals at ends: {shown}"
        witnesses = tuple(self._witness(int(ends[first[i]])) for i in chosen)
        return Finding("outcome_kind", "scored", "refuted", Counterexample(why, witnesses))

    def winnable(self) -> Finding | None:
        """For each player an end at which they have their best goal of the rules, if all were
        met."""
        witnesses, best_of = [], best_goals(self.game)
        for role in self._players:
            best = best_of[role]
            won = np.flatnonzero(self.plays.terminal & (self.plays.goals[:, role] == best))
            if best is None or not len(won):
                return None
            note = f"{self.game.roles[role]} has {best}"
            witnesses.append(self._witness(int(won[0]), note))
        why = "each player reaches the best goal of the rules at some end"
        return Finding("winnable", True, "refuted", Counterexample(why, tuple(witnesses)))

    def terminating(self) -> Finding | None:
        """A state in which play is stuck, if one was met."""
        view = self.plays
        stuck = ~view.terminal & (view.counts == 0).any(axis=1)
        for i in np.flatnonzero(stuck)[:1].tolist():
            why = "from this state no play ends: a role has no legal move"
            evidence = Counterexample(why, (self._witness(i),))
            return Finding("terminating", False, "refuted", evidence)
        return None

    def simultaneous(self) -> Finding | None:
        """A state in which more than one role has a choice, if one was met."""
        choice = (self.plays.counts[:, self._players] > 1) & ~self.plays.terminal[:, None]
        for i in np.flatnonzero(choice.sum(axis=1) > 1)[:1].tolist():
            evidence = Counterexample("more than one role has a choice", (self._witness(i),))
            return Finding("turns", "simultaneous", "refuted", evidence)
        return None

    def extra_turn(self) -> Finding | None:
        """A role that has a choice twice running, if one had; where never two have one at once."""
        choice = (self.plays.counts > 1) & ~self.plays.terminal[:, None]
        choice[:, [i for i in range(choice.shape[1]) if i not in self._players]] = False
        before = self.plays.before
        again = choice & choice[before] & (before >= 0)[:, None]
        for i, role in zip(*map(np.ndarray.tolist, np.nonzero(again)), strict=True):
            why = f"{self.game.roles[role]} is to move twice running"
            first = self._witness(int(before[i]))
            path = (*(first.path or ()), self._joint(self.plays.joint[i]))
            second = Witness(self._facts(self.plays.rows[[i]]), path)
            evidence = Counterexample(why, (first, second))
            return Finding("turns", "with extra turns", "refuted", evidence)
        return None

    def heaps(self) -> Finding | None:
        """For each chain a fluent that no heap accounts for and that changed, if they were met."""
        states, net, witnesses = self._states, self.game.net, []
        for candidates in heap_choices(net):
            explained = self._marker.mask
            for candidate in candidates:
                mask = sum(1 << f for f in candidate.members)
                if all((state & mask).bit_count() == 1 for state in states):
                    explained |= mask
            changed = next((i for i, s in enumerate(states) if (s ^ states[0]) & ~explained), None)
            if changed is None:
                return None
            fluent = (states[changed] ^ states[0]) & ~explained
            text = net.fluents[fluent.bit_length() - 1]
            witnesses.append(
                self._witness(self._few[changed], f"{text} has changed, which is in no heap")
            )
        if not witnesses:
            why = "no fluents, one of them true at the start, differ by a place on a chain"
            return Finding("heaps", [], "proved", Evidence(why))
        why = "fluents change that are in no heap"
        return Finding("heaps", [], "refuted", Counterexample(why, tuple(witnesses)))

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
                    return Finding("impartial", False, "refuted", evidence)
        return None

    def passes(self) -> Finding | None:
        """A move of the role to move that leaves the board as it is, if one was met."""
        for i, (state, pair) in enumerate(zip(self._states, self._options, strict=False)):
            board, role = self._marker.board(state), self._marker.role(state)
            if role is not None:
                move = next((m for (after, _), m in pair[role].items() if after == board), None)
                if move is not None:
                    why = f"{move} of {self.game.roles[role]} leaves the board as it is"
                    evidence = Counterexample(why, (self._witness(self._few[i]),), move)
                    return Finding("passes", True, "refuted", evidence)
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
                return Finding("all_small", False, "refuted", evidence)
        return None

    def form(self) -> Finding | None:
        """Two ends that are of no one form, or an end at which moves are left, if they were met."""
        view = self.plays
        values = [[value for value, _ in known] or [0] for known in self.game.net.goals]
        lost: list[Witness] = []
        won: list[Witness] = []
        for i in np.flatnonzero(view.terminal).tolist():
            [state] = self.game.machine.states(view.rows[[i]])
            mover = self._marker.role(state)
            goals = view.goals[i].tolist()
            if mover is None or min(goals) <= NO_GOAL:
                continue
            if view.counts[i, mover]:
                why = "the game is over although the role to move has a legal move"
                evidence = Counterexample(why, (self._witness(i),))
                return Finding("form", "other", "refuted", evidence)
            least = [goal == min(values[role]) for role, goal in enumerate(goals)]
            most = [goal == max(values[role]) for role, goal in enumerate(goals)]
            if not lost and not (least[mover] and most[1 - mover]):
                lost.append(self._witness(i, "the role to move has not lost"))
            if not won and not (most[mover] and least[1 - mover]):
                won.append(self._witness(i, "the role to move has not won"))
        if not lost or not won:
            return None
        why = "who is to move at the end has neither always lost nor always won"
        return Finding("form", "other", "refuted", Counterexample(why, (lost[0], won[0])))

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
                option = marker.board(state), marker.role(state) == role
                found[lane].setdefault(option, str(game.evaluator.move(role, moves[role])))
        return found


def _telling(goals: list[tuple[int, ...]]) -> list[int]:
    """Some of these goals (by place) that make the outcomes scored, as all of them do."""
    places = range(len(goals))
    most = max(places, key=lambda i: max(goals[i]))
    least = min(places, key=lambda i: min(goals[i]))
    level = [i for i in places if len(set(goals[i])) == 1][:2]
    for found in (level, *({most, least, i} for i in places)):
        if kind_of([goals[i] for i in found]) == "scored":
            return sorted(found)
    return list(places)
