"""Choosing: what an act means. Its verb may be shortened as far as one thing alone that is legal now begins so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.core.errors import Malformed
from engine.core.values import State
from engine.kit.actions import Action
from engine.play.beliefs.belief import worlds
from exports.notation.language import Language, Verb
from exports.notation.resolving import Legal, Resolver
from exports.notation.scanning import Misread
from exports.notation.syntax import Tokens, place, text_of
from exports.notation.words import Names, are_beginnings, either, key, near

MOST_NAMED = 8
"""What can be done now, where that is told."""


class Meant(msgspec.Struct, frozen=True):
    """What an act means."""

    verb: Verb
    seat: int | None
    """Who does it; None where it is nobody's."""
    params: dict[str, Any]


class Table:
    """What can be done at a table now.

    Args:
        state: None before the set-up.
    """

    def __init__(self, language: Language, names: Names, state: State | None) -> None:
        self._ruleset = language.ruleset
        self._language = language
        self._names = names
        self._states = [] if state is None else [world.state for world in worlds(state)]
        self._is_over = state is not None and state.outcome is not None
        self._legal: dict[tuple[str, int], dict[bytes, Action[Any]]] = {}

    @property
    def active(self) -> int | None:
        """Whose turn it is."""
        return self._ruleset.active(self._states[0]) if self._states else None

    def legal(self, verb: Verb, seats: Sequence[int]) -> Legal:
        """The params with which one of `seats` may do it now."""
        found: list[dict[str, Any]] = []
        for seat in seats:
            for action in self._actions(verb.type, seat).values():
                params = msgspec.to_builtins(action)
                if params not in found:
                    found.append(params)
        return found

    def is_legal(self, verb: Verb, params: dict[str, Any], seat: int) -> bool:
        """Whether that seat may do that now, as far as anybody knows."""
        if self._is_over:
            return False
        try:
            action = self._ruleset.parse(verb.type, params)
        except Malformed:
            return False
        return any(action.refusal(state, seat) is None for state in self._states)

    def labelled(self, given: str, seats: Sequence[int]) -> Meant | None:
        """What a button says so, or begins so: 'Pass the die'; None where that is nothing, or several things."""
        wanted = key(given)
        exact: list[Meant] = []
        begun: list[Meant] = []
        for verb, seat, action in self._all(seats):
            said = key(action.label(self._states[0], self._names.names))
            if wanted and said.startswith(wanted):
                (exact if said == wanted else begun).append(Meant(verb, seat, msgspec.to_builtins(action)))
        found = exact or begun
        return found[0] if len(found) == 1 else None

    def possible(self, seats: Sequence[int]) -> list[str]:
        """What can be done now, as it is written."""
        return list(dict.fromkeys(verb.form() for verb, _, _ in self._all(seats)))

    def _all(self, seats: Sequence[int]) -> Iterator[tuple[Verb, int, Action[Any]]]:
        for verb in self._language.verbs.values():
            if verb.is_action:
                for seat in seats:
                    for action in self._actions(verb.type, seat).values():
                        yield verb, seat, action

    def _actions(self, type_: str, seat: int) -> dict[bytes, Action[Any]]:
        if (type_, seat) not in self._legal:
            kind = self._ruleset.kind(type_)
            found: dict[bytes, Action[Any]] = {}
            if kind is not None and not self._is_over:
                for state in self._states:
                    found.update(self._ruleset.legal(kind, state, seat))
            self._legal[type_, seat] = found
        return self._legal[type_, seat]


