"""Certificates: true claims hold, claims that were tampered with fail, junk is refused."""

from __future__ import annotations

import json
from copy import deepcopy
from tempfile import NamedTemporaryFile

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import ggp
from ggp.checker import FORMAT, check_certificate, read_certificate, schema
from ggp.checker.clock import runs_by_itself
from ggp.cli.main import main
from ggp.errors import GgpError, InputError, LimitReached
from tests.conftest import GAMES, ROOT, nightly, shared
from tests.oracle.random_games import random_game

SHEETS = [
    "kayles/kayles-7.kif",
    "clobber/clobber-4x4-misere.kif",
    "domineering/domineering-3x4.kif",
    "subtraction/sg-125.kif",
    "subtraction/sg-12-15-named.kif",
    "fox-and-geese/fox-and-geese.kif",
    "tic-tac-toe/tic-tac-toe.kif",
    "three-players/last-match.kif",
    "simultaneous/rock-paper-scissors.kif",
    "puzzles/lights-out-3x3.kif",
    "bisimulation/exits.kif",
    *nightly(["connect-four/connect-four.kif.jinja", "turtles/turtles-13.kif"]),
]

CHECKED = {
    "turns", "cyclic", "playable", "outcome_kind", "zero_sum", "form", "impartial", "all_small",
    "passes", "winnable", "terminating",
}  # fmt: skip


def checked(data: object) -> dict[str, bool]:
    """The claims of a certificate, and whether they hold."""
    read = read_certificate(json.dumps(data))
    return {claim.property: claim.holds for claim in check_certificate(read, 60)}


@pytest.mark.parametrize("sheet", SHEETS)
def test_what_is_proved_or_refuted_is_checked_anew(sheet) -> None:
    findings = ggp.load(GAMES / sheet).analyse(positions=30_000)
    claims = checked(findings.certificate())
    assert all(claims.values()), claims
    settled = {
        f.property
        for f in findings
        if f.certainty in ("proved", "refuted")
        # A state that arises only if turns are given away has no play that leads to it.
        and all(w.path is not None for w in getattr(f.evidence, "states", ()))
    }
    if findings.value("turns") == "single-player":
        settled.discard("turns")
    assert settled & CHECKED <= claims.keys()


# In 30122 moves that do the same are legal on different boards, and others match them there.
@pytest.mark.parametrize("seed", [*range(10), 30122, *nightly(range(10, 25))])
def test_on_random_games(seed) -> None:
    claims = checked(ggp.parse(random_game(seed)).analyse().certificate())
    assert all(claims.values()), claims


PASSES = """(role left) (role right) (init (control left)) (init (row left 3)) (init (row right 2))
(s 0 1) (s 1 2) (s 2 3) (<= (can ?p) (true (row ?p ?n)) (s ?m ?n))
(<= (legal ?p (take ?m)) (true (control ?p)) (true (row ?p ?n)) (s ?m ?n))
(<= (legal ?p pass) (true (control ?p)) (not (can ?p)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (row ?p ?m)) (does ?p (take ?m))) (<= (moved ?p) (does ?p (take ?m)))
(<= (next (row ?p ?n)) (true (row ?p ?n)) (not (moved ?p)))
(<= (next (control right)) (true (control left)))
(<= (next (control left)) (true (control right)))
(<= terminal (not (can left)) (not (can right))) (goal left 100) (goal right 0)"""


def test_moves_but_for_passes_lower_a_sum() -> None:
    findings = ggp.parse(PASSES).analyse(positions=3)
    evidence = findings["cyclic"].evidence
    assert (findings.value("cyclic"), findings["cyclic"].certainty) == (False, "proved")
    assert evidence.as_json()["passes"]
    assert findings.value("terminating") is True
    # Left takes three tokens, right two: left, right, left, right, left.
    assert ggp.parse(PASSES).analyse().value("longest_play") == 5
    assert findings.value("length_bound") >= 5
    data = findings.certificate()
    claims = checked(data)
    assert claims["cyclic"]
    assert claims["terminating"]
    (claim,) = (c for c in data["claims"] if c["property"] == "cyclic")
    without = {name: part for name, part in claim.items() if name != "passes"}
    assert not checked({**data, "claims": [without]})["cyclic"]
    for strict in (None, [], ["left"]):
        assert not checked({**data, "claims": [{**claim, "strict": strict}]})["cyclic"]
    # Where play goes on, both may pass for ever.
    endless = PASSES.replace("(not (can left)) (not (can right))", "(not (role left))")
    assert ggp.parse(endless).analyse().value("cyclic") is True
    assert not checked({**about(data, endless), "claims": [claim]})["cyclic"]
    # And where some move other than a pass leaves the sum as it is.
    idle = (
        f"{PASSES} (init (light off)) (legal left blink) (<= (next (light on)) (does left blink))"
    )
    idle += "(<= (next (light off)) (not (does left blink)))"
    assert ggp.parse(idle).analyse().value("cyclic") is True
    assert not checked({**about(data, idle), "claims": [claim]})["cyclic"]


