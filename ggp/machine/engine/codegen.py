"""Circuits as LLVM IR: straight-line code on vectors of words.

Text, in the form that LLVM 20 and later read. No name and no number in it comes from a rule sheet:
values are numbered, and constants are rows of a frame. Long circuits are cut into short functions,
since the time to compile a function grows faster than its length, and into pieces of some
functions, since no piece may take long; what one function leaves to another goes through rows of
the frame. Where functions are short, nothing is left for LLVM to gain by a longer look at them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ggp.circuits.circuit import Circuit, Loop
from ggp.machine.engine.frames import FIRST, WORDS
from ggp.machine.engine.polarity import AND, ANDN, OR, XOR, Polarity
from ggp.machine.engine.schedule import Section, schedule

WHOLE, WHOLE_STEP = 4_000, 16_000
"""Gates of a circuit, or of its tail, up to which it is one function; and of one whose state moves
on. As a whole they run about a third faster than in short functions, which is lost where code no
longer fits a cache, and take three times as long to compile, or more the more outputs they have.
Figures: docs/strength.md."""

SHORT, PIECE = 50, 3_000
"""Gates of a function, and of a piece, of larger ones; but a loop stays whole."""

_ROW = 8 * WORDS


@dataclass(frozen=True)
class CodePiece:
    """The text of a function `ENTRY` and of those that it calls.

    `is_tail`: whether only the tail of the outputs needs it; `is_short`: whether functions are so
    short that they are compiled without optimisation.
    """

    text: str
    is_tail: bool
    is_short: bool


@dataclass(frozen=True)
class Code:
    """A circuit as pieces to be called in order; `rows`: of the frame that they work on."""

    pieces: tuple[CodePiece, ...]
    rows: int


ENTRY = "step"
"""`void step(frame, before, after)`: addresses of the frame, of the row of the first state input,
and of the row of the first state output."""


def generate(circuit: Circuit, state: int, width: int, *, words: int = WORDS) -> Code:
    """The code of a circuit whose first `state` inputs and outputs are a state's.

    `width`: words of a vector; `words`: how many of the words of a row are worked on.
    """
    return _Generator(circuit, state, width, words).code()


def is_whole(circuit: Circuit, state: int) -> bool:
    """Whether a circuit is small enough to become one function, or two with its tail."""
    return len(circuit.first) <= (WHOLE_STEP if state else WHOLE)


@dataclass
class _FunctionPart:
    """What becomes one function."""

    sections: list[Section]
    is_tail: bool
    is_short: bool
    outputs: range

    @property
    def size(self) -> int:
        """Its gates."""
        return sum(len(section.nodes) for section in self.sections)


@dataclass
class _Writing:
    """A piece that is being written."""

    is_tail: bool
    is_short: bool
    functions: list[str] = field(default_factory=list)
    size: int = 0

    @property
    def is_full(self) -> bool:
        """Whether the next function is to go into another piece."""
        return self.size >= PIECE

    def add(self, text: str, part: _FunctionPart) -> None:
        """One more function."""
        self.functions.append(text)
        self.size += part.size

    def done(self, chunks: int, width: int) -> CodePiece:
        """The piece: each function is called for one vector of each row after the other."""
        lines = [f"define void @{ENTRY}(ptr %frame, ptr %before, ptr %after) {{"]
        for k in range(1, chunks):
            for base in _BASES:
                lines.append(f"%{base}{k} = getelementptr i8, ptr %{base}, i64 {8 * width * k}")
        for number in range(len(self.functions)):
            for k in range(chunks):
                given = ", ".join(f"ptr %{base}{k or ''}" for base in _BASES)
                lines.append(f"call void @part{number}({given})")
        lines.append("ret void\n}\n")
        text = "".join(self.functions) + "\n".join(lines)
        return CodePiece(text, self.is_tail, self.is_short)


class _Generator:
    def __init__(self, circuit: Circuit, state: int, width: int, words: int) -> None:
        self.circuit, self.state, self.width, self.words = circuit, state, width, words
        self.polarity = Polarity(circuit)
        self.input = {node: i for i, node in enumerate(circuit.inputs)}
        self.rows = FIRST + len(circuit.inputs) + len(circuit.outputs)
        self.row: dict[int, int] = {}

    def code(self) -> Code:
        parts = self._parts()
        last_part: dict[int, int] = {}
        for i, part in enumerate(parts):
            for node in self._used(part):
                last_part[node] = i
        free: list[int] = []
        ending: dict[int, list[int]] = {}
        pieces: list[_Writing] = []
        for i, part in enumerate(parts):
            left = [n for s in part.sections for n in _made(s) if last_part.get(n, i) > i]
            rows = {n: free.pop() if free else self._new_row() for n in left}
            if not pieces or pieces[-1].is_full or pieces[-1].is_tail != part.is_tail:
                pieces.append(_Writing(part.is_tail, part.is_short))
            pieces[-1].add(
                _FunctionWriter(self, part, rows, len(pieces[-1].functions)).text(), part
            )
            self.row.update(rows)
            free += [self.row.pop(node) for node in ending.pop(i, ())]
            for node in left:
                ending.setdefault(last_part[node], []).append(node)
        chunks = self.words // self.width
        return Code(tuple(piece.done(chunks, self.width) for piece in pieces), self.rows)

    def _new_row(self) -> int:
        self.rows += 1
        return self.rows - 1

    def _parts(self) -> list[_FunctionPart]:
        polarity, outputs = self.polarity, len(self.circuit.outputs)
        order = schedule(self.circuit, polarity.first, polarity.second)
        split = outputs if self.circuit.tail is None else self.circuit.tail
        whole = WHOLE_STEP if self.state else WHOLE
        parts = list(_cut(order.main, range(split), whole, is_tail=False))
        if split < outputs:
            parts += _cut(order.tail, range(split, outputs), whole, is_tail=True)
        return parts

    def _used(self, part: _FunctionPart) -> Iterator[int]:
        first, second = self.polarity.first, self.polarity.second
        for section in part.sections:
            yield from (first[section.nodes] >> 1).tolist()
            yield from (second[section.nodes] >> 1).tolist()
            if section.loop:
                yield from (value >> 1 for value in section.loop.values)
        for j in part.outputs:
            yield self.circuit.outputs[j] >> 1


def _made(section: Section) -> Sequence[int]:
    return [*section.nodes.tolist(), *(section.loop.variables if section.loop else ())]


def _cut(
    sections: Sequence[Section], outputs: range, whole: int, *, is_tail: bool
) -> Iterator[_FunctionPart]:
    """Sections in parts, each for a function, or all in one if they have no more than `whole`
    gates; the last one has the outputs."""
    is_short = sum(len(section.nodes) for section in sections) > whole
    most = SHORT if is_short else whole
    current: list[Section] = []
    size = 0
    for section in sections:
        starts = [0] if section.loop else range(0, len(section.nodes), most)
        for start in starts:
            stop = len(section.nodes) if section.loop else start + most
            piece = Section(section.nodes[start:stop], section.loop)
            if current and size + len(piece.nodes) > most:
                yield _FunctionPart(current, is_tail, is_short, range(0))
                current, size = [], 0
            current.append(piece)
            size += len(piece.nodes)
    yield _FunctionPart(current, is_tail, is_short, outputs)


_BASES = ("frame", "before", "after")

_PLAIN = {AND: "and", OR: "or", XOR: "xor"}


class _FunctionWriter:
    """Writes the function of one part."""

    def __init__(
        self, generator: _Generator, part: _FunctionPart, left: dict[int, int], number: int
    ) -> None:
        self.generator, self.part, self.left, self.number = generator, part, left, number
        self.polarity = generator.polarity
        self.type = f"<{generator.width} x i64>" if generator.width > 1 else "i64"
        self.ones = "splat (i64 -1)" if generator.width > 1 else "-1"
        self.lines: list[str] = []
        self.values: dict[int, str] = {0: "zeroinitializer" if generator.width > 1 else "0"}
        self.count = 0

    def text(self) -> str:
        given = ", ".join(f"ptr %{base}" for base in _BASES)
        self._say(f"define internal void @part{self.number}({given}) {{\nentry:")
        for i, section in enumerate(self.part.sections):
            if section.loop:
                self._loop(section, section.loop, i)
            else:
                self._gates(section)
        for j in self.part.outputs:
            self._store(self._exact(self.generator.circuit.outputs[j]), self._output(j))
        for node, row in self.left.items():
            self._store(self.values[node], self._place("frame", row))
        self._say("ret void\n}")
        return "\n".join(self.lines) + "\n"

    def _say(self, line: str) -> None:
        self.lines.append(line)

    def _new(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def _define(self, expression: str) -> str:
        name = self._new()
        self.lines.append(f"{name} = {expression}")
        return name

    def _place(self, base: str, row: int) -> str:
        return self._define(f"getelementptr i8, ptr %{base}, i64 {row * _ROW}")

    def _output(self, j: int) -> str:
        if j < self.generator.state:
            return self._place("after", j)
        return self._place("frame", FIRST + len(self.generator.circuit.inputs) + j)

    def _store(self, value: str, place: str) -> None:
        self._say(f"store {self.type} {value}, ptr {place}, align {8 * self.generator.width}")

    def _value(self, node: int) -> str:
        """The value of a node, loaded where another part or the caller has left it."""
        known = self.values.get(node)
        if known is None:
            i = self.generator.input.get(node)
            if i is None:
                place = self._place("frame", self.generator.row[node])
            elif i < self.generator.state:
                place = self._place("before", i)
            else:
                place = self._place("frame", FIRST + i)
            align = 8 * self.generator.width
            known = self._define(f"load {self.type}, ptr {place}, align {align}")
            self.values[node] = known
        return known

    def _not(self, value: str) -> str:
        return self._define(f"xor {self.type} {value}, {self.ones}")

    def _exact(self, literal: int) -> str:
        kept = self.polarity.literal(literal)
        value = self._value(kept >> 1)
        return self._not(value) if kept & 1 else value

    def _gates(self, section: Section) -> None:
        polarity, nodes = self.polarity, section.nodes
        columns = nodes, polarity.operation[nodes], polarity.left[nodes], polarity.right[nodes]
        for node, operation, left, right in zip(*(c.tolist() for c in columns), strict=True):
            a, b = self._value(left), self._value(right)
            if operation == ANDN:
                a = self._not(a)
            name = _PLAIN.get(operation, "and")
            self.values[node] = self._define(f"{name} {self.type} {a}, {b}")

    def _loop(self, section: Section, loop: Loop, number: int) -> None:
        """A block that is repeated until its variables, at first false, change no more."""
        first, second = self.generator.circuit.first, self.generator.circuit.second
        nodes = section.nodes.tolist()
        inside = {*nodes, *loop.variables}
        outside = [x >> 1 for node in nodes for x in (first[node], second[node])]
        for node in [*outside, *(value >> 1 for value in loop.values)]:
            if node not in inside:
                self._value(node)
        head, start = f"loop{number}", f"before{number}"
        self._say(f"br label %{start}\n{start}:\nbr label %{head}\n{head}:")
        place = len(self.lines)
        for variable in loop.variables:
            self.values[variable] = self._new()
        self._gates(section)
        news = [self._exact(value) for value in loop.values]
        olds = [self.values[variable] for variable in loop.variables]
        zero = self.values[0]
        self.lines[place:place] = [
            f"{old} = phi {self.type} [ {zero}, %{start} ], [ {new}, %{head} ]"
            for old, new in zip(olds, news, strict=True)
        ]
        changed = zero
        for old, new in zip(olds, news, strict=True):
            changed = self._define(
                f"or {self.type} {changed}, {self._define(f'xor {self.type} {old}, {new}')}"
            )
        bits = f"i{64 * self.generator.width}"
        if self.generator.width > 1:
            changed = self._define(f"bitcast {self.type} {changed} to {bits}")
        again = self._define(f"icmp ne {bits} {changed}, 0")
        self._say(f"br i1 {again}, label %{head}, label %after{number}\nafter{number}:")
