"""Modules that are imported when they are first needed.

numba takes a third of a second to import, linear programs (scipy) as long, and LLVM some more; who
only reads rules, or looks at a few states, should not wait for them.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

on_compile: list[Callable[[], None]] = []
"""Called when the loops have to be compiled for this machine, which takes some seconds."""


class Later:
    """Stands for a module until something of it is used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:  # noqa: ANN401 - whatever the module has
        value = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, value)
        return value
