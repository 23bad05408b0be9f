"""What is printed as JSON has the shape that `docs/output.schema.json` gives it."""

from __future__ import annotations

import json

import jsonschema
import pytest

import ggp
from tests.conftest import GAMES, ROOT

SCHEMA = json.loads((ROOT / "docs" / "output.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

KAYLES = str(GAMES / "kayles/kayles-7.kif")
TOADS = str(GAMES / "subtraction/sg-12-15.kif")


def checked(text: str, verb: str) -> dict:
    """The one object that was printed, if it is as the schema says."""
    data = json.loads(text)
    assert data["schema"] == f"ggp-{verb}/1"
    # Against the part of this verb: its errors say more than those of all together.
    part = {**SCHEMA, "oneOf": [{"$ref": f"#/$defs/{verb}"}]}
    jsonschema.Draft202012Validator(part).validate(data)
    return data


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert not VALIDATOR.is_valid({"schema": "ggp-check/1", "diagnostics": []})


@pytest.mark.parametrize(
    ("verb", "arguments", "code"),
    [
        ("check", [KAYLES], 0),
        ("check", [KAYLES, "no-such-file"], 2),
        ("fmt", [KAYLES, "--check", "no-such-file"], 2),
        ("show", [KAYLES, "--rules", "--graph", "--net", "--perft", "3"], 0),
        ("show", ["nim/rows", "--set", "rows=2"], 0),
        ("show", ["tic-tac-toe", "--playouts", "100"], 0),
        ("show", [KAYLES, "--perft", "9", "--positions", "50"], 3),
        ("board", [KAYLES, "--after", "2"], 0),
        ("board", [KAYLES, "no-such-file"], 2),
        ("analyse", ["tic-tac-toe"], 0),
        ("analyse", ["simultaneous/rock-paper-scissors"], 0),
        ("analyse", [KAYLES, "--only", "impartial"], 0),
        ("analyse", ["connect-four", "--positions", "1000"], 3),
        ("value", [KAYLES, "--moves"], 0),
        ("value", ["domineering/domineering-3x4", "--all"], 0),
        ("value", ["tic-tac-toe/tic-tac-toe"], 1),
        ("solve", [KAYLES], 0),
        ("solve", [KAYLES, "--from", "(control left)"], 0),
        ("solve", ["simultaneous/rock-paper-scissors"], 0),
        ("solve", ["lights-out-3x3"], 0),
        ("bench", ["tic-tac-toe", "--seconds", "0.1", "--engine", "interpreter"], 0),
        ("convert", [KAYLES, "--to", "hrf"], 0),
        ("test", [KAYLES], 0),
        ("test", [KAYLES, "no-such-file"], 2),
        ("cache", [], 0),
        ("games", [], 0),
        ("games", ["nim/rows"], 0),
        pytest.param("analyse", [TOADS], 0, marks=pytest.mark.slow),
        pytest.param("test", [KAYLES, TOADS], 0, marks=pytest.mark.slow),
    ],
    ids=lambda value: " ".join(value)[-40:] if isinstance(value, list) else str(value),
)
def test_every_verb(ggp_, verb, arguments, code) -> None:
    ended, output, _ = ggp_(verb, *arguments, "--format", "json")
    assert ended == code
    checked(output, verb)


def test_heaps_of_any_size(ggp_) -> None:
    sheet = str(GAMES / "subtraction" / "sg-125.kif")
    sizes = [f"--heap={10**18 + n}" for n in (0, 1, 2)]
    ended, output, _ = ggp_("solve", sheet, *sizes, "--format", "json")
    assert ended == 0
    # With {1, 2, 5} the nim-value of n is n mod 3: 1, 2 and 0 of these.
    assert checked(output, "solve-heaps")["nim_value"] == 1 ^ 2 ^ 0
    _, output, _ = ggp_("solve", sheet, *sizes, "--misere", "--format", "json")
    found = checked(output, "solve-heaps")
    assert [heap["genus"] for heap in found["heaps"]] == ["1^{031}", "2^{20}", "0^{120}"]
    assert (found["genus"], found["outcome"]) == ("3^{31}", "N")
    small = ["subtraction/subtraction", "--set", "heaps=[4, 5]", "--set", "take=[1, 2]"]
    assert "genus: 3^{31}" in ggp_("solve", *small, "--heap=4", "--heap=5", "--misere")[1]
    ended, _, errors = ggp_("solve", *small, "--heap", "3")
    assert ended == 2
    assert "2 heaps, so as many sizes are wanted" in errors
    assert ggp_("solve", *small, "--heap", "3", "--misere")[0] == 2


def test_a_controller(ggp_, tmp_path) -> None:
    for suffix in (".txt", ".json", ".py", ".kif"):
        file = tmp_path / f"rules{suffix}"
        ended, output, _ = ggp_(
            "solve", "nim/rows", "--set", "rows=2", "--controller", str(file), "--format", "json"
        )
        assert ended == 0
        assert len(checked(output, "solve")["controller"]["rules"]) == 3
        assert "(take 2 2)" in file.read_text()
    assert ggp_("solve", KAYLES, "--controller", str(tmp_path / "rules.doc"))[0] == 2


def test_a_dialogue(ggp_) -> None:
    _, output, _ = ggp_("play", KAYLES, "--format", "json", typed="1\nquit\n")
    checked(output, "play")


def test_a_certificate(ggp_, tmp_path) -> None:
    certificate = str(tmp_path / "certificate.json")
    ggp_("analyse", KAYLES, "--certificate", certificate)
    _, output, _ = ggp_("verify", certificate, KAYLES, "--format", "json")
    assert checked(output, "verify")["claims"]


def test_traces(ggp_, tmp_path) -> None:
    _, output, _ = ggp_("record", KAYLES, "--playouts", "1")
    (tmp_path / "kayles-7.jsonl").write_text(output)
    _, output, _ = ggp_(
        "conform", KAYLES, "nowhere.kif", "--traces", str(tmp_path), "--format=json"
    )
    assert checked(output, "conform")["agree"] == 1


@pytest.mark.parametrize(
    ("arguments", "kind", "code"),
    [
        (["show", "no-such-file"], "InputError", 2),
        (["show", KAYLES, "--set", "n=3"], "UnknownName", 2),
        (["solve", KAYLES, "--role", "nobody"], "UnknownName", 2),
        (["analyse", KAYLES, "--only", "beauty"], "UnknownName", 2),
        (["bench", "no-such-file", "--seconds", "0.1"], "InputError", 2),
        (["games", "no-such-game"], "UnknownName", 2),
    ],
)
def test_errors_too(ggp_, arguments, kind, code) -> None:
    ended, output, errors = ggp_(*arguments, "--format", "json")
    failure = checked(output, "error")["error"]
    assert (ended, failure["kind"], failure["exit_code"]) == (code, kind, code)
    assert errors.startswith("ggp: ")


def test_an_error_has_its_place(ggp_, tmp_path) -> None:
    sheet = tmp_path / "broken.kif"
    sheet.write_text("(role a)\n(init (p)")
    _, output, _ = ggp_("show", str(sheet), "--format", "json")
    failure = checked(output, "error")["error"]
    assert (failure["file"], failure["line"], failure["column"]) == (str(sheet), 2, 1)


def test_many_files_are_an_object_a_line(ggp_) -> None:
    code, output, _ = ggp_("analyse", KAYLES, "no-such-file", TOADS, "--format", "json")
    kinds = [json.loads(line)["schema"] for line in output.splitlines()]
    assert (code, kinds) == (2, ["ggp-analyse/1", "ggp-error/1", "ggp-analyse/1"])
    for line, kind in zip(output.splitlines(), ("analyse", "error", "analyse"), strict=True):
        checked(line, kind)


@pytest.mark.parametrize("method", ["positions", "way"])
def test_the_way_through_a_puzzle(ggp_, method) -> None:
    asked = ("solve", "puzzles/lights-out-3x3", "--method", method)
    _, output, _ = ggp_(*asked, "--format", "json")
    data = checked(output, "solve")
    state = ggp.load(GAMES / "puzzles" / "lights-out-3x3.kif").initial
    for move in data["way"]:
        state = state.play(move)
    assert state.terminal
    assert state.goals == data["goals"] == {"player": 100}
    # All best moves are those of a shortest way; of a way that was found one is known.
    assert (data["best"] == []) == ("best_unknown" in data) == (method == "way")
    text = ggp_(*asked)[1]
    assert f"a way there, {len(data['way'])} moves: {data['way'][0]}" in " ".join(text.split())
    assert "not known" not in text


def test_a_start_may_have_heaps_beyond_the_chain(ggp_) -> None:
    sheet = str(GAMES / "subtraction" / "sg-123-21.kif")
    start = ("--from", f"(heap {10**18 + 1}) (control right)")
    ended, output, _ = ggp_("solve", sheet, *start, "--format", "json")
    found = checked(output, "solve-heaps")
    assert (ended, found["to_move"], found["result"], found["nim_value"]) == (
        0,
        "right",
        "right",
        1,
    )
    ended, _, errors = ggp_("solve", sheet, *start, "--explain")
    assert (ended, "is no fluent" in errors) == (2, True)
    assert ggp_("solve", sheet, "--from", "(heap x) (control right)")[0] == 2


def test_a_sheet_of_nim_with_a_long_chain_is_not_ground(ggp_) -> None:
    """Rows of 600 and 501, of which 99 may be taken to leave as many in both."""
    sheet = str(GAMES / "nim" / "rows.kif.jinja")
    given = ("solve", sheet, "--set", "heaps=[600,501]", "--format", "json")
    ended, output, _ = ggp_(*given)
    found = checked(output, "solve")
    assert (ended, found["outcome"], found["best"]) == (0, "N", ["(take 1 99)"])
    ended, output, _ = ggp_(*given, "--misere")
    found = checked(output, "solve")
    assert (ended, found["outcome"], found["best"]) == (0, "N", ["(take 1 99)"])


def test_kinds_of_errors_are_those_of_the_package(ggp_, tmp_path) -> None:
    """Not of one module, which may come and go."""
    sheet = tmp_path / "round.kif"
    sheet.write_text("""(role a) (role b) (init s) (side 1) (side 2)
        (<= (legal ?r (show ?n)) (role ?r) (side ?n)) (<= (next t) (true s))
        (<= (next s) (true t) (not over)) (<= over (does a (show 1)) (does b (show 1)))
        (<= (next done) (true t) over) (<= terminal (true done)) (<= (goal ?r 50) (role ?r))""")
    for more in ((), ("--statistics",), ("--method", "alpha-beta")):
        _, output, _ = ggp_("solve", str(sheet), "--format", "json", *more)
        data = json.loads(output)
        assert data["error"]["kind"] == "NotSolvable"
