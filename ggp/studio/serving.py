"""Runs the studio on a socket until somebody ends it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from pathlib import Path

import uvicorn

from ggp.studio.app import application
from ggp.studio.library import Library
from ggp.studio.patience import PatientProtocol

MOST_CONNECTIONS = 256
"""At once; beyond that requests are refused."""


async def serve(
    listening: socket.socket,
    own: Callable[[], list[tuple[str, Path]]],
    home: Path | None,
    names: Iterable[str],
) -> None:
    """Answer requests until Ctrl-C or an order to end; `own` and `home` as of `Library`."""
    await server_of(own, home, names).serve(sockets=[listening])


def server_of(
    own: Callable[[], list[tuple[str, Path]]],
    home: Path | None = None,
    names: Iterable[str] = (),
) -> uvicorn.Server:
    """The server of a studio, not begun."""
    settings = uvicorn.Config(
        application(Library(own, home), names),
        log_level="warning",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=2,
        server_header=False,
        ws="none",
        http=PatientProtocol,
    )
    return uvicorn.Server(settings)
