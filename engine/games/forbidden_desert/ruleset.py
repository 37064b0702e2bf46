"""The ruleset: declarations, and all methods except those of actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any

from engine.core.errors import Malformed
from engine.core.language import marked, say
from engine.core.values import Value
from engine.games.forbidden_desert import facts, invariants, setup
from engine.games.forbidden_desert.actions import (
    DrawEquipment,
    Excavate,
    GiveWater,
    Move,
    PassEquipment,
    PickUpPart,
    RemoveSand,
)
from engine.games.forbidden_desert.adventurers import (
    DrawWater,
    Forecast,
    LookAtStormCard,
    Navigate,
    PlaceStormCards,
    WeakenStorm,
    keep_look,
)
from engine.games.forbidden_desert.board import scene
from engine.games.forbidden_desert.columns import COLUMNS, CURVE, SEAT_COLUMNS
from engine.games.forbidden_desert.components import (
    CITY_SIDES,
    EQUIPMENT_CARDS,
    FIRST_SAND,
    HOLE,
    INDEX,
    METER,
    PARTS,
    PHASES,
    ROLES,
    SAND_MARKERS,
    SKULL_MARK,
    SPACES,
    START_TICK,
    STORM_DECK,
    STORM_TRACKER,
    VOCABULARY,
    column_of,
    name_of,
    printed,
    row_of,
)
from engine.games.forbidden_desert.equipment import (
    PlayDuneBlaster,
    PlayJetPack,
    PlaySecretWaterReserve,
    PlaySolarShield,
    PlayStormTracker,
    PlayTerrascope,
    PlayTimeThrottle,
)
from engine.games.forbidden_desert.headings import (
    SECTIONS,
)
from engine.games.forbidden_desert.leaving_out import STEPS, overlooks, skips
from engine.games.forbidden_desert.setup_page import setup_page
from engine.games.forbidden_desert.state import DesertOptions, DesertState, replace
from engine.games.forbidden_desert.storm import DrawStormCard, EndTurn
from engine.games.forbidden_desert.symbols import EQUIPMENT_FACES, STORM_FACES
from engine.games.forbidden_desert.turn import next_turn
from engine.kit.chance import Chance
from engine.kit.facts import Told
from engine.kit.options import SetupPrompt
from engine.kit.ruleset import Ruleset
from engine.kit.scene import Scene
from engine.kit.setup_page import SetupPage
from engine.kit.steps import Skip
from engine.kit.words import actions_left


class ForbiddenDesert(Ruleset[DesertState, DesertOptions]):
    """Forbidden Desert, by its rulebook."""

    id = "forbidden-desert"
    version = "1"
    name = "Forbidden Desert"
    players = (2, 5)
    bgg_id = 136063
    options = DesertOptions
    state = DesertState
    # Far more than any real game. The rules set no limit: players can pass water back and forth forever.
    max_events = 100_000
    turn_fields = ("turn", "phase", "active", "actions_left", "storm_left", "weakened", "must_draw_equipment")
    unseen = ("equipment/*", "equipment_pile", "storm_pile", "seen")
    actions = (
        Move,
        RemoveSand,
        Excavate,
        DrawEquipment,
        PickUpPart,
        GiveWater,
        PassEquipment,
        PlayDuneBlaster,
        PlayJetPack,
        PlaySecretWaterReserve,
        PlaySolarShield,
        PlayStormTracker,
        PlayTerrascope,
        PlayTimeThrottle,
        DrawStormCard,
        EndTurn,
        WeakenStorm,
        Forecast,
        LookAtStormCard,
        PlaceStormCards,
        Navigate,
        DrawWater,
    )
    # An illegal look at the storm deck can come before the draw, which is then still due.
    unprompted = (DrawEquipment,)
    steps = STEPS
    facts = facts.FACTS
    columns = COLUMNS
    seat_columns = SEAT_COLUMNS
    chance_points = ("tile", "adventurer", "crash_tile", "water_tile", "equipment_card", "storm_card")
    curve = CURVE
    faces = MappingProxyType({"storm_card": STORM_FACES, "equipment_card": EQUIPMENT_FACES})
    sections = SECTIONS
    phases = PHASES
    endings = {
        "took_off": "The team takes off from the Launch Pad with all four parts of the flying machine: the "
        "game is won!",
        "thirst": "An adventurer has died of thirst: the game is lost.",
        "buried": "There is no sand left to place, and the dunes bury the team: the game is lost.",
        "swept_away": "The storm has reached the skull and crossbones and sweeps the team away: the game is lost.",
    }
    components = {
        "tiles": [
            {"desert_side": desert, "city_side": city, "name": name_of(city), "count": count}
            for desert, cities in CITY_SIDES.items()
            for city, count in cities.items()
        ],
        "spaces": [
            {"id": space, "name": name_of(space), "hole": space == HOLE, "sand": int(space in FIRST_SAND)}
            for space in SPACES
        ],
        "sand_markers": SAND_MARKERS,
        "parts": [{"id": part, "name": name_of(part)} for part in PARTS],
        "roles": [
            {"id": role, "name": card.name, "pawn": card.pawn, "canteen": card.canteen} for role, card in ROLES.items()
        ],
        "storm_cards": [
            {"id": card, "name": name_of(card), "count": count} for card, count in Counter(STORM_DECK).items()
        ],
        "equipment_cards": [
            *({"id": card, "name": name_of(card), "count": count} for card, count in EQUIPMENT_CARDS.items()),
            {"id": STORM_TRACKER, "name": name_of(STORM_TRACKER), "count": 1, "option": "storm_tracker"},
        ],
        "storm_meter": {str(players): [*cards, None] for players, cards in METER.items()},
        "start_ticks": dict(START_TICK),
    }

    def check_options(self, options: DesertOptions, seats: int) -> None:
        if int(options.first_player[1:]) > seats:
            raise Malformed("/options/first_player", say("there are only {count} players", count=seats))

    def setup(self, options: DesertOptions, seats: int, chance: Chance) -> DesertState:
        return setup.set_up(options, seats, chance)

    def setup_prompts(
        self, options: DesertOptions, names: Sequence[str], given: Sequence[Value | None]
    ) -> Sequence[SetupPrompt]:
        return setup.setup_prompts(names)

    def setup_page(self, options: DesertOptions, names: Sequence[str]) -> SetupPage:
        return setup_page(options, names)

    def space(self, value: Value) -> tuple[int, int] | None:
        return (column_of(value) + 1, row_of(value) + 1) if value in INDEX else None

    def describe_setup(self, state: DesertState, names: Sequence[str]) -> list[str]:
        return setup.describe(state, names)

    def skips(self, state: DesertState) -> Iterable[Skip[DesertState]]:
        return skips(state)

    def overlooks(self, state: DesertState) -> Iterable[Skip[DesertState]]:
        return overlooks(state)

    def seats(self, state: DesertState) -> int:
        return len(state.roles)

    def active(self, state: DesertState) -> int:
        return state.active

    def awaiting(self, state: DesertState) -> tuple[int, ...]:
        if state.outcome is not None:
            return ()
        return (state.active if state.watcher is None else state.watcher,)

    def face_down(self, state: DesertState) -> Sequence[str]:
        return [
            f"board/{at}/city_side"
            for at, tile in enumerate(state.board)
            if tile is not None and tile.city_side is not None and not tile.is_excavated
        ]

    def view(self, state: DesertState, viewer: int | None) -> dict[str, Any]:
        # Nothing is hidden from a player: looks are open to the table (FD-R26, FD-R40), and unknown cards are not in
        # the state.
        return self.to_document(state)

    def tidy(self, state: DesertState) -> DesertState:
        return replace(
            state,
            equipment=tuple(tuple(sorted(hand)) for hand in state.equipment),
            equipment_pile=state.equipment_pile.tidied(),
            storm_pile=state.storm_pile.tidied(),
        )

    def must_wait(self, state: DesertState, seat: int) -> bool:
        return super().must_wait(state, seat) if state.watcher is None else seat != state.watcher

    def keep_turn(self, before: DesertState, after: DesertState) -> DesertState:
        # A look that an illegal action begins can be finished.
        if before.watcher is not None or after.watcher is None:
            after = keep_look(before, after)
        # Restore the next player's shield, which the end of the turn has removed.
        if after.turn != before.turn:
            after = replace(after, shielded=before.shielded)
        return super().keep_turn(before, after)

    def begin_turn(self, state: DesertState, seat: int) -> DesertState:
        return next_turn(replace(state, active=(seat - 1) % state.seats))

    def settled(self, state: DesertState, told: Told) -> DesertState:
        return facts.settled(state, told)

    def deal_unseen(self, state: DesertState, told: Told, chance: Chance) -> DesertState:
        return facts.deal_unseen(state, told, chance)

    def check_components(self, state: DesertState) -> list[str]:
        return invariants.broken_components(state)

    def check_invariants(self, state: DesertState) -> list[str]:
        return self.check_components(state) or invariants.violations(state)

    def overview(self, state: DesertState, names: Sequence[str]) -> dict[str, str]:
        tiles = [(space, tile) for space, tile in zip(SPACES, state.board, strict=True) if tile is not None]
        lying = [
            say("{part} at {place}", part=printed(part), place=printed(space))
            for space, tile in tiles
            for part in tile.parts
        ]
        waiting = [say("{part} in the storm", part=printed(part)) for part in state.hole_parts]
        undug = Counter(state.unseen("plain")) + Counter(state.unseen("water"))
        level, hole = state.storm_level, printed(state.hole)
        return {
            say("Storm"): say("at {place}, {level} cards a turn", place=hole, level=level)
            if level
            else say("at {place}, at the skull", place=hole),
            say("Storm pile"): say(
                "{count} cards, {discarded} discarded", count=len(state.storm_pile), discarded=len(state.storm_discard)
            ),
            say("Sand"): say("{left} of {all} markers left", left=state.sand_supply, all=SAND_MARKERS),
            say("Sandy tiles"): ", ".join(f"{printed(space)}: {tile.sand}" for space, tile in tiles if tile.sand)
            or say("none"),
            say("City"): "; ".join(state.place_name(space) for space, tile in tiles if tile.is_excavated)
            or say("nothing yet"),
            say("Not excavated"): ", ".join(f"{count} × {printed(side)}" for side, count in sorted(undug.items()))
            or say("nothing"),
            say("Parts"): _listed(state.collected),
            say("Parts found"): ", ".join([*lying, *waiting]) or say("none"),
            say("Adventurers"): "; ".join(_adventurer(state, seat, name) for seat, name in enumerate(names)),
        }

    def board(self, state: DesertState, names: Sequence[str], viewer: int | None = None) -> Scene:
        return scene(state, names, say(self.name), self.standing(state, names), self.awaiting(state))

    def describe_ending(self, state: DesertState, names: Sequence[str]) -> str:
        dead = [name for name, water in zip(names, state.water, strict=True) if water == SKULL_MARK]
        if state.outcome is None or state.outcome.reason != "thirst" or not dead:
            return super().describe_ending(state, names)
        return say("{players} died of thirst: the game is lost.", players=say(" and ").join(dead))

    def role(self, state: DesertState, seat: int) -> dict[str, str]:
        # In English, because it is stored with the game, and translated for display.
        return {marked("Adventurer"): ROLES[state.roles[seat]].name}

    def moment(self, state: DesertState, names: Sequence[str]) -> str:
        if state.phase == "actions":
            return actions_left(state.actions_left)
        if state.phase == "storm" and state.storm_due:
            count = max(state.storm_level - state.weakened, state.storm_due)
            return say("Storm card {number} of {count}.", number=count - state.storm_due + 1, count=count)
        return ""

    def headline(self, state: DesertState, names: Sequence[str]) -> str:
        water = (f"{name} {_mark(left)}" for name, left in zip(names, state.water, strict=True))
        level = state.storm_level
        return " · ".join(
            (
                say("Storm: {level} cards", level=level) if level else say("Storm: skull"),
                say("sand left: {left} of {all}", left=state.sand_supply, all=SAND_MARKERS),
                say("water: {players}", players=", ".join(water)),
                say("parts: {count} of {all}", count=len(state.collected), all=len(PARTS)),
            )
        )

    def value_label(self, value: Value) -> str:
        return printed(str(value))

    def vocabulary(self) -> Iterable[str]:
        return VOCABULARY


def _listed(ids: Sequence[str]) -> str:
    return ", ".join(map(printed, ids)) or say("nothing")


def _mark(water: int) -> str:
    return say("skull") if water < 0 else str(water)


def _adventurer(state: DesertState, seat: int, name: str) -> str:
    """Describe an adventurer: player, location and belongings."""
    told = {
        "name": name,
        "role": say(ROLES[state.roles[seat]].name),
        "place": state.place_name(state.pawns[seat]),
        "water": _mark(state.water[seat]),
        "cards": _listed(state.equipment[seat]),
    }
    if state.shielded[seat]:
        return say("{name} ({role}, {place}): water {water}, shielded; {cards}", **told)
    return say("{name} ({role}, {place}): water {water}; {cards}", **told)
