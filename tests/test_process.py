"""Processes of their own, and the end of the one that began them."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ggp import process

LEAVING = """
import asyncio, sys, threading, time
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from ggp.process import Process

join = BaseProcess.join

def slow(process, timeout=None):
    # Python joins all processes when it ends: here another thread gets ahead of it.
    if threading.current_thread() is threading.main_thread():
        process.kill()
        time.sleep(1)
        print("joined", file=sys.stderr)
    join(process, timeout)

async def main():
    Process(Connection.recv, print, 10**9)
    BaseProcess.join = slow

asyncio.run(main())
"""


def test_a_process_is_not_closed_while_python_ends_and_joins_it() -> None:
    """It was met in a player that was ended by a signal: "process object is closed"."""
    done = subprocess.run(
        [sys.executable, "-c", LEAVING], capture_output=True, text=True, check=True
    )
    assert done.stderr in ("", "joined\n")


ORPHANED = """
import asyncio, os, signal, sys
from multiprocessing.forkserver import _forkserver
from ggp.process import Process

def life(pipe):
    pipe.send("here")
    pipe.recv()

async def main():
    for _ in range(2):
        here = asyncio.Event()
        process = Process(life, lambda word: here.set(), 10**9)
        await here.wait()
        process.close()
        os.kill(_forkserver._forkserver_pid, signal.SIGKILL)
    print("twice")

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.skipif(not process.FORKS, reason="nothing can be forked here")
def test_a_process_begins_though_what_it_is_forked_from_was_killed(tmp_path: Path) -> None:
    """A player had no answer to the next START."""
    file = tmp_path / "orphaned.py"
    file.write_text(ORPHANED)
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "twice\n"), done.stderr


INTERRUPTED = """
import asyncio, os, signal
from multiprocessing import forkserver
from ggp import process

async def main():
    process.preload("slow_to_load")
    waiting = asyncio.ensure_future(process.warm())
    while forkserver._forkserver._forkserver_pid is None:
        await asyncio.sleep(0)
    os.kill(forkserver._forkserver._forkserver_pid, signal.SIGINT)
    try:
        await waiting
    except EOFError:
        print("gone")

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.mark.skipif(not process.FORKS, reason="nothing can be forked here")
def test_what_processes_are_forked_from_ends_without_a_word_at_ctrl_c(tmp_path: Path) -> None:
    """It printed where it had been interrupted, among other things while Python began."""
    (tmp_path / "slow_to_load.py").write_text("import time; time.sleep(600)")
    file = tmp_path / "interrupted.py"
    file.write_text(INTERRUPTED)
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("gone\n", "")


FOREIGN = "print('run')"

FORKED = "from ggp.process import load; load()"
SPAWNED = "from ggp.pool import spread; list(spread(abs, [1, -2], 2))"


@pytest.mark.parametrize("beginning", [FORKED, SPAWNED])
def test_no_process_runs_what_lies_in_the_folder_that_it_is_begun_in(
    beginning: str, tmp_path: Path
) -> None:
    """`python -c`, by which multiprocessing begins them, looks there first."""
    for name in ("multiprocessing", "random", "json", "ggp"):
        (tmp_path / f"{name}.py").write_text(FOREIGN)
    guarded = f"if __name__ == '__main__':\n    {beginning}\n"
    (tmp_path / "main").mkdir()
    (tmp_path / "main" / "main.py").write_text(guarded)
    command = [sys.executable, str(tmp_path / "main" / "main.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("", "")


def test_who_waits_for_processes_can_be_ended(monkeypatch) -> None:
    """Where loading takes half a minute, which a thread waits for; what fails there is raised."""
    loaded, failing = threading.Event(), threading.Event()

    def load() -> None:
        loaded.wait()
        if failing.is_set():
            raise EOFError

    monkeypatch.setattr(process, "load", load)

    async def scene() -> None:
        waiting = asyncio.create_task(process.warm())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        waiting = asyncio.create_task(process.warm())
        loaded.set()
        await waiting
        failing.set()
        with pytest.raises(EOFError):
            await process.warm()

    asyncio.run(scene())
