"""Details of a game that can change while it is recorded: title, date, players of seats, house rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

IfIllegal = Literal["refuse", "ask", "accept"]
"""Handling of an illegal action. `refuse` and `ask` both reject the action; only pages distinguish them."""


class Allowed(msgspec.Struct, frozen=True):
    """Actions of one type that a house rule allows: all, or only with certain params or in some situations."""

    type: str
    params: str | None = None
    """The params that an allowed action must contain, as canonical JSON; None allows every action of the type."""
    phase: str | None = None
    """The phase in which the actions are allowed; None: any."""
    own_turn: bool | None = None
    """True to allow the actions only in the player's own turn, False only out of turn; None: always."""

    @property
    def members(self) -> dict[str, Any]:
        """The params that an allowed action must contain. The action may have other params, too."""
        members: dict[str, Any] = {} if self.params is None else msgspec.json.decode(self.params)
        return members

    def covers(self, type_: str, params: Mapping[str, Any], phase: str, *, own_turn: bool) -> bool:
        """Return True if this house rule allows an action of that type, with those params, in that situation."""
        if type_ != self.type or self.phase not in {None, phase} or self.own_turn not in {None, own_turn}:
            return False
        return all(name in params and params[name] == value for name, value in self.members.items())


class HouseRuleInEffect(msgspec.Struct, frozen=True):
    """A house rule, as the players stated it."""

    text: str
    allows: tuple[Allowed, ...]


class Details(msgspec.Struct, frozen=True, omit_defaults=True):
    """Details in effect after an event. A member with its default value has not changed since event 1."""

    title: str | None = None
    tags: tuple[str, ...] | None = None
    played_at: str | None = None
    """The date of play (RFC 3339); None if it is computed from the events."""
    place: str | None = None
    """The place of play."""
    if_illegal: IfIllegal | None = None
    people: tuple[tuple[str, ...], ...] = ()
    """For each seat, the names of its players so far, in order; empty until a player changes."""
    left: tuple[int, ...] = ()
    """Seats whose player left and was not replaced."""
    house_rules: tuple[HouseRuleInEffect, ...] = ()

    def names(self, opening: Sequence[str]) -> tuple[str, ...]:
        """Return the name of each seat's current or last player, in seat order.

        Args:
            opening: the names in the game's first event.
        """
        return tuple(names[-1] for names in self.people) if self.people else tuple(opening)

    def changes(self, seat: int) -> int:
        """Return the number of players who have taken over `seat`."""
        return len(self.people[seat]) - 1 if self.people else 0

    def with_player(self, seat: int, name: str, opening: Sequence[str]) -> Details:
        """Return the details after a player called `name` takes over `seat`."""
        people = list(self.people or ((name,) for name in opening))
        people[seat] = (*people[seat], name)
        left = tuple(other for other in self.left if other != seat)
        return msgspec.structs.replace(self, people=tuple(people), left=left)

    def house_rule(
        self, type_: str, params: Mapping[str, Any], phase: str, *, own_turn: bool
    ) -> HouseRuleInEffect | None:
        """Return a house rule that allows this action with these params in this situation; None if there is none."""
        for rule in self.house_rules:
            if any(one.covers(type_, params, phase, own_turn=own_turn) for one in rule.allows):
                return rule
        return None


NO_DETAILS = Details()
