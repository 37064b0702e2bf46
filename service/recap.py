"""A game looked back on: how long it took, how it went, who did what, luck in a line; and all that as a picture."""

from __future__ import annotations

import itertools
from collections import Counter

import msgspec

from drawing import card
from engine.core.language import say, spoken
from engine.kit.scene.looks import Colour, Form, Symbol
from engine.kit.scene.panels import PlayerMat
from engine.kit.words import counted
from engine.play.beliefs import belief
from engine.play.fold import history
from engine.play.game import Game
from engine.review.luck import in_a_line
from engine.review.sections import fortune
from engine.review.words import called, lasted
from exports import raster
from exports.words import words
from service.logs import whole
from service.story import Line, part
from store import Store
from store.cache import Cache
from store.errors import replaying

LONGEST = 3000
"""Events: of a longer log luck is told by an audit, which a worker makes."""
SIGNS = 4
"""How many kinds of deeds are told by their signs."""
PICTURE_WIDTH = 1200
"""Pixels: what those who show links ask for."""
_DULL = frozenset(("check", "cross"))
"""The signs of what ends a turn, and of what is thrown away: nobody boasts of it."""
_LAST_TURNS = 2
_LAST_LINES = 40
_LUCK: Cache[tuple[str, str], str] = Cache(1 << 20, lambda line: 64 + len(line))
"""By the hash of the last event and the language."""
_PICTURES: Cache[tuple[str, str], bytes] = Cache(16 * 1024 * 1024, len)


class Deed(msgspec.Struct, frozen=True):
    """How often somebody did something."""

    type: str
    label: str
    symbol: Symbol | None
    count: int


class Player(msgspec.Struct, frozen=True):
    """What one seat did."""

    seat: str
    name: str
    colour: Colour
    form: Form
    initials: str
    part: dict[str, str]
    """What it plays, in words: what kind of thing, and which."""
    deeds: tuple[Deed, ...]
    """Each type of action that it did, the most frequent first."""

    def count(self, type_: str) -> int:
        """How often it did that."""
        return next((deed.count for deed in self.deeds if deed.type == type_), 0)


class Point(msgspec.Struct, frozen=True):
    """What the curve stood at after a turn."""

    turn: int
    seq: int
    """The last event of that turn."""
    level: int


class Curve(msgspec.Struct, frozen=True):
    """How a game went, from the set-up on."""

    title: str
    points: tuple[Point, ...]

    def path(self, width: float, height: float) -> list[tuple[float, float]]:
        """Where it goes in a box of that size, the lower edge being 0 and the upper one its highest level."""
        most = max(1, *(point.level for point in self.points))
        last = max(1, len(self.points) - 1)
        return [(width * at / last, height * (1 - point.level / most)) for at, point in enumerate(self.points)]


class Recap(msgspec.Struct, frozen=True, kw_only=True):
    """A game, looked back on."""

    standing: str
    """How it stands, or how it ended: 'won by Ann'."""
    ending: str | None
    """The sentence that says how it ended; None while it goes on."""
    turns: int
    seconds: int
    """How long it was played, breaks left out."""
    curve: Curve | None
    players: tuple[Player, ...]
    luck: str | None
    """None while it goes on, and of a very long log."""

    @property
    def minutes(self) -> str:
        """'52 minutes', '2 h 5 min'."""
        return lasted(self.seconds)

    @property
    def signs(self) -> list[Deed]:
        """What was done most, of what has a sign: all players together."""
        total: Counter[tuple[str, str, Symbol]] = Counter()
        for player in self.players:
            for deed in player.deeds:
                if deed.symbol is not None:
                    total[deed.type, deed.label, deed.symbol] += deed.count
        return [Deed(*kind, count) for kind, count in total.most_common(SIGNS)]


