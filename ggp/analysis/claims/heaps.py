"""Whether the game is a sum of heaps."""

from __future__ import annotations

from ggp.analysis.evidence import Counterexample, Evidence
from ggp.analysis.finding import Finding, shown
from ggp.analysis.heaps.heap import Heap, heap_candidates
from ggp.analysis.heaps.proof import proved_heaps
from ggp.analysis.plays.sampled import Sampled
from ggp.analysis.proofs import Proofs


def proved(proofs: Proofs) -> tuple[Heap, ...]:
    """The heaps, where the game is proved to be a sum of heaps on every board."""
    if proofs.boards is None:
        return ()
    return proved_heaps(proofs.parts, proofs.split, proofs.game.net.initial)


def refute(samples: Sampled) -> Finding | None:
    """A fluent that changed and that no heap on any chain can account for, if one was met."""
    states, net = samples.some_states, samples.game.net
    candidates = heap_candidates(net)
    if not candidates:
        why = "no fluents, one of them true at the start, differ by a place on a chain"
        return Finding("heaps", [], "proved", Evidence(why))
    explained = samples.marker.mask
    for members in candidates:
        mask = sum(1 << f for f in members)
        if all((state & mask).bit_count() == 1 for state in states):
            explained |= mask
    for place, state in zip(samples.few, states, strict=True):
        changed = (state ^ states[0]) & ~explained
        if changed:
            text = net.fluents[changed.bit_length() - 1]
            why = f"{text} has changed, which is in no heap"
            return shown("heaps", [], Counterexample(why, (samples.witness(place),)))
    return None
