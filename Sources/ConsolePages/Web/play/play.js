// One hero's phone: keeps its card, its party and its buttons up to date.
import {fill, h, set, style, write} from '../lib/dom.js';
import {actionsOf, showActions} from './actions.js';
import {call, gone, part} from './api.js';
import {Device, phaseOf} from './device.js';
import {Pushes} from './pushes.js';
import {seat, takeSeat} from './seat.js';

await Promise.all([style('../style/presentations.css'), style('../card/card.css')]);

const pollMilliseconds = 3000;
const languages = ['en', 'de', 'es', 'fr', 'ja', 'zh-Hans'];

/** `bossDefeated` as `boss defeated`. */
const plain = name => (name ?? 'ended').replace(/([A-Z])/g, ' $1').toLowerCase();

export class Play {
  constructor(root, onLeave) {
    Object.assign(this, {root, onLeave, party: null, push: null, streamState: 'lost', trouble: null, isInWoods: false, hasSound: false, log: []});
    this.pushes = new Pushes((...push) => this.arrived(...push), (state, problem) => this.stream(state, problem));
    this.device = new Device({onAsk: ask => this.answer(ask)});
    this.build();
    this.timers = [setInterval(() => this.refresh(), pollMilliseconds), setInterval(() => this.render(), 500)];
    this.onVisible = () => document.hidden ? this.rest() : this.wake();
    document.addEventListener('visibilitychange', this.onVisible);
    addEventListener('pagehide', () => this.rest());
    this.wake();
  }

  build() {
    this.title = h('h1');
    this.state = h('p', {class: 'state', role: 'status'});
    this.note = h('p', {class: 'trouble', role: 'alert', hidden: true});
    this.actions = h('div', {class: 'acts'});
    this.refusal = h('p', {class: 'reason', role: 'alert'});
    this.over = h('p', {class: 'meta', role: 'status', hidden: true});
    this.exit = h('button', {type: 'button', class: 'danger', onclick: () => this.leave()}, 'Leave');
    this.heard = h('p', {class: 'hidden', role: 'status', 'aria-live': 'assertive'});
    fill(this.root, h('header', {class: 'top'}, this.title, this.state), this.note, this.heard,
      h('div', {class: 'play'}, this.device.root, h('div', {class: 'side'},
        h('section', {class: 'panel', 'aria-label': 'Your hero'}, h('h2', 'What you can do'), this.over, this.actions, this.refusal, this.exit),
        this.switches(), this.lists = h('div', {class: 'side'}))));
    this.showLists();
  }

  /** What has happened stands below what happens: it may come a moment later. */
  async showLists() {
    const {arrivals, story} = await import('./lists.js');
    Object.assign(this, {story: story(), arrivals: arrivals()});
    fill(this.lists, this.story.root, this.arrivals.root);
    this.arrivals.update(this.log);
    this.render();
  }

  switches() {
    const toggle = (title, hint, change) => h('label', {class: 'check'}, h('input', {type: 'checkbox', onchange: event => change(event.target.checked)}), h('span', title, h('small', hint)));
    const language = h('select', {onchange: event => this.speak(event.target.value)}, languages.map(tag => h('option', {value: tag, lang: tag}, new Intl.DisplayNames([tag], {type: 'language'}).of(tag))));
    set(language, {value: seat.language ?? 'en'});
    this.swipe = h('button', {type: 'button', onclick: () => this.dismissed ? this.startAgain() : this.dismiss()});
    return h('section', {class: 'panel', 'aria-label': 'This phone'}, h('h2', 'This phone'),
      h('label', {class: 'inline'}, 'Language', language),
      toggle('Walk into the woods', 'no connection: the card goes out of date, and returns with the newest state', on => this.walk(on)),
      toggle('Sound', 'rings with an alert', on => { this.hasSound = on; if (on) this.chime(0); }),
      toggle('Always-On', 'dimmed; nothing moves', on => set(this.device.root, {'data-luminance': on ? 'reduced' : null})),
      toggle('Another app is live too', 'the island is minimal', on => { this.device.isShared = on; this.device.draw(); }),
      this.swipe);
  }

