"""Pages of lists: `limit`, an opaque `cursor`, `next_cursor`, and `Link: rel="next"` (RFC 8288)."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol, TypeVar
from urllib.parse import urlencode

import msgspec
from flask import request

from api.plumbing.problems import malformed_request


class HasId(Protocol):
    """An object in a list that is sorted by id."""

    @property
    def id(self) -> str: ...


Item = TypeVar("Item")
T = TypeVar("T", bound=HasId)
Key = str | int | tuple[str, str]
Page = tuple[list[Item], str | None]
"""The items of a page, and the cursor of the next page; None on the last one."""


def next_page(cursor: str | None) -> dict[str, str]:
    """Return the header with the link to the next page of this list; empty if there is none."""
    if cursor is None:
        return {}
    query = {name: value for name, value in request.args.items() if name != "after"} | {"cursor": cursor}
    return {"Link": f'<{request.script_root}{request.path}?{urlencode(query)}>; rel="next"'}


def by_id(found: Sequence[T], limit: int) -> Page[T]:
    """Return a page of a list, newest first.

    Args:
        found: the items, one more than `limit` if there are more.
    """
    return list(found[:limit]), found[limit - 1].id if len(found) > limit else None


def by_place(items: Iterable[Item], query: Mapping[str, Any]) -> Page[Item]:
    """Return a page of a list that grows only at its end, so that its cursors can be indexes."""
    start, limit = cursor_of(query, int) or 0, query.get("limit")
    found = list(islice(items, start, None if limit is None else start + limit + 1))
    if limit is None or len(found) <= limit:
        return found, None
    return found[:limit], cursor_to(start + limit)


def by_key(
    items: Sequence[Item], query: Mapping[str, Any], key: Callable[[Item], Any], *, is_descending: bool = False
) -> Page[Item]:
    """Return a page of a list in order of `key`. The cursors stay valid when items are added or removed."""
    last, limit = cursor_of(query, Any), query.get("limit")
    try:
        rest = [one for one in items if last is None or (key(one) < last if is_descending else key(one) > last)]
    except TypeError:
        raise _no_cursor() from None
    if limit is None or len(rest) <= limit:
        return rest, None
    return rest[:limit], cursor_to(key(rest[limit - 1]))


def after_of(query: Mapping[str, Any]) -> int:
    """Return the event after which a page of a log begins: from `cursor`, or else from `after`."""
    found = cursor_of(query, int)
    return int(query["after"]) if found is None else found


def cursor_to(place: Any) -> str:
    """Return the cursor for a place in a list."""
    return base64.urlsafe_b64encode(msgspec.json.encode(place)).decode().rstrip("=")


def cursor_of(query: Mapping[str, Any], kind: Any) -> Any:
    """Return the position in the list that the query's cursor encodes; None without a cursor."""
    text = query.get("cursor")
    if text is None:
        return None
    try:
        place = msgspec.json.decode(base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True), type=kind)
    except (ValueError, msgspec.DecodeError):
        raise _no_cursor() from None
    if isinstance(place, int) and not 0 <= place < 2**53:
        raise _no_cursor()
    return place


def _no_cursor() -> Exception:
    return malformed_request(
        "/cursor", "this cursor does not belong to this list: use the `next_cursor` of the previous page"
    )
