"""Circuits: simplification, factoring, programs and machine code keep what they compute."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ggp
from ggp.circuits.circuit import FALSE, TRUE, Builder, Circuit
from ggp.circuits.factor import Factoring
from ggp.machine.engine import assembly, codegen, kernels
from ggp.machine.engine import unit as unit_module
from ggp.machine.engine.codegen import generate
from ggp.machine.engine.frames import FIRST, enlarged, new_frame
from ggp.machine.engine.native import Native, compile_code, host
from ggp.machine.engine.program import assemble
from ggp.machine.engine.store import NO_STORE
from ggp.machine.engine.unit import Unit, running
from ggp.machine.passes import passes
from tests.conftest import nightly, shared

INPUTS = 5
CASES = 1 << INPUTS
MASK = (1 << CASES) - 1
PATTERNS = [sum(1 << c for c in range(CASES) if c >> i & 1) for i in range(INPUTS)]
"""For each input the cases in which it is true, all cases together."""


class Meaning:
    """What literals of a builder under construction should be: sets of cases, as integers."""

    def __init__(self) -> None:
        self.builder = Builder()
        self.inputs = self.builder.inputs(INPUTS)
        self.of = {FALSE: 0, TRUE: MASK}
        for literal, cases in zip(self.inputs, PATTERNS, strict=True):
            self.set(literal, cases)

    def set(self, literal: int, cases: int) -> None:
        assert self.of.get(literal, cases) == cases
        self.of[literal], self.of[literal ^ 1] = cases, MASK & ~cases

    def random_gate(self, choose: random.Random, literals: Sequence[int]) -> int:
        a, b, c = (choose.choice(literals) ^ choose.randrange(2) for _ in range(3))
        x, y, z = self.of[a], self.of[b], self.of[c]
        results = {
            "conj": (self.builder.conj(a, b), x & y),
            "disj": (self.builder.disj(a, b), x | y),
            "xor": (self.builder.xor(a, b), x ^ y),
            "mux": (self.builder.mux(a, b, c), (x & y) | (MASK & ~x & z)),
        }
        literal, cases = results[choose.choice(list(results))]
        self.set(literal, cases)
        return literal

    def random_loop(self, choose: random.Random, literals: Sequence[int], size: int) -> list[int]:
        """A few variables, each a monotone function of them; their least fixpoint by iteration."""
        variables = self.builder.inputs(size)
        most = min(3, size + 1)
        shapes = [
            [
                (
                    choose.sample(range(size), choose.randrange(most)),
                    choose.choice(literals),
                )
                for _ in range(choose.randrange(1, 4))
            ]
            for _ in range(size)
        ]
        values = []
        for shape in shapes:
            parts = [
                self.builder.conj_all([*(variables[i] for i in own), outside])
                for own, outside in shape
            ]
            values.append(self.builder.disj_all(parts))
        self.builder.loop(variables, values)
        cases, before = [0] * size, None
        while cases != before:
            before = list(cases)
            for i, shape in enumerate(shapes):
                for own, outside in shape:
                    product = self.of[outside]
                    for j in own:
                        product &= cases[j]
                    cases[i] |= product
        for variable, own in zip(variables, cases, strict=True):
            self.set(variable, own)
        return variables


def random_circuit(seed: int, gates: int, loops: int) -> tuple[Circuit, list[int]]:
    """A circuit and the cases in which each of its outputs is true."""
    choose, meaning = random.Random(seed), Meaning()
    literals = [*meaning.inputs, TRUE]
    for _ in range(loops):
        for _ in range(gates // 4):
            literals.append(meaning.random_gate(choose, literals))
        literals += meaning.random_loop(choose, literals, choose.randrange(1, 5))
    for _ in range(gates):
        literals.append(meaning.random_gate(choose, literals))
    outputs = [choose.choice(literals) ^ choose.randrange(2) for _ in range(8)]
    tail = choose.choice([None, 0, 3, 8])
    circuit = meaning.builder.circuit(meaning.inputs, outputs, tail)
    return circuit, [meaning.of[x] for x in outputs]


def words_of(cases: int) -> np.ndarray:
    """Cases as a row, repeated in each of its words at other places."""
    return np.array([cases << 4 * w & (1 << 64) - 1 for w in range(8)], dtype=np.uint64)


def interpreted(circuit: Circuit) -> np.ndarray:
    program = assemble(circuit)
    frame = new_frame(program.rows)
    for i, cases in enumerate(PATTERNS):
        frame[FIRST + i] = words_of(cases)
    run = running(program)
    kernels.interpret(frame.ctypes.data, run.code, run.sections, 0, program.main)
    kernels.interpret(frame.ctypes.data, run.code, run.sections, program.main, len(run.sections))
    return frame[FIRST + INPUTS :][: len(circuit.outputs)].copy()


def compiled(circuit: Circuit, width: int, words: int) -> np.ndarray:
    native = compile_code(generate(circuit, 0, width, words=words), NO_STORE)
    assert native is not None
    return ran(circuit, native)[:, :words]


def assembled(circuit: Circuit, width: int, words: int) -> np.ndarray:
    code = assembly.assemble_code(circuit, 0, width, words)
    assert code is not None
    return ran(circuit, code)[:, :words]


def ran(circuit: Circuit, code: Native | assembly.Assembled) -> np.ndarray:
    """All outputs, as code gives them."""
    frame = enlarged(new_frame(assemble(circuit).rows), code.rows)
    for i, cases in enumerate(PATTERNS):
        frame[FIRST + i] = words_of(cases)
    _call_all(frame, code.addresses)
    return frame[FIRST + INPUTS :][: len(circuit.outputs)].copy()


def _call_all(frame: np.ndarray, addresses: np.ndarray) -> None:
    import ctypes

    kind = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
    for address in addresses.tolist():
        kind(address)(frame.ctypes.data, frame.ctypes.data, frame.ctypes.data)


def agree(rows: np.ndarray, expected: list[int]) -> bool:
    used = np.stack([words_of(MASK)] * len(rows))[:, : rows.shape[1]]
    wanted = np.stack([words_of(cases) for cases in expected])[:, : rows.shape[1]]
    return bool(np.array_equal(rows & used, wanted & used))


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**9), gates=st.integers(0, 120), loops=st.integers(0, 3))
def test_programs_compute_what_was_built(seed, gates, loops) -> None:
    circuit, expected = random_circuit(seed, gates, loops)
    assert agree(interpreted(circuit), expected)


@pytest.mark.parametrize("width", [1, 2, 4, 8])
@pytest.mark.parametrize("seed", range(6))
def test_machine_code_computes_what_was_built(seed, width, monkeypatch) -> None:
    """In functions of a few gates, so that values go from one to another, in pieces of one or some
    of them, and as a whole."""
    circuit, expected = random_circuit(seed, 90, seed % 3)
    assert agree(compiled(circuit, width, 8), expected)
    monkeypatch.setattr(codegen, "WHOLE", 0)
    monkeypatch.setattr(codegen, "SHORT", 7)
    for piece in (1, 30, 3_000):
        monkeypatch.setattr(codegen, "PIECE", piece)
        assert agree(compiled(circuit, width, 8), expected)
    if width == 1:
        assert agree(compiled(circuit, 1, 1), expected)


def widths_here() -> list[int]:
    """Of vectors that this processor has, if code is assembled for it."""
    return [width for width in (1, 2, 4, 8) if width <= host().width]


@pytest.mark.skipif(not assembly.is_possible(), reason="code is not assembled for this processor")
@pytest.mark.parametrize("width", widths_here())
@pytest.mark.parametrize("seeds", [range(60), *nightly([range(60, 4_000)])])
def test_assembled_code_computes_what_was_built(seeds, width, monkeypatch) -> None:
    """Of no gate, of some that fit the registers, and of many that do not; with loops; row by row,
    and in segments of a few gates, each for one part of the words after the other."""
    for seed in seeds:
        gates = (0, 5, 60, 400)[seed % 4]
        circuit, expected = random_circuit(seed, gates, seed % 3)
        for segment in (250, 7):
            monkeypatch.setattr(assembly, "SEGMENT", segment)
            assert agree(assembled(circuit, width, width), expected)
            assert agree(assembled(circuit, width, 8), expected)


@pytest.mark.skipif(not assembly.is_possible(), reason="code is not assembled for this processor")
def test_assembled_code_cannot_be_written_to() -> None:
    circuit, _ = random_circuit(1, 90, 1)
    code = assembly.assemble_code(circuit, 0, 2, 8)
    assert code is not None
    maps = [line.split() for line in Path("/proc/self/maps").read_text().splitlines()]
    [rights] = [
        line[1]
        for line in maps
        if int(line[0].split("-")[0], 16) <= code.addresses[0] < int(line[0].split("-")[1], 16)
    ]
    assert rights[:3] == "r-x"


def test_where_memory_may_not_be_made_executable_llvm_makes_the_code(monkeypatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("not here")

    monkeypatch.setattr(assembly, "_executable", refuse)
    circuit, expected = random_circuit(5, 90, 1)
    unit = Unit(circuit, choice="llvm", store=NO_STORE)
    unit.compile()
    assert isinstance(unit.native, Native)
    assert agree(ran(circuit, unit.native), expected)


@pytest.mark.skipif(not assembly.is_possible(), reason="code is not assembled for this processor")
def test_a_small_circuit_is_assembled_first_and_compiled_later(monkeypatch) -> None:
    """LLVM's code of a small one is faster; what is assembled stays for who is still in it."""
    monkeypatch.setattr(unit_module, "WORTH", 10)
    circuit, _ = random_circuit(5, 90, 1)
    unit = Unit(circuit, choice="auto", store=NO_STORE)
    assert not len(unit.running(10).compiled)
    for more, kind in ((1, assembly.Assembled), (90, Native)):
        unit.running(more)
        unit._thread.join(60)
        assert isinstance(unit.native, kind)
    # A frame for what was to be run before may be made only now.
    assert unit._assembled is not None
    assert unit.rows >= max(unit._assembled.rows, unit.native.rows)
    assert unit.finish()
    large = Unit(circuit, choice="auto", store=NO_STORE)
    monkeypatch.setattr(codegen, "WHOLE", 0)
    assert large.finish()
    assert isinstance(large.native, assembly.Assembled)


