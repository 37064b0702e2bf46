"""Append over HTTP from 16 clients, each with its own seeded games, one after the other.

Our service judges and chains every event, stores the request's `Idempotency-Key`, and answers once the event is on
disk. The bare endpoint only loads and dumps eight fields, and calls one script.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterable, Iterator

import msgspec

from benchmarks.client import Load, drive, post
from benchmarks.games import keen_games
from benchmarks.measure import Settings, percentile, side_by_side
from benchmarks.report import Goal, Row, at_least, exactly
from benchmarks.serving import APART, FREE, Fsync, Kind, Pinning, Service, serving

CLIENTS = 16
KINDS = 32
"""Number of different games."""
MOST = 5000
"""Maximum requests per second for which games are prepared. Our service answers fewer."""
WARM, COUNTED = 5, 50


class Setup(msgspec.Struct, frozen=True):
    """The setup of a measurement: pinning to cores, durability of Redis, number of workers, and use of tokens."""

    pinning: Pinning
    fsync: Fsync
    workers: int = 0
    has_tokens: bool = False


SETUPS = (
    Setup(APART, "always"),
    Setup(APART, "everysec"),
    Setup(FREE, "always"),
    Setup(FREE, "everysec"),
    Setup(FREE, "always", workers=1),
    Setup(APART, "always", has_tokens=True),
)
MALFORMED = (b"{", b"[]", b'{"type":5}', b'{"type":"move","params":{"to":7}}', b'{"type":"move","more":1}')


def measure(settings: Settings) -> Iterator[Row]:
    """Measure appends, pinned and unpinned, with both settings of fsync.

    Also count the Redis round trips and the jobs per append.
    """
    for number, setup in enumerate(SETUPS[:1] if settings.quick else SETUPS):
        folder = settings.folder / f"posting-{number}"
        kind: Kind = "tokens" if setup.has_tokens else "ours"
        with (
            serving(kind, folder, setup.pinning, setup.fsync, workers=setup.workers) as ours,
            serving("bare", folder, setup.pinning, setup.fsync) as bare,
        ):
            yield from _compare(ours, bare, settings, setup)
            if number == 0:
                yield from round_trips(ours, setup.pinning)


def _compare(ours: Service, bare: Service, settings: Settings, setup: Setup) -> Iterator[Row]:
    loads: dict[str, list[Load]] = {"ours": [], "bare": []}

    def load(kind: str, service: Service) -> float:
        games = deal(service, seconds=settings.seconds)
        clients = [itertools.chain.from_iterable(games) for _ in range(CLIENTS)]
        with setup.pinning.load:
            loads[kind].append(drive(service.address, clients, settings.seconds))
        return loads[kind][-1].rate

    load("ours", ours)
    load("bare", bare)
    pair = side_by_side(lambda: load("ours", ours), lambda: load("bare", bare), settings.rounds)
    beside = ", a worker beside" if setup.workers else ", with a token" if setup.has_tokens else ""
    yield Row(
        what=f"POST events, {CLIENTS} clients, appendfsync {setup.fsync}{beside}",
        ours=f"{pair.ours:,.0f}/s {_times(loads['ours'][1:])}",
        reference=f"{pair.reference:,.0f}/s {_times(loads['bare'][1:])} bare",
        ratio=pair.ratio,
        goal=None
        if setup.workers
        else at_least(pair.ratio, 0.8 if setup.has_tokens or setup.fsync == "everysec" else 0.85),
        pinning=setup.pinning.name,
    )
    if setup.workers:
        events = sum(len(one.milliseconds) for one in loads["ours"])
        per_event = ours.jobs_done() / events
        yield Row(
            what="RQ jobs per event",
            ours=f"{per_event:.2f}",
            goal=Goal("< 1", per_event < 1),
            pinning=setup.pinning.name,
        )


def _times(loads: Iterable[Load]) -> str:
    took = [one for load in loads for one in load.milliseconds]
    return f"(p50 {percentile(took, 0.5):.1f}, p99 {percentile(took, 0.99):.1f} ms)"


def deal(service: Service, seconds: float, clients: int = CLIENTS) -> Iterator[list[bytes]]:
    """Open enough games for `clients` and `seconds`; yield the requests that play each game."""
    kinds = keen_games("forbidden-island", KINDS)
    count = clients + int(MOST * seconds / 100)
    proof = [] if service.token is None else [f"Authorization: Bearer {service.token}"]
    opened: list[list[bytes]] = []
    for game in itertools.islice(itertools.cycle(kinds), count):
        game_id = secrets.token_hex(13)
        service.store.events.open(game_id, game.events[:2], game.seed)
        opened.append(
            [
                post(f"/v1/games/{game_id}/events", draft, [f"Idempotency-Key: {game_id}-{number}", *proof])
                for number, draft in enumerate(game.drafts())
            ]
        )
    return iter(opened)


def round_trips(service: Service, pinning: Pinning) -> Iterator[Row]:
    """Yield the number of Redis round trips per append, and per rejected request."""
    game, other, *_ = deal(service, 0)
    per_append = _reads_for(service, game[:WARM], game[WARM : WARM + COUNTED])
    yield Row(
        what="Redis round trips per append",
        ours=f"{per_append:g}",
        goal=exactly(per_append, 1.0, "a request"),
        pinning=pinning.name,
    )
    path = other[0].split(b" ", 2)[1].decode()
    refused = [post(path, body, ["Idempotency-Key: again"]) for body in MALFORMED]
    per_refusal = _reads_for(service, other[:WARM], refused)
    yield Row(
        what="Redis round trips per malformed body",
        ours=f"{per_refusal:g}",
        goal=exactly(per_refusal, 0.0, "a request"),
        pinning=pinning.name,
    )


def _reads_for(service: Service, warm: list[bytes], counted: list[bytes]) -> float:
    """Send the requests `warm`, then `counted`, on one connection; return the Redis reads per request of `counted`."""
    reads: list[int] = []

    def requests() -> Iterator[bytes]:
        yield from warm
        reads.append(_reads(service))
        yield from counted
        reads.append(_reads(service))

    drive(service.address, [requests()], expected=(201, 400, 422))
    before, after = reads
    # Subtract the read of the second count itself.
    return (after - before - 1) / len(counted)


def _reads(service: Service) -> int:
    return int(service.store.client.info("stats")["total_reads_processed"])
