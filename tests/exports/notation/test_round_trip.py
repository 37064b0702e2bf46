"""A written log reads as the same events, whatever the ruleset, options, names and notes."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from driftlog.testing.play import policy
from driftlog.testing.tables import TableSetup, tables
from engine.core.errors import EngineError, OutcomeRequired
from engine.core.events import Draft, Event, Mode, Seat
from engine.core.lifecycle import MARKS
from engine.core.values import State
from engine.kit.facts import Tableau
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs import telling
from engine.play.beliefs.belief import likeliest
from engine.play.corrections import facts
from engine.play.fold import fold
from engine.play.record import open_game
from engine.play.registry import ruleset as ruleset_of
from engine.play.registry import rulesets
from exports.log import Log
from exports.notation import TextReading, read, write
from exports.notation.exact import Exact
from exports.notation.language import of
from exports.notation.spelling import Speller
from exports.notation.syntax import items_of
from exports.notation.words import Names
from tests.engine.play.explaining import CARDS, chosen, deal_game, drawn_late, flood, report
from tests.exports.logs import LOGS, as_read
from tests.playouts import clock, playout
from tests.quick import quick
from tests.recorded.games import all_games, replay
from tests.recorded.games import read as kept
from tests.recording import Recording

FIRST = {*{path.parent: path for path in reversed(all_games())}.values()}
"""A recorded game for each version of a ruleset."""
LONGEST = 30
"""Events of a record that is written here."""
SAID = st.text(st.characters(exclude_categories=("C", "Zl", "Zp"), include_characters="\n"), min_size=1, max_size=40)
CALLED = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "), min_size=1, max_size=12).filter(
    lambda name: name == name.strip()
)


def write_notation(events: list[Event]) -> str:
    return b"".join(write(Log("game", events))).decode()


def stored_members(events: list[Event]) -> list[dict[str, Any]]:
    """Return all that the notation stores of a log."""
    held = set(Event.__struct_fields__) - {"recorded_at", "recorded_by", "reason", "prev", "hash"}
    return [{name: getattr(event, name) for name in held} for event in as_read(events)]


def check(events: list[Event]) -> TextReading:
    text = write_notation(events)
    reading = read(text, recorded_at=clock(1))
    assert reading.problem is None, text
    assert stored_members(list(reading.events)) == stored_members(events), text
    return reading


@pytest.mark.parametrize("kind", LOGS)
def test_a_log_comes_back(kind: str) -> None:
    check(LOGS[kind]())


@pytest.mark.parametrize("ruleset", rulesets(), ids=lambda ruleset: ruleset.id)
def test_a_game_of_any_ruleset_that_begins_with_facts_comes_back(ruleset: AnyRuleset) -> None:
    seats = min(ruleset.players)
    position = fold(playout(ruleset.id, seats=seats, limit=12)).state
    begun = Recording(ruleset.id, seats)
    begun.add("set_up", position={"facts": [facts.document(fact) for fact in Tableau(ruleset.facts, position)]})
    check(begun.events)


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "path", quick(all_games(), lambda path: path in FIRST), ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_recorded_game_comes_back_by_the_rules_that_it_was_played_by(path: Any) -> None:
    reading = check(replay(*kept(path)).events)
    assert {item.status for item in reading.items} == {"understood"}


class Evening:
    """A table that acts at random, and writes arbitrary notes."""

    def __init__(self, table: TableSetup, seed: int, mode: Mode, names: list[str], said: list[str]) -> None:
        self.rng = random.Random(f"{table} {seed}")
        self.choose = policy(self.rng)
        self.said = said
        self.recording = Recording(table.ruleset, table.seats, mode=mode, **table.options)
        seats = [Seat(name) for name in names[: table.seats]]
        self.recording.game, first = open_game(
            ruleset=table.ruleset, seats=seats, options=table.options, seed=None, recorded_at=clock(1), mode=mode
        )
        self.recording.events = [first]
        self.recording.history.__init__(self.recording.game.header)  # type: ignore[misc]  # with these names
        self.record(Draft(type="set_up"))

    def record(self, draft: Draft, *, is_unseen: bool = False) -> None:
        """Record an action with a possible result, unless it is refused."""
        outcomes: tuple[Any, ...] = (None,) if is_unseen else ()
        while True:
            try:
                self.recording.append(self.with_outcomes(draft, outcomes))
            except OutcomeRequired as required:
                if required.point.position < len(outcomes):
                    return
                outcomes = (*outcomes, self.rng.choice(required.point.options))
            except EngineError:
                return
            else:
                return

    def with_outcomes(self, draft: Draft, outcomes: tuple[Any, ...]) -> Draft:
        for name in ("event", "insert"):
            if draft.type == "amend" and name in draft.params:
                brought = {**draft.params[name], "outcomes": list(outcomes)}
                return msgspec.structs.replace(draft, params={**draft.params, name: brought})
        return msgspec.structs.replace(draft, outcomes=outcomes)

    def go_on(self) -> None:
        state = self.recording.game.state
        assert state is not None
        kind = self.rng.choices(("act", "slip", "note", "correct", "tell", "leave_out"), (8, 2, 2, 2, 1, 1))[0]
        getattr(self, kind)(state)

    def act(self, state: State) -> None:
        legal = list(self.recording.game.ruleset.legal_actions(likeliest(state)))
        if legal:
            one = self.choose(legal)
            draft = Draft(
                type=one.action.type,
                actor=one.actor,
                params=msgspec.to_builtins(one.action),
                note=self.rng.choice([None, None, *self.said]),
                occurred_at=self.rng.choice([None, None, "2026-11-20T19:04:11.5Z"]),
            )
            self.record(draft, is_unseen=self.rng.random() < 0.05)

    def slip(self, state: State) -> None:
        ruleset, header = self.recording.game.ruleset, self.recording.game.header
        kind, seat = self.rng.choice(ruleset.actions), self.rng.randrange(len(header.seats))
        candidates = list(kind.candidates(likeliest(state), seat))
        if candidates:
            one = self.rng.choice(candidates)
            self.record(Draft(type=kind.type, actor=header.seat_ids[seat], params=msgspec.to_builtins(one)))

    def note(self, state: State) -> None:
        last = self.recording.game.version
        params = {"text": self.rng.choice(self.said)} if self.said else {"mark": "!"}
        if self.rng.random() < 0.5:
            params = {"mark": self.rng.choice(MARKS)} | (params if self.rng.random() < 0.3 else {})
        if self.rng.random() < 0.6:
            params["seq"] = self.rng.choice([last, self.rng.randrange(1, last + 1)])
        self.record(Draft(type="annotate", params=params))

    def correct(self, state: State) -> None:
        seq = self.rng.randrange(2, self.recording.game.version + 1)
        other = self.rng.choice(self.recording.events[2:] or self.recording.events)
        brought = {"type": other.type, "actor": other.actor, "params": other.params}
        how: dict[str, Any] = self.rng.choice([{"remove": True}, {"insert": brought}, {"event": brought}])
        if self.rng.random() < 0.5:
            self.record(Draft(type="undo", params={"to": self.rng.randrange(1, seq)}))
            if self.recording.game.state is None:
                self.record(Draft(type="set_up"))
        else:
            self.record(Draft(type="amend", params={"seq": seq, **how, "accept_broken": self.rng.random() < 0.5}))

    def tell(self, state: State) -> None:
        document = msgspec.to_builtins(
            self.rng.choice(telling.known_facts(self.recording.game.ruleset, likeliest(state)))
        )
        for name, value in document.items():
            if isinstance(value, int) and not isinstance(value, bool):
                document[name] = value + self.rng.choice([-1, 0, 1])
        self.record(Draft(type="adjust", params={"facts": [document], "reason": "we looked", "agreed_by": ["p1"]}))

    def leave_out(self, state: State) -> None:
        for skip in self.recording.game.ruleset.skips(likeliest(state)):
            seat = self.recording.game.header.seat_ids[skip.seat]
            self.record(Draft(type="left_out", params={"seat": seat, "step": skip.step.id}))
            return


@pytest.mark.no_cover
@pytest.mark.parametrize("ruleset", [rules.id for rules in rulesets()])
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_any_evening_comes_back(ruleset: str, data: st.DataObject) -> None:
    table = data.draw(st.sampled_from([table for table in tables() if table.ruleset == ruleset]))
    evening = Evening(
        table,
        data.draw(st.integers(0, 10_000)),
        data.draw(st.sampled_from(["strict", "as_played"])),
        data.draw(st.lists(CALLED, min_size=8, max_size=8)),
        data.draw(st.lists(SAID, max_size=3)),
    )
    for _ in range(LONGEST):
        if evening.recording.game.outcome is not None:
            break
        evening.go_on()
    check(evening.recording.events)


def test_acts_out_of_turn_that_others_could_take_keep_their_player() -> None:
    """Bo moves twice in Ada's turn; without a name, the second move would be read as her legal move."""
    recording = deal_game()
    for tile in ("phantom_rock", "howling_garden"):
        report(recording, Draft(type="move", actor="p2", params={"to": tile}), if_illegal="accept")
    text = write_notation(recording.events)
    assert "Bo: move to Phantom Rock anyway; Bo: move to Howling Garden anyway" in text
    check(recording.events)


