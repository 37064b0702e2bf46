"""Effects on pirates: their skills, stars, cards, tokens and infamy."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from engine.core.values import SeatId
from engine.games.forgotten_waters.scenario.effect_values import (
    Base,
    CardName,
    Change,
    Id,
    Repeated,
    Skill,
    Some,
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


PirateEffect = (
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
)
