"""Who may ask the studio for what: requests from other origins are refused, bodies are bounded, and
every reply says that the page may load and run nothing from elsewhere."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Collection, Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 8 << 20
"""Bytes of a request: a sheet of the longest text that is read."""

PATIENCE = 60.0
"""Seconds for a request's body, all of it."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)

SAFE = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Guard:
    """Refuses what no page of the studio asks for.

    `names` are the hosts, besides addresses and this machine's own name for itself, by which the
    studio may be called: a name that somebody else's page resolves to this address is none of them.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self._app = app
        self._names = {"localhost", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request that may be answered."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope["method"], Headers(scope=scope))
        app = PlainTextResponse(refusal[1], refusal[0]) if refusal else self._app
        await app(scope, _bounded(receive), _guarded(send))

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        """Status and words for a request that is refused."""
        host = headers.get("host", "")
        if not is_own(host, self._names):
            return 421, "the studio is not known by this name"
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return 403, "requests from other pages are refused"
        site, mode = headers.get("sec-fetch-site"), headers.get("sec-fetch-mode")
        if site in ("cross-site", "same-site") and (mode != "navigate" or method != "GET"):
            return 403, "requests from other pages are refused"
        if method not in ("GET", "HEAD"):
            # A page of another origin can send no JSON without asking first.
            if headers.get("content-type", "").partition(";")[0].strip() != "application/json":
                return 415, "only JSON is understood"
            if not headers.get("content-length", "").isdecimal():
                return 411, "the length has to be told"
            if int(headers["content-length"][:12]) > MAX_BODY:
                return 413, f"more than {MAX_BODY:,} bytes"
        return None


def is_own(host: str, names: Collection[str]) -> bool:
    """Whether a `Host` header names this machine: by a name of `names` or by an address."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    if name.lower() in names:
        return True
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _bounded(receive: Receive) -> Receive:
    """What is received, of which there is no more than was said, and in good time."""
    taken, until = 0, asyncio.get_running_loop().time() + PATIENCE

    async def bounded() -> Message:
        nonlocal taken
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        taken += len(message.get("body", b""))
        if taken > MAX_BODY:
            return {"type": "http.disconnect"}
        return message

    return bounded


def _guarded(send: Send) -> Send:
    """What is sent, with the headers that make pages harmless."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SAFE.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return guarded
