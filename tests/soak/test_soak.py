"""The soak's checker finds planted faults, its plan is reproducible, and a short run passes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from engine.core.events import Event
from tests.playouts import playout
from tests.soak import plan as plans
from tests.soak.__main__ import main
from tests.soak.checker import chain_faults, fate_faults, heard_faults, opening_faults
from tests.soak.ledger import Heard, Ledger, Write
from tests.soak.report import RECOVERY, SILENCE, note_silence

PATH = "/v1/games/g/events"
LOG = playout(limit=8)
LATE = "nothing was acknowledged"
"""A kind of fault that an overloaded machine can cause."""


def log_with_notes(*notes: str | None) -> list[Event]:
    """Return a log with these notes."""
    return [msgspec.structs.replace(event, note=note) for event, note in zip(LOG, notes, strict=False)]


def write(drafts: int = 1, told: Sequence[Event] | None = None, **members: Any) -> Write:
    """Return an append, acknowledged with the events `told`."""
    answer = None if told is None else {"events": msgspec.to_builtins(list(told))}
    return Write("append", "k", PATH, drafts, answer=answer, **members)


def kinds(one: Write, log: Sequence[Event]) -> list[str]:
    return [kind for kind, _ in fate_faults([one], {PATH: log})]


def test_a_log_of_ours_holds() -> None:
    assert chain_faults("g", LOG) == []


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda log: log[:3] + log[4:], "stands where"),
        (lambda log: [*log[:3], msgspec.structs.replace(log[3], prev="0" * 64), *log[4:]], "not chained"),
        (lambda log: [*log[:3], msgspec.structs.replace(log[3], actor="p2", note="?"), *log[4:]], "its hash"),
        (lambda log: log[:0], "does not begin"),
    ],
)
def test_a_spoilt_log_is_told(spoil: Callable[[list[Event]], list[Event]], said: str) -> None:
    assert any(said in fault for fault in chain_faults("g", spoil(LOG)))


def test_what_was_acknowledged_is_there_once() -> None:
    log = log_with_notes(None, None, "k#0", "k#1", "j#0")
    assert kinds(write(2, told=log[2:4]), log) == []


def test_what_was_acknowledged_and_is_not_there_is_told() -> None:
    log = log_with_notes(None, None, "k#0")
    assert kinds(write(told=log[2:]), log[:2]) == ["acknowledged and lost"]


def test_what_has_another_hash_than_was_acknowledged_is_told() -> None:
    log = log_with_notes(None, None, "k#0")
    told = [msgspec.structs.replace(log[2], hash="f" * 64)]
    assert kinds(write(told=told), log) == ["acknowledged and lost"]


def test_what_was_done_twice_is_told() -> None:
    log = log_with_notes(None, None, "k#0", "k#0")
    assert kinds(write(told=log[2:3]), log) == ["done twice", "done twice"]
    assert kinds(write(is_unsure=True), log) == ["done twice"]


def test_what_nobody_answered_for_may_be_there_or_not() -> None:
    assert kinds(write(is_unsure=True), log_with_notes(None, None, "k#0")) == []
    assert kinds(write(is_unsure=True), log_with_notes(None, None)) == []


def test_what_was_refused_is_not_there() -> None:
    log = log_with_notes(None, None, "k#0")
    assert kinds(write(refusal=422), log) == ["refused but appended"]
    assert kinds(write(refusal=422, is_unsure=True), log) == []
    assert kinds(write(refusal=422), log_with_notes(None, None)) == []


def test_a_list_is_there_from_its_beginning() -> None:
    assert kinds(write(3, is_unsure=True), log_with_notes(None, None, "k#0", "k#2")) == ["done in part"]


def test_a_list_that_stopped_is_there_up_to_where_it_did() -> None:
    log = log_with_notes(None, None, "k#0", "k#1", "k#2")

    def stopped_write(index: int) -> Write:
        one = write(3, told=log[2 : 2 + index])
        assert one.answer is not None
        one.answer["stopped"] = {"index": index, "problem": {}}
        return one

    assert kinds(stopped_write(2), log[:4]) == []
    assert kinds(stopped_write(2), log[:3]) == ["acknowledged and lost"]
    assert kinds(stopped_write(2), log) == ["done twice"]
    assert kinds(write(3, told=log[2:4]), log[:4]) == ["answered in part"]


def test_a_listener_hears_each_event_once_and_in_order() -> None:
    told = [(event.seq, event.hash) for event in LOG]
    wrong = [told[:2] + told[1:4], told[1:], told[:2] + told[3:], [*told[:3], (4, "f" * 64)], [*told, (9, "f" * 64)]]
    assert heard_faults([Heard("/v1/games/g", told[:5]), Heard("/v1/games/none")], {PATH: LOG}) == []
    for heard in wrong:
        assert len(heard_faults([Heard("/v1/games/g", heard)], {PATH: LOG})) == 1, heard


def game(id_: str, *tags: str, name: str = "Ada") -> dict[str, Any]:
    """Return a game as in the list."""
    return {"id": id_, "tags": list(tags), "seats": [{"name": name}]}


def test_games_are_those_that_were_asked_for() -> None:
    acknowledged = Write("open", "A-1", "/v1/games", answer={"id": "a"})
    unsure = Write("fork", "A-2", "/v1/games/a/forks", is_unsure=True)
    refused = Write("open", "A-3", "/v1/games", refusal=422)
    writes = [acknowledged, unsure, refused]

    def fault_kinds(*games: dict[str, Any]) -> list[str]:
        return [kind for kind, _ in opening_faults(writes, games)]

    assert fault_kinds(game("a", "a-1"), game("m", name="Mallory")) == []
    assert fault_kinds(game("a", "a-1"), game("b", "a-2")) == []
    assert fault_kinds() == ["acknowledged and lost"]
    assert fault_kinds(game("a", "a-1"), game("b", "a-1")) == ["opened unasked"]
    assert fault_kinds(game("a", "a-1"), game("b", "a-2"), game("c", "a-2")) == ["opened unasked"]
    assert fault_kinds(game("a", "a-1"), game("b", "a-3")) == ["opened unasked"]
    writes.append(Write("import", "A-4", "/v1/imports", is_unsure=True))
    assert fault_kinds(game("a", "a-1"), game("b", "a-1")) == []


def test_a_silence_is_a_fault_unless_a_kill_explains_it() -> None:
    ledger = Ledger()
    ledger.acknowledged_at = [1.0, 2.0, 3.0 + SILENCE]
    assert note_silence(ledger, [2.5], 20.0) == 1 + SILENCE
    assert ledger.faults == []
    note_silence(ledger, [], 20.0)
    note_silence(ledger, [2.5], 13.0 + 2 * SILENCE + RECOVERY)
    assert [fault.kind for fault in ledger.faults] == ["nothing was acknowledged"] * 2


def test_the_same_seed_makes_the_same_plan() -> None:
    plan = plans.make(7, 300, 12)
    assert plan == plans.make(7, 300, 12) != plans.make(8, 300, 12)
    assert plan.rng("player-1").random() == plans.make(7, 300, 12).rng("player-1").random()
    assert {kill.kind for kill in plan.kills} == set(plans.KINDS)
    assert all(kill.at < 300 for kill in plan.kills)


@pytest.mark.long
def test_a_short_run_loses_nothing(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["--minutes", "0.1", "--seed", "1", "--folder", str(tmp_path)])
    assert result.exit_code in {0, 1}, result.output
    assert all(f"{kind} 1" in result.output for kind in plans.KINDS), result.output
    faults = (tmp_path / "faults.txt").read_text().splitlines()
    assert not [fault for fault in faults if fault.partition(":")[0] != LATE], faults
