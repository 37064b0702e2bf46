"""The installed computer players, at most one for each ruleset, from the entry points of `driftlog.players`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points

from engine.core.language import say
from engine.kit.rules import AnyRules
from engine.players.protocol import AnyPlayer, NotPlayable, Player

GROUP = "driftlog.players"
OWN = (EntryPoint("driftlog", "engine.players:PLAYERS", GROUP),)
"""Entry points of Driftlog's own computer players, for a checkout that is not installed and so has no metadata."""

_BY_RULESET: dict[str, AnyPlayer] = {}


def player_of(rules: AnyRules) -> AnyPlayer:
    """Return the computer player of a ruleset.

    Raises:
        NotPlayable: the ruleset has no computer player.
    """
    found = _BY_RULESET.get(rules.id)
    if found is None:
        raise NotPlayable(say("{game} has no computer player yet.", game=say(rules.name)))
    return found


def is_own(player: AnyPlayer) -> bool:
    """Return True for one of Driftlog's own computer players, which answer every question quickly."""
    return player in _OWN_PLAYERS


def players() -> dict[str, AnyPlayer]:
    """Return the computer players by ruleset."""
    return dict(_BY_RULESET)


def load(points: Iterable[EntryPoint]) -> Iterator[str]:
    """Install computer players. Omit those that cannot be loaded, and any second one for a ruleset.

    Yields:
        A sentence for each package whose players were not installed.
    """
    for point in points:
        try:
            _install(point.load())
        except (Exception, SystemExit) as error:  # noqa: BLE001  # a package may raise anything
            name = point.name if point.dist is None else point.dist.name
            yield f"the players of {name} are not loaded: {error}"


def _install(found: AnyPlayer | Iterable[AnyPlayer]) -> None:
    added = {player.ruleset: player for player in ((found,) if isinstance(found, Player) else found)}
    taken = sorted(added.keys() & _BY_RULESET.keys())
    if taken:
        raise ValueError(f"another package already has a computer player for {', '.join(taken)}")
    _BY_RULESET.update(added)


def other_entry_points() -> list[EntryPoint]:
    """Return the entry points of other distributions, sorted by name."""
    own = {point.value for point in OWN}
    return sorted((point for point in entry_points(group=GROUP) if point.value not in own), key=lambda one: one.name)


for _point in OWN:
    _install(_point.load())
_OWN_PLAYERS = tuple(_BY_RULESET.values())
NOT_LOADED = list(load(other_entry_points()))
"""A sentence for each package whose computer players could not be loaded."""
