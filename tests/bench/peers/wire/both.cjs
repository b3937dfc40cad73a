// Two clients of a match: how many moves each has seen, and who waits for both to have seen one.
class Both {
  constructor() {
    this.seen = [0, 0];
    this.answered = 0; // the newest move whose sender has its answer
    this.acknowledged = 0; // the newest that anybody was told was done
    this.waiting = null;
    this.raws = null; // with secrets to look for: {viewer, n: the move it tells of, bytes}
    this.hands = []; // and both hands after each move
  }

  // Resolves once both have seen move `n`, and its sender has the answer.
  until(n) {
    return new Promise((resolve, reject) => {
      this.waiting = { n, resolve, reject };
      this._look();
    });
  }

  saw(viewer, n) {
    if (n > this.seen[viewer]) this.seen[viewer] = n;
    this.raws?.forEach(raw => { if (raw.viewer === viewer) raw.n ??= n; });
    this._told(n);
  }

  hasAnswer(n) {
    if (n > this.answered) this.answered = n;
    this._told(n);
  }

  broke(error) {
    const waiting = this.waiting;
    this.waiting = null;
    this.broken = error;
    waiting?.reject(error);
  }

  // What came to a client; it tells of move `n` or, where that is not known yet, of the next seen.
  raw(viewer, bytes, n) {
    this.raws?.push({ viewer, n, bytes: String(bytes) });
  }

  _told(n) {
    if (n > this.acknowledged) this.acknowledged = n;
    this._look();
  }

  _look() {
    const { waiting, seen } = this;
    if (this.broken) return this.broke(this.broken);
    if (!waiting || seen[0] < waiting.n || seen[1] < waiting.n || this.answered < waiting.n) return;
    this.waiting = null;
    waiting.resolve();
  }
}

module.exports = { Both };
