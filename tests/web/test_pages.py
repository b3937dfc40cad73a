"""The pages without a browser: who is let in, what is refused, what works without scripts."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html import unescape
from html.parser import HTMLParser
from io import BytesIO
from unittest.mock import patch

import httpx
import pytest
from PIL import Image

from engine.catalogue import GAMES
from engine.look import look
from engine.match import DAY
from services.api import make_app
from services.limits import Limits
from services.settings import Settings
from services.web.boards import BOARDS
from services.web.shown import warning
from services.web.site import ROUTERS
from services.web.vacations import Leave, why_not
from tests.engine.logs import after, dealt
from tests.engine.test_absent import late
from tests.http.people import Player, problem
from tests.http.stage import until

PAGES = [
    "/",
    "/wall",
    "/audit",
    "/lobby",
    "/offer",
    "/me",
    "/me/vacation",
    "/rules/qwirkle",
    "/ratings",
    "/contests",
]
PAGES += ["/lobby?state=over&game=qwirkle"]
POSTS = [route.path for router in ROUTERS for route in router.routes if "POST" in route.methods]
POSTS.remove("/unsubscribe")  # for programs that read mail: its link is the key, no session counts


class Surfer(httpx.Client):
    """A browser without scripts: it keeps cookies, says where a form came from, follows."""

    def __init__(self, base: str) -> None:
        headers = {"accept": "text/html", "origin": base}
        super().__init__(base_url=base, headers=headers, follow_redirects=True, verify=False)

    def send_form(self, at: str, text: str, **fields: str) -> httpx.Response:
        """Send the form of a page that goes there, filled in."""
        form = Forms.of(text)[at]
        return self.post(at, data=form | fields)

    def offer(self, game: str, **fields: str) -> str:
        """The name of a match that was offered by the form."""
        sent = self.send_form("/offer", self.get(f"/offer?game={game}").text, **fields)
        assert sent.status_code == 200, sent.text
        return name_of(sent)

    def my_turn(self, match: str) -> str:
        """The table once something can be chosen."""
        return until(lambda: (got := self.get(f"/table/{match}").text).count('id="typed"') and got)

    def play(self, game: str) -> httpx.Response:
        """Sit at a new table; its page."""
        return self.post("/play", data={**csrf_in(self.get("/").text), "game": game})


class Forms(HTMLParser):
    """The forms of a page, by where they go: the fields they send unasked."""

    @classmethod
    def of(cls, text: str) -> dict[str, dict[str, str]]:
        parser = cls()
        parser.found, parser.at = {}, ""
        parser.feed(text)
        return parser.found

    def handle_starttag(self, tag, attrs):
        said = dict(attrs)
        if tag == "form":
            self.at = said["action"]
            self.found.setdefault(self.at, {})
        checked = said.get("type") != "checkbox" or "checked" in said
        if tag == "input" and said.get("name") and self.at and checked:
            self.found[self.at].setdefault(said["name"], said.get("value", ""))


def csrf_in(text: str) -> dict[str, str]:
    return {"csrf": re.search(r'name="csrf" value="(\w*)"', text).group(1)}


def name_of(response: httpx.Response) -> str:
    return response.url.path.split("/")[2]


@pytest.fixture
def surf(base) -> Iterator:
    made: list[Surfer] = []

    def one() -> Surfer:
        made.append(Surfer(base))
        return made[-1]

    yield one
    for surfer in made:
        surfer.close()


@pytest.mark.parametrize("path", PAGES)
def test_pages_load_nothing_from_elsewhere(surf, path):
    got = surf().get(path)
    assert got.status_code == 200
    assert got.headers["content-type"] == "text/html; charset=utf-8"
    policy = got.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert re.findall(r'(?:src|href|action)="(?:https?:)?//', got.text) == []
    assert re.findall(r'<script>|<style|style="| on\w+="', got.text) == []


def test_the_front_speaks_to_each_as_it_is_spoken_to(base, surf):
    plain = httpx.get(base)
    assert plain.headers["content-type"].startswith("text/plain")
    assert plain.text.startswith("Turnfold")
    assert surf().get("/").text.startswith("<!doctype html>")


def test_what_is_not_there_is_said_in_the_same_tongue(base, surf):
    assert surf().get("/nothing").text.startswith("<!doctype html>")
    assert problem(httpx.get(f"{base}/nothing")) == "404 no-such-thing"
    assert surf().get("/static/turnfold.css").headers["cache-control"].endswith("immutable")
    assert surf().get("/static/../render.py").status_code == 404


def test_a_browser_that_asks_too_much_is_told_in_a_page():
    """By the front itself, which no route of ours has reached yet."""
    front = make_app("unix:///nowhere", settings=Settings(Limits(requests=1, burst=2)))

    async def ask(*asked: tuple[str, str]) -> list[httpx.Response]:
        headers, transport = {"accept": "text/html,*/*;q=0.8"}, httpx.ASGITransport(front)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://house", headers=headers
        ) as browser:
            return [await browser.request(*one) for one in asked]

    feed, rules = "/matches/0-aaaaaaaaaaaaaaaa/feed", "/rules/qwirkle"
    with patch("services.front.monotonic", return_value=100.0):  # no time passes, however slow
        wrong, _, many = asyncio.run(ask(("PUT", feed), ("GET", rules), ("GET", rules)))
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "GET")
    assert (many.status_code, many.headers["retry-after"]) == (429, "1")
    assert "Too many at once" in many.text
    assert "Try again in 1 second." in many.text
    for told in (wrong, many):
        assert told.headers["content-type"] == "text/html; charset=utf-8"
        assert "default-src 'none'" in told.headers["content-security-policy"]
        assert told.headers["x-request-id"]


@pytest.mark.parametrize("game", GAMES)
def test_any_game_is_played_without_scripts(surf, game):
    """A move of one's own is made by links and forms alone."""
    surfer = surf()
    at = surfer.play(game)
    assert at.status_code == 200, at.text
    name = name_of(at)
    text = surfer.my_turn(name)
    seq = surfer.get(f"/matches/{name}/look").json()["seq"]
    while 'id="play"' not in text:
        if link := re.search(r'<a href="([^"]*)" class="pick', text) or re.search(
            r'<a href="([^"]*)" class="hold', text
        ):
            text = surfer.get(unescape(link[1])).text
            continue
        trail = re.findall(r'name="made" value="([^"]*)"', text[text.index('"choices"') :])
        trail.append(re.search(r'id="m-[^"]*" name="move" value="([^"]*)"', text).group(1))
        text = surfer.get(f"/table/{name}", params={"made": trail}).text
    moved = surfer.send_form(f"/table/{name}/moves", text)
    assert moved.status_code == 200
    assert moved.history[0].status_code == 303
    assert surfer.get(f"/matches/{name}/look").json()["seq"] > seq


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": None},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_no_other_site_can_send_our_forms(surf, headers):
    surfer = surf()
    name = name_of(surfer.play("high-card"))
    text = surfer.my_turn(name)
    before = surfer.get(f"/matches/{name}/look").json()["seq"]
    for header, value in headers.items():
        surfer.headers.pop(header, None)
        if value is not None:
            surfer.headers[header] = value
    fields = csrf_in(text) | {"game": "high-card", "move": "keep"}
    for path in POSTS:
        assert (
            surfer.post(path.format(match=name, id=name, what="come"), data=fields).status_code
            == 403
        )
    assert surfer.get(f"/matches/{name}/look").json()["seq"] == before


