"""Proofs for outsiders: keys, signed heads, consistency, and exports with proofs."""

from __future__ import annotations

import json
from base64 import b64encode, urlsafe_b64encode
from typing import Any

import pytest
from flask.testing import FlaskClient

from cli.verifying import CheckResult, Evidence, check
from proofs import consistency, dsse, heads
from proofs.keys import PublicKey, read_keys
from store import Store
from tests.api.table import Table, problem
from tests.api.test_secrets import GUESS, raid  # noqa: F401  # a fixture

MASKED = {"masked": True}


def published_keys(table: Table) -> tuple[PublicKey, ...]:
    """Return the service's published keys, as an outsider saves them."""
    return tuple(read_keys(table.client.get("/v1/keys").data))


def judge_file(data: bytes, keys: tuple[PublicKey, ...] | None = None, proof: bytes | None = None) -> CheckResult:
    return check(data, Evidence(keys, None if proof is None else dsse.read(proof)), lambda *_: None)


def test_keys__a_jwk_set_without_secrets(table: Table, store: Store) -> None:
    document = table.client.get("/v1/keys").json
    (key,) = document["keys"]

    assert set(key) == {"kty", "crv", "x", "kid", "use", "alg", "created_at", "retired_at", "status", "pem"}
    assert (key["kty"], key["crv"], key["status"], key["retired_at"]) == ("OKP", "Ed25519", "active", None)
    assert key["kid"] == store.signing.active().public.id
    assert read_keys(key["pem"].encode()) == [store.signing.active().public]


def test_keys__as_a_file(table: Table, store: Store) -> None:
    key = store.signing.active().public
    answer = table.client.get(f"/v1/keys/{key.id}.pem", headers={"Accept": "application/x-pem-file"})

    assert answer.content_type == "application/x-pem-file"
    assert read_keys(answer.data) == [key]
    problem(table.client.get("/v1/keys/nobody.pem"), 404, "not-found")


def test_keys__old_ones_stay(table: Table, store: Store) -> None:
    table.open()
    before = table.get("/proof").data
    old = store.signing.active().public
    new = store.signing.rotate().key
    keys = table.client.get("/v1/keys").json["keys"]

    assert [(key["kid"], key["status"]) for key in keys] == [(old.id, "retired"), (new.id, "active")]
    assert heads.check(dsse.read(before), published_keys(table)).key == old
    assert heads.check(dsse.read(table.get("/proof").data), published_keys(table)).key == new
    assert table.client.get(f"/v1/keys/{old.id}.pem").status_code == 200


def test_no_private_key_is_seen_anywhere(table: Table, store: Store) -> None:
    table.open()
    table.play_out()
    secret = store.signing.active().secret()
    seen = [table.client.get("/v1/keys"), table.get("/proof"), table.get("/export"), table.client.get("/metrics")]
    texts = b"".join(answer.data for answer in seen)

    for form in (secret, secret.hex().encode(), urlsafe_b64encode(secret).rstrip(b"="), b64encode(secret)):
        assert form not in texts


def test_proof__of_the_head(table: Table) -> None:
    table.open()
    game = table.play_out()
    signed = heads.check(dsse.read(table.get("/proof").data), published_keys(table)).head

    assert (signed.game, signed.version, signed.head) == (game["id"], game["version"], game["head"])
    assert (signed.ruleset, signed.ruleset_version) == ("forbidden-island", "1")
    assert list(signed.hashes) == [event["hash"] for event in table.log()]


def test_proof__at_any_event(table: Table) -> None:
    table.open()
    table.act("draw_treasure_card")
    signed = heads.check(dsse.read(table.get("/proof", at=2).data)).head

    assert (signed.version, signed.head) == (2, table.log()[1]["hash"])
    problem(table.get("/proof", at=4), 404, "not-found")
    problem(table.get("/proof", at=0), 400, "malformed")
    problem(table.client.get("/v1/games/nothing/proof"), 404, "not-found")


@pytest.mark.parametrize("chance", ["seeded", "observed"])
def test_export__carries_its_proof(table: Table, chance: str) -> None:
    table.open(chance)
    if chance == "observed":
        table.set_up()
    table.play_out()
    answer = table.get("/export", format="json")
    checked = judge_file(answer.data, published_keys(table))

    assert checked.is_sound
    assert checked.account.startswith("signed at ")
    assert answer.headers["ETag"].startswith('W/"')
    table.client.delete(table.game)
    back = table.client.post("/v1/imports", data=answer.data, content_type="application/json")
    assert back.status_code == 201


def test_export__until_an_event_is_signed_until_there(table: Table) -> None:
    table.open()
    table.play_out()
    answer = table.get("/export", until=3)
    signed = heads.check(dsse.read(json.dumps(answer.json["proof"]).encode()), published_keys(table)).head

    assert (signed.version, signed.head) == (3, table.log()[2]["hash"])
    assert judge_file(answer.data, published_keys(table)).is_sound


@pytest.mark.parametrize("format_", ["json", "ndjson", "csv", "markdown"])
def test_export__says_where_its_proof_is(table: Table, format_: str) -> None:
    table.open()
    table.act("draw_treasure_card")
    answer = table.get("/export", format=format_)
    link = answer.headers["Link"]

    assert link == f'<{table.game}/proof?at=3>; rel="describedby"'
    proof = table.client.get(link[1 : link.index(">")])
    assert heads.check(dsse.read(proof.data)).head.head == answer.headers["Driftlog-Head"]


