"""A scene as plain data: what a program needs to draw it in a way of its own."""

from __future__ import annotations

from typing import Any

from ggp.show.board.families import Row
from ggp.show.board.model import Board
from ggp.show.board.scene import DrawnBoard, Move, Scene


def scene_json(scene: Scene) -> dict[str, Any]:
    """A scene with its boards, piles and values, and of each move the places to click.

    Places are lists of names in the order of the board's axes, which list the names in order;
    `places` has them all by their numbers.
    """
    return {
        "turn": None if scene.turn is None else scene.roles[scene.turn],
        "terminal": scene.terminal,
        "goals": dict(scene.goals) if scene.goals else None,
        "boards": [_board(drawn, scene) for drawn in scene.boards],
        "piles": [
            {
                "name": name,
                "piles": [{"name": p.name, "count": p.count, "height": p.height} for p in piles],
            }
            for name, piles in scene.piles
        ],
        "values": [{"name": name, "value": value} for name, value in scene.values],
        "facts": list(scene.facts),
        "facts_left_out": scene.omitted,
        "moves": [_move(move, scene) for move in scene.moves],
    }


def shape_of(board: Board) -> str:
    """The shape of a board's cells: `square`, `hexagon`, `row` (one row of squares) or `graph`."""
    if board.points:
        return "graph"
    if board.row is None:
        return "row"
    return "hexagon" if board.lean else "square"


def _names(key: Row) -> list[str]:
    return [str(name) for name in key]


def _board(drawn: DrawnBoard, scene: Scene) -> dict[str, Any]:
    board = drawn.board
    return {
        "name": drawn.title,
        "shape": shape_of(board),
        "axes": [_names(axis) for axis in board.axes],
        "column": board.column,
        "row": board.row,
        "slices": list(board.slices),
        "lean": board.lean,
        "points": [{"place": _names(k), "x": x, "y": y} for k, (x, y) in board.points.items()],
        "places": [_names(key) for key in board.numbers],
        "contents": [
            {
                "place": _names(key),
                "title": mark.title,
                "text": mark.text,
                "owner": None if mark.owner is None else scene.roles[mark.owner],
            }
            for key in sorted(drawn.cells, key=board.rank)
            for mark in drawn.cells[key]
        ],
        "changed": [_names(key) for key in sorted(drawn.changed, key=board.rank)],
    }


def _move(move: Move, scene: Scene) -> dict[str, Any]:
    return {
        "role": scene.roles[move.role],
        "move": str(move.text),
        "clicks": [
            {"board": board, "places": sorted(map(_names, places))} for board, places in move.clicks
        ],
    }
