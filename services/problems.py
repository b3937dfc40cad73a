"""Everything that can go wrong over HTTP, as `application/problem+json` with a stable type."""

from __future__ import annotations

from typing import Any, Final

from msgspec import json

from engine.contract import Said

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER: Final = {429: "60", 503: "1"}  # seconds, where nothing better is known

PROBLEMS: Final[dict[str, tuple[int, str, str]]] = {
    "bad-request": (
        400,
        "The request cannot be read",
        "A header, the query or the path is not of the form that /openapi.json gives for it.",
    ),
    "who-are-you": (
        401,
        "Say who you are",
        "Send the token that POST /players gave you, as `Authorization: Bearer TOKEN`.",
    ),
    "not-yours": (
        403,
        "That is not yours to do",
        "Only somebody else here may do that: send their token, if it is yours.",
    ),
    "no-such-thing": (
        404,
        "There is no such thing",
        "Nothing has this address: /openapi.json has all that have something.",
    ),
    "no-such-method": (
        405,
        "Not with this method",
        "Send it with a method that the Allow header names.",
    ),
    "seat-taken": (
        409,
        "That seat is taken",
        "Take a chair of `free`, which were open when you asked, or find another match.",
    ),
    "apart": (
        403,
        "Somebody does not want to meet somebody",
        "One of you has blocked the other: find another table.",
    ),
    "not-now": (
        409,
        "That cannot be done now",
        "It was open to that before, or will be: look at how it stands.",
    ),
    "not-open": (
        409,
        "The match is not open any more",
        "It has begun; nobody can join or leave: find another, or resign from it.",
    ),
    "not-over": (
        409,
        "The match is not over yet",
        "Its log opens to all once it is: come back then.",
    ),
    "over": (
        409,
        "The match is over",
        "It takes no more commands: look at its replay, or offer another.",
    ),
    "stale": (
        412,
        "You decided on an older table",
        "`missed` is what happened since; look again, then send If-Match with the new seq.",
    ),
    "too-large": (
        413,
        "The request is too large",
        "No body of a command has over 64 KiB: send less.",
    ),
    "not-json": (415, "The body must be JSON", "Send it as `Content-Type: application/json`."),
    "refused": (
        422,
        "The rules refuse this",
        "Choose out of what your look lists as `legal`, then grow that.",
    ),
    "key-reused": (
        422,
        "This Idempotency-Key was used for something else",
        "A key names one command for ever: draw a new one for each, keep it for its retries.",
    ),
    "invalid": (
        422,
        "This is not what the route takes",
        "Mend what `errors` names, and send it again.",
    ),
    "if-match-missing": (
        428,
        "Say which table you decided on",
        'Send the seq of the look you decided on, as `If-Match: "SEQ"`.',
    ),
    "too-many": (429, "Too many at once", "Wait for as long as Retry-After says."),
    "headers-too-large": (
        431,
        "The headers are too large",
        "The address and all headers have at most 32 KiB together.",
    ),
    "bug": (
        500,
        "That is our mistake",
        "Nothing was written, and the operator has been told: try again later.",
    ),
    "stuck": (
        503,
        "The match waits for a repair",
        "An entry of it cannot be folded. Nothing is lost: try again once that is mended.",
    ),
    "busy": (503, "Not just now", "The server is away or slow; send the same again in a moment."),
}


class Problem(Exception):
    """Ends a request with a problem; `more` are its further members."""

    def __init__(
        self,
        name: str,
        detail: str | Said | None = None,
        headers: dict[str, str] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(name)
        self.name, self.more = name, more
        self.status, self.title, usual = PROBLEMS[name]
        self.said = detail if isinstance(detail, Said) else None  # for other languages
        self.detail = detail.sentence(()) if isinstance(detail, Said) else detail or usual
        self.headers = {"content-type": MEDIA_TYPE, **(headers or {})}
        if self.status in RETRY_AFTER:
            self.headers.setdefault("retry-after", RETRY_AFTER[self.status])
        if self.status == 401:
            self.headers["www-authenticate"] = "Bearer"

    def body(self) -> bytes:
        return json.encode(
            {
                "type": f"/problems/{self.name}",
                "title": self.title,
                "status": self.status,
                "detail": self.detail,
                **self.more,
            }
        )
