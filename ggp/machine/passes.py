"""What each pass makes of a net: gates with two inputs before and after it."""

from __future__ import annotations

from collections.abc import Iterable

from ggp.circuits.circuit import Builder
from ggp.circuits.lowering import Lowering
from ggp.ground import Group, Net
from ggp.machine.coding import Coding
from ggp.machine.engine.program import assemble
from ggp.machine.sharing import find_sharing
from ggp.machine.step import step


def passes(net: Net, groups: Iterable[Group]) -> dict[str, int]:
    """Gates of all functions of a net together, pass after pass, and of the circuits in use.

    `as_written`: every alternative by itself; `hashed`: equal gates once, constants folded;
    `factored`: common literals taken out; `one_move`: just one move of each role; `packed`: states
    in binary by groups, on the way in and out. All of them without what no output needs. `step_…`:
    the circuit of random play, stage by stage, and its rows with slots used again.
    """
    play = step(net, find_sharing(net))
    program = assemble(play.circuit)
    return {
        "as_written": net.literals - len(net.gates),
        "hashed": _gates(net, Coding(net), one_move=False, is_plain=True),
        "factored": _gates(net, Coding(net), one_move=False),
        "one_move": _gates(net, Coding(net)),
        "packed": _gates(net, Coding(net, groups)),
        **{f"step_{name}": count for name, count in play.gates().items()},
        "step_instructions": len(program.code),
        "step_rows": program.rows,
    }


def _gates(net: Net, coding: Coding, *, one_move: bool = True, is_plain: bool = False) -> int:
    builder = Builder()
    bits, moves = builder.inputs(coding.bits), builder.inputs(len(net.legal))
    fluents = coding.fluents(builder, bits)
    lowering = Lowering(net, builder, fluents, moves, one_move=one_move, is_plain=is_plain)
    goals = (x for role in net.goals for _, x in role)
    outputs = lowering.literals([*net.legal, net.terminal, *goals])
    outputs += coding.packed(builder, lowering.literals(net.next))
    return builder.circuit([*bits, *moves], outputs).needed()
