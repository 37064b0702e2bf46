"""The events that every game knows besides its own actions: their params, and the rule that each stands for."""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from engine.core.documents import malformed
from engine.core.errors import Malformed
from engine.core.events import Draft
from engine.core.language import marked
from engine.core.values import GameOutcome, SeatId, Value

GAME_OPENED = "game_opened"
SET_UP = "set_up"
GAME_CLOSED = "game_closed"
LEFT_OUT = "left_out"

RULE = marked("Keeping the record")
"""The heading under which Driftlog's own refusals stand."""

MOST_FACTS = 300
"""That may be told at once: more than any table has."""

Mark = Literal["!", "?", "!!", "??", "!?", "?!"]
"""What is thought of an event, as chess writes it."""

MARKS: tuple[Mark, ...] = get_args(Mark)

_Seq = Annotated[int, Meta(ge=1)]
_Text = Annotated[str, Meta(min_length=1, max_length=2000)]


class SetUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The rulebook's set-up: its outcomes are all that chance does in it, in its order.

    With a `position` the record begins in the middle of a game instead: `{"facts": […]}`, what the table looks like, or
    a state's document. Outcomes are then what is there, and was not told: cards of a hand.
    """

    position: dict[str, Any] | None = None


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Go back to the state after event `to`; what is undone stays in the log. Undoing an undo is a redo."""

    to: _Seq


class Amend(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Write one earlier place anew and keep the rest: it becomes `event`, or `insert` goes in before it, or it goes.

    What follows is played again. Where that leaves events that do not follow any more, `accept_broken` says that they
    are to stay, marked.
    """

    seq: _Seq
    event: Draft | None = None
    insert: Draft | None = None
    remove: bool = False
    accept_broken: bool = False
    sound_only: bool = False
    """Of an event: whether what it breaks has an effect only where the game can go on from the table that comes of it,
    as what is recorded anew. Earlier records asked less, and do not have it. Whoever asks for it leaves it out."""

    def __post_init__(self) -> None:
        if (self.event is not None) + (self.insert is not None) + self.remove != 1:
            raise ValueError("one of `event`, `insert` and `remove`")

    @property
    def draft(self) -> Draft | None:
        """What is to stand there; None where it is to go."""
        return self.event if self.event is not None else self.insert

    def bringing(self, draft: Draft) -> Amend:
        """This amend with `draft` for the event that it brings."""
        return msgspec.structs.replace(self, **{"event" if self.event is not None else "insert": draft})


class Reveal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Say what nobody saw then: the outcome of event `seq` that was reported as null is `value`."""

    seq: _Seq
    value: Value
    position: Annotated[int, Meta(ge=0)] = 0
    sound_only: bool = False
    """Of an event: as that of an `Amend`."""


class Adjust(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Bring the record in line with the table: from now on these `facts` hold.

    A JSON Patch (RFC 6902) on the state's document means the facts that it changes.
    """

    reason: _Text
    facts: Annotated[tuple[dict[str, Any], ...], Meta(max_length=MOST_FACTS)] | None = None
    """What is so, each in the shape that the ruleset declares."""
    was: Annotated[tuple[dict[str, Any] | None, ...], Meta(max_length=MOST_FACTS)] | None = None
    """Of an event: what was so before in the place of each of the `facts`. The same: it was seen to be so. None: that
    depended on what nobody saw. Whoever asks for it leaves it out."""
    whole: bool = False
    """Whether the `facts` are all that the table looks like: what they do not tell is not there."""
    patch: Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=100)] | None = None
    agreed_by: tuple[SeatId, ...] = ()
    """The seats that agreed to it."""
    agreed: tuple[SeatId, ...] = ()
    """The same, as earlier records have it."""

    def __post_init__(self) -> None:
        if (self.facts is None) == (self.patch is None):
            raise ValueError("one of `facts` and `patch`")
        if self.was is not None and (self.facts is None or len(self.was) != len(self.facts)):
            raise ValueError("`was` has an entry for each of the `facts`")

    @property
    def agreeing(self) -> tuple[SeatId, ...]:
        """The seats that agreed to it."""
        return self.agreed_by or self.agreed


class LeftOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Say that the table forgot a step of the rules and went on: in a game recorded as played."""

    seat: SeatId
    """Whose step it was."""
    step: str
    """Which: one of the ruleset's `steps`."""
    reason: _Text | None = None


class Annotate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Say something about event `seq` (default: the last): a text, a mark, a bookmark, or several of them."""

    text: _Text | None = None
    seq: _Seq | None = None
    mark: Mark | None = None
    bookmark: Annotated[str, Meta(min_length=1, max_length=80)] | None = None

    def __post_init__(self) -> None:
        if self.text is None and self.mark is None and self.bookmark is None:
            raise ValueError("a `text`, a `mark` or a `bookmark`")


class Abandon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Stop here: the game stays unfinished."""

    reason: _Text


class GameClosed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The game has ended with `outcome`; a seeded game's `seed` is revealed here and nowhere before."""

    outcome: GameOutcome
    seed: str | None = None


Lifecycle = SetUp | Undo | Amend | Reveal | Adjust | LeftOut | Annotate | Abandon | GameClosed

KINDS: dict[str, type[Lifecycle]] = {
    SET_UP: SetUp,
    "undo": Undo,
    "amend": Amend,
    "reveal": Reveal,
    "adjust": Adjust,
    LEFT_OUT: LeftOut,
    "annotate": Annotate,
    "abandon": Abandon,
    GAME_CLOSED: GameClosed,
}

RECORDABLE: tuple[Literal["undo", "amend", "reveal", "adjust", "left_out", "annotate", "abandon"], ...] = (
    "undo",
    "amend",
    "reveal",
    "adjust",
    "left_out",
    "annotate",
    "abandon",
)
"""What anyone who records may append in a game that has been set up."""

REWRITING = frozenset({"amend", "reveal"})
"""What writes the line anew: the state after it does not come from the one before it."""

CORRECTING = REWRITING | {"undo"}
"""What makes the line another one than it was with one event more."""


def parse(type_: str, actor: str | None, params: dict[str, Any]) -> Lifecycle:
    """The lifecycle event of that type; nobody acts in it.

    Raises:
        Malformed: its params do not fit, or it names an actor.
    """
    if actor is not None:
        raise Malformed("/actor", f"{type_} is nobody's action: leave the actor out")
    try:
        return msgspec.convert(params, KINDS[type_])
    except msgspec.ValidationError as error:
        raise malformed(error, "/params", KINDS[type_]) from None
