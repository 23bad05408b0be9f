"""Compiled code on disk: a bounded folder of checked files that only this user may write.

Without a folder that can be written to nothing is kept, and everything works. A file that is cut
off, altered, of another version, or of another user is not used.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
import time
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

MAGIC = b"ggp code 1\n"
SUFFIX = ".code"

LIMIT = 256 << 20
"""Bytes that the folder may hold; the files that were not used for longest go first."""

_SLACK = 64
"""Of so many parts of that the folder is one short at the most when it is looked through: who has
written so much looks again, not after each of a thousand pieces."""

_STALE = 3_600
"""Seconds after which an unfinished file is no other process's any more."""


@dataclass
class Store:
    """A folder of files, each named by a digest of what its content was made from."""

    folder: Path
    limit: int = LIMIT
    _until_next: int = field(default=0, init=False, repr=False, compare=False)
    """Bytes that may be written until the folder is looked through."""

    def get(self, key: str) -> bytes | None:
        """What was put under a key, or None."""
        path = self._path(key)
        try:
            with path.open("rb") as file:
                if not _is_ours(os.fstat(file.fileno())) or not _is_ours(self.folder.stat()):
                    return None
                content = file.read(self.limit)
            payload = content[len(MAGIC) + 32 :]
            if content != MAGIC + hashlib.sha256(payload).digest() + payload:
                return None
            with contextlib.suppress(OSError):
                os.utime(path)
            return payload
        except OSError:
            return None

    def put(self, key: str, payload: bytes) -> bool:
        """Keep something under a key; whether that was possible."""
        if len(payload) > self.limit // 4:
            return False
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_ours(self.folder.stat()):
                return False
            content = MAGIC + hashlib.sha256(payload).digest() + payload
            self._write(self._path(key), content)
            self._until_next -= len(content)
            if self._until_next < 0:
                self._shrink()
                self._until_next = self.limit // _SLACK
        except OSError:
            return False
        return True

    def _write(self, path: Path, content: bytes) -> None:
        """Write a file whole or not at all: other processes see the old one or the new one."""
        handle, name = tempfile.mkstemp(dir=self.folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.replace(name, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise

    def is_usable(self) -> bool:
        """Whether anything can be kept: the folder is there, or can be made, and is ours alone."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _is_ours(self.folder.stat()) and os.access(self.folder, os.W_OK | os.X_OK)
        except OSError:
            return False

    def files(self) -> list[tuple[Path, os.stat_result]]:
        """The files of this store, those first that were used last."""
        found = []
        with contextlib.suppress(OSError):
            for path in self.folder.iterdir():
                if path.suffix in (SUFFIX, ".part"):
                    with contextlib.suppress(OSError):
                        found.append((path, path.stat()))
        return sorted(found, key=lambda entry: -entry[1].st_mtime)

    def clear(self) -> int:
        """Remove all files; the number of those removed."""
        return sum(_remove(path) for path, _ in self.files())

    def _shrink(self) -> None:
        """Remove what was not used for longest, so that as much can be written as is before the
        next look."""
        total = self.limit // _SLACK
        for path, status in self.files():
            total += status.st_size
            is_stale = path.suffix == ".part" and status.st_mtime < time.time() - _STALE
            if total > self.limit or is_stale:
                _remove(path)

    def _path(self, key: str) -> Path:
        return self.folder / (hashlib.sha256(key.encode()).hexdigest() + SUFFIX)


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _is_ours(status: os.stat_result) -> bool:
    """Whether this user, and nobody else, can have written it (where the system tells)."""
    if not hasattr(os, "geteuid"):
        return True
    mode = stat.S_IWGRP | stat.S_IWOTH
    return status.st_uid == os.geteuid() and not status.st_mode & mode


NO_STORE = Store(Path(os.devnull), limit=0)
"""Keeps nothing."""


@cache
def default_store() -> Store:
    """The store of this user: `GGP_CACHE`, or the place that the system has for caches."""
    chosen = os.environ.get("GGP_CACHE")
    return Store(Path(chosen) if chosen else user_cache_path("ggp") / "code")
