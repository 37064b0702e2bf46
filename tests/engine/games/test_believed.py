"""An illegal action is accepted only if the game can continue from its result."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import UnclearEffect
from engine.core.events import Draft, Header, Seat
from engine.core.values import Judgement, Value
from engine.games.forever_island.components import Goods
from engine.games.forever_island.state import Exchange, Raid
from engine.games.forever_island.state import replace as replaced
from engine.kit.chance import Chance, Observed, Recorded
from engine.play import registry
from engine.play.past import KnownPast
from engine.play.rules import Rules
from tests.engine.games.forbidden_desert.positions import table
from tests.engine.games.forever_island.positions import atoll
from tests.engine.games.playing import chance_point_of, do, offered

HERE = "log_1_b"


def rules_for(state: Any) -> Rules:
    """Return the rules of a game recorded as played."""
    ruleset = next(rules for rules in registry.rulesets() if rules.state is type(state))
    seats = ruleset.seats(state)
    return Rules(
        Header(
            ruleset=ruleset.id,
            ruleset_version=ruleset.version,
            seats=tuple(Seat(name) for name in ("Ada", "Bo", "Cleo", "Dov")[:seats]),
            options=msgspec.to_builtins(state.options),
            chance="observed",
            mode="as_played",
        )
    )


def do_illegal(state: Any, actor: str, type_: str, *outcomes: Value, by: Chance | None = None, **params: Any) -> Any:
    """Return the state after an illegal action."""
    draft = Draft(type=type_, actor=actor, params=params, outcomes=outcomes)
    after, _, judgement = rules_for(state).play(state, draft, 3, by or Observed(), KnownPast())
    assert isinstance(judgement, Judgement)
    return after


def is_unclear(state: Any, actor: str, type_: str, *outcomes: Value, **params: Any) -> bool:
    """Return True if the action is refused when recorded, but replayed from a log."""
    with pytest.raises(UnclearEffect):
        do_illegal(state, actor, type_, *outcomes, **params)
    return do_illegal(state, actor, type_, *outcomes, by=Recorded(), **params) is not None


def rich(**fields: Any) -> Any:
    huts = [["hog_1_b"], ["hog_2_b"], ["log_2_b"]]
    return atoll(seats=3, huts=huts, hands=[Goods(1, 1, 0), Goods(2, 2, 2), Goods(1, 1, 1)], **fields)


def test_forever__an_offer_out_of_turn_is_not_the_active_players() -> None:
    """Trade: if the offer were accepted, the active player, Ada, would have to pay, although she offered nothing."""
    for give in ({"frog": 1}, {"hog": 1}):
        assert is_unclear(rich(), "p2", "offer_exchange", partner="p3", give=give, take={})
    docked = atoll(huts=[["hog_1_b"], ["hog_2_b"]], docked={"p1_hut_1": "p2"})
    assert is_unclear(docked, "p2", "offer_double_up", hut="p1_hut_1")


def test_forever__an_offer_of_what_is_not_there_cannot_be_accepted() -> None:
    assert is_unclear(rich(), "p1", "offer_exchange", partner="p2", give={"frog": 1}, take={})
    assert is_unclear(rich(), "p1", "offer_exchange", partner="p2", give={}, take={"frog": 3})
    dry = do_illegal(rich(phase="weather"), "p1", "offer_exchange", partner="p2", give={"hog": 1}, take={})
    assert dry.exchange == Exchange(1, Goods(1, 0, 0), Goods())


def test_forever__a_raid_where_one_has_nothing_ends_in_no_open_fist() -> None:
    """Raid: a player without pieces there has no spears, but a fist must hold at least one."""
    state = replaced(atoll(huts=[["hog_1_b"], [HERE, "hog_2_b"]], has_erected=True), is_observed=True)
    assert is_unclear(state, "p1", "declare_raid", defender="p2", area=HERE)
    huts = [["hog_1_b", HERE], [HERE, "hog_2_b"], [HERE]]
    both = replaced(atoll(seats=3, huts=huts, has_erected=True), is_observed=True)
    assert is_unclear(both, "p2", "declare_raid", defender="p3", area=HERE)
    again = replaced(both, raided=((1, HERE),))
    assert do_illegal(again, "p1", "declare_raid", defender="p2", area=HERE).raid == Raid(1, HERE)


def test_desert__a_card_too_many_leaves_none_for_the_last_gear() -> None:
    """Gear: the pile has one card for every gear, so an extra card would be missing at the end."""
    one = table("explorer", "climber", at="r2c2")
    pile = one.equipment_pile.cards()
    last = msgspec.structs.replace(
        one, equipment_pile=type(one.equipment_pile).shuffled(pile[:1]), equipment_used=pile[1:]
    )
    over = do_illegal(last, "p1", "draw_equipment", pile[0])
    gear = do(over, "p1", "excavate", "gear")
    assert (gear.phase, gear.must_draw_equipment) == ("actions", False)
    with pytest.raises(UnclearEffect):
        do_illegal(gear, "p1", "draw_equipment")


def test_desert__no_more_storm_cards_are_looked_at_than_are_asked_for() -> None:
    """Meet the Adventurers: at most six cards can be put to the bottom."""
    look = do(table("meteorologist", "climber", storm_tick=2), "p1", "forecast")
    while look.looks_left:
        look = do(look, "p1", "look_at_storm_card", chance_point_of(look, "p1", "look_at_storm_card").options[0])
    assert is_unclear(look, "p1", "look_at_storm_card", chances_of(look)[0])
    calm = table("meteorologist", "climber")
    assert is_unclear(calm, "p1", "look_at_storm_card", chances_of(calm)[0])
    many = look.storm_pile.cards()[:7]
    seen = msgspec.structs.replace(look, seen=many)
    assert offered(seen, "p1", "place_storm_cards") == [1, 2, 3, 4, 5, 6, ()]


def chances_of(state: Any) -> tuple[str, ...]:
    """Return the top layer of the storm deck."""
    top: tuple[str, ...] = state.storm_pile.layers[0]
    return top
