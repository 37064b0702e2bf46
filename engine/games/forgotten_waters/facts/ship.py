"""Facts about the ship, the map, and the players' notes: tracks, cannons, tokens, entries, and own components."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Self

from msgspec import Meta

from engine.core.language import say
from engine.games.forgotten_waters import headings
from engine.games.forgotten_waters.rules.holdings import shuffle_returned
from engine.games.forgotten_waters.scenario.pack import CANNON_LIMIT, Cannon, Natural, Slots
from engine.games.forgotten_waters.scenario.values import STATS, CardName, Id, Level, Skill, Stat
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import WatersFact, inline_name, printed_name, reference
from engine.kit.common_facts import IsSo
from engine.kit.facts import CannotBe, Fact, Texts, Told
from engine.kit.piles import Pile
from engine.kit.words import counted, join_words


class _OfStat(Fact[WatersState], frozen=True):
    """A fact about a ship stat."""

    word = staticmethod(inline_name)
    stat: Stat
    value: Natural


class TrackEnds(_OfStat, frozen=True):
    """The length of a ship stat's track."""

    texts = Texts("The ship's {stat} can be {value} at most.")
    rows = staticmethod(lambda state: ((stat, getattr(state.maxima, stat)) for stat in STATS))

    def put(self, state: WatersState, told: Told) -> WatersState:
        return replace(state, maxima=replace(state.maxima, **{self.stat: self.value}))


class ShipStat(_OfStat, frozen=True):
    """The position of the marker of a ship stat."""

    texts = Texts("The ship's log has {stat} at {value}.", "The ship's log no longer has {stat} at {value}.")
    rows = staticmethod(lambda state: ((stat, getattr(state, stat)) for stat in STATS))

    def put(self, state: WatersState, told: Told) -> WatersState:
        most, rule = getattr(state.maxima, self.stat), headings.GAINING_LOSING_SHIP_STATS
        self.require(self.value <= most, "The track of {stat} ends at {value}.", rule, value=most)
        return replace(state, **{self.stat: self.value})


class CannonsAre(Fact[WatersState], frozen=True):
    """The number of cannons of a level on the Gunner's board, loaded and unloaded."""

    about = ("level",)
    none = {"loaded": 0, "unloaded": 0}
    texts = Texts("The ship has {loaded} loaded and {unloaded} unloaded level-{level} cannons.")
    level: Level
    loaded: Slots = 0
    unloaded: Slots = 0

    @classmethod
    def all(cls, state: WatersState) -> Iterable[Self]:
        for level in sorted({cannon.level for cannon in state.cannons}):
            loaded, unloaded = (state.cannons.count(Cannon(level, is_loaded)) for is_loaded in (True, False))
            yield cls(level, loaded, unloaded)

    def put(self, state: WatersState, told: Told) -> WatersState:
        there = state.pack.supply.get(self.level, 0)
        is_possible = self.loaded + self.unloaded <= there
        self.require(is_possible, "There are only {count} level-{level} cannons.", headings.CANNONS, count=there)
        own = (*(Cannon(self.level, is_loaded=True),) * self.loaded, *(Cannon(self.level),) * self.unloaded)
        others = [cannon for cannon in state.cannons if cannon.level != self.level]
        fits = len(own) + len(others) <= CANNON_LIMIT
        self.require(fits, "The Gunner's board has room for {count} cannons.", headings.CANNONS, count=CANNON_LIMIT)
        return replace(state, cannons=tuple(sorted((*others, *own))))


class Threat(Fact[WatersState], frozen=True):
    """The number of threat tokens on the objective."""

    none = {"count": 0}
    member = "threat"
    texts = Texts("The threat is at {count}.")
    count: Natural

    def put(self, state: WatersState, told: Told) -> WatersState:
        there, rule = state.pack.tokens.threat, headings.GAINING_LOSING_CHECKING_THREAT
        self.require(self.count <= there, "There are only {tokens}.", rule, tokens=counted(there, "threat token"))
        return super().put(state, told)


class ThreatEventsChecked(Fact[WatersState], frozen=True):
    """The number of threat events that are checked off."""

    none = {"count": 0}
    member = "threat_events"
    texts = Texts("Threat events checked off: {count}.")
    texts_of = {0: Texts("Threat events checked off: none.")}
    count: Natural

    def put(self, state: WatersState, told: Told) -> WatersState:
        last, rule = state.last_threat_event, headings.GAINING_LOSING_CHECKING_THREAT
        self.require(self.count <= last, "The ship's log has {count} threat events.", rule, count=last)
        return super().put(state, told)


