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

_COUNTED: tuple[tuple[str, FromPositions], ...] = (
    ("reachable_states", length.reachable_states),
    ("playable", ending.playable),
    ("outcome_kind", ending.outcome_kind),
    ("zero_sum", ending.zero_sum),
    ("shortest_play", length.shortest_play),
    ("longest_play", length.longest_play),
)
"""Found by enumeration only."""

_PROVED: tuple[tuple[str, FromPositions], ...] = (
    ("cyclic", length.cyclic),
    ("form", ending.form),
    ("impartial", partiality.impartial),
    ("all_small", partiality.all_small),
)
"""Proved or refuted without enumeration where that can be done."""


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
    """All findings, roughly in order of their cost."""
    game = context.game
    yield players.players(game), ()
    yield players.deterministic(game), ()
    finding = _try("turns", turns.turns, context)
    yield finding, ()
    yield _try("successor_chains", lambda _: successor_chains(game), context), ()
    turn_taking = str(finding.value) in ("alternating", "with extra turns")
    has_sides = turn_taking and len(game.roles) == 2 and game.chance is None
    left = []
    for name, find in _PROVED:
        if name == "cyclic" or has_sides:
            cheap = _without_enumeration(name, context) if has_sides else None
            if cheap is None:
                left.append((name, find))
            else:
                yield cheap, ()
    for name, find in (*_COUNTED, *left):
        if name == "zero_sum" and len(game.players) == 1:
            continue
        if name != "cyclic" and (name, find) in left and game.marker is None:
            why = "no turn marker was proved, so that boards cannot be told from turns"
            yield Finding(name, None, "unknown", Evidence(why)), ()
        else:
            yield _try(name, find, context), ()
    if has_sides and game.marker is not None:
        yield _heaps(context)


def _without_enumeration(name: str, context: Positions) -> Finding | None:
    """A proof for every board, or on games with many positions a witness from random play."""
    game = context.game
    if not game.is_ground or game.marker is None:
        return None
    proved: Finding | None = getattr(context.symbolic, name)()
    if proved is not None or name == "cyclic" or context.are_few:
        return proved
    refuted: Finding | None = getattr(context.samples, name)()
    return refuted


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