def recap(store: Store, game_id: str, game: Game) -> Recap:
    """`game`, looked back on.

    Raises:
        Damaged: its log does not replay.
    """
    index = store.projections.index(game_id, game.version)
    turns = [turn for turn in index.turns if turn.level is not None]
    curve = game.ruleset.curve
    said = words(game_id, game, store.games.began_at(game_id))
    done: dict[str, Counter[str]] = {seat: Counter() for seat in game.header.seat_ids}
    for turn in index.turns:
        for seat, deeds in turn.deeds.items():
            done[seat].update(deeds)
    points = tuple(Point(turn.turn, turn.last, turn.level) for turn in turns if turn.level is not None)
    return Recap(
        standing=said.standing,
        ending=said.ending,
        turns=sum(turn.turn > 0 for turn in index.turns),
        seconds=index.clock.milliseconds // 1000,
        curve=Curve(say(curve.title), points) if curve is not None and points else None,
        players=tuple(_players(game, done)),
        luck=_luck(store, game_id, game),
    )


def last_minutes(store: Store, game_id: str, game: Game) -> list[tuple[int, list[Line]]]:
    """The last turns, the newest first: the number of each, and what stands of it, the newest first."""
    lines = part(store, game_id, game, max(2, game.version - _LAST_LINES), game.version)
    told = [
        line
        for line in reversed(lines)
        if not line.is_undone and line.superseded_by is None and line.type not in {"undo", "annotate", "game_closed"}
    ]
    groups = itertools.groupby(told, key=lambda line: line.turn)
    return [(turn, list(group)) for turn, group in itertools.islice(groups, _LAST_TURNS)]


def picture(store: Store, game_id: str, game: Game) -> bytes:
    """The end of `game` as PNG: the table as everybody sees it, and beside it what there is to say."""
    return _PICTURES.once((game.head, spoken()), lambda: raster.png(_drawn(store, game_id, game), PICTURE_WIDTH))


def _drawn(store: Store, game_id: str, game: Game) -> str:
    told = recap(store, game_id, game)
    names, state = game.header.names, game.state
    scene = game.ruleset.empty_board(names) if state is None else belief.board(game.ruleset, state, names, None)
    lines = [say("{turns} in {time}", turns=counted(told.turns, "turn"), time=told.minutes)]
    lines += [told.luck] if told.luck is not None else []
    curve = told.curve
    return card.svg(
        scene,
        card.Told(
            title=say(game.ruleset.name),
            headline=told.standing[0].upper() + told.standing[1:],
            text=told.ending or "",
            lines=lines,
            curve=None if curve is None else (curve.title, [point.level for point in curve.points]),
            players=[(player.form, player.colour, player.initials, player.name) for player in told.players],
            signs=[[(deed.symbol, player.count(deed.type)) for deed in told.signs] for player in told.players],
        ),
    ).decode()


def _players(game: Game, done: dict[str, Counter[str]]) -> list[Player]:
    rules, state = game.ruleset, game.state
    if state is None:
        return []
    kinds = {kind.type: kind for kind in rules.actions}
    names = game.header.names
    # A game without a board of its own shows no players on it.
    panels = (*rules.empty_board(names).panels, *belief.board(rules, state, names, None).panels)
    mats = {panel.seat: panel for panel in panels if isinstance(panel, PlayerMat)}
    found = []
    for at, (seat, name) in enumerate(zip(game.header.seat_ids, names, strict=True)):
        deeds = []
        for type_, count in done[seat].most_common():
            kind = kinds.get(type_)
            is_chosen = kind is not None and not kind.asks_chance and kind.symbol not in _DULL
            symbol = kind.symbol if kind is not None and is_chosen else None
            deeds.append(Deed(type_, called(rules, type_), symbol, count))
        mat = mats[seat]
        part_ = belief.words(state, lambda one, at=at: rules.role(one, at))  # type: ignore[misc]  # this seat's
        found.append(Player(seat, name, mat.colour, mat.form, mat.initials, part_, tuple(deeds)))
    return found


def _luck(store: Store, game_id: str, game: Game) -> str | None:
    if game.outcome is None or game.version > LONGEST:
        return None

    def told() -> str:
        with replaying():
            played = history(list(whole(store, game_id, game).events))
            return in_a_line(fortune(played, played.mainline))

    return _LUCK.once((game.head, spoken()), told)
