"""Many instances checked at once, in processes of their own."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from functools import partial

from ggp.facts.checking import Report, Verdict, check, report_of
from ggp.facts.file import Instance
from ggp.limits import DEFAULT, Limits
from ggp.pool import spread

GONE = "the process that looked at it ended without an answer (out of memory?)"


def run(
    instances: Sequence[Instance], limits: Limits = DEFAULT, jobs: int = 1
) -> Generator[tuple[int, Report]]:
    """The report of each instance and its number, in the order in which they are done.

    With one job all is done in this process. Where this iterator is closed, or Ctrl-C comes, the
    others are ended.
    """
    with closing(spread(partial(_checked, limits), instances, jobs)) as reports:
        for number, report in reports:
            yield number, report or report_of(instances[number], _gone())


def _checked(limits: Limits, instance: Instance) -> Report:
    return check(instance, limits)


def _gone() -> Verdict:
    return Verdict(None, "failed", why=GONE, code=3)
