"""Changes that need no decision: to boxes and stars, treasures and stories, cannons, and the ship's position."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.forgotten_waters.scenario.pack import CANNON_LIMIT, Cannon
from engine.games.forgotten_waters.scenario.values import SKILLS, Skill
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.chance import Chance
from engine.kit.effects import needed_at, pick_card
from engine.kit.entries import with_entry, without
from engine.kit.piles import Pile


def clamp(value: int, most: int) -> int:
    """Return `value` limited to the range from 0 to `most`."""
    return max(0, min(value, most))


def fill_box(state: WatersState, seat: int, skill: Skill) -> tuple[str | None, WatersState]:
    """Fill in the left-most free box of a skill (FW-R8). Return its content and the state; None if no box is free."""
    boxes, counts = state.sheet(seat).boxes[skill], state.pirates[seat].boxes
    at = SKILLS.index(skill)
    if counts[at] == len(boxes):
        return None, state
    return boxes[counts[at]], state.with_pirate(seat, boxes=with_entry(counts, at, counts[at] + 1))


def fill_star(state: WatersState, seat: int, star: str) -> WatersState:
    """Fill in a star; an event star gives a constellation event token (FW-R9)."""
    pirate = state.pirates[seat]
    # In version 1, the tokens in the box are a limit.
    is_left = not state.is_version_1 or sum(one.event_tokens for one in state.pirates) < state.pack.tokens.events
    tokens = pirate.event_tokens + (star in state.sheet(seat).event_stars and is_left)
    return state.with_pirate(seat, stars=(*pirate.stars, star), event_tokens=tokens)


def gain(state: WatersState, seat: int, treasure: str) -> WatersState:
    """Put a treasure into play for `seat`."""
    return state.with_pirate(seat, treasures=(*state.pirates[seat].treasures, treasure))


def take_named(state: WatersState, seat: int, name: str) -> WatersState:
    """Put into play the treasure called `name`, which the players drew from their own deck.

    If no card of the deck has this name yet, a card without a name gets it. The deck must not be empty.
    """
    ranks = {name: 0, None: 1}
    layer, lower = needed_at(state.treasure_pile.layers, 0), state.treasure_pile.layers[1:]
    card = pick_card(layer, lambda card: ranks.get(state.given_name(card), 2))
    rest = without(layer, card)
    pile = Pile((rest, *lower) if rest else lower)
    return gain(replace(state, treasure_pile=pile), seat, card).with_entry("names", card, name)


def lose(state: WatersState, seat: int, treasure: str) -> WatersState:
    """Take a treasure from `seat`. The caller must put it somewhere."""
    treasures = needed_at(state.pirates, seat).treasures
    return state.with_pirate(seat, treasures=tuple(card for card in treasures if card != treasure))


def discard(state: WatersState, seat: int, treasure: str) -> WatersState:
    """Put a treasure on the discard pile, without its effect."""
    return replace(lose(state, seat, treasure), treasure_discard=(*state.treasure_discard, treasure))


def take_story(state: WatersState, seat: int, story: str) -> WatersState:
    """Give a story card to `seat`, from the deck or from its owner (FW-R18)."""
    state = return_story(state, story)
    return state.with_pirate(seat, stories=(*state.pirates[seat].stories, story))


def return_story(state: WatersState, story: str) -> WatersState:
    """Put a story card back into the deck."""
    for seat, pirate in enumerate(state.pirates):
        if story in pirate.stories:
            return state.with_pirate(seat, stories=without(pirate.stories, story))
    return state


def gain_cannon(state: WatersState, cannon: Cannon) -> WatersState:
    """Put a cannon on the Gunner's board, if the supply and the board allow it (FW-R16)."""
    is_possible = state.cannons_left(cannon.level) > 0 and len(state.cannons) < CANNON_LIMIT
    return with_cannon(state, cannon) if is_possible else state


def with_cannon(state: WatersState, cannon: Cannon) -> WatersState:
    """Add a cannon to the Gunner's board."""
    return replace(state, cannons=tuple(sorted((*state.cannons, cannon))))


def without_cannon(state: WatersState, cannon: Cannon) -> WatersState:
    """Remove a cannon from the Gunner's board."""
    return replace(state, cannons=without(state.cannons, cannon))


def is_drawn_for(state: WatersState, space: str) -> bool:
    """Return True if a navigation token must be drawn or flipped on a space before the ship enters it (FW-R14)."""
    if state.is_version_1:
        return state.is_empty(space) and bool(state.navigation_pile.layers)
    return space in state.face_down or (state.is_empty(space) and free_tokens(state) > 0)


def free_tokens(state: WatersState) -> int:
    """Return the number of navigation tokens left to draw: those in the pile, without those face down on the map."""
    layers = state.navigation_pile.layers
    return len(layers[0]) - len(state.face_down) if layers else 0


def draw_token(state: WatersState, space: str, chance: Chance) -> WatersState:
    """Draw a navigation token onto a space, or flip the face-down token there.

    A face-down token can be any unseen token, so both are a draw. The pile must not be empty.
    """
    token, pile = state.navigation_pile.draw(chance, "navigation_token")
    face_down = tuple(other for other in state.face_down if other != space)
    state = state.with_entry("tokens", space, token)
    return shuffle_returned(replace(state, navigation_pile=pile, face_down=face_down))


def clear_space(state: WatersState, space: str) -> WatersState:
    """Take the token off a space; a navigation token returns to the pile (FW-R28)."""
    pile, token = state.navigation_pile, state.token_on(space)
    if token in state.pack.navigation_counts:
        # Put it at the bottom: it is shuffled in later, so face-down tokens on the map cannot be this one.
        pile = pile.shuffle_in((token,)) if state.is_version_1 else pile.put_at_bottom(token)
    face_down = tuple(other for other in state.face_down if other != space or state.is_version_1)
    state = state.with_entry("names", space, None).with_entry("tokens", space, None)
    return shuffle_returned(replace(state, navigation_pile=pile, face_down=face_down))


def shuffle_returned(state: WatersState) -> WatersState:
    """Shuffle returned tokens into the pile, unless tokens are face down on the map."""
    pile = state.navigation_pile
    return state if state.face_down or len(pile.layers) < 2 else replace(state, navigation_pile=pile.shuffle_in(()))


def sea_spaces(state: WatersState) -> Iterator[str]:
    """Yield the spaces to which the ship can move: adjacent ones without rocky waters."""
    return (space for space in state.map.spaces()[state.ship] if not state.is_rocky(space))


def scout_spaces(state: WatersState) -> list[str]:
    """Return the empty spaces next to the ship or to a navigation token (FW-R15); empty if no token is left."""
    if free_tokens(state) < 1:
        return []
    spaces, navigation = state.map.spaces(), state.pack.navigation_counts
    places = {state.ship, *state.face_down, *(space for space, token in state.tokens if token in navigation)}
    taken = {*state.face_down, *(space for space, _ in state.tokens)}
    return sorted({near for place in places for near in spaces[place]} - taken)
