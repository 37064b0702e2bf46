"""Reads of a game whose hidden hands are counted instead of listed."""

from __future__ import annotations

import pytest

from tests.api.table import Table
from tests.driftlog.test_unseen_evening import SEED, evening

READS = (
    "",
    "/state",
    "/actions",
    "/facts",
    "/board.svg",
    "/events",
    "/turns",
    "/story",
    "/export?format=ndjson",
    "/export?format=csv",
    "/export?format=markdown",
)


@pytest.mark.long
@pytest.mark.no_cover  # each read may take 2 s of processor time, which coverage would use up
def test_every_read_of_counted_hands(table: Table) -> None:
    seats = [{"name": name} for name in ("Ada", "Bo", "Cy", "Di")]
    asked = {"ruleset": "forbidden-island", "seats": seats, "chance": "observed"}
    url = f"/v1/games/{table.client.post('/v1/games', json=asked).json['id']}"
    for draft in evening(SEED):
        type_, actor, outcomes = draft.pop("type_"), draft.pop("actor", None), list(draft.pop("outcomes"))
        event = {"type": type_, "actor": actor, "params": draft, "outcomes": outcomes}
        answer = table.client.post(f"{url}/events", json=event)
        assert answer.status_code == 201, answer.text
    for path in READS:
        answer = table.client.get(url + path)
        assert answer.status_code == 200, (path, answer.text)
    unknowns = table.client.get(f"{url}/unknowns").json["unknowns"]
    unseen = [
        event["seq"]
        for event in table.client.get(f"{url}/events?limit=1000").json["events"]
        if None in event["outcomes"]
    ]
    assert [one["seq"] for one in unknowns] == unseen
    assert all(sum(outcome["p"] for outcome in one["outcomes"]) == pytest.approx(1) for one in unknowns)
    hand = table.client.get(f"{url}/state").json["state"]["hands"][0][-1]
    assert sum(one["p"] for one in hand["one_of"]) == pytest.approx(1) or hand["more"]
