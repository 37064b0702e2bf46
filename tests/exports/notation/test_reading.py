"""What people write is understood where it can mean one thing only; what is wrong is named with its place."""

from __future__ import annotations

import pytest

from engine.play.registry import ruleset
from exports.notation import Reading, language, read, split
from exports.notation.choosing import Chooser, Table
from exports.notation.resolving import Resolver
from exports.notation.scanning import Scanner
from exports.notation.words import Names
from tests.exports.logs import as_read

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
"""The line of what is written then."""


def reading(lines: str, head: str = HEAD) -> Reading:
    return read(head + SET_UP + lines, recorded_at="2026-11-20T19:00:00.000Z")


def played(lines: str, head: str = HEAD) -> list[tuple[str, str | None, dict[str, object]]]:
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
    assert played(line) == MOVE


@pytest.mark.parametrize("line", ["1. move to Howling Garden", "Move: move to Howling Garden"])
def test_a_player_may_be_called_as_what_is_done(line: str) -> None:
    assert played(line, HEAD.replace("Ann", "Move")) == MOVE
    assert played(line.replace("Move", "Ann"), HEAD.replace("Bob", "Move")) == MOVE


@pytest.mark.parametrize(
    ("line", "type_", "actor", "params"),
    [
        ("Ann: give Earth Stone to Bob", "give_card", "p1", {"to": "p2", "card": "earth_stone"}),
        ("Ann: give card to Bob", "give_card", "p1", {"to": "p2", "card": "earth_stone"}),
        ("give B earth", "give_card", "p1", {"to": "p2", "card": "earth_stone"}),
        ("Ann: shore up Iron and Gold", "shore_up", "p1", {"tiles": ["gold_gate", "iron_gate"]}),
        ("Ann: sandbags Iron Gate", "play_sandbags", "p1", {"tile": "iron_gate"}),
        ("Bob: lift Ann + Bob to Gold Gate", "play_helicopter_lift", "p2", {"pawns": ["p1", "p2"], "to": "gold_gate"}),
    ],
)
def test_an_act_may_be_shortened(line: str, type_: str, actor: str, params: dict[str, object]) -> None:
    assert played(line)[0] == (type_, actor, params)


@pytest.mark.parametrize(
    ("line", "params"),
    [
        ("choose losses -, p2 hut 4, 0", {"huts": [], "docked": ["p2_hut_4"], "afloat": 0}),
        ("choose losses p2 hut 1, -, 0", {"huts": ["p2_hut_1"], "docked": [], "afloat": 0}),
        ("choose losses -, -, 1", {"huts": [], "docked": [], "afloat": 1}),
    ],
)
def test_a_dash_behind_a_verb_is_its_first_value(line: str, params: dict[str, object]) -> None:
    own, names = language.of(ruleset("forever-island")), Names(("Ann", "Bob"))
    chooser = Chooser(own, names, Resolver(own, names, lambda _: 1), Table(own, names, None), 1)
    meant = chooser.meant(Scanner(line).tokens(), 1)
    assert (meant.verb.type, meant.params) == ("choose_losses", params)


def test_several_values_are_several_draws() -> None:
    found = played("Treasure: Crystal, Earth Stone\nFlood: Coral Palace, Tidal\n2. move Gold Gate anyway")
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


def test_a_step_that_was_left_out_is_found() -> None:
    found = reading("1. Ann: Treasure: Crystal, Earth Stone\n2. Bob: move Observatory\n")
    assert found.problem is None
    assert [event.type for event in found.events[-2:]] == ["left_out", "move"]
    item = found.items[-1]
    assert (item.status, item.problem) == (
        "irregular",
        "the line says turn 2, and it is turn 1; not by the rules: Ann's Flood cards were left out.",
    )


def test_who_did_it_follows_where_only_one_can() -> None:
    # Bob has the card.
    assert played("lift Bob to Gold Gate")[0] == ("play_helicopter_lift", "p2", {"pawns": ["p2"], "to": "gold_gate"})


def test_what_no_record_has_a_place_for_becomes_a_note() -> None:
    head = HEAD.replace("[Difficulty", '[Site "the attic"]\n[Weather "fog"]\n[Round "?"]\n[Difficulty')
    found = reading("", head)
    assert found.events[1].note == "Site: the attic. Weather: fog."
    assert [item.problem for item in found.items if item.status == "irregular"] == [
        "Weather is not known here: it is kept in a note.",
        "Round is not known here: it is kept in a note.",
    ]


def test_a_result_that_does_not_fit_is_told() -> None:
    found = reading("", HEAD + '[Result "won"]\n')
    assert [item.problem for item in found.items if item.status == "irregular"] == [
        "as it is written the game goes: it is not over"
    ]


