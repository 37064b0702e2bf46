"""Files that workers create and the API serves, even on different machines. Each file expires.

A file is stored in pieces. The keys of the pieces contain the id of the writing attempt, so two workers can write the
same file without mixing pieces. A file is visible once it is complete and published; the pieces of a failed attempt
expire.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

import msgspec

from store import keys
from store.documents import parser, readable_one
from store.redis import connection
from store.redis.connection import Client

KEPT_SECONDS = 24 * 60 * 60
"""Lifetime of a file in seconds."""
PIECE = 1 << 20
"""Bytes of a piece."""
_BATCH = 1000


class PublishedFile(msgspec.Struct, frozen=True):
    """A published file."""

    attempt: str
    pieces: int
    size: int
    """The length of the file in bytes."""
    about: dict[str, Any]
    """Metadata from the worker, as JSON."""


_parse = parser(PublishedFile, "a file")


class Writing:
    """A file that is being written, with the interface that `zipfile` needs."""

    def __init__(self, client: Client, name: str) -> None:
        self._client = client
        self._name = name
        self._attempt = uuid4().hex
        self._buffer = bytearray()
        self._pieces = 0
        self._size = 0

    def write(self, data: bytes) -> int:
        """Append data to the file."""
        self._buffer += data
        self._size += len(data)
        while len(self._buffer) >= PIECE:
            self._put(bytes(self._buffer[:PIECE]))
            del self._buffer[:PIECE]
        return len(data)

    def flush(self) -> None:
        """Do nothing: a piece is stored when it is full."""

    def publish(self, about: dict[str, Any], games: Sequence[str] = ()) -> PublishedFile:
        """Publish the file for `KEPT_SECONDS`, unless another attempt has done so; return the published file.

        Args:
            games: the games in the file; deleting one of them deletes the file.
        """
        self._put(bytes(self._buffer))
        file = PublishedFile(self._attempt, self._pieces, self._size, about)
        listed = keys.games_of(self._name)
        for first in range(0, len(games), _BATCH):
            connection.call(self._client, "SADD", listed, *games[first : first + _BATCH])
            connection.call(self._client, "EXPIRE", listed, 2 * KEPT_SECONDS)
        key = keys.file(self._name)
        document = msgspec.json.encode(file)
        connection.call(self._client, "SET", key, document, "NX", "EX", KEPT_SECONDS)
        published = readable_one(_parse, connection.call(self._client, "GET", key))
        if published is None:
            connection.call(self._client, "SET", key, document, "EX", KEPT_SECONDS)
        return published or file

    def _put(self, piece: bytes) -> None:
        key = keys.piece(self._name, self._attempt, self._pieces)
        # The pieces live longer than the file, so that a reader who finds the file finds its pieces.
        connection.call(self._client, "SET", key, piece, "EX", 2 * KEPT_SECONDS)
        self._pieces += 1


class Files:
    """All published files, each with a unique name."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def create(self, name: str) -> Writing:
        """Begin to write a file."""
        return Writing(self._client, name)

    def find(self, name: str) -> PublishedFile | None:
        """Return the file with that name; None if there is none, it has expired, or it is damaged."""
        return readable_one(_parse, connection.call(self._client, "GET", keys.file(name)))

    def drop(self, name: str) -> None:
        """Delete the file with that name, if there is one."""
        file = self.find(name)
        if file is not None:
            connection.call(self._client, "DEL", keys.file(name))
            connection.call(self._client, "DEL", keys.games_of(name))
            for number in range(file.pieces):
                connection.call(self._client, "DEL", keys.piece(name, file.attempt, number))

    def tells_of(self, name: str, game_ids: Sequence[str]) -> bool:
        """Return True if the file with this name contains any of these games."""
        listed = keys.games_of(name)
        return bool(game_ids) and any(connection.call(self._client, "SMISMEMBER", listed, *game_ids))

    def forget(self, game_id: str) -> None:
        """Delete the files that contain a game. This scans all files."""
        for listed in connection.scan(self._client, keys.GAMES_OF_FILES_PATTERN):
            if connection.call(self._client, "SISMEMBER", listed, game_id):
                self.drop(keys.file_of(listed))

    def read(self, name: str, file: PublishedFile, first: int = 0, end: int | None = None) -> Iterator[bytes]:
        """Yield the pieces of a file, each read on demand.

        Args:
            first: the first byte.
            end: the byte after the last (default: the end of the file).
        """
        end = file.size if end is None else end
        for number in range(first // PIECE, file.pieces):
            place = number * PIECE
            if number and place >= end:
                break
            piece = connection.call(self._client, "GET", keys.piece(name, file.attempt, number))
            is_all = first <= place and end >= min(place + PIECE, file.size)
            yield piece if is_all else piece[max(0, first - place) : end - place]
