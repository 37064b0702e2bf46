"""Resolving Game Effects, one after the other, until a player must decide or a result is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Literal, TypeVar

from engine.core.values import SEAT_IDS, SEAT_INDEX, GameOutcome
from engine.games.forgotten_waters.headings import END
from engine.games.forgotten_waters.rules import holdings
from engine.games.forgotten_waters.rules.holdings import clamp, scout_spaces, sea_spaces
from engine.games.forgotten_waters.rules.measures import can_change, holds, is_rolled, least, measure, most, total
from engine.games.forgotten_waters.rules.rounds import advance, apply_loss, begin_round, turn_page
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario.pack import CANNON_LIMIT, EVENTS, EVENTS_TO_WIN, TREASURE_LIMIT, Cannon
from engine.games.forgotten_waters.scenario.values import Place, Stat
from engine.games.forgotten_waters.state import Step, WatersState, replace
from engine.kit.effects import needed, needed_at
from engine.kit.entries import with_entry, without
from engine.kit.piles import renewed

E = TypeVar("E", bound=do.Base)


def push(state: WatersState, seat: int, effects: Sequence[do.Pending]) -> WatersState:
    """Put `effects`, to be resolved for `seat`, before all pending effects."""
    if not effects:
        return state
    return replace(state, agenda=(*map(partial(Step, seat), effects), *state.agenda))


def settle(state: WatersState) -> WatersState:
    """Resolve all pending effects, and continue the round, until a player must act or the game is over."""
    while state.outcome is None:
        if not state.agenda:
            before, state = state, advance(state)
            if state is before:
                break
            continue
        step = state.agenda[0]
        effect = step.effect
        asks, resolve = _WAITS.get(type(effect)), _RESOLVE.get(type(effect))
        if asks is not None and asks(state, step, effect):
            break
        state = replace(state, agenda=state.agenda[1:])
        if resolve is not None:
            state = resolve(state, step, effect)
    return state


def with_effect(state: WatersState, effect: do.Pending | None) -> WatersState:
    """Replace the next pending effect; None removes it."""
    step, rest = needed_at(state.agenda, 0), state.agenda[1:]
    return replace(state, agenda=rest if effect is None else (replace(step, effect=effect), *rest))


def waiting(state: WatersState, kind: type[E]) -> E | None:
    """Return the next effect to resolve, if it is of the given kind; otherwise None."""
    if not state.agenda:
        return None
    effect = state.agenda[0].effect
    return effect if type(effect) is kind else None


def one_less(state: WatersState, kind: type[do.Base]) -> WatersState:
    """Reduce the number `n` of repetitions of the next pending effect, which must be of the given kind, by one."""
    effect: Any = needed(waiting(state, kind))
    return with_effect(state, replace(effect, n=effect.n - 1) if effect.n > 1 else None)


def results_of(state: WatersState, seat: int, results: Iterable[do.Result], total: int) -> WatersState:
    """Resolve the result for a total: the last result whose `from` does not exceed the total."""
    reached = [result for result in results if result.least <= total]
    return push(state, seat, reached[-1].effects) if reached else state


def ship_stat(state: WatersState, stat: Stat, n: int, to: int | None = None) -> WatersState:
    """Move the marker of a ship stat within its limits (FW-R11), and apply a loss that follows (FW-R12)."""
    value = clamp(getattr(state, stat) + n if to is None else to, getattr(state.maxima, stat))
    return apply_loss(replace(state, **{stat: value}))


def _changed_value(value: int, effect: do.Dial | do.Count, most: int) -> int:
    return clamp(value + effect.n if effect.to is None else effect.to, most)


def _gain_skill(state: WatersState, step: Step, effect: do.GainSkill) -> WatersState:
    if effect.skill == "any":
        return state
    box, state = holdings.fill_box(state, step.seat, effect.skill)
    if box is None:
        return state
    if box == "?" and effect.stars is not None:
        # All boxes at once, because their contents were reported together.
        for _ in range(effect.n - 1):
            _, state = holdings.fill_box(state, step.seat, effect.skill)
        reported = do.FillStar(n=len(effect.stars), stars=effect.stars) if effect.stars else None
        return _fill_stars(state, step, reported) if reported else state
    rest = (replace(effect, n=effect.n - 1),) if effect.n > 1 else ()
    asked = (do.FillStar(),) if box == "*" else (do.AskBox(skill=effect.skill),) if box == "?" else ()
    return push(state, step.seat, (*asked, *rest))


def _fill_stars(state: WatersState, step: Step, effect: do.FillStar) -> WatersState:
    """Fill in the stars that the effect names, or ask the player."""
    if not effect.stars:
        return state
    left = effect.n
    for star in effect.stars[: effect.n]:
        if star in state.sheet(step.seat).links and state.can_fill(step.seat, star):
            state, left = holdings.fill_star(state, step.seat, star), left - 1
    return push(state, step.seat, (do.FillStar(n=left),)) if left else state


def _gain_treasures(state: WatersState, step: Step, effect: do.GainTreasure) -> WatersState:
    """Take the treasures that the effect names, or ask the player."""
    state = renewed(state, "treasure_pile", "treasure_discard")
    if not (effect.names and state.treasure_pile.layers):
        return state
    state = holdings.take_named(state, step.seat, effect.names[0])
    rest = (replace(effect, n=effect.n - 1, names=effect.names[1:]),) if effect.n > 1 else ()
    return push(state, step.seat, (do.KeepFour(), *rest))


def _give_card(state: WatersState, _step: Step, effect: do.GiveCard) -> WatersState:
    card, to = effect.card, SEAT_INDEX[effect.player]
    needed_at(state.pirates, to)
    owner = next((seat for seat, pirate in enumerate(state.pirates) if card in pirate.treasures), None)
    if owner is not None:
        state = holdings.gain(holdings.lose(state, owner, card), to, card)
    elif any(card in pirate.stories for pirate in state.pirates):
        state = holdings.take_story(state, to, card)
    return push(state, to, (do.KeepFour(),))


def _put_ship(state: WatersState, _step: Step, effect: do.PutShip) -> WatersState:
    needed(state.map.spaces().get(effect.space))
    return state if state.is_rocky(effect.space) else replace(state, ship=effect.space)


def _resolve_events(state: WatersState, step: Step, _effect: do.ResolveEvents) -> WatersState:
    pirate = state.pirates[step.seat]
    if state.is_version_1:
        done = min(EVENTS, pirate.events + pirate.event_tokens)
        events = state.sheet(step.seat).events[pirate.events : done]
        state = state.with_pirate(step.seat, event_tokens=0, events=done)
        return push(state, step.seat, [each for event in events for each in event.effects])
    state = state.with_pirate(step.seat, event_tokens=0)
    return push(state, step.seat, [do.CheckOffEvent()] * pirate.event_tokens)


def _check_off_event(state: WatersState, step: Step, _effect: do.CheckOffEvent) -> WatersState:
    """Check off the next constellation event, and resolve its effects (FW-R10)."""
    done = state.pirates[step.seat].events
    if done == EVENTS:
        return state
    state = state.with_pirate(step.seat, events=done + 1)
    return push(state, step.seat, state.sheet(step.seat).events[done].effects)


def _tokens(state: WatersState, step: Step, kind: Literal["rerolls", "misfortune"], n: int) -> WatersState:
    """Change the number of a pirate's tokens by `n`, as far as the box allows."""
    free = getattr(state.pack.tokens, kind) - sum(getattr(pirate, kind) for pirate in state.pirates)
    held = getattr(state.pirates[step.seat], kind)
    return state.with_pirate(step.seat, **{kind: clamp(held + n, held + free)})


