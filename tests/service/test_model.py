"""Games of two writers, compared with the fold of their whole logs: actions, undos, amends, reveals, adjustments,
notes.
"""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from engine.core.errors import EngineError
from engine.core.events import Draft, Event, Seat
from engine.play import offers
from engine.play.corrections import reveals
from engine.play.fold import History, history
from engine.play.line import Slot
from engine.play.record import open_game
from engine.play.rules import Rules
from engine.review.turns import Turn
from service.opening import list_at_once
from service.recording import append
from store import Store
from store.library.finding import Filter
from store.library.projections import Summary
from store.redis.connection import connect
from tests.engine.recording import DEAL
from tests.playouts import clock

pytestmark = pytest.mark.long

GAME = "g"
STEPS = 60


def log_of(store: Store) -> list[Event]:
    return store.events.read(GAME)


def some_draft(rng: random.Random, rules: Rules, played: History) -> Draft:
    """Return an event that somebody might append now; some will be refused."""
    state, version = played.states[-1], played.version
    line = [slot for slot in played.line(version) if slot.entry is not None]
    kind = rng.choice(["action"] * 10 + ["undo"] * 3 + ["annotate"] * 2 + ["adjust"] + ["amend"] * 4 + ["reveal"] * 3)
    if state is None:
        return Draft(type="set_up", outcomes=DEAL) if rng.random() < 0.7 else undo(rng, version)
    if kind == "annotate":
        return Draft(type="annotate", params={"seq": rng.randint(1, version), "text": "so"})
    if kind == "undo":
        return undo(rng, version)
    if kind == "adjust":
        patch = [{"op": "replace", "path": "/water_level", "value": rng.randint(1, 6)}]
        return Draft(type="adjust", params={"patch": patch, "reason": "as it lies"})
    if kind == "reveal":
        unknowns = list(reveals.unknowns(rules, line))
        if unknowns:
            one = rng.choice(unknowns)
            value = rng.choice(list(one.point.probabilities()))
            return Draft(type="reveal", params={"seq": one.seq, "position": one.position, "value": value})
    if kind == "amend" and len(line) > 1:
        slot = rng.choice(line[1:])
        change: dict[str, Any] = rng.choice(
            [
                {"remove": True},
                {"insert": {"type": "annotate", "params": {"text": "new"}}},
                {"event": msgspec.to_builtins(action(rng, rules, slot.after))},
                {"insert": msgspec.to_builtins(action(rng, rules, slot.after))},
            ]
        )
        return Draft(type="amend", params={"seq": slot.number, **change, "accept_broken": rng.random() < 0.8})
    return action(rng, rules, state)


def undo(rng: random.Random, version: int) -> Draft:
    return Draft(type="undo", params={"to": rng.randint(max(1, version - 12), version)})


def action(rng: random.Random, rules: Rules, state: Any) -> Draft:
    """Return a legal action in `state`, sometimes an illegal one, or one with an unknown result."""
    if state is None or state.outcome is not None:
        return Draft(type="annotate", params={"text": "over"})
    if rng.random() < 0.1:
        return Draft(type="move", actor="p1", params={"to": "gold_gate"})
    legal = rng.choice(offers.offers(rules.ruleset, state)).legal
    point = offers.point(rules.ruleset, state, legal)
    outcomes: tuple[Any, ...] = ()
    if point is not None:
        values = list(point.probabilities())
        outcomes = (None,) if rng.random() < 0.35 else (rng.choice(values),)
    return Draft(type=legal.action.type, actor=legal.actor, params=msgspec.to_builtins(legal.action), outcomes=outcomes)


def derived_data(store: Store) -> tuple[Summary, list[Turn]]:
    """Return the data derived from the log, as readers see it."""
    (listed,), _ = store.projections.find(Filter())
    return listed, store.projections.turns(GAME)


@pytest.mark.parametrize("mode", ["strict", "as_played"])
@pytest.mark.parametrize("seed", range(4))
def test_any_order_of_corrections_is_the_fold_of_the_whole_log(
    store: Store, events_server: str, mode: Any, seed: int
) -> None:
    rng = random.Random(f"{seed} {mode}")
    game, first = open_game(
        ruleset="forbidden-island",
        seats=[Seat("Ann"), Seat("Bob")],
        options={},
        seed=None,
        recorded_at=clock(1),
        mode=mode,
    )
    store.events.open(GAME, [first], None)
    rules = Rules(game.header)
    with connect(events_server) as client:
        writers = [store, Store(client)]
        kinds: set[str] = set()
        for step in range(STEPS):
            events = log_of(store)
            played = history(events)
            drafts = [some_draft(rng, rules, played) for _ in range(rng.choice([1, 1, 1, 2]))]
            writer = rng.choice(writers)
            try:
                done = append(
                    writer,
                    GAME,
                    drafts,
                    explain=lambda refused, _: {"detail": str(refused)},
                    recorded_at=clock(step + 2),
                    accept_left_out=rng.choice([None, True, False]),
                )
            except EngineError:
                assert log_of(store) == events
            else:
                kinds |= {event.type for event in done.events}
                assert writer.events.read(GAME, after=len(events)) == msgspec.json.decode(
                    msgspec.json.encode(done.events), type=list[Event]
                )
                whole = history(log_of(store))
                assert done.game.state == whole.states[-1]
                wanted = [one for seq, impact in whole.impacts.items() if seq > len(events) for one in impact]
                assert list(done.impact or ()) == wanted
            if rng.random() < 0.3:
                rng.choice(writers).projections.project(GAME)
            if step % 6 == 5:
                check(rng, [*writers, Store(client)])
        assert kinds >= {"undo", "amend"}, kinds
        list_at_once(store, GAME)
        before = derived_data(store)
        assert store.projections.rebuild() == {}
        assert derived_data(store) == before
        check(rng, [Store(client)])


def check(rng: random.Random, stores: list[Store]) -> None:
    events = log_of(stores[0])
    played = history(events)
    for store in stores:
        newest = store.games.latest(GAME)
        assert (newest.version, newest.head, newest.state) == (len(events), events[-1].hash, played.states[-1])
        replayed = store.games.replay(GAME)
        assert replayed == newest
        for at in rng.choices(range(1, len(events) + 1), k=4):
            game = store.games.get(GAME, at)
            assert (game.version, game.head, game.state) == (at, events[at - 1].hash, played.states[at])
            assert [plain(slot) for slot in store.games.line(GAME, at)] == [plain(slot) for slot in played.line(at)]


def plain(slot: Slot) -> Any:
    return (slot.number, slot.source, slot.after, slot.judgement)
