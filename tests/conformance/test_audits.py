"""The audit of every ruleset's records: a record of the service is clean, and the figures of luck add up."""

from __future__ import annotations

import random
from typing import get_args

import msgspec
import pytest

from engine.core.errors import EngineError
from engine.core.events import ChanceKind, Draft, Event, Mode
from engine.play import registry
from engine.play.fold import fold
from engine.review.audit import audit, verify
from engine.review.versions import reader
from tests.playouts import playout
from tests.recording import Recording, chained, forged

RULESETS = [rules.id for rules in registry.rulesets()]
LONGEST = 300


def log_of(ruleset: str, chance: ChanceKind, seed: int = 5) -> list[Event]:
    return playout(ruleset, seed, registry.ruleset(ruleset).players[1], chance=chance, limit=LONGEST)


@pytest.mark.parametrize("chance", get_args(ChanceKind))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_record_is_clean_and_its_luck_adds_up(ruleset: str, chance: ChanceKind) -> None:
    log = log_of(ruleset, chance)
    report = audit(log)
    assert (report.verdict, report.findings, report.events) == ("clean", (), len(log))
    assert report.determinism.recorded == report.determinism.equal > 1
    assert sum(one.legal for one in report.rules_applied) <= report.events_by_verdict.legal
    assert report.luck is not None
    for kind in report.luck.kinds:
        assert sum(value.count for value in kind.values) == kind.draws
        assert sum(value.expected for value in kind.values) == pytest.approx(kind.draws)
        assert all(value.p is None or 0 < value.p <= value.adjusted <= 1 for value in kind.values)  # type: ignore[operator]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_by_its_own_rules_nothing_differs(ruleset: str) -> None:
    log = log_of(ruleset, "observed")
    version = registry.ruleset(ruleset).version
    compared = audit(log, version).rules
    assert compared is not None
    assert (compared.verdicts, compared.states, compared.differences) == (0, 0, ())
    assert reader(Recording(ruleset, registry.ruleset(ruleset).players[0]).game.header, version).version == version


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_forged_state_is_found_at_its_event(ruleset: str) -> None:
    log = log_of(ruleset, "observed")
    rng = random.Random(ruleset)
    told = [event.seq for event in log if event.state_hash is not None]
    for seq in rng.sample(told, min(5, len(told))):
        forgery = chained([forged(event, state_hash="f" * 64) if event.seq == seq else event for event in log])
        report = audit(forgery)
        assert [(finding.seq, finding.kind) for finding in report.findings] == [(seq, "state")]


@pytest.mark.rules
@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_the_rules_forbade_is_found_with_its_rule_and_a_forged_verdict_too(ruleset: str) -> None:
    """Add actions from other moments to a game recorded as played."""
    rng = random.Random(ruleset)
    line = log_of(ruleset, "observed")
    recording = Recording(ruleset, registry.ruleset(ruleset).players[1], mode="as_played")
    strays = [event for event in line if event.actor is not None]
    for event in line[1:60]:
        if event.actor is not None and recording.game.outcome is None:
            stray = rng.choice(strays)
            _try(recording, msgspec.structs.replace(stray, actor=rng.choice(strays).actor))
        _try(recording, event)
    report = audit(recording.events)
    illegal = {event.seq: event.rule for event in recording.events if event.verdict == "illegal"}
    assert illegal
    assert {finding.seq: finding.rule for finding in report.findings} == illegal
    assert report.events_by_verdict.illegal == len(illegal)
    for seq in rng.sample(sorted(illegal), min(5, len(illegal))):
        forgery = chained(
            [
                forged(event, verdict="legal", rule=None, reason=None) if event.seq == seq else event
                for event in recording.events
            ]
        )
        assert (seq, "verdict") in {(finding.seq, finding.kind) for finding in audit(forgery).findings}


@pytest.mark.parametrize("mode", get_args(Mode))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_whatever_is_corrected_the_audit_tells_of_it_and_the_log_verifies(ruleset: str, mode: Mode) -> None:
    rng = random.Random(f"{ruleset} {mode}")
    recording = Recording(ruleset, registry.ruleset(ruleset).players[0], mode=mode)
    for event in playout(ruleset, 6, registry.ruleset(ruleset).players[0], limit=40)[1:]:
        _try(recording, event)
    strays = list(recording.events[2:])
    for _ in range(12):
        seq, stray = rng.randrange(3, len(recording.events)), rng.choice(strays)
        body = {"type": stray.type, "actor": stray.actor, "params": stray.params, "outcomes": list(stray.outcomes)}
        choices = [{"remove": True}, {"event": body}, {"insert": body}]
        if rng.random() < 0.2:
            _draft(recording, Draft(type="undo", params={"to": seq}))
        else:
            _draft(recording, Draft(type="amend", params={"seq": seq, **rng.choice(choices), "accept_broken": True}))
    log = recording.events
    report = audit(log, registry.ruleset(ruleset).version)

    assert verify(log) == fold(log)
    assert {finding.kind for finding in report.findings} <= {"illegal_action", "impossible_outcome"}
    assert report.verdict == ("findings" if report.findings else "clean")
    assert report.events_by_verdict.illegal == len(report.findings)
    assert [one.seq for one in report.corrections] == [one.seq for one in log if one.type in {"undo", "amend"}]
    assert len(report.corrections) > 0
    assert report.rules is not None
    assert report.rules.differences == ()


def _try(recording: Recording, event: Event) -> None:
    """Record an event, if the record accepts it."""
    _draft(recording, Draft(type=event.type, actor=event.actor, params=event.params, outcomes=event.outcomes))


def _draft(recording: Recording, draft: Draft) -> None:
    try:
        recording.append(draft)
    except EngineError:
        return
