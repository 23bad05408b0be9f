"""One game solved on many machines: packed layers whose positions are divided among actors."""
