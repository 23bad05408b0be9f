"""A game that people sit at: its course, its records, and two ways to talk with them."""
