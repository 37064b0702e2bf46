"""Objective and Teams: elimination, the end of the game, and the next turn."""

from __future__ import annotations

from engine.core.values import SEAT_IDS, GameOutcome
from engine.games.forever_island.components import TOTEMS_TO_WIN
from engine.games.forever_island.headings import OBJECTIVE, TEAMS
from engine.games.forever_island.state import ForeverState, replace


def resolve(state: ForeverState) -> ForeverState:
    """Apply automatic consequences of an event: elimination, the end of the game, then the next turn (FV-R26)."""
    gone = [seat for seat in state.alive() if not has_pieces(state, seat)]
    if gone:
        state = _eliminate(state, gone)
    state = apply_ending(state, has_eliminated=bool(gone))
    return next_turn(state) if state.outcome is None and state.active in state.eliminated else state


def next_turn(state: ForeverState) -> ForeverState:
    """Pass the die to the next player to the left who is not eliminated."""
    seats = len(state.hands)
    active = (state.active + 1) % seats
    while active in state.eliminated:
        active = (active + 1) % seats
    return replace(
        state,
        turn=state.turn + 1,
        phase="weather",
        active=active,
        totems=tuple(replace(totem, taxed=0) if totem.taxed else totem for totem in state.totems),
        doubled=(),
        raided=(),
        double_up=None,
        exchange=None,
        raid=None,
    )


def phase_of(state: ForeverState) -> str:
    """Derive the phase from the table. `state.phase` is used only to see if the weather was rolled."""
    raid = state.raid
    if state.turn == 0:
        return "placement"
    if raid is not None:
        if raid.loser is not None:
            return "losses"
        return "open_fist" if raid.guess is not None else "throw" if raid.spears is None else "guess"
    if state.exchange is not None:
        return "exchange"
    if state.double_up is not None:
        return "double_up"
    return "weather" if state.phase in {"placement", "weather"} else "actions"


def has_pieces(state: ForeverState, seat: int) -> bool:
    """Return True if `seat` has a hut or canoe on the board."""
    return bool(state.huts[seat] or state.canoes[seat] or state.docked_huts(seat))


def _eliminate(state: ForeverState, gone: list[int]) -> ForeverState:
    """Eliminate the seats in `gone`, and return their hands to the piles (FV-R19)."""
    for seat in gone:
        state = state.pay(seat, state.hands[seat])
    return replace(state, eliminated=(*state.eliminated, *gone))


def apply_ending(state: ForeverState, *, has_eliminated: bool) -> ForeverState:
    """Return the state with the outcome that the rulebook prescribes (see `ending`).

    A win that the players have not noticed is ignored.
    """
    outcome = ending(state, has_eliminated=has_eliminated)
    state = state.keep_unnoticed(() if outcome is None else (outcome.reason,))
    if outcome is None or outcome.reason in state.unnoticed:
        return state
    return replace(state, outcome=outcome)


def ending(state: ForeverState, *, has_eliminated: bool) -> GameOutcome | None:
    """Return the outcome that the rulebook prescribes, or None.

    `last_survivor` is possible only after an elimination.
    """
    if has_eliminated:
        sides = {state.side(seat) for seat in state.alive()}
        if not sides:
            return GameOutcome("draw", (), "all_eliminated", OBJECTIVE)
        if len(sides) == 1:
            return _win_of(state, sides.pop(), "last_survivor")
    holders = [side for totem in state.totems if totem.is_standing and (side := holder(state, totem.shore)) >= 0]
    for side in holders:
        if holders.count(side) >= TOTEMS_TO_WIN:
            return _win_of(state, side, "three_totems")
    return None


def holder(state: ForeverState, shore: str) -> int:
    """Return the side that owns all huts on `shore`; -1 if there is no such side."""
    sides = {state.side(seat) for seat, huts in enumerate(state.huts) for hut in huts if hut.shore == shore}
    return sides.pop() if len(sides) == 1 else -1


def _win_of(state: ForeverState, side: int, reason: str) -> GameOutcome:
    """Return the win of a side: a player, or a team with all its members, even if they are eliminated (FV-R34)."""
    winners = tuple(SEAT_IDS[seat] for seat in range(len(state.hands)) if state.side(seat) == side)
    return GameOutcome("won", winners, reason, TEAMS if state.options.teams else OBJECTIVE)
