"""Loops by which nets with many alternatives become circuits, compiled by numba."""
