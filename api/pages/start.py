"""Pages to start a game: ruleset, players, options and setup."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request
from werkzeug import Response as AnyResponse

import drawing
from api.pages.record import sprite
from api.plumbing.access import OPENER, RECORDER, VIEWER, needs
from api.plumbing.hosts import phone_url
from api.plumbing.http import constant, find_ruleset, store
from drawing import POLICY
from engine.core.documents import params_schema
from engine.core.language import say
from engine.core.values import SEAT_IDS
from engine.kit.chance import Seeded
from engine.kit.options import KNOWN, RULING, TITLES
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from exports import notation
from schemas.named import MODE
from service.chance import setup_document
from service.late import late_plan

blueprint = Blueprint("start", __name__)

PICTURED = "a table to look at"
"""The seed for the pictures of games."""
PLAYERS = ("Ann", "Bob", "Cyd", "Dee")
_BUTTONS = 4
"""Maximum number of choices shown as buttons; more become a select element."""


class FormOption(msgspec.Struct, frozen=True):
    """An option in the form."""

    name: str
    title: str
    description: str | None
    schema: dict[str, Any]
    """The JSON Schema of the option's value."""
    values: list[tuple[str, str]]
    """The possible values as JSON, each with its label. For an option that names a seat: the seats, by number.

    Empty for a text or a number.
    """
    default: str
    """The default as JSON."""
    is_seat: bool
    is_ruling: bool

    @property
    def kind(self) -> Literal["text", "number", "list", "buttons"]:
        """The form control for the option."""
        if not self.values:
            return "text" if self.schema["type"] == "string" else "number"
        is_list = self.is_seat or self.is_ruling or len(self.values) > _BUTTONS
        return "list" if is_list else "buttons"


@blueprint.get("/start")
@needs(OPENER)
def index() -> Response:
    """Show the rulesets to choose from."""
    games = sorted(registry.rulesets(), key=lambda rules: rules.name)
    return make_response(render_template("start.html", games=games))


@blueprint.get("/start/<ruleset_id>/picture.svg")
@needs(VIEWER)
def picture(ruleset_id: str) -> Response:
    """Show a picture of a ruleset's setup."""
    rules = find_ruleset(ruleset_id)

    def draw() -> bytes:
        seats, chance = rules.players[0], Seeded(PICTURED)
        chance.begin(2, ())
        state = rules.setup(rules.parse_options({}, seats), seats, chance)
        return drawing.svg(rules.board(state, PLAYERS[:seats]), layout="board")

    answer = constant(("picture", rules.id, rules.version, drawing.VERSION), draw, "image/svg+xml")
    answer.headers["Content-Security-Policy"] = POLICY
    return answer


@blueprint.get("/start/paper")
@needs(OPENER)
def paper() -> Response:
    """Show the page on which to type in a game that was recorded on paper."""
    games = sorted(registry.rulesets(), key=lambda rules: rules.name)
    forms = [(rules.id, rules.name, notation.blank(rules)) for rules in games]
    return make_response(render_template("paper.html", forms=forms, media_type=notation.KIND.media_type))


@blueprint.get("/start/<ruleset_id>")
@needs(OPENER)
def table(ruleset_id: str) -> Response:
    """Show the form for players and options."""
    rules = find_ruleset(ruleset_id)
    choices, others = choices_of(rules)
    home = phone_url(current_app.config["SETTINGS"])
    can_be_late = rules.late_page(rules.parse_options({}, rules.players[0]), PLAYERS[: rules.players[0]]) is not None
    page = render_template(
        "table.html",
        rules=rules,
        choices=choices,
        others=others,
        modes=MODE.words,
        home=home,
        can_be_late=can_be_late,
    )
    return make_response(page)


@blueprint.get("/games/<game_id>/setup")
@needs(RECORDER)
def setup(game_id: str) -> AnyResponse:
    """Show the setup of the table: in pictures if the ruleset has them, or as a list with `?list`.

    With `?mid-game`, show the page for a game that is already under way.
    """
    game = store().games.latest(game_id)
    if game.status != "setup":
        return redirect(f"/games/{game_id}/record")
    rules, names = game.ruleset, game.header.names
    options = rules.parse_options(game.header.options, len(names))
    is_late = "mid-game" in request.args
    shown = rules.late_page(options, names) if is_late else rules.setup_page(options, names)
    if shown is None or "list" in request.args:
        return make_response(render_template("setup.html", game_id=game_id, game=game))
    pictures = drawing.pictures(shown.pictures, shown.backdrop).decode()
    page = msgspec.to_builtins(msgspec.structs.replace(shown, pictures={}))
    plan = late_plan(rules, shown) if is_late else setup_document(rules, options, names, ())
    parts = {"page": page, "plan": plan, "pictures": pictures}
    parts["photo_entry"] = current_app.config["SETTINGS"].photo_entry
    return make_response(render_template("pictured.html", game_id=game_id, game=game, **parts, **sprite()))


def choices_of(rules: AnyRuleset) -> tuple[list[FormOption], list[str]]:
    """Return the options with form controls, and the names of all other options, which are entered as JSON."""
    choices: list[FormOption] = []
    others: list[str] = []
    for name, schema in params_schema(rules.options)["properties"].items():
        kind = _plain(schema)
        if KNOWN in schema:
            choices.append(_known_choice(name, schema))
            continue
        values = schema.get("enum", [True, False] if kind.get("type") == "boolean" else [])
        if not values and kind.get("type") not in ("string", "integer"):
            others.append(name)
            continue
        is_seat = bool(values) and set(values) <= set(SEAT_IDS)
        titles: dict[str, str] = schema.get(TITLES, {})
        # The JSON Schema lists the choices in alphabetical order; keep the order of the titles instead.
        by_key = {value if isinstance(value, str) else str(value).lower(): value for value in values}
        listed = [(_json(by_key[key]), say(titles.get(key, key))) for key in (titles or by_key)]
        choices.append(
            FormOption(
                name=name,
                title=say(schema.get("title", name.replace("_", " ").capitalize())),
                description=say(schema["description"]) if "description" in schema else None,
                schema=kind,
                values=listed,
                default=_json(schema["default"]),
                is_seat=is_seat,
                is_ruling=bool(schema.get(RULING)),
            )
        )
    return choices, others


def _known_choice(name: str, schema: dict[str, Any]) -> FormOption:
    """Return an option whose choices are the documents that come with the ruleset."""
    return FormOption(
        name=name,
        title=say(schema["title"]),
        description=None,
        schema={"type": "string"},
        values=[(_json(known), say(title)) for known, title in schema[KNOWN].items()],
        default=_json(schema["default"]["id"]),
        is_seat=False,
        is_ruling=False,
    )


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an option's value without the alternative null."""
    kinds = [one for one in schema.get("anyOf", [schema]) if one.get("type") != "null"]
    return kinds[0] if len(kinds) == 1 else {}


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()
