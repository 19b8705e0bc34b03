// The newest events of the party, and the newest pushes to this phone.
import {fill, h, write} from '../lib/dom.js';

const eventsMax = 8;
const time = at => new Date(at).toTimeString().slice(0, 8);

/** The story as the party tells it, newest first. */
export function story() {
  const list = h('ol', {class: 'list'});
  let newest = null;
  return {root: h('section', {class: 'panel', 'aria-label': 'Story'}, h('h2', 'Story'), list), update: (events, language) => {
    const last = `${events.at(-1)?.sequence} ${language}`;
    if (last === newest) return;
    newest = last;
    fill(list, events.slice(-eventsMax).reverse().map(event =>
      h('li', h('time', time(event.at)), h('span', {lang: language}, event.description))));
  }};
}

/** What the server pushed, byte for byte. */
export function arrivals() {
  const list = h('ol', {class: 'list'}, h('li', {class: 'meta'}, 'Nothing yet.'));
  const json = h('pre', {tabindex: '0', 'aria-label': 'Payload'});
  const details = h('details', {hidden: true}, h('summary', 'The newest payload'), json);
  return {root: h('section', {class: 'panel', 'aria-label': 'Pushes'}, h('h2', 'Pushes to this phone'), list, details), update: log => {
    details.hidden = !log.length;
    write(json, log.length ? JSON.stringify(log[0].payload, null, 2) : '');
    fill(list, log.map(({payload, alert, bytes, at}) => h('li', h('time', time(at)),
      h('span', alert ? h('span', {role: 'img', 'aria-label': 'alert'}, '🔔 ') : null, payload.aps['content-state'].eventDescription),
      h('small', `${payload.aps.event}, ${bytes} bytes`))));
  }};
}
