"""Panels beside the islands in the picture: a pending offer or raid, the players, the volcano, and the piles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.language import say
from engine.core.values import SEAT_IDS
from engine.games.forever_island.board import COLOURS
from engine.games.forever_island.components import (
    CANOES,
    COUNTDOWN,
    EXTENSIONS,
    HUTS,
    ISLAND_INDEX,
    REGIONS,
    RESOURCE_OF,
    RESOURCES,
    TOKENS,
    TOTEMS,
    TOTEMS_TO_WIN,
    VOLCANO,
    Resource,
    called,
    printed,
)
from engine.games.forever_island.state import ForeverState
from engine.kit.part_panels import Around
from engine.kit.scene.panels import Counters, Gauge, Legend, Level, Meter, Note, Panel, PlayerMat, Sign
from engine.kit.words import counted


def panels(state: ForeverState, around: Around) -> tuple[Panel, ...]:
    """Return the panels beside the islands. Only the raider sees the spears in the fist before the guess."""
    sees = state.phase != "guess" or around.viewer == state.active
    beside = (_volcano(state), _fertility(state), _box(state), _legend())
    return (*_open_question(state, around.names, sees=sees), *_players(state, around), *beside)


def _open_question(state: ForeverState, names: Sequence[str], *, sees: bool) -> Iterator[Panel]:
    """Yield the panel of a pending offer or raid."""
    if state.double_up is not None:
        owner = names[SEAT_IDS.index(state.double_up[:2])]
        yield Note(
            id="offer",
            title=say("Double up?"),
            text=say(
                "{name} offers {owner} to double up in {owner}'s hut {number}.",
                name=names[state.active],
                owner=owner,
                number=state.double_up[-1],
            ),
        )
    if state.exchange is not None:
        give, take = state.exchange.give, state.exchange.take
        yield Note(
            id="offer",
            title=say("Exchange?"),
            text=say(
                "{name} gives {give}, and gets {take} from {partner}.",
                name=names[state.active],
                give=give,
                take=take,
                partner=names[state.exchange.partner],
            ),
        )
    if state.raid is not None:
        yield Note(id="raid", title=say("Raid"), text=_raid(state, names, sees=sees))


def _raid(state: ForeverState, names: Sequence[str], *, sees: bool) -> str:
    raid = state.raid
    assert raid is not None
    told = [
        say(
            "{raider} raids {defender} on {area}.",
            raider=names[state.active],
            defender=names[raid.defender],
            area=printed(raid.area),
        )
    ]
    if raid.spears is not None:
        told.append(
            say("In the fist: {spears}.", spears=counted(raid.spears, "spear")) if sees else say("The fist is closed.")
        )
    if raid.guess is not None:
        told.append(say("The guess: {guess}.", guess=raid.guess))
    if raid.loser is not None:
        told.append(say("{name} loses {losses}.", name=names[raid.loser], losses=counted(raid.losses, "piece")))
    return " ".join(told)


def _players(state: ForeverState, around: Around) -> Iterator[PlayerMat]:
    """Yield each player's mat. Hands are public."""
    for seat, hand in enumerate(state.hands):
        huts, canoes = len(state.huts[seat]), state.canoe_count(seat)
        id_ = SEAT_IDS[seat]
        yield around.mat(
            seat,
            COLOURS[seat],
            role=say("Team {side}", side=state.side(seat) + 1) if state.options.teams else "",
            is_out=seat in state.eliminated,
            gauges=(
                *(
                    Gauge(id=f"hand.{id_}.{kind}", label=_plural(kind), value=hand.of(kind), symbol=kind)
                    for kind in RESOURCES
                ),
                Gauge(id=f"huts.{id_}", label=say("Huts"), value=huts, of=HUTS, symbol="hut"),
                Gauge(id=f"canoes.{id_}", label=say("Canoes"), value=canoes, of=CANOES, symbol="canoe"),
                Gauge(
                    id=f"totems.{id_}",
                    label=say("Totems"),
                    value=min(_totems_held(state, seat), TOTEMS_TO_WIN),
                    of=TOTEMS_TO_WIN,
                    symbol="totem",
                ),
            ),
            empty="",
        )


def _totems_held(state: ForeverState, seat: int) -> int:
    """Return the number of standing totems on shores where only the seat's side has huts."""
    owners = [
        {state.side(other) for other in range(len(state.huts)) if state.has_hut_on(other, totem.shore)}
        for totem in state.totems
        if totem.is_standing
    ]
    return owners.count({state.side(seat)})


def _volcano(state: ForeverState) -> Meter:
    """Return the meter that counts down to the eruption."""
    left = state.volcano
    return Meter(
        id="volcano",
        title=say("Volcano"),
        levels=(*(Level(str(count)) for count in range(COUNTDOWN, 0, -1)), Level(symbol="volcano")),
        at=COUNTDOWN - left,
        reading=say("It erupts after {left}", left=counted(left, "more six", "more sixes")),
        symbol="volcano",
    )


def _fertility(state: ForeverState) -> Counters:
    """Return the panel with the fertility of each island."""
    return Counters(
        id="fertility",
        title=say("Fertility"),
        gauges=tuple(
            Gauge(
                id=f"fertility.{tile}",
                label=printed(tile),
                value=state.fertility[ISLAND_INDEX[tile]],
                of=REGIONS,
                symbol=RESOURCE_OF[ISLAND_INDEX[tile]],
                is_grave=state.fertility[ISLAND_INDEX[tile]] <= 1,
            )
            for tile in sorted(state.tiles)
            if tile != VOLCANO
        ),
    )


def _box(state: ForeverState) -> Counters:
    """Return the panel with the supply beside the board."""
    extensions = sum(totem.extensions for totem in state.totems)
    standing = sum(totem.is_standing for totem in state.totems)
    piles = (
        Gauge(id=f"pile.{kind}", label=_plural(kind), value=state.piles.of(kind), of=TOKENS, symbol=kind)
        for kind in RESOURCES
    )
    return Counters(
        id="box",
        title=say("Piles and totems"),
        gauges=(
            *piles,
            Gauge(id="standing", label=say("Standing totems"), value=standing, of=TOTEMS, symbol="totem"),
            Gauge(
                id="extensions",
                label=say("Totem tokens left"),
                value=EXTENSIONS - extensions,
                of=EXTENSIONS,
                symbol="token",
            ),
        ),
    )


def _legend() -> Legend:
    return Legend(
        id="legend",
        title=say("Legend"),
        signs=(
            Sign(text=say("Hog Island"), ground="wood", pattern="dots"),
            Sign(text=say("Log Island"), ground="meadow", pattern="hatch"),
            Sign(text=say("Frog Island"), ground="water", pattern="waves"),
            Sign(text=say("Totem; faint: fallen"), symbol="totem"),
            Sign(text=say("Hut; faint: built or harvested this turn"), symbol="hut"),
            Sign(text=say("Canoe; docked in a hut: a small sign at the hut"), symbol="canoe"),
        ),
    )


def _plural(resource: Resource) -> str:
    return called(resource, 2).capitalize()
