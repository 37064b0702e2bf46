"""Queueing: the writers of a game run one at a time, in order, for a limited time."""

from __future__ import annotations

import threading

import pytest

from service.errors import TooBusy
from service.queueing import Queues, attempts
from tests.waiting import until


def test_turn__first_come_first_served() -> None:
    queues, order = Queues(), []

    def write(number: int) -> None:
        with queues.turn("g"):
            order.append(number)

    writers = [threading.Thread(target=write, args=(number,)) for number in range(20)]
    with queues.turn("g"):
        for count, writer in enumerate(writers, 2):
            writer.start()
            until(lambda count=count: queues.waiting("g") == count)
        assert order == []
    for writer in writers:
        writer.join()
    assert order == list(range(20))
    assert len(queues) == 0


def test_turn__other_keys_do_not_wait() -> None:
    queues = Queues()
    with queues.turn("g"), queues.turn("h", seconds=0):
        assert len(queues) == 2


def test_turn__not_for_ever__and_whoever_comes_next_is_let_in() -> None:
    queues = Queues()
    with queues.turn("g"):
        with pytest.raises(TooBusy), queues.turn("g", seconds=0):
            pass
        assert queues.waiting("g") == 1
    with queues.turn("g", seconds=0):
        assert queues.waiting("g") == 1
    assert (len(queues), queues.waiting("g")) == (0, 0)


def test_turn__what_fails_lets_the_next_in() -> None:
    queues = Queues()
    with pytest.raises(ZeroDivisionError), queues.turn("g"):
        _ = 1 / 0
    assert len(queues) == 0


def test_attempts__at_least_one() -> None:
    assert list(attempts(0)) == [0]


def test_attempts__several() -> None:
    assert [number for number, _ in zip(attempts(), range(25), strict=False)] == list(range(25))
