"""Sheets of strangers in every view: inert, bounded, and others are answered meanwhile."""

from __future__ import annotations

import time
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.studio.conftest import HOSTILE, Running

TIC = "shipped/tic-tac-toe/tic-tac-toe"

NAMED = f"""
(role {HOSTILE}) (role "onload=alert`1`")
(init (cell 1 {HOSTILE})) (init (cell 2 <img/src=x/onerror=alert`1`>)) (init (cell 3 &lt))
(legal {HOSTILE} (go <b>)) (legal {HOSTILE} '><svg/onload=alert`2`>) (legal "onload=alert`1`" wait)
(<= (next (over <i>)) (does {HOSTILE} (go <b>)))
(<= terminal (true (over <i>)))
(goal {HOSTILE} 100) (goal "onload=alert`1`" 0)
"""

ENDLESS = """
(role a) (init (n 0)) (legal a go) (goal a 0) (<= terminal (true (n never)))
(<= (next (n (s ?x))) (true (n ?x)))
"""

BOMB = (
    "(role a) (legal a go) (goal a 0) (<= terminal (true x))"
    + "".join(f"(d {n})" for n in range(400))
    + "(<= (init (c ?a ?b ?c ?d)) (d ?a) (d ?b) (d ?c) (d ?d))"
)

TEMPLATE = "{# parameters\nn = 3\n#}\n{% for i in range(10**9) %}(x {{ i }}){% endfor %}"


class Tags(HTMLParser):
    """All tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.handlers: list[str] = []
        self.scripts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        if tag == "script":
            self.scripts.append(dict(attrs).get("src") or "inline")


def tags(text: str) -> Tags:
    parser = Tags()
    parser.feed(text)
    parser.close()
    return parser


def job(studio: Running, **body: Any) -> dict[str, Any]:
    """What a job ends with."""
    told = studio.ask("/api/jobs", body).data
    parts = told["parts"]
    while told["state"] in ("waiting", "working"):
        time.sleep(0.1)
        told = studio.ask(f"/api/jobs/{told['job']}", {"after": len(parts)}).data
        parts += told["parts"]
    return {**told, "parts": parts}


@pytest.fixture(scope="module")
def named(studio: Running) -> str:
    """The key of a sheet whose names are markup, in a file of such a name."""
    name = "<img src=x onerror=alert`3`>.kif"
    (studio.folder / name).write_text(NAMED)
    key: str = studio.ask("/api/drafts", {"name": name, "text": NAMED}).data["game"]
    return key


def test_no_page_takes_a_name_for_markup(studio: Running, named: str) -> None:
    for page in ("/", f"/play/{named}", f"/rules/{named}", f"/analyse/{named}"):
        found = tags(studio.ask(page).body)
        assert all(src.startswith("/static/") for src in found.scripts)
        assert not found.handlers
        assert not {"b", "i", "svg"} & set(found.found)


def test_no_picture_takes_a_name_for_markup(studio: Running, named: str) -> None:
    shown = studio.table(named)
    found = tags(shown["picture"])
    assert not found.scripts
    assert not found.handlers
    assert not {"img", "b", "i"} & set(found.found)
    assert any(HOSTILE in str(role) for role in shown["roles"])


def test_no_finding_takes_a_name_for_markup(studio: Running, named: str) -> None:
    done = job(studio, task="analyse", game=named, seconds=20)
    assert done["state"] == "done", done["progress"]
    text = "".join(part.get("html", "") for part in done["parts"])
    found = tags(text)
    assert "&lt;script&gt;" in text
    assert not found.scripts
    assert not found.handlers
    assert not {"img", "b", "i"} & set(found.found)


def test_names_of_a_megabyte_are_cut(studio: Running) -> None:
    long = "n" * 900_000
    text = f"(role a) (init (at {long})) (legal a go) (goal a 0) (<= terminal (true (at {long})))"
    told = studio.ask("/api/check", {"name": "x.kif", "text": text})
    assert told.status == 200
    shown = studio.table("", text=text)
    assert len(str(shown)) < 100_000


@pytest.mark.parametrize("text", [ENDLESS, BOMB], ids=["endless", "bomb"])
def test_who_is_slow_keeps_nobody_else_waiting(studio: Running, text: str) -> None:
    begun = studio.ask("/api/jobs", {"task": "analyse", "text": text, "seconds": 600}).data
    shown = studio.table(TIC)
    shown = studio.tell(shown, "click", board=0, place=0)
    assert [step["text"] for step in shown["line"]] == ["(mark 1 1)"]
    assert studio.ask("/").status == 200
    told = studio.ask(f"/api/jobs/{begun['job']}", {"stop": True}).data
    assert told["state"] not in ("waiting", "working")


def test_a_template_without_end_is_refused(studio: Running) -> None:
    (studio.folder / "bomb.kif.jinja").write_text(TEMPLATE)
    shown = studio.ask("/api/tables", {"game": next(key for key in keys(studio) if "bomb" in key)})
    assert shown.status == 400
    assert "bomb.kif.jinja" in shown.data["error"]


def keys(studio: Running) -> list[str]:
    class Links(HTMLParser):
        found: list[str] = []  # noqa: RUF012

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            href = dict(attrs).get("href") or ""
            if tag == "a" and href.startswith("/play/"):
                self.found.append(href.removeprefix("/play/"))

    parser = Links()
    parser.feed(studio.ask("/").body)
    return parser.found


def test_only_what_was_not_changed_meanwhile_is_saved(studio: Running) -> None:
    file = studio.folder / "saved.kif"
    file.write_text("(role a)")
    key = next(key for key in keys(studio) if "saved.kif" in key)
    old = {"game": key, "text": "(role b)", "was": "(role x)"}
    assert studio.ask("/api/save", old).status == 400
    assert file.read_text() == "(role a)"
    assert studio.ask("/api/save", {**old, "was": "(role a)"}).status == 200
    assert file.read_text() == "(role b)"
    assert studio.ask("/api/save", {"game": TIC, "text": "", "was": ""}).status == 400


def test_a_draft_is_saved_to_the_file_that_it_was(studio: Running) -> None:
    file = studio.folder / "drafted.kif"
    file.write_text("(role a)")
    own = next(key for key in keys(studio) if "drafted.kif" in key)
    edited = {"name": "drafted.kif", "text": "(role b)", "origin": own}
    draft = studio.ask("/api/drafts", edited).data["game"]
    assert f'data-origin="{own}"' in studio.ask(f"/rules/{draft}").body
    stray = studio.ask("/api/drafts", {**edited, "origin": TIC}).data["game"]
    assert 'data-origin=""' in studio.ask(f"/rules/{stray}").body
    assert stray != draft


def test_a_new_file_is_written_once_and_nowhere_else(studio: Running) -> None:
    told = studio.ask("/api/save", {"as": "fresh.kif", "text": "(role a)"})
    assert told.status == 200
    assert (studio.folder / "fresh.kif").read_text() == "(role a)"
    assert studio.ask(f"/rules/{told.data['game']}").status == 200
    again = studio.ask("/api/save", {"as": "fresh.kif", "text": "(role b)"})
    assert (again.status, "already" in again.data["error"]) == (400, True)
    assert (studio.folder / "fresh.kif").read_text() == "(role a)"
    for name in ("../x.kif", "/tmp/x.kif", ".x.kif", "x.py", "a/b.kif", "x.kif\n", "", "ü.kif"):
        assert studio.ask("/api/save", {"as": name, "text": ""}).status == 400
    assert not (studio.folder.parent / "x.kif").exists()
