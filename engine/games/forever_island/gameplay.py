"""First turn and gameplay: the initial placement, the weather that begins each turn, and the end of the turn."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Self

from engine.core.errors import Unclear
from engine.core.language import marked, say
from engine.core.values import Value
from engine.games.forever_island import components as box
from engine.games.forever_island.components import Goods, Island, join_words, printed_name, resource_noun, word
from engine.games.forever_island.disasters import ecocide, erupt, withering
from engine.games.forever_island.ending import next_turn, resolve
from engine.games.forever_island.headings import GAMEPLAY, OBJECTIVE, PLACEMENT, RAID, TRADE, WEATHER
from engine.games.forever_island.state import ForeverState, Hut, Totem, replace
from engine.kit.chance import Chance, Observed
from engine.kit.effects import needed
from engine.kit.ruleset import Action, Refusal
from engine.kit.words import counted

_NOT_YOUR_TURN = Refusal(GAMEPLAY, "It is another player's turn.")
_OTHER_PHASE = {
    "placement": Refusal(PLACEMENT, "Every player must first place a hut."),
    "weather": Refusal(WEATHER, "The turn begins with the weather."),
    "double_up": Refusal(TRADE, "The offer to double up must be answered first."),
    "exchange": Refusal(TRADE, "The offered exchange must be answered first."),
    "throw": Refusal(RAID, "The spears must be thrown first."),
    "guess": Refusal(RAID, "The Defender must guess first."),
    "open_fist": Refusal(RAID, "The Raider must open the fist first."),
    "losses": Refusal(RAID, "First choose the pieces to be destroyed."),
}
_ASKED = {
    "double_up": Refusal(TRADE, "Answer the offer to double up first: accept or decline it."),
    "exchange": Refusal(TRADE, "Answer the offered exchange first: accept or decline it."),
    "throw": Refusal(RAID, "You are being raided: guess first how many spears were thrown."),
    "guess": Refusal(RAID, "You are being raided: guess first how many spears were thrown."),
    "losses": Refusal(RAID, "First choose which of your pieces are destroyed."),
}
"""The refusal in each phase, for a player who must first answer, or act in another player's turn."""


def no_action(state: ForeverState, seat: int) -> Refusal | None:
    """Return the reason why `seat` cannot take an action now, or None (FV-R24, FV-R27)."""
    if seat != state.active:
        return _ASKED.get(state.phase, _NOT_YOUR_TURN) if seat in state.awaited_seats() else _NOT_YOUR_TURN
    return _OTHER_PHASE.get(state.phase)


def hut_name(state: ForeverState, id_: box.HutId) -> str:
    """Return 'hut 3 on Hog Island 1, shore A'; the hut must be on the board."""
    hut = needed(state.hut(id_))
    return say("hut {number} on {shore}", number=id_[-1], shore=printed_name(hut.shore))


def hut_of(hut: Hut, names: Sequence[str]) -> str:
    """Return 'Ann's hut 3 on Hog Island 1, shore A' for lists and pictures."""
    told = {"number": hut.id[-1], "shore": printed_name(hut.shore)}
    return say("{name}'s hut {number} on {shore}", name=names[box.OWNER[hut.id]], **told)


def whose_hut(state: ForeverState, id_: box.HutId, names: Sequence[str]) -> str:
    """Return 'Ann's hut 3 on Hog Island 1, shore A'."""
    return say("{name}'s {hut}", name=names[box.OWNER[id_]], hut=hut_name(state, id_))


