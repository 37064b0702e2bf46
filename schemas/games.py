"""Games: opening, details, lists and forks."""

from __future__ import annotations

from marshmallow import Schema, ValidationError, fields, validate

from schemas.common import (
    EXAMPLE_GAME,
    EXAMPLE_HASH,
    EXAMPLE_TIME,
    NAME,
    SEED,
    TITLE,
    List,
    Members,
    Position,
    Seat,
    Time,
    cursor,
    described,
    limit,
    next_cursor,
    outcome,
    seen,
)
from schemas.events import LARGEST_SEQ, utc
from schemas.named import (
    CHANCE,
    CORRECTIONS,
    GAME_ORDER,
    GAME_RESULT,
    GAME_STATUS,
    IF_ILLEGAL,
    MODE,
    OPTIONS,
    PARAMS,
    Choice,
    Open,
)

MOST_MEMBERS = 100
"""Maximum members of an object that rulesets define: no game has as many options or parts."""
TAG = fields.String(validate=NAME, metadata=described("A word that helps to find the game.", "club night"))


def seed() -> fields.String:
    """Return a field for the seed of a seeded game."""
    return fields.String(
        validate=SEED,
        metadata=described(
            "The seed of a seeded game (default: 32 random bytes). Its hash is published now, the "
            "seed at the end of the game.",
            "a rainy night in November",
        ),
    )


class OpenGame(Schema):
    """Parameters of a new record."""

    ruleset = fields.String(required=True, metadata=described("The id of a ruleset.", "forbidden-island"))
    seats = List(
        fields.Nested(Seat),
        required=True,
        validate=validate.Length(min=1, max=8),
        metadata=described("The players, in seat order.", [{"name": "Ann"}, {"name": "Bob"}]),
    )
    options = Members(
        MOST_MEMBERS,
        load_default=dict,
        validate=seen,
        metadata=described("The ruleset's options that differ from their defaults.", {"difficulty": "normal"}),
    )
    chance = Choice(
        CHANCE,
        required=True,
        metadata=described("`seeded`: the service draws. `observed`: the table reports what came up.", "observed"),
    )
    seed = seed()
    seed_mix = fields.String(
        validate=validate.Length(min=1, max=60),
        metadata=described(
            "A seed that several devices have mixed (`POST /v1/seeds`), instead of `seed`; it opens one game.",
            "3f0c8a5be1d2476f9a1b0c4d5e6f7081",
        ),
    )
    mode = Choice(
        MODE,
        load_default="strict",
        metadata=described(
            "`strict` (the default): illegal actions are rejected. `as_played`: they are recorded with a verdict.",
            "strict",
        ),
    )
    corrections = Choice(
        CORRECTIONS,
        metadata=described(
            "The users who may correct the record, if callers have tokens (default: `recorder`).", "recorder"
        ),
    )
    position = Members(
        MOST_MEMBERS,
        validate=seen,
        metadata=described(
            'The record begins in the middle of a game, with what the table looks like: `{"facts": […]}`, as '
            "`GET …/facts` has them, or a state's document, as `GET …/state` has it."
        ),
    )
    deal = fields.String(
        validate=validate.Length(min=1, max=60),
        metadata=described(
            "A game whose setup to reuse. It needs the same ruleset and number of seats; options and "
            "seed come from it. An observed game is set up at once. A seeded game uses the same "
            "seed, so the other game must have ended.",
            EXAMPLE_GAME,
        ),
    )
    tags = List(
        TAG,
        load_default=list,
        validate=validate.Length(max=20),
        metadata=described("Words that help to find it.", ["club night"]),
    )


def _time(text: str) -> None:
    try:
        utc(text)
    except (ValueError, OverflowError) as error:
        raise ValidationError(str(error)) from None


