"""The format of facts, how they are read, checked and recorded."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ggp
from ggp.analysis.findings import ORDER
from ggp.errors import InputError, NotSolvable
from ggp.facts import (
    FACTS,
    Inquiry,
    Instance,
    check,
    find_files,
    parse_facts,
    read_facts,
    run,
    schema,
)
from ggp.facts.checking import same, verdict_on
from ggp.facts.format import FILE, PROPERTIES
from ggp.facts.places import entries
from ggp.facts.recording import WIDTH, _pair, _toml, recorded
from ggp.facts.shapes import misfits
from ggp.facts.suite import instances as suite_of
from ggp.limits import DEFAULT, Budget
from ggp.pool import spread
from tests.conftest import GAMES, ROOT, nightly
from tests.oracle.random_games import random_game

FILES = sorted(GAMES.rglob("*.toml"))
SCHEMA = json.loads((ROOT / "docs" / "facts.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
KAYLES = GAMES / "kayles" / "kayles-7.kif"

TRICKY = '''\ufeff# [[instance]]
title = "a ] = b" # "
[[instance]]
set = { n = [1, [2, "]"]], 'q r' = "}" , e = {}, f=[] }
"best" = ["""(x "" y)
[[instance]]
""", \'\'\'(it's)\'\'\'\'] # end
goals."left" . x = 1_000
[ instance . sources ]
roles = 'a\\'
[[ instance ]]
heaps = [
  { fluent = "(heap ?)", size = 3 }, # {
  { fluent = "\\"#", nim_values = [
    1, 2, ] },
]
d = 1979-05-27 07:32:00 # date
x.y = -inf
[[instance.deep]]
z = true
[[instance.deep]]
z = 0xff
'''.removeprefix("\ufeff")


# The format.


def test_the_schema_is_that_of_the_table() -> None:
    assert schema() == SCHEMA
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert PROPERTIES | {"heaps"} == set(ORDER)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_facts_are_as_the_schema_says(path) -> None:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    VALIDATOR.validate(data)
    assert list(misfits(data, FILE)) == []


SCALARS = st.one_of(
    st.booleans(), st.integers(-2, 3), st.sampled_from(["N", "normal", "x", "table", "(a b)"]),
    st.just(0.5),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["left", "fluent", "size", "roles"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from([*FACTS, "set", "sources", "sauces"]), VALUES, max_size=3))
def test_the_tool_and_the_schema_refuse_the_same(table) -> None:
    data = {"instance": [table]}
    assert VALIDATOR.is_valid(data) == (not list(misfits(data, FILE)))


def test_every_key_is_documented() -> None:
    text = (ROOT / "docs" / "facts.md").read_text(encoding="utf-8")
    assert [name for name in [*FACTS, "set", "sources", "title"] if f"`{name}`" not in text] == []


def test_the_example_of_the_docs_holds(tmp_path) -> None:
    text = (ROOT / "docs" / "facts.md").read_text(encoding="utf-8")
    example = text.split("```toml\n")[1].split("```")[0]
    shutil.copy(GAMES / "nim" / "rows.kif.jinja", tmp_path)
    (one,) = parse_facts(example, tmp_path / "rows.toml").instances
    assert {verdict.status for verdict in check(one).verdicts} == {"held"}


# Places of keys.


@pytest.mark.parametrize("path", [None, *FILES], ids=lambda path: path.stem if path else "tricky")
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_every_key_is_where_it_is_said_to_be(path, end) -> None:
    """What stands between start and end of an entry is read as its key and value."""
    text = (path.read_text(encoding="utf-8") if path else TRICKY).replace("\n", end)
    data = tomllib.loads(text)
    found = entries(text)
    for entry in found:
        piece = text[entry.start : entry.end]
        value: Any = data
        for step in entry.path:
            value = value[step]
        if piece.startswith("["):
            assert isinstance(value, dict)
            continue
        read: Any = tomllib.loads(piece)
        while read != value:
            ((key, read),) = read.items()
            assert key in entry.path
    assert {e.path[:3] for e in found} >= {
        ("instance", n, key) for n, table in enumerate(data["instance"]) for key in table
        if not isinstance(table[key], list) or str(key) != "deep"
    }  # fmt: skip


def lines_of(text: str, path: str = "x.toml") -> list[tuple[int, int, str]]:
    file = parse_facts(text, Path(path))
    faults = [*file.faults, *(fault for one in file.instances for fault in one.faults)]
    return [(fault.line, fault.column, fault.message) for fault in faults]


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("[[instance]]\nimpartail = true", 2, 1, "impartail (did you mean impartial?)"),
        ("[[instance]]\r\nroles = ['a']\r\n  goals.a = 'x'", 3, 3, "expected a number"),
        ("instance = [\n{roles = ['a'], outcome = 'Q'}]", 2, 17, '"N", "P" or "draw", found "Q"'),
        ("[[instance]]\nbest = ['(a', 'b']", 2, 1, 'a term of KIF, found "(a"'),
        ("[[instance]]\nheaps = [\n{fluent = 'h', sizes = 3}]", 3, 16, "did you mean size?"),
        ("[[instance]]\nreachable_states = true", 2, 1, "an integer, found true"),
        ("[[instance]]\nreachable_states = -1", 2, 1, "at least 0"),
        ("[[instance]]\ngoals = { a = nan }", 2, 11, "JSON"),
        ("[[instance]]\nset = { d = 1979-05-27 }", 2, 9, "found 1979-05-27"),
        ("[[instance]]\nset = { d = [[nan]] }", 2, 9, "found nan"),
        ("[[instance]]\nperft = [0x" + "f" * 9000 + "]", 2, 1, "36,000 bits"),
        ("[[instance]]\nroles = 0x" + "f" * 9000, 2, 1, "36,000 bits"),
        ("[[instance]]\nset = 1979-05-27", 2, 1, "a table"),
        ("[[instance]]\n[instance.sources]\nform = 'rules'", 3, 1, "form, which is not stated"),
        ("[[instance]]\n[instance.sources]\nrolls = 'rules'", 3, 1, "did you mean roles?"),
        ("instance = 3", 1, 1, "a list"),
        ("titel = 'x'\n[[instance]]", 1, 1, "did you mean title?"),
        ("", 1, 1, "without instance"),
    ],
)  # fmt: skip
def test_faults_have_their_place(text, line, column, message) -> None:
    (fault,) = lines_of(text)
    assert fault[:2] == (line, column)
    assert message in fault[2]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("[[instance]]\nroles = []\nroles = []", 3),
        ("[[instance]]\nperft = " + "[" * 5000 + "]" * 5000, 1),
        ("[[instance]]\nperft = [" + "1" * 5000 + "]", 1),
        ("[[instance]]\nroles = [", 2),
    ],
)
def test_what_is_no_toml_is_an_error_with_its_place(text, place) -> None:
    with pytest.raises(InputError) as caught:
        parse_facts(text, Path("x.toml"))
    assert caught.value.line == place
    assert str(caught.value).startswith(f"x.toml:{place}:")


# Checking.


def falsified(name: str, value: Any) -> Iterator[Any]:
    """Values that are not so, of the same shape."""
    words = FACTS[name].get("enum")
    if words:
        yield from (word for word in words if word != value)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, max(0, value - 1) if value else 7)
    elif name == "goals":
        yield from ({**value, role: value[role] + 1} for role in value)
        yield {role: value[role] for role in list(value)[1:]}
    elif name == "heaps":
        yield value[1:]
        for number, heap in enumerate(value):
            for key in heap:
                wrong = f"{heap[key]} x" if key == "fluent" else [9] if key[-1] in "ts" else 99
                yield [*value[:number], {**heap, key: wrong}, *value[number + 1 :]]
    else:
        yield from (value[1:], [*value, value[0]] if name != "perft" else [*value, 10**9])
        if name != "perft":
            yield value[:-1]  # fewer plies are as true
        else:
            yield from ([*value[:n], value[n] + 1, *value[n + 1 :]] for n in range(len(value)))


@pytest.mark.parametrize(
    "name",
    [
        "kayles/kayles-7", "subtraction/sg-12-15", "subtraction/sg-123-21-misere",
        "simultaneous/rock-paper-scissors", "three-players/last-match", "puzzles/hanoi",
        "bisimulation/exits",
    ],
)  # fmt: skip
def test_every_fact_can_be_wrong(name) -> None:
    instance = read_facts(GAMES / f"{name}.toml").instances[0]
    game = ggp.load(instance.sheet, **instance.settings)
    inquiry = Inquiry(game, instance.facts, Budget(game.limits))
    for fact, value in instance.facts.items():
        assert verdict_on(instance, fact, inquiry).status == "held"
        for false in falsified(fact, value):
            verdict = verdict_on(replace(instance, facts={fact: false}), fact, inquiry)
            assert (verdict.fact, verdict.status) == (fact, "wrong"), false


def test_a_wrong_fact_leaves_the_others_alone() -> None:
    instance = read_facts(KAYLES.with_suffix(".toml")).instances[0]
    report = check(replace(instance, facts={**instance.facts, "nim_value": 3, "perft": [1, 12]}))
    assert [v.fact for v in report.verdicts if v.status != "held"] == ["perft", "nim_value"]


def test_what_a_limit_leaves_open_is_undecided() -> None:
    instance = read_facts(KAYLES.with_suffix(".toml")).instances[0]
    report = check(instance, replace(DEFAULT, positions=20, packed_positions=20))
    statuses = {verdict.fact: verdict.status for verdict in report.verdicts}
    assert statuses["reachable_states"] == statuses["perft"] == "undecided"
    assert statuses["roles"] == statuses["turns"] == "held"
    assert "wrong" not in statuses.values()


def test_a_sheet_beyond_a_limit_says_which_one() -> None:
    instance = read_facts(KAYLES.with_suffix(".toml")).instances[0]
    verdicts = check(instance, replace(DEFAULT, rules=3)).verdicts
    assert {verdict.status for verdict in verdicts} == {"undecided"}
    assert len(verdicts) == len(instance.facts)
    assert all("rules" in verdict.why and "memory" not in verdict.why for verdict in verdicts)


def test_questions_without_sense_are_wrong() -> None:
    instance = read_facts(GAMES / "puzzles" / "hanoi.toml").instances[0]
    report = check(replace(instance, facts={"impartial": False, "outcome": "N", "nim_value": 1}))
    assert [(v.status, v.found) for v in report.verdicts] == [("wrong", None)] * 3


def test_the_shortest_solution_is_that_of_a_single_player() -> None:
    """Two disks: three moves."""
    game = ggp.load(GAMES / "puzzles" / "hanoi.kif.jinja", disks=2)
    answer = Inquiry(game, ["shortest_solution"], Budget(game.limits)).answer("shortest_solution")
    assert (answer.value, answer.certainty) == (3, "exhaustive")
    game = ggp.load(KAYLES)
    with pytest.raises(NotSolvable, match="that of a single player"):
        Inquiry(game, ["shortest_solution"], Budget(game.limits)).answer("shortest_solution")


def test_any_finding_may_be_a_fact() -> None:
    instance = read_facts(GAMES / "subtraction" / "sg-12-15.toml").instances[0]
    facts = {
        "players": 2, "zero_sum": True, "winnable": True, "sum": ["(heap 1 ?)", "(heap 2 ?)"],
        "length_bound": 18, "outcome_kind": "win-lose",
    }  # fmt: skip
    assert {v.status for v in check(replace(instance, facts=facts)).verdicts} == {"held"}
    facts = {"sum": ["(heap ?)"], "length_bound": 17, "zero_sum": False, "players": 3}
    assert {v.status for v in check(replace(instance, facts=facts)).verdicts} == {"wrong"}


def test_values_are_the_same_as_json() -> None:
    assert same([1, {"a": 2.0}], (1.0, {"a": 2}))
    assert same({"a": 33.3333333333}, {"a": 100 / 3})
    assert not same({"a": 33.33}, {"a": 100 / 3})
    assert not same(1, True)
    assert not same("1.0", 1.0)
    assert not same(True, 1)
    assert not same({"a": 1}, {"a": 1, "b": 2})


def test_a_role_that_is_not_there(tmp_path) -> None:
    instance = read_facts(KAYLES.with_suffix(".toml")).instances[0]
    (verdict,) = check(replace(instance, facts={"goals": {"rihgt": 0}})).verdicts
    assert (verdict.status, verdict.code) == ("failed", 2)
    assert "no role rihgt (did you mean right?)" in verdict.why


def small_instances() -> list[Instance]:
    found = suite_of(find_files([GAMES / "multiples"]))
    return [one for one in found if isinstance(one, Instance)]


def test_any_number_of_jobs_finds_the_same() -> None:
    listed = small_instances()
    alone = dict(run(listed))
    assert dict(run(listed, spread=partial(spread, jobs=3))) == alone
    assert len(alone) == len(listed) > 4


def test_a_process_that_dies_is_one_failure(monkeypatch, tmp_path) -> None:
    """Its instance fails, and the next one has a new process."""
    listed = small_instances()
    bomb = replace(listed[0], facts=_Bomb())
    found = dict(run([bomb, listed[1], bomb, listed[2]], spread=partial(spread, jobs=2)))
    assert [found[n].verdicts[0].status for n in range(4)] == ["failed", "held", "failed", "held"]
    assert "ended without an answer" in found[0].verdicts[0].why


class _Bomb(dict):
    """What ends the process that it is sent to."""

    def __reduce__(self):
        import os

        return os._exit, (1,)


# Files.


def test_directories_are_searched_in_order_and_links_not_followed(tmp_path) -> None:
    for name in ("b/x", "a/y", "a/z/w"):
        place = tmp_path / f"{name}.toml"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("[[instance]]\n")
    (tmp_path / "pyproject.toml").write_text("title = 'something else'\n")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    (tmp_path / "self.toml").symlink_to(tmp_path / "self.toml")
    found = find_files([tmp_path, tmp_path / "a" / "y.toml"])
    names = [one.relative_to(tmp_path).as_posix() for one in found if isinstance(one, Path)]
    assert names == ["a/y.toml", "a/z/w.toml", "b/x.toml", "self.toml"]


def test_paths_stand_for_files_of_facts(tmp_path) -> None:
    """A file of facts for itself, a sheet for that beside it, and one of ggp's by its name."""
    facts = KAYLES.with_suffix(".toml")
    for path in (facts, KAYLES, Path("kayles/kayles-7")):
        [found] = find_files([path])
        assert isinstance(found, Path)
        assert found.name == facts.name
        assert found.read_bytes() == facts.read_bytes()
    template = GAMES / "nim" / "rows.kif.jinja"
    assert find_files([template]) == [GAMES / "nim" / "rows.toml"]
    assert find_files([KAYLES, facts, KAYLES]) == [facts]
    lone, other = tmp_path / "lone.kif", tmp_path / "other.txt"
    for path in (lone, other):
        path.write_text("(role a)")
    for path, why in (
        (lone, "there are no facts beside it"),
        (other, "neither facts nor a sheet"),
        (tmp_path / "none.kif", "no such file"),
    ):
        [(where, error)] = find_files([path])
        assert where == path
        assert isinstance(error, InputError)
        assert why in str(error)
    # A file of facts that is not there is told when it is read.
    assert find_files([tmp_path / "none.toml"]) == [tmp_path / "none.toml"]
    [report] = suite_of(find_files([tmp_path / "none.toml"]))
    assert [verdict.status for verdict in report.verdicts] == ["failed"]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("[[instance]]\nroles = []\nroles = []\n", 3, 11),
        ("[[instance]]\n\n\nroles = [\n", 5, 1),
        ("= 1\n", 1, 1),
        ("[[instance]] ]", 1, 14),
    ],
)
def test_a_file_that_cannot_be_read_is_a_report_with_the_place(
    tmp_path, text, line, column
) -> None:
    """Of the fault in the file, which is not said again; the others are looked at."""
    path = tmp_path / "x.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_facts(path)
    report, *others = suite_of([path, KAYLES.with_suffix(".toml")])
    assert others
    assert not isinstance(report, Instance)
    assert (report.file, report.sheet) == (str(path), str(tmp_path / "x.kif"))
    [verdict] = report.verdicts
    assert (verdict.status, verdict.code) == ("failed", 2)
    assert (verdict.line, verdict.column) == (caught.value.line, caught.value.column)
    assert (verdict.line, verdict.column) == (line, column)
    assert "x.toml" not in verdict.why
    assert verdict.why in str(caught.value)


