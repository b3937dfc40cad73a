"""In a real browser: a finished match, looked at from both seats, played on from an entry, and what
moves on its way."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.http.people import Player
from tests.http.stage import until
from tests.web.test_browser import offer, play_on

HEARD = """window.motions = 0; window.ways = [];
addEventListener("animationstart", (event) => event.target.closest("#board") && motions++);
const animate = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  motions++;
  ways.push(parseFloat(how[0][0].translate));
  return animate.apply(this, how);
};"""


def test_a_replay_is_scrubbed_from_both_seats_and_a_branch_is_played(visit):
    """High card against a robot: Ann goes back to her first choice and plays it against another."""
    ann = visit()
    ann.page.goto(offer(ann, "high-card", 0, 1))
    play_on([ann])
    page, table = ann.page, ann.page.url
    name = page.locator(".seat.you .name").inner_text()
    page.get_by_role("link", name="Replay", exact=True).click()
    for seat, hidden in (("0", 1), ("1", 1), ("open", 0)):
        page.select_option("#as", seat)
        for seq in (3, 2):
            page.locator("#seq").fill(str(seq))
            expect(page.locator("#moment .help")).to_contain_text(f"Entry {seq} of")
            backs = page.locator("#board svg[aria-label*='unseen']")
            expect(backs).to_have_count(hidden)
    page.select_option("#branch-seat", label=name)
    page.get_by_role("button", name="Play on", exact=True).click()
    expect(page.locator("#act")).to_be_visible()
    assert page.url != table
    until(lambda: ann.due or ann.over, 60)
    seq = ann.seq()
    play_on([ann])
    assert ann.seq() > seq
    assert page.locator(".seat.won").count() >= 1
    assert page.locator("#act a[download]").count() == 0, "a branch is no match to be audited"


def test_nothing_moves_for_who_wants_no_motion(visit, base):
    with Player(base) as ann, Player(base) as ben:
        name = ann.offer("high-card", policy={"order": "joined"})
        ben.join(name)
        ann.play(name, {"type": "trade"}, 3)
        ben.play(name, {"type": "keep"}, 4)
    moved = {}
    for wish in ("no-preference", "reduce"):
        eve = visit(reduced_motion=wish)
        eve.context.add_init_script(HEARD)
        eve.page.goto(f"/table/{name}/replay?seq=3&as=watcher")
        for entry in (4, 5):
            eve.page.locator("#next").click()
            eve.page.locator(f"#moment p[data-seq='{entry}']").wait_for()
        if wish == "no-preference":
            eve.page.wait_for_function("motions > 2")  # a card from the deck, two turned over
            [right] = eve.page.evaluate("ways")
            assert right > 50, "the deck lies right of who trades"
        moved[wish] = eve.page.evaluate("motions")
    assert moved["no-preference"] > moved["reduce"] == 0
