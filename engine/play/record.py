"""Recording: what somebody asks to append becomes events, or nothing happens at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from engine.core import effort, lifecycle
from engine.core.digests import state_digest
from engine.core.errors import EngineError, IllegalAction, ImpossibleOutcome, Malformed, TooMuchWork
from engine.core.events import GENESIS, ChanceKind, Corrections, Draft, Event, Fork, Header, IfIllegal, Mode, Seat, seal
from engine.core.language import marked, say
from engine.core.values import Judgement, State, Value
from engine.kit.actions import Action
from engine.kit.chance import Chance, Observed, Sealed, Seeded, seed_commitment
from engine.play import registry
from engine.play.beliefs.belief import Belief
from engine.play.corrections.amends import MOST_PLAYS, is_hiding
from engine.play.explanations.judging import check_explanation, resolved, without_idle_explanation
from engine.play.explanations.search import explain_outcome
from engine.play.fold import History
from engine.play.game import Game
from engine.play.impact import Impacts
from engine.play.line import Line
from engine.play.past import Past, is_ending
from engine.play.rules import Body
from engine.play.showing import check_shown

_CLOSING = Draft(type=lifecycle.GAME_CLOSED)

SPENT = marked(
    "What was asked here was refused after chance had been drawn for it. What came up then counts for nothing."
)
"""What the note says that takes the place of such an event: whoever was told of the refusal may know what was drawn,
and another event of that number would bring it up."""


def open_game(
    *,
    ruleset: str,
    seats: Sequence[Seat],
    options: Mapping[str, Any],
    seed: str | None,
    recorded_at: str,
    tags: Sequence[str] = (),
    mode: Mode = "strict",
    fork: Fork | None = None,
    corrections: Corrections | None = None,
    recorded_by: str | None = None,
    version: str | None = None,
    commitment: str | None = None,
) -> tuple[Game, Event]:
    """A new game and its event 1.

    Args:
        options: those that differ from the ruleset's defaults.
        seed: of a seeded game; None where the table's own chance is observed.
        recorded_at: RFC 3339 in UTC.
        version: of its rules (default: the newest).
        commitment: of a seeded game whose seed is not known here: its SHA-256.

    Raises:
        UnknownRuleset: no such ruleset.
        Malformed: the seats or options do not fit it.
    """
    rules = registry.ruleset(ruleset, version)
    commitment = commitment if seed is None else seed_commitment(seed)
    chance: ChanceKind = "observed" if commitment is None else "seeded"
    header = Header(
        ruleset=rules.id,
        ruleset_version=rules.version,
        seats=tuple(seats),
        # As a JSON document holds them, so that a header is the same when it is read back.
        options=msgspec.json.decode(msgspec.json.encode(rules.parse_options(options, len(seats)))),
        chance=chance,
        mode=mode,
        tags=tuple(tags),
        seed_commitment=commitment,
        fork=fork,
        corrections=corrections,
        # Elsewhere nothing is illegal, and an earlier release can read the game.
        keeps_turn=mode == "as_played",
    )
    event = seal(
        Draft(type=lifecycle.GAME_OPENED),
        seq=1,
        turn=0,
        params=msgspec.to_builtins(header),
        outcomes=(),
        recorded_at=recorded_at,
        recorded_by=recorded_by,
        prev=GENESIS,
    )
    return Game(header=header, version=1, head=event.hash, state=None), event


def chance_for(header: Header, seed: str | None) -> Chance:
    """The source of chance of a game that goes on; `seed` is None where it is observed, or not known here."""
    if header.chance == "observed":
        return Observed()
    return Sealed() if seed is None else Seeded(seed)


class Step(msgspec.Struct, frozen=True):
    """What became of a draft."""

    game: Game
    """The game after it."""
    events: list[Event]
    """The draft's own event, after those that say what was left out before it; after the one that ends the game,
    `game_closed`."""
    is_telling: bool
    """Whether chance was drawn in it, or a secret opened: what follows it must not be judged before it is in the log,
    since being refused, or taking long, would tell what came up while it can still be gone round."""
    impact: Impacts | None = None
    """What a correction does to those that follow it."""
    refused: Exception | None = None
    """Why the draft was refused after chance had been drawn for it: a note stands in the log instead (`SPENT`)."""

    @property
    def event(self) -> Event:
        """The draft's own event."""
        return next(event for event in reversed(self.events) if event.type != lifecycle.GAME_CLOSED)


