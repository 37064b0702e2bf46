"""Plant one slip in a game whose table otherwise plays by the rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from driftlog.testing.play import policy
from engine.core.errors import DEFECTS, EngineError, Unclear
from engine.core.events import Draft, Event, Proposal, Seat
from engine.core.values import SEAT_IDS, State
from engine.kit.chance import Observed, Sampled
from engine.kit.chance import Recorded as Replayed
from engine.kit.facts import CannotBe
from engine.kit.kernel import LegalAction
from engine.play import registry
from engine.play.fold import History
from engine.play.record import open_game, record
from engine.play.slips import effect
from tests.playouts import NAMES, clock

Matches = Callable[[Proposal], bool]


class Slipped(Exception):
    """The wanted kind of slip cannot be planted at this event."""


class Honest:
    """A table that plays by the rules, and its record."""

    def __init__(self, ruleset_id: str, seed: str, mode: Any = "strict") -> None:
        self.rng = random.Random(seed)
        self.rules = registry.ruleset(ruleset_id)
        seats = self.rng.randint(*self.rules.players)
        self.choose, self.chance = policy(self.rng), Sampled(self.rng)
        names = [Seat(name) for name in NAMES[:seats]]
        self.game, first = open_game(
            ruleset=ruleset_id, seats=names, options={}, seed=None, recorded_at=clock(1), mode=mode
        )
        self.events, self.history = [first], History(self.game.header)
        self.pending: list[Draft] | None = None
        """The reports that are not recorded yet; None if each is recorded at once."""
        self.slipped = set[str]()
        """The seats that slipped."""
        self.chance.begin(2, ())
        self.state: State = self.rules.setup(self.rules.parse_options({}, seats), seats, self.chance)
        self.report(Draft(type="set_up", outcomes=self.chance.finish()))
        self.state = self.rules.at_table(self.state)

    def legal(self) -> list[LegalAction[Any]]:
        return list(self.rules.legal_actions(self.state))

    def draft_of(self, one: LegalAction[Any], outcomes: Sequence[Any] = ()) -> Draft:
        params = msgspec.to_builtins(one.action)
        return Draft(type=one.action.type, actor=one.actor, params=params, outcomes=tuple(outcomes))

    def take(self, one: LegalAction[Any]) -> Draft:
        """Take a legal action, and return the draft that reports it."""
        self.chance.begin(0, ())
        self.state = one.action.apply(self.state, one.seat, self.chance)
        return self.draft_of(one, self.chance.finish())

    def play(self) -> Draft | None:
        """Take any legal action; return None if the game is over."""
        legal = self.legal()
        return self.take(self.choose(legal)) if legal else None

    @property
    def reported(self) -> int:
        """The number of reports so far."""
        return self.game.version + len(self.pending or ())

    def report(self, *drafts: Draft) -> list[Event]:
        if self.pending is not None:
            self.pending += drafts
            return []
        self.game, added = record(
            self.game,
            drafts,
            Observed(),
            self.history,
            recorded_at=clock(self.game.version + 1),
            if_illegal="ask",
        )
        self.events += added
        self.history.fold(added, Replayed())
        return added


def missed_reshuffle(table: Honest) -> tuple[list[Draft], Matches]:
    """Let the players miss an automatic effect of a card, and continue without it."""
    draft = table.play()
    if draft is None or table.state.outcome is not None:
        raise Slipped
    table.report(draft)
    for skip in table.rules.overlooks(table.state):
        table.state = skip.state
        table.slipped.add(SEAT_IDS[skip.seat])
        return [], lambda one: one.kind == "missed_reshuffle"
    raise Slipped


def house_rule(table: Honest) -> tuple[list[Draft], Matches]:
    """Take an illegal action in the player's own turn that no slip explains, as if a house rule allowed it."""
    seat = table.rules.active(table.state)
    kinds = [kind for kind in table.rules.actions if not (kind.hidden_params or kind.asks_chance or kind.any_time)]
    table.rng.shuffle(kinds)
    for kind in kinds:
        for action in list(kind.candidates(table.state, seat))[:20]:
            if action.refusal(table.state, seat) is not None:
                draft = _force_action(table, LegalAction(action, seat), keeps_step=False)
                return [draft], lambda one: one.kind == "house_rule"
    raise Slipped


def _skip(table: Honest, *, same_seat: bool = False) -> tuple[Any, State]:
    state = table.state
    for skip in table.rules.skips(state):
        if table.rules.is_sound(skip.state) and skip.state.outcome is None:
            if same_seat and table.rules.active(skip.state) != skip.seat:
                continue
            table.state = skip.state
            table.slipped.add(SEAT_IDS[skip.seat])
            return skip, state
    raise Slipped


def _is_skip(skip: Any) -> Matches:
    params = {"seat": SEAT_IDS[skip.seat], "step": skip.step.id}
    return lambda one: one.kind == "skipped_step" and [draft.params for draft in one.drafts[:-1]] == [params]


def skipped_step(table: Honest) -> tuple[list[Draft], Matches]:
    skip, _ = _skip(table)
    return [], _is_skip(skip)


def _late(table: Honest, kind: str, others: int) -> tuple[list[Draft], Matches]:
    """Skip a step, let others act, and then do it after all; the record must judge both."""
    skip, before = _skip(table, same_seat=kind == "swapped_steps")
    due = [one for one in table.rules.legal_actions(before) if one.seat == skip.seat and not one.action.any_time]
    drafts = []
    for _ in range(others):
        legal = [
            one
            for one in table.legal()
            if (one.seat == skip.seat) == (kind == "swapped_steps") and not one.action.any_time
        ]
        if not legal:
            raise Slipped
        drafts.append(table.take(table.choose(legal)))
        if table.state.outcome is not None:
            raise Slipped
    late = [one for one in due if one.action.refusal(table.state, one.seat) is not None and one.action.asks_chance]
    if not late:
        raise Slipped
    drafts.append(_force_action(table, table.rng.choice(late)))
    if drafts[-1] in [msgspec.structs.replace(one, outcomes=drafts[-1].outcomes) for one in drafts[:-1]]:
        # The report of two equal actions does not show their order.
        raise Slipped
    is_skip = _is_skip(skip)
    return drafts, lambda one: is_skip(one) or (one.kind == kind and one.seat == SEAT_IDS[skip.seat])


