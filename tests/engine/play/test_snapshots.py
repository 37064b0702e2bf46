"""Snapshots: a folded game as a document and back, equal."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from engine.core.errors import Malformed, UnknownRuleset
from engine.play.fold import fold
from engine.play.snapshots import FORMAT, dump, load
from tests.engine.recording import ended, played
from tests.playouts import playout
from tests.recording import Recording


@pytest.mark.parametrize("ruleset", ["forbidden-island", "forbidden-island-archaens"])
@pytest.mark.parametrize("events", [2, 10, None])
def test_round_trip(ruleset: str, events: int | None) -> None:
    game = fold(playout(ruleset, 11, 4)[:events])
    assert load(dump(game)) == game


@pytest.mark.parametrize("recording", [Recording(), played(), ended()], ids=["setup", "played", "abandoned"])
def test_round_trip__at_every_status(recording: Recording) -> None:
    assert load(dump(recording.game)) == recording.game


def test_equal_games_have_equal_snapshots() -> None:
    log = playout(seed=11)
    assert dump(fold(log)) == dump(load(dump(fold(log))))


def changed_snapshot(**changes: Any) -> bytes:
    return msgspec.json.encode({**json.loads(dump(played().game)), **changes})


def test_load__another_format() -> None:
    with pytest.raises(Malformed) as error:
        load(changed_snapshot(format=FORMAT + 1))
    assert error.value.pointer == "/format"


def test_load__an_unknown_ruleset() -> None:
    header = json.loads(dump(played().game))["header"]
    with pytest.raises(UnknownRuleset):
        load(changed_snapshot(header={**header, "ruleset_version": "0"}))


@pytest.mark.parametrize("changes", [{"version": "5"}, {"state": {"turn": 1}}, {"state": 3}, {"header": None}])
def test_load__a_document_of_another_shape(changes: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        load(changed_snapshot(**changes))


@pytest.mark.parametrize("document", [b"", b"{", b"[]", b"\xff", b"null"])
def test_load__no_document_at_all(document: bytes) -> None:
    with pytest.raises(Malformed):
        load(document)
