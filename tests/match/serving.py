"""A player served in this process, and our engine as a game manager's rules."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import ggp
from ggp.match import PlayerServer, PlayerService, PlayerSettings


@contextmanager
def served(settings: PlayerSettings = PlayerSettings()) -> Iterator[tuple[str, int]]:  # noqa: B008
    """The address of a player that answers until the block is left."""
    address: list[tuple[str, int]] = []
    ready = threading.Event()
    stop: list[Callable[[], None]] = []

    async def main() -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        stop.append(lambda: loop.call_soon_threadsafe(task.cancel))
        service = PlayerService(settings)
        try:
            await service.prepare()
            server = PlayerServer(service)
            address.append(("127.0.0.1", await server.start("127.0.0.1", 0)))
            ready.set()
            await server.serve_forever()
        finally:
            service.close()

    def run() -> None:
        with suppress(asyncio.CancelledError):
            asyncio.run(main())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    assert ready.wait(600), "the loops may have to be compiled first, but not for ten minutes"
    try:
        yield address[0]
    finally:
        stop[0]()
        thread.join(20)


class GameRules:
    """A game as the manager wants its rules."""

    def __init__(self, path: Path, **parameters: int) -> None:
        self.game = ggp.load(path, **parameters)
        self.roles = list(self.game.roles)
        self.text = self.game.rules.source.text

    def initial(self) -> ggp.State:
        return self.game.initial

    def legal(self, state: ggp.State, role: str) -> list[str]:
        return [str(move) for move in state.legal(role)]

    def next(self, state: ggp.State, moves: dict[str, str]) -> ggp.State:
        return state.play(moves)

    def terminal(self, state: ggp.State) -> bool:
        return state.terminal

    def goals(self, state: ggp.State) -> dict[str, int]:
        return state.goals
