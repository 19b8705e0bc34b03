// A party: its story, each phone as Apple accepted it last, why, and what a game master can do.
import {fill, h, set, write} from '../lib/dom.js';
import {isolated, plain, span, time} from '../lib/text.js';
import {askToRun, commandTitles, get, part} from '../lib/api.js';
import {href, replace} from '../lib/route.js';
import {Ledger} from './ledger.js';
import {Phones} from './phones.js';
import {Story} from './story.js';

const momentsMax = 300;
/** The most pages of the story, and of the ledger. */
const pagesMax = 50;
const rowsMax = 1000;
/** The events whose ledger is read at once; older ones follow when somebody goes back to them. */
const ledgerEvents = 100;
const pushesMax = 500;
/** Pushes as old as this, in seconds, may still get an answer. */
const answerTime = 10;

export async function show(main, route, context) {
  if (!route.id) return (await import('./parties.js')).showParties(main, context);
  const page = new PartyPage(main, route, context);
  await page.load();
  return page;
}

class PartyPage {
  constructor(main, route, context) {
    Object.assign(this, {main, context, id: route.id, at: null, moment: null});
    this.path = `admin/parties/${part(route.id)}`;
    this.cards = [];
    /** The number of cards that the stream has brought. */
    this.streamed = 0;
    this.decisions = new Map();
    this.ledgerFrom = Infinity;
    this.pushes = [];
    this.events = [];
    this.heroes = [];
    this.moments = new Map();
    this.waiting = new Map();
    this.wanted = route;
  }

  async load() {
    const [detail, ...others] = await Promise.allSettled([get(this.path), this.readStory(), this.readCards(), this.readPushes()]);
    if (detail.status === 'rejected') throw detail.reason;
    this.detail = detail.value;
    others.push(...await Promise.allSettled([this.readLedger(this.last)]));
    this.fault = others.find(each => each.status === 'rejected')?.reason?.message;
    this.build();
    this.context.rememberParty(this.id);
    this.update({...this.wanted, id: this.id});
    this.listen();
    this.ticker = setInterval(() => this.phones.tick(), 1000);
  }

  /** The number of the newest event. */
  get last() {
    return this.events.at(-1)?.sequence ?? 0;
  }

  async readStory() {
    let next = this.last;
    for (let page = 0; next !== null && page < pagesMax; page += 1) {
      const story = await get(this.path + '/story', {after: next, limit: 1000});
      this.heroes = story.heroes;
      this.events.push(...story.events.filter(event => event.sequence > this.last));
      next = story.next;
    }
  }

  /** Reads the party; of two reads that cross, the newer stays. */
  async readDetail() {
    const detail = await get(this.path);
    if (detail.party.version >= this.detail.party.version) this.detail = detail;
  }

  /** Reads the cards; what the stream brings meanwhile is newer. */
  async readCards() {
    const begun = this.streamed;
    const {cards} = await get(this.path + '/cards');
    for (const card of this.cards) if (card.streamed > begun) upsert(cards, card, each => each.activity === card.activity);
    this.cards = cards;
  }

  /** Reads the newest pushes; later only new ones, and those that may have an answer by now. */
  async readPushes() {
    const newest = this.pushes.at(-1)?.timestamp;
    const {pushes} = await get(this.path + '/pushes', {limit: pushesMax, after: newest && newest - answerTime});
    for (const push of pushes) {
      const isSame = each => each.activity === push.activity && each.timestamp === push.timestamp;
      // Of two reads that cross, one may lack the answer.
      if (push.answeredAt || !this.pushes.find(isSame)?.answeredAt) upsert(this.pushes, push, isSame);
    }
  }

  /** Reads the decisions on the events before one, down to those that are known. */
  async readLedger(event) {
    let next = Math.max(0, event - ledgerEvents);
    const known = this.ledgerFrom;
    for (let page = 0; next < known && page < pagesMax; page += 1) {
      const {decisions} = await get(this.path + '/decisions', {after: next, limit: rowsMax});
      for (const row of decisions) this.note(row);
      this.ledgerFrom = Math.min(this.ledgerFrom, event - ledgerEvents);
      // The rows of the last event may go on.
      if (decisions.length < rowsMax) return;
      next = decisions.at(-1).event - 1;
    }
  }

