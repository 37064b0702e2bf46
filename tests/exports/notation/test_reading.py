"""Handwritten games are read if they have only one meaning; errors are named with their place."""

from __future__ import annotations

import itertools

import pytest

from engine.core import effort
from exports.log import Log
from exports.notation import TextReading, read, split, write
from exports.notation.reader import MOST_QUESTIONS
from exports.notation.reading import TOO_LONG
from tests.exports.logs import as_read
from tests.exports.notation.answering import insert_answer

HEAD = """[Game "Forbidden Island"]
[Players "Ann, Bob"]
[Difficulty "novice"]
"""
SET_UP = """Set up = Breakers Bridge, Bronze Gate, Cave of Embers, Cave of Shadows, Cliffs of Abandon, Copper Gate, \
Coral Palace, Crimson Forest, Dunes of Deception, Fools' Landing, Gold Gate, Howling Garden, Iron Gate, Lost Lagoon, \
Misty Marsh, Observatory, Phantom Rock, Silver Gate, Temple of the Moon, Temple of the Sun, Tidal Palace, \
Twilight Hollow, Watchtower, Whispering Garden, Observatory, Watchtower, Iron Gate, Gold Gate, Misty Marsh, \
Lost Lagoon, Messenger, Pilot, Earth Stone, Sandbags, Crystal of Fire, Helicopter Lift
"""
FIRST = HEAD.count("\n") + SET_UP.count("\n") + 1
"""Return the line written at this point."""


def reading(lines: str, head: str = HEAD) -> TextReading:
    return read(head + SET_UP + lines, recorded_at="2026-11-20T19:00:00.000Z")


def read_events(lines: str, head: str = HEAD) -> list[tuple[str, str | None, dict[str, object]]]:
    found = reading(lines, head)
    assert found.problem is None, found.problem
    return [(event.type, event.actor, event.params) for event in as_read(list(found.events[2:]))]


MOVE = [("move", "p1", {"to": "howling_garden"})]


@pytest.mark.parametrize(
    "line",
    [
        "1. Ann: move to Howling Garden",
        "move to howling garden",
        "ann: MOVE howling-garden.",
        "A: moves to the Howling Garden",
        "Ann moves to Howling",
        "turn 1: p1: mov howl gard",
        "Move to Howling Garden",
        "- Ann: move (to howling_garden)",
        '1) Ann: move to "howling_garden"',
        'Ann: move to `"howling_garden"`',
        "“Ann”: move to Howling\u00a0Garden",
    ],
)
def test_a_move_may_be_written_in_many_ways(line: str) -> None:
    assert read_events(line) == MOVE


@pytest.mark.parametrize("line", ["1. move to Howling Garden", "Move: move to Howling Garden"])
def test_a_player_may_be_called_as_what_is_done(line: str) -> None:
    assert read_events(line, HEAD.replace("Ann", "Move")) == MOVE
    assert read_events(line.replace("Move", "Ann"), HEAD.replace("Bob", "Move")) == MOVE


@pytest.mark.parametrize(
    ("line", "type_", "actor", "params"),
    [
        ("Ann: give Earth Stone to Bob", "give_card", "p1", {"to": "p2", "card": "earth_stone"}),
        ("Ann: give card to Bob", "give_card", "p1", {"to": "p2", "card": "earth_stone"}),
        ("give B earth", "give_card", "p1", {"to": "p2", "card": "earth_stone"}),
        ("Ann: sandbags Iron Gate", "play_sandbags", "p1", {"tile": "iron_gate"}),
        ("Bob: lift Ann to Gold Gate", "play_helicopter_lift", "p2", {"pawns": ["p1"], "to": "gold_gate"}),
    ],
)
def test_an_act_may_be_shortened(line: str, type_: str, actor: str, params: dict[str, object]) -> None:
    assert read_events(line)[0] == (type_, actor, params)


def test_several_values_are_several_draws() -> None:
    found = read_events("Treasure: Crystal, Earth Stone\nFlood: Coral Palace, Tidal\n2. move Gold Gate anyway")
    assert [(type_, actor) for type_, actor, _ in found] == [
        *[("draw_treasure_card", "p1")] * 2,
        *[("draw_flood_card", "p1")] * 2,
        ("move", "p2"),
    ]


