"""Rulesets: what can be recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from flask import Response
from flask.views import MethodView

from api.plumbing.access import ANYONE
from api.plumbing.http import Blueprint, constant
from api.plumbing.limits import SMALL
from api.plumbing.problems import not_found
from engine.core import lifecycle
from engine.core.documents import params_schema
from engine.core.errors import UnknownRuleset
from engine.core.language import marked, say
from engine.kit.kernel import summary_of
from engine.kit.options import TITLES
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from exports import template
from schemas.rulesets import Ruleset, RulesetList

blueprint = Blueprint("rulesets", __name__, url_prefix="/v1/rulesets", description="What can be recorded.")
_FILE_HEADERS = ("Content-Disposition", "ETag")


_RECORDED: dict[str, str] = {
    "set_up": marked("Set up"),
    "undo": marked("Undo"),
    "amend": marked("Amend"),
    "reveal": marked("Reveal"),
    "adjust": marked("Adjust"),
    "left_out": marked("Left out"),
    "annotate": marked("Annotate"),
    "abandon": marked("Abandon"),
}
"""What is recorded of any game besides its actions, and what it is called."""


def _in_brief(rules: AnyRuleset) -> dict[str, Any]:
    least, most = rules.players
    return {
        "id": rules.id,
        "version": rules.version,
        "name": say(rules.name),
        "players": {"min": least, "max": most},
        "link": f"/v1/rulesets/{rules.id}",
    }


def _said(options: dict[str, Any]) -> dict[str, Any]:
    """The JSON Schema of options, with what a player reads of each in the language that is spoken."""
    properties = {}
    for name, schema in options["properties"].items():
        properties[name] = {**schema, **{key: say(schema[key]) for key in ("title", "description") if key in schema}}
        if TITLES in schema:
            properties[name][TITLES] = {value: say(title) for value, title in schema[TITLES].items()}
    return {**options, "properties": properties}


def describe(rules: AnyRuleset) -> dict[str, Any]:
    """A ruleset as the API tells of it, whole."""
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
        "versions": registry.versions(rules.id),
        "options": _said(params_schema(rules.options)),
        "actions": [rules.describe_action_type(kind) for kind in rules.actions],
        "record_actions": record_actions,
        "steps": [{"id": step.id, "name": say(step.name), "rule": step.rule} for step in rules.steps],
        "facts": [rules.describe_fact(kind) for kind in rules.facts],
        "words": rules.words(),
        "titles": rules.titles(),
        "phases": {phase: say(name) for phase, name in rules.phases.items()},
        "faces": {name: msgspec.to_builtins(layout) for name, layout in rules.faces.items()},
        "sections": rules.sections,
        "endings": {reason: say(sentence) for reason, sentence in rules.endings.items()},
        "curve": None if rules.curve is None else say(rules.curve.title),
        "components": rules.components,
    }


@blueprint.route("")
class Rulesets(MethodView):
    """All rulesets."""

    @blueprint.operation("listRulesets", needs=ANYONE, limits=SMALL)
    @blueprint.response(200, RulesetList, headers=["ETag"])
    def get(self) -> Response:
        """What can be recorded

        Every ruleset in brief.
        """
        rulesets = registry.rulesets()
        return constant("rulesets", lambda: msgspec.json.encode({"rulesets": [_in_brief(rules) for rules in rulesets]}))


@blueprint.route("/<string:ruleset_id>")
class OneRuleset(MethodView):
    """One ruleset."""

    @blueprint.operation("getRuleset", needs=ANYONE, limits=SMALL)
    @blueprint.response(200, Ruleset, headers=["ETag"])
    def get(self, ruleset_id: str) -> Response:
        """A ruleset, whole

        Its options and the params of every action as JSON Schema, the rules they implement, and its components.
        """
        rules = _ruleset(ruleset_id)
        return constant(("ruleset", rules.id, rules.version), lambda: msgspec.json.encode(describe(rules)))


@blueprint.route("/<string:ruleset_id>/template.csv")
class CsvTemplate(MethodView):
    """A sheet to write a game in, as CSV."""

    @blueprint.operation("getCsvTemplate", needs=ANYONE, limits=SMALL)
    @blueprint.file("The sheet.", {template.CSV: {"schema": {"type": "string"}}}, headers=_FILE_HEADERS)
    def get(self, ruleset_id: str) -> Response:
        """A sheet to write a game in, as CSV

        Filled in, it is read by `POST /v1/readings` and `POST /v1/imports`.
        """
        return _template(ruleset_id, "csv", f"{template.CSV}; charset=utf-8; header=absent", template.write_csv)


@blueprint.route("/<string:ruleset_id>/template.xlsx")
class XlsxTemplate(MethodView):
    """The same as a workbook."""

    @blueprint.operation("getXlsxTemplate", needs=ANYONE, limits=SMALL)
    @blueprint.file(
        "The sheet.",
        {template.XLSX: {"schema": {"type": "string", "contentMediaType": template.XLSX}}},
        headers=_FILE_HEADERS,
    )
    def get(self, ruleset_id: str) -> Response:
        """A sheet to write a game in, as a workbook

        With lists to choose from: the players, the actions, what they are done to. Filled in, it is read as the CSV is.
        """
        return _template(ruleset_id, "xlsx", template.XLSX, template.write_xlsx)


def _template(ruleset_id: str, extension: str, content_type: str, write: Callable[[AnyRuleset], bytes]) -> Response:
    rules = _ruleset(ruleset_id)
    answer = constant(("template", rules.id, rules.version), lambda: write(rules), content_type)
    answer.headers["Content-Disposition"] = f'attachment; filename="{rules.id}.{extension}"'
    return answer


def _ruleset(ruleset_id: str) -> AnyRuleset:
    try:
        return registry.ruleset(ruleset_id)
    except UnknownRuleset as error:
        raise not_found(say("ruleset {name}", name=repr(ruleset_id))) from error
