"""Every state of legal play: what holds in all of them, and which play never reaches."""