def test_a_form_of_another_session_is_refused(surf):
    one, two = surf(), surf()
    name = name_of(one.play("high-card"))
    two.play("high-card")
    for csrf in ({}, {"csrf": ""}, csrf_in(two.get("/").text)):
        for path in POSTS:
            sent = one.post(
                path.format(match=name, id=name, what="come"), data=csrf | {"game": "high-card"}
            )
            assert sent.status_code == 403


def test_a_cookie_reads_as_its_player_and_writes_nothing(surf):
    surfer = surf()
    name = name_of(surfer.play("high-card"))
    look = surfer.get(f"/matches/{name}/look")
    assert look.json()["viewer"] in (0, 1)
    assert "Cookie" in look.headers["vary"]
    sent = surfer.post(
        f"/matches/{name}/moves",
        json={"type": "keep"},
        headers={"if-match": '"9"', "accept": "*/*"},
    )
    assert problem(sent) == "401 who-are-you"
    assert problem(surfer.post("/matches", json={}, headers={"accept": "*/*"})) == "401 who-are-you"


def test_the_cookie_is_kept_from_scripts_and_signs_out(surf, base):
    surfer = surf()
    surfer.follow_redirects = False
    sent = surfer.post("/play", data={"game": "high-card", "csrf": ""})
    said = sent.headers["set-cookie"].lower()
    assert "httponly" in said
    assert "samesite=lax" in said
    kept = dict(surfer.cookies)
    surfer.post("/me/leave", data=csrf_in(surfer.get("/me").text))
    assert not dict(surfer.cookies)
    with httpx.Client(base_url=base, cookies=kept) as thief:
        assert problem(thief.get("/players/me")) == "401 who-are-you"


