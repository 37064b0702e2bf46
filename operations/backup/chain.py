"""Check the events of a game against their hashes, page by page, when a backup is written or read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from engine.core.events import GENESIS
from operations.backup import families
from operations.backup.lines import (
    OF_LOG,
    OF_TOMBSTONE,
    Contents,
    DeletedLine,
    EventPage,
    GameLine,
    Item,
    Key,
    NotABackup,
)
from store import keys
from store.access.signing import public_keys
from store.errors import Corrupt, Damaged
from store.log import codec
from store.log.codec import Entry
from store.log.idempotency import StoredResult


class HashChain:
    """The hash chain of a game, which is checked from event 1 on."""

    def __init__(self, game: GameLine) -> None:
        self._game = game
        self._seq = 0
        self._prev = GENESIS

    def add(self, entries: list[Entry]) -> None:
        """Add the next events.

        Raises:
            Damaged: an event is missing, cannot be read, or does not match its hash.
        """
        rows = codec.decode_sound(entries, self._seq + 1, self._prev)
        if self._seq == 0:
            self._check_seed(rows[0].params.get("seed_commitment"))
        self._seq, self._prev = self._seq + len(rows), codec.hash_of(entries[-1])

    def close(self) -> None:
        """Check that all events were added.

        Raises:
            Damaged: an event is missing, or the last event does not match the head.
        """
        if self._seq != self._game.version:
            raise Damaged(self._seq + 1, "the event is missing")
        if self._prev != self._game.head:
            raise Damaged(self._seq, "its last event does not match the head of the game")

    def _check_seed(self, commitment: object) -> None:
        seed = self._game.seed
        if seed is not None and hashlib.sha256(seed.encode()).hexdigest() != commitment:
            raise Damaged(1, "the stored seed does not match the game's commitment")


def verify(items: Iterable[Item]) -> Iterator[Item]:
    """Check each item, then yield it. Events are checked against their hashes, keys by their position in the file.

    Raises:
        NotABackup: an item is invalid.
    """
    checks = _Checks()
    for item in items:
        try:
            checks.hold(item)
        except Corrupt as error:
            where = "" if checks.game is None else f"game {checks.game.id}: "
            raise NotABackup(f"{where}{error}") from None
        yield item


class _Checks:
    """Checks the items of a backup one by one, and remembers what later checks need."""

    def __init__(self) -> None:
        self.game: GameLine | None = None
        self._chain: HashChain | None = None
        self._ring: list[bytes] = []
        self._games: set[str] = set()
        self._tombstones: set[str] = set()
        self._deleted: set[str] = set()

    def hold(self, item: Item) -> None:
        """Check the next item.

        Raises:
            NotABackup, Corrupt: the item is invalid.
        """
        match item:
            case GameLine():
                if not item.more.keys().isdisjoint((*OF_LOG, *OF_TOMBSTONE)):
                    raise NotABackup(f"it describes game {item.id} twice")
                self._see(item.id, self._games)
                self.game, self._chain = item, HashChain(item)
            case EventPage():
                assert self.game is not None
                assert self._chain is not None
                self._chain.add(item.entries)
                if codec.seq_of(item.entries[-1]) == self.game.version:
                    self._chain.close()
            case DeletedLine():
                self._see(item.id, self._tombstones)
                self.game = None
            case Key():
                check_key(item, self.game)
                self._remember(item)
            case Contents() if item.key not in public_keys(self._ring):
                raise NotABackup("this backup was not sealed with a key of the service that created it")
            case Contents() if both := self._games & self._deleted:
                raise NotABackup(f"it contains game {min(both)}, but also says that this game was deleted")

    def _remember(self, key: Key) -> None:
        if key.name == keys.SIGNING:
            self._ring += key.values
        if key.name == keys.DELETED:
            self._deleted |= {value.decode(errors="replace") for value in key.values}

    def _see(self, game_id: str, among: set[str]) -> None:
        if game_id in self._games or game_id in self._tombstones:
            raise NotABackup(f"it contains game {game_id} twice")
        among.add(game_id)


def check_key(key: Key, game: GameLine | None) -> None:
    """Check that a key can be restored.

    Args:
        game: the game that the key belongs to; None if all games share the key.

    Raises:
        NotABackup: the key has the wrong type, or a value that cannot be read.
    """
    family = families.of_library(key.name)
    if family is None and game is not None and key.name in families.companion_keys(game.id):
        family = families.family_of(key.name)
    if family is None or family.type != key.type:
        raise NotABackup(f"{key.name!r}, a {key.type}, is not allowed at this place of a backup")
    if not key.values or (key.type in ("hash", "zset") and len(key.values) % 2):
        raise NotABackup(f"{key.name} is incomplete")
    try:
        if key.type == "zset":
            list(map(float, key.values[1::2]))
        if game is not None and key.name == keys.idempotency(game.id):
            for told in key.values[1::2]:
                if StoredResult.of_field(told).parts[-1][1] > game.version:
                    raise NotABackup(f"{key.name} refers to events that are missing")
    except (ValueError, IndexError, Corrupt) as error:
        raise NotABackup(f"{key.name} cannot be read: {error}") from None
