"""Facts about the page and the active seats, and their consequences."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.errors import UnsoundTable
from tests.engine.games.forgotten_waters.positions import at_table, voyage
from tests.engine.games.forgotten_waters.telling import (
    adjust_to,
    after,
    planning,
    unsound_reason,
)


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
    assert adjust_to(state, at_table()).page == ""


def test_locks__as_many_as_there_are() -> None:
    actions = [{"number": number} for number in range(1, 12)]
    page = {"fact": "page_is", "page": "12", "actions": actions}
    state = after(at_table(), page, planning("p2"), {"fact": "round_is", "number": 1})
    locks = [{"fact": "locked", "action": number} for number in range(1, 11)]
    assert after(state, *locks[:9]).locked == tuple(range(1, 10))
    assert unsound_reason(state, *locks) == "There are only 9 lock tokens."


def test_locks__are_taken_off() -> None:
    assert after(voyage(locked=(2, 3)), {"fact": "locked", "action": 3, "yes": False}).locked == (2,)


def test_page__not_turned_to_yet_while_something_waits() -> None:
    gains, turns = {"do": "gain_skill", "skill": "any"}, {"do": "turn_page", "page": voyage().page}
    facts = {"fact": "page_is", "page": None}, {"fact": "now_is", "phase": "end_of_round"}

    def waiting(*effects: dict[str, str]) -> dict[str, Any]:
        return {"fact": "waiting", "effects": [{"seat": "p1", "effect": effect} for effect in effects]}

    state = after(voyage(), waiting(gains, turns), *facts)
    assert (state.page, state.places, state.agenda[0].seat) == ("", (), 0)
    # Otherwise the game could never turn to a page.
    assert "the page belongs to the scenario" in unsound_reason(voyage(), waiting(gains), *facts)


def test_page_turned__version_1_did_not_know() -> None:
    state = voyage(version="1")
    assert unsound_reason(state, {"fact": "page_turned"}).startswith(
        "This is impossible: “This round started by turning"
    )
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
    message = unsound_reason(at_table(), {"fact": "waiting", "effects": nobody})
    assert message == "That is not possible here: there is no player 'p8'."
    swap = [{"seat": "p1", "effect": {"do": "swap_infamy"}}]
    assert len(after(at_table(), {"fact": "waiting", "effects": swap}).agenda) == 1
