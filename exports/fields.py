"""The tables of games, and the columns of each (see `exports.tables`)."""

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
    Field("ruleset", str, "The game."),
)
_SEQ = Field("seq", int, "The event.")
TABLES: dict[str, tuple[Field, ...]] = {
    "games": (
        *_GAME,
        Field("ruleset_version", str, "The version of its rules."),
        Field("seats", int, "How many played."),
        Field("chance", str, "`seeded` or `observed`."),
        Field("mode", str, "`strict` or `as_played`."),
        Field("status", str, "`setup`, `in_progress`, `finished` or `abandoned`."),
        Field("result", str, "`won`, `lost`, `draw` or `abandoned`, once it is over."),
        Field("by_hand", bool, "Whether adjustments decided the result."),
        Field("reason", str, "The ruleset's id of the ending."),
        Field("turns", int, "The turn that was played last."),
        Field("events", int, "How many events it has."),
        Field("opened_at", datetime, "When the record was opened."),
        Field(
            "began_at",
            datetime,
            "When it was played, as somebody said; else when the first event after the opening happened, before that "
            "`opened_at`.",
        ),
        Field(
            "ended_at",
            datetime,
            "When its last played event happened; with a date of play, that plus its length. Empty while it goes on.",
        ),
        Field("minutes", float, "How long it was played, breaks of more than an hour left out."),
        Field("parent", str, "The game that it is a fork of."),
        Field("options", str, "What the table chose, as JSON."),
        Field("tags", str, "Its tags, as JSON."),
        Field("head", str, "The hash of the last event."),
    ),
    "seats": (
        *_GAME,
        Field("seat", str, "`p1`, `p2`, …"),
        Field("player", str, "Who sits there."),
        Field("role", str, "What the seat plays, where that differs, in words."),
        Field("is_winner", bool, "Whether it has won; empty while the game goes on."),
    ),
    "events": (
        *_GAME,
        _SEQ,
        Field("turn", int, "The turn of the event; 0 before the first."),
        Field("type", str, "The type."),
        Field("actor", str, "Whose action it is."),
        Field("params", str, "Its parameters, as JSON."),
        Field("account", str, "A sentence that says what happened."),
        Field("recorded_at", datetime, "The time of recording."),
        Field("occurred_at", datetime, "When it happened, where somebody said so."),
        Field("recorded_by", str, "Who wrote it down."),
        Field("note", str, "What was noted with it."),
        Field("verdict", str, "What the rules say of it, in a game recorded as played."),
        Field("rule", str, "The rulebook heading, if it is illegal."),
        Field("reason", str, "Why it is not, in a sentence."),
        Field("superseded_by", int, "The undo or amend because of which it does not stand."),
        Field("hash", str, "Its hash."),
        Field("v", float, "The win chance of the acting side after it, if an analysis valued it."),
        Field("v_low", float, "The lower end of the 95 % interval of `v`."),
        Field("v_high", float, "The upper end."),
        Field("luck", float, "The change of the win chance that its result caused."),
        Field("skill", float, "The change that the choice caused."),
    ),
    "outcomes": (
        *_GAME,
        _SEQ,
        Field("position", int, "Its index in the outcomes of the event, from 0."),
        Field("name", str, "What was drawn, rolled or turned."),
        Field("value", str, "What came up; empty where nobody saw it."),
        Field("p", float, "How probable that was; empty where it hangs on what is not known."),
    ),
    "states": (
        *_GAME,
        _SEQ,
        Field("turn", int, "The turn that is played after it."),
        Field("phase", str, "The part of the turn."),
        Field("active", str, "The seat whose turn it is."),
    ),
    "seat_states": (*_GAME, _SEQ, Field("seat", str, "`p1`, `p2`, …")),
    "turns": (
        *_GAME,
        Field("turn", int, "Its number; 0 is opening and set-up."),
        Field("seat", str, "Whose turn it is."),
        Field("first", int, "Its first event."),
        Field("last", int, "Its last event."),
        Field("events", int, "How many events of it stand."),
        Field("account", str, "What happened in it."),
    ),
    "findings": (
        *_GAME,
        _SEQ,
        Field("turn", int, "The turn in which it happened."),
        Field("kind", str, "What is found: docs/audit.md."),
        Field("rule", str, "The rulebook heading."),
        Field("message", str, "What is found, in a sentence."),
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
