"""One step of random play as a circuit: begin anew where told, choose, move, look at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ggp.circuits.circuit import FALSE, Builder, Circuit
from ggp.circuits.lowering import Lowering
from ggp.ground import Net
from ggp.machine.choice import choose, random_bits
from ggp.machine.foresight import preferred
from ggp.machine.sharing import Sharing


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


def step(net: Net, sharing: Sharing | None = None) -> Step:
    """The step of a net, in which every role chooses uniformly among its legal moves.

    With `sharing`, one choice does for all roles: for states in which that holds, and all that
    play from them leads to.
    """
    plain = _step(net, sharing)
    assert plain is not None
    return plain


def step_with_foresight(net: Net, sharing: Sharing, gates: int) -> Step | None:
    """The same with roles that look ahead, see `ggp.machine.foresight`; None where that takes more
    than so many gates to tell."""
    return _step(net, sharing, gates)


def _step(net: Net, sharing: Sharing | None, foresight: int = 0) -> Step | None:
    builder, count = Builder(), len(net.fluents)
    state, start, anew = builder.inputs(count), builder.inputs(count), builder.input()
    random = builder.inputs(sum(widths(net, sharing)))
    here = [builder.mux(anew, b, s) for s, b in zip(state, start, strict=True)]
    legal = Lowering(net, builder, here).literals(net.legal)
    if sharing and foresight:
        ahead = preferred(net, sharing, builder, here, legal, foresight)
        if ahead is None:
            return None
        moves, stuck = sharing.choose(builder, here, legal, random, ahead)
    elif sharing:
        moves, stuck = sharing.choose(builder, here, legal, random)
    else:
        moves, stuck = _each(net, builder, legal, random)
    following = Lowering(net, builder, here, moves).literals(net.next)
    after = Lowering(net, builder, following)
    end = after.literals([net.terminal])
    goals = after.literals(x for role in net.goals for _, x in role)
    main = [*following, *end, stuck]
    inputs = [*state, *start, anew, *random]
    circuit = builder.circuit(inputs, [*main, *goals], tail=len(main))
    return Step(circuit, len(random), (*moves, stuck))


def widths(net: Net, sharing: Sharing | None) -> list[int]:
    """Random bits of each choice that is made in a step, in order: one for each role, or one that
    they share."""
    sizes = [sharing.most] if sharing else list(map(len, net.moves))
    return list(map(random_bits, sizes))


def _each(
    net: Net, builder: Builder, legal: Sequence[int], random: Sequence[int]
) -> tuple[list[int], int]:
    """A choice of each role by itself: its moves, and whether some role has none."""
    moves: list[int] = []
    stuck, bits = FALSE, iter(random)
    for offset, own in zip(net.move_offset, net.moves, strict=True):
        mine = list(islice(bits, random_bits(len(own))))
        chosen, is_able = choose(builder, legal[offset : offset + len(own)], mine)
        moves += chosen
        stuck = builder.disj(stuck, is_able ^ 1)
    return moves, stuck
