"""Errors in a document, in plain words and with their place."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta

from engine.core.documents import convert, limit_choices, malformed_error
from engine.core.errors import Malformed
from engine.core.language import speaking
from engine.core.text import MOST_LISTED
from service.languages import catalogue

Many = Literal[tuple(f"v{number}" for number in range(MOST_LISTED + 1))]


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    colour: Literal["red", "green", "blue"]


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    one: Inner | None = None
    several: list[Inner] = []
    pair: tuple[Literal["a", "b"], Inner] | None = None
    any_number: tuple[Inner, ...] = ()
    named: dict[Literal["left", "right"], Inner] = {}
    many: Many | None = None
    only: Annotated[Literal["this"], Meta(title="titled")] = "this"
    size: Annotated[int, Meta(ge=1, le=5)] = 1
    share: Annotated[float, Meta(gt=0, lt=1)] = 0.5
    text: Annotated[str, Meta(min_length=2, max_length=4)] = "abc"
    entries: Annotated[list[int], Meta(max_length=1)] = []
    members: Annotated[dict[str, int], Meta(min_length=1)] = msgspec.field(default_factory=lambda: {"a": 1})
    code: Annotated[str, Meta(pattern="^x")] = "x"
    address: Annotated[str, Meta(pattern="^https://", description="an address of the web")] = "https://"
    mixed: int | str | None = None


def test_where_a_type_tells_nothing_no_values_are_named() -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert("pink", Literal["red"])
    assert malformed_error(caught.value, "/x", object).message == "'pink' is not known here"


COLOURS = "'pink' is not one of 'blue', 'green' and 'red'"
PINK = {"colour": "pink"}


@pytest.mark.parametrize(
    ("document", "pointer", "message"),
    [
        ({"one": PINK}, "/one/colour", COLOURS),
        ({"several": [{"colour": "red"}, PINK]}, "/several/1/colour", COLOURS),
        ({"pair": ["a", PINK]}, "/pair/1/colour", COLOURS),
        ({"pair": ["c", PINK]}, "/pair/0", "'c' is not one of 'a' and 'b'"),
        ({"any_number": [PINK]}, "/any_number/0/colour", COLOURS),
        ({"named": {"left": PINK}}, "/named", COLOURS),
        ({"named": {"up": {"colour": "red"}}}, "/named", "'up' is not one of 'left' and 'right'"),
        ({"many": "w"}, "/many", f"'w' is not one of the {MOST_LISTED + 1} possible values"),
        ({"only": "that"}, "/only", "'that' is not 'this'"),
        ({"one": {}}, "/one", "`colour` is missing"),
        ({"many": "V 12"}, "/many", f"'V 12' is not one of the {MOST_LISTED + 1} possible values. Did you mean 'v12'?"),
        ({"member": 1}, "", "`member` is not known here. Did you mean 'members'?"),
        ({"one": {"shade": "red", "colour": "red"}}, "/one", "`shade` is not known here (known: colour)"),
        ({"size": "1"}, "/size", "must be a whole number, not a text"),
        ({"mixed": 1.5}, "/mixed", "must be a whole number or a text or null, not a number"),
        ({"size": 0}, "/size", "must be a whole number of at least 1"),
        ({"size": 6}, "/size", "must be a whole number of at most 5"),
        ({"share": 0.0}, "/share", "must be a number of more than 0.0"),
        ({"share": 1.0}, "/share", "must be a number of less than 1.0"),
        ({"text": "a"}, "/text", "must be a text of at least 2 characters"),
        ({"entries": [1, 2]}, "/entries", "must be a list of at most 1 entries"),
        ({"members": {}}, "/members", "must be an object of at least 1 members"),
        ({"code": "y"}, "/code", "must match ^x"),
        ({"address": "ftp://"}, "/address", "must be an address of the web"),
    ],
)
def test_what_does_not_fit_is_said_in_plain_words(document: Any, pointer: str, message: str) -> None:
    with pytest.raises(Malformed) as caught:
        convert(document, Outer, "/body")
    assert (caught.value.pointer, caught.value.message) == (f"/body{pointer}", message)


def test_an_error_is_in_the_readers_language() -> None:
    with speaking(catalogue("de")), pytest.raises(Malformed) as caught:
        convert({"text": "abcde"}, Outer, "/body")
    assert caught.value.message == "muss ein Text von höchstens 4 Zeichen sein"


class _Act(msgspec.Struct, tag_field="do"):
    pass


class Jump(_Act):
    high: int = 1


class Sing(_Act):
    pass


class Dance(_Act):
    then: tuple[Jump | Sing, ...] = ()


def test_limit_choices__at_every_depth() -> None:
    schema = msgspec.json.schema(tuple[Jump | Sing | Dance, ...])
    limit_choices(schema, (Jump, Dance))
    assert schema["items"] == {"anyOf": [{"$ref": "#/$defs/Jump"}, {"$ref": "#/$defs/Dance"}]}
    assert schema["$defs"]["Dance"]["properties"]["then"]["items"] == {"anyOf": [{"$ref": "#/$defs/Jump"}]}
