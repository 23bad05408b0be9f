"""The studio's server: which address is answered by what."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ggp.errors import GgpError, InputError, UnknownName
from ggp.studio import pages, saving
from ggp.studio.asking import Nursery, Refusal, answer_to, told
from ggp.studio.bodies import body_of, is_names
from ggp.studio.elsewhere import CHECKED, LAID_OUT, RENDERED, THUMBNAIL
from ggp.studio.guard import Guard
from ggp.studio.jobs import Jobs
from ggp.studio.library import Library, SheetText
from ggp.studio.tables import Tables
from ggp.studio.tasks import TASKS, Order
from ggp.studio.work.orders import Opening

SWEEPING = 15.0
"""Seconds between two looks at what nobody uses any more."""

CHECKING, DRAWING = 20.0, 20.0
"""Seconds for one text; of a small picture."""

MEMORY = 1 << 30
"""Bytes for a quick question, on top of what is loaded."""

AT_ONCE = 3
"""Quick questions that are answered at once; small pictures have as many of their own."""

MOST_PICTURES, MOST_DRAWN = 1_000, 400_000
"""Small pictures that are kept; characters of one."""


class Studio:
    """What all requests share. To be made on the event loop."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.nursery = Nursery()
        self.tables, self.jobs = Tables(), Jobs()
        self._questions, self._drawing = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(AT_ONCE)
        self._checks: dict[str, asyncio.Task[Any]] = {}
        self._pictures: OrderedDict[str, str] = OrderedDict()

    async def quick(self, work: Callable[[Any], Any], order: object) -> Any:  # noqa: ANN401
        """The answer to a quick question; raises `Refusal` where it is none."""
        await self.nursery.ready()
        async with self._questions:
            return await answer_to(work, order, CHECKING, MEMORY)

    async def check(self, page: str, work: Callable[[Any], Any], order: object) -> Any:  # noqa: ANN401
        """The same for a page that asks again as one types: what it asked before is ended."""
        before = self._checks.get(page)
        if before:
            before.cancel()
        task = self._checks[page] = asyncio.ensure_future(self.quick(work, order))
        try:
            return await task
        except asyncio.CancelledError:
            raise Refusal("something newer was asked") from None
        finally:
            if self._checks.get(page) is task:
                del self._checks[page]

    async def picture(self, sheet: SheetText) -> str:
        """A small picture of a game; empty where nothing can be drawn soon."""
        key = sheet.digest
        if key not in self._pictures:
            await self.nursery.ready()
            async with self._drawing:
                try:
                    drawn = await answer_to(THUMBNAIL, sheet, DRAWING, MEMORY)
                except Refusal:
                    drawn = ""
            self._pictures[key] = drawn if len(drawn) <= MOST_DRAWN else ""
            while len(self._pictures) > MOST_PICTURES:
                self._pictures.popitem(last=False)
        return self._pictures[key]

    async def sweep(self) -> None:
        """Stop and forget what nobody uses, time and again."""
        while True:
            await asyncio.sleep(SWEEPING)
            self.tables.sweep()
            self.jobs.sweep()

    def close(self) -> None:
        """End all processes."""
        self.tables.close()
        self.jobs.close()


Answer = Callable[[Studio, Request, Mapping[str, Any]], Awaitable[Any]]


def application(library: Library, names: Iterable[str] = ()) -> Starlette:
    """The studio of some games, which answers to some host names besides its own."""

    @asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        app.state.studio = studio = Studio(library)
        sweeping = asyncio.ensure_future(studio.sweep())
        try:
            yield
        finally:
            sweeping.cancel()
            studio.close()

    routes = [
        Route("/", gallery),
        Route("/static/{name}", static),
        Route("/picture/{key:path}", picture),
        Route("/api/tables", _api(open_table), methods=["POST"]),
        Route("/api/tables/{token}", _api(ask_table), methods=["POST"]),
        Route("/api/jobs", _api(begin_job), methods=["POST"]),
        Route("/api/jobs/{token}", _api(ask_job), methods=["POST"]),
        Route("/api/check", _api(check), methods=["POST"]),
        Route("/api/format", _api(format_text), methods=["POST"]),
        Route("/api/drafts", _api(keep_draft), methods=["POST"]),
        Route("/api/save", _api(save), methods=["POST"]),
        Route("/{view}/{key:path}", game_page),
    ]
    guard = Middleware(Guard, names=names)
    return Starlette(routes=routes, middleware=[guard], lifespan=life)


# Pages.


async def gallery(request: Request) -> Response:
    """All games."""
    library = _studio(request).library
    own = await asyncio.to_thread(library.own)
    shown = {"drafts": library.drafts(), "own": own, "shipped": library.shipped()}
    return pages.page("gallery", new=pages.new_sheet(), **shown)


async def game_page(request: Request) -> Response:
    """One view of one game."""
    view, key = request.path_params["view"], request.path_params["key"]
    if view not in pages.VIEWS:
        return pages.problem("There is no such page.", 404)
    library = _studio(request).library
    try:
        entry = await asyncio.to_thread(library.entry, key)
        values = dict(request.query_params) if entry.parameters else {}
        sheet = await asyncio.to_thread(library.sheet, key, values)
    except UnknownName as error:
        return pages.problem(told(error), 404)
    except GgpError as error:
        wrong = {"entry": entry, "values": values, "view": view, "text": told(error)}
        return pages.page("faulty", 400, **wrong)
    origin = sheet.origin or key
    is_saved = await asyncio.to_thread(library.file_of, origin) is not None
    return pages.page(
        view,
        entry=entry,
        values=values,
        view=view,
        file=sheet.name.removesuffix(".jinja").rpartition("/")[2],
        is_saved=is_saved,
        origin=origin,
        has_home=library.has_home,
    )


