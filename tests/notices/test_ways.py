"""What goes out by each way, against what the specifications print."""

from __future__ import annotations

from base64 import urlsafe_b64decode

import pytest
from msgspec import json

from services.notices import feeds, mail, push, webhook
from services.notices.channels import Channel, Email, Keys, Push, Webhook
from services.notices.how import How
from services.notices.outside import Failed, Gone
from services.notices.said import Notice
from services.notices.ways import code_letter, letter
from services.notices.words import body, head
from services.web.tongues import TONGUES, speak_as

MATCH = "0-" + "m" * 16
KINDS = ("turn", "reminder", "over", "invited")


def notice(kind: str = "turn", **more) -> Notice:
    return Notice(kind, MATCH, "qwirkle", "p" * 16, 1, 7, 1_700_000_000_000, **more)


def raw(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_a_webhook_is_signed_as_standard_webhooks_says():
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    made = webhook.signature(
        secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
    )
    assert made == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_push_message_is_sealed_as_rfc_8291_prints_it():
    keys = Keys(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    own = raw("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    text = b"When I grow up, I want to be a watermelon"
    assert push.sealed(text, keys, own, raw("DGv6ra1nlYgDCS1FRnbzlw")) == raw(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYW"
        "AmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgS"
        "xsj_Qulcy4a-fN"
    )


@pytest.mark.parametrize("keys", [("AAAA", "AAAA"), ("BA" + "A" * 85, "A" * 22)])
def test_keys_with_which_nothing_can_be_sealed(keys):
    assert not push.is_browser(Keys(*keys))


@pytest.mark.parametrize(
    ("status", "gone", "error"),
    [(200, (), None), (204, (), None), (307, (), Failed), (500, (), Failed), (410, (410,), Gone)],
)
def test_a_status_says_whether_it_was_taken(status, gone, error):
    if error is None:
        webhook.accept(status, gone)
    else:
        with pytest.raises(Failed) as failed:
            webhook.accept(status, gone)
        assert failed.type is error


def test_an_event_is_a_cloudevent_and_sorts_by_its_sequence():
    made = webhook.event("id", notice(deadline=1_700_000_060_000), "https://play.example")
    assert {"specversion", "id", "source", "type"} <= made.keys()
    assert made["time"] == "2023-11-14T22:13:20Z"
    assert made["sequence"] == "000007"
    assert made["data"]["deadline"] == 1_700_000_060_000
    json.encode(made)


@pytest.mark.parametrize("tongue", TONGUES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_words_in_every_language(tongue, kind):
    speak_as(tongue)
    said = notice(kind, deadline=1_700_000_060_000)
    assert "Qwirkle" in head(said)
    assert "22:14" in body(said)
    speak_as("en")


def channel(to) -> Channel:
    return Channel("abcdefgh", to, KINDS, 0, "s" * 32, code="12345678")


def test_no_letter_quotes_what_a_game_hides():
    """Whatever goes out is of what all players of the match may know."""
    assert set(Notice.__struct_fields__) == {
        *("kind", "match", "game", "player", "seat", "seq", "at", "deadline", "outcome"),
        "aborted",
    }


def test_a_mail_has_one_id_and_a_way_out(monkeypatch):
    sent = []
    monkeypatch.setattr(mail, "deliver", lambda url, made: sent.append(made))
    how = How("https://play.example", mail_from="Turnfold <t@play.example>", smtp="smtp://x")
    to = channel(Email("ann@example.org"))
    for _ in range(2):
        letter("row-1", to, notice(), how, b"")()
    code_letter("row-2", to, how)()
    first, again, code = sent
    assert first["message-id"] == again["message-id"] == "<row-1@play.example>"
    assert first["list-unsubscribe"] == (
        f"<https://play.example/unsubscribe?key={'p' * 16}-abcdefgh-{'s' * 32}>"
    )
    assert "12345678" in code.get_content()
    assert "list-unsubscribe" not in code


def test_each_way_has_its_letter():
    key = push.new_key()
    keys = Keys(push.public(push.new_key()), "A" * 22)
    for to in (Webhook("https://example.org/"), Push("https://example.org/", keys)):
        assert callable(letter("row", channel(to), notice(), How(), key))


@pytest.mark.parametrize("text", ["x" * 200, "é" * 100, "short", "", "日" * 90])
def test_lines_of_a_calendar_are_short_and_cut_no_letter(text):
    parts = [*feeds._folded(text)]
    assert all(len(b" " + part) <= 75 for part in parts)
    assert b"".join(parts).decode() == text
    for part in parts:
        part.decode()


def test_what_a_calendar_would_read_otherwise_is_escaped():
    assert feeds._escaped("a,b;c\\d\ne") == "a\\,b\\;c\\\\d\\ne"
