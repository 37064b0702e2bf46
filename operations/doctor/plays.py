"""Past plays: how they are found and counted, held against what is kept of each."""

from __future__ import annotations

from collections import Counter, defaultdict

from operations.doctor.findings import Finding
from store import Store, keys
from store.library.plays import standing
from store.redis import connection
from store.redis.connection import Command

_BATCH = 200
_LOOKS = 3
"""How often it is looked before something is wrong: some may be coming in."""


def examine(store: Store) -> Finding:
    """Whether all past plays are listed, and found and counted as they are listed."""
    for _ in range(_LOOKS):
        wrong = _wrong(store)
        if not wrong:
            return Finding("plays", "ok", f"{store.plays.count():,} past plays are found and counted")
    if store.projections.is_unlisted():
        return Finding("plays", "warn", "past plays are to be listed anew: a worker does it soon, or --mend", wrong)
    return Finding("plays", "fail", "past plays are not found or counted as they were played: --mend", wrong)


def _wrong(store: Store) -> tuple[str, ...]:
    """The plays and the keys that are not as they should be."""
    wrong: list[str] = []
    sizes: Counter[str] = Counter()
    tallies: defaultdict[str, Counter[bytes]] = defaultdict(Counter)
    ids = [id_.decode() for id_ in connection.call(store.client, "HKEYS", keys.PLAYS)]
    for first in range(0, len(ids), _BATCH):
        wrong += _look(store, ids[first : first + _BATCH], sizes, tallies)
    if connection.call(store.client, "HLEN", keys.PLAYS_ENTRIES) != len(ids):
        wrong.append(keys.PLAYS_ENTRIES)
    sizes[keys.PLAYS_PLAYERS] = sum(name.startswith(keys.plays_by("player", "")) for name in sizes)
    kept = {name.decode() for name in connection.scan(store.client, keys.PLAYS_PATTERN) if name not in keys.LASTING}
    names = sorted({*kept, *(name for name, size in sizes.items() if size), *tallies} - {keys.PLAYS_ENTRIES})
    are_tallies = [name.startswith(keys.tally_of_plays("", "").rstrip(":")) for name in names]
    commands: list[Command] = [
        ("HGETALL" if is_tally else "ZCARD", name) for name, is_tally in zip(names, are_tallies, strict=True)
    ]
    for name, is_tally, found in zip(names, are_tallies, connection.pipe(store.client, commands), strict=True):
        counted = {field: b"%d" % count for field, count in tallies[name].items()} if is_tally else sizes[name]
        if found != counted:
            wrong.append(name)
    return tuple(wrong)


def _look(store: Store, ids: list[str], sizes: Counter[str], tallies: defaultdict[str, Counter[bytes]]) -> list[str]:
    """Note where these plays stand, and what they count for; those of them that are not so listed."""
    wrong = []
    asked: list[Command] = []
    scores: list[tuple[str, float]] = []
    for play_id, listed in zip(ids, store.plays.listed(ids), strict=True):
        if listed is None:
            wrong.append(play_id)
            continue
        places, counted = standing(listed)
        for name, place in places.items():
            sizes[name] += 1
            asked.append(("ZSCORE", name, play_id))
            scores.append((play_id, place.score))
            if place.register is not None:
                asked.append(("ZSCORE", place.register, place.entry))
                scores.append((play_id, 0.0))
        for (name, field), count in counted.items():
            tallies[name][field.encode()] += count
    told = connection.pipe(store.client, asked)
    strays = {id_ for (id_, score), one in zip(scores, told, strict=True) if one is None or float(one) != score}
    return [*wrong, *sorted(strays)]
