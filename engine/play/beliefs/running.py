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
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import msgspec

from engine.core import effort
from engine.core.canonical import canonical
from engine.core.errors import EngineError, ImpossibleOutcome, OutcomeRequired, Undetermined
from engine.core.values import ChancePoint, State, Value
from engine.kit.chance import Chance, Observed
from engine.kit.piles import Pile
from engine.kit.ruleset import Action, AnyRuleset
from engine.play.beliefs.belief import Belief, MixedPoint, Pooled, World, shared, worlds
from engine.play.beliefs.collapsing import BEFORE, Collapse
from engine.play.beliefs.covering import COVER, Deck, OfSort, Reads, face_down, known_cards, of_sort, on_pile, plain
from engine.play.beliefs.hands import as_row
from engine.play.beliefs.places import fields_of, has_sorts, is_ordered, rows_of, with_pile, with_rows
from engine.play.beliefs.pooling import in_sorts, pooled, refuse, renewed, running_out
from engine.play.beliefs.pools import Read, pools
from engine.play.beliefs.possible import CERTAIN, Found, TooManyTables
from engine.play.beliefs.sorts import refined

R = TypeVar("R")

Legal = dict[bytes, tuple[Action[Any], Fraction]]
"""Legal actions, each with the probability that the card that it names is in its place."""

MOST_READ = 1000
"""Maximum number of tables for the rows that a rule reads, and of tables after the rule that look alike."""


class Listed:
    """The tables of a listed belief, or of a known state. Rules run on these tables without changes."""

    covered: Callable[[State], Counter[Any]] | None = None
    """Function that counts the hidden components of a table (default: `engine.play.beliefs.looks.covered`)."""

    has_odds = True
    """True if the probabilities of the tables are known."""

    most_alike: int | None = None
    """Maximum number of tables that look alike, as in `engine.play.beliefs.possible.PossibleWorlds`."""

    def shown(self, state: Any) -> Any:
        """Return a table on which everything that the rules may not know is face down."""
        return state

    def legal(self, ruleset: AnyRuleset, kind: type[Action[Any]], state: Any, seat: int) -> Legal:
        """Return the legal actions of one kind, as `Ruleset.legal` does, from what the rules may know of the table."""
        return {key: (action, CERTAIN) for key, action in ruleset.legal(kind, state, seat).items()}

    def running(self, run: Callable[[Any, Chance], State]) -> Callable[[Any, Chance], State]:
        """Return `run`, adapted to tables of this kind."""
        return run

    def collapsed(self, found: list[Found], believed: Callable[[Sequence[Found]], State]) -> State:
        """Return the belief that contains the tables `found`."""
        return believed(found)


