"""Who can be free to act: what is folded or shown by the initial state says what a solver says."""

from __future__ import annotations

import pytest

import ggp
from ggp.errors import GgpError
from ggp.ground import freedom as module
from ggp.ground.freedom import Freedom
from ggp.ground.groups import candidates
from ggp.ground.net import Net
from tests.conftest import GAMES, nightly
from tests.oracle.random_games import random_game


class BySolver(Freedom):
    """All that is asked is asked of the solver."""

    def _under(self, given):
        return {}


def answers(kind: type[Freedom], net: Net, fluents: tuple[int, ...], groups) -> list[object]:
    """All that can be asked where one of some fluents holds and no other."""
    freedom = kind(net, fluents, 10.0, groups)
    nodes = [net.first_fluent + f for f in fluents]
    found: list[object] = []
    for held in nodes:
        given = [x if x == held else -x for x in nodes]
        found += [freedom.roles(given), freedom.is_over(given)]
        for role in range(len(net.roles)):
            found += [
                freedom.others_act(given, role),
                freedom.others_wait(given, role),
                freedom.others_wait(given, role, on=True),
            ]
    return found


def compare(game: ggp.Game, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many sets of fluents were asked about."""
    net, count = game.net, 0
    groups = tuple(group for group in candidates(net) if len(group.fluents) > 1)
    for group in groups[:6]:
        for others in ((), tuple(g for g in groups if g != group)):
            with monkeypatch.context() as patched:
                # Else a role with many moves that seem possible is given up early.
                patched.setattr(module, "MAX_WAITING", 1 << 30)
                asked = [answers(kind, net, group.fluents, others) for kind in (Freedom, BySolver)]
            assert asked[0] == asked[1]
            count += 1
    return count


@pytest.mark.parametrize("seed", [*range(12), *nightly(range(12, 150))])
def test_of_random_games(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = ggp.parse(random_game(seed))
    try:
        assert game.net
    except GgpError:
        pytest.skip("not ground")
    compare(game, monkeypatch)


@pytest.mark.parametrize(
    ("sheet", "settings"),
    [
        ("tic-tac-toe/tic-tac-toe.kif", {}),
        ("subtraction/subtraction.kif.jinja", {"heaps": [3, 4]}),
        ("connect-four/connect-four.kif.jinja", {"columns": 3, "rows": 3, "line": 3}),
        ("multiples/multiples.kif.jinja", {"first": 4, "second": 6}),
    ],
)
def test_of_sheets(sheet: str, settings: dict[str, object], monkeypatch) -> None:
    game = ggp.load(GAMES / sheet, **settings)
    assert compare(game, monkeypatch)
