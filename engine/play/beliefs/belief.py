"""Beliefs: all possible tables, as one state.

An outcome that is reported as None can be one of several results. The state is then a belief: every possible table,
with its weight. Each event is applied to every possible table. Later reports rule out the tables that they contradict.
So an action that is legal on every table is legal, an action that is legal on some of them may be legal, and every
probability stays exact.

None is only accepted for a result that is not visible on the table. If the visible table depends on a result, players
can look it up. A ruleset declares the parts of its state that are not visible (`Ruleset.unseen`): hands and piles, of
which players see only the number of cards. All tables of a belief are equal in everything else.
`engine.play.beliefs.worlds` applies events.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from heapq import nsmallest
from itertools import cycle, islice
from operator import and_
from typing import Any

import msgspec

from engine.core.canonical import canonical
from engine.core.language import say
from engine.core.values import ChancePoint, State, Value, probability
from engine.kit.ruleset import AnyRuleset
from engine.kit.scene import Scene
from engine.kit.scenes import blend_scenes
from engine.play.beliefs.hands import Hand, Row
from engine.play.beliefs.places import ORDERED, TOP, Fields, has_sorts, hidden_of, is_ordered, with_hidden
from engine.play.beliefs.pools import Pools, pools
from engine.play.beliefs.sorts import NONE, Sorts, hand_count, open_sorts
from engine.play.beliefs.sorts import hands as hands_in

MOST_TOLD = 50
"""Maximum number of hands listed in a document if there are too many tables to list: the likeliest hands."""


def shared_members(state: State) -> dict[str, Any]:
    """Return the members that are the same in a belief and in each of its tables."""
    return {name: getattr(state, name) for name in State.__struct_fields__}


class World(msgspec.Struct, frozen=True, array_like=True):
    """A possible table. Its probability is its weight divided by the sum of the weights of all tables."""

    weight: int
    state: Any
    """A state of the ruleset's own type."""


class Belief(State, frozen=True, kw_only=True):
    """A partly unknown table: all possible tables, in a fixed order, without duplicates."""

    is_belief = True
    worlds: tuple[World, ...]


class Pooled(Belief, frozen=True, kw_only=True):
    """A belief with too many tables to list. Instead, the belief counts the unknown cards.

    `engine.play.beliefs.pools` computes the probabilities. `worlds` is a small sample in which every possible hand
    occurs; ignore its weights.
    """

    fields: Fields
    """The fields of the state that contain the rows and their pile."""
    rows: tuple[Row, ...]
    """The possible hands of each row, with their weights."""
    stock: Hand
    """All cards in the rows and in the pile, sorted."""
    is_exact: bool = True
    """False if only the possible hands are known, not their probabilities: ignore the weights then."""
    unknown_layers: tuple[int, ...] = TOP
    """If the rows are ordered: the indexes of the pile's layers with unknown cards.

    In each place of these layers, every unknown card is equally likely. The cards of the other layers are known.
    """
    sorts: tuple[tuple[str, Hand], ...] = ()
    """The sorts in the hands and in the stock, with their cards (`engine.play.beliefs.sorts`)."""
    beside: Belief | None = None
    """The belief about the rest of the table, if that is unknown, too. It is independent of the rows and their pile."""

    def with_rest(self, rest: State) -> Pooled:
        """Return this belief with another `rest`; its rows and its pile stay the same."""
        hidden = [hidden_of(one.state, self.fields) for one in self.worlds]
        if self.beside is not None:
            # If there is no belief beside this one, keep repeated tables, because stored digests cover them.
            hidden = list(dict.fromkeys(hidden))
        tables = [one.state for one in worlds(rest)]
        both = zip(range(max(len(hidden), len(tables))), cycle(tables), cycle(hidden))
        return msgspec.structs.replace(
            self,
            **shared_members(rest),
            worlds=tuple([World(1, with_hidden(table, self.fields, cards)) for _, table, cards in both]),
            beside=rest if isinstance(rest, Belief) else None,
        )


