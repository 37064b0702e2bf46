"""The rules in the page: their prediction after each tap equals the service's answer."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from api.pages import offline
from engine.core.errors import EngineError
from engine.core.language import speaking
from service.ahead import Ahead
from service.languages import catalogue
from tests.api.table import Table
from tests.api.test_examples import SCORESHEETS

WITH = {"include": "actions,story,board", "layout": "board", "changes": "previous"}
ANSWERED = ("version", "turn", "phase", "awaiting", "outcome", "actions", "board")
MOST = 60
"""The number of events to compare in each game."""


def log_of(table: Table, after: int = 0) -> str:
    return json.dumps(table.get("/events", after=after, limit=1000).json["events"])


def send_tap(ahead: Ahead, body: Any, after: int, at: str = "2026-11-14T19:00:00Z") -> dict[str, Any]:
    bodies = body if isinstance(body, list) else [body]
    tap = {"bodies": bodies, "at": at, "after": after, "layout": "board"}
    answer: dict[str, Any] = json.loads(ahead.append(json.dumps(tap)))
    return answer


@pytest.mark.long
@pytest.mark.parametrize("scoresheet", SCORESHEETS, ids=lambda path: path.stem)
def test_a_page_expects_what_the_service_answers(table: Table, scoresheet: Path) -> None:
    opening, *lines = map(json.loads, scoresheet.read_text().splitlines())
    table.game = table.client.post("/v1/games", json=opening).headers["Location"]
    table.post(lines.pop(0))
    ahead = Ahead(log_of(table))
    for body in lines[:MOST]:
        for one in body if isinstance(body, list) else [body]:
            one.pop("occurred_at", None)
        after = ahead.version
        answer = table.post(body, after=after, **WITH).json
        expected = send_tap(ahead, body, after, answer["events"][0]["recorded_at"])
        assert {name: expected[name] for name in ANSWERED} == {name: answer[name] for name in ANSWERED}
        assert expected["story"] == answer["story"]


def test_corrections_are_expected_too(table: Table) -> None:
    table.open("observed")
    table.set_up()
    ahead = Ahead(log_of(table))
    moves = [one for one in table.actions() if one["type"] == "move"]
    bodies = [
        {"type": "move", "actor": moves[0]["actor"], "params": moves[0]["params"]},
        {"type": "annotate", "params": {"text": "Tea is ready."}},
        {"type": "undo", "params": {"to": 2}},
        {"type": "move", "actor": moves[1]["actor"], "params": moves[1]["params"]},
        {"type": "amend", "params": {"seq": 6, "event": {"type": "move", **_to(moves[0])}}},
        {"type": "amend", "params": {"seq": 6, "remove": True}},
    ]
    for body in bodies:
        answer = table.post(body, after=0, **WITH).json
        expected = send_tap(ahead, body, 0)
        for line in (*expected["story"]["story"], *answer["story"]["story"]):
            del line["recorded_at"]
        assert {name: expected[name] for name in (*ANSWERED, "story")} == {
            name: answer[name] for name in (*ANSWERED, "story")
        }


def _to(move: dict[str, Any]) -> dict[str, Any]:
    return {"actor": move["actor"], "params": move["params"]}


def test_what_the_service_must_decide_is_not_expected(table: Table) -> None:
    table.open("seeded")
    ahead = Ahead(log_of(table))
    move = table.body("move")
    with pytest.raises(EngineError):
        send_tap(ahead, {**move, "params": {"to": "gold_gate"}, "actor": "p2"}, 2)
    with pytest.raises(EngineError):
        send_tap(ahead, table.body("draw_treasure_card"), 2)
    assert send_tap(ahead, move, 2)["version"] == 3


def test_each_missing_die_is_asked_for(table: Table) -> None:
    seats = [{"name": "Ann"}, {"name": "Bob"}]
    opening = {"ruleset": "any-game", "seats": seats, "chance": "observed", "options": {"box": "five-dice"}}
    table.game = table.client.post("/v1/games", json=opening).headers["Location"]
    table.post({"type": "set_up"})
    ahead = Ahead(log_of(table))
    roll = {**next(one for one in table.actions() if one["type"] == "roll"), "outcomes": [6]}
    body = {name: roll[name] for name in ("type", "actor", "params", "outcomes")}
    assert send_tap(ahead, body, 2) == {"chance": table.post(body).json["chance"]}
    assert send_tap(ahead, {**body, "outcomes": [6, 2, 3, 6, 1]}, 2)["version"] == 3


def test_it_follows_the_log_and_speaks_the_language_of_the_page(table: Table) -> None:
    table.open()
    ahead = Ahead(log_of(table))
    table.act("move")
    ahead.follow(log_of(table, 2))
    move = table.body("move")
    with speaking(catalogue("de")):
        expected = send_tap(ahead, move, 3)
    assert expected["version"] == 4
    assert " zieht nach " in expected["story"]["story"][0]["sentence"]


ALONE = """
import sys
sys.path[:0] = sys.argv[1:]
from service.ahead import Ahead, begin
begin("de", sys.argv[1])
ahead = Ahead(sys.stdin.readline())
print(ahead.append(sys.stdin.readline()))
"""


def test_the_archive_holds_all_that_the_rules_import(table: Table, tmp_path: Path) -> None:
    """A browser has only the archive, msgspec and the standard library."""
    zipfile.ZipFile(io.BytesIO(offline.rules())).extractall(tmp_path / "rules")
    (tmp_path / "libraries").mkdir()
    (tmp_path / "libraries/msgspec").symlink_to(Path(str(msgspec.__file__)).parent)
    table.open()
    tap = {"bodies": [table.body("move")], "at": "2026-11-14T19:00:00Z", "after": 2, "layout": "board"}
    command = [sys.executable, "-I", "-S", "-c", ALONE, str(tmp_path / "rules"), str(tmp_path / "libraries")]
    told = "\n".join([log_of(table), json.dumps(tap)])
    done = subprocess.run(command, input=told, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert " zieht nach " in json.loads(done.stdout)["story"]["story"][0]["sentence"]


def test_the_record_page_names_the_files_if_they_are_installed(table: Table) -> None:
    table.open()
    page = table.client.get(f"{table.game.removeprefix('/v1')}/record").text
    named = re.search(r'data-runtime="([^"]+)"', page)
    assert (named is not None) == (offline.RUNTIME / ".made").exists()
    for address in named[1].split() if named else ():
        answer = table.client.get(address, headers={"Accept-Encoding": "gzip"})
        assert (answer.status_code, answer.headers["Cache-Control"].endswith("immutable")) == (200, True)
        assert table.client.get(address.replace("/runtime/", "/runtime/0")).status_code == 404
