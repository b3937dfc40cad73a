"""In a real browser: whole matches, by mouse, by keyboard and by watching, whatever breaks."""

from __future__ import annotations

import os
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import FilePayload, expect

from services.client import Client
from services.client.wits import climb, stroll
from tests.commands.processes import run
from tests.http.people import Player, table
from tests.http.stage import until
from tests.web.laptop import closed
from tests.web.people import Advised, Person, Typist
from tests.web.proxy import Proxy

LONG = bool(os.environ.get("TURNFOLD_LONG"))


def offer(person: Person, game: str, others: int, robots: int, **options: str) -> str:
    """Offer a match by the form; the link to it."""
    page = person.page
    page.goto(f"/offer?game={game}")
    page.fill("#open", str(others))
    page.fill("#robots", str(robots))
    for name, value in options.items():
        page.fill(f"#option-{name}", value)
    page.get_by_role("button", name="Offer the match").click()
    return person.link


def audited(person: Person) -> bool:
    """Does the match's file hold against all that this browser has kept of it?"""
    _, _, _, *kept = person.page.locator("#proof code").inner_text().split()
    assert {*kept[::2]} == {"--head", "--commitment", "--entropy"}
    with person.page.expect_download() as download:
        person.page.locator("#act a[download]").click()
    return run("audit", str(download.value.path()), *kept).returncode == 0


def audited_here(person: Person) -> None:
    """By the browser itself: beside the server, then alone; and files that were changed."""
    page = person.page
    with page.expect_download() as download:
        page.locator("#act a[download]").click()
    whole = download.value.path().read_bytes()
    page.locator("#act a[href^='/audit']").click()
    expect(page.locator("#verdict")).to_have_text("True: high-card, 5 entries")
    assert page.locator(".findings .found-true").count() == 7
    page.set_input_files("#file", _named(whole.replace(b'"why":"', b'"why":"un')))
    expect(page.locator(".found-false")).to_contain_text("not those that this server folds")
    person.context.set_offline(True)
    for file, verdict in ((whole, "True"), (whole.replace(b"joined", b"jointd", 1), "Not true")):
        page.set_input_files("#file", _named(file))
        expect(page.locator("#verdict")).to_contain_text(verdict)
        expect(page.locator(".found-null").last).to_contain_text("not asked")
    expect(page.locator(".found-false").first).to_contain_text("was changed")
    person.context.set_offline(False)


def _named(file: bytes) -> FilePayload:
    return {"name": "match.json", "mimeType": "text/json", "buffer": file}


def play_on(players: list[Person], most: int = 1000, advised: bool = False) -> None:
    """To the end, or for so many moves; each in its own way, or as the page suggests."""
    for _ in range(most):
        until(lambda: any(one.over or one.due for one in players), 60, 0.1)
        if all(one.over for one in players):
            return
        for one in players:
            if one.due and not one.over:
                Advised.play(one) if advised else one.play()


def test_two_people_and_a_robot_play_qwirkle_to_the_end(visit):
    ann, ben, eve = visit(), visit(Typist), visit()
    link = offer(ann, "qwirkle", 1, 4)  # the most robots, so that people have the fewest turns
    ben.page.goto(link)
    ben.take_seat()
    eve.page.goto(link)
    here = ".seat .here:visible"
    expect(eve.page.locator(here)).to_have_count(2)
    expect(ben.page.locator(here)).to_have_count(1)
    play_on([ann, ben], 2)

    eve.context.set_offline(True)  # somebody who watches goes away
    expect(eve.page.locator("#lost")).to_be_visible()
    ann.page.close()  # a killed tab
    expect(ben.page.locator(here)).to_have_count(0)
    ann.open().goto(link)
    expect(ben.page.locator(here)).to_have_count(1)
    play_on([ann, ben], 2)
    play_on([ann, ben], 6, advised=True)
    missed = eve.seq()
    eve.context.set_offline(False)
    until(lambda: eve.seq() > missed, 60)
    expect(eve.page.locator("#lost")).to_be_hidden()
    expect(eve.page.locator("#lines .away")).to_be_visible()
    expect(eve.page.locator("#missed")).to_be_visible()
    play_on([ann, ben], advised=True)
    for one in (ann, ben, eve):
        until(lambda one=one: one.over, 60)
    assert ann.seq() == ben.seq() == eve.seq()
    seqs = eve.seqs()
    assert seqs == list(range(seqs[0], eve.seq() + 1))
    assert eve.page.locator(".seat.won").count() >= 1


