// Two clients of Colyseus, by its SDK.
const { Client } = require('@colyseus/sdk');
const { Both } = require('./both.cjs');

async function table(base, rounds, spy) {
  const client = new Client(base), both = new Both(), rooms = [];
  if (spy) both.raws = [];
  for (const seat of [0, 1]) {
    const room = await (seat
      ? client.joinById(rooms[0].roomId) : client.create('duel', { rounds }));
    room.reconnection.enabled = false;
    rooms.push(room);
    listen(room, seat, both);
    await new Promise(resolve => { room.onMessage('seat', resolve); });
    while (!room.state?.players?.[seat]?.hand?.length) await new Promise(setImmediate);
  }
  const play = async n => {
    const done = both.until(n);
    rooms[(n - 1) % 2].send('play', n % 3);
    await done;
  };
  return { both, play,
    hands: () => rooms.map((room, seat) => [...room.state.players[seat].hand]),
    close: () => rooms.forEach(room => room.leave()), key: () => ({ room: rooms[0].roomId }) };
}

function listen(room, seat, both) {
  const { events } = room.connection, decode = events.onmessage;
  events.onmessage = event => {
    both.raw(seat, Buffer.from(event.data).toString('latin1'));
    decode(event);
  };
  room.onStateChange(state => {
    if (seat === (state.moves + 1) % 2) both.hasAnswer(state.moves);
    both.saw(seat, state.moves);
  });
  room.onLeave(code => both.broke(new Error(`left: ${code}`)));
  room.onError((code, why) => both.broke(new Error(`${code} ${why}`)));
}

// How many moves of this match the server knows.
async function found(base, { room }) {
  try {
    const again = await new Client(base).joinById(room);
    return again.state.moves;
  } catch {
    return 0; // there is no such room any more
  }
}

module.exports = { table, found };
