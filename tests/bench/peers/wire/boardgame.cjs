// boardgame.io's server with the duel: node boardgame.cjs PORT memory|flatfile STRIPPED FOLDER
const { PlayerView, INVALID_MOVE } = require('boardgame.io/core');
const { FlatFile, Origins, Server } = require('boardgame.io/server');
const { hand, played } = require('./rules.cjs');

const [port, storage, stripped, folder] = process.argv.slice(2);

const duel = {
  name: 'duel',
  setup: ({ random }, setupData) => {
    const below = n => random.Die(n) - 1;
    const players = { 0: { hand: hand(below) }, 1: { hand: hand(below) } };
    const rounds = setupData?.rounds ?? 10;
    return { rounds, players, table: [null, null], scores: [0, 0], moves: 0 };
  },
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      client: false, // as its guide says for moves that use secrets
      move: ({ G, playerID, random }, place) => {
        if (!Number.isInteger(place) || place < 0 || place > 2) return INVALID_MOVE;
        const mine = G.players[playerID].hand;
        const led = playerID === '1' ? G.table[0] : null;
        const { shown, points, drawn } = played(mine, place, led, n => random.Die(n) - 1);
        if (points) G.scores = G.scores.map((score, seat) => score + points[seat]);
        G.table = points ? [led, shown] : [shown, null];
        mine[place] = drawn;
        G.moves += 1;
      },
    },
  },
  endIf: ({ G }) => (G.moves === 2 * G.rounds ? { scores: G.scores } : undefined),
  ...(stripped === '1' ? { playerView: PlayerView.STRIP_SECRETS } : {}),
};

const more = storage === 'flatfile' ? { db: new FlatFile({ dir: folder }) } : {};
Server({ games: [duel], origins: [Origins.LOCALHOST], ...more })
  .run({ port: { port: Number(port), host: '127.0.0.1' } });

process.stdin.on('end', () => process.exit()).resume(); // we end when the bench does
