"""Many things done on a cluster: what comes back, and what does not."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from importlib import import_module

import pytest

from ggp.cluster.pool import _Tasks, spread_over
from ggp.errors import InputError
from ggp.facts import run
from tests.cluster import works
from tests.test_facts import _Bomb, replace, small_instances

TEN = [(number, 2 * number) for number in range(10)]


@pytest.mark.parametrize("jobs", [1, 2, 3, None])
def test_each_item_comes_back_once_with_its_number(ray, jobs) -> None:
    assert sorted(spread_over(ray, works.doubled, range(10), jobs)) == TEN
    assert list(spread_over(ray, works.doubled, [], jobs)) == []


def test_an_item_whose_worker_is_lost_is_given_to_another(ray, tmp_path, capfd) -> None:
    work = partial(works.dies_once, str(tmp_path / "mark"))
    assert sorted(spread_over(ray, work, range(10))) == TEN
    assert (tmp_path / "mark").exists()
    assert capfd.readouterr() == ("", ""), "Ray would tell of the worker on standard output"


def test_an_item_that_kills_every_worker_is_none_and_the_others_are_done(ray) -> None:
    found = dict(spread_over(ray, works.dies_at_three, range(10)))
    assert found == {**dict(TEN), 3: None}


@pytest.mark.slow
def test_an_instance_that_kills_every_worker_is_a_failure_that_is_told(ray) -> None:
    listed = small_instances()
    asked = [replace(listed[0], facts=_Bomb()), listed[1]]
    found = dict(run(asked, spread=lambda work, items: spread_over(ray, work, items)))
    assert [found[n].verdicts[0].status for n in range(2)] == ["failed", "held"]
    assert "ended without an answer" in found[0].verdicts[0].why


def test_items_are_taken_when_there_is_room(ray) -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for number in range(200):
            taken += 1
            yield number

    jobs, furthest = 2, 0
    for done, _ in enumerate(spread_over(ray, works.doubled, items(), jobs), 1):
        furthest = max(furthest, taken - done)
    assert taken == 200
    assert furthest <= jobs


@pytest.mark.slow
def test_what_is_under_way_ends_where_nobody_waits_any_more(ray) -> None:
    for _ in range(8):  # some tasks are on their way to a worker, where a cancellation misses them
        waiting = spread_over(ray, works.sleeps, [0, 3_600, 3_600, 3_600])
        assert next(waiting) == (0, 0)
        waiting.close()
        end = time.monotonic() + 600
        while ray.available_resources().get("CPU") != 3:
            assert time.monotonic() < end
            time.sleep(0.1)


def test_a_fault_of_ours_is_not_hidden(ray) -> None:
    with pytest.raises(KeyError):
        list(spread_over(ray, works.raises, [1]))


def test_workers_of_another_edition_are_refused(ray, monkeypatch) -> None:
    monkeypatch.setattr("ggp.cluster.pool.edition", lambda: "another")
    with pytest.raises(InputError, match="another version of ggp"):
        list(spread_over(ray, works.doubled, range(10)))


def test_workers_that_lack_a_module_are_told_of(ray, monkeypatch, tmp_path) -> None:
    (tmp_path / "nowhere_else.py").write_text("def work(number): return number\n")
    monkeypatch.syspath_prepend(tmp_path)
    work = import_module("nowhere_else").work
    with pytest.raises(InputError, match="cannot load what is to be done: No module named 'nowh"):
        list(spread_over(ray, work, range(10)))


class Pretended:
    """In place of Ray: tasks of which the first so many end by themselves when they are waited
    for, and the others once they are cancelled."""

    def __init__(self, soon: int) -> None:
        self.soon, self.cancelled = soon, []

    def remote(self, **_):
        return lambda answer: self

    def put(self, work):
        return work

    def wait(self, tasks, num_returns, timeout):
        ended = [task for task in tasks if task <= self.soon or task in self.cancelled]
        return ended, [task for task in tasks if task not in ended]

    def cancel(self, task, force) -> None:
        self.cancelled.append(task)


@pytest.mark.parametrize("soon", [0, 2, 3])
def test_what_ends_soon_is_not_cancelled(soon) -> None:
    """Ray ends the program where a task ends just when it is cancelled: "Tried to complete task
    that was not pending" (ray-project/ray, pull request 54798)."""
    pretended = Pretended(soon)
    tasks = _Tasks(pretended, works.doubled)
    tasks._under_way = {number: (number, None) for number in (1, 2, 3)}
    tasks.cancel()
    assert pretended.cancelled == [1, 2, 3][soon:]
    assert len(tasks) == 0
    tasks.cancel()
    assert len(pretended.cancelled) == 3 - soon