def test_what_cannot_be_looked_into_has_no_place_of_its_own(tmp_path) -> None:
    """A fault that another file has, too."""
    with pytest.raises(InputError) as caught:
        parse_facts("[[instance]]\nroles = [\n", Path("other.toml"))
    assert caught.value.line == 3
    for error in (caught.value, InputError("no", file=tmp_path)):
        [report] = suite_of([(tmp_path, error)])
        assert not isinstance(report, Instance)
        [verdict] = report.verdicts
        assert (verdict.line, verdict.column, verdict.status) == (1, 1, "failed")


# Recording.

SHEETS = [
    "kayles/kayles-7.kif", "puzzles/hanoi.kif.jinja", "simultaneous/rock-paper-scissors.kif",
    "three-players/last-match.kif", "bisimulation/exits.kif", "subtraction/sg-123-21-misere.kif",
    *nightly(["subtraction/subtraction.kif.jinja"]),
]  # fmt: skip


def held(path: Path) -> list[str]:
    """The facts of a file, each of which holds."""
    listed = suite_of([path])
    assert all(isinstance(one, Instance) for one in listed)
    verdicts = [v for one in listed if isinstance(one, Instance) for v in check(one).verdicts]
    assert [verdict for verdict in verdicts if verdict.status != "held"] == []
    return [str(verdict.fact) for verdict in verdicts]


