"""Impact of a correction on later events: replayed only as far as the table differs."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core import lifecycle
from engine.core.differences import differences
from engine.core.errors import EngineError, IllegalAction
from engine.core.events import Mode
from engine.core.values import Impact
from engine.play.beliefs.belief import public_document
from engine.play.corrections import amends
from engine.play.fold import fold
from engine.play.line import Chain, Line, Slot
from engine.play.rules import Rules
from engine.play.tables import differing_facts
from tests.engine.recording import dealt, ended, played
from tests.playouts import NAMES
from tests.recording import Recording


def annotation(text: str) -> dict[str, Any]:
    return {"type": "annotate", "params": {"text": text}}


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the types of the entries that were replayed."""
    found: list[str] = []
    replay = Rules.replay

    def listening(self: Rules, state: Any, entry: Any, seq: int, **asked: Any) -> Any:
        found.append(entry.type)
        return replay(self, state, entry, seq, **asked)

    monkeypatch.setattr(Rules, "replay", listening)
    return found


def test_what_leaves_the_table_as_it_was_plays_nothing_again(replayed: list[str]) -> None:
    recording = played()
    recording.add("amend", seq=3, insert=annotation("so"))

    assert replayed == []
    impact = recording.history.impacts[6]
    assert list(impact) == [Impact(seq, "unchanged") for seq in (3, 4, 5)]
    assert list(impact.effects()) == ["unchanged"] * len(impact)
    assert impact[-1] == Impact(5, "unchanged")


def test_as_soon_as_the_table_is_what_it_was_nothing_is_played_again(replayed: list[str]) -> None:
    recording = played()
    for _ in range(50):
        recording.add("annotate", text="so")
    recording.add("amend", seq=3, remove=True, accept_broken=True)
    after = len(replayed)
    recording.add("amend", seq=recording.game.version - 1, event=annotation("otherwise"))

    assert replayed == ["move", "draw_treasure_card"] * 2
    assert len(replayed) == after


def test_what_closed_the_game_goes_although_nothing_before_it_differs() -> None:
    recording = ended()
    recording.add("annotate", text="a pity")
    recording.add("amend", seq=4, insert=annotation("so"))

    types = [slot.entry.type for slot in recording.history.mainline if slot.entry is not None]
    assert types == ["set_up", "move", "annotate", "move", "draw_treasure_card", "abandon", "annotate", "game_closed"]
    assert types.count("game_closed") == 1


@pytest.mark.parametrize("later", ["before", "behind"])
@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_what_was_broken_already_is_told_as_broken_and_stands_in_nobodys_way(mode: Mode, later: str) -> None:
    recording = dealt(mode=mode)
    recording.add("move", "p1", to="howling_garden")
    recording.add("move", "p1", to="gold_gate")
    recording.add("draw_treasure_card", "p1", ["earth_stone"])
    recording.add("amend", seq=3, remove=True, accept_broken=True)
    first = recording.history.impacts[6][0]
    assert (first.seq, first.effect) == (4, "now_illegal")

    # Later entries are unchanged; the one before is replayed.
    water = [{"op": "replace", "path": "/water_level", "value": 3}]
    change = (
        annotation("so") if later == "behind" else {"type": "adjust", "params": {"patch": water, "reason": "it rose"}}
    )
    recording.add("amend", seq=3, event=change)
    again = recording.history.impacts[7][0]
    assert (again.seq, again.effect, again.rule) == (4, "now_illegal", first.rule)
    assert next(recording.history.impacts[7].effects()) == "now_illegal"
    assert recording.history.mainline[2].broken == "now_illegal"

    recording.add("amend", seq=3, event={"type": "move", "actor": "p1", "params": {"to": "howling_garden"}})
    assert recording.history.impacts[8][0].effect == "now_legal"
    assert recording.history.mainline[2].broken is None
    assert fold(recording.events) == recording.game


def test_what_may_have_been_legal_is_not_broken() -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", ["helicopter_lift"])
    recording.add("play_helicopter_lift", "p1", to="coral_palace", pawns=["p1"])
    recording.add("amend", seq=3, event={"type": "draw_treasure_card", "actor": "p1", "outcomes": [None]})
    assert [one.effect for one in recording.history.impacts[5]] == ["unchanged"]
    judgement = recording.history.mainline[-1].judgement
    assert judgement is not None
    assert judgement.verdict == "unknowable"


def test_what_an_illegal_event_of_a_record_as_played_is_breaks_nothing() -> None:
    recording = dealt(mode="as_played")
    recording.add("annotate", text="so")
    recording.add("move", "p2", to="howling_garden")
    assert recording.events[-1].verdict == "illegal"
    recording.add("amend", seq=3, event=annotation("otherwise"))
    assert [one.effect for one in recording.history.impacts[5]] == ["unchanged"]


