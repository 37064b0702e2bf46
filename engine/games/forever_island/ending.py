"""Objective and Teams: who is out, who has won; and whose turn it is then."""

from __future__ import annotations

from engine.core.values import SEAT_IDS, GameOutcome
from engine.games.forever_island.components import NOTHING, TOTEMS_TO_WIN
from engine.games.forever_island.headings import OBJECTIVE, TEAMS
from engine.games.forever_island.state import ForeverState, replace
from engine.kit.entries import with_entry


def resolve(state: ForeverState) -> ForeverState:
    """What follows an event by itself (FV-R26): elimination, then the end of the game, then the turn passes."""
    gone = [seat for seat in state.alive() if not has_pieces(state, seat)]
    if gone:
        state = _eliminate(state, gone)
    outcome = ending(state, has_eliminated=bool(gone))
    if outcome is not None:
        return replace(state, outcome=outcome)
    return next_turn(state) if state.active in gone else state


def next_turn(state: ForeverState) -> ForeverState:
    """The next player to the left who is not eliminated has the die."""
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
    """The phase that the table is in; whether the die was rolled for weather only `state.phase` tells."""
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
    """Whether that seat has a hut or canoe on the board."""
    return bool(state.huts[seat] or state.canoes[seat] or state.docked(seat))


def _eliminate(state: ForeverState, gone: list[int]) -> ForeverState:
    """Those seats are out, and their hands go back to the piles (FV-R19)."""
    for seat in gone:
        hands = with_entry(state.hands, seat, NOTHING)
        state = replace(state, hands=hands, piles=state.piles + state.hands[seat])
    return replace(state, eliminated=(*state.eliminated, *gone))


def ending(state: ForeverState, *, has_eliminated: bool) -> GameOutcome | None:
    """The end that the rulebook names for what lies there, or None; `last_survivor` only where somebody went out."""
    if has_eliminated:
        sides = {state.side(seat) for seat in state.alive()}
        if not sides:
            return GameOutcome("draw", (), "all_eliminated", OBJECTIVE)
        if len(sides) == 1:
            return _won(state, sides.pop(), "last_survivor")
    holders = [holder for totem in state.totems if totem.is_standing and (holder := _holder(state, totem.shore)) >= 0]
    for side in holders:
        if holders.count(side) >= TOTEMS_TO_WIN:
            return _won(state, side, "three_totems")
    return None


def _holder(state: ForeverState, shore: str) -> int:
    """The side whose huts are the only ones on `shore`; -1 for none."""
    sides = {state.side(seat) for seat, huts in enumerate(state.huts) for hut in huts if hut.shore == shore}
    return sides.pop() if len(sides) == 1 else -1


def _won(state: ForeverState, side: int, reason: str) -> GameOutcome:
    """A side wins: a player alone, or a team with all its members, eliminated ones too (FV-R34)."""
    winners = tuple(SEAT_IDS[seat] for seat in range(len(state.hands)) if state.side(seat) == side)
    return GameOutcome("won", winners, reason, TEAMS if state.options.teams else OBJECTIVE)
