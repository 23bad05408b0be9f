"""Grounds answer-set programs for another process: a script, run by `ggp.ground.gringo`.

clingo cannot be interrupted while it joins relations; a process can. Programs come in and ground
programs go out as pickles, on standard input and output, until the input ends. This script imports
nothing of the package, so that it is there in a tenth of a second.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from array import array
from collections.abc import Sequence
from typing import Any

import clingo


class _TooMany(Exception):
    """More rules than are allowed."""


class _Observer(clingo.Observer):
    """Counts the rules of a ground program, and keeps them and the atoms that are shown."""

    def __init__(self, allowed: int, keep: bool) -> None:
        self.allowed = allowed
        self.keep = keep
        self.rules = 0
        self.shown: list[tuple[str, int]] = []
        self.heads, self.sizes, self.body = array("q"), array("q"), array("q")

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.rules += 1
        if self.rules > self.allowed:
            raise _TooMany
        if self.keep and not choice and head:
            self.heads.append(head[0])
            self.sizes.append(len(body))
            self.body.extend(body)

    def output_atom(self, symbol: clingo.Symbol, atom: int) -> None:
        self.shown.append((str(symbol), atom))


def grounded(
    program: str, keep: bool, allowed: int, wanted: Sequence[tuple[str, int]]
) -> dict[str, Any]:
    """The ground program; `atoms`: the texts of the atoms of each wanted signature.

    `fault` says what went wrong: `rules` (more than allowed), `memory`, or what clingo says.
    """
    observer = _Observer(allowed, keep)
    try:
        control = clingo.Control(["--warn=none"], logger=lambda code, text: None)
        control.register_observer(observer, replace=True)
        control.add("base", [], program)
        control.ground([("base", [])])
    except MemoryError:
        return {"fault": "memory"}
    except Exception as error:
        return {"fault": "rules" if observer.rules > allowed else f"clingo: {error}"}
    by = control.symbolic_atoms.by_signature
    return {
        "rules": observer.rules,
        "shown": observer.shown,
        "atoms": {(n, a): [str(atom.symbol) for atom in by(n, a)] for n, a in wanted},
        "columns": [column.tobytes() for column in (observer.heads, observer.sizes, observer.body)],
    }


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, whatever is being grounded."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def main() -> None:
    """Ground what comes in until the input ends."""
    # Ctrl-C in a terminal reaches all processes there; the other one decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            order = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        pickle.dump(grounded(*order), answers, protocol=5)
        answers.flush()


if __name__ == "__main__":
    main()
