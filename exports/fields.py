"""The exported tables of games, and their columns (see `exports.tables`)."""

from __future__ import annotations

from datetime import datetime

import msgspec

from engine.kit.columns import AnyColumn, AnySeatColumn
from engine.play import registry

Kind = type[int] | type[float] | type[bool] | type[str] | type[datetime]


class Field(msgspec.Struct, frozen=True):
    """A column of a table. Times are text, RFC 3339 in UTC."""

    name: str
    kind: Kind
    description: str


_GAME = (
    Field("game", str, "The game's id."),
    Field("ruleset", str, "The id of its ruleset."),
)
_SEQ = Field("seq", int, "The number of the event.")
TABLES: dict[str, tuple[Field, ...]] = {
    "games": (
        *_GAME,
        Field("ruleset_version", str, "The version of the rules."),
        Field("seats", int, "The number of players."),
        Field("chance", str, "`seeded` or `observed`."),
        Field("mode", str, "`strict` or `as_played`."),
        Field("status", str, "`setup`, `in_progress`, `finished` or `abandoned`."),
        Field("result", str, "`won`, `lost`, `draw` or `abandoned`; empty while the game continues."),
        Field("by_hand", bool, "True if adjustments decided the result."),
        Field("reason", str, "The id of the ending in the ruleset."),
        Field("turns", int, "The number of the last turn."),
        Field("events", int, "The number of events."),
        Field("opened_at", datetime, "The time when the record was opened."),
        Field(
            "began_at",
            datetime,
            "The date of play, if it was set. Otherwise the time of the first event after the opening, or `opened_at` "
            "if there is none.",
        ),
        Field(
            "ended_at",
            datetime,
            "The time of the last action; if a date of play was set, that date plus the playing time. Empty while the "
            "game continues.",
        ),
        Field("minutes", float, "The playing time in minutes, without breaks of more than an hour."),
        Field("parent", str, "The id of the parent, if the game is a fork."),
        Field("options", str, "The options of the game, as JSON."),
        Field("tags", str, "The tags of the game, as JSON."),
        Field("head", str, "The hash of the last event."),
    ),
    "seats": (
        *_GAME,
        Field("seat", str, "`p1`, `p2`, …"),
        Field("player", str, "The name of the player."),
        Field("role", str, "The role of the seat, in words; empty if the game has no roles."),
        Field("is_winner", bool, "True if the seat has won; empty while the game continues."),
    ),
    "events": (
        *_GAME,
        _SEQ,
        Field("turn", int, "The turn of the event; 0 before the first turn."),
        Field("type", str, "The type of the event."),
        Field("actor", str, "The seat that acted; empty if none did."),
        Field("params", str, "The parameters of the event, as JSON."),
        Field("account", str, "The event as a sentence."),
        Field("recorded_at", datetime, "The time of recording."),
        Field("occurred_at", datetime, "The time of the event, if it was given."),
        Field("recorded_by", str, "The name of the recorder."),
        Field("note", str, "The note recorded with the event."),
        Field("verdict", str, "The verdict on the event, in a game that is recorded as played."),
        Field("rule", str, "The rulebook heading, if the event is not legal."),
        Field("reason", str, "The reason for the verdict, in a sentence, if the event is not legal."),
        Field("superseded_by", int, "The undo or amend that superseded the event."),
        Field("hash", str, "The hash of the event."),
        Field("v", float, "The win chance of the acting side after the event, if an analysis has estimated it."),
        Field("v_low", float, "The lower end of the 95 % interval of `v`."),
        Field("v_high", float, "The upper end of the 95 % interval of `v`."),
        Field("luck", float, "The change of the win chance that the result caused."),
        Field("skill", float, "The change of the win chance that the player's choice caused."),
    ),
    "outcomes": (
        *_GAME,
        _SEQ,
        Field("position", int, "The index of the result among the outcomes of the event, from 0."),
        Field("name", str, "The draw or roll, such as a deck."),
        Field("value", str, "The result; empty if it is unknown."),
        Field("p", float, "The probability of the result; empty if it depends on unknown results."),
    ),
    "states": (
        *_GAME,
        _SEQ,
        Field("turn", int, "The current turn after the event."),
        Field("phase", str, "The part of the turn."),
        Field("active", str, "The seat whose turn it is."),
    ),
    "seat_states": (*_GAME, _SEQ, Field("seat", str, "`p1`, `p2`, …")),
    "turns": (
        *_GAME,
        Field("turn", int, "The number of the turn; 0 is the opening and the setup."),
        Field("seat", str, "The seat whose turn it is."),
        Field("first", int, "The first event of the turn."),
        Field("last", int, "The last event of the turn."),
        Field("events", int, "The number of events of the turn that are in effect."),
        Field("account", str, "The events of the turn, in sentences."),
    ),
    "findings": (
        *_GAME,
        _SEQ,
        Field("turn", int, "The turn of the finding."),
        Field("kind", str, "The kind of finding, see docs/audit.md."),
        Field("rule", str, "The rulebook heading."),
        Field("message", str, "The finding, in a sentence."),
    ),
}
"""The columns of each table, without the columns that rulesets declare (`fields` adds these)."""


def fields() -> dict[str, tuple[Field, ...]]:
    """Return the columns of each table, including all rulesets' columns, so that all games have the same columns."""
    rulesets = registry.rulesets()
    declared: dict[str, list[AnyColumn | AnySeatColumn]] = {
        "states": [column for ruleset in rulesets for column in ruleset.columns],
        "seat_states": [column for ruleset in rulesets for column in ruleset.seat_columns],
    }
    found = dict(TABLES)
    for table, columns in declared.items():
        by_name: dict[str, Field] = {}
        for column in columns:
            by_name.setdefault(column.name, Field(column.name, column.kind, column.description))
        found[table] = (*TABLES[table], *by_name.values())
    return found
