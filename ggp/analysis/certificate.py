"""Certificates: what proofs and witnesses rest on, for somebody else to check."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from ggp.analysis.boards.boards import Boards
from ggp.analysis.claims import outcome_kind
from ggp.analysis.evidence import Counterexample, Goals, Ranking
from ggp.analysis.finding import Finding
from ggp.analysis.proofs import Proofs
from ggp.checker import FORMAT, MAX_MATCHES
from ggp.circuits.circuit import FALSE
from ggp.game import Game


def certificate(game: Game, findings: Iterable[Finding], proofs: Proofs) -> dict[str, Any]:
    """All that is needed to check what was proved or refuted, as plain data.

    The rules as text; the marker; the groups and sums that the proofs assume, and the states that
    they exclude; and one claim for
    each finding that can be checked without making it again: weights, moves that match each other,
    what the goals can be, or plays that lead to witnesses.
    """
    net = game.net
    fluents = [str(f) for f in net.fluents]
    listed = [f for f in findings if f.property not in ABOUT_TURNS or _is_shown(game)]
    claims = [claim for f in listed for claim in _claims(f, listed, proofs)]
    return {
        "format": FORMAT,
        "sheet": {
            "name": game.name,
            "syntax": game.rules.source.syntax,
            "strict_case": game.rules.symbols.strict_case,
            "sha256": game.rules.digest,
        },
        "rules": game.rules.source.text,
        "turns": _turns(game, fluents) if claims else None,
        "groups": [
            {"fluents": [fluents[i] for i in group.fluents], "exact": group.exact}
            for group in proofs.assumed
        ],
        "sums": [
            {"weights": {fluents[i]: w for i, w in one.weights}, "value": one.value}
            for one in proofs.assumed_sums
        ],
        "excluded": [
            {
                "holds": [fluents[x - 1] for x in sorted(cube) if x > 0],
                "lacks": [fluents[-x - 1] for x in sorted(cube, reverse=True) if x < 0],
            }
            for cube in proofs.assumed_excluded
        ],
        "bounds": [
            {"weights": {fluents[i]: w for i, w in one.weights}, "most": one.most}
            for one in proofs.assumed_bounds
        ],
        "claims": claims,
    }


def _turns(game: Game, fluents: list[str]) -> dict[str, Any] | None:
    """What tells whose turn it is, and whether it tells nothing else."""
    if game.turns is None or not _is_shown(game):
        return None
    settings: list[dict[str, Any]] = []
    for bits, role in game.turns.settings:
        held = [f for i, f in enumerate(fluents) if bits >> i & 1]
        settings.append({"role": game.roles[role], "holds": held})
        if bits in game.choices:
            settings[-1]["choice"] = _play(game.choices[bits])
    return {"flips": game.marker is not None, "settings": settings}


def _is_shown(game: Game) -> bool:
    """Whether plays show whose turn it is, as a checker asks: all but one of the roles act in their
    only setting, or, where roles have the turn in a fixed order, in some of them."""
    turns, count = game.turns, len(game.roles)
    if turns is None:
        return True
    idle = [setting for setting, _ in turns.settings if setting not in game.choices]
    if not idle or (len(turns.settings) == count and len(idle) == 1):
        return True
    busy = {role for setting, role in turns.settings if setting in game.choices}
    return turns.alternating and len(busy) >= count - (game.marker is not None)


def _claims(finding: Finding, findings: list[Finding], proofs: Proofs) -> Iterable[dict[str, Any]]:
    """The claim that a finding makes, if it can be checked."""
    claim: dict[str, Any] = {"property": finding.property, "value": finding.value}
    evidence = finding.evidence
    if isinstance(evidence, Counterexample):
        plays = [_play(witness.path) for witness in evidence.states if witness.path is not None]
        if finding.property in ("cyclic", "turns"):
            # A play that leads to one of these states leads through those before it.
            plays = [p for p in plays if not any(p == other[: len(p)] != other for other in plays)]
        # Without a marker boards cannot be told from turns.
        if finding.property in SIDED and proofs.game.marker is None:
            return
        if plays and finding.property in WITNESSED:
            yield {**claim, "witness": plays}
    elif finding.certainty != "proved":
        return
    elif isinstance(evidence, Ranking):
        ranking = _ranking(evidence, proofs.game)
        if ranking:
            yield {**claim, **ranking}
    elif isinstance(evidence, Goals):
        goals = {
            "goals": [list(row) for row in evidence.goals],
            "ends": _ends(findings, proofs),
        }
        if finding.value in (True, "win-lose") or finding.property == "winnable":
            yield {**claim, **goals}
        if finding.value == "scored":
            seen = outcome_kind.refute(proofs.samples)
            yield from _claims(seen, findings, proofs) if seen else ()
        for row in evidence.goals if finding.value == "win-lose-draw" else ():
            drawn = proofs.samples.end_with(row) if len(set(row)) == 1 else None
            if drawn is not None:
                yield {**claim, **goals, "drawn": [_play(drawn)]}
                break
    elif finding.property == "impartial":
        assert proofs.boards is not None
        matches = _matches(proofs.boards)
        if all(0 < len(m) <= MAX_MATCHES for own in matches.values() for m in own.values()):
            yield {**claim, "matches": matches}
    elif finding.property == "form":
        yield {**claim, "ends": _ends(findings, proofs)}
    elif finding.property == "terminating":
        ends = _ends(findings, proofs)
        if "weights" in ends:
            yield {**claim, **ends}
    elif finding.property == "passes" and proofs.game.marker is None:
        return
    elif finding.property in ("playable", "all_small", "passes") or finding.value == "alternating":
        yield claim


ABOUT_TURNS = ("turns", "form", "impartial", "all_small", "passes")
"""Findings that rest on whose turn it is."""

SIDED = ("impartial", "all_small", "passes")
"""Findings about boards with the turn given to either player."""

WITNESSED = (
    "impartial", "all_small", "form", "cyclic", "playable", "zero_sum", "turns", "outcome_kind",
    "passes", "winnable",
)  # fmt: skip
"""Findings whose witnesses can be checked."""


def _play(path: tuple[tuple[str, ...], ...]) -> list[list[str]]:
    return [list(joint) for joint in path]


def _ranking(evidence: Ranking, game: Game) -> dict[str, Any] | None:
    """What there is to check of a ranking; None where it rests on turns that are not shown."""
    shown = evidence.shown()
    if evidence.strict is None or _is_shown(game):
        return shown
    if evidence.passes or len(evidence.strict) < len(game.roles):
        return None
    return {**shown, "strict": None}


def _ends(findings: list[Finding], proofs: Proofs) -> dict[str, Any]:
    """What shows that some play ends: that it is acyclic, or a play that did."""
    for finding in findings:
        if finding.property == "cyclic" and isinstance(finding.evidence, Ranking):
            ranking = _ranking(finding.evidence, proofs.game)
            if ranking:
                return ranking
    return {"witness": [_play(proofs.samples.shortest_to_an_end)]}


def _matches(boards: Boards) -> dict[str, dict[str, list[str]]]:
    """For each move of a player the moves of the other that do the same, or else all of them.

    The first where one of those is legal exactly where one of this player's is.
    """
    net, builder = boards.net, boards.builder
    effects: list[dict[Any, list[str]]] = []
    legal: list[dict[Any, int]] = []
    for role, side in enumerate(boards.sides):
        own: dict[Any, list[str]] = {}
        where: dict[Any, int] = {}
        for option in side.options:
            move = net.moves[role][option.move - net.move_offset[role]]
            own.setdefault(option.effect, []).append(str(move))
            where[option.effect] = builder.disj(where.get(option.effect, FALSE), option.legal)
        effects.append(own)
        legal.append(where)
    every = [list(chain(*own.values())) for own in effects]
    return {
        str(net.roles[role]): {
            move: effects[1 - role][effect]
            if legal[role][effect] == legal[1 - role].get(effect)
            else every[1 - role]
            for effect, moves in effects[role].items()
            for move in moves
        }
        for role in range(2)
    }
