"""The state of the table, and the questions that the rules ask of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, get_args

import msgspec
from msgspec import Meta

from engine.core.values import GameOutcome, SeatId, State
from engine.games.forgotten_waters.headings import END
from engine.games.forgotten_waters.scenario.effects import SKILLS, Feature, Pending, Place, Skill
from engine.games.forgotten_waters.scenario.pack import Cannon, Map, Name, Pack, Placed, Sheet, Stats
from engine.games.forgotten_waters.scenario.packs import EDITIONS, PACKS, Edition, Scenario
from engine.kit.options import Options, option
from engine.kit.piles import Pile

replace = msgspec.structs.replace

TREASURE_LIMIT = 4
CANNON_LIMIT = 4
EVENTS = 5
"""The constellation events of a sheet."""
EVENTS_TO_WIN = 4

ROLES = ("ship_scribe", "quartermaster", "first_mate", "boatswain", "cooper", "gunner", "lookout")
_BOX = {skill: index for index, skill in enumerate(SKILLS)}

Standee = Literal["black", "blue", "green", "orange", "purple", "red", "yellow"]
STANDEES: tuple[Standee, ...] = get_args(Standee)
MASKED: Standee = "orange"
"""The standee of the masked pirate."""
Phase = Literal["planning", "action", "end_of_round"]
Difficulty = Literal["landlubbers", "deckhands", "old_salts"]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)


class PirateChoice(Options, frozen=True, omit_defaults=True):
    """What a player chose before the game: steps 8 to 10 of the set-up."""

    name: Name | None = None
    """The pirate's; None: the player's own."""
    standee: Standee | None = None
    """None: the first colour that is left, by seat."""
    sheet: str | None = None
    """The id of the player sheet; None: dealt at random."""
    blanks: Annotated[tuple[Name, ...], Meta(max_length=12)] = ()
    """The words in the story blanks."""


class Book(Options, frozen=True, omit_defaults=True):
    """What the scenario set-up of a table's own book says; only the `table` pack reads it."""

    title: str = ""
    start: Stats = Stats(hull=8, supplies=8, crew=12, discontent=3)
    maxima: Stats = Stats(hull=12, supplies=12, crew=20, discontent=20)
    cannons: Annotated[tuple[Cannon, ...], Meta(max_length=4)] = ()
    objective: str = "objective_1"
    threat_limit: Annotated[int, Meta(ge=1, le=5)] = 5
    threat_events: Annotated[int, Meta(ge=1, le=12)] = 4
    """How many threat event boxes the ship's log has."""
    map: Map = Map(columns=12, rows=9)
    space: str = "a1"
    """Where the ship starts."""
    placed: tuple[Placed, ...] = ()
    """The special location tokens on the map; those called `rocky_waters` cannot be entered."""


class CommonOptions(Options, frozen=True, kw_only=True):
    """What a table chooses by every version of these rules."""

    packs: ClassVar[Mapping[Scenario, Pack]] = PACKS
    is_version_1: ClassVar[bool] = False
    """Whether a game that was begun by the first version of these rules goes on by it (see `version_1`)."""

    scenario: Annotated[Scenario, option("Scenario", titles={id_: pack.title for id_, pack in PACKS.items()})] = (
        "the_bell_below"
    )
    """`table`: a published scenario, read from the table's own book."""
    infamy_order: Annotated[
        Literal["live", "frozen"],
        option(
            "Does infamy gained in the action phase change who resolves next?",
            titles={"live": "Yes, at once", "frozen": "No, the order of the beginning stands"},
            is_ruling=True,
        ),
    ] = "live"
    """FW-R5: whether infamy gained in the action phase changes who resolves next."""
    roles: Annotated[
        Annotated[tuple[SeatId, ...], Meta(min_length=7, max_length=7)] | None,
        option(
            "Roles",
            "Seats of Ship Scribe, Quartermaster, First Mate, Boatswain, Cooper, Gunner and Lookout; else by seat.",
        ),
    ] = None
    """Who is Ship Scribe, Quartermaster, First Mate, Boatswain, Cooper, Gunner, Lookout; None: dealt by seat."""
    pirates: Annotated[tuple[PirateChoice, ...], Meta(max_length=7)] = ()
    """By seat; empty: everything by default."""
    book: Book = Book()

    @property
    def pack(self) -> Pack:
        """The scenario."""
        return self.packs[self.scenario]


class LaterOptions(CommonOptions, frozen=True, kw_only=True):
    """What a table chooses since version 2 of these rules."""

    check_discards: Annotated[
        Literal["while_dice_lie", "before_the_roll"],
        option(
            "Can a treasure be discarded for its effect while the dice of a skill check lie?",
            titles={"while_dice_lie": "Yes, until its total is kept", "before_the_roll": "No, only before the roll"},
            is_ruling=True,
        ),
    ] = "while_dice_lie"
    """FW-R25: whether a check waits for the treasures that its pirate could use before the result is read."""
    ship_name: Annotated[
        str, Meta(max_length=80), option("The ship's name", "What the Ship Scribe writes on the ship's log.")
    ] = ""
    """Empty: it has none yet."""
    timer_seconds: Annotated[
        Annotated[int, Meta(ge=0, le=3600)] | None,
        option("Seconds of the planning timer", "Empty: as long as the scenario says. 0: no timer."),
    ] = None
    """How long a planning phase may take; None: as the scenario says; 0: as long as it likes."""


