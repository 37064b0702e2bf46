"""What changes hands: boxes and stars, treasures and stories, cannons, and where the ship can go; no decisions."""

from __future__ import annotations

from engine.games.forgotten_waters.effects import SKILLS, Skill
from engine.games.forgotten_waters.pack import Cannon
from engine.games.forgotten_waters.state import CANNON_LIMIT, WatersState, replace


def clamp(value: int, most: int) -> int:
    """`value` within 0 and `most`."""
    return max(0, min(value, most))


def fill_box(state: WatersState, seat: int, skill: Skill) -> tuple[str | None, WatersState]:
    """Fill in the left-most box of a skill that is left: what was in it, None if there is none (FW-R8)."""
    pirate = state.pirates[seat]
    boxes = state.sheet(seat).boxes[skill]
    filled = pirate.filled(skill)
    if filled == len(boxes):
        return None, state
    counts = tuple(count + (of == skill) for of, count in zip(SKILLS, pirate.boxes, strict=True))
    return boxes[filled], state.with_pirate(seat, replace(pirate, boxes=counts))


def fill_star(state: WatersState, seat: int, star: str) -> WatersState:
    """Fill in a star; one of the constellation's events gives its token, if the supply has one (FW-R9)."""
    pirate = state.pirates[seat]
    tokens = pirate.event_tokens
    if star in state.sheet(seat).event_stars:
        out = sum(other.event_tokens for other in state.pirates)
        tokens += out < state.pack.tokens.events
    return state.with_pirate(seat, replace(pirate, stars=(*pirate.stars, star), event_tokens=tokens))


def gain(state: WatersState, seat: int, treasure: str) -> WatersState:
    """Put a treasure into play before that seat."""
    pirate = state.pirates[seat]
    return state.with_pirate(seat, replace(pirate, treasures=(*pirate.treasures, treasure)))


def lose(state: WatersState, seat: int, treasure: str) -> WatersState:
    """Take a treasure out of play from before that seat; where it goes is the caller's."""
    pirate = state.pirates[seat]
    left = tuple(card for card in pirate.treasures if card != treasure)
    return state.with_pirate(seat, replace(pirate, treasures=left))


def discard(state: WatersState, seat: int, treasure: str) -> WatersState:
    """Put a treasure on the discard pile, without its effect."""
    return replace(lose(state, seat, treasure), treasure_discard=(*state.treasure_discard, treasure))


def take_story(state: WatersState, seat: int, story: str) -> WatersState:
    """Put a story card into play before that seat, from the deck or else from whoever has it (FW-R18)."""
    state = return_story(state, story)
    pirate = state.pirates[seat]
    return state.with_pirate(seat, replace(pirate, stories=(*pirate.stories, story)))


def return_story(state: WatersState, story: str) -> WatersState:
    """Put a story card back into the deck."""
    for seat, pirate in enumerate(state.pirates):
        if story in pirate.stories:
            left = tuple(card for card in pirate.stories if card != story)
            return state.with_pirate(seat, replace(pirate, stories=left))
    return state


def gain_cannon(state: WatersState, level: int, *, is_loaded: bool) -> WatersState:
    """Put a cannon on the Gunner's board, if the supply has one and the board has room (FW-R16)."""
    if state.cannons_left(level) < 1 or len(state.cannons) == CANNON_LIMIT:
        return state
    return with_cannon(state, Cannon(level, is_loaded))


def with_cannon(state: WatersState, cannon: Cannon) -> WatersState:
    """The state with one cannon more."""
    return replace(state, cannons=tuple(sorted((*state.cannons, cannon))))


def without_cannon(state: WatersState, cannon: Cannon) -> WatersState:
    """The state with one cannon less."""
    at = state.cannons.index(cannon)
    return replace(state, cannons=state.cannons[:at] + state.cannons[at + 1 :])


def sea_spaces(state: WatersState) -> list[str]:
    """Where the ship can move: next to it, rocky waters excepted."""
    return [space for space in state.map.spaces()[state.ship] if not state.is_rocky(space)]


def scout_spaces(state: WatersState) -> list[str]:
    """The empty spaces next to the ship or to a navigation token (FW-R15); none if no token is left."""
    if len(state.navigation_pile) <= len(state.face_down):
        return []
    spaces = state.map.spaces()
    navigation = {token.id for token in state.pack.navigation}
    places = {state.ship, *state.face_down, *(space for space, token in state.tokens if token in navigation)}
    taken = {*state.face_down, *(space for space, _ in state.tokens)}
    return sorted({near for place in places for near in spaces[place]} - taken)
