"""Spaces of Gymnasium for what is observed and done; the library is needed here."""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete

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


def observations_box(spaces: Spaces, games: int) -> Box:
    """The space of the observations of many games."""
    several = spaces.is_private and len(spaces.roles) > 1
    players = (len(spaces.roles),) if several else ()
    return Box(0, 1, (games, *players, *spaces.shape), np.int8)


def actions_box(spaces: Spaces, games: int) -> MultiDiscrete:
    """The space of the actions of all players of many games."""
    players = (len(spaces.roles),) if len(spaces.roles) > 1 else ()
    return MultiDiscrete(np.full((games, *players), spaces.actions, dtype=np.int32), np.int32)
