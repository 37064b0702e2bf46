"""Lines that share entries behave like lists."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.events import Draft
from engine.play import line
from engine.play.line import Chain, Slot

LENGTHS = st.integers(0, 40)


def slots(count: int, first: int = 0) -> list[Slot]:
    entry = Draft(type="annotate")
    return [Slot(place, place, entry if place % 3 else None, None) for place in range(first, first + count)]


@pytest.fixture(autouse=True, scope="module")
def short_chunks() -> object:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(line, "CHUNK", 4)
        yield


@given(LENGTHS, st.lists(st.tuples(LENGTHS, LENGTHS, LENGTHS), max_size=12))
def test_chain__is_what_a_list_is(length: int, splices: list[tuple[int, int, int]]) -> None:
    plain = slots(length)
    chain = Chain.of(plain)
    for number, (start, removed, added) in enumerate(splices, 1):
        begin = min(start, len(plain))
        end = min(begin + removed, len(plain))
        before, more = list(chain), slots(added, 1000 * number)
        anew = chain.splice(begin, end, more)
        assert list(chain) == before
        chain, plain = anew, [*plain[:begin], *more, *plain[end:]]

    assert list(chain) == plain
    assert len(chain) == len(plain)
    assert list(reversed(chain)) == plain[::-1]
    assert [chain[index] for index in range(-len(plain), len(plain))] == plain + plain
    for start in range(len(plain) + 2):
        assert list(chain.since(start)) == plain[start:]
        assert chain.standing_since(start) == sum(slot.entry is not None for slot in plain[start:])
    assert chain[1:-1] == plain[1:-1]
    for outside in (len(plain), -len(plain) - 1):
        with pytest.raises(IndexError):
            chain[outside]


def test_chain__shares_what_it_was_made_from() -> None:
    chain = Chain.of(slots(400))
    anew = chain.splice(200, 201, slots(1, 1000))

    assert Chain.of(chain) is chain
    shared = {id(chunk) for chunk in chain._chunks} & {id(chunk) for chunk in anew._chunks}
    assert len(shared) == len(chain._chunks) - 1


def test_finding_a_place_reads_each_slot_once() -> None:
    reads = 0

    class Counted:
        def __init__(self, number: int) -> None:
            self._number = number

        @property
        def number(self) -> int:
            nonlocal reads
            reads += 1
            return self._number

    chain = Chain.of([Counted(number) for number in range(400)])  # type: ignore[misc]  # it is all that is read
    assert [chain.index_of(number) for number in range(400)] == list(range(400))
    anew = chain.splice(200, 201, slots(1, 1000))
    assert (anew.index_of(1000), anew.index_of(200), anew.index_of(399)) == (200, None, 399)
    assert reads < 420
