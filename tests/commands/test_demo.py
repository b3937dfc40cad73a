"""`turnfold demo`: what it does is in test_readme.py, here what it says when it cannot."""

from __future__ import annotations

import pytest
from rich.console import Console

from services import demo
from services.robot import Failed


def test_an_api_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr(demo, "PATIENCE", 0.1)
    with pytest.raises(Failed, match=r"^The api does not answer: "):
        demo.demonstrate("http://127.0.0.1:1", False, Console(quiet=True))
