"""Scenario packs: a scenario as data, and the contents of the box. docs/scenario-packs.md is the guide to packs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Annotated, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta

from engine.games.forgotten_waters.scenario.effects import Check, Choose, Effect, effects_in
from engine.games.forgotten_waters.scenario.values import Feature, Id, Level, Part, Place, Skill

Name = Annotated[str, Meta(min_length=1, max_length=200)]
P = TypeVar("P", bound="Identified")
T = TypeVar("T")
Natural = Annotated[int, Meta(ge=0, le=99)]

TREASURE_LIMIT = 4
CANNON_LIMIT = 4
Slots = Annotated[int, Meta(ge=0, le=CANNON_LIMIT)]
EVENTS = 5
"""Number of constellation events on a sheet."""
EVENTS_TO_WIN = 4

ROLES = ("ship_scribe", "quartermaster", "first_mate", "boatswain", "cooper", "gunner", "lookout")
Standee = Literal["black", "blue", "green", "orange", "purple", "red", "yellow"]
STANDEES: tuple[Standee, ...] = get_args(Standee)
MASKED: Standee = "orange"
"""The standee of the masked pirate."""


class Identified(Part, frozen=True, kw_only=True):
    """A part with an id."""

    id: Id


class Cannon(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, order=True):
    """A cannon token: its level, and which side is up."""

    level: Level = 1
    is_loaded: bool = False


class Stats(Part, frozen=True, kw_only=True):
    """The four ship stats."""

    hull: Natural
    supplies: Natural
    crew: Natural
    discontent: Natural


class Map(Part, frozen=True, kw_only=True):
    """The map board: hexes in columns (a, b, … from the west) and rows (1, 2, … from the north).

    The hexes of columns b, d, … lie half a hex lower.
    """

    columns: Annotated[int, Meta(ge=1, le=26)]
    rows: Annotated[int, Meta(ge=1, le=26)]
    missing: tuple[str, ...] = ()
    """Spaces of the rectangle that are not on the map."""

    def spaces(self) -> Mapping[str, tuple[str, ...]]:
        """Return the sorted neighbours of each space."""
        return _spaces(self.columns, self.rows, self.missing)


@lru_cache(maxsize=64)
def _spaces(columns: int, rows: int, missing: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    ids = {(column, row): f"{chr(ord('a') + column)}{row + 1}" for column in range(columns) for row in range(rows)}
    there = {place: id_ for place, id_ in ids.items() if id_ not in missing}
    found: dict[str, tuple[str, ...]] = {}
    for (column, row), id_ in there.items():
        lower = row + column % 2
        around = [
            (column, row - 1),
            (column, row + 1),
            *((side, lower + step) for side in (column - 1, column + 1) for step in (-1, 0)),
        ]
        found[id_] = tuple(sorted(there[place] for place in around if place in there))
    return found


class Token(Identified, frozen=True, kw_only=True):
    """A token of the map: its name, the entry to read there, and whether the ship must stop."""

    name: Name
    entry: Id | None = None
    stops: bool = False


class Location(Token, frozen=True, kw_only=True):
    """A special location token: its name, the entry to read there, and whether the ship can enter and must stop."""

    is_rocky: bool = False


class Placed(Part, frozen=True, kw_only=True):
    """A special location token on a space."""

    space: Id
    token: Id


class NavigationToken(Token, frozen=True, kw_only=True):
    """A kind of navigation token, and the number of such tokens."""

    count: Annotated[int, Meta(ge=1, le=30)] = 1


class ActionSpace(Place, frozen=True, kw_only=True):
    """A numbered action of a location page. `white` and `black` are the guide symbols of the action."""

    name: Name
    white: tuple[Skill, ...] = ()
    black: tuple[str, ...] = ()
    text: str = ""
    effects: tuple[Effect, ...] = ()


class Page(Identified, frozen=True, kw_only=True, gc=True, dict=True):
    """A page of the location book."""

    name: Name
    kind: str = ""
    warning: str = ""
    features: Annotated[tuple[Feature, ...], Meta(max_length=5)] = ()
    actions: Annotated[tuple[ActionSpace, ...], Meta(min_length=1)]
    round_end: tuple[Effect, ...]

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """The actions of the page, with only the members that are needed to place a standee."""
        return tuple(Place(number=one.number, kind=one.kind, is_locked=one.is_locked) for one in self.actions)


class Entry(Identified, frozen=True, kw_only=True):
    """The text and effects of a numbered entry."""

    text: str = ""
    effects: tuple[Effect, ...] = ()


class ObjectiveCard(Identified, frozen=True, kw_only=True):
    """An objective card."""

    name: Name
    text: str = ""
    threat_limit: Annotated[int, Meta(ge=1, le=5)]


class Card(Identified, frozen=True, kw_only=True):
    """A treasure or story card: its icons for skill checks, and the effects of discarding a treasure.

    `when` tells when a treasure can be discarded: on the owner's turn, in the owner's skill check, or at any time.
    """

    name: Name
    skills: dict[Skill, Annotated[int, Meta(ge=1, le=12)]] = {}
    discard: tuple[Effect, ...] = ()
    when: Literal["turn", "check", "anytime"] = "turn"


class Star(Identified, frozen=True, kw_only=True):
    """A star of a constellation, and the ids of linked stars; `start` is the start star."""

    is_event: bool = False
    links: Annotated[tuple[Id, ...], Meta(min_length=1)]


class Endings(Part, frozen=True, kw_only=True):
    """The endings of a pirate: `bad` with at most 3 constellation events, `good` with 4, `legendary` with 5."""

    bad: Name
    good: Name
    legendary: Name


class ConstellationEvent(Part, frozen=True, kw_only=True):
    """A constellation event. `text` is read when the event is checked off; `{1}` in it is the first story blank."""

    text: str = ""
    effects: tuple[Effect, ...] = ()


class Sheet(Identified, frozen=True, kw_only=True, gc=True, dict=True):
    """A player sheet. A skill has seven boxes: `o` open, `*` with a star, `x` not usable, `?` as on the paper sheet."""

    title: Name
    skills: dict[Skill, Annotated[str, Meta(pattern=r"^[o*x?]{7}$")]]
    constellation: tuple[Star, ...]
    blanks: tuple[Name, ...] = ()
    """The prompts of the story blanks."""
    events: Annotated[tuple[ConstellationEvent, ...], Meta(min_length=5, max_length=5)]
    endings: Endings

    @cached_property
    def boxes(self) -> dict[str, str]:
        """The boxes of each skill, from the left."""
        return {skill: row.replace("x", "") for skill, row in self.skills.items()}

    @cached_property
    def links(self) -> dict[str, frozenset[str]]:
        """The linked stars of each star; a link can be declared at either star."""
        both: dict[str, set[str]] = {star.id: set(star.links) for star in self.constellation}
        for star in self.constellation:
            for other in star.links:
                if other in both:
                    both[other].add(star.id)
        return {star: frozenset(others) for star, others in both.items()}

    def link_order(self, stars: Iterable[str]) -> tuple[str, ...]:
        """Return the stars that can be filled in, ordered so that each is linked to the start or an earlier star."""
        left, lit = list(stars), ["start"]
        while star := next((one for one in left if not self.links.get(one, frozenset()).isdisjoint(lit)), None):
            left.remove(star)
            lit.append(star)
        return tuple(lit[1:])

    @cached_property
    def event_stars(self) -> frozenset[str]:
        """The stars that give a constellation event token."""
        return frozenset(star.id for star in self.constellation if star.is_event)


class ThreatEvent(Part, frozen=True, kw_only=True):
    """A threat event box of the ship's log."""

    text: str = ""
    effects: tuple[Effect, ...] = ()


