"""Checks of games: the rules, the hash chains, and the data derived from logs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from engine.play import registry
from operations.backup import families, restoring
from operations.doctor import lists
from operations.doctor.findings import CheckResult
from operations.doctor.inventory import Inventory
from store import Store, keys
from store.errors import ArchiveUnavailable, Corrupt, LacksRuleset, StoreError, StoreUnavailable, UnknownGame
from store.redis import connection


def restores(store: Store, inventory: Inventory) -> CheckResult:
    """Check that no restore is unfinished."""
    stage = restoring.stage(store)
    if stage == "placing":
        return CheckResult(
            "restore",
            "fail",
            "a restore is unfinished and some of its games are missing: restore again, or run with --mend",
        )
    if stage == "writing" or inventory.restoring:
        return CheckResult(
            "restore", "warn", f"a restore is running or was interrupted: {inventory.restoring:,} temporary keys"
        )
    return CheckResult("restore", "ok", "no restore is unfinished")


def packages() -> CheckResult:
    """Check that the rulesets of every installed package are loaded."""
    left_out = registry.not_loaded()
    if left_out:
        return CheckResult("packages", "warn", "; ".join(one.line for one in left_out))
    return CheckResult("packages", "ok", f"all rulesets of installed packages are loaded ({len(registry.rulesets())})")


def rulesets(inventory: Inventory) -> CheckResult:
    """Check that the rules of all games are installed."""
    lacking: dict[tuple[str, str], list[str]] = {}
    used = set()
    for game_id, summary in inventory.summaries.items():
        if summary is not None and game_id in inventory.versions:
            rules = (summary.ruleset, summary.ruleset_version)
            used.add(rules)
            if summary.ruleset_version not in registry.versions(summary.ruleset):
                lacking.setdefault(rules, []).append(game_id)
    if lacking:
        names = ", ".join(f"{id_} {version}" for id_, version in sorted(lacking))
        about = tuple(sorted(game_id for ids in lacking.values() for game_id in ids))
        return CheckResult("rulesets", "fail", f"{names}: not installed, but games use them", about)
    return CheckResult("rulesets", "ok", f"the rules of all games are installed ({len(used)} in use)")


def chains(
    store: Store, inventory: Inventory, sample: int | None, progressed: Callable[[int, int], None] | None
) -> CheckResult:
    """Replay logs, and check every event against its hash and the rules."""
    ids = sorted(inventory.versions)
    sampled = ids if sample is None or sample >= len(ids) else random.sample(ids, sample)
    # Always check games with an unreadable version, and games whose log is not where their meta says.
    chosen = sorted({*sampled, *inventory.unreadable, *inventory.misplaced_games})
    damaged: dict[str, str] = {}
    unread = 0
    for done, game_id in enumerate(chosen, 1):
        try:
            store.games.check(game_id)
        except (UnknownGame, LacksRuleset):
            # The game was deleted during the check. Or its rules are missing, which the check `rulesets` reports.
            pass
        except Corrupt as error:
            damaged[game_id] = str(error)
        except ArchiveUnavailable:
            # The check of the archive reports unreadable files.
            unread += 1
        if progressed is not None:
            progressed(done, len(chosen))
    if damaged:
        first = next(iter(damaged.values()))
        message = f"{len(damaged):,} of {len(chosen):,} logs are damaged (the first: {first}); use an intact backup"
        return CheckResult("chains", "fail", message, tuple(damaged))
    if unread:
        message = f"{unread:,} of {len(chosen):,} logs are archived and cannot be read; the other logs are intact"
        return CheckResult("chains", "warn", message)
    which = (
        "all" if len(chosen) == len(ids) else f"{len(chosen):,} of {len(ids):,}, chosen at random (--all: every log)"
    )
    return CheckResult("chains", "ok", f"replayed without errors: {which}" if ids else "there are no games")


def indexes(store: Store, inventory: Inventory) -> CheckResult:
    """Compare the list of games with the logs, including its indexes and statistics, and the turn indexes."""
    wrong = set(_wrong(store, inventory))
    if wrong:
        message = f"{len(wrong):,} games in the list lag behind their logs: wait for a worker, or run with --mend"
        return CheckResult("indexes", "warn", message, tuple(sorted(wrong)))
    entries = lists.mismatched_entries(store)
    if entries:
        message = f"{len(entries):,} games are listed with wrong rules, players or tags: run with --mend"
        return CheckResult("indexes", "fail", message, tuple(entries))
    found = lists.mismatched_keys(store, store.projections.entries)
    if found:
        message = f"{len(found):,} indexes and tallies differ from the list of games: run with --mend"
        return CheckResult("indexes", "fail", message, tuple(found))
    return CheckResult("indexes", "ok", f"{len(inventory.summaries):,} games are listed as in their logs")


def _wrong(store: Store, inventory: Inventory) -> Iterator[str]:
    for game_id, version in inventory.versions.items():
        summary = inventory.summaries.get(game_id)
        # A game that grew during the check may have a newer entry. The check `chains` reports unreadable versions.
        if version is not None and (summary is None or summary.version < version):
            yield game_id
    yield from (game_id for game_id in store.projections.behind() if inventory.versions.get(game_id) is not None)


def orphans(store: Store, inventory: Inventory) -> CheckResult:
    """Find data and jobs of games that do not exist."""
    made, logs = _orphans(inventory)
    jobs = [job.id for job in store.jobs.list_unfinished() if _is_orphan(job.args.get("game"), job.kind, inventory)]
    if logs:
        message = "some logs have no stored version and head; use an intact backup"
        return CheckResult("orphans", "fail", message, tuple(logs))
    if made or jobs:
        message = (
            f"{len(made):,} games have entries but no log, {len(jobs):,} jobs have no game (--mend deletes entries)"
        )
        return CheckResult("orphans", "warn", message, (*made, *jobs))
    gone = f"; {len(inventory.gone):,} games were deleted" if inventory.gone else ""
    return CheckResult("orphans", "ok", f"every entry has a log, every job a game{gone}")


def _orphans(inventory: Inventory) -> tuple[list[str], list[str]]:
    """Return the games that have derived data but no log, and the games that have a log but no meta."""
    lost = {
        game_id
        for game_id, ends in inventory.of_games.items()
        if game_id not in inventory.versions and not (game_id in inventory.gone and ends == {"meta"})
    }
    missing = inventory.archived - inventory.versions.keys() - inventory.gone
    logs = sorted(missing | {game_id for game_id in lost if "events" in inventory.of_games[game_id]})
    listed = {game_id for game_id in inventory.summaries if game_id not in inventory.versions}
    return sorted((lost | listed) - {*logs}), logs


def _is_orphan(game_id: object, kind: str, inventory: Inventory) -> bool:
    # An import or fork that is not finished has not created its game yet.
    if not isinstance(game_id, str) or kind in ("import", "fork"):
        return False
    # The job of a deleted game ends with the deletion.
    return game_id not in inventory.versions and game_id not in inventory.gone


def stray_keys(inventory: Inventory) -> CheckResult:
    """Find keys that have the wrong type, or that Driftlog does not know."""
    if inventory.mistyped:
        message = f"{len(inventory.mistyped):,} keys have the wrong type (--mend deletes those that can be rebuilt)"
        return CheckResult("keys", "fail", message, tuple(sorted(inventory.mistyped)))
    if inventory.unknown:
        message = f"{len(inventory.unknown):,} keys are unknown to this version; no backup includes them"
        return CheckResult("keys", "warn", message, tuple(sorted(inventory.unknown)))
    return CheckResult("keys", "ok", "all keys are known")


def mend(store: Store) -> list[str]:
    """Rebuild what can be rebuilt, see `operations.doctor.mend`."""
    done = []
    # Delete these keys first, because the steps below may read them.
    families_of = {name: families.family_of(name) for name in Inventory.scan(store).mistyped}
    derived = [name for name, family in families_of.items() if family is not None and not family.is_kept]
    for name in derived:
        connection.call(store.client, "UNLINK", name)
    if derived:
        done.append(f"{len(derived):,} keys of the wrong type were deleted")
    stage = restoring.finish(store)
    if stage is not None:
        done.append("data of an unfinished restore was " + ("completed" if stage == "placing" else "dropped"))
    inventory = Inventory.scan(store)
    unmarked = sorted(inventory.files.keys() - inventory.archived)
    if unmarked:
        connection.call(store.client, "SADD", keys.ARCHIVED, *unmarked)
        done.append(f"{len(unmarked):,} archived games were marked as archived")
    made, _ = _orphans(inventory)
    for game_id in made:
        _drop(store, game_id, inventory)
    if made:
        done.append(f"the data of {len(made):,} games without a log was deleted")
    wrong = sorted(set(_wrong(store, inventory)))
    failed = [game_id for game_id in wrong if not _project(store, game_id, inventory)]
    if len(wrong) > len(failed):
        done.append(f"{len(wrong) - len(failed):,} games were listed again")
    if indexes(store, Inventory.scan(store)).level == "fail":
        store.projections.rebuild()
        done.append("all lists and indexes were rebuilt")
    return done


def _project(store: Store, game_id: str, inventory: Inventory) -> bool:
    try:
        _forget(store, game_id, inventory)
        store.projections.project(game_id)
    except ArchiveUnavailable:
        return False
    except StoreUnavailable:
        raise
    except StoreError:
        return False
    return True


def _drop(store: Store, game_id: str, inventory: Inventory) -> None:
    _forget(store, game_id, inventory)
    for end in inventory.of_games.get(game_id, set()) - {*families.LOG}:
        connection.call(store.client, "UNLINK", f"{{{game_id}}}:{end}")


def _forget(store: Store, game_id: str, inventory: Inventory) -> None:
    """Delete the data derived from a game's log, even if the log cannot be read."""
    if game_id in inventory.summaries and inventory.summaries[game_id] is None:
        connection.call(store.client, "HDEL", keys.SUMMARIES, game_id)
    store.projections.drop(game_id)
