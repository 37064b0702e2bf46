"""Pages for boxes: make a box without JSON, and compare the versions of each box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from flask import Blueprint, Response, make_response, render_template, url_for

from api.pages.dates import day
from api.plumbing.access import OPENER, VIEWER, caller, needs
from api.plumbing.http import store
from api.plumbing.problems import not_found
from engine.core.documents import params_schema
from engine.core.language import say
from engine.kit.options import KNOWN
from engine.kit.ruleset import AnyRuleset
from engine.play import registry
from store.library.projections import Filter

blueprint = Blueprint("boxes", __name__)

OPTION = "box"
NEWEST_GAMES = 500
"""Number of newest games whose boxes are listed."""
_NAMED = 12
"""Maximum number of names in a cell."""


class Version(msgspec.Struct):
    """A version of a box, and the games that use it."""

    title: str
    version: str
    copy: str
    """Address of the page on which users copy this version of the box."""
    contents: dict[str, str]
    """The components in words, by title."""
    games: int = 0
    played: str = ""
    """The day of the newest game."""


@blueprint.get("/boxes")
@needs(VIEWER)
def index() -> Response:
    """Show all boxes, with their versions side by side."""
    rules = _ruleset()
    found: dict[str, dict[str, Version]] = {}
    for document in _shipped_boxes(rules).values():
        _version(found, rules, document, url_for("pages.boxes.new", copy=document["id"]))
    games, _ = store().projections.find(Filter(ruleset=rules.id, game=caller().game), limit=NEWEST_GAMES)
    for game in games:
        copy = url_for("pages.boxes.new", game=game.id)
        version = _version(found, game_rules(rules, game.options), game.options[OPTION], copy)
        version.games += 1
        version.played = version.played or day(game.played_at[:10])
    boxes = {id_: [versions[one] for one in sorted(versions)] for id_, versions in found.items()}
    library = {id_: url_for("pages.library.index", q=versions[-1].title) for id_, versions in boxes.items()}
    return make_response(render_template("boxes.html", boxes=boxes, library=library))


@blueprint.get("/boxes/new")
@needs(OPENER)
def new() -> Response:
    """Show the form for a new box and its players."""
    rules = _ruleset()
    return make_response(render_template("box.html", rules=rules, shipped=_shipped_boxes(rules)))


def game_rules(rules: AnyRuleset, options: Mapping[str, Any]) -> AnyRuleset:
    """Return the ruleset with the names of a game's box."""
    named: AnyRuleset = rules.at(options)
    return named


def _ruleset() -> AnyRuleset:
    found = next((rules for rules in registry.rulesets() if OPTION in rules.schemas), None)
    if found is None:
        raise not_found(say("game with boxes"))
    return found


def _shipped_boxes(rules: AnyRuleset) -> dict[str, Any]:
    """Return the boxes that come with the ruleset, as JSON documents by id."""
    known = params_schema(rules.options)["properties"][OPTION][KNOWN]
    return {id_: _document(rules, id_) for id_ in known}


def _document(rules: AnyRuleset, id_: str) -> Any:
    seats = rules.at({OPTION: id_}).players[0]
    return msgspec.to_builtins(rules.parse_options({OPTION: id_}, seats))[OPTION]


def _version(
    found: dict[str, dict[str, Version]], rules: AnyRuleset, document: Mapping[str, Any], copy: str
) -> Version:
    """Return the entry for a version of a box. If `found` has no such entry, add it."""
    versions, number = found.setdefault(document["id"], {}), document.get("version", "1")
    if number not in versions:
        contents = dict(_contents(game_rules(rules, {OPTION: document})))
        versions[number] = Version(say(document["title"]), number, copy, contents)
    return versions[number]


def _contents(rules: AnyRuleset) -> Iterator[tuple[str, str]]:
    least, most = rules.players
    yield say("Players"), str(least) if least == most else f"{least}–{most}"
    titles = {"things": say("Things"), "places": say("Places"), "dice": say("Dice"), "meters": say("Score sheet")}
    for kind, title in titles.items():
        parts = rules.components[kind]
        names = [_amount(part) for part in parts[:_NAMED]]
        more = [say("and {count} more", count=len(parts) - _NAMED)] if len(parts) > _NAMED else []
        yield title, ", ".join([*names, *more]) or "–"


def _amount(part: Mapping[str, Any]) -> str:
    count = part.get("count", 1)
    return say(part["name"]) if count == 1 else f"{'∞' if count is None else count} × {say(part['name'])}"
