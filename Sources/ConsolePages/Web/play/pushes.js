// The stream of pushes to this phone: what Apple would deliver, payload by payload.
import {part, request} from './api.js';

/** Two heartbeats of the server, and a little. */
const silenceMax = 35_000;
const retryMax = 8000;

export class Pushes {
  #abort = null;
  #timer = null;
  #failures = 0;
  #retry = 1000;

  /**
   * `onPush(payload, alert, bytes)`; `onState('open' | 'lost' | 'closed', problem)`: lost, it tries
   * again by itself; closed, it does not.
   */
  constructor(onPush, onState) {
    this.onPush = onPush;
    this.onState = onState;
  }

  open(activity, token) {
    this.close();
    this.#run(activity, token);
  }

  close() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#abort?.abort();
    this.#abort = null;
  }

  async #run(activity, token) {
    const abort = new AbortController();
    this.#abort = abort;
    this.#timer = null;
    let problem = null;
    try {
      const response = await request('GET', `activities/${part(activity)}/pushes`, {token, signal: abort.signal});
      this.#failures = 0;
      this.onState('open', null);
      problem = await this.#read(response.body.getReader(), abort);
    } catch (error) {
      if (error.status) problem = error;
    }
    // Closed, or opened again, meanwhile.
    if (this.#abort !== abort) return;
    this.#abort = null;
    const isFinal = problem && problem.status >= 400 && problem.status < 500 && problem.status !== 429;
    this.onState(isFinal ? 'closed' : 'lost', problem);
    if (!isFinal) this.#retryLater(activity, token, problem);
  }

  /** Reads to the end of the stream. Returns why the server has closed it for good, or null. */
  async #read(reader, abort) {
    const decoder = new TextDecoder();
    let text = '';
    let alert = null;
    let last = null;
    while (true) {
      const silence = setTimeout(() => abort.abort(), silenceMax);
      const {done, value} = await reader.read().finally(() => clearTimeout(silence));
      if (done || this.#abort !== abort) return last;
      text += decoder.decode(value, {stream: true});
      const messages = text.split('\n\n');
      text = messages.pop();
      for (const message of messages) {
        const {name, data, retry} = fields(message);
        if (retry) this.#retry = Number(retry);
        if (name === 'alert') alert = JSON.parse(data);
        if (name === 'closed') return {status: 409, reason: JSON.parse(data).reason};
        if (name === 'push') {
          const payload = JSON.parse(data);
          // The server closes the stream after it: nothing follows.
          if (payload.aps.event === 'end') last = {status: 410, reason: 'end'};
          this.onPush(payload, alert, new TextEncoder().encode(data).length);
          alert = null;
        }
      }
    }
  }

  #retryLater(activity, token, problem) {
    const delay = Math.min(retryMax, this.#retry * 2 ** Math.min(this.#failures, 4)) * (0.75 + Math.random() / 2);
    this.#failures += 1;
    this.#timer = setTimeout(() => this.#run(activity, token), Math.max(delay, (problem?.retryAfter ?? 0) * 1000));
  }
}

/** The fields of one message of a stream. */
function fields(message) {
  const found = {};
  for (const line of message.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) found[line.slice(0, colon)] = line.slice(colon + 2);
  }
  return {name: found.event, data: found.data, retry: found.retry};
}
