"""The value of effects to a sensible player, in stars: the ship's safety, the pirate's own story, and the way ahead.

It is a rule of thumb, not a search: an expectation over the die, one effect after the other, at the current table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from engine.games.forgotten_waters.rules.measures import holds, least, measure, most
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario.pack import Card, Page
from engine.games.forgotten_waters.state import EVENTS, TREASURE_LIMIT, WatersState, replace
from tests.voyages import course

LOST = -60.0
OTHERS = 0.35
"""The share of an effect's value that counts if it affects another pirate."""
TREASURE, REROLL, MISFORTUNE, STORY, LOCK, ICON = 0.8, 0.5, -0.6, 0.6, 0.8, 0.25
DIE = range(1, 13)


def safety(state: WatersState) -> float:
    """Return how far the ship is from each way to lose it."""
    margin = state.crew - state.discontent
    left = state.last_threat_event - state.threat_events - state.threat / max(state.threat_limit, 1)
    if state.hull <= 0 or margin <= 0 or left <= 0:
        return LOST
    return -9 / state.hull - 9 / margin - 5 / left - 3 / (state.supplies + 1)


def worth(state: WatersState, seat: int, effects: Iterable[do.Effect], depth: int = 0) -> float:
    """Return the value of `effects` to a seat."""
    total = 0.0
    for effect in effects:
        weigh = _WEIGH.get(type(effect))
        if weigh is not None and depth < 8:
            total += weigh(state, seat, effect, depth + 1)
    return total


def star(state: WatersState, seat: int) -> float:
    """Return the value of a star on the pirate's constellation."""
    return 1.2 if state.has_fillable_star(seat) else 0.0


def box(state: WatersState, seat: int, skill: do.Skill) -> float:
    """Return the value of the next box of a skill, and of the star that may be in it."""
    boxes, filled = state.sheet(seat).boxes[skill], state.pirates[seat].filled(skill)
    if filled >= len(boxes):
        return 0.0
    return 0.45 + (star(state, seat) if boxes[filled] == "*" else 0.0)


def card(state: WatersState, seat: int, id_: str) -> float:
    """Return the value of keeping a treasure: its icons, and the possible benefit of discarding it later."""
    known: Card = state.pack.card[id_]
    kept = 0.3 + ICON * sum(known.skills.values())
    if known.when == "check":
        return kept + 0.5
    return kept + 0.5 * max(0.0, worth(state, seat, known.discard))


def outcomes(state: WatersState, seat: int, results: Sequence[do.Result], added: int, depth: int) -> Iterator[float]:
    """Yield the value of each face of the die."""
    for face in DIE:
        reached = [result for result in results if result.least <= face + added]
        yield worth(state, seat, reached[-1].effects, depth) if reached else 0.0


def added_to(state: WatersState, seat: int, check: do.Check) -> int:
    """Return the number that is added to the die in a skill check."""
    cannons = sum(cannon.level for cannon in state.cannons if cannon.is_loaded) if check.cannons else 0
    return state.pirates[seat].filled(check.skill) + state.icon_total(seat, check.skill) + check.bonus + cannons


def wanted(page: Page, state: WatersState, feature: str) -> tuple[int, int] | None:
    """Return the direction (1 or -1) and the value of a dial for which the page's round end asks, if any."""
    for condition in _asked(state, page.round_end, 0):
        if condition.of == f"dial:{feature}":
            if condition.at_least is not None:
                return 1, condition.at_least
            if condition.at_most is not None:
                return -1, condition.at_most
    return None


def _asked(state: WatersState, effects: Iterable[do.Effect], depth: int) -> Iterator[do.Condition]:
    for effect in effects if depth < 5 else ():
        if isinstance(effect, do.If):
            if not any(condition.of.startswith("dial:") for condition in effect.when):
                inner = effect.then if holds(state, 0, effect.when) else effect.otherwise
                yield from _asked(state, inner, depth + 1)
            elif all(condition.of.startswith("dial:") or holds(state, 0, (condition,)) for condition in effect.when):
                yield from effect.when
            else:
                yield from _asked(state, effect.otherwise, depth + 1)
        elif isinstance(effect, do.Read):
            yield from _asked(state, state.pack.entry[effect.entry].effects, depth + 1)


