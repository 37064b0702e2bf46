"""Forged exported logs of every ruleset: each forgery is found, and the right event is named."""

from __future__ import annotations

import random
from typing import Any, get_args

import msgspec
import pytest

from cli.verifying import Evidence, check
from engine.core.events import ChanceKind, Event
from engine.play import registry
from exports import FORMATS, Log
from tests.playouts import playout
from tests.proofs.forging import FORGERS, Forgery, as_they_are, forgeries, hash_events
from tests.proofs.signing import GAME, KEY, OTHER, sign_head

LOGS = 100
"""Number of logs per ruleset and kind of chance, a thousand in total."""
LONGEST = 24
"""Maximum events of a log; forging a longer one is no different."""

TRUST = Evidence(keys=(KEY.public,))
RULESETS = [ruleset.id for ruleset in registry.rulesets()]


def log_of(ruleset: str, chance: ChanceKind, seed: int) -> list[Event]:
    seats = registry.ruleset(ruleset).players[0]
    return playout(ruleset, seed, seats, chance=chance, limit=LONGEST)


def export(events: list[Event], **options: Any) -> bytes:
    return b"".join(FORMATS["json"].write(Log(GAME, events, **options)))


def lines(events: list[Event]) -> bytes:
    return b"".join(FORMATS["ndjson"].write(Log(GAME, events)))


def with_events(exported: bytes, events: list[Event]) -> bytes:
    """Return the document with other events, but the same top and end."""
    return msgspec.json.encode(msgspec.json.decode(exported) | {"events": events})


def check_forgery(forgery: Forgery, data: bytes, evidence: Evidence) -> None:
    checked = check(data, evidence, lambda *_: None)
    assert not checked.is_sound, forgery.name
    assert checked.account.endswith(f" that were signed: {forgery.found}"), (forgery.name, checked.account)


@pytest.mark.parametrize("chance", get_args(ChanceKind))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_forgery_is_found_and_the_event_named(ruleset: str, chance: ChanceKind) -> None:
    events, other = log_of(ruleset, chance, 1), log_of(ruleset, chance, 2)
    exported = export(events, proof=sign_head(events))
    beside = Evidence(TRUST.keys, sign_head(events))
    for forgery in forgeries(events, other, random.Random(f"{ruleset} {chance}")):
        if forgery.events:
            check_forgery(forgery, with_events(exported, forgery.events), TRUST)
            check_forgery(forgery, lines(forgery.events), beside)


@pytest.mark.long
@pytest.mark.parametrize("chance", get_args(ChanceKind))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_so_it_is_for_a_thousand_logs(ruleset: str, chance: ChanceKind) -> None:
    rng = random.Random(f"{ruleset} {chance}")
    other = log_of(ruleset, chance, 0)
    for seed in range(1, LOGS + 1):
        events = log_of(ruleset, chance, seed)
        evidence = Evidence(TRUST.keys, sign_head(events))
        assert check(lines(events), evidence, lambda *_: None).is_sound
        for forgers in FORGERS.values():
            forgery = rng.choice(forgers)(events, other, rng)
            check_forgery(forgery, lines(forgery.events), evidence)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_who_signs_a_forgery_anew_is_no_one_to_trust(ruleset: str) -> None:
    events, other = log_of(ruleset, "observed", 1), log_of(ruleset, "observed", 2)
    forgery = list(forgeries(events, other, random.Random(ruleset)))[-1]
    checked = check(export(forgery.events, proof=sign_head(forgery.events, OTHER)), TRUST, lambda *_: None)

    assert not checked.is_sound
    assert f"signed by {OTHER.public.id}, which is not one of the given keys" in checked.account


@pytest.mark.parametrize("ruleset", RULESETS)
def test_what_is_not_chained_anew_is_found_without_a_signature(ruleset: str) -> None:
    events, other = log_of(ruleset, "observed", 1), log_of(ruleset, "observed", 2)
    for forgery in forgeries(events, other, random.Random(ruleset)):
        is_loose = forgery.name.endswith((f", {as_they_are.__name__}", f", {hash_events.__name__}"))
        if is_loose and forgery.events and not forgery.name.startswith("truncated"):
            if forgery.events == events[: len(forgery.events)]:
                continue
            checked = check(lines(forgery.events), Evidence(), lambda *_: None)
            assert not checked.is_sound, forgery.name
