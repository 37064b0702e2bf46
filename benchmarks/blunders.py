"""Plant blunders in games that a computer player plays, and analyse these games."""

from __future__ import annotations

import random
import time
from statistics import fmean

import msgspec

from engine.core.events import Event
from engine.core.values import SEAT_IDS, State
from engine.kit.chance import Keyed, Stream, mix_bits
from engine.play import registry
from engine.players.protocol import AnyPlayer, Proposal
from engine.players.registry import player_of
from engine.players.value import Memory, Valuer
from engine.review.playouts import SLICE
from engine.review.swings import COARSE, Analyst
from tests.recording import Recording

RULESET = "forbidden-island"
EXACT = 2000
"""Number of playouts that decide how much a blunder costs."""
BLUNDER = 0.15
"""The minimum loss of the chance to win that counts as a blunder."""
TRIED = 6
"""Maximum number of actions that are tried instead of the computer player's choice."""
KINDS = ("draw_treasure_card", "give_card", "discard", "play_sandbags", "play_helicopter_lift")
"""The types of actions that may be blunders. Drawing the first card is one, because it ends the turn early."""
DEALS = 20261129
"""The seed of all deals."""
RUNNING = 8
"""The last turn that is played in the unfinished game. `amended` draws the cards of this turn again."""


class Game:
    """An observed game that a computer player plays, with cards that depend on `seed`."""

    def __init__(self, seed: int, player: AnyPlayer | None = None) -> None:
        self.rules = registry.ruleset(RULESET)
        self.own = player_of(self.rules)
        self.player = player or self.own
        self.rng = Stream(mix_bits(DEALS, seed, 1))
        self.shuffle(seed)
        seats = 2 + seed % 3
        self.recording = Recording(RULESET, seats)
        self._chance.begin(0, ())
        self.rules.setup(self.rules.parse_options({}, seats), seats, self._chance)
        self.recording.add("set_up", outcomes=self._chance.finish())

    def shuffle(self, seed: int) -> None:
        """Draw the next cards in an order that depends on `seed`."""
        self._chance = Keyed(mix_bits(DEALS, seed))

    @property
    def state(self) -> State:
        """The current table."""
        state = self.recording.states[-1]
        assert state is not None
        return state

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.state.outcome is not None

    def choice(self) -> Proposal:
        """Return the computer player's next action."""
        return self.player.propose(self.state, self.rng)[0]

    def play(self, choice: Proposal) -> Event:
        """Take and record an action."""
        action, seat = choice
        self._chance.begin(0, ())
        action.apply(self.state, seat, self._chance)
        params = msgspec.to_builtins(action)
        return self.recording.add(action.type, SEAT_IDS[seat], self._chance.finish(), **params)[-1]

    def value(self, count: int, first: Proposal | None = None, turns: int | None = None) -> float:
        """Return the chance to win if Keen continues the game, by `count` playouts that begin with `first`.

        Args:
            turns: the number of turns to play before the chance is estimated; None to play to the end.
        """
        return fmean(Valuer(self.own, self.rules).rewards([(1, self.state)], range(count), first, turns=turns)[0])


def blunder(game: Game, rng: random.Random) -> Proposal | None:
    """Return the worst of a few legal actions of one type; None if this action costs less than `BLUNDER`."""
    best = game.choice()
    others: dict[str, list[Proposal]] = {}
    for one in game.rules.legal_actions(game.state):
        if one.action.type in KINDS and (one.action, one.seat) != best:
            others.setdefault(one.action.type, []).append((one.action, one.seat))
    if best[0].asks_chance or not others:
        return None
    # Try only a few flights, because there are many more flights than other actions.
    same = others[rng.choice(sorted(others))]
    tried = rng.sample(same, min(TRIED, len(same)))
    worst = min(tried, key=lambda one: game.value(SLICE, one, turns=1))
    # Few actions are blunders. So first estimate after one turn, which takes a tenth of the time of a whole playout.
    for count, turns in ((SLICE, 1), (COARSE, None), (EXACT, None)):
        if game.value(count, best, turns) - game.value(count, worst, turns) < BLUNDER:
            return None
    return worst


class PlantedBlunder(msgspec.Struct, frozen=True):
    """The analysis of a game with a planted blunder; all times are processor seconds."""

    kind: str
    """The type of the blunder's action."""
    is_marked: bool
    others: int
    """The number of choices that the analysis marks besides the blunder."""
    events: int
    curve: float
    whole: float


def plant_blunder(seed: int) -> PlantedBlunder | None:
    """Plant a blunder, and analyse the game; return None if no tried action is a blunder."""
    game, rng = Game(seed), random.Random(seed)
    after = rng.randrange(10, 60)
    wrong: Event | None = None
    while not game.is_over:
        is_due = wrong is None and game.recording.game.version >= after
        found = blunder(game, rng) if is_due else None
        event = game.play(found or game.choice())
        wrong = event if found else wrong
    if wrong is None:
        return None
    kept, began = Memory(), time.process_time()
    stages = Analyst(game.recording.events, kept).stages()
    next(stages)
    curve = time.process_time() - began
    marks = next(stages).marks
    whole = time.process_time() - began
    choices = {mark.seq for mark in marks if mark.cause == "skill"}
    return PlantedBlunder(
        kind=wrong.type,
        is_marked=wrong.seq in choices,
        others=len(choices - {wrong.seq}),
        events=game.recording.game.version,
        curve=curve,
        whole=whole,
    )


def time_amended(seed: int) -> float:
    """Return the processor seconds of an analysis after the draws of a running game's last turn were amended."""
    game, kept = Game(seed), Memory()
    while not game.is_over and game.state.turn <= RUNNING:
        turn, since = game.state.turn, game.recording.game.version
        while not game.is_over and game.state.turn == turn:
            game.play(game.choice())
    Analyst(game.recording.events, kept).analyse()
    first = next(event.seq for event in game.recording.events[since:] if event.outcomes)
    game.recording.add("undo", to=first - 1)
    game.shuffle(seed + 1)
    while not game.is_over and game.state.turn == turn:
        game.play(game.choice())
    began = time.process_time()
    Analyst(game.recording.events, kept).analyse()
    return time.process_time() - began
