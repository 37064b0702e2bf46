"""Moving the Ship, and Scouting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from engine.chance import Chance
from engine.events import Value
from engine.games.forgotten_waters.base import WatersAction, not_yours, waiting
from engine.games.forgotten_waters.effects import Flip, Id, MoveShip, Scout
from engine.games.forgotten_waters.holdings import scout_spaces, sea_spaces
from engine.games.forgotten_waters.resolve import one_less, settle, with_effect
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.tell import token_name
from engine.ruleset import Refusal

MOVING = "Moving the Ship"
SCOUTING = "Scouting"


class MoveTheShip(WatersAction, frozen=True):
    """Move the ship to an adjacent space; onto an empty one a navigation token is drawn first."""

    type = "move_ship"
    rule = MOVING
    asks = True
    to: Id

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        return map(cls, sea_spaces(state)) if waiting(state, MoveShip) is not None else ()

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if waiting(state, MoveShip) is None:
            return Refusal(MOVING, "The ship is not moved now.")
        if refusal := not_yours(state, seat, MOVING):
            return refusal
        if self.to not in state.map.spaces()[state.ship]:
            return Refusal(MOVING, "The ship moves to an adjacent space.")
        if state.is_rocky(self.to):
            return Refusal(MOVING, "The ship cannot be moved onto rocky waters.")
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        effect = waiting(state, MoveShip)
        assert effect is not None
        # FW-R14: with no token left the space stays empty.
        if state.is_empty(self.to) and state.navigation_pile.layers:
            token, pile = state.navigation_pile.draw(chance, "navigation_token")
            tokens = tuple(sorted((*state.tokens, (self.to, token))))
            state = replace(state, navigation_pile=pile, tokens=tokens)
        there = state.pack.token.get(state.token_on(self.to) or "")
        has_stopped = there is not None and there.stops
        return settle(one_less(replace(state, ship=self.to, has_stopped=has_stopped), effect))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        token = state.token_on(self.to)
        return f"Move the ship to {self.to}" + (f" ({token_name(state, token)})" if token is not None else "")

    def told(self, state: WatersState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        token = str(outcomes[0]) if outcomes else state.token_on(self.to)
        return f"moves the ship to {self.to}" + (f": {token_name(state, token)}" if token is not None else "")


class ScoutSpace(WatersAction, frozen=True):
    """Place a navigation token face down on an empty space next to the ship or to a navigation token."""

    type = "scout_space"
    rule = SCOUTING
    space: Id

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        return map(cls, scout_spaces(state)) if waiting(state, Scout) is not None else ()

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if waiting(state, Scout) is None:
            return Refusal(SCOUTING, "No space is scouted now.")
        if refusal := not_yours(state, seat, SCOUTING):
            return refusal
        if self.space not in scout_spaces(state):
            return Refusal(SCOUTING, "That is no empty space next to the ship or to a navigation token.")
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        effect = waiting(state, Scout)
        assert effect is not None
        state = replace(state, face_down=(*state.face_down, self.space))
        return settle(with_effect(state, replace(effect, n=effect.n - 1) if effect.n > 1 else Flip()))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return f"Scout {self.space}"

    def told(self, state: WatersState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return f"scouts {self.space}"


class FlipToken(WatersAction, frozen=True):
    """Flip the next of the scouted navigation tokens face up, in the order of placing."""

    type = "flip_token"
    rule = SCOUTING
    asks = True

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        yield cls()

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        if waiting(state, Flip) is None:
            return Refusal(SCOUTING, "No scouted token lies face down.")
        return not_yours(state, seat, SCOUTING)

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        # Nobody knows which tokens lie face down, so each may be any of those not seen yet.
        token, pile = state.navigation_pile.draw(chance, "navigation_token")
        space, *rest = state.face_down
        tokens = tuple(sorted((*state.tokens, (space, token))))
        return settle(replace(state, navigation_pile=pile, tokens=tokens, face_down=tuple(rest)))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        return f"Flip the token on {state.face_down[0]}"

    def told(self, state: WatersState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        return f"flips the token on {state.face_down[0]}: {token_name(state, str(outcomes[0]))}"
