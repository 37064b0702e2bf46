"""Raiding: declaring war, throwing spears, and the aftermath."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Annotated, Any, ClassVar, Self

import msgspec
from msgspec import Meta

from engine.core.language import marked, say
from engine.core.values import SEAT_IDS, SEAT_INDEX, SeatId, Value
from engine.games.forever_island.components import AREAS, OWNER, SPEARS, VOLCANO, Area, HutId
from engine.games.forever_island.ending import resolve
from engine.games.forever_island.gameplay import ForeverAction, TurnAction
from engine.games.forever_island.headings import RAID, TEAMS
from engine.games.forever_island.state import ForeverState, Hut, Raid, replace
from engine.kit.chance import Chance
from engine.kit.effects import needed
from engine.kit.ranges import items, members
from engine.kit.ruleset import Refusal
from engine.kit.words import counted

LISTED_LOSSES = 50
"""Maximum number of choices of losses that are listed. `ChooseLosses.ranges` describes all choices."""

Spears = Annotated[int, Meta(ge=0, le=SPEARS)]


class DeclareRaid(TurnAction, frozen=True):
    """Declare a raid on another player where both of you have a hut or canoe."""

    verb = "raid"
    button_text = marked("Raid {defender} on {area}")
    report_text = marked("{name} raids {defender} on {area}.")
    symbol = "swords"
    rule = RAID
    involves_others = True
    defender: SeatId
    area: Area

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        if state.has_erected and seat == state.active:
            for area in AREAS:
                if state.pieces_in(seat, area):
                    for defender in state.alive():
                        yield cls(SEAT_IDS[defender], area)

    def fault(self, state: ForeverState, seat: int) -> Refusal | None:
        if not state.has_erected:
            return Refusal(RAID, "There are no raids before the first totem has been erected.")
        defender = SEAT_INDEX[self.defender]
        if defender == seat or defender not in state.alive():
            return Refusal(RAID, "You can only raid another player who is not eliminated.")
        if state.side(defender) == state.side(seat):
            return Refusal(TEAMS, "You cannot raid a teammate.")
        if self.area == VOLCANO and not state.options.volcano_raids:
            return Refusal(RAID, "The options of this game do not allow raids on the Volcano.")
        if (defender, self.area) in state.raided:
            return Refusal(RAID, "That player was already raided there this turn.")
        if not state.pieces_in(seat, self.area):
            return Refusal(RAID, "You have neither hut nor canoe there.")
        if not state.pieces_in(defender, self.area):
            return Refusal(RAID, "That player has neither hut nor canoe there.")
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        defender = SEAT_INDEX[self.defender]
        raided = (*state.raided, (defender, self.area))
        return replace(state, phase="throw", raided=raided, raid=Raid(defender, self.area))


def _spear_count(state: ForeverState, seat: int) -> int:
    """Return the number of spears that the raider draws: one for each of the raider's huts and canoes in the area."""
    return min(SPEARS, state.pieces_in(seat, needed(state.raid).area))


class _SpearsAction(ForeverAction, frozen=True):
    """Base of the actions with the param `spears`: the number of spears in the Raider's fist."""

    rule = RAID
    spears: Spears

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return map(cls, range(SPEARS + 1))

    def words(self, state: ForeverState, names: Sequence[str]) -> dict[str, Any]:
        return {"spears": _spears(self.spears)}


class _ThrowAction(_SpearsAction, frozen=True):
    """Base of the actions in which the Raider reports the number of spears."""

    phase: ClassVar[str]
    not_now: ClassVar[str]
    """The refusal if the action is taken in the wrong phase."""

    def refusal(self, state: ForeverState, seat: int) -> Refusal | None:
        if state.phase != self.phase:
            return Refusal(RAID, self.not_now)
        if seat != state.active:
            return Refusal(RAID, "Only the Raider can do that.")
        least, most = state.options.raid_min_throw, _spear_count(state, seat)
        if least <= self.spears <= most:
            return None
        if least == most:
            return Refusal(RAID, say("You can only throw {spears}.", spears=_spears(most)))
        return Refusal(RAID, say("Throw between {least} and {most} spears.", least=least, most=most))


