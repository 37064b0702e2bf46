"""Fields and schemas that several resources share: seats, versions, outcomes, times."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, ValidationError, fields, post_dump, validate

from engine.core.canonical import below
from engine.core.text import DIRECTION_MARKS, FLAG, LINE_ENDS, STEERING, UNSEEN
from schemas.members import describe, optional, required
from schemas.named import GAME_RESULT, PATCH_OP, SEAT_ID, VIEWER, Choice

EXAMPLE_GAME = "01kaj5x9f3q8w7e2r4t6y8u0pz"
EXAMPLE_HASH = "6f1c1f0b9f3a4f6b1d3d0d4c8a6e2f7b5c9e8d7a6b5c4d3e2f1a0b9c8d7e6f5a"
EXAMPLE_KEY = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
EXAMPLE_TIME = "2026-11-20T19:04:11.512Z"


class Text(validate.Regexp):
    """A validator for texts.

    `published` is the portable form of the pattern. It has no lookaround, and no characters beyond the first Unicode
    plane.
    """

    def __init__(self, pattern: str, *, published: str, error: str) -> None:
        super().__init__(pattern, error=error)
        self.published = published


_ONE_LINE = f"[^{STEERING}{LINE_ENDS}{DIRECTION_MARKS}]"
_SEEN = f"(?:[^{STEERING}{LINE_ENDS}{DIRECTION_MARKS}{UNSEEN}]|{FLAG})"
NAME = Text(
    rf"^(?!\s){_SEEN}{{1,80}}(?<!\s)$(?!\n)",
    published=rf"^[^\s{STEERING}]({_ONE_LINE}*[^\s{STEERING}])?$",
    error="Must be 1 to 80 visible characters in one line, without spaces at the ends.",
)
"""The validator for a player's name or a tag: any script, with combining marks and emoji."""
TITLE = Text(
    rf"^(?!\s){_SEEN}{{1,200}}(?<!\s)$(?!\n)",
    published=rf"^[^\s{STEERING}]({_ONE_LINE}*[^\s{STEERING}])?$",
    error="Must be 1 to 200 visible characters in one line, without spaces at the ends.",
)
SEED = Text(
    rf"^{_SEEN}{{1,200}}$(?!\n)",
    published=f"^{_ONE_LINE}+$",
    error="Must be 1 to 200 visible characters in one line.",
)
ONE_LINE = validate.Regexp(rf"^{_ONE_LINE}*$(?!\n)", error="Must be one line, without control characters.")
"""The validator for any other text of one line."""
LINES = validate.Regexp(rf"^(?:[^{STEERING}\r]|\r\n)*$", error="Must be text without control or direction characters.")
"""The validator for a text of several lines."""
_SAID = frozenset(("cards", "note", "reason", "text"))
"""Members of documents that may have several lines; any other text has one line."""


def first_unseen(document: Any, pointer: str = "") -> tuple[str, str] | None:
    """Return the pointer of the first invalid text in a JSON document, and the allowed characters; None if valid."""
    # Use no recursion, because a request may be nested to any depth.
    waiting: list[tuple[str, validate.Regexp, Any]] = [(pointer, ONE_LINE, document)]
    while waiting:
        where, rule, value = waiting.pop()
        match value:
            case str():
                try:
                    rule(value)
                except ValidationError as error:
                    return where, str(error.messages[0])
            case dict():
                parts = [(below(where, name), LINES if name in _SAID else ONE_LINE, value[name]) for name in value]
                waiting.extend(reversed(parts))
            case list():
                waiting.extend((below(where, index), rule, value[index]) for index in reversed(range(len(value))))
    return None


def validate_visible(document: Any) -> None:
    """Raise a `ValidationError` unless every text in a JSON document can be displayed."""
    unseen = first_unseen(document)
    if unseen is not None:
        pointer, rule = unseen
        raise ValidationError({pointer.removeprefix("/"): rule})


