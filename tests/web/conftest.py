"""A whole house with a robot in it, and Debian's Chromium to visit it with."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from services.limits import SAYS
from tests.http.stage import Stage
from tests.web.people import SOON, Person

SHELLS = "chromium-headless-shell", "chromium"
expect.set_options(timeout=SOON)


@pytest.fixture(scope="session")
def house(tmp_path_factory) -> Iterator[Stage]:
    with Stage(tmp_path_factory.mktemp("house")) as stage:
        stage.worker("workers.fold")
        stage.worker("workers.react")
        stage.worker("workers.jobs", "--delay", "0")
        yield stage


@pytest.fixture(scope="session")
def base(house) -> str:
    """Without limits, but for those that a player sees on a page."""
    none = " ".join(f"{name}=0" for name in SAYS if name != "vacation")
    return house.api(TURNFOLD_BEAT="0.5", TURNFOLD_PLAIN="1", TURNFOLD_LIMITS=none).ready().base


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """It holds an event loop in this thread, which tests of other modules must not meet."""
    path = chromium()
    with sync_playwright() as playwright:
        args = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=args)
        yield browser
        browser.close()


def chromium() -> str:
    """Where Chromium is, best the one without windows, which takes a quarter less; installed if
    there is none and we may, else the test is skipped."""
    for _ in installing():
        if path := next(filter(None, map(shutil.which, SHELLS)), None):
            return path
    pytest.skip("needs Debian's Chromium: as root, apt-get install chromium-headless-shell")


def installing() -> Iterator[None]:
    """First nothing is done, then one after the other is tried."""
    yield
    apt = shutil.which("apt-get")
    if apt and os.geteuid() == 0:
        for words in (["update", "-qq"], *(["install", "-y", "-qq", name] for name in SHELLS)):
            subprocess.run([apt, *words], stdout=subprocess.DEVNULL, check=False)
            yield


@pytest.fixture
def visit(browser, base) -> Iterator:
    """Makes people who sit at a browser of their own; in the end none has seen an error, and no
    page has asked a foreign host for anything."""
    made: list[Person] = []

    def one(kind: type[Person] = Person, at: str = base, **how) -> Person:
        made.append(kind(browser.new_context(base_url=at, **how)))
        return made[-1]

    yield one
    for person in made:
        person.context.close()
    assert [error for person in made for error in person.errors] == []
    assert {host_of(url) for person in made for url in person.asked} <= {"127.0.0.1"}


def host_of(url: str) -> str:
    return urlsplit(url).hostname or ""
