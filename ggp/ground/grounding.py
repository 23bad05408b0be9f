"""Grounds answer-set programs for another process: a script, run by `ggp.ground.gringo`.

clingo cannot be interrupted while it joins relations; a process (`ggp.child`) can. It tells an
observer of each ground rule. One written in Python takes longer for that than clingo for the rules,
so that here a function in machine code is told, made by LLVM, which is at hand.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Sequence
from functools import cache
from typing import Any

import clingo
from clingo import _internal
from llvmlite import binding as llvm

_RULES, _ALLOWED, _KEPT, _USED, _HEADS, _SIZES, _BODIES, _ROOM = range(8)
"""Places in `_held`: rules that came, and may come; rules and literals that are kept; where the
columns are; and literals that there is room for, -1 when there was not."""

_held = (ctypes.c_int64 * 8)()
"""What the machine code reads and writes; one program is ground at a time."""


def _at(name: str, place: int) -> str:
    return f"  %{name} = getelementptr i64, ptr inttoptr (i64 {{held}} to ptr), i64 {place}"


_CODE = f"""
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define zeroext i1 @rule(i1 zeroext %choice, ptr %head, i64 %heads, ptr %body, i64 %size, ptr %_) {{
{_at("rules_at", _RULES)}
{_at("allowed_at", _ALLOWED)}
{_at("kept_at", _KEPT)}
{_at("used_at", _USED)}
{_at("heads_at", _HEADS)}
{_at("sizes_at", _SIZES)}
{_at("bodies_at", _BODIES)}
{_at("room_at", _ROOM)}
  %before = load i64, ptr %rules_at
  %rules = add i64 %before, 1
  store i64 %rules, ptr %rules_at
  %allowed = load i64, ptr %allowed_at
  %too_many = icmp sgt i64 %rules, %allowed
  br i1 %too_many, label %no, label %counted
counted:
  %room = load i64, ptr %room_at
  %only_count = icmp eq i64 %room, 0
  %headless = icmp eq i64 %heads, 0
  %idle = or i1 %choice, %headless
  %skip = or i1 %idle, %only_count
  br i1 %skip, label %yes, label %keep
keep:
  %used = load i64, ptr %used_at
  %after = add i64 %used, %size
  %too_long = icmp sgt i64 %after, %room
  br i1 %too_long, label %full, label %store
store:
  %kept = load i64, ptr %kept_at
  %first = load i32, ptr %head
  %heads_to = load ptr, ptr %heads_at
  %head_to = getelementptr i32, ptr %heads_to, i64 %kept
  store i32 %first, ptr %head_to
  %sizes_to = load ptr, ptr %sizes_at
  %size_to = getelementptr i32, ptr %sizes_to, i64 %kept
  %short = trunc i64 %size to i32
  store i32 %short, ptr %size_to
  %bodies_to = load ptr, ptr %bodies_at
  %body_to = getelementptr i32, ptr %bodies_to, i64 %used
  %bytes = mul i64 %size, 4
  call void @llvm.memcpy.p0.p0.i64(ptr %body_to, ptr %body, i64 %bytes, i1 false)
  %more = add i64 %kept, 1
  store i64 %more, ptr %kept_at
  store i64 %after, ptr %used_at
  br label %yes
yes:
  ret i1 true
full:
  store i64 -1, ptr %room_at
  br label %no
no:
  ret i1 false
}}
"""

MOST_LITERALS = 1 << 28
"""Literals of all bodies together; memory is taken as they come."""


class _Shown(clingo.Observer):
    """Keeps the atoms that are shown."""

    def __init__(self) -> None:
        self.atoms: list[tuple[str, int]] = []

    def output_atom(self, symbol: clingo.Symbol, atom: int) -> None:
        self.atoms.append((str(symbol), atom))


@cache
def _compiled() -> tuple[Any, int]:
    """What keeps the machine code in memory, and the address of its function."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(jit=True)
    code = llvm.parse_assembly(_CODE.replace("{held}", str(ctypes.addressof(_held))))
    engine = llvm.create_mcjit_compiler(code, target)
    engine.finalize_object()
    return engine, engine.get_function_address("rule")


