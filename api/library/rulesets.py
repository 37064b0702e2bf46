"""Rulesets: the games that can be recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import ANYONE, VIEWER
from api.plumbing.http import Blueprint, constant, find_ruleset, fixed_response, look
from api.plumbing.limits import SMALL
from api.plumbing.paging import by_place, next_page
from api.plumbing.problems import not_found
from engine.core import lifecycle
from engine.core.canonical import canonical
from engine.core.documents import params_schema
from engine.core.language import marked, say
from engine.kit.kernel import summary_of
from engine.kit.options import TITLES
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from exports import template
from schemas.common import Paged
from schemas.rulesets import Ruleset, RulesetList
from service.table import looks

blueprint = Blueprint(
    "rulesets", __name__, url_prefix="/v1/rulesets", description="Rulesets: the games that you can record."
)
published = Blueprint("schemas", __name__, url_prefix="/v1/schemas", description="JSON Schemas of documents.")
of_game = Blueprint(
    "game_ruleset",
    __name__,
    url_prefix="/v1/games/<string:game_id>/ruleset",
    description="The ruleset of one game, with the names of its options.",
)
_SCHEMA = "application/schema+json"
_FILE_HEADERS = ("Content-Disposition", "ETag")


_RECORDED: dict[str, str] = {
    "set_up": marked("Set up"),
    "undo": marked("Undo"),
    "amend": marked("Amend"),
    "reveal": marked("Reveal"),
    "adjust": marked("Adjust"),
    "left_out": marked("Skipped"),
    "annotate": marked("Annotate"),
    "abandon": marked("Abandon"),
    "details_changed": marked("Details changed"),
    "seat_left": marked("Player left"),
    "seat_joined": marked("Player joined"),
    "house_rule": marked("House rule"),
}
"""Event types that every game has besides its actions, with their names."""


def _in_brief(rules: AnyRuleset) -> dict[str, Any]:
    least, most = rules.players
    return {
        "id": rules.id,
        "version": rules.version,
        "name": say(rules.name),
        "players": {"min": least, "max": most},
        "link": f"/v1/rulesets/{rules.id}",
    }


def _translate_options(options: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of options, with its texts in the current language."""
    properties = {}
    for name, schema in options["properties"].items():
        properties[name] = {**schema, **{key: say(schema[key]) for key in ("title", "description") if key in schema}}
        if TITLES in schema:
            properties[name][TITLES] = {value: say(title) for value, title in schema[TITLES].items()}
    return {**options, "properties": properties}


def describe(rules: AnyRuleset) -> dict[str, Any]:
    """Convert a ruleset to its full API document."""
    record_actions = [
        {
            "type": type_,
            "title": say(title),
            "rule": lifecycle.RULE,
            "summary": say(summary_of(lifecycle.KINDS[type_])),
            "asks_chance": False,
            "any_time": False,
            "symbol": None,
            "params": params_schema(lifecycle.KINDS[type_]),
        }
        for type_, title in _RECORDED.items()
    ]
    return {
        **_in_brief(rules),
        **looks(rules),
        "versions": registry.versions(rules.id),
        "options": _translate_options(params_schema(rules.options)),
        "actions": [rules.describe_action_type(kind) for kind in rules.actions],
        "record_actions": record_actions,
        "steps": [{"id": step.id, "name": say(step.name), "rule": step.rule} for step in rules.steps],
        "facts": [rules.describe_fact(kind) for kind in rules.facts],
        "words": rules.words(),
        "titles": rules.titles(),
        "curve": None if rules.curve is None else say(rules.curve.title),
        "components": rules.components,
    }


@blueprint.route("")
class Rulesets(MethodView):
    @blueprint.operation("listRulesets", needs=ANYONE, limits=SMALL)
    @blueprint.arguments(Paged, location="query", error_status_code=400)
    @blueprint.response(200, RulesetList, headers=["ETag", "Link"])
    def get(self, query: dict[str, Any]) -> Response:
        """List rulesets

        Returns a short description of every ruleset.
        """
        found, cursor = by_place(registry.rulesets(), query)
        return fixed_response({"rulesets": list(map(_in_brief, found)), "next_cursor": cursor}, next_page(cursor))


