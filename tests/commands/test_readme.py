"""The README is true: what it shows is run here, and comes out as it shows it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console

from engine import entries as e
from engine.catalogue import GAMES
from services.serve import Stack
from tests.commands.processes import run

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", TEXT, re.M | re.S)


def test_the_demo_plays_every_game_and_prints_what_is_shown(tmp_path):
    done = run("demo", TMPDIR=str(tmp_path))
    assert done.returncode == 0, done.stderr[-2000:]
    assert list(tmp_path.iterdir()) == []
    printed = done.stdout
    assert [game for game in GAMES if f"\n{game}: " not in f"\n{printed}"] == []
    assert printed.count("audit   true") == len(GAMES)
    changing = r"[0-9a-f]{64}|0-[a-z2-7]{16}|\d+(\.\d+)?"
    shown, *_ = blocks("text")
    wanted = [re.sub(changing, "N", line).strip() for line in shown.splitlines()]
    lines = [re.sub(changing, "N", line).strip() for line in printed.splitlines()]
    for line in wanted:
        either = {line, line.replace("seat N wins", "seat N, seat N share the win")}
        assert either & set(lines), f"not printed: {line}"


def test_the_log_that_is_shown_is_one():
    _, log = blocks("text")
    lines = [line.split(None, 2) for line in log.splitlines()]
    assert [int(seq) for seq, _, _ in lines] == [3, 4, 5]
    for _, at, entry in lines:
        assert int(at) > 1_700_000_000_000
        e.decode(entry.replace("bbbb…", "b" * 64).encode())


def test_a_match_over_http_as_shown(tmp_path):
    (script,) = blocks("sh")
    silent = Console(quiet=True).print
    stack = Stack(tmp_path, None, None, "127.0.0.1", 0, "everysec", 0.0, silent)
    try:
        stack.start()
        asked = script.replace("http://127.0.0.1:8000", stack.url)
        env = dict(os.environ, PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
        got = subprocess.run(["sh", "-c", asked], capture_output=True, text=True, env=env)
    finally:
        stack.stop()
    commitment, _, rest = got.stdout.partition("\n")
    text, _, feed = rest.partition("retry: 1000")
    look = json.loads(text)
    assert look["game"] == "qwirkle"
    assert commitment == f'"commitment":"{look["commitment"]}"'
    assert look["viewer"] in (0, 1)
    assert feed.strip().startswith("event: look")


def test_what_it_names_is_there():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"`make (\w+)`|^    make (\w+)", TEXT, re.M):
        assert f"\n{''.join(target)}:" in makefile
    for path in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / path).exists(), path
