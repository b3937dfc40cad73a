"""The texts in modules: literals where something is said, found without running the code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import engine
import services

CALLS = {  # where something is said: which argument is the text, and which its plural
    "Said": (0, 2),
    "_": (0, None),
    "_n": (0, 1),
    "Problem": (1, None),
    "NotAllowed": (0, None),
}
OF_GAMES = {**CALLS, "ValueError": (0, None)}  # what a move may be, what options may not be
SILENT = {"KINDS", "HEADERS", "FRAMED", "PICTURE", "FOR_EVER", "NAMES", "TONGUES"}  # not for people
TO_PROGRAMS = ("accounts", "feed", "limits", "moves", "operations", "requests")  # services
Local = dict[str, list[ast.expr]]  # what a function calls by these names


class Text(NamedTuple):
    one: str
    many: str  # its plural, or nothing
    where: str


class Unclear(NamedTuple):
    """Something made up as it is said: nobody can translate it."""

    where: str
    line: int


@cache
def of_modules() -> tuple[Text | Unclear, ...]:
    return tuple(_found())


def _found() -> Iterator[Text | Unclear]:
    for package in (engine, services):
        root = Path(package.__path__[0])
        for path in sorted(root.rglob("*.py")):
            where = path.relative_to(root.parent)
            name = ".".join(where.with_suffix("").parts).removesuffix(".__init__")
            if name.removeprefix("services.") in TO_PROGRAMS:
                continue
            for part in ast.parse(path.read_text()).body:
                yield from _of_part(part, name, where.as_posix())


def _of_part(part: ast.stmt, name: str, where: str) -> Iterator[Text | Unclear]:
    """Of a function, or of what else a module has at its left edge."""
    of_page = name.startswith("services.web.") and name.count(".") == 2  # boards have art too
    if of_page and isinstance(part, ast.Assign | ast.AnnAssign):
        yield from (Text(text, "", where) for text in _constants(part))
    local = _local(part)
    for node in ast.walk(part):
        if isinstance(node, ast.Call):
            try:
                yield from _of_call(node, local, name, where)
            except LookupError:
                yield Unclear(where, node.lineno)


def _of_call(call: ast.Call, local: Local, name: str, where: str) -> Iterator[Text]:
    calls = OF_GAMES if name.startswith("engine.games.") else CALLS
    callee = call.func.id if isinstance(call.func, ast.Name) else ""
    text, plural = calls.get(callee, (len(call.args), None))
    if len(call.args) <= text:
        return
    many = ""
    if plural is not None and len(call.args) > plural:
        [many] = _literals(call.args[plural], {}, name)
    for one in _literals(call.args[text], {} if many else local, name):
        if callee != "Problem" or "`" not in one:  # that is for programs
            yield Text(one, many, where)


def _constants(part: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    """The values of a table of words at the left edge of a module."""
    target = part.targets[0] if isinstance(part, ast.Assign) else part.target
    if (
        isinstance(target, ast.Name)
        and target.id not in SILENT
        and isinstance(part.value, ast.Dict)
    ):
        for value in part.value.values:
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value


def _local(part: ast.stmt) -> Local:
    found: Local = {}
    for node in ast.walk(part) if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) else ():
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return found


def _literals(node: ast.expr, local: Local, module: str) -> list[str]:
    """All that an expression may be; a LookupError if that is not written down anywhere."""
    match node:
        case ast.Constant(str() as text):
            return [text]
        case ast.Constant(None):
            return []
        case ast.IfExp(_, one, other):
            return _literals(one, local, module) + _literals(other, local, module)
        case ast.Name(name) if name in local:
            return [text for value in local[name] for text in _literals(value, local, module)]
        case ast.Name(name):
            return _strings(getattr(import_module(module), name, None))
        case ast.Subscript(table, _):
            return _literals(table, local, module)
        case ast.Call(ast.Attribute(table, "get"), [_, *usual]):
            return [text for one in (table, *usual) for text in _literals(one, local, module)]
    raise LookupError


def _strings(value: Any) -> list[str]:
    match value:
        case str():
            return [value]
        case dict():
            return [*value.values()]
        case tuple() if all(isinstance(one, str) for one in value):
            return [*value]
    raise LookupError
