"""Many games at once: a circuit for a step, loops over lanes, and what users hold."""
