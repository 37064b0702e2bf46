"""Steps that players can forget, and the state after each is skipped."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.language import marked
from engine.games.forbidden_island.components import SKULL
from engine.games.forbidden_island.headings import DRAW_FLOOD, HAND_LIMIT, PAWNS
from engine.games.forbidden_island.state import IslandState, replace
from engine.games.forbidden_island.turn import floods_due, settle
from engine.kit.piles import Pile
from engine.kit.steps import ENDING, DueStep, Skip, due_act, due_cards

DISCARD = due_act("discard", "discard of a card over the limit", HAND_LIMIT, "discard the cards over the limit")
FLOOD_CARDS = due_cards("flood_cards", "Flood card", DRAW_FLOOD)
SWIM = due_act("swim", "swim", PAWNS, "swim off the tile that sank")


def rise_steps(rule: str) -> tuple[DueStep, DueStep, DueStep]:
    """Return the steps that players can forget after a card that raises the water.

    These are: both effects of the card, only the reshuffle, and only the rise.

    Args:
        rule: the rulebook heading of the card.
    """
    ignored = marked("{player} drew a card that raises the water, and did nothing about it")
    unmoved = marked("{player} did not move the water marker up")
    unshuffled = marked("{player} did not shuffle the flood discard pile and put it on the pile")
    return (
        DueStep("rise", "rise of the water", rule, missed=ignored),
        DueStep("reshuffle", "shuffle of the flood discard pile", rule, missed=unshuffled),
        DueStep("water_level", "step up on the water meter", rule, missed=unmoved),
    )


def skips(state: IslandState, cards: DueStep) -> Iterator[Skip[IslandState]]:
    """Yield the step that is due, with the table that results if the step is skipped.

    Args:
        cards: the step in which two cards of the treasure deck are drawn.
    """
    match state.phase:
        case "actions" | "draw_treasure":
            due = floods_due(state.water_level)
            without = replace(state, actions_left=0, treasure_draws_left=0, flood_draws_left=due)
            yield Skip(cards, state.active, settle(without), state.treasure_draws_left)
        case "draw_flood":
            yield Skip(FLOOD_CARDS, state.active, settle(replace(state, flood_draws_left=0)), state.flood_draws_left)
        case "discard":
            seat = state.over_limit()
            if seat is not None:
                yield Skip(DISCARD, seat, settle(state.with_overlooked(seat)))
        case _:
            # Somebody must swim, or no step is due.
            for seat in state.swimmers():
                yield Skip(SWIM, seat, settle(state.with_adrift(seat)))


def overlooks(state: IslandState, steps: tuple[DueStep, DueStep, DueStep]) -> Iterator[Skip[IslandState]]:
    """Yield each step that the players may have overlooked (a water rise, a loss), and the table without it.

    Args:
        steps: the `rise_steps` of the game.
    """
    rise, reshuffle, water_level = steps
    if state.outcome is not None:
        yield from _skip_ending(state)
    elif state.treasure_discard[-1:] == (state.edition.rising_card,) and not state.flood_discard:
        level = state.water_level - 1
        was_due = state.flood_draws_left == floods_due(state.water_level)
        left = floods_due(level) if was_due else state.flood_draws_left
        lower = {"water_level": level, "flood_draws_left": left}
        layers = state.flood_pile.layers
        if len(layers) > 1:
            unshuffled = {"flood_pile": Pile(layers[1:]), "flood_discard": layers[0]}
            if level:
                yield Skip(rise, state.active, replace(state, **lower, **unshuffled))
            yield Skip(reshuffle, state.active, replace(state, **unshuffled))
        if level:
            yield Skip(water_level, state.active, replace(state, **lower))


def _skip_ending(state: IslandState) -> Iterator[Skip[IslandState]]:
    outcome = state.outcome
    assert outcome is not None
    if outcome.result != "lost":
        return
    resumed = state.with_play_resumed()
    if state.water_level == SKULL and outcome.reason == "skull":
        # The loss came before the card's second effect. If play continues, that effect is due.
        pile = resumed.flood_pile.shuffle_on_top(resumed.flood_discard)
        left = resumed.flood_draws_left if resumed.treasure_draws_left else floods_due(SKULL)
        resumed = replace(resumed, flood_pile=pile, flood_discard=(), flood_draws_left=left)
    resumed = settle(resumed)
    if resumed.outcome is None:
        yield Skip(ENDING, state.active, resumed)
