"""Compiled circuits: LLVM through llvmlite, for the machine that this runs on.

LLVM's own optimisations of the text are off (a circuit has been through better ones) and code is
made in the order of the text: time to compile is linear in the gates, about 0.1 ms each.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.later import Later
from ggp.machine.engine.codegen import ENTRY, Code, CodePiece
from ggp.machine.engine.store import Store, default_store

if TYPE_CHECKING:
    import llvmlite.binding as llvm
else:
    llvm = Later("llvmlite.binding")

_LEVELS = {False: 1, True: 0}
"""LLVM's level of code generation for pieces, and for those of short functions; higher ones take
far longer for nothing."""


@dataclass(frozen=True)
class Host:
    """The machine: LLVM's names for its processor and features, and the words of a vector."""

    cpu: str
    features: str
    width: int


@cache
def host() -> Host:
    """What this machine can do, as LLVM finds it; plain 128-bit vectors where it does not say."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # Registers are given out in the order of the text, which is depth first.
    llvm.set_option("ggp", "-enable-misched=false")
    known = llvm.get_host_cpu_features()
    width = 8 if known.get("avx512f") else 4 if known.get("avx2") else 2
    return Host(llvm.get_host_cpu_name(), known.flatten(), width)


class Native:
    """Compiled pieces of a circuit; their code lives as long as this does."""

    def __init__(self, code: Code) -> None:
        self.rows = code.rows
        self.main = sum(not piece.is_tail for piece in code.pieces)
        self.addresses: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._engines: list[llvm.ExecutionEngine] = []

    def add(self, machine_code: bytes) -> None:
        """Load the code of the next piece."""
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target(0))
        engine.add_object_file(llvm.ObjectFileRef.from_data(machine_code))
        engine.finalize_object()
        self._engines.append(engine)
        address = engine.get_function_address(ENTRY)
        self.addresses = np.append(self.addresses, np.int64(address))


def compile_code(
    code: Code, store: Store | None = None, stop: threading.Event | None = None
) -> Native | None:
    """The compiled form of a circuit, taken from the store where it is there.

    None where `stop` was set before the end; pieces that were done are in the store then.
    """
    store = store or default_store()
    native = Native(code)
    for piece in code.pieces:
        if stop is not None and stop.is_set():
            return None
        native.add(_piece(piece, store))
    return native


def _piece(piece: CodePiece, store: Store) -> bytes:
    machine, level = host(), _LEVELS[piece.is_short]
    version = ".".join(map(str, llvm.llvm_version_info))
    key = "\n".join((version, machine.cpu, machine.features, str(level), piece.text))
    known = store.get(key)
    if known is None:
        known = _compiled(piece.text, level)
        store.put(key, known)
    return known


def _compiled(text: str, level: int) -> bytes:
    return bytes(_target(level).emit_object(llvm.parse_assembly(text)))


def _target(level: int) -> llvm.TargetMachine:
    machine = host()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=machine.cpu, features=machine.features, opt=level, jit=True
    )
