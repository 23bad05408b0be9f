"""Witnesses from random play: what a few hundred positions show to be false is false."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np

from ggp.analyse.evidence import Counterexample, Evidence, Witness
from ggp.analyse.finding import Finding
from ggp.analyse.heaps import heap_choices
from ggp.game import Game
from ggp.ground import Group, Marker
from ggp.limits import Budget
from ggp.machine import NO_GOAL, RowIndex, Rows, View, joint_moves

SECONDS = 3.0
"""For making random plays."""

MAX_STATES, MAX_PLIES = 600, 400
"""States that are looked at, and moves after which a play is broken off."""

MAX_BOARDS, MAX_CHANGES = 300, 20_000
"""Boards made at random all of whose moves are looked at for what they change, and changes."""

WALKS, WALK = 20, 4
"""Short plays from a state that look for a way back to it, and their moves."""

MAX_LOOP = 20
"""States of a loop that are shown."""

Path = tuple[tuple[str, ...], ...]


class Samples:
    """States of random legal play, each with the moves that led to it."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @cached_property
    def plays(self) -> tuple[tuple[int, ...], tuple[Path, ...]]:
        """Different states as bits of fluents, and for each a play that leads to it."""
        choose, until = random.Random(1).choice, time.monotonic() + SECONDS
        evaluator = self.game.evaluator
        found: dict[int, Path] = {evaluator.initial: ()}
        self._loop: list[tuple[int, Path]] = []
        fruitless = 0
        while len(found) < MAX_STATES and time.monotonic() < until and fruitless < 20:
            state, known = evaluator.initial, len(found)
            path: Path = ()
            play = {state: path}
            for _ in range(MAX_PLIES):
                legal = evaluator.legal(state)
                if evaluator.terminal(state) or not all(legal) or time.monotonic() > until:
                    break
                joint = [choose(own) for own in legal]
                state = evaluator.next(state, joint)
                moves = tuple(str(evaluator.move(r, m)) for r, m in enumerate(joint))
                path = (*path, moves)
                found.setdefault(state, path)
                if state in play and not self._loop:
                    steps = list(play.items())
                    self._loop = [*steps[list(play).index(state) :], (state, path)]
                play.setdefault(state, path)
            fruitless = fruitless + 1 if len(found) == known else 0
        return tuple(found), tuple(found.values())

    @cached_property
    def _seen(self) -> View:
        """What holds in the states of `plays`."""
        return self._view(self.game.machine.rows(self.plays[0]))

    @property
    def _players(self) -> list[int]:
        return [i for i in range(len(self.game.roles)) if i != self.game.chance]

    @property
    def goals(self) -> set[tuple[int, ...]]:
        """The goals of the players at the ends of play that were met."""
        rows = self._seen.goals[self._seen.terminal][:, self._players]
        return {tuple(row) for row in rows.tolist() if min(row) > NO_GOAL}

    def cyclic(self) -> Finding | None:
        """A state that came up twice in a play, if one did."""
        if not self.plays or not (self._loop or self._find_way_back()):
            return None
        evaluator = self.game.evaluator
        witnesses = tuple(
            Witness(tuple(map(str, evaluator.facts(state))), path)
            for state, path in [*self._loop[: MAX_LOOP - 1], self._loop[-1]]
        )
        why = f"the first of these states is the last again, {len(self._loop) - 1} moves later"
        return Finding("cyclic", True, "refuted", Counterexample(why, witnesses))

    def _find_way_back(self) -> bool:
        """Look for short plays that lead back to where they began."""
        choose, until = random.Random(2).choice, time.monotonic() + SECONDS
        evaluator = self.game.evaluator
        for start, to_start in zip(*self.plays, strict=True):
            if time.monotonic() > until:
                return False
            for _ in range(WALKS):
                state, path = start, to_start
                walk = [(state, path)]
                for _ in range(WALK):
                    legal = evaluator.legal(state)
                    if evaluator.terminal(state) or not all(legal):
                        break
                    joint = [choose(own) for own in legal]
                    state = evaluator.next(state, joint)
                    moves = tuple(str(evaluator.move(r, m)) for r, m in enumerate(joint))
                    path = (*path, moves)
                    walk.append((state, path))
                    if state == start:
                        self._loop = walk
                        return True
        return False

    def playable(self) -> Finding | None:
        """A state in which a role cannot move, or an end without one goal for each, if met."""
        view, roles = self._seen, self.game.roles
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
        goals = self._seen.goals[:, self._players]
        ends = np.flatnonzero(self._seen.terminal & (goals > NO_GOAL).all(axis=1))
        sums = goals[ends].sum(axis=1)
        if not len(ends) or not np.ptp(sums):
            return None
        why = f"the goals sum to {sums.min()} at one end and to {sums.max()} at another"
        two = (int(ends[sums.argmin()]), int(ends[sums.argmax()]))
        return Finding(
            "zero_sum", False, "refuted", Counterexample(why, tuple(map(self._witness, two)))
        )

    def simultaneous(self) -> Finding | None:
        """A state in which more than one role has a choice, if one was met."""
        choice = (self._seen.counts[:, self._players] > 1) & ~self._seen.terminal[:, None]
        for i in np.flatnonzero(choice.sum(axis=1) > 1)[:1].tolist():
            evidence = Counterexample("more than one role has a choice", (self._witness(i),))
            return Finding("turns", "simultaneous", "refuted", evidence)
        return None

    def extra_turn(self) -> Finding | None:
        """A role that has a choice twice running, if one had; where never two have one at once."""
        _, paths = self.plays
        place = {path: i for i, path in enumerate(paths)}
        choice = (self._seen.counts > 1) & ~self._seen.terminal[:, None]
        for i, path in enumerate(paths):
            before = place.get(path[:-1]) if path else None
            if before is None:
                continue
            for role in self._players:
                if choice[before, role] and choice[i, role]:
                    move = " ".join(path[-1])
                    why = f"{self.game.roles[role]} is to move twice running"
                    evidence = Counterexample(why, (self._witness(before),), move)
                    return Finding("turns", "with extra turns", "refuted", evidence)
        return None

    def heaps(self) -> Finding | None:
        """For each chain a fluent that no heap accounts for and that changed, if they were met."""
        states, _ = self.plays
        net, witnesses = self.game.net, []
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
            witnesses.append(self._witness(changed, f"{text} has changed, which is in no heap"))
        if not witnesses:
            why = "no fluents, one of them true at the start, differ by a place on a chain"
            return Finding("heaps", [], "proved", Evidence(why))
        why = "fluents change that are in no heap"
        return Finding("heaps", [], "refuted", Counterexample(why, tuple(witnesses)))

    @property
    def met_an_end(self) -> bool:
        """Whether some play came to its end."""
        return bool(self._seen.terminal.any())

    @property
    def shortest_to_an_end(self) -> Path:
        """The shortest play that came to its end; there must be one."""
        ends = np.flatnonzero(self._seen.terminal).tolist()
        return min((self.plays[1][i] for i in ends), key=len)

    def _view(self, rows: Rows) -> View:
        return self.game.machine.view(rows)

    def impartial(self) -> Finding | None:
        """A board on which one player has an option that the other has not, if one was met."""
        first, second = (self._options(role) for role in (0, 1))
        roles = self.game.roles
        for i, pair in enumerate(zip(first, second, strict=True)):
            for role in (0, 1):
                for option in pair[role].keys() - pair[1 - role].keys():
                    move = pair[role][option]
                    why = (
                        f"{move} gives {roles[role]} a board that {roles[1 - role]} cannot move to"
                    )
                    evidence = Counterexample(why, (self._witness(i),), move)
                    return Finding("impartial", False, "refuted", evidence)
        return None

    def all_small(self) -> Finding | None:
        """A board on which one player can move and the other cannot, if one was met."""
        able = [self._can_move(self._rows(role)) for role in (0, 1)]
        uneven = np.flatnonzero(able[0] != able[1])
        if not len(uneven):
            return None
        i = int(uneven[0])
        role = 0 if able[0][i] else 1
        roles = self.game.roles
        why = f"on this board {roles[role]} can move and {roles[1 - role]} cannot"
        return Finding("all_small", False, "refuted", Counterexample(why, (self._witness(i),)))

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
            for lanes, joint in joint_moves(machine, self._view(rows), Budget(self.game.limits)):
                after = machine.next(rows, joint, lanes)
                known.add(np.concatenate([rows[lanes] & ~after, after & ~rows[lanes]], axis=1))
                if len(known) > MAX_CHANGES:
                    break
            gone, come = np.split(known.rows, 2, axis=1)
            held = machine.coding.held(come).astype(np.int8) - machine.coding.held(gone)
            for row in held * on_board:
                yield role, tuple((int(f), int(row[f])) for f in np.flatnonzero(row))

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
        view = self._seen
        values = [[value for value, _ in known] or [0] for known in self.game.net.goals]
        lost, won = [], []
        for i in np.flatnonzero(view.terminal).tolist():
            mover = self._marker.role(self.plays[0][i])
            goals = view.goals[i].tolist()
            if mover is None or min(goals) <= NO_GOAL:
                continue
            if view.counts[i, mover]:
                why = "the game is over although the role to move has a legal move"
                evidence = Counterexample(why, (self._witness(i),))
                return Finding("form", "other", "refuted", evidence)
            least = [goal == min(values[role]) for role, goal in enumerate(goals)]
            most = [goal == max(values[role]) for role, goal in enumerate(goals)]
            if not (least[mover] and most[1 - mover]):
                lost.append(self._witness(i, "the role to move has not lost"))
            if not (most[mover] and least[1 - mover]):
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
        states, paths = self.plays
        facts = tuple(map(str, self.game.evaluator.facts(states[i])))
        return Witness(facts, paths[i], note)

    def _rows(self, role: int) -> Rows:
        """The states with the marker on one role."""
        marker = self._marker
        return self.game.machine.rows(
            marker.place(marker.board(state), role) for state in self.plays[0]
        )

    def _can_move(self, rows: Rows) -> np.ndarray:
        view = self._view(rows)
        return np.asarray(~view.terminal & (view.counts > 0).all(axis=1))

    def _options(self, role: int) -> list[dict[tuple[int, bool], str]]:
        """For each state the boards that one player can move to, and by which move.

        With each board whether the player is to move once more.
        """
        game, marker, machine = self.game, self._marker, self.game.machine
        rows = self._rows(role)
        found: list[dict[tuple[int, bool], str]] = [{} for _ in range(len(rows))]
        for lanes, joint in joint_moves(machine, self._view(rows), Budget(game.limits)):
            after = machine.states(machine.next(rows, joint, lanes))
            for lane, moves, state in zip(lanes.tolist(), joint.tolist(), after, strict=True):
                option = marker.board(state), marker.role(state) == role
                found[lane].setdefault(option, str(game.evaluator.move(role, moves[role])))
        return found
