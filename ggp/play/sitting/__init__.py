"""A game in progress: who sits at it, the machine among them, and how well it plays."""
