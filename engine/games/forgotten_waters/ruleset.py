"""The ruleset: the declaration, and what the kernel asks of a game besides its actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from engine.board import Scene
from engine.chance import Chance
from engine.events import Value
from engine.games.forgotten_waters import board, chart, invariants, setup, sheet
from engine.games.forgotten_waters import effects as do
from engine.games.forgotten_waters.acting import (
    ChooseOption,
    ChoosePlayer,
    PlayOn,
    ReadRoundEnd,
    RemoveStandee,
    ResolveAction,
    SaveGame,
    Stop,
)
from engine.games.forgotten_waters.base import EFFECTS, SAVING
from engine.games.forgotten_waters.book import ApplyEffect
from engine.games.forgotten_waters.checks import MISFORTUNE, PERFORMING, REROLL
from engine.games.forgotten_waters.dice import ConsultCheck, Reroll, RollDie
from engine.games.forgotten_waters.gains import (
    SKILL,
    STARS,
    TREASURE,
    BuryATreasure,
    ChooseSkill,
    DiscardTreasure,
    DrawTreasure,
    FillInStar,
    ReportBox,
    StealATreasure,
    UseTreasure,
)
from engine.games.forgotten_waters.gunnery import (
    CANNONS,
    DiscardCannon,
    LoadACannon,
    UnloadACannon,
    UpgradeACannon,
)
from engine.games.forgotten_waters.planning import ChooseAction, TimerRunsOut
from engine.games.forgotten_waters.rounds import ACTION, END_OF_ROUND, PLANNING, TURNING, TYPES_OF_ACTIONS
from engine.games.forgotten_waters.sailing import MOVING, SCOUTING, FlipToken, MoveTheShip, ScoutSpace
from engine.games.forgotten_waters.scenarios import PACKS
from engine.games.forgotten_waters.state import END, ROLES, STANDEES, WatersOptions, WatersState, replace
from engine.games.forgotten_waters.tell import ending_text, printed
from engine.ruleset import Ruleset
from engine.table import Place

REACHED = ("goal_reached", "superior_victory", "goal_without_glory")
"""The endings in which each pirate reads one."""


class ForgottenWaters(Ruleset[WatersState, WatersOptions]):
    """Forgotten Waters, as its rulebook has it; the scenario is data."""

    id = "forgotten-waters"
    version = "1"
    name = "Forgotten Waters"
    players = (3, 7)
    options = WatersOptions
    state = WatersState
    max_events = 20_000
    unseen = ("pirates/*/treasures", "treasure_pile")
    actions = (
        ChooseAction,
        TimerRunsOut,
        ResolveAction,
        RemoveStandee,
        ReadRoundEnd,
        ApplyEffect,
        ChooseOption,
        ChoosePlayer,
        Stop,
        RollDie,
        Reroll,
        ConsultCheck,
        ChooseSkill,
        ReportBox,
        FillInStar,
        BuryATreasure,
        MoveTheShip,
        ScoutSpace,
        FlipToken,
        UpgradeACannon,
        LoadACannon,
        UnloadACannon,
        DiscardCannon,
        DrawTreasure,
        StealATreasure,
        DiscardTreasure,
        UseTreasure,
        SaveGame,
        PlayOn,
    )
    sections = (
        "Setup",
        PLANNING,
        TYPES_OF_ACTIONS,
        "Types of Guide Symbols",
        ACTION,
        END_OF_ROUND,
        TURNING,
        EFFECTS,
        PERFORMING,
        MISFORTUNE,
        REROLL,
        SKILL,
        "Highest/Lowest Skill",
        STARS,
        "Resolving Constellation Events",
        "Gaining/Losing/Checking Threat",
        "Gaining/Losing Ship Stats",
        MOVING,
        SCOUTING,
        CANNONS,
        "Gaining/Losing Infamy",
        "Breaking Ties",
        "Objective Cards",
        TREASURE,
        "Story Cards",
        END,
        SAVING,
    )
    endings = {
        "drowned": "The hull is gone, and the sea takes the ship: everyone loses.",
        "mutiny": "There is as much discontent as there is crew: mutiny, and everyone loses.",
        "threat": "The last threat event is reached: everyone loses.",
        "goal_reached": "The scenario goal is reached: those whose story is told well win!",
        "superior_victory": "The scenario goal is reached, and a legend is born: a superior victory!",
        "goal_without_glory": "The scenario goal is reached, but nobody's story is told well enough: nobody wins.",
    }
    components = {
        "dice": {"sides": 12, "count": 7},
        "roles": [{"id": role, "name": printed(role)} for role in ROLES],
        "standees": list(STANDEES),
        "skills": list(do.SKILLS),
        "tokens": {"rerolls": 25, "misfortune": 20, "events": 15, "locks": 9, "cannons": 8, "threat": 5},
        "scenarios": [
            {
                "id": pack.id,
                "version": pack.version,
                "title": pack.title,
                "licence": pack.licence,
                "timer_seconds": pack.timer_seconds,
                "sheets": [{"id": sheet.id, "title": sheet.title} for sheet in pack.sheets],
                "treasures": len(pack.treasures),
                "stories": len(pack.stories),
                "pages": msgspec.json.decode(msgspec.json.encode(pack.pages)),
            }
            for pack in PACKS.values()
        ],
    }

    def check_options(self, options: WatersOptions, seats: int) -> None:
        setup.check(options, seats)

    def setup(self, options: WatersOptions, seats: int, chance: Chance) -> WatersState:
        return setup.set_up(options, seats, chance)

    def places(self, options: WatersOptions, names: Sequence[str], given: Sequence[Value | None]) -> Sequence[Place]:
        return setup.places(options, names)

    def describe_setup(self, state: WatersState, names: Sequence[str]) -> list[str]:
        return setup.describe(state, names)

    def seats(self, state: WatersState) -> int:
        return len(state.pirates)

    def active(self, state: WatersState) -> int:
        if state.phase == "planning":
            return state.quartermaster
        return state.scribe if state.active is None else state.active

    def awaiting(self, state: WatersState) -> tuple[int, ...]:
        if state.agenda:
            step = state.agenda[0]
            return (self._decider(state, step.seat, step.effect),)
        return (state.choosing[0] if state.phase == "planning" else self.active(state),)

    def _decider(self, state: WatersState, seat: int, effect: do.Pending) -> int:
        if isinstance(effect, do.CompletePart | do.Saved):
            return state.scribe
        if isinstance(effect, do.GainCannon | do.UpgradeCannon | do.LoadCannon | do.UnloadCannon | do.LoseCannon):
            return state.gunner
        if isinstance(effect, do.Choose) and effect.by == "group":
            return state.scribe
        return seat

    def view(self, state: WatersState, viewer: int | None) -> dict[str, Any]:
        # Everything lies open: cards are face up, and what lies face down nobody knows.
        return self.to_document(state)

    def tidy(self, state: WatersState) -> WatersState:
        return replace(
            state,
            locked=tuple(sorted(state.locked)),
            cannons=tuple(sorted(state.cannons)),
            tokens=tuple(sorted(state.tokens)),
            counts=tuple(sorted((counter, value) for counter, value in state.counts if value)),
            icons=tuple(sorted(state.icons)),
            navigation_pile=state.navigation_pile.tidied(),
            treasure_pile=state.treasure_pile.tidied(),
        )

    def check_invariants(self, state: WatersState) -> list[str]:
        return invariants.violations(state)

    def tableau(self, state: WatersState, names: Sequence[str]) -> dict[str, str]:
        rows = {**sheet.ship_sheet(state, names), **sheet.pirate_sheets(state, names)}
        if state.outcome is not None and state.outcome.reason in (
            "goal_reached",
            "superior_victory",
            "goal_without_glory",
        ):
            rows["Endings"] = " ".join(f"{names[seat]}: {ending_text(state, seat)}" for seat in self._clockwise(state))
        return rows

    def part(self, state: WatersState, seat: int) -> dict[str, str]:
        return {"Player sheet": state.sheet(seat).title}

    def glance(self, state: WatersState, names: Sequence[str]) -> str:
        stats = ", ".join(f"{stat} {getattr(state, stat)}" for stat in do.STATS)
        return f"Round {state.round}: {stats}, threat {state.threat} of {state.threat_limit}"

    def board(self, state: WatersState, names: Sequence[str], viewer: int | None = None) -> Scene:
        # Everything lies open, as in `view`.
        awaited = self.awaiting(state) if state.outcome is None else ()
        return Scene(
            title=f"{self.name}: {state.options.book.title or state.pack.title}",
            subtitle=self.standing(state, names),
            description=self.glance(state, names),
            planes=chart.planes(state, names),
            panels=(*board.panels(state, names, awaited), chart.sky(state, names), board.LEGEND),
        )

    def _clockwise(self, state: WatersState) -> list[int]:
        """The seats in the order in which the endings are read: from the highest infamy on."""
        seats = len(state.pirates)
        return [(state.infamy[0] + step) % seats for step in range(seats)]

    def value_label(self, value: Value) -> str:
        for pack in PACKS.values():
            if isinstance(value, str):
                named = pack.card.get(value) or pack.token.get(value)
                if named is not None:
                    return named.name
                if value in pack.sheet:
                    return pack.sheet[value].title
        return str(value)
