// What this browser keeps of a match, unasked, so that its file can be audited against it:
// the commitment, the part of the chance that was drawn here on joining, and the newest head.
// Of a tournament whose tables are dealt the same: the commitments, and what was drawn for all.
"use strict";

(() => {
  const tournament = document.getElementById("part");
  const table = (document.getElementById("after") || tournament)?.dataset;
  if (!table) return;
  const place = "proof " + table.match;
  const kept = () => JSON.parse(localStorage.getItem(place) || "{}");
  const keep = (more) => localStorage.setItem(place, JSON.stringify({ ...kept(), ...more }));

  function head() {
    const after = document.getElementById("after");
    keep({ head: after.value + ":" + after.dataset.head });
    show();
  }

  function draw(event) {
    const field = event.target.querySelector("[name=entropy]");
    if (!field) return;
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    field.value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    keep({ commitment: table.commitment, entropy: field.value });
  }

  function show() {
    const proof = document.getElementById("proof");
    if (!proof) return;
    const words = Object.entries(kept()).map(([name, value]) => `--${name} ${value}`);
    proof.querySelector("code").textContent = `turnfold audit FILE ${words.join(" ")}`;
    proof.hidden = false;
  }

  function drawn() {
    const shown = document.getElementById("drawn");
    shown.querySelector("code").textContent = kept().entropy;
    shown.hidden = !kept().entropy;
  }

  document.addEventListener("submit", draw);
  if (tournament) return drawn();
  document.addEventListener("htmx:afterSettle", head);
  head();
})();
