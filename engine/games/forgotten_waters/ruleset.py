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
from engine.games.forgotten_waters import words
from engine.games.forgotten_waters.actions import gains, phases, the_ship
from engine.games.forgotten_waters.actions import performing_checks as checks
from engine.games.forgotten_waters.actions.base import decider
from engine.games.forgotten_waters.actions.own_book import ReadOut
from engine.games.forgotten_waters.columns import COLUMNS, CURVE, SEAT_COLUMNS
from engine.games.forgotten_waters.facts import FACTS, complete_table
from engine.games.forgotten_waters.headings import RULE_TEXTS, SECTIONS
from engine.games.forgotten_waters.rules import invariants, leaving_out, measures, setup
from engine.games.forgotten_waters.rules.resolving import finish_action
from engine.games.forgotten_waters.scenario.effects import Saved
from engine.games.forgotten_waters.scenario.pack import ROLES, STANDEES, Pack
from engine.games.forgotten_waters.scenario.packs import PACKS, Scenario
from engine.games.forgotten_waters.scenario.values import SKILLS, STATS
from engine.games.forgotten_waters.state import Step, WatersOptions, WatersState, replace
from engine.games.forgotten_waters.view import board, chart, texts
from engine.games.forgotten_waters.view.setup_page import setup_page
from engine.kit.chance import Chance
from engine.kit.faces import dice
from engine.kit.part_panels import Around
from engine.kit.ruleset import Action, Ruleset
from engine.kit.scene import Scene
from engine.kit.scene.panels import Panel
from engine.kit.timer import Timer
from engine.kit.words import join_words, player_number


