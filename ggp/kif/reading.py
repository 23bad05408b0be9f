"""Text to expressions in whatever syntax it is written."""

from __future__ import annotations

from ggp.errors import InputError
from ggp.kif.hrf import read_hrf
from ggp.kif.reader import Expr, read_kif
from ggp.kif.source import Source
from ggp.limits import DEFAULT, Limits


def read(source: Source, limits: Limits = DEFAULT) -> list[Expr]:
    """The top-level expressions of `source`, in order, each with its place in the text.

    Raises `KifSyntaxError` and `LimitReached` as `read_kif` and `read_hrf` do, and `InputError`
    for an answer-set program, which is no rule sheet.
    """
    if source.syntax == "asp":
        raise InputError(f"{source.name}: an answer-set program; 'ggp convert' makes KIF of it")
    return read_hrf(source, limits) if source.syntax == "hrf" else read_kif(source, limits)
