// Finds a party, a hero, a player or an activity, from any page.
import {fill, h} from '../lib/dom.js';
import {count} from '../lib/text.js';
import {get} from '../lib/api.js';
import {go, href} from '../lib/route.js';

/** Opens the dialog of `/`. */
export function open() {
  const input = h('input', {type: 'search', name: 'find', autocomplete: 'off', spellcheck: 'false', 'aria-label': 'Find', placeholder: 'Invite code, hero, player or activity'});
  const results = h('div', {class: 'results', 'aria-live': 'polite'});
  const dialog = h('dialog', {class: 'find', 'aria-label': 'Find', onclose: () => dialog.remove()},
    h('form', {method: 'dialog', onsubmit: event => { event.preventDefault(); find(input.value.trim(), results, dialog); }}, input,
      h('button', {class: 'do'}, 'Find')), results);
  results.addEventListener('click', event => { if (event.target.closest('a')) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  input.focus();
}

async function find(text, results, dialog) {
  if (!text) return;
  fill(results, h('p', {class: 'loading'}, 'Searching…'));
  const [parties, players] = await Promise.all([
    get('admin/parties', {find: text, limit: 10}).catch(() => ({parties: []})),
    get('admin/players', {find: text, limit: 10}).catch(() => ({players: []})),
  ]);
  const links = [
    ...parties.parties.map(party => h('a', {href: href('party', party.id)}, `${party.heroes?.[0]?.avatar ?? '🗺️'} Party of `,
      h('bdi', party.heroes?.[0]?.name ?? party.id), h('small', party.inviteCode))),
    ...players.players.map(player => h('a', {href: href('players', player.id)}, '👤 ',
      (player.heroes ?? []).map(hero => [hero.avatar, ' ', h('bdi', hero.name), ' ']), h('small', player.id))),
  ];
  const isCode = parties.parties.length === 1 && parties.parties[0].inviteCode === text.toUpperCase();
  if (links.length === 1 || isCode) {
    dialog.close();
    return go(links[0].getAttribute('href'));
  }
  fill(results, links.length ? [h('p', {class: 'meta'}, count(links.length, 'result')), links]
    : h('p', {class: 'meta'}, `Nothing is called “${text}”. Codes and ids must be whole.`));
  results.querySelector('a')?.focus();
}
