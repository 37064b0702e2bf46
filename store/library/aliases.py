"""Who is meant by a name: names of one person are made one, and people of one name are told apart.

What is said of that stands beside the logs and past plays, which keep what was written. The list is made by it, and
made anew where it is said otherwise or taken back: see `store.library.projections.Projections.relist`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import uuid4

import msgspec

from engine.core.text import search_key
from engine.core.values import SEAT_IDS
from store import keys
from store.errors import AliasLoop
from store.library.scripts import DECLARE
from store.redis import connection
from store.redis.connection import Client, Script


class Alias(msgspec.Struct, frozen=True):
    """A name that is another name of somebody, wherever nothing is said of the seat."""

    name: str
    person: str = msgspec.field(name="is")
    said_at: str
    said_by: str | None = None


class Sitter(msgspec.Struct, frozen=True):
    """Who sat in a seat of a game, whatever name is written there."""

    person: str
    said_at: str
    said_by: str | None = None


class People(msgspec.Struct, frozen=True):
    """What was said of names, as of a revision."""

    revision: bytes = b""
    """Empty as long as nothing was said, of names or of seats."""
    aliases: Mapping[str, Alias] = {}
    """By the name, folded."""

    persons: Mapping[str, str] = {}
    """Who is meant by each of these names, however many lead to whom."""
    names: Mapping[str, Sequence[Alias]] = {}
    """Those of each person, search_key, by name."""

    @classmethod
    def told(cls, revision: bytes, aliases: Mapping[str, Alias]) -> People:
        """With who is meant looked up once, for it is asked of every name of every list."""
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

    def who(self, name: str) -> str:
        """Who is meant by a name."""
        return self.persons.get(search_key(name), name)

    def leads_to(self, name: str, other: str) -> bool:
        """Whether it is said of a name, at once or by others, that it is another name of `other`, or it is the same."""
        while search_key(name) != search_key(other):
            alias = self.aliases.get(search_key(name))
            if alias is None:
                return False
            name = alias.person
        return True

    def names_of(self, person: str) -> list[Alias]:
        """The other names of somebody, by name."""
        return list(self.names.get(search_key(person), ()))

    def all_names(self, names: frozenset[str]) -> frozenset[str]:
        """Those names (search_key), with all others of the people whose names they are."""
        people = {search_key(self.who(name)) for name in names}
        return names | people | {search_key(alias.name) for person in people for alias in self.names.get(person, ())}


_ALIAS = msgspec.json.Decoder(Alias)
_SITTERS = msgspec.json.Decoder(dict[str, Sitter])


class Aliases:
    """What was said of names and of seats. Of seats it is kept by game, and read where that game is listed."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._declare = Script(client, DECLARE)
        self._known = People()

    def people(self) -> People:
        """What is said of names."""
        return self._as_of(connection.call(self._client, "GET", keys.SAID) or b"")

    def who(self, name: str) -> str:
        """Who is meant by a name."""
        return self.people().who(name)

    def all(self) -> list[Alias]:
        """All that is said of names, by name."""
        return [alias for _, alias in sorted(self.people().aliases.items())]

    def declare(self, alias: Alias) -> None:
        """Say that a name is another name of somebody. What was said of it before counts no more.

        Raises:
            AliasLoop: that person is known, by other aliases, as the very name.
            StoreUnavailable: Redis does not answer: whether it counts is unknown.
        """
        while True:
            people = self.people()
            if people.leads_to(alias.person, alias.name):
                raise AliasLoop(alias.name, alias.person)
            if self._say(people, alias.name, msgspec.json.encode(alias)) is not None:
                return

    def withdraw(self, name: str) -> bool:
        """Take back what is said of a name; whether there was anything."""
        while True:
            done = self._say(self.people(), name, b"")
            if done is not None:
                return done

    def sitters(self, game_id: str) -> dict[str, Sitter]:
        """Who is said to have sat in the seats of a game, by seat, of those of which anything is said."""
        document = connection.call(self._client, "HGET", keys.SITTERS, game_id)
        return {} if document is None else _SITTERS.decode(document)

    def seat(self, game_id: str, seat: str, sitter: Sitter | None) -> bool:
        """Say who sat in a seat; None takes back what was said of it. Whether that says anything else than before.

        Raises:
            StoreUnavailable: Redis does not answer: whether it counts is unknown.
        """
        while True:
            revision = connection.call(self._client, "GET", keys.SAID) or b""
            said = self.sitters(game_id)
            told = {**said, seat: sitter} if sitter is not None else {at: one for at, one in said.items() if at != seat}
            if told == said:
                return False
            document = msgspec.json.encode(told) if told else b""
            if self._run([keys.SITTERS, keys.SAID, keys.UNLISTED], game_id, document, revision) is not None:
                return True

    def table(self, game_id: str, seats: Sequence[str]) -> tuple[tuple[str, ...], bytes]:
        """Who sits in the seats of a game, in which these names are written; and the revision as of which it is so."""
        # The revision first: what is said meanwhile is noticed by it.
        revision, document = connection.pipe(self._client, [("GET", keys.SAID), ("HGET", keys.SITTERS, game_id)])
        if revision is None:
            return tuple(seats), b""
        sitters = {} if document is None else _SITTERS.decode(document)
        people = self._as_of(revision)
        named = (sitters[seat].person if seat in sitters else name for seat, name in zip(SEAT_IDS, seats, strict=False))
        return tuple(map(people.who, named)), people.revision

    def forget(self, game_id: str) -> None:
        """Forget what was said of the seats of a game that is deleted."""
        connection.call(self._client, "HDEL", keys.SITTERS, game_id)

    def _as_of(self, revision: bytes) -> People:
        """What is said of names as of that revision, or of a newer one, as which it will not be taken."""
        known = self._known
        if known.revision != revision:
            said = map(_ALIAS.decode, connection.call(self._client, "HVALS", keys.ALIASES))
            known = self._known = People.told(revision, {search_key(alias.name): alias for alias in said})
        return known

    def _say(self, people: People, name: str, document: bytes) -> bool | None:
        games, plays = (by("player", search_key(people.who(name))) for by in (keys.index, keys.plays_by))
        touched = [keys.ALIASES, keys.SAID, keys.UNLISTED, games, keys.PLAYS_UNLISTED, plays]
        return self._run(touched, search_key(name), document, people.revision)

    def _run(self, touched: list[str], field: str, document: bytes, revision: bytes) -> bool | None:
        """Whether there was anything to do; None where something else was said meanwhile."""
        done = int(self._declare(touched, [field, document, revision, uuid4().bytes]))
        return None if done < 0 else done == 1
