"""Resolving Game Effects: everything that an action, an entry, a card or a constellation event can do, as data.

An effect applies to the pirate who resolves it. Effects inside `for_players` apply to other pirates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from engine.core.values import SeatId
from engine.games.forgotten_waters.scenario import values
from engine.games.forgotten_waters.scenario.values import Part
from engine.kit.actions import snake


class Base(Part, frozen=True, kw_only=True, tag_field="do", tag=snake):
    """Base class of the effects. The member `do` of an effect is the name of its class in snake case."""


class Repeated(Base, frozen=True):
    """Base class of the effects that happen `n` times."""

    n: values.Some = 1


class Changing(Base, frozen=True):
    """Base class of the effects that change a number by `n`."""

    n: values.Change


class GainSkill(Base, frozen=True):
    """Fill in the next box of a skill, `n` times. For `any`, the pirate chooses the skill."""

    skill: values.Skill | Literal["any"]
    n: values.Some = 1
    stars: Annotated[tuple[values.Id, ...], Meta(max_length=20)] | None = None
    """For a table's own sheet: the contents of the filled boxes. None: the player is asked about each box."""


class FillStar(Repeated, frozen=True):
    """Fill in `n` stars on the constellation."""

    stars: Annotated[tuple[values.Id, ...], Meta(max_length=20)] = ()
    """For a table's own sheet: the stars. Empty: the player is asked."""


class ResolveEvents(Base, frozen=True):
    """Discard all constellation event tokens and check off an event for each."""


class GainTreasure(Repeated, frozen=True):
    """Draw `n` treasures."""

    names: Annotated[tuple[values.CardName, ...], Meta(max_length=20)] = ()
    """For a table's own box: the treasures. Empty: the player is asked."""


class StealTreasure(Base, frozen=True):
    """Take a treasure from another player."""


class LoseTreasure(Repeated, frozen=True):
    """Discard `n` treasures, or all if there are fewer."""


class BuryTreasure(Base, frozen=True):
    """Bury up to `up_to` treasures: each is discarded and fills in a star."""

    up_to: values.Some


class TakeStory(Base, frozen=True):
    """Put that story card into play, from the deck or from the player who has it."""

    story: values.Id


class ReturnStory(Base, frozen=True):
    """Put that story card back into the deck, from any owner."""

    story: values.Id


class GiveCard(Base, frozen=True):
    """A treasure or story card goes from its owner to another player."""

    card: values.Id
    player: SeatId


class Rerolls(Changing, frozen=True):
    """Gain or lose re-roll tokens."""


class Misfortune(Changing, frozen=True):
    """Gain or lose misfortune tokens."""


class Infamy(Changing, frozen=True):
    """Move up or down the infamy track."""


class InfamyTo(Base, frozen=True):
    """Move to an end of the infamy track."""

    place: Literal["top", "bottom"]


class SwapInfamy(Base, frozen=True):
    """Swap places on the infamy track with another player, whom the pirate chooses."""


class Ship(Base, frozen=True):
    """Change a ship stat by `n`, or set it `to` a value."""

    stat: values.Stat
    n: values.Change = 0
    to: Annotated[int, Meta(ge=0, le=99)] | None = None


class Maximum(Base, frozen=True):
    """Set the length of a ship stat's track, as a later part of a scenario can do."""

    track: values.Stat
    to: Annotated[int, Meta(ge=1, le=99)]


class GainCannon(Base, frozen=True):
    """Take a cannon of that level from the supply."""

    level: values.Level = 1
    is_loaded: bool = False


class UpgradeCannon(Repeated, frozen=True):
    """The Gunner may replace up to `n` cannons, each with a cannon of the next level."""


class LoadCannon(Repeated, frozen=True):
    """Load up to `n` cannons."""


class UnloadCannon(Repeated, frozen=True):
    """Unload `n` cannons, or all that are loaded."""


class LoseCannon(Repeated, frozen=True):
    """Discard `n` cannons, or all there are."""


class Dial(Base, frozen=True):
    """Change a location dial by `n`, or set it `to` a value."""

    feature: values.Id
    n: values.Change = 0
    to: Annotated[int, Meta(ge=0, le=99)] | None = None


class Count(Base, frozen=True):
    """Change a number in the ship's log by `n`, or set it `to` a value."""

    counter: values.Id
    n: values.Change = 0
    to: Annotated[int, Meta(ge=0, le=99)] | None = None


class Threat(Changing, frozen=True):
    """Add or remove threat tokens."""


class CheckThreat(Base, frozen=True):
    """If the threat has reached the objective's limit, check off a threat event."""


class Objective(Base, frozen=True):
    """Replace the objective card by this one. With a table's own book, the effect can also have the threat limit."""

    objective: values.Id
    threat_limit: Annotated[int, Meta(ge=1, le=5)] | None = None


class Scout(Repeated, frozen=True):
    """Scout `n` spaces."""


class MoveShip(Repeated, frozen=True):
    """Move the ship up to `n` spaces."""


class PutShip(Base, frozen=True):
    """Put the ship on any space; no token is drawn for it."""

    space: values.Id


class StopShip(Base, frozen=True):
    """The ship cannot be moved any farther during this round."""


class ReadSpace(Base, frozen=True):
    """Go to the entry of the token on the ship's space."""


class PlaceToken(Base, frozen=True):
    """Put a special location token on a space."""

    space: values.Id
    token: values.Id


class RemoveToken(Base, frozen=True):
    """Take the token off a space (default: the ship's)."""

    space: values.Id | None = None


