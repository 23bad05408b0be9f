"""Many instances checked at once, in processes of their own or on a cluster."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from ggp.errors import GgpError
from ggp.facts.checking import FactVerdict, InstanceReport, read, report_of, verdicts
from ggp.facts.file import Instance
from ggp.kif import Source
from ggp.limits import DEFAULT, Limits
from ggp.pool import Spread, spread

GONE = "the process that looked at it ended without an answer (out of memory?)"


@dataclass(frozen=True)
class _Reading:
    """Instances with their sheets, which are read as they are asked for."""

    instances: Sequence[Instance]
    limits: Limits

    def __len__(self) -> int:
        return len(self.instances)

    def __iter__(self) -> Iterator[tuple[Instance, Source | GgpError]]:
        for instance in self.instances:
            yield instance, read(instance, self.limits)


def run(
    instances: Sequence[Instance], limits: Limits = DEFAULT, spread: Spread = spread
) -> Generator[tuple[int, InstanceReport]]:
    """The report of each instance and its number, in the order in which they are done.

    By default all is done in this process. Sheets are read here, wherever they are looked at. Where
    this iterator is closed, or Ctrl-C comes, the others are ended.
    """
    with closing(spread(partial(_checked, limits), _Reading(instances, limits))) as reports:
        for number, found in reports:
            yield number, report_of(instances[number], *([_gone()] if found is None else found))


def _checked(limits: Limits, asked: tuple[Instance, Source | GgpError]) -> list[FactVerdict]:
    return verdicts(*asked, limits)


def _gone() -> FactVerdict:
    return FactVerdict(None, "failed", why=GONE, code=3)
