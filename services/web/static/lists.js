// Lists of matches: asked for anew when a feed of many tells what concerns those that are shown.
"use strict";

(() => {
  const SOON = 1_000; // ms until an index knows what the feed has told
  const OFTEN = 3_000; // ms between two askings
  const known = new Map(); // each match's status as it was last told of; "" if it never was
  let timer = 0;
  let asked = 0;

  const lists = () => [...document.querySelectorAll(document.getElementById("live").dataset.lists)];

  function concerns({ match, status }) {
    const before = known.get(match);
    known.set(match, status);
    if (lists().some((list) => list.querySelector(`[data-match="${match}"]`))) return true;
    const listed = lists().some((list) => (list.dataset.status ?? status).split(" ").includes(status));
    return listed && before !== "" && before !== status;
  }

  function ask() {
    timer = 0;
    asked = Date.now();
    htmx.trigger("#live", "news");
  }

  function hear(event) {
    if (!document.getElementById("live")?.dataset.lists) return;
    event.stopPropagation(); // it is asked for by us, not by each line of the feed
    const told = JSON.parse(event.detail.data);
    if (told.seqs) Object.keys(told.seqs).forEach((match) => known.set(match, ""));
    else if (concerns(told)) timer ||= setTimeout(ask, Math.max(SOON, asked + OFTEN - Date.now()));
  }

  document.addEventListener("sse:matches", hear, true);
  document.addEventListener("sse:entry", hear, true);
})();