def test_a_name_is_shown_as_it_was_written(surf):
    surfer = surf()
    name = name_of(surfer.play("high-card"))
    bad = "<script>alert(1)</script>"
    surfer.send_form("/me/name", surfer.get("/me").text, name=bad)
    for path in (f"/table/{name}", f"/table/{name}/replay", "/", "/me", "/lobby?state=running"):
        text = surfer.get(path).text
        assert bad not in text
    assert "&lt;script&gt;alert(1)" in surfer.get(f"/table/{name}").text


def test_a_move_is_typed_and_a_refusal_says_why(surf):
    surfer = surf()
    name = name_of(surfer.play("high-card"))
    text = surfer.my_turn(name)
    wrong = surfer.send_form(f"/table/{name}/moves", text, move="castle")
    assert wrong.status_code == 422
    assert "That is no move: say `keep` or `trade`." in wrong.text
    assert 'value="castle"' in wrong.text
    right = surfer.send_form(f"/table/{name}/moves", text, move=" keep ")
    assert right.status_code == 200
    assert "keeps." in right.text


def test_an_offer_says_what_is_wrong_and_keeps_what_was_filled_in(surf):
    surfer = surf()
    text = surfer.get("/offer?game=qwirkle").text
    wrong = surfer.send_form("/offer", text, open="9", **{"option-end_bonus": "13"})
    assert wrong.status_code == 422
    assert "is for 2 to 6" in wrong.text
    assert 'name="option-end_bonus" value="13"' in wrong.text
    right = surfer.send_form("/offer", wrong.text, open="1", robots="2")
    assert right.url.path.startswith("/table/")
    look = surfer.get(f"/matches/{name_of(right)}/look").json()
    assert look["options"]["end_bonus"] == 13
    assert [seat["robot"] for seat in look["seats"]] == [None, None, "greedy", "greedy"]


def test_seats_are_taken_and_given_back(surf):
    ann, ben = surf(), surf()
    name = ann.offer("high-card", open="2")
    at = ben.get(f"/table/{name}").text
    seated = ben.send_form(f"/table/{name}/join", at)
    assert "Give the seat back" in seated.text
    left = ben.send_form(f"/table/{name}/leave", seated.text)
    assert "Take a seat" in left.text
    gone = ann.send_form(f"/table/{name}/leave", ann.get(f"/table/{name}").text)
    assert "The offer is withdrawn" in gone.text
    assert "<p>A match of High card is offered, with 3 seats.</p>" in gone.text
    assert len(re.findall(r"<p>[A-Z][a-z]+ [A-Z][a-z]+ takes a seat", gone.text)) == 2


def test_a_match_is_played_again_by_the_same(surf):
    ann, ben = surf(), surf()
    name = ann.offer("high-card", open="1")
    ben.send_form(f"/table/{name}/join", ben.get(f"/table/{name}").text)
    assert ann.post(f"/table/{name}/rematch", data=csrf_in(ann.get("/me").text)).status_code == 409
    ben.send_form(f"/table/{name}/leave", ben.get(f"/table/{name}").text)  # resigns
    again = [
        one.send_form(f"/table/{name}/rematch", one.get(f"/table/{name}").text)
        for one in (ben, ann)
    ]
    assert name_of(again[0]) == name_of(again[1]) != name
    look = ann.get(f"/matches/{name_of(again[0])}/look").json()
    assert (look["status"], look["viewer"] in (0, 1)) == ("running", True)


