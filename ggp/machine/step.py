"""One step of random play as a circuit: begin anew where told, choose, move, look at the end."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ggp.circuits.circuit import FALSE, Builder, Circuit
from ggp.circuits.lowering import Lowering
from ggp.ground import Net
from ggp.machine.choice import choose, random_bits


@dataclass(frozen=True, eq=False)
class Step:
    """A step of random play.

    Inputs: the state, a literal for each fluent; the state to begin with; where to begin anew; and
    `random` bits. Outputs: the next state; where it is terminal; where a role had no legal move;
    and as the tail, for each role and each of its goal values whether it holds in the next state.
    `choice`: literals of the moves that are chosen.
    """

    circuit: Circuit
    random: int
    choice: tuple[int, ...]

    def gates(self) -> dict[str, int]:
        """The gates for the choice of moves, and those added for what follows it, in order."""
        outputs, following = (
            self.circuit.outputs,
            len(self.circuit.outputs[: self.circuit.tail]) - 2,
        )
        stages = {
            "choice": self.choice,
            "next": outputs[:following],
            "end": outputs[following : self.circuit.tail],
            "goals": outputs[self.circuit.tail :],
        }
        counts, known = {}, 0
        literals: list[int] = []
        for name, added in stages.items():
            literals += added
            total = replace(self.circuit, outputs=tuple(literals)).needed()
            counts[name], known = total - known, total
        return counts


def step(net: Net) -> Step:
    """The step of a net, in which every role chooses uniformly among its legal moves."""
    builder, count = Builder(), len(net.fluents)
    state, start, anew = builder.inputs(count), builder.inputs(count), builder.input()
    random = [builder.inputs(random_bits(len(own))) for own in net.moves]
    here = [builder.mux(anew, b, s) for s, b in zip(state, start, strict=True)]
    legal = Lowering(net, builder, here).literals(net.legal)
    moves: list[int] = []
    stuck = FALSE
    for offset, own, bits in zip(net.move_offset, net.moves, random, strict=True):
        chosen, is_able = choose(builder, legal[offset : offset + len(own)], bits)
        moves += chosen
        stuck = builder.disj(stuck, is_able ^ 1)
    following = Lowering(net, builder, here, moves).literals(net.next)
    after = Lowering(net, builder, following)
    end = after.literals([net.terminal])
    goals = after.literals(x for role in net.goals for _, x in role)
    main = [*following, *end, stuck]
    inputs = [*state, *start, anew, *(bit for bits in random for bit in bits)]
    circuit = builder.circuit(inputs, [*main, *goals], tail=len(main))
    return Step(circuit, sum(map(len, random)), (*moves, stuck))
