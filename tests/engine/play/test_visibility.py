"""Secrets in events: hidden from everyone else until they are revealed, but always part of the hash."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.core.errors import IllegalAction, Malformed
from engine.core.events import Draft, Event, Seat, event_hash
from engine.core.values import MASKED, SEAT_IDS, SEAT_INDEX
from engine.play import registry
from engine.play.forks import fork
from engine.play.past import KnownPast
from engine.play.record import chance_for, open_game, record
from engine.play.visibility import add_salt, check_open, mask, unrevealed_events, withheld_events
from engine.review.audit import audit
from tests.engine.games.forever_island.positions import RULES
from tests.playouts import clock
from tests.recording import Recording

EXAMPLES = Path(__file__).parents[3] / "examples"
SALT = "0123456789abcdef0123456789abcdef"
SET_UP = [3, 3, 3, 3, 3, 3, "hog", "log", "frog", "volcano", "frog", "log", "hog", *["totem"] * 5, *["spear"] * 7, "p1"]


class Table:
    """A record of Forever Island: two players share a shore, and a raid is possible."""

    def __init__(self) -> None:
        self.game, first = open_game(
            ruleset="forever-island",
            seats=[Seat("Ada"), Seat("Bo")],
            options={"raid_min_throw": 0},
            seed=None,
            recorded_at=clock(1),
        )
        self.events = [first]
        self.states: list[Any] = [None, None]
        self.add("set_up", None, *SET_UP)
        for actor in ("p1", "p2"):
            self.add("place_hut", actor, shore="frog_1_a")
        self.add("roll_for_weather", "p1", 1)
        self.add("harvest", "p1", hut="p1_hut_1")
        self.add("end_turn", "p1")
        # Raids are opened by an adjustment, because the rules would take a whole game to allow them.
        self.game = msgspec.structs.replace(self.game, state=msgspec.structs.replace(self.game.state, has_erected=True))
        self.add("roll_for_weather", "p2", 1)
        self.add("declare_raid", "p2", defender="p1", area="frog_1_a")

    def add(self, type_: str, actor: str | None, *outcomes: Any, **params: Any) -> Event:
        draft = add_salt(RULES, Draft(type=type_, actor=actor, params=params, outcomes=outcomes), SALT)
        chance = chance_for(self.game.header, None)
        self.game, added = record(
            self.game, [draft], chance, KnownPast(dict(enumerate(self.states))), recorded_at=clock(len(self.events) + 1)
        )
        self.events += added
        self.states += [self.game.state] * len(added)
        return added[0]

    def visible_events(self, viewer: int | None) -> list[Event]:
        return list(map(mask(RULES, viewer, lambda seq: self.events[seq:]), self.events))


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_secret_is_salted_by_whoever_records(table: Table) -> None:
    assert table.add("throw_spears", "p2", spears=1).params == {"spears": 1, "salt": SALT}


def test_a_salt_of_ones_own_stays() -> None:
    draft = Draft(type="throw_spears", actor="p2", params={"spears": 1, "salt": "mine"})
    assert add_salt(RULES, draft, SALT) is draft


@pytest.mark.parametrize("type_", ["guess_spears", "annotate", "no_such_type"])
def test_what_hides_nothing_is_not_salted(type_: str) -> None:
    draft = Draft(type=type_)
    assert add_salt(RULES, draft, SALT) is draft


@pytest.mark.parametrize("viewer", [0, None])
def test_a_secret_is_masked_and_plainly_marked(table: Table, viewer: int | None) -> None:
    event = table.add("throw_spears", "p2", spears=1)
    assert table.visible_events(viewer)[-1] == msgspec.structs.replace(event, params={"spears": MASKED, "salt": MASKED})


def test_who_hides_it_sees_it(table: Table) -> None:
    event = table.add("throw_spears", "p2", spears=1)
    assert table.visible_events(1)[-1] == event


def test_a_masked_log_is_the_chain(table: Table) -> None:
    table.add("throw_spears", "p2", spears=1)
    table.add("annotate", None, text="Bo looks nervous.")
    seen = table.visible_events(None)
    assert all(after.prev == before.hash for before, after in pairwise(seen))


def test_the_guess_reveals_it_and_the_hash_was_the_commitment(table: Table) -> None:
    committed = table.add("throw_spears", "p2", spears=1).hash
    at = len(table.events)
    table.add("guess_spears", "p1", spears=0)
    opened = table.visible_events(None)[at - 1]
    assert opened.params == {"spears": 1, "salt": SALT}
    assert event_hash(opened) == opened.hash == committed


def test_the_hash_of_another_throw_differs_by_its_salt_too(table: Table) -> None:
    event = table.add("throw_spears", "p2", spears=1)
    guesses = [msgspec.structs.replace(event, params={"spears": spears, "salt": ""}) for spears in range(8)]
    assert all(event_hash(guess) != event.hash for guess in guesses)


def test_an_undo_opens_no_fist(table: Table) -> None:
    before = len(table.events)
    table.add("throw_spears", "p2", spears=1)
    table.add("undo", None, to=before)
    assert table.visible_events(0)[before].params["spears"] == MASKED


def test_the_end_of_the_game_reveals_it(table: Table) -> None:
    table.add("throw_spears", "p2", spears=1)
    at = len(table.events) - 1
    table.add("abandon", None, reason="The pizza has come.")
    assert table.visible_events(0)[at].params["spears"] == 1


def test_a_part_of_a_log_is_masked_by_what_comes_later(table: Table) -> None:
    event = table.add("throw_spears", "p2", spears=1)
    guess = table.add("guess_spears", "p1", spears=0)
    assert mask(RULES, 0, lambda _: [guess])(event) == event
    assert mask(RULES, 0, lambda _: [])(event).params["spears"] == MASKED


def test_the_rest_of_a_log_is_asked_for_only_where_it_matters(table: Table) -> None:
    def never(seq: int) -> list[Event]:
        raise AssertionError(f"nothing is hidden from this viewer in event {seq}")

    event = table.add("throw_spears", "p2", spears=1)
    guess = table.add("guess_spears", "p1", spears=0)
    assert list(map(mask(RULES, 1, never), [event, guess])) == [event, guess]
    assert list(map(mask(RULES, 0, never), table.events[:3])) == table.events[:3]


@pytest.mark.parametrize("opened", [(), (7,), (1, 4, 5, 12), (12,)])
def test_in_order_the_rest_of_a_log_is_read_once_however_much_is_hidden(table: Table, opened: tuple[int, ...]) -> None:
    throw, guess = table.add("throw_spears", "p2", spears=1), table.add("guess_spears", "p1", spears=0)
    log = [msgspec.structs.replace(guess if seq in opened else throw, seq=seq) for seq in range(1, 13)]
    read: list[int] = []

    def later(seq: int) -> Iterator[Event]:
        for event in log[seq:]:
            read.append(event.seq)
            yield event

    one_by_one = [mask(RULES, None, lambda seq: log[seq:])(event) for event in log]
    assert [event == shown for event, shown in zip(log, one_by_one, strict=True)] == [
        event.type == guess.type or event.seq < max(opened, default=0) for event in log
    ]
    show = mask(RULES, None, later)
    assert list(map(show, log)) == one_by_one
    assert len(read) == len(set(read))
    assert list(map(show, reversed(log))) == one_by_one[::-1]


def test_an_open_fist_was_no_secret(table: Table) -> None:
    table.add("guess_spears", "p1", spears=0)
    assert table.add("open_fist", "p2", spears=1) in table.visible_events(None)


def too_many() -> Recording:
    """A game recorded as played, up to a throw of more spears than there are."""
    first, *rest = (EXAMPLES / "forever-island.ndjson").read_text().splitlines()
    opening = json.loads(first)
    recording = Recording("forever-island", len(opening["seats"]), mode="as_played", **opening["options"])
    for line in rest:
        bodies = json.loads(line)
        for draft in msgspec.convert(bodies if isinstance(bodies, list) else [bodies], list[Draft]):
            if draft.type == "throw_spears":
                recording.append(msgspec.structs.replace(draft, params={"spears": 7, "salt": SALT}))
                return recording
            recording.append(draft)
    raise AssertionError


def test_what_the_rules_say_of_a_hidden_throw_waits_for_the_opening() -> None:
    recording = too_many()
    thrown = recording.events[-1]
    assert thrown.verdict == "illegal"

    def visible_event(viewer: int | None) -> Event:
        return mask(RULES, viewer, lambda seq: recording.events[seq:])(thrown)

    assert visible_event(SEAT_INDEX[thrown.actor]) == thrown
    assert (visible_event(None).verdict, visible_event(None).rule, visible_event(None).reason) == (None, None, None)
    before = audit(recording.events)
    assert unrevealed_events(RULES, recording.events) == [thrown.seq]
    assert (before.verdict, before.events_by_verdict.illegal) == ("clean", 0)

    assert recording.game.state is not None
    defender = SEAT_IDS[recording.game.state.raid.defender]  # type: ignore[attr-defined]  # a state of this game
    recording.add("guess_spears", defender, spears=1)
    assert visible_event(None) == thrown
    assert unrevealed_events(RULES, recording.events) == []
    assert [finding.seq for finding in audit(recording.events).findings] == [thrown.seq]


def test_a_fork_would_open_a_fist(table: Table) -> None:
    table.add("throw_spears", "p2", spears=1)
    at = len(table.events)
    with pytest.raises(Malformed) as refused:
        fork(table.events, at, game="g1", seed=None, recorded_at=clock(99))
    assert refused.value.pointer == "/at"


def test_other_games_hide_nothing() -> None:
    for rules in registry.rulesets():
        if rules.id != "forever-island":
            assert not any(kind.hidden_params or kind.reveals for kind in rules.actions)


def test_what_hides_something_hides_its_salt() -> None:
    for rules in registry.rulesets():
        for kind in rules.actions:
            assert not kind.hidden_params or "salt" in kind.hidden_params
            assert set(kind.hidden_params) <= set(kind.__struct_fields__)


def amending(table: Table, within: str, **brought: Any) -> Event:
    """Return an amend of the last event, as it is in the log."""
    event = table.events[-1]
    return msgspec.structs.replace(
        event, seq=event.seq + 1, type="amend", actor=None, params={"seq": event.seq, within: brought}
    )


@pytest.mark.parametrize("within", ["event", "insert"])
def test_an_amend_hides_what_the_event_would(table: Table, within: str) -> None:
    table.add("throw_spears", "p2", spears=1)
    amend = amending(table, within, type="throw_spears", actor="p2", params={"spears": 0, "salt": SALT})
    masked = mask(RULES, None, lambda _: [])(amend)
    assert masked.params[within]["params"] == {"spears": MASKED, "salt": MASKED}
    assert masked.params["seq"] == amend.params["seq"]
    assert mask(RULES, 1, lambda _: [])(amend) is amend
    guess = amending(table, "insert", type="guess_spears", actor="p1", params={"spears": 1})
    assert mask(RULES, None, lambda _: [guess])(amend) is amend
    with pytest.raises(Malformed):
        check_open(RULES, [amend])
    check_open(RULES, [amend, guess])


def test_an_amend_that_brings_no_secret_is_shown(table: Table) -> None:
    for amend in (
        amending(table, "event", type="annotate", params={"text": "so"}),
        amending(table, "remove"),
        msgspec.structs.replace(amending(table, "event"), params={"seq": 3, "remove": True}),
    ):
        assert mask(RULES, None, lambda _: [])(amend) is amend


@pytest.mark.parametrize("within", ["event", "insert"])
def test_what_an_amend_brings_is_salted(within: str) -> None:
    throw = {"type": "throw_spears", "actor": "p2", "params": {"spears": 1}}
    draft = Draft(type="amend", params={"seq": 9, within: throw})
    params = add_salt(RULES, draft, SALT).params
    assert params == {"seq": 9, within: {**throw, "params": {"spears": 1, "salt": SALT}}}
    again = Draft(type="amend", params=params)
    assert add_salt(RULES, again, "another") is again


@pytest.mark.parametrize("brought", [None, "x", {"type": ["x"], "params": {}}, {"type": "throw_spears", "params": "x"}])
def test_what_cannot_be_recorded_is_not_salted(brought: Any) -> None:
    draft = Draft(type="amend", params={"seq": 9, "event": brought})
    assert add_salt(RULES, draft, SALT) is draft


def test_a_position_in_the_middle_of_a_raid_shows_no_fist(table: Table) -> None:
    before = table.game.state
    table.add("throw_spears", "p2", spears=1)
    for state, is_hidden in ((before, False), (table.game.state, True)):
        position = RULES.to_document(state)
        set_up = msgspec.structs.replace(table.events[1], params={"position": position})
        seen = mask(RULES, 0, lambda _: [])(set_up).params["position"]
        assert (seen["raid"]["spears"] == MASKED) == is_hidden
        assert mask(RULES, 1, lambda _: [])(set_up) is set_up
        assert mask(RULES, 0, lambda _: [table.events[-1], guess_event(table)])(set_up) is set_up


def guess_event(table: Table) -> Event:
    return msgspec.structs.replace(table.events[-1], type="guess_spears", actor="p1", params={"spears": 1})


def test_what_is_masked_is_withheld_until_it_is_open(table: Table) -> None:
    throw = table.add("throw_spears", "p2", spears=1)
    masked = table.visible_events(None)
    assert withheld_events(RULES, masked) == withheld_events(RULES, masked[5:]) == {throw.seq}
    assert withheld_events(RULES, table.events) == withheld_events(RULES, table.visible_events(1)) == set()
    table.add("guess_spears", "p1", spears=0)
    assert withheld_events(RULES, [*masked, *table.events[throw.seq :]]) == set()


@pytest.mark.parametrize(
    ("type_", "params"),
    [
        ("end_turn", {"salt": MASKED}),
        ("no_such_type", {"salt": MASKED}),
        ("throw_spears", {"spears": MASKED, "salt": SALT}),
        ("throw_spears", {"spears": MASKED, "salt": MASKED, "more": MASKED}),
    ],
)
def test_what_is_masked_in_another_way_is_not(table: Table, type_: str, params: dict[str, Any]) -> None:
    forged = msgspec.structs.replace(table.events[-1], type=type_, params=params)
    assert withheld_events(RULES, [forged]) == set()


def test_nothing_is_corrected_while_a_fist_is_closed(table: Table) -> None:
    """The impact of a correction would reveal a secret."""
    hidden = table.add("throw_spears", "p2", spears=1).seq
    for type_, params in (
        ("amend", {"seq": hidden - 1, "remove": True}),
        ("adjust", {"patch": [{"op": "test", "path": "/raid/spears", "value": 1}], "reason": "a guess"}),
    ):
        with pytest.raises(IllegalAction, match="still hidden"):
            table.add(type_, None, **params)
