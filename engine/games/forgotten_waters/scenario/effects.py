"""Resolving Game Effects: everything that an action, an entry, a card or a constellation event can do, as data.

An effect applies to the pirate who resolves it. Effects inside `for_players` apply to other pirates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from engine.games.forgotten_waters.scenario import plain_effects as plain


class Result(plain.Part, frozen=True, kw_only=True, rename={"least": "from"}):
    """The effects of a total from `from` on.

    In a list of results, the last one whose `from` does not exceed the total applies.
    """

    least: Annotated[int, Meta(ge=1, le=60)] = 1
    text: str = ""
    effects: tuple[Effect, ...] = ()


class Check(plain.Base, frozen=True):
    """A skill check: the sum of die, filled boxes, icons and `bonus`. `cannons` adds the levels of loaded cannons."""

    skill: plain.Skill
    bonus: plain.Change = 0
    cannons: bool = False
    results: tuple[Result, ...] = ()


class Roll(plain.Base, frozen=True):
    """A die roll other than a skill check."""

    results: tuple[Result, ...]


class Condition(plain.Part, frozen=True, kw_only=True):
    """A condition: a number on the table is within bounds."""

    of: plain.Measure
    at_least: int | None = None
    at_most: int | None = None


class Option(plain.Part, frozen=True, kw_only=True):
    """One of the options of a choice. It is available if all conditions in `when` are true."""

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    when: tuple[Condition, ...] = ()
    effects: tuple[Effect, ...] = ()


class Choose(plain.Base, frozen=True):
    """Choose one option. If `by` is `group`, all players choose together, and the Ship Scribe enters the choice."""

    options: Annotated[tuple[Option, ...], Meta(min_length=1)]
    by: Literal["pirate", "group"] = "pirate"


class If(plain.Base, frozen=True):
    """Apply `then` if all conditions in `when` are true, else `otherwise`."""

    when: Annotated[tuple[Condition, ...], Meta(min_length=1)]
    then: tuple[Effect, ...] = ()
    otherwise: tuple[Effect, ...] = ()


class ForPlayers(plain.Base, frozen=True, kw_only=True):
    """Apply the effects to other pirates. `highest` and `lowest` compare the measure `of`; infamy breaks ties."""

    who: Literal["all", "others", "chosen", "highest", "lowest"]
    of: plain.Measure = "infamy"
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1)]


class Per(plain.Base, frozen=True):
    """Repeat the effects. The number of repetitions is a number on the table."""

    of: plain.Measure
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1)]


class Read(plain.Base, frozen=True):
    """Read an entry and apply it."""

    entry: plain.Id


ActionKind = Literal["unlimited", "limited", "required"]


class Place(plain.Part, frozen=True, kw_only=True):
    """An action on a page, with only the members that are needed to place a standee."""

    number: plain.ActionNumber
    kind: ActionKind = "unlimited"
    is_locked: bool = False


class Printed(plain.Part, frozen=True, kw_only=True):
    """The next action of a page in a table's own book."""

    kind: ActionKind = "unlimited"
    is_locked: bool = False


class Feature(plain.Part, frozen=True, kw_only=True):
    """A location dial of a page."""

    id: plain.Id
    start: Annotated[int, Meta(ge=0, le=99)] = 0
    max: Annotated[int, Meta(ge=1, le=99)]


class TurnPage(plain.Base, frozen=True):
    """Turn to a page of the location book. With a table's own book, the effect also has the page's contents."""

    page: plain.Id
    actions: Annotated[tuple[Printed, ...], Meta(max_length=20)] = ()
    """The actions of the page, in the order of their numbers."""
    features: Annotated[tuple[Feature, ...], Meta(max_length=5)] = ()


class NewRound(plain.Base, frozen=True):
    """Begin a new round on this page."""


class CompletePart(plain.Base, frozen=True):
    """A part of the scenario is complete: the game can be saved here."""


class ReachGoal(plain.Base, frozen=True):
    """The scenario goal is reached."""


class SetDie(plain.Base, frozen=True):
    """Set the die of this skill check instead of rolling it."""

    to: plain.DieFace


class AddToCheck(plain.Base, frozen=True):
    """Add `n` to the total of this skill check."""

    n: plain.Some


class CardIcon(plain.Base, frozen=True):
    """Note the icon on a card of a table's own box. The icon adds `n` to checks of that skill."""

    card: plain.Id
    skill: plain.Skill
    n: Annotated[int, Meta(ge=0, le=12)]


class KeepFour(plain.Base, frozen=True):
    """A fifth treasure came into play: discard one. Internal to the rules; never in a pack."""


class Saved(plain.Base, frozen=True):
    """The game is saved until it is continued. Internal to the rules; never in a pack."""


class Flip(plain.Base, frozen=True):
    """Scouted tokens are face down: flip them. Internal to the rules; never in a pack."""


class CheckOffEvent(plain.Base, frozen=True):
    """A constellation event token was discarded: check off the next event. Internal to the rules; never in a pack."""


class AskBox(plain.Base, frozen=True):
    """Ask whether a box that was filled in on a paper sheet has a star. Internal to the rules; never in a pack."""

    skill: plain.Skill


OuterEffect = Check | Roll | Choose | If | ForPlayers | Per
"""Effects that contain others."""
BookEffect = Read | TurnPage | NewRound | CompletePart | ReachGoal
Effect = plain.PlainEffect | OuterEffect | BookEffect | SetDie | AddToCheck | CardIcon
Pending = Effect | KeepFour | Saved | Flip | CheckOffEvent | AskBox
"""Effects that can be pending."""


def effects_in(part: Any) -> Iterator[plain.Base]:
    """Yield an effect, or all effects of a list or of a part of a pack, each before the effects inside it."""
    if isinstance(part, plain.Base):
        yield part
    inside = msgspec.structs.astuple(part) if isinstance(part, msgspec.Struct) else part
    for one in inside if isinstance(inside, tuple) else ():
        yield from effects_in(one)
