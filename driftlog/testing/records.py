"""Laws: a log replays to the same states, its audit is clean, and an undo restores the earlier state."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec

from driftlog.game import Game
from driftlog.testing.law import Sample, law
from driftlog.testing.play import LONGEST
from engine.core.errors import LogDoesNotVerify
from engine.core.values import SEAT_IDS
from engine.kit.chance import Sampled


def record_game(sample: Sample, seed: int) -> Game:
    """Record a random game to its end, or for `LONGEST` events. It is seeded if the ruleset allows that."""
    rng, table, rules = sample.rng(f"record {seed}"), sample.table, sample.rules
    is_seeded = "seeded" in rules.sources
    text = f"law {seed}" if is_seeded else None
    game = Game.open(table.ruleset, seats=sample.names, options=table.options, seed=text, observed=not is_seeded)
    choose, chance = sample.players(rng), Sampled(rng)
    chance.begin(2, ())
    if not is_seeded:
        rules.setup(rules.parse_options(table.options, table.seats), table.seats, chance)
        game.append("set_up", outcomes=chance.finish())
    while game.outcome is None and game.version < LONGEST:
        assert game.state is not None
        one = choose(list(rules.legal_actions(game.state)))
        chance.begin(3, ())
        if not is_seeded:
            one.action.apply(game.state, one.seat, chance)
        params = msgspec.to_builtins(one.action)
        game.append(one.action.type, SEAT_IDS[one.seat], outcomes=chance.finish(), **params)
    return game


@law("An exported and imported log has the same states, and its audit is clean.")
def check_round_trip(sample: Sample) -> None:
    game = record_game(sample, 1)
    assert game.audit().verdict == "clean", f"the audit finds {game.audit().findings}."
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.ndjson"
        game.write(path)
        again = Game.read(path)
    assert again.head == game.head, "the hash of the last event differs."
    for seq in range(1, game.version + 1):
        state = game.state_at(seq)
        assert again.state_at(seq) == state, f"the state after event {seq} differs."
        if state is not None:
            back = sample.rules.from_document(sample.rules.to_document(state))
            assert back == state, (
                f"the state after event {seq} differs after it is written as a document and read again."
            )


@law("An undo restores the state before, and a redo the state after.")
def undo_restores(sample: Sample) -> None:
    game = record_game(sample, 2)
    last = next((event.seq for event in reversed(game.events) if event.actor is not None), 0)
    if game.outcome is not None or last < 3:
        game = Game(game.events[: last - 1], "law 2")
    if game.version < 3:
        return
    after = game.state
    game.append("undo", to=game.version - 1)
    assert game.state == game.state_at(game.version - 2), "the state after the undo differs."
    game.append("undo", to=game.version - 1)
    assert game.state == after, "the state after the redo differs."


def keep(sample: Sample, folder: Path, most: int = 40) -> list[Path]:
    """Record games in `folder`: one for each ending that random players reach and that no recorded game has yet."""
    kept = []
    for seed in range(most):
        if all((folder / f"{reason}.ndjson").exists() for reason in sample.rules.endings):
            break
        game = record_game(sample, seed)
        reason = "unfinished" if game.outcome is None else game.outcome.reason
        path = folder / f"{reason}.ndjson"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            game.write(path)
            kept.append(path)
    return kept


def replay(folder: Path) -> None:
    """Replay the recorded games, and check that the current rules give the same result.

    Raises:
        AssertionError: a game has a different result.
    """
    for path in sorted(folder.glob("*.ndjson")):
        try:
            report = Game.read(path).audit()
        except LogDoesNotVerify as error:
            raise AssertionError(
                f"{path.name} is played differently now: {error} Restore the rule, or give the ruleset a new version."
            ) from error
        assert report.verdict == "clean", f"the audit of {path.name} finds {report.findings}."
