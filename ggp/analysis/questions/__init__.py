"""Circuits asked of solvers: whether some input satisfies them."""
