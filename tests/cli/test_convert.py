"""`ggp convert`: all syntaxes into one another, and files that are never half written."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ggp
from ggp.cli import files as module
from tests.cli.test_cli import KAYLES, ROWS
from tests.conftest import GAMES

HRF = """\
role(a)
legal(a,'Go') :- true(p) & ~q
init(p)
q :- true(x)
goal(a,1)
terminal
"""
KIF = """\
(role a)
(<= (legal a Go) (true p) (not q))
(init p)
(<= q (true x))
(goal a 1)
terminal
"""


@pytest.fixture
def sheet(tmp_path) -> Path:
    path = tmp_path / "sheet.hrf"
    path.write_text(HRF.replace("~q", "~q % a comment"))
    return path


def test_infix_to_kif_and_back(ggp_, sheet, tmp_path) -> None:
    assert ggp_("convert", str(sheet), "--to", "kif") == (0, KIF, "")
    other = tmp_path / "sheet.kif"
    other.write_text(KIF)
    code, output, errors = ggp_("convert", str(other), "--to", "hrf")
    assert (code, errors) == (0, "")
    assert output == HRF


def test_programs_and_back(ggp_, sheet, tmp_path) -> None:
    program = tmp_path / "sheet.lp"
    arguments = ("convert", str(sheet), "--to", "asp", "--horizon", "3", "--output", str(program))
    assert ggp_(*arguments) == (0, "", "")
    assert "#const horizon=3." in program.read_text()
    assert ggp_("convert", str(program), "--to", "kif") == (0, KIF, "")
    done = subprocess.run(
        [sys.executable, "-m", "clingo", "-n", "0", str(program)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "SATISFIABLE" in done.stdout
    assert "Models       : 1" in done.stdout


def test_templates_have_parameters(ggp_) -> None:
    code, output, _ = ggp_("convert", ROWS, "--set", "rows=2", "--to", "hrf")
    assert code == 0
    assert len(ggp.parse(output, name="rows.hrf").initial.facts) == 3


def test_json(ggp_, sheet) -> None:
    code, output, _ = ggp_("convert", str(sheet), "--to", "kif", "--format", "json")
    assert code == 0
    answer = {"file": str(sheet), "from": "hrf", "to": "kif", "text": KIF}
    assert json.loads(output) == {"schema": "ggp-convert/1", **answer}


def test_strict_case(ggp_, tmp_path) -> None:
    path = tmp_path / "case.kif"
    path.write_text("(ROLE a) (p A ?x ?X)")
    assert ggp_("convert", str(path), "--to", "kif")[1] == "(role a)\n(p a ?x ?x)\n"
    assert ggp_("convert", str(path), "--to", "kif", "--strict-case")[1] == (
        "(ROLE a)\n(p A ?x ?X)\n"
    )
    assert ggp_("convert", str(path), "--to", "hrf")[1] == "role(a)\np(a,X,X)\n"
    assert ggp_("convert", str(path), "--to", "hrf", "--strict-case")[1] == (
        "'ROLE'(a)\np('A',X,X_2)\n"
    )


@pytest.mark.parametrize(
    ("name", "text", "to", "code", "words"),
    [
        ("t.hrf", "p :- q\n  ~r", "kif", 1, "t.hrf:2:3: unexpected '~'"),
        ("t.kif", "(p", "hrf", 1, "t.kif:1:1: unmatched '('"),
        ("t.lp", "p :- q.", "kif", 1, "t.lp:1:1: no program that 'ggp convert' wrote"),
        ("t.hrf", "role(a)\nlegal(a,X)\ngoal(a,1)\nterminal", "asp", 1, "t.hrf:2:9: error"),
        ("t.kif", "(p)", "asp", 1, "no rule or fact for 'role'"),
        ("t.kif", "(" * 500, "hrf", 3, "limit reached: depth"),
        ("t.hrf", "p(" * 500, "kif", 3, "limit reached: depth"),
        ("t.hrf.jinja", "p", "kif", 2, "a template begins with a comment"),
        ("t.kif.jinja", '{# parameters\n#}({{ "\\ud800" }})', "kif", 2, "half a character"),
    ],
)
def test_what_cannot_be_converted(ggp_, tmp_path, name, text, to, code, words) -> None:
    (tmp_path / name).write_text(text)
    output = tmp_path / "out"
    for more in ([], ["--output", str(output)]):
        found, shown, errors = ggp_("convert", str(tmp_path / name), "--to", to, *more)
        assert (found, shown) == (code, "")
        assert words in errors
        assert "Traceback" not in errors
        assert os.listdir(tmp_path) == [name]


def test_rules_with_errors_are_converted_between_the_notations(ggp_, tmp_path) -> None:
    path = tmp_path / "faulty.kif"
    path.write_text("(<= (p ?x) (not (q ?y)))\n(not a b)\n()\n((a) b)\n(<= true (or))\n")
    code, infix, _ = ggp_("convert", str(path), "--to", "hrf")
    assert (code, infix) == (
        0,
        "p(X) :- ~q(Y)\n'not'(a,b)\n''()\n''(a(),b)\ntrue :- or()\n",
    )
    (tmp_path / "faulty.hrf").write_text(infix)
    code, output, _ = ggp_("convert", str(tmp_path / "faulty.hrf"), "--to", "kif")
    assert (code, output.lower()) == (0, path.read_text())


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["convert", KAYLES], "--to"),
        (["convert", KAYLES, "--to", "pdf"], "--to"),
        (["convert", KAYLES, "--to", "asp", "--horizon", "-1"], "--horizon"),
        (["convert", "missing.hrf", "--to", "kif"], "missing.hrf"),
        (["convert", KAYLES, "--to", "hrf", "--output", "nowhere/x.hrf"], "No such file"),
        (["convert", KAYLES, "--to", "hrf", "--output", "."], "directory"),
        (["convert", KAYLES, "--to", "hrf", "--set", "n=3"], "not a template"),
        (["check", "t.lp"], "ggp convert"),
    ],
)
def test_wrong_use(ggp_, arguments, word, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    if "t.lp" in arguments:
        Path("t.lp").write_text("p.")
    code, output, errors = ggp_(*arguments)
    assert code == 2
    assert word in output + errors
    assert os.listdir(tmp_path) in ([], ["t.lp"])


@pytest.mark.parametrize("fault", [OSError("disk full"), KeyboardInterrupt()])
def test_an_interrupted_write_loses_nothing(ggp_, tmp_path, monkeypatch, fault) -> None:
    path = tmp_path / "out.hrf"
    path.write_text("before")

    def fail(descriptor: int) -> None:
        raise fault

    monkeypatch.setattr(module.os, "fsync", fail)
    code, _, errors = ggp_("convert", KAYLES, "--to", "hrf", "--output", str(path))
    assert code == (2 if isinstance(fault, OSError) else 130)
    assert "Traceback" not in errors
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["out.hrf"]


@pytest.mark.skipif(os.name != "posix", reason="links and permissions are POSIX")
def test_output_keeps_links_permissions_and_devices(ggp_, tmp_path) -> None:
    real, link = tmp_path / "real.hrf", tmp_path / "link.hrf"
    real.write_text("before")
    real.chmod(0o640)
    link.symlink_to(real)
    assert ggp_("convert", KAYLES, "--to", "hrf", "--output", str(link))[0] == 0
    assert link.is_symlink()
    assert real.read_text().startswith("role(left)")
    assert real.stat().st_mode & 0o777 == 0o640
    assert ggp_("convert", KAYLES, "--to", "hrf", "--output", os.devnull)[0] == 0
    assert not Path(os.devnull).is_file()


def test_a_file_may_be_converted_onto_itself(ggp_, sheet) -> None:
    assert ggp_("convert", str(sheet), "--to", "hrf", "--output", str(sheet))[0] == 0
    assert sheet.read_text() == HRF


def test_latin_1_is_read_with_a_note(ggp_, tmp_path) -> None:
    path = tmp_path / "latin.kif"
    path.write_bytes("(p \xe9)".encode("latin-1"))
    code, output, errors = ggp_("convert", str(path), "--to", "hrf")
    assert (code, output) == (0, "p('é')\n")
    assert "Latin-1" in errors


@pytest.mark.parametrize("verb", ["check", "show", "record"])
def test_every_verb_reads_infix(ggp_, tmp_path, verb) -> None:
    path = tmp_path / "kayles-7.hrf"
    ggp_("convert", KAYLES, "--to", "hrf", "--output", str(path))
    code, output, _ = ggp_(verb, str(path))
    assert code == 0
    assert output.replace(str(path), KAYLES) == ggp_(verb, KAYLES)[1]


def test_check_points_into_infix_text(ggp_, tmp_path) -> None:
    path = tmp_path / "t.hrf"
    path.write_text("role(a)\nlegal(a,X) :-\n  true(p) &\n  ~q()\n")
    code, output, _ = ggp_("check", str(path))
    assert code == 1
    assert "t.hrf:4:4: warning: parentheses around 'q'" in output
    assert "4 |   ~q()\n  |    ^^^" in output
    path.write_text("role(a)\nlegal(a,X) :- true(p")
    code, output, _ = ggp_("check", str(path), "--format", "json")
    # What the text lacks is told as well.
    *lacking, found = json.loads(output)["diagnostics"]
    assert [one["code"] for one in lacking] == ["GDL303", "GDL304"]
    assert (code, found["code"], found["line"], found["column"]) == (1, "GDL104", 2, 19)


def test_every_sheet_becomes_every_syntax(ggp_) -> None:
    for path in sorted(GAMES.rglob("*.kif*")):
        for to in ("kif", "hrf", "asp"):
            assert ggp_("convert", str(path), "--to", to)[0] == 0
