// A command: first what it would do, then the button that does it.
import {fill, h, set, write} from '../lib/dom.js';
import {count, isolated, plain, priority} from '../lib/text.js';
import {commandTitles, post} from '../lib/api.js';
import {cardModel} from '../card/card.js';
import {islandPhone, lockPhone} from '../card/phone.js';

const asCondition = {title: 'hero', all: 'all heroes'};

/** What game masters can do: the button of the dialog, what it says when it is done, the fields. */
const commands = {
  boss: {act: 'Summon the boss', done: 'The boss is there.', fields: [{name: 'boss', label: 'Boss', type: 'text', hint: 'drawn by dice when empty; dragon, kraken, robot or one of the pack'}]},
  loot: {act: 'Give the loot', done: 'The loot is given.', fields: [{name: 'hero', label: 'Hero', type: 'hero'}, {name: 'item', label: 'Item', type: 'text', hint: 'rare loot, drawn by dice when empty'}]},
  storm: {act: 'Raise the storm', done: 'The storm is raging.', fields: [{name: 'strength', label: 'Strength', type: 'range', min: 50, max: 200, step: 10, value: 100, unit: '%'}]},
  heal: {act: 'Heal the heroes', done: 'The heroes feel better.', fields: [{name: 'hero', label: 'Hero', type: 'hero'}, {name: 'amount', label: 'Health', type: 'range', min: 10, max: 1000, step: 10, value: 250, unit: '‰'}, {name: 'wake', label: 'Also wake those who are down', type: 'check'}]},
  message: {act: 'Send the message', done: 'The message is sent.', fields: [{name: 'en', label: 'English, 60 characters', type: 'text', value: 'Good luck, rangers!', max: 60}, {name: 'ja', label: 'Japanese, 32 characters', type: 'text', max: 32}]},
  pause: {act: 'Pause the adventure', done: 'The adventure is paused.', fields: [{name: 'minutes', label: 'Minutes', type: 'range', min: 1, max: 60, step: 1, value: 10, unit: ' min'}]},
  resume: {act: 'Resume the adventure', done: 'The adventure goes on.', fields: []},
  end: {act: 'End the adventure', done: 'The adventure ends in a minute, unless you resume it.', fields: []},
};

/** Opens the dialog for one party, or for a cohort: `{name, cohort, sentence, context}`. */
export function open(request) {
  new DryRun(request).open();
}

