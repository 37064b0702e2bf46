"""Resolving Game Effects: everything that an action, an entry, a card or a constellation event can do, as data.

An effect works for one pirate, the one who resolves it; `for_players` hands its effects to others. The `do` of each is
its name in a scenario pack and in `apply_effect`.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Skill = Literal["aim", "brawn", "exploration", "hunting", "navigation", "swagger"]
Stat = Literal["crew", "discontent", "hull", "supplies"]
Id = Annotated[str, Meta(pattern=r"^[a-z0-9_]{1,40}$")]
Some = Annotated[int, Meta(ge=1, le=20)]
Change = Annotated[int, Meta(ge=-20, le=20)]
DieFace = Annotated[int, Meta(ge=1, le=12)]
ActionNumber = Annotated[int, Meta(ge=1, le=20)]

Measure = Annotated[
    str,
    Meta(
        pattern=r"^((crew|discontent|hull|supplies|cannons|loaded_cannons|threat|threat_limit|players|round|part)"
        r"|(infamy|treasures|stories|rerolls|misfortune|stars|event_tokens|events)"
        r"|skill:(aim|brawn|exploration|hunting|navigation|swagger)"
        r"|(dial|count|story|objective|token|entry):[a-z0-9_]+)$",
        description="A number on the table: of the ship, of the game, of the pirate, or `kind:id`",
    ),
]


class Base(
    msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, kw_only=True, tag_field="do"
):
    """What the effects share."""


class GainSkill(Base, frozen=True, tag="gain_skill"):
    """Fill in the next box of a skill, `n` times; `any`: of the pirate's choice."""

    skill: Skill | Literal["any"]
    n: Some = 1


class FillStar(Base, frozen=True, tag="fill_star"):
    """Fill in `n` stars on the constellation."""

    n: Some = 1


class ResolveEvents(Base, frozen=True, tag="resolve_events"):
    """Discard all constellation event tokens and check off an event for each."""


class GainTreasure(Base, frozen=True, tag="gain_treasure"):
    """Draw `n` treasures."""

    n: Some = 1


class StealTreasure(Base, frozen=True, tag="steal_treasure"):
    """Take a treasure from another player."""


class LoseTreasure(Base, frozen=True, tag="lose_treasure"):
    """Discard `n` treasures, or all if there are fewer."""

    n: Some = 1


class BuryTreasure(Base, frozen=True, tag="bury_treasure"):
    """Bury up to `up_to` treasures: each is discarded and fills in a star."""

    up_to: Some


class TakeStory(Base, frozen=True, tag="take_story"):
    """Put that story card into play, from the deck or else from the player who has it."""

    story: Id


class ReturnStory(Base, frozen=True, tag="return_story"):
    """Put that story card back into the deck, whoever has it."""

    story: Id


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


class GainCannon(Base, frozen=True, tag="gain_cannon"):
    """Take a cannon of that level from the supply."""

    level: Annotated[int, Meta(ge=1, le=9)] = 1
    is_loaded: bool = False


class UpgradeCannon(Base, frozen=True, tag="upgrade_cannon"):
    """The Gunner may replace up to `n` cannons, each by one a level higher."""

    n: Some = 1


class LoadCannon(Base, frozen=True, tag="load_cannon"):
    """Load up to `n` cannons."""

    n: Some = 1


class UnloadCannon(Base, frozen=True, tag="unload_cannon"):
    """Unload `n` cannons, or all that are loaded."""

    n: Some = 1


class LoseCannon(Base, frozen=True, tag="lose_cannon"):
    """Discard `n` cannons, or all there are."""

    n: Some = 1


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
    """Discard the objective card for this one; a table's own book says its threat limit too."""

    objective: Id
    threat_limit: Annotated[int, Meta(ge=1, le=5)] | None = None


class Scout(Base, frozen=True, tag="scout"):
    """Scout `n` spaces."""

    n: Some = 1


class MoveShip(Base, frozen=True, tag="move_ship"):
    """Move the ship up to `n` spaces."""

    n: Some = 1


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


class Result(
    msgspec.Struct,
    frozen=True,
    gc=False,
    forbid_unknown_fields=True,
    omit_defaults=True,
    kw_only=True,
    rename={"least": "from"},
):
    """What a total does: of the results, the last whose `from` it reaches."""

    least: Annotated[int, Meta(ge=1, le=60)] = 1
    text: str = ""
    effects: tuple[Effect, ...] = ()


class Check(Base, frozen=True, tag="check"):
    """A skill check: die, filled boxes, icons and `bonus` together; `cannons` adds the levels of the loaded ones."""

    skill: Skill
    bonus: Change = 0
    cannons: bool = False
    results: tuple[Result, ...] = ()


class Roll(Base, frozen=True, tag="roll"):
    """A die roll that is no skill check."""

    results: tuple[Result, ...]


