"""Logged plays are listed and counted by person, like games, and keep their recorded names."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from engine.core.plays import PastPlay, PlayPart
from operations import doctor
from service import figures
from store import Store, keys
from store.errors import QuotaExceeded
from store.library import plays
from store.library.aliases import Alias
from store.library.plays import WantedPlays
from store.redis import connection
from tests.operations.backup.files import ENDED, make_backup, restore_backup
from tests.playouts import playout
from tests.store.library.lists import everything, players

AT = "2026-11-22T20:00:00.000Z"


def play(number: int, *names: str, won: bool = True) -> PastPlay:
    """Return a new play, one day after the previous one."""
    return PastPlay(
        id=f"00000000-0000-4000-8000-{number:012}",
        ruleset="forbidden-island",
        result="won" if won else "lost",
        parts=tuple(PlayPart(name=name, role="", has_won=won, has_begun=False) for name in names),
        played_at=f"2024-02-{number:02}T19:04:11Z",
        minutes=30,
        place="Home",
        variant="",
        comments="The pilot was late.",
    )


@pytest.fixture
def mixed(store: Store) -> Store:
    """A game of Ada, Bo and Cleo, and three plays."""
    store.events.open(ENDED, playout(seed=0, seats=3), None)
    store.projections.project(ENDED)
    for one in (play(1, "Ada", "Dora"), play(2, "Ada L.", "Dora", won=False), play(3, "ADA L.", "Bo")):
        assert store.plays.take(one) == "imported"
    return store


def say(store: Store, name: str, person: str) -> None:
    store.aliases.declare(Alias(name, person, AT))
    assert not store.projections.relist(100)


def withdraw(store: Store, name: str) -> None:
    assert store.aliases.withdraw(name)
    assert not store.projections.relist(100)


def days(store: Store, player: str) -> list[str]:
    return [one.played_at[8:10] for one in store.plays.page(WantedPlays(player=player))[0]]


def is_well(store: Store) -> bool:
    told = {finding.check: finding.level for finding in doctor.examine(store, None)}
    return told["plays"] == told["indexes"] == "ok"


def test_the_names_of_one_player_are_one_in_games_and_plays(mixed: Store) -> None:
    before = everything(mixed)
    say(mixed, "Ada L.", "Ada")
    assert players(mixed) == [("Ada", 4), ("Bo", 2), ("Cleo", 1), ("Dora", 2)]
    assert days(mixed, "ada l.") == days(mixed, "Ada") == ["03", "02", "01"]
    assert mixed.projections.tally("player", "Ada L.") == mixed.projections.tally("player", "Ada")
    told = figures.of_player(mixed, "Ada L.")
    assert told is not None
    assert told.name == "Ada"
    partners = {share.value: share.games for share in told.partners}
    assert (partners["dora"], partners["bo"]) == (2, 2)
    assert is_well(mixed)
    withdraw(mixed, "ADA L.")
    assert everything(mixed) == before
    assert is_well(mixed)


def test_a_person_is_told_of_who_is_written_nowhere(mixed: Store) -> None:
    say(mixed, "Ada L.", "Mia")
    assert ("Mia", 2) in players(mixed)
    assert mixed.projections.latest_spellings(["mia"]) == {"mia": "Mia"}
    told = figures.of_player(mixed, "Ada L.")
    assert told is not None
    assert (told.name, told.games, told.streak) == ("Mia", 2, figures.Streak("won", 1))
    say(mixed, "Mia", "Cleo")
    assert days(mixed, "Cleo") == ["03", "02"]
    assert ("Cleo", 3) in players(mixed)
    assert is_well(mixed)


def test_what_is_written_stays(mixed: Store) -> None:
    say(mixed, "Ada L.", "Ada")
    kept = mixed.plays.get(play(3).id)
    assert kept == play(3, "ADA L.", "Bo")


def test_a_play_that_comes_later_is_listed_by_what_is_said(mixed: Store) -> None:
    say(mixed, "Eve", "Dora")
    mixed.plays.take(play(4, "Eve", "Dora"))
    assert days(mixed, "Dora") == ["04", "02", "01"]
    changed = play(4, "Bo", "Cleo")
    assert mixed.plays.take(changed) == "changed"
    assert days(mixed, "Dora") == ["02", "01"]
    assert mixed.plays.take_out(changed.id)
    assert days(mixed, "Bo") == ["03"]
    assert is_well(mixed)


def test_a_play_is_taken_out_from_where_it_is_listed(mixed: Store) -> None:
    before = everything(mixed)
    say(mixed, "Eve", "Dora")
    mixed.plays.take(play(4, "Eve", "Bo"))
    mixed.plays.take_out(play(4).id)
    assert everything(mixed) == before
    assert mixed.plays.take(play(4, "Eve", "Bo")) == "taken_out"


def test_what_is_said_while_a_play_is_listed_is_listed_so(mixed: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    people, waiting = mixed.aliases.people, [Alias("Eve", "Dora", AT)]

    def meanwhile() -> object:
        told = people()
        if waiting:
            Store(mixed.client).aliases.declare(waiting.pop())
        return told

    monkeypatch.setattr(mixed.aliases, "people", meanwhile)
    mixed.plays.take(play(4, "Eve", "Bo"))
    assert days(mixed, "Dora") == ["04", "02", "01"]
    assert is_well(mixed)


def test_a_play_that_changes_while_it_is_listed_is_listed_as_it_is(
    mixed: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    people, waiting = mixed.aliases.people, [play(4, "Dora", "Bo")]

    def meanwhile() -> object:
        told = people()
        if waiting:
            # An alias that arrives during the change of a name is listed afterwards.
            changed = msgspec.json.encode(waiting.pop())
            connection.call(mixed.client, "HSET", keys.PLAYS, play(4).id, changed)
        return told

    monkeypatch.setattr(mixed.aliases, "people", meanwhile)
    mixed.plays.take(play(4, "Eve", "Bo"))
    assert (days(mixed, "Eve"), days(mixed, "Dora")) == ([], ["04", "02", "01"])
    assert is_well(mixed)


def test_many_are_listed_anew_bit_by_bit(mixed: Store) -> None:
    mixed.aliases.declare(Alias("Ada L.", "Ada", AT))
    assert mixed.projections.is_unlisted()
    assert mixed.projections.relist(1)
    assert not mixed.projections.relist(1)
    assert not mixed.projections.is_unlisted()
    assert days(mixed, "Ada") == ["03", "02", "01"]


def test_all_of_it_can_be_made_again(mixed: Store) -> None:
    say(mixed, "Ada L.", "Ada")
    before = everything(mixed)
    mixed.projections.rebuild()
    assert everything(mixed) == before


def test_a_restore_lists_them_by_who_is_meant(mixed: Store, elsewhere: Store, tmp_path: Path) -> None:
    say(mixed, "Ada L.", "Ada")
    told = {name: one for name, one in everything(mixed).items() if keys.is_of_plays(name.encode())}
    restore_backup(elsewhere, make_backup(mixed, tmp_path / "backup"))
    assert {name: one for name, one in everything(elsewhere).items() if keys.is_of_plays(name.encode())} == told
    withdraw(elsewhere, "Ada L.")
    assert days(elsewhere, "ada l.") == ["03", "02"]


@pytest.mark.parametrize("harm", ["entry", "stray entry", "index", "score", "stray", "register", "tally", "other"])
def test_what_is_wrong_with_them_is_found_and_mended(mixed: Store, harm: str) -> None:
    say(mixed, "Ada L.", "Ada")
    before = everything(mixed)
    client, id_ = mixed.client, play(1).id
    index, tally = keys.plays_by("player", "ada"), keys.tally_of_plays("player", "ada")
    field = min(client.hgetall(tally)).decode()
    {
        "entry": lambda: client.hdel(keys.PLAYS_ENTRIES, id_),
        "stray entry": lambda: client.hset(keys.PLAYS_ENTRIES, "nothing", client.hget(keys.PLAYS_ENTRIES, id_)),
        "index": lambda: client.zrem(index, id_),
        "score": lambda: client.zadd(index, {id_: 1}),
        "stray": lambda: client.zadd(keys.plays_by("player", "nobody"), {id_: 1}),
        "register": lambda: client.zrem(keys.PLAYS_PLAYERS, "ada"),
        "tally": lambda: client.hincrby(tally, field, 1),
        "other": lambda: client.hset(keys.PLAYS, id_, json.dumps(msgspec.to_builtins(play(1, "Eve")))),
    }[harm]()
    (finding,) = (one for one in doctor.examine(mixed, None) if one.check == "plays")
    assert finding.level == "fail"
    assert "logged plays were listed and counted again" in doctor.mend(mixed)
    assert is_well(mixed)
    assert (everything(mixed) == before) == (harm != "other")


def test_that_a_worker_lists_them_soon_is_said(mixed: Store) -> None:
    connection.call(mixed.client, "HDEL", keys.PLAYS_ENTRIES, play(1).id)
    connection.call(mixed.client, "ZADD", keys.PLAYS_UNLISTED, 0, play(1).id)
    (finding,) = (one for one in doctor.examine(mixed, None) if one.check == "plays")
    assert (finding.level, finding.about[0]) == ("warn", play(1).id)


def test_there_are_so_many_at_the_most(mixed: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plays, "MOST", 3)
    with pytest.raises(QuotaExceeded):
        mixed.plays.take(play(4, "Eve"))
    assert mixed.plays.take(play(3, "Eve")) == "changed"


def test_a_damaged_entry_is_left_out(mixed: Store) -> None:
    every = {entry.play.id for entry in mixed.plays.newest_of("ada", 9)}
    connection.call(mixed.client, "HSET", keys.PLAYS_ENTRIES, play(1).id, "{}")
    assert {entry.play.id for entry in mixed.plays.newest_of("ada", 9)} == every - {play(1).id}
    assert mixed.plays.take_out(play(1).id)


def test_a_damaged_play_is_left_out(mixed: Store) -> None:
    connection.call(mixed.client, "HSET", keys.PLAYS, play(3).id, "{")
    assert [one.id for one in mixed.plays.page(WantedPlays())[0]] == [play(2).id, play(1).id]
    (finding,) = (finding for finding in doctor.examine(mixed, None) if finding.check == "plays")
    assert (finding.level, finding.about[0]) == ("fail", play(3).id)
    say(mixed, "Dora", "Dee")
    mixed.plays.rebuild()
    assert days(mixed, "Dee") == ["02", "01"]
    assert mixed.plays.take_out(play(3).id)
    assert is_well(mixed)
