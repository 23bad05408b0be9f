"""Compiled code on disk: whatever happens to it, answers are right or errors clear."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest
from llvmlite import ir

import ggp
from ggp import kernel
from ggp.limits import Budget, Limits
from ggp.machine import Machine
from ggp.machine.engine import assembly, intrinsics, kernels, native, unit, words
from ggp.machine.engine.store import MAGIC, NO_STORE, Store
from ggp.solver.search import alpha_beta, data
from tests.conftest import GAMES, ROOT, nightly

TIC_TAC_TOE = GAMES / "tic-tac-toe" / "tic-tac-toe.kif"


@pytest.fixture
def store(tmp_path) -> Store:
    return Store(tmp_path / "code")


def only(store: Store) -> Path:
    ((path, _),) = store.files()
    return path


def test_what_is_put_is_got(store) -> None:
    assert store.get("a") is None
    assert store.put("a", b"one")
    assert store.put("b", b"two")
    assert (store.get("a"), store.get("b"), store.get("c")) == (b"one", b"two", None)
    assert store.clear() == 2
    assert store.get("a") is None


@pytest.mark.parametrize("keep", [0, 5, len(MAGIC), len(MAGIC) + 32, -1])
def test_a_file_that_is_cut_off_is_not_used(store, keep) -> None:
    store.put("a", b"content")
    path = only(store)
    path.write_bytes(path.read_bytes()[:keep])
    assert store.get("a") is None
    assert store.put("a", b"content")
    assert store.get("a") == b"content"


def test_an_altered_file_is_not_used(store) -> None:
    store.put("a", b"content")
    content = bytearray(only(store).read_bytes())
    content[-1] ^= 1
    only(store).write_bytes(content)
    assert store.get("a") is None


def test_a_file_of_another_version_is_not_used(store) -> None:
    store.put("a", b"content")
    only(store).write_bytes(only(store).read_bytes().replace(b"code 1", b"code 0"))
    assert store.get("a") is None


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no users and modes here")
def test_what_others_could_have_written_is_not_used(store) -> None:
    store.put("a", b"content")
    only(store).chmod(0o666)
    assert store.get("a") is None
    only(store).chmod(0o600)
    assert store.get("a") == b"content"
    store.folder.chmod(0o777)
    assert store.get("a") is None
    assert not store.put("b", b"content")
    assert not store.is_usable()


def test_the_folder_is_bounded_and_old_files_go_first(tmp_path) -> None:
    store = Store(tmp_path / "code", limit=4000)
    for i in range(10):
        assert store.put(str(i), bytes(500))
        for path, _ in store.files():
            status = path.stat()
            os.utime(path, (status.st_atime - 10, status.st_mtime - 10))
    assert sum(status.st_size for _, status in store.files()) <= 4000
    assert store.get("9") is not None
    assert store.get("0") is None
    assert not store.put("large", bytes(2000))


def test_the_folder_is_looked_through_seldom(tmp_path, monkeypatch) -> None:
    """A third of the time of a compilation went into it where the folder had thousands of files:
    once in each process, and whenever a 64th of the bound has been written since."""
    looks, shrink = [], Store._shrink
    monkeypatch.setattr(Store, "_shrink", lambda self: looks.append(True) or shrink(self))
    store = Store(tmp_path / "code", limit=12_800)
    for i in range(100):
        assert store.put(str(i), bytes(57))  # 100 with what stands before it
        assert len(looks) == 1 + i // 3
        assert sum(status.st_size for _, status in store.files()) <= 12_800
    Store(tmp_path / "code", limit=12_800).put("another process", b"content")
    assert len(looks) == 35
    for i in range(200):
        store.put(f"more {i}", bytes(57))
        assert sum(status.st_size for _, status in store.files()) <= 12_800


def test_a_full_disk_leaves_nothing_half_written(store, monkeypatch) -> None:
    real = os.fdopen

    class Full:
        def __init__(self, handle, mode):
            self.file = real(handle, mode)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.file.close()

        def write(self, content):
            self.file.write(content[:10])
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fdopen", Full)
    assert not store.put("a", b"content")
    monkeypatch.setattr(os, "fdopen", real)
    assert store.files() == []
    assert store.get("a") is None


def test_an_unfinished_file_is_swept_up_later(store) -> None:
    store.put("a", b"content")
    left = store.folder / "left.part"
    left.write_bytes(b"half")
    store.put("b", b"content")
    assert left.exists()
    long_ago = time.time() - 100_000
    os.utime(left, (long_ago, long_ago))
    Store(store.folder).put("c", b"content")
    assert not left.exists()


@pytest.fixture(autouse=True, scope="module")
def by_llvm() -> Iterator[None]:
    """As where code cannot be assembled: what is compiled is kept in the store."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(assembly, "is_possible", lambda: False)
        yield


