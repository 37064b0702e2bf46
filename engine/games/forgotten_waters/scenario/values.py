"""Values and parts that effects and packs share: skills, ship stats, ids, conditions, and the contents of a page."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from engine.core.language import marked

Skill = Literal["aim", "brawn", "exploration", "hunting", "navigation", "swagger"]
Stat = Literal["crew", "discontent", "hull", "supplies"]
Id = Annotated[str, Meta(pattern=r"^[a-z0-9_]{1,40}$")]
NAME_LENGTH = 60
CardName = Annotated[str, Meta(min_length=1, max_length=NAME_LENGTH)]
Some = Annotated[int, Meta(ge=1, le=20, title=marked("How many"))]
Change = Annotated[int, Meta(ge=-20, le=20, title=marked("How many more or fewer"))]
DieFace = Annotated[int, Meta(ge=1, le=12)]
ActionNumber = Annotated[int, Meta(ge=1, le=20)]
Level = Annotated[int, Meta(ge=1, le=9)]
"""The level of a cannon."""

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


class Condition(Part, frozen=True, kw_only=True):
    """A condition: a number on the table is within bounds."""

    of: Measure
    at_least: int | None = None
    at_most: int | None = None


ActionKind = Literal["unlimited", "limited", "required"]


class Place(Part, frozen=True, kw_only=True):
    """An action on a page, with only the members that are needed to place a standee."""

    number: ActionNumber
    kind: ActionKind = "unlimited"
    is_locked: bool = False


class Printed(Part, frozen=True, kw_only=True):
    """The next action of a page in a table's own book."""

    kind: ActionKind = "unlimited"
    is_locked: bool = False


class Feature(Part, frozen=True, kw_only=True):
    """A location dial of a page."""

    id: Id
    start: Annotated[int, Meta(ge=0, le=99)] = 0
    max: Annotated[int, Meta(ge=1, le=99)]
