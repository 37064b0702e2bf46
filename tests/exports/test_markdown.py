"""markdown: the transcript tells the whole game, with players' own words unchanged."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from engine.core.events import Event
from engine.kit.ruleset import AnyRuleset, Ruleset
from engine.play import registry
from engine.play.beliefs.belief import likeliest
from engine.play.fold import fold
from engine.play.game import parse_header
from engine.review import turns
from exports.markdown.escaping import block_quote, escape_line
from exports.transcript import Transcript
from tests.engine.recording import DEAL, played
from tests.exports.logs import GAME, LOGS, Record, export, export_log
from tests.exports.logs import opened_log as just_opened
from tests.playouts import playout
from tests.recording import Recording

RENDERER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def blocks(events: list[Event]) -> list[str]:
    """Return the transcript's paragraphs."""
    return export("markdown", events).decode().rstrip("\n").split("\n\n")


def blocks_of(kind: str) -> list[str]:
    """Return the paragraphs of a log of this kind."""
    return export_log("markdown", kind).decode().rstrip("\n").split("\n\n")


def shown_blocks(text: str) -> list[tuple[str, str]]:
    """Return each block of rendered Markdown, with its text."""
    tokens = RENDERER.parse(text)
    return [
        (token.type, "".join(child.content for child in token.children or []))
        for token in tokens
        if token.nesting != -1
    ]


@pytest.mark.parametrize("kind", LOGS)
def test_a_section_a_turn(kind: str) -> None:
    events = LOGS[kind]()
    headings = [block for block in blocks_of(kind) if block.startswith("## Turn ")]
    header, ruleset = parse_header(events[0]), fold(events).ruleset
    index = turns.index(turns.narrate(header, events), ruleset)
    assert headings == [
        f"## Turn {turn.turn}: {header.names[header.seat_ids.index(turn.seat)]}"
        for turn in index
        if turn.seat is not None
    ]


@pytest.mark.parametrize("kind", LOGS)
def test_each_turn_ends_with_a_headline_at_the_table(kind: str) -> None:
    events = LOGS[kind]()
    header, ruleset = parse_header(events[0]), fold(events).ruleset
    after = {told.event.turn: told.after for told in turns.narrate(header, events) if told.event.type != "game_closed"}
    headlines = [
        f"*{ruleset.headline(likeliest(state), header.names)}*" for turn, state in after.items() if turn and state
    ]
    assert [block for block in blocks_of(kind) if block in headlines] == headlines


def test_a_headline_is_all_of_the_tableau_where_a_ruleset_does_not_sum_it_up() -> None:
    game = fold(playout(limit=2))
    assert game.state is not None
    table = game.ruleset.overview(game.state, game.header.names)
    headline = Ruleset.headline(game.ruleset, game.state, game.header.names)
    assert headline.startswith(f"Water level: {table['Water level']} · ")
    assert headline.count(" · ") == len(table) - 1


@pytest.mark.parametrize("kind", LOGS)
def test_the_record_names_its_head_and_how_to_check_it(kind: str) -> None:
    events = LOGS[kind]()
    *_, heading, facts, check = blocks_of(kind)
    assert heading == "## The record"
    version = events[0].params["ruleset_version"]
    assert f"- Game {GAME}, by version {version} of the rules" in facts.split("\n")
    assert f"- Hash of the last event: `{events[-1].hash}`" in facts.split("\n")
    assert "`driftlog verify`" in check


@pytest.mark.parametrize("kind", LOGS)
def test_it_is_the_markdown_that_was_meant(kind: str) -> None:
    kinds = {token for token, _ in shown_blocks(export_log("markdown", kind).decode())}
    assert kinds <= {
        *("heading_open", "paragraph_open", "bullet_list_open", "list_item_open", "blockquote_open", "inline"),
    }


