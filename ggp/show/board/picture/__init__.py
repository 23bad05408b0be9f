"""Boards, piles and marks as parts of a picture."""
