"""Verify a log: check the hash chain, replay each event by the rules, and check the draws if the seed is revealed."""

from __future__ import annotations

import msgspec

from engine.core import lifecycle
from engine.core.digests import is_digest_of
from engine.core.errors import (
    EngineError,
    GameOver,
    IllegalAction,
    ImpossibleOutcome,
    Malformed,
    OutcomeRequired,
    UnknownRuleset,
    WouldDiffer,
)
from engine.core.events import GENESIS, Event, event_hash
from engine.core.language import marked, say
from engine.kit.chance import is_mixed_from, seed_commitment, seeded_index
from engine.play.corrections.details import check_change
from engine.play.fold import History
from engine.play.game import Game, parse_header
from engine.play.line import is_recorded_anyway
from engine.play.past import is_ending
from engine.play.rules import Rules
from engine.review import sections
from engine.review.report import EventRef, Finding, Kind
from engine.review.words import describe_verdict

CHAIN_RULE = marked("The hash chain")
SEED_RULE = marked("Seeded chance")
STATE_RULE = marked("The state as recorded")


class Verifier:
    """Reads a log event by event, and collects its errors (`failures`). `game` is the game up to the first error."""

    def __init__(self) -> None:
        self.failures: list[Finding] = []
        self.game: Game | None = None
        self._is_broken = False
        self._lacks_ruleset = False
        self._events: list[Event] = []
        self._read = 0
        self._seq = 0
        self._head = GENESIS
        self._history: History | None = None
        self._chance = sections.RecordingChance()
        self._is_ending = False
        self._recorded_states = 0
        self._other_states: list[EventRef] = []
        """The events after which the replayed state differs from the recorded digest."""

    def read(self, event: Event) -> None:
        """Judge the next event. If an earlier event could not be replayed, check only the hash chain."""
        turn = self._turn()
        self._check_chain(event, turn)
        if self._is_broken or self._lacks_ruleset:
            return
        if event.turn != turn:
            message = say("the event says turn {said}, but happened in turn {turn}", said=event.turn, turn=turn)
            self._find(event.seq, turn, "turn", lifecycle.RULE, message)
        self._check_closing(event)
        try:
            self._replay(event)
        except UnknownRuleset as error:
            self._lacks_ruleset = True
            self._find(event.seq, turn, "no_ruleset", lifecycle.RULE, _not_installed(error))
            return
        except EngineError as error:
            message = str(error) if self._history is None else self._history.rules.ruleset.account(error)
            self._break(event.seq, turn, *_finding_parts(error, message))
            return
        self._events.append(event)

    def stop_reading(self, message: str) -> None:
        """Record that the rest of the log cannot be read; `message` gives the reason."""
        self._break(self._seq + 1, self._turn(), "malformed", CHAIN_RULE, message)

    def close(self) -> None:
        """Finish reading the log; add a failure if the end of the log is incomplete."""
        if self._is_broken:
            return
        if self._read == 0:
            self._break(0, 0, "malformed", lifecycle.RULE, say("a log must begin with game_opened"))
        elif self._is_ending:
            message = say("the game ends here, but is not closed")
            self._find(self._seq, self._turn(), "closing", lifecycle.RULE, message)
        if self.game is not None and self._history is not None:
            self.game = msgspec.structs.replace(self.game, by_hand=self._history.by_hand)

    def _replay(self, event: Event) -> None:
        if self._history is None:
            header = parse_header(event)
            self._history = History(header)
            self.game = Game(header=header, version=event.seq, head=event.hash, state=None)
            return
        before = self._history.states[-1]
        self._history.fold((event,), self._chance)
        state = self._history.states[-1]
        self._is_ending = is_ending(event, before, state, self._history)
        assert self.game is not None
        self.game = Game(header=self.game.header, version=event.seq, head=event.hash, state=state)
        self._check_verdict(event, self._history)
        self._check_options(event, self._history)
        self._check_state(event, self._history)
        if event.type == lifecycle.GAME_CLOSED:
            self._check_seed(event, self._history)

    def _check_chain(self, event: Event, turn: int) -> None:
        expected, self._seq = self._seq + 1, event.seq
        prev, self._head = self._head, event.hash
        self._read += 1
        if event.seq != expected:
            message = say("event {seq} is missing here", seq=expected)
            self._break(event.seq, turn, "sequence", CHAIN_RULE, message)
        if event.prev != prev:
            message = say("`prev` is not the hash of the previous event")
            self._break(event.seq, turn, "chain", CHAIN_RULE, message)
        try:
            is_intact = event_hash(event) == event.hash
        except Malformed as error:
            self._break(event.seq, turn, "malformed", CHAIN_RULE, error.message)
            return
        if not is_intact:
            message = say("the hash does not match the contents of the event")
            self._break(event.seq, turn, "chain", CHAIN_RULE, message)

    def _check_closing(self, event: Event) -> None:
        is_closing = event.type == lifecycle.GAME_CLOSED
        if self._is_ending and not is_closing:
            message = say("the game had ended, but was not closed")
            self._find(event.seq, self._turn(), "closing", lifecycle.RULE, message)
        elif is_closing and not self._is_ending:
            message = say("the game is closed, but has not ended")
            self._find(event.seq, self._turn(), "closing", lifecycle.RULE, message)
        self._is_ending = False

    def _check_verdict(self, event: Event, history: History) -> None:
        judgement = history.judgements.get(event.seq)
        is_cited = judgement is not None and judgement.verdict == "legal"
        is_judged = history.rules.header.mode == "as_played" or is_cited
        if not is_judged and (judgement is None or not is_recorded_anyway(event)):
            if event.verdict is not None:
                message = say("the event has a verdict, but in a strict record only illegal events can have one")
                self._find(event.seq, event.turn, "verdict", lifecycle.RULE, message)
            return
        rule = judgement.rule if judgement is not None else None
        verdict = judgement.verdict if judgement is not None else "legal"
        if (event.verdict, event.rule) != (verdict, rule):
            message = say(
                "the event says {said}, but it is {verdict}",
                said=describe_verdict(event.verdict or "not judged"),
                verdict=describe_verdict(verdict),
            )
            message += f": {judgement.reason}" if judgement is not None else ""
            self._find(event.seq, event.turn, "verdict", rule or lifecycle.RULE, message)

    def _check_options(self, event: Event, history: History) -> None:
        if event.type != lifecycle.DETAILS_CHANGED or "options" not in event.params:
            return
        try:
            before, after = (history.states[event.seq - back] for back in (1, 0))
            assert before is not None
            assert after is not None
            check_change(history.rules, Rules, history.line(event.seq - 1), (before, after))
        except WouldDiffer as error:
            self._find(event.seq, event.turn, "malformed", error.rule, error.message)

    def _check_state(self, event: Event, history: History) -> None:
        if event.state_hash is None:
            return
        self._recorded_states += 1
        state = history.states[-1]
        if state is not None and is_digest_of(event.state_hash, state, history.rules.header.options):
            return
        if not self._other_states:
            # Report only the first difference: later ones follow from it.
            message = say("the state after this event differs from the recorded one")
            self._find(event.seq, event.turn, "state", STATE_RULE, message)
        self._other_states.append(EventRef(event.seq, event.turn))

    def _check_seed(self, closed: Event, history: History) -> None:
        header = history.rules.header
        own = header.fork.at if header.fork is not None else 0
        if closed.seq <= own:
            # The parent was closed there and reopened: the fork's own seed is not affected.
            return
        seed = closed.params.get("seed")
        if header.seed_commitment is None:
            if seed is not None:
                self._wrong_seed(closed, say("an observed game has no seed to reveal"))
            return
        if seed is None:
            self._wrong_seed(closed, say("the seed is not revealed"))
            return
        if seed_commitment(seed) != header.seed_commitment:
            self._wrong_seed(closed, say("the revealed seed does not match its commitment"))
            return
        if header.seed_shares and not is_mixed_from(seed, header.seed_shares):
            self._wrong_seed(closed, say("the revealed seed is not made up of the committed shares"))
            return
        key = seed.encode()
        for seq, position, draw in self._chance.drawn:
            if seq > own and draw.options[seeded_index(key, seq, position, len(draw.options))] != draw.value:
                value = history.rules.ruleset.value_label(draw.value)
                message = say(
                    "result {number} is {value}, but the seed draws something else", number=position + 1, value=value
                )
                self._find(seq, self._turn(seq - 1), "seed", SEED_RULE, message)

    def _wrong_seed(self, closed: Event, message: str) -> None:
        self._find(closed.seq, closed.turn, "seed", SEED_RULE, message)

    def _turn(self, after: int = -1) -> int:
        """Return the turn after event `after` (default: the last replayed event)."""
        state = self._history.states[after] if self._history is not None else None
        return state.turn if state is not None else 0

    def _find(self, seq: int, turn: int, kind: Kind, rule: str, message: str) -> None:
        self.failures.append(Finding(seq, turn, kind, rule, message))

    def _break(self, seq: int, turn: int, kind: Kind, rule: str, message: str) -> None:
        self._is_broken = True
        self._find(seq, turn, kind, rule, message)


def _not_installed(error: UnknownRuleset) -> str:
    told = {"ruleset": error.ruleset, "version": error.version}
    return say("the rules of {ruleset}, version {version}, are not installed here", **told)


def _finding_parts(error: EngineError, message: str) -> tuple[Kind, str, str]:
    match error:
        case IllegalAction():
            return "illegal_action", error.rule, error.message
        case GameOver():
            return "illegal_action", lifecycle.RULE, message
        case OutcomeRequired():
            return "missing_outcome", lifecycle.RULE, message
        case ImpossibleOutcome():
            return "impossible_outcome", lifecycle.RULE, message
        case _:
            return "malformed", lifecycle.RULE, message
