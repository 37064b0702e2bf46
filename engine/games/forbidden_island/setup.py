"""Setup, in the rulebook's order. Each shuffle needs results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.language import say
from engine.core.values import Value
from engine.games.forbidden_island import components as box
from engine.games.forbidden_island.components import Edition, Tile, printed_name, treasure_deck
from engine.games.forbidden_island.state import IslandOptions, IslandState, add_card
from engine.kit.chance import Chance, dealt
from engine.kit.options import SetupPrompt, ordinal
from engine.kit.piles import Pile


def set_up(edition: Edition, options: IslandOptions, seats: int, chance: Chance) -> dict[str, Any]:
    """Return the fields of the state at the start of the first turn.

    Chance determines, in this order: the tile on each space in reading order, the first flooded tiles, the role of each
    seat, and each seat's opening cards. If an opening card raises the water, it is set aside, replaced at once, and
    shuffled back in at the end.
    """
    layout = dealt(chance, "tile", box.TILES)
    flood_pile = Pile.shuffled(box.TILES)
    floods: list[Tile] = []
    for _ in range(box.FIRST_FLOODS):
        tile, flood_pile = flood_pile.draw(chance, "flood_card")
        floods.append(tile)
    roles = dealt(chance, edition.role, sorted(edition.roles), seats)
    hands, treasure_pile = _opening_hands(edition, seats, chance)
    return {
        "turn": 1,
        "phase": "actions",
        "options": options,
        "layout": layout,
        "flooded": frozenset(floods),
        "sunk": frozenset(),
        "roles": roles,
        "pawns": tuple(edition.roles[role].start for role in roles),
        "hands": hands,
        "treasure_pile": treasure_pile,
        "treasure_discard": (),
        "flood_pile": flood_pile,
        "flood_discard": tuple(floods),
        "water_level": box.START_LEVEL[options.difficulty],
        "active": int(options.first_player[1:]) - 1,
        "actions_left": box.ACTIONS_PER_TURN,
        "treasure_draws_left": box.TREASURE_DRAWS,
    }


def _opening_hands(edition: Edition, seats: int, chance: Chance) -> tuple[tuple[tuple[str, ...], ...], Pile[str]]:
    pile = Pile.shuffled(treasure_deck(edition))
    put_aside: list[str] = []
    hands: list[tuple[str, ...]] = []
    for _ in range(seats):
        hand: tuple[str, ...] = ()
        while len(hand) < box.OPENING_HAND:
            card, pile = pile.draw(chance, "opening_card", (*hands, hand, len(put_aside)))
            if card == edition.rising_card:
                put_aside.append(card)
            else:
                hand = add_card(hand, card)
        hands.append(hand)
    return tuple(hands), pile.shuffle_in(put_aside)


_IN_ROW = {(x, y): x - min(u for u, v in box.SPACES if v == y) + 1 for x, y in box.SPACES}
"""The position of each space in its row, from 1."""


def setup_prompts(edition: Edition, names: Sequence[str], given: Sequence[Value | None]) -> list[SetupPrompt]:
    """Return the questions of the setup, in the order of `set_up`."""
    found = [
        SetupPrompt(say("The island"), say("row {row}, space {space}", row=y, space=_IN_ROW[x, y]), (x, y))
        for x, y in box.SPACES
    ]
    found += [
        SetupPrompt(say("Flooded from the start"), say("{ordinal} card", ordinal=ordinal(number + 1)))
        for number in range(box.FIRST_FLOODS)
    ]
    found += [SetupPrompt(say(edition.role_titles), name) for name in names]
    cards = iter(given[len(found) :])
    for name in names:
        held = put_aside = 0
        while held < box.OPENING_HAND:
            if next(cards, None) == edition.rising_card:
                put_aside += 1
                label = say("{name}, {ordinal} put aside", name=name, ordinal=ordinal(put_aside))
            else:
                held += 1
                label = say("{name}, {ordinal} card", name=name, ordinal=ordinal(held))
            found.append(SetupPrompt(say("Opening hands"), label))
    return found


def describe(state: IslandState, names: Sequence[str]) -> list[str]:
    """Describe the table after the setup."""
    roles = (
        say(
            "{name} is the {role} and starts on {tile}",
            name=name,
            role=say(state.edition.roles[role].name),
            tile=printed_name(tile),
        )
        for name, role, tile in zip(names, state.roles, state.pawns, strict=True)
    )
    hands = (
        say("{name} holds {cards}", name=name, cards=say(" and ").join(map(printed_name, hand)))
        for name, hand in zip(names, state.hands, strict=True)
    )
    return [
        say("Flooded from the start: {tiles}.", tiles=", ".join(map(printed_name, state.flood_discard))),
        f"{'; '.join(roles)}.",
        f"{'; '.join(hands)}.",
        say("The water is at {level}; {active} begins.", level=state.water_level, active=names[state.active]),
    ]
