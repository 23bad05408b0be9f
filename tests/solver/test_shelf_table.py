"""Shelves of arrays: what is kept, what files may lie beside it, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ggp.errors import InputError
from ggp.solver.layers import shelf as module
from ggp.solver.layers.shelf import InFolder, InMemory, Shelf, require_kind

KEYS, VALUES, RUN = "keys-0000000003", "values-0000000003", "run-0000000004-start"


@pytest.fixture(params=["memory", "folder"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shelf]:
    made: Shelf = InMemory() if request.param == "memory" else InFolder(tmp_path / "f", {})
    yield made
    made.close()


def array_of(count: int, kind: type[np.generic] = np.uint64) -> np.ndarray[Any, Any]:
    return np.arange(count, dtype=kind)


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(0, dtype=np.uint8),
        np.zeros((0, 2), dtype=np.uint64),
        np.array([7], dtype=np.uint8),
        np.array([2**64 - 1, 0], dtype=np.uint64),
        np.arange(6, dtype=np.uint64).reshape(3, 2),
        np.arange(6, dtype=np.uint64).reshape(3, 2)[:, ::-1],
        np.arange(6, dtype=np.int64).reshape(2, 3).T,
        np.array([-1, 5], dtype=np.int64),
    ],
)
def test_what_is_put_is_got_again(shelf: Shelf, array: np.ndarray[Any, Any]) -> None:
    for found in (shelf.put(KEYS, array), shelf.get(KEYS)):
        assert found is not None
        assert found.dtype == array.dtype
        assert found.shape == array.shape
        assert found.tolist() == array.tolist()


def test_names_are_sorted_and_go_with_what_they_are_of(shelf: Shelf) -> None:
    assert shelf.names() == []
    for name in (VALUES, KEYS, RUN):
        assert shelf.get(name) is None
        shelf.put(name, array_of(3))
    assert shelf.names() == [KEYS, RUN, VALUES]
    shelf.drop(RUN)
    shelf.drop(RUN)
    assert shelf.names() == [KEYS, VALUES]
    assert shelf.get(RUN) is None
    assert shelf.get(KEYS) is not None


def test_memory_keeps_the_array_itself_until_it_is_closed() -> None:
    shelf, array = InMemory(), array_of(3)
    assert shelf.put(KEYS, array) is array
    assert shelf.get(KEYS) is array
    shelf.close()
    assert shelf.names() == []
    assert shelf.get(KEYS) is None


def test_files_stay_for_whoever_comes_next(tmp_path: Path) -> None:
    first = InFolder(tmp_path / "a" / "b", {"of": [1, 2]})
    first.put(KEYS, array_of(4))
    first.close()
    second = InFolder(tmp_path / "a" / "b", {"of": (1, 2)})
    assert second.names() == [KEYS]
    found = second.get(KEYS)
    assert found is not None
    assert found.tolist() == [0, 1, 2, 3]
    assert json.loads((tmp_path / "a" / "b" / "solution.json").read_text()) == {
        "format": 2,
        "of": [1, 2],
    }
    second.close()
    assert sorted(path.name for path in second.folder.iterdir()) == [
        f"{KEYS}.npy",
        "lock",
        "solution.json",
    ]


@pytest.mark.parametrize(("count", "is_mapped"), [(0, False), (1, True), (2, True), (999, True)])
def test_all_but_empty_files_are_mapped(count: int, is_mapped: bool, tmp_path: Path) -> None:
    shelf = InFolder(tmp_path, {})
    for found in (shelf.put(VALUES, array_of(count, np.uint8)), shelf.get(VALUES)):
        assert isinstance(found, np.memmap) == is_mapped
        assert found is not None
        assert len(found) == count
        if is_mapped:
            with pytest.raises(ValueError, match="read-only"):
                found[0] = 1
    shelf.close()


@pytest.mark.parametrize(
    ("name", "is_ours"),
    [
        ("weights", True),
        ("keys-0000000000", True),
        ("values-0000000012", True),
        ("moved-0000000012", True),
        ("run-0000000012-start", True),
        ("run-0000000012-0000000013", True),
        ("run-0000000012-0000000013-00003", True),
        ("keys", False),
        ("keys-12", False),
        ("keys-00000000123", False),
        ("keys-0000000012-start", False),
        ("run-0000000012", False),
        ("run-0000000012-end", False),
        ("run-0000000012-start-00003", False),
        ("run-0000000012-0000000013-3", False),
        ("my-weights", False),
        ("weights-1", False),
    ],
)
def test_files_of_other_names_are_left_alone(name: str, is_ours: bool, tmp_path: Path) -> None:
    shelf = InFolder(tmp_path, {})
    np.save(tmp_path / f"{name}.npy", array_of(1))
    assert shelf.names() == ([name] if is_ours else [])
    shelf.close()
    # What was half done is swept away, and nothing else.
    part = tmp_path / f"{name}.part"
    part.write_text("half")
    InFolder(tmp_path, {}).close()
    assert part.exists() != is_ours
    assert (tmp_path / f"{name}.npy").exists()


def test_a_half_written_manifest_is_swept_away(tmp_path: Path) -> None:
    (tmp_path / "solution.json.part").write_text("{")
    (tmp_path / "mine.part").write_text("x")
    InFolder(tmp_path, {"x": 1}).close()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["lock", "mine.part", "solution.json"]
    assert json.loads((tmp_path / "solution.json").read_text()) == {"format": 2, "x": 1}


@pytest.mark.parametrize(
    ("kept", "wanted", "key"),
    [
        ({"a": 1}, {"a": 2}, "a"),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, "b"),
        ({"a": 1, "b": 2}, {"a": 3, "b": 4}, "a"),
        ({"a": 1, "b": 2}, {"a": 1}, "b"),
        ({"a": 1}, {"a": 1, "b": 2}, "b"),
        ({"a": 1, "b": None}, {"a": 1}, "b"),
        ({"a": 1}, {"a": 1, "b": None}, "b"),
        ({"format": 1, "a": 1}, {"a": 1}, "format"),
        ({"a": {"b": [1]}}, {"a": {"b": [2]}}, "a"),
    ],
)
def test_a_folder_of_something_else_is_refused_and_said_in_what_it_differs(
    kept: dict[str, Any], wanted: dict[str, Any], key: str, tmp_path: Path
) -> None:
    InFolder(tmp_path, kept).close()
    before = (tmp_path / "solution.json").read_bytes()
    with pytest.raises(InputError) as caught:
        InFolder(tmp_path, wanted)
    assert str(caught.value) == (
        f"{tmp_path}: a solution of something else is kept there, or solution.json is damaged (it "
        f"differs in {key})"
    )
    assert (tmp_path / "solution.json").read_bytes() == before


@pytest.mark.parametrize("text", ["[]", "null", "7", '"solution"'])
def test_a_manifest_that_is_no_object_is_none(text: str, tmp_path: Path) -> None:
    (tmp_path / "solution.json").write_text(text)
    with pytest.raises(InputError) as caught:
        InFolder(tmp_path, {})
    assert str(caught.value) == f"{tmp_path / 'solution.json'}: not what was written there"


@pytest.mark.parametrize("name", ["notes.txt", f"{KEYS}.npy", "solution.txt"])
def test_a_folder_that_is_not_empty_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("mine")
    (tmp_path / f"{KEYS}.part").write_text("half")
    with pytest.raises(InputError) as caught:
        InFolder(tmp_path, {})
    assert str(caught.value) == f"{tmp_path}: not empty, and no solution is kept there"
    assert (tmp_path / name).read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {name, f"{KEYS}.part"}


def test_what_is_no_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(InputError, match=f"^{folder}: "):
            InFolder(folder, {})
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_is_free_again_when_the_work_is_done(tmp_path: Path) -> None:
    first = InFolder(tmp_path, {})
    with pytest.raises(InputError) as caught:
        InFolder(tmp_path, {})
    assert str(caught.value) == f"{tmp_path}: another solution is at work there"
    first.close()
    second = InFolder(tmp_path, {})
    # Closing twice frees nobody else's folder.
    first.close()
    with pytest.raises(InputError, match="at work"):
        InFolder(tmp_path, {})
    second.close()


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: b"",
        lambda whole: b"something else",
        lambda whole: whole[:100],
        lambda whole: whole[:-1],
        lambda whole: whole[:128],
        lambda whole: b"\x80" + whole[1:],
        lambda whole: whole[:150] + bytes([whole[150] ^ 4]) + whole[151:],
        lambda whole: whole[:-1] + bytes([whole[-1] ^ 4]),
    ],
)
def test_a_file_that_is_not_whole_is_none_of_ours(
    damage: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    first = InFolder(tmp_path, {})
    first.put(KEYS, array_of(9))
    first.close()
    path = tmp_path / f"{KEYS}.npy"
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    shelf = InFolder(tmp_path, {})
    with pytest.raises(InputError) as caught:
        shelf.get(KEYS)
    assert str(caught.value) == f"{path}: not what was written there"
    path.write_bytes(whole)
    assert shelf.get(KEYS).tolist() == list(range(9))  # type: ignore[union-attr]
    shelf.close()


def test_pickled_objects_are_not_read(tmp_path: Path) -> None:
    shelf = InFolder(tmp_path, {})
    np.save(tmp_path / f"{KEYS}.npy", np.array([{}], dtype=object))
    with pytest.raises(InputError, match="not what was written"):
        shelf.get(KEYS)
    shelf.close()


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    shelf = InFolder(tmp_path, {})
    shelf.put(VALUES, array_of(2))
    (tmp_path / f"{KEYS}.npy").mkdir()
    with pytest.raises(InputError, match=f"{KEYS}.npy: Is a directory"):
        shelf.put(KEYS, array_of(2))
    assert not list(tmp_path.glob("*.part"))
    assert shelf.names() == [KEYS, VALUES]
    shelf.close()


def test_room_that_is_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = InFolder(tmp_path, {})

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "crc32", full)
    with pytest.raises(InputError) as caught:
        shelf.put(KEYS, array_of(2))
    assert str(caught.value) == f"{tmp_path / KEYS}.npy: No space left on device"
    assert shelf.names() == []
    assert not list(tmp_path.glob("*.part"))
    shelf.close()


def test_an_old_file_stays_until_the_new_one_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = InFolder(tmp_path, {})
    shelf.put(KEYS, array_of(2))
    with monkeypatch.context() as patched:
        patched.setattr(module, "crc32", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            shelf.put(KEYS, array_of(3))
    found = shelf.get(KEYS)
    assert found is not None
    assert found.tolist() == [0, 1]
    assert shelf.put(KEYS, array_of(3)).tolist() == [0, 1, 2]
    shelf.close()


@pytest.mark.parametrize(
    ("shape", "kind", "wanted", "fits"),
    [
        ((3,), np.uint8, (3,), True),
        ((3,), np.uint8, (None,), True),
        ((0,), np.uint8, (None,), True),
        ((3,), np.uint8, (4,), False),
        ((3,), np.uint8, (), False),
        ((3,), np.uint8, (None, None), False),
        ((3, 2), np.uint8, (None,), False),
        ((3, 2), np.uint8, (3, 2), True),
        ((3, 2), np.uint8, (None, 2), True),
        ((3, 2), np.uint8, (None, 3), False),
        ((3, 2), np.uint8, (2, 3), False),
        ((3, 2), np.uint8, (2, None), False),
        ((3,), np.int8, (3,), False),
        ((3,), np.uint64, (None,), False),
        ((), np.uint8, (), True),
    ],
)
def test_arrays_of_another_kind_are_refused(
    shape: tuple[int, ...], kind: type[np.generic], wanted: tuple[int | None, ...], fits: bool
) -> None:
    array = np.zeros(shape, dtype=kind)
    if fits:
        assert require_kind("a", array, np.uint8, *wanted) is array
        return
    with pytest.raises(InputError, match=r"^a: not what was written there$"):
        require_kind("a", array, np.uint8, *wanted)
