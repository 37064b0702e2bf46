"""The static files of the pages: styles, scripts, pictures.

The address of each file contains a digest of all files. So browsers can cache files forever, and a module always
imports files of its own version.
"""

from __future__ import annotations

import hashlib
import mimetypes
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec
from flask import Blueprint, Response, url_for

from api.pages import bundles
from api.plumbing.access import ANYONE, needs
from api.plumbing.packing import accepted_coding, compress
from api.plumbing.problems import not_found
from engine.core.language import ENGLISH, say
from service.languages import LANGUAGES, plural_form, scripts

blueprint = Blueprint("assets", __name__)

FOR_GOOD = "public, max-age=31536000, immutable"
_PACKED = ("text/", "application/javascript", "image/svg+xml", "application/manifest+json")


class Asset(msgspec.Struct, frozen=True):
    """A static file."""

    media_type: str
    plain: bytes


@cache
def assets() -> tuple[str, dict[str, Asset]]:
    """Return the digest of all files, and the files by name."""
    folder = Path(str(resources.files("api"))) / "static"
    contents = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
    for language in LANGUAGES:
        if language != ENGLISH:
            contents[f"words.{language}.js"] = catalogue_script(language)
    texts = {name: content.decode() for name, content in contents.items() if name.endswith((".js", ".css"))}
    contents |= {name: bundles.style(name, texts).encode() for name in bundles.STYLES}
    contents |= {name: bundles.script(name, texts, loader).encode() for name, loader in bundles.SCRIPTS.items()}
    digest = hashlib.sha256()
    for name, content in contents.items():
        digest.update(b"%b\0%d\0%b" % (name.encode(), len(content), content))
    return digest.hexdigest()[:12], {name: Asset(_media_type(name), content) for name, content in contents.items()}


@cache
def _compressed_content(name: str, encoding: str) -> bytes:
    """Return the compressed content of a file."""
    return compress(assets()[1][name].plain, encoding, is_kept=True)


def catalogue_script(language: str) -> bytes:
    """Return the JavaScript file with the texts of scripts in a language, for `words.js`."""
    words = msgspec.json.encode(scripts(language)).decode()
    return f"globalThis.catalogue = {{words: {words}, form: (n) => Number({plural_form(language)})}};\n".encode()


def _media_type(name: str) -> str:
    if name.endswith(".js"):
        return "text/javascript; charset=utf-8"
    guessed = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{guessed}; charset=utf-8" if guessed.startswith("text/") else guessed


def asset(name: str) -> str:
    """Return the address of a file. If the file is missing, raise an exception, because the template has an error."""
    digest, files = assets()
    if name not in files:
        raise LookupError(f"api/static has no {name}")
    return url_for("pages.assets.file", digest=digest, name=name)


@cache
def imported_modules(name: str) -> list[str]:
    """Return the modules that a script imports, directly or indirectly, so that pages can load them in parallel."""
    _, files = assets()
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        importer = waiting.pop()
        for module in bundles.imports(importer, files[importer].plain.decode()):
            if module != name and module not in found:
                found[module] = None
                waiting.append(module)
    return list(found)


@blueprint.get("/static/<digest>/<path:name>")
@needs(ANYONE)
def file(digest: str, name: str) -> Response:
    """Send a file. If `digest` is from another version of Driftlog, tell browsers not to cache the file."""
    current, files = assets()
    found = files.get(name)
    if found is None:
        raise not_found(say("file {name}", name=repr(name)))
    response = Response(found.plain, content_type=found.media_type)
    response.headers["Cache-Control"] = FOR_GOOD if digest == current else "no-cache"
    response.headers["Vary"] = "Accept-Encoding"
    encoding = accepted_coding() if found.media_type.startswith(_PACKED) else None
    if encoding is not None:
        response.set_data(_compressed_content(name, encoding))
        response.headers["Content-Encoding"] = encoding
    return response
