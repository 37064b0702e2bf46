"""`driftlog record`: the players report what happens, line by line."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

from cli import prompting
from cli.prompting import AmbiguousInput, completions, pick
from tests.cli.conftest import Run
from tests.cli.service import ROOT, SEEDED, Service, environment, environment_without_coverage
from tests.waiting import PATIENCE

Say = Callable[..., Result]


@pytest.fixture
def say(run: Run, service: Service) -> Say:
    """Return a function that runs `driftlog record` with these lines as input."""

    def say(*arguments: object, lines: list[str], code: int = 0) -> Result:
        result = run("record", *arguments, "--url", service.url, input="".join(f"{line}\n" for line in lines))
        assert result.exit_code == code, (result.output, result.exception)
        return result

    return say


def log(service: Service, game_id: str) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = service.ask("GET", f"/v1/games/{game_id}/events?limit=1000")[1]["events"]
    return events


def opened_id(result: Result) -> str:
    """Return the id of the new game."""
    found = re.search(r"^Game (\w+)$", result.stdout, re.MULTILINE)
    assert found is not None, result.stdout
    return found[1]


def test_a_new_game_is_asked_for_and_recorded(say: Say, service: Service) -> None:
    lines = [
        "forbidden is",
        "Forbidden Island",
        "Ann",
        "Bob",
        "",
        "draw",
        "undo",
        "redo",
        "undo",
        "note a slip",
        "quit",
    ]
    result = say("--seeded", "--option", "difficulty=novice", "--tag", "typed", lines=lines)

    game_id = opened_id(result)
    game = service.ask("GET", f"/v1/games/{game_id}")[1]
    assert (game["options"]["difficulty"], game["tags"]) == ("novice", ["typed"])
    assert [seat["name"] for seat in game["seats"]] == ["Ann", "Bob"]
    events = log(service, game_id)
    told = [(event["type"], event["params"].get("to")) for event in events[2:]]
    assert told == [("draw_treasure_card", None), ("undo", 2), ("undo", 3), ("undo", 2), ("annotate", None)]
    assert "'forbidden is' is ambiguous: Forbidden Island or " in result.stderr


def test_a_game_goes_on_and_what_makes_no_sense_is_said(say: Say, service: Service) -> None:
    game_id = service.open_game()
    result = say(game_id, lines=["", "undo", "redo", "dance", "draw two", "help", "table", "actions", "1"])

    assert len(log(service, game_id)) == 3
    complaints = result.stderr.splitlines()
    assert complaints[:2] == [
        "nothing to undo: type `help` for the commands",
        "nothing to redo: type `help` for the commands",
    ]
    assert complaints[2].startswith("'dance' is not one of these")
    assert "  undo       undo the last event" in result.stdout
    assert "Turn 1, Ann. Three actions left: move or draw cards." in result.stdout


def test_a_game_is_recorded_to_its_end(say: Say, service: Service) -> None:
    game_id = service.open_game()
    result = say(game_id, lines=["draw", "1"] * 300)

    game = service.ask("GET", f"/v1/games/{game_id}")[1]
    assert game["status"] == "finished"
    assert f"The game is over: {game['outcome']['result']}" in result.stdout
    assert "The game is over" in say(game_id, lines=[]).stdout


def test_what_came_up_on_the_table_is_asked_for(say: Say, service: Service) -> None:
    result = say("--ruleset", "forbidden-island", "--player", "Ann", "--player", "Bob", lines=["1"] * 50)

    events = log(service, opened_id(result))
    assert events[1]["type"] == "set_up"
    assert len(events) > 2
    assert "Result? tile: " in result.stdout
    assert re.search(r"^   1  Breakers Bridge  1/24$", result.stdout, re.MULTILINE)


def test_what_nobody_saw_can_be_said(say: Say, service: Service) -> None:
    # The tiles, the first floods and the roles are known, and nothing else.
    lines = ["1", *["1"] * 32, *["unknown"] * 30]
    result = say(*("--ruleset", "forbidden-island", "--player", "Ann", "--player", "Bob", "--as-played"), lines=lines)

    set_up = log(service, opened_id(result))[1]
    assert None in set_up["outcomes"]


def test_what_the_service_refuses_is_told(say: Say, service: Service) -> None:
    game_id = service.ask("POST", "/v1/games", SEEDED)[1]["id"]
    result = say(game_id, lines=[f"note {'x' * 5000}", "quit"])
    assert "Invalid request" in result.stderr


def test_a_game_that_is_there_is_not_opened_anew(run: Run, service: Service) -> None:
    result = run("record", "g", "--player", "Ann", "--url", service.url)
    assert result.exit_code == 2
    assert "are for a new game" in result.stderr
    result = run("record", "--ruleset", "forbidden-island", "--player", "A", "--option", "x", "--url", service.url)
    assert result.exit_code == 2
    assert "'x' is not an option: use NAME=VALUE" in result.stderr


@pytest.mark.parametrize(
    ("lines", "code"), [([], 1), (["1"], 1), (["1", "Ann", "Bob"], 1), (["quit"], 0), (["Forbidden Island", ""], 0)]
)
def test_whoever_says_no_more_opens_nothing(say: Say, lines: list[str], code: int) -> None:
    result = say("--seeded", lines=lines, code=code)
    assert "Game " not in result.stdout
    assert ("the input ended at a question: nothing is recorded" in result.stderr) == (code == 1)


def test_two_players_of_one_name_are_asked_for_again(say: Say, service: Service) -> None:
    result = say("--seeded", "--ruleset", "forbidden-island", lines=["Ann", "ANN", "Bob", ""])
    assert "There is already a player ANN" in result.stderr
    seats = service.ask("GET", f"/v1/games/{opened_id(result)}")[1]["seats"]
    assert [seat["name"] for seat in seats] == ["Ann", "Bob"]


def test_a_wrong_tile_is_taken_back_before_the_setup_is_recorded(say: Say, service: Service) -> None:
    arguments = ("--ruleset", "forbidden-island", "--player", "Ann", "--player", "Bob")
    taken_back = ["1", "Bronze Gate", "Iron Gate", "help", "undo", "undo", "undo", "undo"]
    result = say(*arguments, lines=[*taken_back, "1", "Gold Gate", *["1"] * 35, "quit"])
    assert log(service, opened_id(result))[1]["outcomes"][0] == "gold_gate"
    assert "Result? tile: row 1, space 2 (2 of 36)" in result.stdout
    assert "undo       go back to the answer before this one" in result.stdout
    assert "Cancelled: nothing was recorded" in result.stderr

    result = say(*arguments, lines=["1", "1"], code=1)
    assert f"the input ended at a question: `driftlog record {opened_id(result)}` continues" in result.stderr


@pytest.mark.parametrize("mode", ["strict", "as_played"])
def test_an_illegal_action_is_recorded_with_its_explanation_or_without(say: Say, service: Service, mode: str) -> None:
    game_id = service.ask("POST", "/v1/games", {**SEEDED, "mode": mode})[1]["id"]
    too_far = "move to cliffs of abandon"
    result = say(game_id, lines=[too_far, "cancel", too_far, "record anyway", "Bob: draw a treasure card", "1", "quit"])
    rejected = (
        "Against the rules: Move to Cliffs of Abandon. Cliffs of Abandon is more than one move from Iron Gate. (Move)"
    )
    assert result.stderr.splitlines()[:2] == [rejected, "Cancelled: nothing was recorded"]
    assert "   1  Bob did this for Ann: Draw a Treasure deck card." in result.stdout.splitlines()
    told = [(one["type"], one["verdict"], one.get("explanation", {}).get("kind")) for one in log(service, game_id)[2:]]
    assert told == [("move", "illegal", None), ("draw_treasure_card", "illegal", "other_player")]


def test_cards_for_any_time_are_listed_last_and_by_kind(say: Say, service: Service) -> None:
    game_id = service.ask("POST", "/v1/games", {**SEEDED, "seed": "b"})[1]["id"]
    result = say(game_id, lines=["draw", "draw", "99", "helicopter", "undo", "helicopter bob gold", "quit"])
    lines = result.stdout.splitlines()
    at = lines.index("Turn 1, Ann. Flood card 1 of 2.")
    assert lines[at + 1 : at + 3] == ["   1  Draw a Flood card", "   2  Helicopter Lift …  46 ways"]
    assert "Helicopter Lift?" in lines
    assert log(service, game_id)[-1]["params"] == {"to": "gold_gate", "pawns": ["p2"]}


def test_an_unknown_game_or_ruleset_leads_to_the_right_one(run: Run, service: Service) -> None:
    for arguments, code, told in (
        (["--ruleset", "forbiden-island"], 2, "no ruleset 'forbiden-island'. Did you mean 'forbidden-island'?"),
        (["--ruleset", "chess"], 2, "no ruleset 'chess' (known: forbidden-island, "),
        (["forbidden-island"], 1, "There is no such game. `driftlog record --ruleset forbidden-island` opens one."),
        (["nothing"], 1, "There is no such game. `driftlog list` lists the games."),
    ):
        result = run("record", *arguments, "--url", service.url, input="")
        assert (result.exit_code, told in result.stderr) == (code, True), result.output


LABELS = ["Move to Iron Gate", "Move to Fools' Landing", "Shore up Iron Gate", "Shore up Iron Gate and Fools' Landing"]


@pytest.mark.parametrize(
    ("text", "index"),
    [("1", 0), ("4", 3), ("move to iron gate", 0), ("MOVE FOO", 1), ("shore up iron gate", 2), ("s and", 3)],
)
def test_words_choose(text: str, index: int) -> None:
    assert pick(text, LABELS) == index


@pytest.mark.parametrize(
    ("text", "complaint"),
    [*[(text, "not one of these") for text in ("0", "", "5")], ("shore", "Shore up Iron")],
)
def test_words_that_do_not_choose_are_unclear(text: str, complaint: str) -> None:
    with pytest.raises(AmbiguousInput, match=complaint):
        pick(text, LABELS)


def test_words_are_completed() -> None:
    assert completions("mo", LABELS) == LABELS[:2]
    assert completions("fool", LABELS) == [LABELS[1], LABELS[3]]
    assert completions("xyz", LABELS) == []
    found: list[Callable[[str, int], str | None]] = []

    class Keys:
        __doc__ = "libedit"
        set_completer = staticmethod(found.append)
        set_completer_delims = staticmethod(lambda _: None)
        parse_and_bind = staticmethod(lambda _: None)

    assert prompting.readline is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prompting, "readline", Keys)
        prompting.with_completion(lambda text: completions(text, LABELS))
    assert [found[0]("mo", index) for index in range(3)] == [*LABELS[:2], None]


class Terminal:
    """A program in a terminal: its output, and input to it."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._said = b""

    def heard(self, wanted: bytes) -> None:
        """Read until the output contains this text."""
        while wanted not in self._said:
            assert select.select([self._number], [], [], 4 * PATIENCE)[0], self._said
            self._said += os.read(self._number, 1 << 16)
        self._said = self._said.partition(wanted)[2]

    def type(self, keys: bytes) -> None:
        os.write(self._number, keys)


def test_tab_completes_at_a_terminal(service: Service) -> None:
    game_id = service.open_game()
    command = [sys.executable, "-m", "cli.main", "record", game_id, "--url", service.url]
    ours, theirs = pty.openpty()
    terminal = Terminal(ours)
    variables = environment_without_coverage(environment(TERM="xterm"))
    with subprocess.Popen(command, cwd=ROOT, env=variables, stdin=theirs, stdout=theirs, stderr=theirs) as recording:
        os.close(theirs)
        try:
            terminal.heard(b"Ann> ")
            terminal.type(b"draw a tr\t\n")
            terminal.heard(b"Ann draws ")
            terminal.heard(b"> ")
            terminal.type(b"\x04")
            assert recording.wait(PATIENCE) == 0
        finally:
            # A program in the background that needs the terminal waits for ever.
            recording.kill()
            os.close(ours)
    assert [event["type"] for event in log(service, game_id)][2:] == ["draw_treasure_card"]
