// What htmx leaves open: the feed after sleep, what was missed, focus, copying. The page works without.
"use strict";

const live = () => document.getElementById("live");
const lines = () => document.getElementById("lines");
let source = null; // the open feed
let left = 0; // when the page was last hidden

// The feed. Whatever it tells, the page asks for what changed since what it shows.

htmx.createEventSource = (url) => (source = new EventSource(url));

function lost(is, says) {
  const banner = document.getElementById("lost");
  if (!banner) return;
  banner.dataset.says ??= banner.textContent;
  banner.textContent = says || banner.dataset.says;
  banner.hidden = !is && navigator.onLine;
}

function refused(response) {
  try {
    lost(true, JSON.parse(response).detail);
  } catch {
    lost(true, _("That did not work. Try again in a moment."));
  }
}

function connect() {
  const old = live();
  if (!old) return;
  if (source) source.close();
  htmx.trigger(old, "htmx:abort"); // what it has asked for would be shown twice
  const again = old.cloneNode(true);
  old.replaceWith(again);
  htmx.process(again);
}

function wake() {
  if (live()) htmx.trigger(live(), "wake");
}

document.addEventListener("htmx:sseError", () => (leave(), lost(true)));
document.addEventListener("htmx:sendError", () => (leave(), lost(true)));
document.addEventListener("htmx:sseOpen", wake);
document.addEventListener("htmx:afterOnLoad", ({ detail }) => {
  if (detail.failed) refused(detail.xhr.responseText);
  else (lost(false), arrive());
});
addEventListener("offline", () => (leave(), lost(true)));
addEventListener("online", connect);
addEventListener("pageshow", (event) => event.persisted && connect());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    leave();
    left = Date.now();
  } else {
    if (Date.now() - left > 20_000) connect();
    wake();
  }
});

// What was missed: the last entry that somebody has seen is kept, and what came later is marked.

let away = false; // hidden, or without a connection

function leave() {
  if (!away) keep();
  away = true;
}

function arrive() {
  if (document.hidden || !navigator.onLine) return;
  if (away) missed();
  away = false;
  keep();
}

const place = () => "seen " + lines().dataset.match;
const newest = () => Number(document.getElementById("after").value);

function keep() {
  if (lines()?.dataset.match) localStorage.setItem(place(), newest());
}

function missed() {
  if (!lines()?.dataset.match) return;
  const seen = Number(localStorage.getItem(place()));
  const later = [...lines().querySelectorAll("li[data-seq]")].filter((li) => li.dataset.seq > seen);
  if (seen && later.length) {
    lines().querySelector(".away")?.remove();
    const line = document.createElement("li");
    line.className = "away";
    line.textContent = _("Since you were here");
    later[0].before(line);
    tellMissed(seen, newest() - seen);
  }
}

// One by one, on the replay, which leads back to the table when it has shown the last.

function tellMissed(seen, count) {
  const told = document.getElementById("missed");
  if (!told || count < 2) return;
  told.querySelector("a").href = `/table/${lines().dataset.match}/replay?seq=${seen + 1}&missed=1`;
  told.querySelector("span").textContent = _n("{count} entry since you were here.", "{count} entries since you were here.", count);
  told.hidden = false;
}

document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  if (detail.target.id !== "lines") return;
  for (const line of detail.fragment.querySelectorAll("li[id]")) {
    if (document.getElementById(line.id)?.isConnected) line.remove();
  }
});

// What was sent is no longer in its form.
document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (detail.successful && target.matches("form[data-clear]")) target.reset();
});

// Focus: where what had it is gone, it goes to the sentence that says whose turn it is.

let focused = null;
document.addEventListener("focusin", (event) => (focused = event.target));
document.addEventListener("htmx:afterSettle", () => {
  if (document.activeElement === document.body && focused && !focused.isConnected) {
    (document.getElementById("play") || document.getElementById("turn"))?.focus();
  }
});

// The drawn board: what is picked on it goes the way of the buttons, and where one looks stays.

const board = () => document.querySelector("#board.drawing");
const framed = () => board()?.querySelector(".scrolls");
let kept = null; // where the frame was, as seen from the point that stays
let placed = null; // the frame that is where it should be

