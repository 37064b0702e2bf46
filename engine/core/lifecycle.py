"""Lifecycle events with their params: the events that every game has besides its own actions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from engine.core.details import IfIllegal
from engine.core.documents import malformed_error
from engine.core.errors import Malformed
from engine.core.events import Draft
from engine.core.language import marked
from engine.core.values import GameOutcome, SeatId, Value

GAME_OPENED = "game_opened"
SET_UP = "set_up"
GAME_CLOSED = "game_closed"
LEFT_OUT = "left_out"
DETAILS_CHANGED = "details_changed"
SEAT_LEFT = "seat_left"
SEAT_JOINED = "seat_joined"
HOUSE_RULE = "house_rule"

RULE = marked("Keeping the record")
"""Heading for rejections by Driftlog itself instead of a rulebook."""

MOST_FACTS = 300
"""Maximum number of facts in one event; no table has that many."""

Mark = Literal["!", "?", "!!", "??", "!?", "?!"]
"""Assessment of an event, in chess notation."""

MARKS: tuple[Mark, ...] = get_args(Mark)

_Seq = Annotated[int, Meta(ge=1)]
_Text = Annotated[str, Meta(min_length=1, max_length=2000)]
_Line = Annotated[str, Meta(min_length=1, max_length=80)]


class SetUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The rulebook's setup. Its outcomes are all chance results of the setup, in order.

    With a `position`, the record begins in the middle of a game. The position is `{"facts": […]}` or a state's
    document. Outcomes are then the identities of components that the position only counts, such as cards in a hand.
    """

    position: dict[str, Any] | None = None


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Go back to the state after event `to`; undone events stay in the log. Undoing an undo is a redo."""

    to: _Seq


class Amend(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Change one earlier event and keep the rest: replace it by `event`, insert `insert` before it, or remove it.

    Later events are replayed. With `accept_broken`, events that are no longer possible stay in the log, marked as
    broken.
    """

    seq: _Seq
    event: Draft | None = None
    insert: Draft | None = None
    remove: bool = False
    accept_broken: bool = False
    sound_only: bool = False
    """True if an event that this amend makes illegal or impossible takes effect only if it leads to a sound table.

    The same condition applies to the new event. Driftlog sets this member in stored events; do not send it. Earlier
    records lack it.
    """
    keeps_turn: bool = False
    """True if an event that becomes out of turn through this amend does not end the turn.

    The service sets this member; do not send it. In older records, which lack the member, such an event ends the turn.
    Driftlog sets this member only in strict records.
    """

    def __post_init__(self) -> None:
        if (self.event is not None) + (self.insert is not None) + self.remove != 1:
            raise ValueError("must have exactly one of `event`, `insert` and `remove`")

    @property
    def draft(self) -> Draft | None:
        """The replacing or inserted event; None for a removal."""
        return self.event if self.event is not None else self.insert

    def bringing(self, draft: Draft) -> Amend:
        """Return this amend with `draft` as its replacing or inserted event."""
        return msgspec.structs.replace(self, **{"event" if self.event is not None else "insert": draft})


class Reveal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Fill in an unknown result: `value` replaces the null outcome of event `seq`."""

    seq: _Seq
    value: Value
    position: Annotated[int, Meta(ge=0)] = 0
    sound_only: bool = False
    """As `Amend.sound_only`."""


class Adjust(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Adjust the record to the table: from now on these `facts` hold.

    Instead of facts, `patch` can give the changes as a JSON Patch (RFC 6902) to the state's document.
    """

    reason: _Text
    facts: Annotated[tuple[dict[str, Any], ...], Meta(max_length=MOST_FACTS)] | None = None
    """Facts that hold from now on, each in the shape declared by the ruleset."""
    was: Annotated[tuple[dict[str, Any] | None, ...], Meta(max_length=MOST_FACTS)] | None = None
    """Set on stored events: for each of the `facts`, the fact that it replaced.

    If both facts are equal, the players confirmed the fact. None: the replaced fact depended on an unknown result.
    Leave this member out of a request.
    """
    whole: bool = False
    """True if the `facts` describe the whole table: anything not listed is absent."""
    patch: Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=100)] | None = None
    agreed_by: tuple[SeatId, ...] = ()
    """The seats that agreed to the adjustment."""
    agreed: tuple[SeatId, ...] = ()
    """The same as `agreed_by`, under the name that earlier records use."""

    def __post_init__(self) -> None:
        if (self.facts is None) == (self.patch is None):
            raise ValueError("must have either `facts` or `patch`")
        if self.was is not None and (self.facts is None or len(self.was) != len(self.facts)):
            raise ValueError("`was` must have an entry for each of the `facts`")

    @property
    def agreeing(self) -> tuple[SeatId, ...]:
        """The seats that agreed, from `agreed_by` or, in earlier records, from `agreed`."""
        return self.agreed_by or self.agreed


class LeftOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Record that the players skipped a step of the rules, in a game recorded as played."""

    seat: SeatId
    """The seat whose step was skipped."""
    step: str
    """The skipped step, one of the ruleset's `steps`."""
    reason: _Text | None = None


class Annotate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Add a text, a mark or a bookmark, or several of them, to event `seq` (default: the last)."""

    text: _Text | None = None
    seq: _Seq | None = None
    mark: Mark | None = None
    bookmark: Annotated[str, Meta(min_length=1, max_length=80)] | None = None

    def __post_init__(self) -> None:
        if self.text is None and self.mark is None and self.bookmark is None:
            raise ValueError("must have a `text`, a `mark` or a `bookmark`")


class Abandon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """End the record here; the game stays unfinished."""

    reason: _Text


class DetailsChanged(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Change details of the record: each given member applies from now on."""

    title: Annotated[str, Meta(min_length=1, max_length=200)] | UnsetType | None = UNSET
    """Null removes it."""
    tags: Annotated[tuple[_Line, ...], Meta(max_length=20)] | UnsetType = UNSET
    played_at: Annotated[str, Meta(max_length=40)] | UnsetType | None = UNSET
    """Time of play, RFC 3339 in UTC. Null: computed from the events."""
    place: Annotated[str, Meta(min_length=1, max_length=200)] | UnsetType | None = UNSET
    """Place of play; null removes it."""
    if_illegal: IfIllegal | UnsetType = UNSET
    options: dict[str, Any] | UnsetType = UNSET
    """Options to change; allowed only if every event so far would be the same with the new options."""

    def __post_init__(self) -> None:
        if all(getattr(self, name) is UNSET for name in self.__struct_fields__):
            raise ValueError("must have at least one member to change")
        if isinstance(self.played_at, str) and datetime.fromisoformat(self.played_at).tzinfo is None:
            raise ValueError("`played_at` must be a time with an offset from UTC")


class SeatLeft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The player in a seat leaves the table. Others play for the seat, by the same rules."""

    seat: SeatId
    reason: _Text | None = None


class SeatJoined(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Another player takes over a seat."""

    seat: SeatId
    name: _Line


class AllowedAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Actions of a type, or only those with certain params or in some situations."""

    type: Annotated[str, Meta(min_length=1, max_length=60)]
    params: dict[str, Any] | None = None
    phase: Annotated[str, Meta(min_length=1, max_length=60)] | None = None
    """The phase in which the actions are allowed; None: any."""
    own_turn: bool | None = None
    """True to allow the actions only in the player's own turn, False only out of turn; None: always."""


class HouseRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The players add a house rule: from now on the actions in `allows` are legal."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]
    allows: Annotated[tuple[AllowedAction, ...], Meta(min_length=1, max_length=20)]
    overrides: Annotated[str, Meta(min_length=1, max_length=100)] | None = None
    """The rulebook's heading of the rule that it overrides; None if the players named none."""


class GameClosed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The game has ended with `outcome`. The event has the `seed` of a seeded game, which is secret until then."""

    outcome: GameOutcome
    seed: str | None = None


Lifecycle = (
    SetUp
    | Undo
    | Amend
    | Reveal
    | Adjust
    | LeftOut
    | Annotate
    | Abandon
    | DetailsChanged
    | SeatLeft
    | SeatJoined
    | HouseRule
    | GameClosed
)

KINDS: dict[str, type[Lifecycle]] = {
    SET_UP: SetUp,
    "undo": Undo,
    "amend": Amend,
    "reveal": Reveal,
    "adjust": Adjust,
    LEFT_OUT: LeftOut,
    "annotate": Annotate,
    "abandon": Abandon,
    DETAILS_CHANGED: DetailsChanged,
    SEAT_LEFT: SeatLeft,
    SEAT_JOINED: SeatJoined,
    HOUSE_RULE: HouseRule,
    GAME_CLOSED: GameClosed,
}

Recordable = Literal[
    "undo",
    "amend",
    "reveal",
    "adjust",
    "left_out",
    "annotate",
    "abandon",
    "details_changed",
    "seat_left",
    "seat_joined",
    "house_rule",
]

RECORDABLE: tuple[Recordable, ...] = get_args(Recordable)
"""Events that any recorder may append once a game is set up."""

REWRITING = frozenset({"amend", "reveal"})
"""Events that rewrite the line. The state after such an event is computed by a replay, not from the state before it."""

CORRECTING = REWRITING | {"undo"}
"""Events that change the line in a way other than the addition of one event."""


def parse(type_: str, actor: str | None, params: dict[str, Any]) -> Lifecycle:
    """Parse a lifecycle event.

    Raises:
        Malformed: the params are invalid, or `actor` is given: lifecycle events have none.
    """
    if actor is not None:
        raise Malformed("/actor", f"{type_} is not an action of a player: omit `actor`")
    try:
        return msgspec.convert(params, KINDS[type_])
    except msgspec.ValidationError as error:
        raise malformed_error(error, "/params", KINDS[type_]) from None
