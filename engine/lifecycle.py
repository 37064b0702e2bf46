"""The events that every game knows besides its own actions: their params, and the rule that each stands for."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from engine.errors import Malformed
from engine.events import GameOutcome
from engine.ruleset import malformed

GAME_OPENED = "game_opened"
SET_UP = "set_up"
GAME_CLOSED = "game_closed"

RULE = "Keeping the record"
"""The heading under which Driftlog's own refusals stand."""


class SetUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rulebook's set-up: its outcomes are all that chance does in it, in its order."""


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Go back to the state after event `to`; what is undone stays in the log. Undoing an undo is a redo."""

    to: Annotated[int, Meta(ge=1)]


class Annotate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Say something about event `seq` (default: the last)."""

    text: Annotated[str, Meta(min_length=1, max_length=2000)]
    seq: Annotated[int, Meta(ge=1)] | None = None


class Abandon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Stop here: the game stays unfinished."""

    reason: Annotated[str, Meta(min_length=1, max_length=2000)]


class GameClosed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The game has ended with `outcome`; a seeded game's `seed` is revealed here and nowhere before."""

    outcome: GameOutcome
    seed: str | None = None


Lifecycle = SetUp | Undo | Annotate | Abandon | GameClosed

KINDS: dict[str, type[SetUp] | type[Undo] | type[Annotate] | type[Abandon] | type[GameClosed]] = {
    SET_UP: SetUp,
    "undo": Undo,
    "annotate": Annotate,
    "abandon": Abandon,
    GAME_CLOSED: GameClosed,
}

RECORDABLE: tuple[Literal["undo"], Literal["annotate"], Literal["abandon"]] = ("undo", "annotate", "abandon")
"""What anyone who records may append in a game that has been set up."""


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
        raise malformed(error, "/params") from None
