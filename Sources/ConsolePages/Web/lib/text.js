// Times, numbers and lists of the console's pages.
import {h} from './dom.js';

/** `14:09:17`, the reader's time. */
export function time(at) {
  return at ? new Date(at).toTimeString().slice(0, 8) : '–';
}

/** `03:27` or `1:03:27`: how long something took. */
export function span(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = number => String(number).padStart(2, '0');
  const [hours, rest] = [Math.floor(seconds / 3600), two(Math.floor(seconds / 60) % 60) + ':' + two(seconds % 60)];
  return hours ? `${hours}:${rest}` : rest;
}

/** `4 s ago`, `12 min ago`, `3 h ago`. */
export function ago(at, now = Date.now()) {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 100) return `${seconds} s ago`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3600)} h ago`;
}

/** `0.21 s`: from one time to another. */
export function seconds(milliseconds) {
  return milliseconds === null || Number.isNaN(milliseconds) ? '–' : `${(Math.max(0, milliseconds) / 1000).toFixed(2)} s`;
}

/** `1 party`, `3 parties`. */
export function count(number, one, many = one + 's') {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** `knockedDown` as `knocked down`. */
export function plain(name) {
  return (name ?? '').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

/** A player's name inside a text, where no element can isolate it: it moves nothing around it. */
export function isolated(name) {
  return `\u2068${name}\u2069`;
}

/**
 * Shows one element for each item and keeps those of items that stay, with their focus.
 * `make(item)` returns `{root, update(item)}`.
 */
export function keyed(parent, items, keyOf, make) {
  const old = parent.entries ?? new Map();
  parent.entries = new Map();
  items.forEach((item, index) => {
    const key = keyOf(item);
    const entry = old.get(key) ?? make(item);
    entry.update?.(item);
    parent.entries.set(key, entry);
    old.delete(key);
    if (parent.children[index] !== entry.root) parent.insertBefore(entry.root, parent.children[index] ?? null);
  });
  for (const entry of old.values()) entry.root.remove();
}

/** The priority of a push or a decision, with a bell for an alert. */
export function priority({priority: number, alert}) {
  return h('span', {class: `prio p${number}`}, number, alert ? h('span', {role: 'img', 'aria-label': ', alert'}, '🔔') : null);
}
