"""Loopy games as their definitions say, slowly: an oracle that shares nothing with the package.

A graph maps each position to the tuples of its Left and its Right options (Siegel 2013, chapter
VI); a sum is the graph of pairs, and who survives it is found by striking out positions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

Graph = dict[Hashable, tuple[tuple[Hashable, ...], tuple[Hashable, ...]]]
Game = tuple[Graph, Hashable]

LEAVES: Graph = {
    "0": ((), ()),
    "*": (("0",), ("0",)),
    "1": (("0",), ()),
    "-1": ((), ("0",)),
    "^": (("0",), ("*",)),
}
"""Short games from which loopy ones are made."""


def minus(game: Game) -> Game:
    graph, start = game
    return {place: (right, left) for place, (left, right) in graph.items()}, start


def plus(g: Game, h: Game) -> Game:
    (mine, a), (yours, b) = g, h
    graph = {
        (x, y): (
            tuple((o, y) for o in mine[x][0]) + tuple((x, o) for o in yours[y][0]),
            tuple((o, y) for o in mine[x][1]) + tuple((x, o) for o in yours[y][1]),
        )
        for x in mine
        for y in yours
    }
    return reached((graph, (a, b)))


def reached(game: Game) -> Game:
    """Only what moves lead to."""
    graph, start = game
    found = {start}
    while new := {o for place in found for side in graph[place] for o in side} - found:
        found |= new
    return {place: sides for place, sides in graph.items() if place in found}, start


def survivals(graph: Graph, player: int) -> set[tuple[Hashable, int]]:
    """The positions and players to move in which a player (0 Left, 1 Right) is never stuck."""
    alive = {(place, turn) for place in graph for turn in (0, 1)}
    while True:
        lost = set()
        for place, turn in alive:
            moves = [(o, 1 - turn) in alive for o in graph[place][turn]]
            if not any(moves) if turn == player else not all(moves):
                lost.add((place, turn))
        if not lost:
            return alive
        alive -= lost


def survives(game: Game, player: int, turn: int) -> bool:
    return (game[1], turn) in survivals(game[0], player)


def leq(g: Game, h: Game) -> bool:
    """G ≤ H for stoppers: Left, second, survives H − G."""
    return survives(plus(h, minus(g)), 0, 1)


def equal(g: Game, h: Game) -> bool:
    return leq(g, h) and leq(h, g)


def outcome(game: Game) -> str:
    """Who wins, or D, if Left begins and if Right begins."""
    left, right = survivals(game[0], 0), survivals(game[0], 1)
    return "".join(
        "D" if (game[1], turn) in left & right else "L" if (game[1], turn) in left else "R"
        for turn in (0, 1)
    )


def cycle(graph: Graph) -> list[tuple[Hashable, int]] | None:
    """A play in turns that comes back to where it was, or None: then it is a stopper."""
    for first in [(place, turn) for place in graph for turn in (0, 1)]:
        before: dict = {first: None}
        todo = [first]
        while todo:
            place, turn = now = todo.pop()
            for option in graph[place][turn]:
                after = (option, 1 - turn)
                if after == first:
                    path = [now]
                    while before[path[-1]] is not None:
                        path.append(before[path[-1]])
                    return path[::-1]
                if after not in before:
                    before[after] = now
                    todo.append(after)
    return None


def stopped(game: Game) -> Game:
    """The game made a stopper: from each play in turns that comes back a move is taken away."""
    graph, start = game
    graph = dict(graph)
    while path := cycle(graph):
        place, turn = path[-1]
        sides = list(graph[place])
        sides[turn] = tuple(o for o in sides[turn] if o != path[0][0])
        graph[place] = (sides[0], sides[1])
    return reached((graph, start))


def without_one_option(game: Game) -> Iterator[Game]:
    """Every game with one option less."""
    graph, start = game
    for place, sides in graph.items():
        for side in (0, 1):
            for option in sides[side]:
                rest = tuple(o for o in sides[side] if o != option)
                both = (rest, sides[1]) if side == 0 else (sides[0], rest)
                yield {**graph, place: both}, start