async def static(request: Request) -> Response:
    """A script or style of the studio."""
    return pages.static(request.path_params["name"])


async def picture(request: Request) -> Response:
    """A small picture of a game."""
    studio = _studio(request)
    key, values = request.path_params["key"], dict(request.query_params)
    try:
        sheet = await asyncio.to_thread(studio.library.sheet, key, values)
    except GgpError:
        return Response(status_code=404)
    drawn = await studio.picture(sheet) or pages.NO_PICTURE
    headers = {"Cache-Control": "max-age=60"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


# What the pages' scripts ask for.


def _api(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    """A request with a JSON object, answered by one; what is wrong is told as `error`."""

    async def answered(request: Request) -> Response:
        studio = _studio(request)
        try:
            body = body_of(await request.body())
            return JSONResponse(await answer(studio, request, body))
        except ClientDisconnect:
            return JSONResponse({"error": "not all of the request came"}, 408)
        except UnknownName as error:
            return JSONResponse({"error": told(error)}, 404)
        except GgpError as error:
            return JSONResponse({"error": told(error)}, 400)

    return answered


def _studio(request: Request) -> Studio:
    studio: Studio = request.app.state.studio
    return studio


def _text(body: Mapping[str, Any], name: str) -> str:
    """A text of a request."""
    found = body.get(name, "")
    if not isinstance(found, str):
        raise InputError(f"{name} is no text")
    return found


def _names(body: Mapping[str, Any], name: str) -> dict[str, str]:
    """Texts by texts of a request."""
    found = body.get(name, {})
    if not is_names(found):
        raise InputError(f"{name} is no set of names")
    return found


async def _sheet(studio: Studio, body: Mapping[str, Any]) -> SheetText:
    """The sheet that a request is about: the text that it has, or that of a game."""
    if "text" in body:
        return SheetText(_text(body, "name") or "sheet.kif", _text(body, "text"))
    key, values = _text(body, "game"), _names(body, "values")
    return await asyncio.to_thread(studio.library.sheet, key, values)


async def open_table(studio: Studio, request: Request, body: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Set up a table: `game`, `values`, `seats`, `seconds`, `start` (facts), `line`."""
    seconds = body.get("seconds", 1.0)
    if type(seconds) not in (int, float):
        raise InputError("seconds is no number")
    sheet = await _sheet(studio, body)
    seats = _names(body, "seats")
    order = Opening(sheet, seats, float(seconds), _text(body, "start"), _text(body, "line"))
    await studio.nursery.ready()
    return await studio.tables.open(order)


async def ask_table(studio: Studio, request: Request, body: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Tell a table what was clicked; see `Desk.take`."""
    return await studio.tables.ask(request.path_params["token"], body)


async def begin_job(studio: Studio, request: Request, body: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Begin long work: `task`, and what it takes."""
    name = _text(body, "task")
    if name not in TASKS:
        raise UnknownName("there is no such task")
    task, order = TASKS[name], Order(await _sheet(studio, body), body)
    await studio.nursery.ready()
    return studio.jobs.begin(task.work, order, task.seconds, task.memory).told(0)


async def ask_job(studio: Studio, request: Request, body: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """How far a job is, and its results from `after` on; with `stop`, end it."""
    job = studio.jobs.get(request.path_params["token"])
    after = body.get("after", 0)
    if body.get("stop") is True:
        studio.jobs.stop(job)
    return job.told(after if type(after) is int and after >= 0 else 0)


async def check(studio: Studio, request: Request, body: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """What is wrong with a text, and its colours."""
    if "text" not in body:
        return {"text": await studio.quick(RENDERED, await _sheet(studio, body))}
    return await studio.check(_text(body, "page")[:40], CHECKED, await _sheet(studio, body))


async def format_text(studio: Studio, request: Request, body: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """A text in the layout of `ggp fmt`."""
    return {"text": await studio.quick(LAID_OUT, await _sheet(studio, body))}


async def keep_draft(studio: Studio, request: Request, body: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Keep an edited text for the other views; its key."""
    name, text = _text(body, "name") or "sheet.kif", _text(body, "text")
    origin = _text(body, "origin")
    return {"game": await asyncio.to_thread(studio.library.draft, name, text, origin)}


async def save(studio: Studio, request: Request, body: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Write a text to the user's file that it was read from, if that is still what it was; or to a
    new one, with the name `as`."""
    if "as" in body:
        name, text = _text(body, "as"), _text(body, "text")
        return {"game": await asyncio.to_thread(studio.library.save_new, name, text)}
    key = _text(body, "game")
    file = await asyncio.to_thread(studio.library.file_of, key)
    if file is None:
        await asyncio.to_thread(studio.library.entry, key)  # if there is none, that is said
        raise InputError("only sheets of your own are saved, and no templates")
    await asyncio.to_thread(saving.save, file, _text(body, "text"), _text(body, "was"))
    return {"saved": file.name}
