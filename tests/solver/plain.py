"""Compiled loops as Python runs them: the same on small rows, and nothing has to be compiled."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any


def plain(*modules: ModuleType, **others: Callable[..., Any]) -> SimpleNamespace:
    """What is in some modules, all loops in them being plain functions that call each other.

    `others` stand for functions of these names.
    """
    found: dict[str, Any] = {}
    for module in modules:
        found.update(vars(module))
    found["ones"] = lambda word: int(word).bit_count()
    found["lowest"] = lambda word: (int(word) & -int(word)).bit_length() - 1
    for name, function in [*found.items()]:
        if hasattr(function, "py_func"):
            found[name] = FunctionType(function.py_func.__code__, found, name)
    found.update(others)
    return SimpleNamespace(**{k: v for k, v in found.items() if not k.startswith("__")})
