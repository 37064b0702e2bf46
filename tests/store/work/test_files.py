"""Files: written in pieces, visible once they are complete, deleted after a while."""

from __future__ import annotations

import pytest

from store import Store, keys
from store.errors import StoreUnavailable
from store.redis import connection
from store.work import files
from tests.workers.conftest import GONE


def read(store: Store, name: str) -> bytes:
    file = store.files.find(name)
    assert file is not None
    return b"".join(store.files.read(name, file))


@pytest.mark.parametrize("size", [0, 3, 8, 9, 30])
def test_a_file_is_read_as_it_was_written(store: Store, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(files, "PIECE", 8)
    data = bytes(range(size))
    writing = store.files.create("f")
    assert [writing.write(data[:5]), writing.write(data[5:])] == [min(size, 5), max(size - 5, 0)]
    assert store.files.find("f") is None
    file = writing.publish({"games": 1})

    assert (file.size, file.about) == (size, {"games": 1})
    assert store.files.find("f") == file
    assert read(store, "f") == data


def test_of_two_attempts_the_first_to_be_whole_stays(store: Store) -> None:
    one, other = store.files.create("f"), store.files.create("f")
    one.write(b"one")
    other.write(b"other")
    published = other.publish({})

    assert one.publish({}) == published
    assert read(store, "f") == b"other"


def test_a_damaged_file_is_written_again(store: Store) -> None:
    connection.call(store.client, "SET", keys.file("f"), "{")
    assert store.files.find("f") is None
    writing = store.files.create("f")
    writing.write(b"data")
    assert writing.publish({}) == store.files.find("f")
    assert read(store, "f") == b"data"


def test_a_file_goes_after_a_while_and_its_pieces_later(store: Store) -> None:
    writing = store.files.create("f")
    writing.write(b"data")
    file = writing.publish({})
    about = connection.call(store.client, "TTL", keys.file("f"))
    piece = connection.call(store.client, "TTL", keys.piece("f", file.attempt, 0))

    assert 0 < about <= files.KEPT_SECONDS < piece <= 2 * files.KEPT_SECONDS


def test_without_a_store_there_is_no_file() -> None:
    with pytest.raises(StoreUnavailable):
        Store.connect(GONE).files.create("f").publish({})
