"""`ggp check`: what it reads, what it prints, what it corrects."""

from __future__ import annotations

import io
import json
import sys

import pytest

from ggp.rules.catalogue import sound

SOUND = sound()
SLIP = SOUND + "(<= (terminal) (step 2))\n"


@pytest.fixture
def folder(tmp_path):
    for name, text in {
        "a.kif": SOUND,
        "b.kif": SLIP,
        "inner/c.kif": SOUND + "(goal white 101)\n",
        ".hidden/d.kif": "(",
        "notes.txt": "(",
    }.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return tmp_path


def test_a_folder_stands_for_all_sheets_in_it(ggp_, folder) -> None:
    code, output, _ = ggp_("check", str(folder), "--format", "json")
    data = json.loads(output)
    assert code == 1
    assert (data["errors"], data["warnings"]) == (1, 2)
    files = [d["file"].removeprefix(str(folder)) for d in data["diagnostics"]]
    assert files == ["/b.kif", "/b.kif", "/inner/c.kif"]


def test_processes_change_nothing(ggp_, folder) -> None:
    one = ggp_("check", str(folder), "--format", "json", "--jobs", "1", "--deep")
    two = ggp_("check", str(folder), "--format", "json", "--jobs", "2", "--deep")
    assert one == two


def test_standard_input(ggp_, monkeypatch) -> None:
    data = io.TextIOWrapper(io.BytesIO(SLIP.encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", data)
    code, output, _ = ggp_("check", "-")
    assert code == 0
    assert "<stdin>:9:16: warning" in output


def test_codes_are_selected_and_ignored(ggp_, folder) -> None:
    def names(*options: str) -> list[str]:
        _, output, _ = ggp_("check", str(folder), "--format", "json", *options)
        return [d["name"] for d in json.loads(output)["diagnostics"]]

    everything = ["needless-parentheses", "missing-true", "goal-value"]
    assert names() == everything
    assert names("--select", "GDL403") == ["missing-true"]
    assert names("--select", "GDL1,goal-value") == ["needless-parentheses", "goal-value"]
    assert names("--ignore", "GDL4", "--ignore", "GDL111") == ["goal-value"]
    code, _, errors = ggp_("check", str(folder), "--select", "GDL9")
    assert code == 2
    assert "GDL9" in errors


def test_ignored_errors_do_not_count_and_strict_warnings_do(ggp_, folder) -> None:
    assert ggp_("check", str(folder), "--ignore", "goal-value")[0] == 0
    assert ggp_("check", str(folder / "b.kif"))[0] == 0
    assert ggp_("check", str(folder / "b.kif"), "--strict")[0] == 1


def test_only_safe_corrections_are_made(ggp_, folder) -> None:
    file = folder / "b.kif"
    code, output, _ = ggp_("check", str(file), "--fix")
    assert code == 0
    assert "corrected in 1 place" in output
    assert file.read_text("utf-8") == SOUND + "(<= terminal (step 2))\n"
    _, output, _ = ggp_("check", str(file), "--fix")
    assert "corrected" not in output


def test_a_read_only_file_is_left_as_it_is(ggp_, folder) -> None:
    file = folder / "b.kif"
    before = file.read_bytes()
    file.chmod(0o444)
    code, _, errors = ggp_("check", str(file), "--fix")
    assert (code, file.read_bytes()) == (2, before)
    assert "read-only" in errors


def test_corrections_keep_line_ends_and_comments(ggp_, tmp_path) -> None:
    file = tmp_path / "a.kif"
    text = SOUND + "(<= (terminal ; now\n) (true (step 2)))\n(<= (succ 1 2))\n"
    file.write_bytes(text.replace("\n", "\r\n").encode())
    ggp_("check", str(file), "--fix")
    expected = SOUND + "(<= (terminal ; now\n) (true (step 2)))\n(succ 1 2)\n"
    assert file.read_bytes() == expected.replace("\n", "\r\n").encode()


def test_what_a_code_means(ggp_) -> None:
    code, output, _ = ggp_("check", "--explain", "gdl107")
    assert code == 0
    assert output.startswith("### GDL107 `nested-rule`")
    assert "Bad:" in output
    assert ggp_("check", "--explain", "GDL000")[0] == 2


def test_github_commands_are_escaped(ggp_, tmp_path) -> None:
    file = tmp_path / "a,b%.kif"
    file.write_text(SOUND + "(<= terminal (undefined::thing%0A 1))", encoding="utf-8")
    code, output, _ = ggp_("check", str(file), "--format", "github")
    assert code == 0
    (line,) = output.splitlines()
    assert line.startswith("::warning file=")
    assert "a%2Cb%25.kif,line=9,col=14" in line
    assert "thing%250A" in line


def test_sarif_has_rules_results_places_and_corrections(ggp_, folder) -> None:
    code, output, _ = ggp_("check", str(folder), "--format", "sarif")
    assert code == 1
    (run,) = json.loads(output)["runs"]
    rules = run["tool"]["driver"]["rules"]
    results = run["results"]
    assert [r["level"] for r in results] == ["warning", "warning", "error"]
    assert all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in results)
    region = results[0]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 9, "startColumn": 5, "endLine": 9, "endColumn": 15}
    (change,) = results[0]["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "terminal"}


def test_deep_questions_and_plays_are_told(ggp_, tmp_path) -> None:
    file = tmp_path / "a.kif"
    file.write_text(SOUND + "(role black) (goal black 0)\n", encoding="utf-8")
    code, output, _ = ggp_("check", str(file), "--deep", "--format", "json")
    data = json.loads(output)
    assert code == 1
    (stuck,) = [d for d in data["diagnostics"] if d["name"] == "stuck"]
    assert (stuck["play"], stuck["facts"]) == ([], ["(step 0)"])
    answers = {q["question"]: q["answer"] for q in data["questions"]}
    assert answers["every role can move until the end, which gives each player one goal"] is False
    _, output, _ = ggp_("check", str(file), "--deep")
    assert "in the first state" in output


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 2),
        (["--fix", "-"], 2),
        (["no-such-folder"], 2),
        (["--jobs", "0", "x.kif"], 2),
    ],
)
def test_wrong_use(ggp_, arguments, code) -> None:
    assert ggp_("check", *arguments)[0] == code


def test_a_folder_without_sheets_is_an_error(ggp_, tmp_path) -> None:
    code, _, errors = ggp_("check", str(tmp_path))
    assert code == 2
    assert "no sheets" in errors
