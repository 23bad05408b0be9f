"""What `ggp solve` makes of a solution besides the answer: files, counts and sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ggp.cli.common import err, say
from ggp.cli.files import write_whole
from ggp.errors import GgpError
from ggp.game import State
from ggp.kif import Term
from ggp.limits import Budget
from ggp.machine import Progress
from ggp.show import progress, statistics_table, strategy_text
from ggp.show.plots import statistics_plot
from ggp.show.strategy import player_of, promise_text
from ggp.solver import Solution, statistics, verify, write_table
from ggp.solver.controller import controller
from ggp.solver.layers.packed import Keeping
from ggp.solver.layers.solution import LayerSolution
from ggp.solver.passes.solution import PassSolution
from ggp.solver.sentences import sentences
from ggp.text import plain


@dataclass(frozen=True)
class Wanted:
    """What is asked for; `title` is what a picture is called, `threads` those that count."""

    role: str | None
    strategy: Path | None
    plays: Path | None
    explain: bool
    controller: Path | None
    statistics: bool
    plot: Path | None
    table: Path | None
    title: str
    threads: int
    misere: bool


class Outputs:
    """All that is asked for of the solution of a state."""

    def __init__(
        self, wanted: Wanted, solution: Solution[State, Term], state: State, budget: Budget
    ) -> None:
        self._wanted, self._solution, self._state = wanted, solution, state
        self._budget, self._is_drawn = budget, False
        self.data: dict[str, Any] = {}
        """What came of it, as `ggp solve --format json` has it."""

    def make(self) -> GgpError | None:
        """Make it, each output whether or not others can be had; the first error."""
        wanted, failed = self._wanted, None
        steps: dict[str, tuple[object, str, Callable[[Progress | None], object]]] = {
            "strategy": (wanted.strategy, "playing the strategy", self._strategy),
            "plays": (wanted.plays, "playing the strategy", self._plays),
            "sentences": (wanted.explain, "explaining", self._sentences),
            "controller": (wanted.controller, "counting", self._controller),
            "statistics": (wanted.statistics, "counting", self._statistics),
            "table": (wanted.table, "counting", self._table),
        }
        for name, (is_wanted, what, made) in steps.items():
            if is_wanted:
                try:
                    with progress(err, what) as watch, self._state.game.within(self._budget):
                        self.data[name] = made(watch)
                except GgpError as error:
                    failed = failed or error
        return failed

    def tell(self) -> None:
        """Print what came of it."""
        data, wanted = self.data, self._wanted
        if told := data.get("sentences"):
            for one in told["found"]:
                say(plain(f"  how to play {told['player']}: {one['text']}"))
            if not told["found"]:
                say(plain(f"  no sentence was found for {told['player']}"))
        for name in ("strategy", "plays"):
            if made := data.get(name):
                line = f"  {name} of {made['role']}: {made['positions']:,} positions in "
                say(plain(line + made["file"] + _promise(made)))
        if made := data.get("controller"):
            say(
                plain(
                    f"  controller of {made['player']}: {len(made['rules']):,} rules for "
                    f"{made['positions']:,} positions in {made['file']}{_promise(made)}"
                )
            )
        if "statistics" in data:
            say(statistics_table(data["statistics"]))
            if self._is_drawn:
                say(plain(f"  picture: {wanted.plot}"))
        if "table" in data:
            say(plain(f"  table: {data['table']['positions']:,} positions in {wanted.table}"))

    @property
    def _player(self) -> str:
        return player_of(self._solution, self._state, self._wanted.role)

    def _options(self, watch: Progress | None) -> dict[str, Any]:
        return {"misere": self._wanted.misere, "budget": self._budget, "progress": watch}

    def _strategy(self, _: Progress | None) -> dict[str, object]:
        assert self._wanted.strategy
        return self._subtree(self._wanted.strategy, all_plays=False)

    def _plays(self, _: Progress | None) -> dict[str, object]:
        assert self._wanted.plays
        return self._subtree(self._wanted.plays, all_plays=True)

    def _subtree(self, file: Path, *, all_plays: bool) -> dict[str, object]:
        """Write the strategy, or all plays, and say what it promises and how it was checked."""
        solution, state, player = self._solution, self._state, self._player
        strategy = solution.plays(player, state) if all_plays else solution.strategy(player, state)
        checked = verify(strategy)
        if not checked.ok:
            raise GgpError(f"the strategy does not keep its promise: {checked.why}")
        write_whole(file, strategy_text(strategy, file.suffix).encode())
        return {
            "role": player,
            "promise": strategy.promise,
            "may_be_endless": strategy.may_be_endless,
            "positions": strategy.positions,
            "verified": checked.ok,
            "file": str(file),
        }

    def _sentences(self, _: Progress | None) -> dict[str, object]:
        player = self._player
        found = sentences(self._solution, player, self._state, self._budget)
        return {"player": player, "found": [one.as_json() for one in found]}

    def _controller(self, watch: Progress | None) -> dict[str, object]:
        file = self._wanted.controller
        assert file
        made = controller(self._state.game, self._player, self._state, **self._options(watch))
        write_whole(file, made.file(file.suffix).encode())
        return {**made.as_json(), "file": str(file)}

    def _statistics(self, watch: Progress | None) -> dict[str, object]:
        wanted, state = self._wanted, self._state
        keeping = Keeping(wanted.threads)
        found = statistics(state.game, [state], keeping=keeping, **self._options(watch)).as_json()
        self.data["statistics"] = found  # told where the picture cannot be had, too
        if wanted.plot:
            shown = statistics_plot(found, wanted.title)
            write_whole(wanted.plot, shown.data(wanted.plot.suffix))
            self._is_drawn = True
        return found

    def _table(self, watch: Progress | None) -> dict[str, object]:
        solution, file = self._solution, self._wanted.table
        assert file
        if isinstance(solution, LayerSolution | PassSolution) and not file.suffix:
            count = solution.write_table(file, self._budget)
        else:
            count = write_table(file, self._state.game, [self._state], **self._options(watch))
        return {"file": str(file), "positions": count}


def _promise(made: dict[str, Any]) -> str:
    """What a strategy makes sure of, as the end of a line."""
    return f" ({promise_text(made['promise'], may_be_endless=made['may_be_endless'])})"