def test_what_watchers_may_not_see_is_not_shown(surf):
    ann, eve = surf(), surf()
    names = [
        ann.offer("qwirkle", open="0", robots="1", **policy)
        for policy in ({"watchers": "closed"}, {"watchers": "unlisted"}, {"late": "entries 5"})
    ]
    closed, unlisted, late = names
    for path in ("", "/live", "/replay", "/board.svg"):
        assert eve.get(f"/table/{closed}{path}").status_code == 404
        assert ann.get(f"/table/{closed}{path}").status_code == 200
    for path in ("/embed", "/board.png"):
        assert eve.get(f"/table/{closed}{path}").status_code == 404
    assert eve.get(f"/table/{unlisted}").status_code == 200
    assert unlisted not in eve.get("/lobby?state=running").text
    assert "Seats" in eve.get(f"/table/{late}").text
    assert "5 entries ago" in eve.get(f"/table/{late}/replay").text
    assert "5 entries ago" not in ann.get(f"/table/{late}/replay").text


def test_a_board_is_a_picture_for_any_page(surf):
    surfer = surf()
    got = surfer.get(f"/table/{name_of(surfer.play('qwirkle'))}/board.svg")
    assert got.headers["content-type"].startswith("image/svg+xml")
    assert got.headers["content-security-policy"].startswith("default-src 'none'; style-src")
    assert got.text.startswith("<svg")
    assert "<title>Qwirkle: " in got.text


@pytest.mark.parametrize("game", sorted(BOARDS))
def test_a_game_shows_what_it_looks_like(surf, game):
    surfer = surf()
    assert f"/pictures/{game}.svg" in surfer.get("/").text
    assert surfer.get(f"/pictures/{game}.svg").text.startswith("<svg")
    assert surfer.get("/pictures/chess.svg").status_code == 404


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_move_is_suggested_and_can_be_played(surf, game):
    ann, eve = surf(), surf()
    name = name_of(ann.play(game))
    assert "Suggest a move" in ann.my_turn(name)
    page = ann.get(f"/table/{name}?making=1&suggest=1").text
    assert 'id="play"' in page
    assert 'id="play"' not in eve.get(f"/table/{name}?making=1&suggest=1").text
    sent = ann.send_form(f"/table/{name}/moves", page)
    assert sent.status_code == 200, sent.text


def test_a_match_is_shown_on_other_pages(surf):
    surfer, stranger = surf(), surf()
    name = name_of(surfer.play("high-card"))
    framed = stranger.get(f"/table/{name}/embed")
    assert "frame-ancestors *" in framed.headers["content-security-policy"]
    assert "<form" not in framed.text
    assert "seat you" not in surfer.get(f"/table/{name}/embed").text  # as watchers see it
    assert f'content="http://127.0.0.1:{framed.url.port}/table/{name}/board.png"' in (
        stranger.get(f"/table/{name}").text
    )
    drawn = stranger.get(f"/table/{name}/board.png")
    assert drawn.headers["content-type"] == "image/png"
    assert drawn.content.startswith(b"\x89PNG")


def test_a_film_is_made_by_a_job(surf, house):
    house.worker("workers.films")
    ann, ben = surf(), surf()
    ann.play("high-card")
    name = ann.offer("high-card", me="", open="0", robots="2")
    assert ann.get(f"/table/{name}/film").status_code in (200, 409)
    until(lambda: ann.get(f"/matches/{name}/look").json()["status"] == "over")
    page = ann.get(f"/table/{name}/film").text
    assert ann.get(f"/table/{name}/film.gif").status_code == 404
    ann.send_form(f"/table/{name}/film", page)
    until(lambda: "Download the film" in ben.get(f"/table/{name}/film").text, 60)
    film = Image.open(BytesIO(ben.get(f"/table/{name}/film.gif").content))
    assert (film.format, film.n_frames) == ("GIF", 3)
    assert "Make a film" in ben.get(f"/table/{name}/film?as=open").text


