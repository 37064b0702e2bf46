"""A game as a readable text, to compare line by line."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from engine.core.canonical import canonical
from engine.core.digests import state_digest
from engine.core.events import Event
from engine.core.values import State
from tests.recorded.games import Header
from tests.recording import Recording

WIDTH = 118


def playthrough(header: Header, recording: Recording) -> str:
    """Return every event with its outcomes and, after each turn, the table and the digest of its state."""
    return "\n".join(_lines(header, recording)) + "\n"


def _lines(header: Header, recording: Recording) -> Iterator[str]:
    game, rules = recording.game, recording.game.ruleset
    yield f"{rules.name} ({rules.id}, version {rules.version}), {header.seats} players, seed {header.seed!r}"
    for name, value in header.options.items():
        yield f"  {name}: {value}"
    for event in recording.events[1:]:
        yield from _wrap(_event_line(event), "      ")
        before, after = recording.states[event.seq - 1], recording.states[event.seq]
        assert after is not None
        if before is None or before.turn < after.turn or event is recording.events[-1]:
            yield from _table(recording, after)
        if (before is None or before.turn < after.turn) and after.outcome is None:
            yield ""
            yield f"Turn {after.turn}, {game.header.seat_ids[rules.active(after)]}"


def _event_line(event: Event) -> str:
    words = [f"{event.seq:4}", event.actor or "--", event.type]
    if event.params:
        words.append(canonical(event.params).decode())
    if event.outcomes:
        words += ["->", *map(str, event.outcomes)]
    return " ".join(words)


def _table(recording: Recording, state: State) -> Iterator[str]:
    rules = recording.game.ruleset
    yield ""
    for label, text in rules.overview(state, recording.game.header.names).items():
        yield from _wrap(f"     {label}: {text}", "         ")
    yield f"     {state_digest(state)}"


def _wrap(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
