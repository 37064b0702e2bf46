"""Panels beside the islands in the picture: a pending offer or raid, the players, the volcano, and the piles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS
from engine.games.forever_island import components as box
from engine.games.forever_island.board import COLOURS, GROUNDS
from engine.games.forever_island.components import Goods, printed_name, resource_noun
from engine.games.forever_island.ending import holder
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
        owner, number = names[box.OWNER[state.double_up]], state.double_up[-1]
        offers = marked("{name} offers {owner} to double up in {owner}'s hut {number}.")
        text = say(offers, name=names[state.active], owner=owner, number=number)
        yield Note(id="offer", title=say("Double up?"), text=text)
    if state.exchange is not None:
        offer, partner = state.exchange, names[state.exchange.partner]
        gives = marked("{name} gives {give}, and gets {take} from {partner}.")
        text = say(gives, name=names[state.active], give=offer.give, take=offer.take, partner=partner)
        yield Note(id="offer", title=say("Exchange?"), text=text)
    if state.raid is not None:
        yield Note(id="raid", title=say("Raid"), text=_raid(state, names, sees=sees))


def _raid(state: ForeverState, names: Sequence[str], *, sees: bool) -> str:
    raid = state.raid
    assert raid is not None
    raider, defender = names[state.active], names[raid.defender]
    told = [say("{raider} raids {defender} on {area}.", raider=raider, defender=defender, area=printed_name(raid.area))]
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
        id_, side = SEAT_IDS[seat], state.side(seat)
        held = sum(totem.is_standing and holder(state, totem.shore) == side for totem in state.totems)
        canoes, most = state.canoe_count(seat), box.TOTEMS_TO_WIN
        yield around.mat(
            seat,
            COLOURS[seat],
            role=say("Team {side}", side=side + 1) if state.options.teams else "",
            is_out=seat in state.eliminated,
            gauges=(
                *_goods(f"hand.{id_}", hand),
                Gauge(id=f"huts.{id_}", label=say("Huts"), value=len(state.huts[seat]), of=box.HUTS, symbol="hut"),
                Gauge(id=f"canoes.{id_}", label=say("Canoes"), value=canoes, of=box.CANOES, symbol="canoe"),
                Gauge(id=f"totems.{id_}", label=say("Totems"), value=min(held, most), of=most, symbol="totem"),
            ),
            empty="",
        )


def _goods(prefix: str, goods: Goods, of: int | None = None) -> Iterator[Gauge]:
    """Yield a gauge for each resource; `of` is its maximum."""
    for kind in box.RESOURCES:
        label = resource_noun(kind, 2).capitalize()
        yield Gauge(id=f"{prefix}.{kind}", label=label, value=goods.of(kind), of=of, symbol=kind)


def _volcano(state: ForeverState) -> Meter:
    """Return the meter that counts down to the eruption."""
    left = state.volcano
    return Meter(
        id="volcano",
        title=say("Volcano"),
        levels=(*(Level(str(count)) for count in range(box.COUNTDOWN, 0, -1)), Level(symbol="volcano")),
        at=box.COUNTDOWN - left,
        reading=say("It erupts after {left}", left=counted(left, "more six", "more sixes")),
        symbol="volcano",
    )


def _fertility(state: ForeverState) -> Counters:
    """Return the panel with the fertility of each island."""
    gauges = (
        Gauge(
            id=f"fertility.{island}",
            label=printed_name(island),
            value=count,
            of=box.REGIONS,
            symbol=resource,
            is_grave=count <= 1,
        )
        for island, resource, count in sorted(zip(box.ISLANDS, box.RESOURCE_OF, state.fertility, strict=True))
    )
    return Counters(id="fertility", title=say("Fertility"), gauges=tuple(gauges))


def _box(state: ForeverState) -> Counters:
    """Return the panel with the supply beside the board."""
    left = box.EXTENSIONS - sum(totem.extensions for totem in state.totems)
    return Counters(
        id="box",
        title=say("Piles and totems"),
        gauges=(
            *_goods("pile", state.piles, box.TOKENS),
            Gauge(
                id="standing", label=say("Standing totems"), value=state.standing_totems, of=box.TOTEMS, symbol="totem"
            ),
            Gauge(id="extensions", label=say("Totem tokens left"), value=left, of=box.EXTENSIONS, symbol="token"),
        ),
    )


def _legend() -> Legend:
    return Legend(
        id="legend",
        title=say("Legend"),
        signs=(
            *(
                Sign(text=say(box.ISLAND_NAMES[kind]), ground=look[0], pattern=look[1])
                for kind, look in GROUNDS.items()
            ),
            Sign(text=say("Totem; faint: fallen"), symbol="totem"),
            Sign(text=say("Hut; faint: built or harvested this turn"), symbol="hut"),
            Sign(text=say("Canoe; docked in a hut: a small sign at the hut"), symbol="canoe"),
        ),
    )
