"""Starting a table: which game, who plays and by which rules, and what lies on the table."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response, make_response, redirect, render_template
from werkzeug import Response as AnyResponse

from api.http import store
from api.problems import not_found
from engine import registry
from engine.errors import UnknownRuleset
from engine.events import SEAT_IDS
from engine.fold import AnyRuleset
from engine.ruleset import params_schema
from engine.table import RULING, TITLES
from schemas.games import MODES

blueprint = Blueprint("start", __name__)

_BUTTONS = 4
"""More choices than that are a list to open."""


class Choice(msgspec.Struct, frozen=True):
    """An option as the form asks for it."""

    name: str
    title: str
    description: str | None
    values: list[tuple[str, str]]
    """Each as JSON, with what it is called; of an option that names a seat the values are seats, by number."""
    default: str
    """As JSON."""
    is_seat: bool
    is_ruling: bool

    @property
    def is_list(self) -> bool:
        """Whether it is a list to open, rather than buttons."""
        return self.is_seat or self.is_ruling or len(self.values) > _BUTTONS


@blueprint.get("/start")
def index() -> Response:
    """Which game?"""
    games = sorted(registry.rulesets(), key=lambda rules: rules.name)
    return make_response(render_template("start.html", games=games))


@blueprint.get("/start/<ruleset_id>")
def table(ruleset_id: str) -> Response:
    """Who plays, and by which rules?"""
    rules = ruleset_of(ruleset_id)
    choices, others = choices_of(rules)
    page = render_template("table.html", rules=rules, choices=choices, others=others, modes=MODES)
    return make_response(page)


@blueprint.get("/games/<game_id>/setup")
def setup(game_id: str) -> AnyResponse:
    """What lies on the table?"""
    game = store().games.latest(game_id)
    if game.status != "setup":
        return redirect(f"/games/{game_id}/record")
    return make_response(render_template("setup.html", game_id=game_id, game=game))


def ruleset_of(ruleset_id: str) -> AnyRuleset:
    """The ruleset with that id.

    Raises:
        Problem: there is none.
    """
    try:
        return registry.ruleset(ruleset_id)
    except UnknownRuleset as error:
        raise not_found(f"ruleset {ruleset_id!r}") from error


def choices_of(rules: AnyRuleset) -> tuple[list[Choice], list[str]]:
    """The options that a form can ask for, and the names of the others, which take JSON."""
    choices: list[Choice] = []
    others: list[str] = []
    for name, schema in params_schema(rules.options)["properties"].items():
        values = schema.get("enum", [True, False] if schema.get("type") == "boolean" else None)
        if values is None:
            others.append(name)
            continue
        is_seat = set(values) <= set(SEAT_IDS)
        titles: dict[str, str] = schema.get(TITLES, {})
        # In the order of the titles: JSON Schema's own is that of the alphabet.
        by_key = {value if isinstance(value, str) else str(value).lower(): value for value in values}
        listed = [(_json(by_key[key]), titles.get(key, key)) for key in (titles or by_key)]
        choices.append(
            Choice(
                name=name,
                title=schema.get("title", name.replace("_", " ").capitalize()),
                description=schema.get("description"),
                values=listed,
                default=_json(schema["default"]),
                is_seat=is_seat,
                is_ruling=bool(schema.get(RULING)),
            )
        )
    return choices, others


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
