"""Values in effects, and the common part of all effects."""

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
    """Common part of the effects and of all parts of a pack."""


class Base(Part, frozen=True, kw_only=True, tag_field="do"):
    """Common part of the effects."""


class Repeated(Base, frozen=True):
    """Common part of the effects that happen `n` times."""

    n: Some = 1
