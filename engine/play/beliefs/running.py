"""Run rules on the tables of a belief: on each listed table, or on face-down cards if the belief counts them.

On a counted belief, the rules run on a table of face-down cards. A rule that only moves or counts cards runs once. A
rule that compares a card with a kind stops with `Reads`. Then the rule runs again, once for each number of cards of
that kind that the row can have. In these runs, the cards of the kind are face up, and the other cards are known to be
of other kinds. A rule that distinguishes cards in another way, such as by building a set, runs for every possible hand.
A draw from the pile offers each kind that can be on top. `engine.play.beliefs.collapsing` builds a belief from the
resulting tables.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar

import msgspec

from engine.core import effort
from engine.core.canonical import canonical
from engine.core.errors import EngineError, ImpossibleOutcome, OutcomeRequired, Undetermined
from engine.core.values import ChancePoint, State, Value
from engine.kit.chance import Chance, Observed
from engine.kit.piles import Pile
from engine.kit.ruleset import Action, AnyRuleset
from engine.play.beliefs.belief import Belief, MixedPoint, Pooled, World, levels, shared_members, worlds
from engine.play.beliefs.collapsing import BEFORE, Collapse
from engine.play.beliefs.covering import (
    COVER,
    HiddenPile,
    OfSort,
    Reads,
    face_down,
    known_cards,
    of_sort,
    on_pile,
    plain,
)
from engine.play.beliefs.hands import as_row
from engine.play.beliefs.looks import count_hidden
from engine.play.beliefs.places import (
    Hidden,
    fields_of,
    has_sorts,
    is_ordered,
    rows_of,
    with_hidden,
    with_pile,
    with_rows,
    without_cards,
)
from engine.play.beliefs.pooling import add_renewed_pile, in_sorts, pool_tables, refuse, rest_of, running_out, split
from engine.play.beliefs.pools import Read, pools
from engine.play.beliefs.possible import CERTAIN, Found, TooManyTables, Weight
from engine.play.beliefs.sorts import refine_sorts

R = TypeVar("R")

Legal = dict[bytes, tuple[Action[Any], Fraction]]
"""Legal actions, each with the probability that the card it names is where the action needs it."""

MOST_READ = 1000
"""Maximum number of tables for the rows that a rule reads."""
MOST_ALIKE = 1000
"""Maximum number of tables after a rule that look alike, for each possible rest of the table."""


class ListedTables:
    """The tables that a belief lists, or the single table of a known state. Rules run on these tables as they are."""

    count_hidden: Callable[[State], Counter[Any]] | None = None
    """Function that counts the hidden components of a table (default: `engine.play.beliefs.looks.count_hidden`)."""
    has_odds = True
    """True if the probabilities of the tables are known."""
    most_alike: int | None = None
    """Maximum number of tables that look alike, as in `engine.play.beliefs.possible.PossibleWorlds`."""

    def cover(self, state: Any) -> Any:
        """Return a table on which everything that the rules may not know is face down."""
        return state

    def legal(self, ruleset: AnyRuleset, kind: type[Action[Any]], state: Any, seat: int) -> Legal:
        """Return the legal actions of one kind, as `Ruleset.legal` does, on the table as the rules may see it."""
        return {key: (action, CERTAIN) for key, action in ruleset.legal(kind, state, seat).items()}

    def running(self, run: Callable[[Any, Chance], State]) -> Callable[[Any, Chance], State]:
        """Return `run`, adapted to tables of this kind."""
        return run

    def collapse(self, found: list[Found], believed: Callable[[Sequence[Found]], State]) -> State:
        """Return the belief that contains the tables `found`."""
        return believed(found)


class _Level:
    """One of the counted beliefs about a table, while rules run: its rows and their pile."""

    def __init__(self, belief: Pooled) -> None:
        self.read: Read = {}
        self._count(add_renewed_pile(belief))
        state = self.belief.worlds[0].state
        hands = tuple((f"{COVER}{row}",) * len(hand) for row, hand in enumerate(rows_of(state, self.fields)))
        if self.pools.pile_size:
            state = with_pile(state, self.fields, (COVER,) * self.pools.pile_size, self.belief.unknown_layers)
        self.covered: Hidden = hands, getattr(state, self.fields[1])
        """The rows and the pile with all of their cards face down."""

    def _count(self, belief: Pooled) -> None:
        self.belief, self.fields, self.sorts = belief, belief.fields, dict(belief.sorts)
        self.pools = pools(belief.rows, belief.stock)

    def reads(self, reads: Reads) -> bool:
        """Prepare for a rule that compares a face-down card. Return True if rules must run on other tables."""
        is_split = reads.of is not None and self._split(reads.of)
        if not is_split and (reads.row is None or is_ordered(self.fields)):
            refuse()
        if reads.row is not None:
            asked = self.read.get(reads.row, frozenset())
            kinds = None if asked is None or reads.kind is None else asked | {reads.kind}
            self.read = dict(sorted({**self.read, reads.row: kinds}.items()))
        return is_split

    def _split(self, of: Callable[[str], Hashable]) -> bool:
        """Split the sorts, so that `of` gives the same value for all cards of a sort. Return True if any was split."""
        rows, stock, sorts = refine_sorts(in_sorts(self.belief), of)
        if sorts == self.sorts:
            return False
        every = tuple(sorted(sorts.items()))
        self._count(msgspec.structs.replace(self.belief, rows=tuple(map(as_row, rows)), stock=stock, sorts=every))
        return True

    def hidden_cards(self, *, is_exact: bool) -> Iterator[tuple[int, Hidden]]:
        """Yield the possible rows and piles, with their weights. They differ only in the cards that rules have read."""
        known, read, (covers, pile) = self.pools, self.read, self.covered
        every = known.first_tables(read, MOST_READ + 1)
        if len(every) > MOST_READ:
            raise TooManyTables
        for packed in every:
            hands = list(covers)
            for row, part in zip(read, packed, strict=True):
                cards = known.hand(part)
                hands[row] = (*cards, *hands[row][len(cards) :])
            if is_exact and self.belief.is_exact:
                weight = known.weight(read, packed)
            else:
                parts = zip(read.items(), packed, strict=True)
                weight = math.prod(sum(known.parts(row, kinds)[part].values()) for (row, kinds), part in parts)
            yield weight, (tuple(hands), pile)

    def veil(self, state: Any, *, is_exact: bool) -> tuple[Any, HiddenPile]:
        """Return a table whose cards raise `Reads` when compared, and the pile of the table."""
        known, read, hands = self.pools, self.read, rows_of(state, self.fields)
        parts = [known.pack(known_cards(hands[row]).elements()) for row in read]
        others = [row for row in range(len(hands)) if row not in read]
        used = partial(known.choose, read, parts)
        has_odds = self.belief.is_exact
        deck = HiddenPile(self.fields, known, used, others, self.sorts, is_exact=is_exact, has_odds=has_odds)
        veiled = [tuple([self._veil(row, card) for card in hand]) for row, hand in enumerate(hands)]
        state = with_rows(state, self.fields, tuple(veiled))
        if known.pile_size:
            cards = tuple([on_pile(deck) for _ in range(known.pile_size)])
            state = with_pile(state, self.fields, cards, self.belief.unknown_layers)
        return state, deck

    def _veil(self, row: int, card: str) -> str:
        """Return a card of a row as the rules may see it, with its unknown properties hidden."""
        if card.startswith(COVER):
            return face_down(self.fields, row, self.read.get(row) or frozenset())
        sort = self.sorts.get(card) if type(card) is str else None
        return card if sort is None else of_sort(self.fields, row, card, sort)

    def unveil(self, before: Any, after: Any, deck: HiddenPile) -> tuple[Any, Counter[str]]:
        """Return two things: the table `after` a rule, with plain cards, and all cards of its rows and its pile.

        The rows that were read also have an entry with the cards that were known before (`BEFORE`).
        """
        fields, old = self.fields, rows_of(before, self.fields)
        hands = [tuple(map(plain, hand)) for hand in rows_of(after, fields)]
        pile = Pile(tuple(tuple(map(plain, layer)) for layer in getattr(after, fields[1]).layers))
        stock = Counter(self.belief.stock)
        stock.subtract(known_cards(card for row in self.read for card in old[row]))
        stock.subtract(deck.drawn)
        stock.update(known_cards(card for hand in hands for card in hand))
        for row in self.read:
            hands[row] = (*hands[row], BEFORE + "\n".join(known_cards(old[row]).elements()))
        return with_hidden(after, fields, (tuple(hands), pile)), stock


Stocks = Mapping[State, Sequence[Counter[str]]]
"""For each table after a rule: all cards of each level, except those known to be in its pile."""


class CountedTables(ListedTables):
    """The tables of a counted belief: they differ in the rows that a rule reads, and in their uncounted parts."""

    def __init__(self, ruleset: AnyRuleset, belief: Pooled) -> None:
        self._ruleset, self._is_exact = ruleset, False
        self._levels = list(map(_Level, levels(belief)))
        self.has_odds = all(level.belief.is_exact for level in self._levels)
        last = self._levels[-1].belief
        rest = worlds(last.beside) if last.beside is not None else [World(1, last.worlds[0].state)]
        self._rest = [
            World(one.weight, msgspec.structs.replace(self._cover_rows(one.state), outcome=belief.outcome))
            for one in rest
        ]
        self.most_alike = MOST_ALIKE * len(rest)
        self._stocks: dict[State, list[Counter[str]]] = {}

    def _cover_rows(self, state: Any) -> Any:
        for level in self._levels:
            state = with_hidden(state, level.fields, level.covered)
        return state

    def run(self, play: Callable[[Sequence[World], ListedTables], R]) -> R:
        """Call `play` on the tables and return the result. If `play` reads another row, call it with that row's hands.

        Raises:
            TooManyTables: rows that are read together have too many possible hands.
        """
        while True:
            try:
                return play(self._tables(), self)
            except Reads as reads:
                level = next(level for level in self._levels if level.fields == reads.fields)
                if level.reads(reads):
                    self._stocks = {}
            except Undetermined as error:
                error.rows = tuple(row for level in self._levels for row in level.read)
                raise
            except (OutcomeRequired, ImpossibleOutcome) as error:
                if self._is_exact:
                    error.point = self._without_sorts(error.point)
                    raise
                # The error reports the draw, so the probabilities of its results must be exact.
                self._is_exact = True

    def _without_sorts(self, point: ChancePoint) -> ChancePoint:
        """Return a draw with the cards of each sort in place of the sort."""
        sorts = {name: cards for level in self._levels for name, cards in level.sorts.items()}
        if not sorts:
            return point
        chances = {
            card: chance / len(cards)
            for value, chance in point.probabilities().items()
            for cards in [sorts.get(str(value), (value,))]
            for card in cards
        }
        return MixedPoint.of(point.name, point.position, chances, is_exact=getattr(point, "is_exact", True))

    def ask(self, ask: Callable[[Sequence[World], ListedTables], R], *, has_odds: bool) -> R:
        """Call `ask` with the possible tables and their weights, with unknown cards face down; return its result.

        Args:
            has_odds: True if `ask` needs exact weights, which take long to count.
        """
        self._is_exact, self.has_odds = has_odds, has_odds and self.has_odds
        return self.run(lambda tables, _: ask([World(table.weight, self.cover(table.state)) for table in tables], self))

    def legal(self, ruleset: AnyRuleset, kind: type[Action[Any]], state: Any, seat: int) -> Legal:
        # The cards that an action names are face down, too: if a rule compares them with cards of a row, it reads the
        # row.
        judging = self.cover(state)
        found: Legal = {}
        for action in kind.candidates(state, seat):
            if action.refusal(judging, seat) is None:
                for one, chance in self._possible_actions(action):
                    key = canonical(one)
                    found[key] = (one, chance + (found[key][1] if chance != CERTAIN and key in found else 0))
        return found

    def _possible_actions(self, action: Action[Any]) -> Iterator[tuple[Action[Any], Fraction]]:
        """Yield the possible actions, with probabilities: if `action` names a sort, one for each card of the sort."""
        fields = ((name, getattr(action, name)) for name in action.__struct_fields__)
        name, card = next(((name, value) for name, value in fields if isinstance(value, OfSort)), ("", None))
        if card is None:
            yield action, CERTAIN
            return
        for one in card.cards:
            yield msgspec.structs.replace(action, **{name: one}), Fraction(1, len(card.cards))

    def _tables(self) -> list[World]:
        found = self._rest
        for level in self._levels:
            every = list(level.hidden_cards(is_exact=self._is_exact))
            found = [
                World(one.weight * weight, with_hidden(one.state, level.fields, hidden))
                for one in found
                for weight, hidden in every
            ]
        return found

    def cover(self, state: Any) -> Any:
        return self._veil_rows(state)[0]

    def _veil_rows(self, state: Any) -> tuple[Any, list[HiddenPile]]:
        decks = []
        for level in self._levels:
            state, deck = level.veil(state, is_exact=self._is_exact)
            decks.append(deck)
        return state, decks

    def running(self, run: Callable[[Any, Chance], State]) -> Callable[[Any, Chance], State]:
        def run_unveiled(state: Any, chance: Chance) -> State:
            veiled, decks = self._veil_rows(state)
            after, stocks = run(veiled, chance), []
            for level, deck in zip(self._levels, decks, strict=True):
                after, stock = level.unveil(state, after, deck)
                stocks.append(stock)
            if self._stocks.setdefault(after, stocks) != stocks:
                refuse()
            return after

        return run_unveiled

    def count_hidden(self, state: State) -> Counter[Any]:
        """Return all hidden components of a table, wherever they are."""
        known = self._stocks.get(state) or [Counter(level.belief.stock) for level in self._levels]
        found, rest = Counter[Any](), state
        for level, stock in zip(self._levels, known, strict=True):
            found += stock + known_cards(getattr(state, level.fields[1]).cards())
            rest = without_cards(rest, level.fields)
        return found + count_hidden(self._ruleset, rest)

    def collapse(self, found: list[Found], believed: Callable[[Sequence[Found]], State]) -> State:
        return self._collapse_levels(0, {one.state: one.weight for one in found}, self._stocks)

    def _collapse_levels(self, at: int, found: Mapping[State, Weight], stocks: Stocks) -> State:
        """Return the belief that contains the tables `found`. The rows of the levels before `at` are empty."""
        if at == len(self._levels):
            return rest_of(self._ruleset, found)
        level = self._levels[at]
        rows, rests = split([(weight, state) for state, weight in found.items()], level.fields) or refuse()
        rest = self._collapse_levels(
            at + 1,
            {rest: weight for rest, (weight, _) in rests.items()},
            {rest: stocks[state][1:] for rest, (_, state) in rests.items()},
        )
        collapse = Collapse(self._ruleset, level.belief, level.covered, level.read, rest)
        return collapse.of(list(rows.values()), {state: stocks[state][0] for _, state in rows.values()})


def run_on_tables(ruleset: AnyRuleset, state: State | None, play: Callable[[Sequence[World], ListedTables], R]) -> R:
    """Call `play` on the tables of `state` and return the result. If there are too many tables to list, count cards.

    Raises:
        TooManyTables: there are too many tables, and their cards cannot be counted.
    """
    known = state if isinstance(state, Pooled) else running_out(ruleset, worlds(state))
    if known is None:
        tables = worlds(state)
        try:
            return play(tables, ListedTables())
        except (TooManyTables, Undetermined) as error:
            known = pool_tables(ruleset, tables)
            if known is None or (isinstance(error, Undetermined) and not has_sorts(known.fields)):
                raise
            # The error needs the rows that were read, to say whose unknown cards matter.
    return CountedTables(ruleset, known).run(play)


def ask_tables(
    ruleset: AnyRuleset,
    state: State,
    ask: Callable[[Sequence[World], ListedTables], R],
    *,
    has_odds: bool = True,
) -> R:
    """Call `ask` with the weighted tables of `state`, as the rules may see them. Return the result.

    Args:
        has_odds: False if the weights do not matter.
    """
    if not isinstance(state, Pooled):
        return ask(worlds(state), ListedTables())
    return CountedTables(ruleset, state).ask(ask, has_odds=has_odds)


def unread(
    ruleset: AnyRuleset, state: State, action: Action[Any], seat: int, reported: Sequence[Value | None]
) -> State | None:
    """Return the belief after a legal action that neither reads nor moves unknown cards; None for any other action.

    Such an action has the same effect on all listed tables. So it runs once, with the unknown cards face down.
    """
    fields = fields_of(ruleset)
    is_listed = isinstance(state, Belief) and not isinstance(state, Pooled) and state.outcome is None
    if fields is None or has_sorts(fields) or not is_listed or len(ruleset.unseen) > len(fields):
        return None
    tables = worlds(state)
    rows, pile = (getattr(tables[0].state, name) for name in fields)
    hands = tuple(tuple([face_down(fields, row) for _ in hand]) for row, hand in enumerate(rows))
    covers = Pile((tuple([face_down(fields, None) for _ in range(len(pile))]),)) if len(pile) else pile
    chance = Observed()
    chance.begin(0, tuple(reported))
    effort.spend()
    try:
        table = msgspec.structs.replace(tables[0].state, **dict(zip(fields, (hands, covers), strict=True)))
        after = action.apply(table, seat, chance) if action.refusal(table, seat) is None else None
        chance.finish()
    except (Reads, EngineError):
        return None
    if after is None or any(getattr(after, name) is not getattr(table, name) for name in fields):
        return None

    def follow(world: World) -> World:
        cards = {name: getattr(world.state, name) for name in fields}
        return World(world.weight, msgspec.structs.replace(after, **cards))

    return msgspec.structs.replace(state, **shared_members(after), worlds=tuple(map(follow, tables)))
