"""Every order of the sessions' steps, each run from the same rows, with an invariant tried after each step.

An order is a sequence of session names: the n-th mention of a session is its n-th step. Where a session waits for
another, no order can go on with it, so orders that would are not orders, as in PostgreSQL's isolation tester. A
crash is one more step of a session, after which it has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from failure_matrix.evidence.connection import Result
from failure_matrix.evidence.playbook import Playbook
from failure_matrix.evidence.playing import Player, Seen
from failure_matrix.evidence.running import prepare
from failure_matrix.evidence.scenario import Kill, Orders, Scenario, Step
from failure_matrix.evidence.server import Server
from failure_matrix.evidence.snapshot import Shelf, Snapshot
from failure_matrix.evidence.stage import Stage, stage

Order = tuple[str, ...]
LIMIT = 20_000
"""How many orders are run at most."""

CRASH = "!"
"""Stands before a session's name where its client dies."""

Progress = Callable[[int], None]
"""Called with how many orders have been run."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The beginning of an order up to the step after which the invariant broke, and the rows that it returned.

    `place` is the order's number among all, so that parts of the orders can be put together again.
    """

    place: int
    steps: tuple[tuple[Step, Seen], ...]
    rows: tuple[tuple[str | int | None, ...], ...]
    at_end: bool = False

    @property
    def rank(self) -> tuple[int, int]:
        """The shortest first, then in the order of the orders."""
        return len(self.steps), self.place


@dataclass(frozen=True, slots=True)
class OrdersRun:
    """How many orders were run, in how many the invariant broke, and the shortest way to that.

    `limited` says that there are more orders than may be run.
    """

    count: int
    broken: int
    counterexample: Counterexample | None
    limited: bool = False

    def joined(self, other: OrdersRun) -> OrdersRun:
        """What two parts of the orders found together."""
        found = [each.counterexample for each in (self, other) if each.counterexample is not None]
        return OrdersRun(
            self.count + other.count,
            self.broken + other.broken,
            min(found, key=lambda each: each.rank, default=None),
            self.limited or other.limited,
        )

    def holds(self, orders: Orders) -> bool:
        """Whether that is what the scenario expects."""
        counts = orders.count is None or orders.count == self.count
        return counts and not self.limited and (orders.broken is None or orders.broken == self.broken)


def run_orders(  # noqa: PLR0913 - the last three have defaults and names
    server: Server,
    scenario: Scenario,
    playbook: Playbook | None = None,
    *,
    shard: tuple[int, int] = (1, 1),
    limit: int = LIMIT,
    progress: Progress = lambda _: None,
) -> OrdersRun:
    """Run the orders of a scenario, or the part i of n of them."""
    orders = scenario.orders or Orders()
    with stage(server, scenario.tables) as played_on:
        prepare(played_on, scenario)
        return _OrdersRun(played_on, scenario, orders, playbook).run(shard, limit, progress)


class _OrdersRun:
    def __init__(self, played_on: Stage, scenario: Scenario, orders: Orders, playbook: Playbook | None) -> None:
        self._stage = played_on
        self._scenario = scenario
        self._orders = orders
        self._playbook = playbook
        self._shelf = Shelf(played_on)
        self._beginning = self._shelf.save()
        self._steps = {name: scenario.steps_of(name) for name in scenario.sessions}

    def run(self, shard: tuple[int, int], limit: int, progress: Progress) -> OrdersRun:
        """Run each order whose place is of this part. Those that begin as one that can't go on are left out."""
        part, parts = shard
        found = OrdersRun(0, 0, None)
        dead_end: Order | None = None
        lengths = {name: len(steps) for name, steps in self._steps.items()}
        for place, order in enumerate(all_orders(lengths, self._orders.crash)):
            if dead_end is not None and order[: len(dead_end)] == dead_end:
                continue
            if place >= limit:
                return replace(found, limited=True)
            dead_end = None
            if place % parts != part - 1:
                continue
            one, went = self._run_order(place, order)
            if one is None:
                dead_end = order[:went]
                continue
            found = found.joined(one)
            progress(found.count)
        return found

    def _run_order(self, place: int, order: Order) -> tuple[OrdersRun | None, int]:
        """Run one order: what it found, or nothing and how far it went before a session that waits was to go on."""
        self._begin_anew(self._beginning)
        player = Player(self._stage, self._scenario, self._playbook)
        done: list[tuple[Step, Seen]] = []
        broken: Counterexample | None = None
        reached = dict.fromkeys(self._steps, 0)
        for index, name in enumerate(order):
            session = name.removeprefix(CRASH)
            if player.waits(session) and not name.startswith(CRASH):
                if order[index:] != self._stuck(player, order[index:]):
                    return None, index + 1
                break
            done.append(
                self._crash(session, player) if name.startswith(CRASH) else self._play(session, player, reached)
            )
            if broken is None:
                broken = self._tried(place, done, self._orders.never)
        if broken is None:
            broken = self._tried(place, done, self._orders.finally_never, at_end=True)
        return OrdersRun(1, int(broken is not None), broken), len(order)

    def _stuck(self, player: Player, rest: Order) -> Order | None:
        """The one rest that counts where only sessions are left that wait for good; nothing where others are left."""
        if any(name.startswith(CRASH) or not player.waits(name) for name in rest):
            return None
        return tuple(sorted(rest, key=list(self._steps).index))

    def _play(self, session: str, player: Player, reached: dict[str, int]) -> tuple[Step, Seen]:
        step = self._steps[session][reached[session]]
        reached[session] += 1
        return step, player.play(step)

    def _crash(self, session: str, player: Player) -> tuple[Step, Seen]:
        self._stage.retire(session)
        return Step(0, session, Kill()), player.forget(session)

    def _tried(
        self, place: int, done: list[tuple[Step, Seen]], invariant: str, *, at_end: bool = False
    ) -> Counterexample | None:
        if not invariant:
            return None
        result: Result = self._stage.must(invariant)
        return Counterexample(place, tuple(done), result.rows, at_end) if result.rows else None

    def _begin_anew(self, beginning: Snapshot) -> None:
        """Roll back what is open, let those go that still wait or are lost, and put the rows back."""
        for session in sorted(self._stage.sessions.values(), key=lambda each: not each.waiting):
            if session.waiting or session.connection.is_lost or session.connection.in_transaction:
                self._stage.retire(session.name)
        self._shelf.restore(beginning)


def all_orders(lengths: Mapping[str, int], crash: tuple[str, ...] = ()) -> Iterator[Order]:
    """All orders of sessions with so many steps each, sorted by the sessions' own order.

    A session that may crash may do so after each of its steps but the last, at any time before its next one.
    """
    yield from _orders_from(dict(lengths), crash, frozenset())


def _orders_from(left: Mapping[str, int], crash: tuple[str, ...], begun: frozenset[str]) -> Iterator[Order]:
    if not any(left.values()):
        yield ()
    for name, count in left.items():
        if count:
            for rest in _orders_from({**left, name: count - 1}, crash, begun | {name}):
                yield (name, *rest)
        if count and name in crash and name in begun:
            for rest in _orders_from({**left, name: 0}, crash, begun):
                yield (CRASH + name, *rest)