class WatersOptions(LaterOptions, frozen=True, kw_only=True):
    """What a table chooses: the scenario, the people, and the rulings on which tables differ."""

    difficulty: Annotated[
        Difficulty,
        option(
            "Difficulty",
            "Of The Bell Below. A published scenario has its own.",
            titles={
                "landlubbers": "Landlubbers (easier)",
                "deckhands": "Deckhands (normal)",
                "old_salts": "Old salts (harder)",
            },
        ),
    ] = "deckhands"
    """FW-R32: how well the ship is found, and how near the fleet is. Packs read it as the number `difficulty`."""
    edition: Annotated[
        Edition,
        option(
            "Edition of the scenario",
            titles={
                "third": "The third",
                "second": "The second, as the games by version 2 of these rules had it",
                "first": "The first, as the games by version 1 of these rules had it",
            },
            is_ruling=True,
        ),
    ] = "third"
    """FW-R31: the scenario on the table; a record of an earlier version is judged by the edition it was played by."""

    @property
    def pack(self) -> Pack:
        """The scenario."""
        return EDITIONS[self.edition][self.scenario]


class Pirate(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """What lies before a player."""

    standee: Standee
    sheet: str
    boxes: tuple[int, ...] = (0,) * len(SKILLS)
    """How many boxes of each skill are filled in, in the order of `SKILLS`."""
    stars: tuple[str, ...] = ()
    """The stars filled in, in that order."""
    event_tokens: int = 0
    events: int = 0
    """How many constellation events are checked off."""
    treasures: tuple[str, ...] = ()
    """In the order in which they came into play."""
    stories: tuple[str, ...] = ()
    rerolls: int = 0
    misfortune: int = 0

    def filled(self, skill: Skill) -> int:
        """How many boxes of a skill are filled in."""
        return self.boxes[_BOX[skill]]


class Step(msgspec.Struct, frozen=True, gc=False):
    """An effect that waits to be resolved, and for whom."""

    seat: int
    effect: Pending
    dice: tuple[int, ...] = ()
    """Of a skill check: what lies on the table."""
    due: int = 0
    """Of a skill check: how many dice it takes; 0 before the first is rolled."""
    bonus: int = 0
    """Of a skill check: what treasures add."""


class WatersState(State, frozen=True, kw_only=True):
    """A game of Forgotten Waters. `phase` is planning, action or end_of_round.

    `turn` goes up with every planning phase, every pirate's resolving and every end of a round.
    """

    options: WatersOptions
    pirates: tuple[Pirate, ...]
    roles: tuple[int, ...]
    """The seat of each of `ROLES`."""
    infamy: tuple[int, ...]
    """The seats from most to least infamy."""
    round: int
    part: int = 1
    agenda: tuple[Step, ...] = ()
    """What waits to be resolved, the next first."""

    page: str
    """The page of the location book; empty before the first."""
    is_page_turned: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether this round began with turning to it, and so with its warning; unset by version 1."""
    places: tuple[Place, ...] = ()
    """Its actions."""
    features: tuple[Feature, ...] = ()
    dials: tuple[int, ...] = ()
    """The value of each of `features`."""
    locked: tuple[int, ...] = ()
    """The actions under a lock token, sorted."""
    choosing: tuple[int, ...] = ()
    """Planning: the seats that have not chosen yet, the next first."""
    has_timer_run_out: bool = False
    taken: tuple[int, ...] = ()
    """The actions chosen this round, in the order of choosing."""
    standees: tuple[int, ...]
    """The action on which each seat's standee stands; 0: none."""
    order: tuple[int, ...] = ()
    """The infamy order as the action phase began, where it is frozen (FW-R5)."""
    active: int | None = None
    """The seat that resolves its action."""
    has_resolved: bool = False
    """Whether it has begun to; in the end of round phase: whether its entry is being read."""

    hull: int
    supplies: int
    crew: int
    discontent: int
    maxima: Stats
    cannons: tuple[Cannon, ...]
    """Sorted."""
    threat: int = 0
    threat_limit: int
    threat_events: int = 0
    """How many are checked off."""
    last_threat_event: int
    """How many there are."""
    objective: str
    map: Map
    ship: str
    """The space on which it is."""
    has_stopped: bool = False
    """Whether the ship can be moved no farther this round."""
    tokens: tuple[tuple[str, str], ...] = ()
    """Space and token, face up, sorted."""
    face_down: tuple[str, ...] = ()
    """The spaces of navigation tokens that lie face down, in the order of placing; which they are, nobody knows."""
    navigation_pile: Pile[str]
    treasure_pile: Pile[str]
    treasure_discard: tuple[str, ...] = ()
    """In the order of discarding."""
    counts: tuple[tuple[str, int], ...] = ()
    """The numbers that the ship's log keeps, sorted; 0 is left out."""
    icons: tuple[tuple[str, Skill, int], ...] = ()
    """The icons that the table noted on cards of its own box, sorted."""
    entries: tuple[str, ...] = ()
    """Every entry read, in that order."""
    names: tuple[tuple[str, str], ...] | msgspec.UnsetType = msgspec.UNSET
    """What the table called the cards of its own box, and the navigation tokens on spaces, by their ids, sorted; unset
    while it called none of them anything."""

    @property
    def pack(self) -> Pack:
        """The scenario."""
        return self.options.pack

    @property
    def is_version_1(self) -> bool:
        """Whether it is played by the first version of these rules."""
        return self.options.is_version_1

    @property
    def timer_seconds(self) -> int | None:
        """How long the players have to choose their actions; None: as long as they like."""
        chosen = self.options.timer_seconds
        return (self.pack.timer_seconds if chosen is None else chosen) or None

    @property
    def scribe(self) -> int:
        """The seat of the Ship Scribe."""
        return self.roles[0]

    @property
    def quartermaster(self) -> int:
        """The seat of the Quartermaster."""
        return self.roles[1]

    @property
    def gunner(self) -> int:
        """The seat of the Gunner."""
        return self.roles[5]

    def sheet(self, seat: int) -> Sheet:
        """The player sheet of that seat."""
        return self.pack.sheet[self.pirates[seat].sheet]

    def with_pirate(self, seat: int, pirate: Pirate) -> WatersState:
        """The state with another `pirate` at that seat."""
        pirates = self.pirates
        return replace(self, pirates=(*pirates[:seat], pirate, *pirates[seat + 1 :]))

    def token_on(self, space: str) -> str | None:
        """The token that lies face up on a space."""
        for where, token in self.tokens:
            if where == space:
                return token
        return None

    def is_empty(self, space: str) -> bool:
        """Whether neither a navigation nor a special location token lies there."""
        return space not in self.face_down and self.token_on(space) is None

    def is_rocky(self, space: str) -> bool:
        """Whether rocky waters are there."""
        token = self.token_on(space)
        if token is None:
            return False
        location = self.pack.token.get(token)
        return getattr(location, "is_rocky", False)

    def count(self, counter: str) -> int:
        """A number that the ship's log keeps."""
        return dict(self.counts).get(counter, 0)

    def called(self, id_: str) -> str | None:
        """What the table called a card, or the navigation token on a space; None if nothing."""
        return dict(self.names or ()).get(id_)

    def with_name(self, id_: str, name: str | None) -> WatersState:
        """The state in which a card, or the token on a space, is called so; None: nothing any more."""
        if name is None and self.called(id_) is None:
            return self
        names = {**dict(self.names or ()), id_: name}
        return replace(self, names=tuple(sorted((one, said) for one, said in names.items() if said is not None)))

    def icon(self, card: str, skill: Skill) -> int:
        """What a card adds to skill checks of that skill."""
        for noted, of, n in self.icons:
            if noted == card and of == skill:
                return n
        known = self.pack.card.get(card)
        return 0 if known is None else known.skills.get(skill, 0)

    def icon_total(self, seat: int, skill: Skill) -> int:
        """What the cards before that seat add to skill checks of that skill."""
        pirate = self.pirates[seat]
        return sum(self.icon(card, skill) for card in pirate.treasures + pirate.stories)

    def fillable_stars(self, seat: int) -> list[str]:
        """The stars that can be filled in: unfilled, and linked to the start star or a filled one (FW-R9)."""
        return [star for star in self.sheet(seat).links if self.can_fill(seat, star)]

    def can_fill(self, seat: int, star: str) -> bool:
        """Whether a star of that seat's sheet can be filled in."""
        filled = self.pirates[seat].stars
        near = self.sheet(seat).links[star]
        return star not in filled and ("start" in near or not near.isdisjoint(filled))

    def has_fillable_star(self, seat: int) -> bool:
        """Whether any can."""
        return any(self.can_fill(seat, star) for star in self.sheet(seat).links)

    def fillable_skills(self, seat: int) -> list[Skill]:
        """The skills with a box that can still be filled in (FW-R8)."""
        boxes = self.sheet(seat).boxes
        pirate = self.pirates[seat]
        return [skill for skill in SKILLS if pirate.filled(skill) < len(boxes[skill])]

    def cannons_left(self, level: int) -> int:
        """How many cannons of that level are in the supply."""
        return self.pack.supply.get(level, 0) - sum(cannon.level == level for cannon in self.cannons)

    def is_open(self, place: Place) -> bool:
        """Whether an action of this page can still be chosen."""
        number = place.number
        return number not in self.locked and (place.kind == "unlimited" or number not in self.taken)

    def has_open_place(self) -> bool:
        """Whether any can."""
        return any(self.is_open(place) for place in self.places)

    def must_choose_required(self) -> bool:
        """Whether the required actions left are as many as the players left, or more (FW-R3)."""
        left = sum(place.kind == "required" and self.is_open(place) for place in self.places)
        return 0 < len(self.choosing) <= left

    def lost(self, reason: str) -> WatersState:
        """Everyone has lost."""
        return replace(self, outcome=GameOutcome("lost", (), reason, END))
