"""A scenario's file to a `Scenario`: names resolved, every problem with its place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import PurePosixPath

from yaml.nodes import Node, ScalarNode

from failure_matrix.evidence.nodes import cell, entries, given_values, items, of, parameter, plain_values, text
from failure_matrix.evidence.scenario import (
    Act,
    Control,
    Drop,
    Expected,
    Kill,
    Look,
    Orders,
    RemoveFile,
    Run,
    Scenario,
    Send,
    SetClock,
    StateIs,
    Step,
    WriteFile,
)
from failure_matrix.evidence.statements import FALSE_CLOCKS, Parameter
from failure_matrix.model import OUTSIDE, Matrix
from failure_matrix.nearest import nearest
from failure_matrix.problems import Problem
from failure_matrix.source import Document

EXPECTED_KEYS = frozenset({"rows", "count", "error", "waits", "wakes", "exists"})
STEP_KEYS = EXPECTED_KEYS | {"kill", "drop", "clock", "sql", "file", "keep", "state", "fails", "note"}
DEED_KEYS = frozenset({"do", "run", "sql", "send", "message", "each", "first", "as", "write", "remove"})


class ScenarioReader:
    """Reads one document that the schema has accepted. `problems` grows while it reads."""

    def __init__(self, document: Document, matrix: Matrix | None, files: Mapping[str, str]) -> None:
        """`files` has the text of each SQL file beside the scenario, by its name."""
        self._document = document
        self._matrix = matrix
        self._files = files
        self._sessions: tuple[str, ...] = ()
        self._let: dict[str, str] = {}
        self.problems: list[Problem] = []

    def read(self, tables: str) -> Scenario:
        """The scenario. `tables` is the SQL of the matrix's tables."""
        parts = entries(self._document.root)
        self._sessions = tuple(entries(parts["sessions"]))
        self._let = {name: text(node) for name, node in entries(parts.get("let")).items()}
        scenario = Scenario(
            id=PurePosixPath(self._document.path).stem,
            title=text(parts["title"]),
            summary=text(parts.get("summary")),
            matrix=self._matrix.id if self._matrix is not None else "",
            tables=self._tables(parts.get("tables"), tables),
            given=text(parts.get("given")),
            start=Decimal(text(parts.get("clock")) or "0"),
            values=given_values(parts.get("values")),
            sessions={name: plain_values(node) for name, node in entries(parts["sessions"]).items()},
            steps=tuple(self._steps(items(parts["steps"]))),
            then=tuple(self._steps(items(parts.get("then")))),
            controls=tuple(self._control(node) for node in items(parts.get("controls"))),
            orders=self._orders(parts),
            location=self._document.locate(("title",)),
        )
        self._check_controls(scenario, items(parts.get("controls")))
        self._check_clocks(scenario, items(parts["steps"]))
        return scenario

    def _check_controls(self, scenario: Scenario, nodes: Iterable[Node]) -> None:
        for control, node in zip(scenario.controls, nodes, strict=True):
            if scenario.without(control) == scenario:
                where = f"the statements of `{control.source}`" if control.source else "any statement"
                self._say(entries(node)["cut"], f"`{control.cut}` stands nowhere in {where} that a step runs.")

    def _check_clocks(self, scenario: Scenario, nodes: Iterable[Node]) -> None:
        for step, node in zip(scenario.steps, nodes, strict=True):
            found = FALSE_CLOCKS.search(step.act.sql) if isinstance(step.act, Run | Look) else None
            if found is not None:
                remedy = "Write `now()` or `clock_timestamp()`."
                self._say(node, f"`{found.group()}` reads the real clock, which no scenario can set.", remedy)

    def _tables(self, node: Node | None, default: str) -> str:
        written = text(node)
        if node is None or not written.endswith(".sql"):
            return written or default
        if written not in self._files:
            self._unknown(node, "file", written, self._files)
        return self._files.get(written, "")

    def _steps(self, nodes: Iterable[Node]) -> Iterator[Step]:
        for number, node in enumerate(nodes, start=1):
            parts = entries(node)
            session, act = self._act(node, parts)
            keep = {name: text(items(column)[0] if items(column) else column) for name, column in of(parts, "keep")}
            yield Step(
                number=number,
                session=session,
                act=act,
                expected=self._expected(parts),
                wakes={self._session(name, its): self._expected(entries(its)) for name, its in of(parts, "wakes")},
                keep=keep,
                keeps_all=frozenset(name for name, column in of(parts, "keep") if items(column)),
                state=self._state(parts.get("state")),
                failure=self._failure(parts),
                note=text(parts.get("note")),
                location=self._document.span(node),
            )

    def _act(self, node: Node, parts: Mapping[str, Node]) -> tuple[str, Act]:
        deeds = [key for key in parts if key not in STEP_KEYS]
        if len(deeds) > 1:
            self._say(node, f"A step is of one session; this one has {', '.join(f'`{each}`' for each in deeds)}.")
        for session in deeds:
            return self._session(session, node), self._deed(parts[session])
        if "kill" in parts:
            return self._session(text(parts["kill"]), parts["kill"]), Kill()
        if "drop" in parts:
            return self._session(text(parts["drop"]), parts["drop"]), Drop()
        if "clock" in parts:
            return "", SetClock(Decimal(text(parts["clock"])))
        return "", Look(sql=text(parts.get("sql")), file=text(parts.get("file")))

    def _deed(self, node: Node) -> Act:
        if isinstance(node, ScalarNode):
            return Run(text(node))
        parts = entries(node)
        if "send" in parts:
            return self._send(parts)
        if "write" in parts:
            path = text(parts["write"])
            return WriteFile(path, text(parts.get("content")) or path)
        if "remove" in parts:
            return RemoveFile(text(parts["remove"]))
        values = {name: parameter(its) for name, its in parts.items() if name not in DEED_KEYS}
        return self._run(node, parts, values)

    def _send(self, parts: Mapping[str, Node]) -> Send:
        first = text(parts.get("first"))
        return Send(
            text(parts["send"]),
            text(parts.get("message")),
            text(parts.get("each")),
            int(first) if first else None,
            self._action(parts["do"], {}).name if "do" in parts else "",
            text(parts.get("as")),
        )

    def _run(self, node: Node, parts: Mapping[str, Node], values: Mapping[str, Parameter]) -> Run:
        if "do" in parts:
            return self._action(parts["do"], values)
        if "run" in parts:
            name = text(parts["run"])
            if name not in self._let:
                self._unknown(parts["run"], "statement under `let`", name, self._let)
            return Run(self._let.get(name, ""), name, values=values)
        if "sql" not in parts:
            known = "`do`, `run`, `sql`, `send`, `write` or `remove`"
            self._say(node, f"A step of a session says what it does: {known}.")
        return Run(text(parts.get("sql")), values=values)

    def _action(self, node: Node, values: Mapping[str, Parameter]) -> Run:
        name = text(node)
        if self._matrix is None:
            self._say(node, f"`do: {name}` runs an action of a matrix, and no matrix belongs to this folder.")
            return Run("", name, values=values)
        if name not in self._matrix.actions:
            self._unknown(node, "action", name, self._matrix.actions)
            return Run("", name, values=values)
        return Run(self._matrix.actions[name].run, name, is_action=True, values=values)

    def _expected(self, parts: Mapping[str, Node]) -> Expected:
        waits = parts.get("waits")
        return Expected(
            rows=tuple(tuple(cell(each) for each in items(row)) for row in items(parts["rows"]))
            if "rows" in parts
            else None,
            count=int(text(parts["count"])) if "count" in parts else None,
            error=text(parts.get("error")),
            waits=self._session(text(waits), waits) if waits is not None else "",
            exists=text(parts["exists"]) == "true" if "exists" in parts else None,
        )

    def _state(self, node: Node | None) -> StateIs | None:
        if node is None:
            return None
        values = plain_values(node)
        state = str(values.pop("is"))
        if self._matrix is None:
            self._say(node, "`state` needs a matrix, and none belongs to this folder.")
        elif state not in (*self._matrix.states, OUTSIDE):
            self._unknown(entries(node)["is"], "state", state, self._matrix.states)
        return StateIs(values, state)

    def _failure(self, parts: Mapping[str, Node]) -> str:
        name = text(parts.get("fails"))
        if not name or self._matrix is None:
            return name
        if name not in self._matrix.failures:
            self._unknown(parts["fails"], "failure", name, self._matrix.failures)
        if "state" not in parts:
            self._say(parts["fails"], "`fails` says by `state` which subject the failure happens to.")
        return name

    def _control(self, node: Node) -> Control:
        parts = entries(node)
        source = text(parts.get("from"))
        known = [*self._let, *(self._matrix.actions if self._matrix is not None else ())]
        if source and source not in known:
            self._unknown(parts["from"], "action or statement under `let`", source, known)
        breaks = tuple(int(text(each)) for each in items(parts["breaks"]))
        return Control(text(parts["cut"]), source, breaks, text(parts.get("shows")), self._document.span(parts["cut"]))

    def _orders(self, parts: Mapping[str, Node]) -> Orders | None:
        if "orders" not in parts:
            return None
        return Orders(
            never=text(parts.get("never")),
            finally_never=text(parts.get("never-at-end")),
            crash=tuple(self._session(text(each), each) for each in items(parts.get("crash"))),
            count=int(text(parts["count"])) if "count" in parts else None,
            broken=int(text(parts.get("broken")) or "0"),
            location=self._document.locate(("broken" if "broken" in parts else "orders",)),
        )

    def _session(self, name: str, node: Node) -> str:
        if name not in self._sessions:
            self._unknown(node, "session", name, self._sessions)
        return name

    def _unknown(self, node: Node, kind: str, word: str, known: Collection[str]) -> None:
        near = nearest(word, known)
        remedy = f"Did you mean `{near}`?" if near else f"Known: {', '.join(known) or 'none'}."
        self._say(node, f"There is no {kind} `{word}`.", remedy)

    def _say(self, node: Node, message: str, remedy: str = "") -> None:
        matrix = self._matrix.id if self._matrix is not None else ""
        self.problems.append(Problem("103", "error", message, self._document.span(node), remedy, matrix=matrix))
