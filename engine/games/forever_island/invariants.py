"""Invariants of every position: the components are conserved, and the counters stay in their range."""

from __future__ import annotations

from engine.games.forever_island import components as box
from engine.games.forever_island.ending import apply_ending, has_pieces, phase_of
from engine.games.forever_island.state import ForeverState
from engine.kit.paths import distances

_VOLCANO: box.Tile = box.VOLCANO
PENDING = {
    **{phase: phase for phase in ("double_up", "exchange")},
    **dict.fromkeys(("throw", "guess", "open_fist", "losses"), "raid"),
}
"""For each phase with a pending offer or raid: the member of the state that must be set."""


def violations(state: ForeverState) -> list[str]:
    """Return the violated invariants of the turn and of pending offers and raids.

    The components must be valid (see `broken_components`).
    """
    is_over = state.outcome is not None
    seats = range(len(state.hands))
    checks = {
        "every tile can be reached": distances(_VOLCANO, state.borders).keys() == set(box.TILES),
        "the first player to place has a seat": state.first in seats,
        "turns are counted from 0": state.turn >= 0,
        "each eliminated player is listed once": len(set(state.eliminated)) == len(state.eliminated)
        and set(state.eliminated) <= set(seats),
        "the active player is not eliminated": is_over or state.active not in state.eliminated,
        "the phase matches the table": is_over or state.phase == phase_of(state),
        "taxes are counted from 0": all(totem.taxed >= 0 for totem in state.totems),
        "a player raids only others": is_over or all(defender in seats and defender != state.active
                                            for defender, _ in state.raided),
        "another player can accept the offer": is_over or offer_fits(state),
        "a raid can be fought to its end": is_over or raid_fits(state),
        "in the initial placement, players who have placed are on the board, and the others can place": is_over
        or state.turn > 0 or _can_place(state),
        "three totems and the last survivor end the game": is_over
        or apply_ending(state, has_eliminated=True).outcome is None,
    }  # fmt: skip
    return [name for name, holds in checks.items() if not holds]


def offer_fits(state: ForeverState) -> bool:
    """Return True if there is no open offer, or another player can accept it."""
    offer, hut = state.exchange, None if state.double_up is None else state.hut(state.double_up)
    if offer is not None:
        return _is_other(state, offer.partner) and (
            state.hands[state.active] >= offer.give and state.hands[offer.partner] >= offer.take
        )
    if hut is not None:
        at = box.ISLAND_INDEX[hut.shore]
        return box.OWNER[hut.id] != state.active and state.fertility[at] > 0 and state.piles.of(box.RESOURCE_OF[at]) > 0
    return state.double_up is None


def raid_fits(state: ForeverState) -> bool:
    """Return True if there is no raid, or if it can continue: with spears to throw, or with enough pieces to lose."""
    raid = state.raid
    if raid is None:
        return True
    if not _is_other(state, raid.defender) or (raid.defender, raid.area) not in state.raided:
        return False
    if not all(count is None or 0 <= count <= box.SPEARS for count in (raid.spears, raid.guess)):
        return False
    if raid.spears is None:
        drawn = state.pieces_in(state.active, raid.area)
        return raid.loser is None and drawn >= state.options.raid_min_throw
    if raid.guess is None:
        return raid.loser is None
    loser = state.active if raid.guess == raid.spears else raid.defender
    return raid.loser == loser and 1 <= raid.losses <= state.pieces_in(loser, raid.area)


def _is_other(state: ForeverState, seat: int) -> bool:
    """Return True if `seat` belongs to a player other than the active one."""
    return seat != state.active and seat in state.alive()


def _can_place(state: ForeverState) -> bool:
    """Return True if the initial placement can be completed, so that every player is in the game."""
    seats = len(state.hands)
    done = (state.active - state.first) % seats
    order = [(state.first + after) % seats for after in range(seats)]
    left = seats - done
    return (
        not state.eliminated
        and all(has_pieces(state, seat) for seat in order[:done])
        and all(len(state.huts[seat]) < box.HUTS for seat in order[done:])
        and state.piles >= box.Goods(left, left, left)
    )


