"""Parse a handwritten setup, written as a whole or part by part in any order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

import msgspec

from engine.core.errors import OutcomeRequired
from engine.core.values import ChancePoint, Value
from engine.kit.chance import Recorded
from engine.play.game import Game
from exports.notation.candidates import Vocabulary
from exports.notation.exact import Exact
from exports.notation.handwriting import split_player
from exports.notation.lexicon import GOOD, best_mention, mention, phrase, tokens_of
from exports.notation.syntax import DrawnResult, Line, Unreadable, comment_text, items_of
from exports.notation.words import Names, key
from exports.notation.writing import set_up_groups

_HEADING = re.compile(r"\s*(?:set[ -]?up|aufbau|start)\s*(?:[:=.]|$)\s*", re.IGNORECASE)
_PART = re.compile(r"\s*([^:=,]{1,60}?)\s*[:=]\s*")
_SEPARATOR = re.compile(r"\s*(?:[,;\n]\s*/?|\s\+\s|\s&\s|\band\b|\bund\b)\s*")
_COMMENT = re.compile(r"\{((?:\\.|[^\\}])*)\}")
_UNKNOWN = re.compile(r"[?\s]*")


class WrittenResult(msgspec.Struct, frozen=True):
    """A written result of the setup."""

    part: str
    text: str
    seat: int | None = None
    """The seat of the player who is named before the result."""


class SettingUp:
    """Collects the written parts of a setup."""

    def __init__(self, game: Game, names: Names, vocabulary: Vocabulary) -> None:
        self._game = game
        self._names = names
        self._vocabulary = vocabulary
        self._groups = [one for one in dict.fromkeys(set_up_groups(game.header, game.ruleset, ())) if one]
        self._values: list[WrittenResult] = []
        self._part = ""
        self.lines: list[Line] = []
        self.notes: list[str] = []
        self.remarks: list[tuple[Line, str]] = []
        """Remarks before any part of the setup."""
        self.missing: list[ChancePoint] = []
        """The missing and the unreadable parts."""
        self.unreadable: list[str] = []

    @property
    def is_begun(self) -> bool:
        """Return True if a part was collected."""
        return bool(self.lines)

    def takes(self, line: Line) -> bool:
        """If a line belongs to the setup, read it and return True."""
        text = _COMMENT.sub(" ", line.text)
        heading = _HEADING.match(text)
        rest = text[heading.end() :] if heading else text
        found = self._parts(rest, is_begun=heading is not None or self.is_begun)
        if heading is None and not found:
            return False
        self.notes += [said for _, said in self.remarks]
        self.lines += [*(one for one, _ in self.remarks), line]
        self.remarks = []
        self.notes += [one for one in map(comment_text, _COMMENT.findall(line.text)) if one]
        if found is not None:
            self._values += found
        return True

    def take(self, given: Sequence[Value | None], point: ChancePoint) -> Value | None:
        """Return the next written result that fits. If a written result is missing, return the first possible one."""
        part = self._asked_group(given)
        options = list(dict.fromkeys(point.options))
        found = next((one for one in self._values if not part or not one.part or one.part == part), None)
        if found is None or _UNKNOWN.fullmatch(found.text):
            if found is not None:
                self._values.remove(found)
            self.missing.append(point)
            return options[0]
        self._values.remove(found)
        value = self._value(found.text, options)
        if value is None:
            self.unreadable.append(found.text)
            return options[0]
        return value

    @property
    def unused_results(self) -> list[str]:
        """Return the written results that the setup did not use."""
        return [one.text for one in self._values if one.text]

    def _asked_group(self, given: Sequence[Value | None]) -> str:
        groups = set_up_groups(self._game.header, self._game.ruleset, tuple(given))
        return groups[len(given)] if len(given) < len(groups) else (groups[-1] if groups else "")

    def _parts(self, text: str, *, is_begun: bool) -> list[WrittenResult] | None:
        """Return the results in a line; None if the line does not belong to the setup."""
        found: list[WrittenResult] = []
        at = 0
        part = _PART.match(text)
        name = self._find_group(part[1]) if part else None
        if name is None and not is_begun:
            return None
        if name is None and part is not None and split_player(part[1], self._names)[0] is None:
            name = self._group_of(text[part.end() :])
            self._part, at = (name, part.end()) if name is not None else (self._part, 0)
        while at < len(text):
            part = _PART.match(text, at)
            name = self._find_group(part[1]) if part else None
            if name is not None and part is not None:
                self._part, at = name, part.end()
            end = _SEPARATOR.search(text, at)
            # A part can begin on a new line, without a comma before it.
            one = text[at : end.start() if end else len(text)].strip().strip(".")
            at = end.end() if end else len(text)
            if one:
                seat, said = split_player(one, self._names)
                if said.startswith(">"):
                    # 'Ann -> Gold Gate' is a move.
                    return None
                is_value = self._is_value(one)
                found.append(
                    WrittenResult(self._part, one if is_value or not said else said, None if is_value else seat)
                )
        seats = [one.seat for one in found]
        if seats and None not in seats:
            found.sort(key=lambda one: one.seat or 0)
        if name is None and not all(_UNKNOWN.fullmatch(one.text) or self._is_value(one.text) for one in found):
            return None
        return found

    def _is_value(self, text: str) -> bool:
        """Return True if every word of a text belongs to the name of one value."""
        words = tokens_of(text)
        found = (best_mention(words, self._vocabulary.value(value)) for value in self._vocabulary.ids)
        return any(strength > 0.3 and min(explained, default=0.0) >= 0.5 for strength, explained in found)

    def _find_group(self, text: str) -> str | None:
        words = tokens_of(text)
        rated = sorted(((mention(words, phrase(one))[0], one) for one in self._groups), reverse=True)
        exact = [one for one in self._groups if key(one).startswith(key(text))]
        if len(exact) == 1 and key(text):
            return exact[0]
        if rated and rated[0][0] >= 0.3 and words and (len(rated) == 1 or rated[0][0] > rated[1][0]):
            return rated[0][1]
        return None

    def _group_of(self, text: str) -> str | None:
        """Return the group whose values a text lists; None if several groups fit.

        Ignore groups that already have results.
        """
        given = {one.part for one in self._values}
        said = [split_player(one, self._names)[1] or one for one in _SEPARATOR.split(text) if one.strip()]
        fitting = [
            group
            for group, options in self._options.items()
            if said and group not in given and all(self._value(one, options) is not None for one in said)
        ]
        return fitting[0] if len(fitting) == 1 else None

    @cached_property
    def _options(self) -> dict[str, list[Value]]:
        """The possible values of each group."""
        found: dict[str, dict[Value, None]] = {}
        header, ruleset = self._game.header, self._game.ruleset
        options, given = ruleset.parse_options(header.options, len(header.seats)), list[Value]()
        while True:
            chance = Recorded()
            chance.begin(0, tuple(given))
            try:
                ruleset.setup(options, len(header.seats), chance)
            except OutcomeRequired as required:
                found.setdefault(self._asked_group(given), {}).update(dict.fromkeys(required.point.options))
                given.append(required.point.options[0])
            else:
                return {group: list(values) for group, values in found.items()}

    def _value(self, text: str, options: Sequence[Value]) -> Value | None:
        try:
            exact = Exact(self._vocabulary.language, self._names, lambda _: 0).outcome(DrawnResult(items_of(text)))
        except Unreadable:
            exact = None
        if exact in options:
            return exact
        words = tokens_of(text)
        rated = []
        for one in options:
            strength, explained = best_mention(words, self._vocabulary.at_table(one, self._names))
            rated.append((sum(explained) / max(len(words), 1) + strength / 10, str(one), one))
        rated.sort(reverse=True)
        if not rated or rated[0][0] < GOOD or (len(rated) > 1 and rated[0][0] - rated[1][0] < 0.01):
            return None
        return rated[0][2]