class SpecialRule(Identified, frozen=True, kw_only=True):
    """A special-rules card. It is in play with at most `players` players."""

    name: Name
    text: str = ""
    players: Annotated[int, Meta(ge=3, le=7)]
    set_up: tuple[Effect, ...] = ()
    round_start: tuple[Effect, ...] = ()
    round_end: tuple[Effect, ...] = ()


class ShipSetUp(Part, frozen=True, kw_only=True):
    """Start and end of the ship's markers, and the cannons on the Gunner's board."""

    start: Stats
    maxima: Stats
    cannons: Annotated[tuple[Cannon, ...], Meta(max_length=4)] = ()
    space: Id
    """The ship's first space on the map."""


class CannonSupply(Part, frozen=True, kw_only=True):
    """Number of cannon tokens of a level."""

    level: Level
    count: Annotated[int, Meta(ge=1, le=8)]


class Tokens(Part, frozen=True, kw_only=True):
    """Number of tokens in the box."""

    rerolls: Natural = 25
    misfortune: Natural = 20
    events: Natural = 15
    locks: Natural = 9
    threat: Natural = 5


Prose = tuple[str, str, str]
"""The id of an entry or a page, the name of the token or action, and the text."""


def _computed_once(of: Callable[[Pack], T]) -> cached_property[T]:
    """Return a property of a pack that `of` computes once."""
    return cached_property(of)


