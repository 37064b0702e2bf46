"""Files with which the record page runs the rules without the service.

`make runtime` installs Pyodide (Python for browsers) and its msgspec in `RUNTIME`. Without these files, pages cannot
run the rules. An archive contains the modules of this service, so the page and the service run the same rules.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib import import_module, resources
from pathlib import Path

from flask import Blueprint, Response, request, url_for

from api.pages.assets import FOR_GOOD
from api.plumbing.access import ANYONE, needs
from api.plumbing.packing import compress
from api.plumbing.problems import not_found
from engine.core.language import say

blueprint = Blueprint("offline", __name__)

RUNTIME = Path(str(resources.files("api"))) / "runtime"
_NEEDED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
_RULES = "rules.zip"
_WHOLE = ("engine", "drawing", "driftlog", "service/locale")
"""Packages and folders in the archive. Games can import all of them."""
_PARTS = (
    *("exports/narration.py", "store/cache.py", "store/errors.py", "service/__init__.py"),
    *(f"service/{name}.py" for name in ("access", "ahead", "chance", "errors", "languages", "story_lines", "table")),
)
"""Single modules. The archive omits the `__init__.py` of their packages, which would import more modules."""
_LIBRARIES = ("jsonpatch", "jsonpointer")
_UNUSED = ("driftlog/testing", "driftlog/starter", "engine/players")
_MODIFIED = (1980, 1, 1, 0, 0, 0)
"""Modification time of all files in the archive: constant, so that the archive depends only on the files' contents."""


def names() -> list[str]:
    """Return the names of the files; none if the runtime is not installed."""
    wheels = [path.name for path in sorted(RUNTIME.glob("*.whl"))]
    if not wheels or not all((RUNTIME / name).is_file() for name in _NEEDED):
        return []
    return [*_NEEDED, *wheels, _RULES]


@cache
def rules() -> bytes:
    """Return the archive with the rules."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in _modules():
            archive.writestr(zipfile.ZipInfo(name, _MODIFIED), path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
    return written.getvalue()


def _content(name: str) -> bytes:
    # Read the runtime from disk each time: its 13 MB would take memory even if nobody records offline.
    return rules() if name == _RULES else (RUNTIME / name).read_bytes()


def _modules() -> Iterator[tuple[str, Path]]:
    root = RUNTIME.parents[1]
    for folder in _WHOLE:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            is_read = path.suffix in {".py", ".po", ".json"} and not name.startswith(_UNUSED)
            if is_read and path.is_file():
                yield name, path
    for name in _PARTS:
        yield name, root / name
    for library in _LIBRARIES:
        yield f"{library}.py", Path(str(import_module(library).__file__))


@cache
def digests() -> dict[str, str]:
    """Return the digest for the address of each file.

    The rules have a separate digest, because the runtime rarely changes.
    """
    runtime, own = hashlib.sha256(), hashlib.sha256()
    for name in names():
        (own if name == _RULES else runtime).update(_content(name))
    return {name: (own if name == _RULES else runtime).hexdigest()[:12] for name in names()}


@cache
def _packed_file(name: str) -> bytes:
    return compress(_content(name), "gzip", is_kept=True)


def addresses() -> list[str]:
    """Return the addresses of all files, for a page that runs the rules."""
    return [url_for("pages.offline.file", digest=digest, name=name) for name, digest in digests().items()]


@blueprint.get("/runtime/<digest>/<name>")
@needs(ANYONE)
def file(digest: str, name: str) -> Response:
    """Send a file."""
    if digests().get(name) != digest:
        raise not_found(say("file {name}", name=repr(name)))
    kind = {".mjs": "text/javascript", ".wasm": "application/wasm", ".json": "application/json"}
    media_type = kind.get(Path(name).suffix, "application/octet-stream")
    headers = {"Cache-Control": FOR_GOOD, "Vary": "Accept-Encoding"}
    # Archives and wheels are compressed already.
    if media_type != "application/octet-stream" and request.accept_encodings.quality("gzip") > 0:
        return Response(_packed_file(name), content_type=media_type, headers={**headers, "Content-Encoding": "gzip"})
    return Response(_content(name), content_type=media_type, headers=headers)
