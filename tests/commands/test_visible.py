"""What a stranger wrote into a file or an address steers no terminal."""

from io import StringIO

import pytest
from msgspec import json
from rich.console import Console

from engine import entries as e
from services.bundles import audit_file, replay_file
from services.visible import visible
from tests.engine.logs import dealt, played, sealed

EVIL = "\x1b]0;gone\x07\x9b2J\u202e\x7f"


def spoilt(**fields) -> bytes:
    tree = json.decode(sealed(*dealt(), played(1, "keep"), e.Resigned(0)))
    return json.encode(tree | fields)


@pytest.mark.parametrize(
    "raw",
    [
        spoilt(game=EVIL),
        spoilt(match=EVIL),
        spoilt(**{EVIL: 1}),
        spoilt().replace(b'\\"seat\\":1', b'\\"\\u001b[2J\\":1'),
    ],
)
def test_no_file_steers_the_terminal(tmp_path, raw):
    path, said = tmp_path / "a.json", StringIO()
    path.write_bytes(raw)
    console = Console(file=said, width=500)
    audit_file(path, [], [], None, False, console, console)
    replay_file(path, "open", console, console)
    assert all(line.isprintable() for line in said.getvalue().splitlines())
    assert said.getvalue()


def test_what_is_visible_stays_and_the_rest_is_said():
    assert visible("Zoë: 3 × 4") == "Zoë: 3 × 4"
    assert visible("a\r\nb\x1b[2J\x85\U000e0001") == "a\\r\\nb\\u001b[2J\\u0085\\udb40\\udc01"
    assert visible("a\nb\t", "\n") == "a\nb\\t"