def test_the_first_lines_say_who_played_what_when_and_how_it_went() -> None:
    over = playout(seats=3)
    assert blocks(over)[:2] == [
        "# Forbidden Island",
        f"*Ada, Bo and Cleo · 2026-11-20 · lost in turn {fold(over).turn}*",
    ]
    assert blocks(just_opened("Ada", "Bo"))[1] == "*Ada and Bo · 2026-11-20 · not set up yet*"
    assert blocks(playout(limit=3))[1] == "*Ada and Bo · 2026-11-20 · in turn 1*"
    assert blocks(LOGS["abandoned"]())[1].startswith("*Ada and Bo · 2026-11-20 · abandoned in turn ")


def test_what_differs_from_the_usual_options_is_said_first_and_all_of_them_at_the_end() -> None:
    usual = blocks(playout(limit=2))
    assert usual[2] == "## Setup"
    assert (
        "- Options: Difficulty: Novice; Who begins: Ada; Can the Navigator use the moved pawn's power? Step by step"
        in usual[-2]
    )
    chosen = blocks(
        playout(limit=2, options={"difficulty": "elite", "first_player": "p2", "lift_rescues_sinking": False})
    )
    assert chosen[2] == (
        "Options: Difficulty: Elite; Who begins: Bo; "
        "Can a Helicopter Lift take pawns off a tile that has just sunk? No."
    )


def test_what_chance_did_can_be_checked_where_the_service_drew() -> None:
    over, going_on = playout(chance="seeded"), playout(chance="seeded", limit=5)
    commitment = parse_header(over[0]).seed_commitment
    assert f"- Chance: drawn from a seed whose SHA-256 is `{commitment}`; the seed is seed-0" in blocks(over)[-2].split(
        "\n"
    )
    assert f"- Chance: drawn from a seed whose SHA-256 is `{commitment}`" in blocks(going_on)[-2].split("\n")
    assert "- Chance: results reported by the table" in blocks(playout())[-2].split("\n")


def test_a_game_that_goes_on_says_for_whom_it_waits() -> None:
    assert "The game continues in turn 1 and waits for Ada." in blocks(playout(limit=3))


def test_a_game_that_is_over_says_how_it_ended() -> None:
    events = playout()
    game, transcript = fold(events), blocks(events)
    assert game.outcome is not None
    end = transcript.index("## The end")
    assert transcript[end + 1] == f"**Lost in turn {game.turn}.** {game.ruleset.endings[game.outcome.reason]}"
    assert transcript[end + 2].startswith("- Water level: ")


def test_a_fork_says_where_it_comes_from() -> None:
    assert f"This game continues game {GAME} after event 15." in blocks(LOGS["fork"]())


def test_what_was_taken_back_is_counted_where_it_was() -> None:
    events = playout(limit=12)
    assert not re.search("undone", "".join(blocks(LOGS["redone"]())[:-2]))
    once = blocks(Record(events).add("undo", to=11).add("annotate", text="so").events)
    assert once[once.index("*(Here event 12 was undone.)*") + 1] == "> so"
    thrice = blocks(Record(events).add("undo", to=11).add("annotate", text="no").add("undo", to=10).events)
    assert "*(Here 3 events, 11 to 14, were undone.)*" in thrice
    assert thrice.index("## So far") == thrice.index("*(Here 3 events, 11 to 14, were undone.)*") + 1
    assert "- Events: 15; 5 of them are corrections or were corrected" in thrice[-2].split("\n")


def test_what_was_corrected_reads_as_it_stands_and_says_what_it_was() -> None:
    move = {"type": "move", "actor": "p1", "params": {"to": "silver_gate"}}
    shore_up = {"type": "shore_up", "actor": "p1", "params": {"tiles": ["gold_gate"]}}
    log = Record(played().events).add("amend", seq=5, insert=shore_up)
    put_in = blocks(log.events)
    at = put_in.index("*(Inserted later, by event 6.)*")
    assert put_in[at + 1].startswith("Ada shores up Gold Gate")
    assert "- Events: 6; 1 of them are corrections or were corrected" in put_in[-2].split("\n")
    struck = blocks(log.add("amend", seq=6, remove=True).add("amend", seq=4, event=move).events)
    assert struck[struck.index("*(Corrected by event 8. At first: Ada moves to Gold Gate.)*") + 1].startswith(
        "Ada moves to Silver Gate"
    )
    assert not any("shores up" in block for block in struck)
    out = blocks(log.add("amend", seq=5, remove=True).events)
    assert "*(Removed by event 9: Ada draws Earth Stone.)*" in out
    assert out.index("## So far") > out.index("*(Removed by event 9: Ada draws Earth Stone.)*")
    back = blocks(log.add("amend", seq=5, event=as_draft(played().events[4])).events)
    assert not any("draws Earth Stone.)*" in block for block in back)


