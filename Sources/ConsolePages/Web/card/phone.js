// Screens of phones around the presentations. A phone does not follow the console's theme.
import {h, set, write} from '../lib/dom.js';
import {part} from './card.js';
import {compact, expanded, lockScreen, minimal, minimalAttached} from './presentations.js';

/** The phones that the table of sizes knows. */
export const devices = {393: '393 × 852', 430: '430 × 932'};

const battery = 'M30.500 1h19A2.500 2.500 0 0 1 52 3.500v5a2.500 2.500 0 0 1-2.500 2.500h-19A2.500 2.500 0 0 1 28 8.500v-5A2.500 2.500 0 0 1 30.500 1zM53.500 4v4a2 2 0 0 0 0-4z';
const signal = 'M0 8h3v4H0zM4.500 5.500h3V12h-3zM9 3h3v9H9zM13.500 0h3v12h-3z';

/** `9:41`, or the time of the moment that is shown. */
export function clockText(at) {
  if (!at) return '9:41';
  const time = new Date(at);
  return `${time.getHours()}:${String(time.getMinutes()).padStart(2, '0')}`;
}

/** The day in the phone's language. */
export function dateText(at, language) {
  const day = new Date(at ?? Date.now());
  return new Intl.DateTimeFormat(language, {weekday: 'long', month: 'long', day: 'numeric'}).format(day);
}

/** Time and battery beside an island; `narrow` leaves out the signal, where a minimal needs room. */
function statusBar(kind) {
  const clock = h('span');
  const path = kind === 'narrow' ? battery : signal + battery;
  const icon = h('svg', {viewBox: kind === 'narrow' ? '27 0 29 12' : '0 0 56 12', width: kind === 'narrow' ? 24 : 47, height: 10, 'aria-hidden': 'true'}, h('path', {d: path}));
  const root = h('div', {class: 'status', 'aria-hidden': 'true'}, clock, icon);
  return part(root, model => write(clock, clockText(model.at)));
}

/** The Lock Screen: date, clock and the card, which stays there for hours after the end. */
export function lockPhone() {
  const card = lockScreen();
  const date = h('p', {class: 'date'});
  const clock = h('p', {class: 'clock'});
  const note = h('p', {class: 'note', role: 'status'});
  const root = h('div', {class: 'screen lock'}, date, clock, card.root, note);
  return part(root, model => {
    write(date, dateText(model.at, model.language));
    write(clock, clockText(model.at));
    card.update(model);
    card.root.hidden = model.phase === 'none';
    write(note, notes[model.phase] ?? '');
    note.hidden = !notes[model.phase];
    root.dataset.phase = model.phase;
  });
}

const notes = {none: 'No card on this phone yet', dismissed: 'The player swiped the card away'};

/** A strip of a screen with an island; the island is empty without an activity (S4: at once). */
export function islandPhone(kind) {
  const views = {compact: () => [compact()], minimal: () => [minimalAttached(), minimal()], expanded: () => [expanded()]}[kind]();
  const status = kind === 'expanded' ? null : statusBar(kind === 'minimal' ? 'narrow' : 'wide');
  const empty = h('div', {class: 'island empty'});
  const root = h('div', {class: `screen strip ${kind}`}, status?.root, views.map(view => view.root), empty);
  return part(root, model => {
    const isShown = model.phase === 'active' || model.phase === 'stale';
    status?.update(model);
    for (const view of views) {
      view.update(model);
      view.root.hidden = !isShown;
    }
    empty.hidden = isShown;
    root.dataset.phase = model.phase;
  });
}

/** A presentation with its caption: what it is, and its size as measured. */
export function figure(title, note, content, size = null) {
  const measure = h('span', {class: 'size'}, note ?? '');
  const root = h('figure', h('figcaption', h('b', title), measure), content.root);
  return part(root, model => {
    content.update(model);
    const box = size && root.isConnected ? size(content.root) : null;
    if (box) write(measure, box);
  });
}

/** Returns `371 × 122 pt` of what a selector finds, not scaled by the page. */
export function sizeOf(selector, suffix = '') {
  return root => {
    const box = root.querySelector(selector);
    return box && box.offsetHeight ? `${box.offsetWidth} × ${box.offsetHeight} pt${suffix}` : null;
  };
}

/** Sets which device's sizes hold below `root`. */
export function setDevice(root, device) {
  set(root, {'data-device': device});
}
