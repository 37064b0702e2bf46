"""Turn pieces of the notation into drafts, and judge them by the rules before they are recorded."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.core.canonical import check_value
from engine.core.errors import GameOver, IllegalAction, ImpossibleOutcome, Malformed, OutcomeRequired, TooMuchWork
from engine.core.events import Draft
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs import telling
from engine.play.corrections import facts
from exports.notation.exact import Exact
from exports.notation.filling import Filler
from exports.notation.heading import Bounding
from exports.notation.recorder import Differs, PendingDraft, Recorder
from exports.notation.syntax import Unreadable, WrittenPiece
from exports.notation.words import key
from exports.reading import check_time

DEEPEST = 24
"""The maximum depth of nesting in an event's params."""
_CORRECTIONS = frozenset({"undo", "reveal", "annotate", "abandon", "amend", "insert", "remove", "adjust"})
"""First words of corrections. A piece that begins with one is never read as handwriting."""


class Judging:
    """Judges pieces in the notation.

    Args:
        bounded: checks each draft against the limits of a record.
    """

    def __init__(self, recorder: Recorder, exact: Exact, filler: Filler, bounded: Bounding) -> None:
        self._recorder, self._exact, self._filler, self._bounded = recorder, exact, filler, bounded

    def judge(self, piece: WrittenPiece, last: int, current: int | None) -> tuple[list[PendingDraft], Draft]:
        """Judge a piece of a line. Return the judged drafts, and the last draft.

        Args:
            last: the event that a plain `undo` undoes.
            current: the seat that acted before; None if the line begins a turn.

        Raises:
            Unreadable: the piece is not in the notation, or is illegal without `anyway`.
            Differs: the seed draws another result.
            EngineError: the rules reject the piece.
        """
        verb, seat, params = self._exact.act(piece, last)
        check_value(params, "/params", DEEPEST)
        explanation = self._exact.explanation(piece)
        draft = Draft(type=verb.type, params=self._add_true_fact(params), explanation=explanation)
        if verb.is_action:
            draft = self._with_actor(draft, seat, current)
        found: list[PendingDraft] = []
        game = self._recorder.game
        *earlier, final = piece.draws or ((),)
        for said in [*earlier, final]:
            queue = [self._exact.outcome(one) for one in said]
            if queue and not (verb.asks_chance or verb.type == "amend"):
                raise Unreadable
            if said is final:
                draft = msgspec.structs.replace(draft, note=piece.note, occurred_at=piece.occurred_at)
            while True:
                count = len(queue)
                entered = self._recorder.draw(
                    self.check_draft(draft),
                    lambda *_, queue=queue: queue.pop(0) if queue else None,
                    game,
                    is_illegal=piece.is_illegal,
                )
                if not entered.is_legal and not piece.is_illegal and verb.is_action:
                    raise Unreadable
                found.append(entered)
                game = entered.game
                if not queue:
                    break
                if len(queue) == count:
                    raise Unreadable
        return found, draft

    def check_draft(self, draft: Draft) -> Draft:
        """Check a draft against the limits of a record, and return it.

        Raises:
            Malformed: the draft is too large, or its time is invalid.
        """
        draft = self._bounded(draft)
        if draft.occurred_at is not None:
            check_time(draft.occurred_at, "/occurred_at")
        return draft

    def is_final(self, error: Exception, piece: WrittenPiece) -> bool:
        """Return True if a rejected piece must not be tried as handwriting."""
        if isinstance(error, Differs) or self._recorder.seed is not None:
            return True
        words = [key(item.text) for item in piece.body[:2]]
        if words == ["left", "out"] or not _CORRECTIONS.isdisjoint(words[:1]):
            return True
        return self._recorder.game.header.mode == "strict" and isinstance(error, IllegalAction)

    def _with_actor(self, draft: Draft, seat: str | None, current: int | None) -> Draft:
        """Set the actor: the named seat, the seat that acted before, or the only seat that can act."""
        if seat is not None:
            return msgspec.structs.replace(draft, actor=seat)
        if self._recorder.state is None:
            raise Unreadable
        table = self._filler.table(self._recorder.game)
        first = current if current is not None else table.active
        can = [
            one.seat
            for one in table.legal
            if one.type == draft.type and msgspec.json.encode(one.action) == msgspec.json.encode(draft.params)
        ]
        index = first if first in can or len(can) != 1 else can[0]
        return msgspec.structs.replace(draft, actor=self._recorder.game.header.seat_ids[index])

    def _add_true_fact(self, params: dict[str, Any]) -> dict[str, Any]:
        """Add a true fact to an adjustment without facts.

        The text has no facts if a comparison with the table found no difference.
        """
        state = self._recorder.state
        if params.get("facts") != [] or state is None:
            return params
        known = telling.known_facts(self._recorder.game.ruleset, state)
        return {**params, "facts": [facts.document(fact) for fact in known if not fact.is_derived][:1]}


def reason(ruleset: AnyRuleset, error: Exception) -> str:
    """Return the reason of a rejection, as a text for people."""
    match error:
        case IllegalAction():
            return f"{error.message} ({error.rule})"
        case GameOver():
            return ruleset.account(error)
        case ImpossibleOutcome():
            return f"{error.given} cannot be the {error.point.name.replace('_', ' ')}"
        case OutcomeRequired():
            return f"the {error.point.name.replace('_', ' ')} is missing, and the game cannot continue without it"
        case Malformed():
            return error.message
        case TooMuchWork():
            return "too many earlier results are unknown: add them"
    return str(error)
