"""Forged certificates, judged by brute force: what is accepted must be true.

True certificates of random games are changed in what they mean (whose turn it is, groups, sums,
weights, plays, claims, the rules) and every value of every property is claimed with them.
`python -m tests.checker.forge 100000 [SEED]` tries so many claims, and says how many of each kind
were tried and accepted, and which of those are false.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from typing import Any

import ggp
from ggp.checker import read_certificate
from ggp.checker.check import Checker
from ggp.errors import GgpError
from tests.oracle.findings import Faulty, Graph, TooBig, Unclear, explore
from tests.oracle.findings import findings as brute_force
from tests.oracle.gdl import Oracle
from tests.oracle.random_games import random_game

Data = dict[str, Any]

VALUES: dict[str, list[object]] = {
    "turns": ["alternating", "with extra turns", "simultaneous"],
    "form": ["normal", "misère", "other"],
    "impartial": [True, False],
    "all_small": [True, False],
    "cyclic": [True, False],
    "playable": [True, False],
    "terminating": [True],
    "zero_sum": [True, False],
}

PARTS = ("witness", "weights", "strict", "passes", "goals", "drawn", "ends", "matches")
"""What a claim may hold besides its property and value."""

MOST_STATES = 1_500


def truth(text: str) -> dict[str, object] | None:
    """What is true of a game, as far as its definition leaves no doubt; None for one too large."""
    try:
        graph = explore(Oracle(text), MOST_STATES)
        found = brute_force(text, MOST_STATES, 4 * MOST_STATES)
    except Faulty:
        return {"playable": False}
    except (TooBig, Unclear):
        return None
    known: dict[str, object] = {"playable": True, "cyclic": graph.cyclic}
    known["terminating"] = _terminates(graph)
    return known | {name: found[name] for name in VALUES if name in found and name not in known}


def _terminates(graph: Graph) -> bool:
    """Whether from every state some play ends."""
    before: dict[int, list[int]] = {}
    for node, out in enumerate(graph.edges):
        for _, after in out:
            before.setdefault(after, []).append(node)
    todo = list(graph.goals)
    ending = set(todo)
    while todo:
        new = set(before.get(todo.pop(), ())) - ending
        ending |= new
        todo += new
    return len(ending) == len(graph.states)


# -- what is forged --------------------------------------------------------------------------------


class Forger:
    """Changes of one certificate, each by the same random numbers."""

    def __init__(self, data: Data, choose: random.Random) -> None:
        self.data = deepcopy(data)
        self.choose = choose
        self.game = ggp.parse(data["rules"], strict_case=data["sheet"]["strict_case"])
        self.fluents = [str(f) for f in self.game.net.fluents]

    @property
    def settings(self) -> list[Data]:
        """What is said of whose turn it is."""
        if self.data["turns"] is None:
            marks = self.choose.sample(self.fluents, min(2, len(self.fluents)))
            pairs = zip(self.game.roles, marks, strict=False)
            settings = [{"role": role, "holds": [mark]} for role, mark in pairs]
            self.data["turns"] = {"flips": True, "settings": settings}
        return self.data["turns"]["settings"]

    def swapped_roles(self) -> None:
        """Each setting is of another role."""
        roles = [setting["role"] for setting in self.settings]
        for setting, role in zip(self.settings, [*roles[1:], roles[0]], strict=True):
            setting["role"] = role

    def other_fluents(self) -> None:
        """The turn is told by fluents of the board."""
        for setting in self.settings:
            count = min(len(self.fluents), self.choose.choice((0, 1, 1, 1, 2)))
            setting["holds"] = self.choose.sample(self.fluents, count)

    def more_fluents(self) -> None:
        """A fluent of the board is one more of those that tell whose turn it is."""
        fluent = self.choose.choice(self.fluents)
        copies = []
        for setting in self.settings:
            other = [f for f in setting["holds"] if f != fluent]
            copies += [{**setting, "holds": other}, {**setting, "holds": [*other, fluent]}]
        self.data["turns"]["settings"] = copies

    def other_flips(self) -> None:
        """Whether the turn can be given away."""
        assert self.settings
        self.data["turns"]["flips"] = not self.data["turns"]["flips"]

    def no_turns(self) -> None:
        """Nothing tells whose turn it is."""
        self.data["turns"] = None

    def random_groups(self) -> None:
        """Groups that need not hold, or hold in legal play only."""
        for _ in range(self.choose.randint(1, 4)):
            size = min(len(self.fluents), self.choose.randint(1, 4))
            members = self.choose.sample(self.fluents, size)
            exact = self.choose.random() < 0.6
            self.data["groups"].append({"fluents": members, "exact": exact})

    def groups_of_turns(self) -> None:
        """Groups made of fluents that tell whose turn it is, one by one or with others."""
        for setting in self.settings:
            if setting["holds"] and self.choose.random() < 0.7:
                more = self.choose.sample(self.fluents, self.choose.randint(0, 1))
                exact = self.choose.random() < 0.7
                group = {"fluents": [self.choose.choice(setting["holds"]), *more], "exact": exact}
                self.data["groups"].append(group)

    def exact_groups(self) -> None:
        """Groups of at most one are said to be exact, or the other way round."""
        for group in self.data["groups"]:
            if self.choose.random() < 0.5:
                group["exact"] = not group["exact"]

    def random_sums(self) -> None:
        """Sums that are right at the start."""
        members = self.choose.sample(self.fluents, min(len(self.fluents), 3))
        weights = {f: self.choose.choice((-2, -1, 1, 2)) for f in members}
        initial = {self.fluents[i] for i in self.game.net.initial}
        value = sum(w for f, w in weights.items() if f in initial)
        self.data["sums"].append({"weights": weights, "value": value})

    def random_excluded(self) -> None:
        """States that are said to be never reached, and are not the one in which play begins."""
        initial = {self.fluents[i] for i in self.game.net.initial}
        for _ in range(self.choose.randint(1, 3)):
            members = self.choose.sample(self.fluents, min(len(self.fluents), 3))
            holds = [f for f in members if self.choose.random() < 0.5]
            lacks = [f for f in members if f not in holds]
            if set(holds) <= initial and initial.isdisjoint(lacks):
                lacks = [*lacks, *holds]
            self.data["excluded"].append({"holds": holds, "lacks": lacks})

    def random_bounds(self) -> None:
        """Bounds that hold at the start."""
        initial = {self.fluents[i] for i in self.game.net.initial}
        for _ in range(self.choose.randint(1, 3)):
            members = self.choose.sample(self.fluents, min(len(self.fluents), 3))
            weights = {f: self.choose.choice((-2, -1, 1, 2)) for f in members}
            most = sum(w for f, w in weights.items() if f in initial) + self.choose.choice(
                (0, 0, 1)
            )
            self.data["bounds"].append({"weights": weights, "most": most})

    def other_weights(self) -> None:
        """Rankings with other weights: none, negative ones, of what tells whose turn it is."""
        for claim in self.data["claims"]:
            for part in (claim, claim.get("ends", {})):
                if "weights" in part:
                    members = self.choose.sample(self.fluents, min(len(self.fluents), 3))
                    part["weights"] = {f: self.choose.choice((-1, 0, 1, 2)) for f in members}
                    part["strict"] = self.choose.choice((None, list(self.game.roles[:1])))

    def other_passes(self) -> None:
        """Sums need not fall with passes."""
        for claim in self.data["claims"]:
            for part in (claim, claim.get("ends", {})):
                if "weights" in part:
                    part["strict"], part["passes"] = list(self.game.roles), True

    def other_plays(self) -> None:
        """Witnesses from random play."""
        for claim in self.data["claims"]:
            if "witness" in claim:
                claim["witness"] = [self._play(), self._play()]

    def other_goals(self) -> None:
        """Goals at the end of which some are left out."""
        for claim in self.data["claims"]:
            if claim.get("goals"):
                claim["goals"] = self.choose.sample(claim["goals"], 1)

    def other_matches(self) -> None:
        """Each move is matched by any moves of the other role."""
        moves = [list(map(str, own))[:16] for own in self.game.net.moves]
        if len(moves) == 2 and all(moves):
            first, second = self.game.roles
            own, others = (list(map(str, m)) for m in self.game.net.moves)
            matches = {first: dict.fromkeys(own, moves[1]), second: dict.fromkeys(others, moves[0])}
            self.data["claims"].append({"property": "impartial", "value": True, "matches": matches})

    def other_rules(self) -> None:
        """The rules are others, and so is their digest."""
        lines = self.data["rules"].splitlines()
        place = self.choose.randrange(len(lines))
        change = self.choose.choice(("drop", "goals", "negate", "strict"))
        if change == "drop":
            del lines[place]
        elif change == "goals":
            table = str.maketrans({"0": "1", "1": "0"})
            lines[place] = lines[place].translate(table)
        elif change == "negate":
            lines[place] = lines[place].replace("(true ", "(not (true ", 1)
        text = "\n".join(lines)
        strict = self.data["sheet"]["strict_case"] ^ (change == "strict")
        game = ggp.parse(text, strict_case=strict)
        self.data["rules"] = text
        self.data["sheet"] |= {"strict_case": strict, "sha256": game.rules.digest}
        self.game, self.fluents = game, [str(f) for f in game.net.fluents]

    def _play(self) -> list[list[str]]:
        try:
            play = self.game.random_playout(self.choose.randrange(1000), max_plies=60)
        except GgpError:
            return []
        moves = [[str(m) for m in joint.values()] for _, joint in play if joint]
        return moves[: self.choose.randint(0, len(moves))]


FORGE: tuple[Callable[[Forger], None], ...] = (
    Forger.swapped_roles, Forger.other_fluents, Forger.more_fluents, Forger.other_flips,
    Forger.no_turns, Forger.random_groups, Forger.groups_of_turns, Forger.exact_groups,
    Forger.random_sums, Forger.random_excluded, Forger.random_bounds, Forger.other_weights,
    Forger.other_plays, Forger.other_goals, Forger.other_matches, Forger.other_rules,
    Forger.other_passes,
)  # fmt: skip


def forged(data: Data, choose: random.Random) -> tuple[list[str], Data]:
    """A certificate with some changes, by name, that claims every value of every property."""
    forger = Forger(data, choose)
    names = []
    for change in choose.sample(FORGE, choose.randint(0, 3)):
        with suppress(GgpError):
            change(forger)
            names.append(change.__name__)
    parts = {
        name: [claim[name] for claim in forger.data["claims"] if name in claim] for name in PARTS
    }
    claims = []
    for name, values in VALUES.items():
        own = [claim for claim in forger.data["claims"] if claim["property"] == name]
        for value in values:
            borrowed = dict(choose.choice(own)) if own else {}
            for part in choose.sample(PARTS, choose.choice((0, 0, 1))):
                if parts[part]:
                    borrowed[part] = choose.choice(parts[part])
            if value in (False, "misère", "normal", "alternating") and choose.random() < 0.5:
                borrowed.pop("witness", None)
            claims.append({**borrowed, "property": name, "value": value})
    forger.data["claims"] = claims
    return names, forger.data


# -- the run ---------------------------------------------------------------------------------------


def accepts(data: Data) -> list[bool]:
    """Whether each claim of a certificate is accepted; junk is not."""
    try:
        read = read_certificate(json.dumps(data))
    except GgpError:
        return [False] * len(data["claims"])
    checker, held = Checker(read, 20), []
    for claim in read.claims:
        try:
            held.append(checker.check(claim).holds)
        except GgpError:
            held.append(False)
    return held


def run(seeds: Iterator[int], most: int) -> tuple[Counter[str], Counter[str], list[str]]:
    """Claims tried and accepted by property, and what was accepted and is false."""
    tried: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in seeds:
        if tried.total() >= most:
            break
        try:
            text = random_game(seed, "passing" if seed % 4 == 3 else None)
            original = ggp.parse(text).analyse().certificate()
        except GgpError:
            continue
        choose = random.Random(seed)
        known: dict[str, dict[str, object] | None] = {}
        for _ in range(20):
            names, data = forged(original, choose)
            if data["rules"] not in known and not data["sheet"]["strict_case"]:
                known[data["rules"]] = truth(data["rules"])
            facts = known.get(data["rules"])
            if facts is None:
                continue
            for claim, held in zip(data["claims"], accepts(data), strict=True):
                name = claim["property"]
                tried[name] += 1
                accepted[name] += held
                if held and facts.get(name, claim["value"]) != claim["value"]:
                    told = f"seed {seed}: {name}: {claim['value']} ({', '.join(names)})"
                    wrong.append(f"{told}\n{json.dumps({**data, 'claims': [claim]})}")
    return tried, accepted, wrong


if __name__ == "__main__":
    count, start = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    asked, held, false = run(iter(range(start, start + count)), count)
    for name, number in sorted(asked.items()):
        print(f"{name:<12} {number:>8,} tried {held[name]:>8,} accepted")
    print(f"{asked.total():,} claims, {len(false)} accepted that are false")
    for text in false:
        print(text)
    sys.exit(bool(false))
