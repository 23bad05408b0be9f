"""Long work: its parts, its limits, and its end."""

from __future__ import annotations

import asyncio
import gc
import inspect
import threading
import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any

import psutil
import pytest

from ggp.errors import InputError, LimitReached, UnknownName
from ggp.studio import jobs
from ggp.studio.asking import Refusal, Room, answer_to
from ggp.studio.jobs import Heed, Job, Jobs, Say
from ggp.studio.tasks import TASKS

MEMORY = 1 << 30


def count(order: int, say: Say, heed: Heed) -> None:
    for number in range(order):
        heed(f"{number} of {order}")
        say({"slot": str(number)})


def fail(order: str, say: Say, heed: Heed) -> None:
    say({"slot": "first"})
    raise InputError(order)


def pass_a_limit(order: object, say: Say, heed: Heed) -> None:
    raise LimitReached("roles", 1)


def break_down(order: object, say: Say, heed: Heed) -> None:
    raise ZeroDivisionError("oh")


def forever(order: object, say: Say, heed: Heed) -> None:
    say({"slot": "first"})
    while True:
        pass


def swell(order: object, say: Say, heed: Heed) -> None:
    kept = []
    while True:
        kept.append(bytearray(100 << 20))


def chatter(order: object, say: Say, heed: Heed) -> None:
    while True:
        say({"html": "x" * 100_000})


def double(order: int) -> int:
    return 2 * order


def sleep(order: float) -> float:
    time.sleep(order)
    return order


def die(order: object) -> None:
    raise SystemExit


def remembered() -> Callable[[int], list[int]]:
    kept: list[int] = []

    def answer(order: int) -> list[int]:
        kept.append(order)
        return kept

    return answer


async def ended(job: Job) -> Job:
    while not job.is_over:
        await asyncio.sleep(0.01)
    return job


def run(work: Callable[[Jobs], Awaitable[Any]]) -> Any:
    async def main() -> Any:
        all_jobs = Jobs()
        try:
            return await asyncio.wait_for(work(all_jobs), 120)
        finally:
            all_jobs.close()

    return asyncio.run(main())


def test_parts_come_in_their_order_and_from_where_one_asks() -> None:
    async def work(all_jobs: Jobs) -> None:
        job = await ended(all_jobs.begin(count, 5, 60, MEMORY))
        told = job.told(3)
        assert (told["state"], told["count"]) == ("done", 5)
        assert told["parts"] == [{"slot": "3"}, {"slot": "4"}]

    run(work)


@pytest.mark.parametrize(
    ("task", "order", "why"),
    [
        (fail, "<b>no</b>", "<b>no</b>"),
        (break_down, None, "ZeroDivisionError: oh"),
        (swell, None, "memory"),
        (pass_a_limit, None, "limit reached: roles = 1"),
    ],
)
def test_what_goes_wrong_is_told(task: jobs.Work, order: object, why: str) -> None:
    async def work(all_jobs: Jobs) -> None:
        job = await ended(all_jobs.begin(task, order, 60, MEMORY))
        assert job.state == "failed"
        assert why in job.progress
        assert job.progress.count("limit reached") == why.count("limit reached")

    run(work)


def test_what_came_before_a_fault_or_the_end_is_kept() -> None:
    async def work(all_jobs: Jobs) -> None:
        job = await ended(all_jobs.begin(fail, "no", 60, MEMORY))
        assert job.told(0)["parts"] == [{"slot": "first"}]
        endless = all_jobs.begin(forever, None, 1.0, MEMORY)
        await ended(endless)
        assert (endless.state, endless.progress) == ("stopped", "stopped after 1 s")

    run(work)


def test_stop_ends_the_process_and_lets_the_next_begin() -> None:
    async def work(all_jobs: Jobs) -> None:
        first, second = (all_jobs.begin(forever, None, 600, MEMORY) for _ in range(2))
        third = all_jobs.begin(count, 1, 600, MEMORY)
        assert [job.state for job in (first, second, third)] == ["working", "working", "waiting"]
        all_jobs.stop(second)
        await ended(third)
        assert [job.state for job in (first, second, third)] == ["working", "stopped", "done"]
        assert first.process
        assert second.process
        assert (first.process.alive, second.process.alive) == (True, False)

    run(work)


def test_work_whose_page_is_closed_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "ABANDONED", 0.0)

    async def work(all_jobs: Jobs) -> None:
        job = all_jobs.begin(forever, None, 600, MEMORY)
        await asyncio.sleep(0.01)
        all_jobs.sweep()
        assert job.state == "stopped"

    run(work)


def test_results_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MAX_BYTES", 1_000_000)

    async def work(all_jobs: Jobs) -> None:
        job = await ended(all_jobs.begin(chatter, None, 600, MEMORY))
        assert job.state == "stopped"
        assert job.size <= 1_200_000

    run(work)


def test_only_so_many_wait_and_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "MOST_WAITING", 2)
    monkeypatch.setattr(jobs, "MOST_KEPT", 3)

    async def work(all_jobs: Jobs) -> None:
        begun = [all_jobs.begin(forever, None, 600, MEMORY) for _ in range(4)]
        with pytest.raises(Refusal, match="too much"):
            all_jobs.begin(count, 1, 600, MEMORY)
        for job in begun:
            all_jobs.stop(job)
        last = all_jobs.begin(count, 1, 600, MEMORY)
        with pytest.raises(UnknownName, match="no such job"):
            all_jobs.get(begun[0].token)
        assert all_jobs.get(last.token) is last

    run(work)


@pytest.mark.parametrize("name", TASKS)
def test_every_task_is_a_function_that_is_there(name: str) -> None:
    work = TASKS[name].work
    module = import_module(f"ggp.studio.work.{work.module}")
    assert list(inspect.signature(getattr(module, work.name)).parameters) == [
        "order",
        "say",
        "heed",
    ]


def test_a_question_is_answered_by_a_process_of_its_own() -> None:
    async def work(all_jobs: Jobs) -> None:
        assert await answer_to(double, 4, 60, MEMORY) == 8
        with pytest.raises(Refusal, match=r"more than 0\.5 s"):
            await answer_to(sleep, 600, 0.5, MEMORY)
        with pytest.raises(Refusal, match="memory"):
            await answer_to(die, None, 60, MEMORY)

    run(work)


def test_a_room_keeps_what_it_has_and_answers_in_turn() -> None:
    async def work(all_jobs: Jobs) -> None:
        room = Room(remembered, MEMORY)
        answers = await asyncio.gather(*(room.ask(n, 60) for n in range(5)))
        assert answers[-1] == [0, 1, 2, 3, 4]
        room.close()
        with pytest.raises(Refusal, match="gone"):
            await room.ask(5, 60)

    run(work)


def test_what_is_over_holds_no_files_open() -> None:
    async def work(all_jobs: Jobs) -> list[int]:
        held = []
        for number in range(13):
            job = all_jobs.begin(count, 2, 60.0, MEMORY)
            await ended(job)
            room = Room(remembered, MEMORY)
            await room.ask(number, 60.0)
            room.close()
            if number in (2, 12):
                await asyncio.to_thread(_until_threads_end)
                held.append(psutil.Process().num_fds())
        return held

    gc.disable()  # it would close what nothing refers to at some time
    try:
        before, after = run(work)
    finally:
        gc.enable()
    assert after <= before


def _until_threads_end() -> None:
    """Those that listen to processes; others stay."""
    for thread in threading.enumerate():
        if thread.name.endswith(("(_listen)", "(_dictate)")):
            thread.join()
