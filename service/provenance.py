"""Origin of a record's events: recorded here, imported from a file, or changed by hand."""

from __future__ import annotations

import itertools

from engine.play.by_hand import adjusts
from exports import ExportedFile
from proofs import heads
from proofs.comparison import first_difference
from proofs.errors import ProofError
from proofs.heads import Kind, Range
from store import Store


def provenance(store: Store, game_id: str, until: int) -> tuple[Range, ...]:
    """Return the origins of events 1 to `until`, as ranges in order and without gaps."""
    source = store.events.import_origin(game_id)
    kinds: list[tuple[int, Kind]] = []
    for page in store.events.pages(game_id, until=until):
        for event in page:
            witnessed: Kind = "imported" if event.seq <= source.events else "recorded"
            kinds.append((event.seq, "adjusted" if adjusts(event) else witnessed))
    found = []
    for (kind, is_imported), group in itertools.groupby(kinds, lambda one: (one[1], one[0] <= source.events)):
        seqs = [seq for seq, _ in group]
        head, key = (source.head, source.key) if is_imported else (None, None)
        found.append(Range(from_=seqs[0], to=seqs[-1], kind=kind, head=head, key=key))
    return tuple(found)


def signer(file: ExportedFile) -> str | None:
    """Return the id of the key that signed exactly the events of a file; None if there is no such signature."""
    try:
        signed = None if file.proof is None else heads.check(file.proof)
    except ProofError:
        return None
    if signed is None or first_difference(signed.head.hashes, file.events) is not None:
        return None
    return signed.key.id


def find_origin(store: Store, file: ExportedFile) -> str | None:
    """Return the id of the game on this service whose export is this file; None if there is none.

    A file with the head of a game but other contents is not an export of the game, and its import fails.
    """
    first, last = file.events[0], file.events[-1]
    # This also finds games of earlier releases, which are not listed by their first event until the next rebuild.
    known = (file.game_id, *store.events.ids_by_first_event(first.hash), store.projections.with_head(last.hash))
    for game_id in dict.fromkeys(known):
        if game_id is None or not store.events.exists(game_id):
            continue
        if not store.events.has(game_id, last.seq, last.hash):
            continue
        if first_difference(store.events.hashes(game_id, last.seq), file.events) is None:
            return game_id
    return None
