"""`ggp studio`: the browser's view of games."""

from __future__ import annotations

import asyncio
import os
import socket
import webbrowser
from collections import Counter
from pathlib import Path

import click

from ggp.cli.common import Name, address_options, out
from ggp.cli.sheets import ENDINGS, sheets_of
from ggp.errors import InputError
from ggp.text import plain


@click.command()
@click.argument("paths", nargs=-1, type=Name(path_type=Path))
@address_options(9180)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="Another host name that browsers call this machine by; may be repeated.",
)
@click.option("--open", "opens", is_flag=True, help="Open it in the browser.")
def studio(
    paths: tuple[Path, ...], host: str, port: int, names: tuple[str, ...], opens: bool
) -> int:
    """Edit, play, analyse and solve games, and watch matches, in the browser (extra ggp[studio]).

    PATHS are sheets of your own and folders of them (default: the sheets in the current folder);
    they can be saved from the editor, new ones to the first folder. The games that come with ggp
    are there, too. Only this machine is answered unless --host says otherwise; nothing is loaded
    from the network. Stop with Ctrl-C.

    \b
    Example: ggp studio my-games/
    """
    try:
        from ggp.studio.serving import serve
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("ggp"):
            raise
        raise InputError("the studio needs more packages: pip install 'ggp[studio]'") from None
    missing = next((path for path in paths if not path.exists()), None)
    if missing is not None:
        raise InputError(f"{plain(str(missing))}: there is no such file or folder", file=missing)

    def own() -> list[tuple[str, Path]]:
        return own_sheets(paths)

    listening = _listening(host, port)
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{listening.getsockname()[1]}/"
    out.print(f"The studio is at {address}  (stop it with Ctrl-C)")
    if opens:
        webbrowser.open(address)
    home = next((path for path in paths if path.is_dir()), None)
    asyncio.run(serve(listening, own, home, (*names, host)))
    return 0


def own_sheets(paths: tuple[Path, ...]) -> list[tuple[str, Path]]:
    """The user's sheets with what they are called; without paths those in the current folder."""
    if not paths:
        here = [os.path.join(".", name) for name in sorted(os.listdir("."))]
        files = sheets_of(name for name in here if os.path.isfile(name) and name.endswith(ENDINGS))
    else:
        files = sheets_of(map(str, paths))
    found, times = list[tuple[str, Path]](), Counter[str]()
    for file in files:
        called = _called(file)
        again = times[called]
        times[called] += 1
        found.append((f"{again}~/{called}" if again else called, Path(os.path.abspath(file))))
    return found


def _called(file: str) -> str:
    """A file as a part of an address: without what leads out of the current folder, and with other
    characters for those that are not printed or are none."""
    parts = Path(os.path.normpath(file)).parts
    called = "/".join(part for part in parts if part not in ("/", "..", os.sep))
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in called)


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens; raises `InputError` where there can be none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
        found.listen(128)
    except OSError as error:
        found.close()
        raise InputError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    return found