def test_a_marked_event_can_be_amended_back() -> None:
    recording = played()
    gold = {"type": "move", "actor": "p1", "params": {"to": "gold_gate"}}
    recording.add("amend", seq=3, remove=True, accept_broken=True)
    recording.add("amend", seq=4, event={"type": "move", "actor": "p1", "params": {"to": "phantom_rock"}})
    for change in ({"event": gold}, {"insert": gold, "accept_broken": True}):
        with pytest.raises(IllegalAction, match="more than one move"):
            recording.add("amend", seq=4, **change)
    with pytest.raises(IllegalAction, match="more than one move"):
        recording.add("amend", seq=4, event={**gold, "params": {"to": "watchtower"}}, accept_broken=True)
    recording.add("amend", seq=4, event=gold, accept_broken=True)
    marked = recording.history.mainline[2]
    assert (marked.number, marked.broken) == (4, "now_illegal")
    recording.add("amend", seq=3, event={"type": "move", "actor": "p1", "params": {"to": "howling_garden"}})
    assert recording.game.state == played().game.state
    assert fold(recording.events) == recording.game


def test_what_stands_marked_with_what_came_up_can_be_written_again() -> None:
    draw = {"type": "draw_treasure_card", "actor": "p1", "outcomes": ["sandbags"]}
    recording = dealt()
    recording.add("draw_treasure_card", "p1", ["sandbags"])
    recording.add("amend", seq=3, insert=draw, accept_broken=True)
    assert [(one.seq, one.effect) for one in recording.history.impacts[4]] == [(3, "outcome_impossible")]
    recording.add("amend", seq=3, event={**draw, "note": "so we noted"}, accept_broken=True)
    assert recording.history.mainline[2].broken == "outcome_impossible"
    assert fold(recording.events) == recording.game


def plainly(rules: Rules, line: Line, index: int, start: int, slot: Slot) -> tuple[list[Slot], list[Impact]]:
    """Return the rewritten line, and the impact, with every later event replayed."""
    anew, impact, state = [*line[:index], slot], [], slot.after
    for old in line[start:]:
        if old.entry is None:
            anew.append(msgspec.structs.replace(old, after=state))
        elif old.entry.type != lifecycle.GAME_CLOSED:
            state, judgement, effect = rules.replay(state, old.entry, slot.source, sound_only=True, keeps_turn=True)
            broken = (old.broken if judgement == old.judgement else effect) if judgement is not None else None
            is_kept = judgement is not None
            anew.append(
                msgspec.structs.replace(old, after=state, judgement=judgement, broken=broken, keeps_turn=is_kept)
            )
            changed = differences(public_document(rules.ruleset, old.after), public_document(rules.ruleset, state))
            is_first = changed and not any(one.differences for one in impact)
            told = differing_facts(rules.ruleset, old.after, state, NAMES) if is_first else ()
            if judgement is not None and broken is not None:
                impact.append(Impact(old.number, broken, judgement.rule, judgement.reason, changed, told))
            else:
                is_legal_again = old.judgement is not None and judgement is None
                effect = "now_legal" if is_legal_again else "state_differs" if changed else "unchanged"
                impact.append(Impact(old.number, effect, differences=changed, facts=told))
    return anew, impact


BROUGHT = st.sampled_from(
    [
        annotation("so"),
        {"type": "move", "actor": "p1", "params": {"to": "howling_garden"}},
        {"type": "move", "actor": "p1", "params": {"to": "gold_gate"}},
        {"type": "adjust", "params": {"patch": [{"op": "replace", "path": "/water_level", "value": 3}], "reason": "r"}},
        {"type": "adjust", "params": {"patch": [{"op": "replace", "path": "/water_level", "value": 1}], "reason": "r"}},
        {"type": "abandon", "params": {"reason": "dinner"}},
    ]
)
AMENDS = st.builds(
    lambda seq, how: {"seq": seq, "accept_broken": True, **how},
    st.integers(3, 14),
    st.one_of(
        st.just({"remove": True}),
        st.builds(lambda event: {"event": event}, BROUGHT),
        st.builds(lambda event: {"insert": event}, BROUGHT),
    ),
)


@pytest.mark.no_cover
@pytest.mark.parametrize("begin", [played, ended, dealt])
@given(written=st.lists(AMENDS, min_size=1, max_size=8))
def test_it_is_what_playing_everything_again_would_make_of_it(begin: Any, written: list[dict[str, Any]]) -> None:
    shared = amends.write_anew

    def both(
        rules: Rules, line: Line, index: int, start: int, slot: Slot, *, sound_only: bool, keeps_turn: bool
    ) -> Any:
        if not keeps_turn:
            return shared(rules, line, index, start, slot, sound_only=sound_only)
        assert sound_only
        anew, impact = shared(rules, line, index, start, slot, sound_only=sound_only, keeps_turn=True)
        expected, impacts = plainly(rules, Chain.of(line), index, start, slot)
        assert list(anew) == expected
        assert list(impact) == impacts
        assert [one.effect for one in impacts] == list(impact.effects())
        return anew, impact

    recording: Recording = begin()
    recording.add("annotate", text="and so on")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(amends, "write_anew", both)
        for amend in written:
            try:
                recording.add("amend", **amend)
            except EngineError:
                continue
