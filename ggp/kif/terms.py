"""Terms: symbols, variables and compound terms, immutable and cheap to compare.

A term's text is canonical KIF: one space between parts, none inside the parentheses' edges.
Terms carry no place in a file; the expressions of `ggp.kif.reader` do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping


class Term:
    """A name applied to zero or more arguments; a name that begins with `?` is a variable.

    >>> Term("cell", (Term("1"), Term("?x")))
    Term('(cell 1 ?x)')
    """

    __slots__ = ("_hash", "_text", "args", "name")

    name: str
    args: tuple[Term, ...]
    _hash: int
    _text: str

    def __init__(self, name: str, args: tuple[Term, ...] = ()) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "args", args)
        object.__setattr__(self, "_hash", hash((name, args)))
        object.__setattr__(self, "_text", name if not args else "")

    def __setattr__(self, key: str, value: object) -> None:
        raise AttributeError("terms are immutable")

    def __reduce__(self) -> tuple[type[Term], tuple[str, tuple[Term, ...]]]:
        return Term, (self.name, self.args)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Term) or self._hash != other._hash:
            return False
        return self.name == other.name and self.args == other.args

    def __str__(self) -> str:
        if not self._text:
            # Called by name, an argument costs least of Python's recursion limit.
            text = f"({' '.join([self.name, *[arg.__str__() for arg in self.args]])})"
            object.__setattr__(self, "_text", text)
        return self._text

    def __repr__(self) -> str:
        return f"Term({str(self)!r})"

    def __lt__(self, other: Term) -> bool:
        return str(self) < str(other)

    @property
    def is_variable(self) -> bool:
        """Whether this is a variable such as `?x`."""
        return self.name.startswith("?")

    @property
    def arity(self) -> int:
        """Number of arguments."""
        return len(self.args)

    def variables(self) -> Iterator[str]:
        """The variables in reading order, with repetitions."""
        if self.is_variable:
            yield self.name
        for arg in self.args:
            yield from arg.variables()

    def symbols(self) -> Iterator[str]:
        """The names that are no variables in reading order, with repetitions."""
        if not self.is_variable:
            yield self.name
        for arg in self.args:
            yield from arg.symbols()

    @property
    def is_ground(self) -> bool:
        """Whether no variable occurs."""
        return next(self.variables(), None) is None

    def substitute(self, binding: Mapping[str, Term]) -> Term:
        """This term with its variables replaced, to the end of every chain of replacements."""
        if self.is_variable:
            return binding[self.name].substitute(binding) if self.name in binding else self
        if not self.args or not binding:
            return self
        return Term(self.name, tuple(arg.substitute(binding) for arg in self.args))