OVER_AT_ONCE = """(role left) (role right) (init (control left)) (init (heap 0)) (init (heap 1))
(<= (legal ?p (take ?n)) (true (control ?p)) (true (heap ?n)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (heap ?n)) (true (heap ?n)) (not (taken ?n))) (<= (taken ?n) (does ?p (take ?n)))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= terminal (true (heap 0))) (<= terminal (not (true (heap 1)))) (goal left 100) (goal right 0)"""


def test_where_no_play_shows_turns_a_ranking_is_of_all_moves() -> None:
    """It was of those of both roles, and refused: nothing told whose turn it is."""
    findings = ggp.parse(OVER_AT_ONCE).analyse(positions=1)
    data = findings.certificate()
    assert data["turns"] is None
    claims = checked(data)
    assert {"cyclic", "terminating", "zero_sum"} <= claims.keys()
    assert all(claims.values()), claims


PASSES_BY_A_CLOCK = """(role a) (role b) (init (ph 0)) (nx 0 1) (nx 1 2) (nx 2 3) (nx 3 0)
(who 0 a) (who 1 b) (who 2 a) (who 3 b) (<= (next (ph ?j)) (true (ph ?i)) (nx ?i ?j))
(<= (mv ?r) (true (ph ?i)) (who ?i ?r)) (init (heap 3)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r noop) (role ?r) (not (mv ?r)))
(<= (legal ?r take) (mv ?r) (true (heap ?n)) (succ ?m ?n))
(<= (legal a pass) (mv a) (true (heap 2))) (<= (legal b pass) (mv b) (not (true (heap 2))))
(<= (next (heap ?m)) (does ?r take) (true (heap ?n)) (succ ?m ?n)) (<= taken (does ?r take))
(<= (next (heap ?n)) (true (heap ?n)) (not taken))
(<= terminal (true (heap 0))) (goal a 50) (goal b 50)"""


def test_passes_of_a_clock_with_more_settings_than_roles_are_not_claimed() -> None:
    """The prover gave a certificate of this game that the checker refused."""
    findings = ggp.parse(PASSES_BY_A_CLOCK).analyse(positions=3)
    assert all(checked(findings.certificate()).values())
    assert ggp.parse(PASSES_BY_A_CLOCK).analyse().value("cyclic") is False


@pytest.mark.parametrize("seed", [*range(4), *nightly(range(4, 25))])
def test_on_random_games_with_passes(seed) -> None:
    claims = checked(ggp.parse(random_game(seed, "passing")).analyse().certificate())
    assert all(claims.values()), claims


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["blocksWorldSerial", "chomp", "circlesolitaire", "minichess", "ticTacToe", "connectFour"],
)
def test_on_public_sheets(name) -> None:
    """States in which a role cannot move lead nowhere; one role needs no marker; what is
    proved from one state to the next is checked so."""
    findings = ggp.load(shared("corpus", "games", f"{name}.kif")).analyse(positions=30_000)
    claims = checked(findings.certificate())
    assert claims
    assert all(claims.values()), claims


def about(data: dict, rules: str, *, strict_case: bool = False) -> dict:
    """The same certificate for other rules, with their digest."""
    sheet = {**data["sheet"], "strict_case": strict_case}
    sheet["sha256"] = ggp.parse(rules, strict_case=strict_case).rules.digest
    return {**data, "rules": rules, "sheet": sheet}


def swapped(data: dict) -> dict:
    """The same certificate with the turns of two roles exchanged."""
    data = deepcopy(data)
    first, second = {setting["role"] for setting in data["turns"]["settings"]}
    for setting in data["turns"]["settings"]:
        setting["role"] = second if setting["role"] == first else first
    return data


def certificate(sheet: str) -> dict:
    return ggp.load(GAMES / sheet).analyse(positions=30_000).certificate()


def set_claim(data: dict, name: str, **changes: object) -> dict:
    data = deepcopy(data)
    for claim in data["claims"]:
        if claim["property"] == name:
            claim.update(changes)
    return data


