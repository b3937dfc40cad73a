// Two clients of Turnfold: moves by POST, and a feed of server-sent events each.
const { randomBytes } = require('node:crypto');
const { Client } = require('undici');
const { Both } = require('./both.cjs');

const DEALT = 3; // the entry that deals: offer, join, join
const JSON_SENT = { 'content-type': 'application/json' };

// One request of a player, on its own connection; by undici's `dispatch`, its cheapest door.
function ask(client, method, path, token, body, headers = {}) {
  const sent = { ...JSON_SENT, ...headers };
  if (token) sent.authorization = `Bearer ${token}`;
  const asked = { method, path, headers: sent, body: body && JSON.stringify(body) };
  return new Promise((resolve, reject) => {
    let status, text = '';
    client.dispatch(asked, {
      onConnect() {},
      onHeaders(code) { status = code; return true; },
      onData(chunk) { text += chunk; return true; },
      onComplete() {
        if (status < 300) resolve(text);
        else reject(new Error(`${method} ${path}: ${status} ${text}`));
      },
      onError: reject,
    });
  });
}

async function table(base, rounds, spy) {
  const both = new Both(), seats = [];
  if (spy) both.raws = [];
  for (const seat of [0, 1]) {
    const client = new Client(base), name = { name: `Player ${seat}` };
    const { token } = JSON.parse(await ask(client, 'POST', '/players', null, name));
    seats.push({ client, token, hand: null, stop: null, over: false });
  }
  const offer = { game: 'duel', seats: [null, null], options: { rounds },
    policy: { order: 'joined' } };
  const [{ client, token }] = seats;
  const made = JSON.parse(await ask(client, 'POST', '/matches', token, offer));
  const match = made.look.match;
  for (const { client, token } of seats) {
    const entropy = randomBytes(32).toString('hex');
    await ask(client, 'POST', `/matches/${match}/join`, token, { entropy });
  }
  await Promise.all(seats.map((one, seat) => follow(base, match, one, seat, both)));
  const play = async n => {
    const seat = (n - 1) % 2, { client, token } = seats[seat];
    const done = both.until(n), move = { type: 'play', place: n % 3 };
    const headers = { 'if-match': `"${DEALT + n - 1}"`,
      'idempotency-key': randomBytes(8).toString('hex') };
    ask(client, 'POST', `/matches/${match}/moves`, token, move, headers).then(text => {
      both.raw(seat, text, n);
      JSON.parse(text);
      both.hasAnswer(n);
    }, error => both.broke(error));
    await done;
  };
  const close = () => seats.forEach(({ client, stop }) => { stop(); client.destroy(); });
  return { both, play, close, hands: () => seats.map(one => [...one.hand]),
    key: () => ({ match, token }) };
}

// Opens the feed; resolves once its look has come.
function follow(base, match, mine, seat, both) {
  const client = new Client(base, { bodyTimeout: 0 });
  mine.stop = () => client.destroy();
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${mine.token}` };
  let rest = '';
  return new Promise((resolve, reject) => {
    client.dispatch({ method: 'GET', path: `/matches/${match}/feed`, headers }, {
      onConnect() {},
      onHeaders(code) {
        if (code !== 200) reject(new Error(`feed: ${code}`));
        return true;
      },
      onData(chunk) {
        const events = (rest + chunk).split('\n\n');
        rest = events.pop();
        for (const event of events) hear(event, mine, seat, both, resolve);
        return true;
      },
      onComplete() { if (!mine.over) both.broke(new Error('the feed ended')); },
      onError: error => both.broke(error),
    });
  });
}

function hear(event, mine, seat, both, begun) {
  let kind = '', data = '';
  for (const line of event.split('\n')) {
    if (line.startsWith('event: ')) kind = line.slice(7);
    else if (line.startsWith('data: ')) data = line.slice(6);
  }
  both.raw(seat, event);
  if (kind === 'look') {
    mine.hand = JSON.parse(data).view.hands[seat];
    begun();
  } else if (kind === 'entry') {
    const { seq, facts } = JSON.parse(data);
    const own = facts.filter(fact => fact.seat === seat);
    const place = own.find(fact => fact.type === 'played')?.place;
    if (place !== undefined) mine.hand[place] = own.find(fact => fact.type === 'drew').card;
    both.saw(seat, seq - DEALT);
  } else if (kind === 'end') {
    mine.over = true;
  }
}

// How many moves of this match the server knows.
async function found(base, { match, token }) {
  const client = new Client(base);
  const { seq } = JSON.parse(await ask(client, 'GET', `/matches/${match}/look`, token));
  client.destroy();
  return seq - DEALT;
}

module.exports = { table, found };
