"""Findings as text: one line each, with how certain it is and why."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from ggp.analyse import Counterexample, Finding, Heap
from ggp.text import plain

STYLE = {"proved": "green", "exhaustive": "cyan", "refuted": "magenta", "unknown": "yellow"}


def value_text(value: object) -> str:
    """A finding's value in words."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        names = [v["relation"] if isinstance(v, dict) else str(v) for v in value]
        listed = plain(", ".join(names) or "none")
        return listed if len(listed) <= 15 else f"{len(names)}"
    return f"{value:,}" if isinstance(value, int) else plain(value)


def finding_line(finding: Finding) -> Text:
    """One finding on one line; a witness adds a line with the state that shows it."""
    line = Text()
    line.append(f"{finding.property.replace('_', ' '):<17} ")
    line.append(f"{value_text(finding.value):<15} ", "bold")
    line.append(f"{finding.certainty:<11}", STYLE[finding.certainty])
    line.append(plain(finding.evidence.why), "dim")
    if isinstance(finding.evidence, Counterexample):
        facts = " ".join(finding.evidence.states[0].facts)
        line.append(plain(f"\n{'':<17} in: {facts}"), "dim")
    return line


def heap_table(heaps: tuple[Heap, ...]) -> Table:
    """The heaps with what can be taken from them and their nim-values."""
    table = Table(box=None, pad_edge=False)
    for title in ("heap", "size", "take", "floor", "nim-values from the floor", "period"):
        table.add_column(title, justify="left", overflow="fold")
    for heap in heaps:
        take = ", ".join(map(str, heap.subtraction_set)) if heap.subtraction_set else "by size"
        values = " ".join("–" if v is None else str(v) for v in heap.nim_values[:40])
        period = str(heap.game.period) if heap.game else "–"
        more = " …" if len(heap.nim_values) > 40 else ""
        cells = (plain(heap.pattern), str(heap.size), take, str(heap.floor), values + more, period)
        table.add_row(*map(Text, cells))
    return table
