"""`ggp test`: the lines it prints, its exit codes, its formats."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.test_json import checked
from tests.conftest import GAMES

KAYLES = GAMES / "kayles" / "kayles-7.kif"
LAYERS = ("--positions", "20")


@pytest.fixture
def suite(tmp_path) -> Path:
    """One file in which all holds, and others with something wrong each."""
    for name in ("good", "wrong", "typo", "strange"):
        shutil.copy(KAYLES, tmp_path / f"{name}.kif")
    (tmp_path / "good.toml").write_text('[[instance]]\nroles = ["left", "right"]\nnim_value = 2\n')
    (tmp_path / "wrong.toml").write_text("[[instance]]\nnim_value = 3\ncyclic = false\n")
    (tmp_path / "typo.toml").write_text("[[instance]]\ncyclic = false\nnim_valeu = 2\n")
    (tmp_path / "strange.toml").write_text("[[instance]]\nset = { n = 1 }\nnim_value = 2\n")
    (tmp_path / "alone.toml").write_text('[[instance]]\nroles = ["left"]\n')
    (tmp_path / "broken.toml").write_text("[[instance\n")
    (tmp_path / "broken.kif").write_text("(role a)")
    (tmp_path / "faulty.toml").write_text('[[instance]]\nroles = ["a"]\n')
    (tmp_path / "faulty.kif").write_text("(role a) (init (p)")
    template = "{# parameters\nn = 1\n#}(role a) {{ 1 / 0 }}"
    (tmp_path / "template.toml").write_text('[[instance]]\nroles = ["a"]\n')
    (tmp_path / "template.kif.jinja").write_text(template)
    return tmp_path


def test_what_holds_is_one_line(ggp_, suite) -> None:
    code, output, _ = ggp_("test", str(suite / "good.toml"))
    assert (code, output) == (0, "1 instance, facts: 2 held\n")
    assert ggp_("test", str(suite / "good.kif")) == (code, output, "")
    assert ggp_("test", "kayles/kayles-7", "--jobs", "1")[0] == 0


def test_what_is_wrong_is_a_line_with_place_and_certainty(ggp_, suite) -> None:
    file = str(suite / "wrong.toml")
    code, output, _ = ggp_("test", file)
    assert code == 1
    first, last = output.splitlines()
    assert first.startswith(
        f"{file}:2:1: wrong: wrong#1 nim_value: expected 3, found 2 (exhaustive"
    )
    assert last == "1 instance, facts: 1 held, 1 wrong"


def test_what_is_undecided_is_told_apart(ggp_, suite) -> None:
    shutil.copy(KAYLES.with_suffix(".toml"), suite / "good.toml")
    code, output, _ = ggp_("test", str(suite / "good.kif"), *LAYERS)
    assert code == 3
    assert "undecided: good#1 reachable_states: expected 222; " in output
    assert "wrong" not in output
    assert ggp_("test", str(suite / "good.kif"), str(suite / "wrong.kif"), *LAYERS)[0] in (1, 3)


def test_a_failure_is_one_line_and_the_rest_still_runs(ggp_, suite) -> None:
    code, output, _ = ggp_("test", str(suite))
    lines = [line.removeprefix(f"{suite}/") for line in output.splitlines()]
    assert code == 2
    assert [line.split(":")[0] for line in lines[:-1]] == [
        "alone.toml", "broken.toml", "faulty.toml", "strange.toml", "template.toml", "typo.toml",
        "wrong.toml",
    ]  # fmt: skip
    told = dict(zip((line.split(".")[0] for line in lines), lines, strict=True))
    assert "No such file" in told["alone"]
    assert told["broken"].startswith("broken.toml:1:11: failed: no TOML")
    assert "faulty.kif:1:10: unmatched '('" in told["faulty"]
    assert told["strange"].startswith("strange.toml:2:1: failed: strange#1[n=1]: ")
    assert "division by zero" in told["template"]
    assert told["typo"].startswith("typo.toml:3:1: failed: typo#1 nim_valeu: unknown key")
    assert lines[-1] == "7 instances, facts: 4 held, 1 wrong, 6 failed"


@pytest.mark.slow
def test_formats_and_numbers_of_jobs_agree(ggp_, suite) -> None:
    outputs = [ggp_("test", str(suite), "--format=json", "--jobs", n)[1] for n in ("1", "3")]
    assert outputs[0] == outputs[1]
    data = checked(outputs[0], "test")
    assert (data["held"], data["wrong"], data["failed"], data["interrupted"]) == (4, 1, 6, False)
    code, output, _ = ggp_("test", str(suite), "--format", "junit")
    suites = ElementTree.fromstring(output)
    counts = [sum(int(s.attrib[key]) for s in suites) for key in ("tests", "failures", "errors")]
    assert (code, counts) == (2, [11, 1, 6])
    assert len(suites.findall(".//testcase")) == 11
    assert len(suites.findall(".//failure")) == 1


def test_junit_is_xml_whatever_the_facts_say(ggp_, suite) -> None:
    file = suite / "good.toml"
    file.write_text('[[instance]]\ngoals = { "a\\u0001<&\\"\\uFFFE" = 0 }\n')
    code, output, _ = ggp_("test", str(file), "--format", "junit")
    (error,) = ElementTree.fromstring(output).findall(".//error")
    assert code == 2
    assert 'no role a\ufffd<&"\ufffd' in error.attrib["message"]
    code, output, _ = ggp_("test", str(file))
    assert "no role a·<&" in output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.toml"], "nowhere.toml"),
        (["--set", "n=3", str(KAYLES)], "--set goes with --record"),
        (["--record", "--format", "junit", str(KAYLES)], "junit"),
        (["--record", str(GAMES)], "is a directory"),
        (["--record", "nowhere.kif"], "no such file"),
    ],
)
def test_wrong_use(ggp_, arguments, message) -> None:
    code, output, errors = ggp_("test", *arguments)
    assert code == 2
    assert message in output + errors


def test_a_suite_without_facts_does_not_pass(ggp_, tmp_path) -> None:
    code, _, errors = ggp_("test", str(tmp_path))
    assert code == 2
    assert "no facts" in errors
    shutil.copy(KAYLES, tmp_path)
    assert ggp_("test", str(tmp_path / KAYLES.name))[0] == 2


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="permissions are POSIX, and not for root"
)
def test_a_directory_that_cannot_be_read_is_a_failure(ggp_, suite) -> None:
    (suite / "closed").mkdir(mode=0)
    code, output, _ = ggp_("test", str(suite / "good.toml"), str(suite / "closed"))
    assert code == 2
    assert "closed" in output
    assert "2 held" in output


def test_values_that_json_has_not_are_failures_in_json(ggp_, suite) -> None:
    file = suite / "good.toml"
    text = "[[instance]]\nset = { d = 1979-05-27 }\nperft = [0x" + "f" * 9000 + "]\n"
    file.write_text(text + "arithmetic = [{ a = nan }]\n")
    code, output, _ = ggp_("test", str(file), "--format", "json")
    data = checked(output, "test")
    assert (code, data["failed"], data["instances"][0]["set"]) == (2, 3, {})


def test_recording(ggp_, tmp_path) -> None:
    sheet = shutil.copy(GAMES / "kayles" / "kayles.kif.jinja", tmp_path)
    code, output, _ = ggp_("test", "--record", sheet, "--set", "n=3", "--format", "json")
    data = checked(output, "test-record")
    assert code == 0
    assert "nim_value" in data["files"][0]["facts"]
    assert ggp_("test", "--record", sheet, "--set", "n=4")[0] == 0
    code, output, _ = ggp_("test", str(tmp_path))
    assert code == 0
    assert output.startswith("2 instances, facts: ")
    before = (tmp_path / "kayles.toml").read_bytes()
    code, output, _ = ggp_("test", "--record", sheet, "--set", "n=4")
    assert (code, "nothing new" in output) == (0, True)
    code, output, _ = ggp_("test", "--record", sheet, "--set", "n=nine")
    assert code == 2
    assert (tmp_path / "kayles.toml").read_bytes() == before


def test_what_is_not_known_is_told_and_not_recorded(ggp_, tmp_path) -> None:
    sheet = shutil.copy(KAYLES, tmp_path)
    code, output, _ = ggp_("test", "--record", sheet, *LAYERS)
    assert code == 3
    assert "reachable_states is not known" in output
    assert "reachable_states" not in (tmp_path / "kayles-7.toml").read_text()


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupted_it_says_what_was_found_and_leaves_no_process(tmp_path, jobs) -> None:
    shutil.copy(KAYLES, tmp_path / "a.kif")
    (tmp_path / "a.toml").write_text("[[instance]]\nnim_value = 3\n")
    shutil.copy(GAMES / "connect-four" / "connect-four.kif.jinja", tmp_path / "b.kif.jinja")
    large = "[[instance]]\nset = { columns = 7, rows = 6 }\nreachable_states = 1\n"
    (tmp_path / "b.toml").write_text(large * 2)
    command = [sys.executable, "-m", "ggp", "test", "--jobs", jobs, str(tmp_path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert "a#1 nim_value: expected 3, found 2" in process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted" in errors
    assert "Traceback" not in errors
    # What was being printed when it came may be printed again.
    *again, last = output.splitlines()
    assert last == "1 instance, facts: 0 held, 1 wrong, interrupted"
    assert all("a#1 nim_value: expected 3, found 2" in line for line in again)
    with pytest.raises(ProcessLookupError):
        _wait_until_gone(process.pid)


def _wait_until_gone(group: int) -> None:
    for _ in range(100):
        os.killpg(group, 0)
        time.sleep(0.1)