@blueprint.route("/<string:ruleset_id>")
class OneRuleset(MethodView):
    @blueprint.operation("getRuleset", needs=ANYONE, limits=SMALL)
    @blueprint.response(200, Ruleset, headers=["ETag"])
    def get(self, ruleset_id: str) -> Response:
        """Get a ruleset

        Returns the ruleset's options and the params of its actions as JSON Schema, the version of its rules, and its
        components.
        """
        rules = find_ruleset(ruleset_id)
        return constant(("ruleset", rules.id, rules.version), lambda: msgspec.json.encode(describe(rules)))


@of_game.route("")
class GameRuleset(MethodView):
    @of_game.operation("getGameRuleset", needs=VIEWER, limits=SMALL)
    @of_game.response(200, Ruleset, headers=["ETag"])
    def get(self, game_id: str) -> Response:
        """Get the ruleset of a game

        Returns the same as `GET /v1/rulesets/{id}`, but in the game's version, and with the names, words and components
        that follow from the game's options.
        """
        header = look(game_id, {"viewer": None}).game.header
        rules = registry.of(header)
        key = ("ruleset", rules.id, rules.version, canonical(header.options))
        return constant(key, lambda: msgspec.json.encode(describe(rules)))


@published.route("/<string:name>.json")
class OneSchema(MethodView):
    @published.operation("getSchema", needs=ANYONE, limits=SMALL)
    @published.file("The schema.", {_SCHEMA: {"schema": {"type": "object"}}}, headers=["ETag"])
    def get(self, name: str) -> Response:
        """Get the JSON Schema of a document

        Returns the schema of a document that a ruleset uses as an option, such as the `box` of the ruleset `any-game`.
        """
        schema = next((found for rules in registry.rulesets() if (found := rules.schemas.get(name))), None)
        if schema is None:
            raise not_found(say("schema {name}", name=repr(name)))
        return constant(("schema", name), lambda: msgspec.json.encode(schema), _SCHEMA)


@blueprint.route("/<string:ruleset_id>/template.csv")
class CsvTemplate(MethodView):
    @blueprint.operation("getCsvTemplate", needs=ANYONE, limits=SMALL)
    @blueprint.file("The empty sheet.", {template.CSV: {"schema": {"type": "string"}}}, headers=_FILE_HEADERS)
    def get(self, ruleset_id: str) -> Response:
        """Get a sheet for a handwritten game, as CSV

        Fill in the sheet, and send it to `POST /v1/readings` or `POST /v1/imports`.
        """
        return _template(ruleset_id, "csv", f"{template.CSV}; charset=utf-8; header=absent", template.write_csv)


@blueprint.route("/<string:ruleset_id>/template.xlsx")
class XlsxTemplate(MethodView):
    @blueprint.operation("getXlsxTemplate", needs=ANYONE, limits=SMALL)
    @blueprint.file(
        "The empty sheet.",
        {template.XLSX: {"schema": {"type": "string", "contentMediaType": template.XLSX}}},
        headers=_FILE_HEADERS,
    )
    def get(self, ruleset_id: str) -> Response:
        """Get a sheet for a handwritten game, as a workbook

        In the workbook you can choose players, actions and their targets from lists. Fill it in, and send it to
        `POST /v1/readings` or `POST /v1/imports`.
        """
        return _template(ruleset_id, "xlsx", template.XLSX, template.write_xlsx)


def _template(ruleset_id: str, extension: str, content_type: str, write: Callable[[AnyRuleset], bytes]) -> Response:
    rules = find_ruleset(ruleset_id)
    answer = constant(("template", rules.id, rules.version), lambda: write(rules), content_type)
    answer.headers["Content-Disposition"] = f'attachment; filename="{rules.id}.{extension}"'
    return answer
