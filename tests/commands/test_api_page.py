"""docs/api.md is true: what it shows runs and prints that, its errors are those there are."""

from __future__ import annotations

import re

import pytest

from services.problems import PROBLEMS
from tests.commands.documents import DOCS, Shell

PAGE = (DOCS / "api.md").read_text()
BLOCK = re.compile(r"^```(sh|python)\n(.*?)^```\n+(?:```text\n(.*?)^```)?", re.M | re.S)
CHANGING = r"[0-9a-f]{64}|\b\d{10,}\b"


def shown(kind: str) -> tuple[list[str], list[str]]:
    """The blocks of a kind, and what each prints."""
    found = [(code, said) for what, code, said in BLOCK.findall(PAGE) if what == kind]
    return [code for code, _ in found], [said for _, said in found]


def same(said: str) -> list[str]:
    return [re.sub(CHANGING, "N", part).strip() for part in said.split("=====")]


@pytest.mark.parametrize(
    ("kind", "apart", "command"),
    [("sh", "echo =====\n", "bash"), ("python", 'print("=====")\n', "python3")],
)
def test_it_prints_what_is_shown(house, tmp_path, kind, apart, command):
    codes, said = shown(kind)
    assert len(codes) > 3
    shell = Shell(tmp_path, PYTHONPATH=str(DOCS.parent))
    script = apart.join(codes).replace("http://127.0.0.1:8000", house.url)
    (tmp_path / "page").write_text(script)
    assert same(shell.run(f"{command} page")) == same("=====".join(said))


def test_it_lists_all_errors():
    rows = re.findall(r"^\| (\d+) \| `([\w-]+)` \| (.*) \|$", PAGE, re.M)
    assert rows == [
        (str(status), name, f"{title}. {detail}")
        for name, (status, title, detail) in PROBLEMS.items()
    ]
