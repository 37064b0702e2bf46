"""The request and the response of an append."""

from __future__ import annotations

from marshmallow import Schema, fields, validate
from webargs.fields import DelimitedList

from schemas.common import EXAMPLE_HASH, Position, deprecated, described, viewer
from schemas.events import LARGEST_SEQ, Event, Impact, Stopped
from schemas.named import IF_ILLEGAL, INCLUDED, LAYOUT, Choice
from schemas.reading import LegalActions, State, Story, changes

MOST_LINES = 1000
"""Maximum number of events in an included story."""
_UNLESS = "null if there was no time for it: request it separately."


class Appended(Position):
    """The game after an append, and the new events."""

    events = fields.List(
        fields.Nested(Event),
        metadata={
            "description": "The events appended; the one that ends a game is followed by `game_closed`. Absent with "
            "`Prefer: return=minimal`."
        },
    )
    head = fields.String(
        metadata=described("The hash of the game's last event; only with `Prefer: return=minimal`.", EXAMPLE_HASH)
    )
    impact = fields.List(
        fields.Nested(Impact),
        metadata={"description": "For an amend or a reveal, if known: the impact on each later event."},
    )
    stopped = fields.Nested(
        Stopped,
        metadata={
            "description": "The event at which the list stopped; absent if all events were appended. Earlier events "
            "stay, and a repeat with the same `Idempotency-Key` gets the same response."
        },
    )
    actions = fields.Nested(
        LegalActions,
        allow_none=True,
        metadata={"description": f"With `include=actions`: what `GET …/actions` answers at `version`; {_UNLESS}"},
    )
    story = fields.Nested(
        Story,
        allow_none=True,
        metadata={
            "description": f"With `include=story`: what `GET …/story?after={{after}}&limit={MOST_LINES}` answers at "
            f"`version`; {_UNLESS}"
        },
    )
    board = fields.String(
        allow_none=True,
        metadata=described(
            f"With `include=board`: what `GET …/board.svg` answers at `version`; {_UNLESS}", "<svg …>…</svg>"
        ),
    )
    state = fields.Nested(
        State,
        allow_none=True,
        metadata={"description": f"With `include=state`: what `GET …/state` answers at `version`; {_UNLESS}"},
    )


class AppendQuery(Schema):
    """Options of an append, and members to include in the response."""

    dry_run = fields.Boolean(
        load_default=False,
        metadata=described(
            "Judge the events without appending them: the response is 200. It never reveals the "
            "service's draws or hidden information: from such an event on, it is as if nothing had "
            "been sent.",
            example=False,
        ),
    )
    if_illegal = Choice(
        IF_ILLEGAL,
        metadata=described(
            "What becomes of an action that the rules forbid, and of an amend that breaks later events (default: the "
            "game's setting; `ask` in a game opened as `strict`, `accept` in one opened as `as_played`, where such an "
            "amend is refused all the same). In a game of either mode; hidden actions are always judged strictly.",
            "accept",
        ),
    )
    as_played = fields.Boolean(
        load_default=False,
        metadata=described(
            "For an amend: keep the later events that it breaks as the table played them, marked.", example=False
        ),
    )
    accept_left_out = fields.Boolean(
        metadata=deprecated(
            "Use `if_illegal`. In a game recorded as played, for an action that is legal only after skipped steps: "
            "true appends these steps as `left_out`, then the action; false appends only the action, marked. If this "
            "member is missing, such an action is rejected, and `left_out` of the problem names the steps. In a list "
            "the member applies to each action, after the actions before it.",
            example=True,
        ),
    )
    accept_refused = fields.Boolean(
        load_default=False,
        metadata=deprecated(
            "Read the problem document instead. With `dry_run`: a rejection is also a 200, with the "
            "problem in `stopped`, so that a page that asks for the next question gets no error.",
            example=True,
        ),
    )
    accept_illegal = fields.Boolean(
        load_default=False,
        metadata=deprecated(
            "Use `if_illegal=accept`. "
            "It happened anyway: in a strict game, too, an action that the rules forbid is appended as the table did "
            "it, with its verdict, where it is clear what came of it. So a strict game goes on as played from any "
            "event on, for as long as its table likes; what is not so accepted is refused as before. Not for what a "
            "player hides. A game recorded as played takes such actions without it.",
            example=True,
        ),
    )
    include = DelimitedList(
        Choice(INCLUDED, metadata={}),
        validate=validate.Length(min=1, max=len(INCLUDED.words)),
        metadata=described(
            "Further data at the version of the response, to save requests. Not with `dry_run`.",
            ["actions", "story"],
        ),
    )
    viewer = viewer()
    after = fields.Integer(
        validate=validate.Range(min=0, max=LARGEST_SEQ),
        metadata=described("For an included story: the events after this `seq` (default: the appended ones).", 41),
    )
    layout = Choice(LAYOUT, load_default="wide", metadata=described("The layout of an included board.", "board"))
    changes = changes()
