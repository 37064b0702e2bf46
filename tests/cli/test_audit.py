"""`driftlog audit`: the audit of an exported log without a service, told to a player."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from engine.core.events import Event
from engine.play import registry
from engine.play.visibility import mask
from engine.review.audit import audit
from exports import FORMATS, Log
from tests.cli.conftest import Run
from tests.engine.play.explaining import drawn_late
from tests.engine.play.explanations.test_missed import play_on_after_end
from tests.engine.recording import DEAL, dealt, played
from tests.engine.toy import Dice, RuledDice
from tests.installing import installed
from tests.playouts import long_record, playout
from tests.recorded import games
from tests.recording import Recording


def write(path: Path, events: list[Event]) -> Path:
    path.write_bytes(b"".join(FORMATS[path.suffix[1:]].write(Log("g1", events))))
    return path


@pytest.mark.parametrize("kind", ["json", "ndjson"])
def test_a_clean_log(run: Run, tmp_path: Path, kind: str) -> None:
    events = playout("forgotten-waters", 1, 4)
    file = write(tmp_path / f"game.{kind}", events)
    result = run("audit", file)

    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[:2] == [
        f"{file}: clean",
        f"The record is valid: {len(events)} events, all by the rules.",
    ]
    headings = [line for line in lines if line and not line.startswith(" ")][2:]
    assert headings == ["Luck", "Rule usage", "Notes"]
    version = events[0].params["ruleset_version"]
    assert f"  Replayed by version {version} of the rules of Forgotten Waters." in lines


def test_findings_are_told_with_their_rule(run: Run, tmp_path: Path) -> None:
    recording = Recording(mode="as_played")
    recording.add("set_up", outcomes=DEAL)
    recording.add("move", "p1", to="howling_garden")
    recording.add("move", "p1", to="watchtower")
    result = run("audit", write(tmp_path / "game.json", recording.events))
    assert result.exit_code == 1
    assert (
        "\nFindings\n  Turn 1 (event 4): “Ada moves to Watchtower.” By the rules, this was not possible: "
        "Watchtower is more than one move from Howling Garden. Rule “Move”: Moving to an adjacent tile that has not "
        "sunk is an action; some adventurers can go farther.\n"
    ) in result.output
    assert "\n  Move: 1 legal, 1 illegal\n" in result.output


def test_corrections_and_adjustments_are_told(run: Run, tmp_path: Path) -> None:
    recording = played()
    recording.add("undo", to=4)
    patch = [{"op": "replace", "path": "/water_level", "value": 4}]
    recording.add("adjust", patch=patch, reason="We forgot to raise the water.", agreed=["p1", "p2"])
    recording.add("adjust", facts=[{"fact": "stands_on", "seat": "p1", "tile": "gold_gate"}], reason="Twice.")
    result = run("audit", write(tmp_path / "game.json", recording.events))
    assert result.exit_code == 1
    assert "\nCorrections\n  Undone in turn 1: “Ada draws Earth Stone”.\n" in result.output
    assert (
        "\nFindings\n"
        "  Turn 1 (event 7): The recorded table was changed by hand, to match the real one. "
        "The record does not say by whom. "
        "Reason: “We forgot to raise the water.” Agreed: Ada, Bo.\n"
        "    Before: The water is at 1.\n"
        "    After: The water is at 4.\n"
        "    What followed: Nothing was recorded after it.\n\n"
    ) in result.output


def test_a_finding_says_when_it_was_noticed_and_the_figures_add_up(run: Run, tmp_path: Path) -> None:
    recording = drawn_late()
    result = run("audit", write(tmp_path / "game.json", recording.events))
    assert "  Noticed in turn 2.\n" in result.output
    assert (
        "with 1 slip. A late step is one slip, but two illegal events: it was skipped, and then made up for.\n"
        in result.output
    )
    figures = result.output.split("Rule usage\n")[1].split("\n\n")[0].splitlines()
    legal, illegal = (
        [int(found[0]) for line in figures for found in [re.findall(rf"(\d+) {word}", line)] if found]
        for word in ("legal", "illegal")
    )
    assert illegal == [3, 3]
    assert legal[0] == sum(legal[1:])
    assert result.output.count("Flood cards that were due") == 0


def test_house_rules_and_notes_are_told_beside_the_findings(run: Run, tmp_path: Path) -> None:
    recording = dealt()
    recording.add("house_rule", text="Anyone may jump.", allows=[{"type": "move"}], overrides="Move")
    recording.add("house_rule", text="Nobody swims.", allows=[{"type": "swim"}])
    recording.add("move", "p1", to="gold_gate")
    recording.add("annotate", text="A long jump.")
    output = run("audit", write(tmp_path / "game.json", recording.events)).output
    assert (
        "\nHouse rules\n  The players agreed (turn 1): “Anyone may jump.”\n"
        "    This replaces the printed rule. Rule “Move”: Moving to an adjacent tile that has not sunk is an "
        "action; some adventurers can go farther.\n"
        "    Turn 1: “Ada moves to Gold Gate.” Allowed by this house rule.\n"
        "  The players agreed (turn 1): “Nobody swims.”\n    No action depended on this house rule.\n"
        "\nNotes of the players\n  Turn 1: A long jump.\n"
    ) in output


def test_what_nobody_noticed_says_so(run: Run, tmp_path: Path) -> None:
    result = run("audit", write(tmp_path / "game.json", play_on_after_end().events))
    assert "The record shows" not in result.output
    assert "  Losing the Game: 0 legal, 1 illegal\n" in result.output


def test_what_nobody_can_judge_is_told(run: Run, tmp_path: Path) -> None:
    recording = dealt()
    recording.add("draw_treasure_card", "p1", [None])
    recording.add("play_helicopter_lift", "p1", pawns=["p1"], to="watchtower")
    result = run("audit", write(tmp_path / "game.json", recording.events))
    assert result.exit_code == 0
    assert "  Special Action Cards: 0 legal, 1 unknown\n" in result.output
    assert "  Unknown results: one.\n" in result.output


def test_a_broken_log(run: Run, tmp_path: Path) -> None:
    events = playout()
    events[20] = msgspec.structs.replace(events[20], note="slipped in")
    result = run("audit", write(tmp_path / "game.ndjson", events))
    assert result.exit_code == 2
    assert ": broken\nThe record is broken: event 21 is the first wrong one.\n" in result.output
    assert "Rule: “The hash chain”." in result.output


def test_what_a_player_hides_ends_it_without_a_reproach(run: Run, tmp_path: Path) -> None:
    rules = registry.ruleset("forever-island")
    recorded = games.replay(*games.read(games.FOLDER / "forever-island" / "three_totems.jsonl")).events
    seq = next(event.seq for event in recorded if event.type == "throw_spears")
    show = mask(rules, None, lambda _: ())
    events = recorded[:seq]
    file = tmp_path / "public.json"
    file.write_bytes(b"".join(FORMATS["json"].write(Log("g1", events, show=show))))
    result = run("audit", file)

    assert result.exit_code == 0, result.output
    note = (
        f"  Event {len(events)} has hidden data that is not in this file: the audit judges only the events before it.\n"
    )
    assert note in result.output


def test_what_names_rules_that_there_are_not(run: Run, tmp_path: Path) -> None:
    with installed(Dice()):
        file = write(tmp_path / "game.json", Recording("dice").events)
    result = run("audit", file)
    assert result.exit_code == 1
    assert f"{file}: findings\nThe hash chain of 1 events is intact." in result.output
    assert (
        "  Before the first turn (event 1): The rules of dice, version 2, are not installed here. "
        "Rule: “Keeping the record”.\n" in result.output
    )


def test_what_is_no_log(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text('{"format": "something else"}')
    result = run("audit", file)
    assert result.exit_code == 2
    assert "Error: not a log: " in result.output


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("missing.json", "No such file or directory"),
        (".", "Is a directory"),
        ("/dev/zero", "it is larger than the limit for imports"),
    ],
)
def test_what_cannot_be_read(run: Run, tmp_path: Path, name: str, why: str) -> None:
    result = run("audit", tmp_path / name)
    assert result.exit_code == 2
    assert f"cannot be read: {why}" in result.output


@pytest.mark.parametrize("command", ["audit", "verify", "import"])
def test_a_game_is_no_file(run: Run, command: str) -> None:
    result = run(command, "01m8htt3msa3mbxvagsyqxfb9r")
    assert result.exit_code == 2
    assert "`driftlog export 01m8htt3msa3mbxvagsyqxfb9r -o FILE` writes a file" in result.output


def test_all_of_it_as_json(run: Run, tmp_path: Path) -> None:
    events = playout(seed=1)
    result = run("audit", "--json", write(tmp_path / "game.json", events))
    assert result.exit_code == 0
    assert json.loads(result.output) == json.loads(msgspec.json.encode(audit(events)))


def test_standard_input_is_a_file(run: Run, tmp_path: Path) -> None:
    data = write(tmp_path / "game.ndjson", long_record(1100)).read_bytes()
    result = run("audit", "-", input=data)
    assert result.exit_code == 0
    assert result.output.startswith("-: clean\n")


def test_by_other_rules(run: Run, tmp_path: Path) -> None:
    with installed(RuledDice(), Dice()):
        recording = Recording("dice", seats=2, goal=100)
        recording.add("set_up")
        recording.add("roll", "p1", [6])
        result = run("audit", "--rules", "3", write(tmp_path / "game.json", recording.events))
    assert result.exit_code == 0
    assert (
        "\nBy version 3 of the rules\n"
        "  Under version 3 of the rules, the table is different after 1 event; the first is in turn 1.\n"
        "  Turn 1, event 3 (roll) has the same verdict; the table differs.\n"
    ) in result.output


def test_by_rules_that_there_are_not(run: Run, tmp_path: Path) -> None:
    result = run("audit", "--rules", "9", write(tmp_path / "game.json", dealt().events))
    assert result.exit_code == 2
    assert "Error: --rules: version '9' of forbidden-island cannot read this record; use one of: 1" in result.output


def test_by_other_rules_what_does_not_begin_as_a_log_is_broken(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.ndjson"
    file.write_bytes(b"".join(FORMATS["ndjson"].write(Log("g1", dealt().events))).split(b"\n", 1)[1])
    assert run("audit", "--rules", "1", file).exit_code == 2
