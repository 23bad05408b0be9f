"""Findings proved for every state at once, mostly by comparing what the players can do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from ggp.analysis.boards.boards import Boards, Effect, Option, Side
from ggp.analysis.boards.parts import always_change, falling
from ggp.analysis.boards.sums import components, pattern
from ggp.analysis.evidence import Evidence, Goals, Ranking
from ggp.analysis.finding import Finding
from ggp.analysis.heaps.heap import Heap
from ggp.analysis.heaps.proof import proved_heaps
from ggp.analysis.outcomes import goals_of_form, goals_of_the_rules, kind_of, players_goals
from ggp.analysis.proofs import Proofs
from ggp.analysis.questions.whole import MAX_STEP, Whole
from ggp.circuits.circuit import FALSE

MAX_SUPPORT = 2_000_000
"""Changes of all moves together up to which a game is split into summands."""

MAX_TERMS = 2_000_000
"""Changes of all moves together up to which weights of single fluents are looked for."""

MAX_PAIRS = 20_000
"""Pairs of options, one of each player, that the solver is asked to compare for one claim."""


class Symbolic(Proofs):
    """Proofs about a game; each gives None where it finds none.

    Those about the sides of a game of two roles need a turn marker.
    """

    def impartial(self) -> Finding | None:
        """Both players have the same options on every board, by whatever moves."""
        boards = self.boards
        if boards is None:
            return None
        first, second = (_by_effect(boards, side) for side in boards.sides)
        if {e: x for e, (x, _) in first.items()} == {e: x for e, (x, _) in second.items()}:
            why = "on every board the options of both players are the same functions of the board"
            return Finding("impartial", True, "proved", Evidence(why))
        if len(first) * len(second) > MAX_PAIRS:
            return None
        for own, others in ((first, second), (second, first)):
            for effect, legal in own.items():
                if others.get(effect, (FALSE,))[0] == legal[0]:
                    continue
                unmatched = [legal[0]]
                for other_legal, other in others.values():
                    same = _differ(boards, legal[1], other) ^ 1
                    unmatched.append(boards.builder.conj(other_legal, same) ^ 1)
                if not self._is_impossible(unmatched):
                    return None
        why = "on no board has one player an option that the other has not"
        return Finding("impartial", True, "proved", Evidence(why))

    def all_small(self) -> Finding | None:
        """On every board one player has a move exactly if the other has."""
        boards = self.boards
        if boards is None:
            return None
        builder = boards.builder
        first, second = (
            builder.disj_all(option.legal for option in side.options) for side in boards.sides
        )
        if first == second:
            why = "on every board both players can move or neither can: it is one function"
        elif self._is_impossible([builder.xor(first, second)]):
            why = "there is no board on which one player can move and the other cannot"
        else:
            return None
        return Finding("all_small", True, "proved", Evidence(why))

    def passes(self) -> Finding | None:
        """No move leaves the board as it is."""
        if self.game.marker is None and self.game.turns is not None:
            if not self.game.turns.goes_on:
                return None
            why = "what tells whose turn it is goes on with every move, and is part of the board"
            return Finding("passes", False, "proved", Evidence(why))
        if self.boards is None or not always_change(self.parts, self.split):
            return None
        why = "every move of the role to move changes the board"
        return Finding("passes", False, "proved", Evidence(why))

    def form(self) -> Finding | None:
        """`normal` or `misère`, where some play ends.

        One was seen to end, or play is acyclic: then it ends where the role to move has no move.
        """
        goals = goals_of_the_rules(self.game)
        if (self.is_cheap or not self.samples.met_an_end) and not self.cyclic():
            return None
        for name, what in (("normal", "loses"), ("misère", "wins")):
            if self._has_form(goals, loses=name == "normal"):
                why = "on every board the game ends exactly where the role to move has no move, "
                return Finding("form", name, "proved", Evidence(f"{why}and it {what}"))
        return None

    def _has_form(self, goals: list[tuple[int, ...]], *, loses: bool) -> bool:
        boards, turns = self.boards, self.game.turns
        if boards is not None:
            claims = (
                claim
                for role, side in enumerate(boards.sides)
                for claim in self._faults(boards, role, side, loses=loses)
            )
            return all(self._is_impossible([claim]) for claim in claims)
        if self.is_cheap or turns is None or self._whole is None:
            return False
        return self._whole.has_form(turns, goals, self._seconds, loses=loses)

    def _faults(self, boards: Boards, role: int, side: Side, *, loses: bool) -> Iterator[int]:
        """Literals of boards on which play does not end as it should, with `role` to move."""
        builder = boards.builder
        yield builder.xor(side.terminal, side.can_move ^ 1)
        wanted = goals_of_form(goals_of_the_rules(self.game), role, loses=loses)
        if wanted is None:
            yield side.terminal
            return
        for other, known in enumerate(side.goals):
            if not known:
                yield side.terminal
            for value, holds in known:
                yield builder.conj(side.terminal, holds ^ (value == wanted[other]))

    def cyclic(self) -> Finding | None:
        """No state comes up twice, by weights whose sum falls."""
        found = self._falling
        return found if found or self.is_cheap else self._weighted

    @cached_property
    def _falling(self) -> Finding | None:
        """By a step counter, or by parts that never come round again."""
        for counter in self.counters:
            return Finding("cyclic", False, "proved", self._ranked(counter.weights))
        if self.boards is None:
            return None
        for strict in self._orders:
            falls = falling(self.parts, self.split, strict)
            if falls is not None:
                return Finding("cyclic", False, "proved", self._ranked(falls, strict))
        return None

    @property
    def _orders(self) -> list[tuple[int, ...]]:
        """Roles whose moves may be those that lower a sum which nobody raises."""
        assert self.boards is not None
        everybody = tuple(range(len(self.boards.sides)))
        if self.boards.marker.alternating and len(everybody) > 1:
            return [everybody, *((role,) for role in everybody)]
        return [everybody]

    @cached_property
    def _weighted(self) -> Finding | None:
        """By weights of single fluents, from linear programs."""
        return (
            self._falling_on_boards()
            or self._falling_in_play(self._whole)
            or self._falling_in_play(self._whole_with_sums)
            or (self._falling_in_play(self._whole) if self._all_excluded else None)
        )

    def _falling_on_boards(self) -> Finding | None:
        """Whoever is to move, on any board."""
        # Imported here: the linear programs take a third of a second to import.
        from ggp.analysis.invariants.ranking import find_ranking

        boards = self.boards
        if boards is None or boards.size > MAX_TERMS:
            return None
        seen = list(self.samples.changes(self._groups))
        for strict in self._orders:
            question = self._question(self._groups)
            weights = find_ranking(boards, question, seen, strict, self._seconds)
            if weights is not None:
                return Finding("cyclic", False, "proved", self._ranked(weights, strict))
        return None

    def _falling_in_play(self, whole: Whole | None) -> Finding | None:
        """With every legal joint move."""
        from ggp.analysis.invariants.ranking import find_ranking

        if whole is None or self.game.net.literals > MAX_STEP:
            return None
        weights = find_ranking(
            whole.joint_move(),
            whole.step_question,
            ((0, change) for change in self.samples.joint_changes()),
            (0,),
            self._seconds,
        )
        if weights is None:
            return None
        return Finding("cyclic", False, "proved", self._ranked(weights))

    def heaps(self) -> tuple[Heap, ...]:
        """The heaps, where the game is proved to be a sum of heaps on every board."""
        if self.boards is None:
            return ()
        return proved_heaps(self.parts, self.split, self.game.net.initial)

    def sum(self) -> Finding | None:
        """The summands of the game, if there are several.

        Of games of normal or misère form, which end exactly where the player to move has no move.
        """
        boards = self.boards
        if boards is None or boards.size > MAX_SUPPORT:
            return None
        found = components(boards, (part.fluents for part in self.split))
        if len(found) < 2:
            return None
        value = [pattern(self.game.net, fluents) for fluents in found]
        why = f"each move touches, and depends on, one of {len(found)} parts of the board alone"
        return Finding("sum", value, "proved", Evidence(why))

    def _ranked(self, weights: Mapping[int, int], strict: Sequence[int] = ()) -> Ranking:
        """Evidence that the sum falls: with every move, or with those of `strict` roles."""
        fluents, roles = self.game.net.fluents, self.game.roles
        if len(strict) in (0, len(roles)):
            why = "a weighted sum of fluents falls with every move"
        else:
            role = roles[strict[0]]
            why = f"a weighted sum of fluents falls with every move of {role}, and never rises"
        named = {str(fluents[f]): w for f, w in sorted(weights.items())}
        sided = strict if self.game.marker else ()
        return Ranking(why, named, tuple(roles[role] for role in sided) or None)

    def playable(self) -> Finding | None:
        """Every role can move until the end, where each has one goal."""
        if self.is_cheap or not self._is_playable:
            return None
        why = "in every state each role can move, or the game is over with one goal for each"
        return Finding("playable", True, "proved", Evidence(why))

    @cached_property
    def _is_playable(self) -> bool:
        whole = self._whole
        if whole is None:
            return False
        if whole.is_playable(self._players, self._seconds):
            return True
        if self._whole_with_sums and whole.is_playable(self._players, self._seconds):
            return True
        return self._excluded and whole.is_playable(self._players, self._seconds)

    def terminating(self) -> Finding | None:
        """From every state some play ends: it cannot go on for ever, nor get stuck."""
        if not self.cyclic() or not self.playable():
            return None
        why = "no state comes up twice, and in every state play goes on or is over"
        return Finding("terminating", True, "proved", Evidence(why))

    def winnable(self) -> Finding | None:
        """That some player never reaches their best goal of the rules."""
        values = goals_of_the_rules(self.game)
        for possible in self._goals:
            for place, role in enumerate(self._players):
                best = max(values[role], default=None)
                if best is not None and all(row[place] < best for row in possible):
                    why = (
                        f"at no end has {self.game.roles[role]} the best goal of the rules, {best}"
                    )
                    goals = Goals(why, tuple(sorted(possible)))
                    return Finding("winnable", False, "proved", goals)
        return None

    @property
    def _goals(self) -> Iterator[set[tuple[int, ...]]]:
        """What may be the goals at the end of play, by itself and under sums that never change.

        Of games of which some play was seen to end.
        """
        if not self.is_cheap and self.samples.met_an_end:
            if self._possible_goals:
                yield self._possible_goals
            if self._goals_with_sums:
                yield self._goals_with_sums

    @cached_property
    def _possible_goals(self) -> set[tuple[int, ...]] | None:
        """What may be the goals at the end of play; None where that is not known."""
        if self._whole is None or self.playable() is None:
            return None
        return self._whole.possible_goals(self._players, self._seconds)

    @cached_property
    def _goals_with_sums(self) -> set[tuple[int, ...]] | None:
        """The same under sums that never change."""
        whole = self._possible_goals and self._whole_with_sums
        return whole.possible_goals(self._players, self._seconds) if whole else None

    def outcome_kind(self) -> Finding | None:
        """The kind that all sets of goals have which may be those at the ends of play."""
        of_rules = players_goals(self.game)
        for possible in self._goals:
            # More ends make no simpler kind, so that the least and the most that may occur tell.
            seen = self.samples.goals & possible
            kinds = {kind_of(seen, of_rules), kind_of(possible, of_rules)}
            if len(kinds) == 1:
                shown = ", ".join("/".join(map(str, goals)) for goals in sorted(possible)[:8])
                others = " and others" if len(possible) > 8 else ""
                goals = Goals(
                    f"goals at the end are among {shown}{others}", tuple(sorted(possible))
                )
                return Finding("outcome_kind", kinds.pop(), "proved", goals)
        return None

    def zero_sum(self) -> Finding | None:
        """At every end the goals have the same sum."""
        for possible in self._goals:
            if len({sum(goals) for goals in possible}) == 1:
                why = f"the goals sum to {sum(next(iter(possible)))} at every end"
                return Finding("zero_sum", True, "proved", Goals(why, tuple(sorted(possible))))
        return None

    def turns(self) -> Finding | None:
        """That never two roles have a choice at once, and in what order roles have the turn.

        The first by proof; that roles do not follow each other in one circle by random play.
        """
        if self._is_passed_on:
            why = "only the marked role can have a choice, and on no board does it keep the turn"
            return Finding("turns", "alternating", "proved", Evidence(why))
        if self.is_cheap or not self._is_one_at_once:
            return None
        found = self.samples.extra_turn()
        if found:
            return found
        return self._going_round() if self.game.marker else None

    @property
    def _is_passed_on(self) -> bool:
        """Whether it is proved, of two roles, that no move leaves the turn with the one that makes
        it."""
        boards = self.boards
        if boards is None or len(boards.sides) != 2:
            return False
        conj = boards.builder.conj
        return all(
            self._is_impossible([conj(legal, again)])
            for legal, again in {(o.legal, o.again) for side in boards.sides for o in side.options}
        )

    def _going_round(self) -> Finding | None:
        """That each role of three or more always hands the turn on to the same one, all in one
        circle."""
        marker, roles = self.game.marker, self.game.roles
        following = self.samples.following
        if marker is None or len(roles) < 3 or len(following) < len(roles) or self._whole is None:
            return None
        if not self._whole.hands_on(marker, following, self._seconds):
            return None
        why = "only the marked role can have a choice, and the turn goes round in one fixed order"
        return Finding("turns", "alternating", "proved", Evidence(why))

    @property
    def _is_one_at_once(self) -> bool:
        """Whether it is proved that never two roles have a choice at once."""
        if self.game.turns:
            return True
        whole = self._whole
        return whole is not None and whole.has_one_chooser(self._seconds, self.game.chance)


def _by_effect(boards: Boards, side: Side) -> dict[Effect, tuple[int, Option]]:
    """For each thing that a player can do to a board: where it can, and a move that does it."""
    found: dict[Effect, tuple[int, Option]] = {}
    for option in side.options:
        known, _ = found.get(option.effect, (FALSE, option))
        found[option.effect] = boards.builder.disj(known, option.legal), option
    return found


def _differ(boards: Boards, first: Option, second: Option) -> int:
    """A literal of the boards on which two options do not do the same."""
    builder, inputs = boards.builder, boards.inputs
    differ = FALSE
    own, other = first.after(inputs), second.after(inputs)
    for fluent in own.keys() | other.keys():
        pair = own.get(fluent, inputs[fluent]), other.get(fluent, inputs[fluent])
        differ = builder.disj(differ, builder.xor(*pair))
    return differ
