"""Files that workers make and the API hands out, wherever either of them runs; each is kept for a while and then goes.

A file comes in pieces, under keys of the attempt that writes it, so that two workers who make the same file do not mix
theirs. It is there once it is published, whole; an attempt that dies leaves pieces that go by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

import msgspec

from store import keys
from store.redis import connection
from store.redis.connection import Client

KEPT_SECONDS = 24 * 60 * 60
"""How long a file is there after it was made."""
PIECE = 1 << 20
"""Bytes."""
_BATCH = 1000


class File(msgspec.Struct, frozen=True):
    """One that is there."""

    attempt: str
    pieces: int
    size: int
    """Bytes."""
    about: dict[str, Any]
    """What its maker says of it, as JSON."""


_FILE = msgspec.json.Decoder(File)


class Writing:
    """A file that is being written: something that can be written to, as `zipfile` wants it."""

    def __init__(self, client: Client, name: str) -> None:
        self._client = client
        self._name = name
        self._attempt = uuid4().hex
        self._buffer = bytearray()
        self._pieces = 0
        self._size = 0

    def write(self, data: bytes) -> int:
        """Add to the file.

        Raises:
            StoreUnavailable: Redis does not answer, or has no room.
        """
        self._buffer += data
        self._size += len(data)
        while len(self._buffer) >= PIECE:
            self._put(bytes(self._buffer[:PIECE]))
            del self._buffer[:PIECE]
        return len(data)

    def flush(self) -> None:
        """Nothing: a piece is sent when it is full."""

    def publish(self, about: dict[str, Any], games: Sequence[str] = ()) -> File:
        """Have the file be there, for `KEPT_SECONDS`; where another attempt was faster, that one's stays.

        Args:
            games: the games that it tells of: with one of them it goes.

        Returns:
            The file that is there.
        """
        self._put(bytes(self._buffer))
        file = File(self._attempt, self._pieces, self._size, about)
        listed = keys.games_of(self._name)
        for first in range(0, len(games), _BATCH):
            connection.call(self._client, "SADD", listed, *games[first : first + _BATCH])
            connection.call(self._client, "EXPIRE", listed, 2 * KEPT_SECONDS)
        key = keys.file(self._name)
        connection.call(self._client, "SET", key, msgspec.json.encode(file), "NX", "EX", KEPT_SECONDS)
        return _FILE.decode(connection.call(self._client, "GET", key))

    def _put(self, piece: bytes) -> None:
        key = keys.piece(self._name, self._attempt, self._pieces)
        # Longer than the file, so that nobody is told of one whose pieces are going.
        connection.call(self._client, "SET", key, piece, "EX", 2 * KEPT_SECONDS)
        self._pieces += 1


class Files:
    """All files, each by a name of its own."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def create(self, name: str) -> Writing:
        """Begin a file."""
        return Writing(self._client, name)

    def find(self, name: str) -> File | None:
        """The file of that name; None where there is none, or none any more."""
        document = connection.call(self._client, "GET", keys.file(name))
        return None if document is None else _FILE.decode(document)

    def drop(self, name: str) -> None:
        """Have the file of that name be gone, if there is one."""
        file = self.find(name)
        if file is not None:
            connection.call(self._client, "DEL", keys.file(name))
            connection.call(self._client, "DEL", keys.games_of(name))
            for number in range(file.pieces):
                connection.call(self._client, "DEL", keys.piece(name, file.attempt, number))

    def tells_of(self, name: str, game_ids: Sequence[str]) -> bool:
        """Whether the file of that name tells of any of those games."""
        listed = keys.games_of(name)
        return bool(game_ids) and any(connection.call(self._client, "SMISMEMBER", listed, *game_ids))

    def forget(self, game_id: str) -> None:
        """Have the files that tell of a game be gone. All that are there are looked through."""
        for listed in connection.scan(self._client, keys.GAMES_OF_FILES_PATTERN):
            if connection.call(self._client, "SISMEMBER", listed, game_id):
                self.drop(keys.file_of(listed))

    def read(self, name: str, file: File, first: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Its pieces, each when it is asked for.

        Args:
            first: the byte to begin with.
            end: the byte before which it ends (default: the end of the file).

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        end = file.size if end is None else end
        for number in range(first // PIECE, file.pieces):
            place = number * PIECE
            if number and place >= end:
                break
            piece = connection.call(self._client, "GET", keys.piece(name, file.attempt, number))
            is_all = first <= place and end >= min(place + PIECE, file.size)
            yield piece if is_all else piece[max(0, first - place) : end - place]
