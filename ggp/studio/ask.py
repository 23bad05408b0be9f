"""The quick questions by name: each imports what it needs in the process that answers."""

from __future__ import annotations

from typing import Any

from ggp.studio.library import Sheet


def checked(sheet: Sheet) -> dict[str, Any]:
    """See `ggp.studio.work.sheets.checked`."""
    from ggp.studio.work import sheets

    return sheets.checked(sheet)


def rendered(sheet: Sheet) -> str:
    """See `ggp.studio.work.sheets.text_of`."""
    from ggp.studio.work import sheets

    return sheets.text_of(sheet)


def laid_out(sheet: Sheet) -> str:
    """See `ggp.studio.work.sheets.laid_out`."""
    from ggp.studio.work import sheets

    return sheets.laid_out(sheet)


def thumbnail(sheet: Sheet) -> str:
    """See `ggp.studio.work.sheets.thumbnail`."""
    from ggp.studio.work import sheets

    return sheets.thumbnail(sheet)