def test_outputs_that_nothing_needs_are_left_out() -> None:
    circuit, _ = random_circuit(3, 100, 0)
    alone = replace(circuit, outputs=circuit.outputs[:1], tail=None)
    assert len(assemble(alone).code) <= alone.needed() + 1 < circuit.needed()


def test_no_gate_is_built_twice() -> None:
    builder = Builder()
    a, b, c = builder.inputs(3)
    assert builder.conj(a, b) == builder.conj(b, a)
    assert builder.xor(a, b ^ 1) == builder.xor(b, a) ^ 1
    assert builder.conj(a, a ^ 1) == FALSE
    assert builder.disj(a, builder.conj(a, b)) == a
    assert builder.conj(a, builder.conj(a ^ 1, c)) == FALSE
    assert builder.conj(a, builder.conj(a, b) ^ 1) == builder.conj(a, b ^ 1)
    assert builder.conj(builder.conj(a, b), builder.conj(a ^ 1, c)) == FALSE


@settings(max_examples=200, deadline=None)
@given(
    cubes=st.lists(
        st.lists(st.tuples(st.integers(0, INPUTS - 1), st.booleans()), max_size=4), max_size=9
    )
)
def test_factoring_keeps_a_disjunction(cubes) -> None:
    meaning = Meaning()
    given_cubes = [[meaning.inputs[i] ^ inverted for i, inverted in cube] for cube in cubes]
    found = Factoring(meaning.builder).disjunction(given_cubes)
    expected = 0
    for cube in given_cubes:
        product = MASK
        for literal in cube:
            product &= meaning.of[literal]
        expected |= product
    circuit = meaning.builder.circuit(meaning.inputs, [found])
    assert agree(interpreted(circuit), [expected])


