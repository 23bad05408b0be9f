"""Certificates: what proofs and witnesses rest on, for somebody else to check."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ggp.analysis.certifying import Certifying, play, turns_are_shown
from ggp.analysis.claims.table import CLAIMS
from ggp.analysis.finding import Finding
from ggp.analysis.proofs import Proofs
from ggp.checker import FORMAT
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
    are_shown = turns_are_shown(game)
    listed = [f for f in findings if are_shown or not _rests_on_turns(f)]
    known = Certifying(listed, proofs)
    claims = [
        {"property": f.property, "value": f.value, **shown}
        for f in listed
        if f.property in CLAIMS
        for shown in CLAIMS[f.property].by.certify(f, known)
    ]
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
    if game.turns is None or not turns_are_shown(game):
        return None
    settings: list[dict[str, Any]] = []
    for bits, role in game.turns.settings:
        held = [f for i, f in enumerate(fluents) if bits >> i & 1]
        settings.append({"role": game.roles[role], "holds": held})
        if bits in game.choices:
            settings[-1]["choice"] = play(game.choices[bits])
    return {"flips": game.marker is not None, "settings": settings}


def _rests_on_turns(finding: Finding) -> bool:
    """Whether a finding rests on whose turn it is."""
    return finding.property in CLAIMS and CLAIMS[finding.property].is_of_turns