def record(
    game: Game,
    drafts: Sequence[Draft],
    chance: Chance,
    past: Past,
    *,
    recorded_at: str,
    recorded_by: str | None = None,
    accept_left_out: bool | None = False,
    accept_illegal: bool = False,
    if_illegal: IfIllegal | None = None,
    as_played: bool | None = None,
) -> tuple[Game, list[Event]]:
    """Judge `drafts` one after the other: all of them become events, or none.

    For a log that nobody else writes to: whoever is told of a refusal here knows what was drawn before it. The service
    takes the `steps` one by one.

    Args:
        past: what came before in this game, for an undo or an amend; what an amend does to later events is
            remembered there, in `impacts`.
        recorded_at: RFC 3339 in UTC.
        accept_left_out: in a game recorded as played, of an action that is not legal, and would be if steps were left
            out before it: True: these are recorded as left out, and the action after them; None: it is refused with
            them (`IsLeftOut`); False: nothing was left out, and the action is recorded with its verdict.
        accept_illegal: in a strict game, whether an action that the rules forbid is recorded with its verdict all the
            same, as in one recorded as played; not where it hides something.
        if_illegal: what becomes of an action that the rules forbid: `refuse` and `ask` refuse it with its
            explanations, `accept` records it with the first of them. None: as the two above say.
        as_played: whether an amend leaves what it breaks as the table played it, or is refused in every mode (False).
            None: it is refused in a strict game, unless it says `accept_broken`.

    Returns:
        The game after the last, and the events.

    Raises:
        EngineError: a draft is refused; its `index` says which. A list is refused, too, where it takes too long; and
            `TooMuchWork` where the caller's `engine.core.effort` is used up.
    """
    events: list[Event] = []
    impacts = {}
    judged = steps(
        game,
        drafts,
        chance,
        past,
        recorded_at=recorded_at,
        recorded_by=recorded_by,
        accept_left_out=accept_left_out,
        accept_illegal=accept_illegal,
        if_illegal=if_illegal,
        as_played=as_played,
    )
    for step in judged:
        if step.refused is not None:
            raise step.refused
        if step.impact is not None:
            impacts[step.event.seq] = step.impact
        events += step.events
        game = step.game
    past.impacts.update(impacts)
    return game, events


def steps(
    game: Game,
    drafts: Sequence[Draft],
    chance: Chance,
    past: Past,
    *,
    recorded_at: str,
    recorded_by: str | None = None,
    accept_left_out: bool | None = False,
    accept_illegal: bool = False,
    if_illegal: IfIllegal | None = None,
    as_played: bool | None = None,
) -> Iterator[Step]:
    """Judge `drafts` one after the other, each when it is asked for.

    The event that ends the game is followed by `game_closed`, which reveals the seed of a seeded game. A draft that
    is refused after chance was drawn for it is the last: a note takes its number, so that what was drawn for it never
    comes up.

    Args:
        past, recorded_at, accept_left_out, accept_illegal, if_illegal, as_played: as `record`.

    Raises:
        EngineError: a draft is refused, and nothing was drawn for it; its `index` says which. A list is refused, too,
            where it takes too long; and `TooMuchWork` where the caller's `engine.core.effort` is used up.
    """
    judge = _Judge(
        game,
        chance,
        past,
        recorded_at,
        recorded_by,
        accept_left_out=accept_left_out,
        accept_illegal=accept_illegal,
        if_illegal=if_illegal,
        as_played=as_played,
    )
    for index, draft in enumerate(drafts):
        # So that it has not drawn yet, whatever it drew before.
        chance.begin(judge.game.version + 1, ())
        try:
            step = judge.judge(draft)
        except Exception as error:
            if isinstance(error, EngineError):
                error.index = index
            if not chance.has_drawn:
                raise
            yield judge.spent(error)
            return
        yield step


