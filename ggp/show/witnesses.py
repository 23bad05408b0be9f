"""Witnesses of findings as boards below each other, each drawn once for all that it shows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from rich.cells import chop_cells
from rich.text import Text

from ggp.analysis import Counterexample, Finding, Witness
from ggp.game import Game
from ggp.show.findings import value_text
from ggp.show.pictures import literal
from ggp.show.scenes import Exhibit, exhibits
from ggp.text import plain, shortened

MOST_DRAWN = 4
"""States that are drawn below a table of findings."""

FIRST, LAST, MOST_MOVE = 8, 6, 60
"""Moves of a long play that are told; characters of one."""


@dataclass(frozen=True)
class Gallery:
    """The states that are drawn below a table, and what each shows, in the table's order.

    `numbers`: for each property that has a witness the numbers of its states in the gallery, from 1
    on; none for one whose states there is no room for. Properties whose facts are to be told are
    not in it.
    """

    drawn: tuple[tuple[str, Exhibit], ...] = ()
    numbers: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def reference(self, name: str) -> str | None:
        """What a table says of the states that show a property; None where it tells their facts."""
        if name not in self.numbers:
            return None
        return "".join(f" [{number}]" for number in self.numbers[name])

    @property
    def left_out(self) -> list[str]:
        """The properties whose states there is no room for."""
        return [name for name, numbers in self.numbers.items() if not numbers]

    def text(self, width: int, *, ascii: bool = False) -> Iterator[Text]:
        """The boards, in lines of at most `width` columns."""
        from ggp.show.board import scene_text

        for number, (title, exhibit) in enumerate(self.drawn, 1):
            yield Text()
            yield _lines(f"[{number}] {title}", width, "bold")
            yield _lines(how_reached(exhibit), width, "dim")
            yield scene_text(exhibit.scene, width, ascii=ascii)
        if self.left_out:
            names = ", ".join(name.replace("_", " ") for name in self.left_out)
            yield Text()
            yield _lines(f"Not drawn: {names}; --only draws what it names.", width, "dim")


MOST_ALT = 1_000
"""Characters of the words in place of a picture."""


def gallery(game: Game, findings: Iterable[Finding]) -> Gallery:
    """The states to draw of findings: as far as there is room the first of each "no", the first of
    all others, the second of each "no" that it takes two to show."""
    shown = {f.property: f for f in findings if isinstance(f.evidence, Counterexample)}
    chosen = _chosen(shown.values())
    found = exhibits(game, chosen)
    if not found:
        return Gallery()
    order = [state.facts for f in shown.values() for state in witnesses(f) if state.facts in found]
    number = {facts: i for i, facts in enumerate(dict.fromkeys(order), 1)}
    numbers = {
        name: tuple(dict.fromkeys(number[s.facts] for s in witnesses(f) if s.facts in number))
        for name, f in shown.items()
        if any(s.facts in number for s in witnesses(f)) or witnesses(f)[0] not in chosen
    }
    drawn = tuple((_title(facts, shown.values()), found[facts]) for facts in number)
    return Gallery(drawn, numbers)


def how_reached(exhibit: Exhibit) -> str:
    """The play that leads to a state, and whether it ends there."""
    over = ["the game is over"] if exhibit.state.terminal else []
    if exhibit.moves is None:
        return "; ".join(["arises where turns may be given to either player", *over])
    return "; ".join([_play(exhibit.moves) if exhibit.moves else "the first position", *over])


def _play(moves: Sequence[str]) -> str:
    """So many moves, of a long play those in the middle left out."""
    is_long = len(moves) > FIRST + LAST
    told = [*moves[:FIRST], "…", *moves[-LAST:]] if is_long else moves
    count = f"{len(moves):,} move{'s' * (len(moves) > 1)}"
    return f"after {count}: {', '.join(shortened(move, MOST_MOVE) for move in told)}"


def witnesses(finding: Finding) -> tuple[Witness, ...]:
    """The states that show a finding."""
    evidence = finding.evidence
    return evidence.states if isinstance(evidence, Counterexample) else ()


def _chosen(findings: Collection[Finding]) -> list[Witness]:
    """The states that there is room for, those with the same facts counted once."""
    noes = [witnesses(f) for f in findings if f.certainty == "refuted"]
    others = [witnesses(f) for f in findings if f.certainty != "refuted"]
    wanted = [*(s[:1] for s in noes), *(s[:1] for s in others), *(s[1:2] for s in noes)]
    chosen: dict[tuple[str, ...], Witness] = {}
    for state in chain.from_iterable(wanted):
        chosen.setdefault(state.facts, state)
    return list(chosen.values())[:MOST_DRAWN]


def _title(facts: tuple[str, ...], findings: Iterable[Finding]) -> str:
    """What a state shows: properties, their values, and what is noted about it."""
    parts = []
    for finding in findings:
        own = next((s for s in witnesses(finding) if s.facts == facts), None)
        if own is not None:
            note = f" ({own.note})" if own.note else ""
            parts.append(f"{finding.property.replace('_', ' ')}: {value_text(finding.value)}{note}")
    return "; ".join(parts)


@dataclass(frozen=True)
class WitnessPicture:
    """A state as a picture, and in words."""

    svg: str
    alt: str


def witness_picture(exhibit: Exhibit, note: str = "") -> WitnessPicture:
    """The picture of a state that shows something; `note`: what."""
    from ggp.show.board import described, scene_svg

    told = [note, how_reached(exhibit), described(exhibit.scene)]
    alt = literal(". ".join(part for part in told if part), MOST_ALT)
    return WitnessPicture(scene_svg(exhibit.scene, label=note), alt)


def _lines(text: str, width: int, style: str) -> Text:
    """Text that may come from a sheet, in lines of a width."""
    shown = plain(text).replace("\n", " ")
    return Text("\n").join(Text(line, style) for line in wrapped(shown, width))


def wrapped(text: str, width: int) -> Iterator[str]:
    """Lines of a width in columns, broken between words where there is a place."""
    line = ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line else word
        *full, rest = chop_cells(joined, width) if joined else ("",)
        if not full:
            line = joined
            continue
        if line:
            yield line
            *full, rest = chop_cells(word, width)
        yield from full
        line = rest
    yield line
