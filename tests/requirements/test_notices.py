"""Notices, by real processes: webhooks, mail, push and feeds, and senders that are killed."""

from __future__ import annotations

import hmac
import json
import re
from base64 import b64decode, b64encode, urlsafe_b64encode
from collections import Counter
from xml.etree import ElementTree

import httpx
import pytest

from services.ledger import Ask
from services.notices import outbox
from tests.http.people import Player, problem
from tests.http.stage import until
from tests.notices.outdoors import Receiver, certificate

SITE = "https://play.example"
KEEP = {"type": "keep"}
SOON = 90  # seconds in which what must come has come, on a machine with much to do


@pytest.fixture(scope="module")
def pem(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("pem") / "localhost.pem")


@pytest.fixture(scope="module")
def web(pem):
    receiver = Receiver("web", pem, pem.with_name("web.log"))
    yield receiver
    receiver.stop()


@pytest.fixture(scope="module")
def mail(pem):
    receiver = Receiver("mail", pem, pem.with_name("mail.log"))
    yield receiver
    receiver.stop()


@pytest.fixture(scope="module")
def env(pem, mail):
    return {
        "SSL_CERT_FILE": str(pem),
        "TURNFOLD_SITE": SITE,
        "TURNFOLD_NOTICE_DELAY": "0",
        "TURNFOLD_NOTICES_LOOPBACK": "1",
        "TURNFOLD_SMTP": f"smtp://localhost:{mail.port}",
        "TURNFOLD_MAIL_FROM": "turnfold@play.example",
    }


@pytest.fixture(scope="module")
def workers(stage, env):
    """React and a sender, on the server of the other tests for as long as these here run."""
    both = [stage.worker(f"workers.{name}", **env) for name in ("react", "notify")]
    yield both
    for one in both:
        one.stop()


@pytest.fixture(scope="module")
def house(stage, env, workers):
    return stage.api(TURNFOLD_PLAIN="1", **env).ready().base


@pytest.fixture
def wire(stage):
    wire = stage.wire()
    yield wire
    wire.close()


@pytest.fixture
def people(make, house):
    return make(base=house, name="Ann"), make(base=house, name="Bob")


def added(player: Player, to: dict, *wants: str) -> dict:
    made = player.post("/players/me/channels", json={"to": to, "wants": wants or ["turn"]})
    assert made.status_code == 201, made.text
    return made.json()


def seated(ann: Player, bob: Player, **more) -> str:
    match = ann.offer(policy={"order": "joined"} | more)
    assert bob.join(match).status_code == 201
    return match


def of(match: str, got: list[dict]) -> list[dict]:
    return [one for one in got if one["headers"]["webhook-id"].startswith(match)]


def signed(secret: str, one: dict) -> str:
    """As Standard Webhooks says, worked out here again."""
    id, at = one["headers"]["webhook-id"], one["headers"]["webhook-timestamp"]
    key = b64decode(secret.removeprefix("whsec_"))
    made = hmac.new(key, f"{id}.{at}.".encode() + one["body"], "sha256")
    return "v1," + b64encode(made.digest()).decode()


def test_r38_a_turn_is_told_once_to_each_channel_whoever_is_killed(people, web, workers, wire):
    ann, bob = people
    made = added(ann, {"type": "webhook", "url": f"https://localhost:{web.port}/slow"})
    added(bob, {"type": "webhook", "url": f"https://localhost:{web.port}/hook"})
    match = seated(ann, bob)
    [one] = until(lambda: of(match, web.to("/slow")), SOON)
    id = one["headers"]["webhook-id"]
    for worker in workers:  # it has been taken, and nobody could write that down
        worker.kill()
        worker.start()
    wire.ask(Ask(("ZADD", outbox.DUE, 0, id), int))  # time flies: the lease is over
    _, again = until(lambda: (got := of(match, web.to("/slow")))[1:] and got, SOON)
    assert again["headers"]["webhook-id"] == id
    until(lambda: wire.ask(outbox.count_waiting()) == 0, SOON)
    event = json.loads(one["body"])
    assert (
        event["id"] == one["headers"]["webhook-id"] == f"{match}-0-3-{made['channel']['id']}-turn"
    )
    assert (event["specversion"], event["type"]) == ("1.0", "turnfold.turn")
    assert (event["subject"], event["sequence"]) == (match, "000003")
    assert event["data"]["url"] == f"{SITE}/table/{match}"
    assert one["headers"]["webhook-signature"] == signed(made["secret"], one)
    assert one["headers"]["host"] == f"localhost:{web.port}"
    assert ann.play(match, KEEP, 3).status_code == 201
    until(lambda: of(match, web.to("/hook")), SOON)
    later = seated(bob, ann)  # what comes of this comes after all that may come of the other
    until(lambda: of(later, web.to("/hook")), SOON)
    ids = Counter(got["headers"]["webhook-id"] for got in of(match, web.got()))
    assert sorted(ids.values()) == [1, 2]
    assert bob.play(match, KEEP, 4).status_code == 201