def test_export__with_a_proof_beside_it(table: Table) -> None:
    table.open()
    proof = table.get("/proof").data
    before = table.get("/export", format="ndjson").data
    table.act("draw_treasure_card")
    after = table.get("/export", format="ndjson").data
    signed_after = table.get("/export", format="json").data
    keys = published_keys(table)

    assert judge_file(before, keys, proof).is_sound
    assert (
        judge_file(after, keys, proof).account
        == "the log differs from the 2 events that were signed: event 3 was added"
    )
    assert judge_file(before, keys, table.get("/proof").data).account.endswith("that were signed: event 3 was removed")
    assert judge_file(signed_after, keys, proof).is_sound, "a log that is signed itself may begin with what was kept"
    assert judge_file(before, keys).account == "the file is not signed: it contains no proof, and --proof was not given"


def consistent(table: Table, before: dict[str, Any]) -> Any:
    return table.get("/proof/consistency", **{"from": before["version"], "head": before["head"]})


def test_consistency__an_older_head_is_a_beginning(table: Table) -> None:
    before = table.open()
    proof = table.get("/proof").data
    table.play_out()
    answer = consistent(table, before)
    checked = judge_file(answer.data, published_keys(table), proof)

    assert checked.is_sound
    assert f"the record after event 2, with head {before['head']}, is the beginning" in checked.account
    assert answer.json["events"][0]["seq"] == 3
    now = table.get().json
    assert consistent(table, now).json["events"] == []


def test_consistency__a_correction_rewrites_nothing(table: Table) -> None:
    table.open("observed")
    table.set_up()
    table.act("move")
    before, proof = table.get().json, table.get("/proof").data
    assert table.post({"type": "undo", "params": {"to": 2}}).status_code == 201
    checked = judge_file(consistent(table, before).data, published_keys(table), proof)

    assert checked.is_sound, checked.account
    assert judge_file(table.get("/export").data, published_keys(table), proof).is_sound


def test_consistency__a_forged_one_is_found(table: Table) -> None:
    before = table.open()
    proof = table.get("/proof").data
    table.play_out()
    document = consistent(table, before).json
    document["events"][4]["turn"] += 1
    checked = judge_file(json.dumps(document).encode(), published_keys(table), proof)

    assert not checked.is_sound
    assert "event 7 was changed" in checked.account


def test_consistency__what_the_record_does_not_begin_with(table: Table) -> None:
    before = table.open()

    assert problem(consistent(table, {"version": 2, "head": "0" * 64}), 409, "not-a-prefix")["version"] == 2
    assert problem(consistent(table, {**before, "version": 3}), 409, "not-a-prefix")["version"] == 2
    for head in ("0" * 63, "Z" * 64, "0" * 64 + "\n"):
        problem(consistent(table, {"version": 2, "head": head}), 400, "malformed")
    problem(table.get("/proof/consistency", head="0" * 64), 400, "malformed")
    problem(table.get("/proof/consistency", **{"from": 2}), 400, "malformed")


def test_hidden__the_hash_is_signed_and_keeps_the_secret(raid: Table) -> None:  # noqa: F811
    version = raid.get().json["version"]
    proof = raid.get("/proof").data
    hidden = raid.get("/export").data
    keys = published_keys(raid)
    checked = judge_file(hidden, keys)

    assert checked.is_sound
    assert f"rules before event {version}, which hides something until it is revealed" in checked.account
    assert judge_file(raid.get("/export", format="ndjson").data).is_sound
    before = raid.get(f"/events/{version - 1}").json
    chained = raid.get("/proof/consistency", **{"from": version - 1, "head": before["hash"]}).json
    assert chained["events"][0]["params"]["spears"] == MASKED
    assert judge_file(json.dumps(chained).encode(), keys).is_sound

    assert raid.post(GUESS).status_code == 201
    opened = raid.get("/export").data
    assert judge_file(opened, keys, proof).is_sound, "the hider did not think again"
    assert "chain and rules; " in judge_file(opened, keys).account


def test_hidden__what_is_masked_without_reason_is_changed(raid: Table) -> None:  # noqa: F811
    version = raid.get().json["version"]
    before = raid.get().json
    assert raid.post(GUESS).status_code == 201
    document = raid.get("/export").json
    for seq in (version, version - 1):
        forged = json.loads(json.dumps(document))
        params = forged["events"][seq - 1]["params"]
        forged["events"][seq - 1]["params"] = dict.fromkeys(params or ["x"], MASKED)
        assert judge_file(json.dumps(forged).encode()).is_sound is False
        checked = judge_file(json.dumps(forged).encode(), published_keys(raid))
        assert checked.account.endswith(f"that were signed: event {seq} was changed")
    proof = consistent(raid, before)
    assert consistency.check(consistency.read(proof.data), published_keys(raid)).head.version > version


def test_hidden__a_loose_end_without_a_signature_breaks_the_chain(raid: Table) -> None:  # noqa: F811
    lines = raid.get("/export", format="ndjson").data.splitlines()
    event = json.loads(lines[-1])
    event["prev"] = "0" * 64
    checked = judge_file(b"\n".join([*lines[:-1], json.dumps(event).encode()]))

    assert checked == CheckResult(is_sound=False, account=f"event {event['seq']}: it breaks the chain")


def test_a_log_with_a_gap_is_not_signed(client: FlaskClient, table: Table, store: Store) -> None:
    table.open()
    game_id = table.game.rsplit("/", 1)[1]
    table.act("draw_treasure_card")
    store.client.xdel(f"{{{game_id}}}:events", "1-0")

    problem(table.get("/proof"), 500, "damaged-record")
