"""The ways by which a notice reaches a player: a letter per channel, and how it is delivered."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from msgspec import json

from services.notices import mail, push, webhook
from services.notices.channels import Channel, Email, Push, Webhook, pass_of
from services.notices.how import How
from services.notices.said import Notice
from services.notices.words import body, head
from services.web.tongues import speak_as

Letter = Callable[[], None]  # delivers it; Failed if that did not work, Gone if it never will


def letter(id: str, channel: Channel, notice: Notice, how: How, key: bytes) -> Letter:
    """What is to be sent through a channel; `key` is the house's own, for push services."""
    speak_as(channel.tongue)
    to, now, near = channel.to, int(time.time()), how.loopback
    match to:
        case Webhook(url):
            return partial(webhook.deliver, url, channel.secret, id, notice, how.site, now, near)
        case Email(address):
            end = pass_of(notice.player, channel)
            said = (notice.match, head(notice), body(notice), end)
            made = mail.of_notice(address, how.mail_from, id, how.site, *said)
            return partial(mail.deliver, how.smtp, made)
        case Push():
            shown = {"title": head(notice), "body": body(notice), "tag": id}
            text = json.encode(shown | {"url": f"/table/{notice.match}"})
            topic = f"{notice.match.partition('-')[2]}-{notice.kind}"
            return partial(push.deliver, to, key, text, topic, how.site, now, near)
    raise TypeError("readers of feeds come by themselves")


def code_letter(id: str, channel: Channel, how: How) -> Letter:
    """The mail with the code that confirms an address."""
    speak_as(channel.tongue)
    assert isinstance(channel.to, Email)
    made = mail.of_code(channel.to.address, how.mail_from, id, how.site, channel.code)
    return partial(mail.deliver, how.smtp, made)
