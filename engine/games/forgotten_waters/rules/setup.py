"""Setup, in the rulebook's order. Each draw needs a result."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from engine.core.errors import Malformed
from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX
from engine.games.forgotten_waters.rules.resolving import settle
from engine.games.forgotten_waters.scenario.pack import Pack
from engine.games.forgotten_waters.scenario.plain_effects import STATS
from engine.games.forgotten_waters.state import (
    MASKED,
    ROLES,
    STANDEES,
    Pirate,
    PirateChoice,
    Standee,
    Step,
    WatersOptions,
    WatersState,
    replace,
)
from engine.games.forgotten_waters.words import (
    inline_name,
    list_things,
    objective_name,
    page_name,
    pirate_name,
    printed_name,
)
from engine.kit.chance import Chance, dealt
from engine.kit.options import SetupPrompt
from engine.kit.piles import Pile

RANKS = (
    marked("first from the top"),
    marked("second from the top"),
    marked("third from the top"),
    marked("fourth from the top"),
    marked("fifth from the top"),
    marked("sixth from the top"),
    marked("seventh from the top"),
)
"""Names of the places on the infamy track."""
SMALLEST_TABLE = 3
"""Number of players with whom the Masked Pirate is in play, so that no player can have the Masked Pirate's standee."""


def check(options: WatersOptions, seats: int) -> None:
    """Reject options that do not fit the table.

    Raises:
        Malformed: with a pointer to the option.
    """
    pack = options.pack
    if options.difficulty != "deckhands" and (pack.is_open or options.edition != "third"):
        raise Malformed("/options/difficulty", say("only the third edition of The Bell Below has other difficulties"))
    if options.roles is not None:
        for index, seat in enumerate(options.roles):
            if SEAT_INDEX[seat] >= seats:
                raise Malformed(f"/options/roles/{index}", say("there are only {count} players", count=seats))
        if len(set(options.roles)) < seats:
            raise Malformed("/options/roles", say("each player has at least one role"))
    _check_pirates(options, seats)
    if pack.is_open:
        _check_book(options)


def _check_pirates(options: WatersOptions, seats: int) -> None:
    pirates = options.pirates
    if pirates and len(pirates) != seats:
        raise Malformed("/options/pirates", say("there are {count} players", count=seats))
    sheets = options.pack.sheet
    for index, pirate in enumerate(pirates):
        under = f"/options/pirates/{index}"
        if seats == SMALLEST_TABLE and pirate.standee == MASKED:
            raise Malformed(f"{under}/standee", say("with 3 players nobody is the masked pirate"))
        if pirate.sheet is not None and pirate.sheet not in sheets:
            raise Malformed(f"{under}/sheet", say("the scenario has no sheet {sheet}", sheet=repr(pirate.sheet)))
        if pirate.standee is not None and any(pirate.standee == other.standee for other in pirates[:index]):
            raise Malformed(f"{under}/standee", say("another pirate has that standee"))
        if pirate.sheet is not None and any(pirate.sheet == other.sheet for other in pirates[:index]):
            raise Malformed(f"{under}/sheet", say("each player's sheet has a different title"))


def _check_book(options: WatersOptions) -> None:
    book = options.book
    spaces = book.map.spaces()
    start = book.start
    if start.hull == 0 or start.discontent >= start.crew:
        raise Malformed("/options/book/start", say("the game would be lost at the start"))
    for stat in start.__struct_fields__:
        if getattr(start, stat) > getattr(book.maxima, stat):
            raise Malformed(f"/options/book/start/{stat}", say("it starts above its maximum"))
    if book.space not in spaces:
        raise Malformed("/options/book/space", say("the map has no space {space}", space=repr(book.space)))
    taken: set[str] = set()
    rocks = {location.id for location in options.pack.locations if location.is_rocky}
    for index, placed in enumerate(book.placed):
        is_wrecked = placed.token in rocks and placed.space == book.space
        if placed.space not in spaces or placed.space in taken or is_wrecked:
            raise Malformed(
                f"/options/book/placed/{index}/space", say("no token can be on {space}", space=repr(placed.space))
            )
        taken.add(placed.space)
    supply = options.pack.supply
    for index, cannon in enumerate(book.cannons):
        if sum(other.level == cannon.level for other in book.cannons) > supply.get(cannon.level, 0):
            few = say("there are not that many level-{level} cannons", level=cannon.level)
            raise Malformed(f"/options/book/cannons/{index}", few)


def set_up(options: WatersOptions, seats: int, chance: Chance, kind: type[WatersState] = WatersState) -> WatersState:
    """Return the state at the start of the first round; for a table's own book, the state before the book is opened.

    Chance determines the sheets that nobody chose, by seat, and the infamy order from the highest.
    """
    pack = options.pack
    board, ship = (options.book, options.book) if pack.is_open else (pack, pack.ship)
    # The pack determines steps 2 to 7; the players' choices are steps 8 to 10.
    choices = options.pirates or (PirateChoice(),) * seats
    pirates = _pirates(pack, choices, chance)
    roles = options.roles or tuple(SEAT_IDS[index % seats] for index in range(len(ROLES)))
    infamy = tuple(SEAT_INDEX[seat] for seat in dealt(chance, "infamy_marker", SEAT_IDS[:seats]))
    limit = options.book.threat_limit if pack.is_open else pack.objective_card[board.objective].threat_limit
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
        navigation_pile=Pile.shuffled(token.id for token in pack.navigation for _ in range(token.count)),
        treasure_pile=Pile.shuffled(card.id for card in pack.treasures),
        has_resolved=True,
    )
    effects = (*(effect for rule in pack.rules_for(seats) for effect in rule.set_up), *pack.set_up)
    state = settle(replace(state, agenda=tuple(Step(state.scribe, effect) for effect in effects)))
    return replace(state, turn=max(state.turn, 1))


def setup_prompts(options: WatersOptions, names: Sequence[str]) -> list[SetupPrompt]:
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
    pirates = [
        say(
            "{name} is {pirate} ({sheet}, {standee})",
            name=names[seat],
            pirate=pirate_name(state, seat, names),
            sheet=say(state.sheet(seat).title),
            standee=inline_name(pirate.standee),
        )
        for seat, pirate in enumerate(state.pirates)
    ]
    roles = [f"{printed_name(role)}: {names[seat]}" for role, seat in zip(ROLES, state.roles, strict=True)]
    rules = [say(rule.name) for rule in pack.rules_for(len(state.pirates))]
    where = (
        say("The first page is {page}.", page=page_name(state, state.page))
        if state.page
        else say("The location book is still closed.")
    )
    infamy = [pirate_name(state, seat, names) for seat in state.infamy]
    return [
        say("The scenario is {scenario}.", scenario=title),
        *([say("The ship is called {name}.", name=state.options.ship_name)] if state.options.ship_name else []),
        *([say("Rulings in use: {rules}.", rules=list_things(rules))] if rules else []),
        f"{'; '.join(pirates)}.",
        f"{'; '.join(roles)}.",
        say("Infamy, from the highest: {pirates}.", pirates=list_things(infamy)),
        say(
            "Hull {hull}, supplies {supplies}, crew {crew}, discontent {discontent}.",
            **{stat: getattr(state, stat) for stat in STATS},
        ),
        say("The objective is {objective}.", objective=objective_name(state, state.objective)),
        where,
    ]
