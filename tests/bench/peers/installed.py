"""What the peers need, from npm and PyPI, in a cache folder outside the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

WIRE = Path(__file__).with_name("wire")
NPM = ["npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"]


class Missing(Exception):
    """Something cannot be had here; the message says what, in a sentence."""


def node_modules() -> Path:
    """The packages of `wire/package.json`, installed once for each version of that file."""
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            raise Missing(f"The peers run on Node, and there is no `{tool}` here: install Node 20.")
    pinned = (WIRE / "package.json").read_bytes()
    folder = _cache() / f"npm-{sha256(pinned).hexdigest()[:12]}"
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_bytes(pinned)
        _run(NPM, folder, "npm could not install boardgame.io and Colyseus")
        (folder / "done").touch()
    return folder / "node_modules"


def wheels(*pinned: str) -> Path:
    """A folder with these packages of PyPI and what they need, for `sys.path`."""
    folder = _cache() / "-".join(("pip", *pinned)).replace("==", "-")
    if not (folder / "done").exists():
        words = [sys.executable, "-m", "pip", "install", "-q", "--target", str(folder), *pinned]
        _run(words, _cache(), f"pip could not install {', '.join(pinned)}")
        (folder / "done").touch()
    return folder


def _cache() -> Path:
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(root, "turnfold-bench")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _run(words: Sequence[str], folder: Path, sorry: str) -> None:
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if ran.returncode:
        last = (ran.stderr.strip() or ran.stdout.strip() or "no word why").splitlines()[-1]
        raise Missing(f"{sorry}: {last}")
