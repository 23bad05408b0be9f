"""Tables over many starts: what is proposed, what is found, and what is refused."""

from __future__ import annotations

import json
import re
from html import unescape
from xml.etree import ElementTree

import pytest

import ggp
from ggp.errors import GgpError, InputError
from ggp.studio.library import SheetText
from ggp.studio.work import tabling
from tests.studio.working import said, shipped, text_of

MULTIPLES = {
    "across": "f heap 2",
    "across_values": "0..20",
    "up": "f heap 1",
    "up_values": "0..12",
}


def ways(name: str, **values: str) -> tuple[dict[str, str], dict[str, str]]:
    """What is proposed: values by key, and what is chosen by the name of the field."""
    html = said("axes", shipped(name, **values))["axes"]
    parts = re.split(r'<select name="(\w+)">', html)
    chosen = {}
    for name, part in zip(parts[1::2], parts[2::2], strict=True):
        selected = re.search(r'value="([^"]*)"[^>]* selected', part)
        if selected:
            chosen[name] = selected[1]
    return dict(re.findall(r'value="([pf] [^"]*)" data-values="([^"]*)"', html)), chosen


def marks(html: str) -> dict[str, str]:
    """The answer of each cell of a picture, by its title."""
    svg = html[html.index("<svg") : html.index("</svg>") + 6]
    root = ElementTree.fromstring(svg)
    titles = [t.text or "" for t in root.iter("{http://www.w3.org/2000/svg}title")][1:]
    return dict(title.partition(": ")[::2] for title in titles)


def test_heaps_of_the_start_are_proposed_and_not_the_parameters_that_they_come_from() -> None:
    found, chosen = ways("multiples/multiples")
    assert found == {"f heap 1": "0..30", "f heap 2": "0..30"}
    assert chosen == {"across": "f heap 2", "up": "f heap 1"}
    found, _ = ways("subtraction/subtraction")
    assert list(found) == ["f heap 1", "f heap 2", "f heap 3", "p floor"]
    assert found["f heap 1"] == "0..12"


def test_integer_parameters_are_proposed_from_the_least_that_the_template_takes() -> None:
    assert ways("kayles/kayles") == ({"p n": "2..12"}, {"across": "p n"})
    found, chosen = ways("domineering/domineering")
    assert (list(found), chosen) == (
        ["p rows", "p columns"],
        {"across": "p columns", "up": "p rows"},
    )
    assert ways("tic-tac-toe/tic-tac-toe") == ({}, {})


@pytest.mark.slow
def test_the_heaps_by_multiples_as_in_the_literature() -> None:
    asked = {**MULTIPLES, "across_values": "0..30", "up_values": "0..30"}
    html = said("table", shipped("multiples/multiples"), **asked)["grid"]
    told = text_of(html)
    assert "a(n) from n = 0 on: 0, 1, 2, 2, 3, 4, 4, 5, 5, 6, 7, 7, 8, 9, 9, 10, 10, 11" in told
    assert "b(n) from n = 0 on: 0, 1, 3, 4, 6, 8, 9, 11, 12, 14, 16, 17, 19, 21, 22" in told
    assert "1/phi (conjecture; holds for 0 to 30)" in told
    assert ": phi (conjecture" in told
    assert "heap 2 is from a(n) to b(n), n being heap 1" in told
    cells = marks(html)
    assert len([name for name in cells if name.startswith("heap 1")]) == 961
    assert cells["heap 1 = 2, heap 2 = 3"] == "P: the player who moves second wins"
    assert cells["heap 1 = 2, heap 2 = 4"] == "N: the player to move wins"


def test_a_cell_names_its_position_and_its_best_moves() -> None:
    html = said("table", shipped("multiples/multiples"), **MULTIPLES)["grid"]
    [text] = re.findall(r'data-starts="([^"]*)"', html)
    data = json.loads(unescape(text))
    assert data["cells"]["5 9"] == "N; best: (take 2 5)"
    assert data["axes"][1]["fact"] == "(heap 2 ?)"
    game = ggp.load(
        "games/multiples/multiples.kif.jinja", **{k: int(v) for k, v in data["query"].items()}
    )
    facts = [data["start"], "(heap 1 12)", "(heap 2 20)"]
    assert not game.state(facts).terminal


def test_sliders_fix_heaps_and_parameters() -> None:
    asked = {"across": "f heap 1", "across_values": "0..9", "what": "nim_value"}
    fixed = {"fix f heap 2": "1", "fix f heap 3": "0", "fix f heap 1": "7"}
    html = said("table", shipped("subtraction/subtraction"), **asked, **fixed)["grid"]
    # By 1, 2 or 5 values are sizes mod 3, here each with 1 beside it.
    assert f"nim-value from n = 0 on: {', '.join(str(n % 3 ^ 1) for n in range(10))}" in text_of(
        html
    )
    by_floor = {"across": "f heap 1", "across_values": "2..9", "fix p floor": "2", **fixed}
    html = said("table", shipped("subtraction/subtraction"), **by_floor)["grid"]
    assert "heap 2: " not in html
    assert "not solved" in html or "8 starts" in text_of(html)


