"""A table in words, and its contradictions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from driftlog.any_game import words
from driftlog.any_game.playing import scores, value_of
from driftlog.any_game.state import BoxState, Item, count_unseen, size, sort_items
from driftlog.any_game.table import title_of
from driftlog.kit import say


def rows(state: BoxState, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the overview of a table: a row for each player, and one for each place and meter of the table."""
    for seat, name in enumerate(names):
        own = [meter for meter in state.box.meters if meter.per_player]
        said = [f"{title_of(meter)}: {say(str(value_of(state, meter.id, seat)))}" for meter in own]
        if len(state.box.score) > 1:
            said.append(f"{say('Score')}: {scores(state)[seat]}")
        spots = [spot for spot in state.table.spots.values() if spot.seat == seat and state.at(spot.id)]
        said += [f"{spot.title}: {_things(state, spot.id, names)}" for spot in spots]
        yield name, " · ".join(said) or "–"
    for spot in state.table.spots.values():
        if spot.seat is None and (state.at(spot.id) or spot.kind == "pile"):
            yield spot.title, _things(state, spot.id, names)
    for meter in state.box.meters:
        if not meter.per_player:
            yield title_of(meter), say(str(value_of(state, meter.id, 0)))
    yield from rolls(state)


def rolls(state: BoxState) -> Iterator[tuple[str, str]]:
    """Yield the title and the result of each set of rolled dice."""
    for dice, faces in zip(state.table.dice.values(), state.dice, strict=True):
        if faces:
            yield title_of(dice), words.list_faces(faces)


def _things(state: BoxState, place: str, names: Sequence[str]) -> str:
    items = state.at(place)
    if state.table.spots[place].kind == "pile":
        return say("{count} face down", count=size(items))
    seen = [words.amount(count, words.thing(state, item, names)) for item, count in items if isinstance(item, str)]
    unseen = [say("{count} face down", count=count_unseen(items))] if count_unseen(items) else []
    return ", ".join([*seen, *unseen])


def all_hidden(state: BoxState) -> int:
    """Return the number of face-down things that nobody has seen."""
    return sum(count_unseen(items) for _, items in state.things)


def violations(state: BoxState) -> Iterator[str]:
    """Yield the contradictions of a state: too many or too few components, and impossible values."""
    table = state.table
    least, most = state.box.players
    if not (least <= state.seats <= most and 0 <= state.active < state.seats and state.turn >= 1):
        yield "the number of players, the player to act or the turn is not possible with this box"
    if state.phase != "playing":
        yield f"there is no phase {state.phase!r}"
    yield from _meters(state)
    places = [place for place, _ in state.things]
    if places != sorted(set(places)) or not set(places) <= table.spots.keys():
        yield "the places differ from the places of the box"
        return
    for place, items in state.things:
        is_sorted = table.spots[place].kind == "pile" or items == sort_items(items)
        if not items or not is_sorted or any(count < 1 for _, count in items):
            yield f"the things in {place} are not in order"
    yield from _pools(state)
    yield from _counts(state)


def _counts(state: BoxState) -> Iterator[str]:
    found: Counter[Item] = Counter()
    for items in (*(items for _, items in state.things), *state.pools):
        for item, count in items:
            found[item] += count
    kinds = state.table.kinds.values()
    fixed = {kind.id: kind.count for kind in kinds if not kind.is_unlimited} | dict(state.counts)
    for thing in sorted({item for item in found if isinstance(item, str)} | fixed.keys()):
        if not state.has_kind(thing):
            yield f"the box has no {thing}"
        elif thing in fixed and found[thing] != fixed[thing]:
            yield f"there are {found[thing]} {thing}, not {fixed[thing]}"


def _pools(state: BoxState) -> Iterator[str]:
    slots: Counter[Item] = Counter()
    for items in (*(items for _, items in state.things), *state.pools):
        for item, count in items:
            slots[item] += count if isinstance(item, int) else 0
    for number, items in enumerate(state.pools):
        if len(items) < 2 or items != sort_items(items) or size(items) != slots[number] or any(n < 1 for _, n in items):
            yield f"the face-down things of pool {number} are not those in the places"
    known = {at for at, items in enumerate(state.pools) if not any(isinstance(item, int) for item, _ in items)}
    for _ in state.pools:
        known |= {
            at
            for at, items in enumerate(state.pools)
            if all(item in known for item, _ in items if isinstance(item, int))
        }
    if len(known) < len(state.pools) or any(
        isinstance(one, int) and one >= len(state.pools) for one in slots if slots[one]
    ):
        yield "the pools contain each other"


def _meters(state: BoxState) -> Iterator[str]:
    table = state.table
    shapes = [state.seats if meter.per_player else 1 for meter in table.meters.values()]
    if [len(values) for values in state.meters] != shapes or len(state.dice) != len(table.dice):
        yield "the meters or dice differ from the box"
        return
    for meter, values in zip(table.meters.values(), state.meters, strict=True):
        for value in values:
            is_number = isinstance(value, int) and meter.least <= value <= meter.most
            if not (value in meter.words if meter.words else is_number):
                yield f"the meter {meter.id} cannot show {value!r}"
    for dice, faces in zip(table.dice.values(), state.dice, strict=True):
        if len(faces) not in {0, dice.count} or not {*faces} <= {*dice.faces}:
            yield f"the dice {dice.id} cannot show {faces!r}"
