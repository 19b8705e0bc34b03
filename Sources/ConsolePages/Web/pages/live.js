// The wall of all parties, and the list of those who need somebody.
import {fill, h, set, style, write} from '../lib/dom.js';
import {count, isolated, keyed, plain} from '../lib/text.js';
import {askToRun, commandTitles} from '../lib/api.js';
import {go, href, replace} from '../lib/route.js';
import {Wall} from './wall.js';

await style('../style/pages.css');

const listMax = 40;
const listDelay = 250;
/** How long an empty page waits for its first snapshot. */
const snapshotDelayMax = 2000;

export async function show(main, route, context) {
  const page = new LivePage(main, route, context);
  await Promise.race([page.known, new Promise(done => setTimeout(done, snapshotDelayMax))]);
  return page;
}

/** Why a party needs somebody, in words, the most urgent first. */
export function needsOf(party) {
  return [party.frozen ? 'frozen: its players get errors' : null,
    party.unheard ? `${count(party.unheard, 'hero', 'heroes')} down, alert unheard` : null,
    party.late ? `${count(party.late, 'card')} late by more than 1 s` : null,
    party.refused ? `${count(party.refused, 'card')} with a refused push` : null,
    party.tokenless ? `${count(party.tokenless, 'card')} without a push token` : null].filter(Boolean);
}

class LivePage {
  constructor(main, route, context) {
    Object.assign(this, {context, filters: {phase: '', language: '', boss: ''}});
    for (const name of Object.keys(this.filters)) this.filters[name] = route.query.get(name) ?? '';
    this.known = new Promise(done => { this.noteKnown = done; });
    this.counters = h('dl', {class: 'counters'});
    this.numbers = new Map();
    this.canvas = h('canvas', {class: 'wall', tabindex: '0', role: 'application', 'aria-label': 'Wall of parties. Arrow keys move, Enter opens a party.', 'aria-describedby': 'tile'});
    this.tile = h('p', {id: 'tile', class: 'meta tile', 'aria-live': 'polite'});
    this.selects = Object.keys(this.filters).map(name => this.select(name));
    this.scope = h('div', {class: 'acts'});
    this.list = h('ul', {class: 'needs'});
    this.title = h('h2');
    this.calm = h('p', {class: 'empty'}, 'Nobody needs you. Parties appear here when they are frozen, a hero is down and its player has not noticed, or a card is late, refused or without a push token.');
    this.blank = h('p', {class: 'empty', hidden: true}, 'No party is on an adventure. ', h('a', {href: '#/party'}, 'See those that gather'), '.');
    fill(main, h('div', {class: 'livepage'},
      h('section', {class: 'panel wallpanel', 'aria-label': 'Wall'}, h('header', h('h1', 'Live'), this.counters),
        h('div', {class: 'filters'}, this.selects, this.scope), h('div', {class: 'canvas'}, this.canvas), this.blank, this.tile),
      h('section', {class: 'panel list', 'aria-label': 'Who needs somebody'}, h('header', this.title), this.calm, this.list)));
    this.wall = new Wall(this.canvas, {onFocus: party => this.describe(party), onOpen: party => go(href('party', party.id))});
    this.applyFilters();
    context.keys.bindPage({w: ['To the wall', () => this.canvas.focus()]});
    this.listen();
  }

  listen() {
    this.context.stream.open(['wall'], {
      snapshot: data => {
        if (data.watch && !data.watch.includes('wall')) return;
        this.wall.clear();
        // The parties follow, each as a message of its own.
        this.isKnown = true;
        this.soon();
      },
      party: party => {
        this.wall.upsert(party);
        this.soon();
      },
      gone: ({id}) => {
        this.wall.remove(id);
        this.soon();
      },
      rates: rates => this.showRates(rates),
    });
    this.soon();
  }

  showRates(rates) {
    const values = [[rates.parties === 1 ? 'party' : 'parties', rates.parties], [rates.cards === 1 ? 'card' : 'cards', rates.cards], ['pushes/s at 10', rates.high?.toFixed(1)], ['at 5', rates.low?.toFixed(1)], ['late', rates.late], ['refused/s', rates.refused?.toFixed?.(1) ?? rates.refused]];
    for (const [name, value] of values) {
      if (value === undefined) continue;
      if (!this.numbers.has(name)) {
        this.numbers.set(name, h('dd'));
        this.counters.append(h('div', h('dt', name), this.numbers.get(name)));
      }
      const element = this.numbers.get(name);
      write(element, Number(value).toLocaleString('en'));
      element.classList.toggle('warn', (name === 'late' || name === 'refused/s') && Number(value) > 0);
    }
    if (rates.paused) this.context.say('All pushes are paused: no phone updates until an owner ends the pause.', 'bad');
  }

