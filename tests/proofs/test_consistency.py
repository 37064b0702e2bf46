"""A proof of consistency succeeds only if the record of the older head is a beginning of the record."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from engine.core.events import Event
from proofs import consistency
from proofs.consistency import Consistency, RecordPoint
from proofs.errors import BadProof, BadSignature, UnknownKey
from tests.playouts import playout
from tests.proofs.forging import forgeries
from tests.proofs.signing import GAME, KEY, OTHER, head, sign_head
from tests.recording import chained, forged

EVENTS = playout(limit=20)


def proof(begun: int = 8, events: list[Event] = EVENTS) -> Consistency:
    return Consistency(
        game=GAME,
        from_=RecordPoint(begun, events[begun - 1].hash),
        events=events[begun:],
        proof=sign_head(events),
    )


@pytest.mark.parametrize("begun", [1, 8, 19, 20])
def test_an_older_head_is_a_beginning(begun: int) -> None:
    read = consistency.read(msgspec.json.encode(proof(begun)))

    assert consistency.check(read, [KEY.public], head(EVENTS[:begun])).head == head(EVENTS)
    assert consistency.check(read).key == KEY.public


def test_a_record_that_was_rewritten_is_found_by_whoever_kept_a_head() -> None:
    changed = msgspec.structs.replace(EVENTS[4], note="it was not so")
    rewritten = chained([*EVENTS[:4], changed, *EVENTS[5:]])

    with pytest.raises(BadProof, match="event 5 differs from the event that was signed before"):
        consistency.check(proof(8, rewritten), [KEY.public], head(EVENTS[:8]))
    with pytest.raises(BadProof, match="event 7 was removed: the older head has 8 events"):
        consistency.check(proof(2, EVENTS[:6]), [KEY.public], head(EVENTS[:8]))


def test_forged_events_do_not_lead_to_the_head() -> None:
    found = 0
    for forgery in forgeries(EVENTS, playout(seed=1), random.Random(1)):
        if forgery.found.seq > 8 and len(forgery.events) > 8:
            with pytest.raises(BadProof, match=f"do not lead .* event {forgery.found.seq} was "):
                consistency.check(msgspec.structs.replace(proof(), events=forgery.events[8:]))
            found += 1
    assert found > 10


def test_a_service_that_signs_what_does_not_follow_is_found() -> None:
    loose = [*EVENTS[:12], *(forged(event, prev="f" * 64) for event in EVENTS[12:13]), *EVENTS[13:]]

    with pytest.raises(BadProof, match=r"do not lead .* event 13 was changed"):
        consistency.check(proof(8, loose))


@pytest.mark.parametrize(
    ("changes", "older", "complaint"),
    [
        ({"game": "another"}, None, f"belongs to game {GAME}, but the proof belongs to game another"),
        ({"from_": RecordPoint(21, EVENTS[7].hash)}, None, "had 21 events, but the signed record has only 20"),
        ({"from_": RecordPoint(8, EVENTS[8].hash)}, None, "event 8 of the signed record is different"),
        ({"from_": RecordPoint(7, EVENTS[6].hash)}, None, "do not lead"),
        ({}, head(EVENTS[:7]), "begins after event 8, but the older head ends with event 7"),
        ({}, head(EVENTS[:8], "another"), "the older head belongs to game another"),
    ],
)
def test_what_does_not_belong_together(changes: dict[str, Any], older: Any, complaint: str) -> None:
    with pytest.raises(BadProof, match=complaint):
        consistency.check(msgspec.structs.replace(proof(), **changes), [KEY.public], older)


def test_the_signature_has_to_be_of_a_trusted_key() -> None:
    with pytest.raises(UnknownKey):
        consistency.check(proof(), [OTHER.public])
    with pytest.raises(BadSignature):
        consistency.check(msgspec.structs.replace(proof(), proof=_resign()), [KEY.public])


def _resign() -> Any:
    """The head with the signature of another head."""
    signature = sign_head(EVENTS[:8]).signatures
    return msgspec.structs.replace(sign_head(EVENTS), signatures=signature)


@pytest.mark.parametrize("data", [b"", b"[]", b'{"format": "driftlog-consistency"}', b"\xff", b"[" * 100_000])
def test_what_is_no_consistency_proof(data: bytes) -> None:
    with pytest.raises(BadProof, match="not a consistency proof"):
        consistency.read(data)
    assert consistency.is_one(data) == data.startswith(b'{"format"')


def test_a_ruleset_that_is_not_known_here_hides_nothing() -> None:
    assert consistency.masked_events("a-game-of-tomorrow", "1", EVENTS) == set()