@pytest.mark.skipif(not LONG, reason="minutes of clicking: make long")
@pytest.mark.parametrize(
    ("game", "options"),
    [("captain-flip", {}), ("flipology", {}), ("flipout", {}), ("uno-flip", {"target": "round"})],
)
def test_two_people_and_a_robot_play_every_other_game(visit, game, options):
    """One by what is lit on the board, one by what is suggested; both see the same end."""
    ann, ben = visit(), visit(Advised)
    ben.page.goto(offer(ann, game, 1, 1, **options))
    ben.take_seat()
    play_on([ann, ben])
    until(lambda: ann.over and ben.over, 60)
    assert ann.seq() == ben.seq()
    assert ann.page.locator(".seat.won").count() >= 1


def test_high_card_is_played_and_replayed(visit):
    """By mouse and by keyboard; then stepped through with the arrow keys."""
    ann, ben = visit(), visit(Typist)
    ben.page.goto(offer(ann, "high-card", 1, 0))
    ben.take_seat()
    play_on([ann, ben])
    assert ann.page.locator(".seat.won").count() == 1
    expect(ben.page).to_have_title(re.compile(r"^High card: .* won – Turnfold$"))
    assert audited(ben)
    table = ben.page.url
    audited_here(ben)
    ben.page.goto(table)
    ben.press_to("Replay")
    expect(ben.page.locator("#moment .help")).to_contain_text("Entry 1 of 5")
    ben.tab_to("seq")
    for _ in range(3):
        ben.page.keyboard.press("ArrowRight")
    expect(ben.page.locator("#moment .help")).to_contain_text("Entry 4 of 5")
    expect(ben.page).to_have_url(re.compile("seq=4"))
    assert ben.focus() == "seq"
    ben.press_to("next")
    expect(ben.page.locator("#moment .stands")).to_contain_text("won")
    ben.page.get_by_text("Watch without knowing the end").click()
    expect(ben.page.locator("#moment .help")).not_to_contain_text(" of ")
    assert ben.page.locator(".seat.won").count() == 0
    ben.page.select_option("#of", index=1)
    expect(ben.page).to_have_url(re.compile(r"seq=[34]&hide=1"))
    ben.press_to("auto")
    expect(ben.page.locator("#moment .help")).to_contain_text("Entry 5, the last")
    expect(ben.page.locator("#auto")).to_have_text("Autoplay")


def test_a_move_in_the_making_outlives_what_others_do(visit):
    ann, ben = visit(), visit()
    ben.page.goto(offer(ann, "flipology", 1, 0))
    ben.take_seat()
    until(lambda: ann.due and ben.due, 60)
    for _ in range(2):
        ann.pick()
    made = ann.page.locator(".made .move").inner_text()
    ann.page.fill("#typed", "arrange 7")
    seq = ann.seq()
    ben.play()
    ann.moved_on(seq)
    expect(ann.page.locator(".made .move")).to_have_text(made)
    expect(ann.page.locator("#typed")).to_have_value("arrange 7")
    expect(ann.page.locator("#typed")).to_be_focused()
    ann.page.locator("#undo").click()
    expect(ann.page.locator(".made .move")).not_to_have_text(made)


def test_the_page_comes_back_after_whatever_cuts_it_off(visit, house, base):
    """A proxy that cuts idle connections, an api that is killed, a network that is away."""
    api = house.api(TURNFOLD_PLAIN="1").ready()
    proxy = Proxy(api.base)
    ann, eve = visit(), visit(at=proxy.base)
    link = offer(ann, "qwirkle", 0, 1)
    eve.page.goto(proxy.base + urlsplit(link).path)

    def goes_on() -> None:
        """A move of Ann's and the robot's answer come to Eve."""
        until(lambda: ann.due, 60)
        ann.play(large=False)
        until(lambda: ann.due, 60)
        until(lambda: eve.seq() == ann.seq(), 60)
        expect(eve.page.locator("#lost")).to_be_hidden()

    goes_on()
    proxy.cut()
    goes_on()
    api.kill()
    expect(eve.page.locator("#lost")).to_be_visible()
    api.start()
    goes_on()
    ann.context.set_offline(True)
    expect(ann.page.locator("#lost")).to_be_visible()
    ann.context.set_offline(False)
    goes_on()
    proxy.close()
    assert eve.seqs() == list(range(1, eve.seq() + 1))


def test_a_laptop_sleeps_and_wakes_up(visit, base):
    """While the browser is stopped its connections are cut, and others play on."""
    proxy = Proxy(base)
    eve = visit(at=proxy.base)
    with Client.register(base, "Ann") as ann:
        match = ann.offer("qwirkle", [None, "greedy"]).match
        ann.join(match)
        eve.page.goto(f"{proxy.base}/table/{match}")
        expect(eve.page.locator("#watching")).to_be_visible()  # it hears
        with closed():
            proxy.cut()
            for _ in range(3):
                look = ann.my_turn(match)
                ann.play(look, stroll(ann, look))
            look = ann.my_turn(match)
        until(lambda: eve.seq() == look.seq, 60)
    expect(eve.page.locator("#lost")).to_be_hidden()
    assert eve.seqs() == list(range(1, look.seq + 1))
    proxy.close()


