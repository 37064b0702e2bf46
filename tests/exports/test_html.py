"""html: a page that loads nothing, shows every table as its picture, and reveals no secrets."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from typing import Any

import msgspec
import pytest

import drawing
from engine.core.events import Draft, Event
from engine.play import registry
from engine.play.beliefs import belief
from engine.play.fold import fold
from exports.html.frames import LAYOUTS, Frames
from tests.engine.play.explaining import BO_MOVES, CARDS, chosen, deal_game, flood, report
from tests.engine.play.explanations.test_missed import play_on_after_end
from tests.exports.logs import LOGS, Record, export, export_log
from tests.exports.pages import tables
from tests.playouts import playout

MOST_BYTES = 420_000
"""A log of two hundred events."""


def draw_pictures(events: list[Event], seat: int | None = None) -> list[str]:
    """Return the pictures of the table after the last event, one for each layout."""
    game = fold(events)
    scene = belief.board(game.ruleset, game.state, game.header.names, seat)
    style = f"<style>{drawing.STYLE}</style>"
    return [drawing.svg(scene, layout=layout).decode().replace(style, "") for layout in LAYOUTS]


@pytest.mark.long
@pytest.mark.no_cover
def test_a_page_is_small() -> None:
    """The test takes the game with the most things on the table; later parts of its page add less than the first."""
    events = playout("forgotten-waters", seats=4, limit=2 * Frames.part)

    assert len(events) == 2 * Frames.part
    assert len(export("html", events)) < MOST_BYTES


@pytest.mark.no_cover
@pytest.mark.parametrize("ruleset", [rules.id for rules in registry.rulesets()])
def test_a_page_has_every_table(ruleset: str) -> None:
    events = playout(ruleset, seats=registry.ruleset(ruleset).players[1], limit=20)

    found = tables(export("html", events).decode())

    assert len(found) == len(events)
    for seq in (2, 9):
        # Except for the rings around changes.
        unringed = export("html", events[:seq]).decode()
        assert draw_pictures(events[:seq])[0] in unringed
        assert found[seq - 1] == tables(unringed)[-1]


def test_a_table_that_stays_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    record = Record(playout(limit=3))
    for _ in range(50):
        record.add("annotate", text="Tea?")
    drawings: list[Any] = []
    draw = drawing.svg

    def count_drawing(*told: Any, **how: Any) -> bytes:
        drawings.append(told)
        return draw(*told, **how)

    monkeypatch.setattr(drawing, "svg", count_drawing)
    page = export("html", record.events).decode()
    assert len(tables(page)) == 53
    # Each of the 3 tables, the table at the top of the page, and the last table again without rings around changes.
    assert len(drawings) <= 5 * len(LAYOUTS)


@pytest.mark.parametrize("kind", ["opened", "set up", "corrected", "unseen", "revealed", "undos"])
def test_every_log_has_a_table_and_a_line_for_every_event(kind: str) -> None:
    page = export_log("html", kind).decode()

    seqs = list(range(1, len(LOGS[kind]()) + 1))
    assert len(tables(page)) == len(seqs)
    assert [int(seq) for seq in re.findall(r'<li value="(\d+)"', page)] == seqs


def test_the_policy_allows_its_own_script_and_style_alone() -> None:
    page = export_log("html", "annotated").decode()

    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    for tag, source in (("style", r"<style>(.*?)</style>"), ("script", r'<script type="module">(.*?)</script>')):
        (content,) = re.findall(source, page, re.DOTALL)
        digest = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none'; ")
    assert not re.search(r'\b(?:src|href|action|srcset|style)="', page)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)


def test_what_people_typed_is_shown_as_they_typed_it() -> None:
    evil = "</script><script>alert(1)</script>\u202e"
    events = playout(limit=9)
    first = msgspec.structs.replace(events[0], params={**events[0].params, "seats": [{"name": evil}, {"name": "Bo"}]})
    noted = msgspec.structs.replace(events[-1], note=evil)

    page = export("html", [first, *events[1:-1], noted]).decode()

    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert not any("<script" in picture for table in tables(page) for picture in table)
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in page


@pytest.mark.parametrize(
    ("recorder", "told"),
    [
        ("Cleo", "Cleo changed the recorded table by hand, to match the real one."),
        (
            "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "The recorded table was changed by hand, to match the real one. The record does not say by whom.",
        ),
    ],
    ids=["named", "known by an id"],
)
def test_an_audit_says_of_each_slip_what_its_page_says(recorder: str, told: str) -> None:
    recording = deal_game()
    report(recording, *CARDS)
    chosen(recording, BO_MOVES, "skipped_step")
    chosen(recording, flood("bronze_gate")[0], "late_step")
    level = {"fact": "water_level", "level": 4}
    report(recording, Draft(type="adjust", params={"facts": [level], "reason": "Wet."}), recorded_by=recorder)
    page = export("html", recording.events).decode()
    slip = (
        "<li>Turn 1 (event 5): Ada drew only 1 of the 2 Flood cards, and even that too late. "
        "Rule “3. Draw Flood Cards”: At the end of the turn, the player draws as many Flood cards as the water level "
        "says.<br>"
        "At the table: Ada drew 0 of 2 Flood cards in time. Next came, in turn 2: “Bo moves to Cliffs of Abandon.” "
        "Came late, in turn 2: “Bronze Gate floods.”<br>"
        "By the rules: Ada had to draw 2 Flood cards. Only then could the game go on.<br>"
        "What followed: The missing card was never drawn. "
        "1 later move followed without it, up to the end of the record. "
        "Nobody can know how the game would have gone on otherwise.<br>"
        "Noticed in turn 2.</li>"
    )
    assert slip in page
    assert f"{told} Reason: “Wet.”<br>Before: The water is at 1.<br>After: The water is at 4.<br>What" in page
    assert page.count("Nobody can know how") == 1
    luck = page.split("<h3>Cards and dice</h3>")[1].split("</ul>")[0]
    assert luck.count("<li>") == 1
    unnoticed = export("html", play_on_after_end().events).decode()
    assert "“Fools' Landing sinks.” Rule “" in unescape(unnoticed)
    assert "Recorded after the end: 1 move. By the rules, nothing after the end counts." in unnoticed


def test_a_long_log_is_not_audited_in_its_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exports.html.audit.LONGEST", 4)
    assert "driftlog audit" in export("html", playout(limit=5)).decode()
    assert "driftlog audit" not in export("html", playout(limit=4)).decode()


def test_a_page_is_the_same_each_time() -> None:
    events = LOGS["corrected"]()
    assert export("html", events) == export("html", events)
