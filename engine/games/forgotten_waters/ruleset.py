"""The ruleset: declarations, and all methods except those of actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

import msgspec

from engine.core.events import Draft
from engine.core.language import marked, say
from engine.core.lifecycle import GAME_OPENED
from engine.core.values import SEAT_INDEX, Value
from engine.games.forgotten_waters import facts, vocabulary
from engine.games.forgotten_waters.actions.action_phase import (
    ChooseOption,
    ChoosePlayer,
    PlayOn,
    ReadRoundEnd,
    RemoveStandee,
    ResolveAction,
    SaveGame,
    Stop,
)
from engine.games.forgotten_waters.actions.cannons import DiscardCannon, LoadACannon, UnloadACannon, UpgradeACannon
from engine.games.forgotten_waters.actions.gains import (
    BuryATreasure,
    ChooseSkill,
    DiscardTreasure,
    DrawTreasure,
    FillInStar,
    ReportBox,
    StealATreasure,
    UseTreasure,
)
from engine.games.forgotten_waters.actions.moving_and_scouting import FlipToken, MoveTheShip, ScoutSpace
from engine.games.forgotten_waters.actions.own_book import ReadOut
from engine.games.forgotten_waters.actions.performing_checks import ConsultCheck, Reroll, RollDie
from engine.games.forgotten_waters.actions.planning_phase import ChooseAction, TimerRunsOut
from engine.games.forgotten_waters.columns import COLUMNS, CURVE, SEAT_COLUMNS
from engine.games.forgotten_waters.headings import (
    SECTIONS,
)
from engine.games.forgotten_waters.rules import invariants, setup
from engine.games.forgotten_waters.rules.leaving_out import STEPS, overlooks, skips
from engine.games.forgotten_waters.rules.resolving import finished
from engine.games.forgotten_waters.scenario import effects as do
from engine.games.forgotten_waters.scenario.pack import Pack
from engine.games.forgotten_waters.scenario.packs import PACKS, Scenario
from engine.games.forgotten_waters.state import ROLES, STANDEES, WatersOptions, WatersState, replace
from engine.games.forgotten_waters.view import board, chart, moments, passages, sheet
from engine.games.forgotten_waters.words import NAMES, PHASES, WORDS, ending_text, listed, named, printed
from engine.kit.chance import Chance
from engine.kit.faces import dice
from engine.kit.facts import Told
from engine.kit.options import SetupPrompt
from engine.kit.ruleset import Action, Ruleset
from engine.kit.scene import Scene
from engine.kit.steps import Skip
from engine.kit.timer import Timer


def components(packs: Mapping[Scenario, Pack]) -> dict[str, Any]:
    """Return the contents of the box and of the scenarios as a JSON document."""
    return {
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
            for pack in packs.values()
        ],
    }


class ForgottenWaters(Ruleset[WatersState, WatersOptions]):
    """Forgotten Waters, by its rulebook. Scenarios are data."""

    id = "forgotten-waters"
    version = "3"
    reads_versions: ClassVar[tuple[str, ...]] = ("1", "2")
    name = "Forgotten Waters"
    players = (3, 7)
    is_cooperative = False
    bgg_id = 302723
    options = WatersOptions
    state: ClassVar[type[WatersState]] = WatersState
    max_events = 20_000
    turn_fields = (
        "turn",
        "round",
        "part",
        "phase",
        "active",
        "agenda",
        "choosing",
        "order",
        "has_resolved",
        "has_timer_run_out",
    )
    unseen = ("pirates/*/treasures", "treasure_pile")
    actions: ClassVar[tuple[type[Action[Any]], ...]] = (
        ChooseAction,
        TimerRunsOut,
        ResolveAction,
        RemoveStandee,
        ReadRoundEnd,
        ReadOut,
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
    unprompted: ClassVar[tuple[type[Action[Any]], ...]] = (ReadOut,)
    facts = facts.FACTS
    columns = COLUMNS
    seat_columns = SEAT_COLUMNS
    chance_points = ("infamy_marker", "player_sheet", "treasure", "die", "navigation_token", "hand_card")
    curve = CURVE
    steps = STEPS
    faces = MappingProxyType({"die": dice(12, 6)})
    sections = SECTIONS
    phases = PHASES
    period = "round"
    endings = {
        "drowned": "The hull is gone, and the sea takes the ship: everyone loses.",
        "mutiny": "There is as much discontent as there is crew: mutiny, and everyone loses.",
        "threat": "The last threat event is reached: everyone loses.",
        "goal_reached": "The scenario goal is reached: those whose story is told well win!",
        "superior_victory": "The scenario goal is reached, and a legend is born: a superior victory!",
        "goal_without_glory": "The scenario goal is reached, but nobody's story is told well enough: nobody wins.",
    }
    components = components(PACKS)

    def check_options(self, options: WatersOptions, seats: int) -> None:
        setup.check(options, seats)

    def setup(self, options: WatersOptions, seats: int, chance: Chance) -> WatersState:
        return setup.set_up(options, seats, chance, self.state)

    def upcast(self, version: str, entry: Draft) -> Draft:
        if entry.type == "apply_effect":
            effect, *rest = (entry.params[name] for name in ("effect", "entry") if name in entry.params)
            params = {"effects": [effect], **({"entry": rest[0]} if rest else {})}
            return msgspec.structs.replace(entry, type="read_out", params=params)
        if entry.type != GAME_OPENED:
            return entry
        options = entry.params["options"]
        if version == "1":
            # A record of version 1 has no `consult_check` if only treasures could have changed the total.
            options = {**options, "check_discards": "before_the_roll", "edition": "first"}
        else:
            options = {"edition": "second", **options}
        return msgspec.structs.replace(entry, params={**entry.params, "options": options})

    def setup_prompts(
        self, options: WatersOptions, names: Sequence[str], given: Sequence[Value | None]
    ) -> Sequence[SetupPrompt]:
        return setup.setup_prompts(options, names)

    def describe_setup(self, state: WatersState, names: Sequence[str]) -> list[str]:
        return setup.describe(state, names)

    def skips(self, state: WatersState) -> Iterable[Skip[WatersState]]:
        return skips(state)

    def overlooks(self, state: WatersState) -> Iterable[Skip[WatersState]]:
        return overlooks(state)

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
        if state.phase == "planning":
            return (state.choosing[0],)
        # With a table's own book, only the players know if a pirate's action is over, so the next pirate may begin.
        return tuple(sorted({self.active(state), self.active(finished(state))}))

    def must_wait(self, state: WatersState, seat: int) -> bool:
        return seat not in self.awaiting(state) if state.agenda else super().must_wait(state, seat)

    def keep_turn(self, before: WatersState, after: WatersState) -> WatersState:
        # A player who has chosen out of turn does not choose again.
        choosing = tuple(seat for seat in before.choosing if not after.standees[seat])
        return super().keep_turn(replace(before, choosing=choosing), after)

    def _decider(self, state: WatersState, seat: int, effect: do.Pending) -> int:
        if isinstance(effect, do.CompletePart | do.Saved):
            return state.scribe
        if isinstance(effect, do.GainCannon | do.UpgradeCannon | do.LoadCannon | do.UnloadCannon | do.LoseCannon):
            return state.gunner
        if isinstance(effect, do.Choose) and effect.by == "group":
            return state.scribe
        return seat

    def view(self, state: WatersState, viewer: int | None) -> dict[str, Any]:
        # Nothing is hidden from a player: cards are face up, and nobody has seen face-down tokens.
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

    def settled(self, state: WatersState, told: Told) -> WatersState:
        return facts.settled(state)

    def check_components(self, state: WatersState) -> list[str]:
        return invariants.broken_components(state)

    def check_invariants(self, state: WatersState) -> list[str]:
        return self.check_components(state) or invariants.violations(state)

    def overview(self, state: WatersState, names: Sequence[str]) -> dict[str, str]:
        rows = {**sheet.ship_sheet(state, names), **sheet.pirate_sheets(state, names)}
        if state.outcome is not None and state.outcome.reason in (
            "goal_reached",
            "superior_victory",
            "goal_without_glory",
        ):
            if state.outcome.superior:
                rows[say("Superior victory")] = listed([names[SEAT_INDEX[seat]] for seat in state.outcome.superior])
            rows[say("Endings")] = " ".join(
                f"{names[seat]}: {ending_text(state, seat)}" for seat in self._clockwise(state)
            )
        return rows

    def timer(self, state: WatersState) -> Timer | None:
        seconds = state.timer_seconds
        if seconds is None or state.phase != "planning" or state.has_timer_run_out:
            return None
        return Timer(say("Planning"), seconds, TimerRunsOut, state.quartermaster)

    def role(self, state: WatersState, seat: int) -> dict[str, str]:
        return {marked("Player sheet"): state.sheet(seat).title}

    def moment(self, state: WatersState, names: Sequence[str]) -> str:
        return moments.moment(state, names)

    def headline(self, state: WatersState, names: Sequence[str]) -> str:
        return say(
            "Round {round}: {stats}, threat {threat} of {limit}",
            round=state.round,
            stats=", ".join(f"{named(stat)} {getattr(state, stat)}" for stat in do.STATS),
            threat=state.threat,
            limit=state.threat_limit,
        )

    def board(self, state: WatersState, names: Sequence[str], viewer: int | None = None) -> Scene:
        # As in `view`, nothing is hidden from a player.
        awaited = self.awaiting(state) if state.outcome is None else ()
        return Scene(
            title=f"{say(self.name)}: {state.options.book.title or say(state.pack.title)}",
            subtitle=self.standing(state, names),
            description=self.headline(state, names),
            planes=chart.planes(state, names),
            panels=(*board.panels(state, names, awaited), chart.sky(state, names), board.legend()),
            passage=passages.passage(state),
        )

    def vocabulary(self) -> Iterable[str]:
        return vocabulary.vocabulary()

    def _clockwise(self, state: WatersState) -> list[int]:
        """Return the seats in the order in which endings are read: from the highest infamy on."""
        seats = len(state.pirates)
        return [(state.infamy[0] + step) % seats for step in range(seats)]

    def value_label(self, value: Value) -> str:
        return say(NAMES[value]) if isinstance(value, str) and value in NAMES else str(value)

    def word(self, value: str) -> str:
        return say(WORDS[value]) if value in WORDS else printed(value)
