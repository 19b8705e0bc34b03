// The list of all parties.
import {fill, h} from '../lib/dom.js';
import {get} from '../lib/api.js';
import {href} from '../lib/route.js';

/** `#/party` without an id: those who need somebody first. */
export async function showParties(main, context) {
  context.stream.open([], {});
  const [urgent, all] = await Promise.all([get('admin/parties', {order: 'urgency', limit: 20}), get('admin/parties', {limit: 50})]);
  const parties = [...new Map([...urgent.parties, ...all.parties].map(party => [party.id, party])).values()];
  fill(main, h('section', {class: 'panel list'}, h('header', h('h1', 'Parties')),
    parties.length ? h('ul', parties.map(party => h('li', h('a', {href: href('party', party.id)},
      (party.heroes ?? []).map(hero => hero.avatar), ' Party of ', h('bdi', party.heroes?.[0]?.name ?? '–')),
    h('span', {class: 'meta'}, ` ${party.inviteCode} · ${party.adventure?.phase ?? 'gathering'} · version ${party.version}`))))
      : h('p', {class: 'empty'}, 'No party yet. A party appears here as soon as a player creates one.')));
}