  note(row) {
    this.decisions.set(`${row.event} ${row.activity}`, row);
  }

  build() {
    this.header = h('section', {class: 'party'});
    this.story = new Story({onSeek: at => this.seek(at), onPlay: text => this.context.setMode(text)});
    this.phones = new Phones({onSelect: key => this.select(key), say: this.context.say, environment: this.context.session.server?.environment});
    this.ledger = new Ledger({onSeek: at => this.seek(at)});
    this.trouble = h('p', {class: 'panel trouble', role: 'alert', hidden: !this.fault}, this.fault ?? '');
    fill(this.main, h('div', {class: 'partypage'}, this.header, this.trouble, this.story.root,
      h('div', {class: 'side'}, this.phones.root, this.phones.sends), h('aside', {class: 'side', 'aria-label': 'Why'}, this.ledger.root, this.phones.budget)));
    this.context.keys.bindPage({
      'ArrowLeft': ['One event back', () => this.story.step(-1)],
      'ArrowRight': ['One event on', () => this.story.step(1)],
      'Shift ArrowLeft': ['Ten events back', () => this.story.step(-10)],
      'Shift ArrowRight': ['Ten events on', () => this.story.step(10)],
      ' ': ['Play the story, or stop', () => this.story.play()],
      'x': ['Play at 1×, 4× or 16×', () => this.story.changeSpeed()],
      'L': ['Back to live', () => this.seek(null)],
      'l': ['Back to live', () => this.seek(null)],
      '[': ['The phone before', () => this.phones.move(-1)],
      ']': ['The next phone', () => this.phones.move(1)],
    });
  }

  /** A change of the address within this party. */
  update(route) {
    if (route.id !== this.id) return false;
    const event = Number(route.query.get('event')) || null;
    this.phones.choose({hero: route.hero, activity: route.query.get('phone')});
    this.setMoment(event);
    return true;
  }

  listen() {
    this.context.stream.open([this.id], {
      snapshot: data => { if (data.watch?.includes(this.id)) this.soon('all', () => this.reload(), 100); },
      resumed: () => this.soon('all', () => this.reload(), 100),
      party: party => this.partyChanged(party),
      card: card => {
        this.streamed += 1;
        upsert(this.cards, {...card, streamed: this.streamed}, each => each.activity === card.activity);
        this.render();
      },
      decision: row => {
        this.note(row);
        this.soon('ledger', () => this.render(), 60);
      },
      push: () => this.soon('pushes', async () => {
        await this.readPushes();
        this.render();
      }, 400),
    });
  }

  partyChanged(party) {
    if (party.id !== this.id || party.version <= this.detail.party.version) return;
    document.body.dataset.version = party.version;
    this.soon('story', async () => {
      await Promise.all([this.readDetail(), this.readStory()]);
      this.render();
    }, 150);
  }

  async reload() {
    this.pushes = [];
    this.ledgerFrom = Infinity;
    await Promise.all([this.readDetail(), this.readStory(), this.readCards(), this.readPushes()]);
    await this.readLedger(this.last);
    this.trouble.hidden = true;
    this.render();
  }

  /** Runs an action once after a while, however often it is asked for; a failure leaves the page as it is. */
  soon(name, action, delay) {
    if (this.waiting.has(name)) return;
    this.waiting.set(name, setTimeout(async () => {
      this.waiting.delete(name);
      try {
        await action();
      } catch (error) {
        if (error.status) fill(this.trouble, error.message);
        this.trouble.hidden = !error.status;
      }
    }, delay));
  }

  seek(at) {
    this.setMoment(at !== null && at >= this.last ? null : at);
    this.address();
  }

  select() {
    this.address();
    this.render();
  }

  address() {
    const {hero, activity} = this.phones.selected ?? {};
    replace(href('party', this.id, {hero}, {event: this.at, phone: this.phones.isAmbiguous ? activity : null}));
  }

