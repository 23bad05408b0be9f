"""Imported first by the process that others are forked from, which is begun deaf to Ctrl-C.

From here on Ctrl-C, which the terminal sends to this process, too, ends it without a word: who
began it says what there is to be said, and nothing is forked from here before all is loaded.
"""

import os
import signal

signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
