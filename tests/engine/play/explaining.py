"""Record like the service, and read the explanations in a refusal."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import EngineError
from engine.core.events import Draft, Event, Mode, Proposal
from engine.play.fold import fold
from engine.play.record import record
from engine.review.audit import audit
from tests.engine.recording import DEAL
from tests.playouts import clock
from tests.recording import Recording

CARDS = [Draft(type="draw_treasure_card", actor="p1", outcomes=("earth_stone",))] * 2
NOTHING = {"hog": 0, "log": 0, "frog": 0}
BO_MOVES = Draft(type="move", actor="p2", params={"to": "cliffs_of_abandon"})


def deal_game(mode: Mode = "strict") -> Recording:
    """Return a game with Ada the Messenger on Silver Gate, and Bo the Pilot on Fools' Landing."""
    recording = Recording(mode=mode)
    recording.add("set_up", outcomes=DEAL)
    return recording


def offer_hog() -> Recording:
    """Return a game of Forever Island in which Cleo has offered Bo a hog."""
    pile = [*["frog", "log", "volcano", "log", "frog", "hog", "hog", "totem", "spear"], *["totem"] * 2, *["spear"] * 6]
    recording = Recording("forever-island", 3)
    recording.add("set_up", outcomes=[4, 5, 3, 3, 2, 2, *pile, *["totem"] * 2, "p3"])
    for seat, shore in (("p3", "log_1_b"), ("p1", "frog_1_a"), ("p2", "log_1_a")):
        recording.add("place_hut", seat, shore=shore)
    recording.add("roll_for_weather", "p3", outcomes=[2])
    recording.add("offer_exchange", "p3", partner="p2", give={**NOTHING, "hog": 1}, take=NOTHING)
    return recording


def report(recording: Recording, *drafts: Draft, **how: Any) -> list[Event]:
    """Record `drafts` like the service."""
    recording.game, added = record(
        recording.game,
        drafts,
        recording.chance,
        recording.history,
        recorded_at=clock(recording.game.version + 1),
        **{"if_illegal": "ask", **how},
    )
    recording.events += added
    recording.history.fold(added)
    return added


def explanations_of(recording: Recording, draft: Draft) -> list[Proposal]:
    """Return the explanations that the refusal of `draft` proposes, except for a house rule."""
    with pytest.raises(EngineError) as refused:
        report(recording, draft)
    assert refused.value.explanations is not None
    return [one for one in refused.value.explanations if one.kind != "house_rule"]


def kinds(proposals: list[Proposal]) -> list[str]:
    return [one.kind for one in proposals]


def chosen(recording: Recording, draft: Draft, kind: str) -> Proposal:
    """Record the explanation of this kind, and return it."""
    (one,) = [one for one in explanations_of(recording, draft) if one.kind == kind][:1]
    report(recording, *one.drafts)
    return one


def read_back(recording: Recording) -> list[str]:
    """Return the findings of an audit of the log, which replays it."""
    events = msgspec.json.decode(msgspec.json.encode(recording.events), type=list[Event])
    assert fold(events) == recording.game
    report = audit(events)
    assert report.verdict != "broken"
    return [one.kind for one in report.findings]


def drawn_late() -> Recording:
    """Return a game in which Ada's Flood cards are drawn in Bo's turn."""
    recording = deal_game()
    report(recording, *CARDS)
    chosen(recording, BO_MOVES, "skipped_step")
    for card in flood("bronze_gate", "breakers_bridge"):
        chosen(recording, card, "late_step")
    return recording


def flood(*tiles: str, actor: str = "p1") -> list[Draft]:
    return [Draft(type="draw_flood_card", actor=actor, outcomes=(tile,)) for tile in tiles]