def test_false_claims_fail() -> None:
    kayles = certificate("kayles/kayles-7.kif")
    assert not checked(set_claim(kayles, "form", value="misère"))["form"]
    assert not checked(set_claim(kayles, "cyclic", value=True))["cyclic"]
    assert not checked(set_claim(kayles, "cyclic", weights={"(skittle 1 up)": 1}))["cyclic"]
    assert not checked(set_claim(kayles, "impartial", value=False))["impartial"]
    assert not checked(set_claim(kayles, "zero_sum", goals=[[0, 100]]))["zero_sum"]
    matches = next(c for c in kayles["claims"] if c["property"] == "impartial")["matches"]
    wrong = deepcopy(matches)
    wrong["left"]["(single 4)"] = ["(single 3)"]
    assert not checked(set_claim(kayles, "impartial", matches=wrong))["impartial"]
    lacking = deepcopy(matches)
    del lacking["left"]["(single 4)"]
    assert not checked(set_claim(kayles, "impartial", matches=lacking))["impartial"]


def test_partisan_games_have_no_matches() -> None:
    """Domineering said to be impartial, each move matched by all of the other player's."""
    data = certificate("domineering/domineering-3x4.kif")
    game = ggp.load(GAMES / "domineering/domineering-3x4.kif")
    moves = {
        role: [str(m) for m in own if str(m) != "noop"]
        for role, own in zip(game.roles, game.net.moves, strict=True)
    }
    first, second = game.roles
    matches = {
        first: dict.fromkeys(moves[first], moves[second]),
        second: dict.fromkeys(moves[second], moves[first]),
    }
    claim = {"property": "impartial", "value": True, "matches": matches}
    assert not checked({**data, "claims": [claim]})["impartial"]
    claim = {"property": "all_small", "value": True}
    assert not checked({**data, "claims": [claim]})["all_small"]


def test_groups_and_markers_that_do_not_hold_spoil_all_claims() -> None:
    """Every claim leans on them: "tails" as a group of two would make any claim about them true."""
    data = certificate("kayles/kayles-7.kif")
    # That both players can win is shown by two plays, whatever else is claimed.
    data["claims"] = [claim for claim in data["claims"] if claim["property"] != "winnable"]
    broken = {"fluents": ["(skittle 1 up)", "(skittle 2 up)"], "exact": False}
    assert not any(checked({**data, "groups": [*data["groups"], broken]}).values())
    assert not any(checked(swapped(data)).values())
    same = deepcopy(data)
    same["turns"]["settings"][1]["holds"] = same["turns"]["settings"][0]["holds"]
    assert not any(checked(same).values())


def test_witnesses_must_be_legal_play_and_show_something() -> None:
    data = certificate("domineering/domineering-3x4.kif")
    claim = next(c for c in data["claims"] if c["property"] == "impartial")
    assert claim["value"] is False
    assert checked({**data, "claims": [claim]})["impartial"]
    assert not checked({**data, "claims": [{**claim, "value": True}]})["impartial"]
    twice = {**claim, "witness": [[*claim["witness"][0], ["noop", "noop"]]]}
    with pytest.raises(InputError, match="not legal"):
        checked({**data, "claims": [twice]})
    # A state of Kayles shows nothing of the kind.
    kayles = certificate("kayles/kayles-7.kif")
    witness = {"property": "impartial", "value": False, "witness": [[]]}
    assert not checked({**kayles, "claims": [witness]})["impartial"]


KAYLES = (GAMES / "kayles" / "kayles-7.kif").read_text()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(
        ["", "left", "noop", "(skittle 1 up)", "impartial", "cyclic", "(", "form", "normal"]
    ),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["property", "value", "witness", "weights", "strict", "matches", "left",
                         "right", "goals", "ends", "fluents", "exact", "(single 4)"]),
        inner, max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    key=st.sampled_from(["turns", "groups", "sums", "claims", "rules", "sheet", "format", "more"]),
    junk=json_values,
)
def test_junk_is_refused_or_fails(key, junk) -> None:
    """Nothing but the package's errors, whatever a stranger writes."""
    data = {**empty(KAYLES), key: junk}
    try:
        results = check_certificate(read_certificate(json.dumps(data)), 10)
    except GgpError:
        return
    assert not any(claim.holds for claim in results if claim.property in ("impartial", "form"))


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from(sorted(CHECKED)),
    fields=st.dictionaries(
        st.sampled_from(["value", "witness", "weights", "strict", "matches", "goals", "ends"]),
        json_values, max_size=4,
    ),
)  # fmt: skip
def test_claims_with_junk_fail_or_are_refused(name, fields) -> None:
    """Whatever is claimed of a game, the verb says that it fails, or why it cannot be read."""
    data = {**ROCKS, "claims": [{"property": name, **fields}]}
    with NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(data, file)
        file.flush()
        result = CliRunner().invoke(main, ["verify", file.name], standalone_mode=False)
    if result.exception is not None:
        assert isinstance(result.exception, GgpError)
    else:
        assert result.return_value == 1, result.output


