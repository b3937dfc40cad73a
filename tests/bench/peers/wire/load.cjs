// The load, one process for whatever system: each match a closed loop of two clients.
// node load.cjs SYSTEM URL speed MATCHES SECONDS ROUNDS PID,PID… | secrets MATCHES MOVES
//               | hold MATCHES SECONDS FILE | found FILE
const { readFileSync, writeFileSync } = require('node:fs');

const [system, base, what, ...words] = process.argv.slice(2);
const { table, found } = require(`./to_${system}.cjs`);
const AT_ONCE = 16; // matches set up at once
const DIGITS = 9; // of a card
const LONG = 20_000; // rounds that do not end

const say = told => console.log(JSON.stringify(told));

async function tables(n, rounds, spy = false) {
  const made = [];
  while (made.length < n) {
    const some = Math.min(AT_ONCE, n - made.length);
    made.push(...await Promise.all(Array.from({ length: some }, () => table(base, rounds, spy))));
  }
  return made;
}

// Speed: waves of new matches, each timed until its first match is over or the time is up.

async function wave(matches, seconds, rounds, spent) {
  const all = await tables(matches, rounds), took = [];
  let going = true;
  const timer = setTimeout(() => { going = false; }, seconds * 1000);
  const loop = async one => {
    for (let n = 1; going && n <= 2 * rounds; n += 1) {
      const began = performance.now();
      await one.play(n);
      if (going) took.push(performance.now() - began);
    }
    going = false;
  };
  const [load, server, began] = [process.cpuUsage(), used(), performance.now()];
  const loops = all.map(loop);
  await Promise.race(loops);
  spent.seconds += (performance.now() - began) / 1000;
  const { user, system: kernel } = process.cpuUsage(load);
  spent.load += (user + kernel) / 1e6;
  spent.server = used().map((now, i) => spent.server[i] + now - server[i]);
  spent.memory = resident();
  spent.took.push(...took);
  await Promise.all(loops);
  clearTimeout(timer);
  all.forEach(one => one.close());
}

const pids = () => words[3].split(',').map(Number);
const used = () => pids().map(pid => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
});
const resident = () => pids().map(pid =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024);

async function speed() {
  const [matches, seconds, rounds] = words.map(Number);
  const fresh = () => ({ took: [], seconds: 0, load: 0, server: pids().map(() => 0), memory: [] });
  await wave(matches, Math.min(1, seconds), rounds, fresh()); // to warm up
  const spent = fresh();
  while (spent.seconds < seconds) await wave(matches, seconds - spent.seconds, rounds, spent);
  const took = spent.took.sort((a, b) => a - b);
  const at = part => took[Math.min(took.length - 1, Math.floor(part * took.length))];
  say({ moves: took.length, seconds: spent.seconds, p50: at(0.5), p99: at(0.99),
    load: spent.load, server: spent.server, memory: spent.memory });
}

// Secrets: bytes of cards in the other's hand in whatever came to a client by then.

async function secrets() {
  const [matches, moves] = words.map(Number);
  let bytes = 0, received = 0;
  for (const one of await tables(matches, LONG, true)) {
    const hands = [one.hands()];
    for (let n = 1; n <= moves; n += 1) {
      await one.play(n);
      hands.push(one.hands());
    }
    for (const { viewer, n = moves, bytes: raw } of one.both.raws) {
      received += raw.length;
      for (const card of hands[n][1 - viewer]) bytes += (raw.split(card).length - 1) * DIGITS;
    }
    one.close();
  }
  say({ bytes, received });
}

// Holding: play, be killed meanwhile, and say what was acknowledged; `found` says what is left.

async function hold() {
  const [matches, seconds] = words.map(Number);
  const all = await tables(matches, LONG);
  let going = true;
  setTimeout(() => { going = false; }, seconds * 1000);
  const over = new Promise(resolve => setTimeout(resolve, seconds * 1000 + 500));
  say('going');
  const loop = async one => { for (let n = 1; going; n += 1) await one.play(n); };
  await Promise.race([Promise.allSettled(all.map(loop)), over]);
  const told = all.map(one => ({ key: one.key(), acknowledged: one.both.acknowledged }));
  writeFileSync(words[2], JSON.stringify(told));
}

async function left() {
  let acknowledged = 0, lost = 0;
  for (const one of JSON.parse(readFileSync(words[0]))) {
    acknowledged += one.acknowledged;
    lost += Math.max(0, one.acknowledged - await found(base, one.key));
  }
  say({ acknowledged, lost });
}

const parts = { speed, secrets, hold, found: left };
parts[what]().then(() => process.exit(0), error => {
  console.error(error);
  process.exit(1);
});