def _at_rank(state: WatersState, step: Step, rank: int) -> WatersState:
    others = without(state.infamy, step.seat)
    return replace(state, infamy=(*others[:rank], step.seat, *others[rank:]))


def _infamy(state: WatersState, step: Step, effect: do.Infamy) -> WatersState:
    rank = state.infamy.index(step.seat) - effect.n
    return _at_rank(state, step, clamp(rank, len(state.infamy)))


def _dial(state: WatersState, _step: Step, effect: do.Dial) -> WatersState:
    told = zip(state.features, state.dials, strict=True)
    dials = (_changed_value(value, effect, dial.max) if dial.id == effect.feature else value for dial, value in told)
    return replace(state, dials=tuple(dials))


def _check_threat(state: WatersState, step: Step, _effect: do.CheckThreat) -> WatersState:
    if state.threat < state.threat_limit or state.threat_events == state.last_threat_event:
        return state
    state = apply_loss(replace(state, threat_events=state.threat_events + 1))
    if state.outcome is not None or state.pack.is_open:
        return state
    return push(state, step.seat, state.pack.threat_events[state.threat_events - 1].effects)


def _objective(state: WatersState, _step: Step, effect: do.Objective) -> WatersState:
    card = state.pack.objective_card.get(effect.objective)
    limit = effect.threat_limit or (card.threat_limit if card is not None else state.threat_limit)
    return replace(state, objective=effect.objective, threat_limit=limit)


