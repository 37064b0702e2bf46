"""Corrections in every ruleset: undo, amend, illegal actions, and unknown results."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from driftlog.testing.play import action_attempts
from driftlog.testing.tables import TableSetup
from engine.core.documents import params_schema
from engine.core.errors import (
    EngineError,
    GameOver,
    IllegalAction,
    ImpossibleOutcome,
    Malformed,
    OutcomeRequired,
    UnclearEffect,
    Undetermined,
)
from engine.core.events import Draft, Event
from engine.kit.chance import Sampled
from engine.play.beliefs import belief
from engine.play.fold import fold
from engine.play.registry import rulesets
from engine.review.audit import audit
from tests.conformance.recorded import record_random_game
from tests.recording import Recording

SEATINGS = [TableSetup(rules.id, seats, {}) for rules in rulesets() for seats in (rules.players[0], rules.players[1])]
NAMES = [f"{table.ruleset}-{table.seats}" for table in SEATINGS]
LONGEST = 150
"""Maximum events of a record that is corrected, because a correction replays all of it."""


def record_observed(table: TableSetup, seed: int) -> Recording:
    """Record a random observed game without its closing."""
    whole = record_random_game(table, seed)
    events = whole.events[: min(len(whole.events) - 2, LONGEST)]
    again = Recording(table.ruleset, table.seats, **table.options)
    again.append(*map(draft, events[1:]))
    return again


def draft(event: Event) -> Draft:
    return Draft(type=event.type, actor=event.actor, params=event.params, outcomes=event.outcomes)


def as_read(events: list[Event]) -> list[Event]:
    """Return the events after a round trip through JSON."""
    return msgspec.json.decode(msgspec.json.encode(events), type=list[Event])


def hides_something(recording: Recording, at: int = -1) -> bool:
    rules, state = recording.game.ruleset, recording.states[at]
    return rules.has_secrets and rules.view(state, None) != rules.to_document(state)


@pytest.fixture(params=SEATINGS, ids=NAMES, scope="module")
def seating(request: pytest.FixtureRequest) -> TableSetup:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(params=[1, 2], scope="module")
def open_record(request: pytest.FixtureRequest, seating: TableSetup) -> Recording:
    record = record_observed(seating, request.param)
    while hides_something(record):
        record.add("undo", to=record.game.version - 1)
    return record


def test_an_undo_is_the_fold_of_the_prefix(open_record: Recording) -> None:
    log = as_read(open_record.events)
    for to in range(2, len(log) - 1, max(1, len(log) // 12)):
        undone = Recording.of(open_record)
        undone.add("undo", to=to)
        assert undone.game.state == fold(log[:to]).state


def test_an_amend_and_the_amend_back_are_the_first_state(open_record: Recording) -> None:
    rng = random.Random(NAMES[0])
    rules = open_record.game.ruleset
    refused: list[str] = []
    line = [event for event in open_record.events if event.type not in {"game_opened", "set_up", "undo"}]
    for event in rng.sample(line, min(6, len(line))):
        record = Recording.of(open_record)
        before = record.states[event.seq - 1]
        quiet = [
            one
            for one in rules.legal_actions(before)
            if not one.action.asks_chance and not type(one.action).hidden_params
        ]
        others: list[dict[str, Any]] = [{"remove": True}]
        if quiet:
            one = rng.choice(quiet)
            params = msgspec.to_builtins(one.action)
            others.append({"event": {"type": one.action.type, "actor": one.actor, "params": params}})
            others.append({"insert": {"type": one.action.type, "actor": one.actor, "params": params}})
        for other in others:
            try:
                amend, *_ = record.add("amend", seq=event.seq, accept_broken=True, **other)
            except IllegalAction as error:
                refused.append(error.message)
                continue
            followers = sum(one.seq >= event.seq for one in line) - ("insert" not in other)
            assert len(record.history.impacts[amend.seq]) >= min(followers, 1)
            back = msgspec.to_builtins(draft(event))
            place = {"seq": amend.seq, "remove": True} if "insert" in other else {"seq": event.seq}
            if hides_something(record):
                record.add("undo", to=amend.seq - 1)
            else:
                record.add("amend", accept_broken=True, **place, **({} if "insert" in other else {"event": back}))
            assert record.game.state == open_record.game.state
        log = as_read(record.events)
        assert fold(log) == record.game
        assert audit(log).verdict == "clean"
    assert all("still hidden" in message for message in refused)


@pytest.mark.rules
def test_what_the_rules_forbid_is_recorded_as_played_with_the_rule(seating: TableSetup) -> None:
    table = seating
    rng = random.Random(str(table))
    rules = table.rules
    schemas = {kind.type: params_schema(kind) for kind in rules.actions}
    recording = Recording(table.ruleset, table.seats, mode="as_played", **table.options)
    recording.chance = Sampled(rng)
    recording.add("set_up")
    illegal, unclear = 0, []
    while recording.game.outcome is None and recording.game.version < LONGEST:
        state = recording.game.state
        assert state is not None
        for type_, params in action_attempts(rules, state, rng, schemas):
            seat = rng.randrange(table.seats)
            try:
                action = rules.parse(type_, params)
            except Malformed:
                continue
            refusal = action.refusal(recording.game.state, seat)
            if refusal is None:
                continue
            try:
                recording.add(type_, f"p{seat + 1}", **params)
            except UnclearEffect as error:
                unclear.append(((error.rule, error.message), (refusal.rule, refusal.message)))
                continue
            except (Malformed, GameOver, IllegalAction):
                continue
            event = next(event for event in reversed(recording.events) if event.type == type_)
            assert (event.verdict, event.rule, event.reason) == ("illegal", refusal.rule, refusal.message)
            assert rules.check_invariants(recording.game.state) == []
            illegal += 1
            break
        if recording.game.outcome is None:
            legal = rng.choice(list(rules.legal_actions(recording.game.state)))
            recording.add(legal.action.type, legal.actor, **msgspec.to_builtins(legal.action))
            assert next(e.verdict for e in reversed(recording.events) if e.type == legal.action.type) == "legal"
    assert all(told == meant for told, meant in unclear)
    log = as_read(recording.events)
    assert fold(log) == recording.game
    report = audit(log)
    assert {finding.kind for finding in report.findings} <= {"illegal_action", "closing"}
    assert sum(event.verdict == "illegal" for event in log) >= illegal > 0


def test_what_nobody_saw_never_makes_a_legal_history_illegal(open_record: Recording) -> None:
    rules = open_record.game.ruleset
    again = Recording(rules.id, len(open_record.game.header.seats), **open_record.game.header.options)
    hidden: list[tuple[int, Any]] = []
    places: dict[int, int] = {}
    for event in open_record.events[1:]:
        truth = open_record.states[event.seq]
        if event.type == "undo":
            again.add("undo", to=places[event.params["to"]])
            hidden = [one for one in hidden if one[0] <= places[event.params["to"]]]
            places[event.seq] = again.game.version
            continue
        told = draft(event)
        if len(told.outcomes) == 1 and len(hidden) < 2:
            told = may_hide(again, told, truth, hidden)
        while True:
            try:
                again.append(told)
                break
            except (Undetermined, OutcomeRequired):
                # The board depends on it, so the unknown results must be revealed first.
                assert hidden, event
                seq, value = hidden.pop()
                again.add("reveal", seq=seq, value=value)
        places[event.seq] = again.game.version
        assert any(world.state == truth for world in belief.worlds(again.game.state))  # type: ignore[arg-type]
        if told.outcomes == (None,):
            hidden.append((again.game.version, event.outcomes[0]))
    for seq, value in hidden:
        again.add("reveal", seq=seq, value=value)
    assert again.game.state == open_record.game.state
    log = as_read(again.events)
    assert fold(log) == again.game
    assert audit(log).verdict == "clean"


def may_hide(record: Recording, told: Draft, truth: Any, hidden: list[tuple[int, Any]]) -> Draft:
    """Return `told` with an unknown outcome if the board does not show the result; otherwise unchanged."""
    unseen = msgspec.structs.replace(told, outcomes=(None,))
    try:
        probe = Recording.of(record)
        probe.append(unseen)
    except (OutcomeRequired, IllegalAction, ImpossibleOutcome):
        return told
    state = probe.game.state
    assert state is not None
    return unseen if any(world.state == truth for world in belief.worlds(state)) else told


def test_an_adjustment_that_changes_nothing_changes_nothing(open_record: Recording) -> None:
    record = Recording.of(open_record)
    turn = record.game.turn
    record.add("adjust", patch=[{"op": "replace", "path": "/turn", "value": turn}], reason="look")
    assert record.game.state == open_record.game.state


def test_a_record_may_begin_in_the_middle(open_record: Recording) -> None:
    rules = open_record.game.ruleset
    document = msgspec.json.decode(msgspec.json.encode(rules.to_document(open_record.game.state)))
    record = Recording(rules.id, len(open_record.game.header.seats), **open_record.game.header.options)
    record.add("set_up", position=document)
    assert record.game.state == open_record.game.state
    report = audit(as_read(record.events))
    assert (report.verdict, report.findings, report.level.begun_mid_game) == ("findings", (), True)


def test_every_error_of_a_correction_leaves_the_record_as_it_was(open_record: Recording) -> None:
    record = Recording.of(open_record)
    version = record.game.version
    for type_, params in (
        ("amend", {"seq": version + 9, "remove": True}),
        ("amend", {"seq": 2, "remove": True}),
        ("adjust", {"patch": [{"op": "remove", "path": "/turn"}], "reason": "no"}),
        ("reveal", {"seq": 2, "value": "x", "position": 4000}),
        ("undo", {"to": version}),
    ):
        with pytest.raises(EngineError):
            record.add(type_, **params)
    assert (record.game.version, record.game.head) == (version, open_record.game.head)
