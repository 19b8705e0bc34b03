// The form in which somebody becomes a hero of a party.
import {fill, h, style, write} from '../lib/dom.js';
import {call} from './api.js';
import {seat, takeSeat} from './seat.js';

await style('join.css');

const avatars = ['🐼', '🥚', '🐳', '🦊', '🐸', '🦉', '🐙', '🦄', '🐢', '🦖', '🐧', '🐝'];
const classes = ['guardian', 'striker', 'healer', 'trickster', 'wanderer'];

/** Shows the form. `done()` runs once the hero is in a party; `why` says why the form is back. */
export function showForm(root, {code, why, done}) {
  const reason = h('p', {class: 'reason', role: 'alert'}, why ?? '');
  const faces = h('fieldset', {class: 'faces'}, h('legend', 'Emoji'), avatars.map((avatar, index) =>
    h('label', h('input', {type: 'radio', name: 'avatar', value: avatar, checked: index === 0, 'aria-label': avatar}), h('span', {'aria-hidden': 'true'}, avatar))));
  const nameField = h('input', {name: 'name', required: true, maxlength: '24', autocomplete: 'off', placeholder: 'Power Panda'});
  const codeField = h('input', {name: 'code', value: code ?? '', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', placeholder: 'empty: a party of your own'});
  const kind = h('select', {name: 'class'}, classes.map(value => h('option', value)));
  const button = h('button', {class: 'do', type: 'submit'}, 'Join');
  const form = h('form', {class: 'panel join', 'aria-label': 'Join a party', onsubmit: async event => {
    event.preventDefault();
    button.disabled = true;
    write(reason, '');
    try {
      await join(new FormData(form));
      done();
    } catch (error) {
      write(reason, sentence(error));
    }
    button.disabled = false;
  }}, h('div', {class: 'logo', 'aria-hidden': 'true'}, '🗺️'), h('h1', 'Emoji Rangers'),
  h('p', {class: 'meta'}, 'This page becomes a phone of the party: it gets the pushes that an iPhone would get.'),
  faces, h('label', 'Name', nameField), h('label', 'Class', kind), h('label', 'Invite code', codeField), reason, button);
  fill(root, form);
  nameField.focus();
}

function sentence(error) {
  return error.status === 404 ? 'No party has this code. Codes expire: ask for a new one.' : error.message;
}

/** What has succeeded is kept for the next try: a full party costs no second player. */
async function join(form) {
  const wanted = {name: form.get('name').trim(), avatar: form.get('avatar'), class: form.get('class')};
  if (!seat.token) takeSeat({token: (await call('POST', 'players')).token});
  const made = JSON.stringify(wanted);
  if (!seat.hero || seat.made !== made) {
    const hero = await call('POST', 'heroes', {token: seat.token, body: wanted});
    takeSeat({hero: hero.id, made});
  }
  const code = form.get('code').trim().toUpperCase();
  const party = code
    ? await call('POST', 'parties/join', {token: seat.token, body: {inviteCode: code, hero: seat.hero}})
    : await call('POST', 'parties', {token: seat.token, body: {hero: seat.hero}});
  takeSeat({party: party.id});
}
