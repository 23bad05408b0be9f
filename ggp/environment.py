"""The environment that processes of our own are begun in."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

_beginning = threading.Lock()


def same_modules() -> dict[str, str]:
    """Variables by which a Python process finds the modules that this one finds, and none in the
    folder that it is begun in: who plays in a folder of strangers' files runs none of them."""
    return {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONSAFEPATH": "1"}


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    """Variables of the environment, set while this lasts."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def begin(process: BaseProcess) -> None:
    """Start a process of `multiprocessing`, and what it is forked from where that does not run
    yet."""
    with _beginning, environment(same_modules()):
        process.start()
