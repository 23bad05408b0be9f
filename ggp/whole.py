"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path


@contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A place to write to, beside a file and with its suffix, that takes the file's place when all
    is done.

    If anything is raised the file is what it was. What a link leads to is replaced, not the link.
    """
    target = Path(os.path.realpath(path))
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


def _umask() -> int:
    """The mask of new files' permissions, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
