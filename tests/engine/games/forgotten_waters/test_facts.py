"""What a table of Forgotten Waters says of itself: put, told in words, and what cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import UnsoundTable
from engine.games.forgotten_waters.scenario.effects import FillStar
from engine.games.forgotten_waters.scenario.pack import Cannon
from engine.games.forgotten_waters.state import Step, WatersState, replace
from engine.kit.facts import Tableau, Told
from engine.kit.piles import Pile
from engine.play import facts
from tests.engine.games.forgotten_waters.positions import at_table, boxes, having, voyage
from tests.engine.games.playing import rules_of

NAMES = ("Ada", "Bo", "Cleo")
EVENT_STARS = ("a1", "a2", "e1", "b1", "e2")


def told(state: WatersState, *documents: dict[str, Any], is_whole: bool = False) -> Told:
    return Told(facts.read(rules_of(state), documents, 3, ""), is_whole=is_whole)


def after(state: WatersState, *documents: dict[str, Any]) -> Any:
    """The table on which that is so."""
    return facts.whole(rules_of(state), NAMES, state, list(told(state, *documents)))


def refused(state: WatersState, *documents: dict[str, Any]) -> str:
    with pytest.raises(UnsoundTable) as error:
        after(state, *documents)
    return error.value.violations[0].message


def there(state: WatersState) -> list[dict[str, Any]]:
    """All that holds."""
    return [facts.document(fact) for fact in Tableau(rules_of(state).facts, state)]


def photographed(state: WatersState, other: WatersState) -> Any:
    """`state`, made into `other` by all that `other` tells."""
    rules = rules_of(state)
    photograph = list(Tableau(rules.facts, other))
    correction = facts.resolve(rules, NAMES, state, photograph, is_whole=True)
    found = facts.corrected(rules, NAMES, state, correction)
    assert set(Tableau(rules.facts, found)) == set(photograph)
    return found


def with_pile(state: WatersState, *tokens: tuple[str, str], **fields: Any) -> WatersState:
    """`state` with navigation tokens on spaces, and not in the pile."""
    pile = state.navigation_pile
    for _, token in tokens:
        pile = pile.without(token)
    return replace(state, tokens=tuple(sorted((*state.tokens, *tokens))), navigation_pile=pile, **fields)


def planning(*choosing: str) -> dict[str, Any]:
    return {"fact": "now_is", "phase": "planning", "choosing": list(choosing)}


STATES = (
    voyage(),
    voyage(version="1"),
    at_table(),
    having(voyage(), stars=EVENT_STARS, events=1, event_tokens=1, rerolls=2, misfortune=1, boxes=boxes(aim=2)),
    having(voyage(), treasures=("sextant_of_maybe",), stories=("gull_friend",)),
    voyage(taken=(2,), standees=(2, 0, 0), choosing=(1, 2), has_timer_run_out=True),
    voyage(phase="action", active=1, choosing=(), has_resolved=True, has_stopped=True),
    voyage(agenda=(Step(0, FillStar()),), threat=1, threat_events=1, counts=(("keys", 2),), entries=("watch",)),
    replace(
        with_pile(voyage(), ("b2", "patrol")),
        navigation_pile=voyage().navigation_pile.without("patrol").without("squall").put_at_bottom("squall"),
        face_down=("b3", "c2"),
    ),
    voyage(treasure_discard=("sextant_of_maybe",), treasure_pile=voyage().treasure_pile.without("sextant_of_maybe")),
    replace(at_table(), icons=(("treasure_4", "aim", 2),), names=(("treasure_4", "Spyglass"),)),
    voyage(options={"infamy_order": "frozen"}, phase="action", active=0, choosing=(), order=(0, 2, 1)),
)


@pytest.mark.parametrize("state", STATES)
def test_all__what_it_tells_of_itself_changes_nothing(state: WatersState) -> None:
    rules = rules_of(state)
    assert rules.check_invariants(state) == []
    assert after(state, *there(state)) == state
    for fact in Tableau(rules.facts, state):
        assert fact.put(state, Told([fact])) == state
        for one in (fact, fact.absent or fact):
            assert one.sentence(NAMES).endswith(".")
            assert one.no_longer(NAMES).endswith(".")


@pytest.mark.parametrize("other", [state for state in STATES if state.options == voyage().options])
def test_photograph__makes_the_first_table_into_each(other: WatersState) -> None:
    photographed(voyage(), other)
    photographed(other, voyage())


@pytest.mark.parametrize(
    ("document", "sentence", "no_longer"),
    [
        ({"fact": "page_is", "page": "open_sea"}, "The location book is open at Open sea.", None),
        ({"fact": "page_is", "page": None}, "The location book has not been opened yet.", None),
        ({"fact": "page_turned"}, "This round began with turning to its page.", None),
        ({"fact": "dial_is", "feature": "lost", "value": 2}, "Lost is at 2.", "Lost is no longer at 2."),
        ({"fact": "locked", "action": 3}, "Action 3 is locked.", None),
        (
            {"fact": "stands_on", "seat": "p1", "action": 3},
            "Ada's standee stands on action 3.",
            "Ada's standee no longer stands on action 3.",
        ),
        (
            {"fact": "stands_on", "seat": "p1", "action": 0},
            "Ada's standee stands on no action.",
            "Ada's standee no longer stands on no action.",
        ),
        ({"fact": "actions_taken", "actions": [3, 1]}, "Actions chosen in this round: 1, 3.", None),
        ({"fact": "sheet_of", "seat": "p2", "sheet": "cook"}, "Bo has the sheet Cook.", None),
        (
            {"fact": "infamy_at", "seat": "p1", "place": 2},
            "Ada is number 2 in infamy.",
            "Ada is no longer number 2 in infamy.",
        ),
        ({"fact": "boxes_filled", "seat": "p1", "skill": "aim", "count": 2}, "Ada has 2 boxes of aim filled in.", None),
        ({"fact": "stars_filled", "seat": "p1", "stars": ["b1", "a1"]}, "Ada has these stars filled in: a1, b1.", None),
        (
            {"fact": "events_of", "seat": "p1", "checked": 1, "tokens": 2},
            "Ada has checked off 1 events, and has 2 tokens.",
            None,
        ),
        ({"fact": "rerolls_of", "seat": "p1", "count": 0}, "Ada has no re-roll tokens.", None),
        ({"fact": "misfortune_of", "seat": "p1", "count": 2}, "Ada has 2 misfortune tokens.", None),
        (
            {"fact": "treasure_at", "card": "iron_ladle", "at": "p2"},
            "The treasure Iron ladle is before Bo.",
            "The treasure Iron ladle is no longer before Bo.",
        ),
        (
            {"fact": "story_at", "card": "gull_friend", "at": "deck"},
            "The story Gull friend is in the deck.",
            "The story Gull friend is no longer in the deck.",
        ),
        ({"fact": "track_ends", "stat": "hull", "value": 14}, "The ship's hull can be 14 at most.", None),
        (
            {"fact": "ship_stat", "stat": "hull", "value": 9},
            "The ship's hull is at 9.",
            "The ship's hull is no longer at 9.",
        ),
        (
            {"fact": "cannons_are", "level": 2, "loaded": 1, "unloaded": 0},
            "The ship has 1 loaded and 0 unloaded level-2 cannons.",
            None,
        ),
        ({"fact": "threat", "count": 2}, "The threat is at 2.", None),
        ({"fact": "threat_events_checked", "count": 0}, "Threat events checked off: none.", None),
        (
            {"fact": "objective_is", "objective": "ring_the_bell", "threat_limit": 3},
            "The objective is Ring the bell; its threat limit is 3.",
            None,
        ),
        ({"fact": "token_at", "space": "b2", "token": "patrol"}, "On b2 lies Patrol.", "Patrol no longer lies on b2."),
        (
            {"fact": "token_at", "space": "b2", "token": None},
            "On b2 lies nothing face up.",
            "On b2 lies something now.",
        ),
        ({"fact": "face_down", "spaces": ["b3", "b2"]}, "Navigation tokens lie face down on: b3, b2.", None),
        ({"fact": "tokens_returned", "token": "patrol"}, "Returned, and not shuffled in yet: 1 Patrol.", None),
        ({"fact": "ship_at", "space": "b3"}, "The ship is at b3.", "The ship is no longer at b3."),
        ({"fact": "ship_has_stopped"}, "The ship cannot be moved on in this round.", None),
        ({"fact": "count_is", "counter": "keys", "value": 2}, "The ship's log keeps: Keys 2.", None),
        ({"fact": "entries_read", "entry": "watch", "count": 2}, "Entry watch was read 2 times.", None),
        ({"fact": "called_so", "of": "treasure_4", "name": "Spyglass"}, "Treasure 4 is called Spyglass.", None),
        ({"fact": "icon_is", "card": "treasure_4", "skill": "aim", "n": 2}, "Treasure 4 adds 2 to aim.", None),
        ({"fact": "turn_is", "number": 4}, "This is turn 4.", None),
        ({"fact": "round_is", "number": 4}, "This is round 4.", None),
        ({"fact": "part_is", "number": 2}, "This is part 2 of the scenario.", None),
        ({"fact": "timer_has_run_out"}, "The planning timer of this round has run out.", None),
        (planning("p2", "p3"), "The phase is: planning; still to choose: Bo, Cleo.", None),
        (
            {"fact": "now_is", "phase": "action", "resolving": "p2"},
            "The phase is: action; Bo is next to resolve an action.",
            None,
        ),
        (
            {"fact": "now_is", "phase": "action", "resolving": "p2", "has_begun": True},
            "The phase is: action; Bo resolves an action.",
            None,
        ),
        ({"fact": "now_is", "phase": "end_of_round"}, "The phase is: end of round, which has just begun.", None),
        (
            {"fact": "now_is", "phase": "end_of_round", "has_begun": True},
            "The phase is: end of round, which is being resolved.",
            None,
        ),
        (
            {"fact": "order_is", "seats": ["p2", "p1", "p3"]},
            "Actions of a number are resolved in this order: Bo, Ada, Cleo.",
            None,
        ),
        ({"fact": "order_is", "seats": []}, "No order of resolving is frozen.", None),
        ({"fact": "waiting", "effects": []}, "Nothing waits to be resolved.", None),
        (
            {
                "fact": "waiting",
                "effects": [
                    {"seat": "p1", "effect": {"do": "check", "skill": "aim"}, "dice": [3], "due": 2},
                    {"seat": "p2", "effect": {"do": "flip"}},
                ],
            },
            "This waits to be resolved: Ada: check aim (dice 3); Bo: flip.",
            None,
        ),
    ],
)
def test_words(document: dict[str, Any], sentence: str, no_longer: str | None) -> None:
    (fact,) = told(voyage(), document)
    assert fact.sentence(NAMES) == sentence
    assert fact.no_longer(NAMES) == (no_longer or f"It is no longer so: {sentence}")


@pytest.mark.parametrize(
    ("state", "document", "message"),
    [
        (voyage(), {"fact": "page_is", "page": "atlantis"}, "The scenario has no page Atlantis."),
        (
            voyage(),
            {"fact": "page_is", "page": "open_sea", "features": [{"id": "lost", "max": 3}]},
            "Only of a page of a table's own book it is told what is on it.",
        ),
        (
            at_table(),
            {"fact": "page_is", "page": None, "actions": [{"number": 1}]},
            "Only of a page of a table's own book it is told what is on it.",
        ),
        (
            at_table(),
            {"fact": "page_is", "page": "12", "actions": [{"number": 1}, {"number": 1}]},
            "Each action has its number, and each dial its name.",
        ),
        (
            at_table(),
            {"fact": "page_is", "page": "12", "features": [{"id": "x", "max": 1}, {"id": "x", "max": 2}]},
            "Each action has its number, and each dial its name.",
        ),
        (
            voyage(),
            {"fact": "dial_is", "feature": "lost", "value": 0},
            "The page has no Lost that goes up to 0.",
        ),
        (voyage(), {"fact": "locked", "action": 9}, "There is no action 9 on this page."),
        (voyage(), {"fact": "stands_on", "seat": "p1", "action": 9}, "There is no action 9 on this page."),
        (
            voyage(),
            {"fact": "actions_taken", "actions": [2, 2]},
            "A limited or required action is chosen once in a round.",
        ),
        (voyage(), {"fact": "sheet_of", "seat": "p1", "sheet": "judge"}, "The scenario has no sheet Judge."),
        (voyage(), {"fact": "infamy_at", "seat": "p1", "place": 4}, "There are only 3 pirates."),
        (
            voyage(),
            {"fact": "boxes_filled", "seat": "p1", "skill": "aim", "count": 7},
            "That sheet has 6 boxes of aim.",
        ),
        (
            voyage(),
            {"fact": "stars_filled", "seat": "p1", "stars": ["a2"]},
            "Each star is on that sheet, linked to the start star, and filled in once.",
        ),
        (
            voyage(),
            {"fact": "stars_filled", "seat": "p1", "stars": ["a1", "a1"]},
            "Each star is on that sheet, linked to the start star, and filled in once.",
        ),
        (
            voyage(),
            {"fact": "events_of", "seat": "p1", "checked": 3, "tokens": 3},
            "A sheet has 5 constellation events.",
        ),
        (
            voyage(),
            {"fact": "events_of", "seat": "p1", "checked": 1},
            "Events and their tokens come from event stars: not so many are filled in.",
        ),
        (
            voyage(),
            {"fact": "waiting", "effects": [{"seat": "p1", "effect": {"do": "check_off_event"}}]},
            "Events and their tokens come from event stars: not so many are filled in.",
        ),
        (voyage(), {"fact": "rerolls_of", "seat": "p1", "count": 26}, "There are only 25 re-roll tokens."),
        (voyage(), {"fact": "misfortune_of", "seat": "p1", "count": 21}, "There are only 20 misfortune tokens."),
        (
            voyage(),
            {"fact": "treasure_at", "card": "gull_friend", "at": "p1"},
            "The scenario has no treasure Gull friend.",
        ),
        (
            voyage(),
            {"fact": "story_at", "card": "iron_ladle", "at": "p1"},
            "The scenario has no story Iron ladle.",
        ),
        (voyage(), {"fact": "ship_stat", "stat": "hull", "value": 15}, "The track of hull ends at 14."),
        (
            voyage(),
            {"fact": "cannons_are", "level": 3, "loaded": 1, "unloaded": 1},
            "There are only 1 level-3 cannons.",
        ),
        (
            voyage(),
            {"fact": "cannons_are", "level": 2, "loaded": 1, "unloaded": 2},
            "The Gunner's board has room for 4 cannons.",
        ),
        (voyage(), {"fact": "threat", "count": 6}, "There are only 5 threat tokens."),
        (voyage(), {"fact": "threat_events_checked", "count": 8}, "The ship's log has 7 threat events."),
        (
            voyage(),
            {"fact": "objective_is", "objective": "sleep", "threat_limit": 3},
            "The scenario has no objective Sleep.",
        ),
        (voyage(), {"fact": "token_at", "space": "z9", "token": "patrol"}, "The map has no space z9."),
        (voyage(), {"fact": "token_at", "space": "b2", "token": "kraken"}, "The scenario has no token Kraken."),
        (
            voyage(),
            {"fact": "token_at", "space": "b4", "token": "rocky_waters"},
            "The ship is there: it cannot be on rocky waters.",
        ),
        (voyage(), {"fact": "face_down", "spaces": ["b2", "b2"]}, "One token lies on a space."),
        (
            voyage(),
            {"fact": "tokens_returned", "token": "patrol"},
            "No token lies face down: what went back was shuffled in.",
        ),
        (
            voyage(face_down=("b2",)),
            {"fact": "tokens_returned", "token": "patrol", "count": 4},
            "There are not so many Patrol that do not lie on the map.",
        ),
        (voyage(), {"fact": "ship_at", "space": "d3"}, "Rocky waters are at d3: the ship cannot be there."),
        (voyage(), {"fact": "entries_read", "entry": "nonsense"}, "The scenario has no entry nonsense."),
        (
            voyage(),
            {"fact": "called_so", "of": "iron_ladle", "name": "Spoon"},
            "Only the components of a table's own box are noted: this scenario knows its own.",
        ),
        (at_table(), {"fact": "called_so", "of": "moon", "name": "Cheese"}, "There is no card or space moon."),
        (voyage(), planning("p1", "p1"), "Each player chooses one action."),
        (voyage(), planning("p8"), "There are only 3 players."),
        (
            voyage(),
            {"fact": "now_is", "phase": "action", "choosing": ["p1"]},
            "Actions are chosen in the planning phase.",
        ),
        (
            voyage(),
            {"fact": "now_is", "phase": "planning", "resolving": "p1"},
            "Actions are resolved in the action phase.",
        ),
        (
            voyage(),
            {"fact": "order_is", "seats": ["p1", "p2", "p3"]},
            "Infamy that is gained counts at once at this table.",
        ),
        (
            voyage(options={"infamy_order": "frozen"}),
            {"fact": "order_is", "seats": ["p1", "p2"]},
            "Every player is in the order once.",
        ),
        (
            voyage(),
            {"fact": "waiting", "effects": [{"seat": "p1", "effect": {"do": "read", "entry": "nonsense"}}]},
            "That is not possible here: there is no entry 'nonsense'.",
        ),
    ],
)
def test_cannot_be(state: WatersState, document: dict[str, Any], message: str) -> None:
    assert refused(state, document) == message


# What is put, and what comes along


def test_sheet__changes_hands_and_holds_no_more_than_it_has() -> None:
    state = having(voyage(), stars=("a1", "a2", "e1"), boxes=boxes(aim=6))
    there_ = after(state, {"fact": "sheet_of", "seat": "p1", "sheet": "cook"})
    assert [pirate.sheet for pirate in there_.pirates] == ["cook", "taxman", "bellringer"]
    assert all(star in there_.sheet(0).links for star in there_.pirates[0].stars)
    alone = after(state, {"fact": "sheet_of", "seat": "p1", "sheet": "ghost"})
    assert [pirate.sheet for pirate in alone.pirates] == ["ghost", "taxman", "cook"]


def test_infamy__two_change_places() -> None:
    assert after(voyage(), {"fact": "infamy_at", "seat": "p3", "place": 1}).infamy == (2, 1, 0)


def test_stars__are_filled_in_from_the_start() -> None:
    state = having(voyage(), stars=("b1",))
    stars = after(state, {"fact": "stars_filled", "seat": "p1", "stars": ["e1", "a2", "b1", "a1"]}).pirates[0].stars
    assert stars == ("b1", "a1", "a2", "e1")


def test_treasure__goes_from_wherever_it_is() -> None:
    state = having(voyage(), treasures=("iron_ladle",))
    discarded = after(state, {"fact": "treasure_at", "card": "iron_ladle", "at": "discarded"})
    assert (discarded.pirates[0].treasures, discarded.treasure_discard) == ((), ("iron_ladle",))
    held = after(discarded, {"fact": "treasure_at", "card": "iron_ladle", "at": "p3"})
    assert (held.pirates[2].treasures, held.treasure_discard) == (("iron_ladle",), ())
    assert after(held, {"fact": "treasure_at", "card": "iron_ladle", "at": "deck"}) == voyage()


def test_treasure__four_are_kept() -> None:
    state = having(voyage(), treasures=tuple(card.id for card in voyage().pack.treasures[:4]))
    card = voyage().pack.treasures[4].id
    assert refused(state, {"fact": "treasure_at", "card": card, "at": "p1"}) == "“at most 4 treasures” would not hold."


def test_story__goes_from_hand_to_hand() -> None:
    state = having(voyage(), stories=("gull_friend",))
    held = after(state, {"fact": "story_at", "card": "gull_friend", "at": "p2"})
    assert [pirate.stories for pirate in held.pirates] == [(), ("gull_friend",), ()]
    assert after(held, {"fact": "story_at", "card": "gull_friend", "at": "deck"}) == voyage()


def test_ship__a_lower_track_lowers_its_marker() -> None:
    state = after(voyage(), {"fact": "track_ends", "stat": "hull", "value": 8})
    assert (state.hull, state.maxima.hull) == (8, 8)


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        ({"fact": "ship_stat", "stat": "hull", "value": 0}, "drowned"),
        ({"fact": "ship_stat", "stat": "discontent", "value": 14}, "mutiny"),
        ({"fact": "threat_events_checked", "count": 7}, "threat"),
    ],
)
def test_ship__what_is_lost_is_lost(document: dict[str, Any], reason: str) -> None:
    outcome = after(voyage(), document).outcome
    assert (outcome.result, outcome.reason) == ("lost", reason)


def test_cannons__of_a_level() -> None:
    state = after(voyage(), {"fact": "cannons_are", "level": 1, "loaded": 3, "unloaded": 1})
    assert state.cannons == (Cannon(1), *(Cannon(1, is_loaded=True),) * 3)


def test_token__is_drawn_from_the_supply_or_from_where_nothing_is_told() -> None:
    patrols = (("b2", "patrol"), ("b3", "patrol"), ("c2", "patrol"))
    state = with_pile(voyage(), *patrols)
    moved = after(state, {"fact": "token_at", "space": "c3", "token": "patrol"})
    assert [space for space, token in moved.tokens if token == "patrol"] == ["b3", "c2", "c3"]
    lying = [{"fact": "token_at", "space": space, "token": token} for space, token in patrols]
    fourth = {"fact": "token_at", "space": "c3", "token": "patrol"}
    assert refused(state, *lying, fourth) == "There are only 3 Patrol."


def test_token__lies_face_up_or_face_down() -> None:
    state = voyage(face_down=("b2", "b3"))
    up = after(state, {"fact": "token_at", "space": "b2", "token": "patrol"})
    assert (up.face_down, up.token_on("b2")) == (("b3",), "patrol")
    down = after(up, {"fact": "face_down", "spaces": ["b3", "b2"]})
    assert (down.face_down, down.token_on("b2")) == (("b3", "b2"), None)
    assert down.navigation_pile.cards() == voyage().navigation_pile.cards()
    face_up, face_down = {"fact": "token_at", "space": "b2", "token": "patrol"}, {"fact": "face_down", "spaces": ["b2"]}
    assert refused(voyage(), face_up, face_down) == "On b2 a token lies face up."
    assert refused(voyage(face_down=("b2",)), face_up, face_down) == "On b2 a navigation token lies face down."


def test_token__goes_back_to_the_others() -> None:
    state = with_pile(voyage(), ("b2", "patrol"))
    assert after(state, {"fact": "token_at", "space": "b2", "token": None}) == voyage()
    (patrol,) = state.pack.navigation[4:5]
    alone = replace(state, navigation_pile=Pile())
    lifted = told(alone, {"fact": "token_at", "space": "b2", "token": None})
    assert facts.put(alone, lifted).navigation_pile == Pile((("patrol",),))
    assert patrol.id == "patrol"


def test_token__a_location_comes_from_outside() -> None:
    state = after(voyage(), {"fact": "token_at", "space": "c3", "token": "weeping_wreck"})
    assert state.token_on("c3") == "weeping_wreck"


def test_tokens_returned__wait_until_none_lies_face_down() -> None:
    state = after(voyage(face_down=("b2",)), {"fact": "tokens_returned", "token": "patrol", "count": 2})
    assert state.navigation_pile.layers[1:] == (("patrol", "patrol"),)
    back = after(state, {"fact": "face_down", "spaces": []})
    assert back.navigation_pile == voyage().navigation_pile


def test_log__numbers_and_entries() -> None:
    state = voyage(counts=(("keys", 2),), entries=("watch", "cast_off", "watch"))
    assert after(state, {"fact": "count_is", "counter": "keys", "value": 0}).counts == ()
    assert after(state, {"fact": "entries_read", "entry": "watch", "count": 1}).entries == ("watch", "cast_off")
    read = after(state, {"fact": "entries_read", "entry": "cast_off", "count": 2}).entries
    assert read == ("watch", "cast_off", "watch", "cast_off")


def test_notes__on_a_table_s_own_box() -> None:
    state = after(
        at_table(),
        {"fact": "called_so", "of": "treasure_4", "name": "Spyglass"},
        {"fact": "called_so", "of": "a2", "name": "Reef"},
        {"fact": "icon_is", "card": "treasure_4", "skill": "aim", "n": 3},
        {"fact": "token_at", "space": "a2", "token": "shoal"},
    )
    assert (state.called("treasure_4"), state.called("a2"), state.icon("treasure_4", "aim")) == ("Spyglass", "Reef", 3)
    lifted = after(state, {"fact": "token_at", "space": "a2", "token": None})
    assert (lifted.called("treasure_4"), lifted.called("a2")) == ("Spyglass", None)


def test_page__lies_as_it_is_turned_to() -> None:
    state = voyage(taken=(7,), standees=(7, 0, 0), choosing=(1, 2), locked=(1,))
    there_ = after(state, {"fact": "page_is", "page": "lantern_market"})
    assert (there_.dials, there_.locked, there_.taken, there_.standees) == ((0,), (), (), (0, 0, 0))
    rings = after(state, {"fact": "page_is", "page": "the_bell_rings"})
    assert (rings.locked, rings.standees) == ((5, 6), (7, 0, 0))
    known = {"fact": "page_is", "page": "the_bell_rings"}, {"fact": "locked", "action": 5, "yes": False}
    assert after(state, *known).locked == (6,)
    assert after(state, *known, {"fact": "dial_is", "feature": "tide", "value": 2}).dials == (2,)


def test_page__of_a_table_s_own_book() -> None:
    page = {"fact": "page_is", "page": "12", "actions": [{"number": 1}], "features": [{"id": "tide", "max": 4}]}
    state = after(at_table(), page, planning("p2"), {"fact": "round_is", "number": 1})
    assert (state.page, [place.number for place in state.places], state.dials) == ("12", [1], (0,))
    assert photographed(state, at_table()).page == ""


def test_locks__as_many_as_there_are() -> None:
    actions = [{"number": number} for number in range(1, 12)]
    page = {"fact": "page_is", "page": "12", "actions": actions}
    state = after(at_table(), page, planning("p2"), {"fact": "round_is", "number": 1})
    locks = [{"fact": "locked", "action": number} for number in range(1, 11)]
    assert after(state, *locks[:9]).locked == tuple(range(1, 10))
    assert refused(state, *locks) == "There are only 9 lock tokens."


def test_locks__are_taken_off() -> None:
    assert after(voyage(locked=(2, 3)), {"fact": "locked", "action": 3, "yes": False}).locked == (2,)


def test_page__not_turned_to_yet_while_something_waits() -> None:
    gains, turns = {"do": "gain_skill", "skill": "any"}, {"do": "turn_page", "page": voyage().page}
    facts = {"fact": "page_is", "page": None}, {"fact": "now_is", "phase": "end_of_round"}

    def waiting(*effects: dict[str, str]) -> dict[str, Any]:
        return {"fact": "waiting", "effects": [{"seat": "p1", "effect": effect} for effect in effects]}

    state = after(voyage(), waiting(gains, turns), *facts)
    assert (state.page, state.places, state.agenda[0].seat) == ("", (), 0)
    # Nothing would ever turn to a page.
    assert "the page is the scenario's" in refused(voyage(), waiting(gains), *facts)


def test_page_turned__version_1_did_not_know() -> None:
    state = voyage(version="1")
    assert refused(state, {"fact": "page_turned"}).startswith("This cannot be: This round began with turning")
    assert after(voyage(), {"fact": "page_turned", "yes": False}).is_page_turned is False


def test_standee__its_action_is_taken() -> None:
    state = after(voyage(), planning("p2", "p3"), {"fact": "stands_on", "seat": "p1", "action": 2})
    assert (state.standees, state.taken) == ((2, 0, 0), (2,))
    assert after(state, {"fact": "stands_on", "seat": "p1", "action": 0}).standees == (0, 0, 0)
    chosen = {"fact": "stands_on", "seat": "p1", "action": 3}, {"fact": "actions_taken", "actions": [2, 3]}
    assert after(state, *chosen).taken == (2, 3)


def test_now__what_follows_is_said_instead() -> None:
    state = voyage(taken=(2, 3, 6), standees=(3, 2, 6), choosing=(), phase="action", active=1)
    with pytest.raises(UnsoundTable) as error:
        after(state, {"fact": "now_is", "phase": "action"})
    assert list(error.value.instead or ()) == [
        {"choosing": (), "fact": "now_is", "has_begun": False, "phase": "action", "resolving": "p2"}
    ]
    assert after(state, {"fact": "now_is", "phase": "action", "resolving": "p3", "has_begun": True}).active == 2


def test_order__is_frozen_in_the_action_phase() -> None:
    state = voyage(options={"infamy_order": "frozen"}, phase="action", active=0, choosing=(), order=(0, 1, 2))
    assert after(state, {"fact": "order_is", "seats": ["p3", "p2", "p1"]}).order == (2, 1, 0)
    assert after(state, planning("p1")).order == ()


def test_waiting__what_waits_for_nobody_is_resolved() -> None:
    effects = [{"seat": "p1", "effect": {"do": "ship", "stat": "hull", "n": -2}}]
    with pytest.raises(UnsoundTable) as error:
        after(voyage(), {"fact": "waiting", "effects": effects})
    assert list(error.value.instead or ()) == [{"effects": (), "fact": "waiting"}]
    check = {"seat": "p2", "effect": {"do": "check", "skill": "aim", "results": [{}]}, "dice": [], "due": 0}
    state = after(voyage(), {"fact": "waiting", "effects": [check]})
    assert (state.agenda[0].seat, state.agenda[0].dice) == (1, ())


def test_waiting__what_a_table_reads_out() -> None:
    nobody = [{"seat": "p1", "effect": {"do": "give_card", "card": "treasure_4", "player": "p8"}}]
    message = refused(at_table(), {"fact": "waiting", "effects": nobody})
    assert message == "That is not possible here: there is no player 'p8'."
    swap = [{"seat": "p1", "effect": {"do": "swap_infamy"}}]
    assert len(after(at_table(), {"fact": "waiting", "effects": swap}).agenda) == 1
