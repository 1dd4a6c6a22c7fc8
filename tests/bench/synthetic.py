"""Sound matrices of any size, for the benchmark: a job that goes through stages, each with a lease and a file."""

from __future__ import annotations

from collections.abc import Iterator

HEAD = """\
schema: 1
title: Job of {stages} stages
summary: A job goes through stages, one after the other. Each needs a live lease and ends with a file.
subject: One job.
start: {{begin: s0-live-absent}}
path: [begin, write-file, advance]
parameters:
  job: The job's id.
  worker: The worker's name.
  generation: The generation that the claim returned.
clock: {{source: clock_timestamp() of the jobs database, because: Workers' clocks disagree.}}
authority: {{source: jobs, table: job, generation: epoch, holder: owner, expires: lease_until}}
completion: {{owner: worker, criteria: [The last stage's file is in the store.]}}
sources:
  jobs: {{title: Jobs database, kind: postgresql, access: Read-only role}}
  store: {{title: Store, kind: files, access: Read-only mount}}
"""

ACTIONS = """\
actions:
  begin: {title: Begin, by: requester}
  write-file:
    title: Write the file
    by: worker
    requires: {lease: live, file: absent}
    sets: {file: present}
    outside: The store does not check the generation.
    duplicates: A second file of the same name replaces the first.
  take-over:
    title: Take over
    by: worker
    requires: {lease: lapsed}
    sets: {lease: live}
    run: |
      update job set owner = %(worker)s, epoch = epoch + 1, lease_until = clock_timestamp() + interval '120 seconds'
      where id = %(job)s and lease_until <= clock_timestamp()
    unfenced: Taking over issues a new generation.
    zero-rows: The lease is live. Wait.
"""

FAILURES = """\
failures:
  lease-lapses:
    title: The clock reaches lease_until
    notice: lease_until <= clock_timestamp()
    outcome: {%s}
    otherwise: No lease is live.
  file-lost:
    title: The file is lost
    notice: The file is gone.
    outcome: {%s}
    otherwise: There is no file.
"""

OWNERS = """\
owners:
  requester: {title: Requesting service, contact: "#requests"}
  worker: {title: Worker, contact: "#worker"}
"""


def matrix(states: int) -> str:
    """A sound matrix with about as many states, four a stage, and a last one."""
    stages = max(2, states // 4)
    return "".join(
        [
            HEAD.format(stages=stages),
            *_observations(stages),
            "states:\n",
            *_states(stages),
            ACTIONS,
            *_advance(stages),
            _failures(stages),
        ]
    )


def _observations(stages: int) -> Iterator[str]:
    yield "observations:\n  stage:\n    title: Stage\n    question: Which stage is the job in?\n    source: jobs\n"
    yield "    sql: select stage from job where id = %(job)s\n    values:\n"
    yield from (f"      s{number}: Stage {number}.\n" for number in range(stages))
    yield (
        "  lease:\n    title: Lease\n    question: Is lease_until later than the database's clock?\n    source: jobs\n"
        "    sql: select case when lease_until > clock_timestamp() then 'live' else 'lapsed' end from job"
        " where id = %(job)s\n    values: {live: It lies ahead., lapsed: It has been reached.}\n"
        "  file:\n    title: File\n    question: Does the store hold the stage's file?\n    source: store\n"
        "    file: jobs/{job}/{generation}\n    values: {absent: No file has that name., present: The file is there.}\n"
    )


def _states(stages: int) -> Iterator[str]:
    last = stages - 1
    for number in range(stages):
        for lease in ("live", "lapsed"):
            for file in ("absent", "present"):
                yield from _state(number, lease, file, last=number == last and lease == "live" and file == "present")


def _state(number: int, lease: str, file: str, *, last: bool) -> Iterator[str]:
    name = f"s{number}-{lease}-{file}"
    yield f"  {name}:\n    title: Stage {number}, {lease} lease, file {file}\n    short: s{number} {lease} {file}\n"
    yield f"    means: The job is in stage {number}, its lease is {lease}, and its file is {file}.\n"
    yield f"    when: {{stage: s{number}, lease: {lease}, file: {file}}}\n    owner: worker\n"
    permitted, forbidden = [], []
    if lease == "lapsed":
        permitted.append(f"take-over: s{number}-live-{file}")
        forbidden += ["write-file: The lease has lapsed.", "advance: The lease has lapsed."]
    elif file == "absent":
        permitted.append(f"write-file: s{number}-live-present")
        forbidden += ["take-over: The lease is live.", "advance: There is no file."]
    else:
        forbidden += ["take-over: The lease is live.", "write-file: The file is there."]
        if not last:
            permitted.append(f"advance: s{number + 1}-live-absent")
    if permitted:
        yield f"    permitted: {{{', '.join(permitted)}}}\n"
    yield f"    forbidden: {{{', '.join(forbidden)}}}\n"
    yield "    reversal: {none: A stage that has begun is not taken back.}\n"
    if last:
        yield "    terminal: true\n"


def _advance(stages: int) -> Iterator[str]:
    steps = ", ".join(f"s{number}: s{number + 1}" for number in range(stages - 1))
    every = ", ".join(f"s{number}" for number in range(stages - 1))
    yield (
        f"  advance:\n    title: Go to the next stage\n    by: worker\n"
        f"    requires: {{stage: [{every}], lease: live, file: present}}\n"
        f"    sets: {{stage: {{{steps}}}, file: absent}}\n    run: |\n"
        "      update job set stage = stage + 1\n"
        "      where id = %(job)s and owner = %(worker)s and epoch = %(generation)s\n"
        "        and lease_until > clock_timestamp()\n"
        "    zero-rows: Authority is lost, or the stage was reached before. Read the row.\n"
    )


def _failures(stages: int) -> str:
    lapses = ", ".join(
        f"s{number}-live-{file}: {{to: s{number}-lapsed-{file}, sets: {{lease: lapsed}}, then: Take over.}}"
        for number in range(stages)
        for file in ("absent", "present")
    )
    lost = ", ".join(
        f"s{number}-{lease}-present: {{to: s{number}-{lease}-absent, sets: {{file: absent}}, then: Write it again.}}"
        for number in range(stages)
        for lease in ("live", "lapsed")
    )
    return FAILURES % (lapses, lost)
