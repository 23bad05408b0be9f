"""The thinking half in this process: what it says to each order, and when it stops thinking."""

from __future__ import annotations

import threading
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from types import SimpleNamespace

import pytest
from rich.text import Text

import ggp
from ggp.errors import LimitReached
from ggp.limits import Limits, look
from ggp.match import worker as module
from ggp.match.course import Turn, game_of
from ggp.match.worker import (
    AT_LEAST,
    Begin,
    Loaded,
    Pace,
    Prepared,
    Think,
    Thought,
    Trouble,
    TurnReport,
    _Mind,
)
from ggp.play import Insight, SearchPlayer

TAKE = """(role a) (role b) (init (heap 2)) (init (control a)) (less 2 1) (less 1 0) (less 2 0)
(<= (legal ?p (to ?m)) (true (control ?p)) (true (heap ?n)) (less ?n ?m))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (heap ?m)) (does ?p (to ?m)))
(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
(<= terminal (true (heap 0))) (<= (goal ?p 0) (true (control ?p)))
(<= (goal ?p 100) (role ?p) (not (true (control ?p))))"""
"""Who takes the last of two has won, which a can do at once."""

HIDDEN = """(role a) (role random) (init s) (legal a x) (legal a y)
(legal random x) (legal random y)
(<= (next (won ?c)) (does a ?c) (does random ?c)) (<= (next over) (true s))
(<= (sees a heard) (does a x)) (<= terminal (true over))
(<= won (true (won ?c))) (<= (goal a 100) won) (<= (goal a 0) (not won))"""
"""A guess, of which one sees little."""

START = Turn(1, (), ())


def mind() -> tuple[_Mind, Connection]:
    """One that thinks, and the other end of its pipe."""
    there, here = Pipe()
    return _Mind(here), there


def said(pipe: Connection) -> list[object]:
    """All that was said so far, but for how fast a search is, which hangs on the machine."""
    words = []
    while pipe.poll():
        words.append(pipe.recv())
    return [word for word in words if not isinstance(word, Pace)]


def begun(rules: str, seconds: float = 5.0, **options: object) -> tuple[_Mind, Connection]:
    made, pipe = mind()
    made.begin(Begin(rules, "a", seconds, strict_case=False, **options))  # type: ignore[arg-type]
    return made, pipe


def test_a_small_game_is_solved_before_play_begins() -> None:
    """If there is time."""
    made, pipe = begun(TAKE, 600.0)
    assert said(pipe) == [Loaded(ground=True), Prepared(solved=True)]
    assert made.player is not None
    assert made.course is not None
    assert str(made.player.role) == "a"


def test_a_turn_is_answered_and_then_told_of() -> None:
    made, pipe = begun(TAKE, 600.0)
    made.think(Think(START, 1.0))
    _, _, *thoughts, report = said(pipe)
    assert thoughts
    assert all(isinstance(word, Thought) and word.turn == 1 for word in thoughts)
    last = thoughts[-1]
    assert isinstance(last, Thought)
    assert (last.move, last.final) == ("(to 0)", True)
    assert isinstance(report, TurnReport)
    assert (report.turn, report.move) == (1, "(to 0)")
    assert "heap" in report.position
    assert 0 <= report.seconds < 60
    assert report.memory > 0


def test_a_later_turn_is_of_the_state_after_what_was_reported() -> None:
    """After one was taken by each play is over for b; for a the heap is at 1."""
    made, pipe = begun(TAKE.replace("(heap 2)) (init", "(heap 3)) (init") + "(less 3 2)", 600.0)
    made.think(Think(Turn(3, (("(to 2)", "noop"), ("noop", "(to 1)")), ("(to 2)",)), 1.0))
    thoughts = [word for word in said(pipe) if isinstance(word, Thought)]
    assert [(word.turn, word.move) for word in thoughts[-1:]] == [(3, "(to 0)")]


def waiting(monkeypatch: pytest.MonkeyPatch, *words: tuple[str, bool]) -> list[str]:
    """Let players make some suggestions, final or not; what is asked of them otherwise."""
    asked: list[str] = []

    class Suggested:
        def __init__(self, move: str, final: bool) -> None:
            self.move, self.final, self.why = move, final, f"why {move}"

    def suggestions(self, state, seconds):  # type: ignore[no-untyped-def]
        for move, final in words:
            asked.append(move)
            yield Suggested(move, final)

    monkeypatch.setattr(SearchPlayer, "suggestions", suggestions)
    monkeypatch.setattr(SearchPlayer, "guesses", suggestions)
    monkeypatch.setattr(
        SearchPlayer, "ponder", lambda self, state, seconds: asked.append(f"ponder {seconds}")
    )
    return asked


