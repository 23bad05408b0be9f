"""Python functions written line by line.

Nothing of a rule sheet gets into their text: variables, constants and relations are numbers.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.deduce.program import MOVE, STATE, STATIC

CONTEXT = {STATIC: "None", STATE: "c", MOVE: "d"}
"""The name of the context that a function of each level works on."""


class Function:
    """The text of one function on contexts of a level.

    It consists of rules, each of them a nest of loops; where a condition does not hold, the
    innermost loop goes on to its next row. `outer` counts the loops that the function is called in.
    In a `lazy` one no more is asked for than is needed to go on; one that `mixes` goes through the
    rows of tables by chance where that is wished.
    """

    def __init__(
        self, name: str, level: int, parameters: Sequence[str], outer: int = 0,
        *, lazy: bool = False,
    ) -> None:  # fmt: skip
        self.name = name
        self.level = level
        self.parameters = parameters
        self.loops = 0
        self.outer = outer
        self.lazy, self.mixes = lazy, False
        self._prologue: dict[str, None] = {}
        self._lines: list[str] = []
        self._conditions: list[str] = []
        self._in_rule = False
        self._names = 0

    def fresh(self) -> str:
        """A new name for a local variable."""
        self._names += 1
        return f"v{self._names}"

    def first(self, line: str) -> None:
        """A line at the beginning of the function, once."""
        if self.level == MOVE:
            self._prologue.setdefault("c = d[0]")
        self._prologue.setdefault(line)

    def begin_rule(self) -> None:
        """What follows is a rule: a loop of one round, to be left where a condition fails."""
        self.loops, self._conditions, self._in_rule = 0, [], True
        self._lines.append(" for _ in once:")

    def end_rules(self) -> None:
        """What follows is done after all rules."""
        self.loops, self._conditions, self._in_rule = 0, [], False

    def condition(self, text: str) -> None:
        """Whatever follows is done only where `text` holds."""
        self._conditions.append(text)

    def line(self, text: str) -> None:
        """A statement."""
        if self._conditions:
            conditions, self._conditions = self._conditions, []
            self._write(f"if not ({' and '.join(conditions)}): continue")
        self._write(text)

    def _write(self, text: str) -> None:
        self._lines.append(" " * (1 + self._in_rule + self.loops) + text)

    def loop(self, target: str, rows: str) -> None:
        """Whatever follows is done for each row."""
        # Deep joins may last: every inner one counts against the limits. What hangs on no state is
        # evaluated whole, so that each row of it counts.
        if self.level == STATIC:
            listed = self.fresh()
            self.line(f"{listed} = {rows}")
            self.line(f"n[0] -= len({listed})")
            self.line("if n[0] < 0: tick()")
            rows = listed
        elif self.outer + self.loops > 1:
            self.line("n[0] -= 1")
            self.line("if n[0] < 0: tick()")
        rows = f"mix({rows})" if self.mixes else rows
        self.line(f"for {target} in {rows}:")
        self.loops += 1

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
