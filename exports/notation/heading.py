"""Parse the heading of a text: the tags with which the game opens."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine.core.errors import EngineError, Malformed
from engine.core.events import Corrections, Draft, Event, Fork, Mode, Seat
from engine.core.text import near
from engine.core.values import SEAT_IDS
from engine.kit.chance import seed_commitment
from engine.kit.options import TITLES, WHOLE
from engine.kit.rules import AnyRules
from engine.play import registry
from engine.play.game import Game
from engine.play.record import open_game
from exports.notation import dates, language
from exports.notation.exact import Exact
from exports.notation.language import Language
from exports.notation.lexicon import GOOD, mention, phrase, tokens_of
from exports.notation.naming import ROSTER, named_ruleset, option_names, plain_name, tag_key
from exports.notation.spelling import alternatives
from exports.notation.syntax import Tag, Unreadable, items_of
from exports.notation.words import Names, either, key, split

Bounding = Callable[[Draft], Draft]
"""Function that returns a draft, or raises `Malformed` if the draft is too large for a record."""

MOST_TAGS = 20
LONGEST_NAME = 80
"""The maximum number of characters of a name or a tag."""
_COMMITMENT = re.compile(r"[0-9a-f]{64}")
_MODES: dict[str, Mode] = {"strict": "strict", "as played": "as_played"}
_CORRECTIONS: dict[str, Corrections] = {"anyone": "anyone", "recorder": "recorder", "arbiter": "arbiter"}
_LONGEST = 200
"""Maximum number of characters of a title or a place."""
_UNKNOWN = re.compile(r"[?.*-]*")
"""Values of a tag that mean 'unknown'."""


class Heading(msgspec.Struct):
    """The content of the tags of a text."""

    game: Game | None = None
    """The opening of the game; None if a tag is wrong."""
    opening: Event | None = None
    seed: str | None = None
    result: str | None = None
    remarks: str | None = None
    """Other tags of a handwritten text, such as its writer; they become the note of the setup."""
    details: dict[str, str] = {}
    """The `title` and `place` of the game in a handwritten text."""
    played_at: str | None = None
    """The date of the game, RFC 3339."""
    is_exported: bool = False
    """True if the text is an export, which contains all events."""
    problems: list[tuple[int, str]] = []
    """The errors that prevent an import, each with its line."""
    doubts: list[tuple[int, str]] = []
    """Problems with tags that were kept but not understood, each with its line."""


def read(tags: Sequence[Tag], *, recorded_at: str, recorded_by: str | None, bounded: Bounding) -> Heading:
    """Parse the tags, and return the opening of the game."""
    return _HeadingReader(tags).read(recorded_at, recorded_by, bounded)


class _HeadingReader:
    def __init__(self, tags: Sequence[Tag]) -> None:
        self._tags = {plain_name(tag.name): tag for tag in tags}
        self._heading = Heading(problems=[], doubts=[])
        for tag in tags:
            if self._tags[plain_name(tag.name)] is not tag:
                self._wrong(tag, f"{tag.name} appears twice")

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
            "seed_chosen": self._choice("seedchosen", {"yes": True, "no": False}, default=False),
            "seed_shares": self._shares(seed or commitment),
            "mode": self._choice("mode", _MODES, "strict" if seed or commitment else "as_played"),
            "corrections": self._choice("corrections", _CORRECTIONS, None),
            "tags": self._words(),
            "fork": self._fork(),
        }
        self._remarks(recorded_at)
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
                have = f"{id_} {either(known)}" if known else either([one.id for one in registry.rulesets()])
                self._wrong(rules, f"{rules.value} is not installed: use {have}")
                return None
        if game is None:
            names = either([one.name for one in registry.rulesets()])
            self._wrong(None, f'which game was played? Write [Game "…"]: {names}')
            return None
        given = f"{game.value} {self._text('variant') or ''}"
        found = named_ruleset(given)
        if found is None:
            known = [one.name for one in registry.rulesets()]
            self._wrong(game, f"unknown game: {given.strip()}. Did you mean {either(near(given, known) or known)}?")
        return found

    def _players(self) -> list[str]:
        tag = self._tags.get("players")
        if tag is None:
            self._heading.problems.append((1, 'who played? Write [Players "Ann, Ben"], in the order of their turns'))
            return []
        names = split(tag.value)
        if not names:
            self._wrong(tag, "the names are missing")
        for name in names:
            if len(name) > LONGEST_NAME:
                self._wrong(tag, f"a name must have at most {LONGEST_NAME} characters")
        return names

    def _read_options(self, ruleset: AnyRules, names: Names) -> dict[str, Any]:
        own = language.of(ruleset)
        exact = Exact(own, names, _no_event)
        found: dict[str, Any] = {}
        for option, called in option_names(ruleset).items():
            for tag in (self._tags[name] for name in called if name in self._tags):
                schema = own.options["properties"][option]
                if schema.get(WHOLE):
                    found[option] = _whole(tag.value)
                    continue
                try:
                    found[option] = exact.value(schema, own.options, items_of(tag.value))
                except Unreadable:
                    value = _option_value(own, schema, names, tag.value)
                    if value is None:
                        self._wrong(tag, f"unknown value: {tag.value or 'nothing'}")
                    else:
                        found[option] = value[0]
        known = {tag_key(name) for name in ROSTER} | {
            name for called in option_names(ruleset).values() for name in called
        }
        for name, tag in self._tags.items():
            if name not in known:
                guesses = near(tag.name, [*ROSTER, *(option.replace("_", " ") for option in option_names(ruleset))])
                hint = f" Did you mean {either(guesses)}?" if guesses else ""
                self._heading.doubts.append((tag.line, f"unknown tag {tag.name}: it was stored in a note.{hint}"))
        return found

    def _chance(self) -> tuple[str | None, str | None]:
        """Return the seed and its commitment; both are None in an observed game."""
        tag, seed, commitment = (self._tags.get(name) for name in ("chance", "seed", "seedcommitment"))
        kind = "observed" if tag is None else key(tag.value)
        if kind not in {"observed", "seeded"}:
            self._wrong(tag, "must be observed or seeded")
        if kind != "seeded":
            if seed is not None or commitment is not None:
                self._wrong(
                    seed or commitment, 'an observed game has no seed. For a seeded game, write [Chance "seeded"]'
                )
            return None, None
        if seed is not None:
            if commitment is not None and commitment.value != seed_commitment(seed.value):
                self._wrong(commitment, "this is not the SHA-256 of the seed")
            return seed.value, None
        if commitment is None or not _COMMITMENT.fullmatch(commitment.value):
            self._wrong(tag, "a seeded game needs a Seed, or a SeedCommitment of 64 lower-case hex digits")
            return None, None
        return None, commitment.value

    def _shares(self, seed: str | None) -> list[str]:
        tag = self._tags.get("seedshares")
        if tag is None:
            return []
        shares = split(tag.value)
        if seed is None or not all(map(_COMMITMENT.fullmatch, shares)):
            self._wrong(tag, "must list the SHA-256 of each share, with 64 lower-case hex digits")
        return shares

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
            self._wrong(tag, f"must have at most {MOST_TAGS} tags, each with at most {LONGEST_NAME} characters")
        return words

    def _fork(self) -> Fork | None:
        tag = self._tags.get("fork")
        if tag is None:
            return None
        try:
            return msgspec.json.decode(tag.value, type=Fork)
        except (msgspec.DecodeError, RecursionError):
            self._wrong(tag, "must be the JSON of a fork: the original game and the event")
            return None

    def _remarks(self, recorded_at: str) -> None:
        """Keep handwritten tags: the date, title and place as details of the game, the others as a note."""
        self._heading.is_exported = "hash" in self._tags
        if self._heading.is_exported:
            return
        doubted = {line for line, _ in self._heading.doubts}
        date = self._text("date")
        self._heading.played_at = None if date is None else dates.moment(date, recorded_at)
        details = {"title": self._text("event"), "place": self._text("site")}
        self._heading.details = {name: value[:_LONGEST] for name, value in details.items() if value is not None}
        kept = {"recorder"} | ({"date"} if self._heading.played_at is None else set())
        said = [
            f"{tag.name}: {tag.value}."
            for name, tag in self._tags.items()
            if (name in kept or tag.line in doubted) and not _UNKNOWN.fullmatch(tag.value)
        ]
        self._heading.remarks = " ".join(said) or None

    def _text(self, name: str) -> str | None:
        tag = self._tags.get(name)
        return None if tag is None or _UNKNOWN.fullmatch(tag.value) else tag.value

    def _wrong(self, tag: Tag | None, message: str) -> None:
        self._heading.problems.append((1 if tag is None else tag.line, message))

    def _at(self, pointer: str) -> int:
        """Return the line of the tag that caused an error in the opening."""
        _, part, *rest = [*pointer.split("/"), "", ""]
        name = {"seats": "players", "options": tag_key(rest[0].replace("_", " "))}.get(part, part)
        tag = self._tags.get(name) or self._tags.get("rules") or self._tags.get("game")
        return 1 if tag is None else tag.line


def _whole(text: str) -> Any:
    """Return the JSON document in a tag, with or without backticks; if the text is not JSON, return the text."""
    try:
        return msgspec.json.decode(text.strip("`"))
    except (msgspec.DecodeError, RecursionError):
        return text


def _option_value(own: Language, schema: dict[str, Any], names: Names, text: str) -> tuple[Any] | None:
    """Return the value of an option that a text names, in a tuple; None if no value fits, or several do."""
    options, _ = alternatives(schema, own.options)
    called = {key(str(value).replace("_", " ")): value for option in options for value in option.get("enum", ())}
    called |= {
        key(title): {"true": True, "false": False}.get(name, name) for name, title in schema.get(TITLES, {}).items()
    }
    called |= {key(name): id_ for name, id_ in zip(names, SEAT_IDS, strict=False) if id_ in called.values()}
    if any(option.get("type") == "boolean" for option in options):
        called |= {"yes": True, "no": False, "ja": True, "nein": False}
    words = tokens_of(text)
    rated = sorted(((mention(words, phrase(name))[0], name) for name in called), reverse=True)
    if not rated or rated[0][0] < GOOD:
        return None
    best = [called[name] for score, name in rated if score == rated[0][0]]
    return (best[0],) if len({str(one) for one in best}) == 1 else None


def _no_event(label: str) -> int:
    raise Unreadable(label)
