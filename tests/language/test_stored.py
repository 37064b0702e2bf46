"""Stored texts are English, whatever the recorder's language; answers are in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from engine.core.errors import BreaksFollowers, EngineError, IllegalAction, IsLeftOut, Malformed
from engine.core.events import Draft, Mode, Seat
from engine.core.language import Catalogue, speaking
from engine.play.game import Game
from engine.play.judge import JudgedDraft
from exports import FORMATS, Format
from service import request, story
from service.logs import log
from service.opening import open_record
from service.recording import AppendResult, append
from service.viewing import look
from store import Store
from tests.conftest import connect
from tests.engine.recording import DEAL
from tests.language.unsaid import wide

RECORDED_AT = "2026-11-23T12:00:00.000Z"
_WIDE = re.compile("[\uff21-\uff3a\uff41-\uff5a]")
SET_UP = Draft(type="set_up", outcomes=tuple(DEAL))
FLOODS = Draft(type="draw_flood_card", actor="p1", outcomes=("cliffs_of_abandon",))
ANN_DRAWS = Draft(type="draw_treasure_card", actor="p1", outcomes=("earth_stone",))
BOB_MOVES = Draft(type="move", actor="p2", params={"to": "cliffs_of_abandon"})
LEVEL = {"fact": "water_level", "level": 3}


def is_wide(said: Any) -> bool:
    """Return True if any text in the document is in the other language."""
    return _WIDE.search(str(said)) is not None


class Evening:
    """A game at a table that breaks rules and corrects its record."""

    def __init__(
        self, store: Store, language: Catalogue | None, *, seed: str | None = None, mode: Mode = "as_played"
    ) -> None:
        self.store, self.language = store, language
        with speaking(language):
            opened = open_record(
                store,
                ruleset="forbidden-island",
                seats=(Seat("①"), Seat("②")),
                options={},
                chance="seeded" if seed else "observed",
                mode=mode,
                seed=seed,
                tags=(),
                recorded_at=RECORDED_AT,
            )
        self.id = opened.game_id

    def put(self, *drafts: Draft, **how: Any) -> AppendResult:
        with speaking(self.language):
            return append(self.store, self.id, drafts, explain=explain_error, recorded_at=RECORDED_AT, **how)

    def refusal_of(self, *drafts: Draft, **how: Any) -> EngineError:
        with pytest.raises(EngineError) as refused:
            self.put(*drafts, **how)
        return refused.value

    @property
    def game(self) -> Game:
        return self.store.games.latest(self.id)

    def play(self) -> Evening:
        """Steps are skipped, actions are illegal, and corrections break later events."""
        self.put(SET_UP, ANN_DRAWS, ANN_DRAWS)
        self.put(BOB_MOVES, accept_left_out=True)
        self.put(Draft(type="move", actor="p1", params={"to": "howling_garden"}), accept_left_out=False)
        self.put(Draft(type="adjust", params={"facts": [LEVEL], "reason": "as it lies"}))
        self.put(Draft(type="amend", params={"seq": 4, "remove": True, "accept_broken": True}))
        self.put(Draft(type="undo", params={"to": 8}))
        with speaking(self.language):
            self.store.projections.project(self.id)
        return self


def explain_error(refused: Exception, _: Game) -> dict[str, Any]:
    return {"detail": str(refused)}


def stored_values(events_server: str) -> Iterator[str]:
    """Yield every key of the store with its contents."""
    with connect(events_server) as client:
        readers: dict[bytes, Callable[[bytes], Any]] = {
            b"string": client.get,
            b"hash": client.hgetall,
            b"set": client.smembers,
            b"zset": lambda key: client.zrange(key, 0, -1),
            b"stream": client.xrange,
        }
        for key in client.scan_iter():
            # As text: bytes that are not UTF-8 are a number or a hash.
            yield _text((key, readers[client.type(key)](key)))


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, dict):
        return _text(list(value.items()))
    return " ".join(map(_text, value)) if isinstance(value, list | tuple | set) else str(value)


def test_a_record_is_the_same_to_the_byte_in_whatever_language(store: Store) -> None:
    english, other = Evening(store, None).play(), Evening(store, wide()).play()
    assert other.game.head == english.game.head
    reasons = [event.reason for event in store.events.read(other.id) if event.reason is not None]
    assert reasons == ["① did not draw the Flood cards that were due.", "It is another player's turn."]


def test_nothing_of_it_is_stored(store: Store, events_server: str) -> None:
    evening = Evening(store, wide()).play()
    with speaking(wide()):
        assert is_wide(story.turns(store, evening.id, evening.game))
    assert [said for said in stored_values(events_server) if is_wide(said)] == []
    assert any("Flood cards that were due" in said for said in stored_values(events_server))


PROGRAMS = [kind for kind in FORMATS.values() if not kind.is_said and kind.is_installed]


@pytest.mark.parametrize("kind", PROGRAMS, ids=lambda kind: kind.name)
def test_what_programs_read_is_english(store: Store, kind: Format) -> None:
    evening = Evening(store, None).play()
    evening.put(Draft(type="abandon", params={"reason": "It is late."}))
    seen = look(store, evening.id, None)

    def write_log() -> bytes:
        whole = msgspec.structs.replace(log(store, evening.id, seen.game, kind, seen.show), proof=None)
        return b"".join(kind.write(whole))

    english = write_log()
    with speaking(wide()):
        assert write_log() == english


def test_a_refusal_is_told_in_the_language_of_whoever_asked(store: Store) -> None:
    evening = Evening(store, wide())
    refused = evening.refusal_of(ANN_DRAWS)
    assert isinstance(refused, IllegalAction)
    assert (refused.rule, is_wide(refused.message)) == ("Keeping the record", True)

    evening.put(SET_UP, ANN_DRAWS, ANN_DRAWS)
    before = evening.game.version
    for dry in (True, False):
        proposed = evening.refusal_of(BOB_MOVES, is_dry_run=dry, if_illegal="ask")
        assert isinstance(proposed, IsLeftOut)
        assert is_wide(proposed.left_out[0].message)
        late = evening.refusal_of(Draft(type="left_out", params={"seat": "p1", "step": "discard"}), is_dry_run=dry)
        assert is_wide(late)
    assert evening.game.version == before


def test_what_a_correction_breaks_is_told_so_too(store: Store) -> None:
    evening = Evening(store, wide(), mode="strict")
    evening.put(SET_UP, ANN_DRAWS, ANN_DRAWS, FLOODS)
    removed = {"seq": 3, "remove": True}
    for dry in (True, False):
        refused = evening.refusal_of(Draft(type="amend", params=removed), is_dry_run=dry)
        assert isinstance(refused, BreaksFollowers)
        assert refused.impact is not None
        assert [is_wide(one.reason) for one in refused.impact if one.reason is not None] == [True]
        assert is_wide(refused.message)
    recorded = evening.put(Draft(type="amend", params={**removed, "accept_broken": True}))
    assert recorded.impact is not None
    assert [is_wide(one.reason) for one in recorded.impact if one.reason is not None] == [True]


def test_what_takes_longer_to_be_told_is_told_in_english(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening(store, wide())
    judged = iter((IllegalAction("Rule", "No."), Malformed("", "too long")))

    def refusing(*_: Any, **__: Any) -> Iterator[JudgedDraft]:
        raise next(judged)
        yield

    monkeypatch.setattr(request, "steps", refusing)
    refused = evening.refusal_of(ANN_DRAWS)
    assert isinstance(refused, IllegalAction)
    assert refused.message == "No."


def test_why_a_list_has_stopped_is_told_so_too(store: Store) -> None:
    evening = Evening(store, wide(), seed="calm", mode="strict")
    drawing = Draft(type="draw_treasure_card", actor="p1")
    recorded = evening.put(drawing, Draft(type="draw_flood_card", actor="p1"))
    assert recorded.stopped is not None
    assert recorded.stopped.index == 1
    assert is_wide(recorded.stopped.problem)


def test_a_story_is_told_anew(store: Store) -> None:
    evening = Evening(store, None).play()

    def lines() -> list[story.StoryLine]:
        found: list[story.StoryLine] = msgspec.json.decode(
            story.part_json(store, evening.id, evening.game, 0, evening.game.version), type=list[story.StoryLine]
        )
        return found

    english = lines()
    with speaking(wide()):
        other = lines()
        told = story.turns(store, evening.id, evening.game)
    assert lines() == english
    for one, another in zip(english, other, strict=True):
        assert (one.seq, one.verdict, one.rule) == (another.seq, another.verdict, another.rule)
        assert (one.reason is None) == (another.reason is None)
        assert one.reason is None or is_wide(another.reason)
    assert is_wide(other[-1].sentence)
    assert [one.last for one in told] == [one.last for one in story.turns(store, evening.id, evening.game)]
