"""Work on many processors and machines, by Ray (the extra `ggp[cluster]`)."""