document.addEventListener("click", (event) => {
  const control = event.target.closest("#board.drawing a");
  if (!control || !live() || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const [path, query] = control.getAttribute("href").split("?");
  const url = `${path}/live?making=1&after=${newest()}&${query || ""}`;
  htmx.ajax("GET", url, { source: board(), swap: "none" });
});

const home = (frame) => frame.dataset.home.split(" ").map(Number);

function keepPlace() {
  const frame = framed();
  if (!frame) return;
  const [x, y] = home(frame);
  kept = { x: frame.scrollLeft - x, y: frame.scrollTop - y };
}

function findPlace() {
  const frame = (placed = framed());
  if (!frame) return;
  const [x, y] = home(frame);
  if (kept) frame.scrollTo(kept.x + x, kept.y + y);
  if (!kept || board().matches(".arrives")) centre(frame);
  kept = null;
}

// In the middle of the frame: the last move, and what is made; else the middle of the board.
function centre(frame) {
  const what = [...frame.querySelectorAll(".made, .last")];
  const whole = what.length ? what : [frame.firstElementChild];
  const boxes = whole.map((one) => one.getBoundingClientRect());
  const here = frame.getBoundingClientRect();
  const off = (low, high) => {
    const ends = [...boxes.map((box) => box[low]), ...boxes.map((box) => box[high])];
    return (Math.min(...ends) + Math.max(...ends) - here[low] - here[high]) / 2;
  };
  frame.scrollBy(off("left", "right"), off("top", "bottom"));
}

document.addEventListener("htmx:beforeSwap", keepPlace);
document.addEventListener("htmx:afterSettle", () => {
  if (framed() !== placed) findPlace();
  const next = board()?.querySelector("[autofocus]");
  next?.focus();
  next?.removeAttribute("autofocus");
});
findPlace();

// What moved comes from where it lay, by `data-from` and `data-at`; but not to who wants no motion.

const still = matchMedia("(prefers-reduced-motion: reduce)");
let travelled = board();

function travel() {
  if (board() === travelled) return;
  travelled = board();
  if (still.matches || !travelled?.matches(".arrives")) return;
  const middle = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const moved = [...travelled.querySelectorAll("[data-from]")].map((piece) => {
    const from = travelled.querySelector(`[data-at="${piece.dataset.from}"]`);
    if (!from) return [piece, 0, 0];
    const [[x, y], [toX, toY]] = [middle(from), middle(piece)];
    const unit = piece.getScreenCTM().a; // pixels of one
    return [piece, (x - toX) / unit, (y - toY) / unit];
  });
  for (const [piece, x, y] of moved) {
    const way = [{ translate: `${x}px ${y}px` }, { translate: "0px 0px" }];
    piece.animate(way, { duration: 450, easing: "ease-out" });
  }
}

document.addEventListener("htmx:afterSettle", travel);

// Arrows walk through what can be picked: to the next on the board that lies that way, or along
// the buttons.

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

document.addEventListener("keydown", (event) => {
  const control = event.target.closest?.("#board.drawing a[id]");
  if (!control) return;
  if (event.key === " ") {
    event.preventDefault();
    control.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
  const way = WAYS[event.key];
  if (!way) return;
  event.preventDefault();
  const spot = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  };
  const [x, y] = spot(control);
  let next = null;
  let least = Infinity;
  for (const one of board().querySelectorAll("a[id]")) {
    const [dx, dy] = [spot(one)[0] - x, spot(one)[1] - y];
    const ahead = dx * way[0] + dy * way[1];
    const aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (ahead > 1 && ahead + 2 * aside < least) [next, least] = [one, ahead + 2 * aside];
  }
  next?.focus();
});

document.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const form = step && event.target.closest("button") && event.target.closest(".choices");
  if (!form) return;
  const buttons = [...form.querySelectorAll("button")];
  buttons[(buttons.indexOf(event.target) + step + buttons.length) % buttons.length].focus();
  event.preventDefault();
});

// Replay: its controls stay where they are, and the moment changes under them.

const seq = () => document.getElementById("seq");
const shown = () => document.querySelector("#moment [data-seq]");
let playing = 0; // the timer of the next step, while it plays by itself

function step(by) {
  const from = Number(seq().value);
  if (by > 0 && "last" in shown().dataset && from === Number(shown().dataset.seq)) return false;
  const to = Math.min(Math.max(from + by, 1), Number(seq().max) || Infinity);
  if (to === from) return false;
  seq().value = to;
  seq().dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

function play(on) {
  clearTimeout(playing);
  playing = on && step(1) ? -1 : 0;
  const auto = document.getElementById("auto");
  auto.setAttribute("aria-pressed", Boolean(playing));
  auto.textContent = playing ? _("Pause") : _("Autoplay");
}

function moved() {
  const now = shown().dataset;
  const of = document.getElementById("of");
  if (of.value) seq().value = now.seq; // else it may be further already
  of.value = "";
  const first = now.seq === "1";
  const last = "last" in now;
  for (const [id, is] of Object.entries({ first, prev: first, next: last, last })) {
    const link = document.getElementById(id);
    if (is) link?.setAttribute("aria-disabled", true);
    else link?.removeAttribute("aria-disabled");
  }
  if (playing) playing = setTimeout(play, 1200, true);
  if (last && caughtUp()) caughtUp().focus();
}

const caughtUp = () => document.querySelector("a.caught-up");

document.addEventListener("click", (event) => {
  if (event.target.id === "auto") play(!playing);
  const by = event.target.closest?.(".steps [data-by]")?.dataset.by;
  if (!by) return;
  event.preventDefault();
  play(false);
  step(Number(by));
});
document.addEventListener("keydown", (event) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by && document.getElementById("steps") && event.target === document.body) step(by);
});
document.addEventListener("htmx:afterSettle", (event) => event.target.id === "moment" && moved());

// Small things.

function dress() {
  for (const time of document.querySelectorAll("time:not([title])")) {
    time.title = time.textContent;
    const how = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" };
    time.textContent = new Date(time.dateTime).toLocaleString(undefined, how);
  }
  const copy = document.getElementById("copy");
  if (copy && navigator.clipboard) copy.hidden = false;
}

document.addEventListener("click", (event) => {
  if (event.target.id !== "copy") return;
  navigator.clipboard.writeText(document.getElementById("link").value);
  event.target.textContent = _("Copied");
});
document.addEventListener("htmx:afterSettle", dress);
document.documentElement.classList.add("alive");
dress();
missed();
arrive();
if (caughtUp()) play(true);
