"""Whether each player reaches their best goal of the rules at some end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ggp.analysis.certifying import Certifying, Shown
from ggp.analysis.claims.goals import faulty, possible_goals
from ggp.analysis.evidence import Counterexample, Enumeration, Goals
from ggp.analysis.finding import Finding, shown
from ggp.analysis.outcomes import goals_of_the_rules
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs
from ggp.machine import MANY_GOALS, NO_GOAL


def prove(proofs: Proofs, cheap: bool) -> Finding | None:
    """That some player never reaches their best goal of the rules."""
    values = goals_of_the_rules(proofs.game)
    for possible in possible_goals(proofs, cheap):
        for place, role in enumerate(proofs.game.player_indices):
            best = max(values[role], default=None)
            if best is not None and all(row[place] < best for row in possible):
                why = f"at no end has {proofs.game.roles[role]} the best goal of the rules, {best}"
                goals = Goals(why, tuple(sorted(possible)))
                return Finding("winnable", False, "proved", goals)
    return None


def refute(samples: Sampled) -> Finding | None:
    """For each player an end at which they have their best goal of the rules, if all were
    met."""
    witnesses, values = [], goals_of_the_rules(samples.game)
    for role in samples.game.player_indices:
        best = max(values[role], default=NO_GOAL - 1)
        won = np.flatnonzero(samples.plays.terminal & (samples.plays.goals[:, role] == best))
        if not values[role] or not len(won):
            return None
        note = f"{samples.game.roles[role]} has {best}"
        witnesses.append(samples.witness(int(won[0]), note))
    why = "each player reaches the best goal of the rules at some end"
    return shown("winnable", True, Counterexample(why, tuple(witnesses)))


def enumerated(positions: Positions) -> Finding:
    """Whether each player reaches their best goal of the rules at some end of play."""
    space, game = positions.reachable, positions.game
    ends = np.flatnonzero(space.terminal)
    witnesses, is_faulty = [], False
    for role, values in enumerate(goals_of_the_rules(game)):
        if role == game.chance:
            continue
        best = values[-1] if values else None
        won = ends[space.goals[ends, role] == best] if values else ends[:0]
        if not len(won) and (space.goals[ends, role] == MANY_GOALS).any():
            is_faulty = True
            continue
        if not len(won):
            why = f"{game.roles[role]} never reaches {best if values else 'a goal'}"
            return Finding("winnable", False, "exhaustive", Enumeration(why, len(space)))
        nearest = int(won[space.depth[won].argmin()])
        witnesses.append(positions.witness(space, nearest, f"{game.roles[role]} has {best}"))
    if is_faulty:
        return faulty("winnable")
    why = "each player reaches the best goal of the rules at some end"
    return shown("winnable", True, Counterexample(why, tuple(witnesses)))


def certify(finding: Finding, known: Certifying) -> Iterator[Shown]:
    """Plays that each player won, or the goals at the ends."""
    if isinstance(finding.evidence, Goals) and finding.certainty == "proved":
        yield known.goals(finding.evidence)
    else:
        yield from known.witnessed(finding)
