// A party's phones: a tab for each, its card in all presentations, facts, budget and last pushes.
import {fill, h, set, write} from '../lib/dom.js';
import {ago, keyed, priority, seconds, span, time} from '../lib/text.js';
import {cardModel, isLow, percent} from '../card/card.js';
import {devices, figure, islandPhone, lockPhone, setDevice, sizeOf} from '../card/phone.js';
import {standBy, watchAlert, watchSmall, watchStack} from '../card/presentations.js';

const kinds = {device: null, page: 'browser', channel: 'spectators'};
const sendsMax = 8;
// Shorter waits are not worth a word, in milliseconds.
const heldMin = 1000;

/** What a card is at a moment: none, active, stale, ended or dismissed. */
export function phaseOf(card, now) {
  if (!card || !card.shown) return 'none';
  if (card.state === 'dismissed') return 'dismissed';
  if (card.endedAt || card.state === 'ended' || card.shown.form === 'end') return 'ended';
  return card.shown.staleAt && card.shown.staleAt <= now ? 'stale' : 'active';
}

export class Phones {
  constructor({onSelect, say, environment}) {
    Object.assign(this, {onSelect, say, environment, selected: null, device: '393', list: []});
    this.tabs = h('div', {class: 'tabs', role: 'tablist', 'aria-label': 'Phones', onkeydown: event => this.tabKey(event)});
    this.facts = h('div', {class: 'chips'});
    this.segment = h('div', {class: 'seg', role: 'group', 'aria-label': 'Screen'}, Object.entries(devices).map(([device, title]) =>
      h('button', {type: 'button', 'aria-pressed': String(device === this.device), data: {device}, onclick: () => this.setDevice(device)}, title)));
    this.behind = h('p', {class: 'behind', role: 'status', hidden: true});
    this.owed = figure('What it should show', '', lockPhone());
    this.figures = [
      figure('Lock Screen', '', lockPhone(), sizeOf('.card', ' · margin 14')),
      figure('Dynamic Island, compact', '', islandPhone('compact'), () => (this.device === '393' ? '52.33 + 125.34 + 52.33' : '62.33 + 125.34 + 62.33') + ' × 36.67 pt'),
      figure('Minimal, attached and detached', '36.67–45 × 36.67 pt', islandPhone('minimal')),
      figure('Expanded, on touch and hold or alert', '', islandPhone('expanded'), sizeOf('.island.expanded', ' · radius 44')),
    ];
    this.small = [boxed(watchStack(), 'Watch, Smart Stack', '45 mm, 184 × 80.5'), boxed(watchSmall(), 'Watch, own layout', '45 mm, 184 × 80.5'),
      figure('StandBy', '2×, here at ¼ size', standBy()), boxed(watchAlert(), 'Alert, on the Watch only', '')];
    this.build();
  }

