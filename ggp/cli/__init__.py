"""The command `ggp`, one module a verb."""
