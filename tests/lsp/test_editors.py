"""The extension for VS Code: its files are there, can be read, and agree with the language."""

from __future__ import annotations

import json
import re

import pytest

from ggp.cli.main import VERBS
from ggp.rules import KEYWORDS
from tests.conftest import ROOT

FOLDER = ROOT / "editors" / "vscode"
PACKAGE = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
GRAMMAR = json.loads((FOLDER / "syntaxes" / "kif.tmLanguage.json").read_text(encoding="utf-8"))
LANGUAGE = json.loads((FOLDER / "language-configuration.json").read_text(encoding="utf-8"))


def names(text: str) -> list[tuple[str, str]]:
    """The words of a text with the name that the grammar gives each, found as editors do."""
    rules = [
        (rule["name"], re.compile(rule.get("match") or rule["begin"] + ".*?" + rule["end"]))
        for part in GRAMMAR["repository"]["all"]["patterns"]
        for rule in GRAMMAR["repository"][part["include"][1:]]["patterns"]
    ]
    found, at = [], 0
    while at < len(text):
        matches = [(rule.search(text, at), name) for name, rule in rules]
        met = [(match.start(), i) for i, (match, _) in enumerate(matches) if match]
        if not met:
            break
        match, name = matches[min(met)[1]]
        found.append((match.group(), name.removesuffix(".kif")))
        at = match.end()
    return [(word, name) for word, name in found if word not in "()"]


def test_what_the_package_names_is_there() -> None:
    contributed = PACKAGE["contributes"]
    places = [PACKAGE["main"]]
    places += [grammar["path"] for grammar in contributed["grammars"]]
    places += [
        lang["configuration"] for lang in contributed["languages"] if "configuration" in lang
    ]
    for place in places:
        assert (FOLDER / place).is_file()
    assert contributed["grammars"][0]["scopeName"] == GRAMMAR["scopeName"]
    assert ".kif" in contributed["languages"][0]["extensions"]


def test_the_command_is_no_setting_of_a_workspace() -> None:
    setting = PACKAGE["contributes"]["configuration"]["properties"]["ggp.command"]
    assert (setting["default"], setting["scope"]) == ("ggp", "machine")


def test_it_starts_a_verb_that_is_there() -> None:
    code = (FOLDER / "extension.js").read_text(encoding="utf-8")
    (verb,) = re.findall(r'args: \["(\w+)"\]', code)
    assert verb in VERBS


def test_comments_and_brackets_are_those_of_kif() -> None:
    assert LANGUAGE["comments"] == {"lineComment": ";", "blockComment": ["#|", "|#"]}
    assert LANGUAGE["brackets"] == [["(", ")"]]
    assert re.fullmatch(LANGUAGE["wordPattern"], "?x-1")


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_every_keyword_has_its_colour(word) -> None:
    ((_, name),) = names(f"({word})")
    assert name.startswith("keyword.")
    ((_, name),) = names(f"({word}2)")
    assert not name.startswith("keyword.")


def test_words_are_coloured_by_what_they_are() -> None:
    assert names("(<= (p ?x a#|) 10 (q |x)) #| (r) |# ; (s") == [
        ("<=", "keyword.operator.rule"),
        ("p", "entity.name.function"),
        ("?x", "variable.parameter"),
        ("a#|", "constant.other.symbol"),
        ("10", "constant.numeric"),
        ("q", "entity.name.function"),
        ("|x", "constant.other.symbol"),
        ("#| (r) |#", "comment.block"),
        ("; (s", "comment.line.semicolon"),
    ]


def test_the_page_names_the_command_of_each_editor() -> None:
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    assert '{ "ggp", "lsp" }' in page
    assert '("ggp" "lsp")' in page
    assert "pip install 'ggp[lsp]'" in page