  async setMoment(at) {
    this.at = at;
    this.context.setMode(at === null ? null : 'replay');
    this.moment = at === null ? null : this.moments.get(at) ?? this.moment;
    this.render();
    if (at === null) return;
    const lacksRows = at - ledgerEvents / 2 < this.ledgerFrom;
    if (this.moments.has(at) && !lacksRows) return;
    try {
      const [moment] = await Promise.all([this.moments.get(at) ?? get(this.path + '/cards', {at}), lacksRows && this.readLedger(at)]);
      if (this.moments.size >= momentsMax) this.moments.delete(this.moments.keys().next().value);
      this.moments.set(at, moment);
      if (this.at !== at) return;
      this.moment = moment;
      this.render();
    } catch (error) {
      if (this.at === at) this.context.say(error.message, 'bad');
    }
  }

  render() {
    this.renderHeader();
    const known = new Map(this.heroes.map(hero => [hero.id, hero]));
    for (const hero of this.detail.party.heroes) known.set(hero.id, {...known.get(hero.id), ...hero});
    const shared = {
      at: this.at, events: this.events, heroes: this.heroes, known, pushes: this.pushes, decisions: [...this.decisions.values()],
      party: this.detail.party, time: this.at === null ? null : this.moment?.time ?? this.eventAt(this.at)?.at,
      cards: this.at === null ? this.cards : this.moment?.cards ?? [],
    };
    this.phones.render(shared);
    shared.selected = this.phones.selected;
    this.story.render(shared);
    this.ledger.render(shared);
    document.body.dataset.moment = this.at === null ? 'live' : this.moments.has(this.at) ? this.at : 'loading';
  }

  eventAt(sequence) {
    return this.events[sequence - (this.events[0]?.sequence ?? 1)];
  }

  renderHeader() {
    const {party} = this.detail;
    const {adventure} = party;
    const server = this.context.session.server ?? {};
    const name = party.heroes[0]?.name ?? this.heroes[0]?.name ?? party.id;
    const facts = [`${party.heroes.length} ${party.heroes.length === 1 ? 'hero' : 'heroes'}`,
      `${this.cards.filter(card => !card.endedAt && card.state !== 'dismissed').length} cards`, `version ${party.version}`,
      adventure ? adventure.pack : 'gathering', adventure?.outcome ? plain(adventure.outcome) : null,
      server.speed > 1 ? `${server.speed}×` : null, `created ${time(this.detail.createdAt)}`,
      adventure?.pausedUntil > Date.now() ? `paused for ${span(adventure.pausedUntil - Date.now())}` : null];
    if (!this.title) this.buildHeader();
    fill(this.title, 'Party of ', h('bdi', name), h('small', party.inviteCode));
    write(this.facts, facts.filter(Boolean).join(' · '));
    const boss = adventure?.boss;
    this.boss.hidden = !boss;
    if (boss) fill(this.boss, '🐲 ', plain(boss.name), h('span', {class: 'bar', 'aria-hidden': 'true'}, h('i', {vars: {'--level': `${boss.health * 100}%`}})), `${Math.trunc(boss.health * 100)} %`);
    document.title = `Party of ${isolated(name)} · Rangers`;
    const isOver = !adventure || adventure.phase === 'over';
    for (const button of this.acts.children) button.disabled = isOver;
    set(this.acts, {title: isOver ? 'The party is on no adventure.' : null});
  }

  buildHeader() {
    this.title = h('h1');
    this.facts = h('p', {class: 'meta'});
    this.boss = h('div', {class: 'boss'});
    this.acts = h('div', {class: 'acts', role: 'group', 'aria-label': 'Commands'}, Object.entries(commandTitles).map(([name, title]) =>
      h('button', {
        type: 'button', class: name === 'end' ? 'danger' : null,
        onclick: () => askToRun({name, party: this.detail.party, phones: this.phones, context: this.context}),
      }, title)));
    fill(this.header, h('div', this.title, this.facts), this.boss, this.acts);
  }

  leave() {
    clearInterval(this.ticker);
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.story.stop();
  }
}

function upsert(list, item, isSame) {
  const index = list.findIndex(isSame);
  if (index < 0) list.push(item);
  else list[index] = {...list[index], ...item};
}
