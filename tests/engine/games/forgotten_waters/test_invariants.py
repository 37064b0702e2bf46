"""Forgotten Waters: errors name the broken property of a position."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.forgotten_waters.scenario.effects import Check, KeepFour, Roll
from engine.games.forgotten_waters.scenario.pack import Cannon
from engine.games.forgotten_waters.state import Step, WatersState, replace
from engine.kit.piles import Pile
from engine.play import registry
from tests.engine.games.forgotten_waters.positions import at_table, boxes, having, resolving, voyage
from tests.engine.games.playing import offered, said

RULES: Any = registry.ruleset("forgotten-waters")


def with_pirate(**fields: Any) -> WatersState:
    state = voyage()
    return state.with_pirate(0, **fields)


@pytest.mark.parametrize(
    ("state", "name"),
    [
        (voyage(hull=15), "each ship stat within 0 and its maximum"),
        (voyage(hull=0), "the game is lost without hull, or by mutiny"),
        (voyage(cannons=(Cannon(1),) * 5), "at most 4 cannons"),
        (voyage(cannons=(Cannon(3), Cannon(3))), "no more cannons of a level than in the box"),
        (voyage(threat=6), "no more threat than threat tokens"),
        (voyage(threat_events=8), "no more threat events checked off than in the ship's log"),
        (voyage(threat_events=7), "the last threat event ends the game"),
        (voyage(ship="d3"), "the ship is on the map, off the rocks"),
        (voyage(face_down=("d3",)), "at most one token on each space"),
        (voyage(face_down=("z99",)), "every token on a space of the map"),
        (voyage(tokens=(*voyage().tokens, ("z99", voyage().tokens[0][1]))), "every token on a space of the map"),
        (voyage(navigation_pile=Pile()), "every navigation token in the supply or on the map"),
        (voyage(treasure_pile=Pile()), "every treasure in the deck, discarded or in play"),
        (
            having(having(voyage(), stories=("gull_friend",)), 1, stories=("gull_friend",)),
            "a story card is before one pirate",
        ),
        (having(voyage(), treasures=tuple(card.id for card in voyage().pack.treasures[:5])), "at most 4 treasures"),
        (voyage(infamy=(0, 0, 1)), "infamy without gaps or ties"),
        (voyage(order=(0,)), "a frozen order lists each player once"),
        (voyage(order=(0, 1, 1)), "a frozen order lists each player once"),
        (voyage(roles=(0,) * 7), "each player has a role"),
        (voyage(roles=(0, 1, 2)), "each player has a role"),
        (voyage(standees=(0,)), "a standee for each player"),
        (voyage(active=3), "only players of the game act, decide and choose"),
        (voyage(choosing=(3,)), "only players of the game act, decide and choose"),
        (voyage(phase="siesta"), "the rules have this phase"),
        (voyage(choosing=()), "in the planning phase, a player must choose"),
        (with_pirate(sheet="taxman"), "each standee and each sheet once"),
        (with_pirate(boxes=boxes(aim=7)), "the sheet has all filled boxes"),
        (with_pirate(boxes=(*boxes(aim=1), 0)), "the sheet has all filled boxes"),
        (with_pirate(boxes=(0,)), "the sheet has all filled boxes"),
        (with_pirate(stars=("a2",)), "stars linked to the start"),
        (with_pirate(event_tokens=6), "event tokens and events from event stars"),
        (with_pirate(event_tokens=-1, events=1), "event tokens and events from event stars"),
        (having(with_pirate(rerolls=-1), 1, rerolls=1), "re-roll tokens within the supply"),
        (having(with_pirate(misfortune=-1), 1, misfortune=1), "misfortune within the supply"),
        (with_pirate(rerolls=26), "re-roll tokens within the supply"),
        (with_pirate(misfortune=21), "misfortune within the supply"),
        (voyage(taken=(9,)), "chosen actions are on the page"),
        (voyage(taken=(1, 1)), "a limited or required action is taken once"),
        (voyage(locked=(9,)), "locks on actions of the page"),
        (voyage(dials=(1,)), "each dial is between 0 and the maximum of its feature"),
        (voyage(agenda=(Step(0, Roll(results=()), dice=(12,)),)), "dice only in skill checks"),
        (voyage(agenda=(Step(0, Check(skill="aim"), dice=(13,)),)), "dice only in skill checks"),
    ],
)
def test_broken(state: WatersState, name: str) -> None:
    assert name in RULES.check_invariants(state)


@pytest.mark.parametrize(
    ("state", "name"),
    [
        (voyage(turn=0), "turns and parts are counted from 1"),
        (voyage(part=0), "turns and parts are counted from 1"),
        (voyage(round=0), "rounds are counted from 1 once the book is open"),
        (
            voyage(phase="action", active=0),
            "actions are chosen in the planning phase, by each player once",
        ),
        (voyage(choosing=(0, 0)), "actions are chosen in the planning phase, by each player once"),
        (voyage(standees=(2, 0, 0), taken=(2,)), "players with a standee on the page have chosen"),
        (voyage(active=0), "an action is resolved in the action phase, and only there"),
        (voyage(phase="action", choosing=()), "an action is resolved in the action phase, and only there"),
        (voyage(agenda=(Step(0, Check(skill="aim"), due=3),)), "a skill check takes one die or two"),
        (voyage(page=""), "the page belongs to the scenario"),
        (voyage(objective="sleep"), "the objective belongs to the scenario"),
        (having(voyage(), stories=("moon",)), "the story cards belong to the scenario"),
        (voyage(tokens=(("b2", "kraken"),)), "the tokens on the map belong to the scenario"),
        (voyage(entries=("nonsense",)), "the entries belong to the scenario"),
        (voyage(icons=(("iron_ladle", "aim", 1),)), "icons and names are entered only for a table's own box"),
        (voyage(maxima=replace(voyage().maxima, hull=100)), "the tracks end at 0 to 99"),
        (voyage(threat_limit=6), "a threat limit of 1 to 5"),
        (voyage(counts=(("keys", 0),)), "the numbers of the log are 1 to 99"),
        (voyage(counts=(("keys", 1), ("keys", 2))), "the numbers of the log are 1 to 99"),
        (
            replace(at_table(), icons=(("treasure_4", "aim", 13),)),
            "icons add 0 to 12",
        ),
        (voyage(agenda=(Step(0, KeepFour()),)), "no automatic step of the rules is due"),
        (
            voyage(phase="end_of_round", choosing=(), has_resolved=True),
            "no automatic step of the rules is due",
        ),
    ],
)
def test_broken__the_round_and_its_counters(state: WatersState, name: str) -> None:
    assert RULES.check_components(state) == []
    assert name in RULES.check_invariants(state)


def test_broken__more_tokens_face_down_than_nobody_has_seen() -> None:
    state = voyage()
    free, *others = [space for space in state.map.spaces() if state.token_on(space) is None]
    lying = zip(others, state.navigation_pile.cards(), strict=False)
    state = voyage(tokens=(*state.tokens, *lying), navigation_pile=Pile(), face_down=(free,))
    assert RULES.check_components(state) == []
    assert RULES.check_invariants(state) == ["no more tokens are face down than are unseen"]


def test_nothing_is_broken_at_first() -> None:
    assert RULES.check_invariants(voyage()) == []
    assert RULES.check_invariants(voyage(order=(2, 0, 1))) == []


# Messages to a table


def test_told__a_threat_event_with_its_words() -> None:
    choice = {"do": "choose", "options": [{"name": "Wait", "effects": [{"do": "check_threat"}]}]}
    sentence = said(resolving(choice, state=voyage(threat=4)), "p1", "choose_option", option=1)[1]
    assert "Threat event 1 of 7 is checked off. A tariff sloop shadows you until dark." in sentence


def test_told__dials_and_objectives() -> None:
    effects = [{"do": "dial", "feature": "lost", "n": -1}, {"do": "objective", "objective": "ring_the_bell"}]
    at_sea = resolving({"do": "turn_page", "page": "unlit_fog"}, state=voyage(5))
    state = resolving({"do": "choose", "options": [{"name": "Wait", "effects": effects}]}, state=at_sea)
    sentence = said(state, "p1", "choose_option", option=1)[1]
    assert sentence == "Ada chooses: Wait. New objective: Ring the Bell Below. Lost 3 → 2."


def test_told__infamy() -> None:
    assert said(resolving({"do": "swap_infamy"}), "p1", "choose_player", player="p3")[1] == (
        "Ada chooses Cleo. Infamy: Cleo, Bo, Ada."
    )


def test_told__a_page_with_other_dials() -> None:
    choice = {"do": "choose", "options": [{"name": "Sail", "effects": [{"do": "turn_page", "page": "unlit_fog"}]}]}
    sentence = said(resolving(choice, state=voyage(5)), "p1", "choose_option", option=1)[1]
    assert sentence == (
        "Ada chooses: Sail. Round 2 begins on The Unlit Fog. "
        "Warning: In here the ship is only as big as a voice carries."
    )


def test_listed__what_can_be_stolen_and_upgraded() -> None:
    state = having(voyage(), 1, treasures=("iron_ladle",))
    assert offered(resolving({"do": "steal_treasure"}, state=state), "p1", "steal_treasure") == [("p2", "iron_ladle")]
    assert offered(resolving({"do": "upgrade_cannon"}), "p3", "upgrade_cannon") == [(1, False), (1, True)]


def test_icons__of_several_cards() -> None:
    state = voyage(options={"scenario": "table"}, icons=(("treasure_4", "aim", 1), ("treasure_5", "aim", 2)))
    assert state.icon("treasure_5", "aim") == 2
