"""The installed rulesets, from the entry points of the group `driftlog.rulesets`.

Several versions of a ruleset can be installed. A stored game uses the version that it names. A new game uses the newest
version.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points

import msgspec

from engine.core.errors import Malformed, UnknownRuleset
from engine.core.events import ChanceKind, Header
from engine.core.language import say
from engine.core.readiness import make_ready
from engine.kit.checks import faults
from engine.kit.first_tables import first_table
from engine.kit.ruleset import AnyRuleset, Ruleset

GROUP = "driftlog.rulesets"
OWN = (
    EntryPoint("driftlog", "engine.games:RULESETS", GROUP),
    EntryPoint("any-game", "driftlog.any_game:RULESETS", GROUP),
)
"""Entry points of Driftlog's own rulesets, for a checkout that is not installed and so has no metadata."""

LONGEST_REASON = 300
"""Maximum number of characters of `NotLoaded.reason`."""


class NotLoaded(msgspec.Struct, frozen=True):
    """A package of rulesets that could not be loaded."""

    package: str
    """The name of the distribution or of the entry point."""
    reason: str

    @property
    def line(self) -> str:
        """Return the sentence that tells the operator which package failed to load, and why."""
        return f"the rulesets of {self.package} are not loaded: {self.reason}"


_BY_VERSION: dict[tuple[str, str], AnyRuleset] = {}
_NEWEST: dict[str, AnyRuleset] = {}
_NOT_LOADED: list[NotLoaded] = []


def install(*added: AnyRuleset) -> None:
    """Add rulesets, all or none. If there are several versions of a ruleset, the last is the newest.

    Afterwards any thread may decode their types.

    Raises:
        ValueError: a ruleset is invalid, or conflicts with another ruleset. The message names the rulesets.
    """
    known = dict(_BY_VERSION)
    for rules in added:
        broken = "; ".join(faults(rules))
        if broken:
            raise ValueError(f"{_class_name(rules)}: {broken}")
        for other in known.values():
            _check_ids(rules, other)
            _check_columns(rules, other)
        known[rules.id, rules.version] = rules
    _BY_VERSION.update(known)
    _NEWEST.update({rules.id: rules for rules in added})
    make_ready()


def _check_ids(rules: AnyRuleset, other: AnyRuleset) -> None:
    if rules.id != other.id or type(rules) is type(other):
        return
    if rules.version == other.version:
        raise ValueError(
            f"{_class_name(rules)} and {_class_name(other)} are both {rules.id!r}, version {rules.version!r}"
        )
    if rules.name != other.name:
        names = f"{rules.name!r} and {other.name!r}"
        raise ValueError(
            f"{_class_name(rules)} and {_class_name(other)} are both {rules.id!r}, but have the names {names}"
        )


def _check_columns(rules: AnyRuleset, other: AnyRuleset) -> None:
    """Reject a column that another ruleset declares with a different type: one export can have games of both."""
    pairs = ((rules.columns, other.columns), (rules.seat_columns, other.seat_columns))
    for columns, others in pairs:
        kinds = {column.name: column.kind for column in others}
        for column in columns:
            kind = kinds.get(column.name, column.kind)
            if kind is not column.kind:
                raise ValueError(
                    f"the column {column.name!r} is {column.kind.__name__} in {_class_name(rules)}, "
                    f"but {kind.__name__} in {_class_name(other)}"
                )


def _class_name(rules: AnyRuleset) -> str:
    return f"{type(rules).__module__}.{type(rules).__qualname__}"


def rulesets() -> list[AnyRuleset]:
    """Return the newest version of every ruleset, in the order of installation."""
    return list(_NEWEST.values())


def versions(id_: str) -> list[str]:
    """Return the installed versions of a ruleset, oldest first; empty if there are none."""
    return [version for known, version in _BY_VERSION if known == id_]


def ruleset(id_: str, version: str | None = None) -> AnyRuleset:
    """Return a ruleset by id and version (default: the newest).

    Raises:
        UnknownRuleset: the ruleset or version is not installed.
    """
    found = _NEWEST.get(id_) if version is None else _BY_VERSION.get((id_, version))
    if found is None:
        raise UnknownRuleset(id_, version, _NEWEST)
    return found


def of(header: Header) -> AnyRuleset:
    """Return the ruleset of a game, in the game's version and for the game's options.

    Raises:
        UnknownRuleset: the ruleset or version is not installed.
        Malformed: the game has options, or a kind of chance, that the ruleset does not allow.
    """
    found = ruleset(header.ruleset, header.ruleset_version)
    # This runs several times for each append, so call the check only if it raises an error.
    if header.chance not in found.sources:
        check_chance(found, header.chance)
    return found.at(header.options)


def check_chance(rules: AnyRuleset, chance: ChanceKind) -> None:
    """Reject a kind of chance that games of a ruleset cannot have.

    Raises:
        Malformed: games of the ruleset cannot have this kind.
    """
    if chance not in rules.sources:
        known = " or ".join(map(repr, rules.sources))
        raise Malformed(
            "/chance",
            say("{game} is played with {known}, not {chance}", game=say(rules.name), known=known, chance=repr(chance)),
        )


def not_loaded() -> list[NotLoaded]:
    """Return the packages that could not be loaded, with the reasons."""
    return list(_NOT_LOADED)


def load(points: Iterable[EntryPoint]) -> Iterator[NotLoaded]:
    """Install the rulesets of other packages; for each package, all or none.

    Yields:
        The packages that were not installed: the import failed, or a ruleset is invalid or conflicts with another.
    """
    for point in points:
        try:
            found = point.load()
            _install_package((found,) if isinstance(found, Ruleset) else tuple(found))
        except BaseException as error:  # noqa: BLE001  # a package may raise anything
            name = point.name if point.dist is None else point.dist.name
            yield NotLoaded(name, " ".join(_reason(error).split())[:LONGEST_REASON])


def _reason(error: BaseException) -> str:
    kind = type(error).__name__
    try:
        return str(error) if isinstance(error, ValueError) else f"{kind}: {error}"
    except Exception:  # noqa: BLE001  # nor is the text of the package's own error certain
        return kind


def _install_package(added: tuple[AnyRuleset, ...]) -> None:
    """Install the rulesets of a package. Their ids must be new: no package can replace the game of another one."""
    taken = {rules.id for rules in added if isinstance(rules, Ruleset)} & _NEWEST.keys()
    if taken:
        raise ValueError(f"another package already declares {', '.join(map(repr, sorted(taken)))}")
    for rules in added:
        if not any(faults(rules)):
            _check_start(rules)
    install(*added)


def _check_start(rules: AnyRuleset) -> None:
    """Check that a game with default options can begin, and that its state can be hashed."""
    seats = rules.players[0]
    try:
        options = rules.parse_options({}, seats)
        table = first_table(lambda chance: rules.setup(options, seats, chance))
        hash(table)
        rules.view(table, None)
    except Exception as error:
        raise ValueError(f"{_class_name(rules)}: no game can begin: {_reason(error)}") from error


def other_entry_points() -> list[EntryPoint]:
    """Return the entry points of other distributions, in an order that does not depend on the file system.

    If two packages declare the same game, the first one is installed, so it must be the same in all processes.
    """
    own = {point.value for point in OWN}
    others = {point.value: point for point in entry_points(group=GROUP) if point.value not in own}
    return sorted(others.values(), key=lambda point: (point.name, point.value))


# Install during the import: its lock keeps other threads from decoding a type too early (see `make_ready`).
install(*(rules for point in OWN for rules in point.load()))
_NOT_LOADED += load(other_entry_points())
