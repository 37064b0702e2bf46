"""2. Draw Sand Storm Cards: wind, sun, the storm that picks up, and the end of the turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.core.language import marked, say
from engine.core.values import Value
from engine.games.forbidden_desert import components as box
from engine.games.forbidden_desert.components import Space, Wind, printed_name
from engine.games.forbidden_desert.headings import DRAW_STORM
from engine.games.forbidden_desert.state import DesertState, replace, with_water
from engine.games.forbidden_desert.turn import DesertAction, interruption, lose, next_turn
from engine.kit.chance import Chance
from engine.kit.piles import renewed
from engine.kit.ruleset import Refusal
from engine.kit.words import counted

_NOT_YOURS = Refusal(DRAW_STORM, "It is another player's turn.")


class DrawStormCard(DesertAction, frozen=True):
    """Draw and apply one of the turn's storm cards; the first one ends the actions."""

    verb = "draw storm cards"
    button_text = marked("Draw a storm card")
    symbol = "storm"
    rule = DRAW_STORM
    asks_chance = True

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if seat != state.active:
            return _NOT_YOURS
        if refusal := interruption(state):
            return refusal
        return None if state.storm_due else Refusal(DRAW_STORM, "No storm card is drawn this turn.")

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        left = max(0, state.storm_due - 1)
        card, pile = state.storm_pile.draw(chance, "storm_card")
        drawn = (*state.storm_drawn, card)
        state = replace(state, storm_pile=pile, storm_drawn=drawn, storm_left=left, actions_left=0, phase="storm")
        state = _apply_card(state, card)
        return state if state.outcome is not None else storm_card_done(state)

    def describe(self, state: DesertState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        card = str(outcomes[0])
        if card == box.SUN_BEATS_DOWN:
            thirsty = [names[other] for other, loss in enumerate(thirst(state)) if loss]
            return say("The sun beats down: {players} must drink.", players=", ".join(thirsty) or say("nobody"))
        if card == box.STORM_PICKS_UP:
            return say("The storm picks up.")
        moved = len(_moving(state.hole, box.WIND[card]))
        if not moved:
            return say("{card}: no tiles moved.", card=printed_name(card))
        return say("{card}: {tiles} moved.", card=printed_name(card), tiles=counted(moved, "tile"))


def storm_card_done(state: DesertState) -> DesertState:
    """Return the state after a storm card was applied: renew an empty deck, and end the turn after the last card."""
    state = _renew_pile(state)
    return state if state.storm_left else next_turn(state)


def _apply_card(state: DesertState, card: str) -> DesertState:
    """Apply a storm card. A card cannot cause two losses (FD-R31)."""
    if card == box.SUN_BEATS_DOWN:
        return _sun_beats_down(state)
    if card == box.STORM_PICKS_UP:
        return _storm_picks_up(state)
    return _wind_blows(state, box.WIND[card])


def _wind_blows(state: DesertState, wind: Wind) -> DesertState:
    """Wind Blows: shift tiles into the hole, and put a sand marker on each shifted tile (FD-R1 to R4, R6, R41)."""
    sources = _moving(state.hole, wind)
    if not sources:
        return state
    board = list(state.board)
    goes: dict[Space, Space] = {}
    hole, parts, supply = state.hole, state.hole_parts, state.sand_supply
    is_short = supply < len(sources)
    for source in sources:
        tile = board[box.INDEX[source]]
        assert tile is not None
        sand = 1 if supply else 0
        supply -= sand
        board[box.INDEX[hole]] = replace(tile, sand=tile.sand + sand, parts=tile.parts + parts)
        board[box.INDEX[source]] = None
        goes[source] = hole
        hole, parts = source, ()
    state = replace(
        state,
        board=tuple(board),
        hole=hole,
        hole_parts=(),
        pawns=tuple([goes.get(space, space) for space in state.pawns]),
        sand_supply=supply,
    )
    return lose(state, "buried") if is_short else state


def _sun_beats_down(state: DesertState) -> DesertState:
    """Sun Beats Down: everyone without shelter loses 1 water (FD-R9)."""
    state = replace(state, water=with_water(state, dict(enumerate(thirst(state)))))
    return lose(state, "thirst") if box.SKULL_MARK in state.water else state


def thirst(state: DesertState) -> list[int]:
    """Return the change of each seat's water: 0 in a tunnel or under a Solar Shield, otherwise −1 (FD-R9, FD-R10)."""
    shade = {space for space, is_shielded in zip(state.pawns, state.shielded, strict=True) if is_shielded}
    return [0 if space in shade or state.tile(space).is_tunnel else -1 for space in state.pawns]


def _storm_picks_up(state: DesertState) -> DesertState:
    """Storm Picks Up: move the meter up a tick. The new level applies from the next turn on (FD-R7)."""
    last = len(box.METER[state.seats])
    state = replace(state, storm_tick=min(state.storm_tick, last) + 1)
    return lose(state, "swept_away") if state.storm_tick > last else state


@cache
def _moving(hole: Space, wind: Wind) -> tuple[Space, ...]:
    """Return the spaces of tiles that the wind moves, in order; fewer at the edge (Respite from the Storm, FD-R2)."""
    down, right = box.WINDS[wind.direction]
    row, column = box.row_of(hole), box.column_of(hole)
    spaces = (box.space_at(row - down * step, column - right * step) for step in range(1, wind.tiles + 1))
    return tuple(space for space in spaces if space is not None)


def _renew_pile(state: DesertState) -> DesertState:
    """Apply "When the Storm Draw Pile Runs Out", right after the last card has been applied (FD-R8, FD-R35)."""
    if state.options.storm_reshuffle == "includes_current_step":
        state = replace(state, storm_discard=state.storm_discard + state.storm_drawn, storm_drawn=())
    return renewed(state, "storm_pile", "storm_discard")


class EndTurn(DesertAction, frozen=True):
    """End the turn without a storm card, after the Meteorologist weakened the storm."""

    verb = "end the turn"
    button_text = marked("End the turn without a storm card")
    report_text = marked("{name} draws no storm card.")
    symbol = "check"
    rule = DRAW_STORM

    def refusal(self, state: DesertState, seat: int) -> Refusal | None:
        if seat != state.active:
            return _NOT_YOURS
        if refusal := interruption(state):
            return refusal
        return Refusal(DRAW_STORM, "The storm cards of this turn have not been drawn yet.") if state.storm_due else None

    def apply(self, state: DesertState, seat: int, chance: Chance) -> DesertState:
        return next_turn(state)
