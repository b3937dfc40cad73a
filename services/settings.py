"""How our processes are run, as the environment says: what commands take as options goes there."""

from __future__ import annotations

import os
from typing import Final

from msgspec import Struct

from services import archive, limits, logs
from services.archive import DAYS
from services.limits import Limits
from services.notices import how
from services.notices.how import How

NAMES: Final = {
    "limits": "TURNFOLD_LIMITS",
    "metrics_token": "TURNFOLD_METRICS_TOKEN",
    "jobs_redis": "TURNFOLD_JOBS_REDIS",
    "trusted_proxy": "TURNFOLD_TRUSTED_PROXY",
    "access_log": "TURNFOLD_ACCESS_LOG",
    "log": logs.ENV,
    "archive": archive.ENV,
    "archive_after": archive.AFTER,
    **how.NAMES,
}

GRACE = 2  # seconds that open requests and feeds have when an api stops


class Settings(Struct, frozen=True):
    """Of an api process."""

    limits: Limits = limits.DEFAULT
    metrics_token: str = ""  # without one, metrics are for this machine alone
    jobs_redis: str = ""  # where jobs are, if not there
    trusted_proxy: str = ""  # addresses or networks, with commas; who else forwards is not believed
    access_log: bool = False
    notices: How = How()
    archive: str = ""  # a folder or a URL; without one finished matches stay on the server
    archive_after: float = DAYS


USUAL: Final = Settings()


def read() -> Settings:
    """What the environment says; ValueError if its limits, or its archive, are none."""
    said = {name: os.environ.get(variable, "") for name, variable in NAMES.items()}
    archive.opened(said["archive"])
    return Settings(
        limits.read(said["limits"]),
        said["metrics_token"],
        said["jobs_redis"],
        said["trusted_proxy"],
        said["access_log"] not in ("", "0"),
        how.read(),
        said["archive"],
        archive.days(said["archive_after"]),
    )


def export(**said: str | bool | None) -> None:
    """Have our environment, and that of our children, say this too; not what was left open."""
    for name, value in said.items():
        if value:
            os.environ[NAMES[name]] = "1" if value is True else value
