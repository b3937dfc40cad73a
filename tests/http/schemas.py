"""Holds JSON against the documents that describe it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator


def dangling(said: dict[str, Any]) -> list[str]:
    """The references of a document that lead nowhere in it."""
    return [ref for ref in values(said, "$ref") if found(said, ref) is None]


def found(said: dict[str, Any], ref: str) -> Any:
    """What a reference leads to."""
    assert ref.startswith("#/"), ref
    at: Any = said
    for part in ref[2:].split("/"):
        at = at.get(part.replace("~1", "/")) if isinstance(at, dict) else None
    return at


def values(said: Any, key: str) -> Iterator[Any]:
    if isinstance(said, dict):
        yield from ([said[key]] if key in said else [])
        for value in said.values():
            yield from values(value, key)
    elif isinstance(said, list):
        for value in said:
            yield from values(value, key)


def faults(said: dict[str, Any], ref: str, value: Any) -> list[str]:
    """What of a value is not as the schema at `ref` has it; fields that it does not name too."""
    validator = Draft202012Validator({**said, "$ref": ref})
    wrong = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]
    schema = found(said, ref)
    schema = found(said, schema["$ref"]) if "$ref" in schema else schema
    return wrong + [f"$.{name}: not named" for name in value if name not in schema["properties"]]
