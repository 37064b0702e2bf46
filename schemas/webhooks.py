"""Webhooks: receivers of events, and their deliveries."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, List, cursor, describe_deprecated, limit, next_cursor
from schemas.events import Event
from schemas.jobs import Job
from schemas.members import describe, optional, required
from schemas.named import DELIVERY_STATUS, WEBHOOK_FORMAT, WEBHOOK_STATUS, Choice

EXAMPLE_WEBHOOK = "01kaj5x9f3q8w7e2r4t6y8u0pz"
_EXAMPLE_DELIVERY = f"{EXAMPLE_GAME}-42"
_URL = describe("The address to which events are sent: `https://` or `http://`.", "https://table.example.org/driftlog")
_EVENTS = describe('The types of events to send; `"*"` for all of them.', ["game_opened", "game_closed"])
_GAME = describe(
    "The id of the only game whose events are sent. Without it, the webhook is for all games that "
    "its token can access.",
    EXAMPLE_GAME,
)
_RULESET = describe(
    "The id of the only ruleset whose games' events are sent. Without it, the webhook is for all rulesets.",
    "forbidden-island",
)

_FORMAT = describe("The format of a message.", "game_event")


class NewWebhook(Schema):
    """Parameters of a new webhook."""

    url = fields.String(required=True, validate=validate.Length(1, 2048), metadata=_URL)
    events = List(
        fields.String(
            validate=validate.Regexp(
                r"^(\*|[a-z][a-z0-9_]{0,63})$(?!\n)", error="Must be an event type, or `*` for all types."
            )
        ),
        required=True,
        validate=validate.Length(1, 100),
        metadata=_EVENTS,
    )
    game = fields.String(validate=validate.Length(1, 64), metadata=_GAME)
    ruleset = fields.String(validate=validate.Length(1, 64), metadata=_RULESET)
    format = Choice(WEBHOOK_FORMAT, load_default="game_event", metadata=_FORMAT)


class Webhook(Schema):
    """A webhook, without its secret."""

    id = required.text("The id of the webhook.", EXAMPLE_WEBHOOK)
    url = fields.String(required=True, metadata=_URL)
    events = fields.List(fields.String(), required=True, metadata=_EVENTS)
    game = fields.String(required=True, allow_none=True, metadata=_GAME)
    ruleset = fields.String(required=True, allow_none=True, metadata=_RULESET)
    format = Choice(WEBHOOK_FORMAT, required=True, metadata=_FORMAT)
    status = required.choice(WEBHOOK_STATUS, "The status of the webhook.", "active")
    failing_since = required.text(
        "The time since which nothing is sent; null while the webhook is active.", allow_none=True
    )
    reached_at = required.text(
        "The time at which the receiver last accepted a message; null if it never has.", EXAMPLE_TIME, allow_none=True
    )
    created_at = required.text("The time of creation.", EXAMPLE_TIME)
    made_by = required.text(
        "The id of the token that created the webhook, which ends with it; null if the service was open.",
        EXAMPLE_WEBHOOK,
        allow_none=True,
    )


class CreatedWebhook(Webhook):
    """A webhook with its secret, which only this response contains."""

    secret = required.text(
        "The secret with which messages are signed (Standard Webhooks).",
        "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfTDnmeBFs=",
    )


class WebhookList(Schema):
    """A page of the webhooks that the caller may remove, newest first."""

    webhooks = required.each(Webhook, "The webhooks of this page.")
    next_cursor = next_cursor()


class EventsGame(Schema):
    """The game of an event."""

    id = required.text("The game's id.", EXAMPLE_GAME)
    ruleset = required.text("The id of the game's ruleset.", "forbidden-island")
    link = required.text("The address of the game.", f"/v1/games/{EXAMPLE_GAME}")


class LibraryEventData(Schema):
    """An event with its game."""

    game = required.nested_field(EventsGame, "The game of the event.")
    event = required.nested_field(Event, "The event, as the public could see it when it was recorded.")


class LibraryEvent(Schema):
    """A message about an event: the body sent to a webhook, and the `data` in the library's stream."""

    type = required.text("The name of the format.", "game.event", validate=validate.Equal("game.event"))
    timestamp = required.text("The time of recording.", EXAMPLE_TIME)
    data = required.nested_field(LibraryEventData, "The event and its game.")


class WebhookQuery(Schema):
    """Parameters of a page of webhooks."""

    limit = limit(50, most=200)
    cursor = optional.text(
        "The `next_cursor` of the previous page.",
        validate=validate.Regexp(
            r"^[0-9a-hjkmnp-tv-z]{26}$(?!\n)",
            error="This cursor does not belong to this list. Use the `next_cursor` of the previous page.",
        ),
    )


class Delivery(Schema):
    """A delivery of one event, as of its last attempt."""

    id = required.text("The `webhook-id` of the message.", _EXAMPLE_DELIVERY)
    game = required.text("The id of the event's game.", EXAMPLE_GAME)
    seq = required.integer("The event's `seq`.", 42)
    type = required.text("The event's type.", "shore_up")
    status = required.choice(DELIVERY_STATUS, "The status of the delivery.", "delivered")
    attempts = required.integer("Number of attempts so far.", 1)
    tried_at = required.text("The time of the last attempt.", EXAMPLE_TIME)
    next_at = required.text("The time of the next attempt; null if there is none.", allow_none=True)
    answered = required.integer("The HTTP status of the response; null if there was no response.", 204, allow_none=True)
    answer = required.text(
        "The beginning of the response's body; null if there was no response.", "thank you", allow_none=True
    )
    error = required.text(
        "The reason why there was no response; null if there was one.", "no answer within 10 seconds", allow_none=True
    )


class DeliveryList(Schema):
    """The deliveries with the latest attempts, newest first."""

    deliveries = required.each(Delivery, "The deliveries of this page.")
    next_cursor = next_cursor()


class DeliveryQuery(Schema):
    """Parameters of a page of deliveries."""

    limit = limit(50, most=200)
    cursor = cursor()


class Retried(Job):
    """An event that was queued for another delivery."""

    id = required.text("The `webhook-id` of the message.", _EXAMPLE_DELIVERY)
    kind = required.text("Always `delivery`.", "delivery")
    status = Choice(
        DELIVERY_STATUS,
        required=True,
        metadata=describe_deprecated(
            "Always `waiting`. A later version will return `queued`, as for other jobs.", "waiting"
        ),
    )