def still_wanted(state: WatersState, feature: str) -> int:
    """Return the number of steps that a dial of this page still lacks, after those that its standees may bring."""
    page = state.pack.page[state.page]
    way = wanted(page, state, feature)
    if way is None:
        return 0
    value = measure(state, 0, f"dial:{feature}")
    sign, goal = way
    left = (goal - value) * sign
    for number in state.standees:
        if number and state.phase == "planning":
            left -= _steps(state.pack.action[page.id, number].effects, feature, sign)
    return left


def _steps(effects: Iterable[do.Effect], feature: str, sign: int) -> int:
    """Return the approximate number of steps that effects turn a dial; a check counts with its middle result."""
    steps = 0
    for effect in effects:
        if isinstance(effect, do.Dial) and effect.feature == feature:
            steps += effect.n * sign
        elif isinstance(effect, do.Check):
            steps += _steps(effect.results[len(effect.results) // 2].effects, feature, sign)
    return max(0, steps)


def _ship(state: WatersState, _seat: int, effect: do.Ship, _depth: int) -> float:
    now = getattr(state, effect.stat)
    to = min(max(now + effect.n if effect.to is None else effect.to, 0), state.maxima.of(effect.stat))
    return safety(replace(state, **{effect.stat: to})) - safety(state)


def _threat(state: WatersState, _seat: int, effect: do.Threat, _depth: int) -> float:
    to = min(max(state.threat + effect.n, 0), state.pack.tokens.threat)
    return safety(replace(state, threat=to)) - safety(state)


def _dial(state: WatersState, _seat: int, effect: do.Dial, _depth: int) -> float:
    page = state.pack.page.get(state.page)
    if page is None or effect.feature not in {feature.id for feature in page.features}:
        return 0.0
    way = wanted(page, state, effect.feature)
    if way is None:
        return 0.0
    left = still_wanted(state, effect.feature)
    if effect.n * way[0] < 0:
        return -1.2 * abs(effect.n)
    return 1.4 * min(abs(effect.n), left) if left > 0 else 0.1


def _check(state: WatersState, seat: int, effect: do.Check, depth: int) -> float:
    values = list(outcomes(state, seat, effect.results, added_to(state, seat, effect), depth))
    if state.pirates[seat].misfortune:
        # The lower of two dice.
        return sum(value * (25 - 2 * face) / 144 for face, value in zip(DIE, values, strict=True)) + 0.3
    mean = sum(values) / len(values)
    if state.pirates[seat].rerolls:
        again = sum(max(value, mean - REROLL) for value in values) / len(values)
        return max(mean, again)
    return mean


def _roll(state: WatersState, seat: int, effect: do.Roll, depth: int) -> float:
    return sum(outcomes(state, seat, effect.results, 0, depth)) / len(DIE)


def _choose(state: WatersState, seat: int, effect: do.Choose, depth: int) -> float:
    options = [option for option in effect.options if holds(state, seat, option.when)]
    return max((worth(state, seat, option.effects, depth) for option in options), default=0.0)


def _if(state: WatersState, seat: int, effect: do.If, depth: int) -> float:
    return worth(state, seat, effect.then if holds(state, seat, effect.when) else effect.otherwise, depth)


def _for_players(state: WatersState, seat: int, effect: do.ForPlayers, depth: int) -> float:
    seats: Sequence[int] = state.infamy
    others = [other for other in state.infamy if other != seat]
    if effect.who == "others":
        seats = others
    elif effect.who == "highest":
        seats = (most(state, effect.of),)
    elif effect.who == "lowest":
        seats = (least(state, effect.of),)
    elif effect.who == "chosen":
        return OTHERS * max(worth(state, other, effect.effects, depth) for other in others)
    return sum((1 if one == seat else OTHERS) * worth(state, one, effect.effects, depth) for one in seats)


def _events(state: WatersState, seat: int, _effect: do.ResolveEvents, depth: int) -> float:
    pirate = state.pirates[seat]
    done = min(EVENTS, pirate.events + pirate.event_tokens)
    events = state.sheet(seat).events[pirate.events : done]
    return sum(1.2 + worth(state, seat, event.effects, depth) for event in events)


def _bury(state: WatersState, seat: int, effect: do.BuryTreasure, _depth: int) -> float:
    kept = sorted(card(state, seat, treasure) for treasure in state.pirates[seat].treasures)
    return sum(max(0.0, star(state, seat) - one) for one in kept[: effect.up_to])


def _move(state: WatersState, seat: int, effect: do.MoveShip, _depth: int) -> float:
    if state.has_stopped:
        return 0.0
    far = course.distance_left(state)
    return 1.3 * min(effect.n, max(0, far - course.planned_moves(state)))


def _goal(state: WatersState, _seat: int, _effect: do.ReachGoal, _depth: int) -> float:
    best = max(pirate.events + pirate.event_tokens for pirate in state.pirates)
    return 30.0 if best >= 4 else -20.0


def _treasure(state: WatersState, seat: int, effect: do.GainTreasure, _depth: int) -> float:
    room = TREASURE_LIMIT - len(state.pirates[seat].treasures)
    return TREASURE * min(effect.n, room) + 0.2 * max(0, effect.n - room)


_WEIGH: dict[type[Any], Callable[[WatersState, int, Any, int], float]] = {
    do.GainSkill: lambda state, seat, effect, _: (
        effect.n
        * (
            max(box(state, seat, skill) for skill in do.SKILLS)
            if effect.skill == "any"
            else box(state, seat, effect.skill)
        )
    ),
    do.FillStar: lambda state, seat, effect, _: effect.n * star(state, seat),
    do.ResolveEvents: _events,
    do.GainTreasure: _treasure,
    do.StealTreasure: lambda state, seat, _effect, _: (
        0.3 if any(one.treasures for other, one in enumerate(state.pirates) if other != seat) else 0.0
    ),
    do.LoseTreasure: lambda state, seat, effect, _: -TREASURE * min(effect.n, len(state.pirates[seat].treasures)),
    do.BuryTreasure: _bury,
    do.TakeStory: lambda _state, _seat, _effect, _: STORY,
    do.Rerolls: lambda _state, _seat, effect, _: REROLL * effect.n,
    do.Misfortune: lambda state, seat, effect, _: MISFORTUNE * max(effect.n, -state.pirates[seat].misfortune),
    do.Infamy: lambda _state, _seat, effect, _: 0.1 * effect.n,
    do.InfamyTo: lambda _state, _seat, _effect, _: 0.2,
    do.Ship: _ship,
    do.GainCannon: lambda state, _seat, effect, _: 0.5 * effect.level * (len(state.cannons) < 4),
    do.UpgradeCannon: lambda state, _seat, _effect, _: 0.5 * bool(state.cannons),
    do.LoadCannon: lambda state, _seat, effect, _: (
        0.6 * min(effect.n, sum(not cannon.is_loaded for cannon in state.cannons))
    ),
    do.UnloadCannon: lambda state, _seat, _effect, _: -0.4 * bool(state.cannons),
    do.LoseCannon: lambda state, _seat, effect, _: -0.6 * min(effect.n, len(state.cannons)),
    do.Dial: _dial,
    do.Count: lambda _state, _seat, effect, _: course.counted(effect.counter) * effect.n,
    do.Threat: _threat,
    do.Scout: lambda _state, _seat, effect, _: 0.25 * effect.n,
    do.MoveShip: _move,
    do.Unlock: lambda state, _seat, effect, _: LOCK * (effect.action in state.locked),
    do.Lock: lambda state, _seat, effect, _: -LOCK * (effect.action not in state.locked),
    do.Check: _check,
    do.Roll: _roll,
    do.Choose: _choose,
    do.If: _if,
    do.ForPlayers: _for_players,
    do.Per: lambda state, seat, effect, depth: (
        measure(state, seat, effect.of) * worth(state, seat, effect.effects, depth)
    ),
    do.Read: lambda state, seat, effect, depth: worth(state, seat, state.pack.entry[effect.entry].effects, depth),
    do.TurnPage: lambda state, _seat, effect, _: course.page_worth(state, effect.page),
    do.NewRound: lambda state, _seat, _effect, _: course.page_worth(state, state.page) - 0.4,
    do.CompletePart: lambda *_: 5.0,
    do.ReachGoal: _goal,
}