def empty(rules: str) -> dict:
    """A certificate without claims."""
    sheet = {"name": "k", "syntax": "kif", "strict_case": False, "sha256": ""}
    data = {"format": FORMAT, "sheet": sheet, "turns": None, "groups": [], "sums": [], "claims": []}
    return about(data, rules)


ROCKS = empty(
    "(role random) (init a) (<= (legal random (go ?x)) (true ?x)) (<= (next b) (true a))"
    "(<= terminal (true b)) (goal random 0)"
)


LAST_CHOICE = """(role p) (role q) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal p (take ?x)) (or (true (at 0)) (true (at 2))) (or (same ?x a) (same ?x b)))
    (<= (legal q (take ?x)) (true (at 1)) (or (same ?x a) (same ?x b)))
    (<= (legal q rest) (or (true (at 0)) (true (at 2))))
    (<= (legal p rest) (true (at 1)))
    (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
    (<= (next (last ?x)) (does ?p (take ?x))) (same a a) (same b b)
    (<= terminal (true (at 3))) (goal p 0) (goal q 100)"""


def test_turns_without_a_marker() -> None:
    """A clock tells whose turn it is: no group of fluents has one for each role."""
    game = ggp.parse(LAST_CHOICE)
    assert game.marker is None
    assert [role for _, role in game.turns.settings] == [0, 1, 0, 1]
    data = game.analyse().certificate()
    assert data["turns"]["flips"] is False
    claim = {"property": "turns", "value": "alternating"}
    assert checked({**data, "claims": [claim]})["turns"]
    assert not checked({**data, "turns": None, "claims": [claim]})["turns"]
    twice = LAST_CHOICE.replace("(or (true (at 0)) (true (at 2))) (or", "(true (at ?n)) (or")
    twice = twice.replace("(take ?x)) (true (at 1))", "(take ?x)) (true (at 9))")
    assert not checked({**about(data, twice), "claims": [claim]})["turns"]
    both = LAST_CHOICE.replace("(legal p rest) (true (at 1))", "(legal p (take ?x)) (true (at 1)) "
                               "(or (same ?x a) (same ?x b))")  # fmt: skip
    assert not checked({**about(data, both), "claims": [claim]})["turns"]
    at_once = LAST_CHOICE.replace(
        "(take ?x)) (true (at 1))", "(take ?x)) (or (true (at 0)) (true (at 2)))"
    )
    at_once = at_once.replace(
        "(legal q rest) (or (true (at 0)) (true (at 2)))", "(legal q rest) (true (at 1))"
    )
    assert not checked({**about(data, at_once), "claims": [claim]})["turns"]
    # Claims about boards with either player to move have no sense: they fail, and spoil no others.
    sided = [{"property": name, "value": True} for name in ("all_small", "impartial")]
    flipped = {**data, "turns": {**data["turns"], "flips": True}}
    assert checked({**data, "claims": [*sided, claim]}) == {
        "all_small": False, "impartial": False, "turns": True,
    }  # fmt: skip
    assert not any(checked({**flipped, "claims": sided}).values())


EXTRA = """(role p) (role q) (init (control p)) (init (left 3)) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal ?r (take ?n)) (true (control ?r)) (true (left ?m)) (succ ?x ?m) (succ ?n ?k))
    (<= (legal ?r rest) (role ?r) (not (true (control ?r))))
    (<= (next (left ?n)) (true (left ?m)) (succ ?n ?m))
    (<= (next (control ?r)) (does ?r (take 0)))
    (<= (next (control ?q)) (does ?r (take ?n)) (distinct ?n 0) (role ?q) (distinct ?q ?r))
    (<= terminal (true (left 0)))
    (<= (goal ?r 0) (true (control ?r)))
    (<= (goal ?r 100) (role ?r) (not (true (control ?r))))"""


def test_extra_turns_are_checked() -> None:
    game = ggp.parse(EXTRA)
    findings = game.analyse()
    assert findings.value("turns") == "with extra turns"
    data = findings.certificate()
    claim = next(c for c in data["claims"] if c["property"] == "turns")
    assert checked(data)["turns"]
    passed_on = [[["(take 1)", "rest"]]]
    assert not checked({**data, "claims": [{**claim, "witness": passed_on}]})["turns"]
    assert not checked({**data, "claims": [{**claim, "witness": [[]]}]})["turns"]
    alternating = {"property": "turns", "value": "alternating"}
    assert not checked({**data, "claims": [alternating]})["turns"]


