"""Random mutants of the project, each run against the tests of its own room.

    python -m benchmarks.mutants [COUNT] [--seed N] [--room NAME …] [--keep FILE] [--slow]

A mutant is the project with one operator, constant or condition changed. First the tests of each
room run once with coverage, which says which tests come by each line; a mutant is then run against
those that come by its line, the shortest first, until one fails. What survives is printed as a
difference, to be looked at: either a test is missing, or the change changes nothing. `--keep` is a
file of lines of JSON; mutants in it are not tried again. With `--slow` what survives is run against
those tests of the night, too, that stand in the same files. Needs `coverage`.

Coverage does not see loops that are compiled; a mutant there is run against the tests that come by
the modules which use its own, as well. Every other line that no test of the room comes by counts as
a survivor; so does a mutant that tests of other rooms would kill.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parent.parent
ROOMS = {
    "analysis": ["tests/analysis"],
    "checker": ["tests/checker"],
    "solver": ["tests/solver"],
    "facts": ["tests/test_facts.py"],
    "match": ["tests/match"],
}
WORKERS = os.cpu_count() or 1
LEAST, FACTOR = 60.0, 4.0
"""Seconds that the tests of a mutant may take at the least, and times what they take without it."""

NIGHT = 600.0
"""Seconds for tests of the night; a mutant of which they say nothing until then survives."""

SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt,),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt,),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.FloorDiv: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitXor: (ast.BitOr,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}


@dataclass(frozen=True)
class Mutant:
    """A change of one node, the `place`-th of its module in the order of `changes`."""

    room: str
    module: str
    place: int
    line: int


def changes(tree: ast.Module) -> Iterator[tuple[int, Callable[[], None]]]:
    """All changes of the code of functions: a line, and what makes the change in the tree."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in function.body:
                yield from _changes_below(statement)


