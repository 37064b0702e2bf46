"""playthrough: the game as a path through its game tree, in the form of OpenSpiel's playthroughs.

This format is for programs that study games, and for people who check rules by eye. It has a node for each state, with
the current player, the legal actions and the action taken. Chance has nodes of its own, with the possible results and
their probabilities.

# State 38 IsTerminal() = False MoveNumber() = 38 IsChanceNode() = False IsSimultaneousNode() = False CurrentPlayer() =
0 ObservationString() = "{…}" LegalActions(0) = [0, 1, 2] StringLegalActions(0) = ["Move to Iron Gate", "Shore up Gold
Gate", "Draw a Treasure deck card"]

# Apply action "Move to Iron Gate" action: 0

The number of an action is its index among the player's legal actions in the node. Several players can have legal
actions at once; the current one is the player of the next action. Events outside the tree (annotations, skipped steps,
illegal actions) are comments. The text ends before the first event that hides something from the reader.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from engine.core import lifecycle
from engine.core.canonical import canonical
from engine.core.events import Event, Header
from engine.core.values import SEAT_IDS, SEAT_INDEX, State
from engine.kit.ruleset import Action, AnyRuleset
from engine.play.beliefs import belief
from engine.play.rules import Rules
from engine.play.slips import label_of
from engine.review.luck import RecordedDraw
from engine.review.sections import RecordingChance
from exports.log import Format, Log
from exports.narration import MainlineEvent, mainline

_CHANCE = -1
"""The chance player."""
_NOBODY = -4
"""The player of a finished game."""
_SCORES = {"won": 1.0, "lost": -1.0}
"""The value for each player, by result, in a game that all win or lose together; 0 for other results."""


def write(log: Log) -> Iterator[bytes]:
    """Write the playthrough of `log`."""
    return (line.encode() + b"\n" for line in _Tree(log).lines())


class _Tree:
    def __init__(self, log: Log) -> None:
        self._log = log
        self._header = log.header()
        self._rules = Rules(self._header).ruleset
        self._taken: list[int] = []

    def lines(self) -> Iterator[str]:
        yield from _game(self._header, self._rules)
        state: State | None = None
        for one in mainline(self._log):
            if self._log.show(one.event) != one.event:
                yield from ("", "# The following events are hidden.")
                return
            yield from self._event(one)
            state = one.after
        yield from self._node(state, self._decider(state))
        yield f"History() = {self._taken}"

    def _event(self, one: MainlineEvent) -> Iterator[str]:
        event = one.event
        if event.type == lifecycle.SET_UP and "position" not in event.params:
            yield from self._set_up(event)
        elif event.type not in {lifecycle.GAME_OPENED, *lifecycle.KINDS} and one.judgement is None:
            yield from self._action(event, one.before)
        elif event.type not in {lifecycle.GAME_OPENED, lifecycle.GAME_CLOSED}:
            yield from ("", f"# Outside the tree: {' '.join(one.sentence.split())}")

    def _set_up(self, event: Event) -> Iterator[str]:
        witness = _witness(event)
        if witness is not None:
            seats = len(self._header.seats)
            self._rules.setup(self._rules.parse_options(self._header.options, seats), seats, witness)
        yield from self._chance(event, witness)

    def _action(self, event: Event, before: State | None) -> Iterator[str]:
        table = belief.likeliest(before)
        seat = SEAT_INDEX[event.actor]
        action = self._rules.parse(event.type, event.params)
        legal = self._legal(table)
        label = label_of(action, table, self._header.names_at(before))
        number = _number(legal.setdefault(seat, []), action)
        yield from self._node(before, seat, legal)
        yield from self._action_lines(label, number)
        witness = None if isinstance(before, belief.Belief) else _witness(event)
        if witness is not None:
            action.apply(table, seat, witness)
        yield from self._chance(event, witness)

    def _chance(self, event: Event, witness: RecordingChance | None) -> Iterator[str]:
        """Yield the chance nodes of an event. If a probability is unknown, the result becomes a comment."""
        if witness is None:
            for value in event.outcomes:
                yield from ("", f"# Result: {'unknown' if value is None else _quote(value)}")
            return
        for _, _, draw in witness.drawn:
            yield from self._draw_lines(draw)

    def _draw_lines(self, draw: RecordedDraw) -> Iterator[str]:
        found = Counter(draw.options)
        options, among = list(found), len(draw.options)
        yield from self._top(_CHANCE)
        weighed = ", ".join(f"({number},{found[value] / among:.6f})" for number, value in enumerate(options))
        yield f"ChanceOutcomes() = [{weighed}]"
        yield f"LegalActions() = {list(range(len(options)))}"
        yield f"StringLegalActions() = {_quote([f'{draw.name}: {value}' for value in options])}"
        yield from self._action_lines(f"{draw.name}: {draw.value}", options.index(draw.value))

    def _node(
        self, state: State | None, player: int, legal: dict[int, list[Action[Any]]] | None = None
    ) -> Iterator[str]:
        yield from self._top(player)
        if state is None:
            return
        table = belief.likeliest(state)
        if isinstance(state, belief.Belief):
            yield "# Some results are unknown: this is the likeliest possible table."
        yield f"ObservationString() = {_quote(canonical(self._rules.view(table, self._log.seat)).decode())}"
        if table.outcome is not None:
            yield f"Returns() = {self._returns(table)}"
        names = self._header.names_at(state)
        for seat, actions in sorted((self._legal(table) if legal is None else legal).items()):
            yield f"LegalActions({seat}) = {list(range(len(actions)))}"
            yield f"StringLegalActions({seat}) = {_quote([one.label(table, names) for one in actions])}"

    def _top(self, player: int) -> Iterator[str]:
        yield ""
        yield f"# State {len(self._taken)}"
        yield f"IsTerminal() = {player == _NOBODY}"
        yield f"MoveNumber() = {len(self._taken)}"
        yield f"IsChanceNode() = {player == _CHANCE}"
        yield "IsSimultaneousNode() = False"
        yield f"CurrentPlayer() = {player}"

    def _action_lines(self, label: str, number: int) -> Iterator[str]:
        self._taken.append(number)
        yield from ("", f"# Apply action {_quote(label)}", f"action: {number}")

    def _legal(self, table: State) -> dict[int, list[Action[Any]]]:
        found: dict[int, list[Action[Any]]] = {}
        for one in self._rules.legal_actions(table):
            found.setdefault(one.seat, []).append(one.action)
        return found

    def _decider(self, state: State | None) -> int:
        """Return the player who must act at the end of the log."""
        if state is None:
            return _CHANCE
        table = belief.likeliest(state)
        return _NOBODY if table.outcome is not None else self._rules.active(table)

    def _returns(self, table: State) -> list[float]:
        outcome = table.outcome
        assert outcome is not None
        if self._rules.is_cooperative or outcome.result != "won":
            return [_SCORES.get(outcome.result, 0.0)] * len(self._header.seats)
        return [1.0 if SEAT_IDS[seat] in outcome.winners else -1.0 for seat in range(len(self._header.seats))]


def _game(header: Header, rules: AnyRuleset) -> Iterator[str]:
    options = ",".join(f"{name}={_plain(value)}" for name, value in header.options.items())
    yield f"game: {rules.id}({options})"
    yield ""
    yield "GameType.chance_mode = ChanceMode.EXPLICIT_STOCHASTIC"
    yield "GameType.dynamics = Dynamics.SEQUENTIAL"
    yield f"GameType.information = Information.{'IM' if rules.has_secrets else ''}PERFECT_INFORMATION"
    yield f"GameType.long_name = {_quote(rules.name)}"
    yield f"GameType.max_num_players = {rules.players[1]}"
    yield f"GameType.min_num_players = {rules.players[0]}"
    yield "GameType.reward_model = RewardModel.TERMINAL"
    yield f"GameType.short_name = {_quote(rules.id)}"
    yield f"GameType.utility = Utility.{'IDENTICAL' if rules.is_cooperative else 'GENERAL_SUM'}"
    yield ""
    yield f"NumPlayers() = {len(header.seats)}"
    yield f"MaxGameLength() = {rules.max_events}"
    for seat, name in enumerate(header.names):
        yield f"# Player {seat}: {_quote(name)}"


def _witness(event: Event) -> RecordingChance | None:
    """Return a source of chance that replays an event's results; None if some are unknown."""
    if None in event.outcomes:
        return None
    witness = RecordingChance()
    witness.begin(event.seq, event.outcomes)
    return witness


def _number(legal: list[Action[Any]], action: Action[Any]) -> int:
    """Return the index of `action` in `legal`. If `legal` has only examples of such actions, append `action` first."""
    plain = _without_salt(action)
    for number, one in enumerate(legal):
        if _without_salt(one) == plain:
            return number
    legal.append(action)
    return len(legal) - 1


def _without_salt(action: Action[Any]) -> tuple[str, dict[str, Any]]:
    params = msgspec.to_builtins(action)
    return action.type, {name: value for name, value in params.items() if name != "salt"}


def _quote(value: Iterable[str] | Any) -> str:
    return msgspec.json.encode(value).decode()


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else _quote(value)


KIND = Format(
    name="playthrough",
    media_type="text/x-openspiel-playthrough; charset=utf-8",
    extension="playthrough.txt",
    loses="Superseded events, recorders, times and hashes. The file has only the events in effect.",
    write=write,
)