def test_the_next_match_that_waits_for_me(surf):
    surfer = surf()
    assert surfer.get("/next").url.path == "/me"
    names = {name_of(surfer.play("uno-flip")) for _ in range(2)}

    def waiting() -> set[str]:
        looks = [surfer.get(f"/matches/{name}/look").json() for name in names]
        return {look["match"] for look in looks if look["viewer"] in look["to_act"]}

    until(lambda: waiting() == names)
    first = until(lambda: (got := surfer.get("/next")).url.path != "/me" and got)
    second = until(
        lambda: (got := surfer.get(f"/next?after={name_of(first)}")).url.path != "/me" and got
    )
    assert {name_of(first), name_of(second)} == names


def test_a_replay_steps_and_opens_all_faces_only_at_the_end(surf, base):
    with Player(base) as ann, Player(base) as ben:
        name = ann.offer("high-card", policy={"order": "joined"})
        ben.join(name)
        surfer = surf()
        for path in ("replay", "board.svg"):
            assert surfer.get(f"/table/{name}/{path}?as=open").status_code == 403
        ann.play(name, {"type": "keep"}, 3)
        ben.play(name, {"type": "keep"}, 4)
    hidden = surfer.get(f"/table/{name}/replay?seq=4")
    assert "Ann 1 ?, Ann 2 ?" in hidden.text
    assert "Entry 4 of 5" in hidden.text
    assert "card, unseen" in surfer.get(f"/table/{name}/board.svg?seq=4").text
    assert "card, unseen" not in surfer.get(f"/table/{name}/board.svg?seq=4&as=open").text
    assert "?, " not in surfer.get(f"/table/{name}/replay?seq=4&as=open").text
    assert surfer.get(f"/table/{name}/replay?seq=9").status_code == 404
    assert "Replay" in surfer.get(f"/table/{name}").text


def test_guests_are_invited_let_in_and_not_invited_any_more(surf):
    ann, ben, eve = surf(), surf(), surf()
    name = ann.offer("qwirkle", open="1", watchers="invited")
    at = f"/table/{name}"
    ids = {one: id_of(one) for one in (ben, eve)}
    wrong = ann.send_form(f"{at}/invite", ann.get(at).text, player="nobody")
    assert wrong.status_code == 422
    assert f'href="{at}"' in wrong.text
    for one in (ben, eve):
        assert ann.send_form(f"{at}/invite", ann.get(at).text, player=ids[one]).status_code == 200
    until(lambda: f'"/table/{name}"' in eve.get("/me").text)
    assert "You are invited" in eve.get("/").text
    assert "Guests" not in eve.get(at).text
    ben.send_form(f"{at}/join", ben.get(at).text)
    assert eve.get(at).status_code == 200
    shown = ben.send_form(f"{at}/admit", ben.get(at).text)
    assert "may see all faces, say 1 of 2" in shown.text
    assert f"{at}/uninvite" not in Forms.of(shown.text)
    ann.send_form(f"{at}/admit", ann.get(at).text)
    assert eve.get(f"/matches/{name}/look").json()["viewer"] == "open"


def test_an_invitation_is_taken_back(surf):
    ann, eve = surf(), surf()
    name = ann.offer("qwirkle", open="1", robots="1")
    at = f"/table/{name}"
    ann.send_form(f"{at}/invite", ann.get(at).text, player=id_of(eve))
    text = ann.get(at).text
    assert Forms.of(text)[f"{at}/uninvite"]["player"] == id_of(eve)
    again = ann.send_form(f"{at}/uninvite", text)
    assert f"{at}/uninvite" not in Forms.of(again.text)
    assert re.search(r"<p>[A-Z][a-z]+ [A-Z][a-z]+ is not invited any more", again.text)


