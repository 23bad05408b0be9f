"""Rules without a ground form, run by a small machine of their own instead of by Python."""


class NotLowered(Exception):
    """The machine is not made for these rules or for how they rest on each other, or has not the
    room for all that is to be known of a state."""
