"""The fold of a log, and the answers of a game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.core.errors import (
    EngineError,
    GameOver,
    IllegalAction,
    ImpossibleOutcome,
    Malformed,
    OutcomeRequired,
    UnknownRuleset,
)
from engine.core.events import Draft, Event
from engine.core.lifecycle import RULE
from engine.core.values import GameOutcome
from engine.kit.chance import Recorded
from engine.play.fold import History, fold
from engine.play.game import Game, parse_header
from tests.engine.recording import dealt, ended, played
from tests.playouts import playout
from tests.recording import Recording, forged


@pytest.mark.parametrize("chance", ["observed", "seeded"])
@pytest.mark.parametrize("ruleset", ["forbidden-island", "forbidden-island-archaens"])
def test_fold__a_log_is_the_game_that_it_records(ruleset: str, chance: Any) -> None:
    log = playout(ruleset, 11, 3, chance=chance)
    game = fold(log)
    assert (game.version, game.head, game.status) == (len(log), log[-1].hash, "finished")
    assert game.outcome == msgspec.convert(log[-1].params["outcome"], GameOutcome)


def test_fold__is_the_live_game() -> None:
    recording = played()
    assert fold(recording.events) == recording.game


def test_fold__event_1_alone() -> None:
    recording = Recording()
    assert fold(recording.events) == recording.game


def test_fold__takes_an_iterator() -> None:
    recording = played()
    assert fold(iter(recording.events)) == recording.game


# Answers of a game


def test_game__before_set_up() -> None:
    game = Recording().game
    assert (game.status, game.phase, game.turn, game.awaiting, game.outcome) == ("setup", "setup", 0, (), None)


def test_game__in_progress() -> None:
    game = dealt().game
    assert (game.status, game.phase, game.turn, game.awaiting, game.outcome) == (
        "in_progress",
        "actions",
        1,
        ("p1",),
        None,
    )


def test_game__abandoned() -> None:
    game = ended().game
    assert (game.status, game.phase, game.turn, game.awaiting) == ("abandoned", "over", 1, ())


def test_game__finished() -> None:
    game = fold(playout())
    assert (game.status, game.phase, game.awaiting) == ("finished", "over", ())


def test_game__has_the_rules_that_its_header_names() -> None:
    rules = dealt().game.ruleset
    assert (rules.id, rules.version) == ("forbidden-island", "1")


# Invalid logs


def test_opened__an_empty_log() -> None:
    with pytest.raises(Malformed, match="a log must begin with game_opened"):
        fold([])


def test_opened__another_event() -> None:
    with pytest.raises(Malformed) as error:
        fold(played().events[1:])
    assert error.value.pointer == "/type"


@pytest.mark.parametrize("changes", [{"actor": "p1"}, {"outcomes": ("observatory",)}])
def test_opened__is_nobodys_action(changes: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match="must have no actor"):
        parse_header(forged(Recording().events[0], **changes))


@pytest.mark.parametrize(
    ("changes", "pointer", "message"),
    [
        ({"mode": "lax"}, "/params/mode", "'lax' is not one of 'as_played' and 'strict'"),
        ({"seats": [{"name": 1}]}, "/params/seats/0/name", "must be a text, not a whole number"),
        ({"colour": "blue"}, "/params", "`colour` is not known here"),
    ],
)
def test_opened__malformed_params(changes: dict[str, Any], pointer: str, message: str) -> None:
    first = Recording().events[0]
    with pytest.raises(Malformed) as error:
        parse_header(forged(first, params={**first.params, **changes}))
    assert (error.value.pointer, error.value.message) == (pointer, message)


@pytest.mark.parametrize("changes", [{"chance": "seeded"}, {"seed_commitment": "ab" * 32}])
def test_opened__committed_to_a_seed_exactly_if_seeded(changes: dict[str, Any]) -> None:
    first = Recording().events[0]
    with pytest.raises(Malformed) as error:
        parse_header(forged(first, params={**first.params, **changes}))
    assert error.value.pointer == "/params/seed_commitment"


def test_fold__an_unknown_ruleset() -> None:
    first = Recording().events[0]
    with pytest.raises(UnknownRuleset):
        fold([forged(first, params={**first.params, "ruleset_version": "0"})])


def test_fold__options_that_do_not_fit() -> None:
    first = Recording().events[0]
    with pytest.raises(Malformed) as error:
        fold([forged(first, params={**first.params, "options": {"difficulty": "easy"}})])
    assert error.value.pointer == "/options/difficulty"


def test_fold__keeps_what_was_sound() -> None:
    recording = played()
    played_so_far = History(recording.game.header)
    broken = [*recording.events[1:3], forged(recording.events[3], params={"to": "watchtower"})]
    with pytest.raises(IllegalAction):
        played_so_far.fold(broken, Recorded())
    assert played_so_far.states == recording.states[:4]


# Refusals


def refusal_of(recording: Recording, draft: Draft) -> EngineError:
    game: Game = recording.game
    before, log = msgspec.json.encode(game), list[Event](recording.events)
    with pytest.raises(EngineError) as error:
        recording.append(draft)
    assert (msgspec.json.encode(recording.game), recording.events) == (before, log)
    return error.value


def test_play__not_before_set_up() -> None:
    error = refusal_of(Recording(), Draft(type="move", actor="p1", params={"to": "observatory"}))
    assert isinstance(error, IllegalAction)
    assert (error.rule, error.message) == (RULE, "Set up the game first.")


def test_play__an_unknown_type() -> None:
    error = refusal_of(dealt(), Draft(type="shore-up", actor="p1"))
    assert isinstance(error, Malformed)
    told = "Forbidden Island has no action 'shore-up'. Did you mean 'shore_up'?"
    assert (error.pointer, error.message) == ("/type", told)
    assert "(known: move, fly, navigate, " in str(refusal_of(dealt(), Draft(type="teleport", actor="p1")))


@pytest.mark.parametrize("actor", [None, "p3", "p9", "Ada"])
def test_play__nobody_at_this_table(actor: str | None) -> None:
    error = refusal_of(dealt(), Draft(type="draw_treasure_card", actor=actor))
    assert isinstance(error, Malformed)
    assert (error.pointer, error.message) == ("/actor", "not a seat of this game: the seats are p1 and p2")


def test_play__malformed_params() -> None:
    error = refusal_of(dealt(), Draft(type="move", actor="p1", params={"to": "atlantis"}))
    assert isinstance(error, Malformed)
    assert (error.pointer, error.message) == ("/params/to", "'atlantis' is not one of the 24 possible values")


def test_play__an_outcome_too_many() -> None:
    error = refusal_of(dealt(), Draft(type="move", actor="p1", params={"to": "howling_garden"}, outcomes=("sandbags",)))
    assert isinstance(error, Malformed)
    assert error.pointer == "/outcomes/0"


def test_play__an_outcome_is_required() -> None:
    error = refusal_of(dealt(), Draft(type="draw_treasure_card", actor="p1"))
    assert isinstance(error, OutcomeRequired)
    assert error.point.name == "treasure_card"


def test_play__an_impossible_outcome() -> None:
    error = refusal_of(dealt(), Draft(type="draw_treasure_card", actor="p1", outcomes=("watchtower",)))
    assert isinstance(error, ImpossibleOutcome)
    assert error.given == "watchtower"


@pytest.mark.parametrize("draft", [Draft(type="undo", params={"to": 1}), Draft(type="abandon", params={"reason": "."})])
def test_play__nothing_to_undo_or_abandon_before_set_up(draft: Draft) -> None:
    error = refusal_of(Recording(), draft)
    assert isinstance(error, IllegalAction)
    assert error.message == "Set up the game first."


def test_annotate__no_event_that_is_yet_to_come() -> None:
    error = refusal_of(dealt(), Draft(type="annotate", params={"text": "Well played.", "seq": 3}))
    assert isinstance(error, Malformed)
    assert (error.pointer, error.message) == ("/params/seq", "there is no event 3 yet")


@pytest.mark.parametrize("to", [5, 9])
def test_undo__not_to_the_last_event_or_beyond(to: int) -> None:
    error = refusal_of(played(), Draft(type="undo", params={"to": to}))
    assert isinstance(error, Malformed)
    assert (error.pointer, error.message) == (
        "/params/to",
        f"the last event is 5, so there is nothing after {to} to undo",
    )


def test_undo__not_the_deal_of_a_seeded_game() -> None:
    error = refusal_of(dealt("1"), Draft(type="undo", params={"to": 1}))
    assert isinstance(error, IllegalAction)
    assert error.message == "The setup of a seeded game cannot be changed."


def test_undo__not_the_end_of_a_seeded_game() -> None:
    """The seed is public by then: the player who plays on knows every card."""
    recording = dealt("1")
    recording.add("abandon", reason="dinner")
    assert isinstance(refusal_of(recording, Draft(type="undo", params={"to": 2})), GameOver)
    observed = dealt()
    observed.add("abandon", reason="dinner")
    observed.add("undo", to=2)
    assert observed.game.outcome is None


def test_left_out__nothing_before_an_action_that_is_legal() -> None:
    recording = dealt()
    legal = Draft(type="move", actor="p1", params={"to": "howling_garden"})
    assert recording.history.rules.find_left_out(recording.game.state, legal) is None
