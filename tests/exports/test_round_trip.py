"""A log exported as json or ndjson imports as the same log, with the same head."""

import json
from collections.abc import Iterator

import msgspec
import pytest

from engine.core.errors import Malformed
from engine.core.events import Event
from engine.review.audit import verify
from exports import FORMATS, Log, Rereadable, filename, read_any, read_file
from exports.log import CHUNK, chunks
from schemas.named import EXPORT_FORMAT
from tests.exports.logs import GAME, LOGS, as_read, export
from tests.playouts import long_record, playout

READABLE = [name for name, kind in FORMATS.items() if kind.read is not None]


@pytest.mark.parametrize("kind", LOGS)
@pytest.mark.parametrize("name", READABLE)
def test_comes_back_as_the_same_log(name: str, kind: str) -> None:
    events = LOGS[kind]()
    read = FORMATS[name].read
    assert read is not None
    data = export(name, events)
    assert read(data).whole() == read_any(data) == as_read(events)
    assert verify(read_any(data)).head == events[-1].hash


@pytest.mark.parametrize("seed", range(20))
def test_random_games_come_back(seed: int) -> None:
    events = playout("forbidden-island", seed, 2 + seed % 3)
    for name in READABLE:
        assert verify(read_any(export(name, events))).head == events[-1].hash


def test_json_and_ndjson_are_what_can_be_read_back() -> None:
    assert READABLE == ["json", "ndjson"]


def test_ndjson_is_the_events_as_the_api_gives_them() -> None:
    events = playout(limit=6)
    lines = export("ndjson", events).split(b"\n")
    assert [msgspec.json.decode(line, type=Event) for line in lines[:-1]] == as_read(events)
    assert lines[-1] == b""
    assert list(json.loads(lines[0])) == list(Event.__struct_fields__[:12])
    assert json.loads(lines[0])["type"] == "game_opened"


def test_json_says_at_its_top_what_game_it_is_and_at_its_end_how_far_it_goes() -> None:
    events = playout(limit=6)
    document = json.loads(export("json", events))
    assert list(document) == [
        *("format", "format_version", "game", "ruleset", "ruleset_version", "seats", "options", "events"),
        *("head", "version"),
    ]
    assert (document["format"], document["format_version"], document["game"]) == ("driftlog", 1, GAME)
    assert document["seats"] == [{"name": "Ada"}, {"name": "Bo"}]
    assert (document["version"], document["head"]) == (6, events[-1].hash)
    assert [msgspec.convert(event, Event) for event in document["events"]] == as_read(events)


def test_json_has_an_event_a_line() -> None:
    events = playout(limit=6)
    lines = export("json", events).split(b"\n")
    assert [line.rstrip(b",") for line in lines[1:-2]] == export("ndjson", events).split(b"\n")[:-1]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("sort_keys", [False, True])
def test_json_may_have_been_laid_out_anew(indent: int | None, *, sort_keys: bool) -> None:
    events = playout(limit=6)
    document = json.dumps(json.loads(export("json", events)), indent=indent, sort_keys=sort_keys)
    assert read_any(document.encode()) == as_read(events)


def test_ndjson_may_have_windows_line_ends_and_empty_lines() -> None:
    events = playout(limit=6)
    data = export("ndjson", events)
    assert read_any(data.replace(b"\n", b"\r\n")) == as_read(events)
    assert read_any(b"\n" + data.replace(b"\n", b"\n\n").rstrip()) == as_read(events)


@pytest.mark.parametrize(("name", "passes"), [("json", 1), ("ndjson", 1), ("csv", 2)])
def test_the_first_bytes_come_before_the_log_has_been_read(name: str, passes: int) -> None:
    events = long_record(1000)
    read: list[int] = []

    def reading() -> Iterator[Event]:
        for event in events:
            read.append(event.seq)
            yield event

    stream = FORMATS[name].write(Log(GAME, Rereadable(reading)))
    assert len(next(stream)) >= CHUNK
    assert len(read) < passes * len(events)
    assert all(stream)


