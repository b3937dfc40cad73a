// Who looks at the match just now: told by its feed alone, and shown by the seats of the page.
"use strict";

(() => {
  let here = { seats: [], watchers: 0 };

  function showHere() {
    for (const sign of document.querySelectorAll(".seat .here")) {
      sign.hidden = !here.seats.includes(Number(sign.dataset.seat));
    }
    const watching = document.getElementById("watching");
    if (!watching) return;
    watching.querySelector("b").textContent = here.watchers;
    watching.hidden = !here.watchers;
  }

  function nobodyHere() {
    here = { seats: [], watchers: 0 };
    showHere();
  }

  document.addEventListener(
    "sse:here",
    (event) => {
      event.stopPropagation(); // nothing is to be asked for
      here = JSON.parse(event.detail.data);
      showHere();
    },
    true,
  );
  document.addEventListener("htmx:sseError", nobodyHere);
  document.addEventListener("htmx:sseClose", nobodyHere);
  document.addEventListener("htmx:oobAfterSwap", showHere);
})();
