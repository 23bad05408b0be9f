"""The command `ggp`: its verbs, its exit codes, and how it reports errors.

Exit codes: 0 done; 1 the answer is "no" (rules with errors, an illegal move); 2 wrong use or
unreadable input; 3 a stated limit was reached; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence

import click

from ggp.cli.analyse import analyse
from ggp.cli.bench import bench
from ggp.cli.cache import cache
from ggp.cli.check import check
from ggp.cli.common import err
from ggp.cli.conform import conform
from ggp.cli.convert import convert
from ggp.cli.play import play
from ggp.cli.record import record
from ggp.cli.serve import serve
from ggp.cli.show import show
from ggp.cli.solve import solve
from ggp.cli.verify import verify
from ggp.errors import (
    GgpError,
    GoalError,
    IllegalMove,
    KifSyntaxError,
    LimitReached,
    NoLegalMove,
    NotSolvable,
    RulesError,
)
from ggp.machine.later import on_compile
from ggp.text import plain

_ANSWER_NO = (RulesError, KifSyntaxError, IllegalMove, GoalError, NoLegalMove, NotSolvable)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ggp")
@click.option("--debug", is_flag=True, help="Show a traceback for errors.")
def main(debug: bool) -> None:
    """Read, check, classify, solve and play any game written in GDL.

    \b
    Example: ggp analyse games/kayles/kayles-7.kif

    Exit codes: 0 done, 1 the answer is no, 2 wrong use or unreadable input, 3 a limit was reached,
    130 interrupted.
    """


VERBS = (
    check,
    show,
    analyse,
    verify,
    solve,
    play,
    serve,
    bench,
    conform,
    record,
    convert,
    cache,
)
for verb in VERBS:
    main.add_command(verb)


def exit_code(error: GgpError) -> int:
    """The exit code that an error stands for."""
    if isinstance(error, LimitReached):
        return 3
    return 1 if isinstance(error, _ANSWER_NO) else 2


def _tell_of_compiling() -> None:
    """Say once that the loops are compiled, which happens when they are first used on a machine."""
    on_compile.clear()
    err.print("compiling the loops that run games for this machine: once, some seconds …")


def run(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with its exit code."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    on_compile[:] = [_tell_of_compiling]
    sys.exit(_run(list(arguments)))


def _run(arguments: list[str]) -> int:
    debug = "--debug" in arguments
    try:
        # click's own main() would turn a closed pipe into the answer "no".
        with main.make_context("ggp", arguments) as context:
            result = main.invoke(context)
        if sys.stdout is not None:
            sys.stdout.flush()
        return int(result) if isinstance(result, int) else 0
    except (KeyboardInterrupt, click.Abort):
        err.print("interrupted", style="yellow")
        return 130
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except click.exceptions.Exit as error:
        return error.exit_code
    except GgpError as error:
        if debug:
            traceback.print_exc()
        err.print(f"ggp: {plain(error)}", markup=False, style="red")
        return exit_code(error)
    except BrokenPipeError:
        # The reader of our output is gone; nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        err.print(f"ggp: {plain(error.strerror or error)}", markup=False, style="red")
        return 2
    except MemoryError:
        err.print("ggp: limit reached: memory", style="red")
        return 3
    except Exception as error:
        if debug:
            traceback.print_exc()
        text = plain(f"ggp: internal error: {type(error).__name__}: {error}")
        err.print(text.replace("\n", " ") + " (--debug shows where)", markup=False, style="red")
        return 70
