"""Web push in a real browser: its service worker is started by a push, shows it, and opens a table.

The message comes by the browser's own tools, as if a push service had brought it. What a headless
browser has not are two: a push service to subscribe at, and somebody who clicks on a notification.
So subscribing is done by a stand-in, and the click is an event made in the service worker. And as
such a browser forgets some notifications at once, or allows none, a stand-in keeps them.
"""

from __future__ import annotations

import pytest
from msgspec import json
from playwright.sync_api import expect

from services.notices import push
from services.notices.channels import Keys, Push, made
from services.notices.how import How
from services.notices.said import Notice
from services.notices.ways import letter
from tests.http.people import Player
from tests.http.stage import until

KEYS = Keys(push.public(push.new_key()), "A" * 22)
TO = Push("https://push.example/ann", KEYS)
SUBSCRIBE = f"""PushManager.prototype.subscribe = async ({{ userVisibleOnly, ...how }}) => {{
  const key = how.applicationServerKey.replace(/-/g, "+").replace(/_/g, "/");
  return userVisibleOnly && atob(key).length === 65 && {json.encode(TO).decode()};
}}"""
KEPT = """() => {
  const shown = [];
  const show = registration.showNotification.bind(registration);
  registration.showNotification = async (title, { icon, ...more }) => {
    if (Notification.permission === "granted") await show(title, { icon, ...more });
    const close = () => shown.splice(shown.indexOf(one), 1);
    const one = { title, ...more, icon: new URL(icon, location).href, close };
    shown.push(one);
  };
  registration.getNotifications = async () => [...shown];
  self.NotificationEvent = class extends Event {
    constructor(type, { notification }) { super(type).notification = notification; }
  };
}"""
SHOWN = """async () => (await registration.getNotifications())
  .map(({ title, body, tag, data, icon }) => ({ title, body, tag, data, icon }))"""
CLICK = """async () => {
  const [notification] = await registration.getNotifications();
  const event = new NotificationEvent("notificationclick", { notification });
  let done;
  event.waitUntil = (promise) => (done = promise);
  let did = "";
  clients.openWindow = async (url) => (did = `opened ${url}`);
  WindowClient.prototype.focus = async function () { did = `went to ${this.url}`; };
  dispatchEvent(event);
  await done;
  return [did, (await registration.getNotifications()).length];
}"""


@pytest.fixture
def ann(base):
    with Player(base) as player:
        yield player


@pytest.fixture
def at_home(visit, base, ann):
    """Ann at her notices, in a browser that may show some."""
    visitor = visit()
    visitor.context.add_cookies([{"name": "turnfold", "value": ann.token, "url": base}])
    visitor.context.grant_permissions(["notifications"], origin=base)
    visitor.page.add_init_script(SUBSCRIBE)
    visitor.page.goto("/me/notices")
    return visitor


def subscribed(visitor):
    """Her service worker, and how a push is brought to it."""
    tools = visitor.context.new_cdp_session(visitor.page)
    known: list[str] = []

    def hear(told) -> None:
        known.extend(one["registrationId"] for one in told["registrations"])

    def bring(data: str) -> None:
        asked = {"origin": origin, "registrationId": known[0], "data": data}
        tools.send("ServiceWorker.deliverPushMessage", asked)

    tools.on("ServiceWorker.workerRegistrationUpdated", hear)
    tools.send("ServiceWorker.enable")
    origin = visitor.page.evaluate("location.origin")
    with visitor.context.expect_event("serviceworker") as started:
        visitor.page.get_by_role("button", name="Tell me in this browser").click()
    expect(visitor.page.locator(".guests li")).to_contain_text("A browser: your turn")
    started.value.evaluate(KEPT)
    return started.value, bring


def message(id: str, match: str) -> str:
    """What the house seals for this browser when it is Ann's turn."""
    told = Notice("turn", match, "qwirkle", "a" * 16, 0, 7, 0)
    sent = letter(id, made(TO, ("turn",), 0, "en"), told, How(), push.new_key())
    return sent.args[2].decode()


def test_a_push_is_shown_and_leads_to_its_table(ann, at_home):
    worker, bring = subscribed(at_home)
    table = f"/table/{ann.offer('high-card')}"
    bring(message("n1", table.removeprefix("/table/")))
    [shown] = until(lambda: worker.evaluate(SHOWN), 30)
    assert shown["title"] == "Qwirkle: it is your turn"
    assert (shown["tag"], shown["data"]) == ("n1", table)
    assert at_home.page.request.get(shown["icon"]).headers["content-type"] == "image/png"
    assert worker.evaluate(CLICK) == [f"opened {table}", 0]

    at_home.page.goto(table)
    bring(message("n2", table.removeprefix("/table/")))
    until(lambda: worker.evaluate(SHOWN), 30)
    assert worker.evaluate(CLICK) == [f"went to {at_home.page.url}", 0]
