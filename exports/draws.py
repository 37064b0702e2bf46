"""draws: every random result in order, with all possible results, so that anyone can check or repeat the draws.

The log has only the results. Without the code of the rules, the other possible results are unknown. So this format
lists all equally likely options of each draw. With the seed, which a finished seeded game reveals, the formula of
docs/chance.md reproduces each result.

The list ends before the first event that hides something from the reader, and omits draws that depend on unknown
results.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.events import GENESIS, Event
from engine.play.fold import History
from engine.play.rules import Rules
from engine.review.sections import RecordingChance
from exports.log import Format, Log
from exports.narration import Overview, overview, replay_steps

FORMAT = "driftlog-draws"
FORMAT_VERSION = 1


def write(log: Log) -> Iterator[bytes]:
    """Write the draws of `log` as one JSON document, one draw per line."""
    encode = msgspec.json.Encoder().encode
    header = log.header()
    own = 0 if header.fork is None else header.fork.at
    top = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "game": log.game_id,
        "ruleset": header.ruleset,
        "ruleset_version": header.ruleset_version,
        "chance": header.chance,
        "seed_commitment": header.seed_commitment,
        "seeded_after": own,
    }
    yield encode(top)[:-1] + b',"draws":['
    witness, separator = RecordingChance(), b"\n"
    version, head, seed = 0, GENESIS, None
    for event in replay_events(log, overview(log), witness):
        if log.show(event) != event:
            break
        version, head = event.seq, event.hash
        if event.type == lifecycle.GAME_CLOSED and event.seq > own:
            seed = event.params.get("seed")
        for seq, position, draw in witness.drawn:
            line: dict[str, Any] = {
                "seq": seq,
                "position": position,
                "name": draw.name,
                "options": draw.options,
                "outcome": draw.value,
            }
            yield separator + encode(line)
            separator = b",\n"
        witness.drawn.clear()
    yield b"\n]," + encode({"seed": seed, "head": head, "version": version})[1:] + b"\n"


def replay_events(log: Log, known: Overview, witness: RecordingChance) -> Iterator[Event]:
    """Replay the events of a log with `witness`, which records their draws. Yield each event after its replay.

    Args:
        known: the overview of the log.
    """
    if not known.is_rewritten:
        for event, _, _ in replay_steps(log, known, Rules(log.header()), witness):
            yield event
        return
    # If corrections rewrite the line, read the whole log first.
    events = iter(log.events)
    yield next(events)
    history = History(log.header())
    for event in events:
        history.fold((event,), witness)
        yield event


KIND = Format(
    name="draws",
    media_type="application/json",
    extension="draws.json",
    loses="The players' actions. The file has only the results of chance.",
    write=write,
)
