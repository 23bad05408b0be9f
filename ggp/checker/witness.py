"""Claims that a witness shows: its play is replayed and its state looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from ggp.checker.certificate import Certificate, listed
from ggp.checker.replay import Replay, State
from ggp.errors import InputError

MAX_JOINT_MOVES = 1_000_000
"""Of one state."""


class Witnesses:
    """The states of a claim's witnesses, all reached by legal play."""

    def __init__(self, certificate: Certificate, claim: Mapping[str, Any]) -> None:
        self.certificate = certificate
        self.replay = Replay(certificate.net)
        self.states = []
        for path in listed(claim.get("witness"), "the witness"):
            moves = []
            for joint in listed(path, "a play"):
                texts = listed(joint, "a joint move")
                if len(texts) != len(certificate.net.roles):
                    raise InputError("certificate: a joint move has one move for each role")
                moves.append([certificate.move(role, text) for role, text in enumerate(texts)])
            self.states.append(self.replay.play(moves)[-1])

    def goals(self) -> list[tuple[int, ...] | None]:
        """For each state the goals of the players; None where it is no end, or has not just one."""
        roles = self.certificate.net.roles
        players = [i for i, role in enumerate(roles) if str(role).lower() != "random"]
        found: list[tuple[int, ...] | None] = []
        for state in self.states:
            goals = self.replay.goals(state)
            is_end = self.replay.is_terminal(state) and all(len(goals[i]) == 1 for i in players)
            found.append(tuple(goals[i][0] for i in players) if is_end else None)
        return found

    def placed(self, state: State, role: int) -> State:
        """A state with the marker on a role."""
        return state - self.certificate.marker_fluents | self.certificate.marker[role]

    def options(self, state: State, role: int) -> set[tuple[State, bool]]:
        """The boards that a role can move to with the marker on it, and whether it moves again."""
        marks = self.certificate.marker_fluents
        placed = self.placed(state, role)
        if self.replay.is_terminal(placed):
            return set()
        legal = self.replay.legal(placed)
        count = 1
        for own in legal:
            count *= len(own)
        if count > MAX_JOINT_MOVES:
            raise InputError("certificate: a state with too many joint moves")
        after = (self.replay.next(placed, joint) for joint in product(*legal))
        return {(s - marks, s & marks == self.certificate.marker[role]) for s in after}


def _impartial(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim)
    if value is not False or len(certificate.marker) != 2:
        return "a witness shows only that a game of two players is not impartial"
    if any(found.options(s, 0) != found.options(s, 1) for s in found.states):
        return ""
    return "both players have the same options"


def _all_small(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim)
    if value is not False or len(certificate.marker) != 2:
        return "a witness shows only that a game of two players is not all-small"
    if any(bool(found.options(s, 0)) != bool(found.options(s, 1)) for s in found.states):
        return ""
    return "both players can move, or neither can"


def _form(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim)
    if value != "other" or len(certificate.marker) != 2:
        return "witnesses show only that the form of a game of two players is another"
    net, lost, won = certificate.net, True, True
    worst = [min((v for v, _ in known), default=0) for known in net.goals]
    best = [max((v for v, _ in known), default=0) for known in net.goals]
    for state in found.states:
        if not found.replay.is_terminal(state):
            return "a witness is no end of play"
        role = next(
            (
                r
                for r, own in enumerate(certificate.marker)
                if state & certificate.marker_fluents == own
            ),
            None,
        )
        goals = found.replay.goals(state)
        if role is None or any(len(own) != 1 for own in goals):
            return "a witness without a marker, or without goals"
        if found.replay.legal(state)[role]:
            return ""
        own, other = goals[role][0], goals[1 - role][0]
        lost &= own == worst[role] and other == best[1 - role]
        won &= own == best[role] and other == worst[1 - role]
    return "" if not lost and not won else "the witnesses are of one form"


def _cyclic(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim)
    if value is not True:
        return "a witness shows only that play is cyclic"
    _, longer = _extended(found, claim)
    if longer and found.states[0] == found.states[1]:
        return ""
    return "the state does not come up again"


