"""Runs what the pages of docs/ show: their blocks of shell and Python."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

from tests.commands.processes import ROOT, TURNFOLD

DOCS = ROOT / "docs"


def blocks(page: str, kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", (DOCS / page).read_text(), re.M | re.S)


class Shell:
    """A folder to be in, and `turnfold` on the path; `stand_ins` are commands that only say yes."""

    def __init__(self, folder: Path, *stand_ins: str, **env: str) -> None:
        self.folder, self.bin = folder, folder / "bin"
        self.bin.mkdir()
        self._command("turnfold", f'PYTHONPATH={ROOT} exec {" ".join(TURNFOLD)} "$@"')
        self._command("python3", f'exec {sys.executable} "$@"')
        for name in stand_ins:
            self._command(name, "exit 0")
        self.env = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "COLUMNS": "200"}
        self.env |= env

    def _command(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def run(self, script: str, code: int = 0) -> str:
        """What it prints; it must end like this."""
        words = ["bash", "-euo", "pipefail", "-c", script]
        done = subprocess.run(
            words, cwd=self.folder, env=self.env, capture_output=True, text=True, timeout=60
        )
        assert done.returncode == code, f"{script}\n{done.stdout}{done.stderr}"
        return done.stdout
