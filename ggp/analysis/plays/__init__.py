"""States of random legal play, with the moves that led to them."""
