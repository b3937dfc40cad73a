"""Fuzzing, led by what of the code is reached: `python -m tests.fuzz NAME [SECONDS]`

It needs atheris, the extra `fuzz`, which the tests do without. What it finds is written to a
file `crash-…`, whose bytes `python -m tests.fuzz NAME FILE` tries again.
"""

from __future__ import annotations

import sys
from pathlib import Path


def main(words: list[str]) -> None:
    import atheris

    with atheris.instrument_imports(include=["engine", "services.packed", "services.web.session"]):
        from tests.fuzz import targets

    if not words or words[0] not in targets.TARGETS:
        sys.exit(f"{__doc__}\nNAME is one of {', '.join(targets.TARGETS)}.")
    target, rest = targets.TARGETS[words[0]], words[1:]
    if rest and Path(rest[0]).is_file():
        target(Path(rest[0]).read_bytes())
        return
    seconds = rest[0] if rest else "180"
    limits = ["-max_len=65536", "-timeout=60", "-rss_limit_mb=2048"]
    atheris.Setup([sys.argv[0], f"-max_total_time={seconds}", *limits], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
