"""What is told of long work."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from ggp.cli.spreading import counted
from ggp.show.progress import Told


def test_what_is_left_is_at_least_so_much_until_all_is_found() -> None:
    """With a clock that goes on by ten seconds each time that it is looked at."""
    ticks = iter(range(0, 1000, 10))
    told = Told("solving", lambda: next(ticks))
    assert told(1000, 100) == (
        "solving: 1,000 positions found, 900 waiting, 10/s, at least 0:01:30 to go"
    )
    assert told(5000, 5000) == "solving: 5,000 positions found, 0 waiting, 250/s"
    # Once more over what is known, from a new beginning.
    assert told(5000, 1000) == "solving: 1,000 of 5,000 positions, 100/s, about 0:00:40 to go"
    assert told(5000, 5000).endswith("5,000 of 5,000 positions, 250/s")
    # Another way is tried from the beginning: again more are found.
    assert "about" in told(100, 10)
    assert told(300, 100).endswith("300 positions found, 200 waiting, 5/s, at least 0:00:40 to go")


@pytest.mark.parametrize("shown", [True, False])
def test_only_one_bar_is_shown_at_a_time(shown) -> None:
    """Where each of some shows how far it is, their number is not shown beside it."""
    terminal = Console(force_terminal=True, file=StringIO(), width=80)
    with counted(terminal, "files", 2, shown=shown) as more:
        more(1)
    assert ("1/2" in terminal.file.getvalue()) == shown
