"""Problem documents (RFC 9457), and their additional members."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_HASH, EXAMPLE_TIME, Envelope, GameOutcome, described, fraction, seat_id
from schemas.named import EXPLANATION_KIND, INSTEAD, NEW_EVENT, ROLE, Choice, Either, Open


class ProblemError(Schema):
    """An error in the request, and its location."""

    pointer = fields.String(
        required=True,
        metadata=described("RFC 6901 pointer into the body; for a bad query, `/<parameter>`.", "/seats/0/name"),
    )
    message = fields.String(required=True, metadata=described("The error.", "Missing data for required field."))


class PossibleOutcome(Schema):
    """A possible result."""

    value = fields.Raw(
        required=True, metadata={**described("The value to report.", "coral_palace"), "type": ["string", "integer"]}
    )
    label = fields.String(required=True, metadata=described("The players' name for it.", "Coral Palace"))
    count = fields.Integer(metadata=described("Number of equal ones, if known: 3 of 8 cards.", 3))
    p = fields.Float(
        required=True,
        allow_none=True,
        metadata=described("Its probability; null if unknown, because too many cards went unseen.", 0.375),
    )
    p_exact = fraction("The same as a fraction in lowest terms.", allow_none=True)
    more = fields.Integer(
        metadata=described(
            "In a pile of a `set_up`: the number of further places it causes, such as a redrawn card.", 0
        )
    )
    at = fields.List(
        fields.Integer(),
        allow_none=True,
        metadata=described("In a `set_up`: column and row, from 1, for a space of a grid; otherwise null.", [2, 5]),
    )


class ChancePoint(Schema):
    """A point at which the rules need a result of chance."""

    name = fields.String(required=True, metadata=described("The kind of draw, roll or turn.", "flood_card"))
    position = fields.Integer(metadata=described("Its index in the outcomes of the event, from 0.", 0))
    outcomes = fields.List(
        fields.Nested(PossibleOutcome),
        required=True,
        metadata={"description": "All possible results, in listed order."},
    )
    about = fields.Boolean(
        metadata=described("True if the probabilities are only nearly right; otherwise omitted.", example=True)
    )


class Place(Schema):
    """A place of the setup that the table must fill."""

    group = fields.String(required=True, metadata=described("The group.", "The island"))
    label = fields.String(required=True, metadata=described("The item.", "row 1, space 2"))
    at = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata=described(
            "Column and row, from 1, if the group is a grid; otherwise null. If column plus row is "
            "even for all (or odd for all), it is a grid of hexes, each two columns wide.",
            [4, 1],
        ),
    )
    pile = fields.Integer(
        required=True,
        allow_none=True,
        metadata=described("The index of its pile in `piles`, from 0; null if it is not known yet.", 0),
    )


class Pile(Schema):
    """The pile from which several places of a setup are drawn in order."""

    returns = fields.Boolean(
        required=True, metadata=described("True if a result can occur again, as for a die.", example=False)
    )
    is_open = fields.Boolean(
        required=True,
        metadata=described("True if later questions depend on the result: then request them again.", example=False),
    )
    outcomes = fields.List(
        fields.Nested(PossibleOutcome),
        required=True,
        metadata={"description": "All possible results at the first of its places. Used results do not occur again."},
    )


class LeftOutStep(Schema):
    """A step to skip so that an action is legal."""

    seat = seat_id("The seat of the step.", required=True)
    step = fields.String(
        required=True,
        metadata=described("The step, one of the ruleset's `steps`, as in the params of a `left_out`.", "flood_cards"),
    )
    rule = fields.String(
        required=True, metadata=described("The rulebook heading that requires it.", "3. Draw Flood Cards")
    )
    label = fields.String(required=True, metadata=described("The label of its button.", "Mia's Flood cards"))
    message = fields.String(
        required=True, metadata=described("The sentence for players.", "Mia's Flood cards were skipped.")
    )


class ProposedExplanation(Schema):
    """An explanation of a rejected action, and the events that record it."""

    kind = Choice(EXPLANATION_KIND, required=True, metadata=described("The kind of slip.", "skipped_step"))
    seat = seat_id("Who slipped.", required=True)
    message = fields.String(
        required=True, metadata=described("The sentence for players.", "Mia's Flood cards were skipped.")
    )
    events = fields.List(
        Open(NEW_EVENT, metadata={}),
        required=True,
        metadata={"description": "Appended unchanged, they record the explanation together with the action."},
    )


class Violation(Schema):
    """A contradiction between reported facts."""

    message = fields.String(required=True, metadata=described("The sentence.", "There are only 2 Sandbags cards."))
    rule = fields.String(metadata=described("The rulebook heading, if there is one.", "Setup"))


class InsteadEvent(Schema):
    """An event with the correct facts, as far as they are known."""

    message = fields.String(required=True, metadata=described("For people.", "Adjust the table instead."))
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
            "description": "`illegal-action`, `impossible-outcome`, `game-over`, of an action: what may lie behind it, "
            "the cheapest first, three at most; of an illegal action a house rule comes last."
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
    seq = fields.Integer(
        metadata=described(
            "`log-does-not-verify`, `damaged-record`: the first event that fails. `illegal-action` of options that "
            "change: the first event that would have been different.",
            17,
        )
    )
    reason = fields.String(
        metadata=described("`log-does-not-verify`: why.", "the hash does not match the contents of the event")
    )
    items = fields.List(
        fields.Nested("ReadItem"),
        metadata={"description": "`not-understood`: what became of each piece of the text."},
    )
    questions = fields.List(
        fields.Nested("Question"),
        metadata={"description": "`not-understood`: all questions that are open, with the best answers."},
    )
