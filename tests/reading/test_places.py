"""Where a path leads in a file, and what its address is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading_helpers import load_one, span

from failure_matrix.addresses import PARTS, address, path_of
from failure_matrix.model import Matrix
from failure_matrix.schema import json_schema

TEXT = """\
schema: 1
title: Jobs
observations:
  job:
    title: Job row
    values:
      ready: 准备好了
      done: D
actions:
  go:
    title: Go
    run: |
      update job
      set state = 'done'
    zero-rows: A text
      over two lines.
states:
  ready:
    title: Ready
    when: {job: ready}
    permitted:
      go: [ready, done]
    forbidden:
      stop:
    reversal:
      - when: Always.
        do: go
  done: {title: Done, when: [{job: done}, {}]}
impossible:
  -
    when: {}
    because: Never.
"""


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    return load_one(
        TEXT.replace("  go:\n    title: Go\n", "  stop: {title: Stop}\n  go:\n    title: Go\n")
    ).project.matrices["jobs"]


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("title", "Jobs"),
        ("states.ready.title", "Ready"),
        ("states.ready.when", "{job: ready}"),
        ("states.ready.when.job", "ready"),
        ("states.ready.permitted.go", "[ready, done]"),
        ("states.ready.permitted.go.1", "done"),
        ("states.ready.permitted", "permitted"),
        ("states.ready", "ready"),
        ("states", "states"),
        ("states.ready.forbidden.stop", "stop"),
        ("states.ready.reversal.0", "when"),
        ("states.ready.reversal.0.do", "go"),
        ("states.done.when.1", "{}"),
        ("observations.job.values.ready", "准备好了"),
        ("actions.go.run", "run"),
        ("actions.go.zero-rows", "zero-rows"),
        ("impossible.0", "when"),
        ("states.ready.owner", "ready"),
        ("states.ready.reversal.7.do", "reversal"),
        ("states.nowhere.title", "states"),
        ("failures.killed", "schema"),
        ("", "schema"),
    ],
)
def test_a_path_leads_to_a_value_a_key_or_the_nearest_part(matrix: Matrix, path: str, shown: str) -> None:
    place = matrix.locate(tuple(path.split(".")) if path else ())
    text = TEXT.replace("  go:\n    title: Go\n", "  stop: {title: Stop}\n  go:\n    title: Go\n")
    assert place.line == place.end_line
    assert text.splitlines()[place.line - 1][place.column - 1 : place.end_column - 1] == shown
    assert place.path == "matrix/jobs.yml"


def test_a_matrix_without_a_file_is_nowhere() -> None:
    assert span(Matrix("x", "X", "", {}, {}, {}).locate(("title",))) == "1:1-1"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), ""),
        (("title",), "title"),
        (("states", "leased", "permitted", "publish"), "leased.permitted.publish"),
        (("states",), "states"),
        (("states", "start"), "states.start"),
        (("states", "start", "owner"), "states.start.owner"),
        (("actions", "publish", "run"), "actions.publish.run"),
        (("observations", "lease", "values", "live"), "observations.lease.values.live"),
        (("failures", "file-lost"), "failures.file-lost"),
        (("failures", "file-lost", "notice"), "failures.file-lost.notice"),
        (("failures", "file-lost", "outcome"), "failures.file-lost.outcome"),
        (("failures", "file-lost", "outcome", "orphan"), "orphan.failures.file-lost"),
        (("failures", "file-lost", "outcome", "orphan", "to"), "orphan.failures.file-lost.to"),
        (("failures", "file-lost", "outcome", "path", "to"), "states.path.failures.file-lost.to"),
        (("impossible", "3", "because"), "impossible.3.because"),
        (("owners", "on-call", "contact"), "owners.on-call.contact"),
    ],
)
def test_addresses(path: tuple[str, ...], expected: str) -> None:
    assert address(path) == expected
    assert path_of(expected) == path


ids = st.sampled_from(["leased", "start", "states", "failures", "outcome", "permitted", "to", "0"])


@given(
    st.one_of(
        st.tuples(st.sampled_from(sorted(PARTS - {"states", "failures"})), ids, ids),
        st.tuples(st.just("states"), ids),
        st.tuples(st.just("states"), ids, st.sampled_from(["title", "permitted", "when"]), ids),
        st.tuples(st.just("failures"), ids, st.sampled_from(["title", "outcome"])),
        st.tuples(st.just("failures"), ids, st.just("outcome"), ids, ids),
    )
)
def test_an_address_leads_back_to_its_path(path: tuple[str, ...]) -> None:
    assert path_of(address(path)) == path


def test_the_parts_are_the_keys_of_the_forms() -> None:
    keys = {key for form in ("matrix", "owners", "settings") for key in json_schema(form)["properties"]}
    assert keys == PARTS


def test_paths_of_files_are_relative_with_forward_slashes(matrix: Matrix) -> None:
    assert matrix.path == "matrix/jobs.yml"
    assert not Path(matrix.path).is_absolute()