@pytest.mark.parametrize("name", SHEETS)
def test_what_is_recorded_holds_at_once(name, tmp_path) -> None:
    sheet = Path(shutil.copy(GAMES / name, tmp_path))
    kept = read_facts(GAMES / f"{name.split('.')[0]}.toml").instances[0]
    found = recorded(sheet, kept.settings)
    path = tmp_path / f"{name.split('/')[1].split('.')[0]}.toml"
    path.write_bytes(found.data)
    assert held(path) == list(found.names)
    assert set(found.names) >= kept.facts.keys()
    (instance,) = read_facts(path).instances
    assert instance.sources.keys() == instance.facts.keys()
    assert all(" by ggp " in s or ", ggp " in s for s in instance.sources.values())
    again = recorded(sheet, kept.settings)
    assert (again.names, again.data) == ((), found.data)


@pytest.mark.parametrize("seed", [*range(4), *nightly(range(4, 12))])
def test_what_is_recorded_of_random_sheets_holds(seed, tmp_path) -> None:
    sheet = tmp_path / "random.kif"
    sheet.write_text(random_game(seed))
    found = recorded(sheet, {}, replace(DEFAULT, positions=50_000))
    (tmp_path / "random.toml").write_bytes(found.data)
    assert "roles" in held(tmp_path / "random.toml")


