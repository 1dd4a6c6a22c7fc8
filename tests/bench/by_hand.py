"""The same pages as somebody would write them by hand in Markdown, for MkDocs alone: the peer of the benchmark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from failure_matrix.checks import RULES
from failure_matrix.model import OUTSIDE, Matrix, Observation, Pattern, State

CONFIGURATION = """\
site_name: Written by hand
plugins: [search]
theme: {name: material, font: false, features: [navigation.prune, content.code.copy, navigation.instant]}
markdown_extensions: [attr_list, md_in_html, pymdownx.highlight, pymdownx.superfences]
nav:
"""


def write(matrix: Matrix, folder: Path) -> None:
    """Writes an MkDocs project with the same pages: each state, action, failure, observation, owner and rule.

    Pictures are left out: drawing them is no work of MkDocs. The navigation has a section for each hundred states
    and is pruned, which is how MkDocs is quickest with all pages in it.
    """
    docs = folder / "docs"
    pages = dict(_pages(matrix))
    for name, text in pages.items():
        path = docs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "mkdocs.yml").write_text(CONFIGURATION + "".join(_navigation(list(pages))), encoding="utf-8")


def _navigation(names: list[str]) -> Iterator[str]:
    states = [name for name in names if name.startswith("states/")]
    yield from (f"  - {name}\n" for name in names if name not in set(states))
    for start in range(0, len(states), 100):
        yield f"  - States from {start}:\n"
        yield from (f"      - {name}\n" for name in states[start : start + 100])


def _pages(matrix: Matrix) -> Iterator[tuple[str, str]]:
    yield "index.md", _overview(matrix)
    yield "decision-table.md", _decision_table(matrix)
    yield "problems.md", "# Problems\n\nNo problem stands.\n"
    yield "rules/index.md", "# Rules\n\n" + _table(["Rule", "Says"], [[rule.number, rule.summary] for rule in RULES])
    for rule in RULES:
        yield f"rules/{rule.number}.md", f"# {rule.number} {rule.name}\n\n{rule.page}\n"
    for owner in matrix.owners.values():
        states = [[f"[{state.title}](../states/{state.id}.md)"] for state in matrix.states_owned_by(owner.id)]
        yield f"owners/{owner.id}.md", f"# {owner.title}\n\n{owner.contact}\n\n{_table(['Decides about'], states)}"
    for state in matrix.states.values():
        yield f"states/{state.id}.md", _state(matrix, state)
    for action in matrix.actions.values():
        rows = [
            [f"[{state.title}](../states/{state.id}.md)", "yes" if state.permission(action.id) else "no"]
            for state in matrix.states.values()
        ]
        yield (
            f"actions/{action.id}.md",
            f"# {action.title}\n\n{_code(action.run)}{_table(['State', 'Permitted'], rows)}",
        )
    for failure in matrix.failures.values():
        rows = [[f"[{_title(matrix, o.state)}](../states/{o.state}.md)", o.then] for o in failure.outcomes]
        yield f"failures/{failure.id}.md", f"# {failure.title}\n\n{_table(['State', 'Then'], rows)}"
    for observation in matrix.observations.values():
        rows = [[value.id, value.meaning] for value in observation.values]
        yield (
            f"observations/{observation.id}.md",
            f"# {observation.title}\n\n{_code(observation.sql)}{_table(['Answer', 'Means'], rows)}",
        )


def _overview(matrix: Matrix) -> str:
    rows = [
        [
            f"[{state.title}](states/{state.id}.md) {state.means}",
            _when(state.when[0]),
            ", ".join(f"[{cell.action.title}](actions/{cell.action.id}.md)" for cell in state.permitted),
            ", ".join(cell.action.title for cell in state.forbidden),
            state.owner.title if state.owner else "",
            state.irreversible,
        ]
        for state in matrix.states.values()
    ]
    grid = [
        [f"[{state.title}](states/{state.id}.md)"]
        + [outcome.then if (outcome := failure.outcome(state.id)) else "-" for failure in matrix.failures.values()]
        for state in matrix.states.values()
    ]
    return (
        f"# {matrix.title}\n\n{matrix.summary}\n\n## States\n\n"
        + _table(["State", "When", "Permitted", "Forbidden", "Who decides", "Taken back"], rows)
        + "\n## Failures\n\n"
        + _table(["State", *(failure.title for failure in matrix.failures.values())], grid)
    )


def _decision_table(matrix: Matrix) -> str:
    names = list(matrix.observations)
    rows = [
        [" or ".join(state.when[0].values.get(name, ("any",))) for name in names]
        + [f"[{state.title}](states/{state.id}.md)"]
        for state in matrix.states.values()
    ]
    return "# Decision table\n\n" + _table([*names, "State"], rows)


def _state(matrix: Matrix, state: State) -> str:
    clues = "".join(_clue(observation, state) for observation in matrix.observations.values())
    permitted = "".join(
        f"### {cell.action.title}\n\nLeads to {', '.join(_link(matrix, target) for target in cell.targets)}.\n\n"
        f"{_code(cell.action.run)}{cell.action.zero_rows}\n\n"
        for cell in state.permitted
    )
    forbidden = _table(["Action", "Why"], [[cell.action.title, cell.because] for cell in state.forbidden])
    hits = [
        [f"[{failure.title}](../failures/{failure.id}.md)", failure.notice, outcome.then]
        for failure in matrix.failures.values()
        if (outcome := failure.outcome(state.id))
    ]
    return (
        f"# {state.title}\n\n{state.means}\n\n## How you recognise it\n\n{clues}## What you may do\n\n{permitted}"
        f"## What you must not do\n\n{forbidden}\n## Who decides\n\n{state.owner.title if state.owner else ''}\n\n"
        f"{state.irreversible}\n\n## What can go wrong here\n\n{_table(['Failure', 'Notice', 'Then'], hits)}"
    )


def _clue(observation: Observation, state: State) -> str:
    expected = ", ".join(state.when[0].values.get(observation.id, ()))
    return f"### {observation.question}\n\nExpect **{expected}**.\n\n{_code(observation.sql)}"


def _link(matrix: Matrix, target: str) -> str:
    return target if target == OUTSIDE else f"[{_title(matrix, target)}]({target}.md)"


def _title(matrix: Matrix, state: str) -> str:
    return matrix.states[state].title


def _when(pattern: Pattern) -> str:
    return ", ".join(f"{name}={'/'.join(values)}" for name, values in pattern.values.items())


def _code(sql: str) -> str:
    return f"```sql\n{sql.strip()}\n```\n\n" if sql else ""


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
