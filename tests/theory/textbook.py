"""Short games as their definitions say, slowly: an oracle that shares nothing with the package.

A game is a pair of frozensets, its Left and its Right options (Siegel 2013, chapter II).
"""

from __future__ import annotations

from functools import cache

from ggp.theory import ShortGame

Tree = tuple[frozenset, frozenset]

ZERO: Tree = (frozenset(), frozenset())


def tree(left=(), right=()) -> Tree:
    return frozenset(left), frozenset(right)


@cache
def leq(g: Tree, h: Tree) -> bool:
    return not any(leq(h, x) for x in g[0]) and not any(leq(x, g) for x in h[1])


@cache
def plus(g: Tree, h: Tree) -> Tree:
    return tree(
        [plus(x, h) for x in g[0]] + [plus(g, x) for x in h[0]],
        [plus(x, h) for x in g[1]] + [plus(g, x) for x in h[1]],
    )


@cache
def minus(g: Tree) -> Tree:
    return tree(map(minus, g[1]), map(minus, g[0]))


@cache
def canonical(g: Tree) -> Tree:
    left, right = set(map(canonical, g[0])), set(map(canonical, g[1]))
    while True:
        now = tree(left, right)
        for x in left:
            if any(y != x and leq(x, y) for y in left):
                left.remove(x)
                break
            if replies := [y for y in x[1] if leq(y, now)]:
                left = left - {x} | replies[0][0]
                break
        else:
            for x in right:
                if any(y != x and leq(y, x) for y in right):
                    right.remove(x)
                    break
                if replies := [y for y in x[0] if leq(now, y)]:
                    right = right - {x} | replies[0][1]
                    break
            else:
                return now


def value(g: Tree) -> ShortGame:
    """What the package makes of a tree."""
    return ShortGame(map(value, g[0]), map(value, g[1]))


def shape(game: ShortGame) -> Tree:
    """The tree of canonical options that the package gives."""
    return tree(map(shape, game.left), map(shape, game.right))
