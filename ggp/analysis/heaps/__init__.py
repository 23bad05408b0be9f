"""Heaps: found by enumeration, proved for every board, and for every length of their chain."""
