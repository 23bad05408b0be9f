"""One game solved on a cluster: the layers of one machine, also when actors are lost."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from contextlib import suppress

import psutil
import pytest

import ggp
from ggp.cluster.solving.actors import Actors
from ggp.errors import InputError, LimitReached, NotSolvable
from ggp.solver.layers.packed import Keeping
from ggp.solver.layers.solution import LayerSolution
from tests.conftest import GAMES, ROOT, nightly
from tests.solver.test_layers import layered

FOUR = GAMES / "connect-four" / "connect-four.kif.jinja"


def members() -> list[psutil.Process]:
    """The processes of actors, of those that the tests began."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if any("Member" in word for word in process.cmdline()):
                found.append(process)
    return found


def require_same(one: LayerSolution, many: LayerSolution) -> None:
    """The same positions, each with the same value."""
    ours, theirs = one.layers, many.layers
    assert (ours.ranks, ours.scores, ours.moves) == (theirs.ranks, theirs.scores, theirs.moves)
    assert len(ours) == len(theirs)
    for rank in ours.ranks:
        layer = ours.layers[rank].sorted()
        codes, missing = theirs.layers[rank].look_up(layer.keys.copy())
        assert not missing
        assert codes.tobytes() == layer.values.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("parts", [2, *nightly([1, 4])])
def test_any_number_of_parts_makes_the_same_layers(ray, parts) -> None:
    game = ggp.load(FOUR, columns=4, rows=3, line=3)
    many = layered(game, keeping=Keeping(elsewhere=Actors(ray, parts)))
    one = layered(game)
    require_same(one, many)
    for ask in ("value", "best", "outcome"):
        assert getattr(many, ask)(game.initial) == getattr(one, ask)(game.initial)
    told = many.told_elsewhere()
    assert told
    assert told["parts"] == parts
    assert (told["messages"] > 0) == (parts > 1)


@pytest.mark.slow
def test_actors_killed_at_random_change_nothing(ray, tmp_path) -> None:
    """Each is made anew from its files, and what it was asked is asked again."""
    game = ggp.load(FOUR, columns=4, rows=4)
    one, chosen, killed = layered(game), random.Random(3), set()

    class Deadly(Actors):
        """Kills one of its processes whenever some more layers are done."""

        def solve(self, plan, rows, folder, about, budget, progress):
            stop = threading.Event()

            def reap() -> None:
                known = 0
                while not stop.wait(0.02) and len(killed) < 4:
                    done = len(list(folder.glob("part-*/moved-*.npy")))
                    running = members()
                    if done >= known + 4 and running:
                        known = done
                        with suppress(psutil.NoSuchProcess):
                            victim = chosen.choice(running)
                            victim.kill()
                            killed.add(victim.pid)

            thread = threading.Thread(target=reap)
            thread.start()
            try:
                return super().solve(plan, rows, folder, about, budget, progress)
            finally:
                stop.set()
                thread.join()

    many = layered(game, keeping=Keeping(checkpoint=tmp_path / "kept", elsewhere=Deadly(ray, 2)))
    assert len(killed) > 1
    require_same(one, many)
    del many
    # What is there is gone on with, and is the same.
    again = layered(game, keeping=Keeping(checkpoint=tmp_path / "kept", elsewhere=Actors(ray, 2)))
    require_same(one, again)


def test_a_table_is_written_by_those_who_have_the_parts(ray, tmp_path) -> None:
    pytest.importorskip("pyarrow")
    game = ggp.load(FOUR, columns=4, rows=3, line=3)
    many = layered(game, keeping=Keeping(elsewhere=Actors(ray, 2)))
    count = many.write_table(tmp_path / "t", ggp.limits.Budget())
    table = ggp.tablebase(tmp_path / "t")
    assert len(table) == count == many.positions
    for state, _ in game.random_playout(seed=2):
        assert table[state]["goals"] == many.value(state)
    names = sorted(path.name for path in (tmp_path / "t").iterdir())
    assert names == ["part-00000-of-00002.parquet", "part-00001-of-00002.parquet"]


@pytest.mark.slow
def test_faults_and_limits_are_told_as_on_one_machine(ray) -> None:
    game = ggp.load(FOUR, columns=4, rows=3)
    with pytest.raises(LimitReached, match="positions = 500"):
        game.solve(keeping=Keeping(elsewhere=Actors(ray, 2)), positions=500)
    with pytest.raises(LimitReached, match="time"):
        game.solve(keeping=Keeping(elsewhere=Actors(ray, 2)), time=0.0)
    chance = ggp.parse(
        "(role a) (role random) (init s) (<= (legal a x) (true s)) (<= (legal random y) (true s))"
        "(<= (next t) (does a x)) (<= terminal (true t)) (goal a 100) (goal random 0)"
    )
    with pytest.raises(NotSolvable, match="without chance"):
        chance.solve(keeping=Keeping(elsewhere=Actors(ray, 2)))
    for parts in (3, 1 << 20):
        with pytest.raises(InputError, match="a power of two"):
            Actors(ray, parts)


def test_other_machines_need_a_folder_that_all_share(ray) -> None:
    """Files for the time being would be on machines where nobody removes them."""

    class Far(Actors):
        """On a machine of another name."""

        is_here = False

    game = ggp.load(FOUR, columns=4, rows=3, line=3)
    assert Actors(ray, 2).is_here
    with pytest.raises(InputError, match="a folder all share"):
        game.solve(keeping=Keeping(elsewhere=Far(ray, 2)))


@pytest.mark.slow
def test_the_command_says_what_was_sent(ggp_, address, tmp_path) -> None:
    command = ["solve", str(FOUR), "--set", "columns=4", "--set", "rows=3", "--set", "line=3"]
    code, alone, _ = ggp_(*command, "--method", "layers", "--format", "json")
    assert code == 0
    own = ["--cluster", address, "--parts", "2", "--format", "json", "--table", str(tmp_path / "t")]
    code, shared, _ = ggp_(*command, *own)
    assert code == 0
    one, many = json.loads(alone), json.loads(shared)
    assert many["cluster"]["parts"] == 2
    assert many["table"]["positions"] == one["positions"]
    for data in (one, many):
        for name in ("seconds", "cluster", "table"):
            data.pop(name, None)
    assert one == many
    code, _, error = ggp_(*command, "--parts", "2")
    assert code == 2
    assert "--cluster" in error


@pytest.mark.slow
def test_a_machine_that_is_lost_changes_nothing(tmp_path) -> None:
    """Of two, with a folder that both have: its actors are made anew on the other."""
    pytest.importorskip("ray")
    command = [sys.executable, "-m", "tests.cluster.two_machines", str(tmp_path / "kept")]
    own = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, env=own, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert "1,974,174 positions, 0 wrong" in done.stdout, done.stderr[-2000:]