def test_a_finished_match_is_played_on_from_an_entry(surf):
    ann, eve = surf(), surf()
    name = ann.offer("high-card", open="0", robots="1")
    assert "/branch" not in ann.get(f"/table/{name}/replay").text
    ann.send_form(f"/table/{name}/leave", ann.get(f"/table/{name}").text)  # resigns
    text = eve.get(f"/table/{name}/replay?seq=2").text
    branch = eve.send_form(f"/table/{name}/branch", text, seat="1", robots="random")
    assert branch.status_code == 200, branch.text
    look = eve.get(f"/matches/{name_of(branch)}/look").json()
    assert (look["viewer"], look["seats"][0]["robot"]) == (1, "random")
    for wrong in ({"seq": "x"}, {"seq": "2", "seat": "9"}, {"seq": "99", "seat": "0"}):
        sent = eve.post(f"/table/{name}/branch", data=csrf_in(branch.text) | wrong)
        assert sent.status_code in (404, 422)


def id_of(surfer: Surfer) -> str:
    """The player's id, as its own page tells it; whoever has none plays something first."""
    if not surfer.cookies:
        surfer.play("high-card")
    return re.search(r"<code>([a-z2-7]{16})</code>", surfer.get("/me").text).group(1)


def test_notes_are_kept_by_moment(surf):
    ann, ben = surf(), surf()
    name = name_of(ann.play("high-card"))
    at, replay = f"/table/{name}", f"/table/{name}/replay?seq=1"
    for said in ("a first thought", "<b>more</b>"):
        kept = ann.send_form(f"{at}/notes", ann.get(at).text, seq="1", note=said)
    assert "a first thought\n&lt;b&gt;more&lt;/b&gt;" in kept.text
    assert "first thought</textarea>" not in kept.text
    assert "a first thought\n&lt;b&gt;more&lt;/b&gt;</textarea>" in ann.get(replay).text
    again = ann.send_form(f"{at}/notes", ann.get(replay).text, note="another")
    assert (again.url.query, again.text.count("another")) == (b"seq=1", 2)
    ben.play("high-card")
    assert "another" not in ben.get(at).text + ben.get(replay).text
    ann.send_form(f"{at}/notes", ann.get(f"/table/{name}/replay?seq=2").text, note="later")
    assert "later" not in ann.get(f"{replay}&hide=1").text


def test_r27_r28_an_order_is_given_in_two_steps_withdrawn_and_played(surf):
    ann, ben = surf(), surf()
    name = ann.offer("high-card", me="1", open="1", leave="end", shuffled="")
    at = f"/table/{name}"
    ben.send_form(f"{at}/join", ben.get(at).text)
    assert "That is no move" in ben.get(f"{at}?order=fly").text
    asked = ben.get(f"{at}?order= trade").text
    assert 'name="order" required' not in asked
    assert "Your orders" not in ben.get(at).text, "it is only asked for"
    hasty = ben.send_form(f"{at}/orders", asked, confirm="")
    assert (hasty.url.query, "Your orders" in hasty.text) == (b"order=trade&heard=", False)
    given = ben.send_form(f"{at}/orders", asked).text
    assert "Your orders" in given
    assert "Your orders" not in ann.get(at).text
    assert "Your orders" not in ben.send_form(f"{at}/orders/withdraw", given).text
    ben.send_form(f"{at}/orders", asked)
    ann.send_form(f"{at}/moves", ann.my_turn(name), move="keep")
    played = until(lambda: (got := ben.get(at).text).count("by your order") and got)
    assert "Your orders" not in played
    assert "by your order" not in ann.get(at).text


def test_r27_an_order_waits_for_what_its_owner_hears(surf):
    """Of what a game tells one picks a kind, then what is known of it; it is played once heard."""
    ann, ben = surf(), surf()
    name = ann.offer("high-card", me="1", open="1", leave="end", shuffled="")
    at = f"/table/{name}"
    ben.send_form(f"{at}/join", ben.get(at).text)
    assert '<option value="traded">' in ben.get(at).text
    odd = ben.send_form(f"{at}/orders", ben.get(f"{at}?order=keep").text, heard="ghost")
    assert odd.status_code == 422
    for heard, card in (("kept", ""), ("traded", ""), ("traded", "7")):
        asked = ben.get(f"{at}?order=keep&heard={heard}").text
        assert 'name="heard-seat"' in asked
        fields = {"heard-seat": "0"} | ({"heard-card": card} if card else {})
        given = ben.send_form(f"{at}/orders", asked, **fields)
    once = re.findall("once you have heard: <b>(.*?)</b>", given.text)
    seated = re.search('<option value="0">(.*?)</option>', asked).group(1)
    assert once == [f"kept, {seated}", f"traded, {seated}", f"traded, {seated}, card 7"]
    ann.send_form(f"{at}/moves", ann.my_turn(name), move="trade")
    until(lambda: "by your order" in ben.get(at).text)


