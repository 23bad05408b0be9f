"""One step of random play as a circuit: begin anew where told, choose, move, look at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ggp.circuits.circuit import FALSE, Builder, Circuit
from ggp.circuits.lowering import Lowering
from ggp.ground import Net
from ggp.machine.choice import choose, random_bits
from ggp.machine.foresight import has_aims, preferred
from ggp.machine.sharing import Sharing


@dataclass(frozen=True, eq=False)
class Step:
    """A step of random play.

    Inputs: the state, a literal for each fluent; the state to begin with; where to begin anew; and
    `random` bits. Outputs: the next state; where it is terminal; where a role had no legal move;
    and as the tail, for each role and each of its goal values whether it holds in the next state.
    `choice`: literals of the moves that are chosen.

    A step with favour has more of both. Beside the state, what is `kept` of the play: whether it is
    over, and for each of `Net.legal` whether it was made in turn. After the random bits, for so
    many moves (each of `Net.legal`) whether it is `favoured`.
    """

    circuit: Circuit
    random: int
    choice: tuple[int, ...]
    favoured: int = 0

    @property
    def kept(self) -> int:
        """Rows that are kept beside the state."""
        return self.favoured and 1 + self.favoured

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
    return _step(net, sharing, foresight=gates)


def step_with_favour(net: Net, sharing: Sharing) -> Step:
    """The same with roles that choose from moves that are favoured, wherever they have one; not of
    the role of chance. Where play is over no more moves count as made."""
    own = _step(net, sharing, has_favour=True)
    assert own is not None
    return own


def _step(
    net: Net, sharing: Sharing | None, *, foresight: int = 0, has_favour: bool = False
) -> Step | None:
    builder, count, moves = Builder(), len(net.fluents), len(net.legal)
    state, kept = builder.inputs(count), builder.inputs(1 + moves if has_favour else 0)
    start, anew = builder.inputs(count), builder.input()
    random = builder.inputs(sum(widths(net, sharing)))
    favoured = builder.inputs(moves if has_favour else 0)
    here = [builder.mux(anew, b, s) for s, b in zip(state, start, strict=True)]
    legal = Lowering(net, builder, here).literals(net.legal)
    known: list[int] = []
    if sharing:
        ahead = preferred(net, sharing, builder, here, legal, foresight) if foresight else legal
        if ahead is None:
            return None
        options = sharing.in_turns(builder, here, ahead)
        over, *before = kept or [FALSE]
        if has_favour:
            options = _favoured(net, sharing, builder, options, favoured)
        chosen, stuck, made = sharing.choose(builder, here, legal, random, options, over ^ 1)
        known = [over, *map(builder.disj, before, made)] if has_favour else []
    else:
        chosen, stuck = _each(net, builder, legal, random)
    following = Lowering(net, builder, here, chosen).literals(net.next)
    after = Lowering(net, builder, following)
    (end,) = after.literals([net.terminal])
    goals = after.literals(x for role in net.goals for _, x in role)
    if known:
        known[0] = builder.disj_all([known[0], end, stuck])
    main = [*following, *known, end, stuck]
    inputs = [*state, *kept, *start, anew, *random, *favoured]
    circuit = builder.circuit(inputs, [*main, *goals], tail=len(main))
    return Step(circuit, len(random), (*chosen, stuck), len(favoured))


def _favoured(
    net: Net,
    sharing: Sharing,
    builder: Builder,
    options: Sequence[int],
    favoured: Sequence[int],
) -> list[int]:
    """What a role in its turn chooses from: of its options those that are favoured, all if there
    are none."""
    found = list(options)
    for role, acting in enumerate(sharing.acting):
        if has_aims(net, role):
            both = {m: builder.conj(options[m], favoured[m]) for m in acting}
            none = builder.disj_all(both.values()) ^ 1
            for m in acting:
                found[m] = builder.disj(both[m], builder.conj(none, options[m]))
    return found


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
