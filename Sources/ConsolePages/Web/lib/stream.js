// The one event stream of the page. It is closed while the page is hidden.

const events = ['snapshot', 'party', 'card', 'decision', 'push', 'rates', 'gone', 'closed'];

/** Each page watches something that brings `rates` once a second: without them the stream is dead. */
const silenceMax = 3500;
const retryMax = 8000;
/** The server notices within about this time that a stream has left: until then it counts. */
const leavingTime = 1000;
/** The most streams of a page that count at once, of the four that a session may have. */
const atOnceMax = 2;

export class Stream {
  #source = null;
  #watch = [];
  #handlers = {};
  #timer = null;
  #deadline = null;
  #failures = 0;
  #wasOpen = false;
  #lag = null;
  #openings = [];

  /** `onState({state: 'live' | 'reconnecting' | 'off', lag})`, `onClosed()` when the session ended. */
  constructor(onState, onClosed) {
    this.onState = onState;
    this.onClosed = onClosed;
    document.addEventListener('visibilitychange', () => document.hidden ? this.#pause() : this.#open());
    addEventListener('pagehide', () => this.#pause());
  }

  /**
   * Watches other things. `handlers` has one function for each event, and `resumed`, which runs
   * when the stream is there again after a break. The bar says nothing new meanwhile: a page that
   * changes has lost no connection.
   */
  open(watch, handlers) {
    const wanted = [...new Set([...watch, 'pushes'])];
    const isSame = wanted.join() === this.#watch.join() && wanted.length === 1 && this.#source;
    this.#handlers = handlers;
    if (isSame) return;
    this.#watch = wanted;
    this.#wasOpen = false;
    this.#failures = 0;
    this.#pause();
    const rest = (this.#openings.at(-atOnceMax) ?? -Infinity) + leavingTime - performance.now();
    if (rest > 0) this.#timer = setTimeout(() => this.#open(), rest);
    else this.#open();
  }

  /** Lets go of a page's handlers. The stream stays, so that the bar is right, until the next `open`. */
  release() {
    this.#handlers = {};
  }

  close() {
    this.#watch = [];
    this.#pause();
    this.#lag = null;
    this.onState({state: 'off'});
  }

  #pause() {
    clearTimeout(this.#timer);
    clearTimeout(this.#deadline);
    this.#source?.close();
    this.#source = null;
  }

  #open() {
    this.#pause();
    if (!this.#watch.length || document.hidden) return;
    const query = this.#watch.map(name => `watch=${encodeURIComponent(name)}`).join('&');
    const source = new EventSource(`../v1/admin/stream?${query}`);
    this.#source = source;
    this.#openings = [...this.#openings, performance.now()].slice(-atOnceMax);
    source.addEventListener('open', () => this.#opened());
    source.addEventListener('error', () => this.#failed());
    for (const name of events) {
      source.addEventListener(name, message => this.#received(name, message));
    }
    this.#expect(silenceMax * 2);
  }

  #opened() {
    this.#failures = 0;
    this.onState({state: 'live', lag: this.#lag});
    this.#expect(silenceMax);
    if (this.#wasOpen) this.#handlers.resumed?.();
    this.#wasOpen = true;
  }

  #received(name, message) {
    const data = JSON.parse(message.data);
    if (name === 'closed') {
      if (data.reason !== 'session') return this.#reopenLater(this.onState({state: 'reconnecting'}));
      this.close();
      this.onClosed();
      return;
    }
    this.#expect(silenceMax);
    // A party may have been as it is for an hour; rates say up to when everything has been told.
    if (name === 'rates') {
      this.#lag = Date.now() - data.at;
      this.onState({state: 'live', lag: this.#lag});
    }
    this.#handlers[name]?.(data);
  }

  /** The browser reconnects by itself with the last id, but not after a refusal or in silence. */
  #failed() {
    this.#lost();
    clearTimeout(this.#deadline);
    if (this.#source?.readyState === EventSource.CLOSED) this.#reopenLater();
    else this.#expect(silenceMax * 2);
  }

  #expect(milliseconds) {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => {
      this.#lost();
      this.#reopenLater();
    }, milliseconds);
  }

  #lost() {
    this.#lag = null;
    this.onState({state: 'reconnecting'});
  }

  #reopenLater() {
    this.#pause();
    this.#failures += 1;
    const delay = Math.min(retryMax, 500 * 2 ** this.#failures) * (0.75 + Math.random() / 2);
    this.#timer = setTimeout(() => this.#open(), delay);
  }
}
