"""What was verified, in the form of JUnit's XML, which services for continuous integration show as tests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.etree import ElementTree

from failure_matrix.problems import Problem

Record = Mapping[str, Any]

FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that XML can't hold."""

WHOLE = "walk, constraints and conditions"
"""The test of all that belongs to no scenario."""


def as_junit(records: Mapping[str, Record], problems: Sequence[Problem]) -> str:
    """The records of suites as test suites: a test for each scenario, and one for all that belongs to none."""
    errors = [problem for problem in problems if problem.level == "error"]
    root = ElementTree.Element("testsuites", name="failure-matrix verify")
    for suite, record in records.items():
        root.append(_suite(suite, record, errors))
    known = {place for record in records.values() for place in _places(record)}
    others = [each for each in errors if each.location.path not in known and each.matrix not in records]
    if others:
        root.append(_element("files", [("reading", others)]))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _places(record: Record) -> Iterator[str]:
    return (scenario["place"] for scenario in record["scenarios"].values())


def _suite(suite: str, record: Record, errors: Sequence[Problem]) -> ElementTree.Element:
    cases = [
        (name, [each for each in errors if each.location.path == scenario["place"]])
        for name, scenario in record["scenarios"].items()
    ]
    places = set(_places(record))
    cases.append((WHOLE, [each for each in errors if each.matrix == suite and each.location.path not in places]))
    return _element(suite, cases)


def _element(suite: str, cases: Sequence[tuple[str, Sequence[Problem]]]) -> ElementTree.Element:
    failures = sum(bool(problems) for _, problems in cases)
    element = ElementTree.Element("testsuite", name=suite, tests=str(len(cases)), failures=str(failures))
    for name, problems in cases:
        case = ElementTree.SubElement(element, "testcase", classname=suite, name=name)
        if problems:
            text = "\n".join(f"{each.location}: {each.sentence}" for each in problems)
            failure = ElementTree.SubElement(
                case, "failure", message=_clean(problems[0].sentence), type=problems[0].rule
            )
            failure.text = _clean(text)
    return element


def _clean(text: str) -> str:
    return FORBIDDEN.sub("�", text)