def test_explanations_of_slips_come_back() -> None:
    recording = drawn_late()
    text = write_notation(recording.events)
    late = "draw flood card = Bronze Gate anyway because (kind Late Step, seat Ada, events #5)"
    assert late in text
    check(recording.events)
    for kind, draft in (("one_too_many", CARDS[0]), ("swapped_steps", flood("bronze_gate")[0])):
        recording = deal_game()
        report(recording, *(CARDS if kind == "one_too_many" else ()))
        chosen(recording, draft, kind)
        check(recording.events)
    recording = deal_game("as_played")
    report(recording, *CARDS)
    chosen(recording, flood("bronze_gate", actor="p2")[0], "other_player")
    explained = {"type": "move", "actor": "p1", "params": {"to": "gold_gate"}} | {
        "explanation": {"kind": "swapped_steps", "seat": "p1", "events": [3]}
    }
    report(recording, Draft(type="amend", params={"seq": 4, "event": explained}), as_played=True)
    check(recording.events)


def test_facts_are_written_with_names() -> None:
    """Lists in a list are in brackets, and the members that can be `rest` have names, too."""
    position = fold(playout("forbidden-island", seats=2, limit=40)).state
    begun = Recording("forbidden-island", 2)
    told = [facts.document(fact) for fact in Tableau(begun.game.ruleset.facts, position)]
    begun.add("set_up", position={"facts": told})
    text = write_notation(begun.events)
    assert "[flood pile is, layers [" in text
    assert "[plays, seat Ada, role " in text
    assert "`" not in text
    check(begun.events)


