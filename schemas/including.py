"""Further data that a response about a game can include, so that the client needs one request."""

from __future__ import annotations

from marshmallow import Schema, validate
from webargs.fields import DelimitedList

from schemas.common import viewer
from schemas.members import describe, optional
from schemas.named import INCLUDED, LAYOUT, Choice
from schemas.reading import LegalActions, State, Story, changes

MOST_LINES = 1000
"""Maximum number of events whose sentences a response can include (`include=story`)."""
_UNLESS = "null if there was no time for it (then request it separately)."


class Included(Schema):
    """The requested further data."""

    actions = optional.nested_field(
        LegalActions,
        f"With `include=actions`: the response of `GET …/actions` at `version`; {_UNLESS}",
        allow_none=True,
    )
    story = optional.nested_field(
        Story,
        f"With `include=story`: the response of `GET …/story?after={{after}}&limit={MOST_LINES}` at "
        f"`version`; {_UNLESS}",
        allow_none=True,
    )
    board = optional.text(
        f"With `include=board`: the response of `GET …/board.svg` at `version`; {_UNLESS}",
        "<svg …>…</svg>",
        allow_none=True,
    )
    state = optional.nested_field(
        State, f"With `include=state`: the response of `GET …/state` at `version`; {_UNLESS}", allow_none=True
    )


class Including(Schema):
    """Members to include in the response."""

    include = DelimitedList(
        Choice(INCLUDED, metadata={}),
        validate=validate.Length(min=1, max=len(INCLUDED.words)),
        metadata=describe(
            "Further data to return, as of the `version` in the response. This saves requests. Not allowed "
            "with `dry_run`.",
            ["actions", "story"],
        ),
    )
    viewer = viewer()
    after = optional.seq(
        "For an included story: the `seq` after which it begins (default: the last event before an append; 0 in a "
        "read).",
        41,
        least=0,
    )
    layout = optional.choice(LAYOUT, "The layout of an included board.", "board", load_default="wide")
    changes = changes()
