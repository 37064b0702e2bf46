"""The audit: a sound log is clean, and a forged one is reported with the right event."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import LogDoesNotVerify
from engine.core.events import Draft, Event
from engine.core.lifecycle import RULE
from engine.kit.chance import mixed_seed, seed_commitment
from engine.play.fold import fold
from engine.review.audit import Auditor, Finding, audit, verify
from tests.engine.recording import dealt, ended, played
from tests.playouts import long_record, playout
from tests.recording import Recording, chained, forged

SEEDED = playout("forbidden-island", 3, 3, chance="seeded")
OBSERVED = playout("forbidden-island-archaens", 3, 4)


def finding_kinds(events: list[Event]) -> list[tuple[int, str]]:
    """Return event and kind of each finding."""
    return [(finding.seq, finding.kind) for finding in audit(events).findings]


def first_failure(events: list[Event]) -> int:
    with pytest.raises(LogDoesNotVerify) as error:
        verify(events)
    assert error.value.reason
    return error.value.seq


def replace_event(events: list[Event], seq: int, **changes: Any) -> list[Event]:
    """Return the log with event `seq` changed, and with new hashes."""
    return chained([forged(event, **changes) if event.seq == seq else event for event in events])


def test_what_cannot_be_read_breaks_the_log() -> None:
    auditor = Auditor()
    for event in SEEDED[:5]:
        auditor.read(event)
    auditor.stop_reading("an entry does not decode")
    report = auditor.finish()

    assert report.verdict == "broken"
    assert [(finding.seq, finding.message) for finding in report.findings] == [(6, "an entry does not decode")]


# A sound log


@pytest.mark.parametrize("log", [SEEDED, OBSERVED, long_record(400), played().events, ended().events], ids=len)
def test_clean(log: list[Event]) -> None:
    report = audit(log)
    assert (report.verdict, report.findings) == ("clean", ())
    assert (report.head, report.events) == (log[-1].hash, len(log))


def test_verify__returns_the_game() -> None:
    assert verify(SEEDED) == fold(SEEDED)


def test_clean__a_game_that_was_reopened_and_closed_again() -> None:
    recording = ended()
    recording.add("undo", to=5)
    recording.add("abandon", reason="bed")
    recording.add("annotate", text="good night")
    recording.add("undo", to=9)
    recording.add("undo", to=6)
    assert audit(recording.events).verdict == "clean"


def test_auditor__has_the_game_as_far_as_it_is_sound() -> None:
    log = played().events
    auditor = Auditor()
    for event in [*log[:4], forged(log[4], outcomes=("watchtower",))]:
        auditor.read(event)
    assert auditor.game == fold(log[:4])


# The chain: a changed log with its old hashes


@pytest.mark.parametrize("log", [SEEDED, OBSERVED], ids=["seeded", "observed"])
@pytest.mark.parametrize("seq", [1, 2, 3, 10, -1])
@pytest.mark.parametrize(
    "changes",
    [{"note": "nothing happened"}, {"recorded_at": "2020-01-01T00:00:00Z"}, {"turn": 99}, {"outcomes": ("x",)}],
    ids=lambda changes: next(iter(changes)),
)
def test_chain__a_flipped_member(log: list[Event], seq: int, changes: dict[str, Any]) -> None:
    seq = seq if seq > 0 else len(log)
    forgery = [msgspec.structs.replace(event, **changes) if event.seq == seq else event for event in log]
    assert finding_kinds(forgery) == [(seq, "chain")]
    assert first_failure(forgery) == seq


@pytest.mark.parametrize("seq", [1, 2, 10])
def test_chain__a_flipped_member_hashed_anew_breaks_the_next(seq: int) -> None:
    forgery = [forged(event, note="nothing happened") if event.seq == seq else event for event in OBSERVED]
    assert finding_kinds(forgery) == [(seq + 1, "chain")]


def test_chain__a_flipped_hash() -> None:
    forgery = [msgspec.structs.replace(e, hash="0" * 64) if e.seq == 10 else e for e in OBSERVED]
    assert finding_kinds(forgery) == [(10, "chain"), (11, "chain")]


@pytest.mark.parametrize("seq", [2, 3, 10])
def test_chain__a_dropped_event(seq: int) -> None:
    forgery = [event for event in OBSERVED if event.seq != seq]
    assert finding_kinds(forgery) == [(seq + 1, "sequence"), (seq + 1, "chain")]
    assert audit(forgery).verdict == "broken"


def test_chain__the_first_event_dropped() -> None:
    assert finding_kinds(OBSERVED[1:]) == [(2, "sequence"), (2, "chain")]


@pytest.mark.parametrize("seq", [1, 2, 10, len(OBSERVED)])
def test_chain__a_duplicated_event(seq: int) -> None:
    forgery = [*OBSERVED[:seq], *OBSERVED[seq - 1 :]]
    assert finding_kinds(forgery) == [(seq, "sequence"), (seq, "chain")]
    assert first_failure(forgery) == seq


def test_chain__two_events_swapped() -> None:
    forgery = [*OBSERVED[:9], OBSERVED[10], OBSERVED[9], *OBSERVED[11:]]
    assert {seq for seq, _ in finding_kinds(forgery)} == {10, 11, 12}
    assert first_failure(forgery) == 10


def test_chain__an_event_of_another_game() -> None:
    other = playout("forbidden-island-archaens", 4, 4)
    forgery = [*OBSERVED[:9], other[9], *OBSERVED[10:]]
    assert finding_kinds(forgery) == [(10, "chain"), (11, "chain")]


def test_chain__after_a_break_only_the_chain_is_judged() -> None:
    forgery = [msgspec.structs.replace(event, type="teleport") if event.seq >= 9 else event for event in OBSERVED]
    assert finding_kinds(forgery) == [(seq, "chain") for seq in range(9, len(OBSERVED) + 1)]


def test_chain__a_text_that_is_not_unicode() -> None:
    forgery = [msgspec.structs.replace(event, note="\ud800") if event.seq == 9 else event for event in OBSERVED]
    assert finding_kinds(forgery) == [(9, "malformed")]


# The rules: a forged log with new hashes


def test_rules__an_action_that_was_illegal() -> None:
    report = audit(replace_event(played().events, 4, params={"to": "watchtower"}))
    assert report.verdict == "broken"
    assert report.findings == (
        Finding(
            4, 1, "illegal_action", "Move", "Watchtower is more than one move from Howling Garden.", period="turn 1"
        ),
    )


def test_rules__an_outcome_that_was_impossible() -> None:
    assert finding_kinds(replace_event(played().events, 5, outcomes=("watchtower",))) == [(5, "impossible_outcome")]


def test_rules__an_outcome_left_out() -> None:
    assert finding_kinds(replace_event(played().events, 5, outcomes=())) == [(5, "missing_outcome")]


def test_rules__an_outcome_too_many() -> None:
    assert finding_kinds(replace_event(played().events, 4, outcomes=("earth_stone",))) == [(4, "malformed")]


@pytest.mark.parametrize(
    "changes",
    [{"type": "teleport"}, {"params": {"to": "atlantis"}}, {"params": {}}, {"actor": "p4"}, {"actor": None}],
)
def test_rules__malformed(changes: dict[str, Any]) -> None:
    assert finding_kinds(replace_event(played().events, 4, **changes)) == [(4, "malformed")]


def test_rules__dropped_and_chained_anew() -> None:
    log = played().events
    assert finding_kinds(chained([*log[:2], *log[3:]])) == [(3, "illegal_action")]


def test_rules__duplicated_and_chained_anew() -> None:
    log = played().events
    assert finding_kinds(chained([*log[:3], log[2], *log[3:]])) == [(4, "illegal_action")]


def test_rules__swapped_and_chained_anew() -> None:
    log = played().events
    assert finding_kinds(chained([*log[:2], log[3], log[2], log[4]])) == [(3, "illegal_action")]


def test_rules__appended_after_the_end() -> None:
    log = ended().events
    report = audit(chained([*log, log[4]]))
    assert report.findings == (
        Finding(8, 1, "illegal_action", RULE, "The game has ended. The game was abandoned.", period="turn 1"),
    )


def test_rules__nothing_before_the_opening() -> None:
    assert finding_kinds(chained(played().events[1:])) == [(1, "malformed")]


@pytest.mark.parametrize("changes", [{"actor": "p1"}, {"outcomes": ("observatory",)}])
def test_rules__the_opening_is_nobodys(changes: dict[str, Any]) -> None:
    assert finding_kinds(replace_event(played().events, 1, **changes)) == [(1, "malformed")]


def test_rules__an_opening_that_is_committed_to_no_seed() -> None:
    params = {key: value for key, value in SEEDED[0].params.items() if key != "seed_commitment"}
    assert finding_kinds(replace_event(SEEDED, 1, params=params))[0] == (1, "malformed")


def test_rules__an_unknown_ruleset() -> None:
    first = played().events[0]
    assert finding_kinds(replace_event(played().events, 1, params={**first.params, "ruleset": "chess"})) == [
        (1, "no_ruleset")
    ]


def test_rules__an_empty_log() -> None:
    report = audit([])
    assert (report.verdict, report.events) == ("broken", 0)
    assert report.findings == (Finding(0, 0, "malformed", RULE, "a log must begin with game_opened"),)
    assert first_failure([]) == 0


# The turn


def test_turn__an_event_that_says_another() -> None:
    report = audit(replace_event(played().events, 4, turn=2))
    assert report.verdict == "findings"
    assert report.findings == (
        Finding(4, 1, "turn", RULE, "the event says turn 2, but happened in turn 1", period="turn 1"),
    )


# The closing


def test_closing__left_out_at_the_end() -> None:
    report = audit(ended().events[:-1])
    assert report.verdict == "findings"
    assert [(finding.seq, finding.kind) for finding in report.findings] == [(6, "closing")]


def test_closing__left_out_before_another_event() -> None:
    recording = ended()
    recording.add("annotate", text="what a game")
    log = recording.events
    assert finding_kinds(chained([*log[:6], log[7]])) == [(7, "closing")]


def test_closing__twice() -> None:
    log = ended().events
    assert finding_kinds(chained([*log, log[6]])) == [(8, "closing")]


def test_closing__of_a_game_that_goes_on() -> None:
    log = ended().events
    assert finding_kinds(chained([*log[:5], log[6]])) == [(6, "closing"), (6, "illegal_action")]


def test_closing__with_another_outcome() -> None:
    outcome = {"result": "won", "winners": ["p1"], "reason": "lifted_off", "rule": "Winning the Game"}
    assert finding_kinds(replace_event(ended().events, 7, params={"outcome": outcome})) == [(7, "illegal_action")]


# The seed


def close_with(log: list[Event], **params: Any) -> list[Event]:
    return replace_event(log, len(log), params={**log[-1].params, **params})


def test_seed__not_the_one_committed_to() -> None:
    assert finding_kinds(close_with(SEEDED, seed="another")) == [(len(SEEDED), "seed")]


def mixed_seed_log(*shares: str) -> list[Event]:
    """A closed game whose event 1 commits to these shares, with the seed that they make."""
    seed = mixed_seed(SHARES[0], SHARES[1:])
    recording = Recording(seed=seed)
    opening = recording.events[0]
    committed = {**opening.params, "seed_shares": [seed_commitment(share) for share in shares]}
    recording.append(Draft(type="set_up"))
    recording.append(Draft(type="abandon", params={"reason": "late"}))
    return replace_event(recording.events, 1, params=committed)


SHARES = ("service", *sorted(("one", "two"), key=seed_commitment))


def test_seed__mixed_from_the_committed_shares() -> None:
    report = audit(mixed_seed_log(*SHARES))
    assert report.findings == ()
    assert any(note.startswith("The seed is mixed from 3 shares.") for note in report.notes)


@pytest.mark.parametrize("shares", [SHARES[::-1], SHARES[:2], (*SHARES, "three"), ("forged", *SHARES[1:])])
def test_seed__mixed_from_other_shares(shares: tuple[str, ...]) -> None:
    log = mixed_seed_log(*shares)
    report = audit(log)
    assert [(finding.seq, finding.kind) for finding in report.findings] == [(len(log), "seed")]
    assert report.findings[0].message == "the revealed seed is not made up of the committed shares"


def test_seed__shares_of_an_observed_game() -> None:
    log = replace_event(OBSERVED, 1, params={**OBSERVED[0].params, "seed_shares": ["0" * 64]})
    assert audit(log).findings[0].message.endswith("an observed game has no seed to mix")


def test_seed__not_revealed() -> None:
    report = audit(close_with(SEEDED, seed=None))
    assert [(finding.seq, finding.kind) for finding in report.findings] == [(len(SEEDED), "seed")]
    assert report.findings[0].message == "the seed is not revealed"


def test_seed__revealed_by_an_observed_game() -> None:
    assert finding_kinds(close_with(OBSERVED, seed="tides")) == [(len(OBSERVED), "seed")]


def test_seed__draws_that_it_did_not_draw() -> None:
    """A seeded game with chosen results: each is reported, in its own turn."""
    log = abandoned_seeded()
    cards = {"earth_stone": "Earth Stone", "crystal_of_fire": "Crystal of Fire"}
    other = next(card for card in cards if card != log[2].outcomes[0])
    report = audit(replace_event(log, 3, outcomes=(other,)))
    assert report.verdict == "findings"
    assert report.findings == (
        Finding(
            3,
            1,
            "seed",
            "Seeded chance",
            f"result 1 is {cards[other]}, but the seed draws something else",
            period="turn 1",
        ),
        Finding(
            4,
            1,
            "state",
            "The state as recorded",
            "the state after this event differs from the recorded one",
            period="turn 1",
        ),
    )
    assert first_failure(replace_event(log, 3, outcomes=(other,))) == 3


def test_seed__draws_of_the_set_up_are_before_the_first_turn() -> None:
    log = abandoned_seeded()
    layout = list(log[1].outcomes)
    layout[0], layout[1] = layout[1], layout[0]
    findings = audit(replace_event(log, 2, outcomes=tuple(layout))).findings
    assert {(finding.seq, finding.turn, finding.kind) for finding in findings} == {(2, 0, "seed"), (2, 0, "state")}


def test_seed__a_game_that_goes_on_has_not_revealed_it() -> None:
    assert audit(dealt("tides").events).verdict == "clean"


def abandoned_seeded() -> list[Event]:
    recording = dealt("tides")
    recording.add("draw_treasure_card", "p1")
    recording.add("abandon", reason="dinner")
    return recording.events
