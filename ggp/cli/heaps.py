"""Heaps of any size for `ggp solve`: of `--heap`, and of a start beyond the chain of the sheet."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ggp.cli.common import err, facts_from, print_json, say
from ggp.cli.files import write_whole
from ggp.errors import GgpError, NotSolvable
from ggp.game import Game
from ggp.limits import Budget
from ggp.show import heaps_text, progress
from ggp.show.plots import heaps_plot
from ggp.solver.any_heap import any_heaps
from ggp.solver.any_row import RowSum, any_sum
from ggp.solver.heap_sum import HeapSum
from ggp.text import plain


def solve_heaps(
    game: Game,
    sizes: tuple[int, ...],
    budget: Budget,
    form: str,
    plot: Path | None,
    title: str,
    *,
    misere: bool,
) -> int:
    """Solve a sum of heaps of any size by what is proved of the sheet's."""
    with progress(err, "proving"), game.within(budget):
        found = any_sum(game, budget, misere=misere).of(sizes)
        if plot:
            if found.nim_values is None:
                raise GgpError("under misère play heaps have no nim-values that could be drawn")
            if isinstance(found, RowSum):
                raise GgpError("nim-values are drawn of heaps, and these are runs of tokens")
            named = [(h.pattern, g) for h, g in zip(found.heaps, found.games, strict=True)]
            write_whole(plot, heaps_plot(named, title).data(plot.suffix))
    code = tell_heaps(found, form)
    if plot and form != "json":
        say(plain(f"  picture: {plot}"))
    return code


def heaps_beyond(game: Game, start: str, budget: Budget, *, misere: bool) -> HeapSum | None:
    """A start with heaps that are larger than any of the sheet, if that is what it is."""
    facts = facts_from(start, "--from")
    with suppress(NotSolvable), progress(err, "proving"), game.within(budget):
        return any_heaps(game, budget, misere=misere).at(facts)
    return None


def tell_heaps(found: HeapSum | RowSum, form: str) -> int:
    """Print a sum of heaps of any size."""
    data = found.as_json()
    if form == "json":
        print_json("solve-heaps", data)
    else:
        say(heaps_text(data))
    return 0
