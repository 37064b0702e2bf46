"""A sensible player: takes the legal action of the highest value to the pirate's own story and the ship."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from engine.core.values import SEAT_INDEX
from engine.games.forgotten_waters.actions.action_phase import ChooseOption, ChoosePlayer, PlayOn, SaveGame, Stop
from engine.games.forgotten_waters.actions.cannons import DiscardCannon, LoadACannon, UnloadACannon, UpgradeACannon
from engine.games.forgotten_waters.actions.gains import (
    BuryATreasure,
    ChooseSkill,
    DiscardTreasure,
    FillInStar,
    StealATreasure,
    UseTreasure,
)
from engine.games.forgotten_waters.actions.moving_and_scouting import MoveTheShip, ScoutSpace
from engine.games.forgotten_waters.actions.performing_checks import ConsultCheck, Reroll
from engine.games.forgotten_waters.actions.planning_phase import ChooseAction, TimerRunsOut
from engine.games.forgotten_waters.rules import checks
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.kernel import LegalAction
from tests.voyages import course
from tests.voyages.worth import REROLL, box, card, outcomes, star, worth

Legal = LegalAction[Any]
NEVER = -1000.0
USUAL = 0.0


def choose(state: WatersState, legal: Sequence[Legal], error: Callable[[], float] = lambda: 0.0) -> Legal:
    """Return the legal action with the highest value; of equal ones, the first.

    Args:
        error: returns the player's error about the value of an action, in stars.
    """
    if len(legal) == 1:
        return legal[0]
    return max(legal, key=lambda one: _value(state, one) + error())


def _value(state: WatersState, one: Legal) -> float:
    weigh = _VALUES.get(type(one.action))
    return USUAL if weigh is None else weigh(state, one.seat, one.action)


def _action(state: WatersState, seat: int, action: ChooseAction) -> float:
    return worth(state, seat, state.pack.action[state.page, action.number].effects) + 1


def _option(state: WatersState, _seat: int, action: ChooseOption) -> float:
    step = state.agenda[0]
    assert isinstance(step.effect, do.Choose)
    return worth(state, step.seat, step.effect.options[action.option - 1].effects) + 0.5


def _player(state: WatersState, _seat: int, action: ChoosePlayer) -> float:
    effect = state.agenda[0].effect
    other = SEAT_INDEX[action.player]
    return worth(state, other, effect.effects) + 20 if isinstance(effect, do.ForPlayers) else -state.infamy.index(other)


def _stop(state: WatersState, seat: int, _action: Stop) -> float:
    effect = state.agenda[0].effect
    if isinstance(effect, do.MoveShip):
        return 0.0 if course.distance_left(state) else 5.0
    if isinstance(effect, do.BuryTreasure):
        return star(state, seat)
    return -1.0


def _move(state: WatersState, _seat: int, action: MoveTheShip) -> float:
    goal = course.target(state)
    before, after = _apart(state, state.ship, goal), _apart(state, action.to, goal)
    token = state.pack.token.get(state.token_on(action.to) or "")
    stops = token is not None and token.stops and action.to != goal
    return (before - after) + 0.5 - 0.6 * stops


def _apart(state: WatersState, one: str, other: str) -> int:
    spaces = state.map.spaces()
    far, ahead = {one: 0}, deque([one])
    while ahead and other not in far:
        space = ahead.popleft()
        for near in spaces[space]:
            if near not in far and not state.is_rocky(near):
                far[near] = far[space] + 1
                ahead.append(near)
    return far.get(other, 99)


def _scout(state: WatersState, _seat: int, action: ScoutSpace) -> float:
    return -float(_apart(state, action.space, course.target(state)))


def _star(state: WatersState, seat: int, action: FillInStar) -> float:
    """Return the value of filling in a star: higher the closer it is to an open event."""
    sheet, filled = state.sheet(seat), {*state.pirates[seat].stars, "start"}
    far, ahead = {action.star: 0}, deque([action.star])
    while ahead:
        one = ahead.popleft()
        if one in sheet.event_stars and one not in filled:
            return 10.0 - far[one]
        for near in sorted(sheet.links[one] - {"start"}):
            if near not in far:
                far[near] = far[one] + 1
                ahead.append(near)
    return 0.0


def _treasure_used(state: WatersState, seat: int, action: UseTreasure) -> float:
    known = state.pack.card[action.treasure]
    if known.when == "check":
        return _in_check(state, seat, action)
    gain = worth(state, seat, known.discard) - card(state, seat, action.treasure)
    return gain + 0.6 if gain > 0.4 else NEVER


def _check_value(state: WatersState, added: int, dice: tuple[int, ...]) -> float:
    step = state.agenda[0]
    assert isinstance(step.effect, do.Check)
    total = checks.total(state, step, step.effect) - min(step.dice) + min(dice) + added
    reached = [result for result in step.effect.results if result.least <= total]
    return worth(state, step.seat, reached[-1].effects) if reached else 0.0


def _in_check(state: WatersState, seat: int, action: UseTreasure) -> float:
    step, (effect, *_) = state.agenda[0], state.pack.card[action.treasure].discard
    assert isinstance(step.effect, do.Check)
    price = card(state, seat, action.treasure)
    if isinstance(effect, do.AddToCheck):
        if not step.dice:
            return NEVER
        return _check_value(state, effect.n, step.dice) - price
    if isinstance(effect, do.SetDie):
        sure = list(outcomes(state, seat, step.effect.results, _added(state), 0))
        return sure[effect.to - 1] - sum(sure) / len(sure) - price
    return NEVER


def _added(state: WatersState) -> int:
    step = state.agenda[0]
    assert isinstance(step.effect, do.Check)
    return checks.total(state, replace(step, dice=(1,)), step.effect) - 1


def _reroll(state: WatersState, _seat: int, action: Reroll) -> float:
    dice = state.agenda[0].dice
    faces = ((*dice[: action.die - 1], face, *dice[action.die :]) for face in range(1, 13))
    return sum(_check_value(state, 0, rolled) for rolled in faces) / 12 - REROLL


def _consult(state: WatersState, _seat: int, _action: ConsultCheck) -> float:
    return _check_value(state, 0, state.agenda[0].dice)


def _stolen(state: WatersState, seat: int, action: StealATreasure) -> float:
    return card(state, seat, action.treasure)


FILLING = _star
_VALUES: dict[type[Any], Callable[[WatersState, int, Any], float]] = {
    ChooseAction: _action,
    TimerRunsOut: lambda *_: NEVER,
    ChooseOption: _option,
    ChoosePlayer: _player,
    Stop: _stop,
    Reroll: _reroll,
    ConsultCheck: _consult,
    ChooseSkill: lambda state, seat, action: (
        box(state, seat, action.skill) + 0.1 * state.pirates[seat].filled(action.skill)
    ),
    FillInStar: _star,
    BuryATreasure: lambda state, seat, action: 1.2 * star(state, seat) + 0.01 - card(state, seat, action.treasure),
    MoveTheShip: _move,
    ScoutSpace: _scout,
    UpgradeACannon: lambda _state, _seat, action: action.level + 1,
    LoadACannon: lambda _state, _seat, action: action.level + 1,
    UnloadACannon: lambda _state, _seat, action: 10 - action.level,
    DiscardCannon: lambda state, _seat, action: (
        1 - action.level if state.agenda and isinstance(state.agenda[0].effect, do.LoseCannon) else NEVER
    ),
    StealATreasure: _stolen,
    DiscardTreasure: lambda state, seat, action: -card(state, seat, action.treasure),
    UseTreasure: _treasure_used,
    SaveGame: lambda *_: NEVER,
    PlayOn: lambda *_: 1.0,
}
