"""The pytest plugin: `pytest --driftlog-ruleset ID` checks an installed ruleset against the laws.

Without the option it does nothing, and does not import the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from driftlog.testing.law import Sample
    from engine.kit.ruleset import AnyRuleset

SAMPLES = pytest.StashKey[dict[str, list["Sample"]]]()
FREE_LONGEST = 150
"""Maximum number of states in a game of the profile `free`, which seldom ends by itself."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("driftlog-ruleset", "laws of Driftlog's rulesets")
    group.addoption(
        "--driftlog-ruleset", action="append", default=[], metavar="ID", help="check this ruleset (repeatable)"
    )
    group.addoption(
        "--driftlog-profile",
        choices=("full", "free"),
        default="full",
        help="free: for games that refuse only what their components forbid (default: %(default)s)",
    )
    group.addoption(
        "--driftlog-games",
        type=int,
        default=60,
        metavar="N",
        help="random games, at tables with each option and number of seats (default: %(default)s)",
    )
    group.addoption(
        "--driftlog-player",
        metavar="MODULE:NAME",
        help="a function from a random.Random to a player, which chooses one of the legal actions (default: random)",
    )
    group.addoption(
        "--driftlog-recorded",
        metavar="FOLDER",
        help="the folder of recorded games; missing ones are recorded (default: tests/recorded, if there are tests)",
    )


def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    for id_ in config.getoption("--driftlog-ruleset"):
        items += Laws.from_parent(session, name=f"driftlog[{id_}]", ruleset=id_).collect()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for id_, samples in config.stash.get(SAMPLES, {}).items():
        games = [steps for sample in samples if "games" in vars(sample) for _, steps in sample.games]
        states = sum(map(len, games))
        terminalreporter.write_line(f"{id_}: {len(games)} random games at {len(samples)} tables, {states} states")


class Laws(pytest.Collector):
    """The laws of one ruleset."""

    def __init__(self, *, ruleset: str, **rest: Any) -> None:
        super().__init__(**rest)
        self.ruleset = ruleset
        self.failure: str | None = None
        """The name of the law that is reported if the random games cannot be played."""

    def collect(self) -> list[pytest.Item]:
        from driftlog.testing.laws import AT_EACH_TABLE, ONCE
        from engine.core.errors import UnknownRuleset
        from engine.play import registry

        try:
            rules = registry.ruleset(self.ruleset)
        except UnknownRuleset:
            return [self._item("The ruleset is installed, and can be loaded.", self._fail)]
        samples = _samples(rules, self.config)
        self.config.stash.setdefault(SAMPLES, {})[self.ruleset] = samples
        found = [self._item(law.name, law.check, samples) for law in AT_EACH_TABLE]
        found += [self._item(law.name, law.check, samples[:1]) for law in ONCE]
        folder = _folder(self.config)
        if folder is not None:
            found += self._record_items(folder / self.ruleset, samples[0])
        return found

    def _record_items(self, folder: Path, sample: Sample) -> list[pytest.Item]:
        from driftlog.testing import records

        return [
            self._item("Each ending has a recorded game.", lambda one: records.keep(one, folder), [sample]),
            self._item("Recorded games are played as before.", lambda _: records.replay(folder)),
        ]

    def _item(self, law: str, check: Callable[[Any], Any], samples: Iterable[Any] = (None,)) -> pytest.Item:
        item: pytest.Item = LawItem.from_parent(self, name=law, check=check, samples=samples)
        return item

    def _fail(self, _: object) -> None:
        from engine.play import registry

        reasons = "; ".join(one.line for one in registry.not_loaded()) or "no package declares it"
        raise AssertionError(f"{reasons}. Installed are {', '.join(one.id for one in registry.rulesets())}.")


class LawItem(pytest.Item):
    """A law, checked at some tables."""

    parent: Laws

    def __init__(self, *, check: Callable[[Any], Any], samples: Iterable[Any], **rest: Any) -> None:
        super().__init__(**rest)
        self.check, self.samples = check, samples

    def runtest(self) -> None:
        if self.parent.failure is not None:
            pytest.skip(f"no random game can be played to its end: {self.parent.failure}")
        for sample in self.samples:
            try:
                if sample is not None:
                    _ = sample.games
            except Exception:
                self.parent.failure = f"see {self.name!r}"
                raise
            try:
                self.check(sample)
            except Exception as error:
                if sample is not None:
                    error.add_note(f"Table: {sample.table.seats} seats, options {sample.table.options or 'by default'}")
                raise

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        error = excinfo.value
        said = str(error) if isinstance(error, AssertionError) else repr(error)
        said = f"{self.parent.ruleset} breaks the law {self.name!r}: {said}"
        notes = getattr(error, "__notes__", [])
        if isinstance(error, AssertionError) and str(error):
            return "\n".join([said, *notes])
        return "\n".join([said, *notes, str(super().repr_failure(excinfo, style))])

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"{self.parent.ruleset}: {self.name}"


def _samples(rules: AnyRuleset, config: pytest.Config) -> list[Sample]:
    """Return the samples to check: the first with all default options, then others for the other choices."""
    from driftlog.testing.law import Sample
    from driftlog.testing.play import LONGEST, policy
    from driftlog.testing.tables import TableSetup, each_choice, tables_of

    plain = TableSetup(rules.id, rules.players[0], {})
    tables = [plain, *(table for table in each_choice(tables_of(rules)) if table != plain)]
    profile = config.getoption("--driftlog-profile")
    player = config.getoption("--driftlog-player")
    players = policy if player is None else resolve_name(player)
    count = -(-config.getoption("--driftlog-games") // len(tables))
    longest = LONGEST if profile == "full" else FREE_LONGEST
    return [
        Sample(table, count, profile=profile, players=players, longest=longest, most=count * longest)
        for table in tables
    ]


def _folder(config: pytest.Config) -> Path | None:
    """Return the folder of recorded games; None if there is no folder `tests` that could contain it."""
    given = config.getoption("--driftlog-recorded")
    if given:
        return Path(given)
    tests = config.rootpath / "tests"
    return tests / "recorded" if tests.is_dir() else None