class ObjectiveIs(WatersFact, frozen=True):
    """The objective card, and the threat at which a threat event occurs."""

    texts = Texts("The objective is {objective}; its threat limit is {threat_limit}.")
    rows = staticmethod(lambda state: [(state.objective, state.threat_limit)])
    objective: Id
    threat_limit: Annotated[int, Meta(ge=1, le=5)]

    def put(self, state: WatersState, told: Told) -> WatersState:
        is_known = state.pack.is_open or self.objective in state.pack.objective_card
        self.require(is_known, "The scenario has no objective {objective}.", headings.OBJECTIVE_CARDS)
        return replace(state, objective=self.objective, threat_limit=self.threat_limit)


class TokenAt(WatersFact, frozen=True):
    """The token that lies face up on a space."""

    none = {"token": None}
    rows = staticmethod(lambda state: state.tokens)
    moves_things = True
    texts = Texts("{space} has {token}.", "{token} is no longer on {space}.")
    texts_of = {None: Texts("There is nothing face up on {space}.", "{space} is not empty now.")}
    words_of = {"space": str}
    space: Id
    token: Id | None

    def put(self, state: WatersState, told: Told) -> WatersState:
        self.require(self.space in state.map.spaces(), "The map has no space {space}.", headings.SETUP)
        if self.token is None:
            return _remove_token(state, self.space, told)
        known = state.pack.token.get(self.token)
        self.require(known or state.pack.is_open, "The scenario has no token {token}.", headings.SETUP)
        is_passable = self.space != state.ship or not getattr(known, "is_rocky", False)
        self.require(is_passable, "The ship is there, so the space cannot be rocky waters.", headings.MOVING)
        if self.space in state.face_down:
            self.require(not told.speaks_of(FaceDown), "{space} has a face-down navigation token.", headings.SCOUTING)
            state = replace(state, face_down=tuple(space for space in state.face_down if space != self.space))
        state = _draw_token(_remove_token(state, self.space, told), self.token, told)
        return shuffle_returned(state.with_entry("tokens", self.space, self.token))


def _remove_token(state: WatersState, space: str, told: Told) -> WatersState:
    """Return `state` without the face-up token on a space. A navigation token returns to the pile."""
    token = state.token_on(space)
    if token is None:
        return state
    if token in state.pack.navigation_counts:
        first, *rest = state.navigation_pile.layers or ((),)
        state = replace(state, navigation_pile=Pile((tuple(sorted((*first, token))), *rest)))
    if not told.speaks_of(CalledSo, space):
        state = state.with_entry("names", space, None)
    return state.with_entry("tokens", space, None)


def _draw_token(state: WatersState, token: str, told: Told) -> WatersState:
    """Take one navigation token of a kind from the pile or from an unreported space, and return the state."""
    count = state.pack.navigation_counts.get(token)
    if count is None:
        return state
    if token not in state.navigation_pile.cards():
        untold = [space for space, lies in state.tokens if lies == token and not told.speaks_of(TokenAt, space)]
        if not untold:
            message = say("There are only {count} {token}.", count=count, token=printed_name(token))
            raise CannotBe(message, headings.SETUP)
        state = _remove_token(state, untold[0], told)
    return replace(state, navigation_pile=state.navigation_pile.without(token))


class FaceDown(WatersFact, frozen=True):
    """The spaces on which navigation tokens lie face down, in the order of placing."""

    none = {"spaces": ()}
    member = "face_down"
    texts = Texts("Navigation tokens are face down on: {spaces}.")
    words_of = {"spaces": join_words}
    spaces: tuple[Id, ...]

    def put(self, state: WatersState, told: Told) -> WatersState:
        for space in self.spaces:
            self.require(space in state.map.spaces(), "The map has no space {space}.", headings.SETUP, space=space)
        self.require(len(set(self.spaces)) == len(self.spaces), "A space can have only one token.", headings.SCOUTING)
        for space in self.spaces:
            if state.token_on(space) is not None:
                is_free = not told.speaks_of(TokenAt, space)
                self.require(is_free, "{space} has a face-up token.", headings.SCOUTING, space=space)
                state = _remove_token(state, space, told)
        return shuffle_returned(replace(state, face_down=self.spaces))


