"""Analyses: the chance to win during a game, and what lowered it most."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from engine.core.values import SEAT_IDS
from schemas.common import EXAMPLE_GAME, seat_id
from schemas.jobs import Job
from schemas.members import describe, required
from schemas.named import SWING_CAUSE, SWING_UNIT, VIEWER, Choice


class WinChance(Schema):
    """An estimate of the chance to win."""

    p = required.number("The share of playouts that the computer player wins; an estimate, even if it is 0 or 1.", 0.55)
    n = required.integer("Number of playouts; 0 if the game is over, and `p` is exact.", 1000)
    low = required.number("The lower end of the 95 % interval.", 0.52)
    high = required.number("The upper end of the 95 % interval.", 0.58)


def _chance(description: str) -> fields.Nested:
    return required.nested_field(WinChance, description)


class SwingPoint(Schema):
    """The chance to win at the start of a turn, or at the end of the record."""

    seq = required.integer("The `seq` of the last event before this point.", 17)
    turn = required.integer("The turn, or the round: see `unit` of the analysis.", 3)
    value = _chance("The chance to win; if players compete, the chance of the first side.")
    sides = required.each(WinChance, "The chance of each side, in the order of `sides` of the analysis.")
    draw = required.nested_field(
        WinChance, "The chance that no side wins; null if all win or lose together.", allow_none=True
    )


class Swing(Schema):
    """The change of the chance to win at an event: the sum of `luck`, `skill` and `other`."""

    seq = required.integer("The `seq` of the event.", 17)
    turn = required.integer("The turn or round of the event.", 3)
    side = required.integer("The index in `sides` of the acting side. The chances are those of this side.", 0)
    before = _chance("The chance before the event.")
    after = _chance("The chance after the event.")
    luck = required.number("The part that the result of a draw or roll caused.", -0.3)
    skill = required.number("The part that the choice of the action caused.", 0.0)
    other = required.number("The part that a slip or a correction caused.", 0.0)


class SwingChoice(Schema):
    """An action that was possible, with the chance to win after it."""

    label = required.text("The action in words.", "Shore up Fools' Landing")
    type = required.text("The type of the action.", "shore_up")
    actor = seat_id("The seat that takes the action.", required=True)
    params = fields.Dict(
        keys=fields.String(), required=True, metadata=describe("The params of the action.", {"tile": "fools_landing"})
    )
    value = _chance("The chance to win after this action.")
    is_recorded = required.flag("True if this is the recorded action.")


class SwingMark(Schema):
    """An event that cost much of the chance to win."""

    seq = required.integer("The `seq` of the event.", 17)
    turn = required.integer("The turn or round of the event.", 3)
    side = required.integer("The index in `sides` of the side that lost most at the event.", 0)
    cause = required.choice(SWING_CAUSE, "The cause of the change.", "luck")
    before = _chance("The chance before the result or the choice.")
    after = _chance("The chance after the result or the choice.")
    cost = required.number("The change of the chance: negative.", -0.3)
    message = required.text("A sentence to show to people.", "Fools' Landing floods: 55 % → 25 %")
    choices = required.each(SwingChoice, "If the choice was costly: better actions and the recorded one, best first.")


_VIEWER = describe("A seat, or `public`.", "p2")
_SHOWN_TO = describe(
    "The other viewers whom the seat's player allows to see the skill: seats, or `public` for everyone.",
    ["p2"],
)


class Skill(Schema):
    """The total skill of a seat's choices, in the turns in which the chance to win dropped most."""

    seat = seat_id("The seat.", required=True)
    choices = required.integer("Number of the seat's choices in the analysed turns.", 9)
    skill = required.number("The change of the chance to win that these choices caused.", -0.13)
    low = required.number("The lower end of the 95 % interval.", -0.2)
    high = required.number("The upper end of the 95 % interval.", -0.06)
    shown_to = fields.List(Choice(VIEWER, metadata=_VIEWER), required=True, metadata=_SHOWN_TO)
    may_show = required.flag("True if the caller can change `shown_to`.")


class SkillViewers(Schema):
    """The viewers of a seat's skill."""

    shown_to = fields.List(
        Choice(VIEWER, metadata=_VIEWER),
        required=True,
        validate=validate.Length(max=len(SEAT_IDS) + 1),
        metadata=_SHOWN_TO,
    )


class Analysis(Job):
    """The job of the last request, and the latest completed analysis."""

    game = required.text("The game's id.", EXAMPLE_GAME)
    player = required.text("The computer player; null before the first result.", "Keen", allow_none=True)
    player_version = required.text("Its version.", "1", allow_none=True)
    version = required.integer("Number of analysed events; null before the first result.", 120, allow_none=True)
    stale_from = required.integer(
        "The first event that was added or changed since the analysis; null if there is none.", 118, allow_none=True
    )
    unit = required.choice(
        SWING_UNIT, "The unit of each `turn`; null before the first result.", "turn", allow_none=True
    )
    sides = fields.List(
        fields.List(fields.String()),
        required=True,
        metadata=describe("The seats of each side: one side if all win or lose together.", [["p1", "p2"]]),
    )
    points = required.each(SwingPoint, "The chance to win during the game: one point for each turn or round.")
    events = required.each(Swing, "The events of the turns with the greatest drops.")
    marks = required.each(SwingMark, "The costliest events, at most five, in the order of play.")
    skills = required.each(
        Skill, "The skill of the caller's own seat, and of seats whose players allow the caller to see it."
    )
