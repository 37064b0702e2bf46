"""Problem documents (RFC 9457), and their additional members."""

from __future__ import annotations

from marshmallow import Schema, fields

from schemas.common import EXAMPLE_HASH, EXAMPLE_TIME, Envelope, GameOutcome, fraction, seat_id
from schemas.members import describe, optional, required
from schemas.named import EXPLANATION_KIND, INSTEAD, NEW_EVENT, ROLE, Either, Open


class ProblemError(Schema):
    """An error in the request, and its location."""

    pointer = required.text(
        "The location of the error: a JSON Pointer (RFC 6901) into the body, or `/<parameter>` for a query parameter.",
        "/seats/0/name",
    )
    message = required.text("The error, in a sentence.", "Missing data for required field.")


class Unrevealed(Schema):
    """An unknown result that a `reveal` must fill in."""

    seq = required.integer("The event of the result.", 76)
    position = required.integer("The index of the result in the event, from 0.", 0)


class PossibleOutcome(Schema):
    """A possible result."""

    value = fields.Raw(
        required=True, metadata={**describe("The value to report.", "coral_palace"), "type": ["string", "integer"]}
    )
    label = required.text("The players' name for the result.", "Coral Palace")
    count = optional.integer("Number of equal items with this result, if known: 3 of 8 cards.", 3)
    p = required.number(
        "The probability of the result; null if it is unknown, because too many cards are unknown.",
        0.375,
        allow_none=True,
    )
    p_exact = fraction("`p` as a fraction in lowest terms; null if it is unknown.", allow_none=True)
    more = optional.integer(
        "In a pile of a `set_up`: the number of further places that the result adds, such as for a redrawn card.", 0
    )
    at = fields.List(
        fields.Integer(),
        allow_none=True,
        metadata=describe(
            "In a `set_up`, if the result is a space of a grid: its column and row, from 1; otherwise null.", [2, 5]
        ),
    )


class ChancePoint(Schema):
    """A point at which the rules need a result of chance."""

    name = required.text("The kind of draw, roll or turn.", "flood_card")
    position = optional.integer("The index of the result in the event's `outcomes`, from 0.", 0)
    outcomes = required.each(PossibleOutcome, "All possible results, in the order in which to display them.")
    about = optional.flag("True if the probabilities are only nearly right; otherwise omitted.", example=True)


class Place(Schema):
    """A place of the setup that the players must fill."""

    group = required.text("The group of the place.", "The island")
    label = required.text("The place within its group.", "row 1, space 2")
    at = fields.List(
        fields.Integer(),
        required=True,
        allow_none=True,
        metadata=describe(
            "If the group is a grid: column and row of the place, from 1; otherwise null. In a grid of hexes, "
            "column plus row is even for all places, or odd for all, and each hex is two columns wide.",
            [4, 1],
        ),
    )
    pile = required.integer(
        "The index of the place's pile in `piles`, from 0; null if the pile is not known yet.", 0, allow_none=True
    )


class Pile(Schema):
    """The pile from which several places of a setup are drawn in order."""

    returns = required.flag("True if a result can occur again, as for a die.", example=False)
    is_open = required.flag(
        "True if later places depend on the result: request the problem again once it is known.", example=False
    )
    outcomes = required.each(
        PossibleOutcome,
        "All possible results at the pile's first place. Unless `returns` is true, a result "
        "that fills a place is not available for later ones.",
    )


class LeftOutStep(Schema):
    """A step to skip so that an action is legal."""

    seat = seat_id("The seat that skipped the step.", required=True)
    step = required.text("The step, as in the ruleset's `steps` and in the params of a `left_out`.", "flood_cards")
    rule = required.text("The rulebook heading that requires the step.", "3. Draw Flood Cards")
    label = required.text("The label for a button.", "Mia's Flood cards")
    message = required.text("The sentence for players.", "Mia did not draw the Flood cards that were due.")


class ProposedExplanation(Schema):
    """An explanation of a rejected action, and the events that record it."""

    kind = required.choice(EXPLANATION_KIND, "The kind of slip.", "skipped_step")
    seat = seat_id("The seat that made the slip.", required=True)
    message = required.text("The sentence for players.", "Mia did not draw the Flood cards that were due.")
    events = fields.List(
        Open(NEW_EVENT, metadata={}),
        required=True,
        metadata={
            "description": "The events to append, unchanged. They record the explanation together with the action."
        },
    )


class Violation(Schema):
    """A contradiction between reported facts."""

    message = required.text("The contradiction, in a sentence.", "There are only 2 Sandbags cards.")
    rule = optional.text("The rulebook heading; absent if there is none.", "Setup")


class InsteadEvent(Schema):
    """An event with the correct facts, as far as they are known."""

    message = required.text("A sentence to show to people.", "Adjust the table instead.")
    event = required.document(NEW_EVENT, "The event to append, with the correct facts as far as they are known.")


