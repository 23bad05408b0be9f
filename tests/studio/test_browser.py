"""The studio in a real browser: Chromium without a screen, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ggp.checker import check_certificate, read_certificate
from tests.studio.conftest import HOSTILE, Running

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

TIC = "shipped/tic-tac-toe/tic-tac-toe"
FOUR = "shipped/connect-four/connect-four"

WAIT = 60_000
"""Milliseconds to wait for what must happen at some time: none of them is measured."""

ALONE = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""So that nothing is asked of the network."""

SIZES = [(1400, "light"), (1400, "dark"), (390, "light"), (390, "dark")]


@pytest.fixture(scope="module")  # as long as it is there, nothing else can use asyncio
def chromium() -> Iterator[Any]:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if found is None:
        pytest.skip("there is no Chromium here")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(ALONE))
        yield browser
        browser.close()


class Seen:
    """A page, and what happened on it that never should."""

    def __init__(self, chromium: Any, studio: Running, width: int, scheme: str) -> None:
        self.browser = chromium
        self.context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(WAIT)
        self.studio = studio
        self.wrong: list[str] = []
        self.page.on("dialog", lambda dialog: self._note(f"dialog {dialog.message}", dialog))
        self.page.on("pageerror", lambda error: self._note(f"error {error}"))
        self.page.on("console", self._console)
        self.page.on("request", self._request)

    def _note(self, what: str, dialog: Any = None) -> None:
        self.wrong.append(what)
        if dialog:
            dialog.dismiss()

    def _console(self, message: Any) -> None:
        if message.type == "error" and "status of 40" not in message.text:
            self._note(f"console {message.text}")

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.studio.address, "data:", "blob:")):
            self._note(f"request {request.url}")

    def open(self, path: str) -> Any:
        self.page.goto(self.studio.address.rstrip("/") + path)
        return self.page

    def place(self, number: int) -> Any:
        return self.page.locator(f'g.place[data-board="0"][data-place="{number}"]')


@pytest.fixture
def seen(chromium: Any, studio: Running) -> Iterator[Seen]:
    seen = Seen(chromium, studio, 1400, "light")
    yield seen
    seen.context.close()
    assert seen.wrong == []


