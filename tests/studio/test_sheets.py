"""What is asked of texts: faults and colours at their places, layout, small pictures."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from ggp import shipped
from ggp.errors import GgpError
from ggp.kif import is_template
from ggp.studio.library import Library, SheetText
from ggp.studio.pages import new_sheet
from ggp.studio.work.sheets import checked, game_of, laid_out, text_of, thumbnail
from tests.studio.conftest import HOSTILE


def test_faults_have_places_and_hints() -> None:
    text = "(role a)\n(init (on 1))\n(legal a go)\n(terminla)\n(goal a 1)"
    found = checked(SheetText("x.kif", text))
    fault = next(d for d in found["diagnostics"] if d["name"] == "no-terminal")
    assert (fault["severity"], fault["code"]) == ("error", "GDL304")
    assert not found["why"]


def test_what_has_a_colour_is_cut_out_of_the_text_by_its_places() -> None:
    text = "; words\n(<= (legal ?p go) (role ?p))"
    found = checked(SheetText("x.kif", text))
    pieces = [(text[start:end], kind) for start, end, kind in found["colours"]]
    assert pieces == [
        ("; words", "comment"),
        ("<=", "keyword"),
        ("legal", "keyword"),
        ("?p", "variable"),
        ("go", "constant"),
        ("role", "keyword"),
        ("?p", "variable"),
    ]


def test_places_count_as_pages_do() -> None:
    # A page counts units of UTF-16, of which this comment's sign has two.
    text = "; \U0001f600\n(role a)"
    units = text.encode("utf-16-le")
    found = checked(SheetText("x.kif", text))
    pieces = [units[2 * start : 2 * end].decode("utf-16-le") for start, end, _ in found["colours"]]
    assert pieces == ["; \U0001f600", "role", "a"]


def test_a_text_that_cannot_be_read_is_told_and_coloured_as_far_as_it_can_be() -> None:
    found = checked(SheetText("x.kif", "(role a"))
    assert found["diagnostics"][0]["severity"] == "error"
    assert found["colours"] == [[1, 5, "keyword"], [6, 7, "constant"]]


def test_a_text_is_laid_out_as_by_the_formatter() -> None:
    assert laid_out(SheetText("x.kif", "( role   a )")) == "(role a)\n"


def test_templates_are_rendered_with_values() -> None:
    library = Library()
    assert "(row 4 7)" in text_of(library.sheet("shipped/nim/rows", {"rows": "4"}))


PLAIN = [name for name, file in shipped.sheets().items() if not is_template(file)]


@pytest.mark.parametrize("name", [*PLAIN, "nim/rows"])  # a template that stands for all
def test_every_shipped_game_has_a_picture(name: str) -> None:
    drawn = thumbnail(Library().sheet(f"shipped/{name}", {}))
    root = ElementTree.fromstring(drawn)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_names_are_text_in_pictures() -> None:
    cells = "".join(f"(init (cell {n} {HOSTILE}))" for n in range(3))
    rules = "(role a) (legal a go) (<= (next ?f) (true ?f)) (goal a 0) (<= terminal (true no))"
    drawn = thumbnail(SheetText("x.kif", rules + cells))
    assert "<script" not in drawn


def test_a_library_forgets_drafts_but_the_last_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggp.studio.library.MAX_DRAFTS", 3)
    library = Library()
    keys = [library.draft("x.kif", f"(role r{n})") for n in range(5)]
    assert [library.sheet(key, {}).text for key in keys[2:]] == [
        "(role r2)",
        "(role r3)",
        "(role r4)",
    ]
    for key in keys[:2]:
        with pytest.raises(GgpError, match="no game"):
            library.sheet(key, {})
    monkeypatch.setattr("ggp.studio.library.MAX_DRAFTED", 25)
    assert library.sheet(library.draft("x.kif", "(role last)"), {}).text == "(role last)"


def test_a_draft_of_no_file_is_kept_without_a_look_at_folders() -> None:
    # That may take seconds, and requests would wait.
    looks = []
    library = Library(lambda: looks.append(1) or [])
    library.draft("x.kif", "(role a)")
    assert not looks


def test_own_sheets_are_known_by_what_they_are_called(tmp_path: Path) -> None:
    file = tmp_path / "x.kif"
    file.write_text("(role a)")
    library = Library(lambda: [("games/x.kif", file)])
    assert library.sheet("own/games/x.kif", {}).text == "(role a)"
    for key in ("own/x.kif", f"own/{file}", "own/games/../games/x.kif"):
        with pytest.raises(GgpError, match="no game"):
            library.sheet(key, {})


def test_what_a_new_game_begins_with_is_a_game_without_faults() -> None:
    text = new_sheet()
    found = checked(SheetText("new.kif", text))
    assert (found["diagnostics"], found["why"]) == ([], "")
    assert laid_out(SheetText("new.kif", text)) == text
    game = game_of(SheetText("new.kif", text))
    # Of 5 matches, from which one or two are taken, the player to move leaves 3.
    assert game.solve().outcome(game.initial) == "N"
