"""All findings about a game, in order of their cost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import nullcontext, suppress
from dataclasses import replace

from ggp.analysis.certificate import certificate
from ggp.analysis.claims import heaps, length, players, sums, turns
from ggp.analysis.claims.length import length_bound
from ggp.analysis.claims.octal import octal_code
from ggp.analysis.claims.options import SCOPE
from ggp.analysis.claims.table import (
    CYCLIC,
    OF_GOALS,
    OF_PLAYERS,
    OF_SIDES,
    OF_TURNS,
    PLAYABLE,
    TERMINATING,
    TURNS,
    Claim,
)
from ggp.analysis.evidence import Counterexample, Enumeration, Evidence, Ranking, Stopped
from ggp.analysis.finding import Finding
from ggp.analysis.findings import ORDER, Findings
from ggp.analysis.heaps.by_order import amounts_at_any_size
from ggp.analysis.heaps.heap import Heap
from ggp.analysis.heaps.search import find_heaps
from ggp.analysis.invariants.counters import counted
from ggp.analysis.positions import Positions
from ggp.analysis.relations.arithmetic import arithmetic
from ggp.analysis.relations.chains import successor_chains
from ggp.analysis.relations.symmetries import symmetric
from ggp.errors import LimitReached, UnknownName
from ggp.game import Game
from ggp.limits import Budget
from ggp.machine import Progress

FromPositions = Callable[[Positions], Finding]

UNIFORM = 10.0
"""For proving heaps once more with a longer chain."""

_COUNTED: tuple[tuple[str, FromPositions], ...] = (
    ("reachable_states", length.reachable_states),
    ("shortest_play", length.shortest_play),
    ("longest_play", length.longest_play),
)
"""Found by enumeration only."""


def analyse(
    game: Game,
    *,
    time: float | None = None,
    positions: int | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
    report: Callable[[Finding], None] | None = None,
    only: str | Collection[str] | None = None,
) -> Findings:
    """What kind of game this is.

    Every finding is exact or `unknown`. `time` (seconds) bounds proofs, random play and
    enumeration, `positions` the enumeration (by default the game's limits); `budget` is an account
    that is open already, in place of both. `report` is called with each finding as soon as it is
    made, in the order in which they are made. `only` names the properties to look at, by default
    all of them. Questions that have no sense for a game, such as impartiality for one role, are
    left out.

    Raises `UnknownName` for a name in `only` that is no property.
    """
    only = (only,) if isinstance(only, str) else only
    for name in only or ():
        if name not in ORDER:
            raise UnknownName(f"no property {name} (there are: {', '.join(ORDER)})")
    limits = game.limits
    limits = replace(limits, seconds=limits.seconds if time is None else time)
    limits = replace(limits, positions=limits.positions if positions is None else positions)
    context = Positions(game, budget or Budget(limits), progress)
    analysis, items = _Analysis(context, frozenset(ORDER if only is None else only)), []
    with game.within(context.budget):
        for finding in analysis.findings():
            if only is not None and finding.property not in only:
                continue
            if isinstance(finding.evidence, Counterexample):
                finding = replace(finding, rules=game.rules)
            items.append(finding)
            if report:
                report(finding)
        items.sort(key=lambda finding: ORDER.index(finding.property))
        made = certificate(game, items, context.proofs) if game.is_ground else {}
    return Findings(game.name, game.roles, tuple(items), analysis.heaps, made)


_IN_TURN = ("alternating", "with extra turns")

_NEEDS = {
    "sum": ("turns", "form", "impartial"),
    "octal_code": ("turns", "form", "impartial"),
    "length_bound": ("cyclic",),
    **dict.fromkeys(("passes", "form", "impartial", "all_small"), ("turns",)),
}
"""Properties that are looked at where others have been found."""


class _Analysis:
    """The findings of one game; `heaps` are its heaps, as soon as they are found.

    `only`: the properties that are asked for. Others may be found on the way.
    """

    def __init__(self, context: Positions, only: frozenset[str]) -> None:
        self.context = context
        self.only = only | {need for name in only for need in _NEEDS.get(name, ())}
        self.heaps: tuple[Heap, ...] = ()

    def findings(self) -> Iterator[Finding]:
        """All findings, roughly in order of their cost."""
        context, game = self.context, self.context.game
        yield players.players(game)
        yield players.deterministic(game)
        whose_turn = turns.by_marker(context)
        if whose_turn:
            yield whose_turn
        if "successor_chains" in self.only:
            yield _try("successor_chains", lambda _: successor_chains(game), context)
        if "step_counters" in self.only and game.is_ground:
            with suppress(LimitReached):
                if context.proofs.counters:
                    yield counted(context.proofs.counters)
        with suppress(LimitReached):
            tables = arithmetic(game) if "arithmetic" in self.only else None
            if tables and tables.value:
                yield tables
        settled = {"turns": whose_turn.value if whose_turn else None}
        for finding in self._claims():
            settled[finding.property] = finding.value
            yield finding
            if finding.property == "cyclic" and isinstance(finding.evidence, Ranking):
                yield length_bound(game, context.proofs.assumed, finding.evidence)
        if self._has_sides:
            if "heaps" in self.only:
                yield self._heaps()
            # The theory of sums is about moves of either player in turn, until one has none.
            of_sums = settled["turns"] == "alternating" and {"sum", "octal_code"} & self.only
            if of_sums and settled.get("form") in ("normal", "misère"):
                yield from self._sums(is_impartial=settled.get("impartial") is True)
        elif self._is_of_two and (settled["turns"] in _IN_TURN or game.unfinished):
            evidence = Evidence("nothing that tells whose turn it is was found")
            if game.unfinished:
                evidence = Stopped.by(game.unfinished, "whose turn it is")
            for claim in () if game.turns else OF_TURNS:
                yield Finding(claim.name, None, "unknown", evidence)
            if game.turns and not game.unfinished:
                why = "what tells whose turn it is tells more, so that it cannot be given away"
                evidence = Evidence(why)
            for claim in OF_SIDES:
                yield Finding(claim.name, None, "unknown", evidence)

    def _sums(self, *, is_impartial: bool) -> Iterator[Finding]:
        """How the game falls into parts, and what can be taken from rows of tokens."""
        with suppress(LimitReached):
            parts = sums.prove(self.context.proofs)
            if parts:
                yield parts
        with suppress(LimitReached):
            code = octal_code(self.context) if is_impartial else None
            if code:
                yield code

    @property
    def _is_of_two(self) -> bool:
        """Whether there are two players, and no chance."""
        return len(self.context.game.roles) == 2 and self.context.game.chance is None

    @property
    def _has_sides(self) -> bool:
        """Whether it makes sense to ask what either player can do on a board."""
        return self._is_of_two and self.context.game.marker is not None

    def _claims(self) -> Iterator[Finding]:
        """What is asked of all games of a kind: each way to settle claims is tried on all of them
        before the next one, and enumeration comes last."""
        context, game = self.context, self.context.game
        open_ = [] if turns.by_marker(context) or not game.players else [TURNS]
        open_ += OF_TURNS if self._is_of_two and game.turns else ()
        open_ += [*(OF_SIDES if self._has_sides else ()), PLAYABLE]
        open_ += OF_GOALS if game.players else ()
        open_ += [*(OF_PLAYERS if len(game.players) > 1 else ()), CYCLIC, TERMINATING]
        open_ = [claim for claim in open_ if claim.name in self.only]
        stopped: dict[str, str] = {}
        for step, attempt in _WITHOUT_ENUMERATION if game.is_ground else ():
            left = []
            for claim in open_:
                finding = None
                try:
                    finding = attempt(claim, context)
                except LimitReached as error:
                    stopped[claim.name] = f"{step} stopped, {error}"
                if finding is None:
                    left.append(claim)
                else:
                    yield finding
            open_ = left
        if game.is_ground and not self.only.isdisjoint(("symmetries", "roles_exchangeable")):
            yield from symmetric(game.net, game.marker)
        for name, find in _COUNTED:
            if name in self.only:
                yield _try(name, find, context)
        before = "no proof was found and no play that shows the contrary"
        for claim in open_:
            why = stopped.get(claim.name, before if game.is_ground else "")
            known = context.findings.get(claim.name)
            yield known or _try(claim.name, claim.by.enumerated, context, why)

    def _heaps(self) -> Finding:
        """Whether the game is a sum of heaps."""
        try:
            proved = self._proved_heaps()
            if proved:
                return proved
            self.heaps = find_heaps(self.context)
            positions = len(self.context.either)
        except LimitReached as error:
            return Finding("heaps", None, "unknown", Stopped.by(error, "enumeration"))
        why = "the game is not a sum of heaps alone"
        if self.heaps:
            why = f"every move takes from one of {len(self.heaps)} heaps, by that heap's size alone"
        evidence = Enumeration(why, positions, SCOPE)
        return Finding("heaps", [h.pattern for h in self.heaps], "exhaustive", evidence)

    def _proved_heaps(self) -> Finding | None:
        """The heaps by proof, or a witness that there are none."""
        context = self.context
        with suppress(LimitReached):
            found = heaps.proved(context.proofs)
            if not found:
                return heaps.refute(context.samples)
            one = f"one of {len(found)} heaps" if len(found) > 1 else "one heap"
            why = f"on every board each move takes from {one}, by its size alone"
            with suppress(LimitReached):
                amounts = amounts_at_any_size(context.game, found, UNIFORM)
                if amounts:
                    why += f", and likewise on every chain that is long enough{amounts.text}"
                if amounts and amounts.are_of_table:
                    found = tuple(replace(heap, scope="any size") for heap in found)
            self.heaps = found
            return Finding("heaps", [h.pattern for h in found], "proved", Evidence(why))
        return None


def _prove_cheaply(claim: Claim, context: Positions) -> Finding | None:
    """By equal circuits and by parts of the board alone."""
    return claim.by.prove(context.proofs, True)


def _refute(claim: Claim, context: Positions) -> Finding | None:
    """By random play; where there are few positions enumeration finds the nearest witness."""
    return None if context.are_few else claim.by.refute(context.samples)


def _prove_early(claim: Claim, context: Positions) -> Finding | None:
    """From the rules of a state and of the next one alone."""
    return claim.prove_early(context.proofs)


def _count(claim: Claim, context: Positions) -> Finding | None:
    """By a witness among all positions, where these are soon enumerated."""
    if not claim.is_of_play or not context.are_countable:
        return None
    found = context.findings[claim.name] = claim.by.enumerated(context)
    return None if found.certainty == "exhaustive" else found


def _prove(claim: Claim, context: Positions) -> Finding | None:
    """With the solver and linear programs; what all positions show is worth less work."""
    with context.proofs.sparing() if claim.name in context.findings else nullcontext():
        return claim.by.prove(context.proofs, False)


_WITHOUT_ENUMERATION = (
    ("proof by equal circuits", _prove_cheaply),
    ("random play", _refute),
    ("proof from one state to the next", _prove_early),
    ("enumeration", _count),
    ("proof", _prove),
)
"""Ways to settle a claim with what to call them, cheapest first."""


def _try(name: str, find: FromPositions, context: Positions, before: str = "") -> Finding:
    """What enumeration finds; if a limit stops it, `before` says what was tried in vain."""
    try:
        return find(context)
    except LimitReached as error:
        step = "enumeration" if context.game.is_ground else "grounding"
        return Finding(name, None, "unknown", Stopped.by(error, step, before))
