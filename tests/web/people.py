"""People at browsers: one who plays by mouse, one by keyboard alone, one who only watches."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, expect

BY_ITSELF = (  # what browser and htmx say of a request that was lost, or replaced
    *("ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE"),
    *(
        "ERR_NETWORK",
        "htmx:afterRequest",
        "htmx:sendError",
        "htmx:sseError",
        "htmx:sendAbort",
        "[object Event",
    ),
)
PICK, HOLD = "#board a.pick[id]", "#board a.hold[id]"  # on a drawn board
BUTTON = ".choices button"
SOON = 30_000  # ms; a busy machine is slow


class Person:
    """Somebody at a browser of their own."""

    def __init__(self, context: BrowserContext) -> None:
        self.context, self.errors = context, list[str]()
        self.asked: list[str] = []
        self.open()

    def open(self) -> Page:
        """A new tab."""
        self.page = self.context.new_page()
        self.page.set_default_timeout(SOON)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        return self.page

    def _hear(self, message) -> None:
        lost = any(sign in message.text for sign in BY_ITSELF)
        if message.type in ("error", "warning") and not lost:
            self.errors.append(message.text)

    @property
    def link(self) -> str:
        return self.page.input_value("#link")

    @property
    def over(self) -> bool:
        return self.page.locator("#act a[href^='/offer']").count() > 0

    @property
    def due(self) -> bool:
        """May this person choose something?"""
        return self.page.locator("#act.yours").count() > 0

    def seqs(self) -> list[int]:
        """The entries that the log shows."""
        items = "items => items.map(item => +item.dataset.seq)"
        return self.page.locator("#lines li[data-seq]").evaluate_all(items)

    def seq(self) -> int:
        return int(self.page.input_value("#after"))

    def take_seat(self) -> None:
        self.page.get_by_role("button", name="Take a seat").click()

    def play(self, large: bool = True) -> None:
        """A move by mouse, as large as it grows or as soon as it may be played."""
        play, seq = self.page.locator("#play"), self.seq()
        self.pick()
        while self.more and not (play.count() and (self.more > 12 or not large)):
            self.pick()
        play.click()
        self.moved_on(seq)

    @property
    def more(self) -> int:
        """In how many ways the move can begin or grow, at least."""
        return self.page.locator(f"{PICK}, {HOLD}, {BUTTON}").count()

    def pick(self) -> None:
        """Add a piece, on the board where it is drawn there: take it up, then choose a place."""
        page, made = self.page, self.page.locator(".made .move")
        before = made.inner_text() if made.count() else ""
        if page.locator(HOLD).count() and not page.locator(PICK).count():
            page.locator(HOLD).first.click()
            expect(page.locator(PICK).first).to_be_visible()
        page.locator(PICK if page.locator(PICK).count() else BUTTON).first.click()
        expect(made).not_to_have_text(before or "-")

    def moved_on(self, seq: int) -> None:
        expect(self.page.locator("#after")).not_to_have_value(str(seq))


class Advised(Person):
    """Somebody who plays what is suggested."""

    def play(self) -> None:
        seq = self.seq()
        suggest, undo = self.page.locator("[name=suggest]"), self.page.locator("#undo")
        expect(suggest.or_(undo).first).to_be_visible()
        while not suggest.count():  # what was begun before still stands
            with self.page.expect_response("**/live?*"):
                undo.click()
        suggest.click()
        self.page.locator("#play").click()
        self.moved_on(seq)


class Typist(Person):
    """Somebody without a mouse."""

    def focus(self) -> str:
        """What has the focus, by its id or else its text."""
        return self.page.evaluate(
            "document.activeElement.id || document.activeElement.textContent.trim()"
        )

    def press_to(self, what: str) -> None:
        """Tab until this has the focus, and press it."""
        self.tab_to(what)
        self.page.keyboard.press("Enter")

    def tab_to(self, what: str, most: int = 40) -> None:
        for _ in range(most):
            if self.focus() == what:
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not come to {what!r}, only to {self.focus()!r}")

    def take_seat(self) -> None:
        self.press_to("Take a seat")

    def play(self) -> None:
        """A move by keyboard: what has the focus is chosen, until the button that plays has it."""
        keys, seq = self.page.keyboard, self.seq()
        while not self.focus().startswith(("m-", "h-")):
            keys.press("Tab")
        while self.focus() != "play":
            had = self.focus()
            keys.press("Enter")
            expect(self.page.locator(":focus")).not_to_have_id(had)
        keys.press("Enter")
        self.moved_on(seq)
        expect(self.page.locator(":focus")).to_be_visible()
