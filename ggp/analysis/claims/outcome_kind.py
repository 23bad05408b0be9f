"""The kind of outcome: wins and losses, draws besides, or scores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ggp.analysis.certifying import Certifying, Shown, play
from ggp.analysis.claims import playable
from ggp.analysis.claims.goals import NO_END, at_ends, faulty, possible_goals
from ggp.analysis.evidence import Counterexample, Enumeration, Goals
from ggp.analysis.finding import Finding, shown
from ggp.analysis.outcomes import is_decided, kind_of, players_goals
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.positions import Positions
from ggp.analysis.proofs import Proofs
from ggp.machine import NO_GOAL


def prove(proofs: Proofs, cheap: bool) -> Finding | None:
    """The kind that all sets of goals have which may be those at the ends of play."""
    of_rules = players_goals(proofs.game)
    for possible in possible_goals(proofs, cheap):
        # More ends make no simpler kind, so that the least and the most that may occur tell.
        seen = proofs.samples.goals & possible
        kinds = {kind_of(seen, of_rules), kind_of(possible, of_rules)}
        if len(kinds) == 1:
            shown = ", ".join("/".join(map(str, goals)) for goals in sorted(possible)[:8])
            others = " and others" if len(possible) > 8 else ""
            goals = Goals(f"goals at the end are among {shown}{others}", tuple(sorted(possible)))
            return Finding("outcome_kind", kinds.pop(), "proved", goals)
    return None


def refute(samples: Sampled) -> Finding | None:
    """Ends whose goals are of no simpler kind than `scored`, if they were met.

    More ends make no simpler kind of it.
    """
    goals = samples.plays.goals[:, samples.game.player_indices]
    ends = np.flatnonzero(samples.plays.terminal & (goals > NO_GOAL).all(axis=1))
    if not len(ends):
        return None
    rows, first = np.unique(goals[ends], axis=0, return_index=True)
    different = [tuple(row) for row in rows.tolist()]
    if kind_of(different, players_goals(samples.game)) != "scored" or playable.refute(samples):
        return None
    chosen = _telling(different, players_goals(samples.game))
    listed = ", ".join("/".join(map(str, different[i])) for i in chosen)
    why = f"goals at ends: {listed}"
    witnesses = tuple(samples.witness(int(ends[first[i]])) for i in chosen)
    return shown("outcome_kind", "scored", Counterexample(why, witnesses))


def _telling(goals: list[tuple[int, ...]], of_rules: list[tuple[int, ...]]) -> list[int]:
    """One or two of these goals (by place) that make the outcomes scored, as all of them do."""
    places = range(len(goals))
    alone = [i for i in places if kind_of([goals[i]], of_rules) == "scored"][:1]
    return alone or [i for i in places if not is_decided(goals[i], of_rules)][:2]


def enumerated(positions: Positions) -> Finding:
    """`win-lose`, `win-lose-draw` or `scored`, from the goals of all reachable ends of play; None
    if there are none."""
    space = positions.reachable
    goals = at_ends(positions)
    if not len(goals):
        return Finding("outcome_kind", None, "exhaustive", Enumeration(NO_END, len(space)))
    if (goals <= NO_GOAL).any():
        return faulty("outcome_kind")
    goals = np.unique(goals, axis=0)
    kind = kind_of([tuple(row) for row in goals.tolist()], players_goals(positions.game))
    listed = ", ".join("/".join(map(str, row)) for row in goals[:8].tolist())
    more = f" and {len(goals) - 8} more" if len(goals) > 8 else ""
    why = f"goals at the end: {listed}{more}"
    return Finding("outcome_kind", kind, "exhaustive", Enumeration(why, len(space)))


def certify(finding: Finding, known: Certifying) -> Iterator[Shown]:
    """The goals at the ends, with a play that was drawn where there are draws; of scores ends that
    were met."""
    evidence = finding.evidence
    if isinstance(evidence, Counterexample):
        yield from known.witnessed(finding)
    if not isinstance(evidence, Goals) or finding.certainty != "proved":
        return
    if finding.value == "win-lose":
        yield known.goals(evidence)
    elif finding.value == "scored":
        seen = refute(known.proofs.samples)
        yield from known.witnessed(seen) if seen else ()
    elif finding.value == "win-lose-draw":
        for row in evidence.goals:
            drawn = known.proofs.samples.end_with(row) if len(set(row)) == 1 else None
            if drawn is not None:
                yield {**known.goals(evidence), "drawn": [play(drawn)]}
                break
