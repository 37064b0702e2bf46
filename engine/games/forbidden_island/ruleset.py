"""The ruleset: declarations, and all methods except those of actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

import msgspec

from engine.core.language import marked, say
from engine.core.values import Value
from engine.games.forbidden_island import board, invariants, setup
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.actions import CaptureTreasure, Fly, GiveCard, Move, Navigate, ShoreUp
from engine.games.forbidden_island.columns import COLUMNS, CURVE, SEAT_COLUMNS
from engine.games.forbidden_island.components import Edition, name_of, printed_name
from engine.games.forbidden_island.draws import Discard, DrawFloodCard, DrawTreasureCard, Drown, Swim
from engine.games.forbidden_island.facts import FACTS, due_at
from engine.games.forbidden_island.headings import DRAW_TREASURE, HAND_LIMIT, RULE_TEXTS, SECTIONS, WATERS_RISE_CARDS
from engine.games.forbidden_island.leaving_out import DISCARD, FLOOD_CARDS, SWIM, overlooks, rise_steps, skips
from engine.games.forbidden_island.movement import swim_targets
from engine.games.forbidden_island.setup_page import pictures, setup_page
from engine.games.forbidden_island.specials import LiftOff, PlayHelicopterLift, PlaySandbags
from engine.games.forbidden_island.state import IslandOptions, IslandState, replace
from engine.games.forbidden_island.turn import apply_loss, floods_due, next_turn, settle
from engine.kit.chance import Chance
from engine.kit.columns import AnyColumn
from engine.kit.facts import CannotBe, Told
from engine.kit.options import SetupPrompt
from engine.kit.ruleset import Action, Ruleset
from engine.kit.scene.planes import Tile
from engine.kit.setup_page import SetupPage
from engine.kit.steps import DueStep, Skip, due_cards
from engine.kit.words import actions_left, join_words


def components(edition: Edition) -> dict[str, Any]:
    """Return the contents of the box as a JSON document."""
    return {
        "tiles": [
            {
                "id": tile,
                "name": name_of(tile),
                edition.treasure: next((treasure for treasure, sites in box.SITES.items() if tile in sites), None),
            }
            for tile in box.TILES
        ],
        "spaces": [{"x": x, "y": y} for x, y in box.SPACES],
        "roles": [{"id": id_, **msgspec.structs.asdict(role)} for id_, role in sorted(edition.roles.items())],
        f"{edition.treasure}_cards": [
            {"id": card, "name": edition.rising_name if card == edition.rising_card else name_of(card), "count": count}
            for card, count in Counter(box.treasure_deck(edition)).items()
        ],
        "flood_cards": len(box.TILES),
        "water_meter": [
            *({"tick": tick, "flood_cards": cards} for tick, cards in enumerate(box.METER, 1)),
            {"tick": box.SKULL, "flood_cards": None},
        ],
    }


class ForbiddenIsland(Ruleset[IslandState, IslandOptions]):
    """Forbidden Island, by its rulebook."""

    id = "forbidden-island"
    version = "1"
    name = "Forbidden Island"
    bgg_id: ClassVar[int | None] = 65244
    edition = box.FORBIDDEN_ISLAND
    players = (2, 4)
    options = IslandOptions
    state: ClassVar[type[IslandState]] = IslandState
    actions: ClassVar[tuple[type[Action[Any]], ...]] = (
        Move,
        Fly,
        Navigate,
        ShoreUp,
        GiveCard,
        CaptureTreasure,
        DrawTreasureCard,
        PlayHelicopterLift,
        PlaySandbags,
        Discard,
        DrawFloodCard,
        Swim,
        Drown,
        LiftOff,
    )
    # The owner of a Helicopter Lift can end the game in any turn.
    unprompted = (LiftOff,)
    max_events = 600
    turn_fields = ("turn", "phase", "active", "actions_left", "treasure_draws_left", "flood_draws_left", "has_flown")
    hands = ("hands",)
    # Everything else is public: hands are face up (FI-R24).
    unseen = ("hands/*", "treasure_pile")
    rise_steps = rise_steps(WATERS_RISE_CARDS)
    steps: ClassVar[tuple[DueStep, ...]] = (
        due_cards("treasure_cards", "Treasure deck card", DRAW_TREASURE),
        DISCARD,
        FLOOD_CARDS,
        SWIM,
        *rise_steps,
    )
    facts = FACTS
    columns: ClassVar[tuple[AnyColumn, ...]] = COLUMNS
    seat_columns = SEAT_COLUMNS
    chance_points = ("tile", "adventurer", "opening_card", "treasure_card", "flood_card")
    curve = CURVE
    faces = MappingProxyType({"treasure_card": board.card_looks(box.FORBIDDEN_ISLAND).faces()})
    sections = SECTIONS
    rule_texts = RULE_TEXTS
    phases = box.PHASES
    endings = {
        "lifted_off": "The team lifts off Fools' Landing with all four treasures: the game is won!",
        "skull": "The water has reached the skull and crossbones: the game is lost.",
        "fools_landing_sank": "Fools' Landing has sunk: the game is lost.",
        "treasure_lost": "Both tiles of a treasure sank before it was captured: the game is lost.",
        "drowned": "A player sank with a tile: the game is lost.",
    }
    components = components(box.FORBIDDEN_ISLAND)

    describe_setup = staticmethod(setup.describe)
    consequences = staticmethod(due_at)
    check_components = staticmethod(invariants.broken_components)
    planes = staticmethod(board.planes)
    panels = staticmethod(board.panels)

    def setup(self, options: IslandOptions, seats: int, chance: Chance) -> IslandState:
        return self.state(**setup.set_up(self.edition, options, seats, chance))

    def setup_prompts(
        self, options: IslandOptions, names: Sequence[str], given: Sequence[Value | None]
    ) -> Sequence[SetupPrompt]:
        return setup.setup_prompts(self.edition, names, given)

    def setup_page(self, options: IslandOptions, names: Sequence[str]) -> SetupPage:
        return setup_page(self.edition, options, names)

    def late_pictures(self) -> dict[str, Tile]:
        return pictures("flooded", "sunk")

    def skips(self, state: IslandState) -> Iterable[Skip[IslandState]]:
        return skips(state, self.steps[0])

    def overlooks(self, state: IslandState) -> Iterable[Skip[IslandState]]:
        return overlooks(state, self.rise_steps)

    def settled(self, state: IslandState, told: Told) -> IslandState:
        state = apply_loss(replace(state, flood_draws_left=min(state.flood_draws_left, floods_due(state.water_level))))
        if state.outcome is None:
            state = settle(state)
        if state.outcome is None and state.phase != "discard" and state.over_limit() is not None:
            raise CannotBe(
                "Resolve the sinking tile first, then report the hand over the limit of 5 cards.", HAND_LIMIT
            )
        return state

    def seats(self, state: IslandState) -> int:
        return len(state.roles)

    def awaiting(self, state: IslandState) -> tuple[int, ...]:
        if state.phase == "swim":
            return tuple(state.swimmers())
        if state.phase == "discard":
            over = state.over_limit()
            return () if over is None else (over,)
        return (state.active,)

    def is_out_of_turn(self, state: IslandState, seat: int) -> bool:
        # A seat that must discard or swim also counts as out of turn, because neither affects the turn.
        return seat != state.active

    def begin_turn(self, state: IslandState, seat: int) -> IslandState:
        return next_turn(replace(state, active=(seat - 1) % len(state.roles)))

    def check_invariants(self, state: IslandState) -> list[str]:
        return self.check_components(state) or invariants.violations(state)

    def overview(self, state: IslandState, names: Sequence[str]) -> dict[str, str]:
        edition = state.edition
        hands = (
            say(
                "{name} ({role}, on {tile}): {cards}",
                name=name,
                role=say(state.edition.roles[role].name),
                tile=printed_name(tile),
                cards=join_words(map(printed_name, hand)),
            )
            for name, role, tile, hand in zip(names, state.roles, state.pawns, state.hands, strict=True)
        )
        deck = Counter(state.treasure_pile.cards())
        floods = {"count": len(state.flood_pile), "discarded": len(state.flood_discard)}
        return {
            say("Water level"): _water(state.water_level),
            say(edition.treasures): join_words(map(printed_name, state.captured)),
            say("Flooded"): join_words(map(printed_name, sorted(state.flooded))),
            say("Sunk"): join_words(map(printed_name, sorted(state.sunk))),
            say("Hands"): "; ".join(hands),
            say(edition.deck): ", ".join(f"{count} × {self.value_label(card)}" for card, count in sorted(deck.items())),
            say("Flood pile"): say("{count} to draw, {discarded} discarded", **floods),
        }

    def describe_ending(self, state: IslandState, names: Sequence[str]) -> str:
        reason = state.outcome.reason if state.outcome is not None else ""
        lost = [one for one in box.TREASURES if one not in state.captured and state.sunk.issuperset(box.SITES[one])]
        if reason == "treasure_lost" and lost:
            # Several treasures can be lost, if nobody noticed an earlier loss.
            treasures = say(" and ").join(map(printed_name, lost))
            tiles = say(" and ").join(printed_name(tile) for one in lost for tile in box.SITES[one])
            gone = marked("{tiles} have sunk, and with them the {treasure}: the game is lost.")
            return say(gone, tiles=tiles, treasure=treasures)
        drowned = [names[seat] for seat in state.swimmers() if not swim_targets(state, seat)]
        if reason == "drowned" and drowned:
            return say("{players} sank with a tile: the game is lost.", players=say(" and ").join(drowned))
        return super().describe_ending(state, names)

    def moment(self, state: IslandState, names: Sequence[str]) -> str:
        match state.phase:
            case "actions":
                return actions_left(state.actions_left)
            case "draw_treasure":
                number = max(0, box.TREASURE_DRAWS - state.treasure_draws_left) + 1
                return say("Treasure deck card {number} of {count}.", number=number, count=box.TREASURE_DRAWS)
            case "draw_flood":
                count = floods_due(state.water_level)
                return say("Flood card {number} of {count}.", number=count - state.flood_draws_left + 1, count=count)
            case "discard":
                name = names[self.awaiting(state)[0]]
                return say("{name} has more than {count} cards", name=name, count=box.HAND_LIMIT)
            case "swim":
                return say("The tile of {name} has sunk", name=names[self.awaiting(state)[0]])
            case _:
                return ""

    def losses(self, state: IslandState) -> Iterable[str]:
        return state.sunk

    def role(self, state: IslandState, seat: int) -> dict[str, str]:
        # The title is in English, because it is stored with the game. It is translated for display.
        return {self.edition.role_title: self.edition.roles[state.roles[seat]].name}

    def headline(self, state: IslandState, names: Sequence[str]) -> str:
        edition = self.edition
        return " · ".join(
            (
                say("Water level: {level} of {skull}", level=state.water_level, skull=box.SKULL),
                say("tiles: {flooded} flooded, {sunk} sunk", flooded=len(state.flooded), sunk=len(state.sunk)),
                say(edition.how_many, count=len(state.captured), all=len(box.TREASURES)),
                say(edition.to_draw, cards=len(state.treasure_pile), floods=len(state.flood_pile)),
            )
        )

    def value_label(self, value: Value) -> str:
        return self.edition.card_name(str(value))

    def word(self, value: str) -> str:
        return say(box.WORDS[value]) if value in box.WORDS else self.value_label(value)

    def vocabulary(self) -> Iterable[str]:
        yield from box.WORDS.values()
        yield from map(name_of, (*box.TILES, *box.TREASURES, box.HELICOPTER_LIFT, box.SANDBAGS))
        yield from (self.edition.rising_name, name_of(self.edition.rising_card))
        yield from (role.name for role in self.edition.roles.values())
        yield from (level.title() for level in box.START_LEVEL)


def _water(level: int) -> str:
    if level == box.SKULL:
        return say("the skull")
    return say(
        "{level} of {skull} ({cards} Flood cards a turn)", level=level, skull=box.SKULL, cards=box.METER[level - 1]
    )
