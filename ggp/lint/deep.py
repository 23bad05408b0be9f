"""Faults of play (`ggp check --deep`), each with a play that leads there.

Claims are settled by the analysis (`ggp.analysis`): proved, or shown by enumeration or a play. What
it leaves open is looked for in all positions, where they are few, else in the states of random
plays; a fault that is found is shown by its play in any case, and what is not decided is said.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ggp.analysis import Finding, analyse
from ggp.analysis.positions import Positions
from ggp.errors import GgpError, LimitReached
from ggp.game import Game
from ggp.limits import Budget, Limits, time_left
from ggp.lint.consequences import Look, causes_only
from ggp.lint.faults import Faults
from ggp.lint.firing import dead_rules, led_by, roots
from ggp.lint.met import Met, met
from ggp.lint.places import Places, head_of
from ggp.lint.question import PlayQuestion
from ggp.lint.vanishing import PlaceRelation, boards, broken
from ggp.rules import Rule, RuleSet
from ggp.rules.diagnostics import Diagnostic

_SPOILING = ("stuck", "no-goal-value", "two-goal-values", "ends-at-once", "endless")
"""Faults that keep players from their goals anyway."""

_ALWAYS_FALSE = (
    "undefined",
    "never-true",
    "missing-true",
    "needless-true",
    "unoffered-move",
    "never-matches",
    "never-holds",
)
"""Faults of the text that keep the rules which rest on theirs from firing, too."""

GROUND, SEARCH, ANALYSIS = 0.25, 0.25, 0.4
"""The parts of the time that grounding, looking at states and proving may take."""

CLAIMS = ("playable", "terminating", "winnable", "cyclic")


@dataclass(frozen=True)
class Deep:
    """What the deep checks of one sheet found: faults, and every question with its answer."""

    diagnostics: tuple[Diagnostic, ...]
    questions: tuple[PlayQuestion, ...]


def deep(rules: RuleSet, limits: Limits) -> Deep:
    """The faults of play of a sheet without errors.

    `limits.seconds` bounds all of it; nothing is claimed that was not looked at, and what a limit
    kept from being decided is a question without an answer.
    """
    search = _DeepLook(rules, limits)
    with Budget(limits).in_force():
        search.run()
        found = causes_only(rules, search.found, search.broken, _faults_of(limits), limits)
    return Deep(tuple(found), tuple(search.questions))


def _faults_of(limits: Limits) -> Look:
    """What finds the faults of play of a mended sheet in the time that is left."""

    def look(rules: RuleSet) -> Sequence[Diagnostic] | None:
        rest = replace(limits, seconds=min(limits.seconds, time_left()))
        search = _DeepLook(rules, rest)
        try:
            search.run()
        except LimitReached:
            return None
        return search.found if search.is_searched else None

    return look


@dataclass
class _DeepLook:
    """One look at the play of a sheet."""

    rules: RuleSet
    limits: Limits
    found: list[Diagnostic] = field(default_factory=list)
    questions: list[PlayQuestion] = field(default_factory=list)
    broken: list[tuple[Diagnostic, PlaceRelation]] = field(default_factory=list)
    is_searched: bool = False

    def run(self) -> None:
        """Ask all questions; what a limit stops is not known, and the next one is asked."""
        limits, all_seconds = self.limits, self.limits.seconds
        limits = replace(limits, ground_seconds=min(limits.ground_seconds, GROUND * all_seconds))
        try:
            game = Game(self.rules, limits)
        except GgpError as error:
            self._undecided("the rules can be ground", str(error))
            return
        if not game.is_ground:
            self._undecided("the rules can be ground", str(game.too_large))
            return
        budget = Budget(replace(limits, seconds=SEARCH * all_seconds))
        try:
            with game.within(budget):
                states = met(Positions(game, budget))
                faults = Faults(game, states, Places(self.rules), self.found)
                self._search(states, faults)
        except LimitReached as error:
            self._undecided("there are faults in random plays", str(error))
            return
        try:
            findings = analyse(game, time=ANALYSIS * all_seconds, only=CLAIMS)
            for finding in sorted(findings, key=lambda found: CLAIMS.index(found.property)):
                self._claim(finding, faults)
        except LimitReached as error:
            self._undecided("every play goes on to an end", str(error))
        self._dead(states, faults, limits)

    def _search(self, states: Met, faults: Faults) -> None:
        """Look for faults in the states."""
        faults.stuck()
        faults.goals()
        faults.at_once()
        faults.idle_roles()
        for one in broken(states):
            faults.broken(one)
            self.broken.append((self.found[-1], one.board))
        if boards(states.game.net):
            empty = "no place of a board becomes empty"
            self._searched(empty, ("empty-place", "fluent-goes"), states)
            self._searched("no place of a board has two fluents", ("full-place",), states)
        faults.undeclared()
        self.is_searched = True

    @cached_property
    def _doubted(self) -> set[int]:
        """The clauses that a warning was given about: why they never fire is told already."""
        return self._clauses(d for d in self.rules.diagnostics if d.severity == "warning")

    @cached_property
    def _false(self) -> set[int]:
        """The clauses that are known not to fire as they have an atom that is always false."""
        return self._clauses(d for d in self.rules.diagnostics if d.name in _ALWAYS_FALSE)

    def _clauses(self, told: Iterable[Diagnostic]) -> set[int]:
        """The clauses that diagnostics are about, where they start."""
        starts = sorted({rule.span.start for rule in self.rules.rules})
        spans = [place for d in told for place in (d.span, *(span for span, _ in d.related))]
        return {starts[max(0, bisect_right(starts, s.start) - 1)] for s in spans if starts}

    def _undecided(self, question: str, why: str) -> None:
        self.questions.append(PlayQuestion(question, None, "unknown", why))

    def _searched(self, question: str, names: tuple[str, ...], states: Met) -> None:
        is_fault = self._has(*names)
        certainty = "refuted" if is_fault else "exhaustive" if states.is_all else "searched"
        answer = False if is_fault else True if states.is_all else None
        self.questions.append(PlayQuestion(question, answer, certainty, states.scope))

    def _has(self, *names: str) -> bool:
        """Whether one of these faults was found, which explains others."""
        return any(d.name in names for d in self.found)

    def _claim(self, finding: Finding, faults: Faults) -> None:
        """A finding of the analysis as an answer, and as a fault if it is one."""
        asked = {
            "playable": "every role can move until the end, which gives each player one goal",
            "terminating": "from every state some play ends",
            "winnable": "each player reaches the best goal at some end",
            "cyclic": "no play can go on for ever",
        }[finding.property]
        value, certainty, why = finding.value, finding.certainty, finding.evidence.why
        if finding.property == "cyclic" and value is not None:
            value = not value
        if finding.property == "winnable" and self._has("no-goal-value", "two-goal-values"):
            value, certainty, why = None, "unknown", "an end does not give each player one goal"
        self.questions.append(PlayQuestion(asked, value, certainty, why))
        if value is not False:
            return
        if finding.property == "playable":
            faults.unplayable(finding)
        elif finding.property == "terminating" and not self._has("stuck"):
            faults.endless(finding)
        elif finding.property == "winnable" and not self._has(*_SPOILING):
            faults.unwinnable(finding)
        elif finding.property == "cyclic" and not self._has("endless"):
            faults.cyclic(finding)

    def _dead(self, states: Met, faults: Faults, limits: Limits) -> None:
        asked = "every rule fires in some play"
        try:
            dead, is_all = dead_rules(states, limits)
        except LimitReached as error:
            self._undecided(asked, str(error))
            return
        spoilt = self._has("stuck", "ends-at-once", "endless")
        starts = {rule.span.start for rule, _ in dead}
        causes = roots(self.rules, starts | self._doubted) - led_by(self.rules, starts, self._false)
        told: dict[str, list[tuple[Rule, bool]]] = {}
        for rule, is_proved in dead:
            start = rule.span.start
            if (spoilt and not is_proved) or start in self._doubted or start not in causes:
                continue
            if rule.head.name == "terminal" and self._has("endless"):
                continue
            shared = str(rule.negative[0]) if rule.negative else f"line {start}"
            told.setdefault(f"{is_proved} {shared}", []).append((rule, is_proved))
        for (rule, is_proved), *others in told.values():
            how = "grounding derives no instance of it" if is_proved else f"in {states.scope}"
            message = f"this rule for {rule.head} never fires: {how}"
            related = tuple((head_of(other), "never fires either") for other, _ in others)
            hint = f"does (not {rule.negative[0]}) ever hold there?" if others else ""
            faults.say("dead-rule", message, head_of(rule), related, hint=hint)
        certainty = "exhaustive" if is_all else "unknown"
        answer = False if dead else True if is_all else None
        why = (
            states.scope
            if is_all
            else "grounding shows none to be dead; there are too many moves to make them all"
        )
        if any(is_proved for _, is_proved in dead):
            certainty, why = "proved", "grounding derives no instance of some rules"
        self.questions.append(PlayQuestion(asked, answer, certainty, why))