  build() {
    const [lock, ...islands] = this.figures.map(each => each.root);
    this.json = h('pre', {tabindex: '0', 'aria-label': 'content-state'});
    this.stamp = h('span');
    const state = h('figure', {class: 'json'}, h('figcaption', h('b', 'content-state'), this.stamp,
      h('span', {class: 'buttons'}, h('button', {type: 'button', class: 'quiet', onclick: () => this.copy('JSON', this.state())}, 'copy JSON'),
        h('button', {type: 'button', class: 'quiet', onclick: () => this.copy('curl command', this.curl())}, 'copy curl'))), this.json);
    this.stage = h('div', {class: 'stage'}, h('div', {class: 'column'}, this.owed.root, lock), h('div', {class: 'column'}, islands));
    this.panel = h('div', {role: 'tabpanel', 'aria-label': 'Phone'},
      h('div', {class: 'facts'}, h('h2', 'As pushed'), this.facts, this.segment), this.behind, this.stage,
      h('div', {class: 'others'}, this.small.map(each => each.root), state));
    this.root = h('section', {class: 'panel phone', 'data-device': this.device}, this.tabs, this.panel);
    this.budget = h('section', {class: 'panel budget', 'aria-label': 'High-priority budget'});
    this.rows = h('tbody');
    this.summary = h('p', {class: 'meta'});
    this.sends = h('section', {class: 'panel sends'}, h('header', h('h2', 'Last pushes to this phone'), this.summary),
      h('div', {class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Last pushes'}, h('table', h('thead', h('tr', ['Left', 'Carries', 'Form', 'Priority', 'Bytes', 'Apple', 'apns-id', 'Latency'].map(title => h('th', {scope: 'col'}, title)))), this.rows)));
  }

  setDevice(device) {
    this.device = device;
    setDevice(this.root, device);
    for (const button of this.segment.children) set(button, {'aria-pressed': String(button.dataset.device === device)});
    this.renderFigures();
  }

  /** Chooses the phone of an address. */
  choose({hero, activity}) {
    this.wish = {hero, activity};
  }

  /** One tab for each living card; a hero without one has its newest, or none at all. */
  phonesOf({cards, party, known}) {
    const phones = [];
    const heroIDs = [...new Set([...party.heroes.map(hero => hero.id), ...cards.map(card => card.hero).filter(Boolean)])];
    for (const id of heroIDs) {
      const own = cards.filter(card => card.hero === id && card.kind !== 'channel');
      const living = own.filter(card => card.state && card.state !== 'ended' && card.state !== 'dismissed' && !card.endedAt);
      const newest = own.reduce((best, card) => (card.shown?.timestamp ?? 0) >= (best?.shown?.timestamp ?? -1) ? card : best, null);
      const shown = living.length ? living : newest ? [newest] : party.heroes.some(hero => hero.id === id) ? [null] : [];
      for (const card of shown) phones.push({key: card?.activity ?? id, hero: id, activity: card?.activity ?? null, card});
    }
    for (const card of cards.filter(each => each.kind === 'channel' && !each.endedAt)) {
      phones.push({key: card.activity, hero: card.hero, activity: card.activity, card});
    }
    return phones.map(phone => ({...phone, data: known.get(phone.hero) ?? null}));
  }

  render(shared) {
    this.shared = shared;
    this.list = this.phonesOf(shared);
    const wish = this.wish;
    const found = (wish?.activity && this.list.find(each => each.activity === wish.activity))
      || (wish?.hero && this.list.find(each => each.hero === wish.hero))
      || this.list.find(each => each.key === this.selected?.key) || this.list.find(each => each.hero === this.selected?.hero);
    if (found && wish) this.wish = null;
    this.selected = found || this.list[0] || null;
    this.isAmbiguous = this.list.filter(each => each.hero === this.selected?.hero).length > 1;
    keyed(this.tabs, this.list, each => each.key, () => this.tab());
    this.renderFigures();
    this.renderBudget();
    this.renderSends();
  }

  tab() {
    const [avatar, name, line] = [h('em', {'aria-hidden': 'true'}), h('b', null), h('small')];
    const bar = h('span', {class: 'bar', 'aria-hidden': 'true'}, h('i'));
    const root = h('button', {type: 'button', role: 'tab'}, avatar, h('span', h('bdi', name), line, bar));
    let phone = null;
    root.addEventListener('click', () => this.pick(phone));
    return {root, update: next => {
      phone = next;
      const health = this.healthOf(next);
      const isSelected = next.key === this.selected.key;
      set(root, {'aria-selected': String(isSelected), tabindex: isSelected ? '0' : '-1', class: health === null ? null : isLow(health) ? 'low' : 'ok', vars: {'--level': `${(health ?? 0) * 100}%`}});
      write(avatar, next.card?.kind === 'channel' ? '📣' : next.data?.avatar ?? '👤');
      write(name, next.card?.kind === 'channel' ? 'Spectators' : next.data?.name ?? next.hero);
      write(line, this.lineOf(next, health));
    }};
  }

  healthOf(phone) {
    const {at, events, heroes} = this.shared;
    if (at === null && typeof phone.data?.health === 'number') return phone.data.health;
    const event = at === null ? events.at(-1) : events.find(each => each.sequence === at);
    const health = event?.healths?.[heroes.findIndex(hero => hero.id === phone.hero)];
    return typeof health === 'number' ? health / 1000 : null;
  }

  lineOf(phone, health) {
    const {data, card} = phone;
    const potions = this.shared.at === null && data?.potions !== undefined ? `${data.potions} ${data.potions === 1 ? 'potion' : 'potions'}` : null;
    const condition = {knockedDown: 'down', lostConnection: 'in the woods'}[this.shared.at === null ? data?.condition : null];
    const language = card?.language && !card.language.startsWith('en') ? new Intl.DisplayNames([card.language], {type: 'language'}).of(card.language) : null;
    return [health === null ? null : percent(health), condition ?? potions, kinds[card?.kind] ?? language].filter(each => each !== null && each !== undefined).join(' · ') || 'no card';
  }

  pick(phone) {
    this.selected = phone;
    this.wish = null;
    this.onSelect(phone.key);
  }

  move(step) {
    const index = this.list.findIndex(each => each.key === this.selected?.key);
    const next = this.list[(index + step + this.list.length) % this.list.length];
    if (next) this.pick(next);
  }

  tabKey(event) {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!step) return;
    event.preventDefault();
    this.move(step);
    this.tabs.querySelector('[aria-selected="true"]')?.focus();
  }

  now() {
    return this.shared.time ?? Date.now();
  }

  model(state, phase) {
    const {card, data} = this.selected ?? {};
    return cardModel({hero: data, state, language: card?.language ?? 'en', phase, alert: card?.shown?.alert ?? null, at: this.now()});
  }

  renderFigures() {
    if (!this.shared) return;
    const card = this.selected?.card ?? null;
    const phase = phaseOf(card, this.now());
    const model = this.model(card?.shown?.contentState ?? null, phase);
    for (const each of [...this.figures, ...this.small]) each.update(model);
    this.small[3].root.hidden = !model.alert;
    set(this.panel, {'data-at': card?.shown?.event ?? ''});
    this.renderOwed(card);
    const stamp = card?.shown?.timestamp;
    write(this.stamp, stamp ? `timestamp ${stamp}` : '');
    fill(this.json, card?.shown ? colored(card.shown.contentState) : '—');
    this.renderFacts(card, phase);
  }

  renderOwed(card) {
    const owed = card?.owed;
    this.behind.hidden = !owed && !card?.waits;
    this.owed.root.hidden = !owed;
    if (owed) this.owed.update(this.model(owed.contentState, 'active'));
    write(this.behind, card?.waits ? `This phone is behind: ${card.waits}.` : 'A newer card is on its way to this phone.');
  }

  renderFacts(card, phase) {
    const chip = (label, value, kind) => value === null || value === undefined || value === '' ? null : h('span', {class: `chip ${kind ?? ''}`}, label ? label + ' ' : null, h('b', value));
    if (!card) return fill(this.facts, chip('', 'no Live Activity'), h('span', {class: 'meta'}, 'The app of this hero’s player has registered none.'));
    const {shown} = card;
    const isLive = phase === 'active' || phase === 'stale';
    fill(this.facts, chip('', phase === 'none' ? card.state ? 'nothing accepted yet' : 'not registered yet' : phase, phase === 'stale' ? 'warn' : null),
      shown?.acceptedAt ? chip('accepted', this.shared.at === null ? ago(shown.acceptedAt) : time(shown.acceptedAt)) : null,
      isLive && shown?.staleAt ? chip(phase === 'stale' ? 'stale since' : 'stale in', span(Math.abs(shown.staleAt - this.now()))) : null,
      chip('', card.language), card.kind === 'channel' ? chip('', 'broadcast') : card.kind === 'page' ? chip('', 'browser') : chip('iOS', card.osVersion), chip('token', card.token ? `••${card.token}` : null),
      chip('frequent updates', card.frequentPushes === null || card.frequentPushes === undefined ? null : card.frequentPushes ? 'on' : 'off'), chip('relevance', shown?.relevance));
  }

  renderBudget() {
    const budget = this.selected?.card?.budget;
    if (!budget) return fill(this.budget, h('h2', 'High-priority budget'), h('p', {class: 'meta'}, 'This card has none: a broadcast channel, or no card yet.'));
    const {left, burst, hourly, nextAt} = budget;
    fill(this.budget, h('h2', 'High-priority budget'),
      h('div', {class: 'pair'}, `now, at most ${burst} at once`, h('b', `${left} left`)),
      h('span', {class: 'bar', role: 'img', 'aria-label': `${left} of ${burst} left`}, h('i', {vars: {'--level': `${left / burst * 100}%`}})),
      h('div', {class: 'pair'}, `comes back: ${hourly} an hour`, h('b', nextAt && nextAt > this.now() ? `next in ${span(nextAt - this.now())}` : left >= burst ? 'full' : '')));
  }

  renderSends() {
    const {pushes, events} = this.shared;
    const own = pushes.filter(push => push.activity === this.selected?.activity);
    const latencyOf = push => push.answeredAt && push.readyAt ? push.answeredAt - push.readyAt : null;
    const latencies = own.map(latencyOf).filter(each => each !== null).sort((a, b) => a - b);
    const at = share => latencies.length ? seconds(latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))]) : '–';
    const accepted = own.filter(push => push.status === 200).length;
    write(this.summary, own.length ? `p50 ${at(0.5)} · p99 ${at(0.99)} · ${accepted} accepted, ${own.filter(push => push.status && push.status !== 200).length} refused` : 'none yet');
    const words = push => push.events.map(number => `${number} ${events.find(each => each.sequence === number)?.kind.replace(/([A-Z])/g, ' $1').toLowerCase() ?? ''}`).join(', ') || '–';
    const longest = Math.max(1, ...latencies);
    keyed(this.rows, own.slice(-sendsMax).reverse(), push => `${push.activity} ${push.timestamp} ${push.status} ${push.answeredAt}`, push => {
      const latency = latencyOf(push);
      const held = push.dueSince && push.readyAt ? push.readyAt - push.dueSince : 0;
      return {root: h('tr', h('td', time(push.sentAt ?? push.dueSince)), h('td', {class: 'wide'}, words(push)), h('td', push.form), h('td', priority(push)),
        h('td', push.bytes ?? '–'), h('td', {class: push.status === 200 ? 'good' : push.status ? 'bad' : 'muted'}, push.status ?? '…', push.reason ? ` ${push.reason}` : null),
        h('td', h('code', push.apnsID ? `${push.apnsID.slice(0, 4)}…${push.apnsID.slice(-2)}` : '–')),
        h('td', {class: 'latency'}, h('span', {class: 'bar', 'aria-hidden': 'true'}, h('i', {vars: {'--level': `${(latency ?? 0) / longest * 100}%`}})), latency === null ? '–' : seconds(latency),
          held >= heldMin ? h('span', {class: 'muted'}, ` after a wait of ${seconds(held)}`) : null))};
    });
  }

  tick() {
    if (this.shared?.at === null) this.renderFigures();
  }

  state() {
    return JSON.stringify(this.selected?.card?.shown?.contentState ?? null, null, 2);
  }

  /** The push that this phone shows, as a command; token, key and topic stay with who runs it. */
  curl() {
    const {shown} = this.selected?.card ?? {};
    if (!shown) return '';
    const aps = {timestamp: Math.floor(Date.now() / 1000), event: shown.form ?? 'update', 'content-state': shown.contentState};
    const host = this.environment === 'production' ? 'api.push.apple.com' : 'api.sandbox.push.apple.com';
    return ['curl --http2', `--header "apns-topic: $TOPIC.push-type.liveactivity"`, '--header "apns-push-type: liveactivity"', '--header "apns-priority: 5"',
      '--header "authorization: bearer $JWT"', `--data '${JSON.stringify({aps}).replaceAll("'", "'\\''")}'`, '"https' + `://${host}/3/device/$TOKEN"`].join(' \\\n  ');
  }

  async copy(what, text) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(`The ${what} is on the clipboard.`);
    } catch {
      write(this.json, text);
      getSelection().selectAllChildren(this.json);
      this.say(`The browser does not let this page copy. The ${what} is selected instead.`, 'bad');
    }
  }
}

function boxed(view, title, note) {
  return figure(title, note, {root: h('div', {class: 'watchbox'}, view.root), update: view.update});
}

/** JSON with its keys and values in two colours. */
function colored(state) {
  return JSON.stringify(state).split(/("(?:[^"\\]|\\.)*")/).map((piece, index, pieces) => {
    if (index % 2 === 0) return h('u', piece);
    return pieces[index + 1]?.startsWith(':') ? h('i', piece) : h('u', piece);
  });
}
