"""Claims that a witness shows: its play is replayed and its state looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

from ggp.checker.certificate import Certificate
from ggp.checker.clock import goes_round
from ggp.checker.replay import Replay, State
from ggp.errors import InputError

MAX_JOINT_MOVES = 1_000_000
"""Of one state."""

Plays = Sequence[Sequence[Sequence[str]]]
"""Joint moves of some plays."""


class Witnesses:
    """The states that some plays lead to, all legal play from the start.

    `lines`: the states of each play, the first of which is the initial one.
    """

    def __init__(self, certificate: Certificate, plays: Plays) -> None:
        self.certificate = certificate
        self.replay = Replay(certificate.net)
        self.lines: list[list[State]] = []
        for path in plays:
            moves = []
            for joint in path:
                if len(joint) != len(certificate.net.roles):
                    raise InputError("certificate: a joint move has one move for each role")
                moves.append([certificate.move(role, text) for role, text in enumerate(joint)])
            self.lines.append(self.replay.play(moves))
        self.states = [line[-1] for line in self.lines]

    def goals(self) -> list[tuple[int, ...] | None]:
        """For each state the goals of the players; None where it is no end, or has not just one."""
        players = self.certificate.players
        found: list[tuple[int, ...] | None] = []
        for state in self.states:
            goals = self.replay.goals(state)
            is_end = self.replay.is_terminal(state) and all(len(goals[i]) == 1 for i in players)
            found.append(tuple(goals[i][0] for i in players) if is_end else None)
        return found

    def board(self, state: State) -> State:
        """A state without what tells whose turn it is."""
        return state - self.certificate.turn_fluents

    def options(self, state: State, role: int) -> set[State]:
        """The boards that a role can move to from the board of a state with its turn."""
        held = next(held for other, held in self.certificate.settings if other == role)
        placed = self.board(state) | held
        if self.replay.is_terminal(placed):
            return set()
        legal = self.replay.legal(placed)
        count = 1
        for own in legal:
            count *= len(own)
        if count > MAX_JOINT_MOVES:
            raise InputError("certificate: a state with too many joint moves")
        return {self.board(self.replay.next(placed, joint)) for joint in product(*legal)}

    def choosing(self, state: State) -> set[int]:
        """The players that have more than one legal move."""
        if self.replay.is_terminal(state):
            return set()
        legal = self.replay.legal(state)
        return {i for i in self.certificate.players if len(legal[i]) > 1}

    def is_stuck(self, state: State) -> bool:
        """Whether play goes on although a role has no legal move."""
        return not self.replay.is_terminal(state) and not all(self.replay.legal(state))


def _impartial(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim["witness"])
    if value is not False:
        return "a witness shows only that a game is not impartial"
    if any(found.options(s, 0) != found.options(s, 1) for s in found.states):
        return ""
    return "both players have the same options"


def _all_small(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim["witness"])
    if value is not False:
        return "a witness shows only that a game is not all-small"
    if any(bool(found.options(s, 0)) != bool(found.options(s, 1)) for s in found.states):
        return ""
    return "both players can move, or neither can"


def _form(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim["witness"])
    if value != "other":
        return "witnesses show only that the form is another"
    lost = won = True
    for state in found.states:
        if found.is_stuck(state):
            return ""
        if not found.replay.is_terminal(state):
            return "a witness is no end of play"
        role, goals = certificate.role_to_move(state), found.replay.goals(state)
        if role is not None and found.replay.legal(state)[role]:
            return ""
        if role is None or any(len(own) != 1 for own in goals):
            return "a witness in which it is nobody's turn, or without goals"
        ends = tuple(own[0] for own in goals)
        lost &= ends == goals_of_form(certificate.goals, role, loses=True)
        won &= ends == goals_of_form(certificate.goals, role, loses=False)
    return "" if found.states and not lost and not won else "the witnesses are of one form"


def _cyclic(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim["witness"])
    if value is not True:
        return "a witness shows only that play is cyclic"
    if any(len(set(line)) < len(line) for line in found.lines):
        return ""
    return "no state comes up again"


def _playable(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim["witness"])
    if value is not False:
        return "a witness shows only that a game is not playable"
    for state in found.states:
        if found.is_stuck(state):
            return ""
        if found.replay.is_terminal(state) and any(
            len(found.replay.goals(state)[role]) != 1 for role in certificate.players
        ):
            return ""
    return "there is nothing wrong with the witness"


def _zero_sum(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    sums = set()
    for goals in Witnesses(certificate, claim["witness"]).goals():
        if goals is None:
            return "a witness is no end of play with goals"
        sums.add(sum(goals))
    return "" if value is False and len(sums) > 1 else "the sums are equal"


def _outcome_kind(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    if value != "scored":
        return "witnesses show only that outcomes are scored"
    of_rules = [certificate.goals[role] for role in certificate.players]
    drawn = set()
    for goals in Witnesses(certificate, claim["witness"]).goals():
        if not goals:
            return "a witness is no end of play with goals"
        decided = is_decided(goals, of_rules)
        if not decided and (len(goals) == 1 or len(set(goals)) > 1):
            return ""
        if not decided:
            drawn.add(goals)
    return "" if len(drawn) > 1 else "these ends are of a simpler kind"


def goals_of_form(
    of_rules: Sequence[tuple[int, ...]], mover: int, *, loses: bool
) -> tuple[int, ...] | None:
    """What two roles have at an end of normal play (misère, unless the mover `loses`).

    None where these are no loss and win: a role has one goal only, no less than the loser's.
    """
    if not all(of_rules):
        return None
    lower, higher = (mover, 1 - mover) if loses else (1 - mover, mover)
    low, high = of_rules[lower][0], of_rules[higher][-1]
    if min(map(len, of_rules)) < 2 and low >= high:
        return None
    return (low, high) if lower == 0 else (high, low)


def is_decided(row: tuple[int, ...], of_rules: Sequence[tuple[int, ...]]) -> bool:
    """Whether one player has 100 and all others 0; or one the best goal of the rules and all others
    the worst, where these are the same for all players, and two. One alone has 100 or 0.
    """
    if len(row) == 1:
        return row[0] in (0, 100)
    found = [(0, 100)]
    if all(own[:1] + own[-1:] == of_rules[0][:1] + of_rules[0][-1:] for own in of_rules):
        found.append((min(of_rules[0], default=0), max(of_rules[0], default=0)))
    return any(a != b and sorted(row) == [a] * (len(row) - 1) + [b] for a, b in found)


def _winnable(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim["witness"])
    won: set[int] = set()
    for state in found.states:
        if found.replay.is_terminal(state):
            goals = found.replay.goals(state)
            best = [list(own[-1:]) for own in certificate.goals]
            won.update(i for i in certificate.players if goals[i] and goals[i] == best[i])
    players = set(certificate.players)
    return "" if value is True and players and won == players else "somebody does not win"


def _passes(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim["witness"])
    if value is not True:
        return "a witness shows only that there are passes"
    for state in found.states:
        role = certificate.role_to_move(state)
        if role is not None and not found.replay.is_terminal(state):
            legal, board = found.replay.legal(state), found.board(state)
            if any(found.board(found.replay.next(state, j)) == board for j in product(*legal)):
                return ""
    return "every move changes the board"


def _turns(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim["witness"])
    if value == "simultaneous":
        if any(len(found.choosing(state)) > 1 for state in found.states):
            return ""
        return "at most one role has a choice"
    if value != "with extra turns":
        return "a witness shows only that roles move at once, or not in one circle"
    if certificate.settings:
        roles = [[certificate.role_to_move(state) for state in line] for line in found.lines]
        steps = {step for line in roles for step in pairwise(line)}
        whole = {(a, b) for a, b in steps if a is not None and b is not None}
        fits = whole == steps and goes_round(whole, len(certificate.net.roles))
        return "turns may go round all roles in one circle" if fits else ""
    for line in found.lines:
        for now, after in pairwise(line):
            if found.choosing(now) & found.choosing(after):
                return ""
    return "no role has a choice twice running"


def _end(certificate: Certificate, value: object, claim: Mapping[str, Any]) -> str:
    found = Witnesses(certificate, claim.get("witness", []))
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