  select(name) {
    const select = h('select', {name, onchange: () => {
      this.filters[name] = select.value;
      this.applyFilters();
      replace(href('live', null, {}, this.filters));
    }});
    this.options ??= {};
    this.options[name] = select;
    return h('label', {class: 'inline'}, {phase: 'Phase', language: 'Language', boss: 'Boss'}[name], select);
  }

  /** The choices are what the wall has; the one of the address stays. */
  fillSelects() {
    const parties = this.wall.parties;
    const found = {
      phase: ['quest', 'boss', 'over'],
      language: [...new Set(parties.flatMap(party => party.languages ?? []))].sort(),
      boss: [...new Set(parties.map(party => party.bossName).filter(Boolean))].sort(),
    };
    for (const [name, select] of Object.entries(this.options)) {
      const values = ['', ...new Set([...found[name], this.filters[name]].filter(Boolean))];
      if (values.join() === select.dataset.values) continue;
      select.dataset.values = values.join();
      fill(select, values.map(value => h('option', {value}, value ? plain(value) : 'all')));
      select.value = this.filters[name];
    }
  }

  applyFilters() {
    const {phase, language, boss} = this.filters;
    this.wall.filter(party => (!phase || party.phase === phase) && (!language || party.languages?.includes(language)) && (!boss || party.bossName === boss));
    this.drawList();
  }

  soon() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.drawList();
      if (this.isKnown) this.noteKnown();
    }, listDelay);
  }

  drawList() {
    this.fillSelects();
    const shown = this.wall.shown;
    const needy = shown.filter(party => needsOf(party).length).sort((a, b) => (b.urgency ?? 0) - (a.urgency ?? 0) || (a.id < b.id ? -1 : 1));
    write(this.title, needy.length ? `${count(needy.length, 'party needs', 'parties need')} somebody` : 'Who needs somebody');
    this.calm.hidden = needy.length > 0;
    this.blank.hidden = !this.isKnown || shown.length > 0;
    keyed(this.list, needy.slice(0, listMax), party => party.id, () => this.row());
    set(this.canvas, {'aria-label': `Wall of ${count(shown.length, 'party', 'parties')}. Arrow keys move, Enter opens a party.`});
    this.drawScope(shown.length);
  }

  row() {
    const [link, why, state] = [h('a'), h('span', {class: 'why'}), h('span', {class: 'meta'})];
    return {root: h('li', link, why, state), update: party => {
      set(link, {href: href('party', party.id)});
      fill(link, (party.avatars ?? []).join('') || '🧊', ' ', party.name ? ['Party of ', h('bdi', party.name)] : party.code ?? party.id);
      write(why, needsOf(party).join(' · '));
      write(state, stateOf(party));
    }};
  }

  /** The commands for what the filters select; the API knows no cohort by boss. */
  drawScope(number) {
    if (!this.context.may('director')) return;
    const {phase, language, boss} = this.filters;
    const isCohort = !boss && phase !== 'over' && number > 0;
    const key = `${isCohort} ${number} ${phase} ${language}`;
    if (key === this.scopeKey) return;
    this.scopeKey = key;
    const cohort = {...(phase ? {phase} : {}), ...(language ? {language} : {})};
    const chosen = phase || language ? `parties${phase ? ` in the phase ${phase}` : ''}${language ? ` with a card in ${language}` : ''}` : 'all parties on an adventure';
    const select = h('select', {'aria-label': 'Command for these parties', disabled: !isCohort, onchange: () => {
      const name = select.value;
      select.value = '';
      if (name) askToRun({name, cohort, sentence: `For ${chosen}.`, context: this.context});
    }}, h('option', {value: ''}, `Act on ${count(number, 'party', 'parties')}…`), Object.entries(commandTitles).map(([name, title]) => h('option', {value: name}, title)));
    fill(this.scope, select, !isCohort && boss ? h('span', {class: 'meta'}, 'Commands select by phase and language, not by boss.') : null);
  }

  describe(party) {
    write(this.tile, party ? `${party.name ? `Party of ${isolated(party.name)}` : party.code ?? party.id}: ${[stateOf(party), ...needsOf(party)].join(', ')}` : '');
  }

  leave() {
    clearTimeout(this.timer);
    this.wall.leave();
  }
}

function stateOf(party) {
  const boss = party.boss === null || party.boss === undefined ? null : `${plain(party.bossName ?? 'boss')} at ${Math.trunc(party.boss / 10)} %`;
  const healths = (party.healths ?? []).map(health => Math.trunc(health / 10)).join(', ');
  return [party.phase, boss, healths ? `health ${healths}` : null].filter(Boolean).join(' · ');
}
