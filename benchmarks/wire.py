"""A player on the wire under hostile load: what is late, what is nil, what INFO takes.

    python -m benchmarks.wire [--matches N] [--clients M] [--clock SECONDS] [--sheet FILE]…

Serves a player in a process of its own and plays N matches of five games against it, one of them
far from solved and called off after five moves, each with PLAY clocks of so many seconds, while M
clients pester it, half of them with well-formed messages and half with hostile ones: megabytes of
parentheses, endless headers, connections that say nothing. Prints one line: turns asked, late
answers, `nil`s, the slowest and the median answer, the same for INFO, and the memory of the
player's processes, how many they are and their open files, after a tenth of the matches and at the
end. A thousand matches of a small game, which is over in some tenths of a second, show growth:
`--matches 1000 --clients 0 --sheet kayles/kayles-7.kif`.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil

from tests.match.manager import Match, play, raw, send
from tests.match.serving import GameRules

GAMES = Path(__file__).parent.parent / "games"
UNSOLVED = "connect-four/connect-four.kif.jinja"
SHEETS = (
    "kayles/kayles-7.kif",
    "tic-tac-toe/tic-tac-toe.kif",
    "subtraction/sg-125.kif",
    "clobber/clobber-4x4.kif",
    UNSOLVED,
)
HOSTILE = (
    b"POST / HTTP/1.0\r\n\r\n" + b"(" * 1_000_000 + b")" * 1_000_000,
    b"POST / HTTP/1.0\r\n" + b"A: b\r\n" * 300_000,
    b"POST / HTTP/1.0\r\nContent-Length: 2000000\r\n\r\n(START x a (" + b"(role a) " * 200_000,
    b"GET /" + b"%28" * 600_000 + b" HTTP/1.0\r\n\r\n",
    b"POST / HTTP/1.0\r\n\r\n(PLAY nobody NIL",
    b"",
)


def main() -> None:
    """Run it as the module says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=8)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--clock", type=float, default=1.0)
    parser.add_argument("--sheet", action="append", help="Of `games/`; may be repeated.")
    options = parser.parse_args()
    command = [sys.executable, "-m", "ggp", "serve", "--port", "0", "--quiet"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    where = ("127.0.0.1", int(_listening(server).rpartition(":")[2]))
    threading.Thread(target=server.stderr.read, daemon=True).start()
    stop = threading.Event()
    infos: list[float] = []
    threads = [
        threading.Thread(target=_pester, args=(where, stop, number))
        for number in range(options.clients)
    ]
    threads.append(threading.Thread(target=_ask, args=(where, stop, infos)))
    before = _held(server.pid)
    for thread in threads:
        thread.start()
    turns = late = nils = 0
    seconds: list[float] = []
    for number in range(options.matches):
        sheets = options.sheet or SHEETS
        sheet = sheets[number % len(sheets)]
        size = {"columns": 7, "rows": 6} if sheet == UNSOLVED else {}
        rules = GameRules(GAMES / sheet, **size)
        record = play(
            Match(
                f"m{number}",
                rules,
                rules.text,
                startclock=2 * options.clock,
                playclock=options.clock,
                players={rules.roles[number % len(rules.roles)]: where},
                server="ggp-base",
                seed=number,
                abort_after=5 if sheet == UNSOLVED else None,
            )
        )
        if number == options.matches // 10:
            before = _held(server.pid)
        for step in record.steps:
            for answer in step.answers.values():
                turns += 1
                seconds.append(answer.seconds)
                late += answer.seconds > options.clock or answer.error in ("TO", "CE")
                nils += "nil" in (answer.error or "")
    stop.set()
    for thread in threads:
        thread.join()
    infos = infos or [0.0]
    print(
        f"{options.matches} matches, {turns} turns of {options.clock:g} s: {late} late, "
        f"{nils} nil, slowest {max(seconds):.3f} s, median {statistics.median(seconds):.3f} s; "
        f"INFO {len(infos)} times, slowest {max(infos):.3f} s, "
        f"median {statistics.median(infos):.3f} s; "
        f"MB, processes, open files: {before}, at the end {_held(server.pid)}"
    )
    server.terminate()
    server.wait(20)


def _listening(server: subprocess.Popen[str]) -> str:
    assert server.stderr is not None
    for line in server.stderr:
        if "listens on" in line:
            return line
    raise SystemExit("the player ended before it listened")


def _held(pid: int) -> tuple[int, int, int]:
    """Megabytes, processes and open files of a process and all below it."""
    process = psutil.Process(pid)
    all_of_them = [process, *process.children(recursive=True)]
    memory = files = 0
    for one in all_of_them:
        with suppress(psutil.Error):
            memory += one.memory_info().rss
            files += one.num_fds()
    return memory >> 20, len(all_of_them), files


def _pester(where: tuple[str, int], stop: threading.Event, number: int) -> None:
    choose = random.Random(number)
    while not stop.wait(choose.random()):
        if number % 2:
            raw(*where, [choose.choice(HOSTILE)], timeout=2)
        else:
            body = choose.choice(("( PLAY nobody NIL )", "( ABORT nobody )", "( PREVIEW (a) 2 )"))
            send(*where, body, timeout=5)


def _ask(where: tuple[str, int], stop: threading.Event, infos: list[float]) -> None:
    while not stop.wait(0.1):
        begun = time.monotonic()
        reply = send(*where, "( INFO )", timeout=5)
        infos.append(time.monotonic() - begun if reply.body else 5.0)


if __name__ == "__main__":
    main()
