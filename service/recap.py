"""The recap of a game: its duration, curve, actions per player and luck, as data and as a picture."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from drawing import card
from engine.core.language import current_language, say
from engine.kit.scene.looks import Colour, Form, Symbol
from engine.kit.scene.panels import PlayerMat
from engine.kit.words import counted
from engine.play.beliefs import belief
from engine.play.fold import history
from engine.play.game import Game
from engine.review.luck import in_a_line
from engine.review.sections import fortune
from engine.review.words import describe_duration, event_name
from exports import raster
from exports.words import words
from service.analyses import CurvePoint, CurveValues, turning_point
from service.logs import whole
from service.story import part
from service.story_lines import StoryLine
from store import Store
from store.cache import Cache
from store.errors import replaying

LONGEST = 3000
"""Maximum events of a log for which this module computes luck. For a longer log, an audit computes it in a worker."""
SIGNS = 4
"""Maximum number of action types shown with a symbol."""
PICTURE_WIDTH = 1200
"""Width in pixels that link previews expect."""
_DULL = frozenset(("check", "cross"))
"""Symbols that a recap omits: ending a turn, and discarding."""
_TURNS_TOLD = 2
"""Number of turns in the story of a recap, in addition to the last event."""
_SENTENCES = 2
"""Maximum number of sentences about a turn."""
_LAST_TURNS = 2
_LAST_LINES = 40
_LUCK: Cache[tuple[str, str], str] = Cache(1 << 20, lambda line: 64 + len(line))
"""Sentences about luck, by hash of the last event and language."""
_PICTURES: Cache[tuple[str, str], bytes] = Cache(16 * 1024 * 1024, len)


class Deed(msgspec.Struct, frozen=True):
    """An action type, with the number of times that a player used it."""

    type: str
    label: str
    symbol: Symbol | None
    count: int


class SeatStatistics(msgspec.Struct, frozen=True):
    """Statistics of one seat."""

    seat: str
    name: str
    colour: Colour
    form: Form
    initials: str
    part: dict[str, str]
    """The seat's role, in words: label and value."""
    deeds: tuple[Deed, ...]
    """The player's action types, most frequent first."""

    def count(self, type_: str) -> int:
        """Return the number of the player's actions of a type."""
        return next((deed.count for deed in self.deeds if deed.type == type_), 0)


class RecapMoment(msgspec.Struct, frozen=True):
    """A turn or an event in the story of a recap."""

    turn: int
    seq: int
    sentence: str
    levels: tuple[int, int] | None = None
    """For the turning point: the values of the curve before and after it."""
    unit: str = "turn"
    """`turn` or `round`: the unit of `turn`."""


class Recap(msgspec.Struct, frozen=True, kw_only=True):
    """The data of a recap."""

    standing: str
    """The status or the result, such as 'won by Ann'."""
    ending: str | None
    """The sentence about how the game ended; None while it continues."""
    turns: int
    seconds: int
    """Playing time without breaks."""
    curve: CurveValues | None
    players: tuple[SeatStatistics, ...]
    luck: str | None
    """A sentence about luck; None while the game continues, and for a log of more than `LONGEST` events."""
    turning_point: str | None
    """A sentence about the turn that changed the win chance most; None before the end, and without an analysis."""

    @property
    def minutes(self) -> str:
        """The playing time in words, such as '52 minutes' or '2 h 5 min'."""
        return describe_duration(self.seconds)

    @property
    def signs(self) -> list[Deed]:
        """The most frequent action types that have a symbol, counted over all players together."""
        total: Counter[tuple[str, str, Symbol]] = Counter()
        for player in self.players:
            for deed in player.deeds:
                if deed.symbol is not None:
                    total[deed.type, deed.label, deed.symbol] += deed.count
        return [Deed(*kind, count) for kind, count in total.most_common(SIGNS)]


def recap(store: Store, game_id: str, game: Game) -> Recap:
    """Return the recap of `game`."""
    index = store.projections.index(game_id, game.version)
    turns = [turn for turn in index.turns if turn.level is not None]
    curve = game.ruleset.curve
    said = words(game_id, game, store.games.began_at(game_id, game.version))
    done: dict[str, Counter[str]] = {seat: Counter() for seat in game.header.seat_ids}
    for turn in index.turns:
        for seat, deeds in turn.deeds.items():
            done[seat].update(deeds)
    points = tuple(CurvePoint(turn.turn, turn.last, turn.level) for turn in turns if turn.level is not None)
    return Recap(
        standing=said.standing,
        ending=said.ending,
        turns=sum(turn.turn > 0 for turn in index.turns),
        seconds=index.clock.milliseconds // 1000,
        curve=CurveValues(say(curve.title), points) if curve is not None and points else None,
        players=tuple(players(game, done)),
        luck=_luck(store, game_id, game),
        turning_point=turning_point(store, game_id, game),
    )


