"""The state of the table, and queries on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal, get_args

import msgspec
from msgspec import Meta

from engine.core.values import SEAT_IDS, GameOutcome, SeatId, State
from engine.games.forgotten_waters.headings import END
from engine.games.forgotten_waters.scenario.effects import Pending
from engine.games.forgotten_waters.scenario.pack import Cannon, Map, Name, Pack, Placed, Sheet, Standee, Stats
from engine.games.forgotten_waters.scenario.packs import EDITIONS, PACKS, Edition, Scenario
from engine.games.forgotten_waters.scenario.values import SKILLS, Feature, Place, Skill
from engine.kit.effects import trait
from engine.kit.options import Options, option, ruling
from engine.kit.piles import Pile

replace = msgspec.structs.replace

_BOX = {skill: index for index, skill in enumerate(SKILLS)}

Phase = Literal["planning", "action", "end_of_round"]
Difficulty = Literal["landlubbers", "deckhands", "old_salts"]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)


class PirateChoice(Options, frozen=True, omit_defaults=True):
    """Choices of a player before the game: steps 8 to 10 of the setup."""

    name: Name | None = None
    """The pirate's name; None: the player's name."""
    standee: Standee | None = None
    """The colour of the standee; None: the first free colour when the seats get their standees in order."""
    sheet: str | None = None
    """The id of the player sheet; None: dealt at random."""
    blanks: Annotated[tuple[Name, ...], Meta(max_length=12)] = ()
    """The words in the story blanks."""


class Book(Options, frozen=True, omit_defaults=True):
    """The scenario's setup in a table's own book. Only the pack `table` uses this setup."""

    title: str = ""
    start: Stats = Stats(hull=8, supplies=8, crew=12, discontent=3)
    maxima: Stats = Stats(hull=12, supplies=12, crew=20, discontent=20)
    cannons: Annotated[tuple[Cannon, ...], Meta(max_length=4)] = ()
    objective: str = "objective_1"
    threat_limit: Annotated[int, Meta(ge=1, le=5)] = 5
    threat_events: Annotated[int, Meta(ge=1, le=12)] = 4
    """Number of threat event boxes in the ship's log."""
    map: Map = Map(columns=12, rows=9)
    space: str = "a1"
    """The ship's first space."""
    placed: tuple[Placed, ...] = ()
    """The special location tokens on the map. The ship cannot enter `rocky_waters`."""


class CommonOptions(Options, frozen=True, kw_only=True):
    """Options of every version of these rules."""

    edition: ClassVar[Edition]
    """The edition of the scenario; later versions have an option for it."""
    is_version_1: ClassVar[bool] = False
    """True if the game is played by version 1 of these rules (see `versions`)."""

    scenario: Annotated[Scenario, option("Scenario", titles={id_: pack.title for id_, pack in PACKS.items()})] = (
        "the_bell_below"
    )
    """The id of the scenario; `table` is a published scenario from the table's own book."""
    infamy_order: Annotated[
        Literal["live", "frozen"],
        ruling(
            "Does infamy gained in the action phase change who resolves next?",
            {"live": "Yes, at once", "frozen": "No, the order at the start of the phase stays"},
        ),
    ] = "live"
    """Decides if infamy gained in the action phase changes who resolves next (FW-R5)."""
    roles: Annotated[
        Annotated[tuple[SeatId, ...], Meta(min_length=7, max_length=7)] | None,
        option(
            "Roles",
            "Seats of the Ship Scribe, Quartermaster, First Mate, Boatswain, Cooper, Gunner and Lookout. If "
            "omitted, roles are assigned by seat.",
        ),
    ] = None
    """The seat of each of `ROLES`; None: the roles are dealt in the order of the seats."""
    pirates: Annotated[tuple[PirateChoice, ...], Meta(max_length=7)] = ()
    """The players' choices, by seat; empty: all defaults."""
    book: Book = Book()

    @property
    def pack(self) -> Pack:
        """The scenario."""
        return EDITIONS[self.edition][self.scenario]


class LaterOptions(CommonOptions, frozen=True, kw_only=True):
    """Options since version 2 of these rules."""

    check_discards: Annotated[
        Literal["while_dice_lie", "before_the_roll"],
        ruling(
            "Can a treasure be discarded for its effect after the dice of a skill check are rolled?",
            {"while_dice_lie": "Yes, until you keep the total", "before_the_roll": "No, only before the roll"},
        ),
    ] = "while_dice_lie"
    """Decides if treasures can be discarded after the roll. If so, a check waits for the player's decision (FW-R25)."""
    ship_name: Annotated[
        str, Meta(max_length=80), option("The ship's name", "The Ship Scribe's entry in the ship's log.")
    ] = ""
    """The ship's name; empty if it has none yet."""
    timer_seconds: Annotated[
        Annotated[int, Meta(ge=0, le=3600)] | None,
        option("Seconds of the planning timer", "Empty: the length given by the scenario. 0: no timer."),
    ] = None
    """Time limit of a planning phase, in seconds. None: the limit in the scenario; 0: no limit."""


