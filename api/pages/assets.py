"""The files of the pages: styles, scripts, pictures.

Their address holds one digest over all of them, so a browser keeps them for good, and modules that import each other
by relative addresses always are of one make.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import posixpath
import re
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec
from flask import Blueprint, Response, request, url_for

from api.plumbing.access import ANYONE, needs
from api.plumbing.problems import not_found
from engine.core.language import ENGLISH, say
from service.languages import LANGUAGES, plural_form, scripts

blueprint = Blueprint("assets", __name__)

FOR_GOOD = "public, max-age=31536000, immutable"
_IMPORT = re.compile(rb'^(?:import|export)\b[^"\';]*?["\'](\.[^"\']+)["\']', re.MULTILINE)
_PACKED = ("text/", "application/javascript", "image/svg+xml", "application/manifest+json")


class Asset(msgspec.Struct, frozen=True):
    """A file."""

    media_type: str
    plain: bytes
    packed: bytes | None
    """By gzip; None where that is of no use."""


@cache
def assets() -> tuple[str, dict[str, Asset]]:
    """The digest over all files, and the files by name."""
    folder = Path(str(resources.files("api"))) / "static"
    found: dict[str, Asset] = {}
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name, content = path.relative_to(folder).as_posix(), path.read_bytes()
            digest.update(b"%b\0%d\0%b" % (name.encode(), len(content), content))
            media_type = _media_type(name)
            packed = gzip.compress(content, mtime=0) if media_type.startswith(_PACKED) else None
            found[name] = Asset(media_type, content, packed)
    for language in LANGUAGES:
        if language != ENGLISH:
            content = catalogue_script(language)
            digest.update(content)
            found[f"words.{language}.js"] = Asset(_media_type(".js"), content, gzip.compress(content, mtime=0))
    return digest.hexdigest()[:12], found


def catalogue_script(language: str) -> bytes:
    """What the scripts of pages say in a language, for `words.js`."""
    words = msgspec.json.encode(scripts(language)).decode()
    return f"globalThis.catalogue = {{words: {words}, form: (n) => Number({plural_form(language)})}};\n".encode()


def _media_type(name: str) -> str:
    if name.endswith(".js"):
        return "text/javascript; charset=utf-8"
    guessed = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{guessed}; charset=utf-8" if guessed.startswith("text/") else guessed


def asset(name: str) -> str:
    """The address of a file; a file that is not there is a mistake in the template, and fails."""
    digest, files = assets()
    if name not in files:
        raise LookupError(f"api/static has no {name}")
    return url_for("pages.assets.file", digest=digest, name=name)


@cache
def imported(name: str) -> list[str]:
    """The modules that a script imports, and what those import: a slow network is asked for all of them at once."""
    _, files = assets()
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        importer = waiting.pop()
        for relative in _IMPORT.findall(files[importer].plain):
            module = posixpath.normpath(posixpath.join(posixpath.dirname(importer), relative.decode()))
            if module != name and module not in found:
                found[module] = None
                waiting.append(module)
    return list(found)


@blueprint.get("/static/<digest>/<path:name>")
@needs(ANYONE)
def file(digest: str, name: str) -> Response:
    """A file; one of another make is not kept."""
    current, files = assets()
    found = files.get(name)
    if found is None:
        raise not_found(say("file {name}", name=repr(name)))
    response = Response(found.plain, content_type=found.media_type)
    response.headers["Cache-Control"] = FOR_GOOD if digest == current else "no-cache"
    response.headers["Vary"] = "Accept-Encoding"
    if found.packed is not None and request.accept_encodings.quality("gzip") > 0:
        response.set_data(found.packed)
        response.headers["Content-Encoding"] = "gzip"
    return response