def test_what_is_wrong_with_a_move_is_told_and_goes_away(visit, base):
    """What is no move, what the rules refuse, what comes after the table has changed."""
    ann = visit()
    match = offer(ann, "qwirkle", 0, 1).rpartition("/")[2]
    until(lambda: ann.due, 60)
    page, banner = ann.page, ann.page.locator("#act .wrong")
    play = page.get_by_role("button", name="Play it")
    for typed, says in (("fly", "That is no move"), ("pass", "a seat passes only when")):
        page.fill("#typed", typed)
        play.click()
        expect(banner).to_contain_text(says)
        expect(page.locator("#typed")).to_have_value(typed)
        expect(page.locator("#typed")).to_be_focused()
    page.get_by_role("button", name="Suggest a move").click()
    expect(banner).to_have_count(0)
    expect(page.locator("#play")).to_be_visible()
    page.route("**/live?*", lambda route: route.abort())  # the page does not learn what happens
    [cookie] = ann.context.cookies()
    with Client(base, cookie["value"]) as elsewhere:
        look = elsewhere.look(match)
        elsewhere.play(look, climb(elsewhere, look))
        seq = elsewhere.my_turn(match).seq
    page.locator("#play").click()
    expect(banner).to_contain_text("The table changed before your move came")
    assert ann.seq() == seq
    assert ann.seqs()[-1] == seq
    page.unroute("**/live?*")
    Advised.play(ann)
    expect(banner).to_have_count(0)
    expect(page.locator("#lost")).to_be_hidden()
    asked_for = ("status of 422", "ERR_FAILED")
    assert [error for error in ann.errors if not any(one in error for one in asked_for)] == []
    ann.errors.clear()


def test_a_note_is_kept_without_leaving_the_table(visit):
    ann, eve = visit(), visit()
    link = offer(ann, "high-card", 0, 1)
    until(lambda: ann.due, 60)
    page, seq = ann.page, ann.seq()
    page.evaluate("document.body.dataset.stays = 1")
    kept = page.locator("#notes .notes li")
    for text in ("trade?", "<b>no</b>"):
        page.fill("#note", text)
        page.get_by_role("button", name="Keep the note").click()
        expect(kept).to_contain_text(text)
        expect(page.locator("#note")).to_have_value("")
    expect(kept).to_have_count(1)
    ann.play()
    page.fill("#note", "well")
    page.get_by_role("button", name="Keep the note").click()
    expect(kept).to_have_count(2)
    assert page.evaluate("document.body.dataset.stays") == "1"
    page.reload()
    expect(kept).to_have_text([f"{seq} trade?\n<b>no</b>", re.compile(r"^\d+ well$")])
    eve.page.goto(link)
    expect(eve.page.locator("#board")).to_be_visible()
    expect(eve.page.locator("#notes .notes")).to_have_count(0)


def test_lists_of_matches_live(visit, base):
    ann, eve = visit(), visit()
    ann.page.goto("/")
    eve.page.goto("/lobby?game=flipout")
    with Player(base) as ben, Player(base) as cat:
        name = ben.offer("flipout", 3)
        for one in (ann, eve):
            row = one.page.locator(f'[data-match="{name}"]')
            expect(row).to_contain_text("2 of 3 seats open")
        cat.join(name)
        for one in (ann, eve):
            row = one.page.locator(f'[data-match="{name}"]')
            expect(row).to_contain_text("1 of 3 seats open")


def test_an_order_in_the_making_keeps_its_condition_whatever_happens_meanwhile(visit, base):
    """By keyboard alone; it would be played for what nobody meant, if it lost a part of it."""
    with Player(base) as ann, Player(base) as ben:
        match, [acts, waits] = table(iter((ann, ben)).__next__)
        eve = visit()
        eve.context.add_cookies([{"name": "turnfold", "value": waits.token, "url": base}])
        page = eve.page
        page.goto(f"/table/{match}")
        page.focus("#order")
        page.keyboard.type("keep")
        for key in ("Tab", *["ArrowDown"] * 3, "Tab", "Enter"):  # dealt, kept, traded
            page.keyboard.press(key)
        page.focus("#heard-seat")
        page.keyboard.press("ArrowDown")
        page.fill("#heard-card", "7")
        acts.post(f"/matches/{match}/propose", json={"what": {"type": "end"}})
        expect(page.locator("#act .proposal")).to_be_visible()
        page.get_by_role("button", name="Give the order").press("Enter")
        [given] = until(lambda: waits.get(f"/matches/{match}/orders").json()["orders"], 30)
        assert given["if"] == {"type": "traded", "seat": 0, "card": 7}
