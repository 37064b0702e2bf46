"""Random games, with each step compared with the rulebook: written from the book, not from the code."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from engine.core.values import Value
from engine.games.forgotten_waters.rules.resolving import push, settle
from engine.games.forgotten_waters.scenario.effects import (
    Check,
    CheckOffEvent,
    FillStar,
    GainTreasure,
    KeepFour,
    Misfortune,
    RemoveToken,
    ResolveEvents,
    Scout,
    SetDie,
    StealTreasure,
)
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.chance import Sampled
from engine.play import registry
from tests.engine.games.forgotten_waters.positions import FORGOTTEN_WATERS

RULES: Any = registry.ruleset(FORGOTTEN_WATERS)
LONGEST = 250
ENTRIES = (GainTreasure(), StealTreasure(), Scout(n=3), ResolveEvents(), FillStar(), RemoveToken(), Misfortune(n=1))
ASKS = {"gain_skill", "gain_treasure"}
"""Effects of constellation events that need a player's decision."""


class Step(NamedTuple):
    before: WatersState
    legal: list[Any]
    done: Any
    outcomes: tuple[Value, ...]
    after: WatersState


def steps(seed: int) -> Iterator[Step]:
    """Yield the steps of a random game in which pirates prefer treasures, event stars and scouting."""
    rng = random.Random(f"voyage {seed}")
    chance = Sampled(rng)
    seats = 3 + seed % 5
    chance.begin(2, ())
    state: WatersState = RULES.setup(RULES.parse_options({}, seats), seats, chance)
    chance.finish()
    state = well_off(state, rng)
    for seq in range(3, LONGEST):
        legal = list(RULES.legal_actions(state))
        if not legal:
            return
        done = chosen(state, legal, rng)
        chance.begin(seq, ())
        after = done.action.apply(state, done.seat, chance)
        yield Step(state, legal, done, chance.finish(), after)
        state = after if after.outcome is not None else eventful(after, rng)


def chosen(state: WatersState, legal: list[Any], rng: random.Random) -> Any:
    """Choose an action at random; ships prefer to sail to face-down tokens."""
    into = [one for one in legal if one.action.type == "move_ship" and one.action.to in state.face_down]
    sails = [one for one in legal if state.face_down and getattr(one.action, "treasure", "") == "bottled_breeze"]
    if into or sails:
        return rng.choice(into or sails)
    kinds = sorted({one.action.type for one in legal} - {"timer_runs_out"})
    (kind,) = rng.choices(kinds, [0.1 if kind == "discard_cannon" else rng.choice((1, 5)) for kind in kinds])
    return rng.choice([one for one in legal if one.action.type == kind])


def eventful(state: WatersState, rng: random.Random) -> WatersState:
    """Return the state with the ship kept afloat and frequent entries for the active pirate."""
    state = replace(state, hull=max(state.hull, 5), discontent=1, threat=0)
    if state.active is None or state.agenda or rng.random() < 0.6:
        return state
    return settle(push(state, state.active, (rng.choice(ENTRIES),)))


def well_off(state: WatersState, rng: random.Random) -> WatersState:
    """Each pirate begins with three treasures and a full sheet, except for the event stars."""
    cards = list(state.treasure_pile.cards())
    rng.shuffle(cards)
    for seat in range(len(state.pirates)):
        lit: tuple[str, ...] = ()
        while plain := [
            star
            for star in state.with_pirate(seat, stars=lit).fillable_stars(seat)
            if star not in state.sheet(seat).event_stars
        ]:
            lit = (*lit, plain[0])
        state = state.with_pirate(seat, stars=lit, treasures=tuple(cards[3 * seat : 3 * seat + 3]))
    rest = type(state.treasure_pile).shuffled(cards[3 * len(state.pirates) :])
    return replace(state, treasure_pile=rest)


def holds_event_tokens(step: Step) -> None:
    """FW-R9, FW-R10: each event star is a token, an event whose token is discarded, or a resolved event."""
    state = step.after
    for seat, pirate in enumerate(state.pirates):
        owed = sum(one.seat == seat and isinstance(one.effect, CheckOffEvent) for one in state.agenda)
        found = len(state.sheet(seat).event_stars.intersection(pirate.stars))
        assert pirate.event_tokens + owed + pirate.events == found
        events = state.sheet(seat).events[step.before.pirates[seat].events : pirate.events]
        # A player's decision about an event comes before the next event.
        for event in events[:-1]:
            assert not {effect.__struct_config__.tag for effect in event.effects} & ASKS


def holds_treasures(step: Step) -> None:
    """FW-R17: a fifth treasure must be discarded before anything else is used."""
    for seat, pirate in enumerate(step.after.pirates):
        assert len(pirate.treasures) <= 5
        if len(pirate.treasures) == 5 and step.after.outcome is None:
            assert (step.after.agenda[0].seat, type(step.after.agenda[0].effect)) == (seat, KeepFour)
            kinds = {(one.action.type, one.seat) for one in RULES.legal_actions(step.after)}
            assert kinds - {("discard_cannon", step.after.gunner)} == {("discard_treasure", seat)}


def holds_checks(step: Step) -> None:
    """FW-R7, FW-R25: the roll is open as long as its pirate can use something on it."""
    state = step.before
    waiting = state.agenda[0] if state.agenda else None
    if waiting is None or not isinstance(waiting.effect, Check) or not waiting.dice:
        return
    usable = {
        one.action.treasure for one in step.legal if (one.action.type, one.seat) == ("use_treasure", waiting.seat)
    }
    if len(waiting.dice) < waiting.due:
        assert usable == set()
        return
    pirate = state.pirates[waiting.seat]
    expected = {card for card in pirate.treasures if is_for_dice_that_lie(state, waiting.seat, card)}
    assert usable == expected
    assert expected or (pirate.rerolls and waiting.due)


def is_for_dice_that_lie(state: WatersState, seat: int, treasure: str) -> bool:
    card = next(card for card in state.pack.treasures if card.id == treasure)
    if not card.discard:
        return False
    if card.when == "check":
        return not any(isinstance(effect, SetDie) for effect in card.discard)
    return card.when == "anytime" or (state.phase == "action" and state.active == seat)


def holds_tokens(step: Step) -> None:
    """FW-R14, FW-R15, FW-R28: a space has one token, and no token is lost."""
    before, after = step.before, step.after
    lying = [space for space, _ in after.tokens] + list(after.face_down)
    assert len(lying) == len(set(lying))
    navigation = {token.id: token.count for token in after.pack.navigation}
    seen = Counter(token for _, token in after.tokens if token in navigation)
    assert seen + Counter(after.navigation_pile.cards()) == Counter(navigation)
    if step.done.action.type != "move_ship":
        return
    to = step.done.action.to
    assert (after.ship, to in after.face_down) == (to, False)
    if to in before.face_down:
        (token,) = step.outcomes
        stops = next(one.stops for one in after.pack.navigation if one.id == token)
        assert not stops or after.has_stopped


@pytest.mark.parametrize("seed", range(5))
def test_every_step_is_by_the_book(seed: int, request: pytest.FixtureRequest) -> None:
    """One game for each number of players, or `--playouts` times as many."""
    met: Counter[str] = Counter()
    more = max(1, request.config.getoption("--playouts") // 40)
    for game in range(more):
        for step in steps(seed + 5 * game):
            assert RULES.check_invariants(step.after) == []
            for holds in (holds_event_tokens, holds_treasures, holds_checks, holds_tokens):
                holds(step)
            met[step.done.action.type] += 1
    assert met["fill_star"]
    assert met["use_treasure"]
