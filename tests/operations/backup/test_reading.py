"""A file that is incomplete, changed, foreign or malicious is refused, with the reason."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from operations.backup import lines, restoring
from operations.backup.lines import BackupHeader, DeletedLine, Key, NotABackup, Writer
from operations.backup.restoring import BackupTooLarge
from proofs.keys import PrivateKey
from store import Store, keys
from tests.operations.backup.files import (
    ENDED,
    LONG,
    SEEDED,
    examine_data,
    fill,
    forge_backup,
    make_backup,
    read_lines,
    write_lines,
)

GONE = "01kaj5x9f3q8w7e2r4t6y8v0r1"


@pytest.fixture
def backup(store: Store, tmp_path: Path) -> Path:
    """A complete backup."""
    fill(store)
    return make_backup(store, tmp_path / "backup")


def refusal_reason(path: Path, trusted: list[PrivateKey] | None = None, room: int | None = None) -> str:
    """Return the reason why a file is refused."""
    believed = None if trusted is None else [key.public for key in trusted]
    with pytest.raises((NotABackup, BackupTooLarge)) as caught:
        restoring.examine(path, believed, room=room)
    return str(caught.value)


def zip_file() -> bytes:
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
        archive.writestr("a", "b")
    return file.getvalue()


ELSE = {
    "nothing": b"",
    "a beginning of gzip": b"\x1f\x8b",
    "half of that": b"\x1f",
    "json": b"{}",
    "noise": bytes(range(255, 0, -1)),
    "a zip": zip_file(),
    "nothing in gzip": gzip.compress(b""),
    "text in gzip": gzip.compress(b"a tar\n" * 9),
}


@pytest.mark.parametrize("data", ELSE.values(), ids=ELSE)
def test_what_is_something_else(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    told = refusal_reason(path)
    assert "not a backup of Driftlog" in told or "is incomplete" in told


@pytest.mark.parametrize(
    "line", [b'{"is":"game"}\n', b"[" * 100_000 + b"\n", b'"backup"\n', b"\xff\n", b'{"is":"backup"\n']
)
def test_what_begins_as_no_backup_does(tmp_path: Path, line: bytes) -> None:
    assert refusal_reason(write_lines(tmp_path / "file", [line])) == "it is not a backup of Driftlog"


def test_one_of_another_format(tmp_path: Path) -> None:
    line = b'{"is":"backup","driftlog":"9.1","format":2,"made_at":"","more":1}\n'
    told = refusal_reason(write_lines(tmp_path / "file", [line]))
    assert told == "its format is 2, but this version of Driftlog reads only 1: use Driftlog '9.1', which made it"


def test_one_that_was_cut_off_anywhere(backup: Path) -> None:
    data = backup.read_bytes()
    for end in range(2, len(data), max(1, len(data) // 100)):
        with pytest.raises(NotABackup):
            examine_data(data[:end])
    content = read_lines(backup)
    for count in range(1, len(content), len(content) // 25):
        with pytest.raises(NotABackup, match="incomplete: its last line, the seal, is missing"):
            examine_data(gzip.compress(b"".join(content[:count])))
    with pytest.raises(NotABackup, match="incomplete"):
        examine_data(gzip.compress(b"".join(content)[:-1]))


def test_one_in_which_a_bit_was_flipped_anywhere(backup: Path) -> None:
    data = backup.read_bytes()
    for at in range(0, len(data), max(1, len(data) // 100)):
        changed = bytearray(data)
        changed[at] ^= 1 << at % 8
        # A gzip header contains a time and a system that nobody reads.
        if at not in (4, 5, 6, 7, 8, 9):
            with pytest.raises(NotABackup):
                examine_data(bytes(changed))


def test_one_that_was_unpacked_changed_and_packed_again(backup: Path) -> None:
    content = read_lines(backup)
    for number in range(0, len(content), len(content) // 25):
        line = content[number]
        changed = [*content[:number], line.replace(b"1", b"2", 1).replace(b"a", b"b", 1), *content[number + 1 :]]
        if changed != content:
            with pytest.raises(NotABackup):
                examine_data(gzip.compress(b"".join(changed)))
    for wrong in (content[:3] + content[4:], [*content[:3], content[4], content[3], *content[5:]], [*content, b"{}\n"]):
        with pytest.raises(NotABackup):
            examine_data(gzip.compress(b"".join(wrong)))


def test_one_line_that_unpacks_to_more_than_a_line_has(tmp_path: Path) -> None:
    begin = b'{"is":"backup","driftlog":"1","format":1,"made_at":""}\n'
    bomb = write_lines(tmp_path / "file", [begin, b"[" + bytes(lines.LONGEST)])
    assert bomb.stat().st_size < lines.LONGEST // 500
    assert refusal_reason(bomb) == "it is not a backup of Driftlog: line 2 is longer than 64 MiB"


def test_one_that_unpacks_to_more_than_the_store_has_room_for(backup: Path) -> None:
    assert refusal_reason(backup, room=10_000) == "the unpacked backup is larger than the memory of the store (0 MiB)"
    assert restoring.in_words(2 << 30) == "2.0 GiB"


Change = Callable[[list[bytes]], list[bytes]]


def key_line(name: str, type_: str = "hash", *values: bytes) -> bytes:
    return msgspec.json.encode(Key(name=name, type=type_, values=list(values))) + b"\n"  # type: ignore[arg-type]


def with_key(name: str, type_: str = "hash", *values: bytes) -> Change:
    """One more key after the last game."""
    return lambda content: [*content[:-1], key_line(name, type_, *(values or (b"a", b"b"))), content[-1]]


def with_tombstone(game_id: str) -> Change:
    """One more tombstone of a deleted game after the last game."""
    line = msgspec.json.encode(DeletedLine(id=game_id, version=3, head="0" * 64, at="2026-11-22T20:00:00.000Z")) + b"\n"
    return lambda content: [*content[:-1], line, content[-1]]


def replace_in_line(old: bytes, new: bytes) -> Change:
    def change(content: list[bytes]) -> list[bytes]:
        number = next(number for number, line in enumerate(content) if old in line)
        return [*content[:number], content[number].replace(old, new, 1), *content[number + 1 :]]

    return change


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            replace_in_line(b'["set_up"', b'["left_out"'),
            "at event 2: the hash does not match the contents of the event",
        ),
        (replace_in_line(b'"seed":"seed-4"', b'"seed":"seed-5"'), "the stored seed does not match"),
        (replace_in_line(b'"head":"', b'"head":"' + b"0" * 8), "is not a line of a backup"),
        (lambda content: [*content, content[0]], "it contains a second header"),
        (lambda content: [content[0], *content[1:], *content[1:]], "contains game"),
        (with_key("{jobs}:documents"), "is not allowed at this place of a backup"),
        (with_key("session:1"), "is not allowed at this place of a backup"),
        (with_key(keys.events(LONG)), "is not allowed at this place of a backup"),
        (with_key(keys.meta(LONG)), "is not allowed at this place of a backup"),
        (
            with_key(keys.DELETED, "set", LONG.encode()),
            f"contains game {LONG}, but also says that this game was deleted",
        ),
        (with_tombstone(LONG), f"it contains game {LONG} twice"),
        (lambda content: with_tombstone(GONE)(with_tombstone(GONE)(content)), f"it contains game {GONE} twice"),
        (
            lambda content: with_key(keys.audits(LONG))(with_tombstone(GONE)(content)),
            "not allowed at this place of a backup",
        ),
        (replace_in_line(b'"more":{', b'"more":{"gone_v":"MQ==",'), "it describes game"),
        (replace_in_line(b'"more":{', b'"more":{},"more":{'), "has a duplicate member"),
        (replace_in_line(b'"more":{"', b'"more":{"bytes":"MQ==","'), "has a duplicate member"),
        (replace_in_line(b'{"is":"game",', b'{"is":"game", '), "is not canonical"),
        (replace_in_line(b'"more":{', b'"more":{"v":"MQ==",'), "it describes game"),
        (with_key(keys.idempotency("01kaj5x9f3q8w7e2r4t6y8v0r0")), "is not allowed at this place of a backup"),
        (with_key(keys.SHARES, "list"), "is not allowed at this place of a backup"),
        (with_key(keys.SHARES, "hash", b"a"), "is incomplete"),
        (with_key(keys.idempotency(LONG), "hash", b"a", b"123456" + b"1:99999"), "refers to events that are missing"),
        (with_key(keys.idempotency(LONG), "hash", b"a", b"nonsense"), "cannot be read"),
        (with_key(keys.SIGNING, "list", b"nonsense"), "a signing key cannot be read"),
        (
            lambda content: [line for line in content if b"{signing}:ring" not in line],
            "not sealed with a key of the service",
        ),
        (lambda content: [*content[:1], b"[1,2]\n", *content[1:]], "is not a line of a backup"),
        (lambda content: [*content[:2], b'[["a"],"00"]\n', *content[3:]], "event 1 of game"),
    ],
)
def test_a_forged_one_that_is_sealed_by_the_services_own_key(
    store: Store, backup: Path, tmp_path: Path, change: Change, why: str
) -> None:
    forged = forge_backup(tmp_path / "forged", change(read_lines(backup)[:-1]), store.signing.active())
    assert why in refusal_reason(forged)


def test_one_whose_games_do_not_end_where_they_say(store: Store, backup: Path, tmp_path: Path) -> None:
    content = read_lines(backup)[:-1]
    heads = [msgspec.json.decode(line)["head"].encode() for line in content if line.startswith(b'{"is":"game"')]
    forged = forge_backup(tmp_path / "forged", replace_in_line(heads[0], heads[1])(content), store.signing.active())
    assert "its last event does not match the head of the game" in refusal_reason(forged)


def test_one_that_is_sealed_by_another_key(store: Store, backup: Path, tmp_path: Path) -> None:
    other, content = PrivateKey.new(), read_lines(backup)[:-1]
    assert "not sealed with a key of the service" in refusal_reason(forge_backup(tmp_path / "forged", content, other))
    assert "its seal is not valid" in refusal_reason(backup, trusted=[other])
    assert restoring.examine(backup, [store.signing.active().public]).key == store.signing.active().public


def test_a_seal_that_says_something_else(store: Store, backup: Path, tmp_path: Path) -> None:
    content = read_lines(backup)[:-1]
    key = store.signing.active()
    envelope = lines.dsse.sign(lines.PAYLOAD_TYPE, b'{"format":"another"}', key)
    line = msgspec.json.encode(lines.Seal(envelope=envelope)) + b"\n"
    assert "its seal cannot be read" in refusal_reason(write_lines(tmp_path / "forged", [*content, line]))
    assert "it has data after its seal" in refusal_reason(write_lines(tmp_path / "longer", [*read_lines(backup), b" "]))


def test_a_key_of_many_values_takes_many_lines() -> None:
    file = io.BytesIO()
    writer = Writer(file, BackupHeader(driftlog="test", format=1, made_at="now"))
    values = [b"%d" % number * 1000 for number in range(2000)]
    writer.key(Key(name="{shares}:links", type="hash", values=values))
    writer.seal(PrivateKey.new())
    found = [item for item in _items(file) if isinstance(item, Key)]
    assert len(found) > 3
    assert all(len(item.values) % 2 == 0 for item in found)
    assert [value for item in found for value in item.values] == values


def test_a_value_that_is_longer_than_a_line() -> None:
    writer = Writer(io.BytesIO(), BackupHeader(driftlog="test", format=1, made_at="now"))
    with pytest.raises(ValueError, match="has a value of more than 64 MiB"):
        writer.key(Key(name="{shares}:links", type="string", values=[bytes(lines.LONGEST)]))


def _items(file: io.BytesIO) -> Iterator[lines.Item]:
    file.seek(0)
    return lines.read(file)


def test_ids_of_the_games_in_it(backup: Path) -> None:
    found = [item.id for item in _items(io.BytesIO(backup.read_bytes())) if isinstance(item, lines.GameLine)]
    assert found == [ENDED, SEEDED, LONG]