def test_parameters_make_sheets_and_those_that_there_are_not_are_said() -> None:
    asked = {"across": "p n", "across_values": "1..9", "what": "nim_value", "fix p n": "7"}
    told = text_of(said("table", shipped("kayles/kayles"), **asked)["grid"])
    # Kayles: 0 1 2 3 1 4 3 2 1 4 (Guy and Smith 1956).
    assert "nim-value from n = 2 on: 2, 3, 1, 4, 3, 2, 1, 4" in told
    assert "8 starts" in told
    assert "1 not solved" in told
    assert "n = 1: kayles.kif.jinja: n, the number of skittles, must be 2 or more" in told


def test_a_start_without_a_value_is_said_beside_the_others() -> None:
    """Whoever meets wants another place than the other: two equilibria of the first state."""
    sheet = """(role a) (role b) (init (n 0)) (<= (legal ?r go) (role ?r))
    (<= (legal ?r stay) (role ?r))
    (<= (next (n 1)) (true (n 0))) (<= (next up) (does a go) (does b go) (true (n 0)))
    (<= (next down) (does a stay) (does b stay) (true (n 0))) (<= terminal (true (n 1)))
    (<= (goal a 50) (true up)) (<= (goal b 90) (true up)) (<= (goal ?r 70) (role ?r) (true down))
    (<= (goal ?r 30) (role ?r) (not (true up)) (not (true down)))"""
    asked = {"across": "f", "across_fact": "n", "across_values": "0..1"}
    told = text_of(said("table", SheetText("meeting.kif", sheet), **asked)["grid"])
    assert "1 not solved" in told
    assert "0: not determined: pure equilibria differ" in told


def test_any_fact_may_vary() -> None:
    asked = {
        "across": "f", "across_fact": "cell 2 2", "across_values": "b,o", "what": "result"
    }  # fmt: skip
    html = said("table", shipped("tic-tac-toe/tic-tac-toe"), **asked)["grid"]
    assert "2 starts" in text_of(html)


def test_the_table_grows_from_a_corner(monkeypatch) -> None:
    monkeypatch.setattr(tabling, "OFTEN", 0.0)
    counts = []

    def say(part):
        counts.append(int(re.findall(r"<p>([\d,]+) starts", part["html"])[0].replace(",", "")))

    from ggp.studio.tasks import Order

    tabling.table(Order(shipped("multiples/multiples"), MULTIPLES), say, lambda text: None)
    assert counts == [8 * 8, 13 * 16, 13 * 21, 13 * 21]


def test_what_is_not_solved_in_time_is_left_open() -> None:
    asked = {"across": "p n", "across_values": "2..40", "seconds": "0.001"}
    told = text_of(said("table", shipped("kayles/kayles"), **asked)["grid"])
    assert told.startswith("0 starts; 39 not solved")


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"across": ""},
        {"across": "f heap 1", "across_values": ""},
        {"across": "f heap 1", "across_values": "0..100000000000000"},
        {"across": "f heap 1", "across_values": "0..100000"},
        {"across": "f heap 1", "across_values": "x" * 3_000},
        {"across": "f heap 1", "across_values": 7},
        {"across": "f heap ? ?", "across_values": "1..3"},
        {"across": "f )", "across_values": "1..3"},
        {"across": "p nothing", "across_values": "1..3"},
        {"across": ["p"], "across_values": "1..3"},
        {**MULTIPLES, "up": "f heap 2"},
        {**MULTIPLES, "up_values": "0..199", "across_values": "0..199"},
        {**MULTIPLES, "what": "<b>"},
        {**MULTIPLES, "seconds": "inf"},
        {**MULTIPLES, "fix p first": "1e9"},
        {**MULTIPLES, "fix p first": "9" * 30},
        {**MULTIPLES, "fix p heaps": "1"},
        {**MULTIPLES, "fix f heap 3": None},
    ],
)
def test_what_makes_no_table_is_refused(asked) -> None:
    with pytest.raises(GgpError):
        said("table", shipped("multiples/multiples"), **asked)


def test_digits_of_other_scripts_are_names() -> None:
    grid = said("table", shipped("multiples/multiples"), across="f heap 1", across_values="²")
    assert "²" in grid["grid"]


def test_sheets_are_bounded() -> None:
    asked = {"across": "p columns", "across_values": "1..40", "up": "p rows", "up_values": "1..40"}
    with pytest.raises(InputError, match="400 sheets"):
        said("table", shipped("domineering/domineering"), **asked)


def test_names_in_a_table_are_text() -> None:
    evil = "<script>alert`1`</script>"
    text = f"""
(role a) (role b)
(init (heap {evil} 4)) (init (control a))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ?p (take ?n)) (true (control ?p)) (true (heap {evil} ?m)) (succ ?n ?m))
(<= (legal ?p noop) (role ?p) (true (control ?q)) (distinct ?p ?q))
(<= (next (heap {evil} ?n)) (does ?p (take ?n)))
(<= (next (control a)) (true (control b)))
(<= (next (control b)) (true (control a)))
(<= terminal (true (heap {evil} 0)))
(<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (true (control ?q)) (distinct ?p ?q))
"""
    sheet = SheetText("evil.kif", text)
    axes = said("axes", sheet)["axes"]
    assert "<script" not in axes
    [key, values] = re.findall(r'value="(f [^"]*)" data-values="([^"]*)"', axes)[0]
    assert values == "0..4"
    grid = said("table", sheet, across=unescape(key), across_values=values)["grid"]
    assert "5 starts" in text_of(grid)
    assert "<script" not in grid
