"""Aliases: the list shows persons, and the logs keep the recorded names."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.text import search_key
from store import Store, keys
from store.errors import AliasLoop
from store.library import aliases
from store.library.aliases import Alias, AssignedPlayer, People
from store.library.finding import Filter
from store.library.summaries import WITHHELD
from store.redis import connection
from tests.playouts import playout
from tests.store.library.lists import everything, players

AT = "2026-11-22T20:00:00.000Z"
MIA = AssignedPlayer("Ada (Berlin)", AT)


@pytest.fixture
def listed(store: Store) -> Store:
    """Three games of Ada, Bo and Cleo."""
    for number in range(3):
        store.events.open(f"g{number}", playout(seed=number, seats=3), None)
        store.projections.project(f"g{number}")
    return store


def say(store: Store, name: str, person: str) -> None:
    store.aliases.declare(Alias(name, person, AT))
    assert not store.projections.relist(100)


def sit(store: Store, game: str, seat: str, sitter: AssignedPlayer | None) -> None:
    store.aliases.seat(game, seat, sitter)
    assert not store.projections.relist(100)


def games_of(store: Store, player: str) -> list[str]:
    return sorted(game.id for game in store.projections.find(Filter(player=player))[0])


def test_two_names_of_one_player_are_one(listed: Store) -> None:
    before, log = everything(listed), listed.events.read("g0")
    say(listed, "ADA", "Bo")
    assert players(listed) == [("Bo", 3), ("Cleo", 3)]
    assert games_of(listed, "ada") == games_of(listed, "Bo") == ["g0", "g1", "g2"]
    (game, *_), _ = listed.projections.find(Filter(player="Ada"))
    assert (game.names, game.seats) == (("Bo", "Bo", "Cleo"), ("Ada", "Bo", "Cleo"))
    assert listed.projections.tally("player", "ada") == listed.projections.tally("player", "Bo")
    assert len(listed.projections.find(Filter(q="ada"))[0]) == 3, "what was written is still found"
    assert listed.events.read("g0") == log

    assert listed.aliases.withdraw("ada")
    assert not listed.projections.relist(100)
    assert not listed.aliases.withdraw("ada")
    assert everything(listed) == before


def test_what_is_said_of_a_name_that_is_said_to_be_another_leads_on(listed: Store) -> None:
    say(listed, "Ada", "Dora")
    say(listed, "Dora", "Bo")
    assert games_of(listed, "Ada") == games_of(listed, "Bo") == ["g0", "g1", "g2"]
    assert [one.name for one in listed.aliases.people().names_of("BO")] == ["Ada", "Dora"]
    say(listed, "dora", "Eve")
    assert players(listed) == [("Bo", 3), ("Cleo", 3), ("Eve", 3)]
    listed.aliases.withdraw("Dora")
    listed.projections.relist(100)
    assert players(listed) == [("Bo", 3), ("Cleo", 3), ("Dora", 3)]


def test_nobody_is_another_name_of_themselves(listed: Store) -> None:
    say(listed, "Ada", "Bo")
    say(listed, "Bo", "Cleo")
    for name, person in (("Cleo", "ADA"), ("Cleo", "Bo"), ("Dora", "dora"), ("Ada", "ada")):
        with pytest.raises(AliasLoop):
            listed.aliases.declare(Alias(name, person, AT))
    # A new alias of the same name replaces the old one, so there is no loop.
    say(listed, "Ada", "Cleo")
    assert players(listed) == [("Cleo", 3)]


def test_two_players_of_one_name_are_told_apart(listed: Store) -> None:
    before = everything(listed)
    sit(listed, "g1", "p1", MIA)
    assert players(listed) == [("Ada", 2), ("Ada (Berlin)", 1), ("Bo", 3), ("Cleo", 3)]
    assert (games_of(listed, "Ada"), games_of(listed, "ada (berlin)")) == (["g0", "g2"], ["g1"])
    partners = {key[2] for key in listed.projections.tally("player", "Bo") if key[1] == "with"}
    assert partners == {"ada", "ada (berlin)", "cleo"}
    assert listed.aliases.sitters("g1") == {"p1": MIA}
    # An alias can name an alias.
    say(listed, "Ada (Berlin)", "Adelheid")
    assert games_of(listed, "Adelheid") == ["g1"]
    listed.aliases.withdraw("Ada (Berlin)")
    assert listed.aliases.seat("g1", "p1", None)
    assert not listed.aliases.seat("g1", "p1", None)
    listed.projections.relist(100)
    assert everything(listed) == before


def test_what_was_said_holds_for_what_is_played_later_and_for_a_rebuild(listed: Store) -> None:
    say(listed, "Ada", "Bo")
    sit(listed, "g1", "p1", MIA)
    listed.events.open("g3", playout(seed=3, seats=3), None)
    listed.projections.project("g3")
    assert players(listed) == [("Ada (Berlin)", 1), ("Bo", 4), ("Cleo", 4)]
    before = everything(listed)
    assert listed.projections.rebuild() == {}
    assert everything(listed) == before


def test_many_games_are_listed_anew_bit_by_bit(listed: Store) -> None:
    listed.aliases.declare(Alias("Ada", "Bo", AT))
    assert listed.projections.is_unlisted()
    assert listed.projections.relist(2)
    assert players(listed) == [("Ada", 1), ("Bo", 3), ("Cleo", 3)]
    assert not listed.projections.relist(2)
    assert not listed.projections.is_unlisted()
    assert players(listed) == [("Bo", 3), ("Cleo", 3)]


def test_what_is_said_while_a_game_is_listed_counts(listed: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    table = listed.aliases.table
    said: list[str] = []

    def meanwhile(game_id: str, seats: tuple[str, ...]) -> tuple[tuple[str, ...], bytes]:
        found = table(game_id, seats)
        if not said:
            said.append(game_id)
            Store(listed.client).aliases.declare(Alias("Ada", "Eve", AT))
        return found

    monkeypatch.setattr(listed.aliases, "table", meanwhile)
    listed.events.open("g3", playout(seed=3, seats=3), None)
    listed.projections.project("g3")
    assert games_of(listed, "Eve") == ["g3"]
    assert not listed.projections.relist(100)
    assert games_of(listed, "Eve") == ["g0", "g1", "g2", "g3"]


def test_what_is_said_by_two_at_once_is_said_by_both(listed: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    other, people, read = Store(listed.client), listed.aliases.people, listed.aliases.sitters
    waiting = [lambda: other.aliases.declare(Alias("Bo", "Ada", AT))]

    def meanwhile() -> People:
        found = people()
        if waiting:
            waiting.pop()()
        return found

    monkeypatch.setattr(listed.aliases, "people", meanwhile)
    # Without a second look there would be a loop.
    with pytest.raises(AliasLoop):
        listed.aliases.declare(Alias("Ada", "Bo", AT))
    waiting.append(lambda: other.aliases.declare(Alias("Eve", "Bo", AT)))
    assert listed.aliases.withdraw("Bo")

    waiting.append(lambda: other.aliases.seat("g0", "p2", MIA))

    def read_meanwhile(game_id: str) -> dict[str, AssignedPlayer]:
        found = read(game_id)
        if waiting:
            waiting.pop()()
        return found

    monkeypatch.setattr(listed.aliases, "sitters", read_meanwhile)
    listed.aliases.seat("g0", "p1", MIA)
    assert other.aliases.sitters("g0") == {"p1": MIA, "p2": MIA}


def test_whoever_is_hidden_is_hidden_by_all_names(listed: Store) -> None:
    say(listed, "Ada", "Dora")
    sit(listed, "g1", "p2", MIA)
    listed.hiding.hide("ADA", at=AT, by=None)
    assert players(listed) == [("Ada (Berlin)", 1), ("Bo", 2), ("Cleo", 3)]
    for player in ("Ada", "Dora"):
        assert games_of(listed, player) == []
        assert listed.projections.tally("player", player) == {}
    assert {game.names[0] for game in listed.projections.find(Filter())[0]} == {WITHHELD}
    listed.hiding.hide("Ada (Berlin)", at=AT, by=None)
    (game,) = listed.projections.find(Filter(game="g1"))[0]
    assert game.names[:2] == (WITHHELD, "Bo"), "for whoever knows of one game nothing is said"
    assert all("bo" not in game.words for game in listed.projections.find(Filter())[0] if game.id == "g1")


def test_of_one_game_it_is_told_as_it_was_written(listed: Store) -> None:
    say(listed, "Ada", "Bo")
    find = listed.projections.find
    (game,) = find(Filter(game="g0", player="ada"))[0]
    assert (game.names, game.players) == (("Ada", "Bo", "Cleo"), ["ada", "bo", "cleo"])
    assert [one.name for one in listed.projections.players(game_id="g0")[0]] == ["Ada", "Bo", "Cleo"]
    assert listed.projections.tally("player", "Ada", "g0")
    assert find(Filter(game="nowhere")) == ([], None)


def test_a_game_that_is_deleted_is_forgotten(listed: Store) -> None:
    sit(listed, "g1", "p1", MIA)
    listed.aliases.declare(Alias("Ada", "Bo", AT))
    listed.deletions.delete("g1", at=AT, by=None)
    listed.deletions.delete("g2", at=AT, by=None)
    assert listed.aliases.sitters("g1") == {}
    assert not listed.projections.relist(100)
    assert not listed.projections.is_unlisted()
    assert players(listed) == [("Bo", 1), ("Cleo", 1)]


def test_a_game_that_is_in_no_list_is_not_put_there(listed: Store) -> None:
    listed.projections.drop("g1")
    sit(listed, "g1", "p1", MIA)
    assert "g1" not in games_of(listed, "Bo")
    listed.projections.project("g1")
    assert games_of(listed, search_key(MIA.person)) == ["g1"]


def test_a_long_way_from_name_to_name_is_gone_once(listed: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long chain of aliases is followed only once, although each request asks about hidden names."""
    said = {f"n{at}": msgspec.json.encode(Alias(f"N{at}", f"n{at + 1}", AT)) for at in range(300)}
    pairs = [part for pair in said.items() for part in pair]
    connection.call(listed.client, "HSET", keys.ALIASES, *pairs)
    connection.call(listed.client, "SET", keys.SAID, b"revision")
    people = listed.aliases.people()
    compared = []
    monkeypatch.setattr(aliases, "search_key", lambda name: compared.append(name) or search_key(name))
    every = {f"n{at}" for at in range(301)}
    assert people.all_names(frozenset({"n7"})) == every
    assert len(people.names_of("n300")) == 300
    assert people.person_of("N0") == "n300"
    assert len(compared) < 4 * len(every)


def test_a_damaged_alias_or_assigned_player_is_left_out(listed: Store) -> None:
    say(listed, "Ada", "Mia")
    say(listed, "Bo", "Ben")
    sit(listed, "g1", "p3", MIA)
    connection.call(listed.client, "HSET", keys.ALIASES, "ada", b'{"name":"A')
    connection.call(listed.client, "HSET", keys.SITTERS, "g1", b"{")
    store = Store(listed.client)
    assert [alias.name for alias in store.aliases.all()] == ["Bo"]
    assert len(store.projections.find(Filter())[0]) == 3
    assert store.aliases.find_damaged() == ["ada", "g1"]
    say(store, "Ada", "Mia")
    sit(store, "g1", "p3", MIA)
    assert store.aliases.find_damaged() == []
    assert games_of(store, "mia") == ["g0", "g1", "g2"]
    assert games_of(store, MIA.person) == ["g1"]