def last_minutes(store: Store, game_id: str, game: Game) -> list[tuple[int, list[StoryLine]]]:
    """Return the last turns, newest first. Each has its number and its events in effect, newest first."""
    lines = part(store, game_id, game, max(2, game.version - _LAST_LINES), game.version)
    told = [
        line
        for line in reversed(lines)
        if not line.is_undone and line.superseded_by is None and line.type not in {"undo", "annotate", "game_closed"}
    ]
    groups = itertools.groupby(told, key=lambda line: line.turn)
    return [(turn, list(group)) for turn, group in itertools.islice(groups, _LAST_TURNS)]


def moments(store: Store, game_id: str, game: Game, curve: CurveValues | None) -> list[RecapMoment]:
    """Return the turns that changed the curve most; the largest change is the turning point."""
    if curve is None:
        return []
    largest = curve.largest()
    found = []
    for step in sorted(largest[:_TURNS_TOLD], key=lambda step: step[1].seq):
        before, after = step
        if curve.is_chance:
            told = part(store, game_id, game, before.seq, after.seq)
            lines = [line for line in told if line.actor is not None and not line.is_undone]
        else:
            lines = _changing(store, game_id, game, before.seq, after.seq)
        if lines:
            said = " ".join(line.sentence for line in lines[:_SENTENCES])
            levels = (before.level, after.level) if step == largest[0] else None
            found.append(RecapMoment(after.turn, lines[0].seq, said, levels, curve.unit))
    return found


def _changing(store: Store, game_id: str, game: Game, after: int, until: int) -> list[StoryLine]:
    """Return the events in effect that changed the curve, starting with the largest change."""
    curve = game.ruleset.curve
    states = store.games.states(game_id, range(after, until + 1))
    found = []
    for line in part(store, game_id, game, after, until):
        before, now = states[line.seq - 1], states[line.seq]
        if curve is None or before is None or now is None or line.is_undone:
            continue
        change = abs(curve.value(now) - curve.value(before))
        if change:
            found.append((change, line))
    return [line for _, line in sorted(found, key=lambda one: (-one[0], one[1].seq))]


def picture(store: Store, game_id: str, game: Game) -> bytes:
    """Render the end of `game` as PNG: the public table, with the text beside it."""
    return _PICTURES.once(
        (game.head, current_language()), lambda: raster.png(_luck_line(store, game_id, game), PICTURE_WIDTH)
    )


def _luck_line(store: Store, game_id: str, game: Game) -> str:
    told = recap(store, game_id, game)
    names, state = game.names, game.state
    scene = game.ruleset.empty_board(names) if state is None else belief.board(game.ruleset, state, names, None)
    lines = [say("{turns} in {time}", turns=counted(told.turns, "turn"), time=told.minutes)]
    lines += [told.luck] if told.luck is not None else []
    curve = told.curve
    return card.svg(
        scene,
        card.CardText(
            title=say(game.ruleset.name),
            headline=told.standing[0].upper() + told.standing[1:],
            text=told.ending or "",
            lines=lines,
            curve=None if curve is None else (curve.title, [point.level for point in curve.points]),
            players=[(player.form, player.colour, player.initials, player.name) for player in told.players],
            signs=[[(deed.symbol, player.count(deed.type)) for deed in told.signs] for player in told.players],
        ),
    ).decode()


def players(game: Game, done: Mapping[str, Counter[str]] = MappingProxyType({})) -> list[SeatStatistics]:
    """Return the players in the order of the board; an empty list before the setup.

    Args:
        done: for each seat, how often it used each action type.
    """
    rules, state = game.ruleset, game.state
    if state is None:
        return []
    kinds = {kind.type: kind for kind in rules.actions}
    names = game.names
    # Some games show no players on their default board.
    panels = (*rules.empty_board(names).panels, *belief.board(rules, state, names, None).panels)
    mats = {panel.seat: panel for panel in panels if isinstance(panel, PlayerMat)}
    found = []
    for at, (seat, name) in enumerate(zip(game.header.seat_ids, names, strict=True)):
        deeds = []
        for type_, count in done.get(seat, Counter()).most_common():
            kind = kinds.get(type_)
            is_chosen = kind is not None and not kind.asks_chance and kind.symbol not in _DULL
            symbol = kind.symbol if kind is not None and is_chosen else None
            deeds.append(Deed(type_, event_name(rules, type_), symbol, count))
        mat = mats[seat]
        part_ = belief.words(state, lambda one, at=at: rules.role(one, at))  # type: ignore[misc]  # this seat's
        found.append(SeatStatistics(seat, name, mat.colour, mat.form, mat.initials, part_, tuple(deeds)))
    return found


def _luck(store: Store, game_id: str, game: Game) -> str | None:
    if game.outcome is None or game.version > LONGEST:
        return None

    def compute() -> str:
        with replaying():
            played = history(list(whole(store, game_id, game).events))
            return in_a_line(fortune(played, played.mainline))

    return _LUCK.once((game.head, current_language()), compute)
