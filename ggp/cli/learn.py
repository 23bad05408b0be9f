"""`ggp learn`: a model of a game, trained by self-play and tried in a tournament."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from ggp.cli.common import Name, err, game_options, load_game, print_json, say
from ggp.cli.files import require_distinct, require_writable
from ggp.cli.players import clock_options, heed
from ggp.cli.spreading import counted
from ggp.errors import InputError
from ggp.game import Game
from ggp.limits import DEFAULT
from ggp.match.trial import RIVAL, trial
from ggp.play.learned import Model, ModelVerdict, find_model, model_path
from ggp.text import plain


@click.command()
@game_options
@click.option(
    "--steps",
    type=click.IntRange(min=1),
    default=3_000_000,
    show_default=True,
    help="Joint moves of self-play, in whole updates of 16,384.",
)
@click.option(
    "--matches",
    type=click.IntRange(min=0),
    default=40,
    show_default=True,
    help=f"Matches against {RIVAL}, in whole rounds of all seatings; 0 for no trial.",
)
@clock_options(1.0, 0.25)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of chance.")
@click.option(
    "--output",
    type=Name(path_type=Path),
    metavar="FILE",
    help="Write the model to FILE, and not where players look for it.",
)
def learn(
    file: Path,
    form: str,
    settings: tuple[str, ...],
    strict_case: bool,
    steps: int,
    matches: int,
    start_clock: float,
    play_clock: float,
    seed: int,
    output: Path | None,
) -> int:
    """Learn a game by playing it, and try what was learned in a tournament (extra ggp[learn]).

    The model is kept for the rules, whatever their file is called. `ggp serve` goes by it where the
    tournament has proved it to be better than the search without it: more than half of the points,
    and not by chance (an interval of 95 %). A model that was proved is not replaced by one that was
    not. Players of that name, `learned`, go by it in any case. What is learned hangs on --steps and
    --seed, on one machine; the tournament on the clock, as all matches do. Exit code 1 if the model
    was tried and is not better.

    \b
    Example: ggp learn games/breakthrough/breakthrough.kif.jinja

    JSON: steps, seed, model (the file), verdict (rival, matches, share, low, high, play_clock, or
    null), is_better, is_kept.
    """
    if output is not None:
        require_writable(output)
        require_distinct(file, output)
    # Imported here: help texts need no learning.
    from ggp.learn import train

    game = load_game(file, settings, strict_case, DEFAULT)
    if len(game.players) < 2:
        raise InputError(f"{game.name}: is played by one alone, whom search serves better")
    place = output or model_path(game)
    former = None if output else find_model(game)
    with counted(err, "learning", steps) as advance:
        model = train(game, steps, seed=seed, told=advance)
    is_kept = not (former and former.verdict and former.verdict.is_better)
    if is_kept:
        model.save(place)
    if matches:
        model = model.judged(_tried(game, model, matches, start_clock, play_clock, seed))
        assert model.verdict
        if is_kept or model.verdict.is_better:
            is_kept = True
            model.save(place)
    _tell(model, place, form, is_kept=is_kept)
    return 1 if model.verdict and not model.verdict.is_better else 0


def _tried(
    game: Game, model: Model, matches: int, start_clock: float, play_clock: float, seed: int
) -> ModelVerdict:
    with counted(err, "trying", matches) as advance:
        return trial(
            game,
            model,
            matches,
            start_clock=start_clock,
            play_clock=play_clock,
            seed=seed,
            told=advance,
            progress=heed,
        )


def _tell(model: Model, place: Path, form: str, *, is_kept: bool) -> None:
    verdict = model.verdict
    if form == "json":
        data: dict[str, Any] = {
            "steps": model.steps,
            "seed": model.seed,
            "model": str(place),
            "verdict": asdict(verdict) if verdict else None,
            "is_better": bool(verdict and verdict.is_better),
            "is_kept": is_kept,
        }
        print_json("learn", data)
        return
    say(plain(f"Learned from {model.steps:,} steps of self-play."))
    if verdict:
        say(
            plain(
                f"  {verdict.share:.1%} of the points in {verdict.matches} matches against "
                f"{verdict.rival} (95 %: {verdict.low:.0%} to {verdict.high:.0%}), "
                f"{verdict.play_clock:g} s a move"
            )
        )
        better = (
            "better: `ggp serve` goes by it" if verdict.is_better else "not proved to be better"
        )
        say(plain(f"  {better}"))
    say(plain(f"  {'kept in' if is_kept else 'not kept, a better one stays in'} {place}"))
