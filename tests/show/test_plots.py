"""Pictures of counts: what is in them, what they say, and that equal data give equal files."""

from __future__ import annotations

import re
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from ggp.machine import Playouts
from ggp.show.pictures import HATCHES, PICTURES, Alt, Picture, labelled, literal
from ggp.show.plots import heaps_plot, perft_plot, playouts_plot, statistics_plot
from ggp.theory import NimHeap, SubtractionGame
from tests.conftest import GAMES

pytest.importorskip("matplotlib")

TOADS = str(GAMES / "subtraction" / "sg-12-15.kif")
HEAPS = ["subtraction/subtraction", "--set", "heaps=[4, 5]", "--set", "take=[1, 2]"]
KAYLES = str(GAMES / "kayles" / "kayles-7.kif")
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(1)</script>$x^2$\x1b[31m\\frac --> & \"' 漢" + "z" * 100_000
PLIES = [
    {"ply": 0, "positions": 1, "moves": 3, "terminal": 0},
    {"ply": 1, "positions": 3, "moves": 0, "terminal": 3},
]
PLAYS = Playouts(10, {HOSTILE: {0: 4, 100: 6}}, np.array([0, 3, 7]), 0, 0, 17)
COUNTS = {
    "positions": 7, "plies": [1, 6], "results": {HOSTILE: 4, "draw": 3}, "nim_values": {"0": 7},
}  # fmt: skip

PLOTS = {
    "perft": perft_plot(PLIES, HOSTILE),
    "playouts": playouts_plot(PLAYS, HOSTILE),
    "statistics": statistics_plot(COUNTS, HOSTILE),
    "heaps": heaps_plot([(HOSTILE, SubtractionGame({1, 2})), ("nim", NimHeap(2, 1))], HOSTILE),
}


@pytest.fixture(params=PLOTS)
def plot(request):
    return PLOTS[request.param]


@pytest.mark.parametrize("suffix", PICTURES)
def test_equal_data_are_equal_files(plot, suffix) -> None:
    assert plot.data(suffix) == plot.data(suffix)
    assert len(plot.data(suffix)) < 200_000


def test_a_style_of_the_user_changes_nothing(plot) -> None:
    from matplotlib import rc_context

    before = plot.data(".svg")
    with rc_context({"text.usetex": True, "axes.facecolor": "red", "font.size": 30}):
        assert plot.data(".svg") == before


def test_text_of_a_sheet_is_text(plot) -> None:
    """No element of it, no formula, no control character, and not all of what is too long."""
    data = plot.data(".svg").decode()
    root = ElementTree.fromstring(data)
    assert not [element for element in root.iter() if element.tag.endswith("script")]
    assert "\x1b" not in data
    assert "<script>" not in data
    (title,) = root.findall(f"{SVG}title")
    assert title.text.startswith("<script>alert(1)</script>$x^2$·[31m")
    assert len(title.text) <= 200


def test_an_svg_says_what_it_shows(plot) -> None:
    root = ElementTree.fromstring(plot.data(".svg"))
    assert root.get("role") == "img"
    labels = root.get("aria-labelledby").split()
    by_name = {element.get("id"): element.text for element in root}
    assert all(by_name[label] for label in labels)
    assert len(labels) == 2


def test_a_png_says_what_it_shows() -> None:
    import io

    from PIL import Image

    text = Image.open(io.BytesIO(perft_plot(PLIES, "tic").data(".png"))).text
    assert text["Title"] == "tic: plies"
    assert text["Description"] == (
        "By ply from 0 to 1, logarithmic: positions 1 3; moves 3 0; ends of play 0 3"
    )


def test_kinds_differ_without_colour() -> None:
    data = playouts_plot(
        Playouts(2, {"a": {0: 2}, "b": {100: 2}}, np.array([2]), 0, 0, 0), "g"
    ).data()
    assert data.count(b"<pattern ") == 1
    assert HATCHES[0] != HATCHES[1]
    strokes = set(re.findall(rb"stroke-dasharray: [^;]+", perft_plot(PLIES, "g").data()))
    assert len(strokes) >= 2


def test_a_legend_leaves_no_role_out() -> None:
    for role in ("_nolegend_", "_", "a"):
        plot = playouts_plot(Playouts(2, {role: {0: 2}}, np.array([2]), 0, 0, 0))
        assert f"<!--  {role} -->".encode() in plot.data()


def test_pictures_are_of_any_counts() -> None:
    """Without plays, many lengths and goals, numbers beyond any axis, many roles and heaps."""
    nothing = Playouts(3, {"a": {}}, np.zeros(0, dtype=np.int64), 3, 0, 0)
    assert b"0 random plays" in playouts_plot(nothing, "g").data()
    goals = {f"role{i}": {goal: 1 for goal in range(101)} for i in range(9)}
    assert playouts_plot(Playouts(9, goals, np.ones(10_000, dtype=np.int64), 0, 0, 0), "g").data()
    assert perft_plot([{"ply": 0, "positions": 0, "moves": 0, "terminal": 0}], "g").data()
    assert perft_plot([{**row, "moves": 10**40} for row in PLIES], "g").data()
    results = {f"role{i}": 10**20 for i in range(30)}
    data = {"positions": 1, "plies": list(range(1, 5_000)), "results": results, "nim_values": {}}
    assert b"others" in statistics_plot(data, "g").data()
    heaps = [(f"heap {i}", SubtractionGame({1, i + 2}, floor=i)) for i in range(9)]
    assert heaps_plot(heaps, "g").data().count(b"axes_") >= 4


def test_labels_are_of_their_picture_alone() -> None:
    """Two pictures on one page do not have one name."""
    svgs = [labelled("<svg a='b'></svg>", Alt("one", text)) for text in ("x", "y")]
    names = [set(re.findall(r'id="([^"]+)"', svg)) for svg in svgs]
    assert not names[0] & names[1]


def test_text_is_short_and_on_one_line() -> None:
    assert literal("a\nb\x07c") == "a b·c"
    assert len(literal("x" * 10**6)) == 60


def test_a_picture_needs_matplotlib(ggp_, tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    file = tmp_path / "x.svg"
    code, output, error = ggp_("show", KAYLES, "--perft", "2", "--plot", str(file))
    assert (code, output) == (2, "")
    assert "ggp[table]" in error
    assert not file.exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", KAYLES, "--plot", "x.svg"],
        ["show", KAYLES, "--perft", "1", "--playouts", "1", "--plot", "x.svg"],
        ["show", KAYLES, "--perft", "1", "--plot", "x.gif"],
        ["show", KAYLES, "--perft", "1", "--plot", "no/such/folder/x.svg"],
        ["solve", KAYLES, "--plot", "x.svg"],
        ["solve", KAYLES, "--statistics", "--plot", "x.txt"],
        ["solve", TOADS, "--heap", "5", "--heap", "9", "--plot", "x"],
        ["solve", KAYLES, "--statistics", "--table", "x.csv", "--plot", "x.csv"],
    ],
)
def test_wrong_use_is_told_before_the_work(ggp_, tmp_path, monkeypatch, arguments) -> None:
    monkeypatch.chdir(tmp_path)
    code, output, error = ggp_(*arguments)
    assert (code, output) == (2, "")
    assert error.startswith("ggp: ")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show", "tic-tac-toe", "--perft", "9"], "positions 1 9 72 252 756 1,260"),
        (["show", "tic-tac-toe", "--playouts", "100"], "goals of oplayer: 0"),
        (["solve", TOADS, "--statistics"], "by nim-value: 0 60, 1 60, 2 24, 3 24"),
        (["solve", *HEAPS, "--heap", "1000", "--heap", "7"], "take 1, 2; period 3: 0 1 2 0 1 2"),
    ],
)
def test_a_picture_says_the_numbers(ggp_, tmp_path, arguments, told) -> None:
    file = tmp_path / "out.svg"
    assert ggp_(*arguments, "--plot", str(file))[0] == 0
    assert told in ElementTree.parse(file).getroot().find(f"{SVG}desc").text


