"""The instructions of the machine that `lowering` writes for and `running` is.

Every instruction is a few numbers: its code and its operands. An operand that names a value is a
register of the frame, or, below zero, the term of that number with its sign changed.
"""

from __future__ import annotations

GO = 0
"""`to`"""
DIFFER = 1
"""`value value fail`: go on if the two are different terms."""
AGREE = 2
"""`value value fail`"""
SET = 3
"""`register number`"""
SHAPE = 4
"""`value functor arity fail register…`: take a term apart."""
BUILD = 5
"""`register functor arity value…`: the number of a term, a new one where it is new."""
KNOWN = 6
"""`register functor arity value…`: the number of a term, 0 if it has none."""
HOLDS = 7
"""`value fail`: it is a fluent that holds."""
LACKS = 8
"""`value fail`: it is none."""
FIND = 9
"""`register tag keys value…`: the first row of a table that agrees in the known columns, or 0."""
FLUENTS = 10
"""The same of the fluents of the state; `register tag keys value…`."""
CALL = 11
"""`register procedure keys value…`: the first answer of a procedure, or 0."""
IF = 12
"""`register fail`: go on if there is a row."""
UNLESS = 13
"""`register fail`: go on if there is none."""
EACH = 14
"""`register end columns register…`: the columns of a row; to `end` if there is none."""
NEXT = 15
"""`register to`: the row after this one."""
CHOSEN = 16
"""`value register fail`: the move that a role makes."""
ROLES = 17
"""`register end register register`: a role by its place, and its move; to `end` after the last."""
STATE = 18
"""`register end register`: a fluent that holds, by its place; to `end` after the last."""
COUNT = 19
"""`register to`: one more."""
ROW = 20
"""`columns value…`: an answer of this procedure."""
YES = 21
"""This procedure's answer is yes, at once."""
END = 22
"""This procedure has no more rules."""
ORDER = 23
"""`register register`: have the rows from the first register on ready to be drawn, in any order;
the registers tell where they are and how many."""
DRAW = 24
"""`register register end columns register…`: the columns of one of them; to `end` if there is
none."""
RULES = 25
"""`register register number`: the same for some rules."""
RULE = 26
"""`register register end number to…`: to one of them; to `end` if there is none."""
FOUND = 27
"""`columns value…`: an answer of this procedure, and there is no need of another."""
DENY = 28
"""`CALL` of a relation that the own one rests on, to be denied: it must not rest on what is still
being answered."""
