"""`ggp cache`: compiled code that is kept on disk."""

from __future__ import annotations

import click

from ggp.cli.common import format_option, print_json, say
from ggp.machine.engine.store import default_store
from ggp.text import plain


@click.command()
@format_option
@click.option("--clear", is_flag=True, help="Remove all that is kept.")
def cache(form: str, clear: bool) -> int:
    """Show, or clear, the compiled code of games that is kept on disk.

    It is kept in the folder that GGP_CACHE names, else where the system has caches. Only files
    that this user alone can have written are ever used. Removing them costs nothing but the time
    to compile once more.

    JSON: folder, files, bytes, limit (bytes), usable, removed.
    """
    store = default_store()
    removed = store.clear() if clear else 0
    files = store.files()
    data = {
        "folder": str(store.folder),
        "files": len(files),
        "bytes": sum(status.st_size for _, status in files),
        "limit": store.limit,
        "usable": store.is_usable(),
        "removed": removed,
    }
    if form == "json":
        print_json("cache", data)
        return 0
    say(plain(data["folder"]))
    say(f"{data['files']:,} files, {data['bytes']:,} of at most {data['limit']:,} bytes")
    if clear:
        say(f"{removed:,} files removed")
    if not data["usable"]:
        say("nothing is kept there: it cannot be written to, or others can write to it as well")
    return 0
