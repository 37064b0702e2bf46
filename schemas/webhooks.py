"""Webhooks: receivers of events, and their deliveries."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import EXAMPLE_GAME, EXAMPLE_TIME, List, cursor, deprecated, described, limit, next_cursor
from schemas.events import Event
from schemas.jobs import Job
from schemas.named import DELIVERY_STATUS, WEBHOOK_FORMAT, WEBHOOK_STATUS, Choice

EXAMPLE_WEBHOOK = "01kaj5x9f3q8w7e2r4t6y8u0pz"
_EXAMPLE_DELIVERY = f"{EXAMPLE_GAME}-42"
_URL = described("Where events are sent to: `https://` or `http://`.", "https://table.example.org/driftlog")
_EVENTS = described('Types of events, or `"*"` for all of them.', ["game_opened", "game_closed"])
_GAME = described("The only game whose events are sent (default: all that the token is for).", EXAMPLE_GAME)
_RULESET = described("The only ruleset whose games' events are sent (default: all).", "forbidden-island")

_FORMAT = described("How an event is sent.", "game_event")


class NewWebhook(Schema):
    """Parameters of a new webhook."""

    url = fields.String(required=True, validate=validate.Length(1, 2048), metadata=_URL)
    events = List(
        fields.String(validate=validate.Regexp(r"^(\*|[a-z][a-z0-9_]{0,63})$(?!\n)", error="No type of events.")),
        required=True,
        validate=validate.Length(1, 100),
        metadata=_EVENTS,
    )
    game = fields.String(validate=validate.Length(1, 64), metadata=_GAME)
    ruleset = fields.String(validate=validate.Length(1, 64), metadata=_RULESET)
    format = Choice(WEBHOOK_FORMAT, load_default="game_event", metadata=_FORMAT)


class Webhook(Schema):
    """A webhook, without its secret."""

    id = fields.String(required=True, metadata=described("By which it is found.", EXAMPLE_WEBHOOK))
    url = fields.String(required=True, metadata=_URL)
    events = fields.List(fields.String(), required=True, metadata=_EVENTS)
    game = fields.String(required=True, allow_none=True, metadata=_GAME)
    ruleset = fields.String(required=True, allow_none=True, metadata=_RULESET)
    format = Choice(WEBHOOK_FORMAT, required=True, metadata=_FORMAT)
    status = Choice(WEBHOOK_STATUS, required=True, metadata=described("How it goes with it.", "active"))
    failing_since = fields.String(
        required=True, allow_none=True, metadata=described("Since when nothing is sent; null while it is.")
    )
    reached_at = fields.String(
        required=True, allow_none=True, metadata=described("When its receiver took something last.", EXAMPLE_TIME)
    )
    created_at = fields.String(required=True, metadata=described("When it was made.", EXAMPLE_TIME))
    made_by = fields.String(
        required=True,
        allow_none=True,
        metadata=described("The token that made it, with which it ends; null: the service was open.", EXAMPLE_WEBHOOK),
    )


class MadeWebhook(Webhook):
    """A webhook with its secret, which only this response contains."""

    secret = fields.String(
        required=True,
        metadata=described(
            "By which its messages are signed (Standard Webhooks).",
            "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfTDnmeBFs=",
        ),
    )


class WebhookList(Schema):
    """A page of the webhooks that the caller may remove, newest first."""

    webhooks = fields.List(fields.Nested(Webhook), required=True, metadata={"description": "All that are there."})
    next_cursor = next_cursor()


class EventsGame(Schema):
    """The game of an event."""

    id = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    ruleset = fields.String(required=True, metadata=described("The id of its ruleset.", "forbidden-island"))
    link = fields.String(required=True, metadata=described("Where it is.", f"/v1/games/{EXAMPLE_GAME}"))


class LibraryEventData(Schema):
    """An event with its game."""

    game = fields.Nested(EventsGame, required=True, metadata={"description": "Of which game."})
    event = fields.Nested(Event, required=True, metadata={"description": "The event, as everybody may see it then."})


class LibraryEvent(Schema):
    """A message about an event: the body sent to a webhook, and the `data` in the library's stream."""

    type = fields.String(
        required=True,
        validate=validate.Equal("game.event"),
        metadata=described("The name of the format.", "game.event"),
    )
    timestamp = fields.String(required=True, metadata=described("When it was recorded.", EXAMPLE_TIME))
    data = fields.Nested(LibraryEventData, required=True, metadata={"description": "What it is about."})


class WebhookQuery(Schema):
    """Parameters of a page of webhooks."""

    limit = limit(50, most=200)
    cursor = fields.String(
        validate=validate.Regexp(r"^[0-9a-hjkmnp-tv-z]{26}$(?!\n)", error="Not a cursor of this list."),
        metadata=described("The `next_cursor` of the previous page."),
    )


class Delivery(Schema):
    """A delivery of one event, as of its last attempt."""

    id = fields.String(required=True, metadata=described("The `webhook-id` of its message.", _EXAMPLE_DELIVERY))
    game = fields.String(required=True, metadata=described("Of which game it is.", EXAMPLE_GAME))
    seq = fields.Integer(required=True, metadata=described("The event's `seq`.", 42))
    type = fields.String(required=True, metadata=described("The event's type.", "shore_up"))
    status = Choice(DELIVERY_STATUS, required=True, metadata=described("The result.", "delivered"))
    attempts = fields.Integer(required=True, metadata=described("How often it was tried.", 1))
    tried_at = fields.String(required=True, metadata=described("When it was tried last.", EXAMPLE_TIME))
    next_at = fields.String(
        required=True, allow_none=True, metadata=described("When it is tried again; null: it is not.")
    )
    answered = fields.Integer(
        required=True, allow_none=True, metadata=described("The status of the answer; null: there was none.", 204)
    )
    answer = fields.String(
        required=True, allow_none=True, metadata=described("How the answer's body begins.", "thank you")
    )
    error = fields.String(
        required=True, allow_none=True, metadata=described("Why there was no answer.", "no answer within 10 seconds")
    )


class DeliveryList(Schema):
    """The deliveries with the latest attempts, newest first."""

    deliveries = fields.List(fields.Nested(Delivery), required=True, metadata={"description": "The last ones."})
    next_cursor = next_cursor()


class DeliveryQuery(Schema):
    """Parameters of a page of deliveries."""

    limit = limit(50, most=200)
    cursor = cursor()


class Retried(Job):
    """An event that was queued for another delivery."""

    id = fields.String(required=True, metadata=described("The `webhook-id` of its message.", _EXAMPLE_DELIVERY))
    kind = fields.String(required=True, metadata=described("Always `delivery`.", "delivery"))
    status = Choice(
        DELIVERY_STATUS,
        required=True,
        metadata=deprecated("It will be `queued`, as that of any job.", "waiting"),
    )
