"""What is true of a small game, found by looking at every state.

Each finding follows its definition and nothing else: no proof, no short cut. A finding that has no
sense for a game, or that two fair readings of its definition would answer differently, is absent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from tests.oracle.gdl import Oracle, Term, kif, signature, variables

State: TypeAlias = frozenset[str]
Board: TypeAlias = frozenset[str]
Goals: TypeAlias = tuple[int, ...]
Joint: TypeAlias = dict[str, str]


class TooBig(Exception):
    """The game has more states than the bound allows."""


class Faulty(Exception):
    """The game is not playable: a role cannot move, or its end gives no single goal."""


class Unclear(Exception):
    """The definition does not fit this game: the finding is left out."""


# --------------------------------------------------------------------------------------------------
# All reachable states
# --------------------------------------------------------------------------------------------------


@dataclass
class Graph:
    """The reachable states, numbered in the order of a breadth-first search."""

    oracle: Oracle
    states: list[State]
    edges: list[list[tuple[Joint, int]]]  # none at a terminal state
    goals: dict[int, Goals]  # of the terminal states

    @cached_property
    def roles(self) -> list[str]:
        """The roles that decide something: all but ``random``."""
        return [role for role in self.oracle.roles if role != "random"]

    @cached_property
    def chance(self) -> bool:
        """Whether a role plays at random."""
        return "random" in self.oracle.roles

    @cached_property
    def choosers(self) -> list[set[str]]:
        """The roles with more than one legal move, state by state; none at a terminal state."""
        return [
            {role for role in self.roles if len({joint[role] for joint, _ in out}) > 1}
            for out in self.edges
        ]

    @cached_property
    def cyclic(self) -> bool:
        """Whether some state can be reached again."""
        return topological(len(self.states), [[n for _, n in out] for out in self.edges]) is None


def explore(oracle: Oracle, max_states: int) -> Graph:
    """Visit every reachable state."""
    number = {oracle.initial: 0}
    graph = Graph(oracle, [oracle.initial], [], {})
    for state in graph.states:  # grows as it runs
        out: list[tuple[Joint, int]] = []
        if oracle.terminal(state):
            goals = oracle.goals(state)
            if any(len(values) != 1 for values in goals.values()):
                raise Faulty(f"no single goal: {goals} in {sorted(state)}")
            graph.goals[len(graph.edges)] = tuple(goals[role][0] for role in graph.roles)
        else:
            for role in oracle.roles:
                if not oracle.legal(state, role):
                    raise Faulty(f"{role} cannot move in {sorted(state)}")
            for joint in oracle.joint_moves(state):
                after = oracle.next(state, joint)
                if after not in number:
                    if len(number) >= max_states:
                        raise TooBig(f"more than {max_states} states")
                    number[after] = len(number)
                    graph.states.append(after)
                out.append((joint, number[after]))
        graph.edges.append(out)
    return graph


def topological(count: int, successors: list[list[int]]) -> list[int] | None:
    """Return the nodes, each before its successors; None if there is a cycle."""
    indegree = [0] * count
    for out in successors:
        for node in out:
            indegree[node] += 1
    order = [node for node in range(count) if not indegree[node]]
    for node in order:  # grows as it runs
        for other in successors[node]:
            indegree[other] -= 1
            if not indegree[other]:
                order.append(other)
    return order if len(order) == count else None


def shortest_play(graph: Graph) -> int | None:
    """Return the least number of joint moves to an end; None if no play ends."""
    distance = {0: 0}
    queue = deque([0])
    while queue:
        node = queue.popleft()
        if node in graph.goals:
            return distance[node]
        for _, other in graph.edges[node]:
            if other not in distance:
                distance[other] = distance[node] + 1
                queue.append(other)
    return None


def longest_play(graph: Graph) -> int | None:
    """Return the greatest number of joint moves to an end; None if there is a cycle."""
    order = topological(len(graph.states), [[n for _, n in out] for out in graph.edges])
    if order is None:
        return None
    length = [0] * len(graph.states)
    for node in reversed(order):
        length[node] = max((length[other] + 1 for _, other in graph.edges[node]), default=0)
    return length[0]


# --------------------------------------------------------------------------------------------------
# The turn marker
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Marker:
    """One fluent per role, of which exactly one holds in every state: that of the role to move."""

    fluents: tuple[tuple[str, str], ...]  # (role, fluent), in the order of the roles

    @cached_property
    def of(self) -> dict[str, str]:
        """The fluent of each role."""
        return dict(self.fluents)

    def mover(self, state: State) -> str:
        """Return the role to move."""
        marked = [role for role, fluent in self.fluents if fluent in state]
        if len(marked) != 1:
            raise Unclear(f"{len(marked)} roles are marked in {sorted(state)}")
        return marked[0]

    def board(self, state: State) -> Board:
        """Return the state without the marker."""
        return state.difference(self.of.values())

    def put(self, board: Board, role: str) -> State:
        """Put a role to move on a board."""
        return board | {self.of[role]}


def markers(graph: Graph) -> list[Marker]:
    """Return all groups of fluents that could be the marker, judged by the reachable states.

    Exactly one fluent of the group holds in every state, and only the role that it marks ever has
    more than one legal move. Small games have many such groups by accident: see `ranked`.
    """
    everywhere = (1 << len(graph.states)) - 1
    holds: dict[str, int] = {}
    for rule in graph.oracle.rules:
        if signature(rule.head) in (("init", 1), ("next", 1)) and not variables(rule.head):
            holds[kif(rule.head[1])] = 0  # it need not be reachable
    for number, state in enumerate(graph.states):
        for fluent in state:
            holds[fluent] = holds.get(fluent, 0) | 1 << number
    chooses = {
        role: sum(1 << n for n, choosers in enumerate(graph.choosers) if role in choosers)
        for role in graph.roles
    }
    found: list[Marker] = []

    def assign(chosen: tuple[tuple[str, str], ...], covered: int) -> None:
        if len(chosen) == len(graph.roles):
            if covered == everywhere:
                found.append(Marker(chosen))
            return
        role = graph.roles[len(chosen)]
        for fluent in sorted(holds):
            where = holds[fluent]
            taken = any(fluent == other for _, other in chosen)
            if not taken and not where & covered and chooses[role] & ~where == 0:
                assign((*chosen, (role, fluent)), covered | where)

    assign((), 0)
    return found


def names_roles(oracle: Oracle, marker: Marker) -> bool:
    """Tell whether the fluents of a group differ in the name of the role and in nothing else."""

    def hide(term: Term, role: str) -> Term:
        if isinstance(term, str):
            return "*" if term == role else term
        return (term[0], *[hide(part, role) for part in term[1:]])

    terms = [(role, oracle.term(fluent)) for role, fluent in marker.fluents]
    hidden = {hide(term, role) for role, term in terms}
    return len(hidden) == 1 and all(hide(term, role) != term for role, term in terms)


def ranked(graph: Graph, bound: int) -> list[tuple[Marker, Closure | None]]:
    """Return the best candidates for the marker, each with its closure if it can be flipped.

    The test is what happens when either player is put to move, on every board that comes about so.
    Best are the groups that always leave the role that is not marked the same single move, whether
    play is over or not. If there is none, those count that do so as long as play goes on; then
    those that at least fit the reachable states. The latter two kinds are trusted only if the
    fluents differ in nothing but the name of the role. A group with more boards than the bound
    stays among the best, without a closure.
    """
    found: dict[int, list[tuple[Marker, Closure | None]]] = {0: [], 1: [], 2: []}
    for marker in markers(graph):
        named = names_roles(graph.oracle, marker)
        closure: Closure | None = None
        if len(graph.roles) == 2 and not graph.chance:
            try:
                closure = close(graph, marker, bound)
            except TooBig:
                found[0].append((marker, None))
                continue
            except Unclear:
                pass
        if closure and closure.steady:
            found[0].append((marker, closure))
        elif named:
            found[1 if closure else 2].append((marker, closure))
    return found[0] or found[1] or found[2]


def turns(graph: Graph, marker: Marker) -> str:
    """Say how the marker passes on: round all roles in a fixed order, or not."""
    after: dict[str, set[str]] = {role: set() for role in graph.roles}
    for state, out in zip(graph.states, graph.edges, strict=True):
        for _, other in out:
            after[marker.mover(state)].add(marker.mover(graph.states[other]))
    if any(len(roles) > 1 for roles in after.values()):
        return "with extra turns"
    known = {role: roles.pop() for role, roles in after.items() if roles}
    if any(role == following for role, following in known.items()):
        return "with extra turns"
    role = graph.roles[0]
    for _ in graph.roles[1:]:
        if role not in known:
            if len(graph.roles) == 2:
                return "alternating"
            raise Unclear("some role never moves")
        role = known[role]
        if role == graph.roles[0]:
            return "with extra turns"
    return (
        "alternating" if known.get(role, graph.roles[0]) == graph.roles[0] else "with extra turns"
    )


# --------------------------------------------------------------------------------------------------
# Both players on every board
# --------------------------------------------------------------------------------------------------


@dataclass
class Closure:
    """The boards that moves of either player reach, whoever's turn it is.

    ``options[board][role]`` are the boards after each move of the role; none where play is over
    with that role to move. ``remaining[board][role]`` counts legal moves, play over or not.
    """

    options: dict[Board, dict[str, frozenset[Board]]] = field(default_factory=dict)
    terminal: dict[Board, dict[str, bool]] = field(default_factory=dict)
    remaining: dict[Board, dict[str, int]] = field(default_factory=dict)
    goals: dict[Board, dict[str, dict[str, list[int]]]] = field(default_factory=dict)
    alternates: bool = True  # the other player is marked after every move
    steady: bool = True  # a role that is not marked always has the same single move


def close(graph: Graph, marker: Marker, bound: int, beyond_the_end: bool = False) -> Closure:
    """Put both players to move on the first board, and on every board that a move leads to."""
    oracle, roles = graph.oracle, graph.roles
    closure = Closure()
    first = marker.board(oracle.initial)
    boards, seen = [first], {first}
    waits: dict[str, set[tuple[str, ...]]] = {role: set() for role in roles}
    for board in boards:  # grows as it runs
        tables: tuple[dict[str, Any], ...] = ({}, {}, {}, {})
        options, terminal, remaining, goals = tables
        for role in roles:
            state = marker.put(board, role)
            legal = {each: oracle.legal(state, each) for each in roles}
            terminal[role] = oracle.terminal(state)
            remaining[role] = len(legal[role])
            for each in roles:
                if each != role:
                    waits[each].add(tuple(legal[each]))
            goals[role] = oracle.goals(state) if terminal[role] else {}
            after: set[Board] = set()
            if not terminal[role] or beyond_the_end:
                waiting = [len(legal[each]) for each in roles if each != role]
                if waiting != [1]:
                    raise Unclear(f"a role that waits has no single move in {sorted(state)}")
                for joint in oracle.joint_moves(state):
                    result = oracle.next(state, joint)
                    if marker.mover(result) == role:
                        closure.alternates = False
                    after.add(marker.board(result))
            options[role] = frozenset(after)
            for other in sorted(after - seen, key=sorted):
                if len(seen) >= bound:
                    raise TooBig(f"more than {bound} boards")
                seen.add(other)
                boards.append(other)
        closure.options[board] = options
        closure.terminal[board] = terminal
        closure.remaining[board] = remaining
        closure.goals[board] = goals
    closure.steady = all(len(w) == 1 and len(next(iter(w))) == 1 for w in waits.values())
    return closure


def impartial(closure: Closure) -> bool:
    """Tell whether both players have the same options on every board."""
    return all(len(set(options.values())) == 1 for options in closure.options.values())


def all_small(closure: Closure) -> bool:
    """Tell whether on every board either both players have options or neither has."""
    return all(len(set(map(bool, o.values()))) == 1 for o in closure.options.values())


def nim_value(graph: Graph, marker: Marker, closure: Closure) -> int:
    """Return the nim-value of the first board: the least that no option has."""
    low, high = extremes(graph)
    roles = graph.roles
    if not impartial(closure) or not closure.alternates:
        raise Unclear("no impartial game with alternating turns")
    for board, options in closure.options.items():
        for role, other in ((roles[0], roles[1]), (roles[1], roles[0])):
            ended = closure.terminal[board][role]
            if ended != (not options[role]) or (ended and closure.remaining[board][role]):
                raise Unclear("play does not end exactly where no move remains")
            if ended and closure.goals[board][role] != {role: [low[role]], other: [high[other]]}:
                raise Unclear("no normal play")
    boards = list(closure.options)
    number = {board: n for n, board in enumerate(boards)}
    successors = [[number[b] for b in closure.options[board][roles[0]]] for board in boards]
    order = topological(len(boards), successors)
    if order is None:
        raise Unclear("a cycle")
    values = [0] * len(boards)
    for node in reversed(order):
        values[node] = mex(values[other] for other in successors[node])
    return values[number[marker.board(graph.oracle.initial)]]


def mex(values: Iterable[int]) -> int:
    """Return the least number that is not among the values."""
    taken = set(values)
    return next(n for n in range(len(taken) + 1) if n not in taken)


# --------------------------------------------------------------------------------------------------
# Endings
# --------------------------------------------------------------------------------------------------


def extremes(graph: Graph) -> tuple[dict[str, int], dict[str, int]]:
    """Return the worst and the best goal of every role.

    They are taken from the heads of its goal rules; where those are computed, from what the
    reachable ends give.
    """
    low: dict[str, int] = {}
    high: dict[str, int] = {}
    for number, role in enumerate(graph.roles):
        values = graph.oracle.goal_constants(role) or {g[number] for g in graph.goals.values()}
        if not values:
            raise Unclear(f"{role} has no goal")
        low[role], high[role] = min(values), max(values)
    return low, high


def form(graph: Graph, marker: Marker) -> str:
    """Say who wins where play ends: normal, misère or other."""
    if not graph.goals:
        raise Unclear("no play ends")
    low, high = extremes(graph)
    if any(low[role] == high[role] for role in graph.roles):
        raise Unclear("best and worst goals are the same")
    found: set[str] = set()
    for number, goals in graph.goals.items():
        state = graph.states[number]
        mover = marker.mover(state)
        value = dict(zip(graph.roles, goals, strict=True))
        others = [role for role in graph.roles if role != mover]
        if graph.oracle.legal(state, mover):
            return "other"
        lost = value[mover] == low[mover] and all(value[r] == high[r] for r in others)
        won = value[mover] == high[mover] and all(value[r] == low[r] for r in others)
        found.add("normal" if lost else "misère" if won else "other")
    return found.pop() if len(found) == 1 else "other"


def outcome_kind(graph: Graph) -> str:
    """Say what the ends are like: win–lose, win–lose–draw or scored."""
    low, high = extremes(graph)
    kinds: set[str] = set()
    draws: set[int] = set()
    for goals in graph.goals.values():
        top = [value == high[role] for role, value in zip(graph.roles, goals, strict=True)]
        bottom = [value == low[role] for role, value in zip(graph.roles, goals, strict=True)]
        pure = all(a != b for a, b in zip(top, bottom, strict=True))
        if pure and (len(goals) == 1 or sum(top) == 1):
            kinds.add("win")
        elif len(set(goals)) == 1 and not any(top) and not any(bottom):
            draws.update(goals)
        elif len(set(goals)) == 1:
            raise Unclear("all win or all lose: a draw or not")
        else:
            kinds.add("score")
    if not kinds and not draws:
        raise Unclear("no play ends")
    if "score" in kinds or len(draws) > 1:
        return "scored"
    return "win–lose–draw" if draws else "win–lose"


def zero_sum(graph: Graph) -> bool:
    """Tell whether the goals of all roles add up to the same number at every reachable end."""
    if not graph.goals or len(graph.roles) < 2:
        raise Unclear("nothing to add up")
    return len({sum(goals) for goals in graph.goals.values()}) == 1


# --------------------------------------------------------------------------------------------------
# Best play
# --------------------------------------------------------------------------------------------------


@dataclass
class Play:
    """What best play from the first state comes to; parts without a sense are None."""

    goals: dict[str, int] | None = None
    best: list[str] | None = None
    outcome: str | None = None


def mover_of(graph: Graph, marker: Marker | None, node: int) -> str | None:
    """Return the role to move: by the marker, else the one with a choice; None if there is none."""
    if marker:
        return marker.mover(graph.states[node])
    if len(graph.roles) == 1:
        return graph.roles[0]
    return next(iter(graph.choosers[node]), None)


def solve(graph: Graph, marker: Marker | None) -> Play:
    """Find the result of best play, where it is defined without chance or simultaneous moves."""
    if graph.chance or any(len(choosers) > 1 for choosers in graph.choosers):
        raise Unclear("no turns")
    movers = [mover_of(graph, marker, node) for node in range(len(graph.states))]
    if not graph.cyclic:
        play, decided = induce(graph, movers)
    elif len(graph.roles) == 1:
        play, decided = Play(), False
        reachable = [goals[0] for goals in graph.goals.values()]
        if reachable:
            play.goals = {graph.roles[0]: max(reachable)}
    elif len(graph.roles) == 2 and zero_sum(graph):
        play, decided = retrograde(graph, movers)
    else:
        raise Unclear("endless play is worth nothing known")
    mover = movers[0]
    if mover is None or 0 in graph.goals:
        play.best = None
    if len(graph.roles) == 2 and marker and decided and mover:
        with_draws = outcome_kind(graph)
        if with_draws != "scored" and zero_sum(graph):
            play.outcome = "draw"
            if play.goals is not None:
                low, high = extremes(graph)
                if play.goals[mover] == high[mover]:
                    play.outcome = "N"
                elif play.goals[mover] == low[mover]:
                    play.outcome = "P"
    return play


def induce(graph: Graph, movers: list[str | None]) -> tuple[Play, bool]:
    """Backward induction without cycles: every role seeks its own highest goal.

    Where a role is indifferent, what the others get is open: all the results that best play may
    have are kept, and the goals are known if one is left in the end.
    """
    order = topological(len(graph.states), [[n for _, n in out] for out in graph.edges])
    assert order is not None
    results: list[set[Goals]] = [set() for _ in graph.states]
    for node in reversed(order):
        if node in graph.goals:
            results[node] = {graph.goals[node]}
            continue
        children = [results[other] for _, other in graph.edges[node]]
        index = graph.roles.index(movers[node] or graph.roles[0])
        for child in children:
            for goals in child:
                if all(min(g[index] for g in rival) <= goals[index] for rival in children):
                    results[node].add(goals)
    play = Play()
    if len(results[0]) > 1:
        return play, False
    play.goals = dict(zip(graph.roles, next(iter(results[0])), strict=True))
    mover = movers[0]
    if mover is not None:
        index = graph.roles.index(mover)
        moves = {joint[mover]: results[node] for joint, node in graph.edges[0]}
        if all(len({goals[index] for goals in child}) == 1 for child in moves.values()):
            top = play.goals[mover]
            play.best = sorted(m for m, c in moves.items() if next(iter(c))[index] == top)
    return play, True


def retrograde(graph: Graph, movers: list[str | None]) -> tuple[Play, bool]:
    """Two roles with opposite interests and cycles: what either can force in finite time."""
    parents: list[list[int]] = [[] for _ in graph.states]
    for node, out in enumerate(graph.edges):
        for _, other in out:
            parents[other].append(node)

    def force(index: int, least: int) -> set[int]:
        """Return the states from which a role can force an end that gives it so much or more."""
        found = {node for node, goals in graph.goals.items() if goals[index] >= least}
        escapes = [len(out) for out in graph.edges]
        queue = deque(found)
        while queue:
            for node in parents[queue.popleft()]:
                escapes[node] -= 1
                mine = movers[node] == graph.roles[index]
                if node not in found and (mine or not escapes[node]):
                    found.add(node)
                    queue.append(node)
        return found

    levels = [sorted({goals[index] for goals in graph.goals.values()}) for index in (0, 1)]
    sets = [{level: force(index, level) for level in levels[index]} for index in (0, 1)]
    high = [extremes(graph)[1][role] for role in graph.roles]
    total = sum(next(iter(graph.goals.values())))

    def secured(node: int, index: int) -> int | None:
        """Return the highest goal that a role can force; None if it cannot even force an end."""
        return max((lv for lv, where in sets[index].items() if node in where), default=None)

    def rank(node: int, index: int) -> int:
        """Return 2, 1 or 0 for a win, a draw (or endless play) or a loss of the role."""
        if secured(node, index) == high[index]:
            return 2
        return 0 if secured(node, 1 - index) == high[1 - index] else 1

    first, second = secured(0, 0), secured(0, 1)
    if first == high[0]:
        second = total - high[0]
    elif second == high[1]:
        first = total - high[1]
    play = Play()
    if first is not None and second is not None and first + second == total:
        play.goals = {graph.roles[0]: first, graph.roles[1]: second}
    if outcome_kind(graph) == "scored":
        return play, False
    mover = movers[0]
    if mover is not None:
        index = graph.roles.index(mover)
        best = max(rank(node, index) for _, node in graph.edges[0])
        play.best = sorted(
            joint[mover] for joint, node in graph.edges[0] if rank(node, index) == best
        )
    return play, True


# --------------------------------------------------------------------------------------------------
# Everything together
# --------------------------------------------------------------------------------------------------


def findings(text: str, max_states: int = 20_000, max_boards: int = 80_000) -> dict[str, Any]:
    """Return all that is found of a game; raise `TooBig` or `Faulty`.

    With more boards than the bound, what needs both players on every board is left out.
    """
    graph = explore(Oracle(text), max_states)
    found: dict[str, Any] = {
        "players": len(graph.roles),
        "cyclic": graph.cyclic,
        "longest_play": longest_play(graph),
        "reachable_states": len(graph.states),
    }

    def note(key: str, value: Callable[[], object]) -> None:
        try:
            answer = value()
        except Unclear:
            return
        if answer is not None:
            found[key] = answer

    note("shortest_play", lambda: shortest_play(graph))
    note("outcome_kind", lambda: outcome_kind(graph))
    note("zero_sum", lambda: zero_sum(graph))

    best: Marker | None = None
    if len(graph.roles) == 1:
        found["turns"] = "single-player"
    elif any(len(choosers) > 1 for choosers in graph.choosers):
        found["turns"] = "simultaneous"
    else:
        candidates = ranked(graph, max_boards)
        readings = [by_marker(graph, marker, closure, max_boards) for marker, closure in candidates]
        found |= agreed(readings)
        if candidates and len({mover_line(graph, marker) for marker, _ in candidates}) == 1:
            best = candidates[0][0]
    try:
        play = solve(graph, best)
    except Unclear:
        return found
    for key in ("goals", "outcome", "best"):
        value = getattr(play, key)
        if value is not None:
            found[key] = value
    return found


def mover_line(graph: Graph, marker: Marker) -> tuple[str, ...]:
    """Return the role to move in every state."""
    return tuple(marker.mover(state) for state in graph.states)


def by_marker(
    graph: Graph, marker: Marker, closure: Closure | None, bound: int
) -> dict[str, object]:
    """Return the findings that hang on the marker."""
    found: dict[str, object] = {}
    for key, value in (("turns", turns), ("form", form)):
        if key == "form" and len(graph.roles) != 2:
            continue
        try:
            found[key] = value(graph, marker)
        except Unclear:
            continue
    if closure is None:
        return found
    found["impartial"] = impartial(closure)
    found["all_small"] = all_small(closure)
    with suppress(Unclear):
        found["nim_value"] = nim_value(graph, marker, closure)
    if not any(
        closure.terminal[board][role] and count
        for board, counts in closure.remaining.items()
        for role, count in counts.items()
    ):
        return found
    try:
        # A move that is legal after the end may count as an option or not.
        further = close(graph, marker, bound, beyond_the_end=True)
    except (Unclear, TooBig):
        return found
    other = {"impartial": impartial(further), "all_small": all_small(further)}
    return {k: v for k, v in found.items() if other.get(k, v) == v}


def agreed(readings: list[dict[str, object]]) -> Mapping[str, object]:
    """Return what all readings say."""
    if not readings:
        return {}
    return {k: v for k, v in readings[0].items() if all(r.get(k) == v for r in readings)}
