"""The pictures of a report: files in a folder beside it, which belongs to the report alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ggp.cli.files import require_writable
from ggp.errors import InputError
from ggp.whole import is_replaced, replace_all

OWN = re.compile(r"witness-[1-9][0-9]?\.svg")
"""What pictures of a report are called, so that those of an earlier one are known."""


def folder_of(report: Path) -> Path | None:
    """Where the pictures of a report are; None where it is no file, so that it has none."""
    if str(report) == "-" or not is_replaced(report):
        return None
    return report.with_name(f"{report.name}.files")


def require_folder(folder: Path) -> None:
    """Raise `InputError` where a folder is something else, or holds what is no picture of a report:
    nothing of anybody's is overwritten."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise InputError(
            f"{folder}: the report's pictures go there, and it is no folder", file=folder
        )
    if not folder.exists():
        return
    require_writable(folder / "witness-1.svg")
    try:
        for path in folder.iterdir():
            if OWN.fullmatch(path.name) and (path.is_symlink() or not path.is_file()):
                raise InputError(f"{path}: a picture of the report goes there", file=path)
    except OSError as error:
        raise InputError(f"{folder}: {error.strerror or error}", file=folder) from error


def write_report(report: Path, text: str, folder: Path, pictures: Mapping[str, str]) -> None:
    """Write a report and its pictures (by their names); those of an earlier report go.

    Raises `InputError` where that is impossible: then all files are what they were.
    """
    is_new = not folder.exists()
    contents = {report: text.encode()}
    contents |= {folder / name: svg.encode() for name, svg in pictures.items()}
    try:
        if pictures and is_new:
            folder.mkdir()
        try:
            replace_all(contents)
        except BaseException:
            if is_new:
                with suppress(OSError):
                    folder.rmdir()
            raise
        if not is_new:
            _tidy(folder, pictures)
    except OSError as error:
        raise InputError(f"{report}: {error.strerror or error}", file=report) from error


def _tidy(folder: Path, pictures: Mapping[str, str]) -> None:
    """Take away pictures of an earlier report, and a folder that nothing is left in."""
    for path in list(folder.iterdir()):
        if OWN.fullmatch(path.name) and path.name not in pictures:
            path.unlink()
    with suppress(OSError):
        folder.rmdir()
