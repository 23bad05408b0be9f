"""All findings about a game, in order of their cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ggp.analyse import ending, length, partiality, players, turns
from ggp.analyse.chains import successor_chains
from ggp.analyse.evidence import Enumeration, Evidence, Stopped
from ggp.analyse.finding import Finding
from ggp.analyse.findings import Findings
from ggp.analyse.heaps import Heap, heaps
from ggp.analyse.positions import Positions
from ggp.errors import LimitReached
from ggp.game import Game
from ggp.limits import Budget
from ggp.machine import Progress

FromPositions = Callable[[Positions], Finding]

_GENERAL: tuple[tuple[str, FromPositions], ...] = (
    ("turns", turns.turns),
    ("reachable_states", length.reachable_states),
    ("playable", ending.playable),
    ("outcome_kind", ending.outcome_kind),
    ("zero_sum", ending.zero_sum),
    ("cyclic", length.cyclic),
    ("shortest_play", length.shortest_play),
    ("longest_play", length.longest_play),
)
_TURN_TAKING: tuple[tuple[str, FromPositions], ...] = (
    ("form", ending.form),
    ("impartial", partiality.impartial),
    ("all_small", partiality.all_small),
)


def analyse(
    game: Game,
    *,
    time: float | None = None,
    positions: int | None = None,
    progress: Progress | None = None,
    report: Callable[[Finding], None] | None = None,
) -> Findings:
    """What kind of game this is.

    Every finding is exact or `unknown`. `time` (seconds) and `positions` bound the enumeration
    (by default the game's limits); `report` is called with each finding as soon as it is made.
    Questions that have no sense for a game, such as impartiality for one role, are left out.
    """
    limits = game.limits
    limits = replace(limits, seconds=limits.seconds if time is None else time)
    limits = replace(limits, positions=limits.positions if positions is None else positions)
    context = Positions(game, Budget(limits), progress)
    items = []
    found: tuple[Heap, ...] = ()
    for finding, own_heaps in _findings(context):
        items.append(finding)
        found = own_heaps or found
        if report:
            report(finding)
    return Findings(game.name, game.roles, tuple(items), found)


def _findings(context: Positions) -> Iterator[tuple[Finding, tuple[Heap, ...]]]:
    game = context.game
    yield players.players(game), ()
    yield players.deterministic(game), ()
    turn_taking = False
    for name, find in _GENERAL:
        if name == "zero_sum" and len(game.players) == 1:
            continue
        finding = _try(name, find, context)
        yield finding, ()
        turn_taking |= name == "turns" and str(finding.value) in ("alternating", "with extra turns")
    yield _try("successor_chains", lambda _: successor_chains(game), context), ()
    if not turn_taking or len(game.roles) != 2 or game.chance is not None:
        return
    for name, find in _TURN_TAKING:
        if game.marker is None:
            why = "no turn marker was proved, so that boards cannot be told from turns"
            yield Finding(name, None, "unknown", Evidence(why)), ()
        else:
            yield _try(name, find, context), ()
    if game.marker is not None:
        yield _heaps(context)


def _try(name: str, find: FromPositions, context: Positions) -> Finding:
    try:
        return find(context)
    except LimitReached as error:
        return Finding(name, None, "unknown", Stopped.by(error))


def _heaps(context: Positions) -> tuple[Finding, tuple[Heap, ...]]:
    """Whether the game is a sum of heaps, and the heaps."""
    try:
        found = heaps(context)
        positions = len(context.either)
    except LimitReached as error:
        return Finding("heaps", None, "unknown", Stopped.by(error)), ()
    if found:
        why = f"every move takes from one of {len(found)} heaps, by that heap's size alone"
    else:
        why = "the game is not a sum of heaps alone"
    evidence = Enumeration(why, positions, partiality.SCOPE)
    return Finding("heaps", [heap.pattern for heap in found], "exhaustive", evidence), found
