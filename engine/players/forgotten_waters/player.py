"""The player. It takes the action with the highest value for the ship and the pirate's own story."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from engine.core.language import say
from engine.core.values import SEAT_INDEX, GameOutcome
from engine.games.forgotten_waters.actions.gains import (
    BuryTreasure,
    ChooseSkill,
    DiscardTreasure,
    FillStar,
    StealTreasure,
    UseTreasure,
)
from engine.games.forgotten_waters.actions.performing_checks import ConsultCheck, Reroll, RollDie
from engine.games.forgotten_waters.actions.phases import (
    ChooseAction,
    ChooseOption,
    ChoosePlayer,
    PlayOn,
    RemoveStandee,
    ResolveAction,
    SaveGame,
    Stop,
    TimerRunsOut,
)
from engine.games.forgotten_waters.actions.the_ship import (
    DiscardCannon,
    LoadCannon,
    MoveShip,
    ScoutSpace,
    UnloadCannon,
    UpgradeCannon,
)
from engine.games.forgotten_waters.rules import measures
from engine.games.forgotten_waters.ruleset import ForgottenWaters
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.actions import Action
from engine.kit.chance import RandomSource
from engine.kit.paths import distances
from engine.players.forgotten_waters.reading import FAR, WatersReading
from engine.players.forgotten_waters.worth import REROLL, box, card, outcomes, star, worth
from engine.players.protocol import Player, Proposal

NEVER = -1000.0
USUAL = 0.0

_value = itemgetter(0)


class WatersPlayer(Player[WatersState]):
    """Plays Forgotten Waters with a scenario whose text Driftlog has. The player knows this text."""

    name = "Salt"
    version = "1"

    def __init__(self, rules: ForgottenWaters) -> None:
        self.ruleset, self._rules = rules.id, rules

    def can_be_played(self, state: WatersState) -> str | None:
        return say("The effects in a table's own book are unknown.") if state.pack.is_open else None

    def reward(self, outcome: GameOutcome, seat: int) -> float:
        # The players win if at least one pirate's story was told.
        return float(outcome.result == "won")

    def propose(self, state: WatersState, rng: RandomSource) -> Sequence[Proposal]:
        legal = list(self._legal(state))
        if len(legal) < 2:
            return legal
        at = WatersReading(state)
        valued = [(value(at, action, seat), (action, seat)) for action, seat in legal]
        return [proposal for _, proposal in sorted(valued, key=_value, reverse=True)]

    def _legal(self, state: WatersState) -> Iterator[Proposal]:
        """Yield the legal actions of the seats for which the game waits. Usually, only a few kinds are possible."""
        kinds = _KINDS.get(type(state.agenda[0].effect) if state.agenda else state.phase, self._rules.actions)
        for seat in self._rules.awaiting(state):
            for kind in kinds:
                for action in kind.candidates(state, seat):
                    if action.refusal(state, seat) is None:
                        yield action, seat


def value(at: WatersReading, action: Action[WatersState], seat: int) -> float:
    """Return the value of an action, in stars."""
    weigh = _VALUES.get(type(action))
    return USUAL if weigh is None else weigh(at, seat, action)


def _action(at: WatersReading, seat: int, action: ChooseAction) -> float:
    return worth(at, seat, at.state.pack.action[at.state.page, action.number].effects) + 1


def _option(at: WatersReading, _seat: int, action: ChooseOption) -> float:
    step = at.state.agenda[0]
    assert isinstance(step.effect, do.Choose)
    return worth(at, step.seat, step.effect.options[action.option - 1].effects) + 0.5


def _player(at: WatersReading, _seat: int, action: ChoosePlayer) -> float:
    effect, other = at.state.agenda[0].effect, SEAT_INDEX[action.player]
    if isinstance(effect, do.ForPlayers):
        return worth(at, other, effect.effects) + 20
    return -at.state.infamy.index(other)


def _stop(at: WatersReading, seat: int, _action: Stop) -> float:
    effect = at.state.agenda[0].effect
    if isinstance(effect, do.MoveShip):
        return 0.0 if at.distance_left else 5.0
    if isinstance(effect, do.BuryTreasure):
        return star(at.state, seat)
    return -1.0


def _move(at: WatersReading, _seat: int, action: MoveShip) -> float:
    state, goal = at.state, at.target
    before, after = (at.distances(space).get(goal, FAR) for space in (state.ship, action.to))
    token = state.pack.token.get(state.token_on(action.to) or "")
    stops = token is not None and token.stops and action.to != goal
    return (before - after) + 0.5 - 0.6 * stops


def filling(state: WatersState, seat: int, action: FillStar) -> float:
    """Return the value of filling in a star. A star that is closer to an open event has a higher value."""
    sheet, filled = state.sheet(seat), {*state.pirates[seat].stars, "start"}
    far = distances(action.star, lambda one: sheet.links[one] - {"start"})
    return next((10.0 - steps for one, steps in far.items() if one in sheet.event_stars and one not in filled), 0.0)


def _treasure_used(at: WatersReading, seat: int, action: UseTreasure) -> float:
    known = at.state.pack.card[action.treasure]
    if known.when == "check":
        return _in_check(at, seat, action)
    gain = worth(at, seat, known.discard) - card(at, seat, action.treasure)
    return gain + 0.6 if gain > 0.4 else NEVER


def _check_value(at: WatersReading, added: int, dice: tuple[int, ...]) -> float:
    step = at.state.agenda[0]
    assert isinstance(step.effect, do.Check)
    total = measures.total(at.state, step, step.effect) - min(step.dice) + min(dice) + added
    reached = [result for result in step.effect.results if result.least <= total]
    return worth(at, step.seat, reached[-1].effects) if reached else 0.0


def _in_check(at: WatersReading, seat: int, action: UseTreasure) -> float:
    step, (effect, *_) = at.state.agenda[0], at.state.pack.card[action.treasure].discard
    assert isinstance(step.effect, do.Check)
    price = card(at, seat, action.treasure)
    if isinstance(effect, do.AddToCheck):
        return _check_value(at, effect.n, step.dice) - price if step.dice else NEVER
    assert isinstance(effect, do.SetDie)
    sure = _faces(at)
    return sure[effect.to - 1] - sum(sure) / len(sure) - price


def _faces(at: WatersReading) -> list[float]:
    """Return the value of the pending check for each face of the die."""
    step = at.state.agenda[0]
    assert isinstance(step.effect, do.Check)
    added = measures.total(at.state, replace(step, dice=(1,)), step.effect) - 1
    return outcomes(at, step.seat, step.effect.results, added, 0)


def _reroll(at: WatersReading, _seat: int, action: Reroll) -> float:
    dice, values = at.state.agenda[0].dice, _faces(at)
    other = min((*dice[: action.die - 1], *dice[action.die :]), default=len(values))
    return sum(values[min(face, other - 1)] for face in range(len(values))) / len(values) - REROLL


_VALUES: dict[type[Any], Callable[[WatersReading, int, Any], float]] = {
    ChooseAction: _action,
    TimerRunsOut: lambda *_: NEVER,
    ChooseOption: _option,
    ChoosePlayer: _player,
    Stop: _stop,
    Reroll: _reroll,
    ConsultCheck: lambda at, *_: _check_value(at, 0, at.state.agenda[0].dice),
    ChooseSkill: lambda at, seat, action: (
        box(at.state, seat, action.skill) + 0.1 * at.state.pirates[seat].filled_boxes(action.skill)
    ),
    FillStar: lambda at, seat, action: filling(at.state, seat, action),
    BuryTreasure: lambda at, seat, action: 1.2 * star(at.state, seat) + 0.01 - card(at, seat, action.treasure),
    MoveShip: _move,
    ScoutSpace: lambda at, _seat, action: -float(at.distances(action.space).get(at.target, FAR)),
    UpgradeCannon: lambda _at, _seat, action: action.level + 1,
    LoadCannon: lambda _at, _seat, action: action.level + 1,
    UnloadCannon: lambda _at, _seat, action: 10 - action.level,
    DiscardCannon: lambda at, _seat, action: (
        1 - action.level if at.state.agenda and isinstance(at.state.agenda[0].effect, do.LoseCannon) else NEVER
    ),
    StealTreasure: lambda at, seat, action: card(at, seat, action.treasure),
    DiscardTreasure: lambda at, seat, action: -card(at, seat, action.treasure),
    UseTreasure: _treasure_used,
    SaveGame: lambda *_: NEVER,
    PlayOn: lambda *_: 1.0,
}
_KINDS: dict[object, tuple[type[Action[WatersState]], ...]] = {
    "planning": (ChooseAction, UseTreasure),
    "action": (ResolveAction, RemoveStandee, UseTreasure),
    do.Check: (RollDie, ConsultCheck, Reroll, UseTreasure),
    do.Choose: (ChooseOption,),
    do.ForPlayers: (ChoosePlayer,),
    do.Roll: (RollDie,),
    do.FillStar: (FillStar,),
    do.GainSkill: (ChooseSkill,),
    do.MoveShip: (MoveShip, Stop),
}
"""Kinds of action to consider, by pending effect or else by phase. Without an entry, all are considered."""