class List(fields.List[Any]):
    """A list whose length is checked before its items."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> list[Any]:
        if isinstance(value, list):
            self._validate(value)
        loaded: list[Any] = super()._deserialize(value, attr, data, **more)
        return loaded


class Members(fields.Dict):
    """An object with at most `most` members of any kind; their number is checked before their contents."""

    def __init__(self, most: int, *, metadata: dict[str, Any], **more: Any) -> None:
        super().__init__(keys=fields.String(), metadata={**metadata, "maxProperties": most}, **more)
        self._most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> Any:
        if isinstance(value, dict) and len(value) > self._most:
            raise ValidationError(f"Must have at most {self._most} members.")
        return super()._deserialize(value, attr, data, **more)  # type: ignore[no-untyped-call]  # marshmallow leaves it untyped


class Time(fields.AwareDateTime):
    """A time with its offset from UTC."""

    default_error_messages = {  # as marshmallow declares it
        "invalid": "Use a time in RFC 3339, such as 2026-11-20T19:04:11Z.",
        "invalid_awareness": "Add the offset from UTC, as in 2026-11-20T19:04:11Z.",
    }


def describe_deprecated(description: str, example: Any) -> dict[str, Any]:
    """Return the metadata of a deprecated parameter for openapi.yaml."""
    return describe(f"Deprecated. {description}", example, deprecated=True)


def fraction(description: str, example: str = "3/8", *, allow_none: bool = False) -> fields.String:
    """Return a field for an exact probability, such as `3/8`, which accompanies the float."""
    metadata = describe(description, example)
    return fields.String(
        required=True, allow_none=allow_none, validate=validate.Regexp(r"^[0-9]+/[1-9][0-9]*$"), metadata=metadata
    )


def seat_id(description: str, **arguments: Any) -> Choice:
    """Return a field for the id of a seat."""
    return Choice(SEAT_ID, metadata=describe(description, "p2"), **arguments)


def limit(usual: int, *, most: int) -> fields.Integer:
    """Return a field for the page size."""
    return optional.integer(
        "The maximum number of items to return.", usual, load_default=usual, validate=validate.Range(min=1, max=most)
    )


def cursor() -> fields.String:
    """Return a field for the cursor of a page."""
    return optional.text("The `next_cursor` of the previous page.", validate=validate.Length(max=2000))


def next_cursor() -> fields.String:
    """Return a field for the cursor of the next page."""
    return required.text("The `cursor` with which to request the next page; null on the last page.", allow_none=True)


class Paged(Schema):
    """Page parameters of a list that is complete by default."""

    limit = optional.integer(
        "The maximum number of items to return (default: all).", 50, validate=validate.Range(min=1, max=1000)
    )
    cursor = cursor()


def viewer() -> Choice:
    """Return a field for the viewer."""
    return optional.choice(
        VIEWER,
        "The viewer whose knowledge the response shows. A seat sees its own hidden information; "
        "`public` (the default) sees none.",
        "p2",
        load_default=None,
        allow_none=False,
    )


def version() -> fields.Integer:
    """Return a field for the `seq` of the last event."""
    return required.integer("The `seq` of the last event.", 42)


class Signature(Schema):
    """A signature over an envelope's payload."""

    keyid = required.text("The id of the signing key: its `kid` in `/v1/keys`.", EXAMPLE_KEY)
    sig = required.text("Base64 of the Ed25519 signature.", "lq5Zx0n1p0Ew1g3yA0d3Rr0M8oDjW1a2Xf9c==")


class Envelope(Schema):
    """A DSSE envelope, version 1: a signed head, or a signed deletion."""

    payload = required.text("Base64 of the `Head` or the `Deletion` as JSON.", "eyJmb3JtYXQiOiI=")
    payload_type = required.text(
        "The type of the payload.", "application/vnd.driftlog.head+json", data_key="payloadType"
    )
    signatures = required.each(
        Signature, "The signatures over type and payload, in DSSE's pre-authentication encoding (PAE)."
    )


class GameOutcome(Schema):
    """The result of a game."""

    result = required.choice(GAME_RESULT, "The result for the players.", "lost")
    winners = fields.List(seat_id("A seat that won."), required=True, metadata=describe("The seats that won.", []))
    reason = required.text("The id of the ending, as in the ruleset's `endings`.", "skull")
    rule = required.text("The rulebook heading of the ending.", "Losing the Game")
    superior = fields.List(
        seat_id("A seat that won and did better than the other winners."),
        metadata=describe(
            "The winners who did better than the others, if the rulebook distinguishes that; absent if there are none.",
            ["p2"],
        ),
    )

    scores = fields.List(
        fields.Integer(),
        metadata=describe("The score of each seat, in seat order; absent if the game has no scores.", [31, 28]),
    )
    by_hand = fields.Boolean(
        metadata={
            "description": "True if adjustments by hand decided the result; otherwise absent. Statistics count "
            "such games separately.",
            "example": True,
        }
    )

    @post_dump
    def _without_what_is_absent(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        return {name: value for name, value in data.items() if value or name not in {"superior", "scores", "by_hand"}}


class Operation(Schema):
    """An operation of a JSON Patch (RFC 6902)."""

    op = required.choice(PATCH_OP, "The operation to apply.", "replace")
    path = required.text("The target of the operation, as a JSON Pointer (RFC 6901).", "/water_level")
    from_ = optional.text(
        "For `move` and `copy`: the source, as a JSON Pointer (RFC 6901).", "/hands/0/0", data_key="from"
    )
    value = fields.Raw(metadata={"description": "For `add`, `replace` and `test`: the value."})


class Seat(Schema):
    """A place at the table and its player."""

    error_messages = {"type": 'Each seat is an object with a name, such as {"name": "Ann"}.'}  # marshmallow copies it

    name = required.text("The player's name.", "Ann", validate=NAME)


def outcome() -> fields.Nested:
    """Return a field for the result of a game."""
    return required.nested_field(GameOutcome, "The result; null while the game continues.", allow_none=True)


class Moment(Schema):
    """The status of a game."""

    version = version()
    turn = required.integer("The current turn; 0 before the first.", 7)
    phase = required.text(
        "The phase, one of the ruleset's `phases`; `setup` before the game, `over` after it.", "actions"
    )
    awaiting = fields.List(
        seat_id("A seat that may or must act."),
        required=True,
        metadata=describe("The seats that the game waits for.", ["p2"]),
    )


class Position(Moment):
    """The status of a game, with its result."""

    outcome = outcome()