def ending(goals: str) -> str:
    """One player, who chooses an end of play, or two who have a goal each: `goals`, by end."""
    return f"""(role p) (role q) (init (control p)) (init start)
        (<= (legal ?r (go ?x)) (true (control ?r)) (goals ?x ?a ?b))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (next (control q)) (true (control p))) (<= (next (control p)) (true (control q)))
        (<= (next (at ?x)) (does ?r (go ?x))) (<= terminal (true (at ?x)))
        (<= (goal p ?a) (true (at ?x)) (goals ?x ?a ?b))
        (<= (goal q ?b) (true (at ?x)) (goals ?x ?a ?b))
        {goals}"""


@pytest.mark.parametrize(
    ("goals", "kind"),
    [
        ("(goals 1 0 100) (goals 2 100 0)", "win-lose"),
        ("(goals 1 0 100) (goals 2 50 50) (goals 3 100 0)", "win-lose-draw"),
        ("(goals 1 0 100) (goals 2 50 50) (goals 3 40 40)", "scored"),
        ("(goals 1 0 100) (goals 2 30 70)", "scored"),
        ("(goals 1 10 60) (goals 2 80 80)", "scored"),
        ("(goals 1 50 50) (goals 2 60 60)", "scored"),
    ],
)
def test_kinds_of_outcome_are_checked(goals, kind) -> None:
    data = ggp.parse(ending(goals)).analyse()
    assert data.value("outcome_kind") == kind
    data = data.certificate()
    assert checked(data)["outcome_kind"]
    for other in {"win-lose", "win-lose-draw", "scored"} - {kind}:
        assert not checked(set_claim(data, "outcome_kind", value=other))["outcome_kind"]
    if kind == "win-lose-draw":
        assert not checked(set_claim(data, "outcome_kind", drawn=[]))["outcome_kind"]


def test_a_draw_lies_between_losing_and_winning() -> None:
    """With 80 for both beside 10 and 60 nobody has the worst goal or the best alone."""
    data = ggp.parse(ending("(goals 1 10 60) (goals 2 80 80)")).analyse().certificate()
    claim = {"property": "outcome_kind", "value": "win-lose-draw", "goals": [[10, 60], [80, 80]],
             "ends": {"witness": [[["(go 2)", "wait"]]]},
             "drawn": [[["(go 2)", "wait"]]]}  # fmt: skip
    assert not checked({**data, "claims": [claim]})["outcome_kind"]


def test_moves_at_once_need_two_that_choose() -> None:
    data = certificate("simultaneous/rock-paper-scissors.kif")
    claim = {"property": "turns", "value": "simultaneous", "witness": [[]]}
    assert checked({**data, "claims": [claim]})["turns"]
    taken_in_turn = certificate("kayles/kayles-7.kif")
    assert not checked({**taken_in_turn, "claims": [claim]})["turns"]


def test_ends_and_who_can_win_are_checked() -> None:
    sheet = ggp.parse(ending("(goals 1 0 100) (goals 2 100 0)"))
    data = sheet.analyse().certificate()
    found = checked(data)
    assert found["winnable"]
    assert found["terminating"]
    one_sided = [{"property": "winnable", "value": True, "witness": [[["(go 1)", "wait"]]]}]
    assert not checked({**data, "claims": one_sided})["winnable"]
    end = {"witness": [[["(go 1)", "wait"]]]}
    none = {"property": "winnable", "value": False, "goals": [[0, 100], [100, 0]], "ends": end}
    assert not checked({**data, "claims": [none]})["winnable"]
    lost = ggp.parse(ending("(goals 1 0 100) (goals 2 10 0)")).analyse()
    assert lost.value("winnable") is True  # 10 is the best that the rules have for p
    claim = next(c for c in data["claims"] if c["property"] == "terminating")
    for changes in ({"weights": {}}, {"value": False}):
        assert not checked({**data, "claims": [{**claim, **changes}]})["terminating"]


def test_passes_are_checked() -> None:
    """A move that leaves the board as it is, and the claim that there is none."""
    text = ending("(goals 1 0 100) (goals 2 100 0)")
    data = ggp.parse(text).analyse().certificate()
    assert checked(data)["passes"]
    claim = {"property": "passes", "value": True, "witness": [[]]}
    assert not checked({**data, "claims": [claim]})["passes"]
    idle = f"{text} (<= (legal ?r idle) (true (control ?r))) (<= (next start) (does ?r idle))"
    other = ggp.parse(idle).analyse()
    assert other.value("passes") is True
    assert checked(other.certificate())["passes"]
    claim = {"property": "passes", "value": False}
    assert not checked({**about(data, idle), "claims": [claim]})["passes"]


def test_witnesses_about_sides_need_a_marker_that_holds() -> None:
    data = certificate("domineering/domineering-3x4.kif")
    claim = next(c for c in data["claims"] if c["property"] == "impartial")
    assert not checked({**swapped(data), "claims": [claim]})["impartial"]


