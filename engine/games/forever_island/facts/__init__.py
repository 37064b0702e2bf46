"""The facts of a Forever Island table."""

from __future__ import annotations

from engine.games.forever_island.components import PHASES, Area
from engine.games.forever_island.ending import apply_ending, has_pieces, phase_of, resolve
from engine.games.forever_island.facts import atoll, players, turn
from engine.games.forever_island.invariants import offer_fits, raid_fits
from engine.games.forever_island.state import ForeverState, replace
from engine.kit.common_facts import TurnOf, phase_is
from engine.kit.facts import Fact

FACTS: tuple[type[Fact[ForeverState]], ...] = (
    atoll.LiesAt,
    atoll.FertilityIs,
    atoll.TotemIs,
    atoll.TotemErected,
    atoll.VolcanoIs,
    players.HutIs,
    players.CanoesAt,
    players.DockedIn,
    players.HasGoods,
    turn.PlacedFirst,
    turn.TurnIs,
    TurnOf,
    turn.WeatherRolled,
    turn.HutIsNew,
    turn.HutHarvested,
    turn.TaxesCollected,
    turn.DoubledUp,
    turn.Raided,
    turn.DoubleUpOffered,
    turn.ExchangeOffered,
    turn.RaidIs,
    phase_is(PHASES),
    players.IsOut,
    atoll.PileIs,
)


def complete_table(state: ForeverState) -> ForeverState:
    """Complete a table by the rules.

    Eliminate players without pieces, apply endings, and close an impossible offer or raid.
    """
    state = replace(
        state,
        has_erected=state.has_erected or any(totem.is_standing for totem in state.totems),
        eliminated=tuple(seat for seat in state.eliminated if state.turn and not has_pieces(state, seat)),
        raided=_raids_of_turn(state),
    )
    if state.turn:
        state = resolve(state)
    if state.outcome is None:
        state = apply_ending(state, has_eliminated=True)
    if state.outcome is not None:
        return state
    if not offer_fits(state):
        state = replace(state, exchange=None, double_up=None)
    if not raid_fits(state):
        state = replace(state, raid=None)
    return replace(state, phase=phase_of(state))


def _raids_of_turn(state: ForeverState) -> tuple[tuple[int, Area], ...]:
    """Return the raids of this turn, with the current raid. Omit raids on the active player."""
    raided = tuple(one for one in state.raided if one[0] != state.active)
    if state.raid is None or (now := (state.raid.defender, state.raid.area)) in raided:
        return raided
    return (*raided, now)