def playouts(store: Store) -> dict[int, int]:
    game = ggp.load(TIC_TAC_TOE)
    machine = Machine(game.net, choice="llvm", store=store)
    return machine.playouts(game.initial.bits, 2_000, seed=1).goals["xplayer"]


@pytest.fixture(scope="module")
def expected() -> dict[int, int]:
    return playouts(NO_STORE)


def test_code_is_taken_from_the_store(store, expected, monkeypatch) -> None:
    assert playouts(store) == expected
    assert store.files()

    def fail(*_):
        raise AssertionError("compiled although it was kept")

    monkeypatch.setattr(native, "_compiled", fail)
    assert playouts(store) == expected
    with pytest.raises(AssertionError):
        playouts(NO_STORE)


def test_spoiled_code_is_compiled_again(store, expected) -> None:
    playouts(store)
    for path, _ in store.files():
        path.write_bytes(path.read_bytes()[:-7])
    assert playouts(store) == expected


def test_the_interpreter_goes_on_where_compiling_fails(expected, monkeypatch) -> None:
    """In the background, without a word; asked for, the fault is told."""

    def fail(*_):
        raise MemoryError("no memory for LLVM")

    monkeypatch.setattr(native, "_compiled", fail)
    monkeypatch.setattr(unit, "WORTH", 0)
    game = ggp.load(TIC_TAC_TOE)
    machine = Machine(game.net, choice="auto", store=NO_STORE)
    assert machine.playouts(game.initial, 2_000, seed=1).goals["xplayer"] == expected
    assert machine.player.unit.native is None
    with pytest.raises(MemoryError):
        machine.player.unit.compile()


def test_code_is_made_in_the_background_for_who_asks_for_it_soon(expected) -> None:
    """Of random play, looking and moving; nothing where the interpreter is asked for."""
    game = ggp.load(TIC_TAC_TOE)
    machine = Machine(game.net, choice="auto", store=NO_STORE)
    machine.compile_soon()
    units = [machine.player.unit, machine._view_unit, machine._next_unit]
    for each in units:
        each._thread.join(60)
    assert all(each.native for each in units)
    assert machine.playouts(game.initial, 2_000, seed=1).goals["xplayer"] == expected
    slow = Machine(game.net, choice="interpreter", store=NO_STORE)
    slow.compile_soon()
    assert slow.player.unit._thread is None


@pytest.mark.parametrize("limit", ["WORTH", "WORK"])
def test_compiling_begins_after_so_many_passes_or_gates(limit, monkeypatch) -> None:
    """Of a circuit of many gates after few passes; `running` is asked before they are made."""
    machine = Machine(ggp.load(TIC_TAC_TOE).net, choice="auto", store=NO_STORE)
    each = machine.player.unit
    gates = len(each.circuit.first)
    monkeypatch.setattr(unit, "WORTH", 10 if limit == "WORTH" else 1_000_000)
    monkeypatch.setattr(unit, "WORK", 10 * gates if limit == "WORK" else 1_000_000 * gates)
    each.running(10)
    assert each._thread is None
    each.running(1)
    assert each._thread is not None
    each._thread.join(60)


def test_no_folder_can_be_made(tmp_path, expected) -> None:
    """A file stands where the folder would be."""
    (tmp_path / "file").write_text("here")
    store = Store(tmp_path / "file" / "code")
    assert not store.is_usable()
    assert playouts(store) == expected