def _read_space(state: WatersState, step: Step, _effect: do.ReadSpace) -> WatersState:
    token = state.pack.token.get(state.token_on(state.ship) or "")
    if token is None or token.entry is None:
        return state
    return push(state, step.seat, (do.Read(entry=token.entry),))


def _lock(state: WatersState, _step: Step, effect: do.Lock) -> WatersState:
    is_here = any(place.number == effect.action for place in state.places)
    if not is_here or effect.action in state.locked or len(state.locked) == state.pack.tokens.locks:
        return state
    return replace(state, locked=tuple(sorted((*state.locked, effect.action))))


def _for_players(state: WatersState, step: Step, effect: do.ForPlayers) -> WatersState:
    seats = state.infamy
    if effect.who == "others":
        seats = without(seats, step.seat)
    elif effect.who != "all":
        seats = ((most if effect.who == "highest" else least)(state, effect.of),)
    return replace(state, agenda=(*(Step(seat, each) for seat in seats for each in effect.effects), *state.agenda))


def _read(state: WatersState, step: Step, effect: do.Read) -> WatersState:
    state = replace(state, entries=(*state.entries, effect.entry))
    entry = state.pack.entry.get(effect.entry)
    return push(state, step.seat, entry.effects) if entry is not None else state


def _turn_page(state: WatersState, _step: Step, effect: do.TurnPage) -> WatersState:
    page = state.pack.page.get(effect.page)
    if page is not None:
        return turn_page(state, page.id, page.places, page.features)
    places = (Place(number=at, kind=one.kind, is_locked=one.is_locked) for at, one in enumerate(effect.actions, 1))
    return turn_page(state, effect.page, tuple(places), effect.features)


def _reach_goal(state: WatersState, _step: Step, _effect: do.ReachGoal) -> WatersState:
    winners = tuple(SEAT_IDS[seat] for seat, pirate in enumerate(state.pirates) if pirate.events >= EVENTS_TO_WIN)
    if not winners:
        return state.lose("goal_without_glory")
    superior = tuple(SEAT_IDS[seat] for seat, pirate in enumerate(state.pirates) if pirate.events == EVENTS)
    reason = "superior_victory" if superior else "goal_reached"
    if state.is_version_1:
        superior = ()
    return replace(state, outcome=GameOutcome("won", winners, reason, END, superior))


def _in_check(state: WatersState, _step: Step, effect: do.SetDie | do.AddToCheck) -> WatersState:
    check, rest = needed_at(state.agenda, 0), state.agenda[1:]
    if isinstance(effect, do.SetDie):
        return replace(state, agenda=(replace(check, dice=(effect.to,), due=0), *rest))
    return replace(state, agenda=(replace(check, bonus=check.bonus + effect.n), *rest))


def _check(state: WatersState, step: Step, effect: do.Check) -> WatersState:
    return results_of(state, step.seat, effect.results, total(state, step, effect))


def finish_action(state: WatersState) -> WatersState:
    """End a pirate's resolved action, because the next pirate begins. Only a table's own book needs this (FW-R26)."""
    at = state.active
    if state.phase != "action" or at is None or not state.has_resolved or state.agenda:
        return state
    if state.is_version_1 or not state.pack.is_open:
        return state
    return settle(replace(state, standees=with_entry(state.standees, at, 0), active=None))


def consult(state: WatersState, then: Sequence[do.Pending] = ()) -> WatersState:
    """End the current skill check with its total. The effects `then` are resolved after the result of the check."""
    step = needed_at(state.agenda, 0)
    check = needed(step.effect if isinstance(step.effect, do.Check) else None)
    return settle(_check(push(with_effect(state, None), step.seat, then), step, check))


