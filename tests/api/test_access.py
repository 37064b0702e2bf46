"""Access to every route by every kind of caller."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from api.app import create_app
from api.plumbing.access import ADMIN, ANYONE, LIBRARIAN, OPENER, READER, RECORDER, VIEWER, WATCHER, Rule, rules_of
from api.plumbing.settings import Settings
from tests.api.table import problem
from tests.api.tokens import ROLES, Door, id_of
from tests.openapi import contract

_BY_RULE = {
    ANYONE: """
        rulesets.Rulesets rulesets.OneRuleset proofs.Keys proofs.KeyFile health.healthz health.readyz contract.contract
        contract.docs problems.page pages.assets.file pages.offline.file pages.shared.show_game pages.shared.code
        pages.shared.overlay embedding.Embed
        pages.securing.secure pages.securing.authority pages.seeds.seed pages.seeds.code
        pages.enter.enter pages.languages.choose pages.installing.manifest pages.installing.worker formats.Formats
        rulesets.CsvTemplate rulesets.XlsxTemplate schemas.OneSchema
        session.Session:POST session.Session:DELETE seeds.OneSeed seeds.OneSeedShare
    """,
    VIEWER: """
        games.Games:GET games.OneGame:GET games.Forks:GET library.LibraryStream atom.EndedGames
        events.Events:GET events.OneEvent events.Stream
        game_ruleset.GameRuleset
        actions.Actions actions.Unknowns states.States states.Facts turns.Turns export.Export board.Board
        players.OnePlayer recap.Recaps recap.Picture pages.end.end
        analyses.Analyses analyses.LatestAnalysis analyses.OneSkill
        story.Stories notes.Notes comparing.GameComparison deals.OneDeal pages.deals.deal proofs.Proof proofs.OlderHead
        audits.Audits audits.OneAudit jobs.Jobs exporting.Exports exporting.ExportFile printing.Transcript
        pages.library.index pages.library.player pages.library.ruleset pages.indexes.players pages.indexes.rulesets
        pages.start.picture pages.boxes.index pages.replay.replay pages.replay.compare
        pages.watch.watch pages.watch.overlay pages.audit.audit pages.audit.proof pages.transcript.print_
        pages.plays.play pages.playground.play
        session.Session:GET
    """,
    RECORDER: """
        events.Events:POST games.OneGame:PATCH sharing.Shares sharing.OneShare tokens.Tokens tokens.OneToken
        pages.start.setup pages.record.record pages.enter.code
        webhooks.Webhooks webhooks.OneWebhook webhooks.Deliveries webhooks.Retry
    """,
    OPENER: """
        games.Games:POST games.Forks:POST seeds.Seeds imports.Imports readings.Readings plays.Plays:POST
        pages.start.index pages.boxes.new pages.start.table pages.start.paper
    """,
    READER: "aliases.Aliases aliases.Player:GET plays.Plays:GET plays.Export plays.OnePlay:GET pages.plays.index",
    LIBRARIAN: "aliases.OneAlias aliases.Player:PUT aliases.Player:DELETE",
    ADMIN: """
        plays.OnePlay:DELETE games.OneGame:DELETE oversight.AccessLog oversight.HiddenNames oversight.OneHiddenName
    """,
    WATCHER: "health.prometheus",
}
EXPECTED = {route: rule for rule, routes in _BY_RULE.items() for route in re.findall(r"\S+", routes)}
"""The permission for each route, by endpoint and, where it matters, method. A new route needs a row here, too."""
NOWHERE = "01kaj5x9f3q8w7e2r4t6y8u0pz"
FAR = {"REMOTE_ADDR": "192.0.2.9"}


def expected_rule(endpoint: str, method: str) -> Rule:
    reading = "GET" if method == "HEAD" else method
    return EXPECTED.get(endpoint) or EXPECTED[f"{endpoint}:{reading}"]


def test_every_route_takes_what_it_should(locked: Flask) -> None:
    declared = rules_of(locked)
    assert {route: expected_rule(*route) for route in declared} == declared


def test_a_route_that_does_not_say_what_it_takes_is_found() -> None:
    app = create_app(Settings(redis_url="redis://", queue_url="redis://"))
    app.add_url_rule("/new", view_func=lambda: "")
    with pytest.raises(LookupError, match="/new does not declare its permissions"):
        rules_of(app)


def test_the_contract_says_what_each_operation_takes(locked: Flask) -> None:
    declared = rules_of(locked)
    rules = {(re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", one.rule), one.endpoint) for one in locked.url_map.iter_rules()}
    for path, item in contract()["paths"].items():
        (endpoint,) = {endpoint for rule, endpoint in rules if rule == path}
        for method in item.keys() - {"parameters"}:
            operation, rule = item[method], declared[endpoint, method.upper()]
            assert operation["x-needs"] == (rule.role and rule.role.value), path
            assert operation["security"] == ([{"bearer": []}, {"cookie": []}] if rule.role else []), path
            refused = {"unauthenticated", "forbidden"} & {*operation["x-problems"]}
            assert refused >= ({"unauthenticated", "forbidden"} if rule.role else set()), path


def routes(app: Flask, game: str) -> Iterator[tuple[str, str, Rule]]:
    """Yield method, path and needed permission of each request about a game."""
    for (endpoint, method), rule in rules_of(app).items():
        for route in app.url_map.iter_rules(endpoint):
            if method in (route.methods or set()) and method != "HEAD":
                path = route.rule.replace("<string:game_id>", game).replace("<game_id>", game)
                path = path.replace("<int:seq>", "1").replace("<string:other_id>", game)
                yield method, re.sub(r"<[^>]+>", "x", path), rule


def ask(client: FlaskClient, method: str, path: str) -> TestResponse:
    body: Any = {"json": {}} if method in {"POST", "PATCH", "PUT"} else {}
    # A body makes this the request of a program. Otherwise the service would answer a browser, with a page.
    with closing(client.open(path, method=method, environ_overrides=FAR, **body)) as answer:
        return answer


def test_nothing_is_answered_without_a_token(door: Door) -> None:
    withdrawn, token = door.token("admin")
    door.store.tokens.withdraw(token.id)
    expired, _ = door.token("admin", expires_at="2026-11-20T00:00:00.000Z")
    game = id_of(open_tagged_game(door))
    for text in (None, "", "nonsense", withdrawn, expired):
        client = door.client(text)
        for method, path, rule in routes(door.app, game):
            answer = ask(client, method, path)
            if rule.role is None:
                assert answer.status_code not in (401, 403), (method, path)
                continue
            assert answer.status_code == 401, (text, method, path, answer.text)
            assert answer.headers["WWW-Authenticate"] == "Bearer"
            if answer.is_json:
                assert answer.json["type"] == "/problems/unauthenticated"
            assert answer.is_json or not path.startswith("/v1/")


def open_tagged_game(door: Door) -> str:
    table = door.enter("recorder", note=f"Table {NOWHERE}")
    table.open(tags=["Zebulon"])
    return table.game


@pytest.mark.parametrize("role", ROLES)
def test_each_role_may_what_it_may(door: Door, role: Any) -> None:
    game = id_of(open_tagged_game(door))
    visitor = door.enter(role)
    own = door.enter(role, game=game)
    for method, path, rule in routes(door.app, game):
        for who in (visitor, own):
            is_enough = rule.role is None or who.caller.role.includes(rule.role)
            is_enough = is_enough and not (who is own and rule.is_for_all)
            if is_enough and (method, path) == ("DELETE", f"/v1/games/{game}"):
                # This would delete the game. `test_deleting` tests it.
                continue
            answer = ask(who.client, method, path)
            if is_enough:
                assert answer.status_code not in (401, 403), (method, path, answer.text)
                assert answer.status_code < 500 or path == "/readyz", (method, path, answer.text)
            else:
                assert answer.status_code == 403, (method, path, answer.text)
                if answer.is_json:
                    assert answer.json["type"] == "/problems/forbidden"
                    assert answer.json["needs"] == rule.role
                assert answer.is_json or not path.startswith("/v1/")


@pytest.mark.parametrize("role", ROLES)
def test_a_game_that_a_token_is_not_for_is_like_none(door: Door, role: Any) -> None:
    game, other = id_of(open_tagged_game(door)), id_of(open_tagged_game(door))
    client = door.enter(role, game=game).client
    for (method, path, rule), (_, same, _) in zip(routes(door.app, other), routes(door.app, NOWHERE), strict=True):
        if other in path and rule.role is not None:
            one, none = ask(client, method, path), ask(client, method, same)
            assert (one.status_code, one.data) == (none.status_code, none.data), (method, path)
            assert one.status_code in (400, 403, 404, 422), (method, path, one.text)
            assert one.headers.pop("X-Request-ID") != none.headers.pop("X-Request-ID")
            # Each request lowers the number of requests that remain.
            told, told_of_none = ([pair for pair in to.headers if pair[0] != "RateLimit"] for to in (one, none))
            assert told == told_of_none, (method, path)


def test_nothing_tells_of_another_game(door: Door) -> None:
    other = door.enter("recorder", note="Quentin")
    other.open(seats=[{"name": "Zebulon"}, {"name": "Bob"}], tags=["Zebulon"])
    other.post({"type": "abandon", "params": {"reason": "supper"}})
    fork = other.client.post(f"{other.game}/forks", json={"at": 2})
    mine = id_of(fork.headers["Location"])
    guest = door.enter("admin", game=mine)
    for query in ("", "?q=zeb", "?player=Zebulon", "?tag=Zebulon", "?status=abandoned", "?from=2020-01-01T00:00:00Z"):
        games = guest.client.get(f"/v1/games{query}").json["games"]
        # The fork has its parent's players and tags.
        assert {one["id"] for one in games} <= {mine}, query
    lists = ("/", "/?q=zeb", "/?sort=longest", "/players", "/rulesets")
    for path in (*lists, "/players/Zebulon", "/rulesets/forbidden-island", f"/games/{mine}", "/v1/tokens"):
        answer = guest.client.get(path)
        assert answer.status_code == 200, path
        assert id_of(other.game) not in answer.text, path
        assert "Quentin" not in answer.text, path
    assert "supper" not in guest.client.get("/players/Zebulon").text
    assert "<p>1 game</p>" in guest.client.get("/").text
    assert ">Forbidden Island (1)</option>" in guest.client.get("/").text
    assert "1 recorded</span>" in guest.client.get("/rulesets").text
    assert '<td class="number">1</td>' in guest.client.get("/players?q=ZEB").text
    assert "1 game" not in guest.client.get("/rulesets/forbidden-island").text
    # The caller sees only the fork, not its parent.
    parent = guest.client.get(f"/v1/games/{id_of(other.game)}")
    assert parent.status_code == 404
    assert guest.client.get(f"/v1/games/{mine}/compare/{id_of(other.game)}").data == parent.data
    assert other.get("/forks").json["games"][0]["id"] == mine


def test_figures_are_for_an_admin_or_this_machine(door: Door) -> None:
    def status(client: FlaskClient, **more: Any) -> int:
        return client.get("/metrics", **more).status_code

    stranger = door.client()
    assert status(stranger) == 200
    for name in ("Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"):
        assert status(stranger, headers={name: "for=192.0.2.9"}) == 401
    assert status(stranger, environ_overrides=FAR) == 401
    assert status(stranger, environ_overrides={"REMOTE_ADDR": ""}) == 401
    assert status(door.enter("arbiter").client, environ_overrides=FAR) == 403
    assert status(door.enter("admin").client, environ_overrides=FAR) == 200


def test_an_open_service_asks_for_nothing(app: Flask, door: Door) -> None:
    text, _ = door.token("viewer")
    for client in (app.test_client(), door.client(text)):
        client.application = app
        assert client.post("/v1/games", json={}).status_code == 422
        # Clients on other machines cannot create tokens that would still work once the service requires tokens.
        given = {"role": "viewer"}
        problem(client.post("/v1/tokens", json=given, environ_overrides=FAR), 403, "forbidden")
        problem(client.post("/v1/tokens", json=given, headers={"Forwarded": "for=192.0.2.9"}), 403, "forbidden")
        assert client.post("/v1/tokens", json=given).status_code == 201
        assert client.get("/metrics", environ_overrides=FAR).status_code == 200
        assert "Cookie" not in client.get("/v1/games").vary
