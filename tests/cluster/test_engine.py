"""A cluster comes when it is asked for, and goes with who asked."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from ggp.cluster import engine
from ggp.errors import InputError
from tests.cli.test_json import checked
from tests.conftest import GAMES, nightly

KAYLES = GAMES / "kayles" / "kayles-7.kif"

WITHOUT = "import sys; sys.modules['ray'] = None; from ggp.cli.main import run; run(sys.argv[1:])"

ONLY = (
    "from ggp.cli.main import _run; _run(['check', 'nim/rows']); import sys; 'ray' in sys.modules"
)


def ran(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, timeout=120, check=False
    )


def test_without_ray_it_is_said_how_to_get_it() -> None:
    for address in ("local", "127.0.0.1:6379"):
        done = ran("-c", WITHOUT, "check", str(KAYLES), "--cluster", address)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == "ggp: a cluster needs Ray: pip install 'ggp[cluster]'\n"


def test_ray_is_not_imported_unless_asked_for() -> None:
    done = ran(
        "-c", f"import ggp.cli.check, ggp.cli.table, ggp.cluster.pool; {ONLY} and sys.exit(9)"
    )
    assert done.returncode == 0


def test_where_nobody_answers_it_is_said() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    done = ran("-m", "ggp", "check", str(KAYLES), "--cluster", address, "--format", "json")
    assert done.returncode == 2
    assert done.stderr.startswith(f"ggp: --cluster {address}: nobody answers: ")
    assert len(done.stderr.splitlines()) == 1
    assert checked(done.stdout, "error")["error"]["exit_code"] == 2


def test_who_answers_but_is_no_cluster_is_given_up(monkeypatch) -> None:
    monkeypatch.setattr(engine, "JOINING", 2.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(InputError, match="no Ray cluster answers within 2 s"):
            engine._require_cluster(address)


@pytest.mark.parametrize(
    "address", ["", "nowhere", "localhost", "http://localhost:1", "a:b", "x:1; rm -rf", "\x1b[1m:1"]
)
def test_what_is_no_address_is_refused(address) -> None:
    with pytest.raises(InputError, match="expected local, HOST:PORT or") as told:
        engine._require_answer(address)
    assert "\x1b" not in str(told.value)


@pytest.mark.slow
def test_a_second_connection_of_a_program_is_the_first(ray) -> None:
    with engine.connected("local") as again:
        assert again is ray
    assert ray.is_initialized()


def test_a_cluster_of_this_machine_is_for_this_machine(ray) -> None:
    """Its processes listen to the loopback address alone, and want a token."""
    places = {
        connection.laddr.ip
        for process in psutil.Process().children(recursive=True)
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert places
    assert places <= {"127.0.0.1", "::1", "::ffff:127.0.0.1"}
    assert os.environ["RAY_AUTH_MODE"] == "token"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
@pytest.mark.parametrize("how", [signal.SIGINT, *nightly([signal.SIGTERM, signal.SIGKILL])])
def test_whatever_ends_it_no_process_is_left(tmp_path, how) -> None:
    """After Ctrl-C what was found is printed."""
    shutil.copy(KAYLES, tmp_path / "a.kif")
    (tmp_path / "a.toml").write_text("[[instance]]\nnim_value = 3\n")
    shutil.copy(GAMES / "connect-four" / "connect-four.kif.jinja", tmp_path / "b.kif.jinja")
    large = "[[instance]]\nset = { columns = 7, rows = 6 }\nreachable_states = 1\n"
    (tmp_path / "b.toml").write_text(large * 2)
    command = [sys.executable, "-W", "error", "-m", "ggp", "test", str(tmp_path)]
    command += ["--cluster", "local", "--jobs", "2"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert "a#1 nim_value: expected 3, found 2" in process.stdout.readline()
        others = psutil.Process(process.pid).children(recursive=True)
        names = {other.name() for other in others}
        assert {"raylet", "gcs_server"} <= names
        folders = [Path(arg) for other in others for arg in other.cmdline() if _is_folder(arg)]
        os.killpg(process.pid, how)
        output, errors = process.communicate(timeout=120)
    assert _gone(others)
    assert folders
    assert not any(folder.exists() for folder in folders)
    assert "Traceback" not in errors
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert errors == "interrupted\n"
        assert output.splitlines()[-1] == "1 instance, facts: 0 held, 1 wrong, interrupted"
    else:
        assert process.returncode == -how


def _is_folder(argument: str) -> bool:
    return Path(argument).name.startswith("ggp-ray-") and "=" not in argument


def _gone(processes: list[psutil.Process]) -> bool:
    """Whether they end; what nobody has buried yet has ended."""
    for _ in range(300):
        if not any(map(_lives, processes)):
            return True
        time.sleep(0.1)
    return False


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
