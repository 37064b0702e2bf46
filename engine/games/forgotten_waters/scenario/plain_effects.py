"""Effects that change one thing: of a pirate, of the ship and its log, of the map or of the page."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from engine.core.values import SeatId
from engine.games.forgotten_waters.scenario.effect_values import (
    ActionNumber,
    Base,
    CardName,
    Change,
    Id,
    Repeated,
    Skill,
    Some,
    Stat,
)


class GainSkill(Base, frozen=True, tag="gain_skill"):
    """Fill in the next box of a skill, `n` times; `any`: of the pirate's choice."""

    skill: Skill | Literal["any"]
    n: Some = 1
    stars: Annotated[tuple[Id, ...], Meta(max_length=20)] | None = None
    """For a table's own sheet: the contents of the filled boxes. None: the player is asked about each box."""


class FillStar(Base, frozen=True, tag="fill_star"):
    """Fill in `n` stars on the constellation."""

    n: Some = 1
    stars: Annotated[tuple[Id, ...], Meta(max_length=20)] = ()
    """For a table's own sheet: the stars. Empty: the player is asked."""


class ResolveEvents(Base, frozen=True, tag="resolve_events"):
    """Discard all constellation event tokens and check off an event for each."""


class GainTreasure(Base, frozen=True, tag="gain_treasure"):
    """Draw `n` treasures."""

    n: Some = 1
    names: Annotated[tuple[CardName, ...], Meta(max_length=20)] = ()
    """For a table's own box: the treasures. Empty: the player is asked."""


class StealTreasure(Base, frozen=True, tag="steal_treasure"):
    """Take a treasure from another player."""


class LoseTreasure(Repeated, frozen=True, tag="lose_treasure"):
    """Discard `n` treasures, or all if there are fewer."""


class BuryTreasure(Base, frozen=True, tag="bury_treasure"):
    """Bury up to `up_to` treasures: each is discarded and fills in a star."""

    up_to: Some


class TakeStory(Base, frozen=True, tag="take_story"):
    """Put that story card into play, from the deck or from the player who has it."""

    story: Id


class ReturnStory(Base, frozen=True, tag="return_story"):
    """Put that story card back into the deck, from any owner."""

    story: Id


class GiveCard(Base, frozen=True, tag="give_card"):
    """A treasure or story card goes from its owner to another player."""

    card: Id
    player: SeatId


class Rerolls(Base, frozen=True, tag="rerolls"):
    """Gain or lose re-roll tokens."""

    n: Change


class Misfortune(Base, frozen=True, tag="misfortune"):
    """Gain or lose misfortune tokens."""

    n: Change


class Infamy(Base, frozen=True, tag="infamy"):
    """Move up or down the infamy track."""

    n: Change


class InfamyTo(Base, frozen=True, tag="infamy_to"):
    """Move to an end of the infamy track."""

    place: Literal["top", "bottom"]


class SwapInfamy(Base, frozen=True, tag="swap_infamy"):
    """Swap places on the infamy track with a player of one's choice."""


class Ship(Base, frozen=True, tag="ship"):
    """Change a ship stat by `n`, or set it `to` a value."""

    stat: Stat
    n: Change = 0
    to: Annotated[int, Meta(ge=0, le=99)] | None = None


class Maximum(Base, frozen=True, tag="maximum"):
    """Set how far the track of a ship stat goes, as in a later part of a scenario."""

    track: Stat
    to: Annotated[int, Meta(ge=1, le=99)]


class GainCannon(Base, frozen=True, tag="gain_cannon"):
    """Take a cannon of that level from the supply."""

    level: Annotated[int, Meta(ge=1, le=9)] = 1
    is_loaded: bool = False


class UpgradeCannon(Repeated, frozen=True, tag="upgrade_cannon"):
    """The Gunner may replace up to `n` cannons, each by one a level higher."""


class LoadCannon(Repeated, frozen=True, tag="load_cannon"):
    """Load up to `n` cannons."""


class UnloadCannon(Repeated, frozen=True, tag="unload_cannon"):
    """Unload `n` cannons, or all that are loaded."""


class LoseCannon(Repeated, frozen=True, tag="lose_cannon"):
    """Discard `n` cannons, or all there are."""


class Dial(Base, frozen=True, tag="dial"):
    """Change a location dial by `n`, or set it `to` a value."""

    feature: Id
    n: Change = 0
    to: Annotated[int, Meta(ge=0, le=99)] | None = None


class Count(Base, frozen=True, tag="count"):
    """Change a number that the ship's log keeps by `n`, or set it `to` a value."""

    counter: Id
    n: Change = 0
    to: Annotated[int, Meta(ge=0, le=99)] | None = None


class Threat(Base, frozen=True, tag="threat"):
    """Add or remove threat tokens."""

    n: Change


class CheckThreat(Base, frozen=True, tag="check_threat"):
    """If the threat has reached the objective's limit, check off a threat event."""


class Objective(Base, frozen=True, tag="objective"):
    """Discard the objective card for this one; with a table's own book, also its threat limit."""

    objective: Id
    threat_limit: Annotated[int, Meta(ge=1, le=5)] | None = None


class Scout(Repeated, frozen=True, tag="scout"):
    """Scout `n` spaces."""


class MoveShip(Repeated, frozen=True, tag="move_ship"):
    """Move the ship up to `n` spaces."""


class PutShip(Base, frozen=True, tag="put_ship"):
    """Put the ship on any space; no token is drawn for it."""

    space: Id


class StopShip(Base, frozen=True, tag="stop_ship"):
    """The ship cannot be moved any farther during this round."""


class ReadSpace(Base, frozen=True, tag="read_space"):
    """Go to the entry of the token on the ship's space."""


class PlaceToken(Base, frozen=True, tag="place_token"):
    """Put a special location token on a space."""

    space: Id
    token: Id


class RemoveToken(Base, frozen=True, tag="remove_token"):
    """Take the token off a space (default: the ship's)."""

    space: Id | None = None


class Lock(Base, frozen=True, tag="lock"):
    """Put a lock token over an action of this page."""

    action: ActionNumber


class Unlock(Base, frozen=True, tag="unlock"):
    """Take the lock token off an action of this page."""

    action: ActionNumber


PlainEffect = (
    GainSkill
    | FillStar
    | ResolveEvents
    | GainTreasure
    | StealTreasure
    | LoseTreasure
    | BuryTreasure
    | TakeStory
    | ReturnStory
    | GiveCard
    | Rerolls
    | Misfortune
    | Infamy
    | InfamyTo
    | SwapInfamy
    | Ship
    | Maximum
    | GainCannon
    | UpgradeCannon
    | LoadCannon
    | UnloadCannon
    | LoseCannon
    | Dial
    | Count
    | Threat
    | CheckThreat
    | Objective
    | Scout
    | MoveShip
    | PutShip
    | StopShip
    | ReadSpace
    | PlaceToken
    | RemoveToken
    | Lock
    | Unlock
)