class ChangeGame(Schema):
    """Details of a record to change. Absent members stay unchanged."""

    title = fields.String(
        validate=TITLE,
        allow_none=True,
        metadata=described("The title of the game; null for none.", "The long Friday"),
    )
    tags = List(
        TAG, validate=validate.Length(max=20), metadata=described("Words that help to find it.", ["club night"])
    )
    played_at = fields.String(
        allow_none=True,
        validate=[validate.Length(max=40), _time],
        metadata=described(
            "The date of play, RFC 3339, in lists, statistics and exports. Null: derived from its events.",
            EXAMPLE_TIME,
            format="date-time",
        ),
    )
    place = fields.String(
        validate=TITLE,
        allow_none=True,
        metadata=described("Where it was played; null for no place.", "Oma's kitchen"),
    )
    if_illegal = Choice(
        IF_ILLEGAL, metadata=described("The handling of illegal actions, unless a request overrides it.", "accept")
    )
    options = Members(
        MOST_MEMBERS,
        validate=seen,
        metadata=described(
            "The changed options of the ruleset. Rejected if an event so far would have been "
            "different with them; `seq` is the first. Requires an arbiter.",
            {"diver_swim": "any"},
        ),
    )


class ChangeQuery(Schema):
    """Options of a change of details."""

    dry_run = fields.Boolean(
        load_default=False, metadata=described("Judge the change without appending it.", example=False)
    )


class HouseRule(Schema):
    """A house rule in effect."""

    text = fields.String(required=True, metadata=described("The text of the rule.", "A pawn may move diagonally."))
    allows = fields.List(
        fields.Nested("AllowedAction"), required=True, metadata={"description": "The actions that it makes legal."}
    )


class AllowedAction(Schema):
    """Actions that a house rule makes legal."""

    type = fields.String(required=True, metadata=described("The type of the action.", "move"))
    params = Open(PARAMS, metadata=described("The params that such an action must have.", {"to": "iron_gate"}))


class SeatNow(Seat):
    """A place at the table, its player, and its earlier players."""

    earlier = fields.List(
        fields.String(), metadata=described("Earlier players of the seat, in order; absent if there are none.", ["Bob"])
    )
    has_left = fields.Boolean(
        metadata=described("True if the player left and nobody took over; absent if not.", example=True)
    )


class ForkedFrom(Schema):
    """The origin of a fork; `chance` and `fork` are present only if an earlier game has a different kind of chance."""

    game = fields.String(required=True, metadata=described("The game it was forked from.", EXAMPLE_GAME))
    at = fields.Integer(required=True, metadata=described("The last event that they share.", 40))
    hash = fields.String(required=True, metadata=described("The hash of that event there.", EXAMPLE_HASH))
    chance = Choice(
        CHANCE,
        metadata=described("The kind of chance there, if it differs from the fork's.", "observed"),
    )
    fork = fields.Nested(
        "ForkedFrom",
        metadata={"description": "The origin of that game, if its kind of chance differs."},
    )


class Links(Schema):
    """Related addresses."""

    self = fields.String(required=True, metadata=described("This game.", f"/v1/games/{EXAMPLE_GAME}"))
    actions = fields.String(
        required=True, metadata=described("The legal actions.", f"/v1/games/{EXAMPLE_GAME}/actions")
    )
    events = fields.String(required=True, metadata=described("Its log.", f"/v1/games/{EXAMPLE_GAME}/events"))
    stream = fields.String(
        required=True, metadata=described("The stream of its log.", f"/v1/games/{EXAMPLE_GAME}/stream")
    )
    state = fields.String(required=True, metadata=described("The table.", f"/v1/games/{EXAMPLE_GAME}/state"))
    turns = fields.String(required=True, metadata=described("Its turns.", f"/v1/games/{EXAMPLE_GAME}/turns"))
    story = fields.String(required=True, metadata=described("It, told.", f"/v1/games/{EXAMPLE_GAME}/story"))
    notes = fields.String(required=True, metadata=described("The comment.", f"/v1/games/{EXAMPLE_GAME}/notes"))
    audits = fields.String(required=True, metadata=described("Its audits.", f"/v1/games/{EXAMPLE_GAME}/audits"))
    export = fields.String(required=True, metadata=described("Its log as a file.", f"/v1/games/{EXAMPLE_GAME}/export"))
    proof = fields.String(required=True, metadata=described("Its head, signed.", f"/v1/games/{EXAMPLE_GAME}/proof"))
    forks = fields.String(required=True, metadata=described("Its forks.", f"/v1/games/{EXAMPLE_GAME}/forks"))
    parent = fields.String(metadata=described("For a fork: its parent.", f"/v1/games/{EXAMPLE_GAME}"))
    ruleset = fields.String(required=True, metadata=described("Its ruleset.", "/v1/rulesets/forbidden-island"))