class Counted(Listed):
    """The tables of a counted belief: they differ only in the rows that a rule reads."""

    most_alike = MOST_READ

    def __init__(self, ruleset: AnyRuleset, belief: Pooled) -> None:
        self._ruleset, self.has_odds = ruleset, belief.is_exact
        self._fields, self._pile = belief.fields, belief.fields[1]
        self._read: Read = {}
        self._is_exact = False
        self._count(renewed(belief))
        self._covered = self._template()

    def _count(self, belief: Pooled) -> None:
        self._belief, self._sorts = belief, dict(belief.sorts)
        self._pools = pools(belief.rows, belief.stock)
        self._stocks: dict[State, Counter[str]] = {}

    def played(self, play: Callable[[Sequence[World], Listed], R]) -> R:
        """Call `play` on the tables and return the result. If `play` reads another row, call it with that row's hands.

        Raises:
            TooManyTables: rows that are read together have too many possible hands.
        """
        while True:
            try:
                return play(self._tables(), self)
            except Reads as reads:
                is_split = reads.of is not None and self._split(reads.of)
                if not is_split and (reads.row is None or is_ordered(self._fields)):
                    refuse()
                if reads.row is not None:
                    asked = self._read.get(reads.row, frozenset())
                    kinds = None if asked is None or reads.kind is None else asked | {reads.kind}
                    self._read = dict(sorted({**self._read, reads.row: kinds}.items()))
            except Undetermined as error:
                error.rows = tuple(self._read)
                raise
            except (OutcomeRequired, ImpossibleOutcome) as error:
                if self._is_exact:
                    error.point = self._told(error.point)
                    raise
                # The error reports the draw, so its probabilities must be exact.
                self._is_exact = True

    def _split(self, of: Callable[[str], Hashable]) -> bool:
        """Split the sorts so that `of` is the same for all cards of a sort; return True if that changed any."""
        belief = self._belief
        rows, stock, sorts = refined(in_sorts(belief), of)
        if sorts == self._sorts:
            return False
        every = tuple(sorted(sorts.items()))
        self._count(msgspec.structs.replace(belief, rows=tuple(map(as_row, rows)), stock=stock, sorts=every))
        return True

    def _told(self, point: ChancePoint) -> ChancePoint:
        """Return a draw with the cards of each sort in place of the sort."""
        if not self._sorts:
            return point
        chances = {
            card: chance / len(cards)
            for value, chance in point.probabilities().items()
            for cards in [self._sorts.get(str(value), (value,))]
            for card in cards
        }
        options = sorted(chances, key=lambda value: (isinstance(value, str), value))
        is_exact = getattr(point, "is_exact", True)
        return MixedPoint(point.name, point.position, tuple(options), tuple(chances[one] for one in options), is_exact)

    def asked(self, ask: Callable[[Sequence[World], Listed], R]) -> R:
        """Call `ask` with the possible tables, as rules may see them, and their exact weights. Return the result."""
        self._is_exact = True
        return self.played(
            lambda tables, _: ask([World(table.weight, self.shown(table.state)) for table in tables], self)
        )

    def legal(self, ruleset: AnyRuleset, kind: type[Action[Any]], state: Any, seat: int) -> Legal:
        # The cards that an action names are face down, too: comparing them with those of the judged table reads the
        # row.
        judging = self.shown(state)
        found: Legal = {}
        for action in kind.candidates(state, seat):
            if action.refusal(judging, seat) is None:
                for one, chance in self._named(action):
                    key = canonical(one)
                    found[key] = (one, chance + (found[key][1] if chance != CERTAIN and key in found else 0))
        return found

    def _named(self, action: Action[Any]) -> Iterator[tuple[Action[Any], Fraction]]:
        """Yield an action with each card of a sort that it may name, and the probability that it is this card."""
        fields = ((name, getattr(action, name)) for name in action.__struct_fields__)
        name, card = next(((name, value) for name, value in fields if isinstance(value, OfSort)), ("", None))
        if card is None:
            yield action, CERTAIN
            return
        for one in card.cards:
            yield msgspec.structs.replace(action, **{name: one}), Fraction(1, len(card.cards))

    def _template(self) -> Any:
        """Return the table on which all cards of the rows and of the pile are face down."""
        state = self._belief.worlds[0].state
        hands = tuple((f"{COVER}{row}",) * len(hand) for row, hand in enumerate(rows_of(state, self._fields)))
        if self._pools.pile_size:
            state = with_pile(state, self._fields, (COVER,) * self._pools.pile_size)
        return msgspec.structs.replace(with_rows(state, self._fields, hands), outcome=self._belief.outcome)

    def _tables(self) -> list[World]:
        covered, known, read = self._covered, self._pools, self._read
        every = list(islice(known.tables(read), MOST_READ + 1))
        if len(every) > MOST_READ:
            raise TooManyTables
        found = []
        for packed in every:
            hands = list(rows_of(covered, self._fields))
            for row, part in zip(read, packed, strict=True):
                cards = known.hand(part)
                hands[row] = (*cards, *hands[row][len(cards) :])
            if self._is_exact and self.has_odds:
                weight = known.weight(read, packed)
            else:
                parts = zip(read.items(), packed, strict=True)
                weight = math.prod(sum(known.parts(row, kinds)[part].values()) for (row, kinds), part in parts)
            found.append(World(weight, with_rows(covered, self._fields, tuple(hands))))
        return found

    def shown(self, state: Any) -> Any:
        return self._veiled(state)[0]

    def _veiled(self, state: Any) -> tuple[Any, Deck, Counter[str]]:
        """Return a table whose cards raise `Reads` when compared, the pile of the table, and its rows' known cards."""
        known, read, hands = self._pools, self._read, rows_of(state, self._fields)
        parts = [known.packed(known_cards(hands[row]).elements()) for row in read]
        others = [row for row in range(len(hands)) if row not in read]
        used = partial(known.chosen, read, parts)
        deck = Deck(known, used, others, self._sorts, is_exact=self._is_exact, has_odds=self.has_odds)
        veiled = [tuple([self._veil(row, card) for card in hand]) for row, hand in enumerate(hands)]
        state = with_rows(state, self._fields, tuple(veiled))
        if known.pile_size:
            state = with_pile(state, self._fields, tuple([on_pile(deck) for _ in range(known.pile_size)]))
        before = known_cards(card for row in read for card in hands[row])
        return state, deck, before

    def _veil(self, row: int, card: str) -> str:
        """Return a card of a row, as rules may see it."""
        if card.startswith(COVER):
            return face_down(row, self._read.get(row) or frozenset())
        return of_sort(row, card, self._sorts[card]) if type(card) is str and card in self._sorts else card

    def running(self, run: Callable[[Any, Chance], State]) -> Callable[[Any, Chance], State]:
        def ran(state: Any, chance: Chance) -> State:
            veiled, deck, before = self._veiled(state)
            after: State = self._unveiled(run(veiled, chance))
            hands = rows_of(after, self._fields)
            known = known_cards(card for hand in hands for card in hand)
            stock = Counter(self._belief.stock)
            stock.subtract(before)
            stock.subtract(deck.drawn)
            stock.update(known)
            marked = list(hands)
            for row in self._read:
                cards = known_cards(rows_of(state, self._fields)[row])
                marked[row] = (*hands[row], BEFORE + "\n".join(cards.elements()))
            after = with_rows(after, self._fields, tuple(marked))
            if self._stocks.setdefault(after, stock) != stock:
                refuse()
            return after

        return ran

    def _unveiled(self, state: Any) -> State:
        """Return the table after a rule ran, with its cards as plain strings."""
        hands = tuple(tuple(map(plain, hand)) for hand in rows_of(state, self._fields))
        pile = Pile(tuple(tuple(map(plain, layer)) for layer in getattr(state, self._pile).layers))
        after: State = msgspec.structs.replace(with_rows(state, self._fields, hands), **{self._pile: pile})
        return after

    def covered(self, state: State) -> Counter[str]:
        """Return all hidden cards of a table, wherever they are."""
        known = self._stocks.get(state) or Counter(self._belief.stock)
        return known + known_cards(getattr(state, self._pile).cards())

    def collapsed(self, found: list[Found], believed: Callable[[Sequence[Found]], State]) -> State:
        return Collapse(self._ruleset, self._belief, self._covered, self._read).of(found, self._stocks)


