"""The walk finds nothing in the design export, and by itself everything that is broken on purpose."""

from pathlib import Path

import pytest

from failure_matrix.evidence.loading import load_suites
from failure_matrix.evidence.playbook import Playbook
from failure_matrix.evidence.walking import walk
from failure_matrix.loader import load

ROOT = Path(__file__).parents[2]
NAMES = ("design-export.yml", "owners.yml", "schemas/design-export.sql", "scenarios/design-export/walk.yml")


def broken_playbook(folder: Path, *changes: tuple[str, str]) -> Playbook:
    """The design export with texts exchanged, in whatever file they stand."""
    texts = {name: (ROOT / "matrix" / name).read_text() for name in NAMES}
    for old, new in changes:
        assert sum(old in text for text in texts.values()) == 1, old
        texts = {name: text.replace(old, new, 1) for name, text in texts.items()}
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    loaded = load(folder, folder)
    assert loaded.problems == ()
    suites = load_suites(folder, folder, loaded.project)
    assert suites.problems == ()
    return suites.suites[0].playbook


def test_nothing_is_found_in_the_design_export(walked):
    assert [found.finding.message for found in walked.found] == []
    assert not walked.limited


def test_every_state_is_reached(walked):
    matrix = load(ROOT / "matrix", ROOT).project.matrices["design-export"]
    assert set(walked.states) == {*matrix.states, "outside"}


def test_every_cell_with_a_statement_or_a_file_is_shown(walked):
    matrix = load(ROOT / "matrix", ROOT).project.matrices["design-export"]
    without = {"download", "request-again", "insert-again", "assume-dead", "rename", "edit-digest"}
    for state in matrix.states.values():
        for cell in state.permitted:
            if cell.action.id not in without:
                assert walked.cells[state.id, cell.action.id].held, (state.id, cell.action.id)
        for cell in state.forbidden:
            assert cell.action.id in without or (state.id, cell.action.id) in walked.cells


def test_the_walk_is_the_same_every_time(server, tmp_path, walked):
    again = walk(server, broken_playbook(tmp_path))
    assert [place.way for place in again.places] == [place.way for place in walked.places]
    assert again.cells == walked.cells


PUBLISH = """candidate = %(candidate)s, digest = %(digest)s, lease_until = null
      where id = %(job)s and state = 'running' and owner = %(worker)s
        and epoch = %(generation)s and lease_until > clock_timestamp()"""
RENEW = """update job set lease_until = clock_timestamp() + interval '120 seconds'
      where id = %(job)s and state = 'running' and owner = %(worker)s
        and epoch = %(generation)s and lease_until > clock_timestamp()"""

BROKEN = {
    "the epoch cut from publish": (
        (PUBLISH, PUBLISH.replace("and epoch = %(generation)s ", "")),
        "publish in taken-over (job 1, generation 1): it changed 1 row although its `requires` does not hold",
    ),
    "the epoch cut from renew": (
        (RENEW, RENEW.replace("and epoch = %(generation)s ", "")),
        "renew in taken-over (job 1, generation 1): it changed 1 row although its `requires` does not hold",
    ),
    "the lease cut from publish": (
        (PUBLISH, PUBLISH.replace(" and lease_until > clock_timestamp()", "")),
        "publish in lapsed (job 1, generation 1): it changed 1 row although its `requires` does not hold",
    ),
    "< for <= in take-over": (
        ("and lease_until <= clock_timestamp()", "and lease_until < clock_timestamp()"),
        "take-over in lapsed (job 1, generation 1): it changed generation from current to current",
    ),
    "a cancel without its state condition": (
        ("where id = %(job)s and state in ('ready', 'running')\n    unfenced", "where id = %(job)s\n    unfenced"),
        "cancel in cancelled (job 1, generation 1): it changed 1 row although its `requires` does not hold",
    ),
    "a wrong target": (
        ("      claim: [leased, taken-over]", "      claim: taken-over"),
        "claim in ready (job 1, generation 1): it led to leased",
    ),
    "a wrong effect": (
        ("sets: {job: running, generation: {none: current}, lease: live}", "sets: {job: running, lease: live}"),
        "claim in ready (job 1, generation 1): it changed generation from none to current; `sets` says none",
    ),
    "a wrong outcome of a failure": (
        ("taken-over: {to: orphan, sets: {candidate: present}", "taken-over: {to: lapsed, sets: {candidate: present}"),
        "late-write in taken-over (job 1, generation 1): it led to orphan",
    ),
    "a lapse that no failure tells": (
        ("leased: {to: lapsed, sets: {lease: lapsed}, then: Another", "leased: {to: leased, then: Another"),
        "Time alone leads job 1, generation 1 from leased to lapsed; no failure says so.",
    ),
    "a state that leaves a gap": (
        ("when: {job: cancelled, generation: [none, current],", "when: {job: cancelled, generation: none,"),
        "job 1, generation 1 is in no state: job=cancelled, age=fresh, writer=none, generation=current, lease=none,",
    ),
    "a discard that looks at nothing": (
        ("epoch = %(generation)s and state in ('running', 'complete')", "false"),
        "discard in leased (job 1, generation 1): it changed something although its `requires` does not hold",
    ),
    "an action that a constraint refuses": (
        ("set state = 'ready', owner = null, lease_until = null", "set state = 'ready', owner = null"),
        "release in leased (job 1, generation 1): it failed with 23514",
    ),
    "a file's digest never recorded right": (
        ("digest = %(digest)s, lease_until", "digest = 'x', lease_until"),
        "publish in leased (job 1, generation 1): it changed candidate from present to damaged",
    ),
}  # fmt: skip
MORE = {
    "a lapse that no failure tells": [
        ("leased: {to: lapsed, sets: {lease: lapsed}, then: Take over.", "leased: {to: leased, then: Take over."),
        ('leased: {to: lapsed, sets: {lease: lapsed}, then: "Stop', 'leased: {to: leased, then: "Stop'),
    ]
}


@pytest.mark.parametrize("broken", BROKEN)
def test_what_is_broken_is_found_with_the_way_that_led_there(server, tmp_path, broken):
    change, message = BROKEN[broken]
    also = MORE.get(broken, [])
    walked = walk(server, broken_playbook(tmp_path, change, *also), enough=1)
    assert walked.found, "nothing was found"
    first = walked.found[0]
    assert first.finding.message.startswith(message)
    assert first.way[0] == "the empty tables"
    assert first.way[1].startswith("request (job 1, generation 1): begin; select set_config(")


def test_the_limit_and_what_lies_beyond_the_generations_are_said(server, tmp_path):
    playbook = broken_playbook(tmp_path, ("clock: [120]", "clock: [120]\nlimit: 5"))
    walked = walk(server, playbook)
    assert (len(walked.places), walked.limited) == (5, True)
