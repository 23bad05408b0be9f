"""Rules that never fire: no play comes to a state and a move in which the body holds.

Each rule's body is given a second head, a fluent of its own. Grounding derives at least all that
play can reach, so that a fluent it does not derive proves that the rule is dead; where all
positions are enumerated, every move is made once more and what then holds is looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ggp.ground import ground
from ggp.ground.net import FALSE, Net
from ggp.kif import Term
from ggp.limits import Limits, look
from ggp.lint.met import Met
from ggp.machine import Machine
from ggp.rules import Rule, RuleSet, Signature, may_be_equal, signature

MAX_EDGES = 400_000
"""Moves that are made once more."""


def _clauses(rules: RuleSet) -> list[list[Rule]]:
    """The rules of each clause with a body that can be dead, in the order of the sheet."""
    found: dict[int, list[Rule]] = {}
    for rule in rules.rules:
        found.setdefault(rule.span.start, []).append(rule)
    return [own for own in found.values() if not any(rule.is_fact for rule in own)]


def _marked(rules: RuleSet, clauses: list[list[Rule]]) -> tuple[RuleSet, list[Term]]:
    """The rules with one more for each clause, whose head is a fluent that nothing else makes."""
    name = "fired"
    while name in rules.names:
        name += "-"
    marks = [Term(name, (Term(str(i)),)) for i in range(len(clauses))]
    more = [
        replace(rule, head=Term("next", (mark,)))
        for mark, own in zip(marks, clauses, strict=True)
        for rule in own
    ]
    return RuleSet(rules.source, (*rules.rules, *more), rules.symbols, ()), marks


def dead_rules(states: Met, limits: Limits) -> tuple[list[tuple[Rule, bool]], bool]:
    """The clauses that never fire, each by its first rule and whether grounding proves it; and
    whether these are all of them.

    Raises `LimitReached`.
    """
    rules = states.game.rules
    clauses = _clauses(rules)
    marked, marks = _marked(rules, clauses)
    net = ground(marked, limits)
    column = {fluent: i for i, fluent in enumerate(net.fluents)}
    possible = [i for i, m in enumerate(marks) if m in column and net.next[column[m]] != FALSE]
    found = {i: True for i in range(len(marks)) if i not in set(possible)}
    # Where a role has no move at all, no joint move can be made.
    is_all = states.is_all and all(net.moves)
    is_all = is_all and len(states.context.reachable.target) <= MAX_EDGES
    if is_all and possible:
        wanted = np.array([column[marks[i]] for i in possible])
        fired = np.zeros(len(possible), dtype=np.bool_)
        moving = rules.graph.depending_on([("does", 2)])
        static = np.array([_is_of_ends(clauses[i], moving) for i in possible])
        for held, is_end in _steps(states, net):
            now = held[:, wanted].any(axis=0)
            fired |= now & static if is_end else now
        found.update({possible[i]: False for i in np.flatnonzero(~fired).tolist()})
    return [(clauses[i][0], proved) for i, proved in sorted(found.items())], is_all


def roots(rules: RuleSet, dead: Collection[int]) -> set[int]:
    """The dead clauses (by the start of their span) that are not dead because of other ones.

    A clause rests on others where all that could make an atom of its body, other than by recursion,
    are dead. Where each of them rests on the others, the first one.
    """
    made = _makers(rules)
    found = set()
    for rule in rules.rules:
        others = [atom for atom in rule.positive if signature(atom) != signature(rule.head)]
        if rule.span.start in dead and not any(_dies(atom, made, dead) for atom in others):
            found.add(rule.span.start)
    return found or set(sorted(dead)[:1])


def led_by(rules: RuleSet, dead: Collection[int], false: Collection[int]) -> set[int]:
    """The dead clauses that may be dead because of such as have an atom that is always false: one
    of these, or one that rests on it, might make an atom of theirs."""
    made = _makers(rules)
    resting: dict[int, set[int]] = {}
    for rule in rules.rules:
        own = rule.positive if rule.span.start in dead else ()
        for atom in own:
            for maker in (m for m in made.get(signature(atom), ()) if _alike(atom, m.head)):
                resting.setdefault(maker.span.start, set()).add(rule.span.start)
    found: set[int] = set()
    todo = list(false)
    while todo:
        new = resting.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


def _makers(rules: RuleSet) -> dict[Signature, list[Rule]]:
    """The rules that make what an atom of a body rests on."""
    made: dict[Signature, list[Rule]] = {}
    for rule in rules.rules:
        made.setdefault(_provides(rule.head), []).append(rule)
    return made


def _provides(head: Term) -> Signature:
    """What an atom of a body must be to rest on a head: a fluent, a move, or a relation."""
    if head.name in ("init", "next"):
        return ("true", 1)
    return ("does", 2) if head.name == "legal" else signature(head)


def _dies(atom: Term, made: Mapping[Signature, list[Rule]], dead: Collection[int]) -> bool:
    """Whether everything that could make an atom is dead, and there is something."""
    makers = [r for r in made.get(signature(atom), ()) if _alike(atom, r.head)]
    return bool(makers) and all(rule.span.start in dead for rule in makers)


def _alike(atom: Term, head: Term) -> bool:
    """Whether a head that `_provides` for an atom may be that very one."""
    return may_be_equal(Term("", atom.args), Term("", head.args))


def _is_of_ends(rules: list[Rule], moving: frozenset[Signature]) -> bool:
    """Whether rules say something at an end of play, where nobody may move and nothing is next."""
    if rules[0].head.name in ("legal", "next", "sees"):
        return False
    atoms = (atom for rule in rules for atom in (*rule.positive, *rule.negative))
    return not any(signature(atom) in moving for atom in atoms)


def _steps(states: Met, net: Net) -> Iterator[tuple[NDArray[np.bool_], bool]]:
    """What holds after every move, and, told apart, after some move or other at the ends of play:
    there what does not hang on the move is looked at."""
    machine, space = Machine(net), states.context.reachable
    place = {fluent: i for i, fluent in enumerate(net.fluents)}
    columns = np.array([place[fluent] for fluent in states.game.net.fluents], dtype=np.int64)
    some = np.array([[net.move_offset[role] for role in range(len(net.roles))]], dtype=np.int32)
    ends = np.flatnonzero(space.out_degree == 0)
    for start, held in states.held():
        look("rules that never fire")
        all_held = np.zeros((len(held), len(net.fluents)), dtype=np.bool_)
        all_held[:, columns] = held
        rows = machine.coding.pack(all_held)
        stop = start + len(held)
        edges = slice(int(space.first_edge[start]), int(space.first_edge[stop]))
        source = space.source[edges] - start
        for first in range(0, len(source), 65_536):
            part = slice(first, first + 65_536)
            joint = space.joint[edges][part]
            yield machine.coding.held(machine.next(rows[source[part]], joint)), False
        own = ends[(ends >= start) & (ends < stop)] - start
        if len(own):
            yield machine.coding.held(machine.next(rows[own], some.repeat(len(own), axis=0))), True