def test_the_verb(tmp_path) -> None:
    out = tmp_path / "kayles.json"
    run = CliRunner().invoke
    sheet = str(GAMES / "kayles" / "kayles-7.kif")
    result = run(main, ["analyse", sheet, "--certificate", str(out)], standalone_mode=False)
    assert result.return_value == 0, result.output
    result = run(main, ["verify", str(out), sheet, "--format", "json"], standalone_mode=False)
    assert result.return_value == 0
    told = json.loads(result.output)
    claims = told["claims"]
    assert told["rules"]["is_of_sheet"] is True
    assert len(told["rules"]["sha256"]) == 64
    assert {c["property"] for c in claims if c["holds"]} >= {"impartial", "form", "cyclic"}
    other = str(GAMES / "clobber" / "clobber-4x4.kif")
    for arguments in ([str(out), other], [str(out), sheet, "--strict-case"]):
        result = run(main, ["verify", *arguments], standalone_mode=False)
        assert result.return_value == 1
        assert "not those of" in result.output
    result = run(main, ["verify", str(out)], standalone_mode=False)
    assert "compared with no sheet" in result.output
    data = json.loads(out.read_text())
    out.write_text(json.dumps(set_claim(data, "form", value="misère")))
    result = run(main, ["verify", str(out)], standalone_mode=False)
    assert result.return_value == 1
    assert "fails" in result.output
    result = run(main, ["verify", str(out), "--time", "0"], standalone_mode=False)
    assert isinstance(result.exception, LimitReached)
    checked = check_certificate(read_certificate(out.read_text()), 0.0)
    assert not any(one.is_known for one in checked if one.property == "impartial")
    out.write_text("{")
    result = run(main, ["verify", str(out)], standalone_mode=False)
    assert isinstance(result.exception, InputError)


def test_a_certificate_is_about_the_rules_that_its_digest_is_of() -> None:
    """Another text, or the same text read in another way, is another sheet."""
    data = certificate("kayles/kayles-7.kif")
    with pytest.raises(InputError, match="digest"):
        checked({**data, "rules": data["rules"] + " "})
    for change in ({"strict_case": True}, {"syntax": "hrf"}):
        with pytest.raises(GgpError):
            checked({**data, "sheet": {**data["sheet"], **change}})
    # The name proves nothing, and decides nothing about how the rules are read.
    assert all(checked({**data, "sheet": {**data["sheet"], "name": "clobber.hrf"}}).values())


def test_no_name_may_stand_twice() -> None:
    """What a reader sees first and what is checked would not be the same."""
    text = json.dumps(certificate("kayles/kayles-7.kif"))
    with pytest.raises(InputError, match="twice"):
        read_certificate(text.replace('"groups":', '"claims": [], "groups":', 1))


def test_the_schema_is_that_of_the_docs() -> None:
    kept = json.loads((ROOT / "docs" / "certificate.schema.json").read_text(encoding="utf-8"))
    assert kept == schema()


def test_random_in_another_case_is_a_player_where_case_is_kept_apart() -> None:
    """docs/semantics.md 16: with case kept apart RANDOM is another role than `random`."""
    text = """(role RANDOM) (role q) (init (s 0)) (<= (legal RANDOM go) (true (s 0)))
        (<= (legal q wait) (true (s 0))) (<= (next (s 1)) (true (s 0))) (<= terminal (true (s 1)))
        (goal q 100) (goal q 0)"""
    claim = {"property": "playable", "value": True}
    game = ggp.parse(text, strict_case=True)
    assert game.players == ("RANDOM", "q")
    assert not checked({**about(empty(text), text, strict_case=True), "claims": [claim]})[
        "playable"
    ]
    one = text.replace("(goal q 0)", "")
    assert checked({**about(empty(one), one), "claims": [claim]})["playable"]
    assert not checked({**about(empty(one), one, strict_case=True), "claims": [claim]})["playable"]


TURN_STAYS = """(role left) (role right) (init (control left)) (init (x 0))
    (init flag) (<= (next flag) (true flag) (not (true (x 9)))) (nx 9 9)
    (<= (next (control ?p)) (true (control ?p)) (true flag))
    (<= (next (control right)) (true (control left)) (not (true flag)))
    (<= (legal ?p (inc ?y)) (true (control ?p)) (true (x ?k)) (nx ?k ?y) (not (true bad)))
    (<= (legal ?p (hop ?y)) (true (control ?p)) (true (x ?k)) (nx ?k ?y) (not (true bad)))
    (<= (legal right (inc ?y)) (true (control right)) (true (x ?k)) (nx ?k ?y) (true bad))
    (<= (next bad) (true bad)) (<= (next bad) (true (control right)))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (x ?y)) (does ?p (inc ?y))) (<= (next (x ?y)) (does ?p (hop ?y)))
    (nx 0 1) (nx 1 2) (nx 2 3)
    (<= terminal (true (x 3)))
    (<= (goal ?p 0) (true (control ?p)))
    (<= (goal ?p 100) (role ?p) (not (true (control ?p))))"""


