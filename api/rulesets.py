"""Rulesets: what can be recorded."""

from __future__ import annotations

from typing import Any

from flask import Response
from flask.views import MethodView

from api.http import Blueprint, answer
from api.problems import not_found
from engine import lifecycle, registry
from engine.errors import UnknownRuleset
from engine.fold import AnyRuleset
from engine.ruleset import params_schema
from schemas.reading import Ruleset, RulesetList

blueprint = Blueprint("rulesets", __name__, url_prefix="/v1/rulesets", description="What can be recorded.")


def _listed(rules: AnyRuleset) -> dict[str, Any]:
    least, most = rules.players
    return {
        "id": rules.id,
        "version": rules.version,
        "name": rules.name,
        "players": {"min": least, "max": most},
        "link": f"/v1/rulesets/{rules.id}",
    }


def describe(rules: AnyRuleset) -> dict[str, Any]:
    """A ruleset as the API tells of it, whole."""
    record_actions = [
        {
            "type": type_,
            "rule": lifecycle.RULE,
            "summary": (lifecycle.KINDS[type_].__doc__ or "").strip().split("\n", 1)[0],
            "asks_chance": False,
            "params": params_schema(lifecycle.KINDS[type_]),
        }
        for type_ in lifecycle.RECORDABLE
    ]
    return {
        **_listed(rules),
        "versions": registry.versions(rules.id),
        "options": params_schema(rules.options),
        "actions": [rules.describe_action_type(kind) for kind in rules.actions],
        "record_actions": record_actions,
        "sections": rules.sections,
        "endings": rules.endings,
        "components": rules.components,
    }


@blueprint.route("")
class Rulesets(MethodView):
    @blueprint.response(200, RulesetList)
    def get(self) -> Response:
        """What can be recorded"""
        return answer({"rulesets": [_listed(rules) for rules in registry.rulesets()]})


@blueprint.route("/<string:ruleset_id>")
class OneRuleset(MethodView):
    @blueprint.response(200, Ruleset)
    def get(self, ruleset_id: str) -> Response:
        """A ruleset, whole

        Its options and the params of every action as JSON Schema, the rules they implement, and its components.
        """
        try:
            return answer(describe(registry.ruleset(ruleset_id)))
        except UnknownRuleset as error:
            raise not_found(f"ruleset {ruleset_id!r}") from error
