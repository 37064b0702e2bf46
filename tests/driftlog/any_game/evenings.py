"""Random games with the shipped boxes, with listed actions and others in range."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
from jsonschema import Draft202012Validator

from driftlog.any_game import ANY_GAME
from driftlog.any_game.ruleset import SHIPPED
from engine.core.events import Draft
from engine.core.values import SEAT_IDS
from engine.kit.chance import Sampled
from engine.kit.ruleset import Action

BOXES = tuple(SHIPPED)
NAMES = ("Ada", "Bo", "Cleo", "Dov", "Eli", "Fay", "Gus", "Hal")


def seats_of(box: str) -> int:
    """Return a usual number of players."""
    return min(4, SHIPPED[box].players[1])


def evening(box: str, length: int, seed: int = 0, seats: int | None = None) -> Iterator[Draft]:
    """Yield the events of a game after its opening: the setup, `length` actions, and the end."""
    rng = random.Random(f"{box} {seed}")
    rules, seats = ANY_GAME.at({"box": box}), seats or seats_of(box)
    chance = Sampled(rng)
    chance.begin(2, ())
    state = rules.setup(rules.parse_options({"box": box}, seats), seats, chance)
    yield Draft(type="set_up", outcomes=chance.finish())
    for number in range(length + 1):
        action, seat = (end_of(state), 0) if number == length else choice(rules, state, rng)
        chance.begin(3, ())
        state = action.apply(state, seat, chance)
        params = msgspec.to_builtins(action)
        yield Draft(type=action.type, actor=SEAT_IDS[seat], params=params, outcomes=chance.finish())


def choice(rules: Any, state: Any, rng: random.Random) -> tuple[Action[Any], int]:
    """Return a listed action, or another one in range."""
    legal = [one for one in rules.legal_actions(state) if one.action.type != "end_game"]
    ranges = [one for one in rules.legal_ranges(state) if one.kind.type != "end_game"]
    if rng.random() < 0.4:
        listed = rng.choice(legal)
        return listed.action, listed.seat
    one = rng.choice(ranges)
    return rules.parse(one.kind.type, fitting(one.params, rng)), rng.choice(one.seats)


def fitting(schema: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return random params that fit the schema of a range."""
    branch = rng.choice(schema.get("anyOf", [{}])).get("properties", {})
    parts = {name: {**part, **branch.get(name, {})} for name, part in schema["properties"].items()}
    while True:
        names = [name for name in parts if name in schema["required"] or rng.random() < 0.6]
        found = {name: _guess(parts[name], rng) for name in names}
        if Draft202012Validator(schema).is_valid(found):
            return found


def _guess(part: dict[str, Any], rng: random.Random) -> Any:
    if "const" in part:
        return part["const"]
    if "enum" in part:
        return rng.choice(part["enum"])
    if "anyOf" in part:
        return _guess(rng.choice(part["anyOf"]), rng)
    kind = part["type"] if isinstance(part["type"], str) else rng.choice(part["type"])
    match kind:
        case "integer":
            least, most = part.get("minimum", -9), part.get("maximum", 9)
            return rng.randint(max(least, -9), min(most, 9))
        case "array":
            values = part.get("items", {}).get("enum", [])
            return sorted(rng.sample(values, rng.randint(0, len(values))), key=str)
        case "boolean":
            return rng.random() < 0.5
        case _:
            return None


def end_of(state: Any) -> Action[Any]:
    """Return the end of the game."""
    return ANY_GAME.parse("end_game", {})