class _Instances:
    """Counts ground rules, at most `allowed`, and keeps those with a head that are no choices."""

    def __init__(self, allowed: int, keep: bool) -> None:
        room = _room() if keep else 0
        self._columns = [_column(length if keep else 0) for length in (allowed, allowed, room)]
        _held[:] = [0, allowed, 0, 0, *map(_address, self._columns), room]

    @property
    def count(self) -> int:
        """The rules so far."""
        return _held[_RULES]

    @property
    def fault(self) -> str | None:
        """What made an end of it: more rules than are allowed, or no room for their bodies."""
        if _held[_ROOM] < 0:
            return "memory"
        return "rules" if _held[_RULES] > _held[_ALLOWED] else None

    def columns(self) -> list[bytes]:
        """Heads, sizes of bodies, and bodies one after the other, as 32-bit integers."""
        lengths = (_held[_KEPT], _held[_KEPT], _held[_USED])
        return [column[: 4 * n] for column, n in zip(self._columns, lengths, strict=True)]


def _room() -> int:
    """Literals of bodies that there is room for: all that may be, but no more than a quarter of the
    addresses that this process may still have."""
    try:
        import resource
    except ImportError:  # not a POSIX system
        return MOST_LITERALS
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY:
        return MOST_LITERALS
    import psutil

    left = most - int(psutil.Process().memory_info().vms)
    return max(1, min(MOST_LITERALS, left // 16))


def _column(length: int) -> mmap.mmap:
    """Room for so many 32-bit integers, which takes memory only as it is used."""
    size = max(4 * length, 4)
    if not hasattr(mmap, "MAP_ANONYMOUS"):
        return mmap.mmap(-1, size)
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    return mmap.mmap(-1, size, flags=flags)


def _address(column: mmap.mmap) -> int:
    return ctypes.addressof(ctypes.c_char.from_buffer(column))


def _observe(control: clingo.Control, shown: _Shown | None) -> None:
    """Let the machine code be told of each rule in place of the solver, `shown` of shown atoms.

    What `Control.register_observer` does, which takes functions in Python only.
    """
    internal: Any = _internal
    ffi, lib = internal._ffi, internal._lib
    told = ffi.new("clingo_ground_program_observer_t*")
    told.rule = ffi.cast(ffi.typeof(told.rule), _compiled()[1])
    if shown is not None:
        told.output_atom = lib.pyclingo_observer_output_atom
    data = internal._CBData(shown, control._error)
    handle = ffi.new_handle(data)
    control._mem += [handle, told]
    done = lib.clingo_control_register_observer(control._rep, told, True, handle)
    internal._handle_error(done)


def grounded(
    program: str, keep: bool, allowed: int, wanted: Sequence[tuple[str, int]]
) -> dict[str, Any]:
    """The ground program; `atoms`: the texts of the atoms of each wanted signature.

    `fault` says what went wrong: `rules` (more than allowed), `memory`, or what clingo says.
    """
    rules, shown = _Instances(allowed, keep), _Shown()
    try:
        control = clingo.Control(["--warn=none"], logger=lambda code, text: None)
        _observe(control, shown if keep else None)
        control.add("base", [], program)
        control.ground([("base", [])])
    except MemoryError:
        return {"fault": "memory"}
    except Exception as error:
        return {"fault": rules.fault or f"clingo: {error}"}
    by = control.symbolic_atoms.by_signature
    return {
        "rules": rules.count,
        "shown": shown.atoms,
        "atoms": {(n, a): [str(atom.symbol) for atom in by(n, a)] for n, a in wanted},
        "columns": rules.columns(),
    }


def answer(order: tuple[str, bool, int, Sequence[tuple[str, int]]]) -> dict[str, Any]:
    """What `grounded` gives for an order."""
    return grounded(*order)
