"""Moves that nothing reads, and declarations that leave out what occurs."""

from __future__ import annotations

from ggp.rules.rule import signature
from ggp.rules.sheet import Sheet


def moves(sheet: Sheet) -> None:
    """A move with arguments that no `does` reads changes nothing that depends on them."""
    if sheet.read_moves is None:
        return
    read = sheet.read_moves | sheet.mistaken
    for rule in sheet.rules:
        if rule.head.name != "legal":
            continue
        move = rule.head.args[1]
        if move.args and signature(move) not in read and move.name not in sheet.broken_names:
            message = f"no 'does' reads the move {move}"
            place = sheet.place(rule, move, ["legal"])
            hint = "what it does to the state belongs into a rule for next"
            sheet.report.add("unread-move", message, place, hint=hint, cause=str(signature(move)))


def declared(sheet: Sheet) -> None:
    """`base` and `input`, where they stand, name every fluent and every move."""
    for word, place, makers in (("base", 0, ("init", "next")), ("input", 1, ("legal",))):
        heads = [r.head.args[place] for r in sheet.rules if r.head.name == word]
        known = {signature(head) for head in heads}
        if not heads or any(head.is_variable for head in heads) or word in sheet.broken_names:
            continue
        for rule in sheet.rules:
            if rule.head.name not in makers:
                continue
            made = rule.head.args[place]
            if not made.is_variable and signature(made) not in known:
                what = "fluent" if word == "base" else "move"
                message = f"'{word}' leaves out the {what} {made}"
                span = sheet.place(rule, made, [rule.head.name])
                cause = str(signature(made))
                sheet.report.add(f"incomplete-{word}", message, span, cause=cause)
