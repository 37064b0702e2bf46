"""Special Action Cards. The owner plays a card at any time without spending an action. One card can win the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.actions import not_flooded
from engine.games.forbidden_island.components import Tile, printed_name
from engine.games.forbidden_island.draws import discard_card
from engine.games.forbidden_island.headings import HAND_LIMIT, PAWNS, SPECIAL, WINNING
from engine.games.forbidden_island.state import IslandState, replace
from engine.games.forbidden_island.turn import IslandAction, settle
from engine.kit.actions import CardAction
from engine.kit.chance import Chance
from engine.kit.ruleset import Refusal


class SpecialAction(IslandAction, CardAction[IslandState], frozen=True):
    """A special card, which its owner plays without spending an action (FI-R12, FI-R26)."""

    rule = SPECIAL
    hands = "hands"

    @classmethod
    def depends_on(cls, state: IslandState, seat: int) -> bool:
        return cls.is_held(state, seat)

    def refusal(self, state: IslandState, seat: int) -> Refusal | None:
        if not self.is_held(state, seat):
            return Refusal(SPECIAL, say("There is no {card} in that hand.", card=printed_name(self.card)))
        if state.phase == "discard" and seat != state.over_limit():
            return Refusal(HAND_LIMIT, "A player has too many cards and must discard down to 5 first.")
        return self.misplay(state, seat)


class PlayHelicopterLift(SpecialAction, frozen=True):
    """Helicopter Lift: move one or more pawns from one tile to any other tile."""

    title = "Helicopter Lift"
    card = box.HELICOPTER_LIFT
    button_text = marked("Helicopter Lift: {players} to {to}")
    report_text = marked("{name} plays Helicopter Lift: {players} to {to}.")
    symbol = "helicopter"
    any_time = True
    pawns: Annotated[tuple[SeatId, ...], Meta(min_length=1, max_length=4)]
    to: Tile

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "pawns", tuple(sorted(self.pawns)))

    @classmethod
    def ways(cls, state: IslandState, seat: int) -> Iterable[Self]:
        for tile in set(state.pawns):
            together = [SEAT_IDS[other] for other, where in enumerate(state.pawns) if where == tile]
            groups = chain.from_iterable(combinations(together, size + 1) for size in range(len(together)))
            for pawns in groups:
                for to in state.island():
                    yield cls(pawns, to)

    def misplay(self, state: IslandState, seat: int) -> Refusal | None:
        if len(set(self.pawns)) < len(self.pawns) or SEAT_INDEX[self.pawns[-1]] >= len(state.roles):
            return Refusal(SPECIAL, "List each pawn of this game at most once.")
        tiles = {state.pawns[SEAT_INDEX[pawn]] for pawn in self.pawns}
        if len(tiles) > 1:
            return Refusal(SPECIAL, "The pawns must be on the same tile.")
        if self.to in tiles:
            return Refusal(SPECIAL, "The pawns must go to another tile.")
        if self.to in state.sunk:
            return Refusal(SPECIAL, say("{tile} has sunk.", tile=printed_name(self.to)))
        if not state.options.lift_rescues_sinking and not tiles.isdisjoint(state.sunk):
            return Refusal(PAWNS, "The options of this game do not allow a Helicopter Lift from a sunk tile.")
        return None

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        lifted = {SEAT_INDEX[pawn] for pawn in self.pawns}
        pawns = tuple(self.to if other in lifted else tile for other, tile in enumerate(state.pawns))
        return settle(replace(discard_card(state, seat, box.HELICOPTER_LIFT), pawns=pawns))

    def words(self, state: IslandState, names: Sequence[str]) -> dict[str, Any]:
        players = ", ".join(names[SEAT_INDEX[pawn]] for pawn in self.pawns)
        return {**super().words(state, names), "players": players}


class PlaySandbags(SpecialAction, frozen=True):
    """Sandbags: shore up any one tile on the island."""

    title = "Sandbags"
    card = box.SANDBAGS
    button_text = marked("Sandbags: shore up {tile}")
    report_text = marked("{name} plays Sandbags on {tile}.")
    symbol = "sandbag"
    any_time = True
    tile: Tile

    @classmethod
    def ways(cls, state: IslandState, seat: int) -> Iterable[Self]:
        return map(cls, state.flooded)

    def misplay(self, state: IslandState, seat: int) -> Refusal | None:
        return None if self.tile in state.flooded else Refusal(SPECIAL, not_flooded(state, self.tile))

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        return settle(replace(discard_card(state, seat, box.SANDBAGS), flooded=state.flooded - {self.tile}))


class LiftOff(SpecialAction, frozen=True):
    """Lift the team off Fools' Landing with a Helicopter Lift: the game is won."""

    verb = "lift off"
    card = box.HELICOPTER_LIFT
    button_text = marked("Helicopter Lift: lift off Fools' Landing")
    report_text = marked("{name} plays Helicopter Lift, and the team lifts off Fools' Landing.")
    symbol = "helicopter"
    rule = WINNING
    not_all = marked("The team does not have all four treasures yet.")

    def misplay(self, state: IslandState, seat: int) -> Refusal | None:
        if len(state.captured) < len(box.TREASURES):
            return Refusal(WINNING, self.not_all)
        if any(tile != box.FOOLS_LANDING for tile in state.pawns):
            return Refusal(WINNING, "Every pawn must be on Fools' Landing.")
        return None

    def apply(self, state: IslandState, seat: int, chance: Chance) -> IslandState:
        return discard_card(state, seat, box.HELICOPTER_LIFT).lifted_off()