def test_r14_a_vacation_is_asked_for_confirmed_and_made_longer(surf):
    ann, ben = surf(), surf()
    free, bound = [
        ann.offer("high-card", me="1", open="1", clock="86400", vacation=most) for most in ("", "0")
    ]
    for name in (free, bound):
        ben.send_form(f"/table/{name}/join", ben.get(f"/table/{name}").text)
    at = "/me/vacation"
    page = ann.get(at).text
    assert "30 of 30 days are left this year" in page
    assert "there is no vacation in this match" in page
    assert "Your clock stands still as long as you are away" in page
    for day in ("soon", "2020-01-01", day_ahead(500), day_ahead(40)):
        wrong = ann.get(f"{at}?until={day}")
        assert (wrong.status_code, 'class="main"' in wrong.text) == (422, False)
        assert "You are away" not in ann.send_form(at, ask(ann, 3), until=day).text
    assert "Your clocks will stand still until" in ask(ann, 3)
    assert "You are away" not in ann.get("/me").text, "it is only asked for"
    assert "You are away" in ann.send_form(at, ask(ann, 3)).text
    assert "You are away" in ann.get("/me").text
    until(lambda: "away until" in ben.get(f"/table/{free}").text)
    assert "away until" not in ben.get(f"/table/{bound}").text
    assert ann.get(f"{at}?until={day_ahead(2)}").status_code == 422, "it is not made shorter"
    was, now = ann.get(at).text, ann.send_form(at, ask(ann, 5)).text
    assert re.findall('datetime="[^"]*"', was) < re.findall('datetime="[^"]*"', now)


def test_r21_who_stays_away_is_warned():
    clock, less = {"type": "move", "seconds": 7200}, {"after": 2, "seconds": 600}
    match = after(*dealt(game="qwirkle", expiry="default", clock=clock, absent=less))
    said = []
    for _ in range(4):
        match = late(match)
        said.append((warning(look(match, 0)), warning(look(match, 1))))
    once = "Your time was up. After 2 times you have only 10 minutes for a move."
    twice = "You were away too often: you have 10 minutes for a move until you make one."
    assert sorted(said[0]) == ["", once]
    assert (said[1], said[3]) == ((once, once), (twice, twice))
    assert warning(look(match, None)) == ""


def test_r22_no_more_days_than_are_left_of_a_year():
    leave = Leave(now=0, until=2 * DAY, left=3)
    assert why_not(leave, 5 * DAY) == ""
    assert why_not(leave, 5 * DAY + 1) == "3 days are left: name an earlier day."
    assert why_not(leave._replace(left=None), 300 * DAY) == ""
    for end in (0, 2 * DAY, 367 * DAY):
        assert why_not(leave._replace(left=None), end) == "Name a day ahead, within a year."


def ask(surfer: Surfer, days: int) -> str:
    """The page that asks whether one means this day."""
    return surfer.get(f"/me/vacation?until={day_ahead(days)}").text


def day_ahead(days: int) -> str:
    return (datetime.now(UTC) + timedelta(days)).strftime("%Y-%m-%d")


def test_the_page_of_an_old_match_leads_to_the_next(surf):
    ann, eve = surf(), surf()
    name = name_of(ann.play("high-card"))
    at = f"/table/{name}"
    ann.send_form(f"{at}/leave", ann.get(at).text)
    for path in (at, f"{at}/again"):
        assert "They play again" not in eve.get(path).text
    again = name_of(ann.send_form(f"{at}/rematch", ann.get(at).text))
    for path in (at, f"{at}/again"):
        assert f'href="/table/{again}"' in eve.get(path).text