def test_two_threads_compile_the_same(store, expected) -> None:
    found = []
    threads = [threading.Thread(target=lambda: found.append(playouts(store))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 3


SCRIPT = """
import sys
import ggp
from ggp.machine import Machine
from ggp.machine.engine import assembly
assembly.is_possible = lambda: False
game = ggp.load(sys.argv[1])
machine = Machine(game.net, choice="llvm")
print(machine.playouts(game.initial.bits, 2_000, seed=1).goals["xplayer"])
"""


def start(cache: Path, before: str = "", **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", before + SCRIPT, str(TIC_TAC_TOE)],
        env={**os.environ, "GGP_CACHE": str(cache), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )


def test_two_processes_compile_the_same(tmp_path, expected) -> None:
    both = [start(tmp_path / "code"), start(tmp_path / "code")]
    for process in both:
        out, err = process.communicate(timeout=120)
        assert out.strip() == str(expected), err


def test_killed_while_compiling(tmp_path, expected) -> None:
    """Whatever moment it is killed at, the next one is right."""
    for delay in (0.4, 0.8, 1.0):
        process = start(tmp_path / "code")
        time.sleep(delay)
        process.kill()
        process.communicate()
    out, err = start(tmp_path / "code").communicate(timeout=120)
    assert out.strip() == str(expected), err


@pytest.mark.slow
def test_numbas_own_cache_may_be_missing(tmp_path, expected) -> None:
    """No folder can be written to, neither for our code nor for numba's."""
    blocked = tmp_path / "file"
    blocked.write_text("here")
    none = "from numba.core import caching; caching.CompileResultCacheImpl._locator_classes = []"
    out, err = start(blocked / "code", none).communicate(timeout=300)
    assert out.strip() == str(expected), err


@pytest.mark.slow
def test_numbas_own_cache_may_be_spoiled(tmp_path, expected) -> None:
    """Files of numba's cache cut off in the middle: compiled again, with the right answer."""
    cache = str(tmp_path / "numba")
    out, err = start(tmp_path / "code", NUMBA_CACHE_DIR=cache).communicate(timeout=300)
    assert out.strip() == str(expected), err
    files = [path for path in Path(cache).rglob("*.nb?") if path.is_file()]
    assert files
    for path in files:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    out, err = start(tmp_path / "code", NUMBA_CACHE_DIR=cache).communicate(timeout=300)
    assert out.strip() == str(expected), err


CALLED = """
from ggp.kernel import kernel
from sizes import SIZE

@kernel
def more(x):
    return x + {more} * SIZE
"""
CALLS = """
from ggp.kernel import kernel, rests_on
import called

@kernel
def twice(x):
    return 2 * called.more(x)

def run():
    return twice(1), rests_on(twice.py_func)
"""


@pytest.mark.parametrize("changed", [(2, 10, 42), *nightly([(1, 10, 22), (1, 20, 42)])])
def test_code_is_as_new_as_all_that_it_calls(tmp_path, changed) -> None:
    """The file of the function that is called from outside stays as it was."""

    def written(more: int, size: int) -> None:
        (tmp_path / "sizes.py").write_text(f"SIZE = {size}")
        (tmp_path / "called.py").write_text(CALLED.format(more=more))

    def run() -> list[str]:
        code = "import calls; print(*calls.run())"
        environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}", "PYTHONSAFEPATH": ""}
        done = subprocess.run(
            [sys.executable, "-B", "-c", code], env=environment, capture_output=True, text=True
        )
        assert not done.stderr
        return done.stdout.split()

    more, size, found = changed
    (tmp_path / "calls.py").write_text(CALLS)
    written(1, 10)
    first = run()
    assert first[0] == "22"
    assert run() == first
    written(more, size)
    again = run()
    assert again[0] == str(found)
    assert (again == first) == ((more, size) == (1, 10))


def test_code_rests_on_how_long_rows_are_and_on_what_is_called_by_way_of_others(
    monkeypatch,
) -> None:
    making = alpha_beta.alpha_beta.py_func
    before = kernel.rests_on(making)
    assert kernel.rests_on(making) == before
    loop = kernels.evaluate.py_func
    for name, other in (("WORDS", 16), ("_VECTOR", ir.VectorType(ir.IntType(64), 16))):
        wide = kernel.rests_on(loop)
        with monkeypatch.context() as patch:
            patch.setattr(intrinsics, name, other)
            assert kernel.rests_on(loop) != wide
    for path in (words.__file__, kernels.__file__, data.__file__):
        with monkeypatch.context() as patch:
            kept = kernel._digest
            patch.setattr(
                kernel, "_digest", lambda p, path=path, kept=kept: kept(p) + "x" * (p == path)
            )
            assert (kernel.rests_on(making) == before) == (path == data.__file__)


def test_memory_at_a_stated_limit() -> None:
    """A search that passes the memory it may use says so by name."""
    game = ggp.load(GAMES / "connect-four" / "connect-four.kif.jinja", columns=5, rows=4)
    with pytest.raises(ggp.LimitReached, match="memory"):
        game.space(Budget(Limits(memory=1 << 20)))
    assert game.initial.legal(game.roles[0])


def test_code_that_waits_for_other_work_is_given_up_at_the_end(monkeypatch) -> None:
    """Python's end waits for threads that compile, and is not to wait for those before them."""
    machine = ggp.load(TIC_TAC_TOE).machine
    machine.view(machine.rows([1]))
    stop, held, done = threading.Event(), threading.Event(), threading.Event()

    def hold() -> None:
        with unit.one_by_one:
            held.set()
            done.wait(20)

    other = threading.Thread(target=hold)
    other.start()
    held.wait()
    stop.set()
    monkeypatch.setattr(unit, "generate", lambda *_, **__: 1 / 0)
    assert machine._view_unit._compiled(stop) is None
    done.set()
    other.join()
    with pytest.raises(ZeroDivisionError):
        machine._view_unit._compiled(stop)
    assert unit.one_by_one.acquire(blocking=False)
    unit.one_by_one.release()


def test_kernels_call_each_other_without_what_python_calls_them_by() -> None:
    part = numba.typeof(kernels.execute).dispatcher
    assert part is kernels.execute.part is not kernels.execute
    assert part.targetoptions["no_cpython_wrapper"]
    assert not kernels.execute.targetoptions.get("no_cpython_wrapper")