class WatersOptions(LaterOptions, frozen=True, kw_only=True):
    """Options of a game: the scenario, the players' choices, and rulings on open questions (FW-R…, see RULINGS.md)."""

    difficulty: Annotated[
        Difficulty,
        option(
            "Difficulty",
            "For The Bell Below. A published scenario sets its own.",
            titles={
                "landlubbers": "Landlubbers (easier)",
                "deckhands": "Deckhands (normal)",
                "old_salts": "Old salts (harder)",
            },
        ),
    ] = "deckhands"
    """Decides the ship's supplies and the distance of the fleet (FW-R32). For packs, it is the measure `difficulty`."""
    edition: Annotated[  # type: ignore[misc]  # fixed in version 1
        Edition,
        ruling(
            "Edition of the scenario",
            {
                "third": "The third",
                "second": "The second edition, as in version 2 of these rules",
                "first": "The first edition, as in version 1 of these rules",
            },
        ),
    ] = "third"
    """The edition of the scenario. A record of an earlier version has the edition of that time (FW-R31)."""


class Pirate(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The belongings of a player's pirate."""

    standee: Standee
    sheet: str
    boxes: tuple[int, ...] = (0,) * len(SKILLS)
    """Number of filled boxes of each skill, in the order of `SKILLS`."""
    stars: tuple[str, ...] = ()
    """The filled-in stars, in the order of filling."""
    event_tokens: int = 0
    events: int = 0
    """Number of constellation events checked off."""
    treasures: tuple[str, ...] = ()
    """The treasures, in the order of coming into play."""
    stories: tuple[str, ...] = ()
    rerolls: int = 0
    misfortune: int = 0

    def filled_boxes(self, skill: Skill) -> int:
        """Return the number of filled boxes of a skill."""
        return self.boxes[_BOX[skill]]


class Step(msgspec.Struct, frozen=True, gc=False):
    """A pending effect, and the seat for which it is resolved."""

    seat: int
    effect: Pending
    dice: tuple[int, ...] = ()
    """For a skill check: the rolled dice."""
    due: int = 0
    """For a skill check: the number of dice to roll; 0 before the first roll, or if a die was set instead."""
    bonus: int = 0
    """For a skill check: the bonus from treasures."""


class WatersState(State, frozen=True, kw_only=True):
    """A game of Forgotten Waters. `phase` is `planning`, `action` or `end_of_round`.

    `turn` increases with every planning phase, every action of a pirate, and every end of a round.
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
    """Pending effects, the next one first."""

    page: str
    """The page of the location book; empty before the first page."""
    is_page_turned: bool | msgspec.UnsetType = msgspec.UNSET
    """True if this round began with a turn to the page, so that the page's warning applies; unset in version 1."""
    places: tuple[Place, ...] = ()
    """The actions of the page."""
    features: tuple[Feature, ...] = ()
    dials: tuple[int, ...] = ()
    """The value of each location dial in `features`."""
    locked: tuple[int, ...] = ()
    """The actions with a lock token, sorted."""
    choosing: tuple[int, ...] = ()
    """In the planning phase: the seats that have not chosen yet, the next one first."""
    has_timer_run_out: bool = False
    taken: tuple[int, ...] = ()
    """The actions chosen this round, in the order of choosing."""
    standees: tuple[int, ...]
    """The action under each seat's standee; 0: none."""
    order: tuple[int, ...] = ()
    """The infamy order at the start of the action phase, if it is frozen (FW-R5)."""
    active: int | None = None
    """The seat that resolves its action."""
    has_resolved: bool = False
    """True if seat `active` has begun to resolve; in the end of round phase, True if the Round End section was read."""

    hull: int
    supplies: int
    crew: int
    discontent: int
    maxima: Stats
    cannons: tuple[Cannon, ...]
    """The cannons on the Gunner's board, sorted."""
    threat: int = 0
    threat_limit: int
    threat_events: int = 0
    """Number of threat events checked off."""
    last_threat_event: int
    """Number of threat events in the scenario. At the last of them, the game is lost."""
    objective: str
    map: Map
    ship: str
    """The ship's space."""
    has_stopped: bool = False
    """True if the ship cannot move any farther this round."""
    tokens: tuple[tuple[str, str], ...] = ()
    """The face-up tokens, as pairs of space and token, sorted."""
    face_down: tuple[str, ...] = ()
    """The spaces of face-down navigation tokens, in the order of placing; the tokens are unknown."""
    navigation_pile: Pile[str]
    treasure_pile: Pile[str]
    treasure_discard: tuple[str, ...] = ()
    """The discarded treasures, in the order of discarding."""
    counts: tuple[tuple[str, int], ...] = ()
    """The numbers in the ship's log, sorted by name; zeros are omitted."""
    icons: tuple[tuple[str, Skill, int], ...] = ()
    """The icons entered for cards of a table's own box, as (card, skill, bonus), sorted."""
    entries: tuple[str, ...] = ()
    """The entries read, in the order of reading; an entry can occur several times."""
    names: tuple[tuple[str, str], ...] | msgspec.UnsetType = msgspec.UNSET
    """The players' names for cards of their own box (by card) and for navigation tokens (by space), sorted.

    Unset if there are none.
    """

    @property
    def pack(self) -> Pack:
        """The scenario."""
        return self.options.pack

    @property
    def is_version_1(self) -> bool:
        """True if the game is played by version 1 of these rules."""
        return self.options.is_version_1

    @property
    def timer_seconds(self) -> int | None:
        """The time limit for choosing actions, in seconds; None: no limit."""
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
        """Return the player sheet of a seat."""
        return self.pack.sheet[self.pirates[seat].sheet]

    def cards_in_play(self, kind: Literal["treasures", "stories"]) -> Iterator[tuple[str, SeatId]]:
        """Yield each card of a kind that is in play, with its owner."""
        return ((card, SEAT_IDS[seat]) for seat, pirate in enumerate(self.pirates) for card in getattr(pirate, kind))

    def with_pirate(self, seat: int, **changes: Any) -> WatersState:
        """Return the state with changed members of the pirate at a seat."""
        pirates = self.pirates
        return replace(self, pirates=(*pirates[:seat], replace(pirates[seat], **changes), *pirates[seat + 1 :]))

    def token_on(self, space: str) -> str | None:
        """Return the face-up token on a space, or None."""
        return next((token for where, token in self.tokens if where == space), None)

    def is_empty(self, space: str) -> bool:
        """Return True if `space` has neither a navigation token nor a special location token."""
        return space not in self.face_down and self.token_on(space) is None

    def is_rocky(self, space: str) -> bool:
        """Return True if the ship cannot enter a space because of rocky waters."""
        return getattr(self.pack.token.get(self.token_on(space) or ""), "is_rocky", False)

    def with_entry(self, member: str, *entry: Any) -> WatersState:
        """Return the state with an entry in a sorted member, such as `tokens`. All values but the last identify it.

        If the last value is None, the entry is removed.
        """
        entries, key = getattr(self, member) or (), entry[:-1]
        others = [one for one in entries if one[:-1] != key]
        if entry[-1] is not None:
            others.append(entry)
        elif len(others) == len(entries):
            return self
        return replace(self, **{member: tuple(sorted(others))})

    def count(self, counter: str) -> int:
        """Return a number from the ship's log."""
        return dict(self.counts).get(counter, 0)

    def given_name(self, id_: str) -> str | None:
        """Return the players' name for a card, or for the navigation token on a space; None if there is none."""
        return dict(self.names or ()).get(id_)

    def icon(self, card: str, skill: Skill) -> int:
        """Return the bonus of a card in checks of a skill."""
        for noted, of, n in self.icons:
            if noted == card and of == skill:
                return n
        known = self.pack.card.get(card)
        return 0 if known is None else known.skills.get(skill, 0)

    def icon_total(self, seat: int, skill: Skill) -> int:
        """Return the total bonus of the seat's cards in checks of a skill."""
        pirate = self.pirates[seat]
        return sum(trait(card, lambda one: self.icon(one, skill)) for card in pirate.treasures + pirate.stories)

    def fillable_stars(self, seat: int) -> Iterator[str]:
        """Yield the seat's unfilled stars that are linked to the start star or to a filled one (FW-R9)."""
        return (star for star in self.sheet(seat).links if self.can_fill(seat, star))

    def can_fill(self, seat: int, star: str) -> bool:
        """Return True if the seat can fill in this star."""
        filled = self.pirates[seat].stars
        near = self.sheet(seat).links[star]
        return star not in filled and ("start" in near or not near.isdisjoint(filled))

    def fillable_skills(self, seat: int) -> list[Skill]:
        """Return the seat's skills with a box that can be filled in (FW-R8)."""
        boxes = self.sheet(seat).boxes
        pirate = self.pirates[seat]
        return [skill for skill in SKILLS if pirate.filled_boxes(skill) < len(boxes[skill])]

    def cannons_left(self, level: int) -> int:
        """Return the number of cannons of a level in the supply."""
        return self.pack.supply.get(level, 0) - sum(cannon.level == level for cannon in self.cannons)

    def is_open(self, place: Place) -> bool:
        """Return True if an action of this page can still be chosen."""
        number = place.number
        return number not in self.locked and (place.kind == "unlimited" or number not in self.taken)

    def must_choose_required(self) -> bool:
        """Return True if there are at least as many required actions left as players who must choose (FW-R3)."""
        left = [place for place in self.places if place.kind == "required" and self.is_open(place)]
        return 0 < len(self.choosing) <= len(left)

    def lose(self, reason: str) -> WatersState:
        """Return the state in which everyone has lost."""
        return replace(self, outcome=GameOutcome("lost", (), reason, END))
