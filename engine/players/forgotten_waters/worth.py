"""An estimate, in stars, of how much an effect is worth to a player.

It counts the ship's safety, the pirate's own story, and the pages and spaces ahead. It is a heuristic, not a search:
it averages over the die, and values each effect on its own at the current table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from engine.games.forgotten_waters.rules.measures import holds, least, measure, most
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario.pack import EVENTS, TREASURE_LIMIT
from engine.games.forgotten_waters.scenario.values import SKILLS, Skill
from engine.games.forgotten_waters.state import WatersState
from engine.players.forgotten_waters.reading import WatersReading, counter_value, page_worth

LOST = -60.0
OTHERS = 0.35
"""The share of an effect's value that counts if it affects another pirate."""
TREASURE, REROLL, MISFORTUNE, STORY, LOCK, ICON = 0.8, 0.5, -0.6, 0.6, 0.8, 0.25
DEEPEST = 8
"""Maximum depth of nested effects whose worth is estimated."""
DIE = range(1, 13)


def worth(at: WatersReading, seat: int, effects: Iterable[do.Effect], depth: int = 0) -> float:
    """Return how much `effects` are worth to a seat."""
    total = 0.0
    for effect in effects if depth < DEEPEST else ():
        weigh = _WEIGH.get(type(effect))
        if weigh is not None:
            total += weigh(at, seat, effect, depth + 1)
    return total


def star(state: WatersState, seat: int) -> float:
    """Return the value of a star on the pirate's constellation."""
    return 1.2 if any(state.fillable_stars(seat)) else 0.0


def box(state: WatersState, seat: int, skill: Skill) -> float:
    """Return the value of the next box of a skill, and of the star that may be in it."""
    boxes, filled = state.sheet(seat).boxes[skill], state.pirates[seat].filled_boxes(skill)
    if filled >= len(boxes):
        return 0.0
    return 0.45 + (star(state, seat) if boxes[filled] == "*" else 0.0)


def card(at: WatersReading, seat: int, id_: str) -> float:
    """Return the value of keeping a treasure: its icons, and the possible benefit of discarding it later."""
    known = at.state.pack.card[id_]
    kept = 0.3 + ICON * sum(known.skills.values())
    if known.when == "check":
        return kept + 0.5
    return kept + 0.5 * max(0.0, worth(at, seat, known.discard))


def outcomes(at: WatersReading, seat: int, results: Sequence[do.Result], added: int, depth: int) -> list[float]:
    """Return the value of each face of the die."""
    values = [0.0] * len(DIE)
    for result in results:
        before = min(max(0, result.least - added - 1), len(DIE))
        values[before:] = [worth(at, seat, result.effects, depth)] * (len(DIE) - before)
    return values


def _added_number(state: WatersState, seat: int, check: do.Check) -> int:
    """Return the number that is added to the die in a skill check."""
    cannons = sum(cannon.level for cannon in state.cannons if cannon.is_loaded) if check.cannons else 0
    return state.pirates[seat].filled_boxes(check.skill) + state.icon_total(seat, check.skill) + check.bonus + cannons


def _safety(state: WatersState, **changed: int) -> float:
    """Return the value of the ship's safety: how far each stat is from a loss, with the `changed` stats applied."""
    stats = ("hull", "crew", "discontent", "supplies", "threat")
    hull, crew, discontent, supplies, threat = (int(changed.get(stat, getattr(state, stat))) for stat in stats)
    margin = crew - discontent
    left = state.last_threat_event - state.threat_events - threat / max(state.threat_limit, 1)
    if hull <= 0 or margin <= 0 or left <= 0:
        return LOST
    return -9 / hull - 9 / margin - 5 / left - 3 / (supplies + 1)


def _ship(at: WatersReading, _seat: int, effect: do.Ship, _depth: int) -> float:
    state, stat = at.state, effect.stat
    to = min(max(getattr(state, stat) + effect.n if effect.to is None else effect.to, 0), getattr(state.maxima, stat))
    return _safety(state, **{stat: to}) - _safety(state)


def _threat(at: WatersReading, _seat: int, effect: do.Threat, _depth: int) -> float:
    state = at.state
    to = min(max(state.threat + effect.n, 0), state.pack.tokens.threat)
    return _safety(state, threat=to) - _safety(state)


def _check(at: WatersReading, seat: int, effect: do.Check, depth: int) -> float:
    pirate = at.state.pirates[seat]
    values = outcomes(at, seat, effect.results, _added_number(at.state, seat, effect), depth)
    if pirate.misfortune:
        # The lower of two dice.
        return sum(value * (25 - 2 * face) / 144 for face, value in zip(DIE, values, strict=True)) + 0.3
    mean = sum(values) / len(values)
    return sum(max(value, mean - REROLL) for value in values) / len(values) if pirate.rerolls else mean


def _choose(at: WatersReading, seat: int, effect: do.Choose, depth: int) -> float:
    options = [option for option in effect.options if holds(at.state, seat, option.when)]
    return max((worth(at, seat, option.effects, depth) for option in options), default=0.0)


