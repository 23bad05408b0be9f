"""A TOML file beside a sheet changes names, glyphs and which way up; what means nothing is said."""

from __future__ import annotations

import shutil

import pytest

import ggp
from ggp.errors import InputError
from ggp.show.board import plan_of, scene_of, scene_text
from ggp.show.board.override import override_file
from tests.conftest import GAMES

SHEET = GAMES / "tic-tac-toe/tic-tac-toe.kif"


def beside(folder, text: str) -> ggp.Game:
    """Tic-tac-toe with a file beside it."""
    sheet = folder / SHEET.name
    shutil.copy(SHEET, sheet)
    override_file(sheet).write_text(text, encoding="utf-8")
    return ggp.load(sheet)


def shown(game: ggp.Game) -> str:
    return scene_text(scene_of(game.initial.play("(mark 1 3)").play("(mark 2 3)"))).plain


def test_without_a_file_nothing_changes(tmp_path) -> None:
    assert shown(ggp.load(SHEET)) == "turn: xplayer\n   1 2 3\n1  · · x\n2  · · o\n3  · · ·"
    assert shown(beside(tmp_path, "")) == shown(ggp.load(SHEET))


def test_names_and_glyphs(tmp_path) -> None:
    text = '[names]\\nxplayer = "crosses"\\nx = "a cross"\\n[glyphs]\\nx = "×"\\n'.replace(
        "\\n", "\n"
    )
    assert shown(beside(tmp_path, text)) == (
        "turn: crosses\n   1 2 3\n1  · · ×\n2  · · o\n3  · · ·\n× a cross"
    )


def test_glyphs_may_change_places(tmp_path) -> None:
    assert "1  · · o\n2  · · x" in shown(beside(tmp_path, '[glyphs]\nx = "o"\no = "x"\n'))


LATE = """(role a) (init (step 0)) (init (cell 1 1 b)) (init (cell 1 2 b)) (init (cell 2 1 b))
(init (cell 2 2 b)) (<= (legal a (go ?m ?n)) (true (cell ?m ?n b)))
(<= (next (cell ?m ?n ?c)) (true (cell ?m ?n ?c)) (not (full ?m ?n)))
(<= (full ?m ?n) (does a (go ?m ?n)) (true (step 45))) (<= (next (cell ?m ?n q)) (full ?m ?n))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 46))) (goal a 0)
"""
LATE += " ".join(f"(succ {n} {n + 1})" for n in range(46))


def test_contents_that_no_sampled_play_has_have_names_and_glyphs(tmp_path) -> None:
    sheet = tmp_path / "late.kif"
    sheet.write_text(LATE)
    file = override_file(sheet)
    file.write_text('[names]\nq = "queen"\n[glyphs]\nq = "Q!"\n')
    game = ggp.load(sheet)
    found = scene_text(scene_of(game.state(["(cell 1 1 q)", "(cell 1 2 b)"])))
    assert "Q!" in found.plain
    assert "Q! queen" in found.plain
    file.write_text('[glyphs]\nz = "Q!"\n')
    with pytest.raises(InputError, match=r"glyphs\.z: no board has that content"):
        plan_of(ggp.load(sheet))


def test_a_board_is_turned(tmp_path) -> None:
    assert shown(beside(tmp_path, "[boards.cell]\ncolumns = 1\n")) == (
        "turn: xplayer\n   1 2 3\n1  · · ·\n2  · · ·\n3  x o ·"
    )
    assert shown(beside(tmp_path, '[boards.cell]\nflip = ["rows"]\n')) == (
        "turn: xplayer\n   1 2 3\n3  · · ·\n2  · · o\n1  · · x"
    )


def test_a_blank_is_chosen(tmp_path) -> None:
    game = beside(tmp_path, '[boards.cell]\nblank = ""\n')
    assert "b" in scene_text(scene_of(game.initial)).plain


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[boards", "Expected"),
        ("colour = 1", "expected names, glyphs, boards"),
        ("[boards.cell]\nlines = 1", "expected columns, rows, flip, blank"),
        ("[boards.cell]\ncolumns = 0", "no number of an argument"),
        ("[boards.cell]\ncolumns = true", "no number of an argument"),
        ("[boards.cell]\ncolumns = 3", "argument 3 names no place"),
        ("[boards.cell]\ncolumns = 1\nrows = 1", "not two sides"),
        ('[boards.cell]\nflip = "rows"', "no list"),
        ("[glyphs]\nx = 'four'", "1 to 3 columns"),
        ("[names]\nx = 3", "no text"),
        ("[glyphs]\nx = '\u0301'", "1 to 3 columns"),
        ("[glyphs]\nx = '·'", "like an empty place"),
        ("names = 3", "no table"),
        ("[boards]\ncell = 3", "no table"),
        ("[boards.cel]\ncolumns = 1", "boards.cel: no board shows that relation (there are: cell)"),
        ('[glyphs]\ny = "×"', "glyphs.y: no board has that content (there are: b, o, x)"),
        (
            '[names]\nxplayr = "X"',
            "names.xplayr: nothing is called so (there are: b, cell, control",
        ),
        ('[glyphs]\nx = "×"\no = "×"', "glyphs.x and glyphs.o are both ×"),
        ('[glyphs]\nx = "o"', "glyphs.x: o is drawn so, too"),
        ('[boards.cell]\nblank = "bb"', "boards.cell.blank: no place has bb (there are: b, o, x)"),
        ("#" * 100_001, "longer than"),
        ("a = " + "[" * 40_000, "nested too deep"),
        ("a = " + "{a = " * 15_000, "nested too deep"),
    ],
)
def test_what_means_nothing_is_said(tmp_path, text, told) -> None:
    with pytest.raises(InputError, match=r"tic-tac-toe\.board\.toml: ") as error:
        plan_of(beside(tmp_path, text))
    assert told in str(error.value)


def test_hostile_names_are_inert(tmp_path) -> None:
    game = beside(tmp_path, '[names]\nxplayer = "\\u001b[31m[bold]<b>"\n[glyphs]\nx = "\\u0007x"\n')
    assert all(c.isprintable() or c == "\n" for c in shown(game))
