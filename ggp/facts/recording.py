"""Facts written down: what is found of a sheet, into the file of facts beside it."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ggp.errors import GgpError, InputError
from ggp.facts import places
from ggp.facts.file import FactsFile, Instance, facts_of, parse_facts, read_text
from ggp.facts.format import FACTS
from ggp.facts.inquiry import IF_FOUND, FactAnswer, Inquiry
from ggp.game import Game
from ggp.kif import Source, chosen_parameters, find_source, render
from ggp.limits import DEFAULT, Budget, Limits
from ggp.rules import read_rules
from ggp.text import shortened

LEFT_OUT = IF_FOUND | {"players", "deterministic", "successor_chains"}
"""Facts that are not recorded: the sheet says as much itself, or it is chance what is found."""

PLIES = 5

WIDTH = 100
"""Characters of a line."""

MAX_WHY = 200


@dataclass(frozen=True)
class Recorded:
    """The bytes of a file of facts, the facts that are new in it, and why others are not known."""

    data: bytes
    names: tuple[str, ...]
    unknown: Mapping[str, str]


def recorded(
    sheet: Path, settings: Mapping[str, Any] | None = None, limits: Limits = DEFAULT
) -> Recorded:
    """The file of facts of a sheet, completed by what is proved, refuted or counted; not written.

    Of the instance with these parameters what the file says stays, and is not looked into; other
    facts are added, each with its source. If there is no such instance it is added at the end.
    Raises `InputError` where the file is not one of facts, or written so that nothing can be added,
    and what `ggp.load` raises.
    """
    budget = Budget(limits)
    with budget.in_force():
        source, is_template = find_source(sheet, limits)
        chosen = chosen_parameters(source, settings or {}) if is_template else dict(settings or {})
        if chosen and not is_template:
            raise InputError(f"{sheet}: not a template: takes no parameter {min(chosen)}")
        text = render(source, chosen, limits) if is_template else source
        game = Game(read_rules(text, limits=limits), limits)
    path = facts_of(sheet)
    old = read_text(path) if path.exists() else ""
    file = _sound(old, path) if old.strip() else FactsFile(path, "", ())
    same = next((i for i in file.instances if _chosen(source, i, is_template) == chosen), None)
    wanted = [name for name in FACTS if name not in LEFT_OUT | set(same.facts if same else ())]
    answers, unknown = _answers(Inquiry(game, wanted, budget), wanted)
    facts = {name: _plain(answer.value) for name, answer in answers.items()}
    sources = {name: _source(answer) for name, answer in answers.items()}
    if not facts and same:
        new = old
    elif same is None:
        new = _appended(old, file, {"set": chosen, **facts}, sources)
    else:
        new = _completed(old, file, same.number, facts, sources)
    mark = b"\xef\xbb\xbf" if path.exists() and path.read_bytes()[:3] == b"\xef\xbb\xbf" else b""
    return Recorded(mark + new.encode(), tuple(facts), unknown)


def _sound(text: str, path: Path) -> FactsFile:
    """The file of facts, if it is one; raises `InputError`."""
    file = parse_facts(text, path)
    faults = [*file.faults, *(fault for one in file.instances for fault in one.faults)]
    if faults and file.instances:
        worst = faults[0]
        raise InputError(f"{path}:{worst.line}:{worst.column}: {worst.message}", file=path)
    return file


def _chosen(source: Source, instance: Instance, is_template: bool) -> dict[str, Any] | None:
    """All parameters of an instance; None where the template does not take them."""
    if not is_template:
        return instance.settings
    try:
        return chosen_parameters(source, instance.settings)
    except GgpError:
        return None


def _answers(
    inquiry: Inquiry, names: Iterable[str]
) -> tuple[dict[str, FactAnswer], dict[str, str]]:
    """What is found, and why other facts are not known; nothing where they have no sense."""
    found: dict[str, FactAnswer] = {}
    unknown: dict[str, str] = {}
    for name in names:
        try:
            answer = inquiry.answer(name, PLIES)
        except GgpError:
            continue
        if answer.certainty == "unknown":
            unknown[name] = answer.why
        elif answer.value is not None and not (name in ("heaps", "best") and not answer.value):
            found[name] = answer
    return found, unknown


def _source(answer: FactAnswer) -> str:
    """How a fact is known."""
    by = f"ggp {version('ggp')}"
    if answer.positions is not None:
        count = f"{answer.positions:,} position{'' if answer.positions == 1 else 's'}"
        return f"{answer.certainty}: {count}, {by}"
    return f"{answer.certainty} by {by}: {shortened(answer.why, MAX_WHY)}"


def _plain(value: Any) -> Any:  # noqa: ANN401
    """A value as TOML has it, which has no word for nothing."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items() if _is_kept(key, one)}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _is_kept(key: str, value: Any) -> bool:  # noqa: ANN401
    """Whether TOML can say it; of a heap not how far it is proved, which may change."""
    return key != "scope" and value is not None and not (isinstance(value, list) and None in value)


