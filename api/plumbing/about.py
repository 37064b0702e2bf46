"""What every page about one game says of it: who played what, when, and how it stands."""

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
"""The pages about a game, as they lead to each other."""
END = ("pages.end.end", marked("The end"))
"""The same of one that has ended."""


class About(Words, frozen=True, kw_only=True):
    """A game in words, and where its other pages are."""

    tone: str
    """`good` or `bad`, where it ended so."""
    chance: ChanceKind
    tags: tuple[str, ...]
    branch: int | None
    """Of a fork the last event that it shares with its parent."""
    parent: str | None
    """The game that it was forked from."""
    pages: tuple[tuple[str, str], ...]
    """The other pages about it: endpoint and label."""


def about(game_id: str, game: Game) -> About:
    """`game` in words."""
    fork = game.header.fork
    return About(
        **msgspec.structs.asdict(words(game_id, game, store().games.began_at(game_id))),
        tone=tone(game.outcome),
        chance=game.header.chance,
        tags=game.header.tags,
        branch=None if fork is None else fork.at,
        parent=None if fork is None else fork.game,
        pages=tuple((page, say(label)) for page, label in (PAGES if game.outcome is None else (*PAGES, END))),
    )


def page(template: str, said: About, **facts: Any) -> Response:
    """A page about a game: its template is given what is `said` of it, where its API is, and `facts`."""
    # The page of a share link asks the API as that link, below its address.
    api = g.get("shared", "") + url_for("games.OneGame", game_id=said.id)
    return make_response(render_template(template, about=said, api=api, **facts))


def picture_of(game_id: str, at: int | None = None, *, is_over: bool = False) -> str:
    """Where the picture of a table is, for whoever shows a link to this page: of the game as it stands, or after event
    `at`; of one that is over, with how it ended. A link that was shared leads to one below its own address.
    """
    here = g.get("shared", "") + url_for("games.OneGame", game_id=game_id)
    if is_over and at is None:
        return f"{here}/recap.png"
    if "png" in FORMATS:
        # Most who show links show no SVG.
        return f"{here}/export?{urlencode({'format': 'png'} | ({} if at is None else {'until': at}))}"
    return f"{here}/board.svg?{urlencode({'plain': 'true'} | ({} if at is None else {'at': at}))}"


def tone(outcome: GameOutcome | None) -> str:
    """The colour in which an ending is written, `good` or `bad`; one that is neither has none."""
    if outcome is None:
        return "accent"
    return {"won": "good", "lost": "bad"}.get(outcome.result, "")


def page_for(who: Caller) -> str:
    """The page that a token is for: the record of its game, or the game to look at; else all games."""
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