def test_most_moves_are_asked_the_other_way_round() -> None:
    """Exactly one move is made: "one of all but two" is "none of these two"."""
    builder = Builder()
    moves = builder.inputs(50)
    found = Factoring(builder, [moves]).disjunction([[m] for m in moves[2:]])
    assert builder.circuit(moves, [found]).needed() == 1


def test_common_literals_are_taken_out() -> None:
    builder = Builder()
    a, *rest = builder.inputs(9)
    found = Factoring(builder).disjunction([[a, x] for x in rest])
    assert builder.circuit([a, *rest], [found]).needed() == 8


def test_the_text_is_compiled_for_other_processors() -> None:
    """128-bit vectors on aarch64; nothing in the text is of x86."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        target = llvm.Target.from_triple("aarch64-unknown-linux-gnu")
    except RuntimeError:
        pytest.skip("LLVM was built without aarch64")
    circuit, _ = random_circuit(1, 90, 2)
    for piece in generate(circuit, 0, 2).pieces:
        machine = target.create_target_machine(opt=1)
        assert len(machine.emit_object(llvm.parse_assembly(piece.text))) > 500


@pytest.mark.parametrize("name", ["connectFour", "breakthroughSmall", "cubicup_3player"])
def test_passes_leave_fewer_gates(name) -> None:
    """Of all functions of a net together; packing adds the conversions in and out."""
    game = ggp.load(shared("corpus", "games", f"{name}.kif"))
    counts = passes(game.net, ())
    lowered = [counts[key] for key in ("as_written", "hashed", "factored", "one_move")]
    assert lowered == sorted(lowered, reverse=True)
    assert lowered[0] > lowered[-1] > 0
    stages = [counts[f"step_{key}"] for key in ("choice", "next", "end", "goals")]
    # The choice has gates for moves that change nothing, too.
    needed = game.machine.step.circuit.needed()
    assert needed <= sum(stages) <= needed + len(game.net.legal)
    assert counts["step_rows"] < counts["step_instructions"]
