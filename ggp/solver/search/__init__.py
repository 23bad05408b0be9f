"""Search of one position that is too large to enumerate."""