def test_marks_notes_remarks_and_labels_are_kept() -> None:
    found = reading('1. Ann: move Howling Garden #a !? {so "bold"}\n{then tea}\nundo to #a {no}\nundo\n')
    assert found.problem is None
    told = [(event.type, event.params, event.note) for event in found.events[2:]]
    assert told == [
        ("move", {"to": "howling_garden"}, 'so "bold"'),
        ("annotate", {"seq": 3, "mark": "!?"}, None),
        ("annotate", {"text": "then tea"}, None),
        ("undo", {"to": 3}, "no"),
        ("undo", {"to": 5}, None),
    ]


def test_a_set_up_may_stand_part_by_part_in_any_order() -> None:
    values = SET_UP[9:].rstrip().split(", ")
    tiles, flooded, roles, hands = values[:24], values[24:30], values[30:32], values[32:]
    parts = [("Adventurers", roles), ("hands", hands), ("The island", tiles), ("flooded", flooded)]
    text = HEAD + "{calm sea}\nSet-up\n" + "".join(f"{name}: {', '.join(values)}\n" for name, values in parts)
    found = read(text, recorded_at="2026-11-20T19:00:00.000Z")
    assert found.problem is None
    assert found.events[1].outcomes == reading("").events[1].outcomes
    assert found.events[1].note == "calm sea"
    assert [item.line for item in found.items] == [1, 4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize("line", ["Forbidden Island, 13 Nov 2026 at Oma's - {}", "Forbidden Island – {}"])
def test_players_can_follow_a_dash_and_an_option_needs_no_colon(line: str) -> None:
    found = read(f"{line.format('Ann, Bob')}\ndifficulty elite\n" + SET_UP, recorded_at="2026-11-20T19:00:00.000Z")
    assert found.problem is None
    opened = found.events[0].params
    assert [seat["name"] for seat in opened["seats"]] == ["Ann", "Bob"]
    assert opened["options"]["difficulty"] == "elite"


def test_a_part_of_the_set_up_is_known_by_its_values() -> None:
    values = SET_UP[9:].rstrip().split(", ")
    text = f"{HEAD}Set up\nThe island: {', '.join(values[:24])}\nFlooded: {', '.join(values[24:30])}\n"
    text += "Roles: Ann messenger, Bob pilot\nStarting cards: Ann - Earth, Sandbags; Bob: Crystal, Helicopter\n"
    found = read(text, recorded_at="2026-11-20T19:00:00.000Z")
    assert (found.problem, found.questions) == (None, ())
    assert found.events[1].outcomes == reading("").events[1].outcomes


def test_a_remark_before_the_set_up_is_a_note() -> None:
    found = read(f"{HEAD}Bob was late again\n{SET_UP}", recorded_at="2026-11-20T19:00:00.000Z")
    assert (found.problem, found.questions) == (None, ())
    assert found.events[1].type == "set_up"
    assert found.events[1].note == "Bob was late again"


def test_an_action_before_the_set_up_is_asked_about() -> None:
    text = f"{HEAD}Bob: move to Observatory\n{SET_UP}"
    found = read(text, recorded_at="2026-11-20T19:00:00.000Z")
    (question,) = found.questions
    assert (question.line, question.message) == (4, "describe the setup first")
    again = read(insert_answer(text, question, question.answers[0]), recorded_at="2026-11-20T19:00:00.000Z")
    assert (again.problem, again.questions) == (None, ())


@pytest.mark.parametrize(
    "line", ["19:40 we start, Bob first", "Bob begins at 19.40", "19:40 Uhr: los geht's, Bob fängt an"]
)
def test_a_line_about_the_beginning_gives_the_time_and_the_first_player(line: str) -> None:
    found = read(f'{HEAD}[Date "13 Nov 2026"]\n{line}\n{SET_UP}', recorded_at="2026-11-20T19:00:00.000Z")
    assert (found.problem, found.questions, len(found.events)) == (None, (), 2)
    assert found.game is not None
    assert found.game.header.options["first_player"] == "p2"
    assert found.events[1].occurred_at == "2026-11-13T19:40:00Z"


def test_swapped_lines_are_one_question_with_both_lines_in_order() -> None:
    draws = "Ann draws Crystal\nAnn draws Earth Stone\n"
    for lines in (
        "Ann draws Crystal\nAnn moves to Howling Garden\nAnn draws Earth Stone\n",
        f"{draws}Flood: Copper Gate\nBob flies to Gold Gate\nFlood: Dunes\n",
    ):
        found = reading(lines)
        assert "were these lines swapped?" in [one.message for one in found.questions], lines


def test_a_turn_number_needs_no_full_stop_before_a_player() -> None:
    assert [one[:3] for one in read_events("1 Ann: move to Howling Garden\n")] == [
        ("move", "p1", {"to": "howling_garden"}),
    ]


def test_players_are_guessed_from_the_turns_and_otherwise_from_the_speakers() -> None:
    for lines in ("Flooded: Watchtower\n1. Ann moves\n2 Bob: passes\n", "Ann: moves\nBob: passes\n"):
        found = read(f"Game: Forbidden Island\n\n{lines}", recorded_at="2026-11-20T19:00:00.000Z")
        assert [one.label for one in found.questions[0].answers] == ["Players: Ann, Bob"]


def test_draws_that_nobody_wrote_down_are_asked_for_and_never_left_out() -> None:
    found = reading("1. Ann: Treasure: Crystal, Earth Stone\n2. Bob: move Observatory\n")
    assert [event.type for event in found.events[-2:]] == ["adjust", "move"]
    (question,) = found.questions
    assert question.message == "something before this was not written down"
    assert "left_out" not in {event.type for event in found.events}


def test_reading_goes_on_to_the_end_and_asks_everything_at_once() -> None:
    found = reading("Ann: juggle\nAnn: move to Temple\nmove Howling Garden\nBob: xqzr\n")
    assert {question.line for question in found.questions} >= {FIRST, FIRST + 1, FIRST + 3}
    assert "unread" not in {item.status for item in found.items}
    assert all(question.answers[-1].label == "Only a note" for question in found.questions)


def test_a_text_that_takes_too_long_asks_what_it_has_found() -> None:
    left = itertools.count(-1000)

    def is_spent() -> None:
        if next(left) > 0:
            raise effort.Exhausted

    with effort.count_steps(is_spent):
        found = reading("Ann: move to Temple\n" + "Ann: move to Howling Garden; move to Observatory\n" * 40)
    assert 0 < len(found.questions) < MOST_QUESTIONS
    assert found.items[-1].status == "unread"


def test_a_text_that_takes_too_long_is_read_as_far_as_time_allows() -> None:
    left = itertools.count(-600)

    def is_spent() -> None:
        if next(left) > 0:
            raise effort.Exhausted

    text = "Ann: moves to Howling Garden\nundo\n" * 200
    with effort.count_steps(is_spent):
        found = reading(text, HEAD.replace("novice", 'novice"]\n[Result "won'))
    assert found.problem is not None
    assert (found.problem.status, found.problem.problem, found.questions) == ("unread", TOO_LONG, ())
    first = found.problem.line
    assert FIRST + 1 < first < FIRST + 400
    assert [item.line for item in found.items if item.status == "unread"] == list(range(first, FIRST + 401))
    # The lines before can be imported.
    lines = (HEAD + SET_UP + text).split("\n")[: first - 2]
    again = read("\n".join(lines), recorded_at="2026-11-20T19:00:00.000Z")
    assert (again.problem, len(again.events)) == (None, first - FIRST + 1)


def test_a_name_and_a_verb_are_no_misspelled_name() -> None:
    found = read_events("1. Chloe moves to Howling\n", HEAD.replace("Ann", "Chloe"))
    assert found == MOVE


def test_an_answer_is_in_the_notation() -> None:
    lines = "Ann: move to Observatory {well}\n"
    (question,) = reading(lines).questions
    assert question.answers[-2].text == "Ann: move to Observatory anyway {well}"
    text = HEAD + SET_UP + lines
    again = read(insert_answer(text, question, question.answers[-2]), recorded_at="2026-11-20T19:00:00.000Z")
    assert (again.problem, again.events[-1].verdict, again.events[-1].note) == (None, "illegal", "well")


def test_date_and_place_are_those_of_the_game() -> None:
    found = reading("", HEAD.replace("[Difficulty", '[Date "13 November"]\n[Site "the attic"]\n[Difficulty'))
    assert (found.events[1].occurred_at, found.events[1].note) == ("2026-11-13T12:00:00Z", None)
    assert found.game is not None
    assert (found.game.details.place, found.game.details.title) == ("the attic", None)


def test_title_and_place_are_told_once_and_come_back() -> None:
    """Exported details are in tags and events. They are read as the game's details, without a second event."""
    head = HEAD.replace("[Difficulty", '[Event "The long Friday"]\n[Site "the attic"]\n[Difficulty')
    found = reading("", head)
    assert [event.type for event in found.events] == ["game_opened", "set_up", "details_changed"]
    text = b"".join(write(Log("game", list(found.events)))).decode()
    assert '[Event "The long Friday"]\n[Site "the attic"]' in text
    again = read(text, recorded_at="2026-11-20T19:00:00.000Z")
    assert [event.type for event in again.events] == ["game_opened", "set_up", "details_changed"]
    assert again.game is not None
    assert again.game.details == found.game.details  # type: ignore[union-attr]  # it was read


def test_a_game_and_its_players_are_asked_for_with_the_likeliest_first() -> None:
    text = "Ann: move to Howling Garden\nBob: shore up Iron Gate\n"
    (question,) = read(text, recorded_at="2026-11-20T19:00:00.000Z").questions
    assert question.answers[0].text.startswith("Game: Forbidden Island\nPlayers: Ann, Bob\nAnn: move")


def test_a_heading_may_be_one_line() -> None:
    text = "Forbidden Island, 13.11.2026, with Ann and Bob at Oma's\n" + SET_UP
    found = read(text, recorded_at="2026-11-20T19:00:00.000Z")
    assert found.problem is None
    assert found.events[1].occurred_at == "2026-11-13T12:00:00Z"


def test_who_did_it_follows_where_only_one_can() -> None:
    # Bob has the card.
    assert read_events("lift Bob to Gold Gate")[0] == (
        "play_helicopter_lift",
        "p2",
        {"pawns": ["p2"], "to": "gold_gate"},
    )


def test_what_no_record_has_a_place_for_becomes_a_note() -> None:
    head = HEAD.replace("[Difficulty", '[Site "the attic"]\n[Weather "fog"]\n[Round "?"]\n[Difficulty')
    found = reading("", head)
    assert found.events[1].note == "Weather: fog."
    assert [item.problem for item in found.items if item.status == "irregular"] == [
        "unknown tag Weather: it was stored in a note.",
        "unknown tag Round: it was stored in a note.",
    ]


def test_a_result_that_does_not_fit_is_told() -> None:
    found = reading("", HEAD + '[Result "won"]\n')
    assert [item.problem for item in found.items if item.status == "irregular"] == [
        "by the text, the result is: unfinished"
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("undo to #9", "no action has the label #9"),
        ('annotate (text "x") @late', "RFC 3339"),
    ],
)
def test_what_is_wrong_is_named(lines: str, message: str) -> None:
    found = reading(f"{lines}\nAnn: move Howling Garden\n")
    assert found.problem is not None
    assert message.lower() in (found.problem.problem or "").lower()
    assert found.items[-1].status == "understood"


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("", "which game was played?"),
        ('[Game "Forbidden Planet"]', "Did you mean Forbidden"),
        ('[Rules "chess 1"]', "chess 1 is not installed: use forbidden-island"),
        ('[Rules "forbidden-island 9"]', "use forbidden-island 1"),
        ('[Game "Forbidden Island"]', "who played?"),
        ('[Game "Forbidden Island"]\n[Players " , "]', "the names are missing"),
        ('[Game "Forbidden Island"]\n[Players "Ann"]', "for 2 to 4 players, not 1"),
        (HEAD + '[Difficulty "mild"]', "Difficulty appears twice"),
        (HEAD.replace("novice", "mild"), "unknown value: mild"),
        (HEAD + '[Chance "dice"]', "must be observed or seeded"),
        (HEAD + '[Chance "seeded"]', "a seeded game needs a Seed"),
        (HEAD + '[Seed "x"]', "an observed game has no seed"),
        (HEAD + '[Chance "seeded"]\n[Seed "x"]\n[SeedCommitment "y"]', "not the SHA-256 of the seed"),
        (HEAD + f'[SeedShares "{"0" * 64}"]', "must list the SHA-256 of each share"),
        (HEAD + '[Chance "seeded"]\n[Seed "x"]\n[SeedShares "y"]', "must list the SHA-256 of each share"),
        (HEAD.replace("novice", "x"), "unknown value: x"),
        (HEAD + '[Mode "lax"]', "Mode is strict or as played"),
        (HEAD + '[Corrections "me"]', "Corrections is anyone, recorder or arbiter"),
        (HEAD + '[Fork "x"]', "must be the JSON of a fork"),
        (HEAD + f'[Tags "{"x, " * 21}"]', "at most 20 tags"),
        (HEAD.replace("Ann", "A" * 81), "a name must have at most 80 characters"),
    ],
)
def test_tags_that_are_wrong_are_named(head: str, message: str) -> None:
    found = read(f"{head}\nAnn: move Gold Gate", recorded_at="2026-11-20T19:00:00.000Z")
    assert found.events == ()
    assert any(message in (item.problem or "") for item in found.items if item.status == "wrong"), found.items
    assert found.items[-1].status in {"unread", "wrong"}


