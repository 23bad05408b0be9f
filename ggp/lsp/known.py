"""What is proved of the fluents of a game."""

from __future__ import annotations

from dataclasses import dataclass

from ggp.kif import Term
from ggp.lsp.markdown import code
from ggp.rules import Signature, may_be_equal, signature

MOST_GROUPS, MOST_FLUENTS, MOST_SHOWN, MOST_HEAPS = 5_000, 100, 6, 200
"""Groups, and fluents of one, that are kept; fluents that are listed; heaps that are kept."""


@dataclass(frozen=True)
class Known:
    """What grounding found, or `failure`: why it found nothing.

    `counts`: for each form of fluents how many can hold. `groups`: fluents of which at most one
    holds in every state, and whether always one does. `turns`: those that tell whose turn it is.
    `found`: heaps and step counters, with a variable for their values, and what is known of them;
    None while they are looked for.
    """

    counts: dict[Signature, int]
    groups: tuple[tuple[bool, tuple[Term, ...]], ...] = ()
    turns: tuple[Term, ...] = ()
    failure: str = ""
    found: tuple[tuple[Term, str], ...] | None = None

    def told(self, fluent: Term) -> list[str]:
        """What is known of a fluent, which may have variables, in sentences."""
        if self.failure:
            return [f"Nothing is proved of it: {self.failure}."]
        found = []
        own = folded(fluent)
        form = signature(own)
        count = sum(n for (name, arity), n in self.counts.items() if (name.lower(), arity) == form)
        if not count:
            return ["No fluent of this form can hold."]
        if count > 1 or not own.is_ground:
            found.append(f"{count:,} fluent{'s' * (count != 1)} of this form can hold.")
        met = [group for group in self.groups if any(may_be(own, each) for each in group[1])]
        if met:
            found.append(_group_text(*met[0]))
            if len(met) > 1:
                found[-1] += f" It is in {len(met) - 1:,} more group{'s' * (len(met) > 2)}."
        if any(may_be(own, each) for each in self.turns):
            found.append("It tells whose turn it is (proved).")
        about = [text for term, text in self.found or () if may_be_equal(own, folded(term))]
        if len(about) > 1:
            about[1:] = [f"So {'is' if len(about) == 2 else 'are'} {len(about) - 1:,} more."]
        return found + about


def _group_text(exact: bool, fluents: tuple[Term, ...]) -> str:
    listed = ", ".join(code(str(each)) for each in fluents[:MOST_SHOWN])
    more = f" and {len(fluents) - MOST_SHOWN} more" if len(fluents) > MOST_SHOWN else ""
    how = "Exactly one" if exact else "At most one"
    return f"{how} of {listed}{more} holds in every state (proved)."


def may_be(pattern: Term, fluent: Term) -> bool:
    """Whether a folded pattern stands for a ground fluent."""
    if signature(pattern) != (fluent.name.lower(), fluent.arity):
        return False
    return may_be_equal(pattern, folded(fluent))


def folded(term: Term) -> Term:
    """The term with all names in small letters."""
    return Term(term.name.lower(), tuple(map(folded, term.args)))
