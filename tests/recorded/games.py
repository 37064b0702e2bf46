"""Complete recorded games: each is a file of JSON lines, with the header first, then one event per line.

Most games are seeded, so a replay repeats every draw; the file has a digest of the expected states after each turn. A
new option with a default changes none of them. A change of rules that affects one of them needs a new version of the
ruleset. The games of an older version stay in a folder with its number.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from engine.core.canonical import digest
from engine.core.events import Draft, Event
from engine.core.values import Value
from engine.play import registry
from tests.installing import installed
from tests.recording import Recording

FOLDER = Path(__file__).parent


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line."""

    ruleset: str
    version: str
    seats: int
    options: dict[str, Any]
    seed: str
    """The seed; empty if the game was observed: its lines then have the results."""
    reason: str
    """The reason of the ending."""
    states: str
    """The digest of the states after its turns, see `states_digest`."""


class Line(msgspec.Struct, frozen=True, array_like=True):
    """Any other line."""

    type: str
    actor: str | None
    params: dict[str, Any]
    outcomes: tuple[Value, ...] = ()


def games(ruleset: str) -> list[Path]:
    """Return the recorded games of a ruleset's newest version."""
    return sorted((FOLDER / ruleset).glob("*.jsonl"))


def all_games() -> list[Path]:
    """Return the recorded games of all rulesets and versions."""
    return sorted(FOLDER.glob("*/*.jsonl"))


def read(path: Path) -> tuple[Header, list[Line]]:
    """Read a recorded game."""
    first, *rest = path.read_bytes().splitlines()
    return msgspec.json.decode(first, type=Header), [msgspec.json.decode(line, type=Line) for line in rest]


def replay(header: Header, lines: Iterable[Line]) -> Recording:
    """Return the game, replayed under its own version of the rules, with every draw repeated."""
    with installed(registry.ruleset(header.ruleset, header.version)):
        recording = Recording(header.ruleset, header.seats, header.seed or None, **header.options)
    for line in lines:
        outcomes = () if header.seed else line.outcomes
        recording.append(Draft(type=line.type, actor=line.actor, params=line.params, outcomes=outcomes))
    return recording


def stored_lines(events: Iterable[Event]) -> list[Line]:
    """Return the lines of a log, without events that the service appends itself."""
    own = {"game_opened", "game_closed"}
    return [Line(one.type, one.actor, one.params, one.outcomes) for one in events if one.type not in own]


def states_digest(events: Iterable[Event]) -> str:
    """Return one digest of all the state digests in a log."""
    return digest([event.state_hash for event in events if event.state_hash is not None])


def keep(path: Path, recording: Recording, seed: str) -> None:
    """Write a finished game to `path`."""
    game, events = recording.game, recording.events
    assert game.outcome is not None
    defaults = msgspec.json.decode(msgspec.json.encode(game.ruleset.options()))
    header = Header(
        ruleset=game.header.ruleset,
        version=game.header.ruleset_version,
        seats=len(game.header.seats),
        options={name: value for name, value in game.header.options.items() if value != defaults[name]},
        seed=seed,
        reason=game.outcome.reason,
        states=states_digest(events),
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [header, *stored_lines(events)]
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
