"""Holds JSON against the documents that describe it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema_rs import Draft202012Validator


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


class Schemas:
    """The schemas of a document, each made ready once."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.said = said
        self._ready: dict[str, Draft202012Validator] = {}

    def faults(self, schema: dict[str, Any], value: Any) -> list[str]:
        """What of a value is not as this schema has it; fields that it does not name too."""
        key = repr(schema)
        if key not in self._ready:
            whole = {**schema, "components": self.said["components"]}
            self._ready[key] = Draft202012Validator(whole)
        wrong = [
            f"{error.message} at {error.instance_path}"
            for error in self._ready[key].iter_errors(value)
        ]
        while "$ref" in schema:
            schema = found(self.said, schema["$ref"])
        named = schema.get("properties", value)
        return wrong + [f"{name} is not named" for name in value if name not in named]
