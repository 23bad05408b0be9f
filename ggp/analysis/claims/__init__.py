"""What is claimed of a game, by property; each is proved, refuted by a play, or enumerated."""
