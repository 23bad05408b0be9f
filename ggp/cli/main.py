"""The command `ggp`: its verbs, its exit codes, and how it reports errors.

Exit codes: 0 done; 1 the answer is "no" (rules with errors, an illegal move); 2 wrong use or
unreadable input; 3 a stated limit was reached; 130 interrupted.
"""

from __future__ import annotations

import _thread
import importlib
import io
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING

import click

from ggp.cli.start import settle_interrupt
from ggp.errors import GgpError
from ggp.text import plain

if TYPE_CHECKING:
    from rich.console import Console

VERBS = {
    "check": "Check rule sheets: syntax, arities, safety, stratification and more.",
    "fmt": "Lay out rule sheets in one way, keeping every comment.",
    "lsp": "Be a language server: what editors ask about rule sheets.",
    "show": "Show a game: its first state, its rules, its ground form, its plies.",
    "board": "Draw positions of sheets, found from the rules: text, pictures, pages.",
    "analyse": "Say what kind of game this is, and prove it; then solve it.",
    "verify": "Check what a certificate claims, from the rules in it.",
    "solve": "Solve a game exactly: who wins, goals under best play, best moves.",
    "value": "The value of a position: canonical form, temperature, best moves.",
    "table": "Solve many starts at once, as a table, a picture, and sequences.",
    "runs": "Show which moves win, along all plays, and how often each is made.",
    "play": "Play against the machine, which plays perfectly where it can solve.",
    "studio": "Edit, play, analyse, solve and watch in the browser.",
    "serve": "Be a GGP player over HTTP.",
    "match": "Be the game manager: run a match between players, write its record.",
    "tournament": "Run many matches, everybody against everybody, with ratings.",
    "learn": "Learn a game by self-play, and try what was learned in a tournament.",
    "replay": "Step through the record of a match, with a verdict on each move.",
    "bench": "Measure random play and expansion, one engine against another.",
    "conform": "Replay recorded plays: every state, move, end and goal must agree.",
    "record": "Write random plays, one JSON object a line (see `ggp conform`).",
    "test": "Check the facts beside rule sheets, or record them.",
    "convert": "Write a rule sheet as KIF, as infix GDL, or as a program for clingo.",
    "games": "List the games that come with ggp, or print the rules of one.",
    "cache": "Show, or clear, the compiled code of games that is kept on disk.",
}
"""The verbs, each of a module of its own, and what they are for."""


class _Verbs(click.Group):
    """Verbs that are imported when they are used: `--help` should not wait for all of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The verbs in the order of their use."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A verb, or None."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = getattr(importlib.import_module(f"ggp.cli.{cmd_name}"), cmd_name)
        later = sys.modules.get("ggp.later")
        if ctx.obj and later:
            later.on_compile[:] = ctx.obj
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The verbs and what they are for."""
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


@click.group(cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ggp")
@click.option("--debug", is_flag=True, help="Show a traceback for errors.")
def main(debug: bool) -> None:
    """Read, check, classify, solve and play any game written in GDL.

    \b
    Example: ggp analyse games/kayles/kayles-7.kif

    Exit codes: 0 done, 1 the answer is no (or the rules have errors), 2 wrong use or an unreadable
    file, 3 a limit was reached, 130 interrupted.
    """


def _err() -> Console:
    """The console for errors, which takes a while to import."""
    from ggp.cli.common import err

    return err


def _tell_of_compiling() -> None:
    """Say once that the loops are compiled, which happens when they are first used on a machine."""
    sys.modules["ggp.later"].on_compile.clear()
    _err().print("compiling the loops that run games for this machine: once, some seconds …")


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    for stream in (sys.stdout, sys.stderr):
        # What a terminal cannot show is replaced, as anything else would end the command.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    try:
        code = _run(list(arguments), [_tell_of_compiling])
    except KeyboardInterrupt:
        # Once more, while the first was being dealt with.
        settle_interrupt()
        code = INTERRUPTED
    if code == INTERRUPTED:
        # What is left is to be let go of; whoever does not wait for that ends the process.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(code)


INTERRUPTED = 130
"""The exit code, as shells have it for SIGINT."""

AGAIN = 0.05
"""Seconds after which an interrupt is tried again that came where it would have been lost."""


def _interrupt(number: int, frame: FrameType | None) -> None:
    """End what is going on, now or when it next looks whether it is to end."""
    if _is_lost_in(frame):
        again = threading.Timer(AGAIN, _thread.interrupt_main)
        again.daemon = True
        again.start()
        return
    # It may be just being imported.
    stop = getattr(sys.modules.get("ggp.limits"), "stop", None)
    if stop is not None:
        stop.set()
    raise KeyboardInterrupt


def _is_lost_in(frame: FrameType | None) -> bool:
    """Whether what is raised here is printed, and lost: where something is let go of, or in what
    LLVM calls to keep code or to fetch it."""
    while frame is not None:
        code = frame.f_code
        is_weak = code.co_filename.endswith(("weakref.py", "_weakrefset.py"))
        is_called = code.co_name.startswith("_raw_object_cache") and "llvmlite" in code.co_filename
        if code.co_name == "__del__" or is_weak or is_called:
            return True
        frame = frame.f_back
    return False


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether the answer was to be JSON; asked when the options have been forgotten."""
    return "--format=json" in arguments or "--format json" in " ".join(arguments)


def _tell_interrupted(told: Mapping[str, object]) -> None:
    """The same as JSON, where there is no answer yet."""
    from ggp.cli.common import ANSWERED, print_json

    if ANSWERED not in told:
        none = dict.fromkeys(("file", "line", "column"))
        error = {"kind": "Interrupted", "message": "interrupted", **none, "exit_code": INTERRUPTED}
        print_json("error", {"error": error})


def _told(error: Exception, arguments: Sequence[str]) -> int:
    """Say what went wrong, as JSON too where that was asked for; the exit code."""
    from ggp.cli.common import error_json, print_json, tell

    if _wants_json(arguments):
        print_json("error", {"error": error_json(error)})
    return error.exit_code if isinstance(error, click.ClickException) else tell(error)


def _run(arguments: list[str], on_compile: Sequence[Callable[[], None]] = ()) -> int:
    """Run the command; where not even its error can be told, the exit code still says it."""
    code = 2
    try:
        code = _outcome(arguments, on_compile)
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except OSError:
        # A disk is full, or a reader is gone: nothing more can be said there.
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                if stream is not None:
                    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return code


def _outcome(arguments: list[str], on_compile: Sequence[Callable[[], None]]) -> int:
    debug = "--debug" in arguments
    told: Mapping[str, object] = {}
    try:
        # click's own main() would turn a closed pipe into the answer "no".
        with main.make_context("ggp", arguments, obj=on_compile) as context:
            told = context.meta
            result = main.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
        return int(result) if isinstance(result, int) else 0
    except (KeyboardInterrupt, click.Abort):
        settle_interrupt()
        _err().print("interrupted", style="yellow")
        if _wants_json(arguments):
            _tell_interrupted(told)
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return _told(error, arguments)
    except click.exceptions.Exit as error:
        return error.exit_code
    except GgpError as error:
        if debug:
            traceback.print_exc()
        return _told(error, arguments)
    except BrokenPipeError:
        # The reader of our output is gone; nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        _err().print(f"ggp: {plain(error.strerror or error)}", markup=False, style="red")
        return 2
    except MemoryError:
        _err().print("ggp: limit reached: memory", style="red")
        return 3
    except Exception as error:
        if debug:
            traceback.print_exc()
        return _told(error, arguments)
