"""The value of a position in the theory of combinatorial games, as a page shows it; and of games
that are written down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from markupsafe import Markup

from ggp.errors import GgpError, InputError, LimitReached, NotSolvable
from ggp.game import State
from ggp.limits import Budget, look
from ggp.show.atlas import atlas_plot
from ggp.show.html import image
from ggp.show.moves import move_text
from ggp.show.outcomes import LOOPY, SHORT
from ggp.show.progress import Told
from ggp.show.thermograph import thermograph_svg
from ggp.show.values import Found, counted, game_rows, loopy_rows, short, value_rows
from ggp.solver.valued import BoardValues, ComesAgain, LoopyValue, NoValue, values
from ggp.solver.valued.values import MAX_GAMES
from ggp.studio.jobs import Heed, Say
from ggp.studio.tasks import Order
from ggp.studio.work.analysing import limits_of
from ggp.studio.work.fragments import fragment
from ggp.studio.work.impartial import MISERE, impartial
from ggp.studio.work.places import NamedPosition, place_of, text_of
from ggp.studio.work.sheets import game_of
from ggp.text import plain, shortened
from ggp.theory import GameLimit, LoopyGame, NotationError, ShortGame, limited

SECONDS, ATLAS = 20.0, 15.0
"""For a value, where a page asks for no other time; for the atlas, and for nim-values."""

MOST_BOARDS = 20_000
"""Boards of an atlas."""

MOST_ROWS = 100
"""Values of an atlas that are listed, and moves."""

MOST_TEXT, MOST_STEPS = 2_000, 20_000_000
"""Characters of a game in notation, and comparisons of games that it may take."""

MOST_FORM = 4_000
"""Characters of a canonical form."""


@contextmanager
def _bounded(budget: Budget, games: int = MAX_GAMES, steps: float = MOST_STEPS) -> Iterator[None]:
    """While this lasts, arithmetic of games looks at an account."""
    try:
        with budget.in_force(), limited(games, steps, lambda: look("arithmetic of games")):
            yield
    except GameLimit as error:
        raise LimitReached("games", games, str(error)) from error


def value(order: Order, say: Say, heed: Heed) -> None:
    """The value of a position, of its moves and of all its boards."""
    limits = limits_of(order.asked, SECONDS)
    budget = Budget(limits)
    heed("reading the rules")
    place = place_of(game_of(order.sheet, limits), order.asked, budget, turn=True)
    told = Told("boards")
    found: Found | None = None
    with place.game.within(budget), _bounded(budget, steps=1e12):
        try:
            found = values(
                place.game,
                place.state,
                budget=budget,
                progress=lambda count, done: heed(told(count, done)),
            )
        except NoValue as error:
            say({"slot": "value", "html": _refused(error)})
            if isinstance(error, ComesAgain):
                heed("the loopy game")
                say({"slot": "loopy", "html": _loopy_value(error)})
        except LimitReached as error:
            say({"slot": "value", "html": fragment("no-value", why=str(error), example="")})
            return
        else:
            say({"slot": "value", "html": _value(found)})
            say({"slot": "moves", "html": _moves(place, found)})
    heed("nim-values")
    _show_impartial(place, replace(limits, seconds=min(ATLAS, limits.seconds)), say)
    if found is not None:
        heed("all boards")
        own = replace(limits, seconds=min(ATLAS, limits.seconds), positions=MOST_BOARDS)
        say({"slot": "atlas", "html": _atlas(place, found, Budget(own))})


def _value(found: Found) -> str:
    rows = value_rows(found, found.moves())
    return fragment(
        "value", rows=_shown(rows), form=_form(found.whole), picture=_graph(found.whole)
    )


def _shown(rows: Sequence[tuple[str, str]]) -> list[tuple[str, Markup]]:
    """Rows in which long texts are cut late."""
    return [(name, Markup("{}").format(plain(shortened(what, 1_000)))) for name, what in rows]


def _form(game: ShortGame | LoopyGame) -> Markup:
    """The canonical form."""
    try:
        text = str(game)
    except (GameLimit, ValueError):
        text = "(a form of more than a million characters)"
    return Markup("{}").format(shortened(text, MOST_FORM))


def _graph(game: ShortGame) -> Markup | None:
    """The thermograph; None of numbers, which have none to speak of."""
    if game.temperature < 0:
        return None
    return Markup(thermograph_svg(game.thermograph))


def _refused(error: NoValue) -> str:
    """That there are no values as short games, and why."""
    facts = " ".join(error.facts)
    example = Markup("{}").format(plain(shortened(facts, 1_000))) if facts else ""
    return fragment("no-value", why=str(error), example=example)


def _loopy_value(error: ComesAgain) -> str:
    """What a position is as a loopy game."""
    return fragment("pairs", rows=_shown(loopy_rows(LoopyValue(error.boards))))


def _moves(place: NamedPosition, found: Found) -> str:
    listed = found.moves()
    listed.sort(key=lambda one: not one.sensible)
    rows = [
        {
            "role": one.role,
            "move": move_text(place.game.term(one.move), 200),
            "value": short(one.value),
            "outcome": SHORT[one.value.outcome],
            "sensible": one.sensible,
            "hash": _after(place, one.role, one.move),
        }
        for one in listed[:MOST_ROWS]
    ]
    return fragment("valued-moves", rows=rows, more=max(0, len(listed) - MOST_ROWS))


def _after(place: NamedPosition, role: str, move: str) -> str:
    """The address of the position after a move of a role, as if it were its turn; empty where it
    has none."""
    game, marker = place.game, place.game.marker
    assert marker is not None
    index, bits = game.roles.index(role), place.state.bits
    here = place
    if marker.role(bits) != index:
        state = State(game, marker.place(marker.board(bits), index))
        here = NamedPosition(state, " ".join(map(str, state.facts)))
    with suppress(GgpError, ValueError):
        wanted = game.term(move)
        return here.hash(
            [wanted if own == role else here.state.require_legal(own)[0] for own in game.roles]
        )
    return ""


def _show_impartial(place: NamedPosition, limits: Any, say: Say) -> None:  # noqa: ANN401
    """Nim-value and genus, where the game is impartial on all boards that play leads to."""
    budget = Budget(limits)
    try:
        with place.game.within(budget), _bounded(budget):
            found = impartial(place.state)
    except (NotSolvable, LimitReached):
        return
    is_misere = found.form == MISERE
    rows = [
        ("form", f"{found.form} play" if found.form else "nobody can move"),
        ("nim-value", str(found.genus.nim_value)),
        ("genus", f"{found.genus}{', tame like all that can come of it' * found.is_tame}"),
        ("outcome", SHORT[found.outcome]),
    ]
    moves = [
        (move_text(place.game.term(move), 200), str(genus), _wins(genus, is_misere))
        for move, genus in found.moves[:MOST_ROWS]
    ]
    say({"slot": "impartial", "html": fragment("impartial", rows=rows, moves=moves)})


def _wins(genus: Any, is_misere: bool) -> bool:  # noqa: ANN401
    """Whether a move to a board of a genus wins."""
    return bool((genus.misere_outcome if is_misere else genus.outcome) == "P")


def _atlas(place: NamedPosition, found: Found, budget: Budget) -> str:
    """How many boards have which value, of few boards."""
    why, rows, plot, count, more = "", [], None, 0, 0
    try:
        with place.game.within(budget), _bounded(budget, steps=1e12):
            every = found
            if not isinstance(every, BoardValues):
                every = values(place.game, place.state, every=True, budget=budget)
            listed = counted(every)
            count, more = every.count, max(0, len(listed) - MOST_ROWS)
            rows = [
                (f"{n:,}", short(one), str(one.birthday), SHORT[one.outcome])
                for one, n in listed[:MOST_ROWS]
            ]
            with suppress(InputError):
                picture = atlas_plot(listed, plain(place.game.name))
                plot = image(picture.data(".svg"), picture.alt.description)
    except GgpError as error:
        why = str(error)
    return fragment("atlas", rows=rows, plot=plot, why=why, count=f"{count:,}", more=more)


def notation(order: Order, say: Say, heed: Heed) -> None:
    """A game that is written down; loopy ones, too."""
    text = text_of(order.asked, "text").strip()
    if not 0 < len(text) <= MOST_TEXT:
        raise InputError(f"a game in notation has 1 to {MOST_TEXT:,} characters")
    budget = Budget(limits_of({}, SECONDS))
    heed("reading the game")
    try:
        with _bounded(budget, games=200_000):
            say({"slot": "notation", "html": _read(text)})
    except ValueError as error:
        if isinstance(error, GgpError):
            raise
        raise InputError(str(error)) from None


def _read(text: str) -> str:
    """A text as a part of the page; raises `NotationError`."""
    try:
        game = ShortGame.parse(text)
    except NotationError:
        loopy = LoopyGame.parse(text)
        return fragment("value", form=_form(loopy), rows=_shown(_loopy(loopy)), picture=None)
    rows = game_rows(game)[1:]
    for name, options in (("Left moves to", game.left), ("Right moves to", game.right)):
        rows.append((name, ", ".join(map(short, options[:20])) or "nothing"))
    return fragment("value", form=_form(game), rows=_shown(rows), picture=_graph(game))


def _loopy(game: LoopyGame) -> list[tuple[str, str]]:
    rows = [("outcome", LOOPY[game.outcome])]
    if game.is_stopper:
        return [*rows, ("kind", "a stopper: no play in turns goes on for ever")]
    if game.is_stopper_sided:
        rows += [("draws to Left", str(game.onside)), ("draws to Right", str(game.offside))]
    return rows
