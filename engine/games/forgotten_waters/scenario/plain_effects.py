"""Effects that change a single thing (of a pirate, the ship, its log, the map or the page), and their value types."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engine.core.language import marked
from engine.core.values import SeatId
from engine.kit.actions import snake

Skill = Literal["aim", "brawn", "exploration", "hunting", "navigation", "swagger"]
Stat = Literal["crew", "discontent", "hull", "supplies"]
Id = Annotated[str, Meta(pattern=r"^[a-z0-9_]{1,40}$")]
NAME_LENGTH = 60
CardName = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
Some = Annotated[int, Meta(ge=1, le=20, title=marked("How many"))]
Change = Annotated[int, Meta(ge=-20, le=20, title=marked("How many more or fewer"))]
DieFace = Annotated[int, Meta(ge=1, le=12)]
ActionNumber = Annotated[int, Meta(ge=1, le=20)]

Measure = Annotated[
    str,
    Meta(
        pattern=r"^((crew|discontent|hull|supplies|cannons|loaded_cannons|threat|threat_limit|players|round|part"
        r"|difficulty)"
        r"|(infamy|treasures|stories|rerolls|misfortune|stars|event_tokens|events)"
        r"|skill:(aim|brawn|exploration|hunting|navigation|swagger)"
        r"|(dial|count|story|objective|token|entry):[a-z0-9_]+)$",
        description="A number on the table: of the ship, of the game, of the pirate, or `kind:id`",
    ),
]

SKILLS: tuple[Skill, ...] = ("aim", "brawn", "exploration", "hunting", "navigation", "swagger")
STATS: tuple[Stat, ...] = ("crew", "discontent", "hull", "supplies")


class Part(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base class of the effects, and of all parts of a pack."""


class Base(Part, frozen=True, kw_only=True, tag_field="do", tag=snake):
    """Base class of the effects. The member `do` of an effect is the name of its class in snake case."""


class Repeated(Base, frozen=True):
    """Base class of the effects that happen `n` times."""

    n: Some = 1


class Changing(Base, frozen=True):
    """Base class of the effects that change a number by `n`."""

    n: Change


class GainSkill(Base, frozen=True):
    """Fill in the next box of a skill, `n` times. For `any`, the pirate chooses the skill."""

    skill: Skill | Literal["any"]
    n: Some = 1
    stars: Annotated[tuple[Id, ...], Meta(max_length=20)] | None = None
    """For a table's own sheet: the contents of the filled boxes. None: the player is asked about each box."""


class FillStar(Repeated, frozen=True):
    """Fill in `n` stars on the constellation."""

    stars: Annotated[tuple[Id, ...], Meta(max_length=20)] = ()
    """For a table's own sheet: the stars. Empty: the player is asked."""


class ResolveEvents(Base, frozen=True):
    """Discard all constellation event tokens and check off an event for each."""


class GainTreasure(Repeated, frozen=True):
    """Draw `n` treasures."""

    names: Annotated[tuple[CardName, ...], Meta(max_length=20)] = ()
    """For a table's own box: the treasures. Empty: the player is asked."""


class StealTreasure(Base, frozen=True):
    """Take a treasure from another player."""


class LoseTreasure(Repeated, frozen=True):
    """Discard `n` treasures, or all if there are fewer."""


class BuryTreasure(Base, frozen=True):
    """Bury up to `up_to` treasures: each is discarded and fills in a star."""

    up_to: Some


class TakeStory(Base, frozen=True):
    """Put that story card into play, from the deck or from the player who has it."""

    story: Id


class ReturnStory(Base, frozen=True):
    """Put that story card back into the deck, from any owner."""

    story: Id


class GiveCard(Base, frozen=True):
    """A treasure or story card goes from its owner to another player."""

    card: Id
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

    stat: Stat
    n: Change = 0
    to: Annotated[int, Meta(ge=0, le=99)] | None = None


class Maximum(Base, frozen=True):
    """Set the length of a ship stat's track, as a later part of a scenario can do."""

    track: Stat
    to: Annotated[int, Meta(ge=1, le=99)]


class GainCannon(Base, frozen=True):
    """Take a cannon of that level from the supply."""

    level: Annotated[int, Meta(ge=1, le=9)] = 1
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

    feature: Id
    n: Change = 0
    to: Annotated[int, Meta(ge=0, le=99)] | None = None


class Count(Base, frozen=True):
    """Change a number in the ship's log by `n`, or set it `to` a value."""

    counter: Id
    n: Change = 0
    to: Annotated[int, Meta(ge=0, le=99)] | None = None


class Threat(Changing, frozen=True):
    """Add or remove threat tokens."""


class CheckThreat(Base, frozen=True):
    """If the threat has reached the objective's limit, check off a threat event."""


class Objective(Base, frozen=True):
    """Replace the objective card by this one. With a table's own book, the effect can also have the threat limit."""

    objective: Id
    threat_limit: Annotated[int, Meta(ge=1, le=5)] | None = None


class Scout(Repeated, frozen=True):
    """Scout `n` spaces."""


class MoveShip(Repeated, frozen=True):
    """Move the ship up to `n` spaces."""


class PutShip(Base, frozen=True):
    """Put the ship on any space; no token is drawn for it."""

    space: Id


class StopShip(Base, frozen=True):
    """The ship cannot be moved any farther during this round."""


class ReadSpace(Base, frozen=True):
    """Go to the entry of the token on the ship's space."""


class PlaceToken(Base, frozen=True):
    """Put a special location token on a space."""

    space: Id
    token: Id


class RemoveToken(Base, frozen=True):
    """Take the token off a space (default: the ship's)."""

    space: Id | None = None


class Lock(Base, frozen=True):
    """Put a lock token over an action of this page."""

    action: ActionNumber


class Unlock(Base, frozen=True):
    """Take the lock token off an action of this page."""

    action: ActionNumber


SheetEffect = GainSkill | FillStar | ResolveEvents
CardEffect = GainTreasure | StealTreasure | LoseTreasure | BuryTreasure | TakeStory | ReturnStory | GiveCard
TokenEffect = Rerolls | Misfortune | Infamy | InfamyTo | SwapInfamy
ShipEffect = Ship | Maximum | GainCannon | UpgradeCannon | LoadCannon | UnloadCannon | LoseCannon
LogEffect = Dial | Count | Threat | CheckThreat | Objective
MapEffect = Scout | MoveShip | PutShip | StopShip | ReadSpace | PlaceToken | RemoveToken | Lock | Unlock
PlainEffect = SheetEffect | CardEffect | TokenEffect | ShipEffect | LogEffect | MapEffect
