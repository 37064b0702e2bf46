"""draws: every draw of chance with all that could come up, in listed order, so that anyone can draw again.

What came up stands in the log; among what it came up, only the rules know, which are code. Here it is written out, an
outcome for each card, die or tile that was equally likely. With the seed, which a finished seeded game reveals, the
formula of docs/chance.md gives each outcome again.

A draw is told once it is known to everybody: the list ends before the first event that hides something from the reader.
What hangs on what nobody saw is not in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.events import GENESIS, Event
from engine.play.fold import History
from engine.play.rules import Rules
from engine.review.sections import Witness
from exports.log import Format, Log, chunks
from exports.narration import overview, played_of

FORMAT = "driftlog-draws"
FORMAT_VERSION = 1


def write(log: Log) -> Iterator[bytes]:
    """The draws of `log` as one JSON document, a draw a line."""
    return chunks(_pieces(log))


def _pieces(log: Log) -> Iterator[bytes]:
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
    witness, separator = Witness(), b"\n"
    version, head, seed = 0, GENESIS, None
    for event in _played(log, witness):
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


def _played(log: Log, witness: Witness) -> Iterator[Event]:
    """The events, each once it is played before the witness."""
    known = overview(log)
    if not known.is_rewritten:
        for event, _, _ in played_of(log, known, Rules(log.header()), witness):
            yield event
        return
    # What writes the line anew needs the whole of it.
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
    loses="What players did: it is what chance did.",
    write=write,
)
