"""What environments of single games show, ask and pay."""

from __future__ import annotations

import builtins
import random
import subprocess
import sys

import numpy as np
import pytest

import ggp
import ggp.env
from ggp import IllegalMove, InputError, LimitReached, Limits, UnknownName
from ggp.env.spaces import Spaces
from ggp.show.board import plan_of
from tests.conftest import GAMES, all_sheets
from tests.env.sheets import CARDS, SHIPPED, TEXTS, game

TIC_TAC_TOE = GAMES / SHIPPED["tic-tac-toe"]


def drawn(mask: np.ndarray, choose: random.Random) -> int:
    """A legal action."""
    return choose.choice(np.flatnonzero(mask).tolist())


def play_together(own: ggp.Game, seed: int) -> None:
    """A game at random whose every step is held against the rules."""
    pytest.importorskip("pettingzoo")
    env = ggp.env.parallel(own, max_steps=60)
    spaces, choose = Spaces(own), random.Random(seed)
    seen, _ = env.reset(seed=seed)
    assert env.game_state == own.initial
    while env.agents:
        state = env.game_state
        for player, role in enumerate(own.players):
            legal = np.flatnonzero(seen[role]["action_mask"])
            assert [spaces.move(player, a) for a in legal] == list(state.legal(role))
        actions = {role: drawn(seen[role]["action_mask"], choose) for role in own.players}
        joint = {r: spaces.move(p, actions[r]) for p, r in enumerate(own.players)}
        seen, paid, ended, given_up, _ = env.step(actions)
        throws = [{}] if own.chance is None else [{"random": t} for t in state.legal("random")]
        made, *_ = [full for throw in throws if state.play(full := joint | throw) == env.game_state]
        if own.has_percepts:
            percepts = state.percepts(made)
            for player, role in enumerate(own.players):
                told = spaces.percept(player, percepts[role], actions[role])
                assert np.array_equal(seen[role]["observation"], told)
        for role in own.players:
            assert ended[role] == env.game_state.terminal
            assert not (ended[role] and given_up[role])
        if env.game_state.terminal:
            goals = env.game_state.goals
            assert [paid[r] for r in own.players] == [spaces.reward(goals[r]) for r in own.players]
        else:
            assert not any(paid.values())


@pytest.mark.parametrize("name", [*SHIPPED, *TEXTS])
def test_steps_are_those_of_the_rules(name) -> None:
    for seed in range(3):
        play_together(game(name), seed)


@pytest.mark.slow
@pytest.mark.parametrize("sheet", all_sheets(), ids=lambda path: path.name)
def test_steps_of_shipped_sheets_are_those_of_the_rules(sheet) -> None:
    play_together(ggp.load(sheet), 1)


def test_who_has_a_choice_is_asked_and_nobody_else() -> None:
    pytest.importorskip("pettingzoo")
    env, choose = ggp.env.aec(TIC_TAC_TOE), random.Random(4)
    env.reset()
    asked = []
    for agent in env.agent_iter():
        seen, _, ended, _, _ = env.last()
        if not ended:
            asked.append(agent)
            assert len(env.game_state.legal(agent)) > 1 or len(asked) == 9
        env.step(None if ended else drawn(seen["action_mask"], choose))
    roles = list(ggp.load(TIC_TAC_TOE).roles)
    assert len(asked) >= 5
    assert asked == [roles[i % 2] for i in range(len(asked))]


def test_agents_who_move_at_once_are_asked_in_order_and_see_nothing_of_one_another() -> None:
    pytest.importorskip("pettingzoo")
    env = ggp.env.aec(game("three"))
    env.reset()
    for action in (0, 1, 0):
        for agent in ("a", "b", "c"):
            assert env.agent_selection == agent
            assert np.array_equal(env.last()[0]["observation"], env.observe("a")["observation"])
            env.step(action if agent != "b" else 1 - action)
        if action == 1:
            break
    assert env.terminations == {"a": True, "b": True, "c": True}
    assert env.rewards == {"a": -0.6, "b": 1.0, "c": -0.6}


