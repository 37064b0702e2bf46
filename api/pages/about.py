"""What every page about one game says of it: who played what, when, and how it stands."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec
from flask import Response, make_response, render_template, url_for

from api.http import store
from engine import turns
from engine.events import ChanceKind, GameOutcome
from engine.fold import Game, Rules
from exports.prose import ended, listed

PAGES = (
    ("pages.record.record", "Record"),
    ("pages.replay.replay", "Replay"),
    ("pages.watch.watch", "Watch"),
    ("pages.audit.audit", "Audit"),
    ("pages.transcript.print_", "Print"),
)
"""The pages about a game, as they lead to each other."""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """A game in words."""

    id: str
    title: str
    """What is played."""
    names: tuple[str, ...]
    """The players, in seat order."""
    day: str
    """The day on which it was opened, ISO 8601."""
    standing: str
    """How it stands, or how it ended, in a few words."""
    tone: str
    """`good` or `bad`, where it ended so."""
    ending: str | None
    """The sentence that says how it ended; None while it goes on."""
    chance: ChanceKind
    tags: tuple[str, ...]
    pages: tuple[tuple[str, str], ...]
    """The other pages about it: endpoint and label."""

    @property
    def date(self) -> str:
        """'20 November 2026'."""
        day = date.fromisoformat(self.day)
        return f"{day.day} {day:%B %Y}"

    @property
    def players(self) -> str:
        """'Ann, Bob and Cyd'."""
        return listed(self.names)


def about(game_id: str, game: Game) -> About:
    """`game` in words."""
    outcome = game.outcome
    return About(
        id=game_id,
        title=game.ruleset.name,
        names=game.header.names,
        day=store().games.opened_at(game_id)[:10],
        standing=_standing(game),
        tone=tone(outcome),
        ending=turns.ending(Rules(game.header), outcome.reason) if outcome is not None else None,
        chance=game.header.chance,
        tags=game.header.tags,
        pages=PAGES,
    )


def page(template: str, said: About, **facts: Any) -> Response:
    """A page about a game: its template is given what is `said` of it, where its API is, and `facts`."""
    api = url_for("games.OneGame", game_id=said.id)
    return make_response(render_template(template, about=said, api=api, **facts))


def _standing(game: Game) -> str:
    if game.state is None:
        return "being set up"
    if game.outcome is None:
        return f"in turn {game.turn}"
    return f"{ended(game.outcome, game.header.names)} in turn {game.turn}"


def tone(outcome: GameOutcome | None) -> str:
    """The colour in which an ending is written, `good` or `bad`; one that is neither has none."""
    if outcome is None:
        return "accent"
    return {"won": "good", "lost": "bad"}.get(outcome.result, "")
