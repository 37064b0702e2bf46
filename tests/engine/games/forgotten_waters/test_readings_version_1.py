"""A round of four pirates with their own book, as version 1 recorded it, and as version 2 does."""

from __future__ import annotations

from typing import Any

from engine.core.events import Draft, Event
from engine.games.forgotten_waters.readings import in_words
from engine.games.forgotten_waters.scenario import effects as effects_of
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.ruleset import Refusal
from engine.play import registry
from engine.review.audit import audit
from engine.review.turns import narrate
from engine.review.versions import upcast
from tests.engine.games.forgotten_waters.test_readings import AIM, CHECK, EFFECTS, LOAD, STARS
from tests.engine.games.forgotten_waters.test_table import RULES
from tests.installing import installed
from tests.recorded.games import FOLDER, read, replay
from tests.recording import Recording

V1 = registry.ruleset("forgotten-waters", "1")
SHEETS = ("alchemist", "seasick", "orphan", "assassin")


# A round of four pirates in both versions


def table(version: str) -> Recording:
    """Four pirates with their own book open on a page."""
    with installed(registry.ruleset("forgotten-waters", version)):
        recording = Recording(
            "forgotten-waters",
            4,
            scenario="table",
            pirates=[{"sheet": sheet} for sheet in SHEETS],
            book={"cannons": [{"level": 1}], "space": "c4"},
        )
    recording.add("set_up", None, ["p1", "p2", "p3", "p4"])
    actions = [{}, {"kind": "limited"}, {"kind": "limited"}, {"kind": "limited"}]
    page = {"do": "turn_page", "page": "4", "actions": actions}
    if version == "1":
        recording.add("apply_effect", "p1", effect=page)
    else:
        recording.add("read_out", "p1", effects=[page])
    for seat in range(1, 5):
        recording.add("choose_action", f"p{seat}", number=seat)
    return recording


END: list[dict[str, Any]] = [
    {"do": "ship", "stat": "supplies", "n": -1},
    {"do": "threat", "n": 1},
    {"do": "check_threat"},
    {"do": "turn_page", "page": "12", "actions": [{}]},
]


def by_version_1() -> list[Event]:
    """One event for each effect and question."""
    record = table("1")

    def enter(actor: str, *effects: dict[str, Any]) -> None:
        for effect in effects:
            record.add("apply_effect", actor, effect=effect)

    for pirate, entry in (("p1", "101"), ("p2", "102")):
        record.add("resolve_action", pirate)
        record.add("apply_effect", pirate, effect=CHECK, entry=entry)
        record.add("roll_die", pirate, [7])
        record.add("consult_check", pirate)
        enter(pirate, {"do": "infamy", "n": -1}, AIM)
        record.add("report_box", pirate, is_star=pirate == "p2")
        if pirate == "p2":
            record.add("fill_star", pirate, star="star_1")
        enter(pirate, {"do": "gain_treasure"})
        record.add("draw_treasure", pirate, ["treasure_1" if pirate == "p1" else "treasure_10"])
        record.add("remove_standee", pirate)
    record.add("resolve_action", "p3")
    enter("p3", LOAD)
    record.add("load_cannon", "p2", level=1)
    enter("p3", {"do": "move_ship", "n": 2})
    record.add("move_ship", "p3", ["navigation"], to="c5")
    record.add("move_ship", "p3", ["navigation"], to="c6")
    record.add("remove_standee", "p3")
    record.add("resolve_action", "p4")
    enter("p4", STARS)
    for star in ("star_1", "event_2"):
        record.add("fill_star", "p4", star=star)
    enter("p4", {"do": "resolve_events"}, {"do": "take_story", "story": "story_12"})
    record.add("remove_standee", "p4")
    record.add("read_round_end", "p1")
    enter("p1", *END)
    return record.events[3:]


def by_version_2() -> list[Event]:
    """One event for each passage, with the answers that the table already knows."""
    record = table("2")
    names = {"p1": "Golden Compass", "p2": "Parrot"}
    for pirate, entry in (("p1", "101"), ("p2", "102")):
        record.add("resolve_action", pirate, effects=[CHECK], entry=entry)
        record.add("roll_die", pirate, [7])
        stars = ["star_1"] if pirate == "p2" else []
        gains = [{**AIM, "stars": stars}, {"do": "gain_treasure", "names": [names[pirate]]}]
        record.add("read_out", pirate, effects=[{"do": "infamy", "n": -1}, *gains])
    record.add("resolve_action", "p3", effects=[LOAD, {"do": "move_ship", "n": 2}])
    record.add("load_cannon", "p2", level=1)
    record.add("move_ship", "p3", ["navigation"], to="c5", name="Whirlpool")
    record.add("move_ship", "p3", ["navigation"], to="c6", name="Fog")
    stars = {**STARS, "stars": ["star_1", "event_2"]}
    record.add(
        "resolve_action",
        "p4",
        effects=[stars, {"do": "resolve_events"}, {"do": "take_story", "story": "story_12"}],
    )
    record.add("read_round_end", "p1", effects=END)
    return record.events[3:]


def test_a_round_of_four_pirates_is_a_third_of_the_events() -> None:
    """FW-R26."""
    old, new = by_version_1(), by_version_2()
    assert (len(old), len(new)) == (44, 16)


