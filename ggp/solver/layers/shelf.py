"""Where layers are kept: in memory, or in files that a later run goes on from."""

from __future__ import annotations

import contextlib
import json
import os
import re
import weakref
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path
from tokenize import TokenError
from typing import Any, Protocol
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ggp.errors import InputError
from ggp.limits import look
from ggp.machine import Rows

try:
    import fcntl
except ImportError:  # not on every platform
    fcntl = None  # type: ignore[assignment]

MANIFEST, LOCK = "solution.json", "lock"
FORMAT = 2

BLOCK, SUM = 1 << 24, 4
"""Bytes that are read or written at a time, and of the sum (CRC-32) that a file ends with."""

NAMES = re.compile(r"weights|(keys|values|moved)-\d{10}|run-\d{10}-(start|\d{10}(-\d{5})?)")
"""What arrays are called, files with `.npy` at the end."""


class Shelf(Protocol):
    """Arrays by name, each written once and whole."""

    def put(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        """Keep an array; what stands for it from now on."""

    def put_pieces(self, name: str, pieces: Iterable[Rows], width: int) -> Rows:
        """Keep words (n, `width`) that are made piece by piece; what stands for them from now
        on."""

    def get(self, name: str) -> NDArray[Any] | None:
        """An array that was kept, or None."""

    def drop(self, name: str) -> None:
        """Forget an array, if it is there."""

    def names(self) -> list[str]:
        """What is there, sorted."""

    @property
    def in_files(self) -> bool:
        """Whether what is kept takes no memory."""

    @property
    def nbytes(self) -> int:
        """The bytes of memory that the arrays take."""

    def close(self) -> None:
        """The work is done; what was put here and is in use stays."""


class InMemory:
    """A shelf of this process."""

    in_files = False

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {}

    def put(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        """Keep an array itself."""
        self._arrays[name] = array
        return array

    def put_pieces(self, name: str, pieces: Iterable[Rows], width: int) -> Rows:
        """Keep the pieces in one."""
        return self.put(name, np.concatenate([np.empty((0, width), dtype=np.uint64), *pieces]))

    def get(self, name: str) -> NDArray[Any] | None:
        """An array that was kept, or None."""
        return self._arrays.get(name)

    def drop(self, name: str) -> None:
        """Forget an array, if it is there."""
        self._arrays.pop(name, None)

    def names(self) -> list[str]:
        """What is there, sorted."""
        return sorted(self._arrays)

    @property
    def nbytes(self) -> int:
        """The bytes of memory that the arrays take."""
        return sum(array.nbytes for array in self._arrays.values())

    def close(self) -> None:
        """Forget all."""
        self._arrays.clear()


class InFolder:
    """A shelf of files, which are mapped into memory to be read.

    A file appears whole or not at all, whenever the process is killed. `about` says what the files
    belong to: a folder of something else, or one with other files, is refused (`InputError`).
    """

    in_files = True

    def __init__(self, folder: Path, about: Mapping[str, Any]) -> None:
        self.folder = folder
        self._sure: set[str] = set()
        wanted = json.loads(json.dumps({"format": FORMAT, **about}))
        manifest = folder / MANIFEST
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _require_ours(folder)
            self._unlock = weakref.finalize(self, os.close, _locked(folder))
            left = [path for path in folder.iterdir() if path.suffix == ".part"]
            if manifest.exists():
                _require_same(folder, _noted(manifest), wanted)
            for path in left:
                if NAMES.fullmatch(path.stem) or path.stem == MANIFEST:
                    path.unlink()
            if not manifest.exists():
                part = folder / f"{MANIFEST}.part"
                part.write_text(json.dumps(wanted), "utf-8")
                os.replace(part, manifest)
        except (OSError, ValueError, RecursionError) as error:
            why = error.strerror if isinstance(error, OSError) else None
            raise InputError(f"{folder}: {why or error}") from None

    def put(self, name: str, array: NDArray[Any]) -> NDArray[Any]:
        """Write an array; what is returned is mapped from the file.

        Raises `InputError` where that cannot be done.
        """
        return self._written(name, array.dtype, array.shape[1:], [array])

    def put_pieces(self, name: str, pieces: Iterable[Rows], width: int) -> Rows:
        """Write words as they are made; what is returned is mapped from the file."""
        return self._written(name, np.dtype(np.uint64), (width,), pieces)

    def _written(
        self, name: str, kind: np.dtype[Any], shape: tuple[int, ...], pieces: Iterable[NDArray[Any]]
    ) -> NDArray[Any]:
        """Write items of some kind and shape, and at the end a sum over all bytes."""
        path, part = self._path(name), self.folder / f"{name}.part"
        count = total = 0
        try:
            with part.open("wb") as file:
                head = _head(kind, (0, *shape))
                file.write(head)
                for piece in pieces:
                    content = np.ascontiguousarray(piece, dtype=kind).reshape(-1).view(np.uint8)
                    for start in range(0, len(content), BLOCK):
                        block = content[start : start + BLOCK].data
                        file.write(block)
                        total = crc32(block, total)
                    count += len(piece)
                known = _head(kind, (count, *shape))
                # numpy leaves room there for any number.
                assert len(known) == len(head)
                file.write(crc32(known, total).to_bytes(SUM, "little"))
                file.seek(0)
                file.write(known)
                file.flush()
                os.fsync(file.fileno())
            os.replace(part, path)
        except BaseException as error:
            with contextlib.suppress(OSError):
                part.unlink()
            if isinstance(error, OSError):
                raise InputError(f"{path}: {error.strerror or error}") from None
            raise
        self._sure.add(name)
        found = self.get(name)
        assert found is not None
        return found

    def get(self, name: str) -> NDArray[Any] | None:
        """An array that was kept, read when it is looked at; or None.

        What an earlier run wrote is read once before. Raises `InputError` for a file that is none
        of ours, or damaged.
        """
        path = self._path(name)
        if not path.exists():
            return None
        try:
            if name not in self._sure:
                _require_whole(path)
                self._sure.add(name)
            # An empty array cannot be mapped.
            is_empty = path.stat().st_size <= 128 + SUM
            array: NDArray[Any] = np.load(
                path, mmap_mode=None if is_empty else "r", allow_pickle=False
            )
        except (OSError, ValueError, EOFError, SyntaxError, TokenError):
            raise InputError(f"{path}: not what was written there") from None
        return array

    def drop(self, name: str) -> None:
        """Remove a file, if it is there."""
        with contextlib.suppress(OSError):
            self._path(name).unlink()

    def names(self) -> list[str]:
        """What is there, sorted; other files than ours are none."""
        return sorted(p.stem for p in self.folder.glob("*.npy") if NAMES.fullmatch(p.stem))

    @property
    def nbytes(self) -> int:
        """None: they are in files."""
        return 0

    def close(self) -> None:
        """The files stay, for whoever comes next."""
        self._unlock()

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.npy"


def _head(kind: np.dtype[Any], shape: tuple[int, ...]) -> bytes:
    """What a file of an array begins with."""
    descr = np.lib.format.dtype_to_descr(kind)
    file = BytesIO()
    about = {"descr": descr, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, about)
    return file.getvalue()


def _require_whole(path: Path) -> None:
    """Raise `ValueError` where the sum at the end of a file is not that of its bytes."""
    with path.open("rb") as file:
        head = file.read(10)
        head += file.read(int.from_bytes(head[8:], "little"))
        left, total = path.stat().st_size - len(head) - SUM, 0
        while left > 0 and (block := file.read(min(BLOCK, left))):
            look("reading what was kept")
            total = crc32(block, total)
            left -= len(block)
        if left or crc32(head, total) != int.from_bytes(file.read(SUM), "little"):
            raise ValueError("damaged")


def _require_ours(folder: Path) -> None:
    """Raise `InputError` for a folder in which there are files, but no solution."""
    names = {path.name for path in folder.iterdir() if path.suffix != ".part"}
    if MANIFEST not in names and names - {LOCK}:
        raise InputError(f"{folder}: not empty, and no solution is kept there")


def _locked(folder: Path) -> int:
    """An open file that this process alone has locked (where files can be).

    Raises `InputError` where another process has.
    """
    file = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o666)
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            raise InputError(f"{folder}: another solution is at work there") from None
    return file


def require_kind(
    name: str, array: NDArray[Any], kind: type[np.generic], *shape: int | None
) -> NDArray[Any]:
    """The array, if it has this type and shape (None: any); else raise `InputError`."""
    fits = len(array.shape) == len(shape) and all(
        wanted is None or size == wanted for size, wanted in zip(array.shape, shape, strict=True)
    )
    if not fits or array.dtype != kind:
        raise InputError(f"{name}: not what was written there")
    return array


def _noted(manifest: Path) -> Any:  # noqa: ANN401
    try:
        return json.loads(manifest.read_text("utf-8"))
    except (ValueError, RecursionError):
        raise InputError(f"{manifest}: not what was written there") from None


def _require_same(folder: Path, found: Any, wanted: Mapping[str, Any]) -> None:  # noqa: ANN401
    if found == wanted:
        return
    if not isinstance(found, dict):
        raise InputError(f"{folder / MANIFEST}: not what was written there")
    keys = (*wanted, *found)
    nothing = object()
    other = next(k for k in keys if found.get(k, nothing) != wanted.get(k, nothing))
    raise InputError(
        f"{folder}: a solution of something else is kept there, or {MANIFEST} is damaged "
        f"(it differs in {other})"
    )
