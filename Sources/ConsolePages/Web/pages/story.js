// The story strip: health curves, events, pushes as pins, and the scrubber over event numbers.
import {fill, h, set, write} from '../lib/dom.js';
import {plain, span} from '../lib/text.js';

const icons = {
  adventureBegan: '🎒', commonLootFound: '🪙', rareLootFound: '💎', smallHeal: '💚', hurt: '💢', criticallyHit: '💥',
  knockedDown: '😵', potionUsed: '🧪', revived: '✨', foeDefeated: '⚔️', bossAppeared: '🐲', bossEnraged: '🔥',
  bossDefeated: '🏆', stormRaised: '⛈️', heroJoined: '👋', heroLeft: '🚪', connectionLost: '📡', connectionReturned: '📶',
  partyDefeated: '🪦', timeLimitReached: '⏳', adventureOver: '🏁', leaderChanged: '👑', potionsFound: '🎁',
  adventurePaused: '⏸️', adventureResumed: '▶️', messageSent: '💬', bossGathers: '⚡', bossSweeps: '🌪️', inDanger: '🩸',
  helpAsked: '🆘', lastStand: '🛟', secondWind: '🍃', taleTold: '📖', forkAsked: '🔀', forkTaken: '🧭', fleeAsked: '❓',
  fled: '🏃', guardAsked: '🛡️', guarded: '🛡️', lootAsked: '🤲', lootGiven: '🎀', breathTaken: '😮‍💨', potionsRefilled: '🧃',
  stopAsked: '✋', stopped: '🛑', worldHit: '🌊', worldBossWeakened: '🌍', worldBossDefeated: '🌟', lootForAll: '👐',
  foeAppeared: '👾', foeLeft: '🐾',
};
export const iconOf = kind => icons[kind] ?? '•';

/** Of events too close for all icons, these are shown first. */
const loud = new Set(['adventureBegan', 'knockedDown', 'bossAppeared', 'bossDefeated', 'stormRaised', 'adventureOver', 'revived', 'partyDefeated', 'lastStand', 'rareLootFound']);
const colors = ['#7ee0a1', '#ffd479', '#7cc4ff', '#ff9f80', '#d3a8ff', '#f58fc0', '#8fe3e0', '#c5d86d'];
const speeds = [1, 4, 16];
const curveHeight = 84;
const iconGap = 24;
const stepMin = 60;
const stepMax = 2000;

export class Story {
  constructor({onSeek, onPlay}) {
    Object.assign(this, {onSeek, onPlay, speed: 1, timer: null, events: [], chapter: null});
    this.keys = h('div', {class: 'legend'});
    this.icons = h('div', {class: 'icons', 'aria-hidden': 'true'});
    this.curves = h('svg', {class: 'curves', height: curveHeight, role: 'img'});
    this.pins = h('svg', {class: 'pins', height: 24, role: 'img'});
    this.axis = h('div', {class: 'axis', 'aria-hidden': 'true'});
    this.future = h('div', {class: 'future'});
    this.head = h('div', {class: 'head'}, h('span'));
    this.range = h('input', {type: 'range', class: 'scrub', 'aria-label': 'Event of the story', oninput: () => this.seek(Number(this.range.value))});
    this.track = h('div', {class: 'track'}, this.icons, this.curves, this.pins, this.axis, this.future, this.head, this.range);
    this.before = h('button', {type: 'button', class: 'quiet', onclick: () => this.turn(-1)}, '‹ Adventure before');
    this.after = h('button', {type: 'button', class: 'quiet', onclick: () => this.turn(1)}, 'Next adventure ›');
    this.player = h('button', {type: 'button', class: 'quiet', onclick: () => this.play()}, 'Play');
    this.rate = h('button', {type: 'button', class: 'quiet', onclick: () => this.changeSpeed(), 'aria-label': 'Speed'}, '1×');
    this.live = h('button', {type: 'button', class: 'quiet', onclick: () => { this.stop(); this.onSeek(null); }}, 'Live');
    this.told = h('p', {class: 'told', role: 'status'});
    this.root = h('section', {class: 'panel story', 'aria-label': 'Story'},
      h('header', h('h2', 'Story'), this.keys, h('div', {class: 'buttons'}, this.before, this.after, this.player, this.rate, this.live)),
      this.track, this.told);
    for (const name of ['pointerdown', 'pointermove', 'pointerup']) this.track.addEventListener(name, event => this.drag(event));
    new ResizeObserver(() => this.draw()).observe(this.track);
  }

