"""The language of a response: the user's choice, otherwise the browser's preference."""

from __future__ import annotations

from flask import Flask, Response
from werkzeug.datastructures import LanguageAccept

from api.plumbing.current_request import present
from engine.core.language import ENGLISH, current_language, speak
from service.languages import LANGUAGES, catalogue

COOKIE = "language"
"""Name of the cookie with the chosen language."""
_ASKING = {"HTTP_ACCEPT_LANGUAGE", "HTTP_COOKIE"}
"""Request headers that determine the language."""


def negotiate(app: Flask) -> None:
    """Set the language of each request (RFC 9110, 12.5.4)."""
    app.before_request(_choose)
    app.after_request(_add_headers)


def suffix() -> str:
    """Return the suffix of an entity tag for the current language; English has none."""
    return "" if (language := current_language()) == ENGLISH else f"-{language}"


def without_suffix(tag: str) -> str:
    """Return the version in an entity tag, without the suffix of any language."""
    for language in LANGUAGES:
        tag = tag.removesuffix(f"-{language}")
    return tag


def _choose() -> None:
    incoming = present()
    if not _ASKING & incoming.environ.keys():
        # Most programs state no preference.
        speak(None)
        return
    chosen = incoming.cookies.get(COOKIE)
    if chosen not in LANGUAGES:
        # A regional variant counts as its language: 'en-GB, de;q=0.9' means English.
        asked = [(tag.partition("-")[0].partition("_")[0], quality) for tag, quality in incoming.accept_languages]
        chosen = LanguageAccept(asked).best_match(LANGUAGES, ENGLISH)
    # Do not reset the language afterwards, because the response may be created while it is sent.
    speak(catalogue(chosen))


def _add_headers(response: Response) -> Response:
    if (language := current_language()) != ENGLISH:
        response.headers["Content-Language"] = language
        response.vary.update(("Accept-Language", "Cookie"))
    return response
