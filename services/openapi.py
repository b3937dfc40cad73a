"""The OpenAPI document: what a route takes and gives, said with the Structs that it uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from msgspec import json

from engine import RELEASE
from services import problems
from services.limits import Limits
from services.limits import said as limited

REF = "#/components/schemas/{name}"
NDJSON, SSE, PROBLEM = "application/x-ndjson", "text/event-stream", problems.MEDIA_TYPE
ANYWHERE = ("too-many", "headers-too-large", "bug", "busy")  # what any route may answer

SUMMARY = "Play-by-turn games as logs: offer, join, move, watch, replay and audit matches."

LIMITED = """Whatever you send, you may be told 429: wait as long as Retry-After says. A client is a
player or, without a token, an address. It may have or do, at the most:"""


class Lines(NamedTuple):
    """A stream of JSON objects, one a line."""

    item: Any


def takes(
    *,
    body: Any = None,
    gives: Mapping[int, Any],
    problems: Sequence[str] = (),
    headers: Mapping[str, str] | None = None,
    query: Mapping[str, str] | None = None,
    token: bool = False,
) -> dict[str, Any]:
    """The part of an operation that FastAPI cannot see: for `openapi_extra`.

    `gives` maps a status to a Struct, to the media types of what is no JSON object, to the Struct
    of a media type of our own, or to Lines.
    """
    said: dict[str, Any] = {"responses": {}, "parameters": []}
    if body is not None:
        content = {"application/json": {"schema": schema(body)}}
        said["requestBody"] = {"required": True, "content": content}
    for status, names in _by_status((*problems, *ANYWHERE)).items():
        said["responses"][str(status)] = {
            "description": "; ".join(names),
            "content": {PROBLEM: {"schema": {"$ref": REF.format(name="Problem")}}},
        }
    for status, kind in gives.items():
        response = said["responses"].setdefault(str(status), {"content": {}})
        given = _response(kind)
        said["responses"][str(status)] = given | {
            "content": given.get("content", {}) | response["content"]
        }
    for place, named in (("header", headers or {}), ("query", query or {})):
        for name, what in named.items():
            required = name == "If-Match" and "if-match-missing" in problems
            said["parameters"].append(
                {
                    "name": name,
                    "in": place,
                    "required": required,
                    "description": what,
                    "schema": {"type": "string"},
                }
            )
    said["x-gives"] = list(said["responses"])
    if token:
        said["security"] = [{"token": []}]
    return said


def _response(kind: Any) -> dict[str, Any]:
    if kind is None:
        return {"description": "nothing in the body"}
    if isinstance(kind, Lines):
        content: dict[str, Any] = {NDJSON: {"x-item-schema": schema(kind.item)}}
        return {"description": "lines of JSON", "content": content}
    if isinstance(kind, str | tuple):
        kinds = (kind,) if isinstance(kind, str) else kind
        content = {one: {} for one in kinds}
        return {"description": " or ".join(kinds), "content": content}
    if not isinstance(kind, Mapping):
        kind = {"application/json": kind}
    content = {media: {"schema": schema(one)} for media, one in kind.items()}
    return {"description": "as asked for", "content": content}


def _by_status(names: Sequence[str]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for name in names:
        found.setdefault(problems.PROBLEMS[name][0], []).append(name)
    return found


_schemas: dict[Any, dict[str, Any]] = {}


def schema(kind: Any) -> dict[str, Any]:
    """This type's schema, a reference as a rule; it is filled in once the document is made."""
    return _schemas.setdefault(kind, {})


def _components() -> dict[str, Any]:
    """What each schema is, filled in, and all that they refer to: too slow for an api's start."""
    found, components = json.schema_components(_schemas, ref_template=REF)
    for empty, full in zip(_schemas.values(), found, strict=True):
        empty.update(full)
    return components


def document(
    app: FastAPI, beside: Mapping[str, Mapping[str, Any]], limits: Limits
) -> dict[str, Any]:
    """The whole document; `beside` are the paths of routes that are no FastAPI routes."""
    schemas = _components()
    said = get_openapi(
        title="Turnfold",
        version=RELEASE,
        summary=SUMMARY,
        description="\n".join([LIMITED, "", *limited(limits)]),
        routes=app.routes,
    )
    for path, operations in beside.items():
        said["paths"].setdefault(path, {}).update(operations)
    for operations in said["paths"].values():
        for operation in operations.values():
            _only_ours(operation)
    components = said.setdefault("components", {})
    components["schemas"] = {**schemas, "Problem": PROBLEM_SCHEMA}
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return said


def _only_ours(operation: dict[str, Any]) -> None:
    """Without the answers that FastAPI supposes of every route."""
    ours, responses = operation.pop("x-gives"), operation["responses"]
    for status in responses.keys() - set(ours):
        del responses[status]
    responses.get("422", {}).get("content", {}).pop("application/json", None)


PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "What went wrong; further members depend on the type.",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {
            "type": "string",
            "enum": [f"/problems/{name}" for name in problems.PROBLEMS],
        },
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "seq": {"type": "integer", "description": "the newest seq that the viewer may know"},
        "code": {"type": "string", "description": "of a refusal"},
        "rule": {"type": "string", "description": "the rule that refuses"},
        "says": {"type": "string"},
        "missed": {"type": ["array", "null"], "description": "the news since If-Match"},
        "errors": {"type": "array", "items": {"type": "string"}},
        "free": {"type": "array", "items": {"type": "integer"}, "description": "open chairs"},
    },
}
