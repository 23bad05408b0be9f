"""Outcomes in words."""

SHORT = {
    "L": "L: Left wins",
    "R": "R: Right wins",
    "N": "N: the player to move wins",
    "P": "P: the player who moves second wins",
}
"""Where play ends."""

LOOPY = {
    **SHORT,
    "D": "D: nobody can force a win",
    "N^": "N^: Left wins if he moves first, else nobody",
    "P^": "P^: Left wins if he moves second, else nobody",
    "Nv": "Nv: Right wins if she moves first, else nobody",
    "Pv": "Pv: Right wins if she moves second, else nobody",
}
"""Where play may go on for ever."""
