"""Checks sheets for the server: a script that runs in a child (see `ggp.apart`)."""

from __future__ import annotations

import sys
from typing import Any

MOST = 1_000
"""Diagnostics of one sheet that are passed on."""


def answer(order: tuple[list[str], str, str]) -> tuple[tuple[Any, ...], int, str]:
    """Diagnostics of a sheet, how many more there are, and why there are none, if so.

    The order: where to import from, the sheet's name and its text.
    """
    path, name, text = order
    sys.path[:] = path
    from ggp.errors import GgpError
    from ggp.kif import Source
    from ggp.lint import check_source

    try:
        checked = check_source(Source(name, text))
    except (GgpError, MemoryError, RecursionError) as error:
        return (), 0, str(error) or type(error).__name__
    found = tuple(d for d in checked.diagnostics if d.is_by_default)
    return found[:MOST], len(found[MOST:]), ""