  get dismissed() {
    return seat.ended === 'dismissed';
  }

  get isAway() {
    return this.isInWoods || document.hidden;
  }

  async chime(volume) {
    const {chime} = await import('./sound.js');
    chime(volume);
  }

  // The connection.

  wake() {
    if (this.isAway) return;
    this.refresh();
    if (seat.activity && !seat.ended) this.pushes.open(seat.activity, seat.token);
  }

  rest() {
    this.pushes.close();
    this.streamState = 'lost';
  }

  walk(isInWoods) {
    this.isInWoods = isInWoods;
    if (isInWoods) this.rest();
    else this.wake();
    this.render();
  }

  stream(state, problem) {
    this.streamState = state;
    if (state === 'closed') {
      const reasons = {replaced: 'This phone is open in another tab. Reload this one to take it back.', token: 'This seat is no longer valid. Join again.'};
      if (problem.reason) this.closed = reasons[problem.reason] ?? null;
      else if (problem.status === 401) this.onGone('This seat is no longer valid. Join again.', false);
      else if (problem.status === 403) this.closed = problem.message;
      // It has ended unseen, or the server does not know it any more: the app takes it away.
      else {
        takeSeat({activity: null, ended: problem.status === 409 ? 'ended' : null});
        this.push = null;
      }
    } else if (state === 'open') {
      this.closed = null;
      this.trouble = null;
    } else if (problem) {
      this.trouble = problem.status ? problem.message : gone;
    }
    this.render();
  }

  arrived(payload, alert, bytes) {
    this.push = payload;
    this.log = [{payload, alert, bytes, at: Date.now()}, ...this.log].slice(0, 6);
    this.arrivals?.update(this.log);
    if (alert) {
      this.device.alert(alert);
      write(this.heard, `${alert.title} ${alert.body}`);
      if (this.hasSound) this.chime();
    }
    if (payload.aps.event === 'end') takeSeat({ended: 'ended'});
    this.refresh();
    this.render();
  }

  async refresh() {
    if (this.isAway || this.isRefreshing || this.isOver) return;
    this.isRefreshing = true;
    try {
      const party = await call('GET', `parties/${part(seat.party)}`, {token: seat.token, language: seat.language ?? 'en'});
      if (this.trouble === gone) this.trouble = null;
      const has = list => (list ?? []).some(hero => hero.id === seat.hero);
      if (party.former || !(has(party.heroes) || has(party.inn?.heroes))) {
        this.onGone(`Your hero is no longer in this party. ${party.former && party.adventure ? `Its adventure is over: ${plain(party.adventure.outcome)}.` : ''}`, true);
      } else {
        this.party = party;
        await this.keepCard(has(party.heroes));
      }
    } catch (error) {
      if (error.status === 401) this.onGone('This seat is no longer valid. Join again.', false);
      else if (error.status === 404) this.onGone('This party no longer exists.', true);
      else this.trouble = error.message;
    }
    this.isRefreshing = false;
    this.render();
  }

  onGone(text, keepsPlayer) {
    if (this.isOver) return;
    this.isOver = true;
    this.pushes.close();
    this.timers.forEach(clearInterval);
    document.removeEventListener('visibilitychange', this.onVisible);
    this.onLeave({text, keepsPlayer});
  }

  // The card. The app asks for one when there is something to show, as a phone's app does.

