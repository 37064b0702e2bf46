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
    limit,
    next_cursor,
    outcome,
    validate_visible,
)
from schemas.events import Viewed
from schemas.including import Included, Including
from schemas.members import describe, optional, required
from schemas.named import CHANCE, CORRECTIONS, GAME_ORDER, GAME_RESULT, GAME_STATUS, IF_ILLEGAL, MODE, OPTIONS, PARAMS
from schemas.times import utc

MOST_MEMBERS = 100
"""Maximum members of an object that rulesets define: no game has as many options or parts."""
TAG = optional.text("A word that helps to find the game.", "club night", validate=NAME)


def seed() -> fields.String:
    """Return a field for the seed of a seeded game."""
    return optional.text(
        "The seed of a seeded game (default: 32 random bytes). The service publishes its hash now, and "
        "the seed when the game ends.",
        "a rainy night in November",
        validate=SEED,
    )


class OpenGame(Schema):
    """Parameters of a new record."""

    ruleset = required.text("The id of a ruleset.", "forbidden-island")
    seats = List(
        fields.Nested(Seat),
        required=True,
        validate=validate.Length(min=1, max=8),
        metadata=describe("The players, in seat order.", [{"name": "Ann"}, {"name": "Bob"}]),
    )
    options = Members(
        MOST_MEMBERS,
        load_default=dict,
        validate=validate_visible,
        metadata=describe("The ruleset's options that differ from their defaults.", {"difficulty": "normal"}),
    )
    chance = required.choice(
        CHANCE,
        "The kind of chance. `seeded`: the service draws. `observed`: the players draw and roll, and "
        "report the results.",
        "observed",
    )
    seed = seed()
    seed_mix = optional.text(
        "The id of a seed that several devices have mixed (`POST /v1/seeds`), in place of `seed`. A "
        "mixed seed opens only one game.",
        "3f0c8a5be1d2476f9a1b0c4d5e6f7081",
        validate=validate.Length(min=1, max=60),
    )
    mode = optional.choice(
        MODE,
        "The recording mode. `strict` (the default): illegal actions are rejected. `as_played`: they "
        "are recorded with a verdict.",
        "strict",
        load_default="strict",
    )
    corrections = optional.choice(
        CORRECTIONS, "The users who may correct the record, if callers have tokens (default: `recorder`).", "recorder"
    )
    position = Members(
        MOST_MEMBERS,
        validate=validate_visible,
        metadata=describe(
            'The state of the table, if the record begins in the middle of a game: `{"facts": […]}` with '
            "facts as in `GET …/facts`, or a state document as in `GET …/state`."
        ),
    )
    deal = optional.text(
        "The id of a game whose setup to reuse. The new game needs the same ruleset and number of "
        "seats, and gets its options and seed from that game. An observed game is set up at once. A "
        "seeded game uses the same seed, so the other game must have ended.",
        EXAMPLE_GAME,
        validate=validate.Length(min=1, max=60),
    )
    tags = List(
        TAG,
        load_default=list,
        validate=validate.Length(max=20),
        metadata=describe("Words that help to find the game.", ["club night"]),
    )


def _time(text: str) -> None:
    try:
        utc(text)
    except (ValueError, OverflowError) as error:
        raise ValidationError(str(error)) from None


class ChangeGame(Schema):
    """Details of a record to change. Absent members stay unchanged."""

    title = optional.text("The title of the game; null removes it.", "The long Friday", validate=TITLE, allow_none=True)
    tags = List(
        TAG, validate=validate.Length(max=20), metadata=describe("Words that help to find the game.", ["club night"])
    )
    played_at = fields.String(
        allow_none=True,
        validate=[validate.Length(max=40), _time],
        metadata=describe(
            "The date of play (RFC 3339), used in lists, statistics and exports. Null: Driftlog derives it "
            "from the events.",
            EXAMPLE_TIME,
            format="date-time",
        ),
    )
    place = optional.text(
        "The place where the game was played; null removes it.", "Oma's kitchen", validate=TITLE, allow_none=True
    )
    if_illegal = optional.choice(
        IF_ILLEGAL, "The handling of illegal actions, unless a request overrides it.", "accept"
    )
    options = Members(
        MOST_MEMBERS,
        validate=validate_visible,
        metadata=describe(
            "The ruleset's options to change. The change is rejected if a recorded event would have been different "
            "with them; `seq` of the problem is the first such event. It requires the role `arbiter`.",
            {"diver_swim": "any"},
        ),
    )


class ChangeQuery(Schema):
    """Options of a change of details."""

    dry_run = optional.flag("True to judge the change without appending it.", example=False, load_default=False)


