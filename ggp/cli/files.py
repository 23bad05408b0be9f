"""Where commands write to: files, whole or not at all, and whatever else there is."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from ggp.errors import InputError
from ggp.whole import replaced


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it holds either what it held before or all of `data`.

    Devices, pipes and what this command prints to are written to as they are. Raises `InputError`
    where that is impossible.
    """
    try:
        with replaced(path) as place:
            place.write_bytes(data)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", file=path) from error


def rewrite(path: Path, data: bytes) -> None:
    """Let `data` be what a file holds that is there already.

    Raises `InputError` for what is no file, or is not to be written to: a file can be replaced
    where it could not be changed.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{path}: not a file; '-' reads standard input", file=path)
    if not status.st_mode & 0o222 or not os.access(path, os.W_OK):
        raise InputError(f"{path}: read-only, so left as it is", file=path)
    write_whole(path, data)


def require_writable(path: Path) -> None:
    """Raise `InputError` where `write_whole` would, before the work whose outcome is to be written.

    Nothing is left behind, and what the file holds is not touched.
    """
    try:
        if path.exists() and not path.is_file():
            if path.is_dir():
                raise InputError(f"{path}: is a directory", file=path)
            return
        if path.is_symlink():
            with suppress(FileNotFoundError):
                path.stat()  # a link that leads to itself is an error
        with tempfile.TemporaryFile(dir=Path(os.path.realpath(path)).parent, prefix=".ggp-"):
            pass
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", file=path) from error


def require_distinct(*paths: Path) -> None:
    """Raise `InputError` where two of the files are one, so that one would be lost."""
    known: dict[str, Path] = {}
    for path in paths:
        if path.exists() and not path.is_file():
            continue
        other = known.setdefault(os.path.realpath(path), path)
        if other is not path:
            raise InputError(f"{path}: is {other} as well, which would be lost", file=path)