  async keepCard(isMember) {
    const {adventure, readyCheck} = this.party;
    const isUnderway = adventure && adventure.phase !== 'over';
    if (!isUnderway && seat.ended === 'dismissed') takeSeat({ended: 'ended'});
    const isWanted = isMember && (isUnderway || readyCheck || !adventure);
    if (!isWanted || (seat.activity && !seat.ended) || this.dismissed || this.closed) return;
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    const activity = 'page-' + [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
    await this.register(activity);
    takeSeat({activity, ended: null});
    this.push = null;
    this.pushes.open(activity, seat.token);
  }

  register(activity) {
    const version = navigator.userAgent.match(/(?:Chrome|Firefox|Version)\/(\d{1,4})/)?.[1] ?? '1';
    return call('PUT', `activities/${activity}`, {token: seat.token, body: {
      hero: seat.hero, page: true, frequentPushesEnabled: true, language: seat.language ?? 'en', osVersion: version, stateVersion: 2,
    }}).catch(error => {
      if (error.status === 403) this.closed = error.message;
      throw error;
    });
  }

  async speak(language) {
    takeSeat({language});
    if (seat.activity && !seat.ended && !this.isAway) await this.try(() => this.register(seat.activity));
    this.refresh();
  }

  async dismiss() {
    await this.try(async () => {
      await call('POST', `activities/${part(seat.activity)}/state`, {token: seat.token, body: {state: 'dismissed'}});
      takeSeat({ended: 'dismissed'});
      this.pushes.close();
    });
  }

  startAgain() {
    takeSeat({activity: null, ended: null});
    this.push = null;
    this.refresh();
  }

  // What the player does.

  answer(ask) {
    if (!ask) return;
    this.run(actionsOf(this.party, seat.hero).find(({body}) => ask.id ? body.ask === ask.id && body.yes : body.action === 'usePotion' && (ask.kind === 'give') === Boolean(body.target)));
  }

  run(action) {
    return action && this.try(() => call(action.method, action.path, {token: seat.token, body: action.body}));
  }

  async try(deed) {
    write(this.refusal, '');
    try {
      await deed();
    } catch (error) {
      write(this.refusal, error.message);
    }
    this.refresh();
    this.render();
  }

  leave() {
    if (!confirm('Leave the party for good?')) return;
    this.try(async () => {
      await call('POST', `parties/${part(seat.party)}/actions`, {token: seat.token, body: {hero: seat.hero, action: 'leave'}});
      this.onGone('You have left the party.', true);
    });
  }

  // What the page shows.

  render() {
    if (this.isOver || !this.party) return this.renderState();
    const hero = this.party.heroes.find(each => each.id === seat.hero) ?? this.party.inn?.heroes.find(each => each.id === seat.hero);
    const phase = phaseOf({push: this.push, dismissed: this.dismissed}, Date.now());
    this.device.update(hero, this.push, phase, seat.language ?? 'en');
    fill(this.title, h('bdi', hero.name), ' in party ', h('a', {href: `#${this.party.inviteCode}`}, this.party.inviteCode));
    showActions(this.actions, actionsOf(this.party, seat.hero), action => this.run(action), this.isInWoods);
    write(this.swipe, this.dismissed ? 'Start the card again' : 'Swipe the card away');
    this.swipe.disabled = this.isInWoods || (!this.dismissed && (phase === 'none' || phase === 'ended'));
    this.exit.disabled = this.isInWoods;
    this.story?.update(this.party.events, seat.language ?? 'en');
    this.renderOver(phase, hero);
    this.renderState();
    document.body.dataset.phase = phase;
    document.body.dataset.ready = 'phone';
  }

  renderOver(phase, hero) {
    const {adventure, leader} = this.party;
    this.over.hidden = adventure?.phase !== 'over';
    if (this.over.hidden) return;
    const until = this.push?.aps['dismissal-date'];
    const stays = phase === 'ended' && until ? ` The card stays until ${new Date(until * 1000).toTimeString().slice(0, 5)}.` : '';
    write(this.over, `The adventure is over: ${plain(adventure.outcome)}.${stays} ${leader === hero.owner ? 'Set out again when you like.' : 'The leader can set out again.'}`);
  }

  renderState() {
    const isIdle = !seat.activity || seat.ended;
    set(this.state, {'data-state': this.isInWoods || isIdle ? 'idle' : this.streamState});
    write(this.state, this.isInWoods ? 'in the woods' : isIdle ? 'no card to push to' : this.streamState === 'open' ? 'connected' : 'reconnecting');
    const trouble = this.isInWoods ? null : this.closed ?? this.trouble;
    this.note.hidden = !trouble;
    write(this.note, trouble ?? '');
  }
}