class HouseRule(Schema):
    """A house rule in effect."""

    text = required.text("The text of the rule.", "A pawn may move diagonally.")
    allows = required.each("AllowedAction", "The actions that the house rule makes legal.")


class AllowedAction(Schema):
    """Actions that a house rule makes legal."""

    type = required.text("The type of the action.", "move")
    params = optional.document(PARAMS, "The params that such an action must have.", {"to": "iron_gate"})
    phase = optional.text("The phase in which it is legal; absent: any.", "actions")
    own_turn = optional.flag(
        "True if it is legal only in the player's own turn, false if only out of turn; absent: both.", example=True
    )


class CurrentSeat(Seat):
    """A place at the table, its player, and its earlier players."""

    earlier = optional.texts("Earlier players of the seat, in order; absent if there are none.", ["Bob"])
    has_left = optional.flag("True if the player left and nobody took over; absent if not.", example=True)


class ForkedFrom(Schema):
    """The origin of a fork; `chance` and `fork` are present only if an earlier game has a different kind of chance."""

    game = required.text("The id of the game that was forked.", EXAMPLE_GAME)
    at = required.integer("The `seq` of the last event that both games share.", 40)
    hash = required.text("The hash of the last shared event in the forked game.", EXAMPLE_HASH)
    chance = optional.choice(
        CHANCE, "The kind of chance of the forked game; absent if the fork has the same.", "observed"
    )
    fork = optional.nested_field(
        "ForkedFrom", "The origin of the forked game; absent unless its kind of chance differs."
    )


def _address(of: str, end: str = "") -> fields.String:
    return required.text(f"The address of {of}.", f"/v1/games/{EXAMPLE_GAME}{end}")


class Links(Schema):
    """Related addresses."""

    self = _address("this game")
    actions = _address("the legal actions", "/actions")
    events = _address("the log", "/events")
    stream = _address("the live stream of the log", "/stream")
    state = _address("the state of the table", "/state")
    turns = _address("the turns", "/turns")
    story = _address("the story, which tells each event in a sentence", "/story")
    notes = _address("the notes", "/notes")
    audits = _address("the audits", "/audits")
    analyses = _address("the analyses", "/analyses")
    export = _address("the log as a file", "/export")
    proof = _address("the signed head", "/proof")
    forks = _address("the list of forks", "/forks")
    parent = optional.text("For a fork: the address of its parent.", f"/v1/games/{EXAMPLE_GAME}")
    ruleset = required.text("The address of the ruleset.", "/v1/rulesets/forbidden-island")


class Game(Position):
    """A game."""

    id = required.text("The game's id.", EXAMPLE_GAME)
    ruleset = required.text("The id of the game's ruleset.", "forbidden-island")
    ruleset_version = required.text("The version of the game's rules.", "1")
    title = required.text("The title; null if there is none.", "The long Friday", allow_none=True)
    played_at = required.text(
        "The date of play (RFC 3339) that a user has set; otherwise the time at which the game began, "
        "or was opened if it has not begun.",
        EXAMPLE_TIME,
    )
    place = required.text(
        "The place where the game was played; null if nobody gave it.", "Oma's kitchen", allow_none=True
    )
    if_illegal = required.choice(IF_ILLEGAL, "The handling of illegal actions, unless a request overrides it.", "ask")
    house_rules = required.each(HouseRule, "The house rules in effect.")
    seats = required.each(CurrentSeat, "The players, in seat order.", [{"name": "Ann"}, {"name": "Bob"}])
    options = required.document(OPTIONS, "Every option with its value.", {"difficulty": "normal"})
    chance = required.choice(CHANCE, "The kind of chance.", "observed")
    mode = required.choice(MODE, "The recording mode.", "strict")
    corrections = required.choice(
        CORRECTIONS, "The users who may correct the record, if callers have tokens.", "recorder"
    )
    tags = fields.List(TAG, required=True, metadata=describe("Words that help to find the game.", ["club night"]))
    seed_commitment = required.text(
        "Hex SHA-256 of a seeded game's seed; null in an observed game.", EXAMPLE_HASH, allow_none=True
    )
    seed_chosen = required.flag(
        "True if the user who opened the game chose the seed, and could therefore know every draw.", example=False
    )
    fork = required.nested_field(ForkedFrom, "The origin, if the game is a fork; otherwise null.", allow_none=True)
    parent_deleted_at = optional.text("For a fork whose parent was deleted: the time of the deletion.", EXAMPLE_TIME)
    status = required.choice(GAME_STATUS, "The status of the game.", "in_progress")
    is_installed = required.flag(
        "True if the game's rules are installed on this service. If not, `status`, `turn` and "
        "`outcome` are taken from the list of games, and `phase` is `unknown` until the game is over.",
        example=True,
    )
    head = required.text("The hash of the last event.", EXAMPLE_HASH)
    opened_at = required.text("The time of opening.", EXAMPLE_TIME)
    links = required.nested_field(Links, "Links to related resources.")


