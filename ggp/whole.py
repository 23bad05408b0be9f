"""Files that are written whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TextIO


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A place to write to, with the suffix of a file, that takes the file's place when all is done.

    If anything is raised the file is what it was. What a link leads to is replaced, not the link.
    Devices, pipes and what this command prints to are not replaced: all is written to them then.
    """
    target = Path(os.path.realpath(path))
    stream = _stream(path)
    if stream is not None:
        with tempfile.TemporaryDirectory(prefix="ggp-") as folder, os.fdopen(stream, "wb") as out:
            place = Path(folder) / f"whole{target.suffix}"
            yield place
            with suppress(AttributeError, ValueError):
                sys.stdout.flush()  # what was printed before comes before
            with place.open("rb") as file:
                shutil.copyfileobj(file, out)
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".ggp-", suffix=target.suffix)
    os.close(handle)
    try:
        yield Path(name)
        with open(name, "rb") as file:
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def replace_all(contents: Mapping[Path, bytes]) -> None:
    """Write files, each whole: none is replaced before all are written, the first one last."""
    with ExitStack() as stack:
        for path, data in contents.items():
            stack.enter_context(replaced(path)).write_bytes(data)


def is_replaced(path: Path) -> bool:
    """Whether `replaced` makes or replaces a file, and does not write to what is there."""
    try:
        status = path.stat()
    except OSError:
        return True
    return stat.S_ISREG(status.st_mode) and _printed(status) is None


def _stream(path: Path) -> int | None:
    """A descriptor to write to, if there is no file at `path` that could be replaced."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    own = _printed(status)
    if own is not None:
        return os.dup(own.fileno())
    if stat.S_ISREG(status.st_mode):
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    # A pipe that nobody reads must not hang here.
    opened = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
    os.set_blocking(opened, True)
    return opened


def _printed(status: os.stat_result) -> TextIO | None:
    """What this command prints to, if that is the file of a status."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            own = os.fstat(stream.fileno())
            if (own.st_dev, own.st_ino) == (status.st_dev, status.st_ino):
                return stream
    return None


def _umask() -> int:
    """The mask of new files' permissions, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
