"""A seat's knowledge in the past: `until` answers as the service did then, without anything later."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exports import FORMATS
from store import Store
from tests.api.table import Table, problem
from tests.api.test_secrets import BEFORE, BODIES, MASKED, SCORESHEET, THROW

PATHS = (
    "",
    "/events?limit=1000",
    "/state",
    "/facts",
    "/actions",
    "/unknowns",
    "/turns",
    "/story?limit=1000",
    "/notes",
    "/board.svg",
    *(f"/export?format={name}" for name, kind in FORMATS.items() if not kind.is_whole),
)
WHOLE = [name for name, kind in FORMATS.items() if kind.is_whole and name != "gif"]
"""Formats whose files are complete before they are sent. The animation would take too long."""
VIEWERS = ("public", THROW["actor"], BODIES[len(BEFORE) + 1]["actor"])
"""The public, the seat that throws, and the seat that guesses."""
THROWN = len(BEFORE) + 2
"""The `seq` of the throw. `bodies` has all events before it except the first."""
LATER = [
    {"type": "annotate", "params": {"text": "A nervous fist."}},
    *BODIES[len(BEFORE) + 1 : len(BEFORE) + 4],
    {"type": "undo", "params": {"to": THROWN}},
    {"type": "abandon", "params": {"reason": "The tide."}},
]

Work = Callable[[], None]
Answer = tuple[int, str | None, str | None, bytes]
Moments = dict[int, dict[tuple[str, str], Answer]]


def read_stable(table: Table, path: str, **query: Any) -> Answer:
    """Return the response without the time at which the head was signed."""
    address = f"{table.game}{path}"
    extra = "&".join(f"{name}={value}" for name, value in query.items())
    answer = table.client.get(f"{address}{'&' if '?' in address else '?'}{extra}")
    data = re.sub(rb'"proof":.*', b"", answer.data) if path.endswith("=json") else answer.data
    return answer.status_code, answer.headers.get("ETag"), answer.headers.get("Driftlog-Head"), data


def make_file(table: Table, work: Work, store: Store, **query: Any) -> bytes:
    """Return a file that is made by the request or by a worker, without using a cached one."""
    store.files.forget(table.game.rsplit("/", 1)[1])
    if table.get("/export", **query).status_code == 202:
        work()
    answer = table.get("/export", **query)
    assert answer.status_code == 200, answer.text
    # A PDF contains its date and its own id.
    return re.sub(rb"/(Creation|Mod)Date \([^)]*\)|/ID \n\[<\w+><\w+>\]", b"", answer.data)


def play(table: Table) -> Iterator[int]:
    """Play on from the event before the throw; return the version after each event."""
    table.game = table.client.post("/v1/games", json=json.loads(SCORESHEET[0])).headers["Location"]
    for bodies in (BEFORE, THROW, *LATER):
        answer = table.post(bodies)
        assert answer.status_code == 201, answer.text
        yield answer.json["version"]


@pytest.fixture
def moments(table: Table) -> list[int]:
    """The versions of a finished game."""
    return list(play(table))


@pytest.mark.long
@pytest.mark.no_cover
def test_until__answers_as_it_did_then(table: Table) -> None:
    then: Moments = {}
    for version in play(table):
        then[version] = {
            (path, viewer): read_stable(table, path, viewer=viewer) for path in PATHS for viewer in VIEWERS
        }

    @settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(sorted(then)), st.sampled_from(PATHS), st.sampled_from(VIEWERS))
    def same(until: int, path: str, viewer: str) -> None:
        assert read_stable(table, path, viewer=viewer, until=until) == then[until][path, viewer]

    assert table.get().json["status"] == "abandoned"
    same()


@pytest.mark.long
@pytest.mark.parametrize("name", WHOLE)
def test_until__a_file_that_is_made_whole_is_as_it_was_then(table: Table, work: Work, store: Store, name: str) -> None:
    then = b""
    for version in play(table):
        if version == THROWN:
            then = make_file(table, work, store, format=name)
    assert then
    assert make_file(table, work, store, format=name, until=THROWN) == then


def test_until__a_fist_stays_closed_for_all_but_its_owner(table: Table, moments: list[int]) -> None:
    for viewer in VIEWERS:
        params = {
            until: table.get(f"/events/{THROWN}", viewer=viewer, until=until).json["params"]
            for until in moments
            if until >= THROWN
        }
        opened = {until for until, shown in params.items() if shown["spears"] != MASKED}
        first = THROWN if viewer == THROW["actor"] else THROWN + 2
        assert opened == {until for until in params if until >= first}
    masked, shown = (table.get(f"/events/{THROWN}", until=until) for until in (THROWN, THROWN + 2))
    assert masked.headers["ETag"] != shown.headers["ETag"]


def test_until__the_stream_ends_there(table: Table, moments: list[int]) -> None:
    for until in moments:
        for viewer in ("public", THROW["actor"]):
            query = {"viewer": viewer, "until": until}
            sent = table.get("/stream", **query).data.decode().split("\n\n")
            events = [json.loads(one.split("data: ", 1)[1]) for one in sent if one.startswith("id:")]
            assert events == table.get("/events", limit=1000, **query).json["events"]
            headers = {"Last-Event-ID": str(until)}
            assert table.client.get(f"{table.game}/stream", query_string=query, headers=headers).status_code == 204


def test_until__what_came_later_is_not_there(table: Table, moments: list[int]) -> None:
    version = moments[-1]
    for path in (*PATHS, "/stream"):
        problem(table.get(path.split("?", 1)[0], until=version + 1), 404, "not-found")
        problem(table.get(path.split("?", 1)[0], until=0), 400, "malformed")
    problem(table.get(f"/events/{THROWN}", until=THROWN - 1), 404, "not-found")
    problem(table.get("/state", at=THROWN, until=THROWN - 1), 404, "not-found")
    problem(table.get("/state", turn=99, until=THROWN), 404, "not-found")
    assert table.get("/state", at=THROWN, until=version).json["version"] == THROWN


def test_viewer__what_may_be_done_tells_nothing_of_what_is_hidden(table: Table) -> None:
    """The contents of the fist do not change other players' actions."""
    answers = []
    opening = json.loads(SCORESHEET[0])
    opening["options"] = {**opening.get("options", {}), "raid_min_throw": 0}
    for spears in (0, 1):
        table.client.post("/v1/games", json=opening)
        table.game = table.client.get("/v1/games").json["games"][0]["link"]
        table.post(BEFORE)
        assert table.post({**THROW, "params": {"spears": spears}}).status_code == 201
        answers.append({viewer: table.get("/actions", viewer=viewer).json for viewer in VIEWERS})
    assert answers[0] == answers[1]
    problem(table.get("/actions", viewer="p8"), 400, "malformed")


def test_every_read_of_a_game_in_which_something_was_not_seen(table: Table) -> None:
    table.open("observed")
    table.set_up()
    assert table.post({**table.body("draw_treasure_card"), "outcomes": [None]}).status_code == 201
    for viewer in ("public", "p1"):
        for path in PATHS:
            assert read_stable(table, path, viewer=viewer)[0] == (422 if path.endswith("bgstats") else 200), path
    assert len(table.client.get("/v1/games").json["games"]) == 1
