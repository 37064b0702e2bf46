"""A damaged stored document is left out of its list, breaks no other request, and can be removed like an intact one."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from operations import doctor
from operations.backup.families import GAME_ID, family_of
from store import Store, keys
from store.access.tokens import RoleName
from store.log.feed import FeedEntry
from store.work.webhooks import DeliveryLine
from tests.api.table import Table, problem
from tests.api.test_damage import open_drawn_game
from tests.api.test_past_plays import numbered_play, take
from tests.api.tokens import Door, id_of
from tests.waiting import until

HOOK = {"url": "https://93.184.215.14/hook", "events": ["*"]}


def cut(store: Store, key: str, field: str) -> None:
    """Cut off the second half of a stored document."""
    stored = store.client.hget(key, field)
    store.client.hset(key, field, stored[: len(stored) // 2])


def faults(store: Store) -> tuple[str, ...]:
    """Return the damaged documents that the doctor names."""
    return next(finding.about for finding in doctor.examine(store, None) if finding.check == "documents")


def test_a_damaged_entry_is_left_out_of_its_list(table: Table, store: Store) -> None:
    client, ids = table.client, [open_drawn_game(table) for _ in range(2)]
    damaged, intact = ids
    for game_id in ids:
        store.projections.project(game_id)
    names = {"Zoe", "Yann"}
    for name in names:
        assert client.put(f"/v1/hidden-names/{name}").status_code == 200
    links = [client.post(f"/v1/games/{damaged}/shares").json["token"] for _ in range(2)]
    for key, field in ((keys.SUMMARIES, damaged), (keys.SHARES, links[0]), (keys.HIDDEN, "zoe")):
        cut(store, key, field)

    assert [game["id"] for game in client.get("/v1/games?limit=200").json["games"]] == [intact]
    assert [client.get(path).status_code for path in ("/", "/players")] == [200, 200]
    assert {finding.check: finding.about for finding in doctor.examine(store, None) if finding.level != "ok"} == {
        "indexes": (damaged,),
        "documents": (damaged, "zoe"),
    }
    # A link is rebuilt from its token.
    assert [link["token"] for link in client.get(f"/v1/games/{damaged}/shares").json["shares"]] == links
    assert client.delete(f"/v1/games/{damaged}/shares/{links[0]}").status_code == 204
    assert [link["token"] for link in client.get(f"/v1/games/{damaged}/shares").json["shares"]] == links[1:]
    assert [hidden["name"] for hidden in client.get("/v1/hidden-names").json["hidden_names"]] == ["Yann"]
    assert client.put("/v1/hidden-names/Zoe").status_code == 200
    assert {hidden["name"] for hidden in client.get("/v1/hidden-names").json["hidden_names"]} == names
    doctor.mend(store)
    assert all(finding.level == "ok" for finding in doctor.examine(store, None))
    assert {game["id"] for game in client.get("/v1/games").json["games"]} == {*ids}


@pytest.mark.parametrize("role", ["admin", "recorder"])
def test_a_damaged_webhook_is_removed_by_its_creator_or_an_admin(role: RoleName, door: Door, store: Store) -> None:
    recorder = door.enter("recorder")
    damaged, intact = (recorder.client.post("/v1/webhooks", json=HOOK).json["id"] for _ in range(2))
    cut(store, keys.WEBHOOKS, damaged)
    store.client.hset(keys.WEBHOOK_FAILING, intact, "x")
    assert [one["id"] for one in recorder.client.get("/v1/webhooks").json["webhooks"]] == [intact]
    assert faults(store) == (damaged,)
    for path in ("", "/deliveries"):
        problem(recorder.client.get(f"/v1/webhooks/{damaged}{path}"), 404, "not-found")
    problem(door.enter("recorder").client.delete(f"/v1/webhooks/{damaged}"), 404, "not-found")
    remover = recorder if role == "recorder" else door.enter(role)
    assert remover.client.delete(f"/v1/webhooks/{damaged}").status_code == 204
    assert faults(store) == ()


def test_a_damaged_link_without_a_token_is_revoked(table: Table, store: Store) -> None:
    game_id, other = open_drawn_game(table), open_drawn_game(table)
    damaged, intact = (table.client.post(f"/v1/games/{game_id}/shares").json["token"] for _ in range(2))
    (token,) = (token for token in store.tokens.page(game=game_id) if token.id in damaged)
    cut(store, keys.SHARES, damaged)
    store.tokens.withdraw(token.id)
    problem(table.client.get(f"/s/{damaged}/v1/games/{game_id}"), 404, "not-found")
    problem(table.client.delete(f"/v1/games/{other}/shares/{damaged}"), 404, "not-found")
    assert table.client.delete(f"/v1/games/{game_id}/shares/{damaged}").status_code == 204
    assert [link["token"] for link in table.client.get(f"/v1/games/{game_id}/shares").json["shares"]] == [intact]
    assert faults(store) == ()


@pytest.mark.parametrize("role", ["admin", "recorder"])
def test_a_damaged_token_is_revoked_by_its_creator_or_an_admin(role: RoleName, door: Door, store: Store) -> None:
    admin, recorder = door.enter("admin"), door.enter("recorder")
    recorder.open()
    game_id = id_of(recorder.game)
    intact, damaged = (recorder.give(role="viewer", game=game_id) for _ in range(2))
    link = recorder.client.post(f"{recorder.game}/shares").json["token"]
    recorder.client.post("/v1/webhooks", json=HOOK)
    cut(store, keys.ACCESS, damaged["id"])
    listed = [one["id"] for one in recorder.client.get("/v1/tokens?limit=2").json["tokens"]]
    assert (damaged["id"] in listed, intact["id"] in listed) == (False, True)
    assert [one["token"] for one in recorder.client.get(f"{recorder.game}/shares").json["shares"]] == [link]
    assert len(admin.client.get("/v1/webhooks").json["webhooks"]) == 1
    assert faults(store) == (damaged["id"],)
    problem(door.client(damaged["token"]).get(recorder.game), 401, "unauthenticated")
    assert door.enter("recorder").withdraw(damaged["id"]) == 404
    assert (recorder if role == "recorder" else admin).withdraw(damaged["id"]) == 204
    assert faults(store) == ()


def test_a_token_and_webhook_of_a_damaged_token_wait_for_its_repair(door: Door, store: Store) -> None:
    recorder, admin = door.enter("recorder"), door.enter("admin")
    given = recorder.give(role="recorder")
    made = door.client(given["token"]).post("/v1/webhooks", json=HOOK).json["id"]
    intact = store.client.hget(keys.ACCESS, recorder.token.id)
    cut(store, keys.ACCESS, recorder.token.id)
    until(lambda: recorder.client.get("/v1/webhooks").status_code == 401)
    problem(recorder.client.get("/v1/webhooks"), 401, "unauthenticated")
    assert [one["id"] for one in door.client(given["token"]).get("/v1/webhooks").json["webhooks"]] == [made]
    assert not store.tokens.is_revoked(recorder.token.id)
    store.client.hset(keys.ACCESS, recorder.token.id, intact)
    assert [one["id"] for one in recorder.client.get("/v1/webhooks").json["webhooks"]] == [made]
    cut(store, keys.ACCESS, recorder.token.id)
    assert admin.withdraw(recorder.token.id) == 204
    assert store.tokens.is_revoked(given["id"])


def test_a_name_with_a_damaged_entry_is_used_by_all(door: Door, store: Store) -> None:
    recorder = door.enter("recorder", note="Ann")
    store.client.hset(keys.ACCESS_NAMES, "ann", "{")
    recorder.open()
    store.client.hset(keys.ACCESS_NAMES, "bo", "[")
    problem(recorder.client.post("/v1/tokens", json={"role": "recorder", "note": "Bo"}), 422, "invalid")
    assert door.enter("arbiter").give(role="recorder", note="Bo")["note"] == "Bo"


def test_a_damaged_alias_player_or_logged_play_is_removed(table: Table, store: Store) -> None:
    game_id, client = open_drawn_game(table), table.client
    assert client.put("/v1/aliases/Zo", json={"is": "Ann"}).status_code == 200
    seat = f"/v1/games/{game_id}/seats/p1/player"
    assert client.put(seat, json={"person": "Kim"}).status_code == 200
    take(client, numbered_play(1), numbered_play(2))
    intact, damaged = (one["id"] for one in client.get("/v1/plays").json["plays"])
    documents = [(keys.ALIASES, "zo"), (keys.SITTERS, game_id), (keys.PLAYS, damaged), (keys.PLAYS_ENTRIES, damaged)]
    for key, field in documents:
        cut(store, key, field)
    problem(client.get(seat), 404, "not-found")
    problem(client.get(f"/v1/plays/{damaged}"), 404, "not-found")
    assert client.get("/players/Ann%20Lee").status_code == 200
    for path in ("/v1/aliases/Zo", seat, f"/v1/plays/{damaged}"):
        assert client.delete(path).status_code == 204
        problem(client.delete(path), 404, "not-found")
    assert not any(store.client.hexists(key, field) for key, field in documents)
    assert [one["id"] for one in client.get("/v1/plays").json["plays"]] == [intact]


def test_a_damaged_job_stops_no_other(table: Table, store: Store) -> None:
    game_id, client = open_drawn_game(table), table.client
    damaged = client.post(f"/v1/games/{game_id}/audits").json["id"]
    cut(store, keys.JOBS, damaged)
    problem(client.get(f"/v1/jobs/{damaged}"), 404, "not-found")
    assert client.get("/metrics").status_code == 200
    other = store.jobs.create("audit", {"game": open_drawn_game(table)})
    assert [job.id for job in store.jobs.in_turn()] == [other.id]
    # The dispatcher does this in each sweep.
    store.jobs.end_damaged()
    assert client.post(f"/v1/games/{game_id}/audits").json["id"] != damaged
    assert client.delete(f"/v1/games/{game_id}").status_code == 204
    assert store.deletions.finish(game_id)
    assert not store.client.hexists(keys.JOBS, damaged)


def test_a_damaged_report_is_unknown(table: Table, store: Store) -> None:
    game_id = open_drawn_game(table)
    store.client.hset(keys.audits(game_id), "a1", "{")
    problem(table.get("/audits/a1"), 404, "not-found")
    store.client.hset(keys.analyses(game_id), mapping={"latest": "{", "latest:version": "x"})
    assert store.analyses.newest(game_id, "latest") == 0
    store.analyses.save_newest(game_id, "latest", {"v": 1}, 2)
    assert store.analyses.get(game_id, "latest") == {"v": 1}


def test_a_game_with_a_damaged_list_entry_is_deleted(table: Table, store: Store) -> None:
    game_id = open_drawn_game(table)
    store.projections.project(game_id)
    cut(store, keys.SUMMARIES, game_id)
    assert table.client.delete(f"/v1/games/{game_id}").status_code == 204
    assert store.deletions.finish(game_id)
    assert not store.client.hexists(keys.SUMMARIES, game_id)


def test_a_damaged_entry_of_the_access_log_is_left_out(door: Door, store: Store) -> None:
    admin = door.enter("admin")
    store.client.xadd(keys.ACCESS_LOG, {"use": "{"}, id="1-0")
    store.client.set(keys.ACCESS_NOTED, "x")
    for _ in range(2):
        told = admin.client.get("/v1/access-log")
        assert told.status_code == 200
        assert "1-0" not in {use["id"] for use in told.json["access_log"]}


def fill_store(table: Table, store: Store) -> tuple[str, list[str]]:
    """Store at least one document of each kind; return a game, and addresses that read what is stored."""
    game_id, other, client = open_drawn_game(table), open_drawn_game(table), table.client
    for one in (game_id, other):
        store.projections.project(one)
    client.post(f"/v1/games/{game_id}/shares")
    client.put("/v1/hidden-names/Zoe")
    client.put("/v1/aliases/Zo", json={"is": "Ann"})
    client.put(f"/v1/games/{game_id}/seats/p1/player", json={"person": "Kim"})
    client.post("/v1/webhooks", json=HOOK)
    take(client, numbered_play(1))
    (play,) = (one["id"] for one in client.get("/v1/plays").json["plays"])
    audit = client.post(f"/v1/games/{game_id}/audits", headers={"Idempotency-Key": "one"})
    export = client.post("/v1/exports", json={"format": "json"}, headers={"Idempotency-Key": "two"})
    mix = client.post("/v1/seeds", json={"shares": 2}).json["id"]
    client.delete(f"/v1/games/{other}")
    at = f"/v1/games/{game_id}"
    paths = [at, *(f"{at}/{end}" for end in ("state", "events", "turns", "shares", "forks", "seats/p1/player"))]
    paths += [audit.headers["Location"], export.headers["Location"], f"/v1/seeds/{mix}", f"/v1/plays/{play}"]
    paths += ["/", "/players", "/players/Kim", "/v1/games", "/v1/games?q=ann", "/v1/games?sort=longest", "/v1/plays"]
    paths += ["/v1/aliases", "/v1/hidden-names", "/v1/webhooks", "/v1/access-log", "/v1/keys", "/v1/games.atom"]
    return game_id, [*paths, "/metrics", f"/v1/games/{other}"]


def beyond_games(store: Store) -> list[str]:
    """Return a key of each family that is not of a game, except the keys that each check of the store rewrites."""
    names = sorted(name for name in map(bytes.decode, store.client.scan_iter()) if not GAME_ID.match(name[1:]))
    names = [name for name in names if not name.startswith("{probe:")]
    return list({family_of(name): name for name in names}.values())


def writes(table: Table, game_id: str) -> list[TestResponse]:
    client = table.client
    return [
        client.post(f"/v1/games/{game_id}/audits"),
        client.post(f"/v1/games/{game_id}/audits", headers={"Idempotency-Key": "one"}),
        client.post("/v1/exports", json={"format": "json"}, headers={"Idempotency-Key": "two"}),
        client.post("/v1/exports", json={"format": "csv"}),
        client.post(f"/v1/games/{game_id}/forks", json={"at": 3}),
        client.post(f"/v1/games/{game_id}/events", json={"type": "annotate", "params": {"text": "!"}}),
    ]


@pytest.mark.long
def test_a_key_of_the_wrong_type_is_named_and_does_not_break_the_rest(table: Table, store: Store) -> None:
    game_id, paths = fill_store(table, store)
    for name in (keys.RESTORE_STAGE, keys.RESTORE_LOCK, keys.HELD, keys.WEBHOOK_READ, keys.COURIER, keys.UNPLAYABLE):
        store.client.lpush(name, "?")
    for name in (keys.playouts("table"), keys.UNLISTED, keys.PLAYS_UNLISTED, keys.WEBHOOK_FAILING):
        store.client.set(name, "?")
    doctor.mend(store)
    assert not {finding.check for finding in doctor.examine(store, None) if finding.level != "ok"}
    whole = {name: store.client.dump(name) for name in map(bytes.decode, store.client.scan_iter())}
    for name in beyond_games(store):
        store.client.delete(name)
        store.client.xadd(name, {"?": "?"}) if name not in {keys.FEED, keys.ACCESS_LOG} else store.client.set(name, "?")
        for path in paths:
            answer = table.client.get(path)
            told = answer.json["type"] if answer.is_json and answer.status_code == 500 else ""
            assert answer.status_code < 500 or told == "/problems/damaged-record" or b"damaged" in answer.data, name
            assert answer.status_code == 200 or path not in {paths[1], paths[2]}, name
        for answer in writes(table, game_id):
            assert answer.status_code < 300 or problem(answer, 500, "damaged-record")
        findings = {finding.check: finding for finding in doctor.examine(store, None)}
        assert findings["keys"].about == (name,)
        family = family_of(name)
        assert family is not None
        if not family.is_kept:
            doctor.mend(store)
            assert all(table.client.get(path).status_code < 500 for path in paths), name
        store.client.flushdb()
        for one, stored in whole.items():
            store.client.restore(one, 0, stored)


@pytest.mark.long
def test_an_entry_that_is_no_text_breaks_no_other(table: Table, store: Store) -> None:
    game_id, paths = fill_store(table, store)
    for name in beyond_games(store):
        kind = store.client.type(name)
        if kind == b"hash":
            store.client.hset(name, b"\xff\xfe", b"\xff{")
        elif kind == b"zset":
            store.client.zadd(name, {b"\xff\xfe": 0, b"\x80": 0})
        elif kind == b"set":
            store.client.sadd(name, b"\xff\xfe")
        elif kind == b"stream":
            store.client.xadd(name, {b"\xff": b"\xff"})
        for path in paths:
            assert table.client.get(path).status_code in {200, 410}, (name, path)
        assert all(answer.status_code < 300 for answer in writes(table, game_id)), name
    assert table.client.delete(f"/v1/games/{game_id}").status_code == 204
    assert store.deletions.finish(game_id)
    list(doctor.examine(store, None))
    doctor.mend(store)


def test_derived_fields_that_are_missing_or_damaged_are_made_anew(table: Table, store: Store) -> None:
    game_id = open_drawn_game(table)
    store.projections.project(game_id)
    told = [table.get(path).json for path in ("/turns", "/recap", "/state")]
    for key, field in ((keys.turns, "turns"), (keys.turns, "undos"), (keys.snapshots, "x")):
        store.client.hdel(key(game_id), field)
        store.client.hset(keys.snapshots(game_id), "x", "?")
        store.games.forget(game_id)
        table.client.application.extensions["store"].games.forget(game_id)
        assert [table.get(path).json for path in ("/turns", "/recap", "/state")] == told
        assert store.projections.project(game_id) == 7


def test_a_seed_that_is_not_the_one_of_event_1_draws_nothing(table: Table, store: Store) -> None:
    game_id = open_drawn_game(table)
    seed = store.client.hget(keys.meta(game_id), "seed")
    draw = {"type": "draw_flood_card", "actor": "p1"}
    for damaged in (seed[:-1], b"\xff"):
        store.client.hset(keys.meta(game_id), "seed", damaged)
        table.client.application.extensions["store"].games.forget(game_id)
        problem(table.post(draw), 500, "damaged-record")
        chains = next(finding for finding in doctor.examine(store, None) if finding.check == "chains")
        assert chains.about == (game_id,)
    store.client.hset(keys.meta(game_id), "seed", seed)
    assert table.post({"type": "annotate", "params": {"text": "!"}}).status_code == 201


def test_a_damaged_queue_of_a_webhook_holds_up_no_other(table: Table, store: Store) -> None:
    game_id, webhooks = open_drawn_game(table), store.webhooks
    damaged, intact = (table.client.post("/v1/webhooks", json=HOOK).json["id"] for _ in range(2))
    both = [one for id_ in (damaged, intact) for one in webhooks.all() if one.id == id_]
    for of_one in (keys.queue_of_webhook, keys.due_times, keys.deliveries, keys.delivery_times):
        store.client.set(of_one(damaged), "?")
    assert webhooks.due([damaged, intact], 0, 1) == [([], None)] * 2
    assert webhooks.waiting() == (0, None)
    for until_, stored in (("1-0", None), ("2-0", b"?"), ("3-0", [b"?"])):
        if isinstance(stored, bytes):
            store.client.set(keys.WEBHOOK_READ, stored)
        elif stored is not None:
            store.client.delete(keys.WEBHOOK_READ)
            store.client.rpush(keys.WEBHOOK_READ, *stored)
        assert webhooks.read() is None
        entry = FeedEntry(until_, game_id, 1, 7)
        assert webhooks.owe([(one, entry) for one in both], read=None, until=until_)
        assert webhooks.read() == until_
    assert {webhooks.line(one.id, game_id) for one in both} == {DeliveryLine(game_id, game_id, 1, 7, 0, 0)}
    store.client.delete(keys.deliveries(damaged))
    store.client.set(keys.deliveries(damaged), "?")
    assert not webhooks.settle(damaged, game_id, 7, "sent")
    assert webhooks.line(damaged, game_id) is None
    store.client.set(keys.delivery_times(damaged), "?")
    assert table.client.delete(f"/v1/games/{game_id}").status_code == 204
    store.client.set(keys.WEBHOOK_KEY, b"?")
    problem(table.client.post("/v1/webhooks", json=HOOK), 500, "damaged-record")


def test_a_damaged_index_of_a_player_hides_no_other(table: Table, store: Store) -> None:
    take(table.client, numbered_play(1))
    store.projections.project(open_drawn_game(table))
    for name in ("ann", "ann lee", "bob"):
        for of in (keys.index, keys.plays_by):
            store.client.delete(of("player", name))
            store.client.set(of("player", name), "?")
        assert table.client.get("/players").status_code == 200


@pytest.mark.parametrize("field", ["gone_v", "gone_head", "gone_at", "gone_by"])
def test_a_damaged_tombstone_is_reported(field: str, table: Table, store: Store) -> None:
    game_id = open_drawn_game(table)
    assert table.client.delete(f"/v1/games/{game_id}").status_code == 204
    problem(table.get(), 410, "gone")
    store.client.hset(keys.meta(game_id), field, b"\xff{")
    answer = table.get()
    # Any bytes can be a head.
    problem(answer, *((410, "gone") if field == "gone_head" else (500, "damaged-record")))


def test_a_deleted_game_stays_deleted_if_the_signing_key_is_damaged(table: Table, store: Store) -> None:
    game_id = open_drawn_game(table)
    assert table.client.delete(f"/v1/games/{game_id}").status_code == 204
    assert "proof" in problem(table.get(), 410, "gone")
    store.client.rpush(keys.SIGNING, "?")
    assert "proof" not in problem(table.get(), 410, "gone")


@pytest.mark.parametrize("is_key", [False, True])
def test_a_damaged_index_or_counter_stops_no_update_of_the_list(is_key: bool, table: Table, store: Store) -> None:
    first, second = open_drawn_game(table), open_drawn_game(table)
    store.projections.project(first)
    if is_key:
        for name in (keys.index("player", "ann"), keys.PLAYERS, keys.STANDINGS):
            store.client.delete(name)
            store.client.set(name, "?")
    else:
        (counter,) = store.client.hkeys(keys.STANDINGS)
        store.client.hset(keys.STANDINGS, counter, "?")
    assert store.projections.project(second) == 7
    assert {game["id"] for game in table.client.get("/v1/games").json["games"]} == {first, second}
    assert table.client.delete(f"/v1/games/{first}").status_code == 204
    assert store.deletions.finish(first)
    doctor.mend(store)
    assert all(finding.level == "ok" for finding in doctor.examine(store, None))
    assert [game["id"] for game in table.client.get("/v1/games?player=ann").json["games"]] == [second]
