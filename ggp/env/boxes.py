"""Spaces of Gymnasium for what is observed and done; the library is needed here."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete

from ggp.env.spaces import Spaces


def observation_box(spaces: Spaces) -> Box:
    """The space of one observation."""
    return Box(0, 1, spaces.shape, np.int8)


def masked_box(spaces: Spaces) -> Dict:
    """The space of an observation together with what is legal."""
    mask = Box(0, 1, (spaces.actions,), np.int8)
    return Dict({"observation": observation_box(spaces), "action_mask": mask})


def action_box(spaces: Spaces) -> Discrete:
    """The space of the actions of one player."""
    return Discrete(spaces.actions)