def test_an_iterator_is_no_log_for_it_can_be_read_once() -> None:
    with pytest.raises(TypeError, match="more than once"):
        Log(GAME, iter(playout(limit=2)))


@pytest.mark.parametrize("name", ["json", "csv", "markdown"])
@pytest.mark.parametrize("events", [[], playout(limit=3)[1:]], ids=["no events", "no header"])
def test_what_does_not_begin_with_a_header_is_no_log(name: str, events: list[Event]) -> None:
    with pytest.raises(Malformed, match="begin with game_opened"):
        export(name, events)


def test_chunks_are_whole_and_never_empty() -> None:
    assert list(chunks([b"a" * CHUNK])) == [b"a" * CHUNK]
    assert list(chunks([b"a" * CHUNK, b"b", b"c"])) == [b"a" * CHUNK, b"bc"]
    assert list(chunks([])) == []


def test_a_format_is_registered_under_its_name_with_what_its_files_are() -> None:
    assert {name: kind.name for name, kind in FORMATS.items()} == {name: name for name in FORMATS}
    found = {name: (filename(GAME, kind), kind.media_type.split(";")[0]) for name, kind in FORMATS.items()}
    assert found == {
        name: (f"{GAME}.{extension}", media_type)
        for name, extension, media_type in (
            ("json", "json", "application/json"),
            ("ndjson", "ndjson", "application/x-ndjson"),
            ("csv", "csv", "text/csv"),
            ("markdown", "md", "text/markdown"),
            ("html", "html", "text/html"),
            ("pdf", "pdf", "application/pdf"),
            ("sheet", "sheet.md", "text/markdown"),
            ("draws", "draws.json", "application/json"),
            ("cloudevents", "cloudevents.json", "application/cloudevents-batch+json"),
            ("cloudevents_ndjson", "cloudevents.ndjson", "application/x-ndjson"),
            ("bgstats", "bgsplay", "application/vnd.bgstats.play+json"),
            ("svg", "svg", "image/svg+xml"),
            ("png", "png", "image/png"),
            ("gif", "gif", "image/gif"),
            ("sqlite", "sqlite", "application/vnd.sqlite3"),
            ("parquet", "parquet.zip", "application/zip"),
            ("notation", "notation.txt", "text/x-driftlog"),
            ("playthrough", "playthrough.txt", "text/x-openspiel-playthrough"),
        )
    }


def test_the_contract_names_the_formats_that_there_are() -> None:
    assert EXPORT_FORMAT.words == tuple(FORMATS)


@pytest.mark.parametrize("kind", ["set up", "corrected", "unseen", "forbidden-island of 4, seeded"])
def test_ndjson_of_many_games_says_whose_each_line_is_and_comes_back(kind: str) -> None:
    events = LOGS[kind]()
    data = b"".join(FORMATS["ndjson"].write(Log(GAME, events, is_one_of_many=True)))
    for line, event in zip(data.splitlines(), export("ndjson", events).splitlines(), strict=True):
        row = json.loads(line)
        assert (row.pop("game"), row.pop("ruleset")) == (GAME, events[0].params["ruleset"])
        assert row == json.loads(event)
        assert line.endswith(event[1:])
    file = read_file(data)
    assert (file.events, file.game_id, file.flaw) == (as_read(events), GAME, None)
    assert read_any(data) == as_read(events)


def test_ndjson_of_several_games_is_not_read_as_one() -> None:
    one, other = (b"".join(FORMATS["ndjson"].write(Log(id_, playout(limit=4), is_one_of_many=True))) for id_ in "ab")
    with pytest.raises(Malformed, match="line 5: another game begins here") as error:
        read_any(one + other)
    assert error.value.pointer == "/5/game"
    with pytest.raises(Malformed, match="another game"):
        read_any(one + export("ndjson", playout(limit=4)))
    with pytest.raises(Malformed, match="line 1: the ruleset differs from the ruleset of event 1"):
        read_any(one.replace(b'"ruleset":"forbidden-island","seq"', b'"ruleset":"forbidden-desert","seq"'))
    with pytest.raises(Malformed, match="`game` is not known"):
        read_any(one.replace(b'{"game"', b'{ "game"', 1))
