// Players: who they are, what they have, and what a game master can take away.
import {fill, h, style} from '../lib/dom.js';
import {count, time} from '../lib/text.js';
import {get, part, post, remove} from '../lib/api.js';
import {href, replace} from '../lib/route.js';

await style('../style/pages.css');

export async function show(main, route, context) {
  if (route.id) return showPlayer(main, route.id, context);
  const input = h('input', {type: 'search', name: 'find', value: route.query.get('find') ?? '', placeholder: 'Hero, player, invite code, activity or device', 'aria-label': 'Find a player', autocomplete: 'off', spellcheck: 'false'});
  const token = h('input', {type: 'password', name: 'token', placeholder: 'Push token in hex', 'aria-label': 'Push token', autocomplete: 'off', spellcheck: 'false'});
  const results = h('div', {class: 'results', 'aria-live': 'polite'});
  const run = async load => {
    fill(results, h('p', {class: 'loading'}, 'Searching…'));
    try {
      const {players} = await load();
      fill(results, players.length ? players.map(player => summary(player)) : h('p', {class: 'empty'}, 'Nobody was found. Codes, ids and tokens must be whole; names must be as the player wrote them.'));
    } catch (error) {
      fill(results, h('p', {class: 'empty', role: 'alert'}, error.message));
    }
  };
  const byText = text => run(() => get('admin/players', text ? {find: text, limit: 50} : {limit: 50}));
  fill(main, h('div', {class: 'playerspage'},
    h('section', {class: 'panel block wide'}, h('header', h('h1', 'Players')),
      h('form', {class: 'search', onsubmit: event => {
        event.preventDefault();
        replace(href('players', null, {}, {find: input.value.trim()}));
        byText(input.value.trim());
      }}, input, h('button', {class: 'do'}, 'Find')),
      h('form', {class: 'search', onsubmit: event => {
        event.preventDefault();
        const value = token.value.trim();
        token.value = '';
        if (value) run(() => post('admin/players/find', {token: value}));
      }}, token, h('button', 'Whose token is this?')),
      h('p', {class: 'meta'}, 'A token is sent in the body of a request, compared by value and never shown.')), results));
  context.stream.open([], {});
  await byText(input.value.trim());
  return {};
}

function summary(player) {
  return h('a', {class: 'panel result', href: href('players', player.id)},
    h('b', (player.heroes ?? []).map(hero => [`${hero.avatar} `, h('bdi', hero.name), ' ']), player.heroes?.length ? null : 'no heroes'),
    h('span', {class: 'meta'}, [player.id, player.activities ? count(player.activities.length, 'card') : null, player.devices ? count(player.devices.length, 'device') : null].filter(Boolean).join(' · ')));
}

async function showPlayer(main, id, context) {
  const page = h('div', {class: 'playerspage'});
  const load = async () => {
    const player = await get(`admin/players/${part(id)}`);
    fill(page, h('a', {href: '#/players'}, '‹ All players'), header(player, context, load), heroes(player), cards(player, context, load), devices(player));
  };
  fill(main, page);
  context.stream.open([], {});
  await load();
  return {};
}

function header(player, context) {
  const name = player.heroes?.[0]?.name ?? player.id;
  return h('section', {class: 'panel block'}, h('header', h('h1', h('bdi', name)), h('code', player.id)),
    player.startsThisHour !== undefined ? h('p', {class: 'meta'}, `${count(player.startsThisHour, 'adventure')} started in this hour.`) : null,
    context.may('owner') ? h('div', {class: 'acts'}, h('button', {type: 'button', class: 'danger', onclick: () => confirm({
      title: 'Revoke the bearer token', context,
      effect: [h('bdi', name), ' is signed out on every device and must use the recovery code to come back. Live Activities go on.'],
      act: 'Revoke the token', run: () => remove(`admin/players/${part(player.id)}/token`), done: 'The token is revoked.',
    })}, 'Revoke the bearer token…')) : null);
}

function heroes(player) {
  return h('section', {class: 'panel block'}, h('header', h('h2', 'Heroes')), player.heroes?.length ? h('ul', {class: 'plain'}, player.heroes.map(hero => h('li',
    h('span', {class: 'big', 'aria-hidden': 'true'}, hero.avatar), h('span', h('b', h('bdi', hero.name)), h('small', `${hero.heroType} · level ${hero.level}`)),
    hero.party ? h('a', {href: href('party', hero.party, {hero: hero.id})}, 'in a party ›') : h('span', {class: 'meta'}, 'at home')))) : h('p', {class: 'empty'}, 'This player has created no hero.'));
}

function cards(player, context, load) {
  const list = player.activities ?? [];
  const end = card => confirm({
    title: 'End a card', context, act: 'End the card', done: 'The card is ended.',
    effect: ['The phone gets a last push that ends the Live Activity ', h('code', card.id), '. The app cannot register it again; the adventure goes on.'],
    run: () => remove(`admin/activities/${part(card.id)}`), then: load,
  });
  return h('section', {class: 'panel block'}, h('header', h('h2', 'Cards')), list.length ? h('ul', {class: 'plain'}, list.map(card => h('li',
    h('span', h('b', card.state), h('small', [card.kind, card.language, card.osVersion ? `iOS ${card.osVersion}` : null, card.hasPushToken ? 'has a push token' : 'no push token'].filter(Boolean).join(' · '))),
    card.party ? h('a', {href: href('party', card.party, {hero: card.hero}, {phone: card.id})}, 'see it ›') : null,
    context.may('gamemaster') && card.state !== 'ended' && card.state !== 'dismissed' ? h('button', {type: 'button', class: 'danger', onclick: () => end(card)}, 'End…') : null))) : h('p', {class: 'empty'}, 'No Live Activity of this player is registered.'));
}

function devices(player) {
  const list = player.devices ?? [];
  return h('section', {class: 'panel block'}, h('header', h('h2', 'Devices')), list.length ? h('ul', {class: 'plain'}, list.map(device => h('li', h('b', device.device),
    h('span', {class: 'meta'}, [device.addedAt ? `since ${new Date(device.addedAt).toLocaleDateString('en')} ${time(device.addedAt)}` : null, device.hasPushToStartToken ? 'can be started by push' : null, device.unfollowedStarts ? `${count(device.unfollowedStarts, 'start')} without an activity` : null].filter(Boolean).join(' · '))))) : h('p', {class: 'empty'}, 'No device.'));
}

/** A dialog that names the effect, with a button that is named after the act. */
export function confirm({title, effect, act, run, done, then, context}) {
  const told = h('p', {class: 'reason', role: 'alert'});
  const button = h('button', {class: 'do danger'}, act);
  const dialog = h('dialog', {class: 'dry', 'aria-labelledby': 'confirm-title', onclose: () => dialog.remove()}, h('form', {onsubmit: async event => {
    event.preventDefault();
    button.disabled = true;
    try {
      await run();
      dialog.close();
      context.say(done);
      await then?.();
    } catch (error) {
      fill(told, error.message);
      button.disabled = false;
    }
  }}, h('header', h('h2', {id: 'confirm-title'}, title)), h('div', {class: 'body'}, h('p', effect), told),
  h('footer', h('p', {class: 'meta'}, 'The audit log keeps who did it.'), h('button', {type: 'button', autofocus: true, onclick: () => dialog.close()}, 'Cancel'), button)));
  document.body.append(dialog);
  dialog.showModal();
}