class TokensReturned(WatersFact, frozen=True):
    """The number of returned navigation tokens of a kind. They are shuffled in once no token is face down."""

    none = {"count": 0}
    texts = Texts("Returned but not yet shuffled in: {count} {token}.")
    texts_of = {0: Texts("Returned but not yet shuffled in: no {token}.")}
    rows = staticmethod(lambda state: sorted(_returned_tokens(state).items()))
    token: Id
    count: Annotated[int, Meta(ge=0, le=30)] = 1

    def put(self, state: WatersState, told: Told) -> WatersState:
        self.require(state.face_down, "No token is face down: returned tokens were shuffled in.", headings.SCOUTING)
        returned = _returned_tokens(state)
        returned[self.token] = self.count
        first = Counter(state.navigation_pile.cards())
        first.subtract(returned)
        self.require(first[self.token] >= 0, "There are not enough {token} off the map.", headings.SETUP)
        pile = Pile((tuple(first.elements()), tuple(returned.elements())))
        return replace(state, navigation_pile=pile.sort_layers())


def _returned_tokens(state: WatersState) -> Counter[str]:
    return Counter(token for layer in state.navigation_pile.layers[1:] for token in layer)


class ShipAt(WatersFact, frozen=True):
    """The space on which the ship is."""

    member = "ship"
    texts = Texts("The ship is at {space}.", "The ship is no longer at {space}.")
    words_of = {"space": str}
    space: Id

    def put(self, state: WatersState, told: Told) -> WatersState:
        self.require(self.space in state.map.spaces(), "The map has no space {space}.", headings.SETUP)
        is_passable = not state.is_rocky(self.space)
        self.require(is_passable, "Rocky waters are at {space}: the ship cannot be there.", headings.MOVING)
        return super().put(state, told)


class ShipHasStopped(IsSo[WatersState], frozen=True):
    """True if the ship cannot move any farther this round."""

    member = "has_stopped"
    texts = Texts("The ship cannot move any more this round.")
    texts_of = {False: Texts("The ship can still move this round.")}


class CountIs(WatersFact, frozen=True):
    """A number kept in the ship's log."""

    none = {"value": 0}
    texts = Texts("The ship's log has: {counter} {value}.")
    rows = staticmethod(lambda state: state.counts)
    counter: Id
    value: Natural

    def put(self, state: WatersState, told: Told) -> WatersState:
        return state.with_entry("counts", self.counter, self.value or None)


class EntriesRead(WatersFact, frozen=True):
    """The number of times that an entry was read."""

    none = {"count": 0}
    texts = Texts("Entry {entry} was read {count}.")
    words_of = {"entry": reference, "count": lambda count: counted(count, "time")}
    rows = staticmethod(lambda state: Counter(state.entries).items())
    entry: Id
    count: Annotated[int, Meta(ge=0, le=20_000)] = 1

    def put(self, state: WatersState, told: Told) -> WatersState:
        is_known = state.pack.is_open or self.entry in state.pack.entry
        self.require(is_known, "The scenario has no entry {entry}.", headings.EFFECTS)
        left, entries = self.count, []
        for entry in state.entries:
            if entry != self.entry or left:
                entries.append(entry)
                left -= entry == self.entry
        return replace(state, entries=(*entries, *(self.entry,) * left))


class _OfOwnBox(WatersFact, frozen=True):
    """A fact about a table's own cards or tokens, which is impossible if the scenario defines all cards and tokens."""

    def put(self, state: WatersState, told: Told) -> WatersState:
        self.require(
            state.pack.is_open,
            "You can only enter components if you play a scenario from your own copy of the game. This "
            "scenario knows its components.",
            headings.SETUP,
        )
        return state


class CalledSo(_OfOwnBox, frozen=True):
    """The players' name for a card from their own copy of the game, or for the token on a space."""

    none = {"name": None}
    rows = staticmethod(lambda state: state.names or ())
    texts = Texts("{of} is called {name}.")
    texts_of = {None: Texts("{of} has no name yet.")}
    words_of = {"name": str}
    of: Id
    name: CardName | None

    def put(self, state: WatersState, told: Told) -> WatersState:
        state = super().put(state, told)
        is_known = self.of in state.pack.card or self.of in state.map.spaces()
        self.require(is_known, "There is no card or space {of}.", headings.SETUP, of=self.of)
        return state.with_entry("names", self.of, self.name)


class IconIs(_OfOwnBox, frozen=True):
    """The bonus in skill checks of a card from the players' own copy of the game."""

    about = ("card", "skill")
    none = {"n": 0}
    rows = staticmethod(lambda state: (icon for icon in state.icons if icon[2]))
    texts = Texts("{card} adds {n} to {skill}.")
    words_of = {"skill": inline_name}
    card: Id
    skill: Skill
    n: Annotated[int, Meta(ge=0, le=12)]

    def put(self, state: WatersState, told: Told) -> WatersState:
        return super().put(state, told).with_entry("icons", self.card, self.skill, self.n)
