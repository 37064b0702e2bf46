"""Files that make the pages an installable app: a manifest, and a service worker for use without a network."""

from __future__ import annotations

import msgspec
from flask import Blueprint, Response, current_app, url_for

from api.pages import bundles
from api.pages.assets import asset, assets
from api.plumbing.access import ANYONE, needs
from engine.core.language import ENGLISH, say
from service.languages import LANGUAGES

blueprint = Blueprint("installing", __name__)

STYLES = (*bundles.STYLES, "setup.css", "share.css")
"""The style sheets of the pages that work without a network."""
PHOTO = ("setup/photo.js", "photo.css")
"""The files of photo entry, which is an experiment."""
CATALOGUES = tuple(f"words.{language}.js" for language in LANGUAGES if language != ENGLISH)
"""The files with the translations for the pages that work without a network."""
WORKER = "worker.js"
AT_ONCE = "no-cache"
"""The `Cache-Control` of files that browsers may cache, but must revalidate before each use."""


@blueprint.get("/manifest.webmanifest")
@needs(ANYONE)
def manifest() -> Response:
    """Return the manifest of the app (W3C Web Application Manifest)."""
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
        "shortcuts": [{"name": say("Start a game"), "url": url_for("pages.start.index")}],
    }
    return _send(msgspec.json.encode(document), "application/manifest+json")


@blueprint.get("/worker.js")
@needs(ANYONE)
def worker() -> Response:
    """Return the service worker, at the root so that its scope includes all pages."""
    digest, files = assets()
    names = [*STYLES, "icon.svg", "early.js", "record/rules.js", *bundles.SCRIPTS, "photo.css", *CATALOGUES]
    if not current_app.config["SETTINGS"].photo_entry:
        names = [name for name in names if name not in PHOTO]
    told = f"const MAKE = {_json(digest)};\nconst SHELL = {_json([asset(name) for name in names])};\n"
    return _send(told.encode() + files[WORKER].plain, "text/javascript; charset=utf-8")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _send(body: bytes, content_type: str) -> Response:
    return Response(body, content_type=content_type, headers={"Cache-Control": AT_ONCE})
