"""How notices are sent, as the environment of a process says."""

from __future__ import annotations

import os
from typing import Final

from msgspec import Struct

NAMES: Final = {
    "site": "TURNFOLD_SITE",
    "notice_delay": "TURNFOLD_NOTICE_DELAY",
    "smtp": "TURNFOLD_SMTP",
    "mail_from": "TURNFOLD_MAIL_FROM",
    "notices_loopback": "TURNFOLD_NOTICES_LOOPBACK",
}


class How(Struct, frozen=True):
    site: str = "http://127.0.0.1:8000"  # where the page is, as people reach it
    delay: float = 60.0  # seconds that a turn waits before anybody is told of it
    smtp: str = ""  # smtp://user:password@host:port, or smtps://; without it no mail is sent
    mail_from: str = ""
    loopback: bool = False  # may webhooks be on this machine, and without TLS? For development

    @property
    def mails(self) -> bool:
        return bool(self.smtp and self.mail_from)


def read(site: str = "") -> How:
    """What it says, at this `site` unless it names one; ValueError if that cannot be."""
    said = {name: os.environ.get(variable, "") for name, variable in NAMES.items()}
    usual = How()
    if said["smtp"].partition("://")[0] not in ("", "smtp", "smtps"):
        raise ValueError(f"{NAMES['smtp']} is smtp://… or smtps://…")
    return How(
        (said["site"] or site or usual.site).rstrip("/"),
        float(said["notice_delay"] or usual.delay),
        said["smtp"],
        said["mail_from"],
        said["notices_loopback"] not in ("", "0"),
    )
