"""A state of a game: what holds, what can be done, and what comes next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ggp.deduce import Prover
from ggp.displayed import Drawn
from ggp.errors import GoalError, IllegalMove, KifSyntaxError, NoLegalMove
from ggp.kif import Term
from ggp.machine import ByDefinition, SingleStates, chosen_engine
from ggp.text import shortened

if TYPE_CHECKING:
    from ggp.game import Game

JointMove = Mapping[str, Term | str]
"""One move for each role, by the role's name."""

MANY = 1_000_000
"""Literals of a net, times joint moves, from which on circuits are made for what comes of them: by
definition that takes seconds."""


class State(Drawn):
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
        _ = self._game.net  # raises where there is none
        return int(self.position)

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

    def __str__(self) -> str:
        return " ".join(map(str, self.facts)) or "without any facts"

    def __repr__(self) -> str:
        return f"<State {shortened(' '.join(map(str, self.facts)))}>"

    def __reduce__(self) -> tuple[Callable[..., State], tuple[Game, tuple[Term, ...]]]:
        return _state, (self._game, self.facts)

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

    def some_legal(self, role: Term | str) -> Term | None:
        """A legal move of a role, None if it has none; where rules are not ground, that which is
        found first, and no other is looked for."""
        index, evaluator = self._game.role_index(role), self._game.evaluator
        if self._legal is None:
            number = evaluator.some_move(self.position, index)
        else:
            number = next(iter(self._legal[index]), None)
        return None if number is None else evaluator.move(index, number)

    def require_legal(self, role: str) -> tuple[Term, ...]:
        """The legal moves of a role; raises `NoLegalMove` where it has none."""
        moves = self.legal(role)
        if not moves:
            raise NoLegalMove(f"{role} has no legal move in the state {self}")
        return moves

    @property
    def terminal(self) -> bool:
        """Whether the game is over."""
        if self._terminal is None:
            self._terminal = self._game.evaluator.terminal(self.position)
        return self._terminal

    @property
    def is_over(self) -> bool:
        """The same as `terminal`; where rules are not ground, no more is found out than that takes.

        Who asks for all legal moves as well has them sooner by `terminal`.
        """
        if self._terminal is None:
            self._terminal = self._game.evaluator.ends(self.position)
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
                what = f"goal {' and '.join(map(str, found))}" if found else "no goal value"
                raise GoalError(f"{role} has {what} in the state {self}")
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
        if (free or not any(counts)) and self._game.turns:
            index = self._game.turns.role(self.bits)
            return None if index is None else roles[index]
        return None

    def play(self, move: JointMove | Term | str) -> State:
        """The state after a move of each role.

        A single move stands for a joint one where every other role has exactly one legal move.
        Raises `IllegalMove` for any move that is not legal here, and in a terminal state, and
        `TypeError` for what is neither a move nor one for each role.
        """
        return self.after(self._chosen(move))

    def after(self, joint: Sequence[int]) -> State:
        """The state after a joint move given by the numbers of `legal_indices`, unchecked."""
        return State(self._game, self._game.evaluator.next(self.position, joint))

    def after_each(self, joints: Sequence[Sequence[int]]) -> list[State]:
        """The states after each of some joint moves as `after` takes them, in their order."""
        game = self._game
        evaluator = game.evaluator
        if (
            type(evaluator) is ByDefinition
            and len(joints) * evaluator.net.literals > MANY
            and chosen_engine() == "auto"
        ):
            evaluator = SingleStates(game.machine, patience=0)
        found = evaluator.next_each(self.position, joints)
        return [State(self._game, position) for position in found]

    def percepts(self, move: JointMove | Term | str) -> dict[str, tuple[Term, ...]]:
        """What each role sees of a move: the instances of `(sees role percept)`, sorted by text.

        GDL-II (Thielscher 2010). Rules without `sees` hide nothing, and give no percepts. Takes
        and raises what `play` does.
        """
        seen = self._game.evaluator.percepts(self.position, self._chosen(move))
        return dict(zip(self._game.roles, seen, strict=True))

    def _chosen(self, move: JointMove | Term | str) -> list[int]:
        if not isinstance(move, (str, Term, Mapping)):
            kind = type(move).__name__
            raise TypeError(
                f"a move is a term or its text, or one for each role; not of type {kind}"
            )
        if self.is_over:
            raise IllegalMove("the game is over: no move is possible")
        return self._joint(move) if isinstance(move, Mapping) else self._single(move)

    def _index(self, role: int, move: Term | str) -> int:
        """The net's index of a legal move of a role."""
        name = self._game.roles[role]
        try:
            term = self._game.term(move)
        except KifSyntaxError as error:
            raise IllegalMove(f"not a move: {error}") from None
        evaluator = self._game.evaluator
        if self._legal is None and isinstance(evaluator, Prover):
            index = evaluator.legal_number(self.position, role, term)
        else:
            # Legal moves first: without a net they get their numbers when they are first met.
            legal = self.legal_indices()[role]
            index = evaluator.number(role, term)
            if index is None and self._game.is_ground:
                raise IllegalMove(f"{term} is no move of this game for {name}")
            index = index if index in legal else None
        if index is None:
            raise IllegalMove(f"{term} is not legal here for {name}")
        return index

    def _joint(self, moves: JointMove) -> list[int]:
        """The net's indices of a joint move; a role left out must have exactly one legal move."""
        given = {self._game.role_index(role): move for role, move in moves.items()}
        if len(given) == len(self._game.roles):
            return [self._index(i, given[i]) for i in range(len(given))]
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


def _state(game: Game, facts: Sequence[Term]) -> State:
    """The state of some facts, which is how a state is pickled."""
    return game.state(facts)