COIN = """(role é.x) (role random) (init (coin none))
(<= (legal é.x (call h)) (true (coin none)))
(<= (legal é.x (call t)) (true (coin none)))
(<= (legal random (flip h)) (true (coin none)))
(<= (legal random (flip t)) (true (coin none)))
(<= (legal random (flip edge)) (true (coin none)))
(<= (next (won)) (does é.x (call ?a)) (does random (flip ?a)))
(<= (next (over)) (does é.x (call ?a)))
(<= terminal (true (over)))
(<= (goal é.x 100) (true (won)))
(<= (goal é.x 0) (not (true (won))))
(goal random 0)"""


def test_means_and_names_that_no_bare_key_can_have_are_recorded(tmp_path) -> None:
    sheet, path = tmp_path / "coin.kif", tmp_path / "coin.toml"
    sheet.write_text(COIN, encoding="utf-8")
    path.write_bytes(recorded(sheet).data)
    assert "goals" in held(path)
    (instance,) = read_facts(path).instances
    assert instance.facts["goals"] == {"é.x": pytest.approx(100 / 3)}


def test_what_a_limit_leaves_open_is_not_recorded() -> None:
    few = replace(DEFAULT, positions=2_000, packed_positions=2_000, seconds=20)
    sheet = GAMES / "connect-four" / "connect-four.kif.jinja"
    found = recorded(sheet, {"columns": "7", "rows": 6}, few)
    assert "reachable_states" in found.unknown
    assert "reachable_states" not in found.names


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(
    "sources",
    [
        "", "[instance.sources]\nroles = 'r'\n", "sources.roles = 'r'\n",
        "[instance.goals]\nleft = 100\nright = 0",
    ],
    ids=["none", "table", "dotted", "other table"],
)  # fmt: skip
def test_a_file_is_completed_and_what_is_there_stays(tmp_path, end, sources) -> None:
    text = f"# mine\n[[instance]] # one\nroles = ['left', 'right'] # both\n{sources}".rstrip("\n")
    before = text.replace("\n", end)
    shutil.copy(KAYLES, tmp_path)
    path = tmp_path / "kayles-7.toml"
    path.write_bytes(before.encode())
    found = recorded(tmp_path / "kayles-7.kif")
    path.write_bytes(found.data)
    after = found.data.decode()
    left = iter(after.split(end))
    assert all(line in left for line in before.split(end))  # all lines, in their order
    assert end == "\n" or after.count("\n") == after.count("\r\n")
    assert "nim_value" in held(path)
    assert len(read_facts(path).instances) == 1


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["none", "byte-order mark"])
def test_a_mark_at_the_beginning_stays(tmp_path, mark) -> None:
    shutil.copy(KAYLES, tmp_path)
    path = tmp_path / "kayles-7.toml"
    path.write_bytes(mark + b"[[instance]]\nroles = ['left', 'right']\n")
    assert recorded(tmp_path / "kayles-7.kif").data.startswith(mark + b"[[instance]]")


