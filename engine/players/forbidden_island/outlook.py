"""Features of a table, used to estimate the chance to win."""

from __future__ import annotations

from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.turn import floods_due
from engine.players.forbidden_island.reading import IslandReading


def features(reading: IslandReading) -> dict[str, float]:
    """Return the features by name. Most of them are between 0 and 5."""
    state, missing, space = reading.state, reading.missing, reading.space
    seats, captured = len(state.pawns), len(state.captured)
    counts = [[hand.count(treasure) for hand in state.hands] for treasure in missing]
    best = [min(box.CARDS_TO_CAPTURE, max(each)) for each in counts]
    lone = [
        [site for site in box.SITES[treasure] if site not in state.sunk]
        for treasure in missing
        if not state.sunk.isdisjoint(box.SITES[treasure])
    ]
    errands = [
        far[reading.pawns[seat]]
        for seat in range(seats)
        for weight, far in reading.errands(seat)
        if weight >= reading.weights["go_site"]
    ]
    risks = sorted(reading.risks.values(), reverse=True) or [0.0]
    pile = state.treasure_pile.layers[0] if state.treasure_pile.layers else ()
    level, sunk, wet, open_ = state.water_level, len(state.sunk), len(state.flooded), len(missing)
    return {
        "always": 1.0,
        "three": float(seats == 3),
        "four": float(seats == 4),
        "captured": float(captured),
        "all_captured": float(not missing),
        "collected": float(sum(best)),
        "complete": float(best.count(box.CARDS_TO_CAPTURE)),
        "three_of_four": float(best.count(box.CARDS_TO_CAPTURE - 1)),
        "held": float(sum(min(box.CARDS_TO_CAPTURE, sum(each)) for each in counts)),
        "far": float(sum(errands)),
        "farthest": float(max(errands, default=0)),
        "water": float(level),
        "water_squared": level * level / box.SKULL,
        "floods": float(floods_due(level)),
        "sunk": float(sunk),
        "sunk_squared": sunk * sunk / 10,
        "wet": float(wet),
        "lone_sites": float(len(lone)),
        "lone_sites_wet": float(sum(site in state.flooded for sites in lone for site in sites)),
        "both_sites_wet": float(sum(state.flooded.issuperset(box.SITES[treasure]) for treasure in missing)),
        "landing_wet": float(box.FOOLS_LANDING in state.flooded),
        "lift": float(reading.lifts > 0),
        "lifts": float(reading.lifts),
        "sandbags": float(sum(hand.count(box.SANDBAGS) for hand in state.hands)),
        "risk": sum(risks) / 10,
        "worst_risk": risks[0] / 5,
        "landing_risk": reading.sinking.get(space[box.FOOLS_LANDING], 0.0),
        "pile": len(pile) / 10,
        "pile_lifts": float(pile.count(box.HELICOPTER_LIFT)),
        "pile_rising": float(pile.count(state.edition.rising_card)),
        "floods_left": float(state.flood_draws_left),
        "treasures_left": float(state.treasure_draws_left),
        "missing_by_water": open_ * level / box.SKULL,
        "missing_by_sunk": open_ * sunk / 10,
        "held_by_water": sum(best) * level / box.SKULL,
    }
