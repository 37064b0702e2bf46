"""Facts of the map: the tokens on its spaces, and the ship."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Self

from msgspec import Meta

from engine.core.language import say
from engine.games.forgotten_waters.facts.log import CalledSo
from engine.games.forgotten_waters.headings import MOVING, SCOUTING, SETUP
from engine.games.forgotten_waters.rules.holdings import mixed
from engine.games.forgotten_waters.scenario.effect_values import Id
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import WatersFact, listed, printed
from engine.kit.common_facts import IsSo
from engine.kit.facts import CannotBe, Texts, Told
from engine.kit.piles import Pile


def _on_the_map(state: WatersState, spaces: Iterable[str]) -> None:
    """Reject an unknown space of the map."""
    for space in spaces:
        if space not in state.map.spaces():
            raise CannotBe(say("The map has no space {space}.", space=space), SETUP)


class TokenAt(WatersFact, frozen=True):
    """The token that lies face up on a space."""

    none = {"token": None}
    moves_things = True
    texts = Texts("{space} has {token}.", "{token} is no longer on {space}.")
    texts_of = {None: Texts("{space} has nothing face up.", "{space} is not empty now.")}
    words_of = {"space": str}
    space: Id
    token: Id | None

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(space, token) for space, token in state.tokens)

    def put(self, state: WatersState, told: Told) -> WatersState:
        _on_the_map(state, [self.space])
        if self.token is None:
            return _lifted(state, self.space, told)
        known = state.pack.token.get(self.token)
        self.require(known or state.pack.is_open, "The scenario has no token {token}.", SETUP)
        is_passable = self.space != state.ship or not getattr(known, "is_rocky", False)
        self.require(is_passable, "The ship is there, so the space cannot be rocky waters.", MOVING)
        if self.space in state.face_down:
            self.require(not told.speaks_of(FaceDown), "{space} has a face-down navigation token.", SCOUTING)
            state = replace(state, face_down=tuple(space for space in state.face_down if space != self.space))
        state = _drawn(_lifted(state, self.space, told), self.token, told)
        return mixed(replace(state, tokens=tuple(sorted((*state.tokens, (self.space, self.token))))))


def _lifted(state: WatersState, space: str, told: Told) -> WatersState:
    """Return `state` without the face-up token on a space. A navigation token returns to the pile."""
    token = state.token_on(space)
    if token is None:
        return state
    if token in {kind.id for kind in state.pack.navigation}:
        first, *rest = state.navigation_pile.layers or ((),)
        state = replace(state, navigation_pile=Pile((tuple(sorted((*first, token))), *rest)))
    if not told.speaks_of(CalledSo, space):
        state = state.with_name(space, None)
    return replace(state, tokens=tuple(one for one in state.tokens if one[0] != space))


def _drawn(state: WatersState, token: str, told: Told) -> WatersState:
    """Return `state` without one navigation token of a kind, which is taken from the pile or an unreported space."""
    count = {kind.id: kind.count for kind in state.pack.navigation}.get(token)
    if count is None:
        return state
    if token not in state.navigation_pile.cards():
        untold = [space for space, lies in state.tokens if lies == token and not told.speaks_of(TokenAt, space)]
        if not untold:
            raise CannotBe(say("There are only {count} {token}.", count=count, token=printed(token)), SETUP)
        state = _lifted(state, untold[0], told)
    return replace(state, navigation_pile=state.navigation_pile.without(token))


class FaceDown(WatersFact, frozen=True):
    """The spaces on which navigation tokens lie face down, in the order of placing."""

    none = {"spaces": ()}
    member = "face_down"
    texts = Texts("Navigation tokens are face down on: {spaces}.")
    words_of = {"spaces": listed}
    spaces: tuple[Id, ...]

    def put(self, state: WatersState, told: Told) -> WatersState:
        _on_the_map(state, self.spaces)
        self.require(len(set(self.spaces)) == len(self.spaces), "A space can have only one token.", SCOUTING)
        for space in self.spaces:
            if state.token_on(space) is not None:
                is_free = not told.speaks_of(TokenAt, space)
                self.require(is_free, "{space} has a face-up token.", SCOUTING, space=space)
                state = _lifted(state, space, told)
        return mixed(replace(state, face_down=self.spaces))


class TokensReturned(WatersFact, frozen=True):
    """The number of navigation tokens of a kind that were returned and will be shuffled in once none is face down."""

    none = {"count": 0}
    texts = Texts("Returned but not yet shuffled in: {count} {token}.")
    texts_of = {0: Texts("Returned but not yet shuffled in: no {token}.")}
    token: Id
    count: Annotated[int, Meta(ge=0, le=30)] = 1

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        return (cls(token, count) for token, count in sorted(_returned(state).items()))

    def put(self, state: WatersState, told: Told) -> WatersState:
        self.require(state.face_down, "No token is face down: returned tokens were shuffled in.", SCOUTING)
        returned = _returned(state)
        returned[self.token] = self.count
        first = Counter(state.navigation_pile.cards())
        first.subtract(returned)
        self.require(first[self.token] >= 0, "There are not enough {token} off the map.", SETUP)
        pile = Pile((tuple(first.elements()), tuple(returned.elements())))
        return replace(state, navigation_pile=pile.tidied())


def _returned(state: WatersState) -> Counter[str]:
    return Counter(token for layer in state.navigation_pile.layers[1:] for token in layer)


class ShipAt(WatersFact, frozen=True):
    """The space on which the ship is."""

    member = "ship"
    texts = Texts("The ship is at {space}.", "The ship is no longer at {space}.")
    words_of = {"space": str}
    space: Id

    def put(self, state: WatersState, told: Told) -> WatersState:
        _on_the_map(state, [self.space])
        self.require(not state.is_rocky(self.space), "Rocky waters are at {space}: the ship cannot be there.", MOVING)
        return super().put(state, told)


class ShipHasStopped(IsSo[WatersState], frozen=True):
    """True if the ship cannot move any farther this round."""

    member = "has_stopped"
    texts = Texts("The ship cannot move any more this round.")
    texts_of = {False: Texts("The ship can still move this round.")}
