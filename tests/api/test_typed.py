"""The contract of one ruleset: valid OpenAPI that allows exactly its events, facts and states."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from click.testing import CliRunner
from flask import Flask
from openapi_spec_validator import OpenAPIV31SpecValidator

from api.plumbing.openapi import document
from api.plumbing.typed import typed_contract
from cli.main import main
from engine.play import registry
from engine.play.beliefs import telling
from engine.play.corrections import facts
from tests.api.table import Table, problem
from tests.installing import installed
from tests.openapi import parse_contract
from tests.recorded import games

ROOT = Path(__file__).parents[2]


def validator(contract: dict[str, Any], name: str) -> jsonschema.Draft202012Validator:
    schema = {"$ref": f"#/components/schemas/{name}", "components": contract["components"]}
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture
def general(app: Flask) -> dict[str, Any]:
    return document(app.extensions["contract"])


def wrong(params: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield invalid params: one with an extra member, and each member missing or of the wrong type."""
    yield {**params, "nonsense": 1}
    for name in params:
        yield {**params, name: {"nonsense": 1}}


@pytest.mark.parametrize(
    "ruleset",
    [
        pytest.param(rules.id, marks=() if rules.id == "forbidden-island" else pytest.mark.long)
        for rules in registry.rulesets()
    ],
)
def test_recorded_events_and_tables_fit_and_wrong_params_do_not(general: dict[str, Any], ruleset: str) -> None:
    rules = registry.ruleset(ruleset)
    contract = typed_contract(general, rules)
    OpenAPIV31SpecValidator(contract).validate()
    event, new = validator(contract, "Event"), validator(contract, "NewEvent")
    known_state, _ = contract["components"]["schemas"]["StateDocument"]["anyOf"]
    state, fact = validator(contract, known_state["$ref"].rpartition("/")[2]), validator(contract, "Fact")
    path = games.games(ruleset)[0]
    recording = games.replay(*games.read(path))
    tried = set()
    for number, one in enumerate(recording.events):
        told = json.loads(msgspec.json.encode(one))
        if one.type in tried and number % 20:
            continue
        event.validate(told)
        if one.type not in tried:
            assert not any(event.is_valid({**told, "params": params}) for params in wrong(told["params"])), told
        tried.add(one.type)
        if one.type not in {"game_opened", "game_closed"}:
            new.validate({name: told[name] for name in ("type", "actor", "params", "outcomes")})
        table = recording.states[number + 1]
        if table is not None and number % 20 == 0:
            state.validate(json.loads(json.dumps(rules.to_document(table))))
            for known in telling.known_facts(rules, table)[:20]:
                fact.validate(json.loads(json.dumps(facts.document(known))))
    assert not new.is_valid({"type": "nonsense", "params": {}})
    assert not fact.is_valid({"fact": "nonsense"})


def test_an_installed_package_has_one_too(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples" / "pig")
    seats = [{"name": "Ann"}, {"name": "Bob"}]
    with installed(importlib.import_module("pig").PIG):
        served = parse_contract(table.client.get("/openapi.yaml", query_string={"ruleset": "pig"}).data)
        OpenAPIV31SpecValidator(served).validate()
        event = validator(served, "Event")
        table.client.post("/v1/games", json={"ruleset": "pig", "seats": seats, "chance": "seeded"})
        (game,) = table.client.get("/v1/games").json["games"]
        table.game = game["link"]
        table.act("roll")
        for told in table.get("/events").json["events"]:
            event.validate(told)
        validator(served, "PigState").validate(table.get("/state").json["state"])
    assert set(served["components"]["schemas"]["NewEvent"]["discriminator"]["mapping"]) > {"roll", "hold", "undo"}
    assert "Fact" in served["components"]["schemas"]


def test_it_is_served_and_written_alike(table: Table) -> None:
    served = table.client.get("/openapi.yaml", query_string={"ruleset": "forbidden-island"})
    written = CliRunner().invoke(main, ["openapi", "--ruleset", "forbidden-island"])
    assert written.exit_code == 0
    assert written.stdout_bytes == served.data
    again = {"If-None-Match": served.headers["ETag"]}
    assert table.client.get("/openapi.yaml?ruleset=forbidden-island", headers=again).status_code == 304
    assert table.client.get("/openapi.yaml", headers=again).status_code == 200


def test_an_unknown_ruleset_has_none(table: Table) -> None:
    problem(table.client.get("/openapi.yaml", query_string={"ruleset": "chess"}), 404, "not-found")
    assert CliRunner().invoke(main, ["openapi", "--ruleset", "chess"]).exit_code == 2
