"""A form to fill in: an empty heading and the parts of a game's setup."""

from __future__ import annotations

from engine.core.language import speaking
from engine.kit.options import RULING, TITLES
from engine.kit.rules import AnyRules
from exports.notation import language
from exports.notation.spelling import Speller
from exports.notation.words import Names


@speaking(None)
def blank(ruleset: AnyRules) -> str:
    """Return a form to fill in: the tags that describe the game, and the prompts of its setup."""
    least = ruleset.players[0]
    names = [f"Player {number}" for number in range(1, least + 1)]
    own = language.of(ruleset)
    speller = Speller(own, Names(names))
    options = own.options["properties"]
    asked = {
        schema.get("title", name): speller.value(schema, own.options, schema["default"])
        for name, schema in options.items()
        if TITLES in schema and RULING not in schema
    }
    prompts = ruleset.setup_prompts(ruleset.parse_options({}, least), names, ())
    groups = dict.fromkeys(prompt.group for prompt in prompts)
    lines = [
        f"Game: {ruleset.name}",
        "Players: ",
        *(f"{title}: {value}" for title, value in asked.items()),
        "Date: ",
        "",
        "Set up",
        *(f"{group}: " for group in groups),
        "",
        "1. ",
    ]
    return "\n".join(lines)
