"""Questions to solvers: about every board, every state, and the states that play can reach."""
