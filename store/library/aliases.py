"""Aliases: merge several names of one person, and separate people with the same name.

Aliases are stored beside the logs and logged plays, which keep the original names. The list of games shows aliases, and
is updated when one changes: see `store.library.projections.Projections.relist`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import uuid4

import msgspec

from engine.core.text import search_key
from engine.core.values import SEAT_IDS
from store import keys
from store.documents import decode_text, is_readable, parser, readable, readable_one
from store.errors import AliasLoop
from store.library.scripts import DECLARE
from store.redis import connection
from store.redis.connection import Client, Script


class Alias(msgspec.Struct, frozen=True):
    """An alias of a name. It has no effect on seats with an assigned player."""

    name: str
    person: str = msgspec.field(name="is")
    said_at: str
    said_by: str | None = None


class AssignedPlayer(msgspec.Struct, frozen=True):
    """The player assigned to a seat, regardless of the recorded name."""

    person: str
    said_at: str
    said_by: str | None = None


class People(msgspec.Struct, frozen=True):
    """All aliases as of one revision."""

    revision: bytes = b""
    """Empty until the first alias or assigned player is set."""
    aliases: Mapping[str, Alias] = {}
    """The aliases by search_key of the name."""

    persons: Mapping[str, str] = {}
    """The person to whom each name refers, with chains of aliases resolved."""
    names: Mapping[str, Sequence[Alias]] = {}
    """All aliases of each person (search_key), by name."""

    @classmethod
    def resolve(cls, revision: bytes, aliases: Mapping[str, Alias]) -> People:
        """Resolve all aliases of a revision in advance, because lists look up many names."""
        persons: dict[str, str] = {}
        for name in aliases:
            way = [name]
            while (end := search_key(aliases[way[-1]].person)) in aliases and end not in persons:
                way.append(end)
            persons |= dict.fromkeys(way, persons.get(end, aliases[way[-1]].person))
        names: dict[str, list[Alias]] = {}
        for name, alias in sorted(aliases.items()):
            names.setdefault(search_key(persons[name]), []).append(alias)
        return cls(revision, aliases, persons, names)

    def person_of(self, name: str) -> str:
        """Return the person to whom a name refers."""
        return self.persons.get(search_key(name), name)

    def leads_to(self, name: str, other: str) -> bool:
        """Return True if a name is `other`, or an alias of it, directly or through other aliases."""
        while search_key(name) != search_key(other):
            alias = self.aliases.get(search_key(name))
            if alias is None:
                return False
            name = alias.person
        return True

    def names_of(self, person: str) -> list[Alias]:
        """Return the aliases of a person, by name."""
        return list(self.names.get(search_key(person), ()))

    def all_names(self, names: frozenset[str]) -> frozenset[str]:
        """Return these names (search_key) and all other names of the same people."""
        people = {search_key(self.person_of(name)) for name in names}
        return names | people | {search_key(alias.name) for person in people for alias in self.names.get(person, ())}


_parse = parser(Alias, "an alias")
_parse_sitters = parser(dict[str, AssignedPlayer], "the players assigned to a game")


def _sitters(document: bytes | None) -> dict[str, AssignedPlayer]:
    return readable_one(_parse_sitters, document) or {}


class AliasStore:
    """All aliases of names, and the players assigned to seats, stored by game."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._declare = Script(client, DECLARE)
        self._known = People()

    def people(self) -> People:
        """Return the current aliases."""
        return self._as_of(connection.call(self._client, "GET", keys.SAID) or b"")

    def person_of(self, name: str) -> str:
        """Return the person to whom a name refers."""
        return self.people().person_of(name)

    def all(self) -> list[Alias]:
        """Return all aliases, by name."""
        return [alias for _, alias in sorted(self.people().aliases.items())]

    def declare(self, alias: Alias) -> None:
        """Set the alias of a name, replacing an earlier one.

        Raises:
            AliasLoop: the person is itself an alias of this name.
        """
        while True:
            people = self.people()
            if people.leads_to(alias.person, alias.name):
                raise AliasLoop(alias.name, alias.person)
            if self._store_alias(people, alias.name, msgspec.json.encode(alias)) is not None:
                return

    def withdraw(self, name: str) -> bool:
        """Delete the alias of a name; return False if there was none."""
        while True:
            done = self._store_alias(self.people(), name, b"")
            if done is not None:
                return done

    def sitters(self, game_id: str) -> dict[str, AssignedPlayer]:
        """Return the assigned players of a game's seats, by seat; empty if the stored value is damaged."""
        return _sitters(connection.call(self._client, "HGET", keys.SITTERS, game_id))

    def seat(self, game_id: str, seat: str, sitter: AssignedPlayer | None) -> bool:
        """Assign a player to a seat, or remove the assignment with None; return True if this changed anything."""
        while True:
            revision = connection.call(self._client, "GET", keys.SAID) or b""
            said = self.sitters(game_id)
            resolve = (
                {**said, seat: sitter} if sitter is not None else {at: one for at, one in said.items() if at != seat}
            )
            if said and resolve == said:
                return False
            # If no player is assigned to a seat of the game, this deletes a damaged document.
            document = msgspec.json.encode(resolve) if resolve else b""
            done = self._run([keys.SITTERS, keys.SAID, keys.UNLISTED], game_id, document, revision)
            if done is not None:
                return done

    def table(self, game_id: str, seats: Sequence[str]) -> tuple[tuple[str, ...], bytes]:
        """Return the players of a game's seats after aliases and assignments, and the revision of the aliases."""
        # Read the revision first. A change between the two reads is then noticed.
        revision, document = connection.pipe(self._client, [("GET", keys.SAID), ("HGET", keys.SITTERS, game_id)])
        if revision is None:
            return tuple(seats), b""
        sitters = _sitters(document)
        people = self._as_of(revision)
        named = (sitters[seat].person if seat in sitters else name for seat, name in zip(SEAT_IDS, seats, strict=False))
        return tuple(map(people.person_of, named)), people.revision

    def find_damaged(self) -> list[str]:
        """Return the names (search_key) with a damaged alias, followed by the games with damaged assigned players."""
        aliases, games = (connection.call(self._client, "HGETALL", key) for key in (keys.ALIASES, keys.SITTERS))
        names = [decode_text(name) for name, document in aliases.items() if not is_readable(_parse, document)]
        ids = [decode_text(id_) for id_, document in games.items() if not is_readable(_parse_sitters, document)]
        return [*sorted(names), *sorted(ids)]

    def forget(self, game_id: str) -> None:
        """Delete the assigned players of a deleted game."""
        connection.call(self._client, "HDEL", keys.SITTERS, game_id)

    def _as_of(self, revision: bytes) -> People:
        known = self._known
        if known.revision != revision:
            said = readable(_parse, connection.call(self._client, "HVALS", keys.ALIASES))
            known = self._known = People.resolve(revision, {search_key(alias.name): alias for alias in said})
        return known

    def _store_alias(self, people: People, name: str, document: bytes) -> bool | None:
        games, plays = (by("player", search_key(people.person_of(name))) for by in (keys.index, keys.plays_by))
        touched = [keys.ALIASES, keys.SAID, keys.UNLISTED, games, keys.PLAYS_UNLISTED, plays]
        return self._run(touched, search_key(name), document, people.revision)

    def _run(self, touched: list[str], field: str, document: bytes, revision: bytes) -> bool | None:
        """Store or delete an alias or an assigned player; return True if this changed anything, None to try again."""
        done = int(self._declare(touched, [field, document, revision, uuid4().bytes]))
        return None if done < 0 else done == 1