_RESOLVE: dict[type[Any], Callable[[WatersState, Step, Any], WatersState]] = {
    do.GainSkill: _gain_skill,
    do.FillStar: _fill_stars,
    do.GainTreasure: _gain_treasures,
    do.GiveCard: _give_card,
    do.Maximum: lambda state, _, effect: ship_stat(
        replace(state, maxima=replace(state.maxima, **{effect.track: effect.to})), effect.track, 0
    ),
    do.PutShip: _put_ship,
    do.ResolveEvents: _resolve_events,
    do.CheckOffEvent: _check_off_event,
    do.TakeStory: lambda state, step, effect: holdings.take_story(state, step.seat, effect.story),
    do.ReturnStory: lambda state, _, effect: holdings.return_story(state, effect.story),
    do.Rerolls: lambda state, step, effect: _tokens(state, step, "rerolls", effect.n),
    do.Misfortune: lambda state, step, effect: _tokens(state, step, "misfortune", effect.n),
    do.Infamy: _infamy,
    do.InfamyTo: lambda state, step, effect: _at_rank(state, step, 0 if effect.place == "top" else len(state.infamy)),
    do.Ship: lambda state, _, effect: ship_stat(state, effect.stat, effect.n, effect.to),
    do.GainCannon: lambda state, _, effect: holdings.gain_cannon(state, Cannon(effect.level, effect.is_loaded)),
    do.Dial: _dial,
    do.Count: lambda state, _, effect: state.with_entry(
        "counts", effect.counter, _changed_value(state.count(effect.counter), effect, 99) or None
    ),
    do.Threat: lambda state, _, effect: replace(state, threat=clamp(state.threat + effect.n, state.pack.tokens.threat)),
    do.CheckThreat: _check_threat,
    do.Objective: _objective,
    do.Scout: lambda state, step, _effect: push(state, step.seat, (do.Flip(),)) if state.face_down else state,
    do.StopShip: lambda state, *_: replace(state, has_stopped=True),
    do.ReadSpace: _read_space,
    do.PlaceToken: lambda state, _, effect: holdings.clear_space(state, effect.space).with_entry(
        "tokens", effect.space, effect.token
    ),
    do.RemoveToken: lambda state, _, effect: holdings.clear_space(state, effect.space or state.ship),
    do.Lock: _lock,
    do.Unlock: lambda state, _, effect: replace(
        state, locked=tuple(number for number in state.locked if number != effect.action)
    ),
    do.Check: _check,
    do.If: lambda state, step, effect: push(
        state, step.seat, effect.then if holds(state, step.seat, effect.when) else effect.otherwise
    ),
    do.ForPlayers: _for_players,
    do.Per: lambda state, step, effect: push(state, step.seat, effect.effects * measure(state, step.seat, effect.of)),
    do.Read: _read,
    do.TurnPage: _turn_page,
    do.NewRound: lambda state, *_: begin_round(state),
    do.ReachGoal: _reach_goal,
    do.CardIcon: lambda state, _, effect: state.with_entry("icons", effect.card, effect.skill, effect.n),
    do.SetDie: _in_check,
    do.AddToCheck: _in_check,
}
"""The functions that apply effects, by kind, for all effects that need no decision. Other effects wait for a player."""


_WAITS: dict[type[Any], Callable[[WatersState, Step, Any], bool]] = {
    **dict.fromkeys((do.SwapInfamy, do.Roll, do.CompletePart, do.Saved, do.AskBox), lambda *_: True),
    do.GainSkill: lambda state, step, effect: effect.skill == "any" and bool(state.fillable_skills(step.seat)),
    do.FillStar: lambda state, step, effect: not effect.stars and any(state.fillable_stars(step.seat)),
    do.GainTreasure: lambda state, _, effect: (
        not effect.names and bool(state.treasure_pile.layers or state.treasure_discard)
    ),
    do.StealTreasure: lambda state, step, _: any(
        owner != SEAT_IDS[step.seat] for _, owner in state.cards_in_play("treasures")
    ),
    do.LoseTreasure: lambda state, step, _effect: bool(state.pirates[step.seat].treasures),
    do.BuryTreasure: lambda state, step, _effect: bool(state.pirates[step.seat].treasures),
    do.KeepFour: lambda state, step, _effect: len(state.pirates[step.seat].treasures) > TREASURE_LIMIT,
    do.GainCannon: lambda state, _, effect: len(state.cannons) == CANNON_LIMIT and state.cannons_left(effect.level) > 0,
    do.UpgradeCannon: lambda state, *_: any(state.cannons_left(one.level + 1) > 0 for one in state.cannons),
    do.LoadCannon: lambda state, *_: any(not cannon.is_loaded for cannon in state.cannons),
    do.UnloadCannon: lambda state, *_: any(cannon.is_loaded for cannon in state.cannons),
    do.LoseCannon: lambda state, *_: bool(state.cannons),
    do.Scout: lambda state, *_: bool(scout_spaces(state)),
    do.Flip: lambda state, *_: bool(state.face_down),
    do.MoveShip: lambda state, *_: not state.has_stopped and any(sea_spaces(state)),
    do.Check: lambda state, step, _effect: not is_rolled(step) or can_change(state, step),
    do.Choose: lambda state, step, effect: any(holds(state, step.seat, option.when) for option in effect.options),
    do.ForPlayers: lambda _state, _, effect: effect.who == "chosen",
}
"""The functions that tell if an effect requires a decision or a result, by kind, for the effects that can do so."""
