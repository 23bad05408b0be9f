"""Circuits of two-input gates, made of nets; machine and analysis stand on them."""