def test_players_see_their_percepts_and_their_own_moves_alone() -> None:
    """GDL-II: what a player observes is the same whatever card the other has."""
    pytest.importorskip("pettingzoo")
    own = ggp.parse(CARDS)
    spaces = Spaces(own)
    views: dict[str, set[bytes]] = {}
    for seed in range(40):
        env = ggp.env.parallel(own)
        seen, _ = env.reset(seed=seed)
        assert not seen["left"]["observation"].any()
        seen, *_ = env.step({})
        facts = {str(fact) for fact in env.game_state.facts}
        card = next(f.removesuffix(")")[-1] for f in facts if f.startswith("(has left"))
        views.setdefault(card, set()).add(seen["left"]["observation"].tobytes())
        waited = spaces.percept(0, [own.term(f"(card {card})")], spaces.action(0, "wait"))
        assert np.array_equal(seen["left"]["observation"], waited)
    assert sorted(views) == ["j", "k", "q"]
    assert all(len(view) == 1 for view in views.values())
    assert len(set.union(*views.values())) == 3


def test_who_is_asked_now_and_then_is_shown_all_that_it_saw_in_between() -> None:
    """GDL-II: the second player is first asked two moves after it was dealt a card."""
    pytest.importorskip("pettingzoo")
    own = ggp.parse(CARDS)
    spaces = Spaces(own)
    percepts = [str(percept) for percept, _ in own.net.sees[own.role_index("right")]]
    for seed in range(10):
        env = ggp.env.aec(own)
        env.reset(seed=seed)
        assert env.agent_selection == "left"
        env.step(spaces.action(0, "wait"))
        assert env.agent_selection == "left"
        env.step(spaces.action(0, "bet"))
        assert env.agent_selection == "right"
        seen = env.last()[0]["observation"][: len(percepts)]
        facts = " ".join(map(str, env.game_state.facts))
        card = facts[facts.index("(has right ") + len("(has right ")]
        told = {percepts[i] for i in np.flatnonzero(seen)}
        assert told == {f"(card {card})", "(did bet)"}


def test_an_action_that_is_not_legal_ends_the_game() -> None:
    pytest.importorskip("pettingzoo")
    env = ggp.env.aec(TIC_TAC_TOE)
    env.reset()
    env.step(drawn(env.observe("xplayer")["action_mask"], random.Random(0)))
    taken = next(
        a for a in range(Spaces(ggp.load(TIC_TAC_TOE)).actions)
        if not env.observe("oplayer")["action_mask"][a]
    )  # fmt: skip
    env.step(taken)
    assert env.terminations == {"xplayer": True, "oplayer": True}
    assert env.rewards == {"xplayer": 0.0, "oplayer": -1.0}
    assert env.infos["oplayer"]["illegal"]
    assert "illegal" not in env.infos["xplayer"]


def test_one_role_of_several_learns_against_an_opponent() -> None:
    pytest.importorskip("gymnasium")
    replies = []

    def first(state: ggp.State, role: str) -> ggp.Term:
        replies.append(role)
        return state.legal(role)[0]

    env = ggp.env.gymnasium(TIC_TAC_TOE, role="oplayer", opponent=first)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        before = env.state
        action = drawn(info["action_mask"], random.Random(2))
        _, reward, over, _, info = env.step(action)
        if before.control == "xplayer":
            assert env.state == before.play(before.legal("xplayer")[0])
    assert set(replies) == {"xplayer"}
    assert reward == env.state.goals["oplayer"] / 50 - 1
    cheat = ggp.env.gymnasium(TIC_TAC_TOE, role="oplayer", opponent=lambda *_: "(mark 9 9)")
    cheat.reset()
    with pytest.raises(IllegalMove, match="not legal here for xplayer"):
        cheat.step(0)


def test_a_game_that_is_given_up_is_truncated() -> None:
    pytest.importorskip("gymnasium")
    env = ggp.env.gymnasium(GAMES / "puzzles/hanoi.kif.jinja", disks=3, max_steps=2)
    _, info = env.reset(seed=1)
    for expected in (False, True):
        action = drawn(info["action_mask"], random.Random(2))
        _, reward, ended, given_up, info = env.step(action)
        assert (reward, ended, given_up) == (0.0, False, expected)


