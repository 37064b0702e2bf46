"""playthrough: every node can be read again, and is consistent."""

from __future__ import annotations

import json
import re
from ast import literal_eval
from typing import Any

import msgspec
import pytest

from engine.core.events import Event
from engine.core.values import MASKED
from engine.play import registry
from engine.play.fold import fold
from exports import FORMATS, Log
from tests.exports.logs import GAME, LOGS, export, export_log
from tests.playouts import playout

KINDS = [kind for kind in LOGS if kind != "back and forth"]
_LINE = re.compile(r"(\w+)\((\d*)\) = (.*)")


class Node(msgspec.Struct):
    """A node of the text."""

    facts: dict[str, Any]
    label: str | None = None
    number: int | None = None


def nodes(text: str) -> list[Node]:
    """The nodes of a playthrough, in order."""
    found = []
    for part in text.split("\n# State ")[1:]:
        facts: dict[str, Any] = {}
        node = Node(facts)
        for line in part.splitlines():
            if line.startswith("# Apply action "):
                node.label = json.loads(line.removeprefix("# Apply action "))
            elif line.startswith("action: "):
                node.number = int(line.removeprefix("action: "))
            elif match := _LINE.fullmatch(line):
                name, player, value = match.groups()
                read = literal_eval if value in {"True", "False"} or name == "ChanceOutcomes" else json.loads
                facts[f"{name}({player})"] = read(value)
        found.append(node)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_every_node_has_what_was_done_there_among_all_that_could_be(kind: str) -> None:
    *inner, last = nodes(export_log("playthrough", kind).decode())

    for node in inner:
        facts = node.facts
        player = facts["CurrentPlayer()"]
        which = "" if player == -1 else player
        assert node.number is not None
        assert facts["IsChanceNode()"] == (player == -1)
        assert facts[f"LegalActions({which})"][node.number] == node.number
        assert facts[f"StringLegalActions({which})"][node.number] == node.label
        assert not facts["IsTerminal()"]
        if player == -1:
            assert sum(p for _, p in facts["ChanceOutcomes()"]) == pytest.approx(1, abs=1e-4)
    assert last.number is None
    assert last.facts["History()"] == [node.number for node in inner]
    assert [node.facts["MoveNumber()"] for node in (*inner, last)] == list(range(len(inner) + 1))


@pytest.mark.parametrize("ruleset", [rules.id for rules in registry.rulesets()])
def test_a_whole_game_is_all_its_actions_and_all_its_draws(ruleset: str) -> None:
    events = playout(ruleset, 2, registry.ruleset(ruleset).players[0])
    *inner, last = nodes(export("playthrough", events).decode())
    outcome = fold(events).outcome

    played = [event for event in events if event.type not in {"game_opened", "set_up", "game_closed"}]
    assert [node.facts["CurrentPlayer()"] for node in inner if not node.facts["IsChanceNode()"]] == [
        int((event.actor or "")[1:]) - 1 for event in played
    ]
    assert sum(node.facts["IsChanceNode()"] for node in inner) == sum(len(event.outcomes) for event in events)
    assert last.facts["IsTerminal()"]
    assert outcome is not None
    returns = last.facts["Returns()"]
    assert [f"p{seat}" for seat, value in enumerate(returns, 1) if value > 0] == list(outcome.winners)
    assert all(value == -1 for value in returns if value <= 0) or outcome.result == "draw"


def test_what_is_beside_the_tree_is_a_comment() -> None:
    unseen, corrected, abandoned = (
        export_log("playthrough", one).decode() for one in ("unseen", "corrected", "abandoned")
    )

    assert "# Result: unknown" in unseen
    assert '# Result: "earth_stone"' in unseen
    assert "# Some results are unknown" in unseen
    assert "# Outside the tree: " in corrected
    assert "# Outside the tree: The game is abandoned: the *cat*, mostly" in abandoned
    assert nodes(abandoned)[-1].facts["Returns()"] == [0.0, 0.0]


def test_before_the_set_up_chance_decides() -> None:
    (node,) = nodes(export_log("playthrough", "opened").decode())

    assert node.facts["CurrentPlayer()"] == -1


def test_it_ends_before_what_the_reader_may_not_see() -> None:
    events = LOGS["in progress"]()

    def show(event: Event) -> Event:
        return msgspec.structs.replace(event, params={"to": MASKED}) if event.seq >= 9 else event

    whole = b"".join(FORMATS["playthrough"].write(Log(GAME, events)))
    shown = b"".join(FORMATS["playthrough"].write(Log(GAME, events, show=show)))
    assert shown.endswith(b"\n# The following events are hidden.\n")
    assert whole.startswith(shown.removesuffix(b"\n# The following events are hidden.\n"))
    assert len(nodes(shown.decode())) < len(nodes(whole.decode()))