def test_facts_of_an_earlier_export_are_still_read() -> None:
    """Earlier exports had lists of lists as JSON, and the ids of seats."""
    recording = deal_game("as_played")
    pile = {"fact": "flood_pile_is", "layers": [["iron_gate"], ["watchtower", "lost_lagoon"]]}
    language, names = of(recording.game.ruleset), Names(["Ada", "Bo"])
    verb = language.verbs["adjust"]
    earlier = [
        ('[flood pile is, layers `[["iron_gate"],["watchtower","lost_lagoon"]]`]', pile),
        ("[flood pile is, layers Iron Gate + Watchtower]", {**pile, "layers": [["iron_gate"], ["watchtower"]]}),
        ("[plays, seat p2, role Pilot]", {"fact": "plays", "seat": "p2", "role": "pilot"}),
        ("[has cards, seat rest, card rest]", {"fact": "has_cards", "seat": "rest", "card": "rest"}),
    ]
    for text, fact in earlier:
        read_back = Exact(language, names, int).value(verb.fields["facts"], verb.schema, items_of(text))
        assert read_back == [fact]


@pytest.mark.parametrize("value", [3, -3, "3", "-3", "rest", "crow", "Old crow", "`", "yes", "-", ""])
def test_a_value_of_several_types_comes_back(value: int | str) -> None:
    language, names = of(ruleset_of("forgotten-waters")), Names(["Rest", "Bo"])
    number, plain, id_ = {"type": "integer"}, {"type": "string"}, {"type": "string", "pattern": "^[a-z0-9_]{1,40}$"}
    rest = {"const": "rest"}
    for kinds in ([number, plain], [plain, number], [id_, number], [id_, rest], [rest, plain], [number, rest]):
        schema = {"anyOf": kinds}
        for one, told in ((schema, value), ({"type": "array", "items": schema}, [value])):
            text = Speller(language, names).value(one, {}, told)
            assert Exact(language, names, int).value(one, {}, items_of(text)) == told, (text, kinds)


@pytest.mark.parametrize("value", [[], [[]], [["crow"]], [["crow", "owl"], []], [["Old crow"], ["-"]]])
def test_a_list_of_lists_comes_back(value: list[list[str]]) -> None:
    language, names = of(ruleset_of("forgotten-waters")), Names(["Ada", "Bo"])
    schema = {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}
    text = Speller(language, names).value(schema, {}, value)
    assert Exact(language, names, int).value(schema, {}, items_of(text)) == value, text
