"""The ruleset: declarations, and all methods except those of actions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

from engine.core.errors import Malformed
from engine.core.language import plural, say
from engine.core.values import MASKED, SEAT_INDEX, Value
from engine.games.forever_island import components as box
from engine.games.forever_island import invariants, leaving_out, trade
from engine.games.forever_island.board import planes
from engine.games.forever_island.building import Carve, Erect, Harvest, HarvestSeveral, Mobilize, Settle
from engine.games.forever_island.columns import COLUMNS, CURVE, SEAT_COLUMNS
from engine.games.forever_island.components import components, printed_name
from engine.games.forever_island.ending import next_turn
from engine.games.forever_island.facts import FACTS, complete_table
from engine.games.forever_island.gameplay import EndTurn, PlaceHut, RollForWeather, hut_of
from engine.games.forever_island.headings import RULE_TEXTS, SECTIONS
from engine.games.forever_island.panels import panels
from engine.games.forever_island.raid import ChooseLosses, DeclareRaid, GuessSpears, OpenFist, ThrowSpears
from engine.games.forever_island.setup import describe, describe_islands, set_up, setup_prompts
from engine.games.forever_island.setup_page import setup_page
from engine.games.forever_island.state import ForeverOptions, ForeverState, Totem, replace
from engine.games.forever_island.tax import Extend, Tax, TaxSeveral
from engine.games.forever_island.travel import Dock, Eject, Travel, TravelFar, Undock
from engine.kit.faces import dice
from engine.kit.facts import Told
from engine.kit.options import SetupPrompt
from engine.kit.ruleset import Action, Ruleset
from engine.kit.words import player_number

TEAMS_OF = {0: range(2, 7), 2: (4, 6), 3: (6,)}
"""Allowed numbers of players, by number of teams."""


class ForeverIsland(Ruleset[ForeverState, ForeverOptions]):
    """Forever Island, by its rulebook."""

    id = "forever-island"
    version = "2"
    reads_versions: ClassVar[tuple[str, ...]] = ("1",)
    name = "Forever Island"
    players = (2, 6)
    is_cooperative = False
    options = ForeverOptions
    state = ForeverState
    actions: ClassVar[tuple[type[Action[Any]], ...]] = (
        PlaceHut,
        RollForWeather,
        Harvest,
        HarvestSeveral,
        Carve,
        Settle,
        Erect,
        Mobilize,
        Travel,
        TravelFar,
        Dock,
        Undock,
        Eject,
        trade.OfferDoubleUp,
        trade.AcceptDoubleUp,
        trade.DeclineDoubleUp,
        trade.Convert,
        trade.OfferExchange,
        trade.AcceptExchange,
        trade.DeclineExchange,
        Tax,
        TaxSeveral,
        Extend,
        DeclareRaid,
        ThrowSpears,
        GuessSpears,
        OpenFist,
        ChooseLosses,
        EndTurn,
    )
    unprompted = ()
    facts = FACTS
    columns = COLUMNS
    seat_columns = SEAT_COLUMNS
    chance_points = ("tile", "tile_side", "shore_token", "first_player", "weather")
    curve = CURVE
    steps = leaving_out.STEPS
    faces = MappingProxyType({"weather": dice(6, 6)})
    menu = (Travel, Harvest, Carve, Settle, Erect, trade.OfferExchange, DeclareRaid, EndTurn)
    sections = SECTIONS
    rule_texts = RULE_TEXTS
    phases = box.PHASES
    endings = {
        "three_totems": "One side controls three standing totems: the game is won!",
        "last_survivor": "Nobody else has a hut or canoe left: the game is won!",
        "all_eliminated": "The last huts and canoes are destroyed at the same time: the game is a draw.",
    }
    components = components()
    max_events = 100_000
    """Far more than any real game has; the rulebook sets no limit (FV-R35)."""
    turn_fields = ("turn", "phase", "active", "doubled", "raided", "double_up", "exchange", "raid")

    setup = staticmethod(set_up)
    describe_setup = staticmethod(describe)
    setup_page = staticmethod(setup_page)
    skips = staticmethod(leaving_out.skips)
    overlooks = staticmethod(leaving_out.overlooks)
    check_components = staticmethod(invariants.broken_components)
    planes = staticmethod(planes)
    panels = staticmethod(panels)

    def check_options(self, options: ForeverOptions, seats: int) -> None:
        if seats not in TEAMS_OF[options.teams]:
            raise Malformed(
                "/options/teams", say("{seats} players cannot form {teams} teams", seats=seats, teams=options.teams)
            )

    def at_table(self, state: ForeverState) -> ForeverState:
        return replace(state, is_observed=True)

    def seats(self, state: ForeverState) -> int:
        return len(state.hands)

    def setup_prompts(
        self, options: ForeverOptions, names: Sequence[str], given: Sequence[Value | None]
    ) -> Sequence[SetupPrompt]:
        return setup_prompts(options, given)

    def awaiting(self, state: ForeverState) -> tuple[int, ...]:
        return state.awaited_seats()

    def must_wait(self, state: ForeverState, seat: int) -> bool:
        return seat not in self.awaiting(state)

    def view(self, state: ForeverState, viewer: int | None) -> dict[str, Any]:
        document = self.to_document(state)
        if state.phase == "guess" and viewer != state.active:
            document["raid"] |= {"spears": MASKED, "salt": MASKED}
        return document

    def tidy(self, state: ForeverState) -> ForeverState:
        return replace(
            state,
            huts=tuple(tuple(sorted(own, key=lambda hut: hut.id)) for own in state.huts),
            canoes=tuple(tuple(sorted(own)) for own in state.canoes),
            totems=tuple(sorted(state.totems, key=lambda totem: box.SHORES.index(totem.shore))),
        )

    def keep_turn(self, before: ForeverState, after: ForeverState) -> ForeverState:
        if after.turn == before.turn:
            return super().keep_turn(before, after)
        taxed = {totem.shore: totem.taxed for totem in before.totems}
        totems = tuple(replace(totem, taxed=taxed.get(totem.shore, 0)) for totem in after.totems)
        return super().keep_turn(before, replace(after, totems=totems))

    def begin_turn(self, state: ForeverState, seat: int) -> ForeverState | None:
        if state.turn == 0 or seat in state.eliminated:
            return None
        return next_turn(replace(state, active=(seat - 1) % len(state.hands)))

    def settled(self, state: ForeverState, told: Told) -> ForeverState:
        return complete_table(state)

    def check_invariants(self, state: ForeverState) -> list[str]:
        return self.check_components(state) or invariants.violations(state)

    def overview(self, state: ForeverState, names: Sequence[str]) -> dict[str, str]:
        docked = (
            say(
                "{guest}'s canoe in {name}'s hut {number}",
                guest=names[hut.docked],
                name=names[box.OWNER[hut.id]],
                number=hut.id[-1],
            )
            for hut in state.every_hut()
            if hut.docked is not None
        )
        afloat = (
            f"{names[seat]}: {canoes.count(area)} × {printed_name(area)}"
            for seat, canoes in enumerate(state.canoes)
            for area in box.AREAS
            if area in canoes
        )
        return {
            say("Fertility"): describe_islands(state),
            say("Volcano"): str(state.volcano),
            say("Standing totems"): _list_names(_describe_totem(totem) for totem in state.totems if totem.is_standing),
            say("Fallen totems"): _list_names(
                printed_name(totem.shore) for totem in state.totems if not totem.is_standing
            ),
            say("Huts"): _list_names(hut_of(hut, names) for hut in state.every_hut()),
            say("Canoes"): "; ".join(afloat) or say("none undocked"),
            say("Docked"): _list_names(docked),
            say("Hands"): "; ".join(f"{name}: {hand}" for name, hand in zip(names, state.hands, strict=True)),
            say("Piles"): str(state.piles),
            say("Eliminated"): ", ".join(names[seat] for seat in state.eliminated) or say("nobody"),
        }

    def moment(self, state: ForeverState, names: Sequence[str]) -> str:
        return say("Any number of actions") if state.phase == "actions" else ""

    def headline(self, state: ForeverState, names: Sequence[str]) -> str:
        players = (
            say(
                "{name}: huts {huts}, canoes {canoes}, in hand {hand}",
                name=name,
                huts=len(state.huts[seat]),
                canoes=state.canoe_count(seat),
                hand=state.hands[seat],
            )
            for seat, name in enumerate(names)
        )
        table = (
            say("Fertility: {islands}", islands=describe_islands(state)),
            say("volcano: {number}", number=state.volcano),
            say("standing totems: {count} of {most}", count=state.standing_totems, most=box.TOTEMS),
        )
        return " · ".join((*table, *players))

    def describe_ending(self, state: ForeverState, names: Sequence[str]) -> str:
        assert state.outcome is not None
        winners = say(" and ").join(names[SEAT_INDEX[seat]] for seat in state.outcome.winners)
        match state.outcome.reason:
            case "three_totems":
                return say("Three standing totems belong to {players}: the game is won!", players=winners)
            case "last_survivor":
                return say("Nobody but {players} has a hut or canoe left: the game is won!", players=winners)
            case _:
                return super().describe_ending(state, names)

    def value_label(self, value: Value) -> str:
        if value in SEAT_INDEX:
            return player_number(SEAT_INDEX[value])
        if value in box.RESOURCES:
            return box.resource_noun(value)
        if value == "spear":
            return plural(1, "spear", "spears")
        return say(str(value))

    def vocabulary(self) -> Iterable[str]:
        return ("volcano", "totem")

    def word(self, value: str) -> str:
        return say(box.WORDS[value]) if value in box.WORDS else printed_name(value)


def _list_names(told: Iterable[str]) -> str:
    return "; ".join(told) or say("none")


def _describe_totem(totem: Totem) -> str:
    if not totem.extensions:
        return printed_name(totem.shore)
    return say("{shore} (extended by {extensions})", shore=printed_name(totem.shore), extensions=totem.extensions)
