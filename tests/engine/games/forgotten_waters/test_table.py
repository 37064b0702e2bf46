"""Forgotten Waters: the table's own book, with effects entered as they are read out."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.chance import Sampled
from engine.kit.ruleset import Refusal
from engine.play import registry
from tests.engine.games.forgotten_waters.positions import at_table, having, resolving, voyage
from tests.engine.games.playing import do, kinds, offered, refused, said

EFFECTS = "Resolving Game Effects"
RULES: Any = registry.ruleset("forgotten-waters")
PAGE: dict[str, Any] = {
    "do": "turn_page",
    "page": "12",
    "actions": [{}, {"kind": "required"}, {"kind": "limited"}, {"kind": "limited", "is_locked": True}],
    "features": [{"id": "hull", "start": 2, "max": 6}],
}


def opened_book() -> WatersState:
    """The book is open on a page of four actions."""
    state: WatersState = do(at_table(), "p1", "read_out", effects=[PAGE])
    return state


def resolves(*effects: dict[str, Any], state: WatersState | None = None, seat: int = 1) -> WatersState:
    return resolving(*effects, state=state or opened_book(), seat=seat)


def test_book__is_closed_at_first() -> None:
    state = at_table()
    assert (state.phase, state.turn, state.page, kinds(state, "p1")) == ("end_of_round", 1, "", ["read_out"])


def test_book__is_opened_at_a_page() -> None:
    state = opened_book()
    assert (state.page, state.phase, state.locked, state.dials) == ("12", "planning", (4,), (2,))
    assert [(place.number, place.kind) for place in state.places] == [
        (1, "unlimited"),
        (2, "required"),
        (3, "limited"),
        (4, "limited"),
    ]


def test_book__planning_is_the_same_machine() -> None:
    assert offered(opened_book(), "p1", "choose_action") == [1, 2, 3]


def test_book__an_action_has_no_effects_of_its_own() -> None:
    state = replace(opened_book(), phase="action", active=1, choosing=(), standees=(1, 1, 1))
    state = do(state, "p2", "resolve_action")
    assert (state.agenda, kinds(state, "p2")) == ((), ["remove_standee", "read_out"])
    assert said(replace(state, has_resolved=False), "p2", "resolve_action")[0] == "Resolve action 1"


def test_read_out__by_the_entry_that_says_it() -> None:
    state = do(resolves(), "p2", "read_out", effects=[{"do": "ship", "stat": "hull", "n": -2}], entry="963")
    assert (state.hull, state.entries) == (6, ("963",))


def test_read_out__within_the_same_limits() -> None:
    state = do(resolves(), "p2", "read_out", effects=[{"do": "ship", "stat": "hull", "n": 20}])
    assert state.hull == 12


def test_read_out__by_who_resolves_or_the_scribe() -> None:
    effect = {"do": "ship", "stat": "hull", "n": 1}
    assert do(resolves(), "p1", "read_out", effects=[effect]).hull == 9
    assert refused(resolves(), "p3", "read_out", effects=[effect]) == Refusal(
        EFFECTS, "Only the Ship Scribe can enter what is read out."
    )


def test_read_out__one_after_the_other() -> None:
    """FW-R26."""
    state = resolves({"do": "gain_treasure"})
    assert refused(state, "p2", "read_out", effects=[{"do": "threat", "n": 1}]) == Refusal(
        EFFECTS, "Another effect must be resolved first."
    )


def test_read_out__not_in_a_scenario_that_knows_its_effects() -> None:
    assert refused(voyage(), "p1", "read_out", effects=[{"do": "threat", "n": 1}]) == Refusal(
        EFFECTS, "Driftlog knows the effects of this scenario, so do not enter what a book says."
    )


def test_read_out__never_the_text() -> None:
    effect = {"do": "check", "skill": "aim", "results": [{"from": 1, "text": "words"}]}
    assert refused(resolves(), "p2", "read_out", effects=[effect]) == Refusal(
        EFFECTS, "That is not possible here: the text of a book cannot be entered."
    )


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ({"do": "dial", "feature": "mast", "n": 1}, "That is not possible here: there is no feature 'mast'."),
        ({"do": "lock", "action": 9}, "That is not possible here: there is no action '9'."),
        ({"do": "place_token", "space": "z9", "token": "fog"}, "That is not possible here: there is no space 'z9'."),
        ({"do": "remove_token", "space": "z9"}, "That is not possible here: there is no space 'z9'."),
        (
            {"do": "for_players", "who": "all", "effects": [{"do": "check", "skill": "aim"}]},
            "That is not possible here: enter each effect separately when it happens.",
        ),
        (
            {"do": "per", "of": "round", "effects": [{"do": "threat", "n": 1}]},
            "This effect cannot occur here: once or several times: threat +1.",
        ),
        ({"do": "add_to_check", "n": 1}, "This effect cannot occur here: add 1 to the check."),
    ],
)
def test_read_out__refused(effect: dict[str, Any], message: str) -> None:
    """FW-R26."""
    assert refused(resolves(), "p2", "read_out", effects=[effect]) == Refusal(EFFECTS, message)


def test_read_out__no_round_before_the_book_is_open() -> None:
    assert refused(at_table(), "p1", "read_out", effects=[{"do": "new_round"}]).message == (
        "This effect cannot occur here: begin a new round on this page."
    )


def test_read_out__no_round_begins_before_the_book_is_open() -> None:
    effect = {"do": "for_players", "who": "others", "effects": [{"do": "new_round"}]}
    assert refused(at_table(), "p1", "read_out", effects=[effect]).message == (
        "That is not possible here: there is no page on which a round can begin yet."
    )
    assert do(resolves(), "p2", "read_out", effects=[effect]).round == 2


def test_read_out__for_several_players() -> None:
    effect = {"do": "for_players", "who": "all", "effects": [{"do": "rerolls", "n": 1}]}
    state = do(resolves(), "p2", "read_out", effects=[effect])
    assert [pirate.rerolls for pirate in state.pirates] == [1, 1, 1]


def test_read_out__is_told() -> None:
    effect = {"do": "ship", "stat": "hull", "n": -2}
    assert said(resolves(), "p2", "read_out", effects=[effect], entry="963") == (
        "Read out entry 963: hull −2",
        "Bo reads out entry 963: hull −2. Hull 8 → 6.",
    )
    assert said(resolves(), "p2", "read_out", effects=[{"do": "fill_star"}])[0] == "Read out: fill in 1 star"
    assert (
        said(resolves(), "p2", "read_out", effects=[{"do": "resolve_events"}])[0]
        == "Read out: resolve constellation events"
    )


# Checks


def test_check__waits_until_its_total_is_read() -> None:
    state = do(resolves({"do": "check", "skill": "aim"}), "p2", "roll_die", 7)
    assert kinds(state, "p2") == ["read_out", "consult_check"]
    assert do(state, "p2", "consult_check").agenda == ()


def test_check__a_card_adds_to_it() -> None:
    state = do(resolves({"do": "check", "skill": "aim"}), "p2", "roll_die", 7)
    state = do(state, "p2", "read_out", effects=[{"do": "add_to_check", "n": 3}])
    assert said(state, "p2", "consult_check")[0] == "Keep the total of 10"


def test_check__a_die_is_set() -> None:
    state = do(resolves({"do": "check", "skill": "aim"}), "p2", "read_out", effects=[{"do": "set_die", "to": 12}])
    assert said(state, "p2", "consult_check")[0] == "Keep the total of 12"
    assert refused(state, "p2", "read_out", effects=[{"do": "set_die", "to": 9}]).message == (
        "This effect cannot occur here: set the die to 9."
    )


def test_check__nothing_else_meanwhile() -> None:
    state = resolves({"do": "check", "skill": "aim"})
    assert refused(state, "p2", "read_out", effects=[{"do": "threat", "n": 1}]).rule == EFFECTS
    assert refused(state, "p1", "read_out", effects=[{"do": "add_to_check", "n": 1}]) == Refusal(
        EFFECTS, "Only another player can decide that."
    )


def test_check__not_between_two_dice() -> None:
    state = having(opened_book(), 1, misfortune=1)
    state = do(resolves({"do": "check", "skill": "aim"}, state=state), "p2", "roll_die", 7)
    assert refused(state, "p2", "read_out", effects=[{"do": "add_to_check", "n": 1}]).rule == EFFECTS
    assert kinds(state, "p2") == ["roll_die"]


def test_check__icons_that_the_table_notes_on_its_cards() -> None:
    state = resolves(
        {"do": "card_icon", "card": "treasure_5", "skill": "aim", "n": 2},
        state=having(opened_book(), 1, treasures=("treasure_5",)),
    )
    state = resolves(
        {"do": "card_icon", "card": "treasure_5", "skill": "aim", "n": 3}, {"do": "check", "skill": "aim"}, state=state
    )
    assert said(do(state, "p2", "roll_die", 7), "p2", "consult_check")[0] == "Keep the total of 10"


def test_treasure__discarded_for_what_its_card_says() -> None:
    state = do(
        resolves(state=having(opened_book(), 1, treasures=("treasure_5",))), "p2", "use_treasure", treasure="treasure_5"
    )
    assert state.treasure_discard == ("treasure_5",)
    check = resolves({"do": "check", "skill": "aim"}, state=having(opened_book(), 1, treasures=("treasure_5",)))
    assert do(check, "p2", "use_treasure", treasure="treasure_5").treasure_discard == ("treasure_5",)


# Paper sheets, pages, objectives, threat


def test_box__of_a_paper_sheet_is_reported() -> None:
    """FW-R26."""
    state = resolves({"do": "gain_skill", "skill": "aim"})
    assert offered(state, "p2", "report_box") == [False, True]
    assert do(state, "p2", "report_box", is_star=False).agenda == ()
    assert len(offered(do(state, "p2", "report_box", is_star=True), "p2", "fill_star")) == 18
    assert refused(state, "p1", "report_box", is_star=True).message == "Only another player can decide that."


def test_box__is_told() -> None:
    state = resolves({"do": "gain_skill", "skill": "aim"})
    assert said(state, "p2", "report_box", is_star=True) == ("The box had a star", "Bo found a star in the box.")
    assert said(state, "p2", "report_box", is_star=False) == ("The box was empty", "Bo found the box empty.")


def test_round_end__is_read_and_entered() -> None:
    state = replace(opened_book(), phase="end_of_round", choosing=(), has_resolved=False)
    state = do(state, "p1", "read_round_end")
    assert (state.phase, kinds(state, "p1")) == ("end_of_round", ["read_out"])
    assert do(state, "p1", "read_out", effects=[{"do": "new_round"}]).round == 2
    assert said(state, "p1", "read_out", effects=[{**PAGE, "page": "13"}])[1].endswith("Round 2 begins on page 13.")


def test_objective__with_its_threat_limit() -> None:
    state = resolves({"do": "objective", "objective": "objective_4", "threat_limit": 2})
    assert (state.objective, state.threat_limit) == ("objective_4", 2)
    assert resolves({"do": "objective", "objective": "objective_5"}, state=state).threat_limit == 2


def test_objective__is_told() -> None:
    sentence = said(resolves(), "p2", "read_out", effects=[{"do": "objective", "objective": "objective_4"}])[1]
    assert sentence.endswith("New objective: Objective 4.")


def test_threat_event__is_checked_off_and_read() -> None:
    state = replace(opened_book(), threat=5)
    sentence = said(resolves(state=state), "p2", "read_out", effects=[{"do": "check_threat"}])[1]
    assert sentence.endswith("Threat event 1 of 4 is checked off.")


def test_story__any_card_of_the_box() -> None:
    sentence = said(resolves(), "p2", "read_out", effects=[{"do": "take_story", "story": "story_12"}])[1]
    assert sentence.endswith("Bo takes the story Story 12.")


def test_map__tokens_of_the_book() -> None:
    state = at_table(placed=[{"space": "b2", "token": "fog"}, {"space": "c2", "token": "rocky_waters"}], space="b1")
    state = resolves({"do": "move_ship"}, state=do(state, "p1", "read_out", effects=[PAGE]))
    assert "c2" not in offered(state, "p2", "move_ship")
    assert said(state, "p2", "move_ship", to="b2")[0] == "Move the ship to b2 (Fog)"
    assert resolves({"do": "read_space"}, state=do(state, "p2", "move_ship", to="b2")).entries == ()


# The range


def test_range__is_a_schema_of_what_is_legal() -> None:
    ranges = list(RULES.legal_ranges(resolves()))
    assert [(one.kind.type, one.actor) for one in ranges] == [
        ("read_round_end", "p1"),
        ("read_out", "p1"),
        ("read_out", "p2"),
    ]
    for one in ranges:
        Draft202012Validator.check_schema(one.params)


def test_range__none_where_effects_are_known() -> None:
    assert list(RULES.legal_ranges(voyage())) == []


def test_range__the_examples_fit_it() -> None:
    for state in (resolves(), resolves({"do": "check", "skill": "aim"}), at_table()):
        ranges = RULES.legal_ranges(state)
        schemas = {(one.kind, one.seat): Draft202012Validator(one.params) for one in ranges}
        for legal in RULES.legal_actions(state):
            if (type(legal.action), legal.seat) in schemas:
                document = msgspec.json.decode(msgspec.json.encode(legal.action))
                schemas[type(legal.action), legal.seat].validate(document)


def test_range__what_fits_it_can_be_done() -> None:
    rng = random.Random(3)
    for state in (resolves(), at_table(), resolves({"do": "check", "skill": "aim"})):
        for one in RULES.legal_ranges(state):
            for _ in range(300):
                action = RULES.parse(one.kind.type, guess(one.params, one.params["$defs"], rng))
                assert RULES.judge(state, action, one.actor) == one.seat
                chance = Sampled(rng)
                chance.begin(3, ())
                assert RULES.check_invariants(action.apply(state, one.seat, chance)) == []


def test_range__what_does_not_fit_it_is_refused() -> None:
    """The range's schema and the rules give the same verdict on each effect of the scenario's pages."""
    state = resolves()
    (schema,) = (
        Draft202012Validator(one.params)
        for one in RULES.legal_ranges(state)
        if (one.kind.type, one.actor) == ("read_out", "p2")
    )
    pages = registry.ruleset("forgotten-waters").components["scenarios"][0]["pages"]
    for effect in (effect for page in pages for action in page["actions"] for effect in action["effects"]):
        params = {"effects": [msgspec.json.decode(msgspec.json.encode(effect))]}
        action = RULES.parse("read_out", params)
        assert schema.is_valid(params) == (action.refusal(state, 1) is None), params


def guess(schema: dict[str, Any], definitions: dict[str, Any], rng: random.Random) -> Any:
    """Return a random document in the form of `schema`, which the rules may still refuse."""
    match schema:
        case {"$ref": name}:
            return guess(definitions[name.rpartition("/")[2]], definitions, rng)
        case {"anyOf": ways}:
            return guess(rng.choice(ways), definitions, rng)
        case {"enum": values}:
            return rng.choice(values)
        case {"type": "integer"}:
            return rng.randint(schema.get("minimum", -3), schema.get("maximum", 30))
        case {"type": "boolean"}:
            return rng.random() < 0.5
        case {"type": "null"}:
            return None
        case {"type": "array"}:
            size = rng.randint(schema.get("minItems", 0), min(schema.get("maxItems", 3), 3))
            return [guess(schema["items"], definitions, rng) for _ in range(size)]
        case {"type": "object"}:
            required = schema.get("required", ())
            names = [name for name in schema["properties"] if name in required or rng.random() < 0.6]
            return {name: guess(schema["properties"][name], definitions, rng) for name in names}
        case {"pattern": pattern} if "crew" in pattern:
            return rng.choice(["crew", "infamy", "skill:aim", "dial:hull", "count:rope", "entry:12", "story:x"])
    return rng.choice(["a", "rope", "12"])
