"""`ggp serve`: be a player for game managers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from pathlib import Path

import click

from ggp.cli.common import Name, Number, address_options, err
from ggp.errors import InputError
from ggp.match import PlayerServer, PlayerService, PlayerSettings
from ggp.text import plain


@click.command()
@address_options(9147)
@click.option("--name", default="ggp", show_default=True, help="Name to answer INFO with.")
@click.option(
    "--margin",
    type=Number(min=0, max=600),
    help="Seconds to keep back from each clock (default: a sixth, from 0.1 to 1; of a start clock "
    "0.4 at least).",
)
@click.option(
    "--memory",
    type=click.IntRange(min=256),
    default=4096,
    show_default=True,
    metavar="MB",
    help="Memory for thinking in each match, in MB.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Threads that search at once.",
)
@click.option(
    "--matches",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Matches at once.",
)
@click.option(
    "--log",
    "log_folder",
    type=Name(path_type=Path),
    help="Keep a log of each match in this folder, as JSON lines.",
)
@click.option("--strict-case", is_flag=True, help="Keep upper and lower case apart.")
@click.option("--quiet", is_flag=True, help="Log warnings only.")
def serve(
    host: str,
    port: int,
    name: str,
    margin: float | None,
    memory: int,
    threads: int,
    matches: int,
    log_folder: Path | None,
    strict_case: bool,
    quiet: bool,
) -> int:
    """Be a GGP player over HTTP: INFO, PING, PREVIEW, START, PLAY, STOP, ABORT, by POST and by GET.

    Moves are perfect where the game is solved within the clocks, else found by Monte-Carlo tree
    search, which goes on while others think, going by what `ggp learn` has proved to be better. One
    match at a time, or as many as --matches says; a START beyond that is answered `busy`. Stop with
    Ctrl-C. A browser that opens the address sees the position and what the player thinks of it.

    \b
    Example: ggp serve --port 9147 --name mine
    """
    if not name.isprintable() or any(c in "() ;" for c in name):
        raise InputError(f"--name {plain(name)!r}: a name is one symbol")
    logging.basicConfig(
        level=logging.WARNING if quiet else logging.INFO, format="%(asctime)s %(message)s"
    )
    settings = PlayerSettings(
        name=name,
        margin=margin,
        memory=memory << 20,
        strict_case=strict_case,
        threads=threads,
        matches=matches,
        log=log_folder,
    )
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        # asyncio puts its own handler in the place of this one alone.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(_serve(settings, host, port))
    return 0


PATIENCE = 1.0
"""Seconds of loading after which it is said that it takes long."""


async def _tell_of_waiting() -> None:
    """To a person; programs wait for the line that says where it listens."""
    await asyncio.sleep(PATIENCE)
    if err.is_terminal:
        err.print("loading what plays; the first time it is compiled, half a minute or more …")


async def _serve(settings: PlayerSettings, host: str, port: int) -> None:
    service = PlayerService(settings)
    task = asyncio.current_task()
    if task is not None:
        with contextlib.suppress(NotImplementedError):  # not on every platform
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        telling = asyncio.create_task(_tell_of_waiting())
        await service.prepare()
        telling.cancel()
        server = PlayerServer(service)
        try:
            port = await server.start(host, port)
        except OSError as error:
            raise InputError(f"cannot listen on {host}:{port}: {error.strerror}") from error
        shown = f"[{host}]" if ":" in host else host
        err.print(f"{settings.name} listens on {shown}:{port}", markup=False)
        await server.serve_forever()
    finally:
        service.close()
