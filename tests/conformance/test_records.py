"""Recorded games: a fold from any event to any other gives the game; a seed is secret until the end."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from driftlog.testing.tables import TableSetup
from engine.core.canonical import canonical
from engine.core.errors import EngineError, ImpossibleOutcome
from engine.core.events import Draft, Event
from engine.kit.chance import Observed
from engine.play import snapshots
from engine.play.fold import fold
from engine.play.forks import fork
from engine.play.past import KnownPast
from engine.play.record import chance_for, record
from engine.review.audit import audit
from engine.review.compare import common
from engine.review.turns import index, narrate
from tests.conformance.recorded import record_random_game
from tests.playouts import clock
from tests.recording import Recording

SEED = "what-nobody-may-know-before-the-end"


@pytest.fixture(scope="module")
def observed(table: TableSetup) -> Recording:
    """A random observed game from opening to closing, shared because playing is slow."""
    return record_random_game(table, 1)


@pytest.fixture(scope="module")
def seeded(table: TableSetup) -> Recording:
    """A random seeded game."""
    if "seeded" not in table.rules.sources:
        pytest.skip("games of this ruleset are always observed")
    return record_random_game(table, 1, SEED)


@pytest.fixture(scope="module", params=["observed", "seeded"])
def recording(request: pytest.FixtureRequest, table: TableSetup) -> Recording:
    """The observed game, or the seeded game."""
    return request.getfixturevalue(request.param)  # type: ignore[no-any-return]


def draft(event: Event) -> Draft:
    """Return the draft with which an observed table would append the event."""
    return Draft(type=event.type, actor=event.actor, params=event.params, outcomes=event.outcomes)


def powers_of_two(recording: Recording) -> Iterator[int]:
    """Yield 1, 2, 4, 8, … and the last event."""
    step = 1
    while step < recording.game.version:
        yield step
        step *= 2
    yield recording.game.version


def test_the_fold_of_the_log_is_the_game(recording: Recording) -> None:
    assert fold(recording.events) == recording.game
    assert fold(as_read(recording.events)) == recording.game


def as_read(events: list[Event]) -> list[Event]:
    """Return the events after a round trip through JSON."""
    return msgspec.json.decode(msgspec.json.encode(events), type=list[Event])


def test_a_log_is_clean(recording: Recording) -> None:
    report = audit(as_read(recording.events))
    assert report.findings == ()
    assert report.head == recording.game.head


def test_states_come_back_from_their_documents(recording: Recording, table: TableSetup) -> None:
    rules = table.rules
    for at in powers_of_two(recording):
        state = recording.states[at]
        if state is not None:
            document = rules.to_document(state)
            assert rules.from_document(document) == state
            assert rules.from_document(json.loads(canonical(document))) == state
            assert "details" not in document, "those of the record are not of the table"


def test_games_go_on_from_their_snapshots(recording: Recording) -> None:
    header = recording.game.header
    secret = SEED if header.chance == "seeded" else None
    for at in powers_of_two(recording):
        game = fold(recording.events[:at])
        loaded = snapshots.load(snapshots.dump(game))
        assert loaded == game
        rest = [draft(event) for event in recording.events[at:] if event.type != "game_closed"]
        if secret is not None:
            rest = [msgspec.structs.replace(one, outcomes=()) for one in rest]
        live, _ = record(loaded, rest, chance_for(header, secret), KnownPast(), recorded_at=clock(1))
        assert live.state == recording.game.state


@pytest.mark.long
def test_a_seeded_game_recorded_again_as_observed_is_the_same(table: TableSetup, seeded: Recording) -> None:
    again = Recording(table.ruleset, table.seats, **table.options)
    again.append(*(draft(event) for event in seeded.events[1:-1]))
    assert again.states == [state and table.rules.at_table(state) for state in seeded.states]
    assert [(event.type, event.actor, event.params, event.outcomes, event.turn) for event in again.events[1:-1]] == [
        (event.type, event.actor, event.params, event.outcomes, event.turn) for event in seeded.events[1:-1]
    ]


def test_an_undo_is_the_fold_of_the_prefix(recording: Recording, table: TableSetup) -> None:
    rng = random.Random(str(table))
    again = Recording(table.ruleset, table.seats, **table.options)
    again.append(*(draft(event) for event in recording.events[1:-2]))
    for to in {2, *rng.choices(range(2, recording.game.version - 2), k=2)}:
        part = Recording.of(again)
        part.add("undo", to=to)
        assert recording.states[to] == fold(recording.events[:to]).state
        assert part.game.state == table.rules.at_table(recording.states[to])
        assert fold(part.events) == part.game
        part.add("undo", to=part.game.version - 1)
        assert part.game.state == table.rules.at_table(recording.states[-3])


def test_a_fork_goes_on_as_its_parent_did(observed: Recording) -> None:
    at = observed.game.version // 2
    game, events = fork(observed.events, at, game="parent", seed=None, recorded_at=clock(1))
    rest = list(map(draft, observed.events[at:-1]))
    live, added = record(game, rest, Observed(), KnownPast(), recorded_at=clock(1))
    assert live.state == observed.game.state
    assert audit([*events, *added]).verdict == "clean"


@pytest.mark.long
def test_a_fork_by_another_kind_of_chance_has_its_parents_state(recording: Recording, table: TableSetup) -> None:
    if "seeded" not in table.rules.sources:
        pytest.skip("forks of its games are observed, too")
    is_seeded = recording.game.header.chance == "seeded"
    for at in open_places(table, recording):
        game, events = fork(recording.events, at, game="parent", seed=None if is_seeded else "if", recorded_at=clock(1))
        assert game.state == recording.states[at]
        assert fold(as_read(events)) == game
        assert audit(events).verdict == "clean"
        assert len(list(common(table.rules, recording.events, events))) == at
        back, _ = fork(events, at, game="child", seed="again" if is_seeded else None, recorded_at=clock(1))
        assert back.state == game.state


def open_places(table: TableSetup, recording: Recording) -> Iterator[int]:
    """Yield 1, 2, 4, 8, … while the game continues, without events at which something is hidden."""
    hidden = 0
    for event in recording.events[:-2]:
        kind = table.rules.kind(event.type)
        if kind is not None and (kind.hidden_params or kind.reveals):
            hidden = event.seq if kind.hidden_params else 0
        if event.seq & (event.seq - 1) == 0 and not hidden:
            yield event.seq


def test_an_impossible_outcome_is_refused(recording: Recording) -> None:
    for event in recording.events[1:-1]:
        for position in range(len(event.outcomes)):
            outcomes = (*event.outcomes[:position], "a card of another game")
            part = recording.at(event.seq - 1)
            told = msgspec.structs.replace(draft(event), outcomes=outcomes)
            with pytest.raises(ImpossibleOutcome) as error:
                record(part, [told], Observed(), KnownPast(), recorded_at=clock(1))
            assert error.value.point.position == position


def test_the_turn_index_is_gapless(recording: Recording, table: TableSetup) -> None:
    narrated = narrate(recording.game.header, recording.events)
    turns = index(narrated, table.rules)
    assert [turn.turn for turn in turns] == list(range(len(turns)))
    assert [turns[0].first, *(turn.last + 1 for turn in turns)] == [
        *(turn.first for turn in turns),
        recording.game.version + 1,
    ]
    # Text that is read out can end with direct speech.
    assert all(one.sentence.rstrip("'").endswith((".", "!", "?")) for one in narrated)


def test_no_seed_is_seen_before_the_end(table: TableSetup, seeded: Recording) -> None:
    told: list[Any] = [event for event in seeded.events if event.type != "game_closed"]
    held: list[Any] = []
    rules, names = table.rules, seeded.game.header.names
    for event in seeded.events[1:-1]:
        if event.seq & (event.seq - 1) == 0:
            game = fold(seeded.events[: event.seq])
            held += [game, snapshots.dump(game).decode(), refusal(game, seeded)]
        state = seeded.states[event.seq]
        assert state is not None
        told += [rules.to_document(state), rules.overview(state, names), rules.headline(state, names)]
        told += [rules.view(state, viewer) for viewer in (None, *range(table.seats))]
    assert SEED not in str(held)
    assert SEED not in msgspec.json.encode(told).decode()
    assert SEED in str(seeded.events[-1])


def refusal(game: Any, recording: Recording) -> str:
    """Return the message of the error for an impossible request."""
    with pytest.raises(EngineError) as error:
        record(game, [Draft(type="set_up")], recording.chance, KnownPast(), recorded_at="")
    return f"{error.value!r} {vars(error.value)}"
