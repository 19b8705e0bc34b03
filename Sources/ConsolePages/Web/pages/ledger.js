// Why a phone updated, or did not: one row an event, or all cards as a matrix.
import {fill, h, set, write} from '../lib/dom.js';
import {keyed, priority, seconds, span} from '../lib/text.js';
import {iconOf} from './story.js';

const verdicts = ['sent', 'merged', 'deferred', 'dropped'];
const rowsMax = 60;
const marks = {sent: '●', merged: '◐', deferred: '○', dropped: '·'};

export class Ledger {
  constructor({onSeek}) {
    Object.assign(this, {onSeek, filter: null, isMatrix: false, rowsShown: rowsMax});
    this.scope = h('div', {class: 'seg', role: 'group', 'aria-label': 'Cards'},
      this.button('This phone', () => !this.isMatrix, () => { this.isMatrix = false; }),
      this.button('All cards', () => this.isMatrix, () => { this.isMatrix = true; }));
    this.filters = h('div', {class: 'seg filter', role: 'group', 'aria-label': 'Verdict'},
      [null, ...verdicts].map(verdict => this.button(verdict ?? 'all', () => this.filter === verdict, () => { this.filter = verdict; })));
    this.list = h('ul');
    this.matrix = h('div', {class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Events and phones'});
    this.empty = h('p', {class: 'empty'});
    this.more = h('button', {type: 'button', class: 'quiet more', onclick: () => { this.rowsShown += rowsMax; this.draw(); }}, 'Show older ones');
    this.title = h('h2');
    this.root = h('section', {class: 'panel ledger', 'aria-label': 'Ledger'}, h('header', this.title, this.scope), this.filters, this.list, this.matrix, this.empty, this.more);
  }

  button(text, isOn, action) {
    const root = h('button', {type: 'button', onclick: () => { action(); this.draw(); }}, text);
    root.refresh = () => set(root, {'aria-pressed': String(isOn())});
    return root;
  }

  render(shared) {
    this.shared = shared;
    this.draw();
  }

  draw() {
    for (const button of [...this.scope.children, ...this.filters.children]) button.refresh();
    if (!this.shared) return;
    const {decisions, events, selected, at} = this.shared;
    this.events = new Map(events.map(event => [event.sequence, event]));
    this.began = events.findLast(event => event.kind === 'adventureBegan' && (at === null || event.sequence <= at))?.at ?? events[0]?.at ?? 0;
    write(this.title, this.isMatrix ? 'Why did the phones update?' : 'Why did this phone update?');
    const rows = decisions.filter(row => (!this.filter || row.verdict === this.filter) && (this.isMatrix || row.activity === selected?.activity))
      .sort((a, b) => b.event - a.event);
    this.list.hidden = this.isMatrix;
    this.matrix.hidden = !this.isMatrix;
    this.empty.hidden = rows.length > 0;
    write(this.empty, this.filter ? `No decision here was “${this.filter}”.` : 'No decision yet: nothing has happened since this phone registered a card.');
    this.more.hidden = this.isMatrix || rows.length <= this.rowsShown;
    if (this.isMatrix) this.drawMatrix(rows);
    else this.drawRows(rows.slice(0, this.rowsShown), at);
  }

  drawRows(rows, at) {
    const now = at ?? rows[0]?.event;
    keyed(this.list, rows, row => `${row.activity} ${row.event}`, row => {
      const root = h('li');
      let drawn = '';
      return {root, update: next => {
        const state = JSON.stringify([next.verdict, next.push, next.pushes, this.began]);
        if (state !== drawn) fill(root, this.row(next));
        drawn = state;
        root.classList.toggle('now', next.event === now);
        root.classList.toggle('later', at !== null && next.event > at);
      }};
    });
  }

  row(row) {
    const event = this.events.get(row.event);
    return [h('time', event ? span(event.at - this.began) : '–'), h('span', {class: 'icon', 'aria-hidden': 'true'}, iconOf(row.kind ?? event?.kind)),
      h('div', h('button', {type: 'button', class: 'link', onclick: () => this.onSeek(row.event)}, event?.description ?? `Event ${row.event}`),
        h('p', {class: 'rule'}, row.rule.replaceAll('\x60', ''))),
      h('div', {class: 'verdict'}, h('span', {class: row.verdict}, row.verdict), priority(row), h('span', {class: 'apple'}, this.answer(row)))];
  }

  /** What became of the push that carried the event: Apple's answer and how long it took. */
  answer(row) {
    const push = this.pushOf(row);
    if (!push) return row.verdict === 'deferred' ? 'waits' : row.verdict === 'dropped' ? 'no push' : 'due';
    const answered = push.answeredAt ?? push.respondedAt;
    if (!answered) return push.reason ?? 'in flight';
    const with_ = push.events?.length > 1 ? ` · with ${push.events.length - 1} more` : '';
    return `${push.status ?? ''} ${push.reason ?? ''} · ${seconds(answered - (push.readyAt ?? push.sentAt))}${with_}`.trim();
  }

  pushOf(row) {
    const found = this.shared.pushes.find(push => push.activity === row.activity && push.timestamp === row.push && push.events?.includes(row.event))
      ?? this.shared.pushes.findLast(push => push.activity === row.activity && push.events?.includes(row.event));
    return found ?? row.pushes?.at(-1) ?? null;
  }

  drawMatrix(rows) {
    const {cards, known} = this.shared;
    const activities = [...new Set(rows.map(row => row.activity))];
    const byEvent = new Map();
    for (const row of rows) {
      if (!byEvent.has(row.event)) byEvent.set(row.event, new Map());
      byEvent.get(row.event).set(row.activity, row);
    }
    const head = activity => {
      const card = cards.find(each => each.activity === activity);
      const hero = known.get(card?.hero);
      return h('th', {scope: 'col', title: hero?.name ?? activity}, hero?.avatar ?? (activity.startsWith('channel') ? '📣' : '📱'));
    };
    const cell = (row, sequence) => h('td', row ? h('button', {
      type: 'button', class: `dot ${row.verdict} p${row.priority}`, title: row.rule, onclick: () => this.onSeek(sequence),
      'aria-label': `${row.verdict}, priority ${row.priority}${row.alert ? ', alert' : ''}`,
    }, row.alert ? '🔔' : marks[row.verdict]) : null);
    fill(this.matrix, h('table', {class: 'matrix'}, h('thead', h('tr', h('th', {scope: 'col'}, 'Event'), activities.map(head))),
      h('tbody', [...byEvent].slice(0, this.rowsShown).map(([sequence, cells]) => h('tr',
        h('th', {scope: 'row'}, `${sequence} ${iconOf(this.events.get(sequence)?.kind)} `, h('span', this.events.get(sequence)?.description ?? '')),
        activities.map(activity => cell(cells.get(activity), sequence)))))),
    h('p', {class: 'meta'}, '● sent ◐ merged ○ deferred · dropped; blue is high priority.'));
  }
}
