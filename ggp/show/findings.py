"""Findings as text: one line each, with how certain it is and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rich.table import Table
from rich.text import Text

from ggp.analysis import Counterexample, Finding, Heap
from ggp.text import plain, shortened

MAX_NAMES = 3
"""Heaps alike that are named one by one."""

MAX_FACTS = 400
"""Characters of a witness that are shown."""

STYLE = {"proved": "green", "exhaustive": "cyan", "refuted": "magenta", "unknown": "yellow"}


def value_text(value: object) -> str:
    """A finding's value in words."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        names = [str(next(iter(v.values()))) if isinstance(v, dict) else str(v) for v in value]
        listed = plain(", ".join(names) or "none")
        return listed if len(listed) <= 15 else f"{len(names)}"
    return f"{value:,}" if isinstance(value, int) else plain(value)


Reference = Callable[[str], str | None]
"""Where the states are shown that show a property; None where their facts are to be told."""


def finding_line(finding: Finding, drawn: Reference = lambda _: None) -> Text:
    """One finding on one line; a witness adds a line with the state that shows it, if it is not
    `drawn` somewhere else."""
    line = Text()
    line.append(f"{finding.property.replace('_', ' '):<18} ")
    line.append(f"{value_text(finding.value):<15} ", "bold")
    line.append(f"{finding.certainty:<11}", STYLE[finding.certainty])
    line.append(why_text(finding, drawn(finding.property)).replace("\n", f"\n{'':<19}"), "dim")
    return line


def finding_table(findings: Iterable[Finding], drawn: Reference = lambda _: None) -> Table:
    """Findings as a table whose last column is wrapped between words, for terminals."""
    table = Table.grid(padding=(0, 1, 0, 0))
    for style in ("", "bold", ""):
        table.add_column(style=style, no_wrap=True)
    table.add_column(style="dim", overflow="fold")
    for finding in findings:
        certainty = Text(finding.certainty, STYLE[finding.certainty])
        name = finding.property.replace("_", " ")
        why = Text(why_text(finding, drawn(finding.property)))
        table.add_row(name, Text(value_text(finding.value)), certainty, why)
    return table


def why_text(finding: Finding, reference: str | None = None) -> str:
    """The evidence in a sentence; of a witness the state that shows it as well, or a `reference` to
    where it is shown."""
    why = plain(finding.evidence.why)
    if reference is not None:
        return why + reference
    if isinstance(finding.evidence, Counterexample):
        facts = " ".join(finding.evidence.states[0].facts)
        why += plain(f"\nin: {shortened(facts, MAX_FACTS)}")
    return why


def heap_rows(heaps: tuple[Heap, ...]) -> list[tuple[str, ...]]:
    """The heaps, those alike in one row: names, size, what can be taken, floor, values, period."""
    alike: dict[tuple[object, ...], list[Heap]] = {}
    for heap in heaps:
        alike.setdefault((heap.size, heap.reading, tuple(heap.takes.items())), []).append(heap)
    rows: list[tuple[str, ...]] = []
    for same in alike.values():
        heap = same[0]
        names = ", ".join(h.pattern for h in same[:MAX_NAMES])
        more_names = f" and {len(same) - MAX_NAMES} more" if len(same) > MAX_NAMES else ""
        take = runs_text(heap.subtraction_set) if heap.subtraction_set else "by size"
        values = " ".join("–" if v is None else str(v) for v in heap.nim_values[:40])
        # Of the sizes of a table alone nothing is told that would come again.
        period = str(heap.game.period) if heap.game and heap.scope == "any size" else "–"
        more = " …" if len(heap.nim_values) > 40 else ""
        reading = f" ({heap.reading})" if heap.reading else ""
        size, floor = plain(f"{heap.size}{reading}"), str(heap.floor)
        rows.append((plain(names) + more_names, size, take, floor, values + more, period))
    return rows


def heap_table(heaps: tuple[Heap, ...]) -> Table:
    """The heaps with what can be taken from them and their nim-values; those alike in one row."""
    table = Table(box=None, pad_edge=False)
    for title in ("heap", "size", "take", "floor", "nim-values from the floor", "period"):
        table.add_column(title, justify="left", overflow="fold")
    for row in heap_rows(heaps):
        table.add_row(*map(Text, row))
    return table


def runs_text(numbers: Sequence[int]) -> str:
    """Ascending numbers, three or more in a row as a range: `1, 2, 5–9`."""
    shown: list[str] = []
    start = 0
    for i, n in enumerate(numbers):
        if i + 1 == len(numbers) or numbers[i + 1] != n + 1:
            run = numbers[start : i + 1]
            shown += [f"{run[0]}–{n}"] if len(run) > 2 else list(map(str, run))
            start = i + 1
    return ", ".join(shown)