class Game(Position):
    """A game."""

    id = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    ruleset = fields.String(required=True, metadata=described("The id of its ruleset.", "forbidden-island"))
    ruleset_version = fields.String(required=True, metadata=described("The version of its rules.", "1"))
    title = fields.String(
        required=True, allow_none=True, metadata=described("Its title; null if there is none.", "The long Friday")
    )
    played_at = fields.String(
        required=True,
        metadata=described(
            "The date of play: as set, otherwise when the game began or, before that, when it was opened.",
            EXAMPLE_TIME,
        ),
    )
    place = fields.String(
        required=True,
        allow_none=True,
        metadata=described("Where it was played; null if nobody said.", "Oma's kitchen"),
    )
    if_illegal = Choice(
        IF_ILLEGAL,
        required=True,
        metadata=described("The handling of illegal actions, unless a request overrides it.", "ask"),
    )
    house_rules = fields.List(
        fields.Nested(HouseRule), required=True, metadata={"description": "The house rules in effect."}
    )
    seats = fields.List(
        fields.Nested(SeatNow),
        required=True,
        metadata=described("The players, in seat order.", [{"name": "Ann"}, {"name": "Bob"}]),
    )
    options = Open(OPTIONS, required=True, metadata=described("Every option with its value.", {"difficulty": "normal"}))
    chance = Choice(CHANCE, required=True, metadata=described("Who draws.", "observed"))
    mode = Choice(MODE, required=True, metadata=described("The recording mode.", "strict"))
    corrections = Choice(
        CORRECTIONS,
        required=True,
        metadata=described("The users who may correct the record, if callers have tokens.", "recorder"),
    )
    tags = fields.List(TAG, required=True, metadata=described("Words that help to find it.", ["club night"]))
    seed_commitment = fields.String(
        required=True,
        allow_none=True,
        metadata=described("Hex SHA-256 of a seeded game's seed; null in an observed game.", EXAMPLE_HASH),
    )
    seed_chosen = fields.Boolean(
        required=True,
        metadata=described("True if the opener chose the seed, and could know every draw.", example=False),
    )
    fork = fields.Nested(
        ForkedFrom, required=True, allow_none=True, metadata={"description": "The origin of a fork; otherwise null."}
    )
    parent_deleted_at = fields.String(
        metadata=described("For a fork: the time at which its parent was deleted.", EXAMPLE_TIME)
    )
    status = Choice(GAME_STATUS, required=True, metadata=described("The status.", "in_progress"))
    is_installed = fields.Boolean(
        required=True,
        metadata=described(
            "True if its rules are installed here. If not, `status`, `turn` and `outcome` are those "
            "of the list, and `phase` is `unknown` while the game is not over.",
            example=True,
        ),
    )
    head = fields.String(required=True, metadata=described("The hash of the last event.", EXAMPLE_HASH))
    opened_at = fields.String(required=True, metadata=described("When it was opened.", EXAMPLE_TIME))
    links = fields.Nested(Links, required=True, metadata={"description": "Links to related resources."})


