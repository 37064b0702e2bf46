"""Nobody can learn a result before it is in the log, from any refusal in any ruleset through the whole API. The same
requests go to forks that differ only in their seeds. Their answers may differ only after both logs have an event with
different results.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient

from api.app import create_app
from api.plumbing.settings import Settings
from driftlog.testing.play import action_attempts, policy
from driftlog.testing.tables import TableSetup
from engine.core.documents import params_schema
from engine.core.errors import Malformed
from engine.core.events import Mode
from engine.play.forks import fork
from engine.play.registry import rulesets
from store import Store
from tests.playouts import clock
from tests.recording import Recording
from workers.queue import Queue

pytestmark = pytest.mark.long

TABLES = [TableSetup(rules.id, rules.players[0], {}) for rules in rulesets() if "seeded" in rules.sources]
SEEDS = ("a", "b", "c")
PLACES = 1
"""Numbers of draws per game before which requests are sent."""
LONGEST = 200
WAYS: dict[Mode, list[dict[str, str]]] = {
    "strict": [{}, {"accept_illegal": "true"}],
    # Skipped steps are asked for, recorded, or ignored.
    "as_played": [{}, {"accept_left_out": "true"}, {"accept_left_out": "false"}],
}
"""The queries with which a list can be sent."""
REFUSALS: list[dict[str, str]] = [{}, {"accept_refused": "true"}]
"""The queries for rejected events of a dry run."""
_SEALED = {"hash", "prev", "recorded_at", "state_hash", "salt", "seed"}
"""Members that differ between forks, or contain a digest of those; a seed is revealed at the end of its game."""

_NUMBERS = itertools.count()

Body = dict[str, Any]


def before_draws(table: TableSetup, mode: Mode) -> Iterator[tuple[Recording, list[Body]]]:
    """Yield a random game before some of its draws, and the draws that are legal there."""
    rng = random.Random(f"{table} {mode}")
    choose, rules = policy(rng), table.rules
    recording = Recording(table.ruleset, table.seats, "a random game", mode=mode, **table.options)
    recording.add("set_up")
    pause = rng.randint(5, 15)
    while recording.game.outcome is None and recording.game.version < LONGEST:
        legal = list(rules.legal_actions(recording.game.state))
        pause -= 1
        draws = [body(one.action.type, one.actor, one.action) for one in legal if one.action.asks_chance]
        if draws and pause < 0:
            yield recording, draws
            pause = rng.randint(5, 25)
        one = choose(legal)
        recording.add(one.action.type, one.actor, **msgspec.to_builtins(one.action))


def body(type_: str, actor: str | None = None, params: Any = None) -> Body:
    return {"type": type_, "actor": actor, "params": msgspec.to_builtins(params) if params is not None else {}}


def followers(table: TableSetup, recording: Recording, draw: Body, rng: random.Random) -> Iterator[Body]:
    """Yield all kinds of events that can follow a draw: legal, illegal, malformed, and the corrections."""
    state, version, rules = recording.game.state, recording.game.version, table.rules
    assert state is not None
    by_kind = {one.action.type: one for one in rules.legal_actions(state)}
    yield from (body(one.action.type, one.actor, one.action) for one in by_kind.values())
    schemas = {kind.type: params_schema(kind) for kind in rules.actions}
    for kind, params in itertools.islice(action_attempts(rules, state, rng, schemas), 0, None, 2):
        yield body(kind, rng.choice(recording.game.header.seat_ids), params)
    yield draw
    yield body("castle")
    yield {**draw, "params": {"no": "such"}}
    yield {**draw, "outcomes": ["?"]}
    document = rules.to_document(state)
    for path, value in (("", "?"), ("/turn", -1), ("/phase", document["phase"]), ("/no/such", 1)):
        yield adjust({"op": "test", "path": path, "value": value})
    for name in rng.sample(sorted(document), 5):
        yield adjust({"op": "test", "path": f"/{name}", "value": document[name]}, {"op": "remove", "path": f"/{name}"})
    for to in (2, version, version + 1):
        yield body("undo", None, {"to": to})
    plain = {"type": "annotate", "params": {"text": "so"}}
    for change in ({"remove": True}, {"insert": plain}, {"event": plain}, {"event": draw}, {"insert": draw}):
        for accepted in ({}, {"accept_broken": True}):
            yield body("amend", None, {"seq": version + 1, **change, **accepted})
            yield body("amend", None, {"seq": version, **change, **accepted})
    yield body("annotate", None, {"text": "so", "seq": version + 2})
    yield body("abandon", None, {"reason": "late"})
    yield body("reveal", None, {"seq": version + 1, "value": "?"})
    yield body("game_closed")
    yield body("set_up")


def adjust(*patch: Body) -> Body:
    return body("adjust", None, {"patch": list(patch), "reason": "r"})


class Asked(msgspec.Struct):
    """The answer to a request in one of the forks."""

    status: int
    answer: Any
    log: list[Any]
    """The new events in its log."""


class Forks:
    """Forks of a game with different seeds."""

    def __init__(self, client: FlaskClient, store: Store, recording: Recording) -> None:
        self._client, self._store = client, store
        self._version = recording.game.version
        self._forked = {
            seed: fork(recording.events, self._version, game="g", seed=seed, recorded_at=clock(1)) for seed in SEEDS
        }
        self._again = itertools.cycle(SEEDS)

    def ask(self, request: Any, **query: str) -> list[Asked]:
        """Send `request` to new forks; repeat it at one with the same key, and check that the answer is the same."""
        again = next(self._again)
        return [self._ask(seed, request, query, is_sent_again=seed == again) for seed in SEEDS]

    def _ask(self, seed: str, request: Any, query: dict[str, str], *, is_sent_again: bool) -> Asked:
        id_ = f"fork-{next(_NUMBERS)}"
        self._store.open(id_, *self._forked[seed], seed=seed)
        send: Callable[[], Any] = lambda: self._client.post(  # noqa: E731  # sent twice
            f"/v1/games/{id_}/events", json=request, query_string=query, headers={"Idempotency-Key": "k"}
        )
        first = send()
        log = self._store.events.read(id_, after=self._version)
        assert first.status_code in {200, 201, 409, 422}, first.text
        if is_sent_again:
            again = send()
            assert again.json == first.json or (first.status_code >= 400 and again.status_code == first.status_code)
            assert self._store.events.read(id_, after=self._version) == log
        plain = [without_seals(msgspec.to_builtins(event)) for event in log]
        if first.status_code == 201:
            assert [without_seals(event) for event in first.json["events"]] == plain
        return Asked(first.status_code, without_seals(first.json), plain)


def without_seals(document: Any) -> Any:
    """Return `document` without the members that differ between forks."""
    if isinstance(document, dict):
        return {name: without_seals(value) for name, value in document.items() if name not in _SEALED}
    return [without_seals(one) for one in document] if isinstance(document, list | tuple) else document


def outcomes_of(event: Body) -> Any:
    brought = event["params"].get("event") or event["params"].get("insert") or event
    return brought["outcomes"] if isinstance(brought, dict) else ()


def check_untold(asked: Sequence[Asked]) -> None:
    """Check that the answers differ only in results that are in the logs."""
    for one, other in itertools.combinations(asked, 2):
        parted = next((pair for pair in zip(one.log, other.log, strict=False) if pair[0] != pair[1]), None)
        if parted is None:
            assert (one.status, one.answer, one.log) == (other.status, other.answer, other.log)
        else:
            assert parted[0]["type"] == parted[1]["type"]
            assert outcomes_of(parted[0]) != outcomes_of(parted[1])


@pytest.fixture
def client(events_server: str, queue_server: str, store: Store, queue: Queue) -> FlaskClient:
    return create_app(Settings(redis_url=events_server, queue_url=queue_server)).test_client()


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_no_answer_tells_what_comes_up(table: TableSetup, mode: Mode, client: FlaskClient, store: Store) -> None:
    rng = random.Random(f"{table} {mode}")
    asked = 0
    for recording, draws in itertools.islice(before_draws(table, mode), PLACES):
        try:
            fork(recording.events, recording.game.version, game="g", seed="s", recorded_at=clock(1))
        except Malformed:
            # The game has hidden data at this point.
            continue
        forks, draw = Forks(client, store, recording), rng.choice(draws)
        behind = list(followers(table, recording, draw, rng))
        illegal = [one for one in behind if (kind := table.rules.kind(one["type"])) is not None and kind.asks_chance]
        lists: list[Any] = [*draws, *illegal]
        lists += [[draw, one] for one in behind]
        lists += [[draw, *rng.sample(behind, 2)] for _ in range(len(behind) // 4)]
        lists += [[one, draw] for one in rng.sample(behind, len(behind) // 6)]
        ways = WAYS[mode]
        for request in lists:
            check_untold(forks.ask(request, **rng.choice(ways)))
        for request in rng.sample(lists, len(lists) // 6):
            tried_only = forks.ask(request, dry_run="true", **rng.choice(ways), **rng.choice(REFUSALS))
            check_untold(tried_only)
            assert not any(one.log for one in tried_only)
        asked += len(lists)
    assert asked
