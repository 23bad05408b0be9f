"""`ggp lsp`: the language server."""

from __future__ import annotations

import click

from ggp.errors import InputError


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="Listen on this port of this machine instead, for debugging; 0 lets the system choose.",
)
def lsp(port: int | None) -> int:
    """Be a language server for editors, over standard input and output.

    Sheets are checked while one types, with corrections; names have definitions, references,
    completion, help and new names; sheets are laid out. Editors start this themselves: how they
    are told to stands in docs/editors.md. Needs the extra ggp[lsp].

    \b
    Example: ggp lsp --port 9257

    Exit code 1 if the editor goes without a word.
    """
    try:
        from ggp.lsp.serving import serve_port, serve_stdio
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise InputError("a language server needs pygls: pip install 'ggp[lsp]'") from None
    return serve_stdio() if port is None else serve_port(port)