class ForeverAction(Action[ForeverState], frozen=True):
    """An action of Forever Island. Its texts use the printed names of places."""

    word = staticmethod(word)

    def reaped_islands(self, state: ForeverState) -> Sequence[Island]:
        """Return the islands from which the action takes resources, once for each resource."""
        return ()

    def report_words(self, state: ForeverState, seat: int, names: Sequence[str]) -> dict[str, Any]:
        """Return the values for the placeholders that only `report_text` has."""
        islands = self.reaped_islands(state)
        if not islands:
            return {}
        resource = resource_noun(box.RESOURCE_OF[box.ISLAND_INDEX[islands[0]]])
        return {"island": printed_name(islands[0]), "resource": resource, "reaped": _describe_harvest(islands)}

    def describe(self, state: ForeverState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        words = {**self.words(state, names), "name": names[seat], **self.report_words(state, seat, names)}
        return say(self.report_text, **words) + withering(state, self.reaped_islands(state))


def _describe_harvest(islands: Sequence[Island]) -> str:
    """Return the resources in words: '2 hogs from Hog Island 1 and 1 log from Log Island 2'."""
    told = []
    for island, count in Counter(islands).items():
        goods = Goods(**{box.RESOURCE_OF[box.ISLAND_INDEX[island]]: count})
        told.append(say("{goods} from {island}", goods=goods, island=printed_name(island)))
    return join_words(told)


class SeveralActions(ForeverAction, frozen=True):
    """Several actions of one kind in one event. Each is judged after the previous one."""

    @abstractmethod
    def steps(self) -> Sequence[ForeverAction]:
        """Return the single actions, in order."""

    def refusal(self, state: ForeverState, seat: int) -> Refusal | None:
        for step in self.steps():
            if state.outcome is not None:
                return Refusal(OBJECTIVE, "The game ends before the last of these losses.")
            if refusal := step.refusal(state, seat):
                return refusal
            state = step.apply(state, seat, Observed())
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        for step in self.steps():
            if state.outcome is not None:
                raise Unclear
            state = step.apply(state, seat, chance)
        return state

    def reaped_islands(self, state: ForeverState) -> list[Island]:
        return [island for step in self.steps() for island in step.reaped_islands(state)]


class TurnAction(ForeverAction, frozen=True):
    """Base of the actions that the active player takes after the weather roll."""

    involves_others: ClassVar[bool] = False
    """True for an offer or a raid, which has no effect in another player's turn."""

    def refusal(self, state: ForeverState, seat: int) -> Refusal | None:
        if seat == state.active and state.phase == "actions":
            return self.fault(state, seat)
        return no_action(state, seat)

    def fault(self, state: ForeverState, seat: int) -> Refusal | None:
        """Return the reason why the active player cannot take this action, or None."""
        return None

    def has_clear_effect(self, state: ForeverState, seat: int) -> bool:
        return seat == state.active or not self.involves_others


class HutAction(TurnAction, frozen=True):
    """Base of the actions with a hut of any player."""

    hut: box.HutId

    def words(self, state: ForeverState, names: Sequence[str]) -> dict[str, Any]:
        return {"hut": whose_hut(state, self.hut, names)}


class OwnHutAction(TurnAction, frozen=True):
    """Base of the actions with one of the player's own huts."""

    hut: box.HutId

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return (cls(hut.id) for hut in state.huts[seat])

    def fault(self, state: ForeverState, seat: int) -> Refusal | None:
        hut = state.hut(self.hut)
        if hut is None:
            return Refusal(self.rule, "There is no such hut on the board.")
        if box.OWNER[self.hut] != seat:
            return Refusal(self.rule, "That is another player's hut.")
        return self.fault_of(hut, state)

    @abstractmethod
    def fault_of(self, hut: Hut, state: ForeverState) -> Refusal | None:
        """Return the reason why the action is illegal with that hut of the active player, or None."""

    def words(self, state: ForeverState, names: Sequence[str]) -> dict[str, Any]:
        return {"hut": hut_name(state, self.hut)}


class TotemAction(TurnAction, frozen=True):
    """Base of the actions with a totem."""

    totem: box.Shore

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return (cls(totem.shore) for totem in state.totems)

    def fault(self, state: ForeverState, seat: int) -> Refusal | None:
        totem = state.totem(self.totem)
        return Refusal(self.rule, "There is no totem on that shore.") if totem is None else self.fault_of(totem, state)

    @abstractmethod
    def fault_of(self, totem: Totem, state: ForeverState) -> Refusal | None:
        """Return the reason why the active player cannot take the action with that totem, or None."""


class PlaceHut(ForeverAction, frozen=True):
    """Place your first hut on a shore, and take one resource of each kind."""

    verb = "place a hut on a shore"
    button_text = marked("Place a hut on {shore}")
    report_text = marked("{name} places a hut on {shore}.")
    symbol = "hut"
    rule = PLACEMENT
    shore: box.Shore

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return map(cls, box.SHORES)

    def refusal(self, state: ForeverState, seat: int) -> Refusal | None:
        if state.phase != "placement":
            return Refusal(PLACEMENT, "The initial placement is over.")
        return _NOT_YOUR_TURN if seat != state.active else None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        has_turn = state.phase == "placement" and seat == state.active
        state = state.build_hut(seat, self.shore).gain(seat, box.OPENING_HAND)
        if not has_turn:
            return state
        following = (seat + 1) % len(state.hands)
        if following == state.first:
            return replace(state, turn=1, phase="weather", active=following)
        return replace(state, active=following)


class RollForWeather(ForeverAction, frozen=True):
    """Roll the die: islands with at least that fertility grow. A 6 brings the volcano closer to its eruption."""

    verb = "roll for weather"
    symbol = "die"
    rule = WEATHER
    asks_chance = True

    def refusal(self, state: ForeverState, seat: int) -> Refusal | None:
        if seat != state.active:
            return _NOT_YOUR_TURN
        if state.phase != "weather":
            return Refusal(WEATHER, "Roll for weather once, at the start of the turn.")
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        intensity = chance.draw("weather", box.DIE)
        if intensity < box.REGIONS:
            return _grow(state, intensity)
        if state.volcano > 1:
            return replace(state, phase="actions", volcano=state.volcano - 1)
        return resolve(erupt(replace(state, phase="actions")))

    def describe(self, state: ForeverState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        rolled = say("{name} rolls a {outcome} for weather", name=names[seat], outcome=outcomes[0])
        return f"{rolled}: {self._brings(state, int(outcomes[0]))}"

    def _brings(self, state: ForeverState, outcome: int) -> str:
        if outcome != box.REGIONS:
            return counted(sum(_grows(state, outcome)), "island grows.", "islands grow.")
        if state.volcano > 1:
            return say("the volcano counts down to {number}.", number=state.volcano - 1)
        dying = [printed_name(island) for island, count in zip(box.ISLANDS, state.fertility, strict=True) if count == 1]
        erupts = say("the volcano erupts!")
        return f"{erupts} {ecocide(say(' and ').join(dying))}" if dying else erupts


def _grows(state: ForeverState, intensity: int) -> list[bool]:
    """Return, for each island, True if it grows one resource (FV-R2, FV-R3).

    All islands are judged first. Then they grow as far as the piles allow.
    """
    grows = [intensity <= count < box.REGIONS for count in state.fertility]
    for at in range(0, len(grows), 2):
        left = state.piles.of(box.RESOURCE_OF[at])
        if left < 2:
            grows[at + 1] = grows[at + 1] and left - grows[at] > 0
            grows[at] = grows[at] and left > 0
    return grows


def _grow(state: ForeverState, intensity: int) -> ForeverState:
    grows = _grows(state, intensity)
    piles = state.piles
    for resource, is_growing in zip(box.RESOURCE_OF, grows, strict=True):
        if is_growing:
            piles -= box.ONE[resource]
    fertility = tuple(map(int.__add__, state.fertility, grows))
    return replace(state, phase="actions", fertility=fertility, piles=piles)


class EndTurn(TurnAction, frozen=True):
    """Take no more actions and pass the die to the next player."""

    verb = "pass the die"
    button_text = marked("Pass the die")
    report_text = marked("{name} passes the die to {next}.")
    symbol = "check"
    rule = GAMEPLAY

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        return next_turn(state)

    def words(self, state: ForeverState, names: Sequence[str]) -> dict[str, Any]:
        return {"next": names[next_turn(state).active]}
