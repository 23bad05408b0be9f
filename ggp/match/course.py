"""One game of a match, and where it stands after what the manager has reported."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product, takewhile

from ggp.errors import IllegalMove, KifSyntaxError
from ggp.game import Game, State
from ggp.kif import Source
from ggp.limits import DEFAULT, Limits
from ggp.play import Beliefs
from ggp.rules import read_rules

History = tuple[tuple[str, ...], ...]

LOST = ("",)
"""Stands in a history for what was reported in a message that never came (GDL-II)."""

MOST_LOST = 20
"""Turns that may be lost between two messages; with more their numbers mean something else."""

LONGEST = 18
"""Digits that the number of a turn has less than."""


def turns_since(turn: str | None, other: str | None) -> int | None:
    """How many turns lie from `other` to `turn`, as messages number them; None where that is not
    told."""
    numbers = [int(n) for n in (turn, other) if n and n.isdecimal() and len(n) < LONGEST]
    return numbers[0] - numbers[1] if len(numbers) == 2 else None


Doubt = tuple[int, int]
"""A place of a history, and how many turns more it may stand for; -1 where it may be none."""


def game_of(
    text: str, *, strict_case: bool, grounded: bool = True, limits: Limits = DEFAULT
) -> Game:
    """The game of a match, whose rules are `text`; with `grounded` false they are left as they are.

    Where a word is spelled in two ways that differ by case alone, a manager to which case is
    nothing would have told one: these are two words, if no fault of the rules comes of it. Raises
    `KifSyntaxError`, `RulesError`, and `LimitReached` where the rules are too large.
    """
    source = Source("<match>", text)
    rules = read_rules(source, strict_case=strict_case, limits=limits)
    if any(not name.startswith("?") for name in rules.symbols.variants) and not strict_case:
        apart = read_rules(source, strict_case=True, limits=limits)
        rules = rules if len(apart.diagnostics) > len(rules.diagnostics) else apart
    return Game(rules, limits, grounded=grounded)


@dataclass(frozen=True)
class Turn:
    """A turn of the match: its number, and all that was reported before it.

    `history` has all joint moves so far, or what our role saw of them, `own` the moves that we
    made, empty where the manager chose; `answered` are those places of it at which nobody told that
    it was our move that was made. `late`: the first message that came was not of the first turn, so
    that one more was played where turns are numbered from 0, and not from 1. `doubts`: of messages
    that came more than once, which may have been the same again, or the next turn with the same
    moves; the latest is last.
    """

    number: int
    history: History
    own: tuple[str, ...]
    doubts: tuple[Doubt, ...] = ()
    answered: frozenset[int] = frozenset()
    late: bool = False

    def readings(self) -> Iterator[Turn]:
        """What else may have been meant: by one doubt, the latest first, or by two of them."""
        late = [
            [(place, count) for count in (range(1, more + 1) if more > 0 else (-1,))]
            for place, more in reversed(self.doubts)
        ]
        for size in (1, 2):
            for doubts in combinations(late, size):
                for chosen in product(*doubts):
                    turn = self
                    for place, count in chosen:  # from the end, so that places stay
                        turn = turn._read(place, count)
                    yield turn

    def _read(self, place: int, count: int) -> Turn:
        """With so many more turns at a place."""
        after = place + 1
        own = (self.own[place], *[""] * count) if count >= 0 else ()
        return replace(
            self,
            history=(
                *self.history[:place],
                *self.history[place:after] * (1 + count),
                *self.history[after:],
            ),
            own=(*self.own[:place], *own, *self.own[after:]),
            doubts=(),
            answered=frozenset(),
        )


class MatchCourse:
    """The states that a match goes through, as one role knows them."""

    def __init__(self, game: Game, role: str) -> None:
        self.game = game
        self.role = game.roles[game.role_index(role)]
        self._states = [game.initial]
        self._beliefs: Beliefs | None = None
        self._history: History = ()

    def state(self, history: History) -> State:
        """The state after all joint moves of `history`; an empty one is a move not reported.

        Raises `IllegalMove` for a joint move that cannot be.
        """
        alike = zip(history, self._history, strict=False)
        known = sum(1 for _ in takewhile(lambda both: both[0] == both[1], alike))
        self._states, self._history = self._states[: known + 1], history[:known]
        for joint in history[known:]:
            state = self._states[-1]
            if joint:
                if len(joint) != len(self.game.roles):
                    raise IllegalMove(f"{len(joint)} moves for {len(self.game.roles)} roles")
                state = state.play(dict(zip(self.game.roles, joint, strict=True)))
            self._states.append(state)
            self._history = (*self._history, joint)
        return self._states[-1]

    def beliefs(self, turn: Turn) -> Beliefs:
        """What our role may believe after all that it did and saw (GDL-II).

        Where nothing agrees with that, another move was made than we answered, or what is so was
        not among what was kept: both are looked at from the start, with more that is kept.
        """
        if self._beliefs is None or turn.history[: len(self._history)] != self._history:
            self._beliefs, self._history = Beliefs(self.game, self.role), ()
        agreed, known = self._beliefs.agrees, len(self._history)
        self._believe(self._beliefs, turn.history, turn.own, turn.answered, known)
        self._history = turn.history
        if agreed and not self._beliefs.agrees:
            unsure = tuple("" if i in turn.answered else own for i, own in enumerate(turn.own))
            later = frozenset(i + 1 for i in turn.answered)
            readings = [(turn.history, own, turn.answered) for own in (turn.own, unsure)]
            if turn.late:
                readings += [((LOST, *turn.history), ("", *own), later) for _, own, _ in readings]
            for history, own, answered in dict.fromkeys(readings):
                other = Beliefs(self.game, self.role, again=len(history))
                self._believe(other, history, own, answered)
                if other.agrees:
                    self._beliefs = other
                    break
        return self._beliefs

    @staticmethod
    def _believe(
        beliefs: Beliefs,
        history: History,
        own: Sequence[str],
        answered: Collection[int],
        first: int = 0,
    ) -> None:
        """Take in what was reported from the turn `first` on."""
        for number in range(first, len(history)):
            seen = None if history[number] == LOST else history[number]
            try:
                beliefs.update(own[number] or None, seen)
            except (IllegalMove, KifSyntaxError):
                # Whatever we said, the manager must have made another move for us; if it is the one
                # that it told of, what is kept is at fault.
                beliefs.agrees = beliefs.agrees and number in answered
                beliefs.update(None, seen)
