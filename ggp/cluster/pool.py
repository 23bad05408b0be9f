"""Many things done side by side on a cluster: `ggp.pool.spread` on other machines."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from ggp.cluster.task import Other, answer, edition
from ggp.errors import InputError

Item = TypeVar("Item")
Result = TypeVar("Result")

TRIES = 3
"""How often an item is begun whose worker is lost each time."""

AHEAD = 2
"""Tasks under way for each processor, so that none waits for the next one."""

PULSE = 15.0
"""Seconds without a result after which it is asked whether the cluster is there."""

ENDINGS = 40
"""How often a task that nobody waits for is cancelled at most, in case the cluster is gone."""

ENDED = 0.5
"""Seconds after which it is cancelled again."""

SOON = 0.5
"""Seconds that what is under way has to end by itself before it is cancelled."""

REFRESHED = 10.0
"""Seconds after which it is asked again how many processors a cluster has."""


def spread_over(
    ray: Any,  # noqa: ANN401 - a module that says nothing of its types
    work: Callable[[Item], Result],
    items: Iterable[Item],
    jobs: int | None = None,
) -> Generator[tuple[int, Result | None]]:
    """What `work` makes of each item, with the item's number, in the order in which it is done.

    `ray`: as `connected` gives it. At most `jobs` items are under way at once, by default two for
    each processor; further ones are taken when there is room. An item whose worker is lost is
    given to another; None where that happened `TRIES` times. `work` must be a function of a module
    of this package, or a partial one, and raise nothing. Where this iterator is closed, or Ctrl-C
    comes, what is under way is ended. Raises `InputError` where workers have another version,
    and where the cluster is gone.
    """
    tasks = _Tasks(ray, work)
    try:
        yield from _shared_out(tasks, items, jobs)
    finally:
        tasks.cancel()


def _shared_out(tasks: _Tasks, items: Iterable[Any], jobs: int | None) -> Iterator[tuple[int, Any]]:
    waiting = iter(enumerate(items))
    again: deque[tuple[int, Any]] = deque()
    tries: dict[int, int] = {}
    while True:
        room = (jobs or tasks.room()) - len(tasks)
        while room > 0 and (given := again.popleft() if again else next(waiting, None)):
            tasks.give(*given)
            room -= 1
        if not len(tasks):
            return
        for number, item, result in tasks.done():
            if not isinstance(result, _Lost):
                tries.pop(number, None)
                yield number, result
                continue
            tries[number] = tries.get(number, 0) + 1
            if tries[number] < TRIES:
                again.append((number, item))
            else:
                yield number, None


class _Lost:
    """In place of a result: the worker, or what it answered, is gone."""


def _unable(error: Exception) -> InputError:
    found = _MODULE.search(str(error))
    why = found[0] if found else type(error).__name__
    return InputError(f"the cluster's workers cannot load what is to be done: {why}")


_MODULE = re.compile(r"No module named [\w.']+")


class _Tasks:
    """The items that are being worked on."""

    def __init__(self, ray: Any, work: Callable[[Any], Any]) -> None:  # noqa: ANN401
        self._ray = ray
        try:
            self._answer = ray.remote(num_cpus=1, max_retries=0)(answer)
            self._work = ray.put(work)
        except ImportError as error:  # a cluster far away looks at what it is given
            raise _unable(error) from None
        self._under_way: dict[Any, tuple[int, Any]] = {}
        self._room, self._asked = 0, -REFRESHED

    def __len__(self) -> int:
        return len(self._under_way)

    def room(self) -> int:
        """How many items may be under way: the cluster may have grown."""
        if time.monotonic() - self._asked > REFRESHED:
            cores = int(self._ray.cluster_resources().get("CPU", 1))
            self._room, self._asked = AHEAD * max(1, cores), time.monotonic()
        return self._room

    def give(self, number: int, item: object) -> None:
        """Have an item worked on."""
        self._under_way[self._answer.remote(edition(), self._work, item)] = number, item

    def done(self) -> Iterator[tuple[int, Any, Any]]:
        """Number, item and result of those that are done, when there are some."""
        known = list(self._under_way)
        ready: list[Any] = []
        while not ready:
            ready, _ = self._ray.wait(known, num_returns=1, timeout=PULSE)
            if not ready:
                self._require_node()
        rest, _ = self._ray.wait(known, num_returns=len(known), timeout=0)
        for reference in dict.fromkeys([*ready, *rest]):
            number, item = self._under_way.pop(reference)
            yield number, item, self._result(reference)

    def _require_node(self) -> None:
        """Raise `InputError` where the node is gone by which this program is part of a cluster."""
        own = self._ray.get_runtime_context().get_node_id()
        if not any(node["NodeID"] == own and node["Alive"] for node in self._ray.nodes()):
            raise InputError("the cluster's node that this program is connected to is gone")

    def _result(self, reference: Any) -> Any:  # noqa: ANN401
        failures = self._ray.exceptions
        try:
            result = self._ray.get(reference)
        except failures.RayTaskError as error:
            if isinstance(error.cause, ImportError | failures.RaySystemError):
                raise _unable(error.cause) from None
            raise error.cause from None  # what the work raised, which is a fault of ours
        except failures.RayError:
            return _Lost()
        if isinstance(result, Other):
            raise InputError("the cluster's workers have another version of ggp than this program")
        return result

    def cancel(self) -> None:
        """End what is under way.

        A task that is on its way to its worker when it is cancelled may run all the same, and Ray
        does not say so: its result stays open. So each is cancelled until its result is there.
        Where a task ends just when it is cancelled Ray ends this program ("Tried to complete task
        that was not pending"); so what ends soon has time to.
        """
        open_ = list(self._under_way)
        self._under_way.clear()
        with suppress(Exception):  # the cluster may be gone
            if open_:
                _, open_ = self._ray.wait(open_, num_returns=len(open_), timeout=SOON)
            for _ in range(ENDINGS if open_ else 0):
                for reference in open_:
                    self._ray.cancel(reference, force=True)
                _, open_ = self._ray.wait(open_, num_returns=len(open_), timeout=ENDED)
                if not open_:
                    return
