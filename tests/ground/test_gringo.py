"""Grounding can be stopped: limits end it wherever it is, and nothing is left behind."""

from __future__ import annotations

import signal
import subprocess
import sys

import clingo
import numpy as np
import psutil
import pytest

from ggp.apart import _Child
from ggp.errors import LimitReached
from ggp.game import parse
from ggp.ground import ground, grounding
from ggp.ground.grounding import grounded
from ggp.kif import Source
from ggp.limits import Limits, memory_in_use
from ggp.rules import read_rules
from tests.conftest import GAMES


def clique(classes: int = 13, size: int = 4) -> str:
    """A game whose grounding joins without end and finds nothing: it looks for a clique of one
    more vertex than the graph has classes, within which no two vertices are linked."""
    vertices = [(c, n) for c in range(classes) for n in range(size)]
    names = [f"?v{i}" for i in range(classes + 1)]
    body = " ".join(f"(e {a} {b})" for i, a in enumerate(names) for b in names[i + 1 :])
    return "\n".join(
        [
            "(role p) (init x) (legal p m) (goal p 1)",
            "(<= (next x) (true x)) (<= terminal (true y))",
            *(f"(e v{c}{n} v{d}{m})" for c, n in vertices for d, m in vertices if c != d),
            f"(<= (next y) (does p m) {body})",
        ]
    )


def children() -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process().children(recursive=True)
        if "grounding.py" in " ".join(child.cmdline())
    ]


def test_a_join_that_finds_nothing_ends_with_its_time() -> None:
    before = {child.pid for child in children()}
    game = parse(clique(), limits=Limits(ground_seconds=1.0))
    assert game.too_large is not None
    assert game.too_large.limit == "ground_seconds"
    idle = {child._process.pid for child in _Child.idle}
    assert {child.pid for child in children()} <= before | idle, (
        "the process that did not end was killed"
    )


def test_a_process_that_stopped_grounding_ends_with_its_own_code(tmp_path) -> None:
    """A thread that was left behind in a join ended it with SIGABRT once."""
    sheet = tmp_path / "clique.kif"
    sheet.write_text(clique(), encoding="utf-8")
    code = (
        "import ggp, sys; g = ggp.load(sys.argv[1], limits=ggp.Limits(ground_seconds=1.0));"
        "print(g.initial.legal('p')); sys.exit(7)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(sheet)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (7, "")


def test_ctrl_c_ends_grounding_with_130(tmp_path) -> None:
    sheet = tmp_path / "clique.kif"
    sheet.write_text(clique(), encoding="utf-8")
    command = [sys.executable, "-m", "ggp", "show", "--net", str(sheet)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        parent = psutil.Process(process.pid)
        while not any("grounding.py" in " ".join(c.cmdline()) for c in parent.children()):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr is not None
        assert process.stderr.read() == "interrupted\n"


def test_memory_of_the_child_counts() -> None:
    text = "\n".join(
        [
            "(role p) (init x) (legal p m) (goal p 1) (<= terminal (true x))",
            *(f"(d {i})" for i in range(120)),
            "(<= (next (c ?x ?y ?z)) (d ?x) (d ?y) (d ?z))",
        ]
    )
    rules = read_rules(Source("large", text))
    memory = memory_in_use() + (150 << 20)
    with pytest.raises(LimitReached, match="memory"):
        ground(rules, Limits(memory=memory))


def test_a_child_that_dies_is_memory_that_ran_out(monkeypatch) -> None:
    """Whatever the system kills it for; the next game gets another one."""
    rules = read_rules(Source("clique", clique()))

    def killed(self: _Child) -> int:
        self._process.kill()
        return 0

    with monkeypatch.context() as patch:
        patch.setattr(_Child, "_bytes", killed)
        with pytest.raises(LimitReached, match="memory"):
            ground(rules)
    text = (GAMES / "kayles" / "kayles-7.kif").read_text(encoding="utf-8")
    assert ground(read_rules(Source("kayles", text))).literals > 0


class _Slow(clingo.Observer):
    """What the machine code does, in Python."""

    def __init__(self) -> None:
        self.count = 0
        self.rules: list[tuple[int, tuple[int, ...]]] = []

    def rule(self, choice, head, body) -> None:
        self.count += 1
        if not choice and head:
            self.rules.append((head[0], tuple(body)))


PROGRAMS = [
    "a.",
    "",
    "a(1..50). {b(X)} :- a(X). c(X,Y) :- b(X), b(Y), not b(X+1). #show c/2.",
    "{p}. q :- p. q :- not p. :- q, p. r :- q. #show r/0.",
    "e(1..9,1..9). {t(X,Y)} :- e(X,Y). n(X) :- e(X,1), t(X,Y) : e(X,Y). n(X) :- t(X,1), t(X,2).",
]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("keep", [True, False])
def test_the_machine_code_keeps_what_an_observer_in_python_does(program, keep) -> None:
    slow = _Slow()
    control = clingo.Control(["--warn=none"])
    control.register_observer(slow, replace=True)
    control.add("base", [], program)
    control.ground([("base", [])])
    found = grounded(program, keep, 10_000, [("a", 1), ("c", 2)])
    assert found["rules"] == slow.count
    assert len(found["atoms"]["a", 1]) == (50 if "1..50" in program else 0)
    heads, sizes, body = (np.frombuffer(c, dtype=np.int32).tolist() for c in found["columns"])
    ends = np.cumsum([0, *sizes]).tolist()
    kept = [
        (head, tuple(body[start:end]))
        for head, start, end in zip(heads, ends[:-1], ends[1:], strict=True)
    ]
    assert kept == (slow.rules if keep else [])
    if keep and "#show" in program:
        assert len(found["shown"]) == (50 * 50 if "c/2" in program else 1)


def test_more_rules_than_are_allowed_end_the_grounding() -> None:
    assert grounded(PROGRAMS[2], True, 100, [])["fault"] == "rules"
    assert grounded(PROGRAMS[2], False, 100, [])["fault"] == "rules"
    assert grounded("a(", True, 100, [])["fault"].startswith("clingo: ")


def test_bodies_that_there_is_no_room_for_end_the_grounding(monkeypatch) -> None:
    monkeypatch.setattr(grounding, "MOST_LITERALS", 100)
    assert grounded(PROGRAMS[2], True, 10_000, [])["fault"] == "memory"