def test_random_plays_in_words(ggp_) -> None:
    """Of a game whose plays all are as long there is one length; where time ends, what is there."""
    text = ggp_("show", "bisimulation/two-cycle-and-three-cycle", "--playouts", "10")[1]
    assert re.search(r"moves of a play +12 *$", text, re.MULTILINE)
    text = ggp_("show", "tic-tac-toe", "--playouts", "1000")[1]
    assert re.search(r"moves of a play +5 to 9, 7\.\d on average", text)
    code, text, error = ggp_("show", "connect-four", "--playouts", "100000000", "--time", "1")
    assert code == 3
    assert "random plays" in text
    assert "limit reached: time" in error


def test_what_a_limit_left_is_drawn(ggp_, tmp_path) -> None:
    file = tmp_path / "out.svg"
    code, output, _ = ggp_(
        "show", "tic-tac-toe", "--perft", "9", "--positions", "300", "--plot", str(file)
    )
    assert code == 3
    assert "504" in output
    assert "By ply from 0 to 2" in file.read_text("utf-8")


def test_misere_heaps_have_no_nim_values(ggp_, tmp_path) -> None:
    file = tmp_path / "out.svg"
    arguments = ("--misere", "--heap", "5", "--heap", "9", "--plot", str(file))
    code, _, error = ggp_("solve", *HEAPS, *arguments)
    assert code != 0
    assert "no nim-values" in error
    assert not file.exists()


def test_a_picture_that_fails_leaves_what_was_there(tmp_path, monkeypatch) -> None:
    file = tmp_path / "out.svg"
    file.write_text("before")

    def fail(figure) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Picture(fail, (1, 1), Alt("a", "b")).save(file)
    assert [path.name for path in tmp_path.iterdir()] == ["out.svg"]
    assert file.read_text() == "before"
    assert Picture(lambda figure: None, (1, 1), Alt("a", "b")).data(".SVG")
