"""The reserved words of GDL and GDL-II with what each may stand for."""

from __future__ import annotations

ARITY = {
    "role": 1,
    "init": 1,
    "true": 1,
    "next": 1,
    "base": 1,
    "legal": 2,
    "does": 2,
    "goal": 2,
    "input": 2,
    "sees": 2,
    "terminal": 0,
    "distinct": 2,
    "not": 1,
}
"""Number of arguments that each keyword takes; `or` and `and` take any."""

RULE = "<="
CONNECTIVES = frozenset({"or", "and", "not"})
LOGICAL = CONNECTIVES | {"distinct", RULE}
"""Words that build rules and formulas and can therefore name nothing else."""

CONSTANTS = frozenset({"not"})
"""Words of logic that may all the same be the name of a thing, with a warning."""

RELATIONS = frozenset(ARITY) - LOGICAL
NEVER_HEAD = frozenset({"true", "does"}) | LOGICAL
NEVER_BODY = frozenset({"init", "next", "base", "input", "sees"})
WRAPPERS = frozenset({"true", "init", "next", "base"})
"""Relations whose one argument is a fluent."""

KEYWORDS = RELATIONS | LOGICAL

ROLE_FIRST = frozenset({"legal", "goal", "does", "input", "sees"})
"""Relations whose first argument is a role."""
