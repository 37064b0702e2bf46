"""Template functions for texts, in addition to `say`: for example, for sentences with HTML."""

from __future__ import annotations

from flask import Flask
from markupsafe import Markup

from engine.core.language import ENGLISH, current_language, say
from engine.core.text import sentence
from engine.kit.words import counted, thousands
from service.languages import LANGUAGES


def speak(app: Flask) -> None:
    """Make templates use the language of the request."""
    app.jinja_env.globals.update(
        say=say, say_html=say_html, languages=LANGUAGES, counted=counted, spoken=current_language
    )
    app.jinja_env.filters.update(
        capitalize_first=capitalize_first, sentence=sentence, lower_title=lower_title, said=say, thousands=thousands
    )


def say_html(text: str, /, **values: object) -> Markup:
    """Translate a text that contains HTML, as `say` does. The inserted values are escaped, unless they are HTML."""
    said = Markup(say(text))  # noqa: S704  # our own
    return said.format(**values) if values else said


def capitalize_first(text: str) -> str:
    """Return words with a capital first letter, for the beginning of a line."""
    return text[:1].upper() + text[1:]


def lower_title(text: str) -> str:
    """Return a title for use within a sentence: in lower case in English, unchanged in languages that keep capitals."""
    return text.lower() if current_language() == ENGLISH else text
