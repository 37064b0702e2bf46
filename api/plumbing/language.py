"""The language in which a request is answered: the one that was chosen, else what the browser asks for."""

from __future__ import annotations

from flask import Flask, Response
from werkzeug.datastructures import LanguageAccept

from api.plumbing.present import present
from engine.core.language import ENGLISH, speak, spoken
from service.languages import LANGUAGES, catalogue

COOKIE = "language"
"""Its value is one of `LANGUAGES`, as somebody chose it."""
_ASKING = {"HTTP_ACCEPT_LANGUAGE", "HTTP_COOKIE"}
"""Where a request says anything of its language."""


def negotiate(app: Flask) -> None:
    """Have each request answered in its language (RFC 9110, 12.5.4)."""
    app.before_request(_choose)
    app.after_request(_tell)


def suffix() -> str:
    """What the entity tag of an answer ends in: English ones have the version alone."""
    return "" if (language := spoken()) == ENGLISH else f"-{language}"


def without_suffix(tag: str) -> str:
    """The version that is in an entity tag of whatever language."""
    for language in LANGUAGES:
        tag = tag.removesuffix(f"-{language}")
    return tag


def _choose() -> None:
    incoming = present()
    if not _ASKING & incoming.environ.keys():
        # As most programs do, which then wait for nothing to be read.
        speak(None)
        return
    chosen = incoming.cookies.get(COOKIE)
    if chosen not in LANGUAGES:
        # What somebody reads in one country only is read here as it is read anywhere: 'en-GB, de;q=0.9' is English.
        asked = [(tag.partition("-")[0].partition("_")[0], quality) for tag, quality in incoming.accept_languages]
        chosen = LanguageAccept(asked).best_match(LANGUAGES, ENGLISH)
    # It stays so until the next request of this thread: an answer may be made while it is sent.
    speak(catalogue(chosen))


def _tell(response: Response) -> Response:
    if (language := spoken()) != ENGLISH:
        response.headers["Content-Language"] = language
        response.vary.update(("Accept-Language", "Cookie"))
    return response
