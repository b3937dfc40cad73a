// Two clients of boardgame.io: its lobby over HTTP, then socket.io as its own client speaks it.
const { io } = require('socket.io-client');
const { request } = require('undici');
const { Both } = require('./both.cjs');

async function post(url, body) {
  const headers = { 'content-type': 'application/json' };
  const { statusCode, body: answer } =
    await request(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (statusCode !== 200) throw new Error(`${url}: ${statusCode} ${await answer.text()}`);
  return answer.json();
}

async function table(base, rounds, spy) {
  const lobby = `${base}/games/duel`;
  const made = { numPlayers: 2, setupData: { rounds } };
  const { matchID } = await post(`${lobby}/create`, made);
  const both = new Both(), seats = [];
  if (spy) both.raws = [];
  for (const seat of [0, 1]) {
    const who = { playerID: String(seat), playerName: `Player ${seat}` };
    const { playerCredentials } = await post(`${lobby}/${matchID}/join`, who);
    seats.push(await sit(base, matchID, seat, playerCredentials, both));
  }
  const play = async n => {
    const { socket, state, credentials, id } = seats[(n - 1) % 2];
    const payload = { type: 'play', args: [n % 3], playerID: id, credentials };
    const done = both.until(n);
    socket.emit('update', { type: 'MAKE_MOVE', payload }, state._stateID, matchID, id);
    await done;
  };
  const key = { matchID, credentials: seats[0].credentials };
  return { both, play, hands: () => seats.map(one => one.state.G.players[one.id].hand),
    close: () => seats.forEach(({ socket }) => socket.close()), key: () => key };
}

async function sit(base, matchID, seat, credentials, both) {
  const id = String(seat);
  const socket = io(`${base}/duel`,
    { transports: ['websocket'], reconnection: false, forceNew: true });
  const mine = { socket, credentials, id, state: null };
  const heard = state => {
    mine.state = state;
    if (seat === (state.G.moves + 1) % 2) both.hasAnswer(state.G.moves);
    both.saw(seat, state.G.moves);
  };
  socket.on('disconnect', why => both.broke(new Error(why)));
  socket.on('update', (_, state) => heard(state));
  await new Promise((resolve, reject) => {
    socket.on('connect_error', reject);
    socket.on('sync', (_, { state }) => { heard(state); resolve(); });
    socket.on('connect', () => {
      socket.io.engine.on('packet', ({ data }) => both.raw(seat, data));
      socket.emit('sync', matchID, id, credentials, 2);
    });
  });
  return mine;
}

// How many moves of this match the server knows.
async function found(base, { matchID, credentials }) {
  const socket = io(`${base}/duel`, { transports: ['websocket'], reconnection: false });
  try {
    return await new Promise(resolve => {
      setTimeout(resolve, 3000, 0);
      socket.on('connect_error', () => resolve(0));
      socket.on('sync', (_, { state }) => resolve(state?.G.moves ?? 0));
      socket.on('connect', () => socket.emit('sync', matchID, '0', credentials, 2));
    });
  } finally {
    socket.close();
  }
}

module.exports = { table, found };
