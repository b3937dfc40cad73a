"""Webhooks: a notice as a CloudEvent, signed as Standard Webhooks says.

Whoever has the secret of the channel can tell that it is ours and how old it is; a repeat has the
same id.
"""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from typing import Any

from msgspec import json, to_builtins

from services.notices.outside import Failed, Gone, post
from services.notices.said import Notice, rfc3339

MEDIA_TYPE = "application/cloudevents+json"


def event(id: str, notice: Notice, site: str) -> dict[str, Any]:
    """CloudEvents 1.0, structured; `sequence` sorts the notices of a match as text."""
    return {
        "specversion": "1.0",
        "id": id,
        "source": f"{site}/matches/{notice.match}",
        "type": f"turnfold.{notice.kind}",
        "subject": notice.match,
        "time": rfc3339(notice.at),
        "sequence": f"{notice.seq:06}",
        "datacontenttype": "application/json",
        "data": to_builtins(notice) | {"url": f"{site}/table/{notice.match}"},
    }


def signature(secret: str, id: str, at: int, body: bytes) -> str:
    """`at` in seconds since 1970."""
    key = b64decode(secret.removeprefix("whsec_"))
    signed = hmac.digest(key, f"{id}.{at}.".encode() + body, "sha256")
    return f"v1,{b64encode(signed).decode()}"


def deliver(
    url: str, secret: str, id: str, notice: Notice, site: str, now: int, loopback: bool
) -> None:
    """Failed unless it was taken; Gone if it said that it never will be. `now` in seconds."""
    body = json.encode(event(id, notice, site))
    headers = {
        "Content-Type": MEDIA_TYPE,
        "Webhook-Id": id,
        "Webhook-Timestamp": str(now),
        "Webhook-Signature": signature(secret, id, now, body),
    }
    accept(post(url, headers, body, loopback), (410,))


def accept(status: int, gone: tuple[int, ...]) -> None:
    """Failed unless this status says that it was taken."""
    if status in gone:
        raise Gone(f"It answered {status}.")
    if not 200 <= status < 300:
        raise Failed(f"It answered {status}.")
