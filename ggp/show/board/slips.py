"""Slips of the pen in the file beside a sheet: what it says of nothing, or of two things alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from ggp.errors import InputError
from ggp.kif import Term
from ggp.show.board.model import Board, BoardLayer
from ggp.show.board.override import Override, word_of
from ggp.show.board.pieces import Content, Mark, contents_of
from ggp.text import plain, shortened

MAX_NAMED = 200
"""Characters of the names that there are, where one is none of them."""


def require_shown(told: Override, boards: Sequence[Board], names: Collection[str]) -> None:
    """Raise `InputError` for what is said of nothing, or one glyph of two contents of a board.
    `names`: those of roles and relations."""
    layers = [layer for board in boards for layer in board.layers]
    words = _words(layers)
    relations = {layer.family.relation[0] for layer in layers}
    _known(told.boards, relations, "boards.{}: no board shows that relation")
    _known(told.glyphs, words, "glyphs.{}: no board has that content", layers)
    _known(told.names, words | {*names}, "names.{}: nothing is called so", layers)
    for board in boards:
        blank = told.of(board).blank
        if blank:
            what = f"boards.{board.layers[0].family.relation[0]}.blank: no place has {{}}"
            _known([blank], _words(board.layers), what, board.layers)
        _once(told.glyphs, board.layers)


def require_apart(
    marks: Mapping[Content, Mark], layers: Sequence[BoardLayer], told: Override
) -> None:
    """Raise `InputError` for a glyph that is what another content of a board has by itself."""
    by_text: dict[str, str] = {}
    for (at, content), mark in marks.items():
        word = word_of(layers[at], content)
        other = by_text.setdefault(mark.text, word)
        if other != word and {word, other} & told.glyphs.keys():
            key, same = (word, other) if word in told.glyphs else (other, word)
            raise InputError(plain(f"glyphs.{key}: {same} is drawn so, too"))


def _words(layers: Iterable[BoardLayer]) -> set[str]:
    return {word_of(layer, own) for layer in layers for own in contents_of(layer)}


def _known(
    told: Iterable[str], known: Collection[str], what: str, layers: Sequence[BoardLayer] = ()
) -> None:
    """Raise `InputError` for a key that is none of the known ones, and no content there can be."""
    for key in told:
        if key not in known and not _is_content(key, layers):
            near = shortened(", ".join(sorted(known)) or "none", MAX_NAMED)
            raise InputError(plain(f"{what.format(key)} (there are: {near})"))


def _is_content(word: str, layers: Iterable[BoardLayer]) -> bool:
    """Whether the rules let a place have a content, met in some play or not."""
    parts = tuple(map(Term, word.split(" ")))
    return any(
        len(parts) == len(layer.content)
        and all(p in layer.family.domains[i] for p, i in zip(parts, layer.content, strict=True))
        for layer in layers
    )


def _once(glyphs: Mapping[str, str], layers: Sequence[BoardLayer]) -> None:
    words = _words(layers)
    seen: dict[str, str] = {}
    for key in (key for key in glyphs if key in words or _is_content(key, layers)):
        other = seen.setdefault(glyphs[key], key)
        if other != key:
            raise InputError(plain(f"glyphs.{other} and glyphs.{key} are both {glyphs[key]}"))
