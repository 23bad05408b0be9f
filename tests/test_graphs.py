"""Graphs: whether one can come back to a node, as strongly connected components tell."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ggp.graphs import has_cycle, strongly_connected_components

NODES = st.integers(0, 5)


@given(st.dictionaries(NODES, st.lists(NODES, max_size=4)))
def test_a_cycle_is_a_component_of_several_nodes_or_a_loop(successors) -> None:
    """Nodes that lead nowhere need no entry."""
    parts = strongly_connected_components(range(6), successors)
    loops = any(node in own for node, own in successors.items())
    assert has_cycle(successors) == (loops or max(map(len, parts)) > 1)
