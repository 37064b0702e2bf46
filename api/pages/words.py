"""What templates say, besides what they say by `say`: sentences with HTML in them, and words as they begin a line."""

from __future__ import annotations

from flask import Flask
from markupsafe import Markup

from engine.core.language import ENGLISH, say, spoken
from engine.kit.words import counted, thousands
from service.languages import LANGUAGES


def speak(app: Flask) -> None:
    """Have the templates say what they say in the language of the request."""
    app.jinja_env.globals.update(say=say, say_html=say_html, languages=LANGUAGES, counted=counted, spoken=spoken)
    app.jinja_env.filters.update(begun=begun, sentence=sentence, lowered=lowered, said=say, thousands=thousands)


def say_html(text: str, /, **values: object) -> Markup:
    """As `say`, of a text of ours with HTML in it; the values are escaped, unless they are HTML themselves."""
    said = Markup(say(text))  # noqa: S704  # our own
    return said.format(**values) if values else said


def begun(text: str) -> str:
    """Words as they stand at the beginning of a line."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A text with a mark at its end."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def lowered(text: str) -> str:
    """A title as it stands within a sentence; in other languages than English nouns may keep their capitals."""
    return text.lower() if spoken() == ENGLISH else text