def _playable(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim)
    if value is not False:
        return "a witness shows only that a game is not playable"
    players = [i for i, r in enumerate(certificate.net.roles) if str(r).lower() != "random"]
    for state in found.states:
        if found.replay.is_terminal(state):
            if any(len(found.replay.goals(state)[role]) != 1 for role in players):
                return ""
        elif not all(found.replay.legal(state)):
            return ""
    return "there is nothing wrong with the witness"


def _zero_sum(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    sums = set()
    for goals in Witnesses(certificate, claim).goals():
        if goals is None:
            return "a witness is no end of play with goals"
        sums.add(sum(goals))
    return "" if value is False and len(sums) > 1 else "the sums are equal"


def _outcome_kind(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    if value != "scored":
        return "witnesses show only that outcomes are scored"
    ends = []
    for goals in Witnesses(certificate, claim).goals():
        if not goals:
            return "a witness is no end of play with goals"
        ends.append(goals)
    if any(len(goals) == 1 and goals[0] not in (0, 100) for goals in ends):
        return ""
    low = min((min(goals) for goals in ends), default=0)
    high = max((max(goals) for goals in ends), default=0)
    drawn = {goals for goals in ends if len(set(goals)) == 1}
    decided = [g for g in ends if g.count(high) == 1 and g.count(low) == len(g) - 1]
    others = [goals for goals in ends if goals not in drawn and goals not in decided]
    if len(ends[:1]) and len(ends[0]) > 1 and (len(drawn) > 1 or others):
        return ""
    return "these ends are of a simpler kind"


def _winnable(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    roles = certificate.net.roles
    players = [i for i, role in enumerate(roles) if str(role).lower() != "random"]
    replay, best = Witnesses(certificate, claim), certificate.best_goals
    won: set[int] = set()
    for state in replay.states:
        if replay.replay.is_terminal(state):
            goals = replay.replay.goals(state)
            won.update(i for i in players if goals[i] == [best[i]])
    return "" if value is True and won == set(players) else "somebody does not win"


def _passes(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim)
    marks = certificate.marker_fluents
    if value is not True:
        return "a witness shows only that there are passes"
    for state in found.states:
        for role, own in enumerate(certificate.marker):
            board = state - marks
            if state & marks == own and any(b == board for b, _ in found.options(state, role)):
                return ""
    return "every move changes the board"


def _turns(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim)
    players = [i for i, r in enumerate(certificate.net.roles) if str(r).lower() != "random"]

    def choosing(state: State) -> set[int]:
        if found.replay.is_terminal(state):
            return set()
        legal = found.replay.legal(state)
        return {i for i in players if len(legal[i]) > 1}

    if value == "simultaneous":
        if any(len(choosing(state)) > 1 for state in found.states):
            return ""
        return "at most one role has a choice"
    if value != "with extra turns":
        return "a witness shows only that roles move at once, or twice running"
    first, second = _extended(found, claim)
    if len(second) != len(first) + 1:
        return "a witness is a state and the next one"
    if certificate.marker:
        marked = [state & certificate.marker_fluents for state in found.states]
        return "" if marked[0] == marked[1] else "the turn goes to another role"
    both = choosing(found.states[0]) & choosing(found.states[1])
    return "" if both else "no role has a choice twice running"


def _extended(found: Witnesses, claim: Mapping[str, Any]) -> tuple[list[Any], list[Any]]:
    """Two plays, of which the second goes on from where the first ends; else two empty ones."""
    if len(found.states) == 2:
        first, second = claim["witness"]
        if len(first) < len(second) and second[: len(first)] == first:
            return first, second
    return [], []


def _end(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim)
    if value is True and any(found.replay.is_terminal(state) for state in found.states):
        return ""
    return "the play does not come to an end"


WITNESSED: Mapping[str, Callable[[Certificate, object, Mapping[str, Any]], str]] = {
    "impartial": _impartial,
    "all_small": _all_small,
    "form": _form,
    "cyclic": _cyclic,
    "playable": _playable,
    "zero_sum": _zero_sum,
    "outcome_kind": _outcome_kind,
    "winnable": _winnable,
    "passes": _passes,
    "turns": _turns,
    "end": _end,
}
"""What looks at the witness of a claim: gives what is wrong with it, or nothing."""
