"""Logs of matches: a file of JSON lines for each, one line for each thing that happened."""

from __future__ import annotations

import json
import logging
import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from ggp.errors import InputError
from ggp.text import plain

log = logging.getLogger(__name__)


class MatchLogs:
    """Logs in a folder, or nowhere."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._count = 0
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except FileExistsError:
                raise InputError(f"{folder}: a file is there, where logs need a folder") from None
            except OSError as error:
                raise InputError(f"{folder}: {error.strerror}") from None

    def new(self) -> MatchLog:
        """A file for a new match; its name has nothing of what strangers wrote."""
        if self._folder is None:
            return MatchLog(None)
        now = f"{datetime.now(UTC):%Y%m%dT%H%M%S}"
        try:
            while True:
                self._count += 1
                file = self._folder / f"{now}-{self._count:06d}.jsonl"
                # Others may keep their logs here, and begin in the same second.
                with suppress(FileExistsError):
                    return MatchLog(file.open("x", encoding="utf-8", errors="replace"))
        except OSError as error:
            log.warning("no log of this match: %s", plain(error))
            return MatchLog(None)


class MatchLog:
    """The log of one match. Whatever goes wrong with its file, the match goes on."""

    def __init__(self, file: IO[str] | None) -> None:
        self._file = file

    def write(self, event: str, **data: Any) -> None:  # noqa: ANN401 - whatever JSON can hold
        """One line: when (seconds since 1970), what, and the rest."""
        if self._file is None:
            return
        try:
            line = json.dumps({"time": round(time.time(), 3), "event": event, **data})
            self._file.write(f"{line}\n")
            self._file.flush()
        except OSError as error:
            log.warning("the log of this match ends here: %s", plain(error))
            self.close()

    def close(self) -> None:
        """No more of this match."""
        if self._file is not None:
            try:
                self._file.close()
            except OSError as error:
                log.warning("the log of this match is not whole: %s", plain(error))
            self._file = None
