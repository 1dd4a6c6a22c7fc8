"""A matrix of any number of states: a ring in which each state leads to three others and fails into a fourth."""

from __future__ import annotations

from failure_matrix.model import Action, Failure, Matrix, Outcome, Owner, Permission, Start, State


def many_states(count: int) -> Matrix:
    """A matrix of `count` states, of which the first four are the path."""
    owner = Owner("somebody", "Somebody")
    step, jump, leave = (Action(name, f"{name.title()} it", by=owner) for name in ("step", "jump", "leave"))
    states = {}
    for number in range(count):
        targets = (f"s{(number + 1) % count}", f"s{(number * 7 + 3) % count}")
        permitted = (Permission(step, targets[:1]), Permission(jump, targets[1:]), Permission(leave, ("outside",)))
        states[f"s{number}"] = State(f"s{number}", f"State {number}", (), permitted=permitted, owner=owner)
    lost = Failure("lost", "It is lost", outcomes=tuple(Outcome(state, ("s0", state)) for state in states))
    begin = Action("begin", "Begin", by=owner)
    return Matrix(
        f"ring-{count}",
        f"Ring of {count}",
        "",
        states,
        {},
        {action.id: action for action in (begin, step, jump, leave)},
        start=Start(begin, "s0"),
        spine=(begin, step, step, step),
        failures={lost.id: lost},
    )
