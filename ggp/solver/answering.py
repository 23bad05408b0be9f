"""Rules of the kind "after this move of the other make that one": by a symmetry, or by pairs.

They are played against every reply before they are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ggp.analysis.relations.symmetries import elements, symmetries
from ggp.errors import LimitReached
from ggp.game import Game, State
from ggp.kif import Term
from ggp.limits import Budget
from ggp.solver.sentence import Sentence
from ggp.solver.solution import Solution
from ggp.solver.tree import moves_of, scores

MAX_SYMMETRIES, MAX_FIRST = 64, 12
"""Symmetries that are tried, and first moves."""

MAX_MADE, MAX_CHOICES = 100_000, 20_000
"""Positions that are made to look for answers, and partners that are tried for pairings."""

SHOWN = 6
"""Answers that a text names."""


@dataclass
class _Pairing:
    """A move that is to have a partner: where it came up, who is `left`, what else is to be settled
    there, and how many positions were when it came up."""

    state: State
    move: Term
    left: Iterator[tuple[Term, State]]
    todo: list[State]
    count: int


class Answers:
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
