"""Games, states, findings and solutions survive being pickled, also into another process."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import ggp
from ggp.errors import GgpError, InputError, KifSyntaxError, LimitReached, RulesError
from ggp.limits import Limits
from tests.conftest import GAMES

SHEETS = [
    ("kayles/kayles-7.kif", {}),  # nim-values of all positions
    ("subtraction/sg-12-15.kif", {}),  # heaps
    ("kayles/kayles.kif.jinja", {"n": 9}),  # summands
    ("colouring/colouring.kif.jinja", {}),
]

SOUND = "(role a) (init p) (<= (legal a m) (true p)) (goal a 0) (<= terminal (true p))"

LOADED = """
import pickle, sys
game, state, findings, solution = pickle.load(open(sys.argv[1], "rb"))
assert state.game is game and solution.best(state) == solution.best(game.initial)
print(state, findings.value("form"), solution.value(state), *solution.best(state), sep="|")
"""


@pytest.mark.parametrize(("sheet", "values"), SHEETS, ids=lambda value: str(value))
def test_a_solution_means_the_same_in_another_process(sheet, values, tmp_path) -> None:
    """Bits of states are numbers of the net, which must be the very same there."""
    game = ggp.load(GAMES / sheet, **values)
    state = game.initial
    findings = game.analyse()
    solution = game.solve(method="summands" if values else None)
    file = tmp_path / "solved"
    file.write_bytes(pickle.dumps((game, state, findings, solution)))
    done = subprocess.run(
        [sys.executable, "-c", LOADED, str(file)],
        capture_output=True,
        text=True,
        env={"PYTHONHASHSEED": "7", "PATH": ""},
        cwd=Path(__file__).parents[1],
    )
    assert done.stderr == ""
    best = map(str, solution.best(state))
    expected = (state, findings.value("form"), solution.value(state), *best)
    assert done.stdout.rstrip("\n") == "|".join(map(str, expected))


def test_a_game_played_unground_is_one_again() -> None:
    game = ggp.load(GAMES / "kayles/kayles-7.kif", limits=Limits(ground_rules=5))
    assert not game.is_ground
    again = pickle.loads(pickle.dumps(game))
    assert not again.is_ground
    assert str(again.too_large) == str(game.too_large)
    assert again.initial == game.initial


def test_the_certificate_of_pickled_findings_is_the_same() -> None:
    findings = ggp.load(GAMES / "kayles/kayles-7.kif").analyse()
    again = pickle.loads(pickle.dumps(findings))
    assert again.certificate() == findings.certificate() != {}
    assert pickle.loads(pickle.dumps(again)).certificate() == findings.certificate()


@pytest.mark.parametrize(
    ("text", "kind", "place"),
    [
        ("(role a)\n(init (p)", KifSyntaxError, ("x.kif", 2, 1)),
        (SOUND + "\n\n(<= (next (r ?x)) (true p))", RulesError, ("x.kif", 3, 14)),
    ],
)
def test_errors_know_their_place(text, kind, place) -> None:
    with pytest.raises(kind) as caught:
        ggp.parse(text, "x.kif")
    error = caught.value
    assert (error.file, error.line, error.column) == place
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.file, again.line) == (str(error), error.file, error.line)


def test_errors_without_a_place_say_so() -> None:
    with pytest.raises(InputError) as caught:
        ggp.load("no-such-file.kif")
    error: GgpError = caught.value
    assert (error.file, error.line, error.column) == ("no-such-file.kif", None, None)
    limit = LimitReached("time", 3.0, "so far")
    again = pickle.loads(pickle.dumps(limit))
    assert (str(again), again.limit, again.value) == (str(limit), "time", 3.0)
    assert (limit.file, limit.line) == (None, None)


def test_wrong_types_are_told_in_words() -> None:
    game = ggp.load(GAMES / "kayles/kayles-7.kif")
    with pytest.raises(TypeError, match="a list of facts"):
        game.state("(control left)")
    with pytest.raises(TypeError, match="a move is a term or its text"):
        game.initial.play(3)
    with pytest.raises(TypeError, match="terms or their text"):
        game.initial.legal(3)
    with pytest.raises(TypeError, match="terms or their text"):
        game.initial.play({"left": 3, "right": "noop"})
    with pytest.raises(TypeError, match="terms or their text"):
        game.state([3])


def test_what_things_are_can_be_read() -> None:
    game = ggp.load(GAMES / "kayles/kayles-7.kif")
    assert repr(game).endswith("kayles-7.kif: left, right>")
    assert repr(game.initial).startswith("<State (control left) (skittle 1 up)")
    assert (
        repr(game.solve())
        == "<GameSolution: Sprague-Grundy theory on all positions, 222 positions>"
    )
    assert "impartial: True" in repr(game.analyse())


def test_rules_that_are_nested_deeply_do_not_keep_findings_from_being_pickled() -> None:
    deep = "p"
    for _ in range(390):
        deep = f"(f {deep})"
    text = f"(role a) (role b) (init p) (legal a m) (legal a n) (legal b m) (legal b n) (q {deep})"
    game = ggp.parse(text + "(next q) (<= terminal (true q)) (goal a 0) (goal b 0)")
    finding = game.analyse(only="turns")["turns"]
    assert finding.rules is game.rules
    assert pickle.loads(pickle.dumps(finding)) == finding


def test_memory_is_told_as_options_have_it() -> None:
    """In MB, of some bytes as they are; `value` has bytes."""
    limit = LimitReached("memory", 8192 << 20, "so far")
    assert str(limit) == "limit reached: memory = 8,192 MB (so far)"
    assert limit.value == 8192 << 20
    assert str(LimitReached("memory", 1000)) == "limit reached: memory = 1,000"
