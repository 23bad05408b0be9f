"""Boards: states drawn as people would draw them, found from the rules alone, without names."""

from ggp.show.board.layout import DrawingPlan, plan_of, require_override
from ggp.show.board.scene import Scene, scene_of
from ggp.show.board.svg import described, scene_svg
from ggp.show.board.text import scene_text

__all__ = [
    "DrawingPlan",
    "Scene",
    "described",
    "plan_of",
    "require_override",
    "scene_of",
    "scene_svg",
    "scene_text",
]
