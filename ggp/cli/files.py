"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ggp.errors import InputError


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it holds either what it held before or all of `data`.

    Raises `InputError` where that is impossible.
    """
    # What a link leads to is replaced, not the link; a device can only be written to.
    target = Path(os.path.realpath(path))
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".ggp-", delete=False) as file:
            try:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
                os.chmod(file.name, mode)
                os.replace(file.name, target)
            except BaseException:
                os.unlink(file.name)
                raise
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", file=path) from error


def require_writable(path: Path) -> None:
    """Raise `InputError` where `write_whole` would, before the work whose outcome is to be written.

    Nothing is left behind, and what the file holds is not touched.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.is_dir():
            raise InputError(f"{path}: is a directory", file=path)
        if target.exists() and not target.is_file():
            return
        with tempfile.TemporaryFile(dir=target.parent, prefix=".ggp-"):
            pass
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}", file=path) from error


def _umask() -> int:
    """The mask of new files' permissions, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
