// The rules of the duel that all systems play: `duel/rules.py` says them for ours.
const HAND = 3, LOWEST = 100_000_000, CARDS = 900_000_000;

// `below(n)` gives an integer in 0 … n−1, by whatever chance the system offers.
const card = below => LOWEST + below(CARDS);
const hand = below => Array.from({ length: HAND }, () => card(below));

// What playing `place` of `cards` gives; `led` is null for who leads the round.
function played(cards, place, led, below) {
  const shown = Number(cards[place]);
  const points = led === null ? null : [Number(led > shown), Number(shown > led)];
  return { shown, points, drawn: card(below) };
}

module.exports = { card, hand, played };