def test_what_a_table_agrees_on(surf):
    """A pause, then a robot for a seat and its player back, then an end: by two browsers."""
    ann, ben = surf(), surf()
    name = ann.offer("high-card", me="1", open="1", clock="86400", leave="end")
    ben.send_form(f"/table/{name}/join", ben.get(f"/table/{name}").text)
    at = f"/table/{name}"

    def propose(**fields: str) -> str:
        text = ann.get(at).text
        ann.send_form(f"{at}/propose", text, **fields)
        return ben.get(at).text

    ben.send_form(f"{at}/answer", propose(what="pause"), yes="1")
    paused = ann.get(at).text
    assert "The match is paused" in paused
    ann.send_form(f"{at}/resume", paused)
    seat = re.findall(r'<li class="seat (\w+)', paused).index("you")
    ben.send_form(f"{at}/answer", propose(what="replace", seat=str(seat)), yes="1")
    watching = ann.get(at).text
    assert "There is a seat for you here" in watching
    ann.send_form(f"{at}/return", watching)
    asked = propose(what="end")
    assert "proposes to end the match" in asked
    over = ben.send_form(f"{at}/answer", asked, yes="1").text
    assert "All have agreed to end the match" in over


def test_a_tournament_is_organised_joined_and_started_without_scripts(surf):
    ann, ben = surf(), surf()
    for one in (ann, ben):
        one.play("high-card")
    made = ann.send_form(
        "/contests", ann.get("/contests").text, name="<i>Cup</i>", game="high-card"
    )
    at = made.url.path
    assert "&lt;i&gt;Cup&lt;/i&gt;" in made.text
    assert "<i>" not in made.text
    ben.send_form(f"{at}/come", ben.get(at).text)
    begun = ann.send_form(f"{at}/begin", ann.get(at).text)
    [table] = re.findall(r'href="(/table/[\w-]+)"', begun.text)
    assert "Take a seat" in ben.get(table).text
    assert "/begin" not in ben.get(at).text


def test_a_tournament_whose_tables_are_dealt_the_same_seats_its_players_and_keeps_others_out(surf):
    ann, ben, eve = surf(), surf(), surf()
    for one in (ann, ben):
        one.play("high-card")
    form = ann.get("/contests").text
    made = ann.send_form("/contests", form, name="Cup", game="high-card", same="1", rated="1")
    at = made.url.path
    ben.send_form(f"{at}/come", ben.get(at).text, entropy="b" * 64)
    assert "b" * 64 not in ben.get(at).text
    begun = ann.send_form(f"{at}/begin", ann.get(at).text).text
    assert "b" * 64 in begun
    [table] = re.findall(r'href="(/table/[\w-]+)"', begun)
    assert "your turn" in (ann.get(table).text + ben.get(table).text).lower()
    assert eve.get(table).status_code == 404
    assert table not in eve.get(at).text


def test_one_says_where_one_wants_to_be_told(surf):
    surfer = surf()
    surfer.play("high-card")
    said = surfer.get("/me/notices").text
    assert "mail address" not in said  # this house sends none
    hook = "https://example.org/turns"
    told = surfer.send_form("/me/notices", said, where=hook, wants="over").text
    assert re.search(r"<code>whsec_[\w+/=]+</code>", told)
    said = surfer.get("/me/notices").text
    assert "whsec_" not in said
    assert "<b>example.org</b>: the end of a match<" in said
    wrong = surfer.send_form("/me/notices", said, where="https://10.0.0.1/")
    assert wrong.status_code == 422
    assert "Nobody is asked at an address that is not public." in wrong.text
    assert surfer.send_form("/me/notices", said, where="ann@example.org").status_code == 422
    said = surfer.send_form("/me/notices", said, feed="1").text
    [atom, ics] = re.findall(
        r'href="(/players/me/(?:turns\.atom|deadlines\.ics)\?key=[^"]+)"', said
    )
    assert surfer.get(atom).text.startswith("<?xml")
    for id in re.findall(r'action="/me/notices/end">.*?name="id" value="(\w+)"', said, re.S):
        surfer.send_form("/me/notices/end", said, id=id)
    assert "<b>" not in surfer.get("/me/notices").text
    assert surfer.get(ics).status_code == 404