def _appended(
    old: str, file: FactsFile, facts: Mapping[str, Any], sources: Mapping[str, str]
) -> str:
    """A text with one more instance at its end."""
    end = _line_end(old)
    lines = ["[[instance]]", *_pairs(facts), "", "[instance.sources]", *_pairs(sources)]
    gap = "" if not old.strip() else end if old.endswith("\n") else end * 2
    new = old + gap + end.join("\n".join(lines).split("\n")) + end
    data = _data(old)
    data["instance"] = [*data.get("instance", []), {**facts, "sources": dict(sources)}]
    return _checked(new, data, file.path)


def _completed(
    old: str,
    file: FactsFile,
    number: int,
    facts: Mapping[str, Any],
    sources: Mapping[str, str],
) -> str:
    """A text with more facts in one of its instances, each in its table."""
    found = places.entries(old)
    here: places.Path = ("instance", number)
    data = _data(old)
    table = data["instance"][number]
    own = (*here, "sources")
    into_sources = _pairs(sources)
    after = _end_of(old, found, here, file.path)
    if "sources" not in table:
        into_sources = ["", "[instance.sources]", *into_sources]
        pieces = {after: [*_pairs(facts), *into_sources]}
    elif any(entry.path == own and entry.table is None for entry in found):
        pieces = {after: _pairs(facts), _end_of(old, found, own, file.path): into_sources}
    else:
        pieces = {after: [*_pairs(facts), *(f"sources.{line}" for line in into_sources)]}
    table.setdefault("sources", {}).update(sources)
    table.update(facts)
    return _checked(_inserted(old, pieces), data, file.path)


def _end_of(text: str, found: Collection[places.TomlEntry], table: places.Path, path: Path) -> int:
    """The end of the last line that belongs to the table with a header."""
    ends = [e.end for e in found if e.table == table or (e.path == table and e.table is None)]
    if not ends:
        raise InputError(f"{path}: nothing can be added to an instance without [[instance]]")
    line = text.find("\n", max(ends))
    return len(text) if line < 0 else line + 1


def _inserted(text: str, pieces: Mapping[int, Collection[str]]) -> str:
    """A text with lines put in at some offsets, which are beginnings of lines or the end."""
    end = _line_end(text)
    for offset in sorted(pieces, reverse=True):
        before = text[:offset]
        before += end if before and not before.endswith("\n") else ""
        lines = "\n".join(pieces[offset]).split("\n")
        text = before + "".join(line + end for line in lines) + text[offset:]
    return text


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _data(text: str) -> dict[str, Any]:
    return deepcopy(tomllib.loads(text))


def _checked(text: str, data: Mapping[str, Any], path: Path) -> str:
    """The text, if it says what it is to say; raises `InputError` otherwise."""
    try:
        if tomllib.loads(text) == data:
            return text
    except (ValueError, RecursionError):
        pass
    raise InputError(f"{path}: written so that nothing can be added to it by itself", file=path)


def _pairs(table: Mapping[str, Any]) -> list[str]:
    return [_pair(key, value) for key, value in table.items()]


def _pair(key: str, value: Any) -> str:  # noqa: ANN401
    """A key with its value, a long list on several lines."""
    line = f"{_key(key)} = {_toml(value)}"
    if len(line) <= WIDTH or not isinstance(value, list):
        return line
    rows = [""]
    for item in map(_toml, value):
        if rows[-1] and len(rows[-1]) + len(item) + 6 > WIDTH:
            rows.append("")
        rows[-1] += (" " if rows[-1] else "") + item + ","
    return "\n".join([f"{_key(key)} = [", *(f"    {row}" for row in rows), "]"])


def _key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else _toml(key)


def _toml(value: Any) -> str:  # noqa: ANN401
    """A value on one line."""
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(key)} = {_toml(one)}" for key, one in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    # JSON's texts and numbers are TOML's, but for a character that TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