@pytest.mark.slow
def test_a_game_is_found_in_the_gallery_by_keys(seen: Seen) -> None:
    page = seen.open("/")
    page.get_by_label("find").fill("tic-tac-toe")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/play/shipped/tic-tac-toe/*")
    seen.place(8).wait_for()


@pytest.mark.slow
def test_a_fault_is_marked_while_one_types_and_can_be_gone_to(seen: Seen) -> None:
    page = seen.open(f"/rules/{TIC}")
    text = page.get_by_label("the rules")
    page.get_by_text("nothing is wrong with the text").wait_for()
    text.press("Control+End")
    text.press_sequentially("\n(<= (legal ?p (mark ?x 1)) (true (control ?p)))")
    page.locator("#colours .s-error").first.wait_for()
    page.locator("#found button").first.click()
    assert page.evaluate("document.activeElement.id") == "text"
    chosen = page.evaluate(
        "() => { const t = document.getElementById('text');"
        " return t.value.slice(t.selectionStart, t.selectionEnd); }"
    )
    assert "?x" in chosen
    assert page.evaluate("document.getElementById('colours').textContent.trimEnd()") == (
        text.input_value().rstrip()
    )
    # It is mended, and played as it stands.
    text.press("Control+End")
    for _ in range(48):
        text.press("Backspace")
    text.press_sequentially("; mended")
    page.get_by_text("nothing is wrong with the text").wait_for()
    page.get_by_role("button", name="play this text").click()
    page.wait_for_url("**/play/draft/*")
    seen.place(0).wait_for()


def test_tic_tac_toe_is_played_to_its_end_by_clicks(seen: Seen) -> None:
    page = seen.open(f"/play/{TIC}")
    for number in (0, 3, 1, 4, 2):
        seen.place(number).click()
        page.wait_for_function(
            "n => document.querySelector(`g.place[data-place='${n}'] title`)"
            ".textContent.match(/: [xo]/)",
            arg=number,
        )
    page.get_by_text("The game is over: xplayer 100, oplayer 0").wait_for()
    # What is in the address is this position; undone, it is another.
    over = page.url
    page.get_by_role("button", name="undo").click()
    page.get_by_text("xplayer to move").wait_for()
    page.goto("about:blank")
    page.goto(over)
    page.get_by_text("The game is over: xplayer 100, oplayer 0").wait_for()


@pytest.mark.slow
def test_connect_four_is_played_to_its_end_by_clicks(seen: Seen) -> None:
    page = seen.open(f"/play/{FOUR}")
    seen.place(0).wait_for()
    for step in range(7):
        moves = page.locator(".ggp-moves button")
        moves.nth(step % 2).click()
        page.locator("#line button[aria-current]", has_text=f"drop {step % 2 + 1}").wait_for()
        page.wait_for_function(
            "n => document.querySelectorAll('#line li').length === n", arg=step + 2
        )
    page.get_by_text("The game is over: red 100, yellow 0").wait_for()


def test_a_board_is_played_by_keys_alone(seen: Seen) -> None:
    page = seen.open(f"/play/{TIC}")
    seen.place(0).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_text("oplayer to move").wait_for()
    assert "x" in page.locator('g.place[data-place="1"] title').text_content()


@pytest.mark.slow
def test_values_of_all_moves_are_seen_on_the_board(seen: Seen) -> None:
    page = seen.open(f"/play/{TIC}#line=0")
    page.get_by_label("seconds for a move").fill("20")
    page.get_by_label("show what every move is worth").check()
    page.locator("text.worth").first.wait_for()
    told = page.locator('g.place[data-place="4"] text.worth').text_content()
    assert told == "50"


@pytest.mark.slow
def test_the_value_of_a_column_stands_once(seen: Seen) -> None:
    page = seen.open(f"/play/{FOUR}?columns=3&rows=3&line=3")
    page.get_by_label("seconds for a move").fill("20")
    page.get_by_label("show what every move is worth").check()
    page.locator("text.worth").first.wait_for()
    assert page.locator("text.worth").count() == 3


@pytest.mark.slow
def test_who_comes_back_from_playing_finds_the_edited_text(seen: Seen) -> None:
    page = seen.open(f"/rules/{TIC}")
    page.get_by_text("nothing is wrong with the text").wait_for()
    page.get_by_label("the rules").press("Control+End")
    page.get_by_label("the rules").press_sequentially("; edited")
    page.get_by_role("button", name="play this text").click()
    page.wait_for_url("**/play/draft/*")
    page.go_back()
    page.wait_for_url("**/rules/draft/*")
    page.get_by_text("nothing is wrong with the text").wait_for()
    assert page.get_by_label("the rules").input_value().endswith("; edited")


def test_the_machine_answers_where_it_was_seated(seen: Seen) -> None:
    page = seen.open(f"/play/{TIC}")
    page.get_by_label("oplayer").select_option("easy")
    seen.place(4).click()
    page.wait_for_function("() => document.querySelectorAll('#line li').length === 3")
    page.get_by_text("xplayer to move").wait_for()


def test_a_friend_at_the_same_table_sees_what_is_played(seen: Seen) -> None:
    page = seen.open(f"/play/{TIC}")
    seen.place(4).click()
    page.get_by_role("button", name="link to this table").click()
    page.wait_for_url("**#*table=*")
    friend = Seen(seen.browser, seen.studio, 1400, "light")
    friend.page.goto(page.url)
    friend.place(0).click()
    page.wait_for_function("() => document.querySelectorAll('#line li').length === 3")
    assert "o" in page.locator('g.place[data-place="0"] title').text_content()
    friend.context.close()
    assert friend.wrong == []


@pytest.mark.slow
def test_a_witness_is_drawn_and_played_from(seen: Seen) -> None:
    page = seen.open(f"/analyse/{TIC}")
    page.locator("#witness-1 svg").wait_for()
    assert "A draw under best play." in page.locator(".summary").text_content()
    with page.expect_download() as saved:
        page.get_by_role("link", name="the certificate").click()
    certificate = read_certificate(Path(saved.value.path()).read_text())
    checked = check_certificate(certificate, 600.0)
    assert checked
    assert all(one.holds for one in checked)
    page.locator("#witness-1 a").click()
    page.wait_for_url("**/play/**")
    page.get_by_text("The game is over").wait_for()


def test_names_that_are_markup_do_nothing(seen: Seen) -> None:
    rules = (
        f"(role {HOSTILE}) (init (cell 1 {HOSTILE})) (init (cell 2 <img/src=x/onerror=alert`1`>))"
        f" (legal {HOSTILE} <b>x</b>) (legal {HOSTILE} y)"
        f" (goal {HOSTILE} 0) (<= terminal (true gone))"
    )
    key = seen.studio.ask("/api/drafts", {"name": "x.kif", "text": rules}).data["game"]
    page = seen.open(f"/play/{key}")
    page.get_by_role("button", name="<b>x</b>").wait_for()
    assert page.locator("main b, main img, main script").count() == 0
    seen.open(f"/analyse/{key}")
    page.get_by_role("status").get_by_text("done").wait_for()
    assert page.locator("main b, main img, main script").count() == 0
    seen.open(f"/rules/{key}")
    page.locator("#found li, #count").first.wait_for()
    assert page.locator("main b, main img, main script").count() == 0


@pytest.mark.slow
def test_the_values_of_the_solver_are_watched(seen: Seen) -> None:
    page = seen.open(f"/solve/{TIC}#line=0")
    page.get_by_text("A draw under best play.").wait_for()
    rows = page.get_by_role("row").filter(has_text="play this")
    rows.nth(7).wait_for()  # They may come after the sentence.
    assert rows.count() == 8
    best = rows.filter(has_text="best")
    assert best.count() == 1
    assert "(mark 2 2)" in best.text_content()
    best.get_by_role("link").click()
    page.wait_for_url("**/play/**#line=0.*")
    page.get_by_text("last: oplayer (mark 2 2)").wait_for()


@pytest.mark.slow
def test_a_table_of_many_starts_is_drawn(seen: Seen) -> None:
    page = seen.open("/solve/shipped/multiples/multiples")
    page.get_by_role("button", name="table", exact=True).click()
    page.locator("#table-output svg").wait_for()
    page.get_by_text("961 starts by").wait_for()


def test_a_thermograph_is_opened(seen: Seen) -> None:
    page = seen.open("/values/shipped/domineering/domineering-3x4")
    page.get_by_text("A game in notation").wait_for()
    page.get_by_label("game", exact=True).fill("{3|-1} + *")
    page.get_by_role("button", name="show it").click()
    drawn = page.locator("#notated svg").first
    drawn.wait_for()
    assert "temperature" in page.locator("#notated").text_content()


def test_a_match_is_watched_judged_and_stepped_through_by_keys(seen: Seen) -> None:
    page = seen.open(f"/matches/{TIC}")
    for role in ("xplayer", "oplayer"):
        page.get_by_label(role).select_option("first")
    page.get_by_role("button", name="start", exact=True).click()
    page.locator("#watch [role=status]").get_by_text("done").wait_for()
    # Both take the first blank cell: crosses have a diagonal after seven moves.
    assert page.locator("#line li").count() == 8
    page.get_by_role("button", name="judge the match").click()
    page.locator("#review [role=status]").get_by_text("done").wait_for()
    assert "?" in page.locator("#line").text_content()
    slider = page.get_by_label("step", exact=True)
    slider.focus()
    slider.press("Home")
    page.wait_for_function("() => !document.querySelector('#picture').textContent.match(/: x/)")
    slider.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('#picture').textContent.match(/: x/)")
    page.get_by_role("link", name="play from here").click()
    page.wait_for_url("**/play/**")
    page.get_by_text("oplayer to move").wait_for()


PAGES = ["/", f"/play/{TIC}", f"/rules/{TIC}", f"/analyse/{TIC}", f"/matches/{TIC}"]
PAGES += [f"/solve/{TIC}", "/values/shipped/domineering/domineering-3x4"]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("width", "scheme"), SIZES)
def test_pages_are_accessible_and_fit(
    chromium: Any, studio: Running, path: str, width: int, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    seen = Seen(chromium, studio, width, scheme)
    page = seen.open(path)
    if path != "/":
        page.wait_for_function(
            "() => /^(|done|nothing is wrong.*)$/.test("
            "document.querySelector('main [role=status]').textContent)"
        )
    found = axe.Axe().run(page).response["violations"]
    bad = [
        (v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")
    ]
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    seen.context.close()
    assert bad == []
    assert wide <= 0
    assert seen.wrong == []


def test_work_ends_when_its_page_is_left(seen: Seen) -> None:
    with seen.page.expect_response(lambda reply: reply.url.endswith("/api/jobs")) as begun:
        page = seen.open(f"/analyse/{FOUR}")
    job = begun.value.json()["job"]
    page.goto(seen.studio.address)
    for _ in range(WAIT // 100):
        told = seen.studio.ask(f"/api/jobs/{job}", {}).data
        if told["state"] not in ("waiting", "working"):
            break
        page.wait_for_timeout(100)
    assert (told["state"], told["progress"]) == ("stopped", "stopped")


@pytest.mark.slow
def test_an_address_of_another_position_keeps_what_was_played(seen: Seen) -> None:
    page = seen.open(f"/play/{TIC}#line=0.1")
    seen.place(8).wait_for()
    page.evaluate("location.hash = '#line=0'")
    page.locator("#line .later").wait_for()
    page.go_back()
    page.locator("#line li:last-child [aria-current]").wait_for()
    assert page.locator("#line li").count() == 3
    page.evaluate("location.hash = '#line=999'")
    page.get_by_text("there is no such move").wait_for()
    page.wait_for_url("**#line=0.1")


@pytest.mark.slow
def test_a_text_that_is_too_long_for_colours_is_seen_and_edited(seen: Seen) -> None:
    page = seen.open(f"/rules/{TIC}")
    text = page.get_by_label("the rules")
    page.locator("#colours .k-keyword").first.wait_for(state="attached")
    short = text.input_value()
    put = "(field, value) => { field.value = value; field.dispatchEvent(new Event('input')); }"
    text.evaluate(put, "; words\n" * 60_000)
    assert page.locator("#colours").text_content() == ""
    color = "getComputedStyle(document.getElementById('text')).color"
    assert page.evaluate(color) != "rgba(0, 0, 0, 0)"
    text.evaluate(put, short + ";")
    page.locator("#colours .k-keyword").first.wait_for(state="attached")
    assert page.evaluate(color) == "rgba(0, 0, 0, 0)"
    seen.page.get_by_role("button", name="play this text").click()
    page.wait_for_url("**/play/**")