def played(ruleset: AnyRuleset, state: State | None, play: Callable[[Sequence[World], Listed], R]) -> R:
    """Call `play` on the tables of `state` and return the result. If there are too many tables to list, count cards.

    Raises:
        TooManyTables: there are too many tables, and their cards cannot be counted.
    """
    if not isinstance(state, Pooled):
        tables = worlds(state)
        known = running_out(ruleset, tables)
        if known is not None:
            return Counted(ruleset, known).played(play)
        try:
            return play(tables, Listed())
        except (TooManyTables, Undetermined) as error:
            known = pooled(ruleset, tables)
            if known is None or (isinstance(error, Undetermined) and not has_sorts(known.fields)):
                raise
            # If the table depends on unknown cards, the rows that were read tell whose.
            state = known
    return Counted(ruleset, state).played(play)


def asked(ruleset: AnyRuleset, state: State, ask: Callable[[Sequence[World], Listed], R]) -> R:
    """Call `ask` on the tables of `state`, as the rules may see them, with their weights. Return the result."""
    return Counted(ruleset, state).asked(ask) if isinstance(state, Pooled) else ask(worlds(state), Listed())


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
    hands = tuple(tuple([face_down(row) for _ in hand]) for row, hand in enumerate(rows))
    covers = Pile((tuple([face_down(None) for _ in range(len(pile))]),)) if len(pile) else pile
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

    def followed(world: World) -> World:
        cards = {name: getattr(world.state, name) for name in fields}
        return World(world.weight, msgspec.structs.replace(after, **cards))

    return msgspec.structs.replace(state, **shared(after), worlds=tuple(map(followed, tables)))