def late_step(table: Honest) -> tuple[list[Draft], Matches]:
    return _late(table, "late_step", table.rng.randint(1, 2))


def swapped_steps(table: Honest) -> tuple[list[Draft], Matches]:
    return _late(table, "swapped_steps", 1)


def _force_action(table: Honest, one: LegalAction[Any], *, keeps_step: bool = True) -> Draft:
    """Take an illegal action if its effect is clear.

    Args:
        keeps_step: True if a step that another seat must take stays due. Only a house rule lets the actor take it.
    """
    run = effect(table.rules, one.action, one.seat, keeps_turn=True, keeps_step=keeps_step, sets_aside=True)
    table.chance.begin(0, ())
    try:
        after = run(table.state, table.chance)
    except (Unclear, *DEFECTS):
        raise Slipped from None
    outcomes = table.chance.finish()
    if after.outcome is not None or not table.rules.has_clear_effect(one.action, table.state, one.seat):
        raise Slipped
    if not table.rules.can_be(after) or not table.rules.is_sound(after):
        raise Slipped
    table.state = after
    table.slipped.add(one.actor)
    return table.draft_of(one, outcomes)


def one_too_many(table: Honest) -> tuple[list[Draft], Matches]:
    """Repeat the last player's action when it is no longer due: a draw, a roll, or an action that the turn counts."""
    before = table.state
    legal = [one for one in table.legal() if not one.action.any_time]
    if not legal:
        raise Slipped
    one = table.choose(legal)
    table.report(table.take(one))
    counts = [getattr(state, "actions_left", 0) for state in (before, table.state)]
    is_spent = counts[0] > counts[1] and table.state.turn == before.turn
    if table.state.outcome is not None or not (is_spent or one.action.asks_chance):
        raise Slipped
    again: list[LegalAction[Any]] = []
    try:
        moved = table.rules.keep_turn(before, table.state)
        again = [
            other for other in table.rules.legal_actions(moved, only=one.seat) if other.action.type == one.action.type
        ]
    except (CannotBe, *DEFECTS):
        pass
    again = [other for other in again if other.action.refusal(table.state, other.seat) is not None]
    if not again:
        raise Slipped
    draft = _force_action(table, table.rng.choice(again))
    return [draft], lambda found: found.kind == "one_too_many" and found.seat == draft.actor


def _by_another(table: Honest, kind: str) -> tuple[list[Draft], Matches]:
    is_drawn = kind == "other_player"
    legal = [one for one in table.legal() if one.action.asks_chance == is_drawn and not one.action.any_time]
    seats = range(table.rules.seats(table.state))
    pairs = [(one, seat) for one in legal for seat in seats if one.action.refusal(table.state, seat) is not None]
    pairs = [(one, seat) for one, seat in pairs if not one.action.hidden_params]
    if not pairs:
        raise Slipped
    one, seat = table.rng.choice(pairs)
    draft = table.take(one)
    wrong = msgspec.structs.replace(draft, actor=SEAT_IDS[seat])
    table.slipped.add(wrong.actor)
    return [wrong], lambda found: found.kind == kind and found.drafts[-1].actor == draft.actor


def other_player(table: Honest) -> tuple[list[Draft], Matches]:
    return _by_another(table, "other_player")


def wrong_player(table: Honest) -> tuple[list[Draft], Matches]:
    return _by_another(table, "wrong_player")


def wrong_result(table: Honest) -> tuple[list[Draft], Matches]:
    """Report a wrong card or place as the result."""
    state, legal = table.state, [one for one in table.legal() if not one.action.any_time]
    if not legal:
        raise Slipped
    one = table.choose(legal)
    if one.action.hidden_params:
        raise Slipped
    draft = table.take(one)
    if draft.outcomes:
        chance = Sampled(table.rng)
        for _ in range(20):
            chance.begin(0, ())
            try:
                one.action.apply(state, one.seat, chance)
                outcomes = chance.finish()
            except (EngineError, Unclear, *DEFECTS):
                continue
            if len(outcomes) == 1 and outcomes != draft.outcomes:
                break
        else:
            raise Slipped
        wrong = msgspec.structs.replace(draft, outcomes=outcomes)
    else:
        same = [
            other
            for other in legal
            if other.action.type == one.action.type and other.seat == one.seat and other.action != one.action
        ]
        if not same:
            raise Slipped
        wrong = table.draft_of(table.rng.choice(same))
    seq = table.game.version + 1
    true = (draft.type, draft.params, draft.outcomes)

    def matches(found: Proposal) -> bool:
        if found.kind != "wrong_result" or found.drafts[0].type != "amend":
            return False
        params = found.drafts[0].params
        event = params["event"]
        return params["seq"] == seq and (event["type"], event["params"], tuple(event["outcomes"])) == true

    return [wrong], matches


SLIPS: dict[str, Callable[[Honest], tuple[list[Draft], Matches]]] = {
    "skipped_step": skipped_step,
    "late_step": late_step,
    "swapped_steps": swapped_steps,
    "one_too_many": one_too_many,
    "other_player": other_player,
    "wrong_player": wrong_player,
    "wrong_result": wrong_result,
    "missed_reshuffle": missed_reshuffle,
    "house_rule": house_rule,
}
