"""cloudevents: valid according to the format's SDK."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

import pytest
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent

from tests.exports.logs import GAME, LOGS, export_log

KINDS = ["opened", "corrected", "annotated", "fork", "forever-island of 2, observed"]
NAME = re.compile(r"[a-z0-9]{1,20}")


def read(document: dict[str, Any]) -> CloudEvent:
    """Return an event as the SDK reads it."""
    event = JSONFormat().read(CloudEvent, json.dumps(document))
    assert isinstance(event, CloudEvent)
    return event


@pytest.mark.parametrize("kind", KINDS)
def test_the_sdk_reads_a_batch(kind: str) -> None:
    log = json.loads(export_log("json", kind))["events"]
    batch = list(map(read, json.loads(export_log("cloudevents", kind))))

    assert [event.get_data() for event in batch] == log
    assert [event.get_id() for event in batch] == [str(event["seq"]) for event in log]
    assert {(event.get_source(), event.get_specversion()) for event in batch} == {(f"/games/{GAME}", "1.0")}
    sequences = [event.get_extension("sequence") for event in batch]
    assert sequences == sorted(sequences)
    for event, one in zip(batch, log, strict=True):
        ruleset, version = log[0]["params"]["ruleset"], log[0]["params"]["ruleset_version"]
        assert event.get_type() == f"org.driftlog.{ruleset}.{one['type']}.v{version}"
        assert event.get_subject() == f"turn/{one['turn']}" + (f"/{one['actor']}" if one["actor"] else "")
        assert event.get_time() == datetime.fromisoformat(one["occurred_at"] or one["recorded_at"])
        assert event.get_extension("recordedtime") == one["recorded_at"]
        assert event.get_datacontenttype() == "application/json"
        assert all(NAME.fullmatch(name) and name != "data" for name in event.get_attributes())


@pytest.mark.parametrize("kind", KINDS)
def test_a_line_is_an_event_of_the_batch(kind: str) -> None:
    lines = export_log("cloudevents_ndjson", kind).splitlines()

    assert list(map(json.loads, lines)) == json.loads(export_log("cloudevents", kind))
    assert len(lines) == len(LOGS[kind]())
