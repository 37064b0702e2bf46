"""Arbitrary bytes are read as a log's events, or are Malformed."""

from __future__ import annotations

import json
import re
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.core.errors import Malformed
from engine.review.audit import audit
from exports import ndjson, read_any
from tests.exports.logs import Record, as_read, export
from tests.playouts import playout

EVENTS = Record(playout(limit=8)).add("annotate", text="n", note="Åse's", by="Bo").events
NDJSON = export("ndjson", EVENTS)
JSON = export("json", EVENTS)
LINES = NDJSON.splitlines(keepends=True)


def malformed_error(data: bytes) -> Malformed:
    with pytest.raises(Malformed) as caught:
        read_any(data)
    return caught.value


def with_line(number: int, line: bytes) -> bytes:
    return b"".join([*LINES[: number - 1], line.rstrip(b"\n") + b"\n", *LINES[number:]])


def with_event(number: int, **changes: Any) -> bytes:
    """Return the file with members of the event in line `number` changed."""
    return with_line(number, json.dumps(json.loads(LINES[number - 1]) | changes).encode())


DEEP = b'{"to":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
A_BIT_DEEP = b'{"to":' + b"[" * 40 + b"]" * 40 + b"}"
LINE = LINES[2]


def with_params(params: bytes) -> bytes:
    return with_line(3, re.sub(rb'"params":.*,"outcomes"', lambda _: b'"params":' + params + b',"outcomes"', LINE))


