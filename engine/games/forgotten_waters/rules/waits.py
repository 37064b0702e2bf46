"""Effects that wait for a player's decision or for a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.games.forgotten_waters.rules import checks
from engine.games.forgotten_waters.rules.holdings import scout_spaces, sea_spaces
from engine.games.forgotten_waters.rules.measures import holds
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario import pirate_effects as on_pirate
from engine.games.forgotten_waters.scenario import ship_effects as on_ship
from engine.games.forgotten_waters.state import CANNON_LIMIT, TREASURE_LIMIT, Step, WatersState


def waits(state: WatersState, step: Step) -> bool:
    """Return True if an effect requires a decision or a result."""
    asks = _WAITS.get(type(step.effect))
    return asks is not None and asks(state, step, step.effect)


def _held(state: WatersState, step: Step, _effect: object) -> bool:
    return bool(state.pirates[step.seat].treasures)


def _always(_state: WatersState, _step: Step, _effect: object) -> bool:
    return True


_WAITS: dict[type[Any], Callable[[WatersState, Step, Any], bool]] = {
    on_pirate.GainSkill: lambda state, step, effect: effect.skill == "any" and bool(state.fillable_skills(step.seat)),
    on_pirate.FillStar: lambda state, step, effect: not effect.stars and state.has_fillable_star(step.seat),
    on_pirate.GainTreasure: lambda state, _step, effect: (
        not effect.names and bool(state.treasure_pile.layers or state.treasure_discard)
    ),
    on_pirate.StealTreasure: lambda state, step, _effect: any(
        pirate.treasures for seat, pirate in enumerate(state.pirates) if seat != step.seat
    ),
    on_pirate.LoseTreasure: _held,
    on_pirate.BuryTreasure: _held,
    do.KeepFour: lambda state, step, _effect: len(state.pirates[step.seat].treasures) > TREASURE_LIMIT,
    on_pirate.SwapInfamy: _always,
    on_ship.GainCannon: lambda state, _step, effect: (
        len(state.cannons) == CANNON_LIMIT and state.cannons_left(effect.level) > 0
    ),
    on_ship.UpgradeCannon: lambda state, _step, _effect: any(
        state.cannons_left(cannon.level + 1) > 0 for cannon in state.cannons
    ),
    on_ship.LoadCannon: lambda state, _step, _effect: any(not cannon.is_loaded for cannon in state.cannons),
    on_ship.UnloadCannon: lambda state, _step, _effect: any(cannon.is_loaded for cannon in state.cannons),
    on_ship.LoseCannon: lambda state, _step, _effect: bool(state.cannons),
    on_ship.Scout: lambda state, _step, _effect: bool(scout_spaces(state)),
    do.Flip: lambda state, _step, _effect: bool(state.face_down),
    on_ship.MoveShip: lambda state, _step, _effect: not state.has_stopped and bool(sea_spaces(state)),
    do.Check: lambda state, step, _effect: not checks.is_rolled(step) or checks.can_change(state, step),
    do.Roll: _always,
    do.Choose: lambda state, step, effect: any(holds(state, step.seat, option.when) for option in effect.options),
    do.ForPlayers: lambda _state, _step, effect: effect.who == "chosen",
    do.CompletePart: _always,
    do.Saved: _always,
    do.AskBox: _always,
}