class MixedPoint(ChancePoint, frozen=True):
    """A draw, merged from the tables of a belief."""

    weights: tuple[Fraction, ...] = ()
    """The probability of each option. The options are distinct."""
    is_exact: bool = True
    """False if the probabilities are unknown; then ignore the weights."""

    @classmethod
    def of(cls, name: str, position: int, chances: Mapping[Value, Fraction], *, is_exact: bool = True) -> MixedPoint:
        """Return a draw with these probabilities. If `is_exact` is False, they are unknown."""
        options = tuple(sorted(chances, key=lambda value: (isinstance(value, str), value)))
        return cls(name, position, options, tuple(chances[value] for value in options), is_exact)

    def probabilities(self) -> dict[Value, Fraction]:
        return dict(zip(self.options, self.weights, strict=True))


def worlds(state: State | None) -> tuple[World, ...]:
    """Return the tables of a belief; for any other state, the state itself with weight 1."""
    if not isinstance(state, Belief):
        return (World(1, state),)
    if state.outcome is None or state.worlds[0].state.outcome is not None:
        return state.worlds
    # An abandoned game is over on all tables.
    return tuple(
        World(world.weight, msgspec.structs.replace(world.state, outcome=state.outcome)) for world in state.worlds
    )


def map_tables(state: Any, change: Callable[[Any], Any]) -> Any:
    """Apply `change` to each table of `state`, but not to members that all tables share. Return the new state."""
    if not isinstance(state, Belief):
        return change(state)
    tables = tuple(World(one.weight, change(one.state)) for one in state.worlds)
    state = msgspec.structs.replace(state, worlds=tables)
    is_nested = isinstance(state, Pooled) and state.beside is not None
    return msgspec.structs.replace(state, beside=map_tables(state.beside, change)) if is_nested else state


def levels(state: State | None) -> list[Pooled]:
    """Return the nested counted beliefs of a state: the state, its `beside`, the `beside` of that, and so on."""
    found = []
    while isinstance(state, Pooled):
        found.append(state)
        state = state.beside
    return found


def level(state: State | None, fields: Fields) -> State | None:
    """Return the counted belief with these fields in a state; if there is none, the uncounted part of the state."""
    every = levels(state)
    last = every[-1].beside if every else None
    return next((one for one in every if one.fields == fields), last or state)


def merge_points(asked: Sequence[tuple[Fraction | int, ChancePoint]]) -> ChancePoint:
    """Merge draws on several tables, each with the weight of its table, into one draw."""
    if len(asked) == 1:
        return asked[0][1]
    total = sum(weight for weight, _ in asked)
    # Integers, because fractions are slow: the weight of each value among draws with the same number of cards.
    sums: dict[tuple[int, Value], Fraction | int] = {}
    for weight, point in asked:
        count = 1 if isinstance(point, MixedPoint) else len(point.options)
        parts = point.probabilities() if isinstance(point, MixedPoint) else Counter(point.options)
        for value, part in parts.items():
            sums[count, value] = sums.get((count, value), 0) + weight * part
    chances: dict[Value, Fraction] = {}
    for (count, value), part in sums.items():
        chances[value] = chances.get(value, Fraction(0)) + Fraction(part) / (count * total)
    first = asked[0][1]
    is_exact = not any(isinstance(point, MixedPoint) and not point.is_exact for _, point in asked)
    return MixedPoint.of(first.name, first.position, chances, is_exact=is_exact)


def likeliest(state: Any) -> Any:
    """Return the state of the likeliest table of a belief, or `state` itself if it is not a belief."""
    return max(state.worlds, key=lambda world: world.weight).state if isinstance(state, Belief) else state


def sure(state: State, told: Callable[[Any], list[str]]) -> list[str]:
    """Return the sentences that `told` returns for every table.

    If tables also have other sentences, add a sentence that says so.
    """
    first, *others = (told(world.state) for world in worlds(state))
    kept = [sentence for sentence in first if all(sentence in other for other in others)]
    return kept if len(kept) == len(first) else [*kept, say("Everything else is unknown.")]


def words(state: State, told: Callable[[Any], dict[str, str]]) -> dict[str, str]:
    """Return the labels and texts of `told`. If a text differs between tables, add a remark."""
    first, *others = (told(world.state) for world in worlds(state))
    unsure = {label for label, text in first.items() if any(other.get(label) != text for other in others)}
    return {
        label: say("not seen; possibly {text}", text=text) if label in unsure else text for label, text in first.items()
    }


def document(state: State, told: Callable[[Any], Any]) -> Any:
    """Return the JSON document that `told` creates for a state. Values that differ between tables become `one_of`.

    In a list of cards, the cards that all tables have in common come first. An object follows, whose member `unseen` is
    the number of other cards.
    """
    if not isinstance(state, Belief):
        return told(state)
    total = sum(world.weight for world in state.worlds)
    return _merge_documents([(world.weight, told(world.state)) for world in state.worlds], total)


