"""What is set by options or by the environment, and that the docs say it right."""

from __future__ import annotations

import os
import re

import pytest
from typer.testing import CliRunner

from services import settings
from services.cli import app
from services.limits import DEFAULT, OFF, Limits
from services.metrics import SHARD
from services.settings import NAMES, Settings
from tests.commands.processes import ROOT

DOCS = [(ROOT / "docs" / name).read_text() for name in ("limits.md", "monitoring.md")]


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    for name in NAMES.values():
        monkeypatch.setenv(name, "")


def test_nothing_said_is_as_usual():
    assert settings.read() == Settings(limits=DEFAULT)


def test_the_environment_says():
    said = {"limits": "off", "metrics_token": "m", "trusted_proxy": "10.0.0.0/8"}
    settings.export(**said, access_log=True, jobs_redis=None)
    assert settings.read() == Settings(OFF, "m", "", "10.0.0.0/8", True)


def test_options_go_there(monkeypatch):
    """Children find them."""
    monkeypatch.setattr("services.cli._answers", lambda redis: None)
    monkeypatch.setattr("services.cli.become", lambda *words: None)
    done = CliRunner().invoke(app, ["fold", "--redis", "unix:///none", "--log", "json"])
    assert done.exit_code == 0, done.output
    assert os.environ["TURNFOLD_LOG"] == "json"


@pytest.mark.parametrize("command", [["serve"], ["api", "--redis", "unix:///none"]])
def test_limits_that_are_none(command):
    done = CliRunner().invoke(app, [*command, "--limits", "wishes=3"])
    assert done.exit_code == 1
    assert "'wishes=3' is no limit" in done.output


def test_the_commands_in_the_docs():
    for line in re.findall(r"^    turnfold serve (.*)$", "\n".join(DOCS), re.MULTILINE):
        done = CliRunner().invoke(
            app, ["serve", *re.sub(r'"[^"]*"', "off", line).split(), "--help"]
        )
        assert done.exit_code == 0, line
    assert settings.limits.read("requests=200 feeds=64") == Limits(requests=200, feeds=64)


def test_the_docs_name_all_metrics():
    names = [
        *(name for name, _ in SHARD.values()),
        "requests_total",
        "request_seconds",
        "moves_total",
        "fold_seconds",
    ]
    names += ["open_feeds", "uptime_seconds", "info", "ledger_up", "jobs_queued"]
    assert all(f"`turnfold_{name}`" in DOCS[1] for name in names)
