"""Forgotten Waters: effects that a table's own book reads out at once are one event."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from engine.core.errors import Unclear
from engine.games.forgotten_waters import readings, words
from engine.games.forgotten_waters.readings import in_words
from engine.games.forgotten_waters.scenario import effects as effects_of
from engine.games.forgotten_waters.scenario.effects import Effect, GainSkill, RemoveToken, Ship, Threat
from engine.games.forgotten_waters.state import WatersState, replace
from engine.kit.chance import Observed
from engine.kit.ruleset import Refusal
from tests.engine.games.forgotten_waters.positions import at_table, having, resolving, voyage
from tests.engine.games.forgotten_waters.test_table import PAGE, RULES, opened_book, resolves
from tests.engine.games.playing import do, kinds, offered, refused, said

EFFECTS = "Resolving Game Effects"


CHECK, LOAD = {"do": "check", "skill": "swagger"}, {"do": "load_cannon"}
AIM, STARS = {"do": "gain_skill", "skill": "aim"}, {"do": "fill_star", "n": 2}


# Effects read at once


def test_reading__the_next_pirate_begins_and_the_one_before_is_done() -> None:
    """FW-R6, FW-R26."""
    state = replace(opened_book(), phase="action", active=1, choosing=(), standees=(3, 1, 1))
    state = do(state, "p2", "resolve_action")
    assert RULES.awaiting(state) == (1, 2)
    state = do(state, "p3", "resolve_action")
    assert (state.standees, state.active, state.turn) == ((3, 0, 1), 2, 3)
    state = do(do(state, "p1", "resolve_action"), "p1", "read_round_end")
    assert (state.phase, state.standees) == ("end_of_round", (0, 0, 0))
    assert "read_out" in kinds(state, "p1")


def test_reading__nobody_begins_while_something_waits() -> None:
    state = replace(opened_book(), phase="action", active=1, choosing=(), standees=(3, 1, 1))
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
    assert (
        refused(resolves(CHECK), "p2", "read_out", effects=[later]).message == "This effect cannot occur here: hull −1."
    )


def test_reading__not_in_a_scenario_that_knows_its_effects() -> None:
    state = replace(voyage(), phase="action", active=0, choosing=(), standees=(1, 2, 3))
    assert refused(state, "p1", "resolve_action", effects=[LOAD]) == Refusal(
        EFFECTS, "Driftlog knows the effects of this scenario, so do not enter what a book says."
    )
    assert refused(state, "p1", "resolve_action", entry="5").rule == EFFECTS


# Answers that are given before they are asked for


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
    assert said(state, "p2", "draw_treasure", name="Hook") == (
        "Draw Hook",
        "Bo draws Hook. Bo gains the treasure Hook.",
    )
    state = do(state, "p2", "draw_treasure", name="Hook")
    first, second = state.pirates[1].treasures
    assert (state.given_name(first), state.given_name(second)) == ("Parrot", "Hook")
    assert said(state, "p2", "use_treasure", treasure=first)[0] == "Use Parrot"


def test_gain_treasure__of_several_is_told_of_all() -> None:
    drawn = {"do": "gain_treasure", "n": 2, "names": ["Parrot", "Hook"]}
    assert said(resolves(), "p2", "read_out", effects=[drawn])[1].endswith("Bo gains the treasures Parrot, Hook.")


def test_gain_treasure__a_card_keeps_its_name() -> None:
    state = do(resolves(), "p2", "read_out", effects=[{"do": "gain_treasure", "names": ["Parrot"]}])
    (card,) = state.pirates[1].treasures
    # The pirates have all other treasures, so the deck consists of discarded ones.
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
    assert state.given_name(state.pirates[1].treasures[0]) == "Parrot"


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
        refused(drawing, "p1", "draw_treasure", name="Hook").message == "You cannot rename the cards of this scenario."
    )
    moving = resolving({"do": "move_ship"}, state=voyage())
    assert refused(moving, "p1", "move_ship", to="a4", name="Fog").message == (
        "No token is drawn on that space, so omit its name."
    )
    flipping = do(resolving({"do": "scout"}, state=voyage()), "p1", "scout_space", space="a4")
    assert refused(flipping, "p1", "flip_token", name="Fog").message == "You cannot rename the tokens of this scenario."
    assert list(RULES.legal_ranges(drawing)) == list(RULES.legal_ranges(moving)) == []
    assert list(RULES.legal_ranges(flipping)) == []


# Tokens, the ship, cards, tracks


def sailing(*effects: dict[str, Any]) -> WatersState:
    state = at_table(placed=[{"space": "c2", "token": "rocky_waters"}], space="b1")
    return resolving(*effects, state=do(state, "p1", "read_out", effects=[PAGE]), seat=1)


def test_tokens__are_named_as_they_come() -> None:
    state = do(sailing({"do": "scout"}), "p2", "scout_space", space="a1")
    assert said(state, "p2", "flip_token", "navigation", name="Fog") == (
        "Flip the token on a1: Fog",
        "Bo flips the token on a1: Fog.",
    )
    state = do(state, "p2", "flip_token", "navigation", name="Fog")
    state = resolving({"do": "move_ship", "n": 2}, state=state, seat=1)
    assert said(state, "p2", "move_ship", to="a1")[0] == "Move the ship to a1 (Fog)"
    assert said(state, "p2", "move_ship", "navigation", to="b2", name="Reef") == (
        "Move the ship to b2 (Reef)",
        "Bo moves the ship to b2: Reef.",
    )
    state = do(state, "p2", "move_ship", "navigation", to="b2", name="Reef")
    assert "b2: Reef" in RULES.overview(state, ("Ada", "Bo", "Cy"))["Map"]
    assert "Fog" in str(RULES.board(state, ("Ada", "Bo", "Cy")))
    assert refused(state, "p2", "move_ship", to="a1", name="Fog").rule == "Moving the Ship"
    state = resolving({"do": "remove_token", "space": "b2"}, state=replace(state, agenda=()), seat=1)
    assert (state.given_name("b2"), state.given_name("a1")) == (None, "Fog")


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
        "player": "p2", "effects": (Threat(n=1),), "when": (), "options": (effects_of.Option(name="Stay"),),
        "of": "round",
    }  # fmt: skip
    said = in_words(kind(**{name: known[name] for name in kind.__struct_fields__ if name in known}))
    assert said
    assert "_" not in said


def test_words__of_one_and_of_several() -> None:
    assert in_words(GainSkill(skill="aim")) == "gain aim"
    assert in_words(GainSkill(skill="aim", n=2)) == "gain aim 2 times"
    assert in_words(GainSkill(skill="any")) == "gain any"
    assert in_words(GainSkill(skill="any", n=2)) == "gain any skill 2 times"
    assert in_words(Ship(stat="hull", n=2)) == "hull +2"
    assert in_words(RemoveToken()) == "take the token off the ship’s space"
    lowest = effects_of.ForPlayers(who="lowest", of="skill:aim", effects=(Threat(n=1),))
    assert in_words(lowest) == "for the lowest in aim: threat +1"
    highest = effects_of.ForPlayers(who="highest", of="loaded_cannons", effects=(Threat(n=1),))
    assert in_words(highest) == "for the highest in loaded_cannons: threat +1"


def test_every_effect_has_words() -> None:
    """The name of an effect, such as 'fill star', is no sentence."""
    for kind in get_args(effects_of.Pending):
        assert kind in readings._SAID or kind.__struct_config__.tag in words.WAITING, kind
