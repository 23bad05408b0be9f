"""Requests that no page of the studio makes are refused."""

import pytest

from ggp.studio.guard import MAX_BODY, is_own
from tests.studio.conftest import Running

GAME = "shipped/tic-tac-toe/tic-tac-toe"

PAGES = ["/", f"/play/{GAME}", f"/rules/{GAME}", f"/analyse/{GAME}", "/play/shipped/none"]


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:9180", "127.0.0.1:1", "[::1]:80", "10.0.0.7", "mine:80"]
)
def test_this_machine_is_called_by_its_names_and_by_addresses(host: str) -> None:
    assert is_own(host, {"localhost", "mine"})


@pytest.mark.parametrize(
    "host", ["", "evil.example", "evil.example:9180", "localhost.evil.example", "1"]
)
def test_a_name_that_somebody_else_gave_to_this_address_is_none(host: str) -> None:
    assert not is_own(host, {"localhost", "mine"})


def test_a_host_of_another_name_is_refused(studio: Running) -> None:
    # What a page does that lets its own name lead here (DNS rebinding).
    assert studio.ask("/", Host="evil.example").status == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost"])
def test_requests_of_pages_of_other_origins_are_refused(studio: Running, origin: str) -> None:
    assert studio.ask("/api/tables", {"game": GAME}, Origin=origin).status == 403
    assert studio.ask("/", Origin=origin).status == 403


def test_an_origin_of_its_own_is_answered(studio: Running) -> None:
    origin = studio.address.rstrip("/")
    assert studio.ask("/api/check", {"text": ""}, Origin=origin).status == 200


def test_what_another_site_embeds_is_refused_and_a_link_is_followed(studio: Running) -> None:
    embedded = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"}
    followed = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "navigate"}
    assert studio.ask(f"/picture/{GAME}", **embedded).status == 403
    assert studio.ask(f"/play/{GAME}", **followed).status == 200
    assert studio.ask("/api/tables", {"game": GAME}, **followed).status == 403


def test_forms_of_other_pages_can_send_nothing(studio: Running) -> None:
    # These types a form sends without asking first.
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        reply = studio.ask("/api/tables", b'{"game": "x"}', Content_Type=kind)
        assert reply.status == 415


def test_bodies_are_bounded(studio: Running) -> None:
    assert studio.ask("/api/check", b" " * (MAX_BODY + 1)).status == 413


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"1", b"\xff", b"[" * 100_000, b'"text"'])
def test_what_is_no_object_is_told(studio: Running, body: bytes) -> None:
    reply = studio.ask("/api/check", body)
    assert (reply.status, "error" in reply.data) == (400, True)


@pytest.mark.parametrize("page", PAGES)
def test_pages_may_load_and_run_nothing_from_elsewhere(studio: Running, page: str) -> None:
    reply = studio.ask(page)
    policy = reply.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert "http://" not in reply.body.replace("http://www.w3.org/", "")
    assert "https://" not in reply.body


@pytest.mark.parametrize(
    "path",
    [
        "/play/own/../../../../etc/passwd",
        "/play/own/%2e%2e/%2e%2e/etc/passwd",
        "/rules//etc/passwd",
        "/static/..%2fapp.py",
        "/static/app.py",
        "/picture/own/..%2f..%2fetc%2fpasswd",
        "/nothing/shipped/tic-tac-toe/tic-tac-toe",
        "/play/draft/none",
    ],
)
def test_keys_are_no_paths(studio: Running, path: str) -> None:
    reply = studio.ask(path)
    assert reply.status == 404
    assert "root:" not in reply.body