def as_draft(event: Event) -> dict[str, Any]:
    return {
        "type": event.type,
        "actor": event.actor,
        "params": event.params,
        "outcomes": event.outcomes,
    }


def test_what_was_told_later_says_so() -> None:
    told = blocks(LOGS["revealed"]())
    assert told[told.index("*(The result was revealed later, by event 5.)*") + 1].startswith("Ada draws Sandbags")
    assert any("Nobody saw the result" in block for block in blocks(LOGS["unseen"]()))


def test_a_set_up_that_nobody_saw_whole_is_told_as_far_as_it_is_sure() -> None:
    recording = Recording()
    recording.add("set_up", outcomes=[*DEAL[:-1], None])
    told = "\n".join(blocks(list(recording.events)))
    assert "Everything else is unknown." in told
    assert "- Ada is the Messenger" in told
    page = Transcript(recording.game, list(recording.events))
    assert any("Everything else is unknown." in part.paragraphs for part in page.parts())


def test_what_was_amended_and_then_undone_reads_as_at_first() -> None:
    move = {"type": "move", "actor": "p1", "params": {"to": "silver_gate"}}
    undone = blocks(Record(played().events).add("amend", seq=4, event=move).add("undo", to=5).events)
    assert not any("event 6" in block for block in undone[:-2])


def test_why_the_record_was_brought_in_line_is_shown_as_it_was_written() -> None:
    transcript = blocks(LOGS["corrected"]())
    assert r"Adjusted: The water is at 4. Reason: We \*forgot\* it." in transcript


def test_what_was_not_by_the_rules_says_so() -> None:
    log = Record(played().events).add("amend", seq=3, remove=True, accept_broken=True)
    assert any(block.startswith("*(That was illegal: ") and block.endswith(" (Move))*") for block in blocks(log.events))


def test_what_was_drawn_again_says_so() -> None:
    recording = Recording(seed="a rainy night")
    recording.add("set_up")
    recording.add("draw_treasure_card", "p1")
    recording.add("undo", to=2)
    recording.add("draw_treasure_card", "p1")
    assert "*(Drawn again: the first draw was event 3, which is now undone.)*" in blocks(recording.events)


def test_marks_and_bookmarks_stand_at_their_event() -> None:
    transcript = blocks(LOGS["corrected"]())
    at = transcript.index("> **?!** **The \\*turn\\*** Hm.\\\n> Well. – Cleo")
    assert transcript[at - 1] == "Ada moves to Howling Garden and Gold Gate."
    assert "> **!!** – Dov" in transcript


def test_when_it_was_played_is_told_apart_from_when_it_was_written_down() -> None:
    first, *rest = playout(limit=5)
    assert "- Recorded: 2026-11-20 00:00 UTC" in blocks([first, *rest])[-2].split("\n")
    played_before = [msgspec.structs.replace(event, occurred_at=f"2025-12-24T20:0{event.seq}:30Z") for event in rest]
    facts = blocks([first, *played_before])[-2].split("\n")
    assert "- Played: 2025-12-24 20:02 to 2025-12-24 20:05 UTC" in facts


