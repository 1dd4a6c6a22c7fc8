"""Scenarios in the form of PostgreSQL's own isolation tester, which is an independent judge of who waits for whom."""

from __future__ import annotations

import re

from failure_matrix.evidence import clock
from failure_matrix.evidence.playing import Seen
from failure_matrix.evidence.running import Played
from failure_matrix.evidence.scenario import Look, Run, Scenario, SetClock, Step

SCHEMA = "isolation"
NOW = re.compile(r"\b(now|transaction_timestamp)\(", re.IGNORECASE)
"""Functions whose time our own player sets between transactions, which the isolation tester can't."""

SETTINGS = (
    f"set search_path = {SCHEMA}, pg_catalog; set timezone = 'UTC'; set datestyle = 'ISO';"
    f" set client_min_messages = error; set {clock.BEGAN} = '0';"
)


ONLOOKER = "onlooker"
"""The session that sets the clock and looks on."""


def can_be_exported(scenario: Scenario) -> bool:
    """Whether the isolation tester can play a scenario: it knows SQL, and neither deaths nor files nor the outside."""
    acts = [step.act for step in scenario.steps if not isinstance(step.act, SetClock)]
    plain = all(isinstance(act, Run | Look) and act.sql for act in acts)
    return plain and scenario.orders is None and not NOW.search(" ".join(_sql(act) for act in acts))


def specification(played: Played) -> str:
    """The specification of a scenario that was played: its statements as they ran, in the order that they ran in."""
    scenario = played.scenario
    clock_set = clock.set_clock(clock.microseconds(scenario.start))
    parts = [
        f"setup {{ create schema {SCHEMA}; {SETTINGS} {clock.FUNCTIONS} }}",
        f"setup {{ {clock_set}; {scenario.tables}; {scenario.given} }}",
        f"teardown {{ drop schema {SCHEMA} cascade; }}",
    ]
    for name in (*scenario.sessions, ONLOOKER):
        steps = [
            f'step "{step_name(step.number)}" {{ {_statement(step, seen)} }}'
            for step, seen in zip(scenario.steps, played.steps, strict=True)
            if (step.session or ONLOOKER) == name
        ]
        if steps:
            parts += [f'session "{name}"', f"setup {{ {SETTINGS} }}", *steps]
    parts.append("permutation " + " ".join(f'"{step_name(step.number)}"' for step in scenario.steps))
    return "\n".join(parts) + "\n"


def _sql(act: object) -> str:
    return act.sql if isinstance(act, Run | Look) else ""


def _statement(step: Step, seen: Seen) -> str:
    if isinstance(step.act, SetClock):
        call = clock.set_clock(clock.microseconds(step.act.seconds)).removeprefix("select ")
        return f"do $$ begin perform {call}; end $$"
    return seen.text


def step_name(number: int) -> str:
    """The name of a step in the specification."""
    return f"step{number}"
