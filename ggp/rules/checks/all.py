"""The checks in the order in which they are made."""

from __future__ import annotations

from collections.abc import Callable

from ggp.rules.checks.columns import mismatches
from ggp.rules.checks.constants import chains, odd_arguments, odd_names
from ggp.rules.checks.cycles import dependencies, recursion, stratification
from ggp.rules.checks.layout import layout
from ggp.rules.checks.moves import declared, moves
from ggp.rules.checks.names import arities, spellings
from ggp.rules.checks.safety import safety
from ggp.rules.checks.structure import goals, required_relations, role_arguments, roles
from ggp.rules.checks.uses import fluents_and_relations, undefined, unread, unused
from ggp.rules.checks.variables import bodies, variables
from ggp.rules.sheet import Sheet

Check = Callable[[Sheet], None]

RULES: tuple[Check, ...] = (
    required_relations,
    roles,
    safety,
    stratification,
    recursion,
    dependencies,
    goals,
    role_arguments,
    fluents_and_relations,
    undefined,
    unused,
    arities,
    spellings,
)
"""The rules of GDL; made whenever a sheet is read."""

INTENT: tuple[Check, ...] = (
    mismatches,
    unread,
    moves,
    declared,
    bodies,
    variables,
    chains,
    odd_arguments,
    odd_names,
    layout,
)
"""What was probably not meant; made for people."""
