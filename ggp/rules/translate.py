"""One way to write a rule sheet to another: KIF, infix GDL, answer-set programs."""

from __future__ import annotations

from ggp.kif import Source, SymbolTable, Syntax, read, write, write_hrf
from ggp.limits import DEFAULT, Limits
from ggp.rules.asp import write_asp
from ggp.rules.asp_reader import read_asp
from ggp.rules.keywords import KEYWORDS
from ggp.rules.ruleset import read_rules


def translate(
    source: Source,
    to: Syntax,
    *,
    horizon: int = 10,
    strict_case: bool = False,
    limits: Limits = DEFAULT,
) -> str:
    """The sheet of `source` in another syntax; comments are lost.

    Between KIF and infix the clauses keep their order and structure, and unless `strict_case` each
    name gets one spelling, for the sake of systems that tell case apart. An answer-set program is
    made of the rules in normal form, for plays of at most `horizon` joint moves. Raises
    `KifSyntaxError`, `LimitReached`, and for such a program `RulesError` where the rules have
    errors.
    """
    exprs = read_asp(source, limits) if source.syntax == "asp" else read(source, limits)
    if to == "asp":
        if source.syntax == "asp":
            source = Source(f"{source.name} in KIF", write(exprs), declared="kif")
        return write_asp(read_rules(source, strict_case=strict_case, limits=limits), horizon)
    symbols = SymbolTable(KEYWORDS, strict_case=strict_case)
    spelled = map(symbols.respell, exprs)
    return write(spelled) if to == "kif" else write_hrf(spelled, strict_case=strict_case)
