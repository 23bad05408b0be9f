"""Reports on facts in the XML of JUnit, which many programs read."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from xml.etree import ElementTree

from ggp.facts import FactVerdict, InstanceReport

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML has no way to write."""


def junit(reports: Sequence[InstanceReport]) -> bytes:
    """One suite an instance, one case a fact: wrong is a failure, failed an error, and what could
    not be decided is skipped."""
    suites = ElementTree.Element("testsuites", name="ggp test")
    for report in reports:
        suites.append(_suite(report))
    ElementTree.indent(suites)
    return bytes(ElementTree.tostring(suites, encoding="utf-8", xml_declaration=True)) + b"\n"


def _suite(report: InstanceReport) -> ElementTree.Element:
    statuses = [verdict.status for verdict in report.verdicts]
    name = f"{report.file}: {report.label}" if report.label else report.file
    counts: dict[str, str] = {
        "tests": str(len(statuses)),
        "failures": str(statuses.count("wrong")),
        "errors": str(statuses.count("failed")),
        "skipped": str(statuses.count("undecided")),
    }
    suite = ElementTree.Element("testsuite", {"name": _safe(name), **counts})
    for verdict in report.verdicts:
        case = ElementTree.SubElement(
            suite, "testcase", name=_safe(verdict.fact or "(all)"), classname=_safe(name),
            file=_safe(report.file), line=str(verdict.line),
        )  # fmt: skip
        kind = _KINDS.get(verdict.status)
        if kind:
            ElementTree.SubElement(case, kind, message=_safe(said(verdict)))
    return suite


_KINDS = {"wrong": "failure", "failed": "error", "undecided": "skipped"}


def said(verdict: FactVerdict) -> str:
    """A verdict in words: what was expected and found, and how certain that is."""
    if verdict.status == "failed":
        return verdict.why
    expected = f"expected {_value(verdict.expected)}"
    if verdict.status == "undecided":
        return f"{expected}; {verdict.why}"
    if verdict.found is None:
        return f"{expected}, found none ({verdict.certainty}: {verdict.why})"
    return f"{expected}, found {_value(verdict.found)} ({verdict.certainty}: {verdict.why})"


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _safe(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
