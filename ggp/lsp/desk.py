"""The texts that are open, and what is being found out about them."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from lsprotocol import types as lsp

from ggp.apart import Gone
from ggp.errors import LimitReached
from ggp.lsp import wire
from ggp.lsp.background import CHECKING, FINDING, GROUNDING, Background, Stale
from ggp.lsp.known import Known
from ggp.lsp.sheet import OpenSheet

logger = logging.getLogger(__name__)

DELAY = 0.1
"""Seconds after the last keystroke until a text is checked."""

MOST_KNOWN = 8
"""Texts whose fluents are remembered."""

Publish = Callable[[lsp.PublishDiagnosticsParams], None]


class Desk:
    """The open sheets by address. All methods are for the thread of the event loop."""

    def __init__(self, publish: Publish) -> None:
        self._publish = publish
        self._sheets: dict[str, OpenSheet] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._known: OrderedDict[str, asyncio.Task[None] | Known] = OrderedDict()
        self._checking, self._grounding = Background(CHECKING), Background(GROUNDING)
        self._finding = Background(FINDING)
        self._is_closed = False

    def sheet(self, uri: str) -> OpenSheet | None:
        """The sheet of that address, if it is open."""
        return self._sheets.get(uri)

    def put(self, sheet: OpenSheet, delay: float = DELAY) -> None:
        """Let a sheet take the place of its former version, and check it after a while."""
        self._unschedule(sheet.uri)
        former = self._sheets.get(sheet.uri)
        if former:
            former.checked.set()  # it never will be: who waits for it need not
        self._sheets[sheet.uri] = sheet
        if sheet.is_template:
            self._show(sheet, [_TEMPLATE])
        elif not self._is_closed:
            loop = asyncio.get_running_loop()
            self._timers[sheet.uri] = loop.call_later(delay, self._begin, sheet)

    def remove(self, uri: str) -> None:
        """Forget a sheet, and what was said of it."""
        self._unschedule(uri)
        if self._sheets.pop(uri, None) is not None:
            self._publish(lsp.PublishDiagnosticsParams(uri, []))

    def close(self) -> None:
        """End all work."""
        self._is_closed = True
        for uri in list(self._timers):
            self._unschedule(uri)
        self._checking.close()
        self._grounding.close()
        self._finding.close()

    def _unschedule(self, uri: str) -> None:
        timer = self._timers.pop(uri, None)
        if timer is not None:
            timer.cancel()

    def _begin(self, sheet: OpenSheet) -> None:
        """Begin to check a sheet."""
        self._timers.pop(sheet.uri, None)
        self._start(self._check(sheet))

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do some work that must not fail unnoticed."""

        async def guarded() -> None:
            try:
                await work
            except Exception:
                logger.exception("work in the background failed")

        task = asyncio.get_running_loop().create_task(guarded())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _is_current(self, sheet: OpenSheet) -> bool:
        return not self._is_closed and self._sheets.get(sheet.uri) is sheet

    async def _check(self, sheet: OpenSheet) -> None:
        """Check a sheet, and show what was found, if it is still the current one."""

        def is_stale() -> bool:
            return not self._is_current(sheet)

        try:
            found, more, why = await self._checking.ask(sheet.name, sheet.text, is_stale)
        except Stale:
            return
        except LimitReached as error:
            found, more, why = (), 0, str(error)
        except Gone:
            found, more, why = (), 0, "checking this text took more than there is"
        if is_stale():
            return
        sheet.diagnostics = found
        shown = [wire.diagnostic(sheet, each) for each in found]
        if why:
            shown.append(wire.remark(why, lsp.DiagnosticSeverity.Error))
        if more:
            told = f"{more:,} more diagnostics are not shown"
            shown.append(wire.remark(told, lsp.DiagnosticSeverity.Information))
        self._show(sheet, shown)

    def _show(self, sheet: OpenSheet, found: list[lsp.Diagnostic]) -> None:
        sheet.checked.set()
        self._publish(lsp.PublishDiagnosticsParams(sheet.uri, found, sheet.version))

    async def known(self, sheet: OpenSheet, seconds: float) -> Known | None:
        """What is known of the fluents of a sheet; None while that is being found out.

        Waits for it so long at the most.
        """
        entry = self._known.get(sheet.text)
        if entry is None and not self._is_closed:
            entry = self._known[sheet.text] = self._start(self._ground(sheet))
            while len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        if isinstance(entry, asyncio.Task):
            await asyncio.wait([entry], timeout=seconds)
            entry = self._known.get(sheet.text)
        return entry if isinstance(entry, Known) else None

    async def _ground(self, sheet: OpenSheet) -> None:
        text = sheet.text
        try:
            found = await self._grounding.ask(sheet.name, text, lambda: not self._is_open(text))
        except LimitReached as error:
            found = Known({}, failure=str(error))
        except Gone:
            found = Known({}, failure="grounding took more memory than there is")
        except Stale:
            found = None
        finally:
            self._known.pop(text, None)
        if found is not None:
            self._known[text] = found
            if not found.failure and not self._is_closed:
                self._start(self._find(sheet, found))

    async def _find(self, sheet: OpenSheet, known: Known) -> None:
        """Look for heaps and step counters among the fluents of a sheet."""
        text = sheet.text
        try:
            found = await self._finding.ask(sheet.name, text, lambda: not self._is_open(text))
        except (LimitReached, Gone):
            found = ()
        except Stale:
            return
        if self._known.get(text) is known:
            self._known[text] = replace(known, found=found)

    def _is_open(self, text: str) -> bool:
        return not self._is_closed and any(s.text == text for s in list(self._sheets.values()))


_TEMPLATE = wire.remark(
    "templates are checked on the command line, for the values of their parameters: ggp check",
    lsp.DiagnosticSeverity.Information,
)
