"""Names of a sheet as they may be shown."""

from __future__ import annotations

from ggp.text import plain, shortened


def name_of(name: object) -> str:
    """A name of a sheet as it may be shown."""
    return plain(shortened(str(name), 40)).replace("\n", "·")