def test_other_instances_are_not_touched(tmp_path) -> None:
    shutil.copy(GAMES / "kayles" / "kayles.kif.jinja", tmp_path)
    path = tmp_path / "kayles.toml"
    text = "[[instance]]\nset = { n = 3 }\nnim_value = 3\n\n[[instance]]\nset.n = 4 # four\n"
    path.write_text(text)
    sheet = tmp_path / "kayles.kif.jinja"
    more = recorded(sheet, {"n": "5"}).data.decode()
    assert more.startswith(text + "\n[[instance]]\nset = { n = 5 }\n")
    path.write_text(more)
    assert held(path).count("nim_value") == 2
    path.write_bytes(recorded(sheet, {"n": 4}).data)
    first, second, third = read_facts(path).instances
    assert (list(first.facts), second.settings, third.settings) == (
        ["nim_value"],
        {"n": 4},
        {"n": 5},
    )
    assert second.facts["nim_value"] == 1
    assert "set.n = 4 # four\n" in path.read_text()


@pytest.mark.parametrize(
    "text",
    [
        "instance = [{ roles = ['left', 'right'] }]",
        "[[instance]]\nsources = { roles = 'r' }\nroles = ['left', 'right']",
        "[[instance]]\nrolls = 3",
        "[[instance",
    ],
    ids=["inline", "inline sources", "faulty", "no TOML"],
)
def test_what_cannot_be_completed_is_refused(tmp_path, text) -> None:
    shutil.copy(KAYLES, tmp_path)
    (tmp_path / "kayles-7.toml").write_text(text)
    with pytest.raises(InputError):
        recorded(tmp_path / "kayles-7.kif")
    assert (tmp_path / "kayles-7.toml").read_text() == text