@pytest.mark.parametrize(
    ("lines", "column", "message"),
    [
        ("Ann: move to Gilt Gate", 14, "Gilt Gate is not known here. Is Gold Gate"),
        ("Ann: move to Te", 14, "Te may be Temple of the Moon or Temple of the Sun: write more of it"),
        ("Ann: mvoe Gold Gate", 6, "Is move to … meant?"),
        ("Ann: juggle", 6, "juggle is nothing that can be done. What can be now: move to …;"),
        ("Zoe: move Gold Gate", 1, "Zoe is nobody at this table: Ann or Bob"),
        ("Ann: draw = Gold Gate", 13, "What can come up for the treasure card"),
        ("Ann: move Howling Garden = 3", 28, "nothing comes up when one does this: move to …"),
        ("Ann: play helicopter lift", 6, "is missing: play helicopter lift <pawns> to …"),
        ("Ann: move Gold Gate, Iron Gate", 22, "Iron Gate is too much: move to …"),
        ("Ann: move (speed 3)", 12, "in brackets stands a name and what it is: to"),
        ("Ann: move {well", 11, "this { has no }"),
        ("Ann: give (", 11, "this ( has no )"),
        ("Ann: move ] x", 11, "this ] closes nothing"),
        ('Ann: abandon "x', 14, 'this " is not closed in its line'),
        ("Ann: move `{`", 11, "what stands between backticks has to be JSON"),
        ("Ann: move Gold Gate !!!", 21, "!!! is no mark"),
        ("undo to #9", 9, "no act is called #9; what is called: #1"),
        ("amend #1", 1, "a correction is written so: amend #7 (what happened)"),
        ("amend #1 ({hm})", 1, "what happened instead stands in the brackets"),
        ("adjust", 1, "the reason is missing: adjust <reason>"),
        ("adjust late (facts wet)", 20, "this stands between [ and ]; it begins with its fact"),
        ("adjust late (facts [water level, depth 3])", 34, "each part begins with its name here: level"),
        ("adjust late (facts [water level, level deep])", 40, "deep is not a whole number"),
        ("set up", 1, "the game is set up already"),
        ("annotate (text x) @late", 1, "RFC 3339"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(lines: str, column: int, message: str) -> None:
    found = reading(f"{lines}\nAnn: move Howling Garden\n")
    assert found.problem is not None
    assert found.problem.problem is not None
    assert message.lower() in found.problem.problem.lower()
    assert (found.problem.line, found.problem.column) == (FIRST, column)
    assert found.items[-1].status == "unread"


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("", "which game was played?"),
        ('[Game "Forbiden Iland"]', "Is Forbidden Island"),
        ('[Rules "chess 1"]', "chess 1 is not installed; forbidden-island"),
        ('[Rules "forbidden-island 9"]', "what is: forbidden-island 1"),
        ('[Game "Forbidden Island"]', "who played?"),
        ('[Game "Forbidden Island"]\n[Players " , "]', "there is no name in it"),
        ('[Game "Forbidden Island"]\n[Players "Ann"]', "for 2 to 4 players, not 1"),
        (HEAD + '[Difficulty "mild"]', "Difficulty stands twice"),
        (HEAD.replace("novice", "mild"), "mild is not known here"),
        (HEAD + '[Chance "dice"]', "chance is observed or seeded"),
        (HEAD + '[Chance "seeded"]', "a seeded game has its Seed"),
        (HEAD + '[Seed "x"]', "an observed game has no seed"),
        (HEAD + '[Chance "seeded"]\n[Seed "x"]\n[SeedCommitment "y"]', "not the SHA-256 of the seed"),
        (HEAD + '[Mode "lax"]', "Mode is strict or as played"),
        (HEAD + '[Corrections "me"]', "Corrections is anyone, recorder or arbiter"),
        (HEAD + '[Fork "x"]', "it says in JSON where the game was forked from"),
        (HEAD + f'[Tags "{"x, " * 21}"]', "at most 20 tags"),
        (HEAD.replace("Ann", "A" * 81), "a name has 80 characters at the most"),
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
    assert wrong.problem.problem == f"the seed draws {drawn} here, and the text says {other}"


def test_a_strict_record_takes_nothing_that_the_rules_forbid() -> None:
    found = reading("Ann: fly to Gold Gate\n", HEAD + '[Mode "strict"]\n')
    assert found.problem is not None
    assert "Pilot" in (found.problem.problem or "")


def test_what_the_game_cannot_go_on_without_is_asked_for() -> None:
    found = reading("Ann: Treasure: ?, ?\nFlood: Coral Palace\nflood\n")
    assert found.problem is not None
    assert found.problem.line == FIRST + 2
    assert "what came up for the flood card is not written" in (found.problem.problem or "")


def test_several_games_in_one_text_each_begin_with_their_tags() -> None:
    one = HEAD + SET_UP
    assert split(f"{one}\n{one}") == [f"{one}\n", one]
    assert split("Game: x\nmove\n") == ["Game: x\nmove\n"]
