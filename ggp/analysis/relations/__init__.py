"""Static relations and symmetries: chains, arithmetic, permutations that keep the rules."""
