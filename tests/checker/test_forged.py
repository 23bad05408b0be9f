"""Forged certificates: none is accepted that is false.

`python -m tests.checker.forge 100000` tries more.
"""

from __future__ import annotations

import pytest

from tests.checker.forge import run


@pytest.mark.parametrize("many", [200, pytest.param(1_500, marks=pytest.mark.slow)])
def test_no_forged_claim_is_accepted_that_is_false(many) -> None:
    tried, accepted, wrong = run(iter(range(40)), many)
    assert tried.total() >= many
    assert accepted.total() > many // 15  # true claims are still accepted
    assert wrong == []
