"""What is true of every position: the components are conserved, and the counters stay in their range."""

from __future__ import annotations

from engine.games.forever_island.components import (
    AREAS,
    CANOES,
    COUNTDOWN,
    EXTENSIONS,
    HUTS,
    NOTHING,
    OWNER,
    REGIONS,
    RESOURCE_OF,
    RESOURCES,
    SHORES,
    SHORES_OF,
    TILES,
    TOKENS,
    TOTEMS,
    VOLCANO,
    Resource,
)
from engine.games.forever_island.state import ForeverState

PENDING = {
    "double_up": "double_up",
    "exchange": "exchange",
    "throw": "raid",
    "guess": "raid",
    "open_fist": "raid",
    "losses": "raid",
}
"""What hangs in the balance in each phase."""
PHASES = {"placement", "weather", "actions", *PENDING}


def violations(state: ForeverState) -> list[str]:
    """Each broken invariant by name; empty for a sound position."""
    seats = range(len(state.hands))
    huts = state.every_hut()
    shores = [totem.shore for totem in state.totems]
    checks = {
        **{f"{TOKENS} {kind} tokens": _tokens(state, kind) == TOKENS for kind in RESOURCES},
        "no hand or pile is below nothing": all(goods >= NOTHING for goods in (*state.hands, state.piles)),
        "a fertility of 0 to 6": all(0 <= count <= REGIONS for count in state.fertility),
        "seven tiles, each in a place of its own": sorted(state.tiles) == sorted(TILES)
        and len(set(state.coordinates)) == len(TILES),
        "every tile borders on another": all(
            state.borders(shores[0]) and state.borders(VOLCANO) for shores in SHORES_OF
        ),
        "a player's huts are of one colour, at most 8, each once, by number": all(
            len(own) <= HUTS
            and all(OWNER[hut.id] == seat for hut in own)
            and [hut.id for hut in own] == sorted({hut.id for hut in own})
            for seat, own in enumerate(state.huts)
        ),
        "a hut was built before it harvests": all(hut.built <= state.turn >= hut.harvested for hut in huts),
        "at most 10 canoes of a colour": all(state.canoe_count(seat) <= CANOES for seat in seats),
        "a docked canoe belongs to a player": all(hut.docked is None or hut.docked in seats for hut in huts),
        "undocked canoes are sorted": all(list(own) == sorted(own) and set(own) <= set(AREAS) for own in state.canoes),
        "five totems, in the order of the shores": len(shores) == TOTEMS
        and shores == sorted(set(shores), key=SHORES.index),
        "only standing totems are extended": all(totem.is_standing or not totem.extensions for totem in state.totems),
        "at most 5 extensions": 0 <= sum(totem.extensions for totem in state.totems) <= EXTENSIONS,
        "the volcano token is on its track": 1 <= state.volcano <= COUNTDOWN,
        "a totem stands only after one has been erected": state.has_erected
        or not any(totem.is_standing for totem in state.totems),
        "who is eliminated has nothing": all(
            state.hands[seat] == NOTHING and not state.huts[seat] and state.canoe_count(seat) == 0
            for seat in state.eliminated
        ),
        "who has nothing is eliminated": state.turn == 0
        or all(state.huts[seat] or state.canoe_count(seat) for seat in state.alive()),
        "turn 0 is the placement": (state.phase == "placement") == (state.turn == 0),
        "the phase is one of the rules'": state.phase in PHASES,
        "what is offered or fought belongs to the phase": state.outcome is not None
        or {field for field in PENDING.values() if getattr(state, field) is not None}
        == ({PENDING[state.phase]} if state.phase in PENDING else set()),
        "a hand, huts and canoes for each seat": len(state.huts) == len(state.canoes) == len(state.hands),
        "the active seat is taken": state.active in seats,
        "who is asked or raided is another player, with what it is about": state.outcome is not None
        or _is_about_others(state),
    }
    return [name for name, holds in checks.items() if not holds]


def _tokens(state: ForeverState, kind: Resource) -> int:
    """All tokens of a kind, wherever they are."""
    on_islands = sum(count for count, grown in zip(state.fertility, RESOURCE_OF, strict=True) if grown == kind)
    return on_islands + sum(goods.of(kind) for goods in (*state.hands, state.piles))


def _is_about_others(state: ForeverState) -> bool:
    """Whether an offer or a raid is about players of this game, and about what they have."""
    others = {*range(len(state.hands))} - {state.active}
    raid = state.raid
    return (
        (state.exchange is None or state.exchange.partner in others)
        and (state.double_up is None or state.hut(state.double_up) is not None)
        and (raid is None or (raid.defender in others and raid.loser in {None, state.active, raid.defender}))
    )
