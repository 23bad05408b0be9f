"""Witnesses from random play: what a few hundred positions show to be false is false."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ggp.analyse.evidence import Counterexample, Evidence, Witness, loop_through
from ggp.analyse.finding import Finding
from ggp.analyse.heaps import heap_choices
from ggp.analyse.outcomes import best_goals, kind_of
from ggp.analyse.plays import Plays, random_plays, way_back
from ggp.game import Game
from ggp.ground import Group, Marker
from ggp.limits import Budget
from ggp.machine import NO_GOAL, RowIndex, Rows, View, joint_moves

SECONDS = 4.0
"""For making random plays."""

MAX_MANY, MAX_STATES = 100_000, 600
"""States of random plays, and those of them all of whose moves are looked at."""

CHUNK = 2_000
"""States that are looked at at once."""

MAX_BOARDS, MAX_CHANGES = 300, 20_000
"""Boards made at random all of whose moves are looked at for what they change, and changes."""

WALKS, WALK = 512, 6
"""Short plays from a state that look for a way back to it, and their moves."""

FEW = 60
"""States all of whose moves are looked at at once."""

Path = tuple[tuple[str, ...], ...]

Options = dict[tuple[int, bool], str]
"""Boards that a player can move to, each with whether the player is to move once more, and a move
that leads there."""


class Samples:
    """States of random legal play, each with the moves that led to it, made within a budget."""

    def __init__(self, game: Game, budget: Budget) -> None:
        self.game = game
        self.budget = budget

    @property
    def _until(self) -> float:
        """When a search that begins now is to end."""
        left = self.budget.limits.seconds - self.budget.seconds
        return time.monotonic() + min(SECONDS, left)

    @cached_property
    def plays(self) -> Plays:
        """Random plays."""
        return random_plays(self.game, self._until, MAX_MANY)

    @cached_property
    def _few(self) -> list[int]:
        """Some of the states: the first ones, and ends of play and others from all over."""
        count = len(self.plays)
        if count <= MAX_STATES:
            return list(range(count))
        ends = np.flatnonzero(self.plays.terminal)[: MAX_STATES // 4].tolist()
        spread = np.linspace(0, count - 1, MAX_STATES // 2).astype(int).tolist()
        return sorted({*range(MAX_STATES // 4), *ends, *spread})

    @cached_property
    def _states(self) -> list[int]:
        """The states of `_few`, as bits of fluents."""
        return self.game.machine.states(self.plays.rows[self._few])

    @property
    def some_states(self) -> list[int]:
        """Some of the states, as bits of fluents: those first met, and others from all over."""
        return self._states

    def _path(self, place: int) -> Path:
        """A play that leads to one of all states."""
        return tuple(map(self._joint, self.plays.path(place)))

    def _joint(self, moves: NDArray[np.int32]) -> tuple[str, ...]:
        move = self.game.evaluator.move
        return tuple(str(move(role, int(index))) for role, index in enumerate(moves))

    @property
    def _players(self) -> list[int]:
        return [i for i in range(len(self.game.roles)) if i != self.game.chance]

    @property
    def goals(self) -> set[tuple[int, ...]]:
        """The goals of the players at the ends of play that were met."""
        rows = self.plays.goals[self.plays.terminal][:, self._players]
        return {tuple(row) for row in rows.tolist() if min(row) > NO_GOAL}

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

    def end_with(self, goals: tuple[int, ...]) -> Path | None:
        """A play that ends with these goals of the players, if one did."""
        ends = self.plays.terminal & (self.plays.goals[:, self._players] == goals).all(axis=1)
        places = np.flatnonzero(ends)[:1].tolist()
        return self._path(places[0]) if places else None

    @property
    def met_an_end(self) -> bool:
        """Whether some play came to its end."""
        return bool(self.plays.terminal.any())

    @property
    def shortest_to_an_end(self) -> Path:
        """The shortest play that came to its end; there must be one."""
        ends = np.flatnonzero(self.plays.terminal).tolist()
        return min(map(self._path, ends[:MAX_STATES]), key=len)

    def _view(self, rows: Rows) -> View:
        return self.game.machine.view(rows)

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

    def changes(self, groups: Iterable[Group]) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
        """What moves do to the fluents of the board, each change once.

        On boards that were met and on others made of them at random, which satisfy `groups` as
        well. Each change with its player; fluents by index, +1 if they come and -1 if they go.
        """
        machine = self.game.machine
        on_board = ~np.array(
            [self._marker.mask >> i & 1 for i in range(len(self.game.net.fluents))], dtype=np.bool_
        )
        for role in range(len(self.game.roles)):
            rows = self._shuffled(self._rows(role), groups)
            known = RowIndex(2 * machine.coding.words)
            until = self._until
            for lanes, joint in joint_moves(machine, self._view(rows), Budget(self.game.limits)):
                after = machine.next(rows, joint, lanes)
                known.add(np.concatenate([rows[lanes] & ~after, after & ~rows[lanes]], axis=1))
                if len(known) > MAX_CHANGES or time.monotonic() > until:
                    break
            gone, come = np.split(known.rows, 2, axis=1)
            held = machine.coding.held(come).astype(np.int8) - machine.coding.held(gone)
            for row in held * on_board:
                yield role, tuple((int(f), int(row[f])) for f in np.flatnonzero(row))

    def joint_changes(self) -> Iterator[tuple[tuple[int, int], ...]]:
        """What joint moves of random play did to the fluents, each change once.

        Fluents by index, ascending, +1 if they came and -1 if they went.
        """
        plays, held = self.plays, self.game.machine.coding.held
        known: set[bytes] = set()
        for place in np.flatnonzero(plays.before >= 0)[:MAX_CHANGES].tolist():
            before, after = held(plays.rows[[int(plays.before[place]), place]]).astype(np.int8)
            row = after - before
            if row.tobytes() not in known:
                known.add(row.tobytes())
                yield tuple((int(f), int(row[f])) for f in np.flatnonzero(row))

    def _shuffled(self, rows: Rows, groups: Iterable[Group]) -> Rows:
        """Boards that take each group, and each fluent in none, from some board of `rows`."""
        held = self.game.machine.coding.held(rows)
        rng = np.random.default_rng(1)
        mixed = np.repeat(held, -(-MAX_BOARDS // len(held)), axis=0)[:MAX_BOARDS]
        for group in groups:
            if not any(self._marker.mask >> i & 1 for i in group.fluents):
                own = list(group.fluents)
                chosen = rng.integers(len(own) + (not group.exact), size=len(mixed))
                mixed[:, own] = chosen[:, None] == np.arange(len(own))
        return self.game.machine.coding.pack(np.concatenate([held, mixed]))

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

    @property
    def _marker(self) -> Marker:
        """The turn marker; of a game of one role that of every state."""
        assert self.game.marker is not None or len(self.game.roles) == 1
        return self.game.marker or Marker((0,), alternating=True)

    def _witness(self, i: int, note: str = "") -> Witness:
        return Witness(self._facts(self.plays.rows[[i]]), self._path(i), note)

    def _facts(self, row: Rows) -> tuple[str, ...]:
        [state] = self.game.machine.states(row)
        return tuple(map(str, self.game.evaluator.facts(state)))

    def _rows(self, role: int) -> Rows:
        """The states of `_few` with the marker on one role."""
        return self._placed(self._states, role)

    def _placed(self, states: Iterable[int], role: int) -> Rows:
        marker = self._marker
        return self.game.machine.rows(marker.place(marker.board(s), role) for s in states)

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
