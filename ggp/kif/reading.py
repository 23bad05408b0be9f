"""Text to expressions in whatever syntax it is written."""

from __future__ import annotations

from ggp.errors import InputError, KifSyntaxError
from ggp.kif.expressions import Expr
from ggp.kif.hrf import read_hrf
from ggp.kif.hrf_recovery import recovered_infix
from ggp.kif.reader import read_kif
from ggp.kif.recovery import Forms, recovered
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


def read_forms(source: Source, limits: Limits = DEFAULT) -> Forms:
    """The forms of `source` in whatever syntax it is written, and its faults in place of an error.

    Raises `LimitReached` and `InputError` as `read` does.
    """
    try:
        return Forms(read(source, limits), [], [])
    except KifSyntaxError as error:
        return recovered(source) if source.syntax == "kif" else recovered_infix(source, error)
