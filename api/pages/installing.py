"""What makes the pages an app that can be installed: its manifest, and the service worker that has it come up without
a network.
"""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, url_for

from api.pages.assets import asset, assets, imported
from api.plumbing.access import ANYONE, needs
from engine.core.language import ENGLISH, say
from service.languages import LANGUAGES

blueprint = Blueprint("installing", __name__)

SCRIPTS = ("record/main.js", "setup.js", "setup/main.js")
"""The pages that come up without a network, by their scripts."""
STYLES = (
    "driftlog.css",
    "forms.css",
    "components.css",
    "record/record.css",
    "record/story.css",
    "record/strip.css",
    "record/hands.css",
    "record/panel.css",
    "record/faces.css",
    "record/acts.css",
    "record/sheets.css",
    "record/slip.css",
    "setup.css",
    "setup/layout.css",
    "setup/pieces.css",
    "share.css",
)
CATALOGUES = tuple(f"words.{language}.js" for language in LANGUAGES if language != ENGLISH)
"""What those pages say in other languages."""
WORKER = "worker.js"
AT_ONCE = "no-cache"
"""A new make is noticed when a page is opened."""


@blueprint.get("/manifest.webmanifest")
@needs(ANYONE)
def manifest() -> Response:
    """What a phone shows of the app (W3C Web Application Manifest)."""
    icons = [
        {"src": asset("icon.svg"), "type": "image/svg+xml", "sizes": "any"},
        {"src": asset("icon-192.png"), "type": "image/png", "sizes": "192x192"},
        {"src": asset("icon-512.png"), "type": "image/png", "sizes": "512x512"},
        {"src": asset("icon-maskable.png"), "type": "image/png", "sizes": "512x512", "purpose": "maskable"},
    ]
    document = {
        "id": "/",
        "name": "Driftlog",
        "short_name": "Driftlog",
        "description": say("Records of board games, turn by turn."),
        "start_url": url_for("pages.library.index"),
        "scope": "/",
        "display": "standalone",
        "background_color": "#f5f2ea",
        "theme_color": "#0d5c6e",
        "icons": icons,
        "shortcuts": [{"name": say("Start a table"), "url": url_for("pages.start.index")}],
    }
    return _sent(msgspec.json.encode(document), "application/manifest+json")


@blueprint.get("/worker.js")
@needs(ANYONE)
def worker() -> Response:
    """The service worker: at the root, so that it is of all pages."""
    digest, files = assets()
    names = dict.fromkeys(
        [*STYLES, "icon.svg", *SCRIPTS, *CATALOGUES, *(name for script in SCRIPTS for name in imported(script))]
    )
    told = f"const MAKE = {_json(digest)};\nconst SHELL = {_json([asset(name) for name in names])};\n"
    return _sent(told.encode() + files[WORKER].plain, "text/javascript; charset=utf-8")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _sent(body: bytes, content_type: str) -> Response:
    return Response(body, content_type=content_type, headers={"Cache-Control": AT_ONCE})
