// The audit of a file, by this browser alone: hashes, chance, and what was kept of the match.
// docs/format.md says each byte. Only what this server finds, and which draws each rule asks for,
// is asked of it; without it, that is left out and said so.
"use strict";

(() => {
  const form = document.getElementById("audit");
  const section = document.getElementById("findings");
  const hex = (data) => [...new Uint8Array(data)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const bytes = (digits) => {
    if (!/^([0-9a-f]{2})*$/.test(digits)) throw new Error(_("{digits} is not in hex digits", { digits }));
    return Uint8Array.from(digits.match(/../g) || [], (two) => parseInt(two, 16));
  };
  const text = (string) => new TextEncoder().encode(string);
  const sha = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(parts)));

  function u64(n) {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(n));
    return new Uint8Array(view.buffer);
  }

  function joined(parts) {
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  async function keyed(secret) {
    const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return async (...parts) => hex(await crypto.subtle.sign("HMAC", key, joined(parts)));
  }

  // What the file says of itself: a finding is [true, false or null for not checked, a sentence].

  async function chain(file, mac) {
    let digest = new Uint8Array(32);
    let before = 0;
    for (const [i, one] of file.entries.entries()) {
      if (one.seq !== i + 1) return [false, _("Entry {n} stands where {other} should.", { n: one.seq, other: i + 1 })];
      if (one.at < before) return [false, _("Entry {n} is older than the one before it.", { n: one.seq })];
      digest = await sha(digest, u64(one.seq), u64(one.at), text(one.entry));
      const head = await mac(text("head"), digest);
      if (head !== one.head) return [false, _("Entry {n}, its time or its head was changed.", { n: one.seq })];
      before = one.at;
    }
    return [true, _("All {n} entries are linked: none was changed, dropped or put in after its head was shown.", { n: file.entries.length })];
  }

  async function seed(file, mac, chance) {
    if (file.seed === null) return [null, _("It was never dealt: there is no seed.")];
    const made = await mac(text("seed"), text(JSON.stringify(chance)));
    const people = chance.filter((entropy) => entropy !== null).length;
    const both = _n("the secret and the chance of {count} player", "the secret and the chance of {count} players", people);
    const from = people ? both : _("the secret");
    const comes = made === file.seed;
    return [comes, comes ? _("The seed of the deal comes from {from}.", { from }) : _("The seed does not come from {from}.", { from })];
  }

  function entropies(file, offer) {
    const chairs = offer.seats.map(() => null);
    for (const one of file.entries) {
      const entry = JSON.parse(one.entry);
      const counts = one.verdict.type === "accepted" && ["joined", "left"].includes(entry.type);
      if (counts) chairs[entry.seat] = entry.entropy ?? null;
    }
    return chairs;
  }

  // The draws: block i of the k-th use of chance is SHA-256(seed, k, i), four numbers of 64 bits.

  async function* numbers(key, k) {
    for (let i = 0; ; i++) {
      const block = new DataView((await sha(key, u64(k), u64(i))).buffer);
      for (let j = 0; j < 32; j += 8) yield block.getBigUint64(j);
    }
  }

  async function draws(file, report) {
    const drew = report.entries.filter((one) => one.draws.length);
    let count = 0;
    for (const [k, one] of drew.entries()) {
      const coming = numbers(bytes(file.seed), k);
      for (const [below, result] of one.draws) {
        const fair = 2n ** 64n - 2n ** 64n % BigInt(below);
        let x;
        do x = (await coming.next()).value; while (x >= fair);
        if (x % BigInt(below) !== BigInt(result)) return [false, _("A draw of entry {n} is not that of the seed.", { n: one.seq })];
        count++;
      }
    }
    return [true, _("All {n} draws of chance are those of the seed.", { n: count })];
  }

  // What this browser has kept of the match, unasked (proof.js).

  function keepsakes(file, chance) {
    const kept = JSON.parse(localStorage.getItem("proof " + file.match) || "{}");
    const found = [];
    if (kept.head) {
      const [seq, head] = kept.head.split(":");
      const same = file.entries[seq - 1]?.head === head;
      found.push([same, same ? _("Up to entry {seq} it is what was shown to you then.", { seq }) : _("Up to entry {seq} it is not what was shown to you then.", { seq })]);
    } else found.push([null, _("This browser has kept no head of the match: a whole forged file would look the same.")]);
    if (kept.commitment && kept.commitment !== file.commitment) found.push([false, _("The commitment is not the one that was shown to you.")]);
    if (kept.entropy) {
      const mine = chance.includes(kept.entropy);
      found.push([mine, mine ? _("Your own chance is part of the deal.") : _("The chance that you gave is not part of the deal.")]);
    }
    return found;
  }

  async function server(file, what) {
    const answer = await fetch(`/matches/${encodeURIComponent(file.match)}/${what}`).catch(() => null);
    return answer?.ok ? answer.json() : null;
  }

  async function byServer(file) {
    const [report, own] = await Promise.all([server(file, "audit"), server(file, "bundle")]);
    if (!report) return [null, [[null, _("This server was not asked, or does not know the match: whether the moves follow the rules, and each draw, turnfold audit FILE checks.")]]];
    if (report.head !== file.entries.at(-1).head) return [report, [[false, _("This server holds another match of that name.")]]];
    const folded = report.faults.map((fault) => [false, _("This server: {says}", { says: fault.says })]);
    const same = own && JSON.stringify(own) === JSON.stringify(file); // no head covers verdicts
    if (!same) folded.push([false, _("Its verdicts or its outcome are not those that this server folds.")]);
    else if (report.ok) folded.push([true, _("This server folds it by the rules to the same end{how}.", { how: winner(report) })]);
    if (file.seed) folded.push(await draws(file, report));
    return [report, folded];
  }

  function winner(report) {
    const first = report.places.filter((one) => one.place === 1).map((one) => one.seat + 1);
    if (report.aborted) return _(", without a result");
    return first.length ? _n(": seat {seats} won", ": seats {seats} won", first.length, { seats: first.join(", ") }) : "";
  }

  async function audit(file) {
    const offer = JSON.parse(file.entries[0].entry);
    const secret = bytes(offer.secret);
    const mac = await keyed(secret);
    const committed = hex(await sha(secret)) === file.commitment;
    const chance = entropies(file, offer);
    const [report, folded] = await byServer(file);
    const findings = [
      [committed, committed ? _("The secret is the one committed to before anybody joined.") : _("The secret is not the one committed to.")],
      await chain(file, mac),
      await seed(file, mac, chance),
      ...keepsakes(file, chance),
      ...folded,
    ];
    show(file, findings, report);
  }

  // Showing it

  const SIGNS = { true: "✓", false: "✗", null: "–" };
  const SAYS = { true: _("true"), false: _("not true"), null: _("not checked") };

  function element(name, words, kind = "") {
    const made = document.createElement(name);
    made.textContent = words;
    made.className = kind;
    return made;
  }

  function finding([ok, says]) {
    const item = element("li", "", `found-${ok}`);
    const sign = element("span", SIGNS[ok]);
    sign.setAttribute("aria-hidden", "true");
    item.append(sign, element("span", `${SAYS[ok]}: `, "unseen"), element("span", says));
    return item;
  }

  function row(one, report) {
    const line = document.createElement("tr");
    const count = report?.entries[one.seq - 1]?.draws.length;
    const when = new Date(one.at).toISOString().replace("T", " ").slice(0, 19);
    const cells = [one.seq, when, JSON.parse(one.entry).type, report ? count || "" : "?", one.head.slice(0, 8)];
    line.append(...cells.map((cell) => element("td", cell)));
    return line;
  }

  function show(file, findings, report) {
    const wrong = findings.some(([ok]) => ok === false);
    verdict(wrong ? _("Not true") : _("True: {game}, {n} entries", { game: file.game, n: file.entries.length }), wrong);
    section.querySelector("ul").replaceChildren(...findings.map(finding));
    section.querySelector("tbody").replaceChildren(...file.entries.map((one) => row(one, report)));
    section.querySelector("details").hidden = false;
  }

  function verdict(says, wrong) {
    section.hidden = false;
    section.querySelector("h2").textContent = says;
    section.querySelector("h2").className = wrong ? "wrong" : "";
    section.querySelector("ul").replaceChildren();
    section.querySelector("details").hidden = true;
    section.focus();
  }

  async function read(words) {
    if (!crypto.subtle) return verdict(_("This browser computes no hashes here: open the page by https or on this machine."), true);
    try {
      await audit(JSON.parse(words));
    } catch (error) {
      verdict(_("This is no file of a match: {why}", { why: error.message }), true);
    }
  }

  async function opened(file) {
    if (!file) return;
    if (file.size > 64 * 2 ** 20) return verdict(_("A file of a match has at most 64 MiB."), true);
    await read(await file.text());
  }

  async function fetched(match) {
    const answer = await fetch(`/matches/${match}/bundle`).catch(() => null);
    if (answer?.ok) return read(await answer.text());
    verdict(_("The file of this match cannot be had: it is not over, or not for you."), true);
  }

  form.addEventListener("change", (event) => opened(event.target.files[0]));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("dragover", (event) => event.preventDefault());
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    opened(event.dataTransfer.files[0]);
  });
  if (form.dataset.match) fetched(form.dataset.match);
})();