def test_a_round_leaves_the_same_table_by_both_versions() -> None:
    def state_after(events: list[Event], version: str) -> WatersState:
        record = table(version)
        for event in events[len(record.events) - 3 :]:
            record.append(Draft(type=event.type, actor=event.actor, params=event.params, outcomes=event.outcomes))
        state = record.game.state
        assert isinstance(state, WatersState)
        return state

    old, new = state_after(by_version_1(), "1"), state_after(by_version_2(), "2")
    assert replace(new, options=old.options, names=old.names, is_page_turned=old.is_page_turned) == new_as(old, new)
    assert new.given_name("c5") == "Whirlpool"


def new_as(old: WatersState, new: WatersState) -> WatersState:
    """The state by version 1 of the rules, converted to a state of version 2."""
    return replace(new, **{name: getattr(old, name) for name in old.__struct_fields__})


def test_a_round_is_told_in_sentences() -> None:
    record = table("2")
    record.add("resolve_action", "p1", effects=[{**AIM, "stars": []}, {"do": "threat", "n": 1}], entry="101")
    told_ = narrate(record.game.header, record.events)[-1].sentence
    assert told_ == (
        "Ada resolves action 1 (entry 101: gain aim, then threat +1). Ada gains aim (1 filled in). Threat 0 → 1."
    )
    assert audit(record.events).verdict == "clean"


# Version 1


def test_version_1__knows_effects_one_by_one() -> None:
    record = table("1")
    assert {"apply_effect"} == {kind.type for kind in V1.actions} - {kind.type for kind in RULES.actions}
    record.add("resolve_action", "p1")
    state: Any = record.game.state
    ranges = list(V1.legal_ranges(state))
    assert {one.kind.type for one in ranges} == {"apply_effect"}
    assert not {"GiveCard", "Maximum", "PutShip"} & set(ranges[0].params["$defs"])
    assert "stars" not in ranges[0].params["$defs"]["GainSkill"]["properties"]
    action = V1.parse("apply_effect", {"effect": {**AIM, "stars": []}})
    assert action.refusal(state, 0) == Refusal(
        EFFECTS, "That is not possible here: leave out the stars and treasures: the service asks for them."
    )
    assert V1.parse("resolve_action", {"entry": "5"}).refusal(table("1").game.state, 0) is not None


def test_version_1__is_read_by_version_2() -> None:
    draft = Draft(type="apply_effect", actor="p1", params={"effect": AIM, "entry": "5"})
    assert upcast(RULES, "1", draft).params == {"effects": [AIM], "entry": "5"}
    record = table("1")
    for event in by_version_1()[len(record.events) - 3 :]:
        record.append(Draft(type=event.type, actor=event.actor, params=event.params, outcomes=event.outcomes))
    comparison = audit(record.events, "2").rules
    assert comparison is not None
    assert comparison.verdicts == 0


def test_version_1__lists_examples_and_says_why_not() -> None:
    record = table("1")
    record.add("resolve_action", "p1")
    state: Any = record.game.state
    listed = [one.action for one in V1.legal_actions(state) if (one.action.type, one.actor) == ("apply_effect", "p1")]
    assert "turn to page 1" in [in_words(action.effect) for action in listed]
    assert "the goal is reached" not in [in_words(action.effect) for action in listed]
    hull = {"do": "ship", "stat": "hull", "n": -1}
    action = V1.parse("apply_effect", {"effect": hull, "entry": "5"})
    assert action.label(state, ("Ada",)) == "Enter the effect of entry 5: hull −1"
    assert action.describe(state, 0, (), ("Ada", "Bo", "Cy", "Dov")).startswith(
        "Ada enters the effect of entry 5: hull −1. Read entry 5. Hull 8 → 7."
    )
    assert action.refusal(state, 2) == Refusal(EFFECTS, "Only the Ship Scribe can enter what is read out.")
    action = V1.parse("apply_effect", {"effect": hull})
    assert action.label(state, ("Ada",)) == "Enter the effect: hull −1"
    assert action.describe(state, 0, (), ("Ada", "Bo", "Cy", "Dov")) == "Ada enters the effect: hull −1. Hull 8 → 7."

    record.add("apply_effect", "p1", effect=CHECK)
    state = record.game.state
    assert {one.action.effect for one in V1.legal_actions(state) if one.action.type == "apply_effect"} == {
        effects_of.AddToCheck(n=1),
        effects_of.SetDie(to=12),
    }
    assert V1.parse("apply_effect", {"effect": hull}).refusal(state, 0) == Refusal(
        EFFECTS, "This effect cannot occur here: hull −1."
    )


def test_version_1__nothing_is_entered_in_a_scenario_that_knows_its_effects() -> None:
    kept = FOLDER / "forgotten-waters-1" / "goal_reached.jsonl"
    header, lines = read(kept)
    state: Any = replay(header, lines[:1]).game.state
    assert V1.parse("apply_effect", {"effect": LOAD}).refusal(state, 0) == Refusal(
        EFFECTS, "Driftlog knows the effects of this scenario, so do not enter what a book says."
    )
    assert not [one for one in V1.legal_actions(state) if one.action.type == "apply_effect"]
