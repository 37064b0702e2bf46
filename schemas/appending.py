"""The request and the response of an append."""

from __future__ import annotations

from marshmallow import fields

from schemas.common import EXAMPLE_HASH, Position, describe_deprecated
from schemas.events import Event, Impact, Stopped
from schemas.including import Included, Including
from schemas.members import optional
from schemas.named import IF_ILLEGAL


class Appended(Included, Position):
    """The game after an append, and the new events."""

    events = optional.each(
        Event,
        "The appended events, including the `game_closed` that the service adds after an "
        "event that ends the game. Absent with `Prefer: return=minimal`.",
    )
    head = optional.text("The hash of the game's last event; only with `Prefer: return=minimal`.", EXAMPLE_HASH)
    impact = optional.each(
        Impact, "For an amend or a reveal: the impact on each later event; absent if it is not known."
    )
    stopped = optional.nested_field(
        Stopped,
        "The event at which the list stopped, and the reason; absent if all events were "
        "appended. The events before it stay in the log. If you repeat the request with the same "
        "`Idempotency-Key`, you get the same response.",
    )


class AppendQuery(Including):
    """Options of an append, and members to include in the response."""

    dry_run = optional.flag(
        "True to judge the events without appending them: the response is 200. It never reveals the "
        "service's draws or hidden information. If an event needs either, judging stops there, as if "
        "neither that event nor the later ones had been sent.",
        example=False,
        load_default=False,
    )
    if_illegal = optional.choice(
        IF_ILLEGAL,
        "The handling of an illegal action, and of an amend that breaks later events (default: the game's "
        "`if_illegal`, which is initially `ask` in a `strict` game and `accept` in an `as_played` game; an "
        "`as_played` game still rejects such an amend by default). Hidden actions are always judged strictly.",
        "accept",
    )
    as_played = optional.flag(
        "For an amend: true if the players continued as recorded. A step that the amend removes is recorded as "
        "skipped (`left_out`); later events that still break a rule stay in the log, marked as illegal.",
        example=False,
        load_default=False,
    )
    accept_left_out = fields.Boolean(
        metadata=describe_deprecated(
            "Use `if_illegal` instead. This parameter is for an action in a game recorded as played that is legal "
            "only if earlier steps were skipped. True appends a `left_out` event for each skipped step, then the "
            "action. False appends the action and marks it as illegal. Without this parameter, the action is "
            "rejected, and `left_out` of the problem lists the steps. In a list, each action is judged after the "
            "actions before it.",
            example=True,
        ),
    )
    accept_refused = fields.Boolean(
        load_default=False,
        metadata=describe_deprecated(
            "Read the problem document instead. With `dry_run`, true turns a rejection into a 200 with the "
            "problem in `stopped`.",
            example=True,
        ),
    )
    accept_illegal = fields.Boolean(
        load_default=False,
        metadata=describe_deprecated(
            "Use `if_illegal=accept` instead. True appends an illegal action with its verdict in a `strict` game. If "
            "the effect of the action is unclear, it is rejected. Hidden actions are always judged strictly. A game "
            "recorded as played accepts illegal actions without this parameter.",
            example=True,
        ),
    )
