"""A cluster to work on: one that is started on this machine, or one that runs already.

Who reaches a port of a cluster can have it run anything, as whoever started it: tasks are Python
objects. One that is started here listens on this machine alone, to those who know its token.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ggp.environment import environment, same_modules
from ggp.errors import InputError
from ggp.text import plain, shortened

LOCAL = "local"
"""The address that stands for a cluster of this machine, started when it is needed."""

MISSING = "a cluster needs Ray: pip install 'ggp[cluster]'"

REACHING, JOINING = 5.0, 40.0
"""Seconds after which an address is given up where nothing answers, and where no cluster does."""

_ADDRESS = re.compile(r"(ray://)?(?P<host>\[[0-9a-fA-F:.]+\]|[\w.-]+):(?P<port>\d{1,5})", re.A)

_QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
"""Nothing is reported to anybody; and no warning of older versions about GPUs, of which none are
asked for."""

_LOOPBACK = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""Where this is 0, Ray keeps to the loopback address: by default on some systems only."""


@contextmanager
def connected(address: str, cpus: int | None = None) -> Iterator[Any]:
    """The module `ray`, connected to a cluster while this lasts.

    `address`: `local` for a cluster of this machine with so many workers (default: one a core),
    which is ended with this; else `HOST:PORT` of a cluster that this machine is part of, or
    `ray://HOST:PORT` of any. Where the program is connected already, that connection serves. Raises
    `InputError` where Ray is not installed or is refused, and where no cluster answers in time.
    """
    ray = sys.modules.get("ray")
    if ray is not None and ray.is_initialized():
        yield ray
        return
    with _local(cpus) if address == LOCAL else _elsewhere(address) as ray:
        yield ray


@contextmanager
def _local(cpus: int | None) -> Iterator[Any]:
    own = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32), _LOOPBACK: "0"}
    with environment({**_QUIET, **own, "RAY_worker_niceness": "0"}):
        ray = _imported()
        with _on_loopback(ray), _warden(cpus) as address, _joined(ray, address):
            yield ray


@contextmanager
def _on_loopback(ray: Any) -> Iterator[None]:  # noqa: ANN401
    """Ray keeps to the loopback address while this lasts, also where it was imported before."""
    constants = ray._private.ray_constants
    before = constants.ENABLE_RAY_CLUSTER
    constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        constants.ENABLE_RAY_CLUSTER = before


@contextmanager
def _warden(cpus: int | None) -> Iterator[str]:
    """The address of a cluster of this machine, which is there while this lasts."""
    # Paths of sockets are short, which the place for temporary files need not be.
    folder = tempfile.mkdtemp(prefix="ggp-ray-", dir="/tmp" if os.path.isdir("/tmp") else None)
    # Ray opens its own folder to everybody; nobody else comes through the one around it.
    command = [sys.executable, "-P", "-m", "ggp.cluster.warden", folder, str(cpus or 0)]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **same_modules()},
        text=True,
        start_new_session=True,  # Ctrl-C in a terminal is for this process to hear
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            told = process.stdout.readline().strip()
            if not _ADDRESS.fullmatch(told):
                raise _refused(LOCAL, told + process.stdout.read() or "Ray ended without a word")
            yield told
        finally:
            process.stdin.close()
            process.wait()
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _elsewhere(address: str) -> Iterator[Any]:
    with environment(_QUIET):
        ray = _imported()
        _require_answer(address)
        _require_cluster(address)
        with _joined(ray, address):
            yield ray


def _imported() -> Any:  # noqa: ANN401 - a module that says nothing of its types
    try:
        import ray
    except ImportError:
        raise InputError(MISSING) from None
    return ray


@contextmanager
def _joined(ray: Any, address: str) -> Iterator[None]:  # noqa: ANN401
    """While this lasts the module is connected."""
    inner = ray._raylet
    if hasattr(inner, "AuthenticationTokenLoader"):
        # Whether there is a token, and which, is looked up once in a process.
        inner.Config.initialize("")
        inner.AuthenticationTokenLoader.instance().reset_cache()
    try:
        with _same_signals():
            ray.init(address, log_to_driver=False, logging_level="ERROR")
    except Exception as error:  # whatever Ray raises, which differs from version to version
        raise _refused(address, error) from None
    with _silent(ray):
        try:
            yield
        finally:
            ray.shutdown()


@contextmanager
def _silent(ray: Any) -> Iterator[None]:  # noqa: ANN401
    """Ray prints nothing while this lasts.

    What it says of lost workers would go to standard output, among the answers; no option of
    `ray.init` keeps it from that.
    """
    worker, logger = ray._private.worker, logging.getLogger("ray")
    before, level = worker._worker_logs_enabled, logger.level
    worker._worker_logs_enabled = False
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        worker._worker_logs_enabled = before
        logger.setLevel(level)


def _refused(address: str, why: object) -> InputError:
    told = shortened(" ".join(plain(why).split()))
    return InputError(f"--cluster {address}: {told}")


def _require_answer(address: str) -> None:
    """Raise `InputError` unless something answers at an address."""
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise InputError(
            f"--cluster {shortened(plain(address), 60)}: expected local, HOST:PORT or "
            "ray://HOST:PORT"
        )
    host, port = match["host"].strip("[]"), int(match["port"])
    try:
        socket.create_connection((host, port), REACHING).close()
    except (OSError, OverflowError) as error:
        raise _refused(address, f"nobody answers: {error}") from None


def _require_cluster(address: str) -> None:
    """Raise `InputError` unless a cluster at an address takes in programs like this one.

    Asked in a process of its own: Ray tries for minutes, and may end the process that it is in.
    """
    command = [sys.executable, "-P", "-m", "ggp.cluster.probe", address]
    own = {**os.environ, **same_modules()}
    options: dict[str, Any] = {"capture_output": True, "text": True, "env": own}
    try:
        found = subprocess.run(command, timeout=JOINING, check=False, **options)
    except subprocess.TimeoutExpired:
        raise _refused(address, f"no Ray cluster answers within {JOINING:g} s") from None
    if found.returncode:
        why = found.stdout or "Ray ended without a word"
        raise _refused(address, f"Ray cannot connect (another version? a token?): {why}")


@contextmanager
def _same_signals() -> Iterator[None]:
    """SIGTERM means afterwards what it meant before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
