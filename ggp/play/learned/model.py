"""What was learned of a game: a small network for the worth of states and of moves.

Two hidden layers over one input for each fluent; numpy alone runs it. A file holds the arrays of
one set of rules, known by their fingerprint, and what a tournament said of it.
"""

from __future__ import annotations

import json
import math
import os
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_data_path

from ggp.errors import InputError
from ggp.game import Game
from ggp.whole import replaced

FORMAT = "ggp-model/1"

FOLDER = "GGP_MODELS"
"""The variable of the environment that names another folder for models."""

MOST_BYTES = 1 << 28
"""Bytes of the arrays of a model."""

LARGEST = 1e6
"""The largest number of a model."""

Floats = NDArray[np.float32]

LAYERS = ("hidden", "deeper", "worth", "moves")
"""The layers of the network: each a matrix, and what is added, called `NAME bias`."""


@dataclass(frozen=True)
class ModelVerdict:
    """What a tournament of so many `matches` against `rival` came to: the share of the points that
    the model had, and the interval that holds its true share in 95 of 100 cases."""

    rival: str
    matches: int
    share: float
    low: float
    high: float
    play_clock: float

    def require_sound(self) -> None:
        """Raise `ValueError` for what no tournament says."""
        shares = (self.low, self.share, self.high)
        if not all(isinstance(share, int | float) and 0 <= share <= 1 for share in shares):
            raise ValueError("shares that are none")
        if not (isinstance(self.rival, str) and isinstance(self.matches, int)):
            raise ValueError("no rival, or no matches")

    @property
    def is_better(self) -> bool:
        """Whether the model is proved to be the better player: its share is above a half, and not
        by chance."""
        return self.low > 0.5


@dataclass(frozen=True, eq=False)
class Model:
    """The network of one game. `arrays`: see `LAYERS`; `rules` their fingerprint, `steps` those it
    was trained for; `verdict` is missing until it was tried."""

    rules: str
    players: int
    actions: int
    arrays: Mapping[str, Floats]
    steps: int
    seed: int
    verdict: ModelVerdict | None = None

    @property
    def inputs(self) -> int:
        """How many fluents there are."""
        return int(self.arrays["hidden"].shape[0])

    def deep(self, held: NDArray[Any]) -> Floats:
        """What the hidden layers make of states, given as which fluents hold (n, fluents)."""
        found = held.astype(np.float32)
        for name in ("hidden", "deeper"):
            found = np.maximum(found @ self.arrays[name] + self.arrays[f"{name} bias"], 0)
        return found

    def worth(self, deep: Floats) -> Floats:
        """What each player gets from states on, as rewards of environments are (n, players)."""
        found: Floats = np.tanh(deep @ self.arrays["worth"] + self.arrays["worth bias"])
        return found

    def moves(self, deep: Floats) -> Floats:
        """How good each action of each player is (n, players, actions), as logarithms of chances up
        to a constant."""
        found = deep @ self.arrays["moves"] + self.arrays["moves bias"]
        return found.reshape(len(deep), self.players, self.actions)

    def fits(self, game: Game) -> bool:
        """Whether it is of these rules, as they are ground here."""
        return (
            game.is_ground
            and self.rules == game.rules.fingerprint
            and self.players == len(game.players)
            and self.inputs == len(game.net.fluents)
            and self.actions == max(len(game.net.moves[role]) for role in game.player_indices)
        )

    def judged(self, verdict: ModelVerdict) -> Model:
        """The same with what a tournament said."""
        return replace(self, verdict=verdict)

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all; raises `InputError` where that is impossible."""
        about = {
            "format": FORMAT,
            "rules": self.rules,
            "players": self.players,
            "actions": self.actions,
            "steps": self.steps,
            "seed": self.seed,
            "verdict": asdict(self.verdict) if self.verdict else None,
        }
        arrays: dict[str, Any] = {name.replace(" ", "_"): a for name, a in self.arrays.items()}
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replaced(path) as place, place.open("wb") as file:
                np.savez(file, **arrays)
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}", file=path) from None

    @classmethod
    def load(cls, path: Path) -> Model:
        """The model in a file; raises `InputError` where there is none."""
        try:
            if path.stat().st_size > MOST_BYTES:
                raise ValueError("too large")
            with zipfile.ZipFile(path) as parts:
                if sum(part.file_size for part in parts.infolist()) > MOST_BYTES:
                    raise ValueError("too large")
                for part in parts.infolist():
                    _require_size(parts, part)
            with np.load(path, allow_pickle=False) as file:
                found = {name: file[name] for name in file.files}
            about = json.loads(found.pop("about").tobytes())
            if about["format"] != FORMAT:
                raise ValueError("another format")
            verdict = ModelVerdict(**about["verdict"]) if about["verdict"] else None
            if verdict:
                verdict.require_sound()
            made = cls(
                str(about["rules"]),
                int(about["players"]),
                int(about["actions"]),
                {name.replace("_", " "): array for name, array in found.items()},
                int(about["steps"]),
                int(about["seed"]),
                verdict,
            )
            made._require_shapes()
        except OSError as error:
            raise InputError(f"{path}: {error.strerror or error}", file=path) from None
        except Exception:  # zip, its packings and npy raise whatever they like
            raise InputError(f"{path}: no model, or one that was altered", file=path) from None
        return made

    def _require_shapes(self) -> None:
        hidden, deeper = self.arrays["hidden"].shape[1], self.arrays["deeper"].shape[1]
        wanted = {
            "hidden": (self.inputs, hidden),
            "hidden bias": (hidden,),
            "deeper": (hidden, deeper),
            "deeper bias": (deeper,),
            "worth": (deeper, self.players),
            "worth bias": (self.players,),
            "moves": (deeper, self.players * self.actions),
            "moves bias": (self.players * self.actions,),
        }
        if {name: array.shape for name, array in self.arrays.items()} != wanted:
            raise ValueError("arrays of other shapes")
        if any(a.dtype != np.float32 for a in self.arrays.values()):
            raise ValueError("arrays of other numbers")
        # Not so large that sums of them could pass all bounds; false of what is no number.
        if not all((np.abs(a) <= LARGEST).all() for a in self.arrays.values()):
            raise ValueError("numbers beyond all bounds")


def _require_size(parts: zipfile.ZipFile, part: zipfile.ZipInfo) -> None:
    """Raise `ValueError` for an array whose header speaks of more than there is."""
    with parts.open(part) as file:
        version = np.lib.format.read_magic(file)
        read = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }[version]
        shape, _, kind = read(file)
    if math.prod(shape) * kind.itemsize > part.file_size:
        raise ValueError("an array that is not there")


def model_path(game: Game) -> Path:
    """Where the model of a game is kept: in a folder of the user, by the rules' fingerprint."""
    chosen = os.environ.get(FOLDER)
    folder = Path(chosen) if chosen else user_data_path("ggp") / "models"
    return folder / f"{game.rules.fingerprint}.npz"


def find_model(game: Game) -> Model | None:
    """The model of a game, if one is kept that can be read and fits."""
    path = model_path(game)
    try:
        model = Model.load(path) if path.is_file() else None
    except InputError:
        return None
    return model if model and model.fits(game) else None
