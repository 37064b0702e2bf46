"""Seeds that several devices mix: commit, reveal, open, and verify."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from flask.testing import FlaskClient

from cli.verifying import Evidence, check
from store import Store
from store import keys as names
from tests.api.table import Table, problem

SHARES = [f"{number:064x}" for number in (7, 11, 13)]
BODY = {"ruleset": "forbidden-island", "seats": [{"name": "Ann"}, {"name": "Bob"}], "chance": "seeded"}


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def begin(client: FlaskClient, shares: int = 3) -> Any:
    answer = client.post("/v1/seeds", json={"shares": shares})
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/v1/seeds/{answer.json['id']}")
    return answer.json


def put(client: FlaskClient, mix: Any, share: str, body: Any = None) -> Any:
    return client.put(f"/v1/seeds/{mix['id']}/shares/{sha256(share)}", json=body or {})


def mix_seed(client: FlaskClient) -> Any:
    """A seed with all shares revealed."""
    mix = begin(client)
    for body in ({}, "reveal"):
        for share in SHARES:
            assert put(client, mix, share, {"share": share} if body else {}).status_code == 200
    return client.get(f"/v1/seeds/{mix['id']}").json


def test_each_device_commits_then_reveals(client: FlaskClient) -> None:
    mix = begin(client)
    assert (mix["status"], mix["shares"], mix["revealed"], mix["game"]) == ("committing", 3, 0, None)
    (service,) = mix["commitments"]
    for share in SHARES:
        mix = put(client, mix, share).json
    assert (mix["status"], mix["commitments"]) == ("revealing", [service, *sorted(map(sha256, SHARES))])
    for share in SHARES:
        mix = put(client, mix, share, {"share": share}).json
    assert (mix["status"], mix["revealed"]) == ("complete", 3)
    # The share stays hidden, and a repeated request changes nothing.
    assert put(client, mix, SHARES[0]).json == put(client, mix, SHARES[0], {"share": SHARES[0]}).json == mix
    assert not any(share in str(mix) for share in SHARES)


def test_the_commitment_of_the_service_takes_no_place(client: FlaskClient) -> None:
    """A phone cannot take the service's commitment as its own: it does not know the share, and could not reveal it."""
    mix = begin(client)
    url = f"/v1/seeds/{mix['id']}"
    problem(client.put(f"{url}/shares/{mix['commitments'][0]}", json={}), 409, "seed-share-rejected")
    assert client.get(url).json == mix


def test_a_share_is_revealed_only_once_all_are_committed(client: FlaskClient) -> None:
    mix = begin(client, 2)
    problem(put(client, mix, SHARES[0], {"share": SHARES[0]}), 409, "seed-share-rejected")
    put(client, mix, SHARES[0])
    early = problem(put(client, mix, SHARES[0], {"share": SHARES[0]}), 409, "seed-share-rejected")
    assert early["detail"] == "Wait until all 2 shares are committed. Then reveal yours."
    put(client, mix, SHARES[1])
    full = problem(put(client, mix, SHARES[2]), 409, "seed-share-rejected")
    assert full["detail"] == "All 2 shares of this seed are already committed. Start a new seed."
    assert put(client, mix, SHARES[0], {"share": SHARES[0]}).json["revealed"] == 1


def test_a_share_has_to_be_the_committed_one(client: FlaskClient) -> None:
    mix = begin(client, 1)
    put(client, mix, SHARES[0])
    wrong = problem(put(client, mix, SHARES[0], {"share": SHARES[1]}), 422, "invalid")
    assert wrong["errors"][0]["pointer"] == "/share"
    problem(put(client, mix, SHARES[0], {"share": "short"}), 422, "invalid")
    problem(client.put(f"/v1/seeds/{mix['id']}/shares/nonsense", json={}), 404, "not-found")
    problem(client.put(f"/v1/seeds/nowhere/shares/{sha256('a')}", json={}), 404, "not-found")
    problem(client.get("/v1/seeds/nowhere"), 404, "not-found")
    for shares in (0, 9, "3", None):
        problem(client.post("/v1/seeds", json={"shares": shares}), 422, "invalid")