class ListedGame(Schema):
    """A game in the list, which may be a moment behind the log."""

    id = required.text("The game's id.", EXAMPLE_GAME)
    ruleset = required.text("The id of the game's ruleset.", "forbidden-island")
    ruleset_version = required.text("The version of the game's rules.", "1")
    title = required.text("The title; null if there is none.", "The long Friday", allow_none=True)
    played_at = required.text("The date of play, as in `played_at` of the game.", EXAMPLE_TIME)
    seats = required.each(Seat, "The players, in seat order.", [{"name": "Ann"}, {"name": "Bob"}])
    status = required.choice(GAME_STATUS, "The status of the game.", "finished")
    version = required.integer("The `seq` of the last event that the list reflects.", 97)
    turn = required.integer("The turn of the event `version`.", 12)
    outcome = outcome()
    chance = required.choice(CHANCE, "The kind of chance.", "observed")
    mode = required.choice(MODE, "The recording mode.", "strict")
    tags = fields.List(TAG, required=True, metadata=describe("Words that help to find the game.", ["club night"]))
    fork = required.nested_field(ForkedFrom, "The origin, if the game is a fork; otherwise null.", allow_none=True)
    opened_at = required.text("The time of opening.", EXAMPLE_TIME)
    updated_at = required.text("The time of recording of the event `version`.", EXAMPLE_TIME)
    seconds = required.integer("The playing time in seconds, without breaks.", 3120)
    head = required.text("The hash of the event `version`.", EXAMPLE_HASH)
    is_installed = required.flag(
        "True if the game's rules are installed on this service. If not, you can read and export the "
        "log, but requests that need the rules get 503 `ruleset-not-installed`.",
        example=True,
    )
    link = required.text("The address of the game.", f"/v1/games/{EXAMPLE_GAME}")


class GameList(Schema):
    """A page of games, in order."""

    games = required.each(ListedGame, "The games of this page.")
    next_cursor = next_cursor()


class PageQuery(Schema):
    """Parameters of a page of games."""

    limit = limit(50, most=200)
    cursor = cursor()


class GameFilter(Schema):
    """A filter for games."""

    ruleset = optional.text("Only games with this ruleset: its id.", "forbidden-island")
    status = optional.choice(GAME_STATUS, "Only games with this status.", "finished")
    result = optional.choice(GAME_RESULT, "Only games with this result.", "won")
    player = optional.text(
        "Only games of this player: the full name. Letter case is ignored.", "ann", validate=validate.Length(min=1)
    )
    tag = optional.text(
        "Only games with this tag: the full tag. Letter case is ignored.", "club night", validate=validate.Length(min=1)
    )
    from_ = Time(
        data_key="from",
        metadata=describe("Only games played at or after this time (RFC 3339).", "2026-11-01T00:00:00Z"),
    )
    to = Time(metadata=describe("Only games played before this time (RFC 3339).", "2026-12-01T00:00:00Z"))
    q = optional.text(
        "Only games whose players, tags or ruleset contain these words, or words that begin with them.",
        "ann isl",
        validate=validate.Length(min=1, max=200),
    )
    parent = optional.text("Only forks of this game: its id.", EXAMPLE_GAME, validate=validate.Length(min=1))


class EndedFilter(GameFilter):
    """A filter for games that have ended."""

    class Meta:
        exclude = ("status",)


class GameQuery(GameFilter, PageQuery):
    """Filter, order and page of a search."""

    sort = optional.choice(GAME_ORDER, "The order of the games.", "longest", load_default="newest")


class GameWith(Included, Game):
    """A game, with the requested further data."""


class OneGameQuery(Including, Viewed):
    """The viewer and the last event of a view, and members to include in the response."""


class ForkGame(Schema):
    """Parameters of a fork."""

    at = required.seq("The `seq` of the last event that the fork shares with its parent.", 40, strict=True)
    chance = optional.choice(CHANCE, "The kind of chance after that event (default: the parent's).", "seeded")
    seed = seed()
    tags = List(
        TAG,
        validate=validate.Length(max=20),
        metadata=describe("Words that help to find the fork (default: the parent's tags).", ["what if"]),
    )