class _Judge:
    """Judges drafts, each on the game as those before it left it."""

    def __init__(
        self,
        game: Game,
        chance: Chance,
        past: Past,
        recorded_at: str,
        recorded_by: str | None,
        *,
        accept_left_out: bool | None,
        accept_illegal: bool,
        if_illegal: IfIllegal | None,
        as_played: bool | None,
    ) -> None:
        self.game = game
        self._history = History(game.header, game, past)
        self._rules = self._history.rules
        self._chance = chance
        self._recorded_at, self._recorded_by = recorded_at, recorded_by
        self._plays = 0
        self._accept_left_out, self._if_illegal = accept_left_out, if_illegal
        self._accept_illegal = accept_illegal or if_illegal == "accept"
        self._as_played = as_played
        self._refuses = if_illegal is not None and if_illegal != "accept" and game.header.mode == "strict"
        """Whether what the rules forbid is refused anyhow: then it is explained once it was."""
        self._rules.asks_first = as_played is False
        self._is_judged = game.header.mode == "as_played"
        self._has_secrets = self._rules.ruleset.has_secrets
        self._left_out: list[Event] = []
        """What says that steps were left out before the draft that is being judged."""

    def judge(self, draft: Draft) -> Step:
        self._left_out = []
        try:
            *before, draft = (draft,) if self._refuses and not draft.explanation else self._before(draft)
            for omitted in before:
                self._left_out += self._judged(omitted).events
            step = self._judged(draft)
        except IllegalAction as refused:
            if self._refuses and type(refused) is IllegalAction and not draft.explanation:
                with suppress(effort.Exhausted):
                    resolved(self._rules, self.game.state, draft, "ask", self._line)
            raise
        except ImpossibleOutcome as error:
            if self._if_illegal is not None and self.game.state is not None and draft.type not in lifecycle.KINDS:
                error.explanations = explain_outcome(self._rules, self.game.state, draft, self._line)
            raise
        except effort.Exhausted:
            raise TooMuchWork from None
        return msgspec.structs.replace(step, events=[*self._left_out, *step.events]) if self._left_out else step

    def _before(self, draft: Draft) -> Sequence[Draft]:
        """The draft, behind what has to be said before it.

        Raises:
            IllegalAction: it is not legal, and the caller decides first.
        """
        check_explanation(self.game, draft)
        state = self.game.state
        if self._if_illegal is not None:
            needed = without_idle_explanation(self._rules, state, draft)
            return resolved(self._rules, state, needed, self._if_illegal, self._line)
        omitted = self._omitted(draft) if self._is_judged and self._accept_left_out is not False else []
        return *omitted, draft

    def _line(self) -> Line:
        try:
            return self._history.line(self.game.version)
        except Malformed:
            # Of a log of which only the newest state is known.
            return ()

    def _omitted(self, draft: Draft) -> list[Draft]:
        """What has to be said to be left out before `draft`.

        Raises:
            IsLeftOut: something has, and it is not accepted.
        """
        explained = self._rules.left_out(self.game.state, draft)
        if explained is None:
            return []
        if self._accept_left_out is None:
            raise explained
        return [
            Draft(
                type=lifecycle.LEFT_OUT,
                params={"seat": one.seat, "step": one.step},
                occurred_at=draft.occurred_at,
            )
            for one in explained.left_out
        ]

    def _judged(self, draft: Draft) -> Step:
        if self._plays > MOST_PLAYS:
            raise Malformed("", say("this is more than is judged at once: send what begins here by itself"))
        if draft.type == lifecycle.GAME_CLOSED:
            raise Malformed("/type", "a game is closed by the service, with the event that ends it")
        if draft.type == "amend" and self._as_played:
            draft = msgspec.structs.replace(draft, params={**draft.params, "accept_broken": True})
        game, chance, played = self.game, self._chance, self._history
        before, seq = game.state, game.version + 1
        rules = self._rules.as_played if self._may_be_illegal(draft) else self._rules
        state, body, judgement = rules.play(before, draft, seq, chance, played)
        # Those of an amend stand in the event that it brings.
        outcomes = () if isinstance(body, lifecycle.Amend) else chance.finish()
        if state is not None and _is_forced(body, judgement):
            check_shown(self._rules.ruleset, game.header, state)
        impact = played.impacts.get(seq)
        self._plays += _plays(state, body, impact)
        event = self._seal(draft, body, outcomes, judgement, state)
        events = [event]
        is_over = is_ending(draft, before, state, played)
        played.add(event, state, judgement)
        self._go_on(event, state)
        if is_over:
            assert state is not None
            assert state.outcome is not None
            seed = chance.seed if isinstance(chance, Seeded) else None
            closing = self._seal(_CLOSING, lifecycle.GameClosed(outcome=state.outcome, seed=seed), (), None, state)
            played.add(closing, state, None)
            self._go_on(closing, state)
            events.append(closing)
        is_telling = chance.has_drawn or self._opens(before, draft, is_over=is_over)
        return Step(self.game, events, is_telling, impact)

    def _may_be_illegal(self, draft: Draft) -> bool:
        if draft.type == lifecycle.LEFT_OUT:
            return True
        kind = self._rules.ruleset.kind(draft.type) if self._accept_illegal or draft.explanation else None
        # Whether the rules forbid what a player hides tells what it is.
        return kind is not None and not kind.hidden_params

    def spent(self, refused: Exception) -> Step:
        """A note in the place of the draft that was refused after chance had been drawn for it."""
        note = lifecycle.Annotate(text=SPENT)
        event = self._seal(Draft(type="annotate"), note, (), None, self.game.state)
        self._go_on(event, self.game.state)
        return Step(self.game, [*self._left_out, event], is_telling=True, refused=refused)

    def _opens(self, before: State | None, draft: Draft, *, is_over: bool) -> bool:
        """Whether the draft opens what a player hides: by its kind, or by ending the game."""
        if before is None or not self._has_secrets:
            return False
        ruleset = self._rules.ruleset
        return (is_over or ruleset.reveals(draft.type)) and is_hiding(ruleset, before)

    def _seal(
        self,
        draft: Draft,
        body: Body,
        outcomes: tuple[Value | None, ...],
        judgement: Judgement | None,
        after: State | None,
    ) -> Event:
        game = self.game
        verdict = rule = reason = None
        if judgement is not None and (self._is_judged or self._is_accepted(draft, judgement)):
            verdict, rule, reason = judgement.verdict, judgement.rule, judgement.reason
        elif self._is_judged:
            verdict = "legal"
        is_accepted = judgement is not None and not (self._is_judged or draft.explanation) and verdict == "illegal"
        return seal(
            draft,
            seq=game.version + 1,
            turn=game.turn,
            params=msgspec.to_builtins(body),
            outcomes=outcomes,
            recorded_at=self._recorded_at,
            recorded_by=self._recorded_by,
            prev=game.head,
            verdict=verdict,
            rule=rule,
            reason=reason,
            state_hash=turn_hash(game.state, after),
            keeps_turn=(is_accepted and draft.actor is not None and self._rules.is_out_of_turn(game.state, draft))
            or None,
        )

    def _is_accepted(self, draft: Draft, judgement: Judgement) -> bool:
        """Whether it stands in a strict record because it happened anyway."""
        return judgement.verdict == "illegal" and self._may_be_illegal(draft)

    def _go_on(self, event: Event, state: State | None) -> None:
        self.game = Game(header=self.game.header, version=event.seq, head=event.hash, state=state)


def _is_forced(body: Body, judgement: Judgement | None) -> bool:
    """Whether the state after an entry may be one that the rules alone never lead to."""
    if isinstance(body, Action):
        return judgement is not None
    if isinstance(body, lifecycle.Amend):
        draft = body.draft
        return judgement is not None or (draft is not None and draft.type in {"adjust", lifecycle.SET_UP})
    if isinstance(body, lifecycle.SetUp):
        return body.position is not None
    return judgement is not None or isinstance(body, lifecycle.Adjust)


def _plays(after: State | None, body: Body, impact: Impacts | None) -> int:
    """How much it took to judge an entry, see `engine.play.corrections.amends.MOST_PLAYS`."""
    tables = len(after.worlds) if isinstance(after, Belief) else 1
    operations = len(body.patch or body.facts or ()) if isinstance(body, lifecycle.Adjust) else 1
    return tables * (operations + (0 if impact is None else len(impact)))


def turn_hash(before: State | None, after: State | None) -> str | None:
    """The `state_hash` of an event that leads from `before` to `after`: where a turn begins, or the game ends."""
    if after is None:
        return None
    if before is not None and before.turn == after.turn and before.outcome == after.outcome:
        return None
    return state_digest(after)