  render(shared) {
    this.shared = shared;
    this.events = shared.events;
    this.chapters = chaptersOf(this.events);
    const at = shared.at ?? this.events.at(-1)?.sequence ?? 0;
    this.chapter = this.chapters.findLast(each => each[0].sequence <= at) ?? this.chapters[0] ?? null;
    this.draw();
  }

  /** Draws with the width that there is: circles stay round. */
  draw() {
    const width = this.track.clientWidth;
    if (!this.shared || !width) return;
    const isEmpty = !this.chapter;
    this.track.hidden = isEmpty;
    if (isEmpty) return write(this.told, 'Nothing has happened yet. The story begins with the adventure.');
    const chapter = this.chapter;
    this.start = chapter[0].at;
    const isLast = chapter === this.chapters.at(-1);
    this.length = Math.max(10000, (chapter.at(-1).at - this.start) * (isLast && chapter.at(-1).kind !== 'adventureOver' ? 1.12 : 1.02));
    this.scale = at => Math.min(width, Math.max(0, (at - this.start) / this.length * width));
    this.drawLegend();
    this.drawCurves(width);
    this.drawIcons();
    this.drawPins(width);
    this.drawAxis(width);
    this.drawHead();
    const index = this.chapters.indexOf(chapter);
    this.before.hidden = index === 0;
    this.after.hidden = isLast;
  }

  drawLegend() {
    const {heroes, known, selected} = this.shared;
    fill(this.keys, heroes.map((hero, index) => this.has(index) ? h('span', {class: hero.id === selected?.hero ? 'on' : null, vars: {'--c': colors[index % colors.length]}},
      h('bdi', known.get(hero.id)?.name ?? hero.name ?? hero.id)) : null));
  }

  has(index) {
    return this.chapter.some(event => typeof event.healths?.[index] === 'number');
  }

  drawCurves(width) {
    const {heroes, selected} = this.shared;
    const y = health => 8 + (1 - health / 1000) * (curveHeight - 16);
    const paths = heroes.map((hero, index) => {
      let path = '';
      let last = null;
      for (const event of this.chapter) {
        const health = event.healths?.[index];
        if (typeof health !== 'number') {
          last = null;
          continue;
        }
        const x = this.scale(event.at).toFixed(1);
        path += last === null ? `M${x} ${y(health).toFixed(1)}` : `H${x}V${y(health).toFixed(1)}`;
        last = health;
      }
      return path && h('path', {d: path, stroke: colors[index % colors.length], class: hero.id === selected?.hero ? 'on' : null});
    });
    const line = (health, kind) => h('line', {x1: 0, x2: width, y1: y(health), y2: y(health), class: kind});
    set(this.curves, {width, viewBox: `0 0 ${width} ${curveHeight}`, 'aria-label': this.sentence()});
    fill(this.curves, line(1000), line(500), line(200, 'red20'), paths.filter(path => path && !path.matches('.on')), paths.filter(path => path && path.matches('.on')));
  }

  sentence() {
    const {heroes, known} = this.shared;
    const event = this.current();
    const parts = heroes.map((hero, index) => typeof event?.healths?.[index] === 'number' ? `${known.get(hero.id)?.name ?? hero.id} ${Math.trunc(event.healths[index] / 10)}` : null);
    return 'Health of the heroes: ' + parts.filter(Boolean).join(', ');
  }

  drawIcons() {
    const current = this.current()?.sequence;
    const taken = [];
    const chosen = [];
    const order = [...this.chapter].sort((a, b) => rank(b, current) - rank(a, current) || a.sequence - b.sequence);
    for (const event of order) {
      const x = this.scale(event.at);
      if (taken.some(each => Math.abs(each - x) < iconGap)) continue;
      taken.push(x);
      chosen.push(h('i', {class: event.sequence === current ? 'on' : null, title: event.description, vars: {'--x': `${x}px`}}, iconOf(event.kind)));
    }
    fill(this.icons, chosen);
  }

  drawPins(width) {
    const {pushes, selected} = this.shared;
    const end = this.start + this.length;
    const own = pushes.filter(push => push.activity === selected?.activity && push.sentAt >= this.start - 2000 && push.sentAt <= end);
    set(this.pins, {width, viewBox: `0 0 ${width} 24`, 'aria-label': `${own.length} pushes to this phone, ${own.filter(push => push.priority === 10).length} of high priority`});
    fill(this.pins, own.map(push => {
      const x = Math.max(4, this.scale(push.sentAt));
      if (push.status && push.status !== 200) return h('path', {class: 'no', d: `M${x} 22l-4 -8h8z`});
      const isHigh = push.priority === 10;
      const top = isHigh ? 5 : 13;
      return h('g', {class: isHigh ? 'hi' : 'lo'}, h('path', {d: `M${x} 22V${top}`}), h('circle', {cx: x, cy: top, r: isHigh ? 3.4 : 2.4}));
    }));
  }

