"""Gates that depend on one another, and all that rest on them, atom by atom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ggp.errors import RulesError
from ggp.graphs import strongly_connected_components
from ggp.ground.gates import Bodies
from ggp.ground.net import FALSE, TRUE, Block

Body = tuple[int, ...]


class RecursiveAssembler:
    """Numbers atoms as nodes of a net.

    `rules` maps each atom to its bodies (signed atoms); `settled` maps the other atoms to their
    literals. `literal(atom)` is the literal of an atom after `run`.
    """

    def __init__(
        self, rules: Mapping[int, Iterable[Body]], settled: Mapping[int, int], first_gate: int
    ) -> None:
        self._rules = {atom: tuple(dict.fromkeys(bodies)) for atom, bodies in rules.items()}
        self._literal: dict[int, int] = dict(settled)
        self._first_gate = first_gate
        self._known: dict[Bodies, int] = {}
        self.gates: list[Bodies] = []
        self.blocks: list[Block] = []

    def literal(self, atom: int) -> int:
        """The literal of an atom: an input, a gate, or a constant."""
        return self._literal.get(atom, FALSE)

    def run(self, outputs: Iterable[int]) -> None:
        """Build the gates of all atoms that `outputs` depend on, in topological order.

        Raises `RulesError` where an atom depends on its own negation.
        """
        edges = {
            atom: [abs(x) for body in bodies for x in body if abs(x) in self._rules]
            for atom, bodies in self._rules.items()
        }
        roots = [atom for atom in dict.fromkeys(outputs) if atom in self._rules]
        for component in strongly_connected_components(roots, edges):
            if len(component) == 1 and component[0] not in edges[component[0]]:
                self._literal[component[0]] = self._gate(self._folded(component[0]))
            else:
                self._recursive(component)

    def _folded(self, atom: int) -> list[Body]:
        """The bodies of an atom over nodes, without those that are false."""
        folded = []
        for body in self._rules[atom]:
            literals = {self.literal(x) if x > 0 else -self.literal(-x) for x in body} - {TRUE}
            if FALSE not in literals and not any(-x in literals for x in literals):
                folded.append(tuple(sorted(literals, key=abs)))
        return folded

    def _gate(self, folded: list[Body]) -> int:
        """The literal of an OR of bodies: a constant, a copy of a node, or a gate."""
        if () in folded:
            return TRUE
        bodies = _absorb(folded)
        if not bodies:
            return FALSE
        if len(bodies) == 1 and len(bodies[0]) == 1:
            return bodies[0][0]
        if bodies in self._known:
            return self._known[bodies]
        node = self._first_gate + len(self.gates)
        self._known[bodies] = node
        self.gates.append(bodies)
        self.blocks.append(Block(node, node + 1, recursive=False))
        return node

    def _recursive(self, component: list[int]) -> None:
        """Gates that depend on one another, without those that nothing outside supports."""
        members = set(component)
        for atom in component:
            if any(-x in members for body in self._rules[atom] for x in body):
                raise RulesError("the rules are not stratified: an atom rests on its own negation")
        supported = self._supported(component, members)
        start = self._first_gate + len(self.gates)
        kept = [atom for atom in component if atom in supported]
        for i, atom in enumerate(kept):
            self._literal[atom] = start + i
        gates = [_absorb(self._folded(atom)) for atom in kept]
        if any(bodies == ((),) for bodies in gates):
            # A true member may free others; folding again with it as a constant keeps it simple.
            for atom, bodies in zip(kept, gates, strict=True):
                self._literal[atom] = TRUE if bodies == ((),) else self._literal[atom]
            self._rebuild([a for a, b in zip(kept, gates, strict=True) if b != ((),)])
            return
        self.gates.extend(gates)
        if kept:
            self.blocks.append(Block(start, start + len(kept), recursive=True))

    def _rebuild(self, atoms: list[int]) -> None:
        """Treat the rest of a component anew after some of its members became true."""
        for atom in atoms:
            del self._literal[atom]
        inside = set(atoms)
        edges = {a: [abs(x) for b in self._rules[a] for x in b if abs(x) in inside] for a in atoms}
        for part in strongly_connected_components(atoms, edges):
            if len(part) == 1 and part[0] not in edges[part[0]]:
                self._literal[part[0]] = self._gate(self._folded(part[0]))
            else:
                self._recursive(part)

    def _supported(self, component: list[int], members: set[int]) -> set[int]:
        """The members that could be true if all nodes outside the component could."""
        supported: set[int] = set()
        changed = True
        while changed:
            changed = False
            for atom in component:
                if atom not in supported and any(
                    self._possible(body, members, supported) for body in self._rules[atom]
                ):
                    supported.add(atom)
                    changed = True
        return supported

    def _possible(self, body: Body, members: set[int], supported: set[int]) -> bool:
        for x in body:
            if x in members:
                if x not in supported:
                    return False
            elif (self.literal(x) if x > 0 else -self.literal(-x)) == FALSE:
                return False
        return True


def _absorb(bodies: list[Body]) -> Bodies:
    """Sorted alternatives without those that contain another one, where that is cheap to see."""
    unique = sorted(set(bodies), key=lambda body: (len(body), body))
    if () in unique:
        return ((),)
    units = {body[0] for body in unique if len(body) == 1}
    return tuple(b for b in unique if len(b) == 1 or not units.intersection(b))