def view(ruleset: AnyRuleset, state: State, viewer: int | None) -> dict[str, Any]:
    """Return the state's document for `viewer` (None: the public), with unknown parts as in `document`."""
    if isinstance(state, Pooled):
        if state.beside is None:
            return _with_probabilities(state, ruleset.view(state.worlds[0].state, viewer))
        hidden = hidden_of(state.worlds[0].state, state.fields)
        rest = map_tables(state.beside, lambda table: with_hidden(table, state.fields, hidden))
        return _with_probabilities(state, view(ruleset, rest, viewer))
    told: dict[str, Any] = document(state, lambda world: ruleset.view(world, viewer))
    return told


def _with_probabilities(belief: Pooled, told: dict[str, Any]) -> dict[str, Any]:
    """Return `told`, the document of a table, with the probabilities of hands and pile, as far as they are known."""
    known, (rows, pile) = pools(belief.rows, belief.stock), belief.fields
    if is_ordered(belief.fields):
        return {**told, **_with_looked_at(belief, told, known)}
    if not belief.is_exact and not has_sorts(belief.fields):
        found = {**told, rows: [_possible(dict(row)) for row in belief.rows]}
        return {**found, pile: {**told[pile], "layers": [[{"unseen": known.pile_size}]]}} if known.pile_size else found
    sorts = dict(belief.sorts)
    hands = [_probable(known.row_weights(row), sorts) for row in range(len(belief.rows))]
    if has_sorts(belief.fields):
        # The rows are members of components, such as the treasures of a pirate.
        name, member = rows.split("/*/")
        found = {**told, name: [{**one, member: hand} for one, hand in zip(told[name], hands, strict=True)]}
    else:
        found = {**told, rows: hands}
    if known.pile_size:
        found[pile] = {**told[pile], "layers": [_probable(known.pile_weights(), sorts)]}
    return found


def _with_looked_at(belief: Pooled, told: dict[str, Any], known: Pools) -> dict[str, Any]:
    """Return JSON for the cards that a player is looking at, in any order, and for their pile."""
    seen, pile = belief.fields[0][: -len(ORDERED)], belief.fields[1]
    if all(len(row) == 1 for row in belief.rows):
        # The order of the known cards is also known.
        cards = told[seen]
    elif belief.is_exact:
        cards = _probable(known.row_weights_together())
    else:
        hands: list[Hand] = [()]
        for row in belief.rows:
            hands = sorted({tuple(sorted(hand + one)) for hand in hands for one, _ in row})
        cards = _possible(hands)
    if not known.pile_size:
        return {seen: cards}
    layers = list(told[pile]["layers"])
    for at in belief.unknown_layers:
        layers[at] = _layer(belief, known, len(layers[at]))
    return {seen: cards, pile: {**told[pile], "layers": layers}}


def _layer(belief: Pooled, known: Pools, size: int) -> list[Any]:
    """Return JSON for a layer of the pile that has `size` unknown cards."""
    if not belief.is_exact:
        return [{"unseen": size}]
    weights = known.pile_weights()
    if size == known.pile_size:
        return _probable(weights)
    total, selections = sum(weights.values()), math.comb(known.pile_size, size)
    has: defaultdict[str, Fraction] = defaultdict(Fraction)
    for cards, weight in weights.items():
        for card, count in Counter(cards).items():
            without = math.comb(known.pile_size - count, size)
            has[card] += Fraction(weight * (selections - without), total * selections)
    return [{"unseen": size, "has": [{"value": card, **probability(has[card])} for card in sorted(has)]}]


def _possible(hands: Iterable[Hand]) -> list[Any]:
    """Return JSON for partly known cards of unknown probability: the known cards, and candidates for the others."""
    every = [Counter(hand) for hand in hands]
    common = reduce(and_, every)
    rests = [hand - common for hand in every]
    unknown = rests[0].total()
    return [
        *sorted(common.elements()),
        *([{"unseen": unknown, "may_be": sorted(set().union(*rests))}] if unknown else []),
    ]


