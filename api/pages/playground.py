"""The playground for authors: play a ruleset without a record. The address of the page contains the whole game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any

import msgspec
from flask import Blueprint, Response, make_response, render_template, request, url_for
from markupsafe import Markup

import drawing
from api.pages.asking import parameters
from api.plumbing.access import VIEWER, needs
from api.plumbing.http import find_ruleset
from engine.core import effort
from engine.core.language import say
from engine.core.values import State, Value, fraction
from engine.kit.chance import Sampled, Stream
from engine.kit.kernel import LegalAction
from engine.kit.ruleset import AnyRuleset

blueprint = Blueprint("playground", __name__)

NAMES = ("Ann", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal")
MOST_STEPS = 200
MOST_ACTIONS = 300
"""Maximum number of legal actions that are listed."""
_SEEDS = 10**9


class PlaygroundStep(msgspec.Struct, frozen=True):
    """A step of the game."""

    text: str
    address: str
    """The address of the game until this step."""


class PlaygroundChoice(msgspec.Struct, frozen=True):
    """A legal action."""

    player: str
    label: str
    address: str
    results: list[tuple[str, str, str]]
    """The possible results of the first draw or roll: label, probability, and the address of the game after it."""


class _Chance(Sampled):
    """A source of random draws. The caller can choose the first result of an action by its index among the options."""

    chosen: int | None = None

    def _index(self, size: int) -> int:
        chosen, self.chosen = self.chosen, None
        return super()._index(size) if chosen is None or chosen >= size else chosen


@blueprint.get("/rulesets/<ruleset_id>/play")
@needs(VIEWER)
def play(ruleset_id: str) -> Response:
    """Show a game in the playground: its state, its legal actions with their odds, and its steps."""
    rules = find_ruleset(ruleset_id)
    asked = parameters(("seats", "seed"))
    least, most = rules.players
    seats = min(max(_whole(asked["seats"]), least), most)
    seed = _whole(asked["seed"]) % _SEEDS
    address = _Addresses(ruleset_id, seats, seed)
    names, chance = NAMES[:seats], _Chance(Stream(seed))
    chance.begin(2, ())
    state = rules.setup(rules.parse_options({}, seats), seats, chance)
    steps, taken = [PlaygroundStep(say("Setup"), address(""))], ""
    for given in filter(None, request.args.get("steps", "").split(",")[:MOST_STEPS]):
        number, _, result = given.partition(".")
        legal = next(islice(_legal(rules, state), _whole(number), None), None)
        if legal is None:
            break
        chance.begin(2, ())
        chance.chosen = _whole(result) if result else None
        after = legal.action.apply(state, legal.seat, chance)
        taken += f",{given}" if taken else given
        text = legal.action.describe(state, legal.seat, [one for one in chance.finish() if one is not None], names)
        steps.append(PlaygroundStep(text, address(taken)))
        state = after
    left = list(islice(_legal(rules, state), MOST_ACTIONS)) if len(steps) <= MOST_STEPS else []
    page = render_template(
        "playground.html",
        rules=rules,
        seats=seats,
        seed=seed,
        steps=steps,
        choices=[
            _choice(rules, state, one, names, partial(address, f"{taken},{at}" if taken else str(at)))
            for at, one in enumerate(left)
        ],
        # The renderer escapes all texts.
        picture=Markup(drawing.svg(rules.board(state, names), layout="tall").decode()),  # noqa: S704
        document=rules.to_document(state),
        ending=None if state.outcome is None else rules.ending(state.outcome.reason),
    )
    return make_response(page)


class _Addresses:
    def __init__(self, ruleset: str, seats: int, seed: int) -> None:
        self._setup: dict[str, Any] = {"ruleset_id": ruleset, "seats": seats, "seed": seed}

    def __call__(self, steps: str, result: str = "") -> str:
        return url_for("pages.playground.play", **self._setup, steps=steps + result or None)


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


def _legal(rules: AnyRuleset, state: State) -> Iterator[LegalAction[Any]]:
    if state.outcome is None:
        for one in rules.legal_actions(state):
            effort.spend(1)
            yield one


def _choice(
    rules: AnyRuleset, state: State, legal: LegalAction[Any], names: tuple[str, ...], address: Callable[[str], str]
) -> PlaygroundChoice:
    """Return a legal action with its odds.

    Args:
        address: the address of the game after the action, with a suffix for its result.
    """
    point = rules.chance_point(state, legal)
    odds: dict[Value, Fraction] = {} if point is None else point.probabilities()
    options = () if point is None else point.options
    results = [
        (rules.value_label(value), fraction(p), address(f".{options.index(value)}")) for value, p in odds.items()
    ]
    return PlaygroundChoice(names[legal.seat], legal.action.label(state, names), address(""), results)