def test_games_are_drawn_as_text() -> None:
    pytest.importorskip("gymnasium")
    env = ggp.env.gymnasium(GAMES / SHIPPED["lights-out"], render_mode="ansi")
    env.reset()
    assert len(env.render().splitlines()) >= 3
    assert ggp.env.gymnasium(GAMES / SHIPPED["lights-out"]).render() is None


def test_planes_show_the_board_and_lose_no_fluent() -> None:
    own = game("tic-tac-toe")
    spaces = Spaces(own, "planes")
    assert spaces.planes is not None
    assert spaces.shape[1:] == (3, 3)
    used = spaces.planes.fluents
    assert set(np.unique(used)) >= set(range(len(own.net.fluents)))
    assert len(spaces.planes.names) == spaces.shape[0]
    state = own.state(["(cell 1 3 x)", "(control oplayer)"])
    shown = spaces.observed(state.bits)
    assert {
        n: int(p.sum()) for n, p in zip(spaces.planes.names, shown, strict=True) if p.any()
    } == {
        "cell x": 1,
        "(control oplayer)": 9,
    }


@pytest.mark.parametrize("sheet", all_sheets(), ids=lambda path: path.name)
def test_planes_are_made_of_all_fluents_wherever_there_is_a_board(sheet) -> None:
    own = ggp.load(sheet)
    if own.has_percepts:
        with pytest.raises(InputError, match="do not see the board"):
            Spaces(own, "planes")
        return
    if all(board.points for board in plan_of(own).layout.boards):
        with pytest.raises(InputError, match="no board of rows and columns"):
            Spaces(own, "planes")
        return
    spaces = Spaces(own, "planes")
    assert set(spaces.order.tolist()) - {-1} == set(range(len(own.net.fluents)))
    facts = set(map(str, own.initial.facts))
    held = own.net.fluents
    shown = spaces.observed(own.initial.bits).reshape(-1)
    assert {str(held[f]) for f in spaces.order[shown == 1]} == facts


def test_what_cannot_be_is_said_in_one_line() -> None:
    pytest.importorskip("gymnasium")
    with pytest.raises(InputError, match="has several players: say which role"):
        ggp.env.gymnasium(TIC_TAC_TOE)
    with pytest.raises(UnknownName, match="plays by chance"):
        ggp.env.gymnasium(game("dice"), role="random")
    with pytest.raises(InputError, match="no board of rows and columns"):
        ggp.env.vector(game("three"), 2, observations="planes")
    with pytest.raises(InputError, match="do not see the board"):
        ggp.env.vector(game("cards"), 2, observations="planes")
    with pytest.raises(InputError, match="bits or planes"):
        ggp.env.vector(TIC_TAC_TOE, 2, observations="words")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="takes no parameters"):
        ggp.env.vector(game("three"), 2, rows=3)
    with pytest.raises(InputError, match="rendered as ansi"):
        ggp.env.aec(TIC_TAC_TOE, render_mode="human")
    with pytest.raises(LimitReached, match="ground_rules"):
        ggp.env.vector(ggp.load(TIC_TAC_TOE, limits=Limits(ground_rules=1)), 2)
    over = "(role a) (init end) (<= (legal a go)) (<= terminal (true end)) (goal a 1)"
    with pytest.raises(InputError, match="over before it begins"):
        ggp.env.vector(ggp.parse(over), 2)


@pytest.mark.parametrize("make", [ggp.env.gymnasium, ggp.env.aec, ggp.env.parallel])
def test_a_missing_library_is_named_with_its_extra(make, monkeypatch) -> None:
    known = builtins.__import__

    def missing(name, *rest):
        if name.split(".")[0] in ("gymnasium", "pettingzoo"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return known(name, *rest)

    for module in [m for m in sys.modules if m in ("ggp.env.solo", "ggp.env.table")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(InputError, match=r"pip install 'ggp\[env\]'"):
        make(TIC_TAC_TOE)


def test_environments_are_imported_when_they_are_asked_for() -> None:
    code = "import ggp, ggp.env, sys; ggp.env.vector; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {*done.stdout.split()} & {"gymnasium", "pettingzoo", "pyspiel", "numpy", "numba"}