def test_an_address_of_mail_is_confirmed_then_told_and_one_click_ends_that(people, mail, house):
    ann, bob = people
    address = f"{ann.id}@example.org"
    id = added(ann, {"type": "email", "address": address})["channel"]["id"]

    def mails() -> list:
        return [one for one in mail.mails() if one["to"] == address]

    [first] = until(mails, SOON)
    [code] = re.findall(r"^\d{8}\r?$", first.get_content(), re.M)
    assert problem(ann.post(f"/players/me/channels/{id}/confirm", json={"code": "x"})) == (
        "422 invalid"
    )
    sent = ann.post(f"/players/me/channels/{id}/confirm", json={"code": code.strip()})
    assert sent.status_code == 204
    match = seated(ann, bob)
    _, told = until(lambda: (got := mails())[1:] and got, SOON)
    assert "High card: it is your turn" in told["subject"]
    assert f"{SITE}/table/{match}" in told.get_content()
    assert told["message-id"].startswith(f"<{match}-0-3-{id}-turn@")
    assert told["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    assert all(one["safe"] for one in mail.got())
    link = told["list-unsubscribe"].strip("<>").replace(SITE, house)
    assert httpx.get(link, headers={"accept": "text/html"}).status_code == 200
    assert len(ann.get("/players/me/channels").json()) == 1
    ended = httpx.post(link, data={"List-Unsubscribe": "One-Click"})
    assert ended.status_code == 200
    assert ann.get("/players/me/channels").json() == []


def test_a_browser_is_pushed_what_only_it_can_read(people, web, house):
    from cryptography.hazmat.primitives.asymmetric import ec

    from tests.notices.browser import opened, point, vouched

    ann, bob = people
    key, auth = ec.generate_private_key(ec.SECP256R1()), bytes(range(16))
    text = lambda raw: urlsafe_b64encode(raw).rstrip(b"=").decode()  # noqa: E731
    endpoint = f"https://localhost:{web.port}/push-{ann.id}"
    keys = {"p256dh": text(point(key)), "auth": text(auth)}
    added(ann, {"type": "push", "endpoint": endpoint, "keys": keys, "expirationTime": None})
    match = seated(ann, bob)
    [one] = until(lambda: web.to(f"/push-{ann.id}"), SOON)
    shown = json.loads(opened(one["body"], key, auth))
    assert shown["url"] == f"/table/{match}"
    assert shown["title"] == "High card: it is your turn"
    own = httpx.get(f"{house}/push-key").json()["key"]
    assert vouched(one["headers"]["authorization"], own)["aud"] == f"https://localhost:{web.port}"


def test_a_calendar_and_a_feed_reader_see_turns_and_deadlines(people, house):
    from icalendar import Calendar

    ann, bob = people
    channel = added(ann, {"type": "feed"})["channel"]
    atom, ics = (f"{house}{path}" for path in channel["feeds"])
    name = "{http://www.w3.org/2005/Atom}"
    assert list(Calendar.from_ical(httpx.get(ics).content).walk("VEVENT")) == []
    match = seated(ann, bob, clock={"type": "move", "seconds": 3600})
    seated(bob, ann)  # does not wait for her, and has no clock
    until(lambda: match in httpx.get(atom).text, SOON)
    got = httpx.get(ics)
    assert got.headers["content-type"].startswith("text/calendar")
    [event] = Calendar.from_ical(got.content).walk("VEVENT")
    look = ann.look(match)
    assert event["dtstart"].dt.timestamp() == look["deadline"][0] // 1000
    assert str(event["uid"]) == f"{match}-0-3@turnfold"
    assert event["sequence"] == 0
    assert str(event["url"]) == f"{house}/table/{match}"
    got = httpx.get(atom)
    feed = ElementTree.fromstring(got.content)
    [entry] = feed.findall(f"{name}entry")
    assert entry.find(f"{name}link").get("href") == f"{house}/table/{match}"
    for one in (feed, entry):
        assert {f"{name}{what}" for what in ("id", "title", "updated")} <= {
            part.tag for part in one
        }
    kept = {"if-none-match": got.headers["etag"]}
    assert httpx.get(atom, headers=kept).status_code == 304
    assert httpx.get(atom.replace(channel["id"], "x")).status_code == 404
    assert ann.delete(f"/players/me/channels/{channel['id']}").status_code == 204
    assert [httpx.get(path).status_code for path in (atom, ics)] == [404, 404]
