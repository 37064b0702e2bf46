"""Forgotten Waters: what is read out of a table's own book in one breath is one event."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import Unclear
from engine.core.events import Draft, Event
from engine.games.forgotten_waters.readings import in_words
from engine.games.forgotten_waters.scenario import effects as effects_of
from engine.games.forgotten_waters.scenario.effects import Effect
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.chance import Observed
from engine.kit.ruleset import Refusal
from engine.play import registry
from engine.review.audit import audit
from engine.review.turns import narrate
from engine.review.versions import upcast
from tests.engine.games.forgotten_waters.positions import at_table, having, resolving, voyage
from tests.engine.games.forgotten_waters.test_table import PAGE, RULES, opened, resolves
from tests.engine.games.playing import do, kinds, offered, refused, told
from tests.installing import installed
from tests.recorded.games import FOLDER, read, replay
from tests.recording import Recording

EFFECTS = "Resolving Game Effects"
V1 = registry.ruleset("forgotten-waters", "1")
SHEETS = ("alchemist", "seasick", "orphan", "assassin")


# A round of four pirates, as it was and as it is


def table(version: str) -> Recording:
    """Four pirates whose book is open on a page."""
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


CHECK, LOAD = {"do": "check", "skill": "swagger"}, {"do": "load_cannon"}
AIM, STARS = {"do": "gain_skill", "skill": "aim"}, {"do": "fill_star", "n": 2}
END: list[dict[str, Any]] = [
    {"do": "ship", "stat": "supplies", "n": -1},
    {"do": "threat", "n": 1},
    {"do": "check_threat"},
    {"do": "turn_page", "page": "12", "actions": [{}]},
]


def by_version_1() -> list[Event]:
    """Effect by effect, each question an event."""
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
    """A reading an event, with what the table knows already."""
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
    def left(events: list[Event], version: str) -> WatersState:
        record = table(version)
        for event in events[len(record.events) - 3 :]:
            record.append(Draft(type=event.type, actor=event.actor, params=event.params, outcomes=event.outcomes))
        state = record.game.state
        assert isinstance(state, WatersState)
        return state

    old, new = left(by_version_1(), "1"), left(by_version_2(), "2")
    assert replace(new, options=old.options, names=old.names, is_page_turned=old.is_page_turned) == new_as(old, new)
    assert new.called("c5") == "Whirlpool"


def new_as(old: WatersState, new: WatersState) -> WatersState:
    """The state by version 1, as one by version 2."""
    return replace(new, **{name: getattr(old, name) for name in old.__struct_fields__})


def test_a_round_is_told_in_sentences() -> None:
    record = table("2")
    record.add("resolve_action", "p1", effects=[{**AIM, "stars": []}, {"do": "threat", "n": 1}], entry="101")
    told_ = narrate(record.game.header, record.events)[-1].sentence
    assert told_ == (
        "Ada resolves action 1 (entry 101: gain aim, then threat +1). Ada gains aim (1 filled in). Threat 0 → 1."
    )
    assert audit(record.events).verdict == "clean"


# What is read at once


def test_reading__the_next_pirate_begins_and_the_one_before_is_done() -> None:
    """FW-R6, FW-R26."""
    state = replace(opened(), phase="action", active=1, choosing=(), standees=(3, 1, 1))
    state = do(state, "p2", "resolve_action")
    assert RULES.awaiting(state) == (1, 2)
    state = do(state, "p3", "resolve_action")
    assert (state.standees, state.active, state.turn) == ((3, 0, 1), 2, 3)
    state = do(do(state, "p1", "resolve_action"), "p1", "read_round_end")
    assert (state.phase, state.standees) == ("end_of_round", (0, 0, 0))
    assert "read_out" in kinds(state, "p1")


def test_reading__nobody_begins_while_something_waits() -> None:
    state = replace(opened(), phase="action", active=1, choosing=(), standees=(3, 1, 1))
    state = do(state, "p2", "resolve_action", effects=[{"do": "gain_treasure"}])
    assert refused(state, "p3", "resolve_action").rule == "2. Action Phase"
    assert RULES.awaiting(state) == (1,)


def test_reading__what_ends_the_round_comes_last() -> None:
    page, hull = {"do": "turn_page", "page": "13", "actions": [{}]}, {"do": "ship", "stat": "hull", "n": -1}
    state = do(resolves(), "p2", "read_out", effects=[page, hull, {"do": "complete_part"}])
    assert (state.hull, kinds(state, "p1")) == (7, ["save_game", "play_on"])
    state = do(state, "p1", "play_on")
    assert (state.page, state.part, state.phase) == ("13", 2, "planning")


def test_reading__of_a_check_keeps_the_total() -> None:
    state = do(resolves(CHECK), "p2", "roll_die", 7)
    later = {"do": "ship", "stat": "hull", "n": -1}
    after = do(state, "p2", "read_out", effects=[later, {"do": "add_to_check", "n": 2}])
    assert (after.agenda, after.hull) == ((), 7)
    assert do(state, "p2", "read_out", effects=[{"do": "add_to_check", "n": 2}]).agenda[0].bonus == 2
    assert refused(resolves(CHECK), "p2", "read_out", effects=[later]).message == "That has no place here: hull −1."


def test_reading__not_in_a_scenario_that_knows_its_effects() -> None:
    state = replace(voyage(), phase="action", active=0, choosing=(), standees=(1, 2, 3))
    assert refused(state, "p1", "resolve_action", effects=[LOAD]) == Refusal(
        EFFECTS, "This scenario's effects are in its pack: nothing is read out of a book."
    )
    assert refused(state, "p1", "resolve_action", entry="5").rule == EFFECTS


# What is said at once instead of being asked


def test_gain_skill__with_the_stars_of_the_paper() -> None:
    state = do(resolves(), "p2", "read_out", effects=[{**AIM, "n": 3, "stars": ["star_2"]}])
    assert (state.pirates[1].boxes[0], state.pirates[1].stars, state.agenda) == (3, ("star_2",), ())
    state = do(state, "p2", "read_out", effects=[{**AIM, "n": 20, "stars": []}])
    assert (state.pirates[1].boxes[0], state.agenda) == (7, ())


def test_fill_star__what_cannot_be_filled_in_is_asked() -> None:
    state = do(resolves(), "p2", "read_out", effects=[{**STARS, "stars": ["star_1", "star_99"]}])
    assert (state.pirates[1].stars, "star_2" in offered(state, "p2", "fill_star")) == (("star_1",), True)


def test_gain_treasure__by_name() -> None:
    state = do(resolves(), "p2", "read_out", effects=[{"do": "gain_treasure", "n": 2, "names": ["Parrot"]}])
    assert told(state, "p2", "draw_treasure", name="Hook") == (
        "Draw Hook",
        "Bo draws Hook. Bo gains the treasure Hook.",
    )
    state = do(state, "p2", "draw_treasure", name="Hook")
    first, second = state.pirates[1].treasures
    assert (state.called(first), state.called(second)) == ("Parrot", "Hook")
    assert told(state, "p2", "use_treasure", treasure=first)[0] == "Use Parrot"


def test_gain_treasure__a_card_keeps_its_name() -> None:
    state = do(resolves(), "p2", "read_out", effects=[{"do": "gain_treasure", "names": ["Parrot"]}])
    (card,) = state.pirates[1].treasures
    # All others are with the pirates, so that the deck is made of what was discarded.
    state = do(state, "p2", "use_treasure", treasure=card)
    rest = state.treasure_pile.cards()
    state = replace(state, treasure_pile=type(state.treasure_pile)(), treasure_discard=(*rest, card))
    state = do(state, "p2", "read_out", effects=[{"do": "gain_treasure", "names": ["Parrot"]}])
    assert state.pirates[1].treasures == (card,)


def test_gain_treasure__of_a_deck_whose_cards_all_have_names() -> None:
    state = resolves()
    cards = state.treasure_pile.cards()
    state = replace(state, names=tuple((card, f"Card {card}") for card in cards))
    state = do(state, "p2", "read_out", effects=[{"do": "gain_treasure", "names": ["Parrot"]}])
    assert state.called(state.pirates[1].treasures[0]) == "Parrot"


def test_gain_treasure__a_fifth_has_to_go_before_the_next() -> None:
    """FW-R17."""
    names = [f"Card {number}" for number in range(6)]
    state = do(resolves(), "p2", "read_out", effects=[{"do": "gain_treasure", "n": 6, "names": names}])
    assert [len(state.pirates[1].treasures), kinds(state, "p2")] == [5, ["discard_treasure"]]


def test_gain_treasure__none_of_a_deck_that_is_out() -> None:
    state = resolves()
    held = tuple(state.treasure_pile.cards())
    effect = {"do": "gain_treasure", "names": ["Parrot"]}
    empty = replace(state, treasure_pile=type(state.treasure_pile)())
    after = RULES.parse("read_out", {"effects": [effect]}).apply(empty, 1, Observed())
    assert (len(held), after.pirates[1].treasures, after.agenda) == (89, (), ())


def test_names__of_a_pack_stay_its_own() -> None:
    drawing = resolving({"do": "gain_treasure"}, state=voyage())
    assert (
        refused(drawing, "p1", "draw_treasure", name="Hook").message == "The cards of this scenario have their names."
    )
    moving = resolving({"do": "move_ship"}, state=voyage())
    assert refused(moving, "p1", "move_ship", to="a4", name="Fog").message == (
        "No token of a table's own box is drawn there."
    )
    flipping = do(resolving({"do": "scout"}, state=voyage()), "p1", "scout_space", space="a4")
    assert refused(flipping, "p1", "flip_token", name="Fog").message == "The tokens of this scenario have their names."
    assert list(RULES.legal_ranges(drawing)) == list(RULES.legal_ranges(moving)) == []
    assert list(RULES.legal_ranges(flipping)) == []


# Tokens, the ship, cards, tracks


def sailing(*effects: dict[str, Any]) -> WatersState:
    state = at_table(placed=[{"space": "c2", "token": "rocky_waters"}], space="b1")
    return resolving(*effects, state=do(state, "p1", "read_out", effects=[PAGE]), seat=1)


def test_tokens__are_named_as_they_come() -> None:
    state = do(sailing({"do": "scout"}), "p2", "scout_space", space="a1")
    assert told(state, "p2", "flip_token", "navigation", name="Fog") == (
        "Flip the token on a1: Fog",
        "Bo flips the token on a1: Fog.",
    )
    state = do(state, "p2", "flip_token", "navigation", name="Fog")
    state = resolving({"do": "move_ship", "n": 2}, state=state, seat=1)
    assert told(state, "p2", "move_ship", to="a1")[0] == "Move the ship to a1 (Fog)"
    assert told(state, "p2", "move_ship", "navigation", to="b2", name="Reef") == (
        "Move the ship to b2 (Reef)",
        "Bo moves the ship to b2: Reef.",
    )
    state = do(state, "p2", "move_ship", "navigation", to="b2", name="Reef")
    assert "b2: Reef" in RULES.overview(state, ("Ada", "Bo", "Cy"))["Map"]
    assert "Fog" in str(RULES.board(state, ("Ada", "Bo", "Cy")))
    assert refused(state, "p2", "move_ship", to="a1", name="Fog").rule == "Moving the Ship"
    state = resolving({"do": "remove_token", "space": "b2"}, state=replace(state, agenda=()), seat=1)
    assert (state.called("b2"), state.called("a1")) == (None, "Fog")


def test_tokens__the_range_has_the_spaces_where_one_is_drawn() -> None:
    state = do(sailing({"do": "scout"}), "p2", "scout_space", space="a1")
    (flip,) = [one.params for one in RULES.legal_ranges(state)]
    assert flip["required"] == ["name"]
    state = do(state, "p2", "flip_token", "navigation")
    (move,) = [one.params for one in RULES.legal_ranges(resolving({"do": "move_ship"}, state=state, seat=1))]
    assert "a1" not in move["properties"]["to"]["enum"]
    assert "c2" not in move["properties"]["to"]["enum"]


def test_put_ship__on_any_space_but_rocks() -> None:
    state = do(sailing(), "p2", "read_out", effects=[{"do": "put_ship", "space": "e5"}])
    assert (state.ship, state.tokens) == ("e5", (("c2", "rocky_waters"),))
    assert refused(sailing(), "p2", "read_out", effects=[{"do": "put_ship", "space": "c2"}]).message == (
        "That is not possible here: there is no space 'c2'."
    )
    rocks = [{"do": "place_token", "space": "e5", "token": "rocky_waters"}, {"do": "put_ship", "space": "e5"}]
    assert do(sailing(), "p2", "read_out", effects=rocks).ship == "b1"


def test_give_card__a_treasure_or_a_story() -> None:
    state = having(resolves(), 1, treasures=("treasure_5",), stories=("story_1",))
    gives = [{"do": "give_card", "card": card, "player": "p3"} for card in ("treasure_5", "story_1")]
    after = do(state, "p2", "read_out", effects=gives)
    assert (after.pirates[1].treasures, after.pirates[2].treasures) == ((), ("treasure_5",))
    assert (after.pirates[1].stories, after.pirates[2].stories) == ((), ("story_1",))
    away = [{"do": "return_story", "story": "story_1"}, gives[1]]
    assert do(state, "p2", "read_out", effects=away).pirates[2].stories == ()


def test_give_card__of_somebody_to_a_player() -> None:
    gift = {"do": "give_card", "card": "treasure_5", "player": "p3"}
    assert refused(resolves(), "p2", "read_out", effects=[gift]).message == (
        "That is not possible here: there is no card 'treasure_5'."
    )
    state = having(resolves(), 1, treasures=("treasure_5",))
    assert refused(state, "p2", "read_out", effects=[{**gift, "player": "p7"}]).message == (
        "That is not possible here: there is no player 'p7'."
    )


@pytest.mark.parametrize(
    "effect", [{"do": "put_ship", "space": "z9"}, {"do": "give_card", "card": "treasure_5", "player": "p7"}]
)
def test_reading__of_what_is_not_there_is_unclear(effect: dict[str, Any]) -> None:
    with pytest.raises(Unclear):
        RULES.parse("read_out", {"effects": [effect]}).apply(resolves(), 1, Observed())


def test_maximum__of_a_later_part() -> None:
    state = do(resolves(), "p2", "read_out", effects=[{"do": "maximum", "track": "hull", "to": 5}])
    assert (state.maxima.hull, state.hull) == (5, 5)
    crew = do(resolves(), "p2", "read_out", effects=[{"do": "maximum", "track": "crew", "to": 2}])
    assert crew.outcome.reason == "mutiny"


# In words


@pytest.mark.parametrize("kind", Effect.__args__, ids=lambda kind: kind.__name__)
def test_words__of_every_effect(kind: Any) -> None:
    known: dict[str, Any] = {
        "skill": "aim", "n": 2, "story": "story_1", "up_to": 2, "card": "treasure_5", "to": 3, "place": "top",
        "stat": "hull", "track": "hull", "level": 2, "feature": "mast", "counter": "rope", "objective": "objective_2",
        "space": "b2", "token": "fog", "action": 4, "results": (), "entry": "12", "page": "12", "who": "all",
        "player": "p2", "effects": (effects_of.Threat(n=1),), "when": (), "options": (effects_of.Option(name="Stay"),),
        "of": "round",
    }  # fmt: skip
    said = in_words(kind(**{name: known[name] for name in kind.__struct_fields__ if name in known}))
    assert said
    assert "_" not in said


def test_words__of_one_and_of_several() -> None:
    assert in_words(effects_of.GainSkill(skill="aim")) == "gain aim"
    assert in_words(effects_of.GainSkill(skill="aim", n=2)) == "gain 2 times aim"
    assert in_words(effects_of.Ship(stat="hull", n=2)) == "hull +2"
    assert in_words(effects_of.RemoveToken()) == "take the token off the ship’s space"
    lowest = effects_of.ForPlayers(who="lowest", of="skill:aim", effects=(effects_of.Threat(n=1),))
    assert in_words(lowest) == "for the lowest in aim: threat +1"


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
        EFFECTS, "That is not possible here: which stars and treasures they are is asked."
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
        "Ada enters the effect of entry 5: hull −1. Entry 5 is read. Hull 8 → 7."
    )
    assert action.refusal(state, 2) == Refusal(EFFECTS, "The Ship Scribe enters what is read out.")

    record.add("apply_effect", "p1", effect=CHECK)
    state = record.game.state
    assert {one.action.effect for one in V1.legal_actions(state) if one.action.type == "apply_effect"} == {
        effects_of.AddToCheck(n=1),
        effects_of.SetDie(to=12),
    }
    assert V1.parse("apply_effect", {"effect": hull}).refusal(state, 0) == Refusal(
        EFFECTS, "That has no place here: hull −1."
    )


def test_version_1__nothing_is_entered_in_a_scenario_that_knows_its_effects() -> None:
    kept = FOLDER / "forgotten-waters-1" / "goal_reached.jsonl"
    header, lines = read(kept)
    state: Any = replay(header, lines[:1]).game.state
    assert V1.parse("apply_effect", {"effect": LOAD}).refusal(state, 0) == Refusal(
        EFFECTS, "This scenario's effects are in its pack: nothing is read out of a book."
    )
    assert not [one for one in V1.legal_actions(state) if one.action.type == "apply_effect"]
