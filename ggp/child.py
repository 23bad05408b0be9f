"""What runs in a child of `ggp.apart`: a script's function `answer`, for order after order.

This file and those scripts import nothing of the package, so that a child is there in a tenth of a
second.
"""

from __future__ import annotations

import os
import pickle
import runpy
import signal
import sys
import threading
import time


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, whatever it is at."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


def main() -> None:
    """Answer what comes in until the input ends."""
    # Ctrl-C in a terminal reaches all processes there; the parent decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    answer = runpy.run_path(sys.argv[1])["answer"]
    while True:
        try:
            order = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        answered = answer(order)
        try:
            pickle.dump(answered, answers, protocol=5)
            answers.flush()
        except BrokenPipeError:
            os._exit(1)  # who asked is gone


if __name__ == "__main__":
    main()