@pytest.mark.parametrize(
    ("text", "at"),
    [("a = 1\nb = ?\n", "?"), ("[[instance]]\nset = {}\nroles = %\n", "%"), ("x = @", "@")],
)
def test_a_fault_of_toml_has_the_span_of_one_character(text, at) -> None:
    with pytest.raises(ggp.errors.InputError) as caught:
        parse_facts(text, Path("some.toml"))
    span = caught.value.span
    assert (span.start, span.end) == (text.index(at), text.index(at) + 1)


@pytest.mark.parametrize(
    ("lengths", "rows"),
    [
        # With its quotes, the comma, and what stands before it, a text of so many letters.
        ([WIDTH - 8], None),
        ([WIDTH - 9], None),
        ([WIDTH, 1], [1, 1]),
        ([1, WIDTH, 1], [1, 1, 1]),
        # Two with a blank between them, one letter too many, and the last alone.
        ([40, WIDTH - 4 - 43 - 4], [2]),
        ([40, WIDTH - 4 - 43 - 3], [1, 1]),
        ([40, WIDTH - 4 - 43 - 4, 1], [2, 1]),
        ([10] * 30, None),
    ],
)
def test_a_long_list_is_written_on_rows_as_long_as_there_is_room(lengths, rows) -> None:
    """The text says the same; a line of more than so many letters has one item."""
    value = ["abcdefghij"[n % 10] * length for n, length in enumerate(lengths)]
    text = _pair("a long key", value)
    assert tomllib.loads(text) == {"a long key": value}
    first, *inside, last = text.split("\n") if "\n" in text else [text, ""]
    if not last:
        assert len(first) <= WIDTH
        assert rows is None
        return
    assert (first, last) == ('"a long key" = [', "]")
    assert all(line.startswith("    ") and line.endswith(",") for line in inside)
    counts = [len(tomllib.loads(f"x = [{line}]")["x"]) for line in inside]
    assert rows is None or counts == rows
    for line, after, count in zip(inside, [*inside[1:], ""], counts, strict=True):
        assert len(line) <= WIDTH or count == 1
        # The next item would not have found room.
        item = after.split(",")[0].strip()
        assert not item or len(line) + len(f" {item},") > WIDTH


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("best", ["a"], 'best = ["a"]'),
        ("a-b_9", [], "a-b_9 = []"),
        ("a b", 1, '"a b" = 1'),
        ("", True, '"" = true'),
        ("é", 1.5, '"é" = 1.5'),
        ("x", {"a": 1, "b c": [False, {}]}, 'x = { a = 1, "b c" = [false, {}] }'),
        ("x", 'a"\\\n\x7fü', 'x = "a\\"\\\\\\n\\u007fü"'),
        # What is no list stays on one line.
        ("x", "y" * WIDTH, f'x = "{"y" * WIDTH}"'),
    ],
)
def test_keys_and_values_as_they_are_written(key, value, text) -> None:
    assert _pair(key, value) == text
    assert tomllib.loads(text) == {key: value}
    assert text.endswith(_toml(value))
