"""The ruleset: declarations, and all methods except those of actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from types import MappingProxyType

import msgspec

from engine.core.language import marked, say
from engine.core.values import Value
from engine.games.forbidden_desert import actions, adventurers, board, equipment, invariants, late_page, leaving_out
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.columns import COLUMNS, CURVE, SEAT_COLUMNS
from engine.games.forbidden_desert.components import name_of, printed_name
from engine.games.forbidden_desert.facts import FACTS, complete_table
from engine.games.forbidden_desert.facts.ground import TileIs
from engine.games.forbidden_desert.headings import RULE_TEXTS, SECTIONS
from engine.games.forbidden_desert.panels import panels
from engine.games.forbidden_desert.setup import describe, set_up, setup_prompts
from engine.games.forbidden_desert.setup_page import setup_page
from engine.games.forbidden_desert.state import DesertOptions, DesertState, replace
from engine.games.forbidden_desert.storm import DrawStormCard, EndTurn
from engine.games.forbidden_desert.symbols import EQUIPMENT_FACES, STORM_FACES, TILE_FACES
from engine.games.forbidden_desert.turn import next_turn
from engine.kit.facts import Fact
from engine.kit.late_page import LateTable
from engine.kit.options import SetupPrompt
from engine.kit.ruleset import Ruleset
from engine.kit.setup_page import SetupPart
from engine.kit.words import actions_left, join_words


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
    hands = ("equipment",)
    # Nothing is hidden from a player: looks are open to the table (FD-R26, FD-R40).
    unseen = ("equipment/*", "equipment_pile", "storm_pile", "seen")
    # If an illegal look at the storm deck comes before the draw, the draw stays due.
    unprompted = (actions.DrawEquipment,)
    actions = (
        actions.Move,
        actions.RemoveSand,
        actions.Excavate,
        actions.DrawEquipment,
        actions.PickUpPart,
        actions.GiveWater,
        actions.PassEquipment,
        equipment.PlayDuneBlaster,
        equipment.PlayJetPack,
        equipment.PlaySecretWaterReserve,
        equipment.PlaySolarShield,
        equipment.PlayStormTracker,
        equipment.PlayTerrascope,
        equipment.PlayTimeThrottle,
        DrawStormCard,
        EndTurn,
        adventurers.WeakenStorm,
        adventurers.Forecast,
        adventurers.LookAtStormCard,
        adventurers.PlaceStormCards,
        adventurers.Navigate,
        adventurers.DrawWater,
    )
    steps = leaving_out.STEPS
    facts = FACTS
    columns = COLUMNS
    seat_columns = SEAT_COLUMNS
    chance_points = ("tile", "adventurer", "crash_tile", "water_tile", "equipment_card", "storm_card")
    curve = CURVE
    faces = MappingProxyType({"storm_card": STORM_FACES, "equipment_card": EQUIPMENT_FACES, "tile": TILE_FACES})
    sections = SECTIONS
    rule_texts = RULE_TEXTS
    phases = box.PHASES
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
            for desert, cities in box.CITY_SIDES.items()
            for city, count in cities.items()
        ],
        "spaces": [
            {"id": space, "name": name_of(space), "hole": space == box.HOLE, "sand": int(space in box.FIRST_SAND)}
            for space in box.SPACES
        ],
        "sand_markers": box.SAND_MARKERS,
        "parts": [{"id": part, "name": name_of(part)} for part in box.PARTS],
        "roles": [{"id": role, **msgspec.structs.asdict(card)} for role, card in box.ROLES.items()],
        "storm_cards": [
            {"id": card, "name": name_of(card), "count": count} for card, count in Counter(box.STORM_DECK).items()
        ],
        "equipment_cards": [
            *({"id": card, "name": name_of(card), "count": count} for card, count in box.EQUIPMENT_CARDS.items()),
            {"id": box.STORM_TRACKER, "name": name_of(box.STORM_TRACKER), "count": 1, "option": "storm_tracker"},
        ],
        "storm_meter": {str(players): [*cards, None] for players, cards in box.METER.items()},
        "start_ticks": dict(box.START_TICK),
    }

    setup = staticmethod(set_up)
    setup_page = staticmethod(setup_page)
    describe_setup = staticmethod(describe)
    skips = staticmethod(leaving_out.skips)
    overlooks = staticmethod(leaving_out.overlooks)
    settled = staticmethod(complete_table)
    check_components = staticmethod(invariants.broken_components)
    planes = staticmethod(board.planes)
    panels = staticmethod(panels)
    late_pictures = staticmethod(late_page.pictures)

    def late_part(self, kind: type[Fact[DesertState]], table: LateTable) -> SetupPart:
        return late_page.lay_tiles() if kind is TileIs else super().late_part(kind, table)

    def setup_prompts(
        self, options: DesertOptions, names: Sequence[str], given: Sequence[Value | None]
    ) -> Sequence[SetupPrompt]:
        return setup_prompts(names)

    def seats(self, state: DesertState) -> int:
        return len(state.roles)

    def space(self, value: Value) -> tuple[int, int] | None:
        return (box.column_of(value) + 1, box.row_of(value) + 1) if value in box.INDEX else None

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

    def must_wait(self, state: DesertState, seat: int) -> bool:
        return super().must_wait(state, seat) if state.watcher is None else seat != state.watcher

    def keep_turn(self, before: DesertState, after: DesertState) -> DesertState:
        # An illegal action began a look: let the players finish it.
        if before.watcher is not None or after.watcher is None:
            after = adventurers.keep_look(before, after)
        # Restore the next player's shield, which the end of the turn has removed.
        if after.turn != before.turn:
            after = replace(after, shielded=before.shielded)
        return super().keep_turn(before, after)

    def begin_turn(self, state: DesertState, seat: int) -> DesertState:
        return next_turn(replace(state, active=(seat - 1) % state.seats))

    def check_invariants(self, state: DesertState) -> list[str]:
        return self.check_components(state) or invariants.violations(state)

    def overview(self, state: DesertState, names: Sequence[str]) -> dict[str, str]:
        tiles = state.tiles().items()
        lying = [
            say("{part} at {place}", part=printed_name(part), place=printed_name(space))
            for space, tile in tiles
            for part in tile.parts
        ]
        waiting = [say("{part} in the storm", part=printed_name(part)) for part in state.hole_parts]
        undug = Counter(state.unseen("plain")) + Counter(state.unseen("water"))
        level, hole = state.storm_level, printed_name(state.hole)
        return {
            say("Storm"): say("at {place}, {level} cards a turn", place=hole, level=level)
            if level
            else say("at {place}, at the skull", place=hole),
            say("Storm pile"): say(
                "{count} cards, {discarded} discarded", count=len(state.storm_pile), discarded=len(state.storm_discard)
            ),
            say("Sand"): say("{left} of {all} markers left", left=state.sand_supply, all=box.SAND_MARKERS),
            say("Sandy tiles"): ", ".join(f"{printed_name(space)}: {tile.sand}" for space, tile in tiles if tile.sand)
            or say("none"),
            say("City"): "; ".join(state.place_name(space) for space, tile in tiles if tile.is_excavated)
            or say("nothing yet"),
            say("Not excavated"): join_words(
                f"{count} × {printed_name(side)}" for side, count in sorted(undug.items())
            ),
            say("Parts"): join_words(map(printed_name, state.collected)),
            say("Parts found"): ", ".join([*lying, *waiting]) or say("none"),
            say("Adventurers"): "; ".join(_adventurer(state, seat, name) for seat, name in enumerate(names)),
        }

    def describe_ending(self, state: DesertState, names: Sequence[str]) -> str:
        dead = [name for name, water in zip(names, state.water, strict=True) if water == box.SKULL_MARK]
        if state.outcome is None or state.outcome.reason != "thirst" or not dead:
            return super().describe_ending(state, names)
        return say("{players} died of thirst: the game is lost.", players=say(" and ").join(dead))

    def role(self, state: DesertState, seat: int) -> dict[str, str]:
        # The title is in English, because it is stored with the game. It is translated for display.
        return {marked("Adventurer"): box.ROLES[state.roles[seat]].name}

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
                say("sand left: {left} of {all}", left=state.sand_supply, all=box.SAND_MARKERS),
                say("water: {players}", players=", ".join(water)),
                say("parts: {count} of {all}", count=len(state.collected), all=len(box.PARTS)),
            )
        )

    def vocabulary(self) -> Iterable[str]:
        return box.VOCABULARY

    def value_label(self, value: Value) -> str:
        return printed_name(str(value))


def _mark(water: int) -> str:
    return say("skull") if water < 0 else str(water)


def _adventurer(state: DesertState, seat: int, name: str) -> str:
    """Describe an adventurer: player, location and belongings."""
    told = {
        "name": name,
        "role": say(box.ROLES[state.roles[seat]].name),
        "place": state.place_name(state.pawns[seat]),
        "water": _mark(state.water[seat]),
        "cards": join_words(map(printed_name, state.equipment[seat])),
    }
    if state.shielded[seat]:
        return say("{name} ({role}, {place}): water {water}, shielded; {cards}", **told)
    return say("{name} ({role}, {place}): water {water}; {cards}", **told)