class Condition(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A number on the table within bounds."""

    of: Measure
    at_least: int | None = None
    at_most: int | None = None


class Option(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """One of the things to choose from, where all of `when` holds."""

    name: Annotated[str, Meta(min_length=1, max_length=80)]
    when: tuple[Condition, ...] = ()
    effects: tuple[Effect, ...] = ()


class Choose(Base, frozen=True, tag="choose"):
    """Choose one; `group`: the table chooses, and the Ship Scribe says what."""

    options: Annotated[tuple[Option, ...], Meta(min_length=1)]
    by: Literal["pirate", "group"] = "pirate"


class If(Base, frozen=True, tag="if"):
    """`then` if all of `when` holds, or `otherwise`."""

    when: Annotated[tuple[Condition, ...], Meta(min_length=1)]
    then: tuple[Effect, ...] = ()
    otherwise: tuple[Effect, ...] = ()


class ForPlayers(Base, frozen=True, kw_only=True, tag="for_players"):
    """The effects for other pirates; `highest` and `lowest` are of the measure `of`, ties broken by infamy."""

    who: Literal["all", "others", "chosen", "highest", "lowest"]
    of: Measure = "infamy"
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1)]


class Per(Base, frozen=True, tag="per"):
    """The effects as many times as the number on the table says."""

    of: Measure
    effects: Annotated[tuple[Effect, ...], Meta(min_length=1)]


class Read(Base, frozen=True, tag="read"):
    """Read an entry and do what it says."""

    entry: Id


ActionKind = Literal["unlimited", "limited", "required"]


class Place(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An action of a page as the standees see it: its number, its kind, whether it is locked at first."""

    number: ActionNumber
    kind: ActionKind = "unlimited"
    is_locked: bool = False


class Printed(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The next action of a page of a table's own book."""

    kind: ActionKind = "unlimited"
    is_locked: bool = False


class Feature(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """A location dial of a page."""

    id: Id
    start: Annotated[int, Meta(ge=0, le=99)] = 0
    max: Annotated[int, Meta(ge=1, le=99)]


class TurnPage(Base, frozen=True, tag="turn_page"):
    """Turn to a page of the location book; a table's own book says what is on it."""

    page: Id
    actions: Annotated[tuple[Printed, ...], Meta(max_length=20)] = ()
    """In the order of their numbers."""
    features: Annotated[tuple[Feature, ...], Meta(max_length=5)] = ()


class NewRound(Base, frozen=True, tag="new_round"):
    """Begin a new round on this page."""


class CompletePart(Base, frozen=True, tag="complete_part"):
    """A part of the scenario is complete: the game can be saved here."""


class ReachGoal(Base, frozen=True, tag="reach_goal"):
    """The scenario goal is reached."""


class SetDie(Base, frozen=True, tag="set_die"):
    """Set the die of this skill check instead of rolling it."""

    to: DieFace


class AddToCheck(Base, frozen=True, tag="add_to_check"):
    """Add to this skill check."""

    n: Some


class CardIcon(Base, frozen=True, tag="card_icon"):
    """Note the icon on a card of a table's own box: `n` for skill checks of that skill."""

    card: Id
    skill: Skill
    n: Annotated[int, Meta(ge=0, le=12)]


class KeepFour(Base, frozen=True, tag="keep_four"):
    """A fifth treasure came into play: discard one. The rules' own; no pack says it."""


class Saved(Base, frozen=True, tag="saved"):
    """The game is saved, until somebody goes on with it. The rules' own; no pack says it."""


class Flip(Base, frozen=True, tag="flip"):
    """Scouted tokens lie face down: flip them. The rules' own; no pack says it."""


class AskBox(Base, frozen=True, tag="ask_box"):
    """A box of a paper sheet was filled in: had it a star? The rules' own; no pack says it."""

    skill: Skill


Effect = (
    GainSkill
    | FillStar
    | ResolveEvents
    | GainTreasure
    | StealTreasure
    | LoseTreasure
    | BuryTreasure
    | TakeStory
    | ReturnStory
    | Rerolls
    | Misfortune
    | Infamy
    | InfamyTo
    | SwapInfamy
    | Ship
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
    | StopShip
    | ReadSpace
    | PlaceToken
    | RemoveToken
    | Lock
    | Unlock
    | Check
    | Roll
    | Choose
    | If
    | ForPlayers
    | Per
    | Read
    | TurnPage
    | NewRound
    | CompletePart
    | ReachGoal
    | SetDie
    | AddToCheck
    | CardIcon
)

Pending = Effect | KeepFour | Saved | Flip | AskBox
"""What may wait to be resolved."""

SKILLS: tuple[Skill, ...] = ("aim", "brawn", "exploration", "hunting", "navigation", "swagger")
STATS: tuple[Stat, ...] = ("crew", "discontent", "hull", "supplies")
