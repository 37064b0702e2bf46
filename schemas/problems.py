"""Problem documents (RFC 9457) and the members that they add."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_HASH, EXAMPLE_TIME, Envelope, GameOutcome, described, fraction, seat_id
from schemas.named import EXPLANATION_KIND, INSTEAD, NEW_EVENT, ROLE, Choice, Either, Open


class ProblemError(Schema):
    """One thing that is wrong, and where."""

    pointer = fields.String(
        required=True,
        metadata=described("RFC 6901 pointer into the body; for a bad query, `/<parameter>`.", "/seats/0/name"),
    )
    message = fields.String(required=True, metadata=described("What is wrong.", "Missing data for required field."))


class PossibleOutcome(Schema):
    """Something that can come up."""

    value = fields.Raw(
        required=True, metadata={**described("What to report.", "coral_palace"), "type": ["string", "integer"]}
    )
    label = fields.String(required=True, metadata=described("What a player calls it.", "Coral Palace"))
    count = fields.Integer(metadata=described("How many of them there are, where that is known: 3 of 8 cards.", 3))
    p = fields.Float(
        required=True,
        allow_none=True,
        metadata=described("Its probability; null where that is not known, as too many cards went unseen.", 0.375),
    )
    p_exact = fraction("The same as a fraction in lowest terms.", allow_none=True)
    more = fields.Integer(
        metadata=described("In a pile of a `set_up`: how many more places it brings, as a card that is drawn again.", 0)
    )
    at = fields.List(
        fields.Integer(),
        allow_none=True,
        metadata=described("In a `set_up`: column and row, from 1, where it is a space of a grid; else null.", [2, 5]),
    )


class ChancePoint(Schema):
    """A place where the rules ask chance."""

    name = fields.String(required=True, metadata=described("What is drawn, rolled or turned.", "flood_card"))
    position = fields.Integer(metadata=described("Its place among the outcomes of the event, from 0.", 0))
    outcomes = fields.List(
        fields.Nested(PossibleOutcome),
        required=True,
        metadata={"description": "All that can come up, in listed order."},
    )


class Place(Schema):
    """One thing that a set-up asks of the table."""

    group = fields.String(required=True, metadata=described("What it belongs to.", "The island"))
    label = fields.String(required=True, metadata=described("Which one it is.", "row 1, space 2"))
    at = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata=described(
            "Column and row, from 1, where the group lies in a grid; else null. Where column plus row is even for all "
            "(or odd), it is a grid of hexes, each two columns wide.",
            [4, 1],
        ),
    )
    pile = fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("Which of the `piles` it comes from, from 0; null where that is not known yet.", 0),
    )


class Pile(Schema):
    """What several places of a set-up come from, one after the other."""

    returns = fields.Boolean(
        required=True, metadata=described("Whether what came up can come up again: a die.", example=False)
    )
    is_open = fields.Boolean(
        required=True,
        metadata=described(
            "Whether it depends on what comes up what else is asked for: then ask again.", example=False
        ),
    )
    outcomes = fields.List(
        fields.Nested(PossibleOutcome),
        required=True,
        metadata={"description": "All that can come up at the first of its places. What lies does not come up again."},
    )


class LeftOutStep(Schema):
    """A step that would have to be left out for an action to be legal."""

    seat = seat_id("Whose step it is.", required=True)
    step = fields.String(
        required=True, metadata=described("Which: one of the ruleset's `steps`; params of a `left_out`.", "flood_cards")
    )
    rule = fields.String(
        required=True, metadata=described("The rulebook's heading that asks for it.", "3. Draw Flood Cards")
    )
    label = fields.String(required=True, metadata=described("What a button says.", "Mia's Flood cards"))
    message = fields.String(
        required=True, metadata=described("The sentence a player reads.", "Mia's Flood cards were left out.")
    )


class ProposedExplanation(Schema):
    """An explanation of a rejected action, and the events that record it."""

    kind = Choice(EXPLANATION_KIND, required=True, metadata=described("What went wrong.", "skipped_step"))
    seat = seat_id("Who slipped.", required=True)
    message = fields.String(
        required=True, metadata=described("The sentence a player reads.", "Mia's Flood cards were left out.")
    )
    events = fields.List(
        Open(NEW_EVENT, metadata={}),
        required=True,
        metadata={"description": "Appended as they are, they record the explanation together with the action."},
    )


class Violation(Schema):
    """What stands against a table as it was told."""

    message = fields.String(required=True, metadata=described("The sentence.", "There are only 2 Sandbags cards."))
    rule = fields.String(metadata=described("The rulebook's heading, where one says it.", "Setup"))


class InsteadEvent(Schema):
    """An event that would say it, as far as it is known."""

    message = fields.String(
        required=True, metadata=described("For people.", "Bring the table in line with an adjust instead.")
    )
    event = Open(NEW_EVENT, required=True, metadata={"description": "The event that says it, as far as it is known."})


class Problem(Schema):
    """An RFC 9457 problem document."""

    type = fields.String(
        required=True, metadata=described("Which problem; GET it for an explanation.", "/problems/illegal-action")
    )
    title = fields.String(required=True, metadata=described("The problem's name.", "Illegal action"))
    status = fields.Integer(required=True, metadata=described("The HTTP status.", 422))
    detail = fields.String(
        required=True, metadata=described("What happened here.", "Coral Palace is not flooded. (Shore Up)")
    )
    errors = fields.List(fields.Nested(ProblemError), metadata={"description": "`malformed`, `invalid`: each error."})
    rule = fields.String(metadata=described("`illegal-action`: the rulebook's heading.", "Shore Up"))
    message = fields.String(
        metadata=described("`illegal-action`: the sentence a player reads.", "Coral Palace is not flooded.")
    )
    left_out = fields.List(
        fields.Nested(LeftOutStep),
        metadata={
            "description": "`illegal-action`, in a game recorded as played: what would have to be left out before, in "
            "this order, for the action to be legal."
        },
    )
    explanations = fields.List(
        fields.Nested(ProposedExplanation),
        metadata={
            "description": "`illegal-action`, `impossible-outcome`, of an action: what may lie behind it, the cheapest "
            "first, three at most."
        },
    )
    violations = fields.List(
        fields.Nested(Violation), metadata={"description": "`unsound-table`: what stands against what was told."}
    )
    needs = Choice(ROLE, metadata=described("`forbidden`: the role that it takes.", "recorder"))
    limit = fields.Integer(
        metadata=described("How many there may be: bytes of a body, requests, streams, or what `quota` names.", 65536)
    )
    quota = fields.String(
        metadata=described(
            "`too-many-requests`, `too-many-streams`, `quota-exceeded`: of what there are too many.", "games_per_token"
        )
    )
    used = fields.Integer(metadata=described("`quota-exceeded`: how much of it is used.", 65530))
    seconds = fields.Integer(metadata=described("`too-many-requests`: in which time there were too many.", 60))
    replicas = fields.Integer(metadata=described("`not-replicated`: how many replicas have to have it.", 1))
    reached = fields.Integer(metadata=described("`not-replicated`: how many do.", 0))
    index = fields.Integer(metadata=described("The place in a list of events of the one that is refused, from 0.", 0))
    impact = fields.List(
        fields.Nested("Impact"),
        allow_none=True,
        metadata={
            "description": "`illegal-action`, of an amend or a reveal that later events do not stand: what becomes of "
            "each; null where telling it would tell too much."
        },
    )
    instead = Either(
        INSTEAD,
        metadata={
            "description": "`unsound-table`: the facts that can be, where that is known. `illegal-action`: where its "
            "effect is not clear, what to record."
        },
    )
    look = fields.List(
        fields.String(),
        metadata=described("Where it depends on what nobody saw: the parts of the state that tell.", ["/hands/0"]),
    )
    chance = fields.Nested(
        ChancePoint,
        metadata={"description": "`outcome-required`, `impossible-outcome`: what chance is asked for."},
    )
    places = fields.List(
        fields.Nested(Place),
        metadata={"description": "The same of a `set_up`: all that it asks, in order, as far as can be foreseen."},
    )
    piles = fields.List(
        fields.Nested(Pile),
        metadata={"description": "With `places`: what they come from, so that nobody need ask again at each place."},
    )
    given = fields.Raw(
        metadata={**described("`impossible-outcome`: what was reported.", "watchtower"), "type": ["string", "integer"]}
    )
    version = fields.Integer(
        metadata=described("`version-conflict`: the game's version now; `gone`: the one that it had.", 43)
    )
    head = fields.String(metadata=described("`gone`: the hash of the last event that the game had.", EXAMPLE_HASH))
    deleted_at = fields.String(metadata=described("`gone`: when it was deleted.", EXAMPLE_TIME))
    proof = fields.Nested(Envelope, metadata={"description": "`gone`: the same, signed; its payload is a `Deletion`."})
    outcome = fields.Nested(GameOutcome, metadata={"description": "`game-over`: how the game ended."})
    ruleset = fields.String(
        metadata=described("`ruleset-not-installed`: the id of the rules that are lacking.", "forbidden-island")
    )
    ruleset_version = fields.String(metadata=described("`ruleset-not-installed`: and their version.", "1"))
    seq = fields.Integer(metadata=described("`log-does-not-verify`, `damaged-record`: the first event that fails.", 17))
    reason = fields.String(
        metadata=described("`log-does-not-verify`: why.", "its contents do not have the hash that it carries")
    )
    items = fields.List(
        fields.Nested("ReadItem"),
        metadata={"description": "`not-understood`: what became of each piece of the text."},
    )
