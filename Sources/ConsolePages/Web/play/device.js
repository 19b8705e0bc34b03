// The phone, the Watch and StandBy, drawn by ../card from what the newest push has.
import {h, set, write} from '../lib/dom.js';
import {cardModel} from '../card/card.js';
import {clockText, lockPhone} from '../card/phone.js';
import {compact, expanded, minimalAttached, standBy, watchAlert, watchSmall, watchStack} from '../card/presentations.js';

const holdMilliseconds = 400;
/** How long an alert opens the island, as on a phone. */
export const alertMilliseconds = 6000;

const views = {lock: 'Lock Screen', app: 'In another app', held: 'Touch and hold'};
const apps = ['📷', '🗺️', '🎧', '📚', '✉️', '🧮', '🌤️', '📝', '⏰', '🎬', '🧭', '💬'];

/** What the phone shows of its last push: none, active, stale, ended or dismissed. */
export function phaseOf({push, dismissed}, now) {
  const aps = push?.aps;
  if (!aps) return 'none';
  if (dismissed) return 'dismissed';
  if (aps.event === 'end') return (aps['dismissal-date'] ?? Infinity) * 1000 > now ? 'ended' : 'none';
  return aps['stale-date'] && aps['stale-date'] * 1000 <= now ? 'stale' : 'active';
}

export class Device {
  constructor({onAsk}) {
    this.view = 'lock';
    this.isShared = false;
    this.alertUntil = 0;
    this.parts = {lock: lockPhone(), compact: compact(), attached: minimalAttached(), held: expanded(),
      stack: watchStack(), small: watchSmall(), alert: watchAlert(), standBy: standBy()};
    this.buildPhone();
    const {stack, small, alert} = this.parts;
    this.watches = h('div', {class: 'wrist'}, [stack, small, alert].map(each => h('div', {class: 'watchbox'}, each.root)));
    this.root = h('div', {class: 'devices'},
      h('section', {'aria-label': 'iPhone', class: 'iphone'}, this.tabs, this.bezel),
      h('section', {'aria-label': 'Watch'}, h('h2', 'Watch'), this.watches),
      h('section', {'aria-label': 'StandBy'}, h('h2', 'StandBy'), this.parts.standBy.root));
    for (const button of this.root.querySelectorAll('.phonebody .ask')) {
      set(button, {inert: null, tabindex: null, onclick: () => onAsk(this.model?.ask)});
    }
  }

  buildPhone() {
    const {lock, compact: halves, attached, held} = this.parts;
    lock.root.classList.add('whole');
    lock.root.prepend(h('div', {class: 'island empty', 'aria-hidden': 'true'}));
    this.other = h('div', {class: 'island detached', role: 'img', 'aria-label': 'Minimal of another app'}, '⏲️');
    this.empty = h('div', {class: 'island empty', 'aria-hidden': 'true'});
    this.clock = h('span', {class: 'time'});
    this.home = h('div', {class: 'screen home whole'}, this.clock, halves.root, attached.root, this.other, held.root, this.empty,
      h('div', {class: 'apps', 'aria-hidden': 'true'}, apps.map(app => h('span', app))));
    for (const island of [halves.root, attached.root]) this.holdable(island);
    this.tabs = h('div', {class: 'seg', role: 'group', 'aria-label': 'What the phone shows'}, Object.entries(views).map(([view, title]) =>
      h('button', {type: 'button', data: {view}, onclick: () => this.show(view)}, title)));
    this.bezel = h('div', {class: 'phonebody'}, lock.root, this.home);
    this.show('lock');
  }

  /** Touch and hold opens the island; touching elsewhere, or Escape, closes it. */
  holdable(island) {
    let timer = null;
    island.addEventListener('pointerdown', () => { timer = setTimeout(() => this.show('held'), holdMilliseconds); });
    for (const end of ['pointerup', 'pointerleave', 'pointercancel']) island.addEventListener(end, () => clearTimeout(timer));
    island.addEventListener('contextmenu', event => event.preventDefault());
    this.home.addEventListener('click', event => {
      if (this.view === 'held' && !this.parts.held.root.contains(event.target)) this.show('app');
    });
    document.addEventListener('keydown', event => { if (event.key === 'Escape' && this.view === 'held') this.show('app'); });
  }

  show(view) {
    this.view = view;
    for (const button of this.tabs.children) set(button, {'aria-pressed': String(button.dataset.view === view)});
    if (this.model) this.draw();
  }

  /** The alert of the newest push: the island opens, and only the Watch prints the words (S0). */
  alert(words) {
    this.words = words;
    this.alertUntil = Date.now() + alertMilliseconds;
  }

  update(hero, push, phase, language) {
    const isAlerting = Date.now() < this.alertUntil;
    const model = cardModel({hero, state: push?.aps['content-state'] ?? null, language, phase, alert: isAlerting ? this.words : null, at: Date.now()});
    this.model = model;
    for (const each of Object.values(this.parts)) each.update(model);
    this.draw();
  }

  draw() {
    const isLive = this.model.phase === 'active' || this.model.phase === 'stale';
    const {lock, compact: halves, attached, held, alert, stack, small, standBy: night} = this.parts;
    const isAlerting = Boolean(this.model.alert);
    const isHeld = isLive && (this.view === 'held' || (this.view === 'app' && isAlerting));
    const hasCard = isLive || this.model.phase === 'ended';
    const show = (element, isShown) => { element.hidden = !isShown; };
    show(lock.root, this.view === 'lock');
    show(this.home, this.view !== 'lock');
    show(halves.root, isLive && !isHeld && !this.isShared);
    show(attached.root, isLive && !isHeld && this.isShared);
    show(this.other, this.isShared && !isHeld);
    show(held.root, isHeld);
    show(this.empty, !isLive);
    show(alert.root.parentElement, isAlerting);
    for (const each of [stack, small]) show(each.root.parentElement, hasCard && !isAlerting);
    show(night.root.firstElementChild, hasCard);
    write(this.clock, clockText(this.model.at));
  }
}
