"""One role that plays alone: ways to the end, by beams and by planning."""
