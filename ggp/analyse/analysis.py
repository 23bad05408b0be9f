"""All findings about a game, in order of their cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from ggp.analyse import ending, length, partiality, players, turns
from ggp.analyse.arithmetic import arithmetic
from ggp.analyse.certificate import certificate
from ggp.analyse.chains import successor_chains
from ggp.analyse.counters import counted
from ggp.analyse.evidence import Enumeration, Evidence, Stopped
from ggp.analyse.finding import Finding
from ggp.analyse.findings import Findings
from ggp.analyse.heap_search import heaps
from ggp.analyse.heaps import Heap
from ggp.analyse.octal import octal_code
from ggp.analyse.positions import Positions
from ggp.analyse.samples import Samples
from ggp.analyse.symbolic import Symbolic
from ggp.analyse.symmetries import symmetric
from ggp.analyse.uniform import any_size
from ggp.errors import LimitReached
from ggp.game import Game
from ggp.limits import Budget
from ggp.machine import Progress

FromPositions = Callable[[Positions], Finding]

UNIFORM_SECONDS = 10.0
"""For proving heaps once more with a longer chain."""

_COUNTED: tuple[tuple[str, FromPositions], ...] = (
    ("reachable_states", length.reachable_states),
    ("shortest_play", length.shortest_play),
    ("longest_play", length.longest_play),
)
"""Found by enumeration only."""


@dataclass(frozen=True)
class _Claim:
    """A finding that may be proved for every state, refuted by random play, or enumerated."""

    name: str
    prove: Callable[[Symbolic], Finding | None]
    refute: Callable[[Samples], Finding | None] | None
    enumerate: FromPositions


_CYCLIC = _Claim("cyclic", Symbolic.cyclic, Samples.cyclic, length.cyclic)

_OF_ALL = (
    _Claim("playable", Symbolic.playable, Samples.playable, ending.playable),
    _Claim("outcome_kind", Symbolic.outcome_kind, None, ending.outcome_kind),
)
"""Asked of every game."""

_OF_PLAYERS = (_Claim("zero_sum", Symbolic.zero_sum, Samples.zero_sum, ending.zero_sum),)
"""Asked where there is more than one player."""

_OF_SIDES = (
    _Claim("passes", Symbolic.passes, Samples.passes, partiality.passes),
    _Claim("form", Symbolic.form, Samples.form, ending.form),
    _Claim("impartial", Symbolic.impartial, Samples.impartial, partiality.impartial),
    _Claim("all_small", Symbolic.all_small, Samples.all_small, partiality.all_small),
)
"""Asked of two roles that take turns."""


def analyse(
    game: Game,
    *,
    time: float | None = None,
    positions: int | None = None,
    progress: Progress | None = None,
    report: Callable[[Finding], None] | None = None,
) -> Findings:
    """What kind of game this is.

    Every finding is exact or `unknown`. `time` (seconds) bounds proofs, random play and
    enumeration, `positions` the enumeration (by default the game's limits); `report` is called with
    each finding as soon as it is made. Questions that have no sense for a game, such as
    impartiality for one role, are left out.
    """
    limits = game.limits
    limits = replace(limits, seconds=limits.seconds if time is None else time)
    limits = replace(limits, positions=limits.positions if positions is None else positions)
    context = Positions(game, Budget(limits), progress)
    analysis, items = _Analysis(context), []
    for finding in analysis.findings():
        items.append(finding)
        if report:
            report(finding)

    def make_certificate() -> dict[str, Any]:
        return certificate(game, items, context.symbolic) if game.is_ground else {}

    return Findings(game.name, game.roles, tuple(items), analysis.heaps, make_certificate)


class _Analysis:
    """The findings of one game; `heaps` are its heaps, as soon as they are found."""

    def __init__(self, context: Positions) -> None:
        self.context = context
        self.heaps: tuple[Heap, ...] = ()

    def findings(self) -> Iterator[Finding]:
        """All findings, roughly in order of their cost."""
        context, game = self.context, self.context.game
        yield players.players(game)
        yield players.deterministic(game)
        whose_turn = _try("turns", turns.turns, context)
        yield whose_turn
        yield _try("successor_chains", lambda _: successor_chains(game), context)
        if game.is_ground and context.symbolic.counters:
            yield counted(context.symbolic.counters)
        with suppress(LimitReached):
            tables = arithmetic(game)
            if tables.value:
                yield tables
        turn_taking = str(whose_turn.value) in ("alternating", "with extra turns")
        has_sides = turn_taking and len(game.roles) == 2 and game.chance is None
        settled = {}
        for finding in self._claims(has_sides=has_sides and game.marker is not None):
            settled[finding.property] = finding.value
            yield finding
        if has_sides and game.marker:
            yield self._heaps()
            if settled["form"] in ("normal", "misère"):
                with suppress(LimitReached):
                    parts = context.symbolic.sum()
                    if parts:
                        yield parts
            with suppress(LimitReached):
                code = octal_code(context)
                if code:
                    yield code
        elif has_sides:
            why = "no turn marker was proved, so that boards cannot be told from turns"
            for claim in _OF_SIDES:
                yield Finding(claim.name, None, "unknown", Evidence(why))

    def _claims(self, *, has_sides: bool) -> Iterator[Finding]:
        """What is asked of all games of a kind; what only enumeration tells comes last."""
        context, game = self.context, self.context.game
        claims = [_CYCLIC, *(_OF_SIDES if has_sides else ()), *_OF_ALL]
        claims += _OF_PLAYERS if len(game.players) > 1 else ()
        open_ = []
        for claim in claims:
            finding = _without_enumeration(claim, context)
            if finding is None:
                open_.append(claim)
            else:
                yield finding
        if game.is_ground:
            yield from symmetric(game.net, game.marker)
        for name, find in _COUNTED:
            yield _try(name, find, context)
        for claim in open_:
            yield _try(claim.name, claim.enumerate, context)

    def _heaps(self) -> Finding:
        """Whether the game is a sum of heaps."""
        try:
            proved = self._proved_heaps()
            if proved:
                return proved
            self.heaps = heaps(self.context)
            positions = len(self.context.either)
        except LimitReached as error:
            return Finding("heaps", None, "unknown", Stopped.by(error))
        why = "the game is not a sum of heaps alone"
        if self.heaps:
            why = f"every move takes from one of {len(self.heaps)} heaps, by that heap's size alone"
        evidence = Enumeration(why, positions, partiality.SCOPE)
        return Finding("heaps", [h.pattern for h in self.heaps], "exhaustive", evidence)

    def _proved_heaps(self) -> Finding | None:
        """The heaps by proof, or a witness that there are none."""
        context = self.context
        with suppress(LimitReached):
            found = context.symbolic.heaps()
            if not found:
                return context.samples.heaps()
            heaps = f"one of {len(found)} heaps"
            why = f"on every board each move takes from {heaps}, by its size alone"
            with suppress(LimitReached):
                if any_size(context.game, found, context.symbolic.within(UNIFORM_SECONDS)):
                    found = tuple(replace(heap, scope="any size") for heap in found)
                    why += ", and likewise however long the chain"
            self.heaps = found
            return Finding("heaps", [h.pattern for h in found], "proved", Evidence(why))
        return None


def _without_enumeration(claim: _Claim, context: Positions) -> Finding | None:
    """A witness from random play, or a proof for every state.

    Where there are few positions a witness is left to enumeration, which finds the nearest.
    """
    if not context.game.is_ground:
        return None
    for attempt in (_prove_cheaply, _refute, _prove):
        with suppress(LimitReached):
            found = attempt(claim, context)
            if found is not None:
                return found
    return None


def _prove_cheaply(claim: _Claim, context: Positions) -> Finding | None:
    """By equal circuits and by parts of the board alone."""
    context.symbolic.is_cheap = True
    try:
        return claim.prove(context.symbolic)
    finally:
        context.symbolic.is_cheap = False


def _refute(claim: _Claim, context: Positions) -> Finding | None:
    if claim.refute is None or context.are_few:
        return None
    return claim.refute(context.samples)


def _prove(claim: _Claim, context: Positions) -> Finding | None:
    return claim.prove(context.symbolic)


def _try(name: str, find: FromPositions, context: Positions) -> Finding:
    try:
        return find(context)
    except LimitReached as error:
        return Finding(name, None, "unknown", Stopped.by(error))
