"""Characters allowed in names, tags and notes, and the display of logs with others."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pypdf
import pytest
from rich.markup import escape
from rich.table import Table as Rows

from cli.terminal import Negative, err, out
from engine.core.errors import Malformed
from engine.core.events import Draft, Event
from engine.core.text import visible
from engine.kit.chance import Observed
from engine.play.fold import fold, history
from engine.play.record import record
from schemas.drafts import MOST_AT_ONCE, parse_drafts
from tests.api.table import Table, problem
from tests.engine.recording import DEAL
from tests.exports.logs import Record, export, opened_log
from tests.playouts import clock

STEERING = ["\0", "\x1b[2J", "\x07", "\x7f", "\x9b31m", "\u2028", "\u2029", "\u202e", "\u2066", "\u2069"]
UNSEEN = ["\u200b", "\ufeff", "\u00ad", "\u2060", "\u2064", "\u3164", "\u115f", "\u1160", "\ufff9", "\ufffb"]
UNSEEN += ["\U000e0000", "\U000e0041", "\U000e007f", "\U0001f3f4\U000e0067\U000e0062", "\U0001f3f4\U000e007f"]
SCOTLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
MARKS = ["\u061c", "\u200e", "\u200f"]
NAMES = ["名前", "שרה", "محمد", "A\u0301nn", "👩‍👩‍👧", "🏴‍☠️", "क्\u200dष", "O'Neil – “Zoë” <b>", f"Mo {SCOTLAND}", "❤️"]
NAME = "Eve\0\x1b[2J\x9b31m\u202e\u2028"
"""As in a log that was recorded elsewhere."""


@pytest.mark.parametrize("text", [*STEERING, *MARKS, "\n", "\t", "\r"])
@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        (lambda text: {"seats": [{"name": "Ann"}, {"name": f"B{text}b"}]}, "/seats/1/name"),
        (lambda text: {"tags": ["club", f"ni{text}ght"]}, "/tags/1"),
        (lambda text: {"seed": f"s{text}s"}, "/seed"),
        (lambda text: {"options": {"difficulty": f"n{text}n"}}, "/options/difficulty"),
    ],
)
def test_a_name_that_would_steer_is_refused(table: Table, text: str, change: Any, pointer: str) -> None:
    body = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "seeded"}
    refused = problem(table.client.post("/v1/games", json=body | change(text)), 422, "invalid")
    assert [error["pointer"] for error in refused["errors"]] == [pointer]


@pytest.mark.parametrize("text", UNSEEN)
@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        (lambda text: {"seats": [{"name": "Ann"}, {"name": f"Ann{text}"}]}, "/seats/1/name"),
        (lambda text: {"tags": ["club", f"cl{text}ub"]}, "/tags/1"),
        (lambda text: {"seed": f"s{text}s"}, "/seed"),
    ],
)
def test_a_name_that_looks_like_another_is_refused(table: Table, text: str, change: Any, pointer: str) -> None:
    body = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "seeded"}
    refused = problem(table.client.post("/v1/games", json=body | change(text)), 422, "invalid")
    assert [error["pointer"] for error in refused["errors"]] == [pointer]


def test_names_of_all_scripts_are_taken(table: Table) -> None:
    for name, tag in zip(NAMES, reversed(NAMES), strict=True):
        game = table.open(seats=[{"name": name}, {"name": "Bob"}], tags=[tag], seed=name)
        assert (game["seats"][0]["name"], game["tags"]) == (name, [tag])


def amending(event: dict[str, Any]) -> dict[str, Any]:
    return {"type": "amend", "params": {"seq": 3, "event": event}}


@pytest.mark.parametrize("text", STEERING)
@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        (lambda text: {"type": "annotate", "params": {"text": text}}, "/params/text"),
        (lambda text: {"type": "annotate", "params": {"bookmark": text}}, "/params/bookmark"),
        (lambda text: {"type": "abandon", "params": {"reason": text}}, "/params/reason"),
        (lambda text: {"type": "abandon", "params": {"reason": "r"}, "note": text}, "/note"),
        (lambda text: [{"type": "undo", "params": {"to": 2}}, {"type": "undo", "note": text}], "/1/note"),
        (lambda text: amending({"type": "annotate", "params": {"text": text}}), "/params/event/params/text"),
        (lambda text: amending({"type": "undo", "note": text}), "/params/event/note"),
        (
            lambda text: {"type": "adjust", "params": {"patch": [{"op": "add", "path": "/a/-", "value": ["", text]}]}},
            "/params/patch/0/value/1",
        ),
    ],
)
def test_a_text_that_would_steer_is_refused(table: Table, text: str, body: Any, pointer: str) -> None:
    table.open()
    refused = problem(table.post(body(f"a{text}b")), 422, "invalid")
    assert [error["pointer"] for error in refused["errors"]] == [pointer]
    assert table.get().json["version"] == 2


def test_what_is_said_may_have_lines_and_a_bookmark_has_none(table: Table) -> None:
    table.open()
    text = "one\ntwo\r\n\tthree \u200f שרה 👩‍👩‍👧"
    said = table.post({"type": "annotate", "params": {"text": text}, "note": text}).json["events"][0]
    assert (said["params"]["text"], said["note"]) == (text, text)
    for bookmark in ("a\nb", "a\tb"):
        problem(table.post({"type": "annotate", "params": {"bookmark": bookmark}}), 422, "invalid")
    problem(table.post({"type": "annotate", "params": {"text": "over\rwritten"}}), 422, "invalid")


def test_raw_and_escaped_are_the_same() -> None:
    for text in ("\x7f", "\u202e", "\\u001b", "\\b", "\\u202E"):
        with pytest.raises(Malformed):
            parse_drafts(f'{{"type":"annotate","params":{{"text":"{text}"}}}}'.encode())
    plain = b'{"type":"annotate","params":{"text":"a \\"quote\\""}}'
    assert parse_drafts(plain) == [Draft(type="annotate", params={"text": 'a "quote"'})]
    assert len(parse_drafts(b"[" + b",".join([plain] * MOST_AT_ONCE) + b"]")) == MOST_AT_ONCE


def log() -> list[Event]:
    """A game that was recorded elsewhere, with texts that this service rejects."""
    first = opened_log(NAME, "=1+1")
    _, dealt = record(
        fold(first), [Draft(type="set_up", outcomes=DEAL)], Observed(), history(first), recorded_at=clock(2)
    )
    return Record(first + dealt).add("abandon", reason=f"gone {NAME}", note=f"said {NAME}\nand =2").events


@pytest.fixture
def imported(table: Table) -> str:
    answer = table.client.post("/v1/imports", data=export("ndjson", log()), content_type="application/x-ndjson")
    assert answer.status_code == 201, answer.text
    return str(answer.json["id"])


def test_a_log_that_steers_comes_in_and_goes_out_to_the_byte(table: Table, imported: str) -> None:
    assert table.client.get(f"/v1/games/{imported}/export?format=ndjson").data == export("ndjson", log())


def assert_unsteered(text: str) -> None:
    assert text == visible(text)


@pytest.mark.parametrize("name", ["csv", "markdown", "sheet"])
def test_a_log_that_steers_is_shown_safely_as_a_file(name: str) -> None:
    text = export(name, log()).decode()
    assert_unsteered(text)
    assert "Eve" in text


def test_a_spreadsheet_counts_nothing() -> None:
    for row in csv.reader(io.StringIO(export("csv", log()).decode())):
        for cell in row:
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠"))


@pytest.mark.parametrize("page", ["", "/record", "/print", "/audit", "/watch"])
def test_a_log_that_steers_is_shown_safely_on_pages(table: Table, imported: str, page: str) -> None:
    answer = table.client.get(f"/games/{imported}{page}", follow_redirects=True)
    assert answer.status_code == 200
    assert_unsteered(answer.text)
    assert "Eve" in answer.text


def test_what_a_page_tells_its_scripts_is_exact(table: Table, imported: str) -> None:
    names = re.search(r' data-names="([^"]*)"', table.client.get(f"/games/{imported}").text)
    assert names is not None
    assert json.loads(html.unescape(names[1]))[0] == NAME


def test_a_log_that_steers_is_printed_safely(table: Table, imported: str, work: Callable[[], None]) -> None:
    assert table.client.get(f"/games/{imported}/print.pdf").status_code == 202
    work()
    printed = pypdf.PdfReader(io.BytesIO(table.client.get(f"/games/{imported}/print.pdf").data))
    text = "".join(page.extract_text() for page in printed.pages)
    assert "Eve" in text
    assert_unsteered(text)
    assert_unsteered(str(printed.metadata))


def test_a_terminal_is_not_steered(capsys: pytest.CaptureFixture[str]) -> None:
    table = Rows(NAME)
    table.add_row(escape(NAME))
    out().print(f"[bold]{escape(NAME)}[/]", table)
    err().print(escape(NAME))
    Negative(NAME).show()
    told = capsys.readouterr()
    for text in told:
        assert "Eve" in text
        assert_unsteered(text)
