"""Python functions written line by line.

Nothing of a rule sheet gets into their text: variables, constants and relations are numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.deduce.program import MOVE, STATE, STATIC

CONTEXT = {STATIC: "None", STATE: "c", MOVE: "d"}
"""The name of the context that a function of each level works on."""


class Function:
    """The text of one function on contexts of a level; conditions nest, so that all of them hold
    wherever the next line is written. `outer` counts the loops that it is called in."""

    def __init__(self, name: str, level: int, parameters: Sequence[str], outer: int = 0) -> None:
        self.name = name
        self.level = level
        self.parameters = parameters
        self.loops = 0
        self.outer = outer
        self._prologue: dict[str, None] = {}
        self._lines: list[str] = []
        self._indent = 1
        self._conditions: list[str] = []
        self._names = 0

    @property
    def depth(self) -> int:
        """How deep the next line will be nested."""
        return self._indent + bool(self._conditions)

    def fresh(self) -> str:
        """A new name for a local variable."""
        self._names += 1
        return f"v{self._names}"

    def first(self, line: str) -> None:
        """A line at the beginning of the function, once."""
        if self.level == MOVE:
            self._prologue.setdefault("c = d[0]")
        self._prologue.setdefault(line)

    def condition(self, text: str) -> None:
        """Whatever follows is done only where `text` holds."""
        self._conditions.append(text)

    def line(self, text: str) -> None:
        """A statement."""
        if self._conditions:
            conditions, self._conditions = self._conditions, []
            self._open(f"if {' and '.join(conditions)}:")
        self._lines.append(" " * self._indent + text)

    def _open(self, text: str) -> None:
        self._lines.append(" " * self._indent + text)
        self._indent += 1

    def loop(self, target: str, rows: str) -> None:
        """Whatever follows is done for each row."""
        if self.outer + self.loops > 1:
            # Deep joins may last: every inner one counts against the limit.
            self.line("n[0] -= 1")
            self.line("if n[0] < 0: tick()")
        self.line(f"for {target} in {rows}:")
        self._indent += 1
        self.loops += 1

    def restart(self) -> None:
        """Leave all loops and conditions."""
        self._indent, self.loops, self._conditions = 1, 0, []

    def text(self) -> str:
        """The whole function."""
        context = "c" if self.level == STATIC else CONTEXT[self.level]
        head = f"def {self.name}({', '.join([context, *self.parameters])}):"
        body = [" " + line for line in self._prologue] + self._lines
        return "\n".join([head, *(body or [" pass"])])


def row(values: Sequence[str]) -> str:
    """Some columns as one value: bare if there is one, a tuple otherwise."""
    if len(values) == 1:
        return values[0]
    return f"({', '.join(values)})" if values else "()"
