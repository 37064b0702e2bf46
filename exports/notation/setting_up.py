"""The set-up as it is written: in one piece, or line by line, each part of it under its name."""

from __future__ import annotations

import msgspec

from engine.core import lifecycle
from engine.play.game import Game
from exports.notation.came_up import Grouped
from exports.notation.language import Language
from exports.notation.scanning import Token, Written
from exports.notation.syntax import Act, Said, Tokens, act, text_of
from exports.notation.words import Names, begins, key
from exports.notation.writing import set_up_groups

_EQUALS = Token("=", 1, 1, "=")
_NAMES = frozenset({"set", "up", "setup"})
LONGEST_GROUP = 8
"""Words in the name of a part of a set-up."""


class SettingUp:
    """What is told of a set-up, until something else is."""

    def __init__(self, language: Language, names: Names, game: Game) -> None:
        self._language = language
        self._names = names
        self._game = game
        self._act: Act | None = None
        self._said: list[Said] = []
        self._notes: list[str] = []
        self.pieces: list[Written] = []
        self.remarks: list[Written] = []
        """What is only said behind it, as far as nothing of the set-up follows."""

    @property
    def is_begun(self) -> bool:
        """Whether anything is told."""
        return bool(self.pieces)

    @property
    def act(self) -> Act:
        """What is written of it besides what came up."""
        one = self._act or Act(self.pieces[0].line, self.pieces[0].column, None, ())
        return msgspec.structs.replace(one, note=" ".join(self._notes) if self._notes else None)

    @property
    def params(self) -> Tokens:
        """What stands after its name."""
        body = self.act.body
        count = 0
        while count < len(body) and body[count].kind == "word" and set(key(body[count].text).split()) <= _NAMES:
            count += 1
        return body[count:]

    def queue(self) -> Grouped:
        """What came up."""
        return Grouped(self._said, self._game, self._names)

    def takes(self, one: Written) -> bool:
        """Whether a piece is a part of the set-up; it is kept then.

        Raises:
            Misread: it cannot be read.
        """
        group = self._group(one)
        tokens = one.tokens if group is None else (_EQUALS, *one.tokens)
        written = act(msgspec.structs.replace(one, tokens=tokens), self._language, self._names)
        if written.is_silent and self._said:
            self.remarks.append(one)
            return True
        if group is None and not written.is_silent:
            if self._act is not None or not self._is_named(written.body):
                return False
            self._act = msgspec.structs.replace(written, note=None)
        for remark in self.remarks:
            self._note(act(remark, self._language, self._names))
        self._note(written)
        self._said += [Said(said.tokens, said.group or group or "") for said in _flat(written)]
        self.pieces += [*self.remarks, one]
        self.remarks = []
        return True

    def _note(self, written: Act) -> None:
        if written.note is not None:
            self._notes.append(written.note)

    def _is_named(self, body: Tokens) -> bool:
        words = key(text_of(token for token in body if token.kind == "word")).split()
        found = self._language.exact(words)
        return words[:1] == ["setup"] or (found is not None and found[0].type == lifecycle.SET_UP)

    def _group(self, one: Written) -> str | None:
        """The part of the set-up that a line such as 'The island: …' tells of."""
        for index, token in enumerate(one.tokens[: LONGEST_GROUP + 1]):
            if token.kind == ":" and index and not self._is_named(one.tokens[:index]):
                given = text_of(one.tokens[:index])
                if self._names.find(given):
                    return None
                groups = dict.fromkeys(set_up_groups(self._game.header, self._game.ruleset, ()))
                return next((group for group in groups if group and begins(given, group)), None)
        return None


def _flat(written: Act) -> list[Said]:
    return [said for several in written.outcomes for said in several]