class DryRun {
  constructor(request) {
    Object.assign(this, request, {command: commands[request.name], title: commandTitles[request.name], inputs: {}, run: null, turn: 0});
    this.isCohort = Boolean(request.cohort);
    this.summary = h('p', {class: 'summary', role: 'status'});
    this.difference = h('div', {class: 'difference', role: 'alert', hidden: true});
    this.rows = h('div', {class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Phones'});
    this.preview = h('div', {class: 'preview', 'data-device': '393', 'aria-hidden': 'true', hidden: true});
    this.views = [islandPhone('compact'), lockPhone()];
    this.button = h('button', {type: 'submit', class: this.name === 'end' ? 'do danger' : 'do', disabled: true}, this.command.act);
    this.cancel = h('button', {type: 'button', onclick: () => this.dialog.close()}, 'Cancel');
    this.extra = h('div', {class: 'fields'});
  }

  open() {
    const mayRun = this.context.may(this.isCohort ? 'director' : 'gamemaster');
    const fields = this.command.fields.map(field => this.field(field));
    this.button.hidden = !mayRun;
    if (this.isCohort) this.addCohortFields();
    this.dialog = h('dialog', {class: 'dry', 'aria-labelledby': 'dry-title', onclose: () => { this.turn += 1; this.dialog.remove(); }},
      h('form', {onsubmit: event => { event.preventDefault(); this.perform(); }},
        h('header', h('h2', {id: 'dry-title'}, `${this.title.replace('…', '')}: dry run`), h('span', {class: 'chip'}, 'nothing has happened yet')),
        h('div', {class: 'body'},
          this.isCohort ? h('p', {class: 'meta'}, this.sentence) : null,
          fields.length ? h('div', {class: 'fields'}, fields) : null, this.extra, this.difference, this.rows,
          fill(this.preview, this.views.map(view => view.root))),
        h('footer', this.summary, mayRun ? null : h('p', {class: 'meta'}, 'Your role may look at what would happen, but not do it.'), this.cancel, this.button)));
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.cancel.focus();
    this.tryOut();
  }

  addCohortFields() {
    this.reason = h('input', {type: 'text', name: 'reason', maxlength: '200'});
    this.force = h('input', {type: 'checkbox', name: 'force'});
    this.forceLabel = h('label', {class: 'check', hidden: true}, this.force, 'Spend the phones’ budgets nevertheless');
    fill(this.extra, h('label', 'Reason, for the audit log', this.reason), this.forceLabel);
  }

  field(field) {
    const later = () => { clearTimeout(this.timer); this.timer = setTimeout(() => this.tryOut(), 250); };
    if (field.type === 'hero') {
      const heroes = this.party?.heroes ?? [];
      const select = h('select', {name: field.name, onchange: later}, h('option', {value: ''}, asCondition.all), heroes.map(hero => h('option', {value: hero.id}, `${hero.avatar} ${hero.name}`)));
      this.inputs[field.name] = () => select.value || undefined;
      return this.isCohort ? null : h('label', field.label, select);
    }
    if (field.type === 'check') {
      const box = h('input', {type: 'checkbox', name: field.name, onchange: later});
      this.inputs[field.name] = () => box.checked || undefined;
      return h('label', {class: 'check'}, box, field.label);
    }
    const input = h('input', {type: field.type, name: field.name, min: field.min, max: field.type === 'range' ? field.max : null, maxlength: field.max, step: field.step, value: field.value ?? '', oninput: later, placeholder: field.hint, autocomplete: 'off'});
    if (field.type !== 'range') {
      this.inputs[field.name] = () => input.value.trim() || undefined;
      return h('label', field.label, input);
    }
    const output = h('output', `${field.value}${field.unit}`);
    input.addEventListener('input', () => write(output, `${input.value}${field.unit}`));
    this.inputs[field.name] = () => Number(input.value);
    return h('label', h('span', field.label, ' ', output), input);
  }

  commandBody() {
    const values = Object.fromEntries(Object.entries(this.inputs).map(([name, read]) => [name, read()]).filter(([, value]) => value !== undefined));
    if (this.name === 'message') return {name: 'message', texts: values};
    return {name: this.name, ...values};
  }

  target() {
    return this.isCohort ? {cohort: this.cohort} : {party: this.party.id};
  }

  /** Shows what the command would do now. */
  async tryOut() {
    const mine = ++this.turn;
    this.button.disabled = true;
    set(this.rows, {'aria-busy': 'true'});
    try {
      const run = await post('admin/commands', {command: this.commandBody(), ...this.target(), dryRun: true});
      if (mine !== this.turn) return;
      this.run = run;
      this.show(run);
      this.button.disabled = false;
    } catch (error) {
      if (mine !== this.turn) return;
      this.run = null;
      write(this.summary, error.message);
      fill(this.rows);
    }
    set(this.rows, {'aria-busy': null});
  }

  show(run) {
    write(this.summary, this.isCohort ? cohortSentence(run) : sentence(run, this.party));
    const plans = this.isCohort ? run.plans ?? [] : [run];
    const pushes = plans.flatMap(plan => [...plan.pushes, ...plan.end?.pushes ?? []]);
    const dropped = plans.flatMap(plan => plan.decisions).filter(row => row.verdict !== 'sent' && row.verdict !== 'merged' && !pushes.some(push => push.activity === row.activity));
    fill(this.rows, h('table', h('thead', h('tr', ['Phone', 'Card would say', 'Priority', 'Budget'].map(text => h('th', {scope: 'col'}, text)))),
      h('tbody', pushes.map(push => this.row(push)), dropped.map(row => h('tr', h('td', this.who(row.activity)), h('td', {colspan: 3, class: 'muted'}, `${row.verdict}: ${row.rule}`))))));
    if (!pushes.length && !dropped.length) fill(this.rows, h('p', {class: 'empty'}, 'No phone would update.'));
  }

  row(push) {
    const left = push.highPriorityLeft;
    const show = () => this.showPreview(push);
    return h('tr', {onpointerenter: show}, h('td', h('button', {type: 'button', class: 'link', onfocus: show, onclick: show}, this.who(push.activity, push.hero))),
      h('td', {lang: push.language}, push.card.eventDescription, push.alert ? h('small', {class: 'alert'}, '🔔 ', push.alert.title) : null),
      h('td', priority(push)), h('td', {class: left && left.after < left.before ? 'warn' : null}, left ? left.after : '–'));
  }

  heroOf(activity, id) {
    const phone = this.phones?.list.find(each => each.activity === activity || each.hero === id);
    return phone?.data ?? this.party?.heroes.find(hero => hero.id === id) ?? null;
  }

  who(activity, id) {
    if (activity.startsWith('channel/')) return '📣 Spectators';
    const hero = this.heroOf(activity, id);
    return hero ? [`${hero.avatar} `, h('bdi', hero.name)] : id ?? activity;
  }

  showPreview(push) {
    this.preview.hidden = false;
    const model = cardModel({hero: this.heroOf(push.activity, push.hero), state: push.card, language: push.language, alert: push.alert});
    for (const view of this.views) view.update(model);
  }

  /** Does what the dry run has shown, if the party is still as it was then. */
  async perform() {
    if (!this.run) return;
    this.button.disabled = true;
    const shown = this.run;
    const body = {command: this.commandBody()};
    if (this.isCohort) Object.assign(body, {plan: shown.plan}, this.reason.value.trim() ? {reason: this.reason.value.trim()} : {}, this.force.checked ? {force: true} : {});
    else Object.assign(body, {party: this.party.id, ifVersion: shown.version});
    try {
      const result = await post('admin/commands', body);
      this.dialog.close();
      this.context.say(this.isCohort ? `The command runs at ${count(result.parties ?? shown.parties, 'party', 'parties')}.` : this.command.done);
    } catch (error) {
      await this.refused(error, shown);
    }
  }

  async refused(error, shown) {
    this.difference.hidden = false;
    const hasMoved = !this.isCohort && (error.status === 412 || error.status === 409);
    if (hasMoved) await this.tryOut();
    const changes = hasMoved && this.run ? differences(shown, this.run, (activity, hero) => isolated(this.heroOf(activity, hero)?.name ?? activity)) : [];
    fill(this.difference, h('strong', hasMoved && error.status === 412 ? `The party has moved on: version ${shown.version} is now ${this.run?.version ?? 'another'}. Nothing was done.` : error.message),
      changes.length ? h('ul', changes.map(text => h('li', text))) : hasMoved && this.run ? h('p', 'The command would still do the same. Press the button again to do it.') : null);
    if (this.forceLabel && error.status === 409) this.forceLabel.hidden = false;
    this.button.disabled = !this.run;
    // A button loses the focus while it is disabled.
    (this.run ? this.button : this.cancel).focus();
  }
}

/** "4 pushes, 0 alerts, 0 of the budget. Nobody falls." */
export function sentence(run, party) {
  const {pushes, alerts, highPriority} = run.sum;
  const fallen = run.events.filter(event => event.kind === 'knockedDown' || event.kind === 'helpAsked').map(event => event.hero);
  const names = [...new Set(fallen)].map(id => isolated(party.heroes.find(hero => hero.id === id)?.name ?? id));
  const falls = names.length ? `${names.join(' and ')} ${names.length === 1 ? 'falls' : 'fall'}.` : 'Nobody falls.';
  return `${count(pushes, 'push', 'pushes')}, ${count(alerts, 'alert')}, ${highPriority} of the budget. ${falls}`;
}

function cohortSentence(run) {
  const {sum} = run;
  return `${count(run.parties, 'party', 'parties')}. The first ones: ${count(sum.pushes, 'push', 'pushes')}, ${count(sum.alerts, 'alert')}, ${sum.highPriority} of the budgets; ${count(sum.belowReserve, 'phone')} of ${sum.phones} below the reserve.`;
}

/** What another dry run of the same command says differently, in words. */
export function differences(before, after, nameOf) {
  const lines = [];
  const texts = run => new Map(run.pushes.map(push => [push.activity, push]));
  const [old, fresh] = [texts(before), texts(after)];
  for (const [activity, push] of fresh) {
    const was = old.get(activity);
    const who = nameOf(activity, push.hero);
    if (!was) lines.push(`${who}: now a push, “${push.card.eventDescription}”`);
    else if (was.card.eventDescription !== push.card.eventDescription) lines.push(`${who}: “${push.card.eventDescription}” instead of “${was.card.eventDescription}”`);
    else if (was.priority !== push.priority) lines.push(`${who}: priority ${push.priority} instead of ${was.priority}`);
  }
  for (const [activity, push] of old) if (!fresh.has(activity)) lines.push(`${nameOf(activity, push.hero)}: no push any more`);
  for (const field of ['pushes', 'alerts', 'highPriority']) {
    if (before.sum[field] !== after.sum[field]) lines.push(`${plain(field)}: ${after.sum[field]} instead of ${before.sum[field]}`);
  }
  return lines;
}