def test_groups_may_not_hide_what_the_other_player_does() -> None:
    """That just one of (control left) holds is kept by legal play; right is then never looked at,
    and what they do (`bad`) is taken to be impossible."""
    data = empty(TURN_STAYS)
    data["turns"] = {"flips": True, "settings": [
        {"role": "left", "holds": ["(control left)"]},
        {"role": "right", "holds": ["(control right)"]},
    ]}  # fmt: skip
    data["claims"] = [{"property": "all_small", "value": True}]
    values = [f"(x {n})" for n in range(4)]
    data["groups"] = [
        {"fluents": ["(control left)"], "exact": True},
        {"fluents": ["(control right)", "bad"], "exact": False},
        {"fluents": values, "exact": True},
    ]
    assert not any(checked(data).values())


FORCED = """(role left) (role right) (init (control left)) (init (heap 3))
    (<= (next (control right)) (true (control left)))
    (<= (next (control left)) (true (control right)))
    (<= (legal ?p take) (true (control ?p)) (true (heap ?m)) (succ ?k ?m))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (next (heap ?k)) (does ?p take) (true (heap ?m)) (succ ?k ?m))
    (<= terminal (true (heap 0)))
    (<= (goal ?p 0) (true (control ?p)))
    (<= (goal ?p 100) (role ?p) (not (true (control ?p))))
    (succ 0 1) (succ 1 2) (succ 2 3)"""


def test_turns_may_not_be_exchanged_where_nobody_has_a_choice() -> None:
    data = ggp.parse(FORCED).analyse().certificate()
    assert all(checked(data).values())
    false = swapped(set_claim(data, "form", value="misère"))
    assert not any(checked(false).values())


def test_goals_must_be_one_for_each_player() -> None:
    """With 0 and 100 at once both rows match, and no sum says anything."""
    two = FORCED + "(<= (goal left 50) (true (heap 0)))"
    data = empty(two)
    end = [["take", "noop"], ["noop", "take"], ["take", "noop"]]
    for name in ("zero_sum", "outcome_kind"):
        claim = {"property": name, "value": True, "goals": [[0, 100], [100, 0]],
                 "ends": {"witness": [end]}}  # fmt: skip
        claim["value"] = True if name == "zero_sum" else "win-lose"
        assert not checked({**data, "claims": [claim]})[name]


def settings_of(*told: tuple[str, list[str]], flips: bool) -> dict:
    """What tells whose turn it is, in the shape of a certificate."""
    settings = [{"role": role, "holds": held} for role, held in told]
    return {"flips": flips, "settings": settings}


def with_choices(data: dict, *plays: list[list[str]]) -> dict:
    """The same with plays that lead to a state with each setting."""
    data = deepcopy(data)
    for setting, play in zip(data["turns"]["settings"], plays, strict=True):
        setting["choice"] = play
    return data


GHOST = (
    FORCED
    + """(<= (legal ?p spook) (role ?p) (not (true (control ?p))) (true ghost))
    (<= (next ghost) (true ghost)) (<= (next ghost) (true (heap 3)) (true (heap 1)))"""
)


def test_what_may_be_shows_nothing() -> None:
    """Nobody ever has a choice; that who waits may have one, on boards that never arise, is no sign
    that it is its turn."""
    end = {"witness": [[["take", "noop"], ["noop", "take"], ["take", "noop"]]]}
    data = empty(GHOST)
    data["groups"] = [{"fluents": [f"(heap {n})" for n in range(4)], "exact": True}]
    data["claims"] = [
        {"property": "form", "value": "misère", "ends": end},
        {"property": "turns", "value": "alternating"},
    ]
    told = ("right", ["(control left)"]), ("left", ["(control right)"])
    for flips in (True, False):
        false = {**data, "turns": settings_of(*told, flips=flips)}
        assert not any(checked(false).values())
        assert not any(checked(with_choices(false, [], [["take", "noop"]])).values())
    assert ggp.parse(GHOST).analyse().value("form") != "misère"


def test_the_board_tells_no_turns() -> None:
    """Fluents of the board in the settings would be exchanged with the turn."""
    data = certificate("subtraction/sg-123-21.kif")
    assert next(c for c in data["claims"] if c["property"] == "impartial")["value"] is True
    data["claims"] = [
        {"property": "impartial", "value": False, "witness": [[]]},
        {"property": "all_small", "value": False, "witness": [[]]},
    ]
    heap = next(f for f in ggp.parse(data["rules"]).initial.facts if "heap" in str(f))
    left, right = (setting["holds"] for setting in data["turns"]["settings"])
    for told in (
        [("left", [*left, str(heap)]), ("right", right), ("left", left)],
        [("left", [*left, str(heap)]), ("right", [*right, str(heap)])],
        [("left", [str(heap)]), ("right", [])],
        [("left", left)],
    ):
        for flips in (True, False):
            assert not any(checked({**data, "turns": settings_of(*told, flips=flips)}).values())