  drawAxis(width) {
    const step = [5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200].map(each => each * 1000).find(each => this.length / each <= Math.max(3, width / 110)) ?? 14400000;
    const marks = [];
    for (let at = 0; at < this.length * 0.98; at += step) marks.push(h('span', {vars: {'--x': `${at / this.length * width}px`}}, span(at)));
    fill(this.axis, marks);
  }

  drawHead() {
    const event = this.current();
    const x = this.scale(event.at);
    set(this.head, {vars: {'--x': `${x}px`}});
    set(this.future, {vars: {'--x': `${x}px`}});
    this.head.classList.toggle('right', x > this.track.clientWidth - 90);
    this.head.classList.toggle('left', x < 70);
    const text = `${span(event.at - this.start)} · event ${event.sequence}`;
    write(this.head.firstChild, text);
    set(this.range, {min: this.chapter[0].sequence, max: this.chapter.at(-1).sequence, 'aria-valuetext': `${text}: ${event.description}`});
    this.range.value = event.sequence;
    const isLive = this.shared.at === null;
    set(this.live, {'aria-pressed': String(isLive)});
    fill(this.told, h('span', {'aria-hidden': 'true'}, iconOf(event.kind) + ' '), event.description ?? plain(event.kind));
  }

  current() {
    if (!this.chapter) return null;
    const {at} = this.shared;
    return (at === null ? this.events.at(-1) : this.chapter.find(event => event.sequence === at)) ?? this.chapter.at(-1);
  }

  drag(event) {
    if (event.type === 'pointerdown') {
      if (event.button !== 0) return;
      event.preventDefault();
      this.range.focus({preventScroll: true});
      this.track.setPointerCapture(event.pointerId);
    } else if (!this.track.hasPointerCapture(event.pointerId)) {
      return;
    }
    const x = event.clientX - this.track.getBoundingClientRect().left;
    const near = this.chapter.reduce((best, each) => Math.abs(this.scale(each.at) - x) <= Math.abs(this.scale(best.at) - x) ? each : best);
    this.seek(near.sequence);
  }

  seek(sequence) {
    this.stop();
    if (sequence !== this.current()?.sequence) this.onSeek(sequence);
  }

  step(count) {
    const event = this.current();
    if (!event) return;
    const first = this.events[0].sequence;
    this.seek(Math.min(this.events.at(-1).sequence, Math.max(first, event.sequence + count)));
  }

  turn(step) {
    const next = this.chapters[this.chapters.indexOf(this.chapter) + step];
    if (next) this.seek(step < 0 ? next.at(-1).sequence : next[0].sequence);
  }

  /** Plays from the event that is shown; from the beginning if it is the last one. */
  play() {
    if (this.timer) return this.stop();
    if (!this.chapter) return;
    if (this.current() === this.chapter.at(-1)) this.onSeek(this.chapter[0].sequence);
    write(this.player, 'Stop');
    this.next();
  }

  next() {
    const index = this.chapter.indexOf(this.current());
    const [now, then] = [this.chapter[index], this.chapter[index + 1]];
    if (!then) return this.stop();
    this.onPlay(`replay, ${this.speed}×`);
    const delay = Math.min(stepMax, Math.max(stepMin, (then.at - now.at) / this.speed));
    this.timer = setTimeout(() => {
      this.onSeek(then.sequence);
      this.next();
    }, delay);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    write(this.player, 'Play');
  }

  changeSpeed() {
    this.speed = speeds[(speeds.indexOf(this.speed) + 1) % speeds.length];
    write(this.rate, `${this.speed}×`);
  }
}

function rank(event, current) {
  return event.sequence === current ? 2 : loud.has(event.kind) ? 1 : 0;
}

/** Each adventure of the party; what came before the first one belongs to it. */
function chaptersOf(events) {
  const chapters = [];
  for (const event of events) {
    const isNew = !chapters.length || (event.kind === 'adventureBegan' && chapters.at(-1).some(each => each.kind === 'adventureBegan'));
    if (isNew) chapters.push([event]);
    else chapters.at(-1).push(event);
  }
  return chapters;
}