def _probable(weights: Mapping[Hand, int], sorts: Sorts = NONE) -> list[Any]:
    """Return JSON for partly known cards, as `_cards` does.

    If there are too many candidates, list only the likeliest.
    """
    total = sum(weights.values())
    weights = {open_sorts(sorts, hand): weight for hand, weight in weights.items()}
    counts = {hand: hand_count(sorts, hand) for hand in weights}
    each = {
        one: Fraction(weight, counts[hand] * total)
        for hand, weight in weights.items()
        for one in islice(hands_in(sorts, hand), MOST_TOLD)
    }
    if len(each) == 1:
        return list(*each)
    likeliest = nsmallest(MOST_TOLD, each, key=lambda hand: (-each[hand], hand))
    found = [(each[hand], hand) for hand in likeliest]
    number = sum(counts.values())
    if len(likeliest) == number:
        return _cards(found)
    common = reduce(and_, (Counter(card for card in hand if card not in sorts) for hand in weights))
    has: defaultdict[str, Fraction] = defaultdict(Fraction)
    for hand, weight in weights.items():
        for card, count in (Counter(hand) - common).items() if common else Counter(hand).items():
            among = sorts.get(card, (card,))
            for one in among:
                has[one] += Fraction(weight * min(count, len(among)), total * len(among))
    *known, told = _cards(found, common)
    chances = [{"value": card, **probability(has[card])} for card in sorted(has)]
    return [*known, {**told, "more": number - MOST_TOLD, "has": chances}]


def public_document(ruleset: AnyRuleset, state: State | None) -> dict[str, Any] | None:
    """Return the document of everything that the public may see; None before the setup."""
    return None if state is None else view(ruleset, state, None)


def overview(ruleset: AnyRuleset, state: State, names: Sequence[str]) -> dict[str, str]:
    """Return the overview of the table, in words."""
    return words(state, lambda world: ruleset.overview(world, names))


def board(ruleset: AnyRuleset, state: State, names: Sequence[str], viewer: int | None = None) -> Scene:
    """Return the picture of the table.

    For a belief, the picture shows only the elements that all of its tables share.
    """
    if not isinstance(state, Belief):
        return ruleset.board(state, names, viewer)
    by_weight = sorted(state.worlds, key=lambda world: -world.weight)
    scene = blend_scenes([ruleset.board(world.state, names, viewer) for world in by_weight])
    return msgspec.structs.replace(scene, subtitle=say("{standing} · some of it unseen", standing=scene.subtitle))


def _merge_documents(found: Sequence[tuple[int, Any]], total: int) -> Any:
    documents = [one for _, one in found]
    first = documents[0]
    if all(one == first for one in documents):
        return first
    if all(isinstance(one, dict) and one.keys() == first.keys() for one in documents):
        return {key: _merge_documents([(weight, one[key]) for weight, one in found], total) for key in first}
    if all(isinstance(one, list | tuple) and len(one) == len(first) for one in documents):
        if any(isinstance(item, dict | list | tuple) for one in documents for item in one):
            return [
                _merge_documents([(weight, one[index]) for weight, one in found], total) for index in range(len(first))
            ]
        # Many tables have the same few hands.
        hands: dict[Hand, int] = {}
        for weight, one in found:
            hand = tuple(one)
            hands[hand] = hands.get(hand, 0) + weight
        return _cards([(Fraction(weight, total), hand) for hand, weight in hands.items()])
    return _one_of([(Fraction(weight, total), one) for weight, one in found])


def _cards(found: Sequence[tuple[Fraction, Sequence[Any]]], common: Counter[Any] | None = None) -> list[Any]:
    """Return JSON for partly known cards: the known cards, and the candidates for the others.

    Args:
        found: the possible lists of cards, each with its probability.
        common: the known cards (default: those in all of the lists).
    """
    if common is None:
        common = reduce(and_, (Counter(cards) for _, cards in found))
    rests = [(p, sorted((Counter(cards) - common).elements())) for p, cards in found]
    unseen = len(rests[0][1])
    # Tables can differ in the order of known cards only.
    return [*sorted(common.elements()), *([{"unseen": unseen, **_one_of(rests)}] if unseen else [])]


def _one_of(found: Sequence[tuple[Fraction, Any]]) -> dict[str, Any]:
    chances: dict[bytes, tuple[Any, Fraction]] = {}
    for p, one in found:
        key = canonical(one)
        chances[key] = (one, p + (chances[key][1] if key in chances else 0))
    return {"one_of": [{"value": chances[key][0], **probability(chances[key][1])} for key in sorted(chances)]}