def test_who_is_to_move_at_the_end_is_told_by_a_clock_or_a_marker() -> None:
    """Where nobody has a choice any role might be put, at ends above all."""
    arcs = """(role left) (role right) (init (control left)) (init (heap 3))
        (<= (next (control right)) (true (control left)))
        (<= (next (control left)) (true (control right)))
        (<= (legal ?p (to ?k)) (true (control ?p)) (true (heap ?m)) (arc ?m ?k))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))) (not (true (heap 0))))
        (<= (next (heap ?k)) (does ?p (to ?k))) (<= terminal (true (heap 0)))
        (<= (goal ?p 0) (true (control ?p)))
        (<= (goal ?p 100) (role ?p) (not (true (control ?p))))
        (arc 3 2) (arc 3 0) (arc 2 1) (arc 1 0)"""
    data = ggp.parse(arcs).analyse().certificate()
    assert checked(data)["form"]
    data["claims"] = [
        {"property": "form", "value": "misère", "ends": {"witness": [[["(to 0)", "noop"]]]}}
    ]
    for flips in (True, False):
        turns = settings_of(("left", []), ("right", ["(heap 2)"]), flips=flips)
        false = with_choices({**data, "turns": turns}, [], [["(to 2)", "noop"]])
        assert not any(checked(false).values())


def test_one_player_has_no_turns() -> None:
    data = certificate("puzzles/lights-out-3x3.kif")
    play = ggp.parse(data["rules"]).random_playout(1, max_plies=5000)
    moves = [[str(m) for m in joint.values()] for _, joint in play[:3]]
    claim = {"property": "turns", "value": "with extra turns", "witness": [moves]}
    assert not checked({**data, "claims": [claim]})["turns"]


def test_a_clock_hangs_on_nothing_else_that_changes() -> None:
    """Left, right, right, left: what hands the turn on is a counter that is left on the board."""
    steps = """(init (c 0)) (nx 0 1) (nx 1 2) (nx 2 3) (nx 3 0)
        (<= (next (c ?y)) (true (c ?x)) (nx ?x ?y))
        (<= (next (control right)) (or (true (c 0)) (true (c 1))))
        (<= (next (control left)) (or (true (c 2)) (true (c 3))))"""
    handed = """(<= (next (control right)) (true (control left)))
    (<= (next (control left)) (true (control right)))"""
    rules = FORCED.replace(handed, steps)
    told = ("left", ["(control left)"]), ("right", ["(control right)"])
    net = ggp.parse(rules).net
    both = [frozenset({net.fluent_index[ggp.parse(rules).term(f)]}) for _, [f] in told]
    assert runs_by_itself(net, both) is None
    net = ggp.parse(FORCED).net
    both = [frozenset({net.fluent_index[ggp.parse(FORCED).term(f)]}) for _, [f] in told]
    assert runs_by_itself(net, both) == ([0, 1], 0)


TWO_TURNS_EACH = """(role a) (role b) (init s0) (heap 1) (heap 2) (heap 3)
(<= (next w1) (true s0)) (<= (next s2) (true w1)) (<= (next w3) (true s2)) (<= (next s0) (true w3))
(<= (mine a) (true s0)) (<= (mine a) (true w1)) (<= (mine b) (true s2)) (<= (mine b) (true w3))
(<= (legal ?p (take ?x)) (mine ?p) (heap ?x) (not (true (taken ?x))))
(<= (legal ?p noop) (role ?p) (not (mine ?p)))
(<= (next (taken ?x)) (true (taken ?x))) (<= (next (taken ?x)) (does ?p (take ?x)))
(<= open (heap ?x) (not (true (taken ?x)))) (<= terminal (not open))
(goal a 100) (goal b 0)"""
"""Play is over after three steps of four, before b could show that the last one is its turn."""


def test_a_clock_that_no_play_shows_to_tell_turns_is_a_group() -> None:
    """That one of its fluents holds is assumed by proofs which do not ask whose turn it is."""
    data = ggp.parse(TWO_TURNS_EACH).analyse(positions=1).certificate()
    assert data["turns"] is None
    claims = checked(data)
    assert {"cyclic", "terminating", "outcome_kind", "zero_sum"} <= claims.keys()
    assert all(claims.values()), claims
