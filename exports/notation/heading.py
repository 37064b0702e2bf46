"""The heading: the tags of a text as what a game is opened with, and what is said of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine.core.errors import EngineError, Malformed
from engine.core.events import Corrections, Draft, Event, Fork, Mode, Seat
from engine.kit.chance import seed_commitment
from engine.kit.rules import AnyRules
from engine.play import registry
from engine.play.game import Game
from engine.play.record import open_game
from exports.notation import language
from exports.notation.resolving import Resolver
from exports.notation.scanning import Misread, Scanner, Tag, Token, Written
from exports.notation.syntax import Tokens
from exports.notation.words import Names, begins, either, key, near, split

Bounding = Callable[[Draft], Draft]
"""Refuses, as `Malformed`, a draft that holds more than a record takes; gives it back otherwise."""

MOST_TAGS = 20
LONGEST_NAME = 80
"""Characters of a name or a tag."""
_COMMITMENT = re.compile(r"[0-9a-f]{64}")
_MODES: dict[str, Mode] = {"strict": "strict", "as played": "as_played"}
_CORRECTIONS: dict[str, Corrections] = {"anyone": "anyone", "recorder": "recorder", "arbiter": "arbiter"}
_ROSTER = (
    *("Game", "Variant", "Rules", "Event", "Site", "Date", "Players", "Result", "Ending", "Winners", "Chance", "Seed"),
    *("SeedCommitment", "Mode", "Corrections", "Tags", "Fork", "Recorder", "Hash"),
)
_TELLING = frozenset({"event", "site", "date", "recorder", "result", "ending", "winners", "hash"})
"""Tags that say something of the evening, and nothing that the game is played by."""
_UNKNOWN = re.compile(r"[?.*-]*")
"""What stands in a tag of which nothing is known."""


class Heading(msgspec.Struct):
    """What the tags of a text say."""

    game: Game | None = None
    """As it is opened; None where something in the tags is wrong."""
    opening: Event | None = None
    seed: str | None = None
    result: str | None = None
    remarks: str | None = None
    """What a hand-written text tells besides: where and when it was played. It becomes the note of the set-up."""
    problems: list[tuple[int, str]] = []
    """What is wrong, each with its line."""
    doubts: list[tuple[int, str]] = []
    """What was kept, and not understood."""


def squeezed(name: str) -> str:
    """The name of a tag as it is compared: 'Seed commitment' and 'SeedCommitment' are the same."""
    return key(name).replace(" ", "")


def take_lines(tags: list[Tag], written: Sequence[Written | Misread]) -> list[Written | Misread]:
    """Take the lines at the top that are tags without brackets, such as 'Game: Forbidden Island', for tags."""
    known = {squeezed(name) for name in _ROSTER}
    ruleset = _maybe_ruleset(tags, written)
    if ruleset is not None:
        known |= {name for option in _options(ruleset).values() for name in option}
    rest = list(written)
    while rest and isinstance(first := rest[0], Written):
        name, colon, value = first.text.partition(":")
        if not colon or first.turn is not None or squeezed(name) not in known:
            break
        tags.append(Tag(first.line, name.strip(), value.strip()))
        del rest[0]
        while rest and isinstance(rest[0], Written) and not rest[0].is_first:
            del rest[0]
    return rest


def read(tags: Sequence[Tag], *, recorded_at: str, recorded_by: str | None, bounded: Bounding) -> Heading:
    """What the tags say, and the game that is opened by them."""
    return _Reader(tags).read(recorded_at, recorded_by, bounded)


class _Reader:
    def __init__(self, tags: Sequence[Tag]) -> None:
        self._tags = {squeezed(tag.name): tag for tag in tags}
        self._heading = Heading(problems=[], doubts=[])
        for tag in tags:
            if self._tags[squeezed(tag.name)] is not tag:
                self._wrong(tag, f"{tag.name} stands twice")

    def read(self, recorded_at: str, recorded_by: str | None, bounded: Bounding) -> Heading:
        ruleset = self._ruleset()
        players = self._players()
        if ruleset is None or not players:
            return self._heading
        options = self._read_options(ruleset, Names(players))
        self._heading.result = self._text("result")
        seed, commitment = self._chance()
        kind = {
            "ruleset": ruleset.id,
            "version": ruleset.version,
            "seats": [Seat(name) for name in players],
            "options": options,
            "seed": seed,
            "commitment": commitment,
            "mode": self._choice("mode", _MODES, "strict" if seed or commitment else "as_played"),
            "corrections": self._choice("corrections", _CORRECTIONS, None),
            "tags": self._words(),
            "fork": self._fork(),
        }
        self._remarks()
        if self._heading.problems:
            return self._heading
        try:
            game, opening = open_game(**kind, recorded_at=recorded_at, recorded_by=recorded_by)
            bounded(Draft(type=opening.type, params=opening.params))
        except Malformed as error:
            at = self._at(error.pointer)
            self._heading.problems.append((at, error.message))
            return self._heading
        self._heading.game, self._heading.opening, self._heading.seed = game, opening, seed
        return self._heading

    def _ruleset(self) -> AnyRules | None:
        rules, game = self._tags.get("rules"), self._tags.get("game")
        if rules is not None:
            id_, _, version = rules.value.strip().partition(" ")
            try:
                return registry.ruleset(id_, version.strip() or None)
            except EngineError:
                known = registry.versions(id_)
                have = f"what is: {id_} {either(known)}" if known else either([one.id for one in registry.rulesets()])
                self._wrong(rules, f"{rules.value} is not installed; {have}")
                return None
        if game is None:
            names = either([one.name for one in registry.rulesets()])
            self._wrong(None, f'which game was played? Write [Game "…"]: {names}')
            return None
        given = f"{game.value} {self._text('variant') or ''}"
        found = named_ruleset(given)
        if found is None:
            known = [one.name for one in registry.rulesets()]
            self._wrong(game, f"{given.strip()} is not known here. Is {either(near(given, known) or known)} meant?")
        return found

    def _players(self) -> list[str]:
        tag = self._tags.get("players")
        if tag is None:
            self._heading.problems.append((1, 'who played? Write [Players "Ann, Ben"], in the order of their turns'))
            return []
        names = split(tag.value)
        if not names:
            self._wrong(tag, "there is no name in it")
        for name in names:
            if len(name) > LONGEST_NAME:
                self._wrong(tag, f"a name has {LONGEST_NAME} characters at the most")
        return names

    def _read_options(self, ruleset: AnyRules, names: Names) -> dict[str, Any]:
        own = language.of(ruleset)
        resolver = Resolver(own, names, _no_event)
        found: dict[str, Any] = {}
        for option, called in _options(ruleset).items():
            for tag in (self._tags[name] for name in called if name in self._tags):
                schema = own.options["properties"][option]
                try:
                    found[option] = resolver.value(schema, own.options, _tokens(tag))
                except Misread as error:
                    self._wrong(tag, error.message)
        known = {squeezed(name) for name in _ROSTER} | {
            name for called in _options(ruleset).values() for name in called
        }
        for name, tag in self._tags.items():
            if name not in known:
                guesses = near(tag.name, [*_ROSTER, *(option.replace("_", " ") for option in _options(ruleset))])
                hint = f" Is {either(guesses)} meant?" if guesses else ""
                self._heading.doubts.append((tag.line, f"{tag.name} is not known here: it is kept in a note.{hint}"))
        return found

    def _chance(self) -> tuple[str | None, str | None]:
        """Seed and commitment; both None in an observed game."""
        tag, seed, commitment = (self._tags.get(name) for name in ("chance", "seed", "seedcommitment"))
        kind = "observed" if tag is None else key(tag.value)
        if kind not in {"observed", "seeded"}:
            self._wrong(tag, "chance is observed or seeded")
        if kind != "seeded":
            if seed is not None or commitment is not None:
                self._wrong(seed or commitment, 'an observed game has no seed; a seeded one says [Chance "seeded"]')
            return None, None
        if seed is not None:
            if commitment is not None and commitment.value != seed_commitment(seed.value):
                self._wrong(commitment, "this is not the SHA-256 of the seed")
            return seed.value, None
        if commitment is None or not _COMMITMENT.fullmatch(commitment.value):
            self._wrong(tag, "a seeded game has its Seed, or its SeedCommitment: 64 digits in lower-case hex")
            return None, None
        return None, commitment.value

    def _choice(self, name: str, values: dict[str, Any], default: Any) -> Any:
        tag = self._tags.get(name)
        if tag is None:
            return default
        if key(tag.value) not in values:
            self._wrong(tag, f"{tag.name} is {either(list(values))}")
        return values.get(key(tag.value), default)

    def _words(self) -> list[str]:
        tag = self._tags.get("tags")
        if tag is None:
            return []
        words = split(tag.value)
        if len(words) > MOST_TAGS or any(len(word) > LONGEST_NAME for word in words):
            self._wrong(tag, f"at most {MOST_TAGS} tags of {LONGEST_NAME} characters")
        return words

    def _fork(self) -> Fork | None:
        tag = self._tags.get("fork")
        if tag is None:
            return None
        try:
            return msgspec.json.decode(tag.value, type=Fork)
        except (msgspec.DecodeError, RecursionError):
            self._wrong(tag, "it says in JSON where the game was forked from, and this is no such thing")
            return None

    def _remarks(self) -> None:
        """Nothing that somebody wrote by hand is dropped: what no record has a place for becomes a note."""
        if "hash" in self._tags:
            return
        doubted = {line for line, _ in self._heading.doubts}
        said = [
            f"{tag.name}: {tag.value}."
            for name, tag in self._tags.items()
            if (name in _TELLING - {"hash", "result", "ending", "winners"} or tag.line in doubted)
            and not _UNKNOWN.fullmatch(tag.value)
        ]
        self._heading.remarks = " ".join(said) or None

    def _text(self, name: str) -> str | None:
        tag = self._tags.get(name)
        return None if tag is None or _UNKNOWN.fullmatch(tag.value) else tag.value

    def _wrong(self, tag: Tag | None, message: str) -> None:
        self._heading.problems.append((1 if tag is None else tag.line, message))

    def _at(self, pointer: str) -> int:
        """The line of what is wrong with the opening."""
        _, part, *rest = [*pointer.split("/"), "", ""]
        name = {"seats": "players", "options": squeezed(rest[0].replace("_", " "))}.get(part, part)
        tag = self._tags.get(name) or self._tags.get("rules") or self._tags.get("game")
        return 1 if tag is None else tag.line


def named_ruleset(given: str) -> AnyRules | None:
    """The ruleset that is called so, or begins so and no other does."""
    known = registry.rulesets()
    exact = [one for one in known if key(given) in {key(one.name), key(one.id)}]
    found = exact or [one for one in known if begins(given, one.name)]
    return found[0] if len(found) == 1 else None


def _maybe_ruleset(tags: Sequence[Tag], written: Sequence[Written | Misread]) -> AnyRules | None:
    """The ruleset, as far as it can be seen before all tags are found."""
    said = {squeezed(tag.name): tag.value for tag in tags}
    for one in written:
        if isinstance(one, Written):
            name, _, value = one.text.partition(":")
            said.setdefault(squeezed(name), value)
    if "rules" in said:
        return named_ruleset(said["rules"].strip().partition(" ")[0])
    return named_ruleset(f"{said.get('game', '')} {said.get('variant', '')}")


def _options(ruleset: AnyRules) -> dict[str, set[str]]:
    """What each option may be called in a tag: its name, and its title."""
    properties = language.of(ruleset).options["properties"]
    return {
        name: {squeezed(name.replace("_", " ")), squeezed(schema.get("title", name).replace("_", " "))}
        for name, schema in properties.items()
    }


def _tokens(tag: Tag) -> Tokens:
    """The value of a tag, as tokens.

    Raises:
        Misread: there is none, or it cannot be read.
    """
    found = Scanner(tag.value).tokens()
    if not found:
        raise Misread(tag.line, 1, "nothing stands in this tag")
    return found


def _no_event(token: Token) -> int:
    raise Misread(token.line, token.column, "no event is named here")