@pytest.mark.parametrize(
    ("words", "waits", "thought", "is_drawn"),
    [
        # All of them are passed on, or those until one is final, or the next order waits.
        ([("p", False), ("q", False)], False, "pq", True),
        ([("p", False), ("q", True)], False, "pq", True),
        ([("p", True), ("q", True)], False, "p", True),
        ([("p", False), ("q", False)], True, "p", False),
        ([("p", True)], True, "p", False),
        ([], False, "", True),
        ([], True, "", False),
    ],
)
def test_thoughts_are_passed_on_until_the_last_or_the_next_order(
    monkeypatch: pytest.MonkeyPatch,
    words: list[tuple[str, bool]],
    waits: bool,
    thought: str,
    is_drawn: bool,
) -> None:
    """Then it is told of the turn; unless an order waits, its position is drawn and it is thought
    on."""
    made, pipe = begun(TAKE, 0.0)
    assert len(said(pipe)) == 2
    asked = waiting(monkeypatch, *words)
    if waits:
        pipe.send("an order")
    made.think(Think(START, 2.0))
    found = said(pipe)
    thoughts = [word for word in found if isinstance(word, Thought)]
    finals = dict(words)
    assert thoughts == [Thought(1, move, finals[move], f"why {move}") for move in thought]
    reports = [word for word in found if isinstance(word, TurnReport)]
    assert [report.move for report in reports] == ([thought[-1:]] if is_drawn or thought else [])
    assert all(bool(report.position) == is_drawn for report in reports)
    watched = [f"ponder {module.WATCHED}"] if words[:1] and words[0][1] else []
    after = [*watched, f"ponder {2.0 + module.PONDERING}"]
    assert asked == [*thought, *(after if is_drawn else [])]