BAD_LINES: dict[str, tuple[bytes, str, str]] = {
    "not JSON": (with_line(3, b"hello"), "/3", "line 3: JSON is malformed"),
    "bad UTF-8": (with_line(9, LINES[8].replace("Å".encode(), b"\xc5")), "/9", "line 9: .*utf-8"),
    "half a surrogate pair": (with_line(9, LINES[8].replace("Å".encode(), rb"\ud800")), "/9", "line 9: "),
    "a NUL": (with_line(9, LINES[8].replace("Å".encode(), b"\0")), "/9", "line 9: JSON is malformed"),
    "truncated line": (NDJSON[:-40], "/9", "line 9: Input data was truncated"),
    "truncated first line": (NDJSON[:40], "/1", "line 1: Input data was truncated"),
    "two on a line": (with_line(3, LINES[2].rstrip() + LINES[3]), "/3", "line 3: .*trailing"),
    "an array": (with_line(3, b"[1,2]"), "/3", "line 3: must be an object, not a list"),
    "a member too few": (with_line(3, b'{"seq":3}'), "/3", "line 3: `type` is missing"),
    "a member too many": (with_event(3, extra=1), "/3", "line 3: `extra` is not known here"),
    "a wrong type": (with_event(3, seq="3"), "/3/seq", "line 3: must be a whole number, not a text"),
    "a wrong type within": (with_event(3, outcomes=["a", 1.5]), "/3/outcomes/1", "line 3: "),
    "NaN": (with_params(b'{"to":NaN}'), "/3", "line 3: JSON is malformed"),
    "an infinite number": (with_params(b'{"to":1e999}'), "/3/params", "line 3: Number out of range"),
    "a fraction": (with_params(b'{"to":1.5}'), "/3/params/to", "line 3: a number must be whole"),
    "a large number": (with_params(b'{"to":9007199254740992}'), "/3/params/to", "line 3: .*2\\^53"),
    "a negative one": (with_params(b'{"a":[0,-9007199254740992]}'), "/3/params/a/1", "line 3: .*2\\^53"),
    "a huge number": (with_params(b'{"to":' + b"9" * 5000 + b"}"), "/3/params", "line 3: Integer value out of range"),
    "a large outcome": (with_event(3, outcomes=[2**60]), "/3/outcomes/0", "line 3: .*2\\^53"),
    "a name with a slash": (with_params(b'{"a/b~c":1.5}'), "/3/params/a~1b~0c", "line 3: "),
    "deep": (with_params(DEEP), "/3", "line 3: the JSON is nested too deeply"),
    "rather deep": (with_params(A_BIT_DEEP), "/3/params/to" + "/0" * 31, "line 3: nested too deeply: at most 32 "),
    "a name twice": (with_params(b'{"to":"a","to":"b"}'), "/3", "line 3: the name 'to' appears twice"),
    "a member twice": (with_line(3, LINE.replace(b'"seq":3', b'"seq":3,"seq":3')), "/3", "line 3: the name 'seq'"),
    "no time": (with_event(3, recorded_at="yesterday"), "/3/recorded_at", "line 3: must be an RFC 3339 time in UTC"),
    "no such time": (
        with_event(3, recorded_at="2026-02-30T10:00:00Z"),
        "/3/recorded_at",
        "line 3: must be an RFC 3339 time in UTC",
    ),
    "a local time": (
        with_event(3, occurred_at="2026-02-20T10:00:00+01:00"),
        "/3/occurred_at",
        "line 3: must be an RFC 3339 time in UTC",
    ),
    "digits of another script": (
        with_event(3, occurred_at="٢026-02-20T10:00:00Z"),
        "/3/occurred_at",
        "an RFC 3339 time in UTC",
    ),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_line_that_is_no_event(name: str) -> None:
    data, pointer, message = BAD_LINES[name]
    error = malformed_error(data)
    assert error.pointer == pointer
    assert re.search(message, error.message)


def document(**changes: Any) -> bytes:
    return json.dumps(json.loads(JSON) | changes).encode()


def without(name: str) -> bytes:
    return json.dumps({key: value for key, value in json.loads(JSON).items() if key != name}).encode()


def with_events(change: Callable[[list[dict[str, Any]]], object]) -> bytes:
    events = json.loads(JSON)["events"]
    change(events)
    return document(events=events)


BAD_FILES: dict[str, tuple[bytes, str, str]] = {
    "empty": (b"", "", "the file is empty"),
    "blank": (b" \r\n\t\n", "", "the file is empty"),
    "byte order mark": (b"\xef\xbb\xbf" + JSON, "", "a byte order mark"),
    "byte order mark before lines": (b"\xef\xbb\xbf" + NDJSON, "", "a byte order mark"),
    "UTF-16": (JSON.decode().encode("utf-16"), "", "this is not JSON"),
    "NULs": (b"\0" * 100, "", "this is not JSON"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "", "this is not JSON"),
    "CSV": (export("csv", EVENTS), "", "this is not JSON: only json and ndjson can be imported"),
    "Markdown": (export("markdown", EVENTS), "", "only json and ndjson can be imported"),
    "a number": (b"42", "", "must be an object, not a whole number"),
    "a list": (b"[]", "", "must be an object, not a list"),
    "an object": (b"{}", "/1", "line 1: `seq` is missing"),
    "deep": (b"[" * 100_000, "", ""),
    "deep in an object": (b'{"format":' * 100_000, "/format", "must be a text, not an object"),
    "deep in a document": (
        document(options=1).replace(b'"options": 1', b'"options": ' + DEEP),
        "",
        "the JSON is nested too deeply",
    ),
    "truncated": (JSON[:-30], "", "JSON is malformed|truncated"),
    "cut in the events": (JSON[: len(JSON) // 2], "", "truncated"),
    "followed by another": (JSON + JSON, "", "trailing characters"),
    "another format": (document(format="other"), "/format", "'other' is not 'driftlog'"),
    "a later version": (document(format_version=2), "/format_version", "2 is not 1"),
    "a member too many": (document(extra=1), "", "`extra` is not known here"),
    "a member too few": (without("head"), "", "`head` is missing"),
    "no events": (document(events=[]), "/events", "no event"),
    "events that are none": (document(events=[1]), "/events/0", "must be an object, not a whole number"),
    "a bad event": (
        with_events(lambda events: events[2].update(seq="x")),
        "/events/2/seq",
        "must be a whole number",
    ),
    "a lost event": (with_events(lambda events: events.pop(4)), "/version", "version 9, but the log has 8 events"),
    "a lost last event": (document(events=json.loads(JSON)["events"][:-1], version=8), "/head", "must be the hash"),
    "another head": (document(head="0" * 64), "/head", "must be the hash"),
    "another count": (document(version=2**70), "/version", "9"),
    "another ruleset": (document(ruleset="chess"), "/ruleset", "differs from event 1"),
    "another table": (document(seats=[{"name": "Eve"}]), "/seats", "differs from event 1"),
    "other options": (document(options={}), "/options", "differs from event 1"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_is_no_log(name: str) -> None:
    data, pointer, message = BAD_FILES[name]
    error = malformed_error(data)
    assert error.pointer == pointer
    assert re.search(message, error.message)


def test_a_file_without_a_line() -> None:
    with pytest.raises(Malformed, match="no event"):
        ndjson.read(b"\n\n")


def test_whether_events_follow_from_each_other_is_the_audits_to_say() -> None:
    twice = read_any(b"".join([*LINES[:4], *LINES[3:]]))
    lost = read_any(b"".join([*LINES[:3], *LINES[4:]]))
    assert [audit(events).findings[0].kind for events in (twice, lost)] == ["sequence", "sequence"]


def judge_data(data: bytes) -> None:
    """Read `data`, and audit it if it can be read."""
    try:
        events = read_any(data)
    except Malformed:
        return
    assert audit(events).events == len(events)


@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    judge_data(data)


@given(st.text())
def test_any_text(text: str) -> None:
    judge_data(text.encode("utf-8", "surrogatepass"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def cut_and_pasted(draw: st.DrawFn) -> bytes:
    """A real export with parts removed, inserted elsewhere, or overwritten."""
    data = bytearray(draw(st.sampled_from([JSON, NDJSON])))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(len(data), start + 200)))
        new = draw(st.binary(max_size=8) | st.sampled_from([bytes(data[start:end]) * 2, b"", b"1e5", b'"', b"\\u0000"]))
        data[start:end] = new
    return bytes(data)


@given(cut_and_pasted())
@settings(max_examples=300)
def test_mutated_exports(data: bytes) -> None:
    judge_data(data)


@st.composite
def with_other_values(draw: st.DrawFn) -> bytes:
    """A real export with a member that has another value or name."""
    whole = json.loads(JSON)
    events = [dict(event) for event in whole["events"]]
    place: Any = draw(st.sampled_from([whole, *events]))
    name = draw(st.sampled_from(sorted(place)) | st.text())
    if isinstance(place.get(name), dict) and draw(st.booleans()):
        place, name = place[name], draw(st.sampled_from(sorted(place[name]) or [""]) | st.text())
    place[name] = draw(json_values)
    if draw(st.booleans()):
        return "\n".join(map(json.dumps, events)).encode()
    return json.dumps({"events": events} | whole if place is whole else whole | {"events": events}).encode()


@given(with_other_values())
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_exports_with_other_values(data: bytes) -> None:
    judge_data(data)


def test_the_exports_that_are_mutated_are_sound() -> None:
    assert read_any(JSON) == read_any(NDJSON) == as_read(EVENTS)
    assert audit(EVENTS).verdict == "clean"


def test_empty_lines_take_no_memory() -> None:
    data = NDJSON + b"\n" * 500_000
    tracemalloc.start()
    try:
        assert read_any(data) == as_read(EVENTS)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * len(data)