def broken_components(state: ForeverState) -> list[str]:
    """Return the violated invariants of the components and counters."""
    seats = range(len(state.hands))
    huts = state.every_hut()
    shores = [totem.shore for totem in state.totems]
    checks = {
        **{f"{box.TOKENS} {kind} tokens": _tokens(state, kind) == box.TOKENS for kind in box.RESOURCES},
        "no hand or pile has a negative number of tokens": all(
            goods >= box.NOTHING for goods in (*state.hands, state.piles)
        ),
        "a fertility of 0 to 6": all(0 <= count <= box.REGIONS for count in state.fertility),
        "seven tiles, each in a place of its own": sorted(state.tiles) == sorted(box.TILES)
        and len(set(state.coordinates)) == len(box.TILES),
        "every tile borders on another": all(
            state.borders(shores[0]) and state.borders(box.VOLCANO) for shores in box.SHORES_OF
        ),
        "a player's huts are of one colour, at most 8, each once, by number": all(
            len(own) <= box.HUTS
            and all(box.OWNER[hut.id] == seat for hut in own)
            and [hut.id for hut in own] == sorted({hut.id for hut in own})
            for seat, own in enumerate(state.huts)
        ),
        "a hut was built before it harvests": all(hut.built <= state.turn >= hut.harvested for hut in huts),
        "at most 10 canoes of a colour": all(state.canoe_count(seat) <= box.CANOES for seat in seats),
        "a docked canoe belongs to a player": all(hut.docked is None or hut.docked in seats for hut in huts),
        "undocked canoes are sorted": all(
            list(own) == sorted(own) and set(own) <= set(box.AREAS) for own in state.canoes
        ),
        "five totems, in the order of the shores": len(shores) == box.TOTEMS
        and shores == sorted(set(shores), key=box.SHORES.index),
        "only standing totems are extended": all(totem.is_standing or not totem.extensions for totem in state.totems),
        "at most 5 extensions": 0 <= sum(totem.extensions for totem in state.totems) <= box.EXTENSIONS,
        "the volcano token is on its track": 1 <= state.volcano <= box.COUNTDOWN,
        "a totem stands only after one has been erected": state.has_erected
        or not any(totem.is_standing for totem in state.totems),
        "eliminated players have no tokens, huts or canoes": all(
            state.hands[seat] == box.NOTHING and not state.huts[seat] and state.canoe_count(seat) == 0
            for seat in state.eliminated
        ),
        "players without huts and canoes are eliminated": state.turn == 0
        or all(state.huts[seat] or state.canoe_count(seat) for seat in state.alive()),
        "turn 0 is the placement": (state.phase == "placement") == (state.turn == 0),
        "the rules have this phase": state.phase in box.PHASES,
        "the pending offer or raid matches the phase": state.outcome is not None
        or {field for field in PENDING.values() if getattr(state, field) is not None}
        == ({PENDING[state.phase]} if state.phase in PENDING else set()),
        "a hand, huts and canoes for each seat": len(state.huts) == len(state.canoes) == len(state.hands),
        "the active seat has a player": state.active in seats,
        "offers and raids name other players of this game, and huts on the board": state.outcome is not None
        or _is_about_others(state),
    }
    return [name for name, holds in checks.items() if not holds]


def _tokens(state: ForeverState, kind: box.Resource) -> int:
    """Return the total number of tokens of a kind."""
    return box.on_islands(state.fertility, kind) + sum(goods.of(kind) for goods in (*state.hands, state.piles))


def _is_about_others(state: ForeverState) -> bool:
    """Return True if pending offers and raids refer only to players of this game and their belongings."""
    others = {*range(len(state.hands))} - {state.active}
    raid = state.raid
    return (
        (state.exchange is None or state.exchange.partner in others)
        and (state.double_up is None or state.hut(state.double_up) is not None)
        and (raid is None or (raid.defender in others and raid.loser in {None, state.active, raid.defender}))
    )
