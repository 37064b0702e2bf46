"""Setup, in the rulebook's order. Each draw needs a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from engine.core.errors import Malformed
from engine.core.language import say
from engine.core.values import SEAT_IDS, SEAT_INDEX, Value
from engine.games.forgotten_waters import words
from engine.games.forgotten_waters.rules.resolving import settle
from engine.games.forgotten_waters.scenario.pack import MASKED, ROLES, STANDEES, Pack, Standee
from engine.games.forgotten_waters.scenario.values import STATS
from engine.games.forgotten_waters.state import Book, Pirate, PirateChoice, Step, WatersOptions, WatersState, replace
from engine.kit.chance import Chance, dealt
from engine.kit.options import SetupPrompt
from engine.kit.piles import Pile
from engine.kit.words import join_words

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
RANKS = tuple(f"{ordinal} from the top" for ordinal in _ORDINALS)
"""Names of the places on the infamy track."""
SMALLEST_TABLE = 3
"""With this number of players, the Masked Pirate is in play, so no player can have that standee."""


def check(options: WatersOptions, seats: int) -> None:
    """Reject options that do not fit the table.

    Raises:
        Malformed: with a pointer to the option.
    """
    for pointer, message in _faults(options, seats):
        raise Malformed(f"/options/{pointer}", message)


def _faults(options: WatersOptions, seats: int) -> Iterator[tuple[str, str]]:
    """Yield the pointer and the message of each option that does not fit."""
    if options.difficulty != "deckhands" and (options.pack.is_open or options.edition != "third"):
        yield "difficulty", say("only the third edition of The Bell Below has other difficulties")
    for index, seat in enumerate(options.roles or ()):
        if SEAT_INDEX[seat] >= seats:
            yield f"roles/{index}", say("there are only {count} players", count=seats)
    if options.roles is not None and len(set(options.roles)) < seats:
        yield "roles", say("each player has at least one role")
    yield from _pirate_faults(options, seats)
    if options.pack.is_open:
        yield from _book_faults(options.book, options.pack)


def _pirate_faults(options: WatersOptions, seats: int) -> Iterator[tuple[str, str]]:
    pirates = options.pirates
    if pirates and len(pirates) != seats:
        yield "pirates", say("there are {count} players", count=seats)
    for index, pirate in enumerate(pirates):
        if seats == SMALLEST_TABLE and pirate.standee == MASKED:
            yield f"pirates/{index}/standee", say("with 3 players nobody is the masked pirate")
        if pirate.sheet is not None and pirate.sheet not in options.pack.sheet:
            yield f"pirates/{index}/sheet", say("the scenario has no sheet {sheet}", sheet=repr(pirate.sheet))
        if pirate.standee is not None and any(pirate.standee == other.standee for other in pirates[:index]):
            yield f"pirates/{index}/standee", say("another pirate has that standee")
        if pirate.sheet is not None and any(pirate.sheet == other.sheet for other in pirates[:index]):
            yield f"pirates/{index}/sheet", say("each player's sheet has a different title")


def _book_faults(book: Book, pack: Pack) -> Iterator[tuple[str, str]]:
    start, spaces = book.start, book.map.spaces()
    if start.hull == 0 or start.discontent >= start.crew:
        yield "book/start", say("the game would be lost at the start")
    for stat in STATS:
        if getattr(start, stat) > getattr(book.maxima, stat):
            yield f"book/start/{stat}", say("the value at the start is above the maximum")
    if book.space not in spaces:
        yield "book/space", say("the map has no space {space}", space=repr(book.space))
    rocks = {location.id for location in pack.locations if location.is_rocky}
    for index, placed in enumerate(book.placed):
        is_wrecked = placed.token in rocks and placed.space == book.space
        is_taken = any(placed.space == other.space for other in book.placed[:index])
        if placed.space not in spaces or is_taken or is_wrecked:
            yield f"book/placed/{index}/space", say("no token can be on {space}", space=repr(placed.space))
    for index, cannon in enumerate(book.cannons):
        if sum(other.level == cannon.level for other in book.cannons) > pack.supply.get(cannon.level, 0):
            yield f"book/cannons/{index}", say("there are not that many level-{level} cannons", level=cannon.level)


def set_up(options: WatersOptions, seats: int, chance: Chance, kind: type[WatersState] = WatersState) -> WatersState:
    """Return the state at the start of the first round; for a table's own book, the state before the book is opened.

    Chance determines, in this order: the sheets that nobody chose, by seat; then the infamy order, from the highest.
    """
    pack = options.pack
    board, ship = (options.book, options.book) if pack.is_open else (pack, pack.ship)
    # Steps 2 to 7 come from the pack. Steps 8 to 10 are the players' choices.
    choices = options.pirates or (PirateChoice(),) * seats
    pirates = _pirates(pack, choices, chance)
    roles = options.roles or tuple(SEAT_IDS[index % seats] for index in range(len(ROLES)))
    infamy = tuple(SEAT_INDEX[seat] for seat in dealt(chance, "infamy_marker", SEAT_IDS[:seats]))
    limit = options.book.threat_limit if pack.is_open else pack.objective_card[pack.objective].threat_limit
    state = kind(
        turn=0,
        phase="end_of_round",
        options=options,
        pirates=pirates,
        roles=tuple(SEAT_INDEX[seat] for seat in roles),
        infamy=infamy,
        round=0,
        page="",
        standees=(0,) * seats,
        **msgspec.structs.asdict(ship.start),
        maxima=ship.maxima,
        cannons=tuple(sorted(ship.cannons)),
        threat_limit=limit,
        last_threat_event=options.book.threat_events if pack.is_open else len(pack.threat_events),
        objective=board.objective,
        map=board.map,
        ship=ship.space,
        tokens=tuple(sorted((one.space, one.token) for one in board.placed)),
        navigation_pile=Pile.shuffled(Counter(pack.navigation_counts).elements()),
        treasure_pile=Pile.shuffled(card.id for card in pack.treasures),
        has_resolved=True,
    )
    effects = (*(effect for rule in pack.rules_for(seats) for effect in rule.set_up), *pack.set_up)
    state = settle(replace(state, agenda=tuple(Step(state.scribe, effect) for effect in effects)))
    return replace(state, turn=max(state.turn, 1))


def setup_prompts(options: WatersOptions, names: Sequence[str], given: Sequence[Value | None]) -> list[SetupPrompt]:  # noqa: ARG001  # the protocol sets the arguments
    """Return the questions of the deal, in the order of `set_up`."""
    choices = options.pirates or (PirateChoice(),) * len(names)
    drawn = [name for name, choice in zip(names, choices, strict=True) if choice.sheet is None]
    return [
        *(SetupPrompt(say("Player sheets"), name) for name in drawn),
        *(SetupPrompt(say("Infamy"), say(rank)) for rank in RANKS[: len(names)]),
    ]


def standees(choices: Sequence[PirateChoice]) -> list[Standee]:
    """Return the standee of each player: the chosen one, otherwise the next free one."""
    chosen = {choice.standee for choice in choices} | ({MASKED} if len(choices) == SMALLEST_TABLE else set())
    free = (colour for colour in STANDEES if colour not in chosen)
    return [next(free) if choice.standee is None else choice.standee for choice in choices]


def _pirates(pack: Pack, choices: Sequence[PirateChoice], chance: Chance) -> tuple[Pirate, ...]:
    asked = {choice.sheet for choice in choices}
    left = sorted(sheet for sheet in pack.sheet if sheet not in asked)
    pirates: list[Pirate] = []
    for choice, standee in zip(choices, standees(choices), strict=True):
        sheet = choice.sheet
        if sheet is None:
            sheet = chance.draw("player_sheet", left)
            left.remove(sheet)
        pirates.append(Pirate(standee=standee, sheet=sheet))
    return tuple(pirates)


def describe(state: WatersState, names: Sequence[str]) -> list[str]:
    """Describe the table after the setup."""
    pack = state.pack
    title = state.options.book.title if pack.is_open and state.options.book.title else say(pack.title)
    called = [words.pirate_name(state, seat, names) for seat in range(len(names))]
    pirates = [
        say(
            "{name} is {pirate} ({sheet}, {standee})",
            name=names[seat],
            pirate=called[seat],
            sheet=say(state.sheet(seat).title),
            standee=words.inline_name(pirate.standee),
        )
        for seat, pirate in enumerate(state.pirates)
    ]
    roles = [f"{words.printed_name(role)}: {names[seat]}" for role, seat in zip(ROLES, state.roles, strict=True)]
    rules = [say(rule.name) for rule in pack.rules_for(len(state.pirates))]
    page = words.page_name(state, state.page)
    stats = {stat: getattr(state, stat) for stat in STATS}
    return [
        say("The scenario is {scenario}.", scenario=title),
        *([say("The ship is called {name}.", name=state.options.ship_name)] if state.options.ship_name else []),
        *([say("Rulings in use: {rules}.", rules=join_words(rules))] if rules else []),
        f"{'; '.join(pirates)}.",
        f"{'; '.join(roles)}.",
        say("Infamy, from the highest: {pirates}.", pirates=join_words(called[seat] for seat in state.infamy)),
        say("Hull {hull}, supplies {supplies}, crew {crew}, discontent {discontent}.", **stats),
        say("The objective is {objective}.", objective=words.objective_name(state, state.objective)),
        say("The first page is {page}.", page=page) if state.page else say("The location book is still closed."),
    ]