def _for_players(at: WatersReading, seat: int, effect: do.ForPlayers, depth: int) -> float:
    state = at.state
    seats: Sequence[int] = state.infamy
    others = [other for other in seats if other != seat]
    if effect.who == "others":
        seats = others
    elif effect.who == "highest":
        seats = (most(state, effect.of),)
    elif effect.who == "lowest":
        seats = (least(state, effect.of),)
    elif effect.who == "chosen":
        return OTHERS * max(worth(at, other, effect.effects, depth) for other in others)
    return sum((1 if one == seat else OTHERS) * worth(at, one, effect.effects, depth) for one in seats)


def _events(at: WatersReading, seat: int, _effect: do.ResolveEvents, depth: int) -> float:
    pirate = at.state.pirates[seat]
    done = min(EVENTS, pirate.events + pirate.event_tokens)
    events = at.state.sheet(seat).events[pirate.events : done]
    return sum(1.2 + worth(at, seat, event.effects, depth) for event in events)


def _bury(at: WatersReading, seat: int, effect: do.BuryTreasure, _depth: int) -> float:
    kept = sorted(card(at, seat, treasure) for treasure in at.state.pirates[seat].treasures)
    return sum(max(0.0, star(at.state, seat) - one) for one in kept[: effect.up_to])


def _move(at: WatersReading, _seat: int, effect: do.MoveShip, _depth: int) -> float:
    if at.state.has_stopped:
        return 0.0
    return 1.3 * min(effect.n, max(0, at.distance_left - at.planned_moves))


def _goal(at: WatersReading, _seat: int, _effect: do.ReachGoal, _depth: int) -> float:
    best = max(pirate.events + pirate.event_tokens for pirate in at.state.pirates)
    return 30.0 if best >= 4 else -20.0


def _treasure(at: WatersReading, seat: int, effect: do.GainTreasure, _depth: int) -> float:
    room = TREASURE_LIMIT - len(at.state.pirates[seat].treasures)
    return TREASURE * min(effect.n, room) + 0.2 * max(0, effect.n - room)


def _skill(at: WatersReading, seat: int, effect: do.GainSkill, _depth: int) -> float:
    skills = SKILLS if effect.skill == "any" else (effect.skill,)
    return effect.n * max(box(at.state, seat, skill) for skill in skills)


_WEIGH: dict[type[Any], Callable[[WatersReading, int, Any, int], float]] = {
    do.GainSkill: _skill,
    do.FillStar: lambda at, seat, effect, _: effect.n * star(at.state, seat),
    do.ResolveEvents: _events,
    do.GainTreasure: _treasure,
    do.StealTreasure: lambda at, seat, _effect, _: (
        0.3 * any(one.treasures for other, one in enumerate(at.state.pirates) if other != seat)
    ),
    do.LoseTreasure: lambda at, seat, effect, _: -TREASURE * min(effect.n, len(at.state.pirates[seat].treasures)),
    do.BuryTreasure: _bury,
    do.TakeStory: lambda *_: STORY,
    do.Rerolls: lambda _at, _seat, effect, _: REROLL * effect.n,
    do.Misfortune: lambda at, seat, effect, _: MISFORTUNE * max(effect.n, -at.state.pirates[seat].misfortune),
    do.Infamy: lambda _at, _seat, effect, _: 0.1 * effect.n,
    do.InfamyTo: lambda *_: 0.2,
    do.Ship: _ship,
    do.GainCannon: lambda at, _seat, effect, _: 0.5 * effect.level * (len(at.state.cannons) < 4),
    do.UpgradeCannon: lambda at, _seat, _effect, _: 0.5 * bool(at.state.cannons),
    do.LoadCannon: lambda at, _seat, effect, _: (
        0.6 * min(effect.n, sum(not cannon.is_loaded for cannon in at.state.cannons))
    ),
    do.UnloadCannon: lambda at, _seat, _effect, _: -0.4 * bool(at.state.cannons),
    do.LoseCannon: lambda at, _seat, effect, _: -0.6 * min(effect.n, len(at.state.cannons)),
    do.Dial: lambda at, _seat, effect, _: at.dial_worth(effect),
    do.Count: lambda _at, _seat, effect, _: counter_value(effect.counter) * effect.n,
    do.Threat: _threat,
    do.Scout: lambda _at, _seat, effect, _: 0.25 * effect.n,
    do.MoveShip: _move,
    do.Unlock: lambda at, _seat, effect, _: LOCK * (effect.action in at.state.locked),
    do.Lock: lambda at, _seat, effect, _: -LOCK * (effect.action not in at.state.locked),
    do.Check: _check,
    do.Roll: lambda at, seat, effect, depth: sum(outcomes(at, seat, effect.results, 0, depth)) / len(DIE),
    do.Choose: _choose,
    do.If: lambda at, seat, effect, depth: worth(
        at, seat, effect.then if holds(at.state, seat, effect.when) else effect.otherwise, depth
    ),
    do.ForPlayers: _for_players,
    do.Per: lambda at, seat, effect, depth: measure(at.state, seat, effect.of) * worth(at, seat, effect.effects, depth),
    do.Read: lambda at, seat, effect, depth: worth(at, seat, at.state.pack.entry[effect.entry].effects, depth),
    do.TurnPage: lambda at, _seat, effect, _: page_worth(at.state, effect.page),
    do.NewRound: lambda at, *_: page_worth(at.state, at.state.page) - 0.4,
    do.CompletePart: lambda *_: 5.0,
    do.ReachGoal: _goal,
}
