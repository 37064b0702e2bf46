"""The fields of a state with unknown cards: the rows, such as hands, and the pile that their cards come from.

The cards of a pile that a player looks at one after the other are rows, too: each place in their order is a row of one
card. Such cards can go back on their pile, so the pile can have known layers below, above and between its unknown ones.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import Any, get_origin

import msgspec

from engine.kit.piles import Pile
from engine.kit.ruleset import AnyRuleset

Fields = tuple[str, str]
"""The names of two fields: the field with the rows, and the field with the pile.

If the rows are cards in an order, `ORDERED` is appended to the name of their field. If each row is a member of a
component, such as a pirate, the name is a path (`pirates/*/treasures`).
"""

Hidden = tuple[tuple[tuple[str, ...], ...], Pile[Any]]
"""The rows of a table and their pile."""

ORDERED = "/"
TOP: tuple[int, ...] = (0,)
"""The index of the top layer of a pile: usually the only layer with unknown cards."""
MOST_PLACES = 16
"""Number of rows that represent an ordered sequence of cards, one card each. Unused rows are empty."""


def fields_of(ruleset: AnyRuleset) -> Fields | None:
    """Return the field with the hands and the field with their pile; None if the game lacks either."""
    rows = next((path for path in ruleset.unseen if "/*" in path), None)
    pile = next((path for path in ruleset.unseen if "/" not in path), None)
    return None if rows is None or pile is None else (rows.removesuffix("/*"), pile)


def every_fields(ruleset: AnyRuleset) -> list[Fields]:
    """Return the fields of all rows, each with the field of its pile. The cards of different piles are independent."""
    return [fields for fields in (fields_of(ruleset), seen_fields(ruleset)) if fields is not None]


def seen_fields(ruleset: AnyRuleset) -> Fields | None:
    """Return the fields of the cards that a player is looking at, and of their pile; None if there are none."""
    hands = fields_of(ruleset) or ()
    kinds = {field.name: get_origin(field.type) for field in msgspec.structs.fields(ruleset.state)}
    names = [path for path in ruleset.unseen if path in kinds and path not in hands]
    seen = next((name for name in names if kinds[name] is tuple), None)
    pile = next((name for name in names if kinds[name] is Pile), None)
    return None if seen is None or pile is None else (seen + ORDERED, pile)


def is_ordered(fields: Fields) -> bool:
    """Return True if each row represents one place in a sequence of cards."""
    return fields[0].endswith(ORDERED)


def has_sorts(fields: Fields) -> bool:
    """Return True if the cards are counted in sorts (`engine.play.beliefs.sorts`): they are open and all different."""
    return "/*/" in fields[0]


def rows_of(table: Any, fields: Fields) -> tuple[tuple[str, ...], ...]:
    """Return the cards of each row."""
    if not is_ordered(fields):
        name, _, member = fields[0].partition("/*/")
        rows: tuple[Any, ...] = getattr(table, name)
        return tuple([tuple(sorted(getattr(row, member))) for row in rows]) if member else rows
    cards = getattr(table, fields[0][:-1])
    return (*((card,) for card in cards), *[()] * (MOST_PLACES - len(cards)))


def with_rows(table: Any, fields: Fields, rows: tuple[tuple[str, ...], ...]) -> Any:
    """Return the table with these cards in its rows. If `rows` is omitted, all rows are empty."""
    if has_sorts(fields):
        name, _, member = fields[0].partition("/*/")
        holders: tuple[Any, ...] = getattr(table, name)
        each = zip(holders, rows or [()] * len(holders), strict=True)
        found = tuple([msgspec.structs.replace(one, **{member: row}) for one, row in each])
        return msgspec.structs.replace(table, **{name: found})
    if not is_ordered(fields):
        return msgspec.structs.replace(table, **{fields[0]: rows})
    return msgspec.structs.replace(table, **{fields[0][:-1]: tuple(card for row in rows for card in row)})


def hidden_of(table: Any, fields: Fields) -> Hidden:
    """Return the rows and the pile of a table."""
    return rows_of(table, fields), getattr(table, fields[1])


def with_hidden(table: Any, fields: Fields, hidden: Hidden) -> Any:
    """Return the table with these rows and this pile."""
    rows, pile = hidden
    return msgspec.structs.replace(with_rows(table, fields, rows), **{fields[1]: pile})


def without_cards(table: Any, fields: Fields) -> Any:
    """Return the table without rows, and without cards in their pile."""
    return with_hidden(table, fields, ((), Pile()))


def with_pile(table: Any, fields: Fields, cards: tuple[str, ...], unknown: Collection[int] = TOP) -> Any:
    """Return the table with these cards as its pile.

    If the rows are ordered, the cards become only the layers `unknown` of the pile. The other layers, which have known
    cards, stay the same.
    """
    layers = getattr(table, fields[1]).layers if is_ordered(fields) else ()
    if tuple(unknown) == TOP:
        filled = (cards, *layers[1:]) if cards else layers[1:]
    else:
        left = iter(cards)
        filled = tuple(
            tuple(sorted(islice(left, len(layer)))) if at in unknown else layer for at, layer in enumerate(layers)
        )
    return msgspec.structs.replace(table, **{fields[1]: Pile(filled)})


def pool_of(table: Any, fields: Fields, unknown: Collection[int] = TOP) -> tuple[str, ...]:
    """Return the unknown cards of the pile. If the rows are ordered, only the layers `unknown` have unknown cards."""
    pile = getattr(table, fields[1])
    if not is_ordered(fields):
        cards: tuple[str, ...] = pile.cards()
        return cards
    return tuple(sorted(card for at, layer in enumerate(pile.layers) if at in unknown for card in layer))
