"""Mixed seeds: each device commits to a share before any share is revealed.

After the game is opened, this data is no longer needed: the game's log has the commitments and, at the end, the shares.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import Literal

import msgspec

from engine.kit.chance import mixed_seed, seed_commitment
from schemas.times import rfc3339
from store import keys
from store.documents import decode_text
from store.errors import Corrupt
from store.redis import connection
from store.redis.connection import Client, Script
from store.work.scripts import TAKE_SHARE, USE_MIX

LIFETIME = timedelta(hours=6)
ID_BYTES = 16
SHARE_BYTES = 32
COMMITMENT_DIGITS = 64

Answer = Literal["taken", "unknown", "full", "early"]


class Mix(msgspec.Struct, frozen=True):
    """A seed that is being mixed."""

    id: str
    size: int
    """Number of devices that contribute, besides the service."""
    until: str
    """The expiry, RFC 3339."""
    service: str
    """The share of the service, secret until the game ends."""
    shares: dict[str, str]
    """Maps each commitment to its share, which is empty until it is revealed."""
    game: str | None = None
    """The id of the game that was opened with the seed."""

    @property
    def commitments(self) -> list[str]:
        """The commitments in the order of event 1 of the game: the service's, then the others in ascending order."""
        return [seed_commitment(self.service), *sorted(self.shares)]

    @property
    def revealed_count(self) -> int:
        """The number of revealed shares. The service's share does not count."""
        return sum(1 for share in self.shares.values() if share)

    @property
    def is_complete(self) -> bool:
        """True if every share is revealed."""
        return self.revealed_count == self.size

    @property
    def seed(self) -> str:
        """The seed; only valid once all shares are revealed."""
        return mixed_seed(self.service, self.shares.values())


class Mixes:
    """All seeds that are being mixed."""

    def __init__(self, client: Client, replicas: int = 0) -> None:
        self._client = client
        self._replicas = replicas
        self._take = Script(client, TAKE_SHARE)
        self._use = Script(client, USE_MIX)

    def begin(self, size: int) -> Mix:
        """Begin a mixed seed of `size` shares, plus the service's own share, to which the service commits at once."""
        until = datetime.now(UTC) + LIFETIME
        mix = Mix(secrets.token_hex(ID_BYTES), size, rfc3339(until), secrets.token_hex(SHARE_BYTES), {})
        name = keys.mix(mix.id)
        connection.call(self._client, "HSET", name, "size", size, "until", mix.until, "service", mix.service)
        connection.call(self._client, "EXPIREAT", name, int(until.timestamp()))
        return mix

    def find(self, id_: str) -> Mix | None:
        """Return the mix with that id; None if there is none, or it has expired."""
        found = connection.call(self._client, "HGETALL", keys.mix(id_))
        if not found:
            return None
        try:
            fields = {decode_text(name): decode_text(value) for name, value in found.items()}
            shares = {name: share for name, share in fields.items() if len(name) == COMMITMENT_DIGITS}
            return Mix(id_, int(fields["size"]), fields["until"], fields["service"], shares, fields.get("game"))
        except (KeyError, ValueError) as error:
            raise Corrupt("a mixed seed cannot be parsed") from error

    def take(self, id_: str, commitment: str, share: str = "") -> Answer:
        """Commit to a share. If `share` is given, reveal it.

        Returns:
            `full` if all other shares are committed already, `early` if some share is not committed yet.
        """
        answer, reached = self._take.run_replicated([keys.mix(id_)], [commitment, share], self._replicas)
        if answer == b"taken":
            connection.require(reached, self._replicas)
        told: Answer = answer.decode()
        return told

    def use(self, id_: str, game_id: str) -> bool:
        """Assign the mix to a game; return False if another game has it, or it has expired."""
        owner, reached = self._use.run_replicated([keys.mix(id_)], [game_id], self._replicas)
        if owner != game_id.encode():
            return False
        connection.require(reached, self._replicas)
        return True

    def release(self, id_: str) -> None:
        """Release the mix, because its game was not opened."""
        connection.call(self._client, "HDEL", keys.mix(id_), "game")
