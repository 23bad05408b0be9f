"""Functions that numba compiles when they are first called, and keeps on disk.

numba takes a third of a second to import, so that only modules of such functions import this one.
"""

# Classes of numba have no types.
# mypy: disable-error-code="no-untyped-call,misc"

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import numpy as np
from llvmlite import ir
from numba import njit, typeof, types
from numba.core import event
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys

from ggp.later import on_compile

Function = TypeVar("Function", bound=Callable[..., Any])


def rests_on(function: Callable[..., Any]) -> str:
    """A digest of all sources that the code of a compiled function is made of: those of what it
    calls, and the constants that these name, wherever they come from."""
    found = {("source", _digest(__file__))}
    done, todo = set(), [function]
    while todo:
        one = todo.pop()
        if one in done:
            continue
        done.add(one)
        found.add(("source", _digest(one.__code__.co_filename)))
        names = _names(one.__code__)
        values = [(name, one.__globals__.get(name)) for name in names]
        modules = [value for _, value in values if isinstance(value, ModuleType)]
        values += [(name, getattr(module, name, None)) for module in modules for name in names]
        for name, value in values:
            called = getattr(value, "py_func", None) or getattr(value, "_defn", None)
            if isinstance(called, FunctionType):
                todo.append(called)
            elif isinstance(value, np.ndarray | np.generic):
                found.add((name, f"{value.dtype} {value.shape} {value.tobytes().hex()}"))
            elif isinstance(value, int | float | str | tuple | ir.Type):
                found.add((name, str(value)))
    return hashlib.sha256(repr(sorted(found)).encode()).hexdigest()


def _names(code: CodeType) -> set[str]:
    """What a function names, and those within it do."""
    inner = [_names(one) for one in code.co_consts if isinstance(one, CodeType)]
    return set(code.co_names).union(*inner)


@cache
def _digest(path: str) -> str:
    """Of a source as it was when its loops were first met."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def note_source(function: Callable[..., Any]) -> None:
    """Take down what a source is when it is imported: it may be edited before it is compiled."""
    with contextlib.suppress(OSError):
        _digest(function.__code__.co_filename)


class _Cache(FunctionCache):
    """numba's cache on disk, which may be spoiled, or full, without harm.

    numba takes code for new as long as the file of its function is what it was; here it is also
    asked what that function calls.
    """

    def __init__(self, function: Function, *, for_python: bool) -> None:
        super().__init__(function)
        self._for_python = for_python

    def _index_key(self, sig: object, codegen: object) -> object:
        return super()._index_key(sig, codegen), self._for_python, rests_on(self._py_func)

    def load_overload(self, sig: object, target_context: object) -> object:
        """Compiled code, or None; a spoiled index is begun anew.

        numba first learns all that it could compile, which takes it a third of a second; what is
        compiled needs its memory manager alone.
        """
        try:
            rtsys.initialize(target_context)
            return self._load_overload(sig, target_context)
        except Exception:
            with contextlib.suppress(Exception):
                self.flush()
            return None

    def save_overload(self, sig: object, data: object) -> None:
        """Keep compiled code if that can be done."""
        with contextlib.suppress(Exception):
            super().save_overload(sig, data)


class _Kernel(CPUDispatcher):
    """What Python calls: a compiled function and what takes its arguments out of objects of Python.

    For other kernels it stands for `part`, the same function without that, which is a third of the
    time that compiling takes where the arguments are many arrays.
    """

    part: Dispatcher

    @property
    def _numba_type_(self) -> types.Dispatcher:
        return types.Dispatcher(self.part)


def kernel(function: Function) -> Function:
    """Compile a function when it is first called, and keep the code on disk where that can be.

    It makes no arrays: nobody counts who uses those that are given, and what calls it has it as a
    part of its own code. Else each call counts for each array, there and back, and hands over seven
    words for each, which may take ten times as long as what is done.
    """
    return _compiled(function, counts=False)


def array_kernel(function: Function) -> Function:
    """The same for a function that makes arrays, or is given one by another function."""
    return _compiled(function, counts=True)


def _compiled(function: Function, *, counts: bool) -> Function:
    note_source(function)
    compiled = njit(nogil=True, no_cfunc_wrapper=True, _nrt=counts)(function)
    part = njit(
        nogil=True,
        no_cfunc_wrapper=True,
        no_cpython_wrapper=True,
        _nrt=counts,
        forceinline=not counts,
    )(function)
    # No folder that can be written to: compiled in every process.
    with contextlib.suppress(RuntimeError):
        compiled._cache = _Cache(function, for_python=True)
        part._cache = _Cache(function, for_python=False)
    compiled.__class__, compiled.part = _Kernel, part
    return cast(Function, compiled)


def is_there(function: Callable[..., Any], *arguments: object) -> bool:
    """Whether a kernel has been compiled for such arguments, here or on disk, so that calling it
    takes no longer than loading it."""
    compiled = cast(_Kernel, function)
    types_of = tuple(map(typeof, arguments))
    if types_of in compiled.overloads:
        return True
    try:
        key = compiled._cache._index_key(types_of, compiled.targetctx.codegen())
        return key in compiled._cache._cache_file._load_index()
    except Exception:  # no folder for code, or another numba: then it is not known
        return False


class _Notice(event.Listener):
    """Tells when something has to be compiled that was not in numba's cache."""

    def on_start(self, event: event.Event) -> None:
        """A function is compiled."""
        for tell in on_compile:
            tell()

    def on_end(self, event: event.Event) -> None:
        """It is done."""


event.register("numba:compile", _Notice())