def test_a_game_with_a_mixed_seed_is_checked_in_the_end(client: FlaskClient, table: Table) -> None:
    mix = mix_seed(client)
    game = table.open(seed=None, seed_mix=mix["id"])
    first, *_ = table.log()

    assert first["params"]["seed_shares"] == mix["commitments"]
    assert "seed_chosen" not in first["params"]
    assert not game["seed_chosen"]
    assert client.get(f"/v1/seeds/{mix['id']}").json["game"] == game["id"]
    assert client.get(f"/v1/seeds/{mix['id']}").json["status"] == "used"
    table.play_out()
    seed = table.log()[-1]["params"]["seed"]
    # See docs/chance.md.
    kind, *shares = seed.split(":")
    assert (kind, [sha256(share) for share in shares]) == ("mix1", mix["commitments"])
    assert sorted(shares[1:]) == SHARES
    assert sha256(seed) == game["seed_commitment"]
    assert check(table.get("/export").data, Evidence(), lambda *_: None).is_sound


def test_each_mix_opens_one_game(client: FlaskClient, table: Table, store: Store) -> None:
    mix = mix_seed(client)
    headers = {"Idempotency-Key": "once"}
    game = table.open(seed=None, seed_mix=mix["id"], headers=headers)
    again = client.post("/v1/games", json={**BODY, "seed_mix": mix["id"]})
    assert problem(again, 422, "invalid")["errors"][0]["pointer"] == "/seed_mix"
    # A repeated request returns the same game, even after the mix has expired.
    assert table.open(seed=None, seed_mix=mix["id"], headers=headers)["id"] == game["id"]
    store.client.delete(names.mix(mix["id"]))
    assert table.open(seed=None, seed_mix=mix["id"], headers=headers)["id"] == game["id"]


def test_a_request_that_fails_does_not_use_the_mix_up(client: FlaskClient, table: Table) -> None:
    mix = mix_seed(client)
    wrong = {**BODY, "seats": [{"name": "Ann"}], "seed_mix": mix["id"]}
    problem(client.post("/v1/games", json=wrong), 422, "invalid")
    table.open(seed=None, seed_mix=mix["id"])


@pytest.mark.parametrize(
    ("more", "pointer"),
    [({"seed": "mine"}, "/seed"), ({"chance": "observed"}, "/seed_mix"), ({"seed_mix": "nowhere"}, "/seed_mix")],
)
def test_a_mix_is_the_only_source_of_chance(client: FlaskClient, more: dict[str, Any], pointer: str) -> None:
    body = {**BODY, "seed_mix": mix_seed(client)["id"], **more}
    assert problem(client.post("/v1/games", json=body), 422, "invalid")["errors"][0]["pointer"] == pointer


def test_an_incomplete_mix_opens_nothing(client: FlaskClient) -> None:
    mix = begin(client)
    answer = problem(client.post("/v1/games", json={**BODY, "seed_mix": mix["id"]}), 422, "invalid")
    assert answer["detail"] == "/seed_mix: only 0 of 3 shares are revealed: wait for the others"


def test_a_fork_has_a_seed_of_its_own(client: FlaskClient, table: Table) -> None:
    table.open(seed=None, seed_mix=mix_seed(client)["id"])
    fork = client.post(table.game + "/forks", json={"at": 2}).json
    (first, *_) = client.get(f"/v1/games/{fork['id']}/events").json["events"]
    assert "seed_shares" not in first["params"]


def test_a_mix_expires(client: FlaskClient, store: Store) -> None:
    mix = begin(client)
    assert 0 < store.client.ttl(names.mix(mix["id"])) <= 6 * 60 * 60