def _by_id(parts: Callable[[Pack], Iterable[P]]) -> cached_property[dict[str, P]]:
    """Return a property that maps ids to these parts of a pack."""
    return _computed_once(lambda pack: {part.id: part for part in parts(pack)})


class Pack(Part, frozen=True, kw_only=True, gc=True, dict=True):
    """A scenario pack."""

    id: Id
    version: Annotated[int, Meta(ge=1)]
    title: Name
    licence: Name
    is_open: bool = False
    """True if the players enter effects from their own book."""
    timer_seconds: Annotated[int, Meta(ge=1)] | None = None
    ship: ShipSetUp
    objective: Id
    tokens: Tokens = Tokens()
    cannons: tuple[CannonSupply, ...]
    map: Map
    locations: tuple[Location, ...] = ()
    placed: tuple[Placed, ...] = ()
    """Special location tokens on the map at the start."""
    navigation: tuple[NavigationToken, ...]
    special_rules: tuple[SpecialRule, ...] = ()
    set_up: tuple[Effect, ...] = ()
    """Effects at the end of the setup. The last of them turns to the first page."""
    pages: tuple[Page, ...] = ()
    entries: tuple[Entry, ...] = ()
    objectives: tuple[ObjectiveCard, ...] = ()
    threat_events: Annotated[tuple[ThreatEvent, ...], Meta(min_length=1)]
    """The threat events in order; at the last one, the game is lost."""
    treasures: tuple[Card, ...]
    stories: tuple[Card, ...] = ()
    sheets: Annotated[tuple[Sheet, ...], Meta(min_length=7)]

    page = _by_id(lambda pack: pack.pages)
    entry = _by_id(lambda pack: pack.entries)
    card = _by_id(lambda pack: (*pack.treasures, *pack.stories))
    objective_card = _by_id(lambda pack: pack.objectives)
    token = _by_id(lambda pack: (*pack.locations, *pack.navigation))
    sheet = _by_id(lambda pack: pack.sheets)

    action = _computed_once(lambda pack: {(page.id, one.number): one for page in pack.pages for one in page.actions})
    """The actions by page and number."""
    story_ids = _computed_once(lambda pack: frozenset(card.id for card in pack.stories))
    """The ids of the story cards."""
    navigation_counts = _computed_once(lambda pack: {token.id: token.count for token in pack.navigation})
    """The number of navigation tokens of each kind."""
    supply = _computed_once(lambda pack: {row.level: row.count for row in pack.cannons})
    """The number of cannons of each level."""

    @cached_property
    def prose(self) -> dict[bytes, Prose]:
        """The prose of each choice and skill check; the key is the JSON of the choice or check."""
        pages = ((one.effects, (page.id, one.name, one.text)) for page in self.pages for one in page.actions)
        tokens = {token.entry: token.name for token in self.token.values()}
        entries = ((entry.effects, (entry.id, tokens.get(entry.id, ""), entry.text)) for entry in self.entries)
        told = (one for one in (*pages, *entries) if one[1][2])
        asked = ((one, prose) for effects, prose in told for one in effects_in(effects))
        return {msgspec.json.encode(one): prose for one, prose in asked if isinstance(one, Choose | Check)}

    def rules_for(self, players: int) -> tuple[SpecialRule, ...]:
        """Return the special-rules cards in play with this number of players."""
        return tuple(rule for rule in self.special_rules if players <= rule.players)
