"""Ctrl-C at random moments of every verb.

`python -m benchmarks.interrupts [--count N] [--seed S] [--verb V]` starts each verb N times and
sends SIGINT after a random time, but not before Python itself has started. It must end within 5 s,
with 130 (-2, ended by the signal, is that for a shell) and at most one line on standard error, or
with what it would have ended with anyway; what else came is printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

STARTED = 0.05
"""Seconds after which Python runs what it was started for."""

SOLVE = ["solve", "connect-four", "--set"]

VERBS = {
    "analyse": (["analyse", "connect-four", "--set", "columns=6"], 6.0),
    "analyse small": (["analyse", "kayles-7"], 1.0),
    "solve": ([*SOLVE, "columns=6", "--set", "rows=5"], 6.0),
    "search": ([*SOLVE, "columns=6", "--set", "rows=5", "--method", "alpha-beta"], 8.0),
    "layers": ([*SOLVE, "columns=5", "--set", "rows=5", "--method", "layers"], 8.0),
    "runs": (["runs", "colouring", "--set", "n=5", "--moves", "3"], 4.0),
    "solve template": (["solve", "kayles", "--set", "n=60"], 3.0),
    "show": (
        ["show", "connect-four", "--set", "columns=7", "--set", "rows=6", "--perft", "12"],
        6.0,
    ),
    "check": (["check", "tic-tac-toe"], 0.5),
    "bench": (["bench", "tic-tac-toe", "--seconds", "2"], 5.0),
    "verify": (["verify", "{certificate}"], 1.0),
    "record": (["record", "connect-four", "--playouts", "200"], 2.0),
    "convert": (["convert", "tic-tac-toe", "--to", "asp"], 0.5),
    "games": (["games"], 0.5),
    "cache": (["cache"], 0.5),
    "play": (["play", "tic-tac-toe"], 1.5),
    "serve": (["serve", "--port", "0"], 3.0),
}


def interrupted(arguments: list[str], after: float) -> tuple[int, str, float]:
    """The exit code, standard error, and the seconds that it took to end."""
    command = [sys.executable, "-m", "ggp", *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as running:
        time.sleep(after)
        running.send_signal(signal.SIGINT)
        sent = time.monotonic()
        try:
            _, errors = running.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            running.kill()
            _, errors = running.communicate()
        return running.returncode, errors, time.monotonic() - sent


def main() -> None:
    """Interrupt, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verb", action="append", choices=VERBS, help="only this one")
    options = parser.parse_args()
    # What is started in the background ignores the signal, and so would all that it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    choose, wrong = random.Random(options.seed), 0
    with tempfile.TemporaryDirectory() as folder:
        certificate = Path(folder) / "certificate.json"
        made = ["analyse", "tic-tac-toe", "--certificate", str(certificate)]
        subprocess.run([sys.executable, "-m", "ggp", *made], check=True, stdout=subprocess.DEVNULL)
        for name in options.verb or VERBS:
            arguments, longest = VERBS[name]
            codes: Counter[int] = Counter()
            slowest = 0.0
            for _ in range(options.count):
                given = [a.replace("{certificate}", str(certificate)) for a in arguments]
                after = choose.uniform(STARTED, longest)
                code, errors, seconds = interrupted(given, after)
                codes[code] += 1
                slowest = max(slowest, seconds)
                lines = [
                    x for x in errors.splitlines() if "compiling" not in x and "listens" not in x
                ]
                if code not in (0, 130, -2) or len(lines) > 1 or seconds > 5:
                    wrong += 1
                    print(f"{name}: after {after:.3f} s: {code}, {seconds:.1f} s", *lines[-3:])
            print(f"{name:<16} {dict(codes)}, slowest {slowest:.2f} s", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
