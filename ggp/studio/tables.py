"""The tables of the studio: one process for each game in progress, the last used ones."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from ggp.errors import UnknownName
from ggp.studio.asking import Room
from ggp.studio.elsewhere import TABLE
from ggp.studio.work.orders import MOST_SECONDS, Opening

MOST = 40
"""Tables that are kept; a page whose table is gone sets it up anew from its address."""

IDLE = 3_600.0
"""Seconds after which a table that nobody asks about is cleared."""

OPENING, GRACE, MEMORY = 60.0, 45.0, 2 << 30
"""Seconds for setting up, and beyond thinking for one message; bytes on top of what is loaded."""


class Table:
    """A game in progress, by its token."""

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(12)
        self.room = Room(TABLE, MEMORY)
        self.used = time.monotonic()
        self.seconds = 0.0

    async def ask(self, order: object, seconds: float) -> dict[str, Any]:
        """What is shown after an order; raises `Refusal` where there is no answer."""
        self.used = time.monotonic()
        answer: dict[str, Any] = await self.room.ask(order, seconds)
        self.seconds = float(answer["seconds"])
        return {"table": self.token, **answer}


class Tables:
    """All of them. To be used on the event loop."""

    def __init__(self) -> None:
        self._tables: OrderedDict[str, Table] = OrderedDict()

    async def open(self, order: Opening) -> dict[str, Any]:
        """Set a table up; raises `Refusal` where the sheet is faulty or takes too much."""
        table = Table()
        self._tables[table.token] = table
        while len(self._tables) > MOST:
            self._tables.popitem(last=False)[1].room.close()
        try:
            return await table.ask(order, OPENING)
        except BaseException:
            self._close(table)
            raise

    async def ask(self, token: str, message: Mapping[str, Any]) -> dict[str, Any]:
        """What is shown after a message of a page; raises `UnknownName` where the table is gone."""
        table = self._tables.get(token)
        if table is None or not table.room.is_open:
            raise UnknownName("the table was cleared")
        self._tables.move_to_end(token)
        asked = message.get("seconds")
        thinking = max(table.seconds, float(asked) if isinstance(asked, int | float) else 0.0)
        return await table.ask(dict(message), 2 * min(thinking, MOST_SECONDS) + GRACE)

    def sweep(self) -> None:
        """Clear what nobody uses any more."""
        now = time.monotonic()
        for table in list(self._tables.values()):
            if now - table.used > IDLE or not table.room.is_open:
                self._close(table)

    def close(self) -> None:
        """Clear all."""
        for table in list(self._tables.values()):
            self._close(table)

    def _close(self, table: Table) -> None:
        table.room.close()
        self._tables.pop(table.token, None)