def test_what_was_thought_until_the_next_order_came_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A turn that is answered while a search goes on; the log said nothing of it."""
    for rules in (TAKE, HIDDEN):
        made, pipe = begun(rules, 0.0)
        waiting(monkeypatch, ("x", False))
        suggestions = SearchPlayer.suggestions

        def until_an_order(self, *given, before=suggestions, pipe=pipe, made=made):  # type: ignore[no-untyped-def]
            yield from before(self, *given)
            pipe.send("an order")
            made._heed(1, 1)

        monkeypatch.setattr(SearchPlayer, "suggestions", until_an_order)
        monkeypatch.setattr(SearchPlayer, "guesses", until_an_order)
        made.think(Think(START, 2.0))
        _, _, thought, report = said(pipe)
        assert thought == Thought(1, "x", False, "why x")
        assert (report.move, report.position) == ("x", "")


def test_nothing_is_told_of_a_turn_that_was_not_thought_about(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, pipe = begun(TAKE, 0.0)
    pipe.send("an order")
    monkeypatch.setattr(SearchPlayer, "suggestions", lambda *given: made._heed(1, 1) or iter(()))
    with pytest.raises(LimitReached):
        made.think(Think(START, 2.0))
    assert len(said(pipe)) == 2


def test_where_something_is_hidden_the_likeliest_state_is_told_and_nobody_ponders(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = waiting(monkeypatch, ("x", False), ("y", True))
    made, pipe = begun(HIDDEN, 600.0)
    made.think(Think(START, 1.0))
    *thoughts, told = said(pipe)[2:]
    assert thoughts == [Thought(1, "x", False, "why x"), Thought(1, "y", True, "why y")]
    assert (told.move, told.insight) == ("y", Insight("why y"))
    assert told.position.startswith("the likeliest of 1 possible states:\n")
    assert asked == ["x", "y"]


def test_without_a_game_there_is_nothing_to_think_about() -> None:
    made, _ = mind()
    with pytest.raises(ValueError, match="no game"):
        made.think(Think(START, 1.0))


def test_a_search_is_broken_off_when_an_order_waits() -> None:
    made, pipe = mind()
    made._heed(7, 3)
    pipe.send("an order")
    with pytest.raises(LimitReached, match="the next message is here") as caught:
        made._heed(7, 3)
    assert (caught.value.limit, caught.value.value) == ("turn", 7)


@pytest.mark.parametrize(
    ("took", "left"),
    [(4.5, 0.5), (0.0, 5.0), (4.8, AT_LEAST), (5.0, AT_LEAST), (5.5, AT_LEAST), (9.0, AT_LEAST)],
)
def test_what_loading_leaves_of_the_time_is_thought_in(
    monkeypatch: pytest.MonkeyPatch, took: float, left: float
) -> None:
    """Of five seconds; circuits are made however little is left, so that the first turn has none of
    that to do."""
    asked: list[float] = []
    clock = iter([10.0, 10.0 + took])
    monkeypatch.setattr(_Mind, "_settle", lambda self, player: None)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(
        SearchPlayer, "prepare", lambda self, seconds: asked.append(seconds) or False
    )
    _, pipe = begun(TAKE, 5.0)
    assert said(pipe) == [Loaded(ground=True), Prepared(solved=False)]
    assert asked == pytest.approx([left])


@pytest.mark.parametrize(
    ("took", "solved", "grounded", "waits"),
    [
        # After two of five seconds another process thinks meanwhile.
        (1.9, False, True, False), (2.1, False, True, True), (9.0, False, True, True),
        (9.0, True, True, False), (9.0, False, False, False),
    ],
)  # fmt: skip
def test_who_is_late_waits_for_a_search_that_is_worth_it(
    monkeypatch: pytest.MonkeyPatch,
    took: float,
    solved: bool,
    grounded: bool,
    waits: bool,
) -> None:
    clock = iter([10.0, 10.0 + took])
    looked = []

    def settle(self: _Mind, player: SearchPlayer) -> None:
        looked.append(player)

    monkeypatch.setattr(_Mind, "_settle", settle)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(SearchPlayer, "prepare", lambda self, seconds: solved)
    made, pipe = mind()
    made.begin(Begin(TAKE, "a", 5.0, strict_case=False, grounded=grounded))
    assert said(pipe) == [Loaded(grounded), Prepared(solved)]
    assert looked == ([made.player] if waits else [])


@pytest.mark.parametrize(
    ("descents", "seconds", "compiles", "order", "paces"),
    [
        ([0, 30, 330], 0.5, 2, -1, [60, 600]), ([0, 30, 30], 2.0, 2, -1, [15, 0]),
        ([5, 36], 0.0, 1, -1, [31 / 0.3]),
        # Machine code is there, or will not be for long, or somebody asks.
        ([0], 1.0, 0, -1, []), ([0] * 16, 1.0, 99, -1, [0] * 15), ([0] * 16, 7.5, 99, -1, [0, 0]),
        ([0], 1.0, 9, 0, []), ([0, 8, 9], 1.0, 9, 1, [8]),
    ],
)  # fmt: skip
def test_how_fast_a_search_is_is_told_until_it_is_as_fast_as_it_will_be(
    monkeypatch: pytest.MonkeyPatch,
    descents: list[int],
    seconds: float,
    compiles: int,
    order: int,
    paces: list[float],
) -> None:
    """`order`: after how many looks one waits."""
    now, looked, asked = [10.0], [0], [0]

    class Searching:
        game = SimpleNamespace(initial="begin")

        @property
        def descents(self) -> int:
            return descents[looked[0]]

        def ponder(self, state: str, given: float) -> None:
            assert (state, given) == ("begin", module.LOOKING)
            now[0] += seconds
            looked[0] += 1

    def is_compiling() -> bool:
        asked[0] += 1
        return asked[0] <= compiles

    told: list[Pace] = []
    made, _ = mind()
    waits = lambda given=0.0: looked[0] == order  # noqa: E731
    monkeypatch.setattr(made, "pipe", SimpleNamespace(poll=waits, send=told.append))
    monkeypatch.setattr(module, "is_compiling", is_compiling)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))
    made._settle(Searching())  # type: ignore[arg-type]
    assert [pace.descents for pace in told] == pytest.approx(paces)


@pytest.mark.parametrize("seconds", [10.0, 0.0])
def test_grounding_does_not_end_with_the_clock_and_the_tree_has_a_part_of_the_memory(
    monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """Whoever cannot wait for it is answered by a process that does not ground the rules."""
    given: dict[str, object] = {}
    best = module.best_player

    def game(text: str, *, strict_case: bool, grounded: bool, limits: Limits) -> ggp.Game:
        given.update(strict_case=strict_case, grounded=grounded, seconds=limits.ground_seconds)
        return game_of(text, strict_case=strict_case, grounded=grounded, limits=limits)

    def player(game, role, **options):  # type: ignore[no-untyped-def]
        given.update({k: v for k, v in options.items() if k != "progress"}, role=str(role))
        made = best(game, role, **options)
        monkeypatch.setattr(made, "prepare", lambda left: left > 0)
        return made

    monkeypatch.setattr(module, "game_of", game)
    monkeypatch.setattr(module, "best_player", player)
    _, pipe = begun(TAKE, seconds, threads=1, memory=1_000_000_000)
    assert (given["seconds"], given["grounded"]) == (300, True)
    assert given["memory"] == 300_000_000
    assert (given["threads"], given["role"], given["strict_case"]) == (1, "a", False)
    assert said(pipe) == [Loaded(ground=True), Prepared(solved=True)]


def test_a_stand_in_leaves_the_rules_as_they_are_and_lets_others_go_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    more: list[int] = []
    monkeypatch.setattr(module.os, "nice", more.append)
    made, pipe = begun(TAKE, 0.0, grounded=False, nice=5)
    assert said(pipe) == [Loaded(ground=False), Prepared(solved=False)]
    assert more == [5]
    assert made.course is not None
    assert not made.course.game.is_ground
    made.think(Think(START, 1.0))
    moves = {word.move for word in said(pipe) if isinstance(word, Thought)}
    assert moves <= {"(to 0)", "(to 1)"}
    assert moves
    begun(TAKE, 0.0)
    assert more == [5]


@pytest.mark.parametrize(
    ("words", "known", "told"),
    [
        ((("x", False), ("y", False), ("z", True)), True, "yz"),
        ((("x", False), ("y", False), ("z", True)), False, "xyz"),
        ((("x", True),), True, "x"),
        ((("x", False),), True, ""),
    ],
)
def test_where_a_move_is_known_the_first_that_is_legal_is_not_said(
    monkeypatch: pytest.MonkeyPatch, words: tuple[tuple[str, bool], ...], known: bool, told: str
) -> None:
    """It comes before all thought, and another process had time for that."""
    made, pipe = begun(TAKE)
    waiting(monkeypatch, *words)
    said(pipe)
    made.think(Think(START, 1.0, known))
    assert "".join(word.move for word in said(pipe) if isinstance(word, Thought)) == told


def test_who_has_no_legal_move_says_so_at_once() -> None:
    """It was waited for until the clock had run out."""
    made, pipe = begun(TAKE.replace("(legal b noop)", "(legal c noop)"))
    said(pipe)
    made.player.index = 1  # b, who has none  # type: ignore[union-attr]
    made.player.role = "b"  # type: ignore[union-attr]
    made.think(Think(START, 1.0))
    trouble = said(pipe)[0]
    assert trouble == Trouble(1, "there is no legal move")


def report_of(made: _Mind, pipe: Connection, seconds: float) -> str:
    """How the position is told of after a turn."""
    said(pipe)
    made.think(Think(START, seconds))
    [report] = [word for word in said(pipe) if isinstance(word, TurnReport)]
    return report.position


@pytest.mark.parametrize("start", [0.0, 5.0, 8.0])
def test_a_position_is_drawn_whatever_the_clocks(monkeypatch, start):
    monkeypatch.setattr(module, "scene_text", lambda scene: Text("a drawing"))
    made, pipe = begun(TAKE, start)
    waiting(monkeypatch, ("x", True))
    assert report_of(made, pipe, 0.1) == "a drawing"


def test_no_thinking_about_the_next_move_waits_for_a_drawing(monkeypatch) -> None:
    """Finding out how to draw ends when the next message is here, and goes on another time."""
    made, pipe = begun(TAKE, 0.0)
    waiting(monkeypatch, ("x", True))
    scenes = []

    def slowly(state: ggp.State) -> object:
        scenes.append(state)
        if len(scenes) == 1:
            pipe.send("an order")
        look("a scene")
        return None

    monkeypatch.setattr(module, "scene_of", slowly)
    monkeypatch.setattr(module, "scene_text", lambda scene: Text("a drawing"))
    assert report_of(made, pipe, 1.0) == str(ggp.parse(TAKE).initial)
    assert made.pipe.recv() == "an order"
    assert report_of(made, pipe, 1.0) == "a drawing"


def test_a_drawing_that_messages_end_time_and_again_is_given_up(monkeypatch) -> None:
    """Each attempt takes of the time to think while others do; what is known to be drawn is drawn
    again after any number of them."""
    made, pipe = begun(TAKE, 0.0)
    waiting(monkeypatch, ("x", True))
    tried: list[ggp.State] = []

    def ended(state: ggp.State) -> object:
        tried.append(state)
        pipe.send("an order")
        look("a scene")
        raise AssertionError

    monkeypatch.setattr(module, "scene_of", ended)
    for _ in range(module.ATTEMPTS + 2):
        report_of(made, pipe, 1.0)
        while made.pipe.poll():
            made.pipe.recv()
    assert len(tried) == module.ATTEMPTS
    made.is_drawn = True
    for _ in range(module.ATTEMPTS + 2):
        report_of(made, pipe, 1.0)
        while made.pipe.poll():
            made.pipe.recv()
    assert len(tried) == 2 * module.ATTEMPTS + 2


def test_a_turn_without_a_choice_is_thought_about_before_it_is_told_of(monkeypatch) -> None:
    """So who watches sees what the others may do, also where their turn is short."""
    made, _ = begun(TAKE, 0.0)
    asked = waiting(monkeypatch, ("x", True))
    telling = made._tell
    monkeypatch.setattr(made, "_tell", lambda *given: (asked.append("told"), telling(*given)))
    made.think(Think(START, 2.0))
    known, after = f"ponder {module.WATCHED}", f"ponder {2.0 + module.PONDERING}"
    assert asked == ["x", known, "told", after]


def test_what_takes_too_long_to_draw_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def late(state: ggp.State) -> None:
        tried.append(state)
        raise LimitReached("time", 1, "a scene")

    monkeypatch.setattr(module, "scene_of", late)
    made, pipe = begun(TAKE, 0.0)
    waiting(monkeypatch, ("x", True))
    state = str(ggp.parse(TAKE).initial)
    assert [report_of(made, pipe, 10.0) for _ in range(3)] == [state] * 3
    assert len(tried) == 1


def test_of_a_position_so_much_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    made, pipe = begun(TAKE, 0.0)
    waiting(monkeypatch, ("x", True))
    whole = report_of(made, pipe, 10.0)
    monkeypatch.setattr(module, "MOST_TOLD", 5)
    assert report_of(made, pipe, 10.0) == whole[:5] != whole


def test_orders_are_obeyed_one_after_the_other() -> None:
    """What goes wrong with one is said, with the number of its turn, and the next is obeyed."""
    there, here = Pipe()
    ended = []

    def live() -> None:
        try:
            module.think(here)
        except EOFError:
            ended.append(True)

    thread = threading.Thread(target=live)
    thread.start()
    there.send(Think(Turn(4, (), ()), 1.0))
    assert there.recv() == Trouble(4, "ValueError: no game was loaded")
    there.send(Begin("(role", "a", 1.0, strict_case=False))
    trouble = there.recv()
    assert isinstance(trouble, Trouble)
    assert trouble.turn == 0
    there.send(Begin(TAKE, "a", 0.0, strict_case=False))
    assert there.recv() == Loaded(ground=True)
    while not isinstance(word := there.recv(), Prepared):
        assert isinstance(word, Pace)
    there.send(Think(Turn(2, (("x",),), ("x",)), 1.0))
    trouble = there.recv()
    assert isinstance(trouble, Trouble)
    assert (trouble.turn, trouble.why) == (2, "IllegalMove: 1 moves for 2 roles")
    there.close()
    thread.join(60)
    assert ended == [True]


TWO_WORDS = """(role a) (role b) (init (step 0)) (succ 0 1)
    (<= (legal a (guess 1)) (true (step 0))) (<= (legal b (Guess 2)) (true (step 0)))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 1)))
    (goal a 100) (goal b 0)"""


def test_a_word_in_two_spellings_is_two_words_where_the_rules_are_sound_so() -> None:
    """To ggp-base's server case matters, and the Dresden controller writes all in upper case."""
    game = game_of(TWO_WORDS, strict_case=False)
    assert [str(game.initial.legal(role)[0]) for role in game.roles] == ["(guess 1)", "(Guess 2)"]
    # Variables have spellings, too; and what is no word of its own is the other.
    for text in (
        TWO_WORDS.replace("(Guess 2)", "(guess 2)").replace("?m)) (succ ?m", "?M)) (succ ?M"),
        TWO_WORDS.replace("(Guess 2)", "(guess 2)").replace("(goal b 0)", "(goal B 0)"),
        TWO_WORDS.replace("(Guess 2)", "(guess 2)").replace("(true (step 1)", "(true (Step 1)"),
    ):
        game = game_of(text, strict_case=False)
        assert not game.rules.symbols.strict_case
        assert str(game.initial.legal("b")[0]) == "(guess 2)"
