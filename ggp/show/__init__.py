"""Results for people and programs: terminal text, plain data, graphs."""

from ggp.show.findings import finding_line, finding_table, heap_table, value_text
from ggp.show.heaps import subtraction_dot, subtraction_svg
from ggp.show.net import net_figures
from ggp.show.progress import progress
from ggp.show.report import report
from ggp.show.solution import NO_SOLUTION, heaps_text, solution_json, solution_text, verdict
from ggp.show.statistics import statistics_table
from ggp.show.strategy import strategy_text
from ggp.show.summary import summary

__all__ = [
    "NO_SOLUTION",
    "finding_line",
    "finding_table",
    "heap_table",
    "heaps_text",
    "net_figures",
    "progress",
    "report",
    "solution_json",
    "solution_text",
    "statistics_table",
    "strategy_text",
    "subtraction_dot",
    "subtraction_svg",
    "summary",
    "value_text",
    "verdict",
]
