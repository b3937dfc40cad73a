"""The OpenAPI document is true; errors are problems whose types are pages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from services.api import make_app
from services.problems import PROBLEMS
from services.web import site
from tests.http.people import problem
from tests.http.schemas import dangling

PAGES = {"/", "/problems/{name}", "/openapi.json", "/asyncapi.json"}  # for people; documents


def test_every_reference_leads_somewhere(document):
    assert dangling(document.said) == []


def test_it_has_the_shape_of_openapi(document):
    said = document.said
    assert said["openapi"].startswith("3.1")
    assert said["info"]["title"] == "Turnfold"
    names = []
    for path, operations in said["paths"].items():
        for method, operation in operations.items():
            assert method in ("get", "post", "put", "delete"), path
            assert operation["summary"] or operation["description"]
            names.append(operation["operationId"])
            inside = [p["name"] for p in operation["parameters"] if p["in"] == "path"]
            assert inside == [part[1:-1] for part in path.split("/") if part.startswith("{")]
            assert all(p["required"] for p in operation["parameters"] if p["in"] == "path")
            assert all({"name", "in", "schema"} <= set(p) for p in operation["parameters"])
            assert all(answer["description"] for answer in operation["responses"].values())
            assert {"500", "503"} <= set(operation["responses"])
            taken = operation.get("requestBody", {}).get("content", {})
            assert all(kind["schema"] for kind in taken.values()), path
    assert len(names) == len(set(names))


def test_it_names_every_route_of_the_app(document):
    app = make_app("unix:///nowhere").app
    ours = {route.path for router in site.ROUTERS for route in router.routes}
    routes = {
        (route.path, method.lower())
        for route in leaves(app)
        for method in route.methods
        if route.path not in ours
    }
    told = {(path, method) for path, how in document.said["paths"].items() for method in how}
    feeds = {("/matches/{match}/feed", "get"), ("/feed", "get")}
    hot = {("/matches/{match}/moves", "post")} | feeds
    pages = {(page, method) for page in PAGES for method in ("get", "head")}
    assert told == (routes - pages) | hot


def leaves(router: Any) -> Iterator[Any]:
    """The routes of a router and of those that it includes."""
    for route in router.routes:
        inner = getattr(route, "original_router", None)
        yield from [route] if inner is None else leaves(inner)


def test_every_type_of_problem_is_a_page(visitor):
    for name, (status, title, detail) in PROBLEMS.items():
        page = visitor.get(f"/problems/{name}")
        assert page.status_code == 200
        assert page.text == f"{title} ({status})\n\n{detail}\n"
    assert problem(visitor.get("/problems/nope")) == "404 no-such-thing"


@pytest.mark.parametrize("path", ["/nope", "/matches/", "/matches/0-aaaaaaaaaaaaaaaa", "/%00"])
def test_no_such_route(visitor, path):
    assert problem(visitor.get(path)) == "404 no-such-thing"


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/players", "POST"),
        ("DELETE", "/matches", "GET"),
        ("POST", "/games", "GET"),
        ("PUT", "/matches/0-aaaaaaaaaaaaaaaa/look", "GET"),
        ("GET", "/matches/0-aaaaaaaaaaaaaaaa/join", "POST"),
        ("GET", "/matches/0-aaaaaaaaaaaaaaaa/moves", "POST"),
        ("PATCH", "/matches/0-aaaaaaaaaaaaaaaa/moves", "POST"),
        ("POST", "/matches/0-aaaaaaaaaaaaaaaa/feed", "GET"),
        ("POST", "/feed", "GET"),
    ],
)
def test_not_with_this_method(visitor, method, path, allowed):
    answer = visitor.request(method, path)
    assert problem(answer) == "405 no-such-method"
    assert allowed in answer.headers["allow"].split(", ")


def test_methods_of_a_path_with_two(visitor):
    allowed = visitor.delete("/matches").headers["allow"]
    assert set(allowed.split(", ")) == {"GET", "POST"}


def test_a_server_that_is_away(make, document):
    """No answer is a bug: 503 with Retry-After."""

    async def asked() -> list[httpx.Response]:
        app = make_app("unix:///nowhere")
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
            match = "/matches/0-aaaaaaaaaaaaaaaa"
            token = {"authorization": "Bearer x"}
            return [
                await client.get("/matches"),
                await client.get(f"{match}/look"),
                await client.get(f"{match}/feed"),
                await client.get("/players/me", headers=token),
                await client.post(f"{match}/moves", json={}, headers=token),
                await client.post("/players", json={"name": "Ann"}),
            ]

    for answer in asyncio.run(asked()):
        document.hear(answer)
        assert problem(answer) == "503 busy"
        assert answer.headers["retry-after"] == "1"
