"""What the certificates of claims have in common: plays, rankings, and that some play ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ggp.analysis.evidence import Counterexample, Goals, Ranking
from ggp.analysis.finding import Finding
from ggp.analysis.proofs import Proofs
from ggp.game import Game

Shown = dict[str, Any]
"""What a claim of a certificate has besides the property and its value, as plain data."""


@dataclass(frozen=True)
class Certifying:
    """All findings that a certificate is made of, and the proofs that they rest on."""

    findings: Sequence[Finding]
    proofs: Proofs

    @property
    def game(self) -> Game:
        """The game that they are about."""
        return self.proofs.game

    def plays(self, finding: Finding) -> list[list[list[str]]]:
        """The plays that lead to the states by which a finding is shown."""
        evidence = finding.evidence
        states = evidence.states if isinstance(evidence, Counterexample) else ()
        return [play(witness.path) for witness in states if witness.path is not None]

    def witnessed(self, finding: Finding) -> Iterator[Shown]:
        """A finding that was met in play."""
        plays = self.plays(finding)
        if plays:
            yield {"witness": plays}

    def met_on_boards(self, finding: Finding) -> Iterator[Shown]:
        """The same of a claim about boards with the turn given to either player.

        Without a marker boards cannot be told from turns.
        """
        return self.witnessed(finding) if self.game.marker is not None else iter(())

    def met_on_the_way(self, finding: Finding) -> Iterator[Shown]:
        """The same where a play that leads to one of the states leads through those before it."""
        plays = self.plays(finding)
        last = [p for p in plays if not any(p == other[: len(p)] != other for other in plays)]
        if last:
            yield {"witness": last}

    def ranking(self, evidence: Ranking) -> Shown | None:
        """What there is to check of a ranking; None where it rests on turns that are not shown."""
        shown = evidence.shown()
        if evidence.strict is None or turns_are_shown(self.game):
            return shown
        if evidence.passes or len(evidence.strict) < len(self.game.roles):
            return None
        return {**shown, "strict": None}

    def ends(self) -> Shown:
        """What shows that some play ends: that it is acyclic, or a play that did."""
        for finding in self.findings:
            if finding.property == "cyclic" and isinstance(finding.evidence, Ranking):
                ranking = self.ranking(finding.evidence)
                if ranking:
                    return ranking
        return {"witness": [play(self.proofs.samples.shortest_to_an_end)]}

    def goals(self, evidence: Goals) -> Shown:
        """What the goals at the ends can be, and that there are ends."""
        return {"goals": [list(row) for row in evidence.goals], "ends": self.ends()}


def play(path: Sequence[Sequence[str]]) -> list[list[str]]:
    """A play as plain data: joint moves."""
    return [list(joint) for joint in path]


def turns_are_shown(game: Game) -> bool:
    """Whether plays show whose turn it is, as a checker asks: all but one of the roles act in their
    only setting, or, where roles have the turn in a fixed order, in some of them."""
    turns = game.turns
    if turns is None:
        return True
    count = len(game.roles)
    idle = [setting for setting, _ in turns.settings if setting not in game.choices]
    if not idle or (len(turns.settings) == count and len(idle) == 1):
        return True
    busy = {role for setting, role in turns.settings if setting in game.choices}
    return turns.alternating and len(busy) >= count - (game.marker is not None)
