"""Games: opening a record, what it is, the list, forks."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.common import (
    EXAMPLE_GAME,
    EXAMPLE_HASH,
    EXAMPLE_TIME,
    NAME,
    SEED,
    List,
    Members,
    Position,
    Seat,
    described,
    limit,
    outcome,
    seen,
)
from schemas.events import LARGEST_SEQ
from schemas.named import CHANCE, CORRECTIONS, GAME_ORDER, GAME_RESULT, GAME_STATUS, MODE, OPTIONS, Choice, Open

MOST_MEMBERS = 100
"""Of an object that a ruleset gives its meaning: no table has as many options, or parts."""
TAG = fields.String(validate=NAME, metadata=described("A word to find the game by.", "club night"))


def seed() -> fields.String:
    """A field with the seed of a seeded game."""
    return fields.String(
        validate=SEED,
        metadata=described(
            "The seed of a seeded game (default: 32 random bytes); its hash is published now, itself at the end.",
            "a rainy night in November",
        ),
    )


class OpenGame(Schema):
    """What it takes to open a record."""

    ruleset = fields.String(required=True, metadata=described("The id of a ruleset.", "forbidden-island"))
    seats = List(
        fields.Nested(Seat),
        required=True,
        validate=validate.Length(min=1, max=8),
        metadata=described("Who plays, in seat order.", [{"name": "Ann"}, {"name": "Bob"}]),
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
    mode = Choice(
        MODE,
        load_default="strict",
        metadata=described(
            "`strict` (the default): what the rules forbid is refused. `as_played`: it is recorded, with a verdict.",
            "strict",
        ),
    )
    corrections = Choice(
        CORRECTIONS,
        metadata=described("Who may correct the record, where callers have tokens (default: `recorder`).", "recorder"),
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
            "A game that this one has the same set-up as: its ruleset and as many seats; options and seed are its own. "
            "An observed game is set up so at once. A seeded one has the same seed, so it takes one that has ended.",
            EXAMPLE_GAME,
        ),
    )
    tags = List(
        TAG,
        load_default=list,
        validate=validate.Length(max=20),
        metadata=described("Words to find it by.", ["club night"]),
    )


class ForkedFrom(Schema):
    """Where a fork comes from: with `chance` and `fork` only where the kind of chance has changed on the way."""

    game = fields.String(required=True, metadata=described("The game it was forked from.", EXAMPLE_GAME))
    at = fields.Integer(required=True, metadata=described("The last event that they share.", 40))
    hash = fields.String(required=True, metadata=described("The hash of that event there.", EXAMPLE_HASH))
    chance = Choice(
        CHANCE,
        metadata=described("Who drew there, where it is not as in the fork.", "observed"),
    )
    fork = fields.Nested(
        "ForkedFrom",
        metadata={"description": "Where that game was forked from, where chance was of another kind."},
    )


class Links(Schema):
    """Where to go on."""

    self = fields.String(required=True, metadata=described("This game.", f"/v1/games/{EXAMPLE_GAME}"))
    actions = fields.String(
        required=True, metadata=described("What may be done now.", f"/v1/games/{EXAMPLE_GAME}/actions")
    )
    events = fields.String(required=True, metadata=described("Its log.", f"/v1/games/{EXAMPLE_GAME}/events"))
    stream = fields.String(
        required=True, metadata=described("Its log as it grows.", f"/v1/games/{EXAMPLE_GAME}/stream")
    )
    state = fields.String(required=True, metadata=described("The table.", f"/v1/games/{EXAMPLE_GAME}/state"))
    turns = fields.String(required=True, metadata=described("Its turns.", f"/v1/games/{EXAMPLE_GAME}/turns"))
    story = fields.String(required=True, metadata=described("It, told.", f"/v1/games/{EXAMPLE_GAME}/story"))
    notes = fields.String(required=True, metadata=described("What was said of it.", f"/v1/games/{EXAMPLE_GAME}/notes"))
    audits = fields.String(required=True, metadata=described("Its audits.", f"/v1/games/{EXAMPLE_GAME}/audits"))
    export = fields.String(required=True, metadata=described("Its log as a file.", f"/v1/games/{EXAMPLE_GAME}/export"))
    proof = fields.String(required=True, metadata=described("Its head, signed.", f"/v1/games/{EXAMPLE_GAME}/proof"))
    forks = fields.String(required=True, metadata=described("Its forks.", f"/v1/games/{EXAMPLE_GAME}/forks"))
    parent = fields.String(metadata=described("Of a fork: the game it was forked from.", f"/v1/games/{EXAMPLE_GAME}"))
    ruleset = fields.String(required=True, metadata=described("What it is played by.", "/v1/rulesets/forbidden-island"))


class Game(Position):
    """What a game is."""

    id = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    ruleset = fields.String(required=True, metadata=described("The id of its ruleset.", "forbidden-island"))
    ruleset_version = fields.String(required=True, metadata=described("The version of its rules.", "1"))
    seats = fields.List(
        fields.Nested(Seat),
        required=True,
        metadata=described("Who plays, in seat order.", [{"name": "Ann"}, {"name": "Bob"}]),
    )
    options = Open(OPTIONS, required=True, metadata=described("Every option with its value.", {"difficulty": "normal"}))
    chance = Choice(CHANCE, required=True, metadata=described("Who draws.", "observed"))
    mode = Choice(MODE, required=True, metadata=described("How it is recorded.", "strict"))
    corrections = Choice(
        CORRECTIONS,
        required=True,
        metadata=described("Who may correct the record, where callers have tokens.", "recorder"),
    )
    tags = fields.List(TAG, required=True, metadata=described("Words to find it by.", ["club night"]))
    seed_commitment = fields.String(
        required=True,
        allow_none=True,
        metadata=described("Hex SHA-256 of a seeded game's seed; null in an observed game.", EXAMPLE_HASH),
    )
    fork = fields.Nested(
        ForkedFrom, required=True, allow_none=True, metadata={"description": "Where a fork comes from, else null."}
    )
    parent_deleted_at = fields.String(
        metadata=described("Of a fork, where the game that it was forked from was deleted: when.", EXAMPLE_TIME)
    )
    status = Choice(GAME_STATUS, required=True, metadata=described("How far it is.", "in_progress"))
    is_installed = fields.Boolean(
        required=True,
        metadata=described(
            "Whether its rules are installed here. If not, `status`, `turn` and `outcome` are as the list has them, "
            "and `phase` is `unknown` while the game is not over.",
            example=True,
        ),
    )
    head = fields.String(required=True, metadata=described("The hash of the last event.", EXAMPLE_HASH))
    opened_at = fields.String(required=True, metadata=described("When it was opened.", EXAMPLE_TIME))
    links = fields.Nested(Links, required=True, metadata={"description": "Where to go on."})


class ListedGame(Schema):
    """A game in the list: as its projection has it, which may be a moment behind the log."""

    id = fields.String(required=True, metadata=described("The game's id.", EXAMPLE_GAME))
    ruleset = fields.String(required=True, metadata=described("The id of its ruleset.", "forbidden-island"))
    ruleset_version = fields.String(required=True, metadata=described("The version of its rules.", "1"))
    seats = fields.List(
        fields.Nested(Seat), required=True, metadata=described("Who plays.", [{"name": "Ann"}, {"name": "Bob"}])
    )
    status = Choice(GAME_STATUS, required=True, metadata=described("How far it is.", "finished"))
    version = fields.Integer(required=True, metadata=described("The `seq` of the last event listed.", 97))
    turn = fields.Integer(required=True, metadata=described("The turn it was in.", 12))
    outcome = outcome()
    chance = Choice(CHANCE, required=True, metadata=described("Who draws.", "observed"))
    mode = Choice(MODE, required=True, metadata=described("How it is recorded.", "strict"))
    tags = fields.List(TAG, required=True, metadata=described("Words to find it by.", ["club night"]))
    fork = fields.Nested(
        ForkedFrom, required=True, allow_none=True, metadata={"description": "Where a fork comes from, else null."}
    )
    opened_at = fields.String(required=True, metadata=described("When it was opened.", EXAMPLE_TIME))
    updated_at = fields.String(required=True, metadata=described("When its last event was recorded.", EXAMPLE_TIME))
    seconds = fields.Integer(required=True, metadata=described("How long it was played, breaks left out.", 3120))
    head = fields.String(required=True, metadata=described("The hash of that event.", EXAMPLE_HASH))
    is_installed = fields.Boolean(
        required=True,
        metadata=described(
            "Whether its rules are installed here. If not, its log can be read and exported, and what takes the rules "
            "is 503 `ruleset-not-installed`.",
            example=True,
        ),
    )
    link = fields.String(required=True, metadata=described("The game.", f"/v1/games/{EXAMPLE_GAME}"))


class GameList(Schema):
    """Games, in order."""

    games = fields.List(fields.Nested(ListedGame), required=True, metadata={"description": "One page of them."})
    next_cursor = fields.String(
        required=True, allow_none=True, metadata=described("Where the next page begins; null on the last.")
    )


class PageQuery(Schema):
    """Which page of a list of games."""

    limit = limit(50, most=200)
    cursor = fields.String(metadata=described("From the page before."))


class GameFilter(Schema):
    """Which games."""

    ruleset = fields.String(metadata=described("The id of a ruleset.", "forbidden-island"))
    status = Choice(GAME_STATUS, metadata=described("How far they are.", "finished"))
    result = Choice(GAME_RESULT, metadata=described("How they ended.", "won"))
    player = fields.String(
        validate=validate.Length(min=1), metadata=described("A player's whole name, in any case.", "ann")
    )
    tag = fields.String(validate=validate.Length(min=1), metadata=described("A whole tag, in any case.", "club night"))
    from_ = fields.AwareDateTime(
        data_key="from", metadata=described("Opened at or after this time, RFC 3339.", "2026-11-01T00:00:00Z")
    )
    to = fields.AwareDateTime(metadata=described("Opened before this time, RFC 3339.", "2026-12-01T00:00:00Z"))
    q = fields.String(
        validate=validate.Length(min=1, max=200),
        metadata=described("Words, or their beginnings, of players' names, tags and rulesets.", "ann isl"),
    )
    parent = fields.String(
        validate=validate.Length(min=1), metadata=described("The id of a game: its forks.", EXAMPLE_GAME)
    )


class EndedFilter(GameFilter):
    """Which of the games that have ended."""

    class Meta:
        exclude = ("status",)


class GameQuery(GameFilter, PageQuery):
    """What to find, and in which order."""

    sort = Choice(GAME_ORDER, load_default="newest", metadata=described("The order.", "longest"))


class ForkGame(Schema):
    """Where to fork, and how to go on."""

    at = fields.Integer(
        required=True,
        strict=True,
        validate=validate.Range(min=1, max=LARGEST_SEQ),
        metadata=described("The last event that the fork shares with its parent.", 40),
    )
    chance = Choice(
        CHANCE,
        metadata=described("Who draws from there on (default: as in the parent).", "seeded"),
    )
    seed = seed()
    tags = List(
        TAG,
        validate=validate.Length(max=20),
        metadata=described("Words to find it by (default: its parent's).", ["what if"]),
    )
