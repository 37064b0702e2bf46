"""Complete a handwritten game: add due draws and other steps, omitted actions, and necessary results.

Results that the text omits are unknown. No guess assumes that a step was skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from engine.core.errors import EngineError, OutcomeRequired
from engine.core.events import Draft, Event
from engine.core.values import SEAT_IDS, ChancePoint, State, Value
from engine.kit.chance import Chosen
from engine.kit.ruleset import AnyRuleset
from engine.kit.steps import Skip
from engine.play import omissions
from engine.play.beliefs import telling
from engine.play.beliefs.belief import likeliest
from engine.play.corrections import facts
from engine.play.game import Game
from exports.notation.candidates import Candidate, Candidates
from exports.notation.lexicon import GOOD, likeness, tokens_of
from exports.notation.matching import ActionMatcher
from exports.notation.recorder import PendingDraft, Recorder

CLEAR = 0.7
"""The minimum score of a segment that can be accepted without a question."""
FORGOTTEN = 0.45
"""The decrease in score for assuming an unwritten or illegal action."""
_SUGGESTED = 0.1
"""The decrease in score for assuming an unwritten result that other lines suggest."""
_MOST_KEPT = 64
"""The maximum number of states whose matchers and due steps are cached."""
_MOST_DUE = 12
"""The maximum number of draws and other steps that are added before an action."""
_MOST_OMITTED = 2
"""The maximum number of omitted actions to offer before an action."""
NOT_ON_PAPER = "Not on paper."
"""The reason of an adjustment that replaces unwritten draws."""


class Guess(msgspec.Struct, frozen=True):
    """A possible meaning of a line."""

    game: Game
    """The game after the guess."""
    drafts: tuple[Draft, ...] = ()
    events: tuple[Event, ...] = ()
    unknown: tuple[str, ...] = ()
    total: float = 0.0
    least: float = 1.0
    """The score of the worst segment."""
    is_doubtful: bool = False
    """True if the guess needs an answer, because it adds something or is illegal."""
    actor: int | None = None
    verb: str | None = None
    """The type of the last action in the guess."""
    illegal: tuple[int, ...] = ()
    """The indexes of the illegal drafts in `drafts`."""
    swapped: int = 0
    """1 if the guess begins with the next line, -1 if it ends with the previous one, otherwise 0."""

    @property
    def is_clear(self) -> bool:
        """Return True if the guess can be accepted without a question."""
        return self.least >= CLEAR and not self.is_doubtful

    def extend(
        self, drafts: tuple[Draft, ...], entered: PendingDraft, cost: float, *, is_doubtful: bool = False
    ) -> Guess:
        """Return the guess with more drafts, which were judged."""
        found = {event.type: event.outcomes for event in entered.events}
        known = (msgspec.structs.replace(one, outcomes=found.get(one.type, one.outcomes)) for one in drafts)
        return msgspec.structs.replace(
            self,
            game=entered.game,
            drafts=(*self.drafts, *known),
            events=(*self.events, *entered.events),
            unknown=(*self.unknown, *entered.unknown),
            total=self.total + cost,
            is_doubtful=self.is_doubtful or is_doubtful,
        )


class Filler:
    """Completes the handwritten text of a game.

    Attributes:
        later: the words of later lines.
    """

    def __init__(self, recorder: Recorder, candidates: Candidates) -> None:
        self._recorder = recorder
        self._candidates = candidates
        self._ruleset = candidates.vocabulary.ruleset
        self._tables: dict[int, ActionMatcher] = {}
        """The matchers by the `id()` of their state. Recording a note does not change the state."""
        self._skips: dict[int, tuple[State, Skip[State] | None]] = {}
        """A state, and the first step that can be skipped in it, by the `id()` of the state."""
        self.later: Sequence[str] = ()

    def table(self, game: Game) -> ActionMatcher:
        """Return the matcher for the table after the last event of a game."""
        assert game.state is not None
        # A table refers to its state. So no other state gets the same id while the table is cached.
        same = id(game.state)
        if same not in self._tables:
            if len(self._tables) > _MOST_KEPT:
                self._tables.clear()
            self._tables[same] = ActionMatcher(self._candidates, game.state)
        return self._tables[same]

    def due(self, guess: Guess, candidate: Candidate) -> list[Guess]:
        """Return guesses that add the due steps without which an action is illegal.

        The results of these steps are unknown. If the board depends on a result, it cannot be unknown. Then guess an
        adjustment of the table, or a result from the rest of the text. An action such as a discard may need a drawn
        card, so always try the draws of the current step.
        """
        comes = _comes(self._ruleset, guess.game.state, candidate)
        first: tuple[str, int] | None = None
        for _ in range(_MOST_DUE):
            state = guess.game.state
            if state is None or state.outcome is not None:
                return []
            if self._is_legal(guess.game, candidate):
                return [guess]
            skip = self._due_step(state)
            if skip is None:
                return []
            first = first or (skip.step.id, skip.seat)
            step = self._step(guess.game, skip)
            if not comes and (step is None or first != (skip.step.id, skip.seat)):
                return []
            if step is None:
                return self._guess_adjustments(guess, candidate)
            drafts = (draft_of(step),)
            try:
                entered = self._recorder.draw(drafts[0], lambda *_: None, guess.game)
            except OutcomeRequired:
                if not comes:
                    return []
                return [
                    *self._guess_adjustments(guess, candidate),
                    *self._guess_suggested_draws(guess, skip, step, candidate),
                ]
            except EngineError:
                return []
            guess = guess.extend(drafts, entered, -0.02)
        return []

    def due_with_result(self, guess: Guess, candidate: Candidate, drawn: Value) -> Iterator[Guess]:
        """Yield guesses that add the due steps, with a result (such as Waters Rise!) that makes `drawn` possible."""
        while not guess.is_doubtful and _comes(self._ruleset, guess.game.state, candidate):
            state = guess.game.state
            skip = None if state is None else self._due_step(state)
            step = None if skip is None else self._step(guess.game, skip)
            if step is None or not step.action.asks_chance:
                return
            for value in self.table(guess.game).options(step):
                longer = self.add_action(guess, step, (value,))
                for filled in self.due(longer, candidate) if longer is not None else ():
                    if self.can_draw(filled.game, candidate, drawn):
                        yield msgspec.structs.replace(filled, total=filled.total - _SUGGESTED, is_doubtful=True)
                        return
            unknown = self.add_action(guess, step, ())
            if unknown is None or self._is_legal(unknown.game, candidate):
                return
            guess = unknown

    def guess_omissions(self, guess: Guess, candidate: Candidate) -> Iterator[Guess]:
        """Yield guesses with an unwritten action before the written one. Types with few choices come first."""
        legal = [one for one in self.table(guess.game).legal if one.seat == candidate.seat]
        choices = Counter(one.type for one in legal)
        table, offered = likeliest(guess.game.state), 0
        for before in sorted(legal, key=lambda one: choices[one.type]):
            if before.action.asks_chance or not _leads_to(table, before, candidate):
                continue
            try:
                entered = self._recorder.judge(draft_of(before), guess.game)
            except EngineError:
                continue
            after = entered.game.state
            if after is None or after.outcome is not None or not candidate.is_legal_at(likeliest(after)):
                continue
            yield guess.extend((draft_of(before),), entered, 0.02 - FORGOTTEN, is_doubtful=True)
            offered += 1
            if offered == _MOST_OMITTED:
                return

    def add_action(self, guess: Guess, candidate: Candidate, drawn: Sequence[Value | None]) -> Guess | None:
        """Return a guess with another legal action and its results; None if that is impossible."""
        draft = draft_of(candidate)
        left = list(drawn)
        try:
            entered = self._recorder.draw(draft, lambda _, point: left.pop(0) if left else _only(point), guess.game)
        except OutcomeRequired as error:
            return self._public(guess, draft, error)
        except EngineError:
            return None
        if not entered.is_legal:
            return None
        return guess.extend((draft,), entered, 0.0)

    def can_draw(self, game: Game, candidate: Candidate, drawn: Value) -> bool:
        """Return True if an action is legal, and `drawn` is one of its possible results."""
        return self._is_possible(game, msgspec.structs.replace(draft_of(candidate), outcomes=(drawn,)))

    def _is_legal(self, game: Game, candidate: Candidate) -> bool:
        """Return True if an action is legal at a possible table."""
        table = likeliest(game.state)
        if candidate.is_legal_at(table):
            return True
        # A discard may be legal only on tables where an unseen card was drawn.
        return (
            game.state is not table
            and not candidate.action.asks_chance
            and self._is_possible(game, draft_of(candidate))
        )

    def _is_possible(self, game: Game, draft: Draft) -> bool:
        try:
            return self._recorder.judge(draft, game).is_legal
        except EngineError:
            return False

    def _public(self, guess: Guess, draft: Draft, error: OutcomeRequired) -> Guess | None:
        """Return a guess for an unwritten result that must be known, because the board depends on the result.

        A question offers the possible results.
        """
        options = self._likely(error.point.options)
        if not options or error.point.position > 0:
            return None
        drawn = msgspec.structs.replace(draft, outcomes=(options[0],))
        try:
            entered = self._recorder.judge(drawn, guess.game)
        except EngineError:
            return None
        return guess.extend((drawn,), entered, -FORGOTTEN, is_doubtful=True)

    def _likely(self, options: Sequence[Value]) -> list[Value]:
        """Return the options. Those that later lines mention come first."""
        words = tokens_of(" ".join(self.later)[:2000])
        at = {word: index for index, word in reversed(list(enumerate(words)))}

        def first(value: Value) -> float:
            phrases = self._candidates.vocabulary.value(value)
            found = [
                max(at[word] for word in one.words) for one in phrases if one.words and all(w in at for w in one.words)
            ]
            return min(found, default=10_000)

        return sorted(dict.fromkeys(options), key=first)

    def _due_step(self, state: State) -> Skip[State] | None:
        """Return the first step that is due at the likeliest possible table."""
        return next(iter(self._ruleset.skips(likeliest(state))), None)

    def _skip(self, state: State) -> Skip[State] | None:
        """Return the first step that is due on every possible table, with the table after the step is skipped."""
        if id(state) not in self._skips:
            if len(self._skips) > _MOST_KEPT:
                self._skips.clear()
            self._skips[id(state)] = state, next(iter(omissions.skips(self._ruleset, state)), None)
        return self._skips[id(state)][1]

    def _step(self, game: Game, skip: Skip[State]) -> Candidate | None:
        """Return the action without params that carries out a due step."""
        words = tokens_of(f"{skip.step.id.replace('_', ' ')} {skip.step.name}")
        table = likeliest(game.state)
        rated = []
        for kind in self._ruleset.actions:
            alike = max(likeness(word, known) for word in words for known in tokens_of(kind.type.replace("_", " ")))
            if alike >= GOOD and not kind.__struct_fields__:
                one = Candidate(self._ruleset.parse(kind.type, {}), skip.seat, (), (), (), 0.0)
                rated += [(alike, one)] if one.is_legal_at(table) else []
        return max(rated, key=lambda pair: pair[0])[1] if rated else None

    def _guess_adjustments(self, guess: Guess, candidate: Candidate) -> list[Guess]:
        """Return guesses that adjust the table, in place of a step whose result nobody remembers."""
        assert guess.game.state is not None
        skip = self._skip(guess.game.state)
        if skip is None:
            return []
        before = set(map(repr, telling.known_facts(self._ruleset, guess.game.state)))
        changed = [
            facts.document(one)
            for one in telling.known_facts(self._ruleset, skip.state)
            if not one.is_derived and repr(one) not in before
        ]
        if not changed:
            return []
        draft = Draft(type="adjust", params={"reason": NOT_ON_PAPER, "facts": changed})
        try:
            entered = self._recorder.judge(draft, guess.game)
        except EngineError:
            return []
        return self.due(guess.extend((draft,), entered, -FORGOTTEN, is_doubtful=True), candidate)

    def _guess_suggested_draws(
        self, guess: Guess, skip: Skip[State], step: Candidate, candidate: Candidate
    ) -> list[Guess]:
        """Return guesses that add the draws of the due step. Later lines of the text suggest the results."""
        for _ in range(_MOST_DUE):
            longer = self.add_action(guess, step, ())
            if longer is None:
                return []
            guess = longer
            state = guess.game.state
            assert state is not None
            due = self._due_step(state) if state.outcome is None else None
            is_other = due is None or (due.step.id, due.seat) != (skip.step.id, skip.seat)
            if is_other or candidate.is_legal_at(likeliest(state)):
                break
        return self.due(msgspec.structs.replace(guess, total=guess.total - _SUGGESTED), candidate)


def draft_of(candidate: Candidate) -> Draft:
    """Return an action as a draft."""
    return Draft(type=candidate.type, actor=SEAT_IDS[candidate.seat], params=msgspec.to_builtins(candidate.action))


def _comes(ruleset: AnyRuleset, state: State | None, candidate: Candidate) -> bool:
    """Return True if an action becomes legal in this turn or the next, after the due steps."""
    table = likeliest(state)
    last = table.turn + 1
    for _ in range(_MOST_DUE):
        if table.outcome is not None or table.turn > last:
            return False
        if candidate.is_legal_at(table):
            return True
        skip = next(iter(ruleset.skips(table)), None)
        if skip is None:
            return False
        table = skip.state
    return False


def _leads_to(table: State, before: Candidate, candidate: Candidate) -> bool:
    """Return False if `candidate` is still illegal after the action `before`. This is faster than judging."""
    if not before.is_legal_at(table):
        return True
    return candidate.is_legal_at(before.action.apply(table, before.seat, Chosen()))


def _only(point: ChancePoint) -> Value | None:
    return point.options[0] if len(set(point.options)) == 1 else None