class ThrowSpears(_ThrowAction, frozen=True):
    """Hide some of your spears in your fist."""

    phase = "throw"
    not_now = marked("You cannot throw spears now.")
    verb = "throw the spears"
    button_text = marked("Hide {spears} in the fist")
    report_text = marked("{name} hides spears in a fist.")
    hidden_params = ("spears", "salt")
    salt: Annotated[str, Meta(max_length=64)] = ""
    """Random text that protects the hidden number (see `engine.play.visibility`)."""

    @classmethod
    def ranges(cls, state: ForeverState, seat: int) -> dict[str, Any] | None:
        if state.phase != "throw" or seat != state.active:
            return None
        spears = {"type": "integer", "minimum": state.options.raid_min_throw, "maximum": _spear_count(state, seat)}
        return {**members(spears=spears, salt={"type": "string", "maxLength": 64}), "required": ["spears"]}

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        raid = replace(needed(state.raid), spears=self.spears, salt=self.salt)
        return replace(state, phase="guess", raid=raid)


class GuessSpears(_SpearsAction, frozen=True):
    """Guess how many spears the Raider threw."""

    verb = "guess the number of spears"
    button_text = marked("Guess {spears}")
    reveals = is_blind = True

    def refusal(self, state: ForeverState, seat: int) -> Refusal | None:
        raid = state.raid
        # At a real table, the recorder may learn the throw only after the guess (FV-R16).
        if raid is None or not (state.phase == "guess" or (state.phase == "throw" and state.is_observed)):
            return Refusal(RAID, "There is nothing to guess now.")
        if seat != raid.defender:
            return Refusal(RAID, "Only the Defender can guess.")
        if self.spears < state.options.raid_min_throw:
            return Refusal(RAID, "The options of this game require the Raider to throw at least one spear.")
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        raid = replace(needed(state.raid), guess=self.spears)
        if raid.spears is None:
            return replace(state, phase="open_fist", raid=raid)
        return _aftermath(state, raid, raid.spears)

    def describe(self, state: ForeverState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        raid = needed(state.raid)
        guessed = say("{name} guesses {spears}", name=names[seat], spears=_spears(self.spears))
        if raid.spears is None:
            return f"{guessed}."
        return f"{guessed}; {_describe_opening(state, raid, raid.spears, self.spears, names)}"


class OpenFist(_ThrowAction, frozen=True):
    """Show how many spears you threw, if you did not enter the throw before the guess."""

    phase = "open_fist"
    not_now = marked("There is no fist to open now.")
    verb = "open the fist"
    button_text = marked("Open the fist: {spears}")
    is_blind = True

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        return _aftermath(state, needed(state.raid), self.spears)

    def describe(self, state: ForeverState, seat: int, outcomes: Sequence[Value], names: Sequence[str]) -> str:
        raid = needed(state.raid)
        return _describe_opening(state, raid, self.spears, raid.guess, names)


def _spears(count: int) -> str:
    return counted(count, "spear")


def _describe_opening(state: ForeverState, raid: Raid, thrown: int, guess: int | None, names: Sequence[str]) -> str:
    """Return the sentence about the opened fist; `state` is the state before the fist was opened."""
    loser = state.active if thrown == guess else raid.defender
    lost = min(thrown, state.pieces_in(loser, raid.area))
    return say(
        "{spears} thrown: {name} loses {lost}.", spears=_spears(thrown), name=names[loser], lost=counted(lost, "piece")
    )


def _aftermath(state: ForeverState, raid: Raid, thrown: int) -> ForeverState:
    """Determine the loser and the losses; apply the losses at once if there is no choice (FV-R32)."""
    loser = state.active if raid.guess == thrown else raid.defender
    huts, docked, afloat = _pieces(state, loser, raid.area)
    losses = min(thrown, len(huts) + len(docked) + afloat)
    state = replace(state, phase="losses", raid=replace(raid, spears=thrown, salt="", loser=loser, losses=losses))
    ways = [*({(hut.built == state.turn, hut.harvested == state.turn, hut.docked) for hut in huts}), *docked]
    if losses == len(huts) + len(docked) + afloat:
        return _destroy(state, huts, docked, afloat)
    if losses == 0 or len(ways) + (afloat > 0) == 1:
        return _destroy(state, huts[:losses], docked[:losses], min(afloat, losses))
    return state


def _pieces(state: ForeverState, seat: int, area: Area) -> tuple[list[Hut], list[HutId], int]:
    """Return the seat's pieces in `area`: its huts, the huts with its canoes, and the number of undocked canoes."""
    docked = [hut.id for hut in state.docked_huts(seat) if hut.shore == area]
    return state.huts_on(seat, area), docked, state.canoes[seat].count(area)


def _destroy(state: ForeverState, huts: Sequence[Hut], docked: Sequence[HutId], afloat: int) -> ForeverState:
    """Remove the loser's pieces, and end the raid."""
    raid = needed(state.raid)
    loser = needed(raid.loser)
    for mooring in (*docked, *((raid.area,) * afloat)):
        state = state.remove_canoe(loser, mooring)
    for hut in huts:
        state = state.remove_hut(needed(state.hut(hut.id)))
    return resolve(replace(state, phase="actions", raid=None))


class ChooseLosses(ForeverAction, frozen=True):
    """Choose which of your huts and canoes are destroyed."""

    verb = "choose the losses"
    button_text = marked("Lose {pieces}")
    report_text = marked("{name} loses {pieces}.")
    rule = RAID
    huts: tuple[HutId, ...]
    docked: tuple[HutId, ...]
    """The huts whose docked canoes are destroyed."""
    afloat: Spears
    """Number of undocked canoes destroyed."""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "huts", tuple(sorted(self.huts)))
        msgspec.structs.force_setattr(self, "docked", tuple(sorted(self.docked)))

    @classmethod
    def candidates(cls, state: ForeverState, seat: int) -> Iterable[Self]:
        return islice(cls._all(state, seat), LISTED_LOSSES)

    @classmethod
    def _all(cls, state: ForeverState, seat: int) -> Iterator[Self]:
        for (huts, of_huts), (docked, of_docked), afloat in _splits(state, seat):
            for lost in combinations(huts, of_huts):
                yield from (cls(lost, canoes, afloat) for canoes in combinations(docked, of_docked))

    @classmethod
    def ranges(cls, state: ForeverState, seat: int) -> dict[str, Any] | None:
        ways = [
            members(huts=items(*huts), docked=items(*docked), afloat={"const": afloat})
            for huts, docked, afloat in _splits(state, seat)
        ]
        return {"oneOf": ways} if ways else None

    def refusal(self, state: ForeverState, seat: int) -> Refusal | None:
        raid = state.raid
        if raid is None or raid.loser is None:
            return Refusal(RAID, "You have nothing to destroy now.")
        if seat != raid.loser:
            return Refusal(RAID, "Only the owner of the pieces can choose.")
        huts, docked, afloat = _pieces(state, seat, raid.area)
        if not (_are_among(self.huts, [hut.id for hut in huts]) and _are_among(self.docked, docked)):
            return Refusal(RAID, "Choose only your own huts and canoes in that area, each at most once.")
        if self.afloat > afloat:
            return Refusal(RAID, say("You have only {afloat} undocked canoes in that area.", afloat=afloat))
        if len(self.huts) + len(self.docked) + self.afloat != raid.losses:
            exactly = marked("Exactly {losses} of your huts and canoes there are destroyed.")
            return Refusal(RAID, say(exactly, losses=raid.losses))
        return None

    def apply(self, state: ForeverState, seat: int, chance: Chance) -> ForeverState:
        huts = [hut for hut in state.huts[seat] if hut.id in self.huts]
        return _destroy(state, huts, self.docked, self.afloat)

    def words(self, state: ForeverState, names: Sequence[str]) -> dict[str, Any]:
        told = [say("hut {number}", number=id_[-1]) for id_ in self.huts]
        told += [
            say("the canoe docked in {name}'s hut {number}", name=names[OWNER[id_]], number=id_[-1])
            for id_ in self.docked
        ]
        if self.afloat:
            told.append(counted(self.afloat, "undocked canoe"))
        return {"pieces": ", ".join(told)}


_Some = tuple[list[HutId], int]
"""Huts, and the number of huts to choose."""


def _splits(state: ForeverState, seat: int) -> Iterator[tuple[_Some, _Some, int]]:
    """Yield each way to split the losses of `seat` between huts, docked canoes and undocked canoes."""
    raid = state.raid
    if raid is None or raid.loser != seat:
        return
    standing, docked, afloat = _pieces(state, seat, raid.area)
    huts = [hut.id for hut in standing]
    for of_huts in range(min(raid.losses, len(huts)) + 1):
        for of_docked in range(min(raid.losses - of_huts, len(docked)) + 1):
            if raid.losses - of_huts - of_docked <= afloat:
                yield (huts, of_huts), (docked, of_docked), raid.losses - of_huts - of_docked


def _are_among(chosen: Sequence[HutId], ids: Sequence[HutId]) -> bool:
    return len(set(chosen)) == len(chosen) and set(chosen) <= set(ids)
