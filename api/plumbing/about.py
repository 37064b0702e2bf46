"""Facts that every page about a game shows: ruleset, players, date and status."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import msgspec
from flask import Response, g, make_response, render_template, url_for

from api.plumbing.http import store
from engine.core.events import ChanceKind
from engine.core.language import marked, say
from engine.core.values import GameOutcome
from engine.play.game import Game
from exports import FORMATS
from exports.words import Words, words
from service.access import Caller, Role
from store.errors import GameDeleted, StoreError

PAGES = (
    ("pages.record.record", marked("Record")),
    ("pages.replay.replay", marked("Replay")),
    ("pages.watch.watch", marked("Watch")),
    ("pages.audit.audit", marked("Audit")),
    ("pages.transcript.print_", marked("Print")),
)
"""The links between the pages about a game, as endpoint and label."""
END = ("pages.end.end", marked("The end"))
"""The additional link for a game that has ended."""


class About(Words, frozen=True, kw_only=True):
    """A game in words, with links to the pages about it."""

    tone: str
    """The colour of the ending: `good` or `bad`; None if it is neither."""
    chance: ChanceKind
    tags: tuple[str, ...]
    branch: int | None
    """For a fork: the last event that it shares with its parent."""
    parent: str | None
    """For a fork: the id of its parent."""
    pages: tuple[tuple[str, str], ...]
    """The links to the other pages about the game: endpoint and label."""


def about(game_id: str, game: Game) -> About:
    """Return `game` in words."""
    fork = game.header.fork
    return About(
        **msgspec.structs.asdict(words(game_id, game, store().games.began_at(game_id, game.version))),
        tone=tone(game.outcome),
        chance=game.header.chance,
        tags=game.tags,
        branch=None if fork is None else fork.at,
        parent=None if fork is None else fork.game,
        pages=tuple((page, say(label)) for page, label in (PAGES if game.outcome is None else (*PAGES, END))),
    )


def page(template: str, said: About, **facts: Any) -> Response:
    """Render a page about a game. The template gets `said` as `about`, the address of the API, and `facts`."""
    # Below a share link, the page uses the API below that link.
    api = g.get("shared", "") + url_for("games.OneGame", game_id=said.id)
    return make_response(render_template(template, about=said, api=api, **facts))


def picture_of(game_id: str, at: int | None = None, *, is_over: bool = False) -> str:
    """Return the address of a picture for link previews.

    It shows the current table, the table after event `at`, or the result. On a page below a share link, the address is
    below that link, too.
    """
    here = g.get("shared", "") + url_for("games.OneGame", game_id=game_id)
    if is_over and at is None:
        return f"{here}/recap.png"
    if "png" in FORMATS:
        # Most sites with link previews do not show SVG.
        return f"{here}/export?{urlencode({'format': 'png'} | ({} if at is None else {'until': at}))}"
    return f"{here}/board.svg?{urlencode({'plain': 'true'} | ({} if at is None else {'at': at}))}"


def tone(outcome: GameOutcome | None) -> str:
    """Return the colour of an ending, `good` or `bad`; None if it is neither."""
    if outcome is None:
        return "accent"
    return {"won": "good", "lost": "bad"}.get(outcome.result, "")


def page_for(who: Caller) -> str:
    """Return the address of the first page for a caller: a page of the token's only game, otherwise the library."""
    if who.game is None:
        return url_for("pages.library.index")
    if who.role.includes(Role.RECORDER):
        return url_for("pages.record.record", game_id=who.game)
    try:
        is_over = store().games.latest(who.game).outcome is not None
    except GameDeleted:
        is_over = True
    except StoreError:
        is_over = False
    page = "pages.replay.replay" if is_over else "pages.watch.watch"
    return url_for(page, game_id=who.game)