class Lock(Base, frozen=True):
    """Put a lock token over an action of this page."""

    action: values.ActionNumber


class Unlock(Base, frozen=True):
    """Take the lock token off an action of this page."""

    action: values.ActionNumber


class Result(Part, frozen=True, kw_only=True, rename={"least": "from"}):
    """The effects of a total. In a list of results, the last one whose `from` does not exceed the total applies."""

    least: Annotated[int, Meta(ge=1, le=60)] = 1
    text: str = ""
    effects: tuple[Effect, ...] = ()


class Check(Base, frozen=True):
    """A skill check: the sum of die, filled boxes, icons and `bonus`. `cannons` adds the levels of loaded cannons."""

    skill: values.Skill
    bonus: values.Change = 0
    cannons: bool = False
    results: tuple[Result, ...] = ()


class Roll(Base, frozen=True):
    """A die roll other than a skill check."""

    results: tuple[Result, ...]


class Option(Part, frozen=True, kw_only=True):
    """One of the options of a choice. It is available if all conditions in `when` are true."""

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    when: tuple[values.Condition, ...] = ()
    effects: tuple[Effect, ...] = ()


class Choose(Base, frozen=True):
    """Choose one option. If `by` is `group`, all players choose together, and the Ship Scribe enters the choice."""

    options: Annotated[tuple[Option, ...], Meta(min_length=1)]
    by: Literal["pirate", "group"] = "pirate"


class If(Base, frozen=True):
    """Apply `then` if all conditions in `when` are true, else `otherwise`."""

    when: Annotated[tuple[values.Condition, ...], Meta(min_length=1)]
    then: tuple[Effect, ...] = ()
    otherwise: tuple[Effect, ...] = ()


class ForPlayers(Base, frozen=True, kw_only=True):
    """Apply the effects to the pirates that `who` selects. `highest`, `lowest`: by the measure `of`, then infamy."""

    who: Literal["all", "others", "chosen", "highest", "lowest"]
    of: values.Measure = "infamy"
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1)]


class Per(Base, frozen=True):
    """Repeat the effects. The number of repetitions is a number on the table."""

    of: values.Measure
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1)]


class Read(Base, frozen=True):
    """Read an entry and apply it."""

    entry: values.Id


class TurnPage(Base, frozen=True):
    """Turn to a page of the location book. With a table's own book, the effect also has the page's contents."""

    page: values.Id
    actions: Annotated[tuple[values.Printed, ...], Meta(max_length=20)] = ()
    """The actions of the page, in the order of their numbers."""
    features: Annotated[tuple[values.Feature, ...], Meta(max_length=5)] = ()


class NewRound(Base, frozen=True):
    """Begin a new round on this page."""


class CompletePart(Base, frozen=True):
    """A part of the scenario is complete: the game can be saved here."""


class ReachGoal(Base, frozen=True):
    """The scenario goal is reached."""


class SetDie(Base, frozen=True):
    """Set the die of this skill check instead of rolling it."""

    to: values.DieFace


class AddToCheck(Base, frozen=True):
    """Add `n` to the total of this skill check."""

    n: values.Some


class CardIcon(Base, frozen=True):
    """Note the icon on a card of a table's own box. The icon adds `n` to checks of that skill."""

    card: values.Id
    skill: values.Skill
    n: Annotated[int, Meta(ge=0, le=12)]


class KeepFour(Base, frozen=True):
    """A fifth treasure came into play: discard one. Internal to the rules; never in a pack."""


class Saved(Base, frozen=True):
    """The game is saved until it is continued. Internal to the rules; never in a pack."""


class Flip(Base, frozen=True):
    """Scouted tokens are face down: flip them. Internal to the rules; never in a pack."""


class CheckOffEvent(Base, frozen=True):
    """A constellation event token was discarded: check off the next event. Internal to the rules; never in a pack."""


class AskBox(Base, frozen=True):
    """Ask whether a box that was filled in on a paper sheet has a star. Internal to the rules; never in a pack."""

    skill: values.Skill


SheetEffect = GainSkill | FillStar | ResolveEvents
CardEffect = GainTreasure | StealTreasure | LoseTreasure | BuryTreasure | TakeStory | ReturnStory | GiveCard
TokenEffect = Rerolls | Misfortune | Infamy | InfamyTo | SwapInfamy
ShipEffect = Ship | Maximum | GainCannon | UpgradeCannon | LoadCannon | UnloadCannon | LoseCannon
LogEffect = Dial | Count | Threat | CheckThreat | Objective
MapEffect = Scout | MoveShip | PutShip | StopShip | ReadSpace | PlaceToken | RemoveToken | Lock | Unlock
PlainEffect = SheetEffect | CardEffect | TokenEffect | ShipEffect | LogEffect | MapEffect
OuterEffect = Check | Roll | Choose | If | ForPlayers | Per
"""Effects that contain others."""
BookEffect = Read | TurnPage | NewRound | CompletePart | ReachGoal
Effect = PlainEffect | OuterEffect | BookEffect | SetDie | AddToCheck | CardIcon
Pending = Effect | KeepFour | Saved | Flip | CheckOffEvent | AskBox
"""Effects that can be pending."""


def effects_in(part: Any) -> Iterator[Base]:
    """Yield an effect, or all effects of a list or of a part of a pack, each before the effects inside it."""
    if isinstance(part, Base):
        yield part
    inside = msgspec.structs.astuple(part) if isinstance(part, msgspec.Struct) else part
    for one in inside if isinstance(inside, tuple) else ():
        yield from effects_in(one)
