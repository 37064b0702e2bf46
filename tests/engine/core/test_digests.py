"""Digests of states omit default values; digests in earlier logs stay valid."""

from __future__ import annotations

import msgspec
import pytest

from engine.core.canonical import digest
from engine.core.digests import is_digest_of, state_digest
from engine.core.values import State
from engine.play.beliefs.belief import Belief, World


class _Options(msgspec.Struct, frozen=True):
    difficulty: str = "novice"


class _LaterOptions(_Options, frozen=True):
    hand_limit: int = 5


class _Ship(msgspec.Struct, frozen=True, tag="ship"):
    sails: int = 1


class _Boat(msgspec.Struct, frozen=True, tag="boat"):
    sails: int = 1


class _Pair(msgspec.Struct, frozen=True, array_like=True):
    left: int = 0
    right: int = 0


class _State(State, frozen=True, kw_only=True):
    options: _Options = _Options(difficulty="unset")
    water: int = 1
    fleet: tuple[_Ship | _Boat, ...] = ()
    cards: dict[str, _Pair] = {}


def _version_1(state: State) -> str:
    """Return the digest of earlier releases, of every member that a state then had."""
    document = msgspec.to_builtins(state, order="sorted")
    for table in (document, *(table for _, table in document.get("worlds", ()))):
        del table["details"]
    return digest(document)


class _LaterState(_State, frozen=True, kw_only=True):
    raft: int | None = None


def _state(kind: type[_State] = _State, **members: object) -> _State:
    return kind(turn=1, phase="actions", **{"options": _Options(), **members})


def test_a_member_with_its_default_does_not_count() -> None:
    assert state_digest(_state(_LaterState)) == state_digest(_state(options=_LaterOptions())) == state_digest(_state())


@pytest.mark.parametrize(
    "members",
    [
        {"water": 2},
        {"options": _Options(difficulty="elite")},
        {"fleet": (_Ship(),)},
        {"cards": {"p1": _Pair()}},
    ],
)
def test_every_other_member_counts(members: dict[str, object]) -> None:
    assert state_digest(_state(**members)) != state_digest(_state())


def test_kinds_of_equal_members_are_told_apart() -> None:
    assert state_digest(_state(fleet=(_Ship(),))) != state_digest(_state(fleet=(_Boat(),)))
    assert state_digest(_state(cards={"p1": _Pair(0, 1)})) != state_digest(_state(cards={"p1": _Pair(1, 0)}))


def test_either_version_is_a_digest_of_the_state() -> None:
    state = _state()
    assert is_digest_of(state_digest(state), state, {"difficulty"})
    assert is_digest_of(_version_1(state), state, {"difficulty"})
    assert not is_digest_of("0" * 64, state, {"difficulty"})


def test_a_digest_of_version_1_does_not_cover_an_option_that_came_later() -> None:
    recorded, later = _version_1(_state()), _state(options=_LaterOptions())
    assert is_digest_of(recorded, later, {"difficulty"})
    assert not is_digest_of(recorded, later, {"difficulty", "hand_limit"})


def test_a_digest_of_version_1_holds_in_every_possible_table() -> None:
    def belief(options: _Options) -> Belief:
        return Belief(turn=1, phase="actions", worlds=(World(1, _state(options=options)), World(2, _state(water=2))))

    assert is_digest_of(_version_1(belief(_Options())), belief(_LaterOptions()), {"difficulty"})


def test_a_state_without_options_has_a_digest_of_version_1() -> None:
    state = State(turn=1, phase="actions")
    assert is_digest_of(_version_1(state), state, ())
