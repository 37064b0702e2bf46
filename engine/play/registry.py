"""The rulesets that are installed, as the entry points of the group `driftlog.rulesets` name them.

Versions of a ruleset stand side by side. A stored game is played by the version that it names; a new one by the newest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points

import msgspec

from engine.core.errors import UnknownRuleset
from engine.core.readiness import make_ready
from engine.kit.checks import faults
from engine.kit.ruleset import AnyRuleset, Ruleset

GROUP = "driftlog.rulesets"
OWN = EntryPoint("driftlog", "engine.games:RULESETS", GROUP)
"""Driftlog's own, which come first. A checkout that runs without being installed declares no entry points."""

LONGEST_REASON = 300
"""Characters."""


class NotLoaded(msgspec.Struct, frozen=True):
    """A package of rulesets that is left out."""

    package: str
    """The name of its distribution, or of its entry point."""
    reason: str

    @property
    def line(self) -> str:
        """The sentence for the operator."""
        return f"the rulesets of {self.package} are not loaded: {self.reason}"


_BY_VERSION: dict[tuple[str, str], AnyRuleset] = {}
_NEWEST: dict[str, AnyRuleset] = {}
_NOT_LOADED: list[NotLoaded] = []


def install(*added: AnyRuleset) -> None:
    """Add rulesets, all or none; within an id, the last is the newest. Any thread may decode into their types then.

    Raises:
        ValueError: one of them breaks a promise of a ruleset, or clashes with another, whose name is in the message.
    """
    known = dict(_BY_VERSION)
    for rules in added:
        broken = "; ".join(faults(rules))
        if broken:
            raise ValueError(f"{_named(rules)}: {broken}")
        for other in known.values():
            _check_ids(rules, other)
            _check_columns(rules, other)
        known[rules.id, rules.version] = rules
    _BY_VERSION.update(known)
    _NEWEST.update({rules.id: rules for rules in added})
    make_ready()


def _check_ids(rules: AnyRuleset, other: AnyRuleset) -> None:
    """Refuse rules in the place of others, which may have recorded games. A class may be installed again."""
    if rules.id != other.id or type(rules) is type(other):
        return
    if rules.version == other.version:
        raise ValueError(f"{_named(rules)} and {_named(other)} are both {rules.id!r}, version {rules.version!r}")
    if rules.name != other.name:
        names = f"{rules.name!r} and {other.name!r}"
        raise ValueError(f"{_named(rules)} and {_named(other)} are both {rules.id!r}, and are called {names}")


def _check_columns(rules: AnyRuleset, other: AnyRuleset) -> None:
    """Refuse a column that another ruleset has with values of another type: in a data set they are one."""
    pairs = ((rules.columns, other.columns), (rules.seat_columns, other.seat_columns))
    for columns, others in pairs:
        kinds = {column.name: column.kind for column in others}
        for column in columns:
            kind = kinds.get(column.name, column.kind)
            if kind is not column.kind:
                raise ValueError(
                    f"the column {column.name!r} is {column.kind.__name__} in {_named(rules)}, "
                    f"and {kind.__name__} in {_named(other)}"
                )


def _named(rules: AnyRuleset) -> str:
    return f"{type(rules).__module__}.{type(rules).__qualname__}"


def rulesets() -> list[AnyRuleset]:
    """The newest version of every ruleset, in the registry's order."""
    return list(_NEWEST.values())


def versions(id_: str) -> list[str]:
    """The versions of that ruleset, in the registry's order; none where it is not installed."""
    return [version for known, version in _BY_VERSION if known == id_]


def ruleset(id_: str, version: str | None = None) -> AnyRuleset:
    """The ruleset of that id, in that version (default: the newest).

    Raises:
        UnknownRuleset: it is not installed.
    """
    found = _NEWEST.get(id_) if version is None else _BY_VERSION.get((id_, version))
    if found is None:
        raise UnknownRuleset(id_, version)
    return found


def not_loaded() -> list[NotLoaded]:
    """Return the packages that were left out, with their reasons."""
    return list(_NOT_LOADED)


def load(points: Iterable[EntryPoint]) -> Iterator[NotLoaded]:
    """Install the rulesets of other packages, each with all of its rulesets or none.

    Yields:
        The packages that are left out: they fail to import, break a promise of a ruleset, or clash with another.
    """
    for point in points:
        try:
            found = point.load()
            _install_package((found,) if isinstance(found, Ruleset) else tuple(found))
        except (Exception, SystemExit) as error:  # noqa: BLE001  # a package may raise anything
            reason = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
            name = point.name if point.dist is None else point.dist.name
            yield NotLoaded(name, " ".join(reason.split())[:LONGEST_REASON])


def _install_package(added: tuple[AnyRuleset, ...]) -> None:
    """Install the rulesets of a package, whose ids are its own: a new version of another's game would replace it.

    Raises:
        ValueError: as `install`, or an id is taken.
    """
    taken = {rules.id for rules in added if isinstance(rules, Ruleset)} & _NEWEST.keys()
    if taken:
        raise ValueError(f"another package has {', '.join(map(repr, sorted(taken)))}")
    install(*added)


def declared() -> list[EntryPoint]:
    """Return the entry points of other distributions, by name."""
    others = {point.value: point for point in entry_points(group=GROUP) if point.value != OWN.value}
    return sorted(others.values(), key=lambda point: point.name)


# At once, under the lock of this import: a thread that loaded them later could race with another (`make_ready`).
install(*OWN.load())
_NOT_LOADED += load(declared())
