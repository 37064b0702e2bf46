"""Mixed seeds: several devices and the service each contribute, so that nobody can choose or predict the seed."""

from __future__ import annotations

from typing import Any

from engine.core.errors import EngineError, Malformed
from engine.core.events import ChanceKind
from engine.core.language import say
from engine.kit.chance import seed_commitment
from service.errors import ShareRejected, UnknownMix
from service.opening import OpenedGame, new_id, open_record
from store import Store
from store.errors import QuotaExceeded
from store.log.idempotency import IdempotencyKey
from store.work.mixes import Mix


def find(store: Store, mix_id: str) -> Mix:
    """Return the mix with that id; raise `UnknownMix` if there is none, or it has expired."""
    mix = store.mixes.find(mix_id)
    if mix is None:
        raise UnknownMix
    return mix


def take(store: Store, mix_id: str, commitment: str, share: str | None) -> Mix:
    """Commit to a share of a seed, or reveal the share once all devices have committed.

    A repeated call changes nothing.

    Args:
        commitment: the SHA-256 of the share.
        share: the share to reveal; None to commit only.

    Raises:
        Malformed: the share does not match the commitment.
        ShareRejected: all shares are already committed, or some are not committed yet.
    """
    mix = find(store, mix_id)
    if share is not None and seed_commitment(share) != commitment:
        raise Malformed(
            "/share",
            say(
                "the SHA-256 hash of this share differs from the commitment in the address: "
                "send the share that you committed to"
            ),
        )
    if commitment == mix.commitments[0]:
        raise ShareRejected(say("This is the service's own commitment. Choose a share of your own."))
    answer = store.mixes.take(mix_id, commitment, share or "")
    if answer == "full":
        raise ShareRejected(
            say("All {number} shares of this seed are already committed. Start a new seed.", number=mix.size)
        )
    if answer == "early":
        raise ShareRejected(say("Wait until all {number} shares are committed. Then reveal yours.", number=mix.size))
    return find(store, mix_id)


def open_mixed(
    store: Store, mix_id: str, *, chance: ChanceKind, key: IdempotencyKey | None = None, **record: Any
) -> OpenedGame:
    """Open a game with a mixed seed; each mix opens one game only.

    Args:
        record: the parameters of `open_record`.

    Raises:
        Malformed: the mix is unknown, incomplete or used, or the request names another source of chance.
    """
    if chance != "seeded":
        raise Malformed("/seed_mix", say("an observed game has no seed: omit it"))
    if record.get("seed") is not None:
        raise Malformed("/seed", say("the seed of this game comes from `seed_mix`: omit `seed`"))
    record |= {"chance": chance, "key": key}
    game_id = new_id()
    if key is not None:
        game_id = store.events.claim(key, game_id)
        if store.events.exists(game_id):
            # A repeated request gets the first response again, which needs no seed.
            return open_record(store, **record)
    mix = store.mixes.find(mix_id)
    if mix is None:
        raise Malformed("/seed_mix", say("there is no such seed, or it has expired"))
    if not mix.is_complete:
        raise Malformed(
            "/seed_mix",
            say(
                "only {number} of {of} shares are revealed: wait for the others", number=mix.revealed_count, of=mix.size
            ),
        )
    if not store.mixes.use(mix_id, game_id):
        raise Malformed("/seed_mix", say("another game already uses this seed: mix a new one"))
    try:
        return open_record(store, **{**record, "seed": mix.seed}, seed_shares=mix.commitments, game_id=game_id)
    except (EngineError, QuotaExceeded):
        store.mixes.release(mix_id)
        raise
