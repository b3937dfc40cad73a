"""In a real browser: whole matches, by mouse, by keyboard and by watching, whatever breaks."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.http.stage import until
from tests.web.people import Person, Typist


@pytest.fixture
def type_(browser, base):
    made: list[Typist] = []

    def one() -> Typist:
        made.append(Typist(browser.new_context(base_url=base)))
        return made[-1]

    yield one
    for person in made:
        person.context.close()
    assert [error for person in made for error in person.errors] == []


def offer(person: Person, game: str, others: int, robots: int) -> str:
    """Offer a match by the form; the link to it."""
    page = person.page
    page.goto(f"/offer?game={game}")
    page.fill("#open", str(others))
    page.fill("#robots", str(robots))
    page.get_by_role("button", name="Offer the match").click()
    return person.link


def play_on(players: list[Person], most: int = 1000) -> None:
    """To the end, or for so many moves."""
    for _ in range(most):
        until(lambda: any(one.over or one.due for one in players), 60, 0.05)
        if all(one.over for one in players):
            return
        for one in players:
            if one.due and not one.over:
                one.play()


def test_two_people_and_a_robot_play_qwirkle_to_the_end(visit, type_):
    ann, ben, eve = visit(), type_(), visit()
    link = offer(ann, "qwirkle", 1, 1)
    ben.page.goto(link)
    ben.take_seat()
    eve.page.goto(link)
    play_on([ann, ben], 6)

    eve.context.set_offline(True)  # somebody who watches goes away
    expect(eve.page.locator("#lost")).to_be_visible()
    play_on([ann, ben], 4)
    missed = eve.seq()
    eve.context.set_offline(False)
    until(lambda: eve.seq() > missed)
    expect(eve.page.locator("#lost")).to_be_hidden()
    expect(eve.page.locator("#lines .away")).to_be_visible()

    ann.page.close()  # a killed tab
    ann.open().goto(link)
    play_on([ann, ben])
    for one in (ann, ben, eve):
        until(lambda one=one: one.over)
    assert ann.seq() == ben.seq() == eve.seq()
    seqs = eve.seqs()
    assert seqs == list(range(seqs[0], eve.seq() + 1))
    assert eve.page.locator(".seat.won").count() >= 1
