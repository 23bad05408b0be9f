"""How an editor and the server reach each other: standard input and output, or a port."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from typing import BinaryIO

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from ggp.errors import InputError
from ggp.lsp.server import Server
from ggp.text import plain

LOCALHOST = "127.0.0.1"


class _Plain(logging.Formatter):
    """Log lines that a terminal can be shown, whatever text of a sheet is in them."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        return plain(super().format(record))


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether this is more than a request that was answered with why it cannot be done."""
    error = record.exc_info[1] if record.exc_info else None
    failed = lsp.LSPErrorCodes.RequestFailed.value
    return not (isinstance(error, JsonRpcException) and error.code == failed)


def serve_stdio() -> int:
    """Serve the editor that started this process; the exit code of the protocol.

    What anything prints goes to standard error: standard output is the protocol's.
    """
    if sys.stdin is None or sys.stdout is None:
        raise InputError("a language server needs standard input and output")
    sys.stdout.flush()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return _serve(sys.stdin.buffer, answers)


def serve_port(port: int) -> int:
    """Serve the first that connects to a port of this machine; 0 lets the system choose one.

    Raises `InputError` where the port cannot be had.
    """
    try:
        with socket.create_server((LOCALHOST, port)) as listening:
            place = listening.getsockname()
            print(f"ggp lsp listens on {place[0]}:{place[1]}", file=sys.stderr, flush=True)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            connection, _ = listening.accept()
    except OSError as error:
        raise InputError(f"cannot listen on {LOCALHOST}:{port}: {error.strerror}") from error
    try:
        with connection, connection.makefile("rb") as asked, connection.makefile("wb") as answers:
            return _serve(asked, answers)
    except ConnectionError:
        return 1


def _serve(asked: BinaryIO, answers: BinaryIO) -> int:
    handler = logging.StreamHandler()
    handler.addFilter(_is_fault)
    handler.setFormatter(_Plain("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    # Ctrl-C ends all at once: the thread that reads cannot be asked to.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    server = Server()
    try:
        server.start_io(asked, answers)
    finally:
        server.desk.close()
    return 0 if server.was_shut_down else 1
