// Colyseus' server with the duel: node colyseus.cjs PORT
const { Room, Server } = require('@colyseus/core');
const { StateView, schema } = require('@colyseus/schema');
const { WebSocketTransport } = require('@colyseus/ws-transport');
const { hand, played } = require('./rules.cjs');

// Cards are strings on this wire, so that their digits can be found in what is sent.
const Player = schema({ hand: { array: 'string', view: true } }, 'Player');
const Table = schema({
  players: { array: Player },
  table: { array: 'string' }, // what each played in this round; '' for nothing
  scores: { array: 'uint16' },
  moves: 'uint32',
}, 'Table');

const below = n => Math.floor(Math.random() * n);

class Duel extends Room {
  maxClients = 2;
  patchRate = null; // a patch follows each move at once, not 20 times a second

  onCreate({ rounds = 10 }) {
    this.rounds = rounds;
    this.state = new Table();
    this.state.table.push('', '');
    this.state.moves = 0;
    this.state.scores.push(0, 0);
    for (const _ of [0, 1]) {
      const player = new Player();
      player.hand.push(...hand(below).map(String));
      this.state.players.push(player);
    }
    this.onMessage('play', (client, place) => this.play(client.userData.seat, place));
  }

  onJoin(client) {
    client.userData = { seat: this.clients.length - 1 };
    client.view = new StateView();
    client.view.add(this.state.players[client.userData.seat]);
    client.send('seat', client.userData.seat);
  }

  play(seat, place) {
    const { state } = this;
    if (seat !== state.moves % 2 || state.moves === 2 * this.rounds) return;
    if (!Number.isInteger(place) || place < 0 || place > 2) return;
    const mine = state.players[seat].hand;
    const led = seat === 1 ? Number(state.table[0]) : null;
    const { shown, points, drawn } = played(mine, place, led, below);
    if (points) points.forEach((point, i) => { state.scores[i] += point; });
    state.table[seat] = String(shown);
    if (seat === 0) state.table[1] = '';
    mine[place] = String(drawn);
    state.moves += 1;
    this.broadcastPatch();
  }
}

const server = new Server({ greet: false, transport: new WebSocketTransport() });
server.define('duel', Duel);
server.listen(Number(process.argv[2]), '127.0.0.1');

process.stdin.on('end', () => process.exit()).resume(); // we end when the bench does
