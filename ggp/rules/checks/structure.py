"""What every game needs: roles, moves, goals and an end.

Numbers in the docstrings of checks are sections of the GDL specification (Love et al., LG-2006-01,
2008).
"""

from __future__ import annotations

from ggp.kif import Term
from ggp.rules import keywords as kw
from ggp.rules.rule import Rule, is_numeral
from ggp.rules.sheet import Sheet

_OF_MOVES = ("legal", "does", "input")


def required_relations(sheet: Sheet) -> None:
    """A game needs a role, a legal move, a goal and an end."""
    have = {name for name, _ in sheet.heads}
    for name in ("role", "legal", "goal", "terminal"):
        if name in have or name in sheet.broken_names:
            continue
        like = sheet.nearest(name, [n for n, arity in sheet.heads if arity == kw.ARITY[name]])
        rule = sheet.graph.first[like, kw.ARITY[name]] if like else None
        hint = f"did you mean {name} where it says {like}?" if rule else ""
        related = ((sheet.head(rule), f"{like} is defined here"),) if rule else ()
        if like:
            sheet.explained.add(like)
        message = f"no rule or fact for '{name}'"
        sheet.report.add(f"no-{name}", message, sheet.start, hint=hint, related=related)


def roles(sheet: Sheet) -> None:
    """Roles are ground facts."""
    seen: dict[Term, Rule] = {}
    for rule in sheet.rules:
        if rule.head.name != "role":
            continue
        if not rule.is_fact:
            sheet.report.add("role-rule", "roles are facts, not rules", sheet.head(rule))
        elif rule.head in seen:
            related = ((seen[rule.head].span, "it stands here first"),)
            message = f"{rule.head} stands twice"
            fix = sheet.dropped(rule.span)
            sheet.report.add("duplicate-role", message, rule.span, related=related, fix=fix)
        seen.setdefault(rule.head, rule)


def goals(sheet: Sheet) -> None:
    """Goal values are integers from 0 to 100."""
    for rule in sheet.rules:
        if rule.head.name != "goal":
            continue
        role, value = rule.head.args
        if is_numeral(role) and not is_numeral(value):
            _swapped(sheet, rule, "goal values are integers from 0 to 100")
        elif value.is_variable or is_numeral(value):
            if not value.is_variable and (len(value.name) > 9 or int(value.name) > 100):
                message = f"goal value {value} is not in 0..100"
                sheet.report.add("goal-value", message, sheet.place(rule, value, ["goal"]))
        else:
            message = f"goal value {value} is not an integer"
            sheet.report.add("goal-value", message, sheet.place(rule, value, ["goal"]))


def _swapped(sheet: Sheet, rule: Rule, why: str, atom: Term | None = None) -> None:
    """Report that the two arguments of a head, or of `atom`, stand in the wrong order."""
    atom = atom or rule.head
    first, second = atom.args
    turned = Term(atom.name, (second, first))
    place = sheet.place(rule, atom)
    fix = sheet.fix(f"write {turned}", (place, str(turned)))
    message = f"the arguments of {atom} are swapped: {why}"
    sheet.report.add("swapped-arguments", message, place, hint=f"write {turned}", fix=fix)


def role_arguments(sheet: Sheet) -> None:
    """The first argument of legal, goal, does, input and sees names a role where it is constant."""
    known = set(sheet.roles)
    if not known or "role" in sheet.broken_names:
        return
    names = [role.name for role in known]
    for rule in sheet.rules:
        for atom in (rule.head, *rule.positive, *rule.negative):
            if atom.name not in kw.ROLE_FIRST:
                continue
            if atom.args[0].args and atom.args[1].is_variable and atom.name in _OF_MOVES:
                _swapped(sheet, rule, f"{atom.args[0]} is a move and no role", atom)
                continue
            if not atom.args[0].is_ground:
                continue
            role, other = atom.args
            if role in known or (atom.name == "goal" and is_numeral(role)):
                continue
            if other in known:
                _swapped(sheet, rule, f"{role} is no role", atom)
                continue
            like = sheet.nearest(role.name, names)
            hint = f"did you mean {like}?" if like else f"the roles are {', '.join(names[:8])}"
            place = sheet.place(rule, role, [atom.name])
            fix = sheet.fix(f"write {like}", (place, like)) if like else None
            message = f"{role} in {atom} is no role"
            sheet.report.add("not-a-role", message, place, hint=hint, fix=fix, cause=str(role))