def test_a_note_stands_at_its_event() -> None:
    events = (
        Record(playout(limit=8)).add("annotate", text="About the fourth.", seq=4).add("annotate", text="Now.").events
    )
    transcript = blocks(events)
    at = transcript.index("> About the fourth.")
    sentences = [told.sentence for told in turns.narrate(parse_header(events[0]), events)]
    assert transcript[at - 1].endswith(sentences[3].rpartition(" ")[2])
    assert transcript[at + 1].startswith("Ada ")
    assert transcript[transcript.index("> Now.") + 1].startswith("*Water level: ")


def test_a_note_on_what_was_taken_back_stands_where_it_was_written() -> None:
    events = Record(playout(limit=12)).add("undo", to=8).add("annotate", text="It was so good.", seq=12).events
    transcript = blocks(events)
    assert transcript[transcript.index("*(Here 4 events, 9 to 12, were undone.)*") + 1] == "> It was so good."


def test_what_is_said_after_the_end_stands_after_the_end() -> None:
    transcript = blocks(Record(playout()).add("annotate", text="Again!").events)
    assert transcript[transcript.index("> Again!") - 2] == "## The end"


def test_notes_are_signed_where_more_than_one_wrote_them_down() -> None:
    one = Record(playout(limit=4)).add("annotate", text="a", note="b", by="Ada")
    transcript = blocks(one.events)
    assert {"> a", "> b"} <= set(transcript)
    assert "- Events: 5, recorded by Ada" in transcript[-2].split("\n")
    two = blocks(one.add("annotate", text="c", by="B*").events)
    assert {"> a – Ada", "> b – Ada", "> c – B\\*"} <= set(two)
    assert "- Events: 6, recorded by Ada and B\\*" in two[-2].split("\n")


def test_why_a_game_was_abandoned_is_shown_as_it_was_written() -> None:
    transcript = blocks(LOGS["abandoned"]())
    assert r"The game is abandoned: the \*cat\*, mostly" in transcript
    assert transcript[transcript.index("## The end") + 1].endswith(".** The game was abandoned.")


@pytest.mark.parametrize("ruleset", registry.rulesets(), ids=lambda ruleset: ruleset.id)
def test_usual_options_are_not_listed_at_the_top(ruleset: AnyRuleset) -> None:
    events = Recording(ruleset.id, ruleset.players[0]).events
    assert not [block for block in blocks(events) if block.startswith("Options:")]


def test_names_are_shown_as_they_are() -> None:
    assert r"- Options: Difficulty: Novice; Who begins: a\_b; " in blocks(just_opened("a_b", "Bo"))[-2]
    transcript = blocks(Record(just_opened("1. *FC*", "<b>")).events)
    assert transcript[1] == r"*1\. \*FC\* and \<b\> · 2026-11-20 · not set up yet*"


def test_a_note_keeps_its_lines() -> None:
    assert block_quote("One.\n\n  # Two\r\nthree", "Ada") == "> One.\\\n> \\# Two\\\n> three – Ada"
    assert block_quote("One.", None) == "> One."


@given(st.text(st.characters(exclude_categories=["Cs"])))
@example("1) a")
@example("# a")
@example("a #")
@example("- a")
@example("+ a")
@example("===")
@example("```")
@example("    code")
@example("a\\")
@example("![a](b) [c]: d <e@f.g> &amp; a|b\n-|- ~~h~~ $i$ __j__ `k`")
@example("<!-- -->")
def test_any_text_is_shown_as_it_is(text: str) -> None:
    visible = " ".join(re.sub(r"[\x00-\x1f\x7f-\x9f]", " ", text).split())
    markup = escape_line(text)
    assert shown_blocks(markup) == ([("paragraph_open", ""), ("inline", visible)] if visible else [])
    assert shown_blocks(f"> {markup}")[1:] == ([("paragraph_open", ""), ("inline", visible)] if visible else [])
    assert shown_blocks(f"a {markup} b")[1:] == [("inline", f"a {visible} b")]
    assert shown_blocks(f"## Turn 1: {markup}")[1:] == [("inline", f"Turn 1: {visible}".rstrip())]
    assert shown_blocks(f"*{markup} · a*")[1:] == [("inline", f"{visible} · a")] or not visible