def _changes_below(top: ast.AST) -> Iterator[tuple[int, Callable[[], None]]]:
    if isinstance(top, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return  # met by itself
    if isinstance(top, ast.Expr) and isinstance(top.value, ast.Constant):
        return  # a docstring
    for name, value in ast.iter_fields(top):
        if name in ("annotation", "returns", "msg", "exc"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            line = getattr(child, "lineno", getattr(top, "lineno", 0))
            for other in SWAPS.get(type(child), ()):
                yield line, _swap(top, name, child, other())
            if isinstance(child, ast.Constant) and isinstance(child.value, bool):
                yield line, _swap(top, name, child, ast.Constant(not child.value))
            elif isinstance(child, ast.Constant) and isinstance(child.value, int):
                yield line, _swap(top, name, child, ast.Constant(child.value + 1))
            if isinstance(child, ast.UnaryOp) and isinstance(child.op, ast.Not):
                yield line, _swap(top, name, child, child.operand)
            if name == "test" and isinstance(top, ast.If | ast.IfExp | ast.While):
                yield line, _swap(top, name, child, ast.UnaryOp(ast.Not(), child))
            if isinstance(child, ast.Continue | ast.Break):
                yield line, _swap(top, name, child, ast.Pass())
            yield from _changes_below(child)


def _swap(top: ast.AST, name: str, old: ast.AST, new: ast.AST) -> Callable[[], None]:
    def change() -> None:
        value = getattr(top, name)
        if isinstance(value, list):
            value[value.index(old)] = new
        else:
            setattr(top, name, new)

    return change


def text_of(mutant: Mutant, text: str) -> str:
    """The module's text with the change made."""
    tree = ast.parse(text)
    list(changes(tree))[mutant.place][1]()
    return ast.unparse(ast.fix_missing_locations(tree))


def all_mutants(place: Path, rooms: list[str]) -> list[Mutant]:
    """Every change of the modules of some rooms of a project."""
    found = []
    for room in rooms:
        for path in sorted((place / "ggp" / room).rglob("*.py")):
            module = str(path.relative_to(place))
            listed = enumerate(changes(ast.parse(path.read_text())))
            found += [Mutant(room, module, place, line) for place, (line, _) in listed]
    return found


def pytest(place: Path, tests: list[str], *options: str, seconds: float | None = None) -> int:
    """The exit status of some tests in a copy of the project; 0 if all passed."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *tests]
    environment = {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        return subprocess.run(
            command, cwd=place, env=environment, capture_output=True, timeout=seconds, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        return 99


Coverage = dict[tuple[str, int], set[str]]
"""For a module and a line the tests that come by."""


def covered(place: Path, room: str) -> tuple[Coverage, dict[str, float]]:
    """Which tests come by each line of a room, and how many seconds each test took."""
    data, report = place / f"coverage.{room}", place / f"durations.{room}.xml"
    settings = place / f"coverage.{room}.ini"
    settings.write_text(f"[run]\ndata_file = {data}\nsource = ggp/{room}\n")
    command = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest"]
    command += ["-q", "-p", "no:cacheprovider", "-p", "benchmarks.mutants", f"--junitxml={report}"]
    environment = {**os.environ, "PYTHONPATH": str(place)}
    done = subprocess.run(
        [*command, *ROOMS[room]], cwd=place, env=environment, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"tests of {room} fail without a mutant:\n{done.stdout[-2000:]}")
    took = json.loads((place / "durations.json").read_text())
    found: Coverage = {}
    import coverage

    reader = coverage.CoverageData(str(data))
    reader.read()
    for path in reader.measured_files():
        module = str(Path(path).relative_to(place))
        for line, contexts in reader.contexts_by_lineno(path).items():
            found[module, line] = {c for c in contexts if c in took}
    return found, took


COMPILED = {"kernel", "inlined"}
"""Names of what makes a function a compiled loop, or a part of one."""


def is_compiled(text: str, line: int) -> bool:
    """Whether a line of a module is of a compiled loop."""
    return any(
        node.lineno <= line <= (node.end_lineno or line)
        and any(isinstance(d, ast.Name) and d.id in COMPILED for d in node.decorator_list)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef)
    )


def users(texts: dict[str, str], module: str) -> set[str]:
    """The modules that import one, or import one that does, as far as they are loops themselves."""
    found: set[str] = set()
    todo = [module]
    while todo:
        name = todo.pop().removesuffix(".py").replace("/", ".")
        package, _, last = name.rpartition(".")
        for path, text in texts.items():
            if path not in found and path != module and _imports(text, name, package, last):
                found.add(path)
                if any(f"@{one}" in text for one in COMPILED):
                    todo.append(path)
    return found


def _imports(text: str, name: str, package: str, last: str) -> bool:
    return bool({(name, None), (package, last)} & _imported(text))


@cache
def _imported(text: str) -> set[tuple[str | None, str | None]]:
    """Modules that a text imports from, and what it imports from each."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    from_each = {(node.module, a.name) for node in nodes for a in node.names}
    return from_each | {(node.module, None) for node in nodes}


def tests_of(mutant: Mutant, by_line: Coverage, texts: dict[str, str]) -> set[str]:
    """The tests of the room that may come by what a mutant changes."""
    found = set(by_line.get((mutant.module, mutant.line), ()))
    if is_compiled(texts[mutant.module], mutant.line):
        near = users(texts, mutant.module)
        found.update(*(tests for (module, _), tests in by_line.items() if module in near))
    return found


_took: dict[str, float] = {}


def pytest_runtest_setup(item: object) -> None:
    """As a plugin: what runs from now on is put down to this test."""
    import coverage

    current = coverage.Coverage.current()
    if current:
        current.switch_context(item.nodeid)  # type: ignore[attr-defined]


def pytest_runtest_logreport(report: object) -> None:
    """As a plugin: how long the parts of a test took."""
    name = report.nodeid  # type: ignore[attr-defined]
    _took[name] = _took.get(name, 0.0) + report.duration  # type: ignore[attr-defined]


def pytest_sessionfinish() -> None:
    """As a plugin: write down how long each test took."""
    Path("durations.json").write_text(json.dumps(_took))


def survives(place: Path, mutant: Mutant, tests: list[str], took: dict[str, float]) -> bool:
    """Whether a mutant passes all of some tests; in a copy of the project that it may change."""
    target = place / mutant.module
    kept = target.read_text()
    seconds = max(LEAST, FACTOR * sum(took[t] for t in tests))
    target.write_text(text_of(mutant, kept))
    try:
        ordered = sorted(tests, key=lambda t: took[t])
        return pytest(place, ordered, "-x", seconds=seconds) == 0
    finally:
        target.write_text(kept)


def survives_night(place: Path, mutant: Mutant, files: list[str]) -> bool:
    """Whether the slow tests of some files say nothing against a mutant."""
    target = place / mutant.module
    kept = target.read_text()
    target.write_text(text_of(mutant, kept))
    try:
        return pytest(place, files, "-x", "-m", "slow", seconds=NIGHT) != 1
    finally:
        target.write_text(kept)


def difference(mutant: Mutant, text: str) -> str:
    """What a mutant changes in a module, a line each."""
    before = ast.unparse(ast.parse(text)).splitlines()
    after = text_of(mutant, text).splitlines()
    lines = difflib.unified_diff(before, after, lineterm="", n=0)
    return "\n".join(line for line in lines if line[:2] not in ("--", "++", "@@"))


def main() -> None:
    """Try mutants and say how many were killed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--room", nargs="*", choices=ROOMS, default=list(ROOMS))
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--slow", action="store_true")
    given = parser.parse_args()
    kept = given.keep.read_text().splitlines() if given.keep and given.keep.exists() else []
    known = {tuple(json.loads(line)[:4]): json.loads(line)[4] for line in kept}
    results: dict[Mutant, bool] = {}
    at_night: list[Mutant] = []
    with tempfile.TemporaryDirectory() as folder:
        places: Queue[Path] = Queue()
        for i in range(WORKERS):
            place = Path(folder) / str(i)
            shutil.copytree(ROOT, place, ignore=shutil.ignore_patterns(".*", "*.egg-info"))
            places.put(place)
        (Path(folder) / "shared").symlink_to(ROOT.parent / "shared")
        # What is worked on meanwhile changes nothing: all is taken from a copy.
        first = places.queue[0]
        texts = {str(p.relative_to(first)): p.read_text() for p in first.glob("ggp/**/*.py")}
        chosen = all_mutants(first, given.room)
        random.Random(given.seed).shuffle(chosen)
        tests = {room: covered(first, room) for room in given.room}

        def run(mutant: Mutant) -> bool:
            key = (mutant.room, mutant.module, mutant.place, mutant.line)
            if key in known and not (known[key] and given.slow):
                return bool(known[key])
            by_line, took = tests[mutant.room]
            own = tests_of(mutant, by_line, texts)
            place = places.get()
            try:
                lives = not own or survives(place, mutant, list(own), took)
                if lives and given.slow:
                    files = {test.partition("::")[0] for test in own} or set(ROOMS[mutant.room])
                    lives = survives_night(place, mutant, sorted(files))
                    if not lives:
                        at_night.append(mutant)
            finally:
                places.put(place)
            if given.keep:
                with given.keep.open("a") as file:
                    file.write(json.dumps([*key, lives, len(own)]) + "\n")
            return lives

        with ThreadPoolExecutor(WORKERS) as pool:
            wanted = chosen[: given.count]
            for mutant, lives in zip(wanted, pool.map(run, wanted), strict=True):
                results[mutant] = lives
                mark = "SURVIVED" if lives else "killed"
                print(f"{mark} {mutant.module}:{mutant.line}", file=sys.stderr, flush=True)
    for room in given.room:
        own = [lives for m, lives in results.items() if m.room == room]
        if own:
            print(f"{room}: {own.count(False)} of {len(own)} killed")
    killed = list(results.values()).count(False)
    told = f", {len(at_night)} of them by tests of the night" if given.slow else ""
    print(f"all: {killed} of {len(results)} killed{told}")
    for mutant, lives in results.items():
        if lives:
            print(f"\n{mutant.module}:{mutant.line}\n{difference(mutant, texts[mutant.module])}")


if __name__ == "__main__":
    main()
