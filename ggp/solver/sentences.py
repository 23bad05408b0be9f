"""How to keep what can be had, in a sentence: by nim-values, by residues, or by answers to moves.

A sentence about heaps is what is proved of them. Answers (to a move its image under a symmetry, or
its partner in a pairing) are played against every reply before they are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ggp.analysis import Heap
from ggp.analysis.outcomes import goals_of_the_rules
from ggp.analysis.relations.symmetries import elements, symmetries
from ggp.errors import LimitReached, NotSolvable
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget
from ggp.solver.bands import band_of
from ggp.solver.enumerated import GameSolution
from ggp.solver.gdl import GdlTree
from ggp.solver.heap_words import MOST_LENGTHS, lost_sizes, row_text, sum_text
from ggp.solver.nim import HeapSolution, NimSolution, RowSolution
from ggp.solver.nim_heaps import NimHeapSolution
from ggp.solver.solution import Solution
from ggp.solver.tree import moves_of, scores
from ggp.theory.expressions import among

MAX_SYMMETRIES, MAX_FIRST = 64, 12
"""Symmetries that are tried, and first moves."""

MAX_MADE, MAX_CHOICES = 100_000, 20_000
"""Positions that are made to look for answers, and partners that are tried for pairings."""

SHOWN = 6
"""Answers that a text names."""


@dataclass(frozen=True)
class Sentence:
    """One way to keep a promise.

    `kind`: `nim-sum`, `residues`, `symmetry`, `pairing` or `band`. `certainty`: `proved`, or
    `verified` by play against every reply, over `positions` positions, a band by the outcome of
    each position. `first` and `answers`, of symmetries and pairings: the move to begin with, if it
    is theirs to begin, and what answers which move of the other.
    """

    kind: str
    text: str
    certainty: str
    positions: int = 0
    first: str | None = None
    answers: Mapping[str, str] | None = None
    heaps: tuple[Heap, ...] = field(default=(), repr=False)

    def sympy(self) -> Any:  # noqa: ANN401 - sympy is imported when it is asked for
        """What a sentence about `residues` says of a size n, as a condition of sympy.

        It holds where who is to move loses, so that it is what is to be left. The symbol is the
        integer `n`. Raises `NotSolvable` for other sentences, which are no formulas, and
        `InputError` where sympy is not installed.
        """
        if self.kind != "residues":
            raise NotSolvable(f"a sentence of the kind {self.kind} is no formula of one size")
        early, late, begin, period = lost_sizes(self.heaps[0])
        return among(early, late, period, begin)

    def as_json(self) -> dict[str, Any]:
        """The sentence as plain data."""
        return {
            "kind": self.kind,
            "text": self.text,
            "certainty": self.certainty,
            "positions": self.positions,
            "first": self.first,
            "answers": None if self.answers is None else dict(self.answers),
        }


def sentences(
    solution: Solution[State, Term],
    player: str,
    start: State | None = None,
    budget: Budget | None = None,
) -> list[Sentence]:
    """Ways for a player of two to keep what `start` is worth to them; empty where none is known.

    What is worth no more than the worst that can happen needs none. Raises `LimitReached` where the
    account is spent.
    """
    root = solution.initial if start is None else start
    if root is None or len(solution.players) != 2 or solution.has_chance:
        return []
    if root.terminal or not root.game.is_ground:
        return []
    budget = budget or Budget(root.game.limits)
    found: list[Sentence] = []
    # Of other states than its proofs are about theory says nothing.
    is_won = isinstance(solution, NimSolution) and solution.has_last_move(root, player)
    has_words = not isinstance(solution, NimHeapSolution) or solution.is_nim
    if isinstance(solution, HeapSolution) and is_won and has_words:
        found.append(_of_heaps(solution))
    if isinstance(solution, RowSolution) and is_won:
        text = row_text(solution.heap.nim_values(min(solution.positions, MOST_LENGTHS)))
        found.append(Sentence("nim-sum", text, "proved"))
    promise, may_be_endless = solution.secured(root, player)
    if promise is None or may_be_endless or promise <= _worst(solution, player, root.game):
        return found
    answers = _Answers(solution, player, root, promise, budget)
    one = answers.by_symmetry() or answers.by_pairing()
    if one is None and isinstance(solution, GameSolution) and not found:
        one = _of_band(solution, root, budget)
    return [*found, one] if one else found


def _of_band(solution: GameSolution, root: State, budget: Budget) -> Sentence | None:
    band = band_of(solution, root, budget)
    if band is None:
        return None
    text = f"Leave {band.text} (of this game, n up to {band.most})."
    return Sentence("band", text, "verified", band.positions)


def _worst(solution: Solution[State, Term], player: str, game: Game) -> int:
    """The least goal of the rules that a player of two may get."""
    tree = solution.tree()
    own = solution.players.index(player)
    is_exchanged = isinstance(tree, GdlTree) and tree.misere
    return goals_of_the_rules(game)[game.player_indices[1 - own if is_exchanged else own]][0]


def _of_heaps(solution: HeapSolution) -> Sentence:
    heaps = solution.heaps
    kind = "residues" if len(heaps) == 1 else "nim-sum"
    text = sum_text(heaps, solution.game.initial.facts)
    return Sentence(kind, text, "proved", heaps=tuple(heaps))


@dataclass
class _Pairing:
    """A move that is to have a partner: where it came up, who is `left`, what else is to be settled
    there, and how many positions were when it came up."""

    state: State
    move: Term
    left: Iterator[tuple[Term, State]]
    todo: list[State]
    count: int


class _Answers:
    """Rules of the kind "after this move of the other make that one"."""

    def __init__(
        self,
        solution: Solution[State, Term],
        player: str,
        root: State,
        promise: float,
        budget: Budget,
    ) -> None:
        self._solution, self._player, self._root = solution, player, root
        self._promise, self._budget = promise, budget
        self._tree = solution.tree()
        self._place = list(solution.players).index(player)
        self._looked = self._made = 0
        self._replies: dict[State, dict[Term, dict[Term, State]] | None] = {}

    def by_symmetry(self) -> Sentence | None:
        """Answer every move with its image under one symmetry."""
        for answers in _images(self._root.game, self._player):
            for first, begin in self._beginnings():
                count = self._holds(begin, answers)
                if count > 1:
                    return self._sentence("symmetry", first, answers, count)
        return None

    def by_pairing(self) -> Sentence | None:
        """Answer every move with its partner, moves being paired."""
        for first, begin in self._beginnings():
            try:
                answers = self._paired(begin)
            except LimitReached as error:
                if error.limit != "pairings":
                    raise
                return None
            if answers:
                count = self._holds(begin, answers)
                if count:
                    return self._sentence("pairing", first, answers, count)
        return None

    def _sentence(
        self, kind: str, first: Term | None, answers: Mapping[Term, Term], count: int
    ) -> Sentence:
        pairs = sorted((str(a), str(b)) for a, b in answers.items() if a != b)
        is_pairing = all(answers.get(b) == a for a, b in answers.items())
        shown = [(a, b) for a, b in pairs if a <= b] if is_pairing else pairs
        sign = "↔" if is_pairing else "→"
        listed = ", ".join(f"{a} {sign} {b}" for a, b in shown[:SHOWN]) or "the same move"
        more = f" and so on ({len(shown)} in all)" if len(shown) > SHOWN else ""
        begin = f"Begin with {first}; then answer" if first is not None else "Answer"
        what = "image" if kind == "symmetry" else "partner"
        text = f"{begin} each move with its {what}: {listed}{more}. Played against all replies."
        return Sentence(
            kind,
            text,
            "verified",
            count,
            None if first is None else str(first),
            dict(pairs),
        )

    def _beginnings(self) -> Iterator[tuple[Term | None, State]]:
        """Positions in which the other is to move: the first one, or after a best move."""
        if self._tree.mover(self._root) != self._player:
            yield None, self._root
            return
        after = dict(moves_of(self._tree, self._root))
        for move in self._solution.best(self._root)[:MAX_FIRST]:
            if after[move].terminal or self._tree.mover(after[move]) != self._player:
                yield move, after[move]

    def _keeps(self, state: State) -> bool:
        result = scores(self._tree, state)
        return result is not None and result[self._place] >= self._promise

    def _holds(self, begin: State, answers: Mapping[Term, Term]) -> int:
        """How many positions the answers lead to, if they are always legal and keep the promise,
        and play ends; else 0."""
        done: set[State] = set()
        path: set[State] = set()
        stack: list[tuple[State, bool]] = [(begin, False)]
        while stack:
            state, leaving = stack.pop()
            if leaving:
                path.discard(state)
                done.add(state)
                continue
            if state in path or self._made > MAX_MADE:
                return 0
            if state in done:
                continue
            self._budget.check("answers to moves")
            path.add(state)
            stack.append((state, True))
            after = self._answered(state, answers)
            if after is None:
                return 0
            stack += [(other, False) for other in after]
        return len(done)

    def _answered(self, state: State, answers: Mapping[Term, Term]) -> list[State] | None:
        """The positions after each move of the other and its answer; None where one fails."""
        known = self._replied(state)
        if known is None:
            return None
        found = []
        for move, replies in known.items():
            after = replies.get(answers.get(move, move))
            if after is None:
                return None
            found.append(after)
        return found

    def _replied(self, state: State) -> dict[Term, dict[Term, State]] | None:
        """After each move of the other that does not end play all moves of the player.

        None where the promise is broken at once, or the player has no say.
        """
        if state not in self._replies:
            self._replies[state] = found = self._find_replies(state)
            self._made += sum(1 + len(replies) for replies in (found or {}).values())
        return self._replies[state]

    def _find_replies(self, state: State) -> dict[Term, dict[Term, State]] | None:
        if state.terminal:
            return {} if self._keeps(state) else None
        if self._tree.mover(state) == self._player:
            return None
        found = {}
        for move, between in moves_of(self._tree, state):
            if between.terminal:
                if not self._keeps(between):
                    return None
            elif self._tree.mover(between) != self._player:
                return None
            else:
                found[move] = dict(moves_of(self._tree, between))
        return found

    def _paired(self, begin: State) -> dict[Term, Term] | None:
        """Moves in pairs such that one answers the other, if there are any that will do.

        By depth first search over the positions that the pairs so far lead to; a pair is made when
        a move comes up that has no partner yet.
        """
        partners: dict[Term, Term] = {}
        done: dict[State, None] = {}
        trail: list[_Pairing] = []
        found = self._settle([begin], partners, done)
        while found is not True:
            if isinstance(found, _Pairing):
                trail.append(found)
            while trail and not self._next_partner(trail[-1], partners, done):
                trail.pop()
            if not trail:
                return None
            last = trail[-1]
            found = self._settle([*last.todo, last.state], partners, done)
        return partners or None

    def _settle(
        self, todo: list[State], partners: Mapping[Term, Term], done: dict[State, None]
    ) -> _Pairing | bool:
        """Go on from some positions as far as moves have partners: the first move that has none;
        else whether all is well."""
        while todo:
            state = todo.pop()
            if state in done:
                continue
            self._budget.check("pairings of moves")
            if self._made > MAX_MADE or self._looked > MAX_CHOICES:
                raise LimitReached("pairings", MAX_CHOICES, "partners tried")
            known = self._replied(state)
            if known is None:
                return False
            for move, replies in known.items():
                if move not in partners:
                    return _Pairing(state, move, iter(sorted(replies.items())), todo, len(done))
            following = [replies.get(partners[move]) for move, replies in known.items()]
            if None in following:
                return False
            done[state] = None
            todo += [after for after in following if after is not None]
        return True

    def _next_partner(
        self, pairing: _Pairing, partners: dict[Term, Term], done: dict[State, None]
    ) -> bool:
        """Give a move its next partner in place of the last one, if there is one."""
        move = pairing.move
        if move in partners:
            del partners[partners.pop(move)]
            for other in list(done)[pairing.count :]:
                del done[other]
        for partner, after in pairing.left:
            if partner not in partners and partner != move and self._is_kept(after):
                self._looked += 1
                partners[move], partners[partner] = partner, move
                return True
        return False

    def _is_kept(self, state: State) -> bool:
        goal, endless = self._solution.secured(state, self._player)
        return goal is not None and goal >= self._promise and not endless


def _images(game: Game, player: str) -> Iterator[dict[Term, Term]]:
    """For each symmetry but the identity (roles kept or exchanged, the turn apart) which move of
    the player is the image of which of the other."""
    if not game.is_ground:
        return
    net, own = game.net, game.roles.index(player)
    other = 1 - own
    group = symmetries(net, game.marker, exchange=True)
    if group is None or group.order == 1:
        return
    first = [net.first_move, net.first_move + len(net.moves[0])]
    names: Sequence[Sequence[Term]] = net.moves
    legal = {move: n for n, move in enumerate(names[own])}
    for images in elements(group.generators, MAX_SYMMETRIES)[1:]:
        answers = {}
        for n, move in enumerate(names[other]):
            node = images[first[other] + n]
            exchanged = first[own] <= node < first[own] + len(names[own])
            image = (
                names[own][node - first[own]] if exchanged else names[other][node - first[other]]
            )
            if image in legal:
                answers[move] = image
        if answers:
            yield answers
