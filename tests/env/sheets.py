"""Sheets of all kinds for environments: shipped ones, and small ones with chance and percepts."""

from __future__ import annotations

import ggp
from tests.conftest import GAMES

DICE = """
(role you) (role random) (init (at 0)) (init (left 3))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
(<= (legal you ?how) (style ?how)) (style calm) (style wild)
(coin heads) (coin tails) (coin edge) (<= (legal random ?c) (coin ?c) (not (true (left 0))))
(<= (gain 1) (does you calm) (not (does random tails)))
(<= (gain 2) (does you wild) (does random heads))
(<= gained (gain ?n))
(<= (next (at ?n)) (true (at ?m)) (gain 1) (succ ?m ?n))
(<= (next (at ?n)) (true (at ?m)) (gain 2) (succ ?m ?k) (succ ?k ?n))
(<= (next (at ?n)) (true (at ?n)) (not gained))
(<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))
(<= terminal (true (left 0)))
(worth 0 0) (worth 1 10) (worth 2 30) (worth 3 50) (worth 4 70) (worth 5 90) (worth 6 100)
(<= (goal you ?g) (true (at ?n)) (worth ?n ?g))
"""
"""One player and chance."""

CARDS = """
(role left) (role right) (role random) (card j) (card q) (card k) (init deal)
(<= (legal random (deal ?x ?y)) (true deal) (card ?x) (card ?y) (distinct ?x ?y))
(<= (legal random wait) (not (true deal)))
(<= (legal left wait) (not (true (to left)))) (<= (legal right wait) (not (true (to right))))
(<= (legal left ?m) (true (to left)) (choice ?m))
(<= (legal right ?m) (true (to right)) (choice ?m))
(choice bet) (choice pass)
(<= (next (has left ?x)) (does random (deal ?x ?y)))
(<= (next (has right ?y)) (does random (deal ?x ?y)))
(<= (next (has ?p ?x)) (true (has ?p ?x)))
(<= (next (to left)) (true deal)) (<= (next (to right)) (true (to left)))
(<= (next (bet ?p)) (does ?p bet)) (<= (next (bet ?p)) (true (bet ?p)))
(<= (next over) (true (to right)))
(<= (sees left (card ?x)) (does random (deal ?x ?y)))
(<= (sees right (card ?y)) (does random (deal ?x ?y)))
(<= (sees right (did ?m)) (does left ?m) (choice ?m))
(beats k q) (beats k j) (beats q j) (other left right) (other right left)
(<= (wins ?p) (true (has ?p ?x)) (other ?p ?q) (true (has ?q ?y)) (beats ?x ?y))
(<= terminal (true over))
(<= (goal ?p 100) (wins ?p)) (<= (goal ?p 0) (other ?p ?q) (wins ?q))
"""
"""Two players who see their own card alone, dealt by chance (GDL-II)."""

THREE = """
(role a) (role b) (role c) (hand rock) (hand well) (init (left 2))
(<= (legal ?p ?h) (role ?p) (hand ?h))
(<= (next (left 1)) (true (left 2))) (<= (next (left 0)) (true (left 1)))
(<= (next (won ?p)) (true (won ?p))) (<= (next (won ?p)) (odd ?p))
(<= (odd ?p) (does ?p ?h) (does ?q ?o) (does ?r ?o) (distinct ?h ?o) (distinct ?q ?r)
    (distinct ?p ?q) (distinct ?p ?r))
(<= terminal (true (left 0)))
(<= (goal ?p 100) (role ?p) (true (won ?p))) (<= (goal ?p 20) (role ?p) (not (true (won ?p))))
"""
"""Three players who move at once."""

TEXTS = {"dice": DICE, "cards": CARDS, "three": THREE}

SHIPPED = {
    "tic-tac-toe": "tic-tac-toe/tic-tac-toe.kif",
    "lights-out": "puzzles/lights-out-3x3.kif",
    "hanoi": "puzzles/hanoi.kif.jinja",
    "rock-paper-scissors": "simultaneous/rock-paper-scissors.kif",
    "last-match": "three-players/last-match.kif",
    "kayles": "kayles/kayles-7.kif",
    "fox-and-geese": "fox-and-geese/fox-and-geese.kif",
}


def game(name: str) -> ggp.Game:
    """One of the games above."""
    return ggp.parse(TEXTS[name], name) if name in TEXTS else ggp.load(GAMES / SHIPPED[name])
