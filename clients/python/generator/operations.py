"""Generate the methods for the operations of the contract: one synchronous and one asynchronous for each."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from generator.types import docstring_lines, type_of

BY_HAND = {"exportGame", "fetchExport", "printGame", "watchGame", "watchLibrary"}
"""Operations with streamed responses. Their methods are written by hand."""
FOR_PEOPLE = {"readContract", "explainProblem"}
"""Operations that return web pages. They have no methods."""
HEADERS = {"Idempotency-Key": "str", "If-Match": "int", "Prefer": "str"}
"""Headers that become parameters; the others are for caches and partial downloads."""
_METHODS = ("get", "post", "put", "patch", "delete")


class Parameter(NamedTuple):
    """A parameter of a method."""

    name: str
    """The name of the parameter in the contract."""
    place: str
    type: str
    description: str

    @property
    def argument(self) -> str:
        """The name of the parameter in Python."""
        name = self.name.lower().replace("-", "_")
        return f"{name}_" if keyword.iskeyword(name) else name


class ReturnValue(NamedTuple):
    """The return value of a method."""

    type: str
    form: str
    """The `Form` in which the body is parsed."""


def module(contract: dict[str, Any]) -> str:
    """Return the whole generated file, unformatted."""
    lines = [
        '"""A method for each operation of the contract. Generated from openapi.yaml."""',
        "",
        "from __future__ import annotations",
        "",
        "from abc import ABC, abstractmethod",
        "from collections.abc import Sequence",
        "from typing import Any, Literal, cast",
        "",
        "from driftlog_client import types",
        "from driftlog_client.calls import Call, call, part",
    ]
    for name, is_awaited, what in (
        ("Operations", False, "called"),
        ("AsyncOperations", True, "awaited"),
    ):
        prefix = "async " if is_awaited else ""
        lines += [
            f"class {name}(ABC):",
            f'    """The operations, to be {what}. An error response is raised as a `Problem`."""',
            "    @abstractmethod",
            f"    {prefix}def send(self, call: Call) -> Any:",
            '        """Send a call, and return the result."""',
        ]
        for path, methods in contract["paths"].items():
            for method in _METHODS:
                operation = methods.get(method)
                if operation is not None and operation["operationId"] not in BY_HAND | FOR_PEOPLE:
                    given = (*methods.get("parameters", []), *operation.get("parameters", []))
                    parameters = [_parameter(contract, one) for one in given]
                    lines += _method(path, method, operation, parameters, is_awaited=is_awaited)
    return "\n".join(lines) + "\n"


def method_name(operation: Mapping[str, Any]) -> str:
    """Return the name of an operation's method."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", operation["operationId"]).lower()


def _method(
    path: str, method: str, operation: dict[str, Any], parameters: list[Parameter], *, is_awaited: bool
) -> list[str]:
    parts = [one for one in parameters if one.place == "path"]
    named = [one for one in parameters if one.place == "query"]
    named += [one for one in parameters if one.place == "header" and one.name in HEADERS]
    body = operation.get("requestBody")
    answer = _answer(operation["responses"])
    name = method_name(operation)
    taken = ["self", *(f"{one.argument}: {one.type}" for one in parts), *_body_arguments(body)]
    if named or (body and not _is_json(body)):
        taken += ["*", *_media_type(body), *(f"{one.argument}: {one.type} | None = None" for one in named)]
    called = _call(path, method, parameters, named=named, body=body, answer=answer)
    sent = f"{'await ' if is_awaited else ''}self.send({called})"
    return [
        f"    {'async ' if is_awaited else ''}def {name}({', '.join(taken)}) -> {answer.type}:",
        *_docstring(operation, [*parts, *named]),
        f"        {sent}" if answer.type == "None" else f'        return cast("{answer.type}", {sent})',
    ]


def _parameter(contract: dict[str, Any], given: Mapping[str, Any]) -> Parameter:
    if "$ref" in given:
        given = contract["components"]["parameters"][str(given["$ref"]).rsplit("/", 1)[-1]]
    name, schema = given["name"], given["schema"]
    kind = HEADERS[name] if name in HEADERS else type_of(schema, "types.").replace("list[", "Sequence[")
    kind = kind.removesuffix(" | None")
    return Parameter(name, given["in"], kind, given.get("description", ""))


def _is_json(body: Mapping[str, Any]) -> bool:
    return list(body["content"]) == ["application/json"]


def _body_arguments(body: Mapping[str, Any] | None) -> list[str]:
    if body is None:
        return []
    if not _is_json(body):
        return ["body: str | bytes"]
    kind = type_of(body["content"]["application/json"]["schema"], "types.").replace("list[", "Sequence[")
    return [f"body: {kind}" if body.get("required") else f"body: {kind} | None = None"]


def _media_type(body: Mapping[str, Any] | None) -> list[str]:
    if body is None or _is_json(body):
        return []
    return [f"media_type: Literal[{', '.join(repr(one) for one in body['content'])}]"]


def _answer(responses: Mapping[str, Any]) -> ReturnValue:
    contents = [found["content"] for status, found in responses.items() if status[0] == "2" and "content" in found]
    if not contents:
        return ReturnValue("None", "nothing")
    schemas = [content["application/json"]["schema"] for content in contents if "application/json" in content]
    if schemas:
        return ReturnValue(" | ".join(dict.fromkeys(type_of(one, "types.") for one in schemas)), "json")
    (schema,) = (media["schema"] for content in contents for media in content.values())
    return ReturnValue("bytes", "bytes") if "contentMediaType" in schema else ReturnValue("str", "text")


def _call(
    path: str,
    method: str,
    parameters: list[Parameter],
    *,
    named: list[Parameter],
    body: Mapping[str, Any] | None,
    answer: ReturnValue,
) -> str:
    arguments = {one.name: one.argument for one in parameters}
    where = re.sub(r"\{(\w+)\}", lambda found: f"{{part({arguments[found[1]]})}}", path)
    given = [f'"{method.upper()}"', f'{"f" if "{" in where else ""}"{where}"']
    for place, keyword_ in (("query", "query"), ("header", "headers")):
        inside = ", ".join(f'"{one.name}": {one.argument}' for one in named if one.place == place)
        if inside:
            given.append(f"{keyword_}={{{inside}}}")
    if body is not None:
        given += ["body=body"] if _is_json(body) else ["content=body", "media_type=media_type"]
    if answer.form != "json":
        given.append(f'form="{answer.form}"')
    return f"call({', '.join(given)})"


def _docstring(operation: Mapping[str, Any], taken: list[Parameter]) -> list[str]:
    indent = "        "
    lines = [f'{indent}"""{operation["summary"]}.']
    if operation.get("description"):
        lines += ["", *(f"{indent}{line}" for line in docstring_lines(operation["description"], indent))]
    about = [one for one in taken if one.description]
    if about:
        lines += ["", f"{indent}Args:"]
    for one in about:
        first, *more = docstring_lines(f"{one.argument}: {one.description}", indent * 2)
        lines += [f"{indent}    {first}", *(f"{indent}        {line}" for line in more)]
    if len(lines) == 1:
        return [f'{lines[0]}"""']
    return [*lines, f'{indent}"""']
