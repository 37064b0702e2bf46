"""Unpack the tables of an exported page, as its script does."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode


def tables(page: str) -> list[list[str]]:
    """Return the pictures after every event."""
    found = []
    for packed in re.findall(r"data-frames>([^<]*)</script>", page):
        part = json.loads(zlib.decompress(b64decode(packed, validate=True)))
        found += [["".join(part["pieces"][at] for at in ids) for ids in frame] for frame in part["frames"]]
    return found
