"""The graph of positions, and numbers for states."""
