"""The actions of the Gunner's board: move the ship, scout spaces, and load, unload and upgrade cannons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

from engine.core.language import marked, say
from engine.core.values import Value
from engine.games.forgotten_waters.actions.base import ChoosingAction, ResolvingAction, WatersAction, nothing_else
from engine.games.forgotten_waters.actions.own_book import Named, is_read, named_schema
from engine.games.forgotten_waters.headings import CANNONS, MOVING, SCOUTING
from engine.games.forgotten_waters.rules import holdings
from engine.games.forgotten_waters.rules.resolving import one_less, settle, waiting, with_effect
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario.effects import Flip
from engine.games.forgotten_waters.scenario.pack import Cannon
from engine.games.forgotten_waters.scenario.values import CardName, Id, Level
from engine.games.forgotten_waters.state import WatersState, replace
from engine.games.forgotten_waters.words import cannon_name, name_on, token_name
from engine.kit.chance import Chance
from engine.kit.effects import needed, needed_at
from engine.kit.ruleset import Refusal


class MoveShip(ChoosingAction, frozen=True, omit_defaults=True):
    """Move the ship to an adjacent space. First draw a navigation token for an empty space, or flip a face-down one."""

    verb = "tap a lit space"
    symbol = "ship"
    rule = MOVING
    effects = (do.MoveShip,)
    unasked = Refusal(MOVING, "You cannot move the ship now.")
    asks_chance = True
    choices = staticmethod(lambda state, _seat: holdings.sea_spaces(state))
    to: Id
    name: CardName | None = None
    """For a table's own box: the players' name for the token that is drawn or flipped there."""

    @classmethod
    def ranges(cls, state: WatersState, seat: int) -> dict[str, Any] | None:
        if not is_read(state):
            return None
        legal = [one for one in cls.candidates(state, seat) if one.refusal(state, seat) is None]
        drawn = [one.to for one in legal if holdings.is_drawn_for(state, one.to)]
        return named_schema(to={"enum": drawn}) if drawn else None

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        if self.to not in state.map.spaces()[state.ship]:
            return Refusal(MOVING, "The ship moves to an adjacent space.")
        if state.is_rocky(self.to):
            return Refusal(MOVING, "The ship cannot be moved onto rocky waters.")
        if self.name is not None and not (is_read(state) and holdings.is_drawn_for(state, self.to)):
            return Refusal(MOVING, "No token is drawn on that space, so omit its name.")
        return None

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = one_less(state, do.MoveShip)
        needed(state.map.spaces().get(self.to))
        # If no token is left, the space stays empty (FW-R14).
        if holdings.is_drawn_for(state, self.to):
            state = holdings.draw_token(state, self.to, chance).with_entry("names", self.to, self.name)
        there = state.pack.token.get(state.token_on(self.to) or "")
        has_stopped = there is not None and there.stops
        return settle(replace(state, ship=self.to, has_stopped=has_stopped))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        token = state.token_on(self.to)
        there = say("a scouted token") if self.to in state.face_down else token and name_on(state, self.to, token)
        there = self.name or there
        return say("Move the ship to {space}", space=self.to) + (f" ({there})" if there else "")

    def sentence(self, state: WatersState, seat: int, outcomes: Sequence[Value], pirate: str) -> str:
        token = str(outcomes[0]) if outcomes else state.token_on(self.to)
        there = self.name or (token and name_on(state, self.to, token))
        return say("{pirate} moves the ship to {space}", pirate=pirate, space=self.to) + (f": {there}" if there else "")


class ScoutSpace(ChoosingAction, frozen=True):
    """Place a navigation token face down on an empty space next to the ship or another navigation token."""

    verb = "scout a space"
    button_text = marked("Scout {space}")
    report_text = marked("{pirate} scouts {space}")
    symbol = "eye"
    rule = SCOUTING
    effects = (do.Scout,)
    unasked = Refusal(SCOUTING, "You cannot scout a space now.")
    choices = staticmethod(lambda state, _seat: holdings.scout_spaces(state))
    words_of = {"space": str}
    space: Id

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        if self.space in holdings.scout_spaces(state):
            return None
        return Refusal(SCOUTING, "Choose an empty space next to the ship or next to a navigation token.")

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        effect = needed(waiting(state, do.Scout))
        needed(state.map.spaces().get(self.space))
        state = replace(state, face_down=(*state.face_down, self.space))
        return settle(with_effect(state, replace(effect, n=effect.n - 1) if effect.n > 1 else Flip()))


class FlipToken(Named, frozen=True):
    """Flip the next scouted navigation token face up, in the order of placing."""

    verb = "turn a token over"
    rule = SCOUTING
    effects = (Flip,)
    unasked = Refusal(SCOUTING, "No scouted token is face down.")
    has_name = Refusal(SCOUTING, "You cannot rename the tokens of this scenario.")
    asks_chance = True

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        # A face-down token can be any unseen token, because nobody has looked at it.
        space = needed_at(state.face_down, 0)
        return settle(holdings.draw_token(state, space, chance).with_entry("names", space, self.name))

    def label(self, state: WatersState, names: Sequence[str]) -> str:
        said = say("Flip the token on {space}", space=state.face_down[0])
        return f"{said}: {self.name}" if self.name else said

    def sentence(self, state: WatersState, seat: int, outcomes: Sequence[Value], pirate: str) -> str:
        space, token = state.face_down[0], self.name or token_name(state, str(outcomes[0]))
        return say("{pirate} flips the token on {space}: {token}", pirate=pirate, space=space, token=token)


_OF_THE_GUNNER = marked("Only the Gunner can change the cannons.")


def _missing(state: WatersState, cannon: Cannon) -> Refusal | None:
    if cannon in state.cannons:
        return None
    return Refusal(CANNONS, say("There is no {cannon} on the ship.", cannon=cannon_name(cannon)))


class _AnyCannon(WatersAction, frozen=True):
    """Base of the actions with a cannon, loaded or not."""

    rule = CANNONS
    level: Level
    is_loaded: bool

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        return [cls(cannon.level, cannon.is_loaded) for cannon in state.cannons]

    @property
    def cannon(self) -> Cannon:
        """The cannon that the action changes."""
        return Cannon(self.level, self.is_loaded)

    def words(self, state: WatersState, names: Sequence[str]) -> dict[str, Any]:
        return {"cannon": cannon_name(self.cannon)}


class UpgradeCannon(_AnyCannon, ResolvingAction, frozen=True):
    """Replace a cannon with one of the next level. It stays loaded or unloaded."""

    verb = "upgrade a cannon"
    button_text = marked("Upgrade the {cannon}")
    report_text = marked("{pirate} upgrades the {cannon}")
    effects = (do.UpgradeCannon,)
    unasked = Refusal(CANNONS, "You cannot upgrade a cannon now.")
    others = _OF_THE_GUNNER

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        if self.cannon in state.cannons and state.cannons_left(self.level + 1) < 1:
            return Refusal(CANNONS, say("The supply has no level-{level} cannon.", level=self.level + 1))
        return _missing(state, self.cannon)

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = holdings.without_cannon(one_less(state, do.UpgradeCannon), self.cannon)
        return settle(holdings.with_cannon(state, Cannon(self.level + 1, self.is_loaded)))


class _Loading(ResolvingAction, frozen=True):
    """Base of the actions that load or unload a cannon."""

    loads: ClassVar[bool]
    others = _OF_THE_GUNNER
    rule = CANNONS
    level: Level

    @classmethod
    def candidates(cls, state: WatersState, seat: int) -> Iterable[Self]:
        return [cls(cannon.level) for cannon in state.cannons]

    def fault(self, state: WatersState, seat: int) -> Refusal | None:
        return _missing(state, Cannon(self.level, is_loaded=not self.loads))

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = holdings.without_cannon(one_less(state, *self.effects), Cannon(self.level, is_loaded=not self.loads))
        return settle(holdings.with_cannon(state, Cannon(self.level, is_loaded=self.loads)))


class LoadCannon(_Loading, frozen=True):
    """Load a cannon."""

    verb = "load a cannon"
    button_text = marked("Load a level-{level} cannon")
    report_text = marked("{pirate} loads a level-{level} cannon")
    effects = (do.LoadCannon,)
    unasked = Refusal(CANNONS, "You cannot load a cannon now.")
    loads = True


class UnloadCannon(_Loading, frozen=True):
    """Unload a cannon, because it is fired or an effect says so."""

    verb = "unload a cannon"
    button_text = marked("Unload a level-{level} cannon")
    report_text = marked("{pirate} unloads a level-{level} cannon")
    effects = (do.UnloadCannon,)
    unasked = Refusal(CANNONS, "You cannot unload a cannon now.")
    loads = False


class DiscardCannon(_AnyCannon, frozen=True):
    """Discard a cannon, at any time."""

    button_text = marked("Discard the {cannon}")
    report_text = marked("{pirate} discards the {cannon}")
    symbol = "cannon"
    any_time = True

    def refusal(self, state: WatersState, seat: int) -> Refusal | None:
        not_yours = None if seat == state.gunner else Refusal(CANNONS, _OF_THE_GUNNER)
        return nothing_else(state) or not_yours or _missing(state, self.cannon)

    def apply(self, state: WatersState, seat: int, chance: Chance) -> WatersState:
        state = holdings.without_cannon(state, self.cannon)
        return settle(one_less(state, do.LoseCannon) if waiting(state, do.LoseCannon) else state)