class Chooser:
    """Chooses what is meant.

    Args:
        current: who did something last.
    """

    def __init__(self, language: Language, names: Names, resolver: Resolver, table: Table, current: int | None) -> None:
        self._language = language
        self._names = names
        self._resolver = resolver
        self._table = table
        self._current = current

    def meant(self, body: Tokens, actor: int | None, *, happened_anyway: bool = False) -> Meant:
        """What `body`, done by `actor` (None: nobody is named), means.

        Args:
            happened_anyway: that the rules forbid it: who does it does not follow from what is legal.

        Raises:
            Misread: nothing, or it may mean several things.
        """
        if happened_anyway and actor is None:
            actor = self._current
        everyone = range(len(self._names.names))
        seats = [actor] if actor is not None else list(everyone)
        exact = self._exact(body)
        if exact is not None:
            verb, rest = exact
            return self._done(verb, self._params(verb, rest, seats, body), actor, body)
        ways = []
        failed: Misread | None = None
        for verb, rest in self._shortened(body):
            try:
                params = self._params(verb, rest, seats, body)
            except Misread as error:
                failed = failed or error
                continue
            ways.append((verb, params))
        if len(ways) > 1:
            ways = self._allowed(ways, seats)
        if len(ways) == 1:
            return self._done(*ways[0], actor, body)
        if ways:
            forms = either(list(dict.fromkeys(verb.form() for verb, _ in ways)))
            raise Misread(*place(body), f"{text_of(body)} may be {forms}: write more of it")
        said = self._table.labelled(text_of(body), seats)
        if said is not None:
            return said
        raise failed or self._unknown(body, seats)

    def _allowed(
        self, ways: list[tuple[Verb, dict[str, Any]]], seats: Sequence[int]
    ) -> list[tuple[Verb, dict[str, Any]]]:
        """Those of several ways that are legal now; all where none is."""
        legal = [
            (verb, params)
            for verb, params in ways
            if verb.is_action and any(self._table.is_legal(verb, params, seat) for seat in seats)
        ]
        return legal or ways

    def _done(self, verb: Verb, params: dict[str, Any], actor: int | None, body: Tokens) -> Meant:
        if not verb.is_action:
            return Meant(verb, None, params)
        if actor is not None:
            return Meant(verb, actor, params)
        first = self._current if self._current is not None else self._table.active
        if first is None:
            raise Misread(*place(body), "the game has to be set up first: Set up = …")
        if self._table.is_legal(verb, params, first):
            return Meant(verb, first, params)
        others = [seat for seat in range(len(self._names.names)) if self._table.is_legal(verb, params, seat)]
        active = self._table.active
        if len(others) > 1 and active not in others:
            called = either([self._names.names[seat] for seat in others])
            raise Misread(*place(body), f"who did it, {called}? Write the name and a colon before it")
        if others:
            return Meant(verb, active if active in others else others[0], params)
        return Meant(verb, first, params)

    def _params(self, verb: Verb, rest: Tokens, seats: Sequence[int], body: Tokens) -> dict[str, Any]:
        try:
            return self._resolver.params(verb, rest, lambda: self._table.legal(verb, seats))
        except Misread as error:
            # Where nothing stands, nothing has a place.
            raise Misread(*(place(body) if not error.line else (error.line, error.column)), error.message) from None

    def _exact(self, body: Tokens) -> tuple[Verb, Tokens] | None:
        """The verb that stands there in full, and what follows it."""
        words, ends = _words(body, self._language.longest)
        for count in range(min(len(words), self._language.longest), 0, -1):
            if count not in ends:
                continue
            for given in (words[:count], _plainer(words[:count])):
                found = self._language.exact(given)
                if found is not None and found[1] == count:
                    return found[0], body[ends[count] :]
        return None

    def _shortened(self, body: Tokens) -> Iterator[tuple[Verb, Tokens]]:
        """Every verb of which words, or their beginnings, stand there, with what follows; the most words first."""
        words, ends = _words(body, self._language.longest)
        for count in range(min(len(words), self._language.longest), 0, -1):
            if count in ends:
                given = words[:count]
                for verb in self._language.verbs.values():
                    if verb.is_action and (
                        are_beginnings(given, verb.words) or are_beginnings(_plainer(given), verb.words)
                    ):
                        yield verb, body[ends[count] :]

    def _guesses(self, words: Sequence[str]) -> list[str]:
        """Verbs that may have been meant: those that read alike, or have a word that does."""
        verbs = list(self._language.verbs.values())
        alike = near(" ".join(words[:2]), (" ".join(verb.words) for verb in verbs))
        if alike or not words:
            return alike
        meant = near(words[0], {word for verb in verbs for word in verb.words})
        return [verb.form() for verb in verbs if set(meant) & set(verb.words)][:3]

    def _unknown(self, body: Tokens, seats: Sequence[int]) -> Misread:
        given = text_of(body)
        guesses = self._guesses(_words(body, self._language.longest)[0])
        possible = self._table.possible(seats)
        if guesses:
            return Misread(*place(body), f"{given} is nothing that can be done. Is {either(guesses)} meant?")
        if possible:
            told = "; ".join(possible[:MOST_NAMED])
            return Misread(*place(body), f"{given} is nothing that can be done. What can be now: {told}")
        return Misread(*place(body), f"{given} is nothing that can be done")


def _words(body: Tokens, most: int) -> tuple[list[str], dict[int, int]]:
    """The first words of `body`, as many as a verb may have; and for each number of them after which a token ends, that
    token's end.
    """
    words: list[str] = []
    ends: dict[int, int] = {}
    for index, token in enumerate(body):
        if token.kind != "word" or len(words) >= most:
            break
        words += key(token.text).split()
        # A dash has no words: it is the first value, which is none, and no part of the verb before it.
        ends.setdefault(len(words), index + 1)
    return words, ends


def _plainer(words: Sequence[str]) -> list[str]:
    """'moves' as 'move', 'flies' as 'fly'."""
    return [f"{words[0][:-3]}y" if words[0].endswith("ies") else words[0].removesuffix("s"), *words[1:]]
