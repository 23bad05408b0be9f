"""How quick the studio is: its first page after the start, clicks, twenty tables at once.

    python benchmarks/studio.py

Milliseconds, the median and the slowest of several; nothing is asserted.
"""

from __future__ import annotations

import http.client
import json
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

TIC = "shipped/tic-tac-toe/tic-tac-toe"
TABLES, ROUNDS = 20, 5


def main() -> None:
    """Print a line for each figure."""
    first = [_first_page() for _ in range(3)]
    _line("start of the command to the first page", first)
    command = [sys.executable, "-m", "ggp", "studio", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        host = _host(process)

        def ask(path: str, body: object) -> dict[str, Any]:
            connection = http.client.HTTPConnection(host, timeout=120)
            headers = {"Content-Type": "application/json"}
            connection.request("POST", path, json.dumps(body), headers)
            answer: dict[str, Any] = json.loads(connection.getresponse().read())
            connection.close()
            return answer

        ask("/api/check", {"text": ""})  # all is loaded
        opening = [_timed(lambda: ask("/api/tables", {"game": TIC})) for _ in range(ROUNDS)]
        _line("a table set up (tic-tac-toe)", opening)
        _line("a click, people at both seats", _clicks(ask, {}))
        _line("a click and the reply of the machine, solved", _clicks(ask, {"oplayer": "perfect"}))
        _line("every move's value, solved", _hints(ask))
        with ThreadPoolExecutor(TABLES) as pool:
            each = list(pool.map(lambda _: _clicks(ask, {}), range(TABLES)))
        _line(f"a click with {TABLES} tables at once", [time for own in each for time in own])
        process.send_signal(signal.SIGINT)


def _first_page() -> float:
    began = time.perf_counter()
    command = [sys.executable, "-m", "ggp", "studio", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        connection = http.client.HTTPConnection(_host(process), timeout=60)
        connection.request("GET", "/")
        connection.getresponse().read()
        found = time.perf_counter() - began
        process.send_signal(signal.SIGINT)
    return found


def _host(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    found = re.search(r"http://\S+/", process.stdout.readline())
    assert found
    return urlsplit(found[0]).netloc


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _clicks(ask: Callable[[str, object], Any], seats: dict[str, str]) -> list[float]:
    """Clicks on the first place that is free, with the reply where the machine has a seat."""
    shown = ask("/api/tables", {"game": TIC, "seats": seats})
    found = []

    def click() -> None:
        nonlocal shown
        _, place = shown["view"]["targets"][0]
        turn = shown["view"]["turn"]
        path = f"/api/tables/{shown['table']}"
        shown = ask(path, {"do": "click", "board": 0, "place": place, "turn": turn})
        if shown["view"]["waits"]:
            shown = ask(path, {"do": "go", "turn": shown["view"]["turn"]})

    while not shown["over"]:
        found.append(_timed(click))
    # The first one solves the game.
    return found[1:] if seats else found


def _hints(ask: Callable[[str, object], Any]) -> list[float]:
    shown = ask("/api/tables", {"game": TIC})
    path, turn = f"/api/tables/{shown['table']}", shown["view"]["turn"]
    found = [_timed(lambda: ask(path, {"do": "hint", "turn": turn})) for _ in range(ROUNDS)]
    return found[1:]


def _line(what: str, seconds: list[float]) -> None:
    middle, slowest = statistics.median(seconds), max(seconds)
    print(f"{what}: {1000 * middle:.0f} ms (slowest {1000 * slowest:.0f}, of {len(seconds)})")


if __name__ == "__main__":
    main()
