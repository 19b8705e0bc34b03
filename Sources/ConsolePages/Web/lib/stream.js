// The one event stream of the page. It is closed while the page is hidden.

const events = ['snapshot', 'party', 'card', 'decision', 'push', 'rates', 'gone', 'closed'];

/** Each page watches something that brings `rates` once a second: without them the stream is dead. */
const silenceMax = 3500;
const retryMax = 8000;
/** The least time between two streams: the server notices that one has left after about as long. */
const hurryMax = 1000;

export class Stream {
  #source = null;
  #watch = [];
  #handlers = {};
  #timer = null;
  #deadline = null;
  #failures = 0;
  #wasOpen = false;
  #openedAt = -Infinity;

  /** `onState({state: 'live' | 'reconnecting' | 'off', lag})`, `onClosed()` when the session ended. */
  constructor(onState, onClosed) {
    this.onState = onState;
    this.onClosed = onClosed;
    document.addEventListener('visibilitychange', () => document.hidden ? this.#pause() : this.#open());
    addEventListener('pagehide', () => this.#pause());
  }

  /**
   * Watches other things. `handlers` has one function for each event, and `resumed`, which runs
   * when the stream is there again after a break.
   */
  open(watch, handlers) {
    this.#handlers = handlers;
    this.#watch = [...new Set([...watch, 'pushes'])];
    this.#wasOpen = false;
    this.#failures = 0;
    this.#pause();
    // Who hurries through pages opens one stream, not one for each.
    const rest = this.#openedAt + hurryMax - performance.now();
    if (rest > 0) this.#timer = setTimeout(() => this.#open(), rest);
    else this.#open();
  }

  close() {
    this.#watch = [];
    this.#pause();
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
    this.#openedAt = performance.now();
    source.addEventListener('open', () => this.#opened());
    source.addEventListener('error', () => this.#failed());
    for (const name of events) {
      source.addEventListener(name, message => this.#received(name, message));
    }
    this.#expect(silenceMax * 2);
  }

  #opened() {
    this.#failures = 0;
    this.onState({state: 'live', lag: null});
    this.#expect(silenceMax);
    if (this.#wasOpen) this.#handlers.resumed?.();
    this.#wasOpen = true;
  }

  #received(name, message) {
    const data = JSON.parse(message.data);
    if (name === 'closed') {
      this.close();
      this.onClosed();
      return;
    }
    this.#expect(silenceMax);
    // A party may have been as it is for an hour; rates say up to when everything has been told.
    if (name === 'rates') this.onState({state: 'live', lag: Date.now() - data.at});
    this.#handlers[name]?.(data);
  }

  /** The browser reconnects by itself with the last id, but not after a refusal or in silence. */
  #failed() {
    this.onState({state: 'reconnecting'});
    clearTimeout(this.#deadline);
    if (this.#source?.readyState === EventSource.CLOSED) this.#reopenLater();
    else this.#expect(silenceMax * 2);
  }

  #expect(milliseconds) {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => {
      this.onState({state: 'reconnecting'});
      this.#reopenLater();
    }, milliseconds);
  }

  #reopenLater() {
    this.#pause();
    this.#failures += 1;
    const delay = Math.min(retryMax, 500 * 2 ** this.#failures) * (0.75 + Math.random() / 2);
    this.#timer = setTimeout(() => this.#open(), delay);
  }
}
