"""Play at a table with so many possible hands that they are counted, not listed (`engine.play.beliefs.belief.Pooled`).

The rules run on a table of face-down cards. A rule that only moves or counts them runs once. A rule that compares such
a card stops with `Reads`, and runs again on every possible hand of that row. A draw from the pile offers each kind that
may be on top. Afterwards the tables that were found become rows again: the weights are checked to be products, so
nothing is approximated. Where they are not, the event is refused.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any, NoReturn, TypeVar

import msgspec

from engine.core.canonical import canonical
from engine.core.errors import IllegalAction, ImpossibleOutcome, OutcomeRequired
from engine.core.language import say
from engine.core.lifecycle import RULE
from engine.core.values import State
from engine.kit.chance import Chance
from engine.kit.piles import Pile
from engine.kit.ruleset import Action, AnyRuleset
from engine.play.beliefs.belief import Pooled, World, worlds
from engine.play.beliefs.covering import COVER, Deck, Reads, face_down, on_pile, plain
from engine.play.beliefs.pools import Hand, Pools, counted, factored, pools, whole
from engine.play.beliefs.possible import CERTAIN, Found, TooManyTables
from engine.play.beliefs.possible import agreeing as listed

R = TypeVar("R")

MOST_READ = 1000
"""Tables that are listed for the rows that a rule reads, and that may come of them."""
FEW = 100
"""Possible tables that are listed again, where there were more."""


def _fields(ruleset: AnyRuleset) -> tuple[str, str] | None:
    """Return the fields with the rows and with the pile; None if the game has no such."""
    rows = next((path for path in ruleset.unseen if path.endswith("/*")), None)
    pile = next((path for path in ruleset.unseen if "/" not in path), None)
    return None if rows is None or pile is None or rows.count("/") > 1 else (rows[:-2], pile)


class Listed:
    """The tables of a belief that lists them, or of a state: the rules run on them as they are."""

    covered: Callable[[State], Counter[Any]] | None = None
    """Returns what does not show on a table, wherever it is (default: as `engine.play.beliefs.looks.covered`)."""

    has_odds = True
    """Whether it is known how likely each of the tables is."""

    most_alike: int | None = None
    """As `engine.play.beliefs.possible.PossibleWorlds` has it."""

    def shown(self, state: Any) -> Any:
        """Return a table as the rules may see it."""
        return state

    def legal(self, ruleset: AnyRuleset, kind: type[Action[Any]], state: Any, seat: int) -> dict[bytes, Action[Any]]:
        """Return all of one kind that is legal on a table as the rules may see it, as `Ruleset.legal`."""
        return ruleset.legal(kind, state, seat)

    def running(self, run: Callable[[Any, Chance], State]) -> Callable[[Any, Chance], State]:
        """Return what carries something out on a table."""
        return run

    def collapsed(self, found: list[Found], believed: Callable[[Sequence[Found]], State]) -> State:
        """Return the belief that holds the tables found."""
        return believed(found)


class Counted(Listed):
    """The tables of a pooled belief: only the rows that a rule reads are listed."""

    most_alike = MOST_READ

    def __init__(self, ruleset: AnyRuleset, belief: Pooled) -> None:
        self._ruleset, self._belief, self.has_odds = ruleset, belief, belief.is_exact
        self._rows, self._pile = belief.fields
        self._pools = pools(belief.rows, belief.stock)
        self._covered = self._template()
        self._read: list[int] = []
        self._is_exact = False
        self._stocks: dict[State, Counter[str]] = {}

    def played(self, play: Callable[[Sequence[World], Listed], R]) -> R:
        """Return what `play` makes of the tables, with as many rows listed as it reads.

        Raises:
            TooManyTables: rows that have to be read together have too many possible hands.
        """
        while True:
            try:
                return play(self._tables(), self)
            except Reads as reads:
                if reads.row is None:
                    refuse()
                self._read = sorted({*self._read, reads.row})
            except (OutcomeRequired, ImpossibleOutcome):
                if self._is_exact:
                    raise
                # What is told of chance then has to be its odds.
                self._is_exact = True

    def asked(self, ask: Callable[[Sequence[World], Listed], R]) -> R:
        """Return what `ask` finds on the tables, each with its exact weight and as the rules may see it."""
        self._is_exact = True
        return self.played(
            lambda tables, _: ask([World(table.weight, self.shown(table.state)) for table in tables], self)
        )

    def legal(self, ruleset: AnyRuleset, kind: type[Action[Any]], state: Any, seat: int) -> dict[bytes, Action[Any]]:
        # An action may name a face-down card: the table that judges it has others, and so it is read.
        judging = self.shown(state)
        return {
            canonical(action): action
            for action in kind.candidates(state, seat)
            if action.refusal(judging, seat) is None
        }

    def _template(self) -> Any:
        """Return the table with all its cards face down."""
        state = self._belief.worlds[0].state
        hands = tuple((f"{COVER}{row}",) * len(hand) for row, hand in enumerate(getattr(state, self._rows)))
        changes: dict[str, Any] = {self._rows: hands}
        if self._pools.pile_size:
            changes[self._pile] = Pile(((COVER,) * self._pools.pile_size,))
        return msgspec.structs.replace(state, outcome=self._belief.outcome, **changes)

    def _tables(self) -> list[World]:
        covered, known, read = self._covered, self._pools, self._read
        every = list(islice(known.tables(read), MOST_READ + 1))
        if len(every) > MOST_READ:
            raise TooManyTables
        found = []
        for packed in every:
            hands = list(getattr(covered, self._rows))
            for row, hand in zip(read, packed, strict=True):
                hands[row] = known.hand(hand)
            if self._is_exact and self.has_odds:
                weight = known.weight(read, packed)
            else:
                weight = math.prod(known.rows[row][hand] for row, hand in zip(read, packed, strict=True))
            found.append(World(weight, msgspec.structs.replace(covered, **{self._rows: tuple(hands)})))
        return found

    def shown(self, state: Any) -> Any:
        return self._veiled(state)[0]

    def _veiled(self, state: Any) -> tuple[Any, Deck, Counter[str]]:
        """Return a table with cards that tell when they are read, its deck, and the known cards of its rows."""
        known, hands = self._pools, getattr(state, self._rows)
        read = [card for row in self._read for card in hands[row]]
        others = [row for row in range(len(hands)) if row not in self._read]
        deck = Deck(known, known.packed(read), others, is_exact=self._is_exact, has_odds=self.has_odds)
        veiled = tuple(
            tuple([face_down(row) for _ in hand]) if row in others else hand for row, hand in enumerate(hands)
        )
        changes: dict[str, Any] = {self._rows: veiled}
        if known.pile_size:
            changes[self._pile] = Pile((tuple([on_pile(deck) for _ in range(known.pile_size)]),))
        return msgspec.structs.replace(state, **changes), deck, Counter(read)

    def running(self, run: Callable[[Any, Chance], State]) -> Callable[[Any, Chance], State]:
        def ran(state: Any, chance: Chance) -> State:
            veiled, deck, before = self._veiled(state)
            after = self._unveiled(run(veiled, chance))
            hands = getattr(after, self._rows)
            known = Counter(card for hand in hands for card in hand if not card.startswith(COVER))
            stock = Counter(self._belief.stock)
            stock.subtract(before)
            stock.subtract(deck.drawn)
            stock.update(known)
            if self._stocks.setdefault(after, stock) != stock:
                refuse()
            return after

        return ran

    def _unveiled(self, state: Any) -> State:
        """Return a table after a rule ran, with plain cards."""
        hands = tuple(tuple(map(plain, hand)) for hand in getattr(state, self._rows))
        pile = Pile(tuple(tuple(map(plain, layer)) for layer in getattr(state, self._pile).layers))
        after: State = msgspec.structs.replace(state, **{self._rows: hands, self._pile: pile})
        return after

    def covered(self, state: State) -> Counter[str]:
        """Return all cards that do not show, wherever they are."""
        known = self._stocks.get(state) or Counter(self._belief.stock)
        pile = getattr(state, self._pile)
        return known + Counter(card for card in pile.cards() if not card.startswith(COVER))

    def collapsed(self, found: list[Found], believed: Callable[[Sequence[Found]], State]) -> State:
        fields, stock = self._belief.fields, self._stocks[found[0].state]
        if len(found) == 1 and self._is_untouched(found[0].state):
            return self._elsewhere(found[0].state)
        cards = tuple(sorted(stock.elements()))
        template, *others = {msgspec.structs.replace(one.state, **{self._rows: ()}) for one in found}
        if others or any(self._stocks[one.state] != stock for one in found):
            template, cards = self._merged(found)
        elif self._belief.is_exact:
            joint = {self._told(one.state): Fraction(one.weight) for one in found}
            maps = factored(joint)
            if maps is not None and not self._are_more(maps, len(joint), cards):
                rows = [whole(one) if row in self._read else self._widened(row, one) for row, one in enumerate(maps)]
                return recounted(self._ruleset, fields, template, rows, cards)
        told = zip(*(self._told(one.state) for one in found), strict=True)
        rows = [
            dict.fromkeys(
                sorted(set(hands)) if row in self._read else self._widened(row, dict.fromkeys(hands, CERTAIN)), 1
            )
            for row, hands in enumerate(told)
        ]
        return recounted(self._ruleset, fields, template, rows, cards, is_exact=False)

    def _is_untouched(self, state: Any) -> bool:
        """Return True if all cards lie where they lay."""
        before, hands, pile = self._covered, getattr(state, self._rows), getattr(state, self._pile)
        return not self._read and (hands, pile) == (getattr(before, self._rows), getattr(before, self._pile))

    def _elsewhere(self, state: Any) -> State:
        """Return the belief after a change of other parts of the table."""
        hidden = [{name: getattr(world.state, name) for name in self._belief.fields} for world in self._belief.worlds]
        worlds = tuple(World(1, msgspec.structs.replace(state, **cards)) for cards in hidden)
        turn, phase, outcome = state.turn, state.phase, state.outcome
        return msgspec.structs.replace(self._belief, turn=turn, phase=phase, outcome=outcome, worlds=worlds)

    def _merged(self, found: list[Found]) -> tuple[Any, Hand]:
        """Return the table and its cards, with those of the pile among the unknown ones."""
        templates, stocks = set(), set()
        for one in found:
            covers = Pile.shuffled((COVER,) * len(getattr(one.state, self._pile)))
            templates.add(msgspec.structs.replace(one.state, **{self._rows: (), self._pile: covers}))
            stocks.add(tuple(sorted(self.covered(one.state).elements())))
        if len(templates) > 1 or len(stocks) > 1:
            refuse()
        return templates.pop(), stocks.pop()

    def _told(self, state: Any) -> tuple[Hand, ...]:
        """Return the known cards of every row: all of a row that was read, else those that came to it."""
        told = []
        for row, hand in enumerate(getattr(state, self._rows)):
            known = tuple(card for card in hand if not card.startswith(COVER))
            covers = hand[len(known) :]
            if covers != (() if row in self._read else getattr(self._covered, self._rows)[row]):
                refuse()
            told.append(known)
        return tuple(told)

    def _are_more(self, maps: Sequence[dict[Hand, Fraction]], count: int, stock: Hand) -> bool:
        """Return True if the weights of the rows allow other tables than the `count` that were found."""
        if sum(len(found) > 1 for found in maps) < 2:
            return False
        known = self._pools
        hidden = [row for row in range(len(maps)) if row not in self._read]
        before = [dict.fromkeys(map(known.hand, ways), 1) for ways in known.rows]
        left = Pools([one if row in hidden else {(): 1} for row, one in enumerate(before)], stock)
        every = Pools([dict.fromkeys(found, 1) for found in maps], stock).tables(range(len(maps)))
        possible = (hands for hands in every if left.completion(sum(hands), hidden) is not None)
        return sum(1 for _ in islice(possible, count + 1)) != count

    def _widened(self, row: int, came: dict[Hand, Fraction]) -> dict[Hand, int]:
        """Return the possible hands of a row that nobody read, with the cards that came to it."""
        found: dict[Hand, Fraction] = {}
        known = self._pools
        for hand, weight in known.rows[row].items():
            cards = known.hand(hand)
            for more, chance in came.items():
                after = tuple(sorted((*cards, *more)))
                found[after] = found.get(after, Fraction(0)) + weight * chance
        return whole(found)


def played(ruleset: AnyRuleset, state: State | None, play: Callable[[Sequence[World], Listed], R]) -> R:
    """Return what `play` makes of the tables of `state`: of those listed, or of pooled ones if there are too many.

    Raises:
        TooManyTables: there are too many, and their weights are no products.
    """
    if not isinstance(state, Pooled):
        tables = worlds(state)
        try:
            return play(tables, Listed())
        except TooManyTables:
            known = pooled(ruleset, tables)
            if known is None:
                raise
            state = known
    return Counted(ruleset, state).played(play)


def asked(ruleset: AnyRuleset, state: State, ask: Callable[[Sequence[World], Listed], R]) -> R:
    """Return what `ask` finds on the tables of `state`, each with its weight and as the rules may see it."""
    return Counted(ruleset, state).asked(ask) if isinstance(state, Pooled) else ask(worlds(state), Listed())


def pooled(ruleset: AnyRuleset, tables: Sequence[World]) -> Pooled | None:
    """Return the belief of some tables with their hands counted; None if they differ in more than hands and a pile."""
    fields = _fields(ruleset)
    if fields is None or tables[0].state is None:
        return None
    joint: dict[tuple[Hand, ...], Fraction] = {}
    stocks, templates, is_layered = set(), set(), False
    for world in tables:
        hands, pile = (getattr(world.state, name) for name in fields)
        cards = pile.cards()
        orders = math.prod(map(math.factorial, Counter(cards).values()))
        joint[hands] = Fraction(world.weight * orders)
        stocks.add(counted((*hands, cards)))
        covers = Pile.shuffled((COVER,) * len(cards))
        # Only in a single layer is every order as likely.
        is_layered = is_layered or len(pile.layers) > 1
        templates.add(msgspec.structs.replace(world.state, **{fields[0]: (), fields[1]: covers}))
    if len(stocks) > 1 or len(templates) > 1:
        return None
    template, stock = templates.pop(), stocks.pop()
    maps = None if is_layered else factored(joint)
    if maps is not None:
        rows = list(map(whole, maps))
        if Pools(rows, stock).has_tables(len(joint)):
            return counted_hands(fields, template, rows, stock)
    possible = (sorted(set(hands)) for hands in zip(*joint, strict=True))
    return counted_hands(fields, template, [dict.fromkeys(hands, 1) for hands in possible], stock, is_exact=False)


def recounted(
    ruleset: AnyRuleset,
    fields: tuple[str, str],
    template: Any,
    rows: Sequence[dict[Hand, int]],
    stock: Hand,
    *,
    is_exact: bool = True,
) -> State:
    """Return the belief of these rows: listed if there are few tables, and it is known how likely each is."""
    known, few = Pools(rows, stock), FEW if is_exact else 1
    every = list(islice(known.tables(range(len(rows))), few + 1))
    if len(every) > few:
        return counted_hands(fields, template, rows, stock, is_exact=is_exact)
    seats = range(len(rows))
    return listed(ruleset, [(known.weight(seats, one), _table(fields, template, known, one)) for one in every])


def counted_hands(
    fields: tuple[str, str], template: Any, rows: Sequence[dict[Hand, int]], stock: Hand, *, is_exact: bool = True
) -> Pooled:
    """Return the belief of these rows.

    Args:
        template: the table, with the pile as it is if it is known, else of face-down cards.
    """
    layers = getattr(template, fields[1]).layers
    is_covered = {card.startswith(COVER) for layer in layers for card in layer}
    if True in is_covered and (False in is_covered or len(layers) > 1):
        refuse()
    known = Pools(rows, stock)
    tables = known.ensemble()
    possible = [{known.hand(hand) for hand in hands} for hands in zip(*tables, strict=True)]
    left = (
        whole({hand: weight for hand, weight in row.items() if hand in some})
        for row, some in zip(rows, possible, strict=True)
    )
    return Pooled(
        fields=fields,
        turn=template.turn,
        phase=template.phase,
        outcome=template.outcome,
        worlds=tuple(World(1, _table(fields, template, known, hands)) for hands in tables),
        rows=tuple(tuple((hand, str(weight)) for hand, weight in row.items()) for row in left),
        stock=stock,
        is_exact=is_exact,
    )


def _table(fields: tuple[str, str], template: Any, known: Pools, hands: Sequence[int]) -> Any:
    """Return a table with these hands."""
    changes: dict[str, Any] = {fields[0]: tuple(map(known.hand, hands))}
    if known.pile_size:
        changes[fields[1]] = Pile.shuffled(known.hand(known.stock - sum(hands)))
    return msgspec.structs.replace(template, **changes)


def refuse() -> NoReturn:
    """Refuse a change that depends on too many unknown cards."""
    message = say(
        "This depends on cards that nobody saw, and too many are unknown to work out what it would change. Reveal some "
        "of them first."
    )
    raise IllegalAction(RULE, message)
