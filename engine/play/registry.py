"""The rulesets that are installed, as the entry points of the group `driftlog.rulesets` name them.

Versions of a ruleset stand side by side. A stored game is played by the version that it names; a new one by the newest.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points

from engine.core.errors import UnknownRuleset
from engine.core.readiness import make_ready
from engine.kit.columns import RESERVED
from engine.kit.ruleset import AnyRuleset

GROUP = "driftlog.rulesets"
OWN = EntryPoint("driftlog", "engine.games:RULESETS", GROUP)
"""Driftlog's own, which come first. A checkout that runs without being installed declares no entry points."""

_BY_VERSION: dict[tuple[str, str], AnyRuleset] = {}
_NEWEST: dict[str, AnyRuleset] = {}


def install(*added: AnyRuleset) -> None:
    """Add rulesets, all or none; within an id, the last is the newest. Any thread may decode into their types then.

    Raises:
        ValueError: one of them clashes with another, or with one that is installed; the message names both.
    """
    known = dict(_BY_VERSION)
    for rules in added:
        for other in known.values():
            _check_ids(rules, other)
            _check_columns(rules, other)
        _check_names(rules)
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


def _check_names(rules: AnyRuleset) -> None:
    """Refuse a column of a name that is taken in the same table."""
    for columns in (rules.columns, rules.seat_columns):
        taken = set(RESERVED)
        for column in columns:
            if column.name in taken:
                raise ValueError(f"{_named(rules)} declares the column {column.name!r}, and there is one of that name")
            taken.add(column.name)


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


def declared() -> Iterator[AnyRuleset]:
    """Load the rulesets that the entry points name, Driftlog's own first, then those of other distributions by name."""
    others = {point.value: point for point in entry_points(group=GROUP) if point.value != OWN.value}
    for point in (OWN, *sorted(others.values(), key=lambda point: point.name)):
        yield from point.load()


# At once, under the lock of this import: a thread that loaded them later could race with another (`make_ready`).
install(*declared())
