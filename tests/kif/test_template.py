"""Parametric sheets: parameters in the head, a sandbox, and clear refusals."""

from __future__ import annotations

import pytest

import ggp
from ggp import InputError, LimitReached, UnknownName
from ggp.kif import Source, parameters, render
from ggp.limits import Limits
from tests.conftest import GAMES

HEAD = '{# parameters\nn = 2\nname = "x"\nlist = [1, 2]\nflag = false\n#}\n'


def rendered(body: str, **values) -> str:
    return render(Source("t.kif.jinja", HEAD + body), values).text


def test_defaults_and_values() -> None:
    assert parameters(Source("t", HEAD)) == {"n": 2, "name": "x", "list": [1, 2], "flag": False}
    assert rendered("{{ n }}") == "2"
    assert rendered("{{ n }}", n=3) == "3"
    assert rendered("{{ n + 1 }}", n="3") == "4"
    assert rendered("{{ list | sum }}", list="[4, 5]") == "9"
    assert rendered("{{ list | sum }}", list=(4, 5)) == "9"
    assert rendered("{{ flag }}{{ name }}", flag="true", name="3") == "True3"


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"m": 1}, UnknownName),
        ({"n": "x"}, InputError),
        ({"n": "1.5"}, InputError),
        ({"n": [1]}, InputError),
        ({"list": "3"}, InputError),
        ({"n": "2\nm = 3"}, InputError),
        ({"n": "[" * 5000}, InputError),
    ],
)
def test_impossible_values_are_refused(values, error) -> None:
    with pytest.raises(error):
        rendered("{{ n }}", **values)


@pytest.mark.parametrize(
    "body",
    [
        "{{ unknown }}",
        "{% for %}",
        "{{ ''.__class__.__mro__ }}",
        "{{ n.__init__.__globals__ }}",
        "{% include 'secret' %}",
        "{% import 'os' as os %}",
        "{{ range(10**9) | list }}",
        "{{ 1 // 0 }}",
        "{{ list.append(3) }}",
        "{{ error('no') }}",
    ],
)
def test_a_template_cannot_leave_its_sandbox(body) -> None:
    with pytest.raises(InputError, match=r"t\.kif\.jinja"):
        rendered(body)


@pytest.mark.parametrize(
    "body",
    [
        "{% set r = range %}{% for a in r(9999999) %}{% for b in r(9999999) %}"
        "{% endfor %}{% endfor %}",
        "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
        "{% macro m(k) %}{% if k %}{{ m(k - 1) }}{{ m(k - 1) }}{% endif %}{% endmacro %}"
        "{{ m(60) }}",
        "{{ 'a' | slice(999999999) | list }}",
        "{{ lipsum(n=9999999) }}",
        "{% set ns = namespace(x=7) %}{% for i in range(60) %}"
        "{% set ns.x = ns.x * ns.x %}{% endfor %}",
        "{{ [1, 2] | tojson(indent=2000000000) }}",
        "{% set ns = namespace(x='a') %}{% for i in range(60) %}"
        "{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
        "{{ '%2000000000d' | format(1) }}",
        "{{ '{:2000000000}'.format(1) }}",
        "{{ '1'.zfill(4000000000) }}",
        "{{ 9 ** (9 ** 9) }}",
        "{{ 'ab' * 4000000000 }}",
        "{{ 'a' | center(4000000000) }}",
    ],
)
def test_whatever_a_template_does_it_ends(body, monkeypatch) -> None:
    """Each of them ran for ever or took gigabytes in the process itself."""
    with monkeypatch.context() as patch:
        patch.setattr("ggp.kif.template.SECONDS", 0.5)
        with pytest.raises((InputError, LimitReached), match=r"t\.kif\.jinja"):
            rendered(body)
    assert rendered("{{ n }}") == "2"


def test_output_is_limited() -> None:
    source = Source("t.kif.jinja", HEAD + "{% for i in range(99999) %}{{ i }}{% endfor %}")
    with pytest.raises(LimitReached, match="characters"):
        render(source, {}, Limits(characters=1000))


@pytest.mark.parametrize("text", ["(role a)", "{# parameters\nn = \n#}", "{# n = 1 #}"])
def test_a_head_is_required(text) -> None:
    with pytest.raises(InputError, match="parameters"):
        render(Source("t.kif.jinja", text), {})


def test_load_takes_parameters() -> None:
    path = GAMES / "nim" / "rows.kif.jinja"
    assert len(ggp.load(path, rows=2).initial.facts) == 3
    assert "rows=2" in ggp.load(path, rows="2").name
    with pytest.raises(UnknownName, match="no parameter cols"):
        ggp.load(path, cols=2)
    with pytest.raises(UnknownName, match="not a template"):
        ggp.load(GAMES / "kayles" / "kayles-7.kif", n=2)