class Problem(Schema):
    """An RFC 9457 problem document."""

    type = required.text("The kind of problem, as an address. `GET` it for an explanation.", "/problems/illegal-action")
    title = required.text("The name of the kind of problem.", "Illegal action")
    status = required.integer("The HTTP status.", 422)
    detail = required.text("The problem in this case, in a sentence.", "Coral Palace is not flooded. (Shore Up)")
    errors = optional.each(ProblemError, "For `malformed` and `invalid`: each error with its location.")
    rule = optional.text("For `illegal-action`: the rulebook heading.", "Shore Up")
    message = optional.text(
        "For `illegal-action`: the reason, as a sentence for players.", "Coral Palace is not flooded."
    )
    left_out = optional.each(
        LeftOutStep,
        "`illegal-action`, in a game recorded as played: the skipped steps that would make "
        "the action legal, in this order.",
    )
    explanations = optional.each(
        ProposedExplanation,
        "For an action rejected as `illegal-action`, `impossible-outcome` or `game-over`: at "
        "most three possible explanations, those with the fewest changes first. For an illegal action, "
        "the last one is a house rule. For an amend that breaks later events: the step that the players then "
        "skipped, if one explains them.",
    )
    violations = optional.each(Violation, "For `unsound-table`: the contradictions between the reported facts.")
    needs = optional.choice(ROLE, "For `forbidden`: the required role.", "recorder")
    limit = optional.integer(
        "The limit that was reached: the number of bytes of a body, of requests, of streams, or of the "
        "resource in `quota`.",
        65536,
    )
    quota = optional.text(
        "For `too-many-requests`, `too-many-streams` and `quota-exceeded`: the name of the limit.", "games_per_token"
    )
    used = optional.integer("For `quota-exceeded`: the amount in use, in the same unit as `limit`.", 65530)
    seconds = optional.integer(
        "For `too-many-requests`: the period in seconds in which `limit` requests are allowed.", 60
    )
    replicas = optional.integer("For `not-replicated`: the number of replicas that must confirm a write.", 1)
    reached = optional.integer("For `not-replicated`: the number of replicas that have confirmed the write.", 0)
    index = optional.integer("The index of the rejected event in the request's list, from 0.", 0)
    impact = optional.each(
        "Impact",
        "For `illegal-action` of an amend or a reveal that breaks later events: the impact "
        "on each later event; null if it would reveal secrets.",
        allow_none=True,
    )
    instead = Either(
        INSTEAD,
        metadata={
            "description": "For `unsound-table`: possible facts, if they are known. For `illegal-action` of an "
            "action whose effect is unclear: the event to record instead."
        },
    )
    look = optional.texts(
        "If the action depends on an unknown result: the parts of the state, as JSON Pointers, that show the result.",
        ["/hands/0"],
    )
    unknowns = optional.each(
        Unrevealed,
        "If the action depends on unknown results: the results to `reveal`, which the owners of the "
        "unknown cards can report. Then send the action again.",
    )
    chance = optional.nested_field(
        ChancePoint,
        "For `outcome-required` and `impossible-outcome`: the kind of draw or roll, with its possible results.",
    )
    places = optional.each(
        Place,
        "For `outcome-required` and `impossible-outcome` of a `set_up`: every place of the "
        "setup that needs a result, in order, as far as they are known in advance.",
    )
    piles = optional.each(Pile, "With `places`: the piles that fill them, so that you can ask for all results at once.")
    given = fields.Raw(
        metadata={
            **describe("For `impossible-outcome`: the reported result.", "watchtower"),
            "type": ["string", "integer"],
        }
    )
    version = optional.integer(
        "For `version-conflict` and `not-a-prefix`: the current version of the game. For `gone`: its last version.", 43
    )
    head = optional.text("For `gone`: the hash of the last event of the game.", EXAMPLE_HASH)
    deleted_at = optional.text("For `gone`: the time of the deletion.", EXAMPLE_TIME)
    proof = optional.nested_field(
        Envelope, "For `gone`: a signed statement of the deletion; its payload is a `Deletion`."
    )
    outcome = optional.nested_field(GameOutcome, "For `game-over`: the result of the game.")
    ruleset = optional.text("For `ruleset-not-installed`: the id of the missing ruleset.", "forbidden-island")
    ruleset_version = optional.text("For `ruleset-not-installed`: the missing version of its rules.", "1")
    seq = optional.integer(
        "For `log-does-not-verify` and `damaged-record`: the `seq` of the first event that fails. For "
        "`illegal-action` of changed options: the first event that would be different with them.",
        17,
    )
    reason = optional.text(
        "For `log-does-not-verify`: the reason.", "the hash does not match the contents of the event"
    )
    items = optional.each("ReadItem", "For `not-understood`: the result for each piece of the text.")
    questions = optional.each("Question", "For `not-understood`: all open questions, with the best answers.")
