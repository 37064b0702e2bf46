"""What nobody saw of a line on which hands are counted, not listed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

from engine.core import effort
from engine.core.errors import EngineError
from engine.core.lifecycle import KINDS
from engine.core.values import SEAT_INDEX, State, Value
from engine.kit.chance import Observed
from engine.kit.ruleset import AnyRuleset
from engine.play.beliefs.belief import MixedPoint, Pooled, likeliest, worlds
from engine.play.beliefs.smoothing import Chances, counted, drawn, row_drawn_to, smoothed
from engine.play.beliefs.tracing import Place
from engine.play.line import Line, Slot


def points(ruleset: AnyRuleset, line: Line, only: int | None = None) -> dict[Place, MixedPoint]:
    """Return what each unseen card of `line` may have been, by the place of its draw.

    The probabilities are exact, or marked as not known where an event since then left the weights no product.

    Args:
        only: where the draw is that is asked for (default: all of them).
    """
    tables = _tables(ruleset, line, max((only or 0) - 1, 0))
    draws = _draws(line, tables)
    wanted = {at: row for at, row in draws.items() if only in {None, at}}
    start = next(at for at in range(len(line), -1, -1) if at == 0 or _has_no_odds(tables[at - 1]))
    exact = [table for table in tables[start:] if table is not None]
    named = [_named(slot) for slot in line[start:]]
    chances: dict[int, Chances] = {}
    for row in sorted({row for at, row in wanted.items() if at > start}):
        unseen = {at - start for at, one in draws.items() if one == row and at > start}
        chances |= {at + start: found for at, found in smoothed(exact, row, unseen, named).items()}
    found = {}
    for at, row in wanted.items():
        slot, before, after = line[at], tables[at - 1], tables[at]
        assert before is not None
        assert after is not None
        position, name = _asked(ruleset, slot, line[at - 1])
        if at in chances:
            known = chances[at]
            point = MixedPoint(name, position, tuple(known), tuple(known.values()))
        else:
            point = _unweighed(name, position, drawn(before, after, row))
        found[slot.number, position] = point
    return found


def without(point: MixedPoint, value: Value) -> MixedPoint:
    """Return what is left of a point if `value` turns out to be impossible: how likely the others are is not known."""
    return _unweighed(point.name, point.position, [option for option in point.options if option != value])


def _unweighed(name: str, position: int, options: Sequence[Value]) -> MixedPoint:
    weights = (Fraction(1, len(options)),) * len(options) if options else ()
    return MixedPoint(name, position, tuple(options), weights, is_exact=False)


def _has_no_odds(table: Pooled | None) -> bool:
    return table is None or not table.is_exact


def _tables(ruleset: AnyRuleset, line: Line, start: int) -> list[Pooled | None]:
    """Return the line's tables with their hands counted, from `start` on."""
    found: list[Pooled | None] = [None] * start
    last, table = None, None
    for slot in line[start:]:
        cards = None if slot.after is None else _hidden(ruleset, slot.after)
        if cards != last:
            effort.spend()
            last, table = cards, counted(ruleset, slot.after)
        found.append(table)
    return found


def _hidden(ruleset: AnyRuleset, state: State) -> Hashable:
    """Return what does not show in the tables of a state, and how likely each is."""
    if isinstance(state, Pooled):
        return state.rows, state.stock, state.is_exact
    names = [path.partition("/")[0] for path in ruleset.unseen]
    return tuple((world.weight, *(getattr(world.state, name) for name in names)) for world in worlds(state))


def _draws(line: Line, tables: list[Pooled | None]) -> dict[int, int]:
    """Return where in the line one card went unseen to one row, and to which."""
    found = {}
    for at, (slot, before, after) in enumerate(zip(line, [None, *tables[:-1]], tables, strict=True)):
        if slot.entry is not None and slot.entry.outcomes.count(None) == 1 and slot.entry.type not in KINDS:
            row = None if before is None or after is None else row_drawn_to(before, after)
            if row is not None:
                found[at] = row
    return found


def _named(slot: Slot) -> list[Any]:
    """Return all that an event names."""
    entry = slot.entry
    return [] if entry is None else [*entry.params.values(), *entry.outcomes]


def _asked(ruleset: AnyRuleset, slot: Slot, before: Slot) -> tuple[int, str]:
    """Return the position of the unseen outcome of an event, and the name of what it asks."""
    entry = slot.entry
    assert entry is not None
    position, asked = entry.outcomes.index(None), None
    chance = Observed()
    chance.begin(slot.number, entry.outcomes[:position])
    try:
        ruleset.parse(entry.type, entry.params).apply(likeliest(before.after), SEAT_INDEX[entry.actor], chance)
    except EngineError as error:
        asked = getattr(error, "point", None)
    return position, ruleset.chance_points[0] if asked is None else asked.name