class ListedGame(Schema):
    """A game in the list, which may be a moment behind the log."""

    id = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    ruleset = fields.String(required=True, metadata=described("The id of its ruleset.", "forbidden-island"))
    ruleset_version = fields.String(required=True, metadata=described("The version of its rules.", "1"))
    title = fields.String(
        required=True, allow_none=True, metadata=described("Its title; null if there is none.", "The long Friday")
    )
    played_at = fields.String(
        required=True, metadata=described("The date of play, as in `played_at` of the game.", EXAMPLE_TIME)
    )
    seats = fields.List(
        fields.Nested(Seat), required=True, metadata=described("Who plays.", [{"name": "Ann"}, {"name": "Bob"}])
    )
    status = Choice(GAME_STATUS, required=True, metadata=described("The status.", "finished"))
    version = fields.Integer(required=True, metadata=described("The `seq` of the last event listed.", 97))
    turn = fields.Integer(required=True, metadata=described("The turn of that event.", 12))
    outcome = outcome()
    chance = Choice(CHANCE, required=True, metadata=described("Who draws.", "observed"))
    mode = Choice(MODE, required=True, metadata=described("The recording mode.", "strict"))
    tags = fields.List(TAG, required=True, metadata=described("Words that help to find it.", ["club night"]))
    fork = fields.Nested(
        ForkedFrom, required=True, allow_none=True, metadata={"description": "The origin of a fork; otherwise null."}
    )
    opened_at = fields.String(required=True, metadata=described("When it was opened.", EXAMPLE_TIME))
    updated_at = fields.String(required=True, metadata=described("When its last event was recorded.", EXAMPLE_TIME))
    seconds = fields.Integer(required=True, metadata=described("The playing time, without breaks.", 3120))
    head = fields.String(required=True, metadata=described("The hash of that event.", EXAMPLE_HASH))
    is_installed = fields.Boolean(
        required=True,
        metadata=described(
            "True if its rules are installed here. If not, its log can be read and exported, and "
            "requests that need the rules get 503 `ruleset-not-installed`.",
            example=True,
        ),
    )
    link = fields.String(required=True, metadata=described("The game.", f"/v1/games/{EXAMPLE_GAME}"))


class GameList(Schema):
    """A page of games, in order."""

    games = fields.List(fields.Nested(ListedGame), required=True, metadata={"description": "One page."})
    next_cursor = next_cursor()


class PageQuery(Schema):
    """Parameters of a page of games."""

    limit = limit(50, most=200)
    cursor = cursor()


class GameFilter(Schema):
    """A filter for games."""

    ruleset = fields.String(metadata=described("The id of a ruleset.", "forbidden-island"))
    status = Choice(GAME_STATUS, metadata=described("Only games with this status.", "finished"))
    result = Choice(GAME_RESULT, metadata=described("Only games with this result.", "won"))
    player = fields.String(
        validate=validate.Length(min=1), metadata=described("A player's full name, in any case.", "ann")
    )
    tag = fields.String(validate=validate.Length(min=1), metadata=described("A full tag, in any case.", "club night"))
    from_ = Time(data_key="from", metadata=described("Played at or after this time, RFC 3339.", "2026-11-01T00:00:00Z"))
    to = Time(metadata=described("Played before this time, RFC 3339.", "2026-12-01T00:00:00Z"))
    q = fields.String(
        validate=validate.Length(min=1, max=200),
        metadata=described("Words, or their beginnings, in player names, tags and rulesets.", "ann isl"),
    )
    parent = fields.String(
        validate=validate.Length(min=1), metadata=described("The id of a game: its forks.", EXAMPLE_GAME)
    )


class EndedFilter(GameFilter):
    """A filter for games that have ended."""

    class Meta:
        exclude = ("status",)


class GameQuery(GameFilter, PageQuery):
    """Filter, order and page of a search."""

    sort = Choice(GAME_ORDER, load_default="newest", metadata=described("The order.", "longest"))


class ForkGame(Schema):
    """Parameters of a fork."""

    at = fields.Integer(
        required=True,
        strict=True,
        validate=validate.Range(min=1, max=LARGEST_SEQ),
        metadata=described("The last event that the fork shares with its parent.", 40),
    )
    chance = Choice(
        CHANCE,
        metadata=described("The kind of chance from there on (default: the parent's).", "seeded"),
    )
    seed = seed()
    tags = List(
        TAG,
        validate=validate.Length(max=20),
        metadata=described("Words that help to find it (default: its parent's).", ["what if"]),
    )