def test_a_seed_draws_and_what_is_written_has_to_be_what_it_draws() -> None:
    head = HEAD + '[Chance "seeded"]\n[Seed "neap tide"]\n'
    found = read(head + "Set up\n1. Ann: draw treasure card\n", recorded_at="2026-11-20T19:00:00.000Z")
    assert found.problem is None
    drawn = found.events[2].outcomes[0]
    other = "earth_stone" if drawn != "earth_stone" else "sandbags"
    wrong = read(head + f"Set up\n1. Ann: draw treasure card = {other}\n", recorded_at="2026-11-20T19:00:00.000Z")
    assert wrong.problem is not None
    assert wrong.problem.problem == f"the seed draws {drawn} here, but the text says {other}"


def test_the_shares_of_a_mixed_seed_come_back() -> None:
    shares = ["0" * 64, "f" * 64]
    head = HEAD + f'[Chance "seeded"]\n[Seed "neap tide"]\n[SeedShares "{", ".join(shares)}"]\n'
    found = read(head + "Set up\n", recorded_at="2026-11-20T19:00:00.000Z")
    assert found.problem is None
    assert list(found.events[0].params["seed_shares"]) == shares
    assert f'[SeedShares "{", ".join(shares)}"]' in b"".join(write(Log("g", found.events))).decode()


def test_a_strict_record_takes_nothing_that_the_rules_forbid() -> None:
    found = reading("Ann: fly to Gold Gate\n", HEAD + '[Mode "strict"]\n')
    assert found.problem is not None
    assert "Pilot" in (found.problem.problem or "")


def test_what_the_game_cannot_go_on_without_is_asked_for() -> None:
    found = reading("Ann: Treasure: ?, ?\nFlood: Coral Palace\nflood\n")
    assert found.problem is not None
    assert found.problem.line == FIRST + 2
    assert found.problem.problem == "something is missing here; what happened?"


def test_several_games_in_one_text_each_begin_with_their_tags() -> None:
    one = HEAD + SET_UP
    assert split(f"{one}\n{one}") == [f"{one}\n", one]
    assert split("Game: x\nmove\n") == ["Game: x\nmove\n"]


def test_a_correction_may_speak_of_the_rest() -> None:
    told = "(facts [tile is, tile Coral Palace, state flooded] + [tile is, tile rest, state dry])"
    found = reading(f'adjust "as it lies" {told}\n')
    assert found.problem is None
    assert found.game is not None
    assert found.game.state.flooded == {"coral_palace"}  # type: ignore[union-attr]  # of Forbidden Island
