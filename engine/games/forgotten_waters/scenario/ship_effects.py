"""Effects on the ship, its log, the map and the page."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from engine.games.forgotten_waters.scenario.effect_values import (
    ActionNumber,
    Base,
    Change,
    Id,
    Repeated,
    Stat,
)


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


ShipEffect = (
    Ship
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