def components(packs: Mapping[Scenario, Pack]) -> dict[str, Any]:
    """Return the contents of the box and of the scenarios as a JSON document."""
    return {
        "dice": {"sides": 12, "count": 7},
        "roles": [{"id": role, "name": words.printed_name(role)} for role in ROLES],
        "standees": list(STANDEES),
        "skills": list(SKILLS),
        "tokens": {"rerolls": 25, "misfortune": 20, "events": 15, "locks": 9, "cannons": 8, "threat": 5},
        "scenarios": [
            {
                **{name: getattr(pack, name) for name in ("id", "version", "title", "licence", "timer_seconds")},
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
    # Nothing is hidden from a player: cards are face up, and nobody has seen face-down tokens.
    unseen = ("pirates/*/treasures", "treasure_pile")
    actions: ClassVar[tuple[type[Action[Any]], ...]] = (
        phases.ChooseAction,
        phases.TimerRunsOut,
        phases.ResolveAction,
        phases.RemoveStandee,
        phases.ReadRoundEnd,
        ReadOut,
        phases.ChooseOption,
        phases.ChoosePlayer,
        phases.Stop,
        checks.RollDie,
        checks.Reroll,
        checks.ConsultCheck,
        gains.ChooseSkill,
        gains.ReportBox,
        gains.FillStar,
        gains.BuryTreasure,
        the_ship.MoveShip,
        the_ship.ScoutSpace,
        the_ship.FlipToken,
        the_ship.UpgradeCannon,
        the_ship.LoadCannon,
        the_ship.UnloadCannon,
        the_ship.DiscardCannon,
        gains.DrawTreasure,
        gains.StealTreasure,
        gains.DiscardTreasure,
        gains.UseTreasure,
        phases.SaveGame,
        phases.PlayOn,
    )
    unprompted: ClassVar[tuple[type[Action[Any]], ...]] = (ReadOut,)
    facts = FACTS
    columns = COLUMNS
    seat_columns = SEAT_COLUMNS
    chance_points = ("infamy_marker", "player_sheet", "treasure", "die", "navigation_token", "hand_card")
    curve = CURVE
    steps = leaving_out.STEPS
    faces = MappingProxyType({"die": dice(12, 6)})
    sections = SECTIONS
    rule_texts = RULE_TEXTS
    phases = words.PHASES
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

    check_options = staticmethod(setup.check)
    describe_setup = staticmethod(setup.describe)
    setup_page = staticmethod(setup_page)
    setup_prompts = staticmethod(setup.setup_prompts)
    settled = staticmethod(complete_table)
    skips = staticmethod(leaving_out.skips)
    overlooks = staticmethod(leaving_out.overlooks)
    check_components = staticmethod(invariants.broken_components)
    moment = staticmethod(texts.moment)
    planes = staticmethod(chart.planes)

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

    def seats(self, state: WatersState) -> int:
        return len(state.pirates)

    def active(self, state: WatersState) -> int:
        if state.phase == "planning":
            return state.quartermaster
        return state.scribe if state.active is None else state.active

    def begin_turn(self, state: WatersState, seat: int) -> WatersState | None:
        if seat in state.choosing:
            others = tuple(other for other in state.choosing if other != seat)
            return replace(state, choosing=(seat, *others))
        if state.phase == "action" and state.standees[seat]:
            return replace(state, turn=state.turn + 1, active=seat, has_resolved=False, agenda=())
        return None

    def awaiting(self, state: WatersState) -> tuple[int, ...]:
        if state.agenda:
            return (decider(state),)
        if state.phase == "planning":
            return (state.choosing[0],)
        # With a table's own book, only the players know if a pirate's action is over, so the next pirate may begin.
        return tuple(sorted({self.active(state), self.active(finish_action(state))}))

    def must_wait(self, state: WatersState, seat: int) -> bool:
        return seat not in self.awaiting(state) if state.agenda else super().must_wait(state, seat)

    def set_aside(self, state: WatersState) -> WatersState:
        if state.agenda:
            # Behind the first step, a saved game holds up everything else.
            return replace(state, agenda=(state.agenda[0], Step(state.scribe, Saved())))
        # No round ends during an action.
        return replace(state, phase="action", active=state.scribe) if state.phase == "end_of_round" else state

    def keep_turn(self, before: WatersState, after: WatersState) -> WatersState:
        # A player who has chosen out of turn does not choose again.
        choosing = tuple(seat for seat in before.choosing if not after.standees[seat])
        return super().keep_turn(replace(before, choosing=choosing), after)

    def tidy(self, state: WatersState) -> WatersState:
        unordered: dict[str, Any] = {name: getattr(state, name) for name in ("locked", "cannons", "tokens", "icons")}
        unordered["counts"] = (entry for entry in state.counts if entry[1])
        return super().tidy(replace(state, **{name: tuple(sorted(parts)) for name, parts in unordered.items()}))

    def check_invariants(self, state: WatersState) -> list[str]:
        return self.check_components(state) or invariants.violations(state)

    def overview(self, state: WatersState, names: Sequence[str]) -> dict[str, str]:
        rows = texts.state_sheet(state, names)
        outcome = state.outcome
        if outcome is None or outcome.reason not in {"goal_reached", "superior_victory", "goal_without_glory"}:
            return rows
        if outcome.superior:
            rows[say("Superior victory")] = join_words(names[SEAT_INDEX[seat]] for seat in outcome.superior)
        # Players read their endings in order of infamy, beginning with the highest.
        first, seats = state.infamy[0], range(len(state.pirates))
        told = (f"{names[seat]}: {words.ending_text(state, seat)}" for seat in (*seats[first:], *seats[:first]))
        return {**rows, say("Endings"): " ".join(told)}

    def timer(self, state: WatersState) -> Timer | None:
        seconds = state.timer_seconds
        if seconds is None or state.phase != "planning" or state.has_timer_run_out:
            return None
        return Timer(say("Planning"), seconds, phases.TimerRunsOut, state.quartermaster)

    def role(self, state: WatersState, seat: int) -> dict[str, str]:
        return {marked("Player sheet"): state.sheet(seat).title}

    def board(self, state: WatersState, names: Sequence[str], viewer: int | None = None) -> Scene:
        title = f"{say(self.name)}: {state.options.book.title or say(state.pack.title)}"
        return replace(super().board(state, names, viewer), title=title, passage=texts.passage(state))

    def panels(self, state: WatersState, around: Around) -> Iterable[Panel]:
        return (*board.panels(state, around), chart.sky(state, around.names), board.legend())

    def headline(self, state: WatersState, names: Sequence[str]) -> str:
        stats = ", ".join(f"{words.inline_name(stat)} {getattr(state, stat)}" for stat in STATS)
        values = {"round": state.round, "stats": stats, "threat": state.threat, "limit": state.threat_limit}
        return say("Round {round}: {stats}, threat {threat} of {limit}", **values)

    def value_label(self, value: Value) -> str:
        if value in SEAT_INDEX:
            return player_number(SEAT_INDEX[value])
        return say(words.NAMES[value]) if isinstance(value, str) and value in words.NAMES else str(value)

    def vocabulary(self) -> Iterable[str]:
        return (*words.vocabulary(), *measures.NUMBERS, *setup.RANKS)

    def word(self, value: str) -> str:
        return say(words.WORDS[value]) if value in words.WORDS else words.printed_name(value)
